"""Time is up: reminders, deadlines, and what is given back when the bot itself was away.

The database says what is due; however often or late this is woken, each deadline is resolved once.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from engines.contract import dump
from referee.decisions import end_pause
from referee.host import Host, Raced
from referee.planning import Change, What
from referee.work_calendar import WorkCalendar
from storage import matches, people
from storage.database import EPOCH, Connection
from storage.records import ActionKind, Match, MatchPhase, Post

log = logging.getLogger(__name__)

GRACE = timedelta(seconds=3)
"""How long after a deadline the sweep waits for moves that were made in time and are still on their way."""
BATCH = 100
HEARTBEAT = timedelta(seconds=30)
SHORT_ABSENCE = timedelta(seconds=90)
"""An absence up to this (a restart, a missed heartbeat) gives nothing back."""


class Deadlines:
    """The sweep over everything that is due."""

    def __init__(self, host: Host, worker: str = "main") -> None:
        self._host = host
        self._worker = worker
        self._looked_at: datetime | None = None
        """The instant of the last look at what is due."""
        self._back_at: datetime | None = None
        """When the last absence ended."""

    async def sweep(self) -> int:
        """Resolve all that is due; how many things were done. A match that fails never stops the others."""
        if self._catching_up():
            return 0
        done = 0
        failed: set[int] = set()
        while True:
            now = self._looked_at = self._host.clock.now()
            async with self._host.db.reading() as db:
                due = await matches.due(db, deadline=now - GRACE, reminder=now, limit=BATCH + len(failed))
                ids = [match_id for match_id in due if match_id not in failed]
            progress = 0
            for match_id in ids:
                try:
                    progress += await self._one(match_id, now)
                except Exception:
                    log.exception("deadline of match %s could not be resolved", match_id)
                    failed.add(match_id)
            done += progress
            if not progress and failed.isdisjoint(ids):
                return done

    def _catching_up(self) -> bool:
        return self._back_at is not None and self._back_at <= self._host.clock.now() < self._back_at + GRACE

    async def next_alarm(self) -> datetime | None:
        """What the sweep should run for next (a deadline GRACE after it).

        What a sweep has left undone (a match that fails) is no reason to ring at once: it waits for the next tick.
        """
        if self._back_at is not None and self._catching_up():
            return self._back_at
        looked = self._looked_at
        async with self._host.db.reading() as db:
            due = await matches.next_due(db, EPOCH if looked is None else looked - GRACE)
            reminder = await matches.next_reminder(db, EPOCH if looked is None else looked)
            pause = await matches.next_pause_end(db, EPOCH if looked is None else looked)
        return min((at for at in (due, reminder, pause) if at is not None), default=None)

    async def _one(self, match_id: int, now: datetime) -> int:
        """What is due of one match, re-read and claimed in one transaction. 1 if something was done, else 0."""
        try:
            async with self._host.db.transaction() as db:
                match = await matches.get(db, match_id)
                if match is None or match.phase is not MatchPhase.RUNNING or match.state is None:
                    return 0
                if match.pause is not None and match.pause.until <= now:
                    change, chats = await end_pause(self._host, db, match, now)
                elif match.due_at is None:
                    return 0
                elif match.due_at + GRACE <= now:
                    change, chats = await self._expire(db, match, match.state)
                elif match.remind_at is not None and match.remind_at <= now < match.due_at:
                    change, chats = await self._remind(db, match, match.state)
                else:
                    return 0
        except Raced:
            return 0
        self._host.announce([change], chats)
        return 1

    async def _expire(self, db: Connection, match: Match, stored: str) -> tuple[Change, set[int]]:
        engine = self._host.engine(match)
        state, events = engine.expire(engine.read_state(stored))
        return await self._host.record(
            db,
            # The clock that ran out must not run on, even if the engine should keep its key.
            msgspec.structs.replace(match, timer_key=None),
            tuple(await matches.members(db, match.id)),
            state,
            events,
            what=What.EXPIRED,
            kind=ActionKind.EXPIRE,
            body=dump({"due": match.due_at, "started": match.turn_started_at}),
            at=self._host.clock.now(),
        )

    async def _remind(self, db: Connection, match: Match, stored: str) -> tuple[Change, set[int]]:
        """Once per deadline, in its second half, to those who have not moved."""
        reminded = msgspec.structs.replace(match, remind_at=None)
        if not await matches.save(db, reminded, expected=match.version):
            raise Raced
        engine = self._host.engine(match)
        change = Change(
            What.REMINDER,
            reminded,
            tuple(await matches.members(db, match.id)),
            seats=engine.actors(engine.read_state(stored)),
        )
        return change, await self._host.say(db, change)

    async def beat(self) -> None:
        """The bot is alive."""
        async with self._host.db.transaction() as db:
            await people.beat(db, self._worker, self._host.clock.now())

    async def give_back(self) -> timedelta:
        """After an absence: the time in which the bot was away is added to every running clock. How long it was away.

        Only the part of a clock that ran during the absence is given back, and only time that counts; a deadline that
        had passed before the absence stays as it was. A match that fails never stops the others.

        However short the absence was: for GRACE from now on the sweep resolves nothing, since moves that were made in
        time are still on their way from Telegram.
        """
        now = self._back_at = self._host.clock.now()
        changes: list[Change] = []
        chats: set[int] = set()
        async with self._host.db.transaction() as db:
            last = await people.last_beat(db)
            await people.beat(db, self._worker, now)
            away = timedelta(0) if last is None else max(now - last, timedelta(0))
            if last is None or away <= SHORT_ABSENCE:
                return away
            for match in await matches.with_deadline(db):
                try:
                    credited = self._credited(match, last, now)
                except Exception:
                    log.exception("match %s: the bot's absence could not be given back", match.id)
                    continue
                if credited is None:
                    continue
                later, credit = credited
                if not await matches.save(db, later, expected=match.version):
                    continue
                change = Change(
                    What.CREDIT,
                    later,
                    tuple(await matches.members(db, match.id)),
                    credit_seconds=round(credit.total_seconds()),
                )
                changes.append(change)
                chats |= await self._host.post(db, self._planned(change))
        self._host.announce(changes, chats)
        return away

    def _planned(self, change: Change) -> Sequence[Post]:
        try:
            return self._host.planner.plan(change)
        except Exception:
            log.exception("match %s: nothing can be said about the time given back", change.match.id)
            return ()

    @staticmethod
    def _credited(match: Match, last: datetime, now: datetime) -> tuple[Match, timedelta] | None:
        if match.due_at is None or match.due_at < last:
            return None
        calendar = WorkCalendar.of(match.pace)
        since = last if match.turn_started_at is None else max(last, match.turn_started_at)
        credit = calendar.counted(since, now)
        if credit <= timedelta(0):
            return None
        remind = match.remind_at
        if remind is not None and remind >= last:
            remind = calendar.add(remind, credit)
        later = msgspec.structs.replace(match, due_at=calendar.add(match.due_at, credit), remind_at=remind)
        return later, credit
