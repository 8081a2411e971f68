"""Edits, deletions, pins, reactions of the bot's messages."""

from typing import Any

import pytest
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaAnimation,
    InputMediaPhoto,
    Message,
)
from telegram.error import BadRequest

from playground.client import Control
from playground.scene import FORUM_ID, GROUP_ID, PEOPLE

ZIMA, ADVOKAT = (one[0] for one in PEOPLE[:2])
KEYBOARD = InlineKeyboardMarkup([[InlineKeyboardButton("A1", callback_data="a1")]])
SAME = (
    "Message is not modified: specified new message content and reply markup are exactly the same as a current content "
    "and reply markup of the message"
)


async def test_a_new_text_without_a_keyboard_takes_the_keyboard_away(bot: Bot) -> None:
    message = await bot.send_message(GROUP_ID, "ход 1", reply_markup=KEYBOARD)
    edited = await bot.edit_message_text("ход 2", GROUP_ID, message.message_id)
    assert isinstance(edited, Message)
    assert (edited.text, edited.reply_markup, edited.date) == ("ход 2", None, message.date)
    assert edited.edit_date is not None


async def test_the_same_again_is_refused(bot: Bot) -> None:
    message = await bot.send_message(GROUP_ID, "<b>ход</b> 1", parse_mode="HTML", reply_markup=KEYBOARD)
    for text, mode in (("<b>ход</b> 1", "HTML"), ("*ход* 1", "MarkdownV2"), (" <b>ход</b> 1\n", "HTML")):
        with pytest.raises(BadRequest) as refusal:
            await bot.edit_message_text(text, GROUP_ID, message.message_id, parse_mode=mode, reply_markup=KEYBOARD)
        assert refusal.value.message == SAME
    with pytest.raises(BadRequest) as refusal:
        await bot.edit_message_reply_markup(GROUP_ID, message.message_id, reply_markup=KEYBOARD)
    assert refusal.value.message == SAME
    await bot.edit_message_text("ход 1", GROUP_ID, message.message_id, reply_markup=KEYBOARD)


async def test_edits_that_cannot_be(bot: Bot, control: Control, pictures: Any) -> None:
    text = await bot.send_message(GROUP_ID, "x")
    photo = await bot.send_photo(GROUP_ID, pictures.png(9, 9))
    theirs = await control.send(ZIMA, GROUP_ID, "моё")
    for act, words in (
        (bot.edit_message_text("y", GROUP_ID, 9999), "Message to edit not found"),
        (bot.edit_message_text("y", GROUP_ID, theirs["message_id"]), "Message can't be edited"),
        (bot.edit_message_text("y", GROUP_ID, photo.message_id), "There is no text in the message to edit"),
        (
            bot.edit_message_caption(GROUP_ID, text.message_id, caption="y"),
            "There is no caption in the message to edit",
        ),
        (bot.edit_message_text("y" * 4097, GROUP_ID, text.message_id), "Message_too_long"),
        (bot.edit_message_text(" ", GROUP_ID, text.message_id), "Message text is empty"),
    ):
        with pytest.raises(BadRequest) as refusal:
            await act
        assert refusal.value.message == words


async def test_a_picture_is_replaced_by_an_upload_and_by_a_known_file(
    bot: Bot, control: Control, pictures: Any
) -> None:
    message = await bot.send_photo(GROUP_ID, pictures.png(9, 9), caption="было")
    one = await bot.edit_message_media(
        InputMediaPhoto(pictures.png(30, 20), caption="стало"), GROUP_ID, message.message_id
    )
    assert isinstance(one, Message)
    assert (one.photo[-1].width, one.caption) == (30, "стало")
    with pytest.raises(BadRequest, match="Message is not modified"):
        await bot.edit_message_media(
            InputMediaPhoto(one.photo[-1].file_id, caption="стало"), GROUP_ID, message.message_id
        )
    animation = (await bot.send_animation(GROUP_ID, pictures.gif(20, 10), filename="a.gif")).animation
    assert animation is not None
    two = await bot.edit_message_media(InputMediaAnimation(animation.file_id), GROUP_ID, message.message_id)
    assert isinstance(two, Message)
    assert two.animation is not None
    assert two.photo == ()
    three = await bot.edit_message_caption(GROUP_ID, message.message_id, caption="конец")
    assert isinstance(three, Message)
    assert three.caption == "конец"
    shown = {m["message_id"]: m for m in await control.messages(GROUP_ID)}[message.message_id]
    assert shown["edited"] == 3
    answer = await control.http.get(shown["file"])
    assert answer.content == pictures.gif(20, 10)


async def test_a_text_becomes_a_picture(bot: Bot, pictures: Any) -> None:
    message = await bot.send_message(GROUP_ID, "рисую …")
    edited = await bot.edit_message_media(
        InputMediaPhoto(pictures.png(9, 9), caption="готово"), GROUP_ID, message.message_id
    )
    assert isinstance(edited, Message)
    assert (edited.text, edited.caption) == (None, "готово")


async def test_the_bot_deletes_its_own_for_two_days_and_everything_as_an_administrator(
    bot: Bot, control: Control
) -> None:
    mine = await bot.send_message(GROUP_ID, "x")
    theirs = await control.send(ZIMA, GROUP_ID, "y")
    with pytest.raises(BadRequest, match="Message can't be deleted"):
        await bot.delete_message(GROUP_ID, theirs["message_id"])
    assert await bot.delete_message(GROUP_ID, mine.message_id)
    with pytest.raises(BadRequest, match="Message to delete not found"):
        await bot.delete_message(GROUP_ID, mine.message_id)
    old = await bot.send_message(GROUP_ID, "x")
    await control.advance(48 * 3600 + 1)
    with pytest.raises(BadRequest, match="Message can't be deleted for everyone"):
        await bot.delete_message(GROUP_ID, old.message_id)
    elsewhere = await control.send(ZIMA, FORUM_ID, "y")
    assert await bot.delete_message(FORUM_ID, elsewhere["message_id"])


async def test_a_pin_is_seen_by_the_bot_too(bot: Bot, inbox: Any) -> None:
    message = await bot.send_message(FORUM_ID, "доска")
    await bot.pin_chat_message(FORUM_ID, message.message_id)
    (update,) = await inbox.take()
    assert update.message.pinned_message.text == "доска"
    assert update.message.from_user.id == bot.id
    chat = await bot.get_chat(FORUM_ID)
    assert chat.pinned_message is not None
    await bot.unpin_chat_message(FORUM_ID, message.message_id)
    assert (await bot.get_chat(FORUM_ID)).pinned_message is None


async def test_pinning_needs_the_right(bot: Bot) -> None:
    message = await bot.send_message(GROUP_ID, "доска")
    with pytest.raises(BadRequest, match="Not enough rights to manage pinned messages in the chat"):
        await bot.pin_chat_message(GROUP_ID, message.message_id)


async def test_a_reaction_of_the_bot(bot: Bot, control: Control) -> None:
    said = await control.send(ZIMA, GROUP_ID, "B7")
    await bot.set_message_reaction(GROUP_ID, said["message_id"], "🔥")
    shown = (await control.messages(GROUP_ID))[-1]
    assert shown["reactions"] == [{"emoji": "🔥", "from": [bot.id]}]
    with pytest.raises(BadRequest, match="Reaction_invalid"):
        await bot.set_message_reaction(GROUP_ID, said["message_id"], "🚢")
    await bot.set_message_reaction(GROUP_ID, said["message_id"])
    assert "reactions" not in (await control.messages(GROUP_ID))[-1]
