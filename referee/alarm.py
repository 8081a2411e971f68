"""The alarm clock: APScheduler wakes the sweep at the next deadline. The database is the truth, this only rings.

One job whatever the number of matches, so that idle matches cost nothing here; and one that rings at intervals, so that
nothing is missed for long if another process or a moved clock changed what is due.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from referee.deadlines import GRACE, HEARTBEAT, Deadlines
from referee.host import Host

log = logging.getLogger(__name__)

_RING = "ring"


class Alarm:
    """Wakes `Deadlines` when something is due."""

    def __init__(self, host: Host, deadlines: Deadlines) -> None:
        self._host = host
        self._deadlines = deadlines
        self._set_for: datetime | None = None
        self._sweeping = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        # A late job is run, not dropped (the default drops it after a second), and late ones are run once.
        self._scheduler = AsyncIOScheduler(
            timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        )

    async def start(self) -> None:
        """Give back the time of absence, resolve what is due, and keep ringing. Call once, on the running loop."""
        self._host.rescheduled = self.consider
        self._host.clock.on_jump(self.ring)
        await self._deadlines.give_back()
        self._scheduler.add_job(self._tick, "interval", seconds=HEARTBEAT.total_seconds(), id="tick")
        self._scheduler.start()
        await self._sweep()

    async def stop(self) -> None:
        """Ring no more, and let a running sweep end."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)
        async with self._sweeping:
            await self._deadlines.beat()

    def consider(self, at: datetime | None) -> None:
        """A match has a new alarm: ring earlier if it is earlier than what the clock is set for."""
        if at is not None and (self._set_for is None or at < self._set_for):
            self._set(at)

    def ring(self) -> None:
        """Sweep now."""
        task = asyncio.get_running_loop().create_task(self._tick())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tick(self) -> None:
        try:
            await self._deadlines.beat()
            await self._sweep()
        except Exception:
            log.exception("the sweep failed; it will be tried again at the next tick")

    async def _sweep(self) -> None:
        async with self._sweeping:
            self._set_for = None
            await self._deadlines.sweep()
            following = await self._deadlines.next_alarm()
        if following is not None:
            self.consider(following)

    def _set(self, at: datetime) -> None:
        self._set_for = at
        wait = max(at + GRACE - self._host.clock.now(), timedelta(0))
        self._scheduler.add_job(self._tick, "date", run_date=datetime.now(UTC) + wait, id=_RING, replace_existing=True)
