"""Time that passes only when a test lets it: for what waits with `sleep` and reads a monotonic clock."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable, Coroutine


class VirtualTime:
    """Seconds since the test began. Use eighths, which floats hold exactly."""

    def __init__(self) -> None:
        self.at = 0.0
        self._asleep: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    def now(self) -> float:
        """A monotonic clock."""
        return self.at

    async def sleep(self, seconds: float) -> None:
        """Sleep in this time."""
        waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._asleep, (self.at + max(seconds, 0.0), next(self._numbers), waking))
        await waking

    @property
    def sleepers(self) -> int:
        """How many are asleep."""
        return sum(not waking.done() for _, _, waking in self._asleep)

    async def pass_until(self, at: float) -> None:
        """Let time pass, waking everybody in order; whoever is awake goes to sleep again before time goes on."""
        await settle()
        while self._asleep and self._asleep[0][0] <= at:
            self.at = max(self.at, self._asleep[0][0])
            while self._asleep and self._asleep[0][0] <= self.at:
                _, _, waking = heapq.heappop(self._asleep)
                if not waking.done():
                    waking.set_result(None)
            await settle()
        self.at = max(self.at, at)

    async def run(self, *work: Coroutine[object, object, None], longest: float = 100_000.0) -> None:
        """Let time pass until all `work` is done. Raises what it raises."""
        tasks = [asyncio.ensure_future(each) for each in work]
        await settle()
        while not all(task.done() for task in tasks):
            assert self._asleep, "nobody is asleep and not all is done"
            assert self._asleep[0][0] <= longest, "it takes too long"
            await self.pass_until(self._asleep[0][0])
        for task in tasks:
            task.result()


async def settle() -> None:
    """Let everybody who is awake do what can be done without waiting."""
    for _ in range(200):
        await asyncio.sleep(0)


async def until(condition: Callable[[], bool]) -> None:
    """Let the loop turn until `condition` holds: for what waits on the database's threads as well."""
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110  # a condition over several parts, none of which has an event
            await asyncio.sleep(0)
