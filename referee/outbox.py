"""What was stored to be said is said: per chat in order, within the limits, again after a failure or a restart.

Words and pictures are made by the carrier (in `handlers/`) when they are sent; here is only when and in which order.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import msgspec

from referee.gate import Gate
from referee.host import Host
from referee.planning import Change, What
from storage import matches, people
from storage import outbox as store
from storage.database import Connection, StorageError
from storage.records import MatchPhase, PendingPost, Post, SentMessage

log = logging.getLogger(__name__)

RUN = 20
"""How many posts of a chat are looked at together."""
BACKOFF = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds to wait after the first, second … failure in a row; the last for ever."""


class TryLater(Exception):
    """Telegram asks to wait `seconds` in this chat."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"retry after {seconds} s")
        self.seconds = seconds


class Passing(Exception):
    """A fault that passes: the network, a server error. Whether the message arrived is unknown."""


class Undeliverable(Exception):
    """This can never be said here; `instead` is to be said elsewhere (that the person must open the bot)."""

    def __init__(self, reason: str, instead: Sequence[Post] = (), unreachable: int | None = None) -> None:
        super().__init__(reason)
        self.instead = tuple(instead)
        self.unreachable = unreachable
        """A person who has blocked the bot or never started it."""


class Moved(Exception):
    """The group has become a supergroup."""

    def __init__(self, chat_id: int) -> None:
        super().__init__(f"moved to {chat_id}")
        self.chat_id = chat_id


@dataclass(frozen=True)
class Delivery:
    """What was said, and which messages show which slots now (None: a slot shows nothing any more)."""

    slots: tuple[SentMessage, ...] = ()
    topic: SentMessage | None = None
    """The slot of a topic that was made for its match: what is still to be said of it in this chat is said there."""


class Carrier(Protocol):
    """Says posts."""

    def together(self, posts: Sequence[PendingPost]) -> int:
        """How many of the first posts can be said as one (at least 1)."""
        ...

    async def deliver(self, posts: Sequence[PendingPost]) -> Delivery:
        """Say these as one. Raises TryLater, Passing, Undeliverable or Moved."""
        ...


class Outbox:
    """The dispatcher. `wake` it with chats that something is to be said in."""

    def __init__(
        self,
        host: Host,
        carrier: Carrier,
        gate: Gate,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._host = host
        self._carrier = carrier
        self._gate = gate
        self._sleep = sleep
        self._serving: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._stopped = False

    async def start(self) -> None:
        """Say what an earlier process has left unsaid, and be ready for more."""
        self._host.woken = self.wake
        async with self._host.db.reading() as db:
            self.wake(set(await store.chats_waiting(db)))

    async def stop(self, patience: float = 5.0) -> None:
        """Let running deliveries end (at most `patience` seconds); what is unsaid stays stored."""
        self._stopped = True
        tasks = set(self._serving.values())
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=patience)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def idle(self) -> None:
        """Wait until there is nothing left to say (for tests)."""
        while self._serving:
            await asyncio.wait(set(self._serving.values()))

    def wake(self, chats: set[int]) -> None:
        """Something is to be said in these chats."""
        for chat_id in chats:
            if self._stopped:
                return
            if chat_id in self._serving:
                self._again.add(chat_id)
            else:
                self._serving[chat_id] = asyncio.get_running_loop().create_task(self._serve(chat_id))

    async def _serve(self, chat_id: int) -> None:
        failures = 0
        try:
            while not self._stopped:
                self._again.discard(chat_id)
                await self._gate.reserve(chat_id)
                try:
                    posts = await self._host.db.look(partial(store.head, chat_id=chat_id, limit=RUN))
                    if posts:
                        await self._say(chat_id, posts[: self._together(posts)])
                        failures = 0
                    elif chat_id not in self._again:
                        return
                except TryLater as later:
                    self._gate.hold(chat_id, later.seconds)
                except (Passing, StorageError) as fault:
                    await self._back_off(chat_id, fault, failures)
                    failures += 1
                finally:
                    self._gate.release(chat_id)
        except Exception:
            log.exception("the outbox of chat %s failed", chat_id)
        finally:
            del self._serving[chat_id]
            if chat_id in self._again and not self._stopped:
                self.wake({chat_id})

    async def _say(self, chat_id: int, batch: Sequence[PendingPost]) -> None:
        ids = [pending.id for pending in batch]
        delivery = Delivery()
        instead: tuple[Post, ...] = ()
        unreachable: int | None = None
        try:
            delivery = await self._carrier.deliver(batch)
        except Moved as moved:
            if moved.chat_id == chat_id:
                raise Passing("moved to where it is") from moved
            await move_chat(self._host, chat_id, moved.chat_id)
            return
        except Undeliverable as never:
            log.warning("chat %s: dropped %s posts: %s", chat_id, len(batch), never)
            instead, unreachable = never.instead, never.unreachable
        except (TryLater, Passing, StorageError):
            raise
        except Exception:
            # A fault of ours in making the words or the picture: it would fail for ever and block the chat.
            log.exception("chat %s: %s posts could not be made", chat_id, len(batch))
            if len(batch) > 1:  # one of them is at fault: the others are said
                for pending in batch:
                    await self._say(chat_id, [pending])
                return
        await self._keep(chat_id, ids, delivery, instead, unreachable)
        if instead:
            self.wake({post.chat_id for post in instead})

    async def _keep(
        self,
        chat_id: int,
        ids: Sequence[int],
        delivery: Delivery,
        instead: Sequence[Post],
        unreachable: int | None,
    ) -> None:
        """Store what came of a delivery. While the database is busy or full only this is retried, not the delivery."""

        async def keep(db: Connection) -> None:
            await store.done(db, ids)
            for sent in delivery.slots:
                await store.set_message(db, sent)
            if delivery.topic is not None:
                await _enter_topic(db, delivery.topic)
            if unreachable is not None:
                await people.set_reachable(db, unreachable, False)
            await store.add(db, instead, self._host.clock.now())

        failures = 0
        while True:
            try:
                await self._host.db.transact(keep)
                return
            except StorageError as fault:
                await self._back_off(chat_id, fault, failures)
                failures += 1

    async def _back_off(self, chat_id: int, fault: Exception, failures: int) -> None:
        log.warning("chat %s: %s; trying again", chat_id, fault)
        await self._sleep(BACKOFF[min(failures, len(BACKOFF) - 1)])

    def _together(self, posts: Sequence[PendingPost]) -> int:
        try:
            return max(1, self._carrier.together(posts))
        except Exception:
            log.exception("post %s: saying the first alone", posts[0].id)
            return 1


async def _enter_topic(db: Connection, topic: SentMessage) -> None:
    """A match goes on in its own topic, together with all that waits."""
    await store.set_message(db, topic)
    await matches.set_thread(db, topic.match_id, topic.message_id)
    await store.set_thread(db, topic.match_id, topic.chat_id, topic.message_id)


async def move_chat(host: Host, old: int, new: int) -> None:
    """A group became a supergroup: everything of it goes with it. Doing it twice is doing it once."""
    if old == new:
        return
    async with host.db.transaction() as db:
        going = await matches.in_chat(db, old, MatchPhase.LOBBY, MatchPhase.RUNNING)
        await people.move_chat(db, old, new)
        await matches.move_chat(db, old, new)
        await store.move_chat(db, old, new)
        for match in going:
            members = tuple(await matches.members(db, match.id))
            try:
                await host.say(db, Change(What.MOVED, msgspec.structs.replace(match, chat_id=new), members))
            except StorageError:
                raise
            except Exception:  # the others move all the same
                log.exception("match %s: cannot be shown anew", match.id)
    host.woken({new})
