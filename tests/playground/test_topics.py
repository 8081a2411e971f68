"""Topics of a forum, made by people and by the bot."""

from typing import Any

import pytest
from telegram import Bot
from telegram.error import BadRequest

from playground.client import Control, ControlError
from playground.scene import FORUM_ID, GROUP_ID, PEOPLE

ZIMA, ADVOKAT = (one[0] for one in PEOPLE[:2])


async def test_a_topic_of_the_bot_and_what_is_said_there(bot: Bot, control: Control, inbox: Any) -> None:
    topic = await bot.create_forum_topic(FORUM_ID, "Партия 7")
    thread = topic.message_thread_id
    sent = await bot.send_message(FORUM_ID, "начали", message_thread_id=thread)
    assert (sent.message_thread_id, sent.is_topic_message) == (thread, True)
    await control.send(ZIMA, FORUM_ID, "А4", thread=thread)
    await control.send(ZIMA, FORUM_ID, "ответ", reply_to=sent.message_id)
    created, plain, reply = await inbox.take()
    assert created.message.forum_topic_created.name == "Партия 7"
    assert plain.message.message_thread_id == thread
    # A plain message of a topic "replies" to the message that opened it.
    assert plain.message.reply_to_message.message_id == thread
    assert reply.message.reply_to_message.message_id == sent.message_id
    assert reply.message.message_thread_id == thread


async def test_general_has_no_thread_of_its_own(bot: Bot, control: Control, inbox: Any) -> None:
    sent = await bot.send_message(FORUM_ID, "всем")
    assert sent.message_thread_id is None
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(FORUM_ID, "всем", message_thread_id=1)
    await control.send(ZIMA, FORUM_ID, "привет")
    (update,) = await inbox.take()
    assert update.message.message_thread_id is None


async def test_a_closed_topic(bot: Bot, control: Control, inbox: Any) -> None:
    topic = await control.add_topic(FORUM_ID, "Закрытая", ADVOKAT)
    thread = topic["message_thread_id"]
    await control.close_topic(FORUM_ID, thread)
    # The bot administers the forum and may still write; without the right it may not.
    await bot.send_message(FORUM_ID, "x", message_thread_id=thread)
    await control.set_member(FORUM_ID, bot.id, "member")
    with pytest.raises(BadRequest, match="Topic_closed"):
        await bot.send_message(FORUM_ID, "x", message_thread_id=thread)
    with pytest.raises(ControlError, match="is closed"):
        await control.send(ZIMA, FORUM_ID, "x", thread=thread)
    await control.close_topic(FORUM_ID, thread, closed=False)
    await control.send(ZIMA, FORUM_ID, "x", thread=thread)
    await bot.send_message(FORUM_ID, "x", message_thread_id=thread)
    kinds = [one.message for one in await inbox.take() if one.message]
    assert [bool(one.forum_topic_closed) for one in kinds].count(True) == 1
    assert [bool(one.forum_topic_reopened) for one in kinds].count(True) == 1


async def test_a_deleted_topic_takes_its_messages_along(bot: Bot, control: Control) -> None:
    topic = await bot.create_forum_topic(FORUM_ID, "Недолгая")
    sent = await bot.send_message(FORUM_ID, "x", message_thread_id=topic.message_thread_id)
    await control.close_topic(FORUM_ID, topic.message_thread_id, deleted=True)
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await bot.edit_message_text("y", FORUM_ID, sent.message_id)
    with pytest.raises(BadRequest, match="Message thread not found"):
        await bot.send_message(FORUM_ID, "x", message_thread_id=topic.message_thread_id)


async def test_rights_and_names(bot: Bot, control: Control) -> None:
    with pytest.raises(BadRequest, match="The chat is not a forum"):
        await bot.create_forum_topic(GROUP_ID, "x")
    topic = await bot.create_forum_topic(FORUM_ID, "Одна")
    await bot.edit_forum_topic(FORUM_ID, topic.message_thread_id, name="Другая")
    with pytest.raises(BadRequest, match="Topic_not_modified"):
        await bot.edit_forum_topic(FORUM_ID, topic.message_thread_id, name="Другая")
    await control.set_member(FORUM_ID, bot.id, "member")
    with pytest.raises(BadRequest, match="Not enough rights to create a topic"):
        await bot.create_forum_topic(FORUM_ID, "x")


async def test_messages_of_one_topic(bot: Bot, control: Control) -> None:
    topic = await bot.create_forum_topic(FORUM_ID, "Одна")
    await bot.send_message(FORUM_ID, "в теме", message_thread_id=topic.message_thread_id)
    await bot.send_message(FORUM_ID, "в общей")
    texts = [one.get("text") for one in await control.messages(FORUM_ID, thread=topic.message_thread_id)]
    assert texts == [None, "в теме"]
    assert [one["text"] for one in await control.messages(FORUM_ID, thread=1) if "text" in one] == ["в общей"]
