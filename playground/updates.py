"""Updates for the bot: one queue, fetched by long polling or pushed to a webhook."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import dataclass

from playground.wire import Json, conflict

# Everything that the bot gets without asking for it by name.
NOT_BY_DEFAULT = frozenset({"chat_member", "message_reaction", "message_reaction_count"})
KEPT_SECONDS = 24 * 3600
MAX_TIMEOUT = 50.0


@dataclass(frozen=True, slots=True)
class Pending:
    """One update that the bot has not confirmed."""

    id: int
    at: float
    body: Json


class UpdateQueue:
    """Unconfirmed updates, oldest first. `now` is the world's time: updates older than a day are dropped."""

    def __init__(self, now: Callable[[], float], changed: Callable[[], None], numbers_from: int = 0) -> None:
        self.pending: list[Pending] = []
        self.allowed: list[str] | None = None
        self.webhook_set = False
        self._now = now
        self._changed = changed
        self._ids = itertools.count(numbers_from + 100_000_001)
        self._arrived = asyncio.Event()
        self._poll: asyncio.Future[None] | None = None

    @property
    def polled(self) -> bool:
        """Whether a long poll waits now."""
        return self._poll is not None

    def wants(self, kind: str) -> bool:
        """Whether the bot asked for updates of this kind."""
        return kind in self.allowed if self.allowed else kind not in NOT_BY_DEFAULT

    def allow(self, kinds: list[str] | None) -> None:
        """Remember the bot's choice; None keeps the earlier one, an empty list is the default."""
        if kinds is not None:
            self.allowed = kinds or None

    def push(self, kind: str, body: Json) -> int | None:
        """Queue an update of `kind`; None when the bot does not want such."""
        return self.push_raw({kind: body}) if self.wants(kind) else None

    def push_raw(self, update: Json) -> int:
        """Queue an update as it is; gives its id."""
        update_id = next(self._ids)
        self.pending.append(Pending(update_id, self._now(), {"update_id": update_id, **update}))
        self._arrived.set()
        self._changed()
        return update_id

    def confirm(self, offset: int) -> None:
        """Forget every update below `offset`; a negative one keeps only that many of the newest."""
        before = len(self.pending)
        if offset < 0:
            self.pending = self.pending[offset:]
        else:
            self.pending = [update for update in self.pending if update.id >= offset]
        if len(self.pending) != before:
            self._changed()

    def clear(self) -> None:
        """Forget everything."""
        self.pending.clear()
        self._changed()

    def fresh(self) -> list[Pending]:
        """What is to be delivered now."""
        oldest = self._now() - KEPT_SECONDS
        if self.pending and self.pending[0].at < oldest:
            self.pending = [update for update in self.pending if update.at >= oldest]
            self._changed()
        return self.pending

    async def arrival(self) -> None:
        """Wait until something is pending."""
        while not self.fresh():
            self._arrived.clear()
            await self._arrived.wait()

    async def fetch(self, offset: int, limit: int, seconds: float) -> list[Json]:
        """getUpdates: confirm below `offset`, then up to `limit` updates, waiting up to `seconds` for the first.

        Raises ApiError 409 when a webhook is set, or when another call of the same takes over.
        """
        if self.webhook_set:
            raise conflict(
                "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
            )
        if offset:
            self.confirm(offset)
        self.interrupt("terminated by other getUpdates request; make sure that only one bot instance is running")
        if not self.fresh() and seconds > 0:
            taken_over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._poll = taken_over
            arrival = asyncio.ensure_future(self.arrival())
            try:
                await asyncio.wait(
                    {arrival, taken_over}, timeout=min(seconds, MAX_TIMEOUT), return_when=asyncio.FIRST_COMPLETED
                )
                if taken_over.done():
                    taken_over.result()
            finally:
                arrival.cancel()
                if self._poll is taken_over:
                    self._poll = None
        return [update.body for update in self.fresh()[:limit]]

    def interrupt(self, why: str) -> None:
        """End a long poll that waits now with 409."""
        if self._poll is not None and not self._poll.done():
            self._poll.set_exception(conflict(why))
