"""The clock that everything reads. Tests and the playground move it; nobody else can."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta


class Clock:
    """The time of day in UTC: the machine's own, moved by an offset.

    Who must know that the time has jumped (the alarm) listens.
    """

    def __init__(self, source: Callable[[], datetime] | None = None) -> None:
        self._source = source or (lambda: datetime.now(UTC))
        self._offset = timedelta(0)
        self._listeners: list[Callable[[], None]] = []

    def now(self) -> datetime:
        """The present instant, aware, in UTC, to the millisecond as it is stored."""
        now = self._source() + self._offset
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    def set_offset(self, offset: timedelta) -> None:
        """Move the clock to `offset` from its source, and tell those who listen."""
        if offset == self._offset:
            return
        self._offset = offset
        for listener in tuple(self._listeners):
            listener()

    def advance(self, by: timedelta) -> None:
        """Move the clock forward (a test's way)."""
        self.set_offset(self._offset + by)

    def on_jump(self, listener: Callable[[], None]) -> None:
        """Call `listener` whenever the clock has been moved."""
        self._listeners.append(listener)


class StoppedClock(Clock):
    """A clock that only moves when told: for tests."""

    def __init__(self, at: datetime) -> None:
        super().__init__(lambda: at)
