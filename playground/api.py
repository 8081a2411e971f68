"""The core: `Api.call(method, params, files)` is the whole Bot API; HTTP and the transport are skins on it."""

import asyncio
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from playground.clock import WorldClock
from playground.faults import Faults
from playground.hub import Hub
from playground.limits import Limits
from playground.media import Files
from playground.privacy import bot_administers, reaches_bot
from playground.queries import Queries
from playground.show import message_json
from playground.updates import UpdateQueue
from playground.wire import Answer, ApiError, Json, Params, Upload, bad_request, forbidden
from playground.world import Chat, ChatType, Message, Status, World

_log = logging.getLogger(__name__)
KEPT_CALLS = 10_000
QUIET_SECONDS = 0.15
_TOKEN = re.compile(r"(\d{1,16}):[A-Za-z0-9_-]{3,}")

Method = Callable[["Api", Params], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Registered:
    """A method by its proper name; `cost` tells how many messages a call counts in the sending limits."""

    name: str
    run: Method
    cost: Callable[[Params], int] | None


METHODS: dict[str, Registered] = {}


def method(name: str, *, cost: Callable[[Params], int] | int | None = None) -> Callable[[Method], Method]:
    """Register a method of the Bot API. A plain `cost` is the same for every call; None is not limited."""

    def register(run: Method) -> Method:
        counted = (lambda _: cost) if isinstance(cost, int) else cost
        METHODS[name.lower()] = Registered(name, run, counted)
        return run

    return register


class Api:
    """One bot's server with its world. Everything runs on one event loop; nothing here blocks."""

    def __init__(
        self,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        numbers_from: int = 0,
    ) -> None:
        self.hub = Hub()
        self.clock = WorldClock(now)
        self.world = World(self.clock.now, self.hub, numbers_from)
        self.files = Files()
        self.limits = Limits(monotonic)
        self.faults = Faults()
        self.queries = Queries(self.clock.now, numbers_from)
        self.privacy = False
        self.commands: dict[tuple[str, int, int, str], list[Json]] = {}
        self.texts: dict[tuple[str, str], str] = {}
        self.menu_buttons: dict[int, Json] = {}
        self.webhook: Any = None
        self.calls: deque[Json] = deque(maxlen=KEPT_CALLS)
        self.on_the_way: set[asyncio.Task[Any] | None] = set()
        """Calls that a fault delays before they are done."""
        self._call_number = 0
        self._running = 0
        self._bot_known = False
        self._activity = asyncio.Event()
        self._active_at = time.monotonic()
        self.updates = UpdateQueue(self.clock.now, self.active, numbers_from)

    # -- calls ---------------------------------------------------------------------------------------------------

    async def call_with_token(
        self, token: str, name: str, params: Mapping[str, Any], files: Mapping[str, Upload] | None = None
    ) -> Answer:
        """A call as it comes over HTTP. The number before the colon of the first token seen is the bot's id."""
        match = _TOKEN.fullmatch(token)
        if match is None:
            return ApiError(401, "Unauthorized: invalid token specified").answer()
        if not self._bot_known:
            self._bot_known = True
            self.world.rename_bot(int(match[1]))
        return await self.call(name, params, files)

    async def call(self, name: str, params: Mapping[str, Any], files: Mapping[str, Upload] | None = None) -> Answer:
        """Run one method and give its answer. Raises ConnectionLost when a fault was ordered that breaks the line."""
        p = Params(params, files or {})
        registered = METHODS.get(name.lower())
        polling = registered is not None and registered.name == "getUpdates"
        if not polling:
            self._running += 1
        answer: Answer | None = None
        try:
            answer = await self._guarded(name, registered, p)
            return answer
        finally:
            if not polling:
                self._running -= 1
                self.active()
            if not polling or (answer is not None and answer.status != 200):
                self._log(registered.name if registered else name, p, answer)

    async def _guarded(self, name: str, registered: Registered | None, p: Params) -> Answer:
        fault = self.faults.take(name, p.integer("chat_id"))
        try:
            if fault is not None:
                self.active()
            if fault is not None and not fault.after:
                await self._hold(fault.delay)
                fault.strike()
            if registered is None:
                raise ApiError(404, "Not Found: method not found")
            if registered.cost is not None:
                inline = p.has("inline_message_id")
                self.limits.check(None if inline else self.chat(p).id, registered.cost(p))
            result = await registered.run(self, p)
            if fault is not None and fault.after:
                await asyncio.sleep(fault.delay)
                fault.strike()
        except ApiError as error:
            return error.answer()
        except (TypeError, ValueError, KeyError, AttributeError):
            # Parameters of a shape that nobody thought of: the bot gets an answer, whoever mends it the trace.
            _log.exception("%s failed with %s", name, p.logged())
            return ApiError(500, "Internal Server Error").answer()
        return Answer(200, {"ok": True, "result": result})

    async def _hold(self, seconds: float) -> None:
        """Keep a call on its way. If the bot hangs up (or dies) meanwhile, it never arrives."""
        task = asyncio.current_task()
        self.on_the_way.add(task)
        try:
            await asyncio.sleep(seconds)
        finally:
            self.on_the_way.discard(task)

    def _log(self, name: str, p: Params, answer: Answer | None) -> None:
        self._call_number += 1
        body = answer.body if answer is not None else {}
        result = body.get("result")
        self.calls.append(
            {
                "n": self._call_number,
                "at": self.clock.now(),
                "method": name,
                "params": p.logged(),
                "ok": bool(body.get("ok")),
                "code": answer.status if answer is not None else 0,
                "description": body.get("description"),
                "message_id": result.get("message_id") if isinstance(result, dict) else None,
            }
        )

    # -- being idle ----------------------------------------------------------------------------------------------

    def active(self) -> None:
        """The bot has done something, or has something to do."""
        self._active_at = time.monotonic()
        self._activity.set()

    async def idle(self, timeout: float, quiet: float = QUIET_SECONDS) -> bool:  # noqa: ASYNC109
        """Wait until every update is confirmed and the bot has called nothing for `quiet` real seconds."""
        deadline = time.monotonic() + timeout
        while True:
            now = time.monotonic()
            busy = bool(self.updates.pending) or self._running > 0
            left = self._active_at + quiet - now
            if not busy and left <= 0:
                return True
            if now >= deadline:
                return False
            self._activity.clear()
            pause = deadline - now if busy else min(left, deadline - now)
            try:
                await asyncio.wait_for(self._activity.wait(), max(pause, 0.001))
            except TimeoutError:
                continue

    async def until(self, condition: Callable[[], bool], timeout: float) -> bool:  # noqa: ASYNC109
        """Wait until a condition holds that the bot's calls bring about; False when it does not in time."""
        deadline = time.monotonic() + timeout
        while not condition():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            self._activity.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._activity.wait(), left)
        return True

    # -- what many methods need ----------------------------------------------------------------------------------

    def find_chat(self, value: Any) -> Chat | None:
        """A chat by its id; None when the bot cannot know it."""
        try:
            return self.world.chats.get(int(value))
        except (TypeError, ValueError):
            return None

    def chat(self, p: Params, name: str = "chat_id") -> Chat:
        """The chat of a call that reads or writes there.

        Raises ApiError 400 for an unknown or migrated one, 403 where the bot is not (or not any more, or not yet).
        """
        if not p.has(name):
            raise bad_request(f"{name} is empty")
        chat = self.find_chat(p.raw[name])
        if chat is None:
            raise bad_request("chat not found")
        if chat.migrated_to is not None:
            raise bad_request("group chat was upgraded to a supergroup chat", {"migrate_to_chat_id": chat.migrated_to})
        if not chat.is_group:
            return chat
        kind = "group" if chat.type is ChatType.GROUP else "supergroup"
        me = chat.member(self.world.bot.id)
        if me is None:
            raise bad_request("chat not found")
        if me.status is Status.KICKED:
            raise forbidden(f"bot was kicked from the {kind} chat")
        if not me.present:
            raise forbidden(f"bot is not a member of the {kind} chat")
        return chat

    def writable(self, p: Params, name: str = "chat_id") -> Chat:
        """The chat of a call, where the bot may write now. Raises ApiError as `chat`, 403 for a closed private one."""
        chat = self.chat(p, name)
        if chat.peer is not None:
            if chat.peer.blocked:
                raise forbidden("bot was blocked by the user")
            if not chat.peer.started:
                raise forbidden("bot can't initiate conversation with a user")
        return chat

    def need_right(self, chat: Chat, right: str, refusal: str) -> None:
        """Raise 400 with `refusal` unless the bot administers the group with this right."""
        me = chat.member(self.world.bot.id)
        if chat.is_group and (me is None or not me.may(right)):
            raise bad_request(refusal)

    def deliver(self, message: Message, kind: str = "message") -> None:
        """Queue the update about a person's (or a service) message, when the bot is to get it."""
        if reaches_bot(message, self.world, privacy=self.privacy):
            self.updates.push(kind, message_json(message, self.world))

    def bot_administers(self, chat: Chat) -> bool:
        """Whether the bot is an administrator there."""
        return bot_administers(chat, self.world)
