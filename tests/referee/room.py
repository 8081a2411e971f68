"""A host with the toy game, a stopped clock and a planner whose posts can be read: what tests of the referee share."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engines.contract import dump
from referee.authority import Authority
from referee.clock import Clock, StoppedClock
from referee.deadlines import Deadlines
from referee.host import Host
from referee.lobby import Lobby
from referee.planning import Change, What
from referee.play import Acted, Actor, Play
from storage import matches, outbox
from storage.database import Database
from storage.records import ActionKind, Match, MatchPhase, Member, Pace, Person, Post, StoredAction, undone
from storage.sqlite import SqliteDatabase
from tests.toy import Count, ToyEngine, ToyOptions, ToyState

TUESDAY = datetime(2026, 11, 24, 9, tzinfo=UTC)
CHAT = -100
DAILY = Pace(seconds=18 * 3600, country=None, zone="UTC")
"""Every day counts, so that hours are hours."""
ENGINE = ToyEngine()


@dataclass
class RecordingPlanner:
    """Two posts for every change, a board and a piece of news; every change is noted."""

    changes: list[Change] = field(default_factory=list)
    fails: Callable[[Change], bool] = field(default=lambda change: False)

    def plan(self, change: Change) -> Sequence[Post]:
        if self.fails(change):
            raise RuntimeError("the planner is at fault")
        self.changes.append(change)
        match = change.match
        return [
            Post(match.chat_id, "board", match_id=match.id, merge_key=f"{match.id}:board"),
            Post(match.chat_id, "news", dump({"what": change.what, "n": change.n}), match_id=match.id),
        ]

    def told(self, *what: What) -> list[Change]:
        """The changes of these kinds."""
        return [change for change in self.changes if change.what in what]


@dataclass
class Room:
    """One worker, and what it needs."""

    host: Host
    planner: RecordingPlanner
    clock: Clock

    def __post_init__(self) -> None:
        self.lobby = Lobby(self.host)
        self.play = Play(self.host)
        self.authority = Authority(self.host)
        self.deadlines = Deadlines(self.host)
        self._sources = itertools.count()

    @classmethod
    async def open(cls, folder: Path, clock: Clock | None = None) -> Room:
        """A worker of the bot whose file is in `folder`."""
        planner = RecordingPlanner()
        clock = clock or StoppedClock(TUESDAY)
        db: Database = await SqliteDatabase.open(folder / "bot.db")
        return cls(Host(db, {"toy": ENGINE}, planner, clock), planner, clock)

    async def close(self) -> None:
        await self.host.db.close()

    async def in_lobby(self, people: int = 2, pace: Pace = DAILY, chat_id: int = CHAT, **options: float) -> Match:
        """A lobby with persons 1, 2, … on its list; 1 has opened it."""
        match = await self.lobby.open("toy", chat_id=chat_id, thread_id=None, opener=person(1), pace=pace)
        for number in range(2, people + 1):
            await self.lobby.join(match.id, person(number))
        return await self.lobby.choose(match.id, Actor(1), options=ToyOptions(**options), quiet=True)  # type: ignore[arg-type]

    async def running(self, people: int = 2, pace: Pace = DAILY, chat_id: int = CHAT, **options: float) -> Match:
        """A match that has just begun, persons 1, 2, … on seats 0, 1, …"""
        match = await self.in_lobby(people, pace, chat_id, **options)
        return await self.lobby.start(match.id, Actor(1), at=self.clock.now())

    async def count(
        self,
        match: Match,
        who: int,
        by: int = 1,
        *,
        source: str | None = None,
        at: datetime | None = None,
        stamp: str | None = None,
    ) -> Acted:
        """Person `who` counts."""
        return await self.play.act(
            match.id,
            Actor(who),
            Count(by),
            at=at or self.clock.now(),
            source=source or f"u{id(self)}-{next(self._sources)}",
            stamp=stamp,
        )

    async def stored(self, match: Match) -> Match:
        """The match as it is stored now."""
        async with self.host.db.reading() as db:
            found = await matches.get(db, match.id)
        assert found is not None
        return found

    async def state(self, match: Match) -> ToyState:
        """Its state."""
        found = await self.stored(match)
        assert found.state is not None
        return ENGINE.read_state(found.state)

    async def record(self, match: Match) -> list[StoredAction]:
        """Its record."""
        async with self.host.db.reading() as db:
            return await matches.actions(db, match.id)

    async def members(self, match: Match) -> list[Member]:
        """Its list."""
        async with self.host.db.reading() as db:
            return await matches.members(db, match.id)

    async def posts(self, chat_id: int = CHAT) -> list[Post]:
        """What waits to be said in a chat."""
        async with self.host.db.reading() as db:
            return [pending.post for pending in await outbox.head(db, chat_id, 1000)]

    async def everything(self) -> list[tuple[object, ...]]:
        """All rows of all tables that an action can touch."""
        async with self.host.db.reading() as db:
            return [
                (table, *row)
                for table in ("matches", "roster", "actions", "outbox", "messages", "chats", "activity")
                for row in await db.fetch(f"SELECT * FROM {table} ORDER BY 1, 2")  # noqa: S608  # our own names
            ]

    async def check_replay(self, match: Match) -> None:
        """The stored actions, done again, must give the stored state and events, bit for bit."""
        found, record = await self.stored(match), await self.record(match)
        assert [action.n for action in record] == list(range(1, found.version + 1))
        state: ToyState | None = None
        gone = undone(record)
        for action in record:
            if action.n in gone:
                continue
            match action.kind:
                case ActionKind.NEW:
                    state, events = ENGINE.new(found.lots, ENGINE.read_options(found.options), found.seed)
                case ActionKind.ACT:
                    assert state is not None
                    state, events = ENGINE.apply(state, action.seat, ENGINE.read_action(action.body))
                case ActionKind.EXPIRE:
                    assert state is not None
                    state, events = ENGINE.expire(state)
                case ActionKind.HOST | ActionKind.UNDO:
                    events = ()
            assert dump(events) == action.events
        assert (None if state is None else dump(state)) == found.state
        assert (found.phase is MatchPhase.OVER) == (state is not None and ENGINE.outcome(state) is not None)


def person(number: int) -> Person:
    """Somebody."""
    return Person(number, f"P{number}", f"p{number}")


def hours(count: float) -> timedelta:
    """So many hours."""
    return timedelta(hours=count)
