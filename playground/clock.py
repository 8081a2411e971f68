"""The playground's clock: real time plus an offset that somebody may move forward."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

POLL_SECONDS = 25.0
ACKNOWLEDGE_SECONDS = 5.0
# A listener whose poll ended without news comes back at once; for so long it is still counted as a listener.
RETURN_SECONDS = 1.0


class WorldClock:
    """Time of the world, in Unix seconds, with a version that grows at every move.

    A program that lives in this time keeps `poll(after=version)` open. `move` answers when every program that was
    listening has polled again with the new version: by then it knows the new time.
    """

    def __init__(self, now: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._base = now
        self._monotonic = monotonic
        self.offset = 0.0
        self.version = 1
        self._moved = asyncio.Event()
        self.listening = 0
        self._returning: list[float] = []
        self._outstanding = 0
        self._acknowledged = asyncio.Event()

    def now(self) -> float:
        """The world's time now."""
        return self._base() + self.offset

    async def poll(self, after: int, timeout: float = POLL_SECONDS) -> None:  # noqa: ASYNC109 - a long poll
        """Wait until the version is above `after`, which is acknowledged; at most `timeout` real seconds."""
        if self._returning:
            self._returning.pop(0)
        if after >= self.version:
            self._one_acknowledged()
            moved = self._moved
            self.listening += 1
            try:
                await asyncio.wait_for(moved.wait(), timeout)
            except TimeoutError:
                self._returning.append(self._monotonic() + RETURN_SECONDS)
            finally:
                self.listening -= 1

    async def move(self, seconds: float, timeout: float = ACKNOWLEDGE_SECONDS) -> None:  # noqa: ASYNC109
        """Move by `seconds` and wait until every listener has acknowledged, at most `timeout` real seconds."""
        now = self._monotonic()
        self._returning = [until for until in self._returning if until > now]
        self.offset += seconds
        self.version += 1
        self._outstanding = self.listening + len(self._returning)
        self._acknowledged = asyncio.Event()
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()
        if self._outstanding:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._acknowledged.wait(), timeout)

    def _one_acknowledged(self) -> None:
        if self._outstanding:
            self._outstanding -= 1
            if not self._outstanding:
                self._acknowledged.set()
