"""Sends: what comes back parses in PTB, and what Telegram refuses is refused in its words."""

from datetime import timedelta
from typing import Any

import pytest
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaDocument,
    InputMediaPhoto,
    ReplyKeyboardMarkup,
    ReplyParameters,
)
from telegram.constants import ChatAction, MessageEntityType
from telegram.error import BadRequest, ChatMigrated, EndPointNotFound, Forbidden, InvalidToken

from playground.client import Control
from playground.scene import FORUM_ID, GROUP_ID, PEOPLE, SMALL_GROUP_ID
from playground.server import Playground

ZIMA, ADVOKAT, VIRT, JUNGA = (one[0] for one in PEOPLE[:4])


async def test_a_text_comes_back_as_it_stands_in_the_chat(bot: Bot, control: Control) -> None:
    keyboard = InlineKeyboardMarkup(
        [
            [
                InlineKeyboardButton("A4", callback_data="fire:A4", style="danger"),
                InlineKeyboardButton("?", url="https://e.org"),
            ]
        ]
    )
    message = await bot.send_message(GROUP_ID, "<b>Пли!</b> /pass", parse_mode="HTML", reply_markup=keyboard)
    assert (message.text, message.chat_id, message.from_user and message.from_user.id) == (
        "Пли! /pass",
        GROUP_ID,
        bot.id,
    )
    assert [e.type for e in message.entities] == [MessageEntityType.BOLD, MessageEntityType.BOT_COMMAND]
    assert message.reply_markup is not None
    first, second = message.reply_markup.inline_keyboard[0]
    assert (first.callback_data, first.style, second.url) == ("fire:A4", "danger", "https://e.org/")
    (shown,) = [one for one in await control.messages(GROUP_ID) if one["message_id"] == message.message_id]
    assert (shown["text"], shown["edited"]) == ("Пли! /pass", 0)


async def test_the_bot_is_the_number_of_its_token(bot: Bot, control: Control) -> None:
    assert bot.id == 777000111
    assert (await control.state())["bot"]["id"] == bot.id
    assert (await bot.get_chat_member(FORUM_ID, bot.id)).status == "administrator"


async def test_a_reply_carries_the_message_and_the_quote(bot: Bot) -> None:
    first = await bot.send_message(GROUP_ID, "первый второй")
    second = await bot.send_message(
        GROUP_ID, "ответ", reply_parameters=ReplyParameters(first.message_id, quote="второй")
    )
    assert second.reply_to_message is not None
    assert second.reply_to_message.message_id == first.message_id
    assert second.quote is not None
    assert second.quote.position == 7
    # A reply in a supergroup belongs to a thread, though it is in no topic.
    assert (second.message_thread_id, second.is_topic_message) == (first.message_id, None)


async def test_a_reply_to_nothing(bot: Bot) -> None:
    with pytest.raises(BadRequest, match="Message to be replied not found"):
        await bot.send_message(GROUP_ID, "x", reply_parameters=ReplyParameters(9999))
    sent = await bot.send_message(
        GROUP_ID, "x", reply_parameters=ReplyParameters(9999, allow_sending_without_reply=True)
    )
    assert sent.reply_to_message is None


@pytest.mark.parametrize(
    ("text", "more", "words"),
    [
        ("x" * 4097, {}, "Message is too long"),
        ("🚢" * 2049, {}, "Message is too long"),
        (" \n ", {}, "Message text is empty"),
        ("<b>x", {"parse_mode": "HTML"}, "Can't parse entities: can't find end tag corresponding to start tag \"b\""),
        ("a.", {"parse_mode": "MarkdownV2"}, "Can't parse entities: character '.' is reserved"),
        ("x", {"parse_mode": "BBCode"}, "Unsupported parse_mode"),
        ("x", {"message_thread_id": 5}, "Message thread not found"),
        ("x", {"message_effect_id": "5"}, "Effect_id_invalid"),
    ],
)
async def test_refused_texts(bot: Bot, text: str, more: dict[str, Any], words: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        await bot.send_message(GROUP_ID, text, **more)
    assert refusal.value.message.startswith(words)


async def test_the_longest_text_is_taken(bot: Bot) -> None:
    message = await bot.send_message(GROUP_ID, f"<i>{'&lt;' * 4096}</i>", parse_mode="HTML")
    assert message.text == "<" * 4096


@pytest.mark.parametrize(
    ("button", "words"),
    [
        (InlineKeyboardButton("x", callback_data="ы" * 33), "Button_data_invalid"),
        (InlineKeyboardButton("x"), "Can't parse inline keyboard button: text buttons are unallowed"),
        (
            InlineKeyboardButton(" ", callback_data="x"),
            "Can't parse inline keyboard button: button text must be non-empty",
        ),
        (InlineKeyboardButton("x", url="nowhere"), "Inline keyboard button url 'nowhere' is invalid"),
        (
            InlineKeyboardButton("x", callback_data="x", style="gold"),
            "Can't parse inline keyboard button: invalid button style",
        ),
    ],
)
async def test_refused_buttons(bot: Bot, button: InlineKeyboardButton, words: str) -> None:
    with pytest.raises(BadRequest) as refusal:
        await bot.send_message(GROUP_ID, "x", reply_markup=InlineKeyboardMarkup([[button]]))
    assert refusal.value.message.lower().startswith(words.lower())


async def test_a_keyboard_has_an_end(bot: Bot) -> None:
    button = InlineKeyboardButton("x", callback_data="ы" * 32)
    await bot.send_message(GROUP_ID, "x", reply_markup=InlineKeyboardMarkup([[button] * 8] * 12))
    with pytest.raises(BadRequest, match="Reply_markup_too_long"):
        await bot.send_message(GROUP_ID, "x", reply_markup=InlineKeyboardMarkup([[button] * 8] * 13))


async def test_a_reply_keyboard_is_shown_to_the_page_only(bot: Bot, control: Control) -> None:
    message = await bot.send_message(GROUP_ID, "x", reply_markup=ReplyKeyboardMarkup([["да", "нет"]]))
    assert message.reply_markup is None
    shown = (await control.messages(GROUP_ID))[-1]
    assert [one["text"] for one in shown["reply_keyboard"]["keyboard"][0]] == ["да", "нет"]


async def test_who_cannot_be_written_to(bot: Bot, control: Control) -> None:
    with pytest.raises(Forbidden, match="bot can't initiate conversation with a user"):
        await bot.send_message(VIRT, "привет")
    await control.start(VIRT)
    assert (await bot.send_message(VIRT, "привет")).chat.type == "private"
    await control.change_person(VIRT, blocked=True)
    with pytest.raises(Forbidden, match="bot was blocked by the user"):
        await bot.send_message(VIRT, "привет")
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(12345, "привет")


async def test_where_the_bot_is_not(bot: Bot, control: Control) -> None:
    await control.set_member(GROUP_ID, bot.id, "kicked")
    with pytest.raises(Forbidden, match="bot was kicked from the supergroup chat"):
        await bot.send_message(GROUP_ID, "x")
    await bot.leave_chat(SMALL_GROUP_ID)
    with pytest.raises(Forbidden, match="bot is not a member of the group chat"):
        await bot.send_message(SMALL_GROUP_ID, "x")
    other = await control.add_chat("group", "Без бота", members=[ZIMA], bot=False)
    with pytest.raises(BadRequest, match="Chat not found"):
        await bot.send_message(other["id"], "x")


async def test_a_migrated_group_tells_its_new_id(bot: Bot, control: Control) -> None:
    new = await control.migrate(SMALL_GROUP_ID)
    with pytest.raises(ChatMigrated) as moved:
        await bot.send_message(SMALL_GROUP_ID, "x")
    assert moved.value.new_chat_id == new["id"]
    assert (await bot.send_message(new["id"], "x")).chat.type == "supergroup"


async def test_a_photo_in_its_sizes(bot: Bot, pictures: Any) -> None:
    data = pictures.png(1000, 500)
    message = await bot.send_photo(GROUP_ID, data, caption="<b>поле</b>", parse_mode="HTML", has_spoiler=True)
    assert [(one.width, one.height) for one in message.photo] == [(90, 45), (320, 160), (800, 400), (1000, 500)]
    assert (message.caption, message.has_media_spoiler) == ("поле", True)
    file = await bot.get_file(message.photo[-1].file_id)
    assert bytes(await file.download_as_bytearray()) == data
    again = await bot.send_photo(GROUP_ID, message.photo[0].file_id)
    assert again.photo[-1].file_unique_id == message.photo[-1].file_unique_id


async def test_sizes_are_read_from_every_kind_of_picture(bot: Bot, pictures: Any) -> None:
    assert (await bot.send_photo(GROUP_ID, pictures.jpeg(60, 40))).photo[-1].width == 60
    animation = (await bot.send_animation(GROUP_ID, pictures.gif(20, 10, (150, 50)), filename="a.gif")).animation
    assert animation is not None
    assert (animation.width, animation.height, animation.duration) == (20, 10, timedelta(seconds=2))


async def test_a_gif_sent_as_a_document_is_an_animation(bot: Bot, pictures: Any) -> None:
    message = await bot.send_document(GROUP_ID, pictures.gif(20, 10), filename="a.gif")
    assert message.animation is not None
    plain = await bot.send_document(
        GROUP_ID, pictures.gif(20, 10), filename="a.gif", disable_content_type_detection=True
    )
    assert plain.animation is None
    assert plain.document is not None
    assert plain.document.file_name == "a.gif"


async def test_refused_files(bot: Bot, pictures: Any) -> None:
    document = (await bot.send_document(GROUP_ID, b"text", filename="a.txt")).document
    assert document is not None
    for photo, words in (
        (b"no picture", "Image_process_failed"),
        (pictures.png(2100, 100), "Photo_invalid_dimensions"),
        ("no-such-file-id", "Wrong remote file identifier specified"),
        (document.file_id, "Can't use file of type document as photo"),
    ):
        with pytest.raises(BadRequest) as refusal:
            await bot.send_photo(GROUP_ID, photo)
        assert refusal.value.message.startswith(words)
    with pytest.raises(BadRequest, match="Message caption is too long"):
        await bot.send_photo(GROUP_ID, pictures.png(9, 9), caption="x" * 1025)
    with pytest.raises(BadRequest, match="Invalid file_id"):
        await bot.get_file("nothing")


async def test_an_album(bot: Bot, pictures: Any) -> None:
    album = await bot.send_media_group(
        GROUP_ID, [InputMediaPhoto(pictures.png(10, 10), caption="раз"), InputMediaPhoto(pictures.png(20, 20))]
    )
    assert [one.caption for one in album] == ["раз", None]
    assert album[0].media_group_id == album[1].media_group_id is not None
    with pytest.raises(BadRequest, match="Document or audio can't be mixed"):
        await bot.send_media_group(GROUP_ID, [InputMediaPhoto(pictures.png(9, 9)), InputMediaDocument(b"x")])


async def test_copies_and_forwards(bot: Bot, control: Control) -> None:
    said = await control.send(ZIMA, GROUP_ID, "беру в свидетели")
    forwarded = await bot.forward_message(FORUM_ID, GROUP_ID, said["message_id"])
    assert forwarded.forward_origin is not None
    copied = await bot.copy_message(FORUM_ID, GROUP_ID, said["message_id"])
    shown = (await control.messages(FORUM_ID))[-1]
    assert (shown["message_id"], shown["text"]) == (copied.message_id, "беру в свидетели")
    with pytest.raises(BadRequest, match="Message to forward not found"):
        await bot.copy_message(FORUM_ID, GROUP_ID, 9999)


async def test_what_is_not_there(bot: Bot, playground: Playground) -> None:
    await bot.send_chat_action(GROUP_ID, ChatAction.TYPING)
    with pytest.raises(EndPointNotFound):
        await bot.do_api_request("sendTelepathy")
    answer = await playground.api.call_with_token("nonsense", "getMe", {})
    assert (answer.status, answer.body["description"]) == (401, "Unauthorized: invalid token specified")
    with pytest.raises(InvalidToken):
        await Bot("1:a", request=bot.request, get_updates_request=bot.request).get_me()


async def test_methods_are_found_in_any_case(playground: Playground) -> None:
    assert (await playground.api.call("SENDMESSAGE", {"chat_id": str(GROUP_ID), "text": "x"})).status == 200
