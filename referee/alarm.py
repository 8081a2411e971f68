"""The alarm clock: APScheduler wakes the sweep at the next deadline. The database is the truth, this only rings.

One job whatever the number of matches, so that idle matches cost nothing here; and one that rings at intervals, so that
nothing is missed for long if another process or a moved clock changed what is due.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from referee.deadlines import GRACE, HEARTBEAT, SHORT_ABSENCE, Deadlines
from referee.host import Host
from storage import outbox
from storage.database import StorageError

log = logging.getLogger(__name__)

_RING = "ring"


class Alarm:
    """Wakes `Deadlines` when something is due."""

    def __init__(
        self, host: Host, deadlines: Deadlines, machine: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        """`machine` tells the machine's own time, which no test of players' time moves."""
        self._host = host
        self._deadlines = deadlines
        self._machine = machine
        self._alive_at = machine()
        self._set_for: datetime | None = None
        self._sweeping = asyncio.Lock()
        self._ticks: set[asyncio.Task[Any]] = set()
        self._awake = False
        self._stopped = False
        # A late job is run, not dropped (the default drops it after a second), and late ones are run once.
        self._scheduler = AsyncIOScheduler(
            timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1}
        )

    async def start(self) -> None:
        """Give back the time of absence, and keep ringing. Call once, on the running loop.

        What is due already is resolved a little later, see `Deadlines.give_back`.
        """
        self._host.rescheduled = self.consider
        self._host.clock.on_jump(self.ring)
        await self._deadlines.give_back()
        self._awake = True
        self._alive_at = self._machine()
        self._scheduler.add_job(self._tick, "interval", seconds=HEARTBEAT.total_seconds(), id="tick")
        self._scheduler.start()
        self._set(self._host.clock.now())

    async def stop(self) -> None:
        """Ring no more, and let a running sweep end."""
        self._stopped = True
        if self._scheduler.running:
            self._scheduler.pause()
        if self._ticks:
            await asyncio.wait(set(self._ticks))
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)
            await asyncio.sleep(0)  # the scheduler does it in the loop's next round
        if not self._awake:
            return  # a heartbeat now would take away the time that is still to be given back
        try:
            await self._deadlines.beat()
        except StorageError:
            log.exception("the last heartbeat could not be stored")

    def consider(self, at: datetime | None) -> None:
        """A match has a new alarm: ring earlier if it is earlier than what the clock is set for."""
        if at is not None and (self._set_for is None or at < self._set_for):
            self._set(at)

    def ring(self) -> None:
        """Sweep now."""
        if not self._stopped:
            self._remember(asyncio.get_running_loop().create_task(self._tick()))

    def _remember(self, task: asyncio.Task[Any] | None) -> None:
        """Whom `stop` waits for, since the scheduler cancels its running jobs when it is shut down."""
        if task is not None:
            self._ticks.add(task)
            task.add_done_callback(self._ticks.discard)

    async def idle(self) -> None:
        """Wait until every sweep that was rung for has ended (for tests)."""
        while self._ticks:
            await asyncio.wait(set(self._ticks))

    async def _tick(self) -> None:
        if self._stopped:
            return
        self._remember(asyncio.current_task())
        try:
            await self._live()
            await self._sweep()
            await self._remind_outbox()
        except Exception:
            log.exception("the sweep failed; it will be tried again at the next tick")

    async def _live(self) -> None:
        """A heartbeat; if the last one is long ago (the machine slept, the disk was full), an absence has ended."""
        machine = self._machine()
        if machine - self._alive_at > SHORT_ABSENCE:
            await self._deadlines.give_back()
        else:
            await self._deadlines.beat()
        self._alive_at = machine

    async def _sweep(self) -> None:
        async with self._sweeping:
            self._set_for = None
            await self._deadlines.sweep()
            following = await self._deadlines.next_alarm()
        self.consider(following)

    async def _remind_outbox(self) -> None:
        """What is stored is said, even if the wake after its commit was lost (its task was cancelled)."""
        async with self._host.db.reading() as db:
            self._host.woken(set(await outbox.chats_waiting(db)))

    def _set(self, at: datetime) -> None:
        if self._stopped:
            return
        self._set_for = at
        wait = max(at + GRACE - self._host.clock.now(), timedelta(0))
        self._scheduler.add_job(self._tick, "date", run_date=datetime.now(UTC) + wait, id=_RING, replace_existing=True)
