"""Telegram, in and out. Updates become typed actions; what happened becomes words, pictures and keyboards.

Nothing is decided here: the rules are in `engines/`, who may act and when in `referee/`. A game brings a presenter (see
`handlers.presenter`), which knows words and pictures of that game and nothing of Telegram's API.
"""

import os

# python-telegram-bot gives lengths of time as timedelta (the coming default) instead of warning at each reading.
os.environ.setdefault("PTB_TIMEDELTA", "1")
