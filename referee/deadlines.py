"""Time is up: reminders, deadlines, and what is given back when the bot itself was away.

The database says what is due; however often or late this is woken, each deadline is resolved once.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

import msgspec

from engines.contract import dump
from referee.host import Host, Raced
from referee.planning import Change, What
from referee.work_calendar import WorkCalendar
from storage import matches, people
from storage.database import Connection
from storage.records import ActionKind, Match, MatchPhase

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

    async def sweep(self) -> int:
        """Resolve all that is due; how many things were done. A match that fails never stops the others."""
        done = 0
        failed: set[int] = set()
        while True:
            now = self._host.clock.now()
            async with self._host.db.reading() as db:
                ids = [m for m in await matches.due(db, now, BATCH + len(failed)) if m not in failed]
            progress = 0
            for match_id in ids:
                try:
                    progress += await self._one(match_id, now)
                except Exception:
                    log.exception("deadline of match %s could not be resolved", match_id)
                    failed.add(match_id)
            done += progress
            if not progress:
                return done

    async def next_alarm(self) -> datetime | None:
        """When the sweep should run next."""
        async with self._host.db.reading() as db:
            return await matches.next_alarm(db)

    async def _one(self, match_id: int, now: datetime) -> int:
        """What is due of one match, re-read and claimed in one transaction. 1 if something was done, else 0."""
        try:
            async with self._host.db.transaction() as db:
                match = await matches.get(db, match_id)
                if match is None or match.phase is not MatchPhase.RUNNING or match.state is None:
                    return 0
                if match.due_at is not None and match.due_at + GRACE <= now:
                    change, chats = await self._expire(db, match, match.state)
                elif match.remind_at is not None and match.remind_at <= now:
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
        """At start: the time in which the bot was away is added to every running clock. How long it was away.

        Only the part of a clock that ran during the absence is given back, and only time that counts; a deadline that
        had passed before the absence stays as it was.
        """
        now = self._host.clock.now()
        changes: list[Change] = []
        chats: set[int] = set()
        async with self._host.db.transaction() as db:
            last = await people.last_beat(db)
            await people.beat(db, self._worker, now)
            away = timedelta(0) if last is None else max(now - last, timedelta(0))
            if last is None or away <= SHORT_ABSENCE:
                return away
            for match in await matches.with_deadline(db):
                credited = self._credited(match, last, now)
                if credited is None:
                    continue
                later, credit = credited
                await matches.save(db, later, expected=match.version)
                change = Change(
                    What.CREDIT,
                    later,
                    tuple(await matches.members(db, match.id)),
                    credit_seconds=round(credit.total_seconds()),
                )
                changes.append(change)
                chats |= await self._host.say(db, change)
        self._host.announce(changes, chats)
        return away

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
