"""Sending limits, by a clock that only the test moves."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto
from telegram.error import RetryAfter

from playground.client import Control
from playground.limits import CHAT_BURST, GROUP_PER_MINUTE, OVERALL_PER_SECOND, Limits
from playground.scene import FORUM_ID, GROUP_ID, PEOPLE
from playground.server import Playground
from playground.wire import ApiError

ZIMA = PEOPLE[0][0]


class Clock:
    """A monotonic clock."""

    def __init__(self) -> None:
        self.seconds = 50.0

    def __call__(self) -> float:
        return self.seconds


def allowed(limits: Limits, chat: int, times: int) -> int:
    """How many of so many sends at once go through."""
    done = 0
    for _ in range(times):
        try:
            limits.check(chat)
        except ApiError:
            continue
        done += 1
    return done


def test_a_short_burst_then_one_a_second() -> None:
    clock = Clock()
    limits = Limits(clock)
    assert allowed(limits, 5, 10) == CHAT_BURST
    clock.seconds += 1
    assert allowed(limits, 5, 10) == 1
    clock.seconds += 100
    assert allowed(limits, 5, 10) == CHAT_BURST


def test_twenty_a_minute_in_a_group_and_no_such_limit_in_private() -> None:
    clock = Clock()
    limits = Limits(clock)
    done = {-7: 0, 7: 0}
    for _ in range(59):
        for chat in done:
            done[chat] += allowed(limits, chat, 1)
        clock.seconds += 1
    assert done == {-7: GROUP_PER_MINUTE, 7: 59}


def test_thirty_a_second_over_all_chats() -> None:
    limits = Limits(Clock())
    assert sum(allowed(limits, chat, 1) for chat in range(1, 50)) == OVERALL_PER_SECOND


def test_retry_after_is_enough_and_not_more_than_a_second_too_much() -> None:
    clock = Clock()
    limits = Limits(clock)
    for number in range(GROUP_PER_MINUTE):
        limits.check(-7)
        clock.seconds += 1.0 if number < GROUP_PER_MINUTE - 1 else 0.0
    with pytest.raises(ApiError) as refusal:
        limits.check(-7)
    assert refusal.value.parameters == {"retry_after": 41}
    assert refusal.value.description == "Too Many Requests: retry after 41"
    clock.seconds += 41
    limits.check(-7)


@given(st.lists(st.tuples(st.integers(-3, 3).filter(bool), st.floats(0, 3)), max_size=120))
def test_no_minute_and_no_second_ever_holds_too_many(calls: list[tuple[int, float]]) -> None:
    clock = Clock()
    limits = Limits(clock)
    sent: list[tuple[float, int]] = []
    told: list[int] = []
    for chat, pause in calls:
        clock.seconds += pause
        try:
            limits.check(chat)
        except ApiError as refusal:
            told.append((refusal.parameters or {})["retry_after"])
            continue
        sent.append((clock.seconds, chat))
    assert all(1 <= seconds <= 60 for seconds in told)
    for at, chat in sent:
        assert sum(at - 1 < other <= at for other, _ in sent) <= OVERALL_PER_SECOND
        if chat < 0:
            assert sum(at - 60 < other <= at and where == chat for other, where in sent) <= GROUP_PER_MINUTE


async def test_edits_count_and_answers_to_presses_do_not(
    bot: Bot, control: Control, inbox: Any, playground: Playground, monotonic: Any
) -> None:
    await control.switch(limits=True)
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("A1", callback_data="a1")]])
    message = await bot.send_message(GROUP_ID, "0", reply_markup=keyboard)
    for number in range(1, CHAT_BURST):
        await bot.edit_message_text(str(number), GROUP_ID, message.message_id, reply_markup=keyboard)
    with pytest.raises(RetryAfter, match="Flood control exceeded"):
        await bot.edit_message_text("x", GROUP_ID, message.message_id)
    for _ in range(40):
        await control.press(ZIMA, GROUP_ID, message.message_id, "a1", wait=0)
    for update in await inbox.take():
        await update.callback_query.answer()
    await bot.get_chat_member(GROUP_ID, ZIMA)
    await bot.send_message(FORUM_ID, "в другом чате можно")
    monotonic.seconds += 1
    await bot.edit_message_text("x", GROUP_ID, message.message_id)
    refused = [one for one in await control.calls() if one["code"] == 429]
    assert [one["method"] for one in refused] == ["editMessageText"]


async def test_the_worlds_clock_does_not_lift_the_limits(bot: Bot, control: Control) -> None:
    await control.switch(limits=True)
    for number in range(CHAT_BURST):
        await bot.send_message(GROUP_ID, str(number))
    await control.advance(3600)
    with pytest.raises(RetryAfter):
        await bot.send_message(GROUP_ID, "x")


async def test_an_album_counts_its_pictures(bot: Bot, control: Control, pictures: Any, monotonic: Any) -> None:
    await control.switch(limits=True)
    for _ in range(2):
        await bot.send_media_group(GROUP_ID, [InputMediaPhoto(pictures.png(9, 9)) for _ in range(10)])
    monotonic.seconds += 30
    with pytest.raises(RetryAfter):
        await bot.send_message(GROUP_ID, "x")
    monotonic.seconds += 31
    await bot.send_message(GROUP_ID, "x")


async def test_limits_are_on_by_default() -> None:
    assert Playground().api.limits.on
