"""Questions about matches, their lists of people and their actions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from engines.contract import SeatInfo
from storage.database import (
    Connection,
    Row,
    as_int,
    as_int_or_none,
    as_text,
    as_text_or_none,
    from_ms,
    from_ms_or_none,
    to_ms,
    to_ms_or_none,
)
from storage.records import ActionKind, Match, MatchPhase, Member, Pace, Pause, StoredAction

_COLUMNS = (
    "id, game, chat_id, thread_id, opener_id, phase, version, options, pace, seed, lots, state, timer_key, "
    "turn_started_at, due_at, remind_at, created_at, ended_at, pause, pause_ends_at"
)

LARGEST_ID = 2**63 - 1
"""What a column of whole numbers can hold."""


async def add(db: Connection, match: Match) -> Match:
    """Keep a new match (its `id` is ignored) and give it back with its number."""
    rows = await db.fetch(
        f"INSERT INTO matches ({_COLUMNS.removeprefix('id, ')}) VALUES ({', '.join('?' * 19)}) RETURNING id",
        *_cells(match),
    )
    return msgspec.structs.replace(match, id=as_int(rows[0][0]))


async def get(db: Connection, match_id: int) -> Match | None:
    """A match by its number, which may be any that somebody wrote into a link or a button."""
    if not 0 < match_id <= LARGEST_ID:
        return None
    rows = await db.fetch(f"SELECT {_COLUMNS} FROM matches WHERE id = ?", match_id)
    return _match(rows[0]) if rows else None


async def save(db: Connection, match: Match, *, expected: int) -> bool:
    """Keep a changed match. False, and nothing kept, if its stored version is not `expected` any more."""
    rows = await db.fetch(
        "UPDATE matches SET game = ?, chat_id = ?, thread_id = ?, opener_id = ?, phase = ?, version = ?, options = ?, "
        "pace = ?, seed = ?, lots = ?, state = ?, timer_key = ?, turn_started_at = ?, due_at = ?, remind_at = ?, "
        "created_at = ?, ended_at = ?, pause = ?, pause_ends_at = ? WHERE id = ? AND version = ? RETURNING id",
        *_cells(match),
        match.id,
        expected,
    )
    return bool(rows)


async def set_thread(db: Connection, match_id: int, thread_id: int) -> None:
    """From now on the match stands in this topic. Its version stays: the game is what it was."""
    await db.fetch("UPDATE matches SET thread_id = ? WHERE id = ? RETURNING id", thread_id, match_id)


async def in_chat(db: Connection, chat_id: int, *phases: MatchPhase) -> list[Match]:
    """Matches of a chat that stand in one of `phases`, oldest first."""
    marks = ", ".join("?" * len(phases))
    rows = await db.fetch(
        f"SELECT {_COLUMNS} FROM matches WHERE chat_id = ? AND phase IN ({marks}) ORDER BY id", chat_id, *phases
    )
    return [_match(row) for row in rows]


async def last_over(
    db: Connection, *, chat_id: int | None = None, thread_id: int | None = None, person_id: int | None = None
) -> Match | None:
    """The match that ended last: of a chat (in this topic, if there is one), or of those that a person played in."""
    if person_id is None:
        rows = await db.fetch(
            f"SELECT {_COLUMNS} FROM matches WHERE chat_id = ? AND phase = 'over' "
            "ORDER BY CASE WHEN thread_id = ? THEN 0 ELSE 1 END, id DESC LIMIT 1",
            chat_id,
            thread_id,
        )
    else:
        columns = ", ".join(f"m.{column}" for column in _COLUMNS.split(", "))
        rows = await db.fetch(
            f"SELECT {columns} FROM matches m JOIN roster r ON r.match_id = m.id "
            "WHERE r.person_id = ? AND r.seat IS NOT NULL AND m.phase = 'over' ORDER BY m.id DESC LIMIT 1",
            person_id,
        )
    return _match(rows[0]) if rows else None


async def of_person(db: Connection, person_id: int, *phases: MatchPhase) -> list[Match]:
    """Matches that a person is on the list of, in one of `phases`, oldest first."""
    marks = ", ".join("?" * len(phases))
    columns = ", ".join(f"m.{column}" for column in _COLUMNS.split(", "))
    rows = await db.fetch(
        f"SELECT {columns} FROM matches m JOIN roster r ON r.match_id = m.id "
        f"WHERE r.person_id = ? AND m.phase IN ({marks}) ORDER BY m.id",
        person_id,
        *phases,
    )
    return [_match(row) for row in rows]


async def due(db: Connection, *, deadline: datetime, reminder: datetime, limit: int) -> list[int]:
    """Numbers of running matches whose deadline is not after `deadline`, or whose reminder (or pause) is over by
    `reminder`.

    The most overdue first. Once the deadline itself is not after `reminder`, there is nothing to remind of any more.
    """
    rows = await db.fetch(
        "SELECT id, MIN(at) AS since FROM ("
        "SELECT id, due_at AS at FROM matches WHERE due_at <= ? AND phase = 'running' "
        "UNION ALL SELECT id, remind_at AS at FROM matches WHERE remind_at <= ? AND due_at > ? AND phase = 'running' "
        "UNION ALL SELECT id, pause_ends_at AS at FROM matches WHERE pause_ends_at <= ? AND phase = 'running'"
        ") AS alarms GROUP BY id ORDER BY since, id LIMIT ?",
        to_ms(deadline),
        to_ms(reminder),
        to_ms(reminder),
        to_ms(reminder),
        limit,
    )
    return [as_int(row[0]) for row in rows]


async def next_due(db: Connection, after: datetime) -> datetime | None:
    """The first deadline of a running match after an instant."""
    rows = await db.fetch("SELECT MIN(due_at) FROM matches WHERE due_at > ? AND phase = 'running'", to_ms(after))
    return from_ms_or_none(rows[0][0])


async def next_reminder(db: Connection, after: datetime) -> datetime | None:
    """The first reminder of a running match after an instant."""
    rows = await db.fetch("SELECT MIN(remind_at) FROM matches WHERE remind_at > ? AND phase = 'running'", to_ms(after))
    return from_ms_or_none(rows[0][0])


async def next_pause_end(db: Connection, after: datetime) -> datetime | None:
    """The first end of a running match's pause after an instant."""
    rows = await db.fetch(
        "SELECT MIN(pause_ends_at) FROM matches WHERE pause_ends_at > ? AND phase = 'running'", to_ms(after)
    )
    return from_ms_or_none(rows[0][0])


async def with_deadline(db: Connection) -> list[Match]:
    """All running matches that have a running clock."""
    rows = await db.fetch(f"SELECT {_COLUMNS} FROM matches WHERE due_at IS NOT NULL AND phase = 'running' ORDER BY id")
    return [_match(row) for row in rows]


async def members(db: Connection, match_id: int) -> list[Member]:
    """The list of a match, in the order of joining."""
    rows = await db.fetch(
        "SELECT match_id, person_id, place, seat, name, username FROM roster WHERE match_id = ? ORDER BY place",
        match_id,
    )
    return [_member(row) for row in rows]


async def add_member(db: Connection, member: Member) -> None:
    """Put somebody on the list."""
    await db.fetch(
        "INSERT INTO roster (match_id, person_id, place, seat, name, username) VALUES (?, ?, ?, ?, ?, ?)",
        member.match_id,
        member.person_id,
        member.place,
        member.seat,
        member.name,
        member.username,
    )


async def remove_member(db: Connection, match_id: int, person_id: int) -> bool:
    """Take somebody off the list. False if he was not on it."""
    rows = await db.fetch(
        "DELETE FROM roster WHERE match_id = ? AND person_id = ? RETURNING place", match_id, person_id
    )
    return bool(rows)


async def give_seat(db: Connection, match_id: int, person_id: int, seat: int) -> None:
    """Somebody on the list gets a seat."""
    await db.fetch(
        "UPDATE roster SET seat = ? WHERE match_id = ? AND person_id = ? RETURNING seat", seat, match_id, person_id
    )


async def add_action(db: Connection, action: StoredAction) -> None:
    """Write one line of a match's record."""
    await db.fetch(
        "INSERT INTO actions (match_id, n, kind, seat, person_id, body, events, at, source) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        action.match_id,
        action.n,
        action.kind,
        action.seat,
        action.person_id,
        action.body,
        action.events,
        to_ms(action.at),
        action.source,
    )


async def actions(db: Connection, match_id: int, first: int = 0) -> list[StoredAction]:
    """A match's record from line `first` on."""
    rows = await db.fetch(f"SELECT {_ACTION} FROM actions WHERE match_id = ? AND n >= ? ORDER BY n", match_id, first)
    return [_action(row) for row in rows]


async def actions_numbered(db: Connection, match_id: int, numbers: Sequence[int]) -> list[StoredAction]:
    """Some lines of a match's record, in order."""
    if not numbers:
        return []
    marks = ", ".join("?" * len(numbers))
    rows = await db.fetch(
        f"SELECT {_ACTION} FROM actions WHERE match_id = ? AND n IN ({marks}) ORDER BY n", match_id, *numbers
    )
    return [_action(row) for row in rows]


async def action_from(db: Connection, source: str) -> StoredAction | None:
    """The action that an update has already led to."""
    rows = await db.fetch(f"SELECT {_ACTION} FROM actions WHERE source = ?", source)
    return _action(rows[0]) if rows else None


async def matches_played(db: Connection, game: str, person_ids: Sequence[int]) -> dict[int, int]:
    """How many matches of a game each of these people has played to the end."""
    if not person_ids:
        return {}
    marks = ", ".join("?" * len(person_ids))
    rows = await db.fetch(
        "SELECT r.person_id, COUNT(*) FROM roster r JOIN matches m ON m.id = r.match_id "
        f"WHERE m.game = ? AND m.phase = 'over' AND r.seat IS NOT NULL AND r.person_id IN ({marks}) "
        "GROUP BY r.person_id",
        game,
        *person_ids,
    )
    return {as_int(row[0]): as_int(row[1]) for row in rows}


async def move_chat(db: Connection, old: int, new: int) -> None:
    """A group became a supergroup: its matches go with it."""
    await db.fetch("UPDATE matches SET chat_id = ? WHERE chat_id = ? RETURNING id", new, old)


_ACTION = "match_id, n, kind, seat, person_id, body, events, at, source"


def _cells(match: Match) -> tuple[int | str | None, ...]:
    return (
        match.game,
        match.chat_id,
        match.thread_id,
        match.opener_id,
        match.phase,
        match.version,
        match.options,
        msgspec.json.encode(match.pace).decode(),
        match.seed,
        msgspec.json.encode(match.lots).decode(),
        match.state,
        match.timer_key,
        to_ms_or_none(match.turn_started_at),
        to_ms_or_none(match.due_at),
        to_ms_or_none(match.remind_at),
        to_ms(match.created_at),
        to_ms_or_none(match.ended_at),
        None if match.pause is None else msgspec.json.encode(match.pause).decode(),
        None if match.pause is None else to_ms(match.pause.until),
    )


def _match(row: Row) -> Match:
    return Match(
        id=as_int(row[0]),
        game=as_text(row[1]),
        chat_id=as_int(row[2]),
        thread_id=as_int_or_none(row[3]),
        opener_id=as_int(row[4]),
        phase=MatchPhase(as_text(row[5])),
        version=as_int(row[6]),
        options=as_text(row[7]),
        pace=msgspec.json.decode(as_text(row[8]), type=Pace),
        seed=as_text(row[9]),
        lots=msgspec.json.decode(as_text(row[10]), type=tuple[SeatInfo, ...]),
        state=as_text_or_none(row[11]),
        timer_key=as_text_or_none(row[12]),
        turn_started_at=from_ms_or_none(row[13]),
        due_at=from_ms_or_none(row[14]),
        remind_at=from_ms_or_none(row[15]),
        created_at=from_ms(row[16]),
        ended_at=from_ms_or_none(row[17]),
        pause=None if row[18] is None else msgspec.json.decode(as_text(row[18]), type=Pause),
    )


def _member(row: Row) -> Member:
    return Member(
        match_id=as_int(row[0]),
        person_id=as_int(row[1]),
        place=as_int(row[2]),
        seat=as_int_or_none(row[3]),
        name=as_text(row[4]),
        username=as_text_or_none(row[5]),
    )


def _action(row: Row) -> StoredAction:
    return StoredAction(
        match_id=as_int(row[0]),
        n=as_int(row[1]),
        kind=ActionKind(as_text(row[2])),
        seat=as_int_or_none(row[3]),
        person_id=as_int_or_none(row[4]),
        body=as_text(row[5]),
        events=as_text(row[6]),
        at=from_ms(row[7]),
        source=as_text_or_none(row[8]),
    )
