"""A match's own topic in a forum: made when the match begins, and kept tidy where the chat wants that.

Where the bot lacks a right, where the chat is no forum, and where the topic is gone again, everything goes on in the
chat itself.
"""

from __future__ import annotations

from functools import partial

import msgspec
from telegram import Bot, ChatMemberAdministrator, Message, User
from telegram.error import BadRequest, Forbidden

from handlers.house import House, is_group, topic_of
from handlers.posts import TOPIC_SLOT
from handlers.screens import Screen
from handlers.sending import Address
from locales import Words
from referee.refusals import Refusal, Refused
from storage import matches, outbox, people
from storage.database import Connection
from storage.records import ChatSettings, Match, MatchPhase, SentMessage

HINT_SLOT = "tidy"
"""Remembers the day on which people were last told where to talk; it shows no message."""
SWITCHES = {"on": True, "off": False, "вкл": True, "выкл": False, "да": True, "нет": False}


async def create_topic(bot: Bot, match: Match, text: Words) -> int | None:
    """A new topic named after the match; None where there cannot be one. Raises TelegramError."""
    if not (await bot.get_chat(match.chat_id)).is_forum:
        return None
    me = await bot.get_chat_member(match.chat_id, bot.id)
    if not (isinstance(me, ChatMemberAdministrator) and me.can_manage_topics):
        return None
    name = text.plain("topic-name", game=text.plain(f"game-{match.game}"), id=match.id)
    return (await bot.create_forum_topic(match.chat_id, name)).message_thread_id


def topic_link(match: Match, topic: SentMessage | None) -> str | None:
    """The address of a match's own topic; None if it has none."""
    if topic is None or topic.chat_id != match.chat_id:
        return None
    return f"https://t.me/c/{str(match.chat_id).removeprefix('-100')}/{topic.message_id}"


async def switch(house: House, message: Message, user: User, name: str, argument: str, text: Words) -> None:
    """/topic on|off and /tidy on|off, for administrators of a group. Raises Refused NOT_ADMIN."""
    wanted = SWITCHES.get(argument.strip().casefold())
    if wanted is None or not is_group(message.chat):
        house.answer(message, text.html(f"{name}-how"))
        return
    if not (await house.actor(message.chat_id, user, message.sender_chat)).is_admin:
        raise Refused(Refusal.NOT_ADMIN)
    async with house.host.db.transaction() as db:
        chat = await people.get_chat(db, message.chat_id)
        settings = ChatSettings() if chat is None else chat.settings
        if name == "topic":
            settings = msgspec.structs.replace(settings, own_topic=wanted)
        else:
            settings = msgspec.structs.replace(settings, tidy=wanted)
        await people.save_settings(db, message.chat_id, settings)
    house.answer(message, text.html(f"{name}-{'on' if wanted else 'off'}"))


async def tidy(house: House, message: Message, text: Words) -> None:
    """Remove plain talk from a match's own topic, if the chat wants that and the bot may; a hint once a day."""
    topic = topic_of(message)
    if topic is None:
        return
    match = await house.host.db.look(partial(_tidied, chat_id=message.chat_id, topic=topic))
    if match is None:
        return
    try:
        await house.sender.bot.delete_message(message.chat_id, message.message_id)
    except (BadRequest, Forbidden):
        return  # no right to: it stays
    today = house.host.clock.now().date().isoformat()
    if await house.host.db.transact(partial(_first_today, match=match, today=today)):
        await house.sender.send(Address(message.chat_id, topic), Screen(text.html("tidy-hint")))


async def _tidied(db: Connection, chat_id: int, topic: int) -> Match | None:
    """The running match whose own topic this is, in a chat that wants its topics tidy."""
    chat = await people.get_chat(db, chat_id)
    if chat is None or not chat.settings.tidy:
        return None
    for match in await matches.in_chat(db, chat_id, MatchPhase.RUNNING):
        own = await outbox.message(db, match.id, TOPIC_SLOT)
        if own is not None and (own.chat_id, own.message_id) == (chat_id, topic):
            return match
    return None


async def _first_today(db: Connection, match: Match, today: str) -> bool:
    told = await outbox.message(db, match.id, HINT_SLOT)
    if told is not None and told.digest == today:
        return False
    await outbox.set_message(db, SentMessage(match.id, HINT_SLOT, match.chat_id, 0, today))
    return True
