"""The control API: the clock, faults, the log, waiting, and refusals that explain."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import BadRequest, NetworkError, RetryAfter

from playground.client import Control, ControlError
from playground.scene import FORUM_ID, GROUP_ID, PEOPLE
from playground.server import Playground

Until = Callable[[Callable[[], bool]], Awaitable[None]]
ZIMA, ADVOKAT = (one[0] for one in PEOPLE[:2])


# -- the clock ---------------------------------------------------------------------------------------------------


async def test_moving_the_clock_dates_messages(control: Control) -> None:
    before = (await control.clock())["now"]
    moved = await control.advance(18 * 3600)
    assert moved["offset"] == 18 * 3600
    assert (await control.send(ZIMA, GROUP_ID, "х"))["date"] >= int(before) + 18 * 3600
    assert (await control.send(ZIMA, GROUP_ID, "х", date=1_700_000_000))["date"] == 1_700_000_000
    await control.move_to("2030-01-01T00:00:00+03:00")
    assert 0 <= (await control.clock())["now"] - 1_893_445_200 < 5
    with pytest.raises(ControlError, match="only goes forward"):
        await control.advance(-60)
    with pytest.raises(ControlError, match="ISO time"):
        await control.move_to("завтра")


async def test_a_move_is_answered_when_every_listener_has_come_back(playground: Playground, until: Until) -> None:
    clock = playground.api.clock
    polls = [asyncio.ensure_future(clock.poll(clock.version)) for _ in range(2)]
    await until(lambda: clock.listening == 2)
    move = asyncio.ensure_future(clock.move(60))
    await asyncio.gather(*polls)
    assert not move.done()
    again = [asyncio.ensure_future(clock.poll(clock.version))]
    await until(lambda: clock.listening == 1)
    assert not move.done()
    again.append(asyncio.ensure_future(clock.poll(clock.version)))
    await move
    for one in again:
        one.cancel()


async def test_a_move_without_listeners_is_answered_at_once(playground: Playground) -> None:
    await asyncio.wait_for(playground.api.clock.move(60, timeout=60), 5)


async def test_a_listener_between_two_polls_is_waited_for(playground: Playground) -> None:
    clock = playground.api.clock
    await clock.poll(clock.version, timeout=0)
    move = asyncio.ensure_future(clock.move(60))
    await asyncio.sleep(0)
    assert not move.done()
    await clock.poll(clock.version - 1)
    assert not move.done()
    last = asyncio.ensure_future(clock.poll(clock.version))
    await move
    last.cancel()


async def test_a_vanished_listener_does_not_hold_the_clock_for_ever(playground: Playground, until: Until) -> None:
    clock = playground.api.clock
    poll = asyncio.ensure_future(clock.poll(clock.version))
    await until(lambda: clock.listening == 1)
    await clock.move(60, timeout=0.01)
    await poll
    assert clock.offset == 60


async def test_a_poll_of_an_old_version_is_answered_at_once(control: Control) -> None:
    version = (await control.clock())["version"]
    await control.advance(5)
    assert await control.clock(after=version) == pytest.approx({**await control.clock()}, rel=1e-3)


# -- faults and the log ------------------------------------------------------------------------------------------


async def test_a_fault_strikes_as_often_as_ordered(bot: Bot, control: Control) -> None:
    await control.fault(
        "sendMessage",
        code=429,
        description="Too Many Requests: retry after 7",
        parameters={"retry_after": 7},
        times=2,
        chat=GROUP_ID,
    )
    await bot.send_message(FORUM_ID, "в другом чате")
    for _ in range(2):
        with pytest.raises(RetryAfter):
            await bot.send_message(GROUP_ID, "x")
    await bot.send_message(GROUP_ID, "y")
    assert await control.get("faults") == []
    assert [one.get("text") for one in await control.messages(GROUP_ID)][-1] == "y"


async def test_a_fault_after_the_deed(bot: Bot, control: Control) -> None:
    await control.fault("*", code=502, description="Bad Gateway", after=True)
    with pytest.raises(NetworkError, match="Bad Gateway"):
        await bot.send_message(GROUP_ID, "дошло")
    assert [one.get("text") for one in await control.messages(GROUP_ID)][-1] == "дошло"


async def test_a_broken_connection(bot: Bot, control: Control) -> None:
    await control.fault("sendMessage", code=0)
    with pytest.raises(NetworkError, match="ReadError"):
        await bot.send_message(GROUP_ID, "x")
    await control.fault("sendMessage", code=0)
    await control.clear_faults()
    await bot.send_message(GROUP_ID, "x")


async def test_a_fault_that_only_delays(bot: Bot, control: Control) -> None:
    await control.fault("sendMessage", delay=0.001)
    assert (await bot.send_message(GROUP_ID, "x")).text == "x"


async def test_the_log_tells_what_the_bot_called(bot: Bot, control: Control) -> None:
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("A1", callback_data="a1")]])
    sent = await bot.send_message(GROUP_ID, "[1]", reply_markup=keyboard)
    with pytest.raises(BadRequest):
        await bot.delete_message(GROUP_ID, 9999)
    await bot.get_updates()
    good, bad = (await control.calls())[-2:]
    assert (good["method"], good["ok"], good["message_id"]) == ("sendMessage", True, sent.message_id)
    assert good["params"]["text"] == "[1]"
    assert good["params"]["reply_markup"]["inline_keyboard"][0][0]["callback_data"] == "a1"
    assert (bad["code"], bad["description"]) == (400, "Bad Request: message to delete not found")
    assert await control.calls(good["n"]) == [bad]
    assert await control.calls(method="deleteMessage") == [bad]


async def test_calls_and_faults_can_be_waited_for(bot: Bot, control: Control) -> None:
    await control.fault("sendMessage", delay=0.001)
    waiting = asyncio.ensure_future(control.calls(method="sendMessage", count=2))
    struck = asyncio.ensure_future(control.struck())
    await bot.send_message(GROUP_ID, "1")
    await struck
    await bot.send_message(GROUP_ID, "2")
    assert [call["params"]["text"] for call in await waiting] == ["1", "2"]
    with pytest.raises(ControlError, match="2 calls of sendMessage"):
        await control.calls(method="sendMessage", count=3, timeout=0.001)
    await control.fault("sendPhoto", code=500)
    with pytest.raises(ControlError, match="sendPhoto"):
        await control.struck(timeout=0.001)


# -- waiting -----------------------------------------------------------------------------------------------------


async def test_waiting_for_a_message_that_is_there_comes_or_changes(bot: Bot, control: Control) -> None:
    sent = await bot.send_message(GROUP_ID, "ход 1")
    there = await control.wait(GROUP_ID, "^ход")
    assert there["message_id"] == sent.message_id
    coming = asyncio.ensure_future(control.wait(GROUP_ID, r"ход \d", after=there["version"]))
    await bot.send_message(FORUM_ID, "ход 5")
    await bot.send_message(GROUP_ID, "что-то иное")
    await bot.edit_message_text("ход 2", GROUP_ID, sent.message_id)
    assert (await coming)["text"] == "ход 2"
    with pytest.raises(ControlError, match=r"no message matched 'ход 3'.*'ход 2'"):
        await control.wait(GROUP_ID, "ход 3", after=there["version"], timeout=0)


async def test_waiting_for_a_sender_and_for_a_button(bot: Bot, control: Control) -> None:
    await control.send(ZIMA, GROUP_ID, "ход")
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Сдаться", callback_data="x")]])
    await bot.send_message(GROUP_ID, "ход")
    last = await bot.send_message(GROUP_ID, "ход", reply_markup=keyboard)
    assert (await control.wait(GROUP_ID, "ход", from_=ZIMA))["from"]["id"] == ZIMA
    assert (await control.wait(GROUP_ID, "ход", button="Сдаться"))["message_id"] == last.message_id


async def test_idle_is_when_everything_is_confirmed_and_quiet(
    bot: Bot, control: Control, playground: Playground
) -> None:
    assert await playground.api.idle(5, quiet=0.01)
    await control.send(ZIMA, GROUP_ID, "А4")
    assert not await playground.api.idle(0.02, quiet=0.01)
    (update,) = await bot.get_updates()
    assert not await playground.api.idle(0.02, quiet=0.01)
    waiting = asyncio.ensure_future(playground.api.idle(5, quiet=0.01))
    await bot.get_updates(offset=update.update_id + 1)
    assert await waiting


async def test_only_what_changed(bot: Bot, control: Control) -> None:
    one = await bot.send_message(GROUP_ID, "1")
    two = await bot.send_message(GROUP_ID, "2")
    version = (await control.get("messages", chat=GROUP_ID))["version"]
    await bot.edit_message_text("1+", GROUP_ID, one.message_id)
    await bot.delete_message(GROUP_ID, two.message_id)
    changed = await control.get("messages", chat=GROUP_ID, after=version)
    assert [one["text"] for one in changed["messages"]] == ["1+"]
    assert changed["deleted"] == [two.message_id]
    assert changed["version"] > version


async def test_a_person_deletes_and_the_bot_hears_nothing(control: Control, inbox: Any) -> None:
    said = await control.send(ZIMA, GROUP_ID, "ой")
    await inbox.take()
    await control.delete(GROUP_ID, said["message_id"])
    assert await inbox.take() == []


async def test_a_new_keyboard_is_no_edit_to_people(bot: Bot, control: Control) -> None:
    sent = await bot.send_message(GROUP_ID, "x")
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("A1", callback_data="a1")]])
    await bot.edit_message_reply_markup(GROUP_ID, sent.message_id, reply_markup=keyboard)
    assert (await control.messages(GROUP_ID))[-1]["edited"] == 0


# -- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("send", {"from": ZIMA, "chat": GROUP_ID}, "'text' is missing; given were"),
        ("send", {"from": 5, "chat": GROUP_ID, "text": "x"}, "there is no person 5"),
        ("send", {"from": ZIMA, "chat": 5, "text": "x"}, "there is no chat 5"),
        ("send", {"from": ZIMA, "chat": ADVOKAT, "text": "x"}, "private chat of Адвокат"),
        ("send", {"from": ZIMA, "chat": GROUP_ID, "text": "x" * 4097}, "longer than 4096"),
        ("send", {"from": ZIMA, "chat": FORUM_ID, "text": "x", "thread": 77}, "there is no topic 77"),
        ("send", {"from": "ZimA", "chat": FORUM_ID, "text": "x"}, "'from' must be a whole number"),
        ("press", {"from": ZIMA, "chat": GROUP_ID, "message_id": 9}, "there is no message 9"),
        ("chats", {"type": "channel", "title": "x"}, "type is 'group' or 'supergroup'"),
        ("chats", {"type": "group", "title": "x", "is_forum": True}, "only a supergroup has topics"),
        ("members", {"chat": GROUP_ID, "person": ZIMA, "status": "king"}, "status is one of"),
        ("people", {"first_name": "x", "id": ZIMA}, "is taken"),
        ("nothing", {}, "no control call POST nothing"),
    ],
)
async def test_refusals_say_what_is_wrong(control: Control, path: str, body: dict[str, Any], words: str) -> None:
    with pytest.raises(ControlError) as refusal:
        await control.post(path, **body)
    assert words in str(refusal.value)


async def test_a_new_person_in_a_new_group(control: Control, inbox: Any) -> None:
    person = await control.add_person("Кок", language_code="en", username="kok_x")
    assert (person["started"], person["blocked"]) == (False, False)
    chat = await control.add_chat("supergroup", "Новая", members=[person["id"]], admins=[ZIMA], is_forum=True)
    assert [(one["id"], one["status"]) for one in chat["members"][:2]] == [(ZIMA, "creator"), (person["id"], "member")]
    await inbox.take()
    await control.send(person["id"], chat["id"], "обед")
    (update,) = await inbox.take()
    assert update.message.from_user.language_code == "en"
    changed = await control.change_person(person["id"], first_name="Шеф", username=None)
    assert (changed["first_name"], changed.get("username")) == ("Шеф", None)
