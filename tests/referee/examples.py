"""The worked examples of deadlines, counted minute by minute elsewhere."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import msgspec

FILE = Path(__file__).parents[1] / "data" / "deadlines.json"


class Example(msgspec.Struct, frozen=True):
    """One worked example."""

    name: str
    calendar: str
    zone: str
    start: datetime
    hours: float
    deadline: datetime


class _File(msgspec.Struct, frozen=True):
    non_working_dates: dict[str, tuple[date, ...]]
    working_weekend_dates: tuple[date, ...]
    cases: tuple[Example, ...]


_FILE = msgspec.json.decode(FILE.read_bytes(), type=_File)
CASES = _FILE.cases
NON_WORKING = frozenset(day for days in _FILE.non_working_dates.values() for day in days)
WORKING_WEEKENDS = frozenset(_FILE.working_weekend_dates)
