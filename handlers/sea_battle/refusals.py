"""Refusals in words that say what would be right."""

from __future__ import annotations

from typing import cast

from engines.contract import Datum, RuleError, Seat
from engines.sea_battle.cells import cell_name
from engines.sea_battle.fleet import Fault
from engines.sea_battle.model import Cell, Columns, OutReason, Team
from engines.sea_battle.refusals import Refusal
from handlers.names import Names
from handlers.sea_battle.speech import Speech
from locales import Words
from referee.play import Look


def refusal(error: RuleError, look: Look | None, words: Words) -> str | None:
    """None for a code that is none of this game's."""
    if error.code not in set(Refusal):
        return None
    speech = Speech.of(look, words) if look is not None else None
    names = Names(()) if speech is None else speech.names
    columns = Columns.CYRILLIC if speech is None else speech.view.options.columns
    values = {field: _said(field, value, names, columns, words) for field, value in error.data.items()}
    opponents = error.data.get("opponents")
    if error.code == Refusal.NOT_OPPONENT and not opponents:
        return words.plain("sea-refuse-no_opponents")
    if error.code == Refusal.SHIP_OFF_BOARD:
        values["cell"] = ""  # it may lie outside, where cells have no name
    return words.plain(f"sea-refuse-{error.code}", **values)


def _said(field: str, value: Datum, names: Names, columns: Columns, words: Words) -> str:
    """One field of a refusal's data in words."""
    match field:
        case "seat" | "target" | "admiral":
            return names.plain(cast(Seat, value))
        case "seats" | "opponents" | "mates" | "enemies":
            return ", ".join(names.plain(seat) for seat in cast(tuple[Seat, ...], value)) or "—"
        case "team":
            return words.plain(f"sea-of-{Team(cast(str, value))}")
        case "reason":
            return words.plain(f"sea-reason-{OutReason(cast(str, value))}")
        case "cell":
            return _cell(cast(Cell, value), columns)
        case "cells":
            return ", ".join(_cell(cell, columns) for cell in cast(tuple[Cell, ...], value)) or "—"
        case "faults":
            return ", ".join(words.plain(f"sea-kind-{Fault(fault)}") for fault in cast(tuple[str, ...], value))
        case _:
            return str(value)


def _cell(cell: Cell, columns: Columns) -> str:
    try:
        return cell_name(cell, columns)
    except ValueError:
        return str(cell)
