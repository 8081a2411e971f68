"""Telegram, in and out. Updates become typed actions; what happened becomes words, pictures and keyboards.

Nothing is decided here: the rules are in `engines/`, who may act and when in `referee/`. A game brings a presenter (see
`handlers.presenter`), which knows words and pictures of that game and nothing of Telegram's API.
"""
