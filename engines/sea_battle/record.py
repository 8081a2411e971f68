"""The record of a match: who did what at which instant, and what came of it.

A *full* record, exported after the end, holds the seed and the lots, so that the match can be played again
(`replaying`). An *open* one, for a match that goes on, holds what everybody knows already and nothing else: no seed, no
fleets, no drafts, no results before they are out. `forum` writes both as a text; `to_json` writes them as JSON.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final

import msgspec

from engines.contract import Outcome, Seat, SeatInfo, Value
from engines.sea_battle.model import (
    DraftFleet,
    FleetDrafted,
    RandomFleet,
    Revealed,
    SeaAction,
    SeaEvent,
    SeaOptions,
)

GAME: Final = "sea_battle"


class LineKind(StrEnum):
    """What a line of the record is."""

    DRAW = "draw"
    """The first one: lots were drawn."""
    ACT = "act"
    """Somebody at the table acted, or the Referee (`seat` None)."""
    CLOCK = "clock"
    """Time was up."""
    NOTE = "note"
    """The Referee changed the clock or took a line back: told in `note`, nothing to play again."""


class Line(Value):
    """One line of a record."""

    at: datetime
    """Aware."""
    kind: LineKind
    seat: Seat | None = None
    """Who acted; None: the Referee (or the clock)."""
    action: SeaAction | None = None
    """None where nobody acted, and in an open record where it would show a fleet."""
    events: tuple[SeaEvent, ...] = ()
    by: str = ""
    """Who it was in the flesh when the Referee acted; empty for the bot itself, or where it is not known."""
    started: datetime | None = None
    """For `CLOCK`: when the clock that ran out was started; likewise `due`, when it ran out."""
    due: datetime | None = None
    note: str = ""
    undone: bool = False
    """The Referee took it back later: the match went on as if it had not been."""


class Record(Value):
    """A match from its draw on."""

    match: int
    """Its number."""
    whole: bool
    """A full record; False: an open one."""
    rules_version: int
    options: SeaOptions
    names: tuple[str, ...]
    """What people are called, by seat."""
    lines: tuple[Line, ...]
    game: str = GAME
    seed: str = ""
    """Full records alone; likewise `lots`, what the draw was made from."""
    lots: tuple[SeatInfo, ...] = ()
    outcome: Outcome | None = None


def open_form(record: Record) -> Record:
    """What everybody may read of a match while it goes on."""
    return msgspec.structs.replace(
        record,
        whole=False,
        seed="",
        lots=(),
        lines=tuple(line for line in map(_open_line, record.lines) if line is not None),
    )


def _open_line(line: Line) -> Line | None:
    """The line without secrets; None for a line that was nothing but one (a draft)."""
    if not isinstance(line.action, DraftFleet | RandomFleet):
        # A fleet that is revealed has no place in an open record, whatever led to it.
        return msgspec.structs.replace(line, events=tuple(e for e in line.events if not isinstance(e, Revealed)))
    events = tuple(event for event in line.events if not isinstance(event, FleetDrafted | Revealed))
    return msgspec.structs.replace(line, action=None, events=events) if events else None


def to_json(record: Record) -> str:
    """As JSON, indented."""
    return msgspec.json.format(msgspec.json.encode(_Tagged(record)), indent=1).decode() + "\n"


def from_json(text: str) -> Record:
    """What `to_json` wrote. Raises msgspec.ValidationError for any other text, ValueError for another game's record."""
    record = msgspec.json.decode(text, type=_Tagged).record
    if record.game != GAME:
        raise ValueError(f"a record of {record.game}, not of {GAME}")
    for line in record.lines:
        if any(at is not None and at.tzinfo is None for at in (line.at, line.started, line.due)):
            raise ValueError("an instant without its offset from UTC")
    return record


class _Tagged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The outermost object. `game` is written in any case, so that a reader of many games can tell them apart."""

    record: Record
    game: str = GAME
