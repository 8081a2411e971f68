"""Telegram's sending limits.

Figures from Telegram's own FAQ for bots: about one message a second in one chat (short bursts tolerated), 20 messages
a minute in one group, about 30 a second overall. Sends and edits share them; answering a button is not limited.
"""

import math
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from playground.wire import ApiError

CHAT_PER_SECOND = 1.0
CHAT_BURST = 5
GROUP_PER_MINUTE = 20
OVERALL_PER_SECOND = 30


@dataclass(slots=True)
class _Window:
    """At most `limit` in any `seconds`; `used` holds the moment of each use, oldest first."""

    limit: int
    seconds: float
    used: deque[float] = field(default_factory=deque)

    def wait(self, now: float, cost: int) -> float:
        """Seconds until `cost` more fit; 0 when they fit now."""
        while self.used and self.used[0] <= now - self.seconds:
            self.used.popleft()
        over = len(self.used) + min(cost, self.limit) - self.limit
        return self.used[over - 1] + self.seconds - now if over > 0 else 0.0

    def use(self, now: float, cost: int) -> None:
        self.used.extend([now] * cost)


@dataclass(slots=True)
class _Bucket:
    """`CHAT_BURST` at once, then `CHAT_PER_SECOND`."""

    tokens: float
    at: float

    def wait(self, now: float) -> float:
        self.tokens = min(CHAT_BURST, self.tokens + (now - self.at) * CHAT_PER_SECOND)
        self.at = now
        return 0.0 if self.tokens >= 1 else (1 - self.tokens) / CHAT_PER_SECOND


class Limits:
    """Counts sends and edits; `monotonic` is real time, never the world's moved clock."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.on = True
        self._monotonic = monotonic
        self._overall = _Window(OVERALL_PER_SECOND, 1.0)
        self._groups: dict[int, _Window] = {}
        self._chats: dict[int, _Bucket] = {}

    def check(self, chat_id: int | None, cost: int = 1) -> None:
        """Count one send or edit (of `cost` messages) in `chat_id` (None: an inline message).

        Raises ApiError 429 with `retry_after` in whole seconds when a limit is passed; a refused one is not counted.
        """
        if not self.on:
            return
        now = self._monotonic()
        waits = [self._overall.wait(now, cost)]
        bucket = group = None
        if chat_id is not None:
            bucket = self._chats.setdefault(chat_id, _Bucket(CHAT_BURST, now))
            waits.append(bucket.wait(now))
            if chat_id < 0:
                group = self._groups.setdefault(chat_id, _Window(GROUP_PER_MINUTE, 60.0))
                waits.append(group.wait(now, cost))
        if (longest := max(waits)) > 0:
            seconds = max(1, math.ceil(longest))
            raise ApiError(429, f"Too Many Requests: retry after {seconds}", {"retry_after": seconds})
        self._overall.use(now, cost)
        if bucket is not None:
            bucket.tokens -= 1
        if group is not None:
            group.use(now, cost)
