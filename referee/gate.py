"""Telegram's limits: a message a second in a chat, 20 a minute in a group, 30 a second in all (edits count).

Each chat waits for itself: one that is held back never delays another.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Limits:
    """How much may be sent. Seconds and counts."""

    chat_interval: float = 1.0
    group_count: int = 20
    group_window: float = 60.0
    overall_count: int = 30
    overall_window: float = 1.0

    @classmethod
    def none(cls) -> Limits:
        """No limit at all (for tests and for a Bot API server that has none)."""
        return cls(chat_interval=0.0, group_count=1_000_000, overall_count=1_000_000)


@dataclass
class _Chat:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    held_until: float = 0.0
    sent: deque[float] = field(default_factory=deque)
    waiting: int = 0
    reserved: float | None = None
    """When a place was taken for a request that is still being made."""


class Gate:
    """Lets one request through when it may go. Times are seconds of a monotonic clock."""

    def __init__(
        self,
        limits: Limits | None = None,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._limits = limits or Limits()
        self._now = now
        self._sleep = sleep
        self._chats: dict[int, _Chat] = {}
        self._overall: deque[float] = deque()
        self._line = asyncio.Lock()

    async def open_for(self, chat_id: int) -> None:
        """Wait until a request to this chat would be let through at once (without using the place up)."""
        while (wait := self._wait(chat_id)) > 0:
            await self._sleep(wait)

    async def enter(self, chat_id: int) -> None:
        """Wait for a place and take it. Requests to one chat go through in the order in which they asked."""
        chat = self._chats.setdefault(chat_id, _Chat())
        if chat.reserved is not None:
            chat.reserved = None
            return
        chat.waiting += 1
        try:
            async with chat.lock:
                await self._take_turn(chat_id)
                now = self._now()
                chat.sent.append(now)
                self._overall.append(now)
        finally:
            chat.waiting -= 1
        self._forget_idle()

    async def _take_turn(self, chat_id: int) -> None:
        """Wait for this chat, then stand in the one line in which all chats wait for the limit over all of them."""
        while True:
            while (wait := self._own_wait(chat_id)) > 0:
                await self._sleep(wait)
            async with self._line:
                if self._own_wait(chat_id) > 0:
                    continue  # held in the meantime: the others go on
                while (wait := self._overall_wait()) > 0:
                    await self._sleep(wait)
                return

    async def reserve(self, chat_id: int) -> None:
        """Wait for a place and keep it for the next request to this chat, which then enters at once.

        So that a picture is drawn when it may be sent, and shows what is true then.
        """
        await self.enter(chat_id)
        chat = self._chats.setdefault(chat_id, _Chat())
        chat.reserved = self._now() if not chat.sent else chat.sent[-1]

    def release(self, chat_id: int) -> None:
        """Give a reserved place back if no request has used it."""
        chat = self._chats.get(chat_id)
        if chat is None or chat.reserved is None:
            return
        for places in (chat.sent, self._overall):
            if chat.reserved in places:
                places.remove(chat.reserved)
        chat.reserved = None

    def hold(self, chat_id: int, seconds: float) -> None:
        """Telegram said "retry after": nothing goes to this chat before that."""
        chat = self._chats.setdefault(chat_id, _Chat())
        chat.held_until = max(chat.held_until, self._now() + seconds)

    def _wait(self, chat_id: int) -> float:
        return max(self._own_wait(chat_id), self._overall_wait())

    def _overall_wait(self) -> float:
        limits, now = self._limits, self._now()
        while self._overall and self._overall[0] <= now - limits.overall_window:
            self._overall.popleft()
        if len(self._overall) < limits.overall_count:
            return 0.0
        return self._overall[-limits.overall_count] + limits.overall_window - now

    def _own_wait(self, chat_id: int) -> float:
        limits, now = self._limits, self._now()
        chat = self._chats.get(chat_id)
        if chat is None:
            return 0.0
        while chat.sent and chat.sent[0] <= now - limits.group_window:
            chat.sent.popleft()
        waits = [0.0, chat.held_until - now]
        if chat.sent:
            waits.append(chat.sent[-1] + limits.chat_interval - now)
        if chat_id < 0 and len(chat.sent) >= limits.group_count:
            waits.append(chat.sent[-limits.group_count] + limits.group_window - now)
        return max(waits)

    def _forget_idle(self) -> None:
        """Keep no memory of chats that are silent (a look at a few each time)."""
        if len(self._chats) < 256:
            return
        now = self._now()
        for chat_id in list(self._chats)[:64]:
            chat = self._chats[chat_id]
            idle = not chat.sent or chat.sent[-1] <= now - self._limits.group_window
            if idle and not chat.waiting and chat.reserved is None and chat.held_until <= now:
                del self._chats[chat_id]
            else:
                self._chats[chat_id] = self._chats.pop(chat_id)
