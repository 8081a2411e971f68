"""`python -m referee deadlines FILE`: checks worked examples of deadlines.

The file holds `cases`, each with `start`, `hours`, `zone` (where the dates are taken), `calendar` ("RU …" or "Mon-Fri
only") and the expected `deadline`. Exit status 0 when all agree, 1 when some do not, 2 when the file makes no sense.
"""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import msgspec

from referee.work_calendar import WEEKDAYS, WorkCalendar


class Case(msgspec.Struct, frozen=True):
    """One worked example."""

    name: str
    calendar: str
    zone: str
    start: Annotated[datetime, msgspec.Meta(tz=True)]
    hours: float
    deadline: Annotated[datetime, msgspec.Meta(tz=True)]


class CaseFile(msgspec.Struct, frozen=True):
    """The file."""

    cases: tuple[Case, ...]


def deadline(case: Case) -> datetime:
    """The deadline that we compute for a case. Raises ValueError for a calendar or a zone that does not exist."""
    country = WEEKDAYS if case.calendar.startswith("Mon-Fri") else case.calendar.partition(" ")[0]
    return WorkCalendar(case.zone, country).add(case.start.astimezone(UTC), timedelta(hours=case.hours))


def check(cases: tuple[Case, ...]) -> int:
    """Print each case beside our answer; the number of differences."""
    wrong = 0
    for case in cases:
        ours = deadline(case)
        fits = ours == case.deadline
        wrong += not fits
        sys.stdout.write(
            f"{'ok' if fits else 'DIFFERS':8}{case.name}: {ours.isoformat()}, "
            f"expected {case.deadline.astimezone(UTC).isoformat()}\n"
        )
    sys.stdout.write(f"{len(cases)} cases, {wrong} differences\n")
    return wrong


def main(arguments: list[str] | None = None) -> int:
    """The command line. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m referee", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("deadlines", help="check worked examples").add_argument("file", type=Path)
    given = parser.parse_args(arguments)
    try:
        cases = msgspec.json.decode(given.file.read_bytes(), type=CaseFile).cases
        return 1 if check(cases) else 0
    except (OSError, ValueError) as error:  # msgspec's errors are ValueErrors
        sys.stderr.write(f"{given.file}: {error}\n")
        return 2


if __name__ == "__main__":
    sys.exit(main())
