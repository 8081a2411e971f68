"""The parts that the handlers work with, and what they all need: who is acting, what to answer, in which language."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from markupsafe import Markup
from telegram import CallbackQuery, Chat, Message, User
from telegram.constants import ChatMemberStatus, ChatType
from telegram.error import BadRequest, ChatMigrated, Forbidden, RetryAfter, TelegramError

from engines.contract import RuleError
from handlers import faults
from handlers.language import language_of
from handlers.presenter import Presenter
from handlers.screens import Screen
from handlers.sending import Address, Sender
from locales import Words, words
from referee.alarm import Alarm
from referee.authority import Authority
from referee.host import Host
from referee.lobby import Lobby
from referee.outbox import Outbox, move_chat
from referee.play import Actor, Look, Play
from referee.refusals import Refused
from storage import people
from storage.records import Person

log = logging.getLogger(__name__)

ANONYMOUS_ADMIN = 1087968824
"""Under this number administrators write who hide their names: never a player."""
TOAST_LIMIT = 200
PATIENCE = 3
"""How often an answer is held back because Telegram asks to wait."""

T = TypeVar("T")


@dataclass
class House:
    """Everything that a handler may ask."""

    host: Host
    play: Play
    lobby: Lobby
    alarm: Alarm
    outbox: Outbox
    sender: Sender
    presenters: Mapping[str, Presenter]
    reads_everything: bool = True
    """False under privacy mode: plain messages do not reach the bot."""
    authority: Authority = field(init=False)
    _talking: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.authority = Authority(self.host)

    def later(self, talk: Coroutine[object, object, None]) -> None:
        """Say something beside the work, so that the next update need not wait for Telegram's limits."""
        task = asyncio.get_running_loop().create_task(_quietly(talk))
        self._talking.add(task)
        task.add_done_callback(self._talking.discard)

    async def fall_silent(self, patience: float = 3.0) -> None:
        """Let running talk end."""
        if self._talking:
            _, late = await asyncio.wait(set(self._talking), timeout=patience)
            for task in late:
                task.cancel()

    async def idle(self) -> None:
        """Wait until nothing is being resolved or said (for tests)."""
        while True:
            await self.alarm.idle()
            await self.outbox.idle()
            if not self._talking:
                return
            await asyncio.wait(set(self._talking))

    def answer(self, message: Message, screen: Screen | Markup) -> None:
        """Reply to a message."""
        if isinstance(screen, Markup):
            screen = Screen(screen)
        self.later(self._send(Address(message.chat_id, topic_of(message), message.message_id), screen))

    def greet(self, chat_id: int, screen: Screen) -> None:
        """Say something in a chat that is no answer."""
        self.later(self._send(Address(chat_id), screen))

    async def _send(self, to: Address, screen: Screen) -> None:
        await self.patiently(to.chat_id, partial(self.sender.send, to, screen))

    async def patiently(self, chat_id: int, attempt: Callable[[], Awaitable[T]]) -> T:
        """Say something that no outbox keeps: when Telegram asks to wait, it is said later, a few times at most."""
        for _ in range(PATIENCE):
            try:
                return await attempt()
            except RetryAfter as later:
                self.sender.gate.hold(chat_id, faults.seconds_of(later))
        return await attempt()

    def react(self, message: Message, emoji: str) -> None:
        """A receipt on somebody's message that notifies nobody."""
        self.later(self._react(message, emoji))

    async def _react(self, message: Message, emoji: str) -> None:
        await self.sender.bot.set_message_reaction(message.chat_id, message.message_id, emoji)

    async def toast(self, query: CallbackQuery, text: str | None = None, *, alert: bool = False) -> None:
        """Answer a press. Never fails: a press that is too old harms nobody."""
        if text is not None and len(text) > TOAST_LIMIT:
            text, alert = text[: TOAST_LIMIT - 1] + "…", True
        try:
            await query.answer(text, show_alert=alert)
        except TelegramError as error:
            if not faults.is_too_old(error):
                log.warning("a press could not be answered: %s", error)

    async def words_for(self, chat_id: int) -> Words:
        """The words of a chat's language."""
        async with self.host.db.reading() as db:
            return words(await language_of(db, chat_id))

    async def meet(self, user: User) -> Person:
        """Remember a person as he is called now."""
        person = Person(user.id, user.full_name, user.username, user.language_code)
        async with self.host.db.transaction() as db:
            await people.meet(db, person, self.host.clock.now())
        return person

    async def actor(self, chat_id: int, user: User | None, sender_chat: Chat | None = None) -> Actor:
        """Who acts in a chat, and whether he is an administrator there. Asked afresh each time: rights change."""
        if user is None or user.id == ANONYMOUS_ADMIN:
            return Actor(None, is_admin=sender_chat is not None and sender_chat.id == chat_id)
        return Actor(user.id, is_admin=await self.status_in(chat_id, user.id) in _ADMINS)

    async def status_in(self, chat_id: int, person_id: int) -> str | None:
        """A person's standing in a chat; None where it cannot be known or he is not there."""
        if chat_id > 0:
            return None
        try:
            member = await self.sender.bot.get_chat_member(chat_id, person_id)
        except ChatMigrated as moved:
            await move_chat(self.host, chat_id, moved.new_chat_id)
            return await self.status_in(moved.new_chat_id, person_id)
        except (BadRequest, Forbidden):
            return None
        if member.status in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED):
            return None
        if member.status == ChatMemberStatus.RESTRICTED and not getattr(member, "is_member", False):
            return None
        return member.status

    def refusal(self, error: RuleError, game: str | None, look: Look | None, text: Words) -> str:
        """A refusal in words that say what would be right."""
        if isinstance(error, Refused):
            return text.plain(f"refuse-{error.code}", **error.data)
        presenter = self.presenters.get(game or "")
        said = presenter.refusal(error, look, text) if presenter is not None else None
        if said is None:
            log.error("no words for the refusal %s of %s", error.code, game)
            return text.plain("refuse-other")
        return said


_ADMINS = (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


async def _quietly(talk: Coroutine[object, object, None]) -> None:
    """Talk is not worth a failure: whoever wants to hear it again asks again."""
    try:
        await talk
    except TelegramError as error:
        log.info("something could not be said: %s", error)
    except Exception:
        log.exception("something could not be said")


def author_of(message: Message) -> User | None:
    """Who wrote a message: a person, or an anonymous administrator under his shared number.

    None for other bots, for what was sent through a bot, and for channels (the posts of a linked channel come into its
    group under the name of Telegram itself, which is no bot).
    """
    user = message.from_user
    if user is None or message.via_bot is not None:
        return None
    if user.id == ANONYMOUS_ADMIN:
        return user
    return None if user.is_bot or message.sender_chat is not None else user


def topic_of(message: Message) -> int | None:
    """The topic that a message stands in; None outside of topics and in General, which takes no number."""
    return message.message_thread_id if message.is_topic_message else None


def is_group(chat: Chat) -> bool:
    """Whether a chat is one where matches are hosted."""
    return chat.type in (ChatType.GROUP, ChatType.SUPERGROUP)
