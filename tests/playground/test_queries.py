"""Pressed buttons and inline queries, and the bot's answers to them."""

import asyncio
from typing import Any

import pytest
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InlineQueryResultArticle,
    InlineQueryResultCachedPhoto,
    InlineQueryResultsButton,
    InputTextMessageContent,
)
from telegram.error import BadRequest

from playground.client import Control, ControlError
from playground.scene import GROUP_ID, PEOPLE

ZIMA, ADVOKAT = (one[0] for one in PEOPLE[:2])
KEYBOARD = InlineKeyboardMarkup(
    [
        [InlineKeyboardButton("A1", callback_data="a1"), InlineKeyboardButton("сайт", url="https://e.org/x")],
        [InlineKeyboardButton("рука", switch_inline_query_current_chat="hand")],
    ]
)
TOO_OLD = "Query is too old and response timeout expired or query id is invalid"


async def test_a_press_and_its_answer(bot: Bot, control: Control, inbox: Any) -> None:
    message = await bot.send_message(GROUP_ID, "огонь?", reply_markup=KEYBOARD)
    update, pressed = await inbox.during(control.press(ZIMA, GROUP_ID, message.message_id, "a1"))
    query = update.callback_query
    assert (query.data, query.from_user.id, query.message.message_id) == ("a1", ZIMA, message.message_id)
    await query.answer("Мимо!", show_alert=True)
    assert (await pressed)["answer"] == {"text": "Мимо!", "show_alert": True, "url": None}


async def test_a_press_that_nobody_answers(bot: Bot, control: Control) -> None:
    message = await bot.send_message(GROUP_ID, "огонь?", reply_markup=KEYBOARD)
    assert (await control.press(ZIMA, GROUP_ID, message.message_id, button="A1", wait=0))["answer"] is None


async def test_a_late_a_second_and_an_unknown_answer(bot: Bot, control: Control, inbox: Any) -> None:
    message = await bot.send_message(GROUP_ID, "огонь?", reply_markup=KEYBOARD)
    await control.press(ZIMA, GROUP_ID, message.message_id, "a1", wait=0)
    await control.press(ZIMA, GROUP_ID, message.message_id, "a1", wait=0)
    first, second = (one.callback_query for one in await inbox.take())
    await first.answer()
    await control.advance(61)
    for query_id in (first.id, second.id, "12"):
        with pytest.raises(BadRequest) as refusal:
            await bot.answer_callback_query(query_id)
        assert refusal.value.message == TOO_OLD


async def test_an_answer_too_long_or_to_a_strange_address(bot: Bot, control: Control, inbox: Any) -> None:
    message = await bot.send_message(GROUP_ID, "огонь?", reply_markup=KEYBOARD)
    await control.press(ZIMA, GROUP_ID, message.message_id, "a1", wait=0)
    (update,) = await inbox.take()
    with pytest.raises(BadRequest, match="Message_too_long"):
        await update.callback_query.answer("x" * 201)
    with pytest.raises(BadRequest, match="Url_invalid"):
        await update.callback_query.answer(url="https://e.org")
    await update.callback_query.answer(url=f"https://t.me/{bot.username}?start=hand_7")


async def test_buttons_that_are_not_there_and_buttons_without_data(bot: Bot, control: Control, inbox: Any) -> None:
    message = await bot.send_message(GROUP_ID, "огонь?", reply_markup=KEYBOARD)
    with pytest.raises(ControlError, match=r"no such button; its buttons: 'A1' \(a1\)"):
        await control.press(ZIMA, GROUP_ID, message.message_id, "zz")
    assert (await control.press(ZIMA, GROUP_ID, message.message_id, button="сайт"))["url"] == "https://e.org/x"
    pressed = await control.press(ZIMA, GROUP_ID, message.message_id, button="рука")
    assert pressed["switch_inline_query_current_chat"] == "hand"
    assert await inbox.take() == []
    await control.press(ZIMA, GROUP_ID, message.message_id, "zz", stale=True, wait=0)
    assert [one.callback_query.data for one in await inbox.take()] == ["zz"]


async def test_a_toast_is_an_event(bot: Bot, control: Control, inbox: Any, playground: Any) -> None:
    message = await bot.send_message(GROUP_ID, "огонь?", reply_markup=KEYBOARD)
    await control.press(ZIMA, GROUP_ID, message.message_id, "a1", wait=0)
    (update,) = await inbox.take()
    with playground.api.hub.listen() as events:
        await update.callback_query.answer("Мимо!")
        event = events.get_nowait()
    data = playground.control.event_json(event)
    assert (event.kind, data["to"], data["text"], data["show_alert"]) == ("toast", ZIMA, "Мимо!", False)


async def test_an_inline_query_a_choice_and_an_edit_of_it(
    bot: Bot, control: Control, inbox: Any, pictures: Any
) -> None:
    photo = (await bot.send_photo(GROUP_ID, pictures.png(9, 9))).photo[-1]
    update, typed = await inbox.during(control.inline(ZIMA, GROUP_ID, "hand"))
    assert (update.inline_query.query, update.inline_query.chat_type) == ("hand", "supergroup")
    await update.inline_query.answer(
        [
            InlineQueryResultArticle(
                "c1", "Пика 7", InputTextMessageContent("<b>7♠</b>", "HTML"), reply_markup=KEYBOARD
            ),
            InlineQueryResultCachedPhoto("c2", photo.file_id, caption="рука"),
        ],
        cache_time=0,
        is_personal=True,
        button=InlineQueryResultsButton("Открыть", start_parameter="hand"),
    )
    found = await typed
    assert [one["id"] for one in found["results"]] == ["c1", "c2"]
    assert found["button"]["start_parameter"] == "hand"
    shown = await control.choose(ZIMA, GROUP_ID, found["id"], "c1")
    assert (shown["text"], shown["via_bot"]["id"], shown["from"]["id"]) == ("7♠", bot.id, ZIMA)
    chosen, message = await inbox.take()
    assert chosen.chosen_inline_result.result_id == "c1"
    assert message.message.via_bot.id == bot.id
    inline_id = chosen.chosen_inline_result.inline_message_id
    assert await bot.edit_message_text("сыграна", inline_message_id=inline_id, reply_markup=KEYBOARD) is True
    assert (await control.messages(GROUP_ID))[-1]["text"] == "сыграна"
    await control.press(ADVOKAT, GROUP_ID, shown["message_id"], "a1", wait=0)
    (update,) = await inbox.take()
    assert (update.callback_query.inline_message_id, update.callback_query.message) == (inline_id, None)
    assert (await control.choose(ZIMA, GROUP_ID, found["id"], "c2"))["caption"] == "рука"


async def test_refused_results(bot: Bot, control: Control, inbox: Any) -> None:
    def article(number: str) -> InlineQueryResultArticle:
        return InlineQueryResultArticle(number, "x", InputTextMessageContent("x"))

    update, typed = await inbox.during(control.inline(ZIMA, GROUP_ID, ""))
    with pytest.raises(BadRequest, match="Result_id_duplicate"):
        await update.inline_query.answer([article("1"), article("1")])
    with pytest.raises(BadRequest, match="Results_too_much"):
        await bot.answer_inline_query(update.inline_query.id, [article(str(n)) for n in range(51)], current_offset=None)
    with pytest.raises(BadRequest, match="Result_id_invalid"):
        await update.inline_query.answer([article("x" * 65)])
    await update.inline_query.answer([])
    assert (await typed)["results"] == []
    with pytest.raises(BadRequest) as refusal:
        await update.inline_query.answer([])
    assert refusal.value.message == TOO_OLD


async def test_many_wait_at_once(bot: Bot, control: Control, inbox: Any) -> None:
    message = await bot.send_message(GROUP_ID, "огонь?", reply_markup=KEYBOARD)
    waiting = [asyncio.ensure_future(control.press(ZIMA, GROUP_ID, message.message_id, "a1")) for _ in range(20)]
    answered = 0
    while answered < 20:
        for update in await inbox.take(timeout=5):
            await update.callback_query.answer(str(answered))
            answered += 1
    assert [(await one)["answer"]["text"] for one in waiting] == [str(number) for number in range(20)]
