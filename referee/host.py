"""What lobby, play and deadlines share: the parts of the house, and the one way in which a match changes."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import msgspec

from engines.contract import SPECTATOR, Engine, Seat, dump
from referee.clock import Clock
from referee.planning import Change, Planner, What
from referee.refusals import Refusal, Refused
from referee.work_calendar import WorkCalendar
from storage import matches, outbox
from storage.database import Connection, Database, StorageError
from storage.records import ActionKind, Match, MatchPhase, Member, Post, StoredAction

AnyEngine = Engine[Any, Any, Any, Any, Any]
"""An engine whose types the host does not know: it only hands values from one of its methods to another."""

REMIND_AFTER = 2 / 3
"""The share of the time after which who has not moved is reminded, once."""


class Raced(StorageError):
    """Another worker changed the match in the meantime; nothing was kept, try again."""


@dataclass
class Host:
    """The parts that the rooms of the referee work with."""

    db: Database
    games: Mapping[str, AnyEngine]
    planner: Planner
    clock: Clock
    woken: Callable[[set[int]], None] = field(default=lambda chats: None)
    """Called after a commit with the chats that something is to be said in."""
    rescheduled: Callable[[datetime | None], None] = field(default=lambda at: None)
    """Called after a commit with a match's new alarm."""
    new_seed: Callable[[], str] = field(default=lambda: secrets.token_hex(32))

    def engine(self, match: Match) -> AnyEngine:
        """The rules of a match. Raises Refused if this bot does not know its game."""
        engine = self.games.get(match.game)
        if engine is None:
            raise Refused(Refusal.NO_MATCH)
        return engine

    async def match(self, db: Connection, match_id: int) -> Match:
        """A match that must exist."""
        match = await matches.get(db, match_id)
        if match is None:
            raise Refused(Refusal.NO_MATCH)
        return match

    def alarm_of(self, match: Match) -> datetime | None:
        """The next instant at which something has to be done for a match."""
        pause_ends = None if match.pause is None else match.pause.until
        return min((at for at in (match.due_at, match.remind_at, pause_ends) if at is not None), default=None)

    def announce(self, changes: list[Change], posts_to: set[int]) -> None:
        """After the commit: wake who has to send and who has to wait."""
        if posts_to:
            self.woken(posts_to)
        for change in changes:
            self.rescheduled(self.alarm_of(change.match))

    async def say(self, db: Connection, change: Change) -> set[int]:
        """Store what is to be said about a change; the chats it goes to."""
        return await self.post(db, self.planner.plan(change))

    async def post(self, db: Connection, posts: Sequence[Post]) -> set[int]:
        """Store what is to be said; the chats it goes to."""
        await outbox.add(db, posts, self.clock.now())
        return {post.chat_id for post in posts}

    def with_clock(self, match: Match, state: object, now: datetime) -> Match:
        """The match with `state` and the clock that this state wants: a new timer key starts a fresh one.

        In a pause a fresh clock waits, whole, for the pause's end.
        """
        engine = self.engine(match)
        match = msgspec.structs.replace(match, state=dump(state))
        timer = None if engine.outcome(state) is not None else engine.timer(state)
        if timer is None:
            return msgspec.structs.replace(
                match, timer_key=None, turn_started_at=None, due_at=None, remind_at=None, pause=None
            )
        if timer.key == match.timer_key:
            return match
        due = remind = None
        pause = match.pause
        if match.pace.seconds is not None:
            allowance = match.pace.seconds * 1000 * timer.share
            if pause is not None:
                pause = msgspec.structs.replace(
                    pause, left_ms=round(allowance), remind_ms=round(allowance * REMIND_AFTER)
                )
                return msgspec.structs.replace(match, timer_key=timer.key, turn_started_at=now, pause=pause)
            calendar = WorkCalendar.of(match.pace)
            due = calendar.add(now, timedelta(milliseconds=round(allowance)))
            remind = calendar.add(now, timedelta(milliseconds=round(allowance * REMIND_AFTER)))
        return msgspec.structs.replace(match, timer_key=timer.key, turn_started_at=now, due_at=due, remind_at=remind)

    async def record(
        self,
        db: Connection,
        before: Match,
        members: tuple[Member, ...],
        state: object,
        events: tuple[object, ...],
        *,
        what: What,
        kind: ActionKind,
        body: str,
        at: datetime,
        seat: Seat | None = None,
        person_id: int | None = None,
        source: str | None = None,
        fresh: bool = False,
    ) -> tuple[Change, set[int]]:
        """The one way in which a running match changes: action, state, clock and posts together.

        Raises Raced if the stored version is not `before`'s.
        """
        now = self.clock.now()
        after = self.with_clock(before, state, now)
        after = msgspec.structs.replace(after, version=before.version + 1)
        if self.engine(after).outcome(state) is not None:
            after = msgspec.structs.replace(after, phase=MatchPhase.OVER, ended_at=now)
        if not await matches.save(db, after, expected=before.version):
            raise Raced
        action = StoredAction(
            match_id=after.id,
            n=after.version,
            kind=kind,
            seat=seat,
            person_id=person_id,
            body=body,
            events=dump(events),
            at=at,
            source=source,
        )
        await matches.add_action(db, action)
        engine = self.engine(after)
        change = Change(
            what,
            after,
            members,
            n=action.n,
            events=events,
            seat=seat,
            person_id=person_id,
            source=source,
            actors=engine.actors(state),
            public=partial(engine.view, state, SPECTATOR),
            fresh=fresh,
        )
        return change, await self.say(db, change)
