"""The host of all games: lobby, draw, turns, clock and deadlines, rights, and the outbox.

It knows no game by name, no Telegram and no words: engines give the rules, `handlers/` the rest.
"""
