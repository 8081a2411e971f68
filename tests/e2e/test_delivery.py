"""Telegram refuses, asks to wait, answers late or not at all; people delete messages; a group changes its number."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engines.sea_battle.cells import cell_name
from engines.sea_battle.model import Phase
from playground.scene import GROUP_ID, SMALL_GROUP_ID
from storage import outbox
from storage.records import MatchPhase
from tests.e2e.duel import BLUE, RED, TEXT, Duel, label
from tests.e2e.table import Table, table

TUESDAY = "2027-03-02T12:00:00+03:00"
WAIT = {"code": 429, "description": "Too Many Requests: retry after 1", "parameters": {"retry_after": 1}}


@pytest.fixture
async def at(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Table]:
    """A table at which nothing goes wrong in the bot itself, and nothing is left unsaid."""
    async with table(tmp_path / "bot.db", moment=TUESDAY) as here:
        yield here
        await here.settle()
        async with here.bot.database.reading() as db:
            assert await outbox.count(db) == 0
    faults = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert not faults, [record.getMessage() for record in faults]


async def boards(at: Table, chat: int | None = None) -> int:
    """How many messages of a chat have the button that shoots."""
    found = await at.control.messages(chat or at.group)
    return sum(at.button(message, label("sea-button-shoot")) is not None for message in found)


async def test_when_telegram_asks_to_wait_everything_is_said_later_and_once(at: Table) -> None:
    duel = await Duel.placing(at)
    for method in ("sendMessage", "sendPhoto", "editMessageText", "editMessageCaption", "editMessageMedia"):
        await at.control.fault(method, **WAIT)
    for who in duel.people:
        await duel.press(who, "sea-button-random", private=True)
        await duel.press(who, "sea-button-confirm", private=True)
    await duel.press(RED, "sea-button-start")
    for _ in range(2):
        await duel.miss()
    texts = [text for text in await at.texts() if "СДЕЛАЛИ ХОД" in text]
    assert len(texts) == len(set(texts)) == 2
    calls = await at.control.calls()
    assert len({call["method"] for call in calls if call["code"] == 429}) >= 3


async def test_an_answer_is_not_lost_when_telegram_asks_to_wait(at: Table) -> None:
    await at.control.fault("sendMessage", **WAIT)
    await at.say(BLUE, "/help")
    await at.hears("/delegate")
    # And a screen that a press shows.
    await Duel.open(at)
    await at.control.fault("editMessageText", **WAIT)
    await at.press(RED, label("button-options"))
    await at.settle()
    assert at.button(await at.newest(), label("button-back")) is not None


@pytest.mark.parametrize("fault", [{"code": 500, "description": "Internal Server Error"}, {"code": 0}])
async def test_a_server_that_fails_in_mid_turn_loses_nothing(at: Table, fault: dict[str, object]) -> None:
    duel = await Duel.playing(at)
    for method in ("sendMessage", "sendPhoto", "setMessageReaction", "answerCallbackQuery"):
        await at.control.fault(method, **fault)
    await duel.miss()
    assert await boards(at) >= 2
    shooter, _ = await duel.on_move()
    assert at.button(await at.newest(who=shooter), "^А$") is not None
    await duel.miss()


async def test_an_answer_lost_on_the_way_repeats_a_message_but_never_a_move(at: Table) -> None:
    duel = await Duel.playing(at)
    await at.control.fault("sendMessage", code=0, after=True)
    await at.control.fault("sendPhoto", code=0, after=True)
    await duel.miss()
    await duel.miss()
    assert await duel.shots() == 2
    assert (await duel.view()).turn == 3
    # The message that counts is the one that the bot knows of: it is edited from now on.
    slot = await duel.slot("turn")
    assert slot == (await at.newest(button=label("sea-button-shoot")))["message_id"]


async def test_a_message_that_was_deleted_is_posted_anew_and_the_newest_picture_with_it(at: Table) -> None:
    duel = await Duel.placing(at)
    for chat, slot in ((at.group, "turn"), (at.people[RED], f"panel:{await seat_of(duel, RED)}")):
        await at.control.delete(chat, await duel.slot(slot))
    gone = await duel.slot("turn")
    await duel.press(BLUE, "sea-button-random", private=True)
    await duel.press(BLUE, "sea-button-confirm", private=True)
    assert await duel.slot("turn") != gone
    await at.control.start(at.people[RED], f"s{duel.id}")
    await at.settle()
    await duel.press(RED, "sea-button-random", private=True)
    gone_by_then = {"code": 400, "description": "Bad Request: message to edit not found"}
    # And one that was deleted while somebody was pressing its buttons.
    panel = await at.newest(who=RED, button=label("sea-button-confirm"))
    await at.control.fault("editMessageCaption", chat=at.people[RED], **gone_by_then)
    await at.control.fault("editMessageMedia", chat=at.people[RED], **gone_by_then)
    await duel.press(RED, "sea-button-confirm", private=True)
    assert (await at.newest(who=RED))["message_id"] > panel["message_id"]
    await at.control.clear_faults()
    await duel.press(RED, "sea-button-start")
    await duel.miss()


async def seat_of(duel: Duel, who: str) -> int:
    seats = range(len((await duel.view()).players))
    [seat] = [seat for seat in seats if await duel.name(seat) == who]
    return seat


async def test_a_lobby_that_was_deleted_is_there_again_with_the_next_who_joins(at: Table) -> None:
    duel = await Duel.open(at)
    await at.control.delete(at.group, await duel.slot("lobby"))
    await at.control.start(at.people["Юнга"], f"j{duel.id}")
    await at.settle()
    assert "Юнга" in (await at.newest(button=label("button-begin")))["text"]


async def test_a_press_that_is_answered_too_late_counts_all_the_same(at: Table) -> None:
    duel = await Duel.open(at)
    lobby = await at.newest(button=label("button-begin"))
    late = "Bad Request: query is too old and response timeout expired or query ID is invalid"
    await at.control.fault("answerCallbackQuery", code=400, description=late)
    await at.control.press(at.people[RED], at.group, lobby["message_id"], button=TEXT.plain("button-begin"), wait=0)
    await at.settle()
    assert (await duel.stored()).phase is MatchPhase.RUNNING


async def test_when_rights_cannot_be_asked_for_the_person_is_told_and_nothing_changes(at: Table) -> None:
    duel = await Duel.open(at)
    await at.control.fault("getChatMember", code=502, description="Bad Gateway", times=3)
    assert (await at.press(RED, label("button-begin")))["text"] == TEXT.plain("went-wrong")
    await at.say(RED, "/language en")
    await at.hears(re.escape(TEXT.plain("went-wrong")))
    await at.control.start(at.people["Юнга"], f"j{duel.id}")
    await at.hears(re.escape(TEXT.plain("went-wrong")), who="Юнга")
    assert (await duel.stored()).phase is MatchPhase.LOBBY
    assert (await at.press(RED, label("button-begin")))["text"] == TEXT.plain("begun")


async def test_where_pictures_are_forbidden_words_must_do(at: Table) -> None:
    description = "Bad Request: not enough rights to send photos to the chat"
    await at.control.fault("sendPhoto", chat=GROUP_ID, code=400, description=description, times=1000)
    await at.control.fault("editMessageMedia", chat=GROUP_ID, code=400, description=description, times=1000)
    duel = await Duel.playing(at)
    await duel.miss()
    assert at.button(await at.newest(), label("sea-button-shoot")) is not None


class TestMigration:
    @pytest.mark.parametrize("phase", [Phase.PLACING, Phase.PLAYING])
    async def test_a_match_goes_on_in_the_supergroup_and_can_be_pressed_there(self, at: Table, phase: Phase) -> None:
        start = Duel.placing if phase is Phase.PLACING else Duel.playing
        duel = await start(at, SMALL_GROUP_ID)
        old = [m for m in await at.control.messages(SMALL_GROUP_ID) if at.buttons(m)][-1]
        new = (await at.control.migrate(SMALL_GROUP_ID))["id"]
        await at.settle()
        assert (await duel.stored()).chat_id == new
        duel.chat = at.group = new
        [shown] = [m for m in await at.control.messages(new) if at.buttons(m)]
        assert [b["text"] for b in at.buttons(shown)] == [b["text"] for b in at.buttons(old)]
        if phase is Phase.PLACING:
            for who in duel.people:
                await duel.press(who, "sea-button-random", private=True)
                await duel.press(who, "sea-button-confirm", private=True)
            await duel.press(RED, "sea-button-start")
        await duel.miss()
        await duel.miss()

    async def test_a_lobby_goes_with_its_group(self, at: Table) -> None:
        duel = await Duel.open(at, SMALL_GROUP_ID)
        at.group = duel.chat = (await at.control.migrate(SMALL_GROUP_ID))["id"]
        await at.settle()
        await at.control.start(at.people["Юнга"], f"j{duel.id}")
        await at.settle()
        assert "Юнга" in (await at.newest(button=label("button-begin")))["text"]
        assert (await at.press(RED, label("button-begin")))["text"] == TEXT.plain("begun")

    async def test_an_error_tells_of_it_before_any_service_message(self, at: Table) -> None:
        duel = await Duel.playing(at, SMALL_GROUP_ID)
        people = [at.people[who] for who in duel.people]
        new = (await at.control.add_chat("supergroup", "Камбуз", members=people, admins=people[:1]))["id"]
        await at.settle()
        upgraded = {"code": 400, "description": "Bad Request: group chat was upgraded to a supergroup chat"}
        for method in ("sendPhoto", "sendMessage", "editMessageMedia", "editMessageCaption", "getChatMember"):
            await at.control.fault(
                method, chat=SMALL_GROUP_ID, **upgraded, parameters={"migrate_to_chat_id": new}, times=1000
            )
        before = len(await at.texts(SMALL_GROUP_ID))
        shooter, _ = await duel.on_move()
        await at.say(shooter, await duel.water(), private=True)
        await at.settle()
        assert (await duel.stored()).chat_id == new
        assert len(await at.texts(SMALL_GROUP_ID)) == before
        duel.chat = at.group = new
        assert await boards(at, new) == 1
        assert any("СДЕЛАЛИ ХОД" in text for text in await at.texts(new))
        await duel.miss()
        await at.say(RED, "/referee end none")
        await at.settle()
        assert (await duel.stored()).phase is MatchPhase.OVER

    async def test_a_move_that_waits_in_the_same_batch_is_not_lost(self, at: Table) -> None:
        duel = await Duel.playing(at, SMALL_GROUP_ID)
        shooter, target = await duel.on_move()
        # The bot is busy; meanwhile somebody shoots, the group changes, and the next one shoots in the new one.
        await at.control.fault("answerCallbackQuery", delay=0.5)
        hello = await at.newest(who=RED)
        busy = await at.control.press(at.people[RED], at.people[RED], hello["message_id"], "x", stale=True, wait=0)
        assert busy["answer"] is None
        await at.say(shooter, f"То {target} - {await duel.water()}", chat=SMALL_GROUP_ID)
        at.group = duel.chat = (await at.control.migrate(SMALL_GROUP_ID))["id"]
        cell = await own_water(duel, shooter)
        await at.say(target, f"То {shooter} - {cell}", chat=at.group)
        await at.settle()
        assert await duel.shots() == 2


async def own_water(duel: Duel, owner: str) -> str:
    """A cell of somebody's board that is water."""
    state = await duel.state()
    board = state.players[await seat_of(duel, owner)]
    taken = {cell for ship in board.ships for cell in ship.cells()}
    return cell_name(next(cell for cell in range(100) if cell not in taken))
