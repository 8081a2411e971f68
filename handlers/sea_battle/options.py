"""The options of a match in the lobby: what is chosen, and a button that turns each over."""

from __future__ import annotations

import msgspec
from markupsafe import Markup

from engines.sea_battle import ENGINE
from engines.sea_battle.model import Columns, SeaOptions
from handlers.screens import Button, Keyboard, Press, press
from locales import Words

TOGGLES = ("columns", "results_at_once", "hit_costs_answer", "standing_delegation", "attached_duty")
"""Fields of `SeaOptions`, in the order of their buttons."""


def lobby_options(options: str, words: Words, match_id: int) -> tuple[Markup, Keyboard]:
    """The options in words, and their buttons."""
    chosen = ENGINE.read_options(options)
    text = Markup("\n").join(words.html(_key(field, chosen)) for field in TOGGLES)
    keyboard = tuple(
        (Button(words.plain(f"{_key(field, chosen)}-button"), press("opt", match_id, "", field)),) for field in TOGGLES
    )
    return text, keyboard


def _key(field: str, chosen: SeaOptions) -> str:
    value = getattr(chosen, field)
    name = field.replace("_", "-")
    if isinstance(value, Columns):
        return f"sea-option-{name}-{value}"
    return f"sea-option-{name}-{'yes' if value else 'no'}"


def chosen(options: str, pressed: Press) -> SeaOptions:
    """The options after a button was pressed; unchanged for a button that is none of these."""
    before = ENGINE.read_options(options)
    field = pressed.rest[0] if pressed.rest else ""
    if field == "columns":
        latin = before.columns is Columns.CYRILLIC
        return msgspec.structs.replace(before, columns=Columns.LATIN if latin else Columns.CYRILLIC)
    if field in TOGGLES:
        return msgspec.structs.replace(before, **{field: not getattr(before, field)})
    return before
