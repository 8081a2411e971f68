"""What a referee may decide about the clock, as values, and what each decision makes of a match's clock.

Counted time is conserved: a pause keeps what is left of a turn and lets it run on from its end. Nothing makes a
deadline earlier but a referee who takes back what he has just decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import assert_never
from zoneinfo import ZoneInfo

import msgspec

from engines.contract import dump
from referee.host import Host
from referee.planning import Change, What
from referee.refusals import Refusal, Refused
from referee.work_calendar import WorkCalendar
from storage import matches
from storage.database import Connection, to_ms
from storage.records import ActionKind, Match, Pace, Pause, Record

LONGEST = timedelta(days=14)
"""No pause is longer, and no more time is given at once."""
SHORTEST = timedelta(minutes=1)
FARTHEST = timedelta(days=366)
"""How far ahead a day off may be."""
ON_TIME = timedelta(seconds=90)
"""A pause whose end was noticed no later than this ends at its own instant. After it the bot was away: it ends now."""
REASON_LIMIT = 200
LEAST_LEFT = timedelta(hours=1)
"""What a turn keeps at least when time that was given is taken back."""
MILLISECOND = timedelta(milliseconds=1)


class GiveTime(Record, tag_field="do", tag="time"):
    """So many counted seconds more until the running deadline."""

    seconds: int


class DayOff(Record, tag_field="do", tag="day_off"):
    """A local date that does not count, today or later. Declared for today, all of today is given back."""

    day: date


class StopClock(Record, tag_field="do", tag="pause"):
    """The clock stands for at most `seconds` of plain time; moves are welcome meanwhile."""

    seconds: int
    reason: str


class Resume(Record, tag_field="do", tag="resume"):
    """The pause is over."""


ClockOrder = GiveTime | DayOff | StopClock | Resume


@dataclass(frozen=True)
class Admit:
    """Who has waited longest (or `people`) gets the next seats of the table, after `action` has made them."""

    action: object
    """The action of the game's Referee that makes `newcomers` seats."""
    newcomers: int = 2
    people: tuple[int, ...] = ()


@dataclass(frozen=True)
class Undo:
    """Take the last act back."""


Order = ClockOrder | Admit | Undo
"""What a human referee decides beside the actions of the game itself."""


class ClockRuling(Record):
    """Body of a line of the kind `HOST`."""

    order: ClockOrder
    by: str | None
    """Who decided, as he was called then; empty for an administrator who hides his name; None for the bot itself."""
    before: datetime | None
    """The deadline until then; None where there was none (in a pause there is none)."""
    after: datetime | None
    until: datetime | None = None
    """The latest end of the pause that began."""


class UndoRuling(Record):
    """Body of a line of the kind `UNDO`."""

    line: int
    """The line that was taken back."""
    by: str
    events: str
    """What had happened in it, as that line tells it."""
    clock: ClockRuling | None = None
    """What it had decided about the clock; None where it was an act of the game."""
    after: datetime | None = None
    """The deadline since then, where it was about the clock."""


def check_in_time(match: Match, now: datetime) -> None:
    """Raises Refused if the deadline has passed and its sweep is on the way: nobody is saved by being quick."""
    if match.due_at is not None and match.due_at < now:
        raise Refused(Refusal.TOO_LATE, due=to_ms(match.due_at) // 1000)


def decided(match: Match, order: ClockOrder, owner: str, now: datetime) -> Match:
    """The match with the clock that an order makes. Raises Refused if it makes no sense now."""
    check_in_time(match, now)
    match order:
        case GiveTime(seconds):
            return _more_time(match, _length(seconds))
        case DayOff(day):
            return _day_off(match, day, now)
        case StopClock(seconds, reason):
            return _paused(match, _length(seconds), " ".join(reason.split())[:REASON_LIMIT], owner, now)
        case Resume():
            return resumed(match, now)
        case _:
            assert_never(order)


def _length(seconds: int) -> timedelta:
    # Compared as numbers: a number too large for a timedelta is refused as well.
    if not SHORTEST.total_seconds() <= seconds <= LONGEST.total_seconds():
        raise Refused(Refusal.BAD_LENGTH, days=LONGEST.days)
    return timedelta(seconds=seconds)


def _more_time(match: Match, length: timedelta) -> Match:
    pause = match.pause
    if pause is not None and pause.left_ms is not None:
        more = length // MILLISECOND
        remind = None if pause.remind_ms is None else pause.remind_ms + more
        pause = msgspec.structs.replace(pause, left_ms=pause.left_ms + more, remind_ms=remind)
        return msgspec.structs.replace(match, pause=pause)
    if match.due_at is None:
        raise Refused(Refusal.NO_CLOCK)
    calendar = WorkCalendar.of(match.pace)
    remind_at = None if match.remind_at is None else calendar.add(match.remind_at, length)
    return msgspec.structs.replace(match, due_at=calendar.add(match.due_at, length), remind_at=remind_at)


def _day_off(match: Match, day: date, now: datetime) -> Match:
    today = now.astimezone(ZoneInfo(match.pace.zone)).date()
    if not today <= day <= today + FARTHEST:
        raise Refused(Refusal.BAD_DAY)
    if not WorkCalendar.of(match.pace).counts(day):
        raise Refused(Refusal.DAY_OFF_ALREADY, day=day.isoformat())
    pace = msgspec.structs.replace(match.pace, days_off=tuple(sorted({*match.pace.days_off, day.isoformat()})))

    def later(at: datetime | None) -> datetime | None:
        return None if at is None else max(at, _carried_over(match, at, day, pace, now))

    return msgspec.structs.replace(match, pace=pace, due_at=later(match.due_at), remind_at=later(match.remind_at))


def _carried_over(match: Match, at: datetime, day: date, pace: Pace, now: datetime) -> datetime:
    """The instant that under another pace, in which `day` counts otherwise, is as far from the turn's start as `at`.

    What was before that day is counted alike in both, so it does not matter from where it is counted.
    """
    midnight = datetime.combine(day, time(0), ZoneInfo(pace.zone)).astimezone(now.tzinfo)
    since = min(midnight, now, at) if match.turn_started_at is None else max(match.turn_started_at, min(midnight, now))
    return WorkCalendar.of(pace).add(since, WorkCalendar.of(match.pace).counted(since, at))


def _paused(match: Match, length: timedelta, reason: str, owner: str, now: datetime) -> Match:
    if match.pause is not None:
        raise Refused(Refusal.PAUSED_ALREADY)
    calendar = WorkCalendar.of(match.pace)

    def left(at: datetime | None) -> int | None:
        # Rounded up: a pause gives a part of a millisecond rather than taking it.
        return None if at is None else -(-calendar.counted(now, at) // MILLISECOND)

    pause = Pause(owner, reason, now, now + length, left(match.due_at), left(match.remind_at))
    return msgspec.structs.replace(match, pause=pause, due_at=None, remind_at=None)


def resumed(match: Match, at: datetime) -> Match:
    """The match as its pause ends at an instant: what was left of the clock runs on. Raises Refused NOT_PAUSED."""
    pause = match.pause
    if pause is None:
        raise Refused(Refusal.NOT_PAUSED)
    calendar = WorkCalendar.of(match.pace)

    def runs_until(left: int | None) -> datetime | None:
        return None if left is None else calendar.add(at, left * MILLISECOND)

    return msgspec.structs.replace(
        match, pause=None, due_at=runs_until(pause.left_ms), remind_at=runs_until(pause.remind_ms)
    )


def taken_back(match: Match, order: ClockOrder, now: datetime) -> Match:
    """The match with the clock as it is without its last decision, `order`.

    The time that came by it goes again, but for LEAST_LEFT at least, so that nobody is out by it at once. Raises
    Refused NOT_UNDOABLE for the end of a pause: that was time in which everybody could move.
    """
    match order:
        case GiveTime(seconds):
            return _less_time(match, timedelta(seconds=seconds), now)
        case DayOff(day):
            return _working_again(match, day, now)
        case StopClock():
            return resumed(match, now)
        case Resume():
            raise Refused(Refusal.NOT_UNDOABLE)
        case _:
            assert_never(order)


def _working_again(match: Match, day: date, now: datetime) -> Match:
    days_off = tuple(other for other in match.pace.days_off if other != day.isoformat())
    pace = msgspec.structs.replace(match.pace, days_off=days_off)

    def earlier(at: datetime | None, least: timedelta) -> datetime | None:
        if at is None:
            return None
        floor = WorkCalendar.of(pace).add(now, least)
        return min(at, max(_carried_over(match, at, day, pace, now), floor))

    return msgspec.structs.replace(
        match,
        pace=pace,
        due_at=earlier(match.due_at, LEAST_LEFT),
        remind_at=earlier(match.remind_at, timedelta(0)),
    )


def _less_time(match: Match, length: timedelta, now: datetime) -> Match:
    def fewer(left: timedelta, least: timedelta) -> timedelta:
        return min(left, max(left - length, least))

    pause = match.pause
    if pause is not None:
        left = None if pause.left_ms is None else fewer(pause.left_ms * MILLISECOND, LEAST_LEFT) // MILLISECOND
        remind = None if pause.remind_ms is None else fewer(pause.remind_ms * MILLISECOND, timedelta(0)) // MILLISECOND
        return msgspec.structs.replace(match, pause=msgspec.structs.replace(pause, left_ms=left, remind_ms=remind))
    calendar = WorkCalendar.of(match.pace)

    def earlier(at: datetime | None, least: timedelta) -> datetime | None:
        return None if at is None else calendar.add(now, fewer(calendar.counted(now, at), least))

    return msgspec.structs.replace(
        match, due_at=earlier(match.due_at, LEAST_LEFT), remind_at=earlier(match.remind_at, timedelta(0))
    )


async def end_pause(host: Host, db: Connection, match: Match, now: datetime) -> tuple[Change, set[int]]:
    """A pause has reached its longest length: it ends by itself, and that is a line of the record.

    Time in which the bot was away does not count against players, so a pause that nobody saw ending ends now.
    """
    until = now if match.pause is None else match.pause.until
    after = resumed(match, until if now - until <= ON_TIME else now)
    return await write(host, db, match, after, Resume(), by=None, at=now)


async def write(
    host: Host,
    db: Connection,
    before: Match,
    after: Match,
    order: ClockOrder,
    *,
    by: str | None,
    at: datetime,
    person_id: int | None = None,
    source: str | None = None,
) -> tuple[Change, set[int]]:
    """Store a match's changed clock with its line in the record. The game's state stays what it was."""
    if before.state is None:
        raise Refused(Refusal.NOT_RUNNING)
    until = after.pause.until if after.pause is not None and before.pause is None else None
    return await host.record(
        db,
        after,
        tuple(await matches.members(db, before.id)),
        host.engine(before).read_state(before.state),
        (),
        what=What.CLOCK,
        kind=ActionKind.HOST,
        body=dump(ClockRuling(order, by, before.due_at, after.due_at, until)),
        at=at,
        person_id=person_id,
        source=source,
    )
