"""Actions and reports as the text that players type, such that `reading.read` reads it back.

The words are those of the rules, «How a shot is written» («То ZimA - А4»), in English at a table with Latin columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engines.contract import Seat
from engines.sea_battle.cells import cell_name
from engines.sea_battle.meaning import Attach as AttachReading
from engines.sea_battle.meaning import Delegate as DelegateReading
from engines.sea_battle.meaning import OnBehalf, Reading, Shot
from engines.sea_battle.meaning import Withdraw as WithdrawReading
from engines.sea_battle.model import Attach, Columns, Delegate, Result, SeaAction, Shoot, Withdraw

Written = Shoot | Delegate | Withdraw | Attach
"""Actions that have a text. Fleets have one of their own (`fleet_text`); all others are buttons and commands."""

_RESULTS: Final = {
    Columns.CYRILLIC: {Result.MISS: "мимо", Result.HIT: "ранил", Result.SUNK: "убил"},
    Columns.LATIN: {Result.MISS: "miss", Result.HIT: "hit", Result.SUNK: "sunk"},
}


def write(action: Written, names: Mapping[Seat, str], columns: Columns = Columns.CYRILLIC) -> str:
    """The text of an action. `names` has a nick for every seat in it; see `nicks.typeable`."""
    russian = columns is Columns.CYRILLIC
    match action:
        case Shoot(target, cell, on_behalf):
            shot = f"{'То' if russian else 'To'} {names[target]} - {cell_name(cell, columns)}"
            return shot if on_behalf is None else f"{'За' if russian else 'For'} {names[on_behalf]}: {shot}"
        case Attach(gun, target):
            going_on = "продолжает игру против" if russian else "continues against"
            return f"{names[gun]} {going_on} {names[target]}"
        case Delegate():
            return "Передаю ход Адмиралу" if russian else "I delegate my turn to the Admiral"
        case Withdraw():
            return "Забираю ход" if russian else "I withdraw my turn"


def write_report(result: Result, columns: Columns = Columns.CYRILLIC) -> str:
    """«- мимо»"""
    return f"- {_RESULTS[columns][result]}"


def action_of(reading: Reading) -> SeaAction | None:
    """The action that a reading is; None for talk, and for what has to be asked or refused first."""
    match reading:
        case Shot(target, cell):
            return Shoot(target, cell)
        case OnBehalf(seat, Shot(target, cell)):
            return Shoot(target, cell, seat)
        case AttachReading(gun, target):
            return Attach(gun, target)
        case DelegateReading():
            return Delegate()
        case WithdrawReading():
            return Withdraw()
        case _:
            return None
