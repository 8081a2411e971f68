"""What goes wrong around a running match: Telegram's faults, a deleted message, a moved group, moves from two sides at
once, forged buttons; and secrets that stay secret whatever goes wrong."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from bot import NoSecrets
from engines.sea_battle import ENGINE
from engines.sea_battle.cells import cell_name
from playground.scene import SMALL_GROUP_ID
from storage import matches
from tests.e2e.duel import RED, TEXT, Duel, label
from tests.e2e.table import Json, Table, table

TUESDAY = "2027-03-02T12:00:00+03:00"


@pytest.fixture
async def at(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Table]:
    """A table at which nothing may happen that the log calls an error."""
    async with table(tmp_path / "bot.db", moment=TUESDAY) as here:
        yield here
        await here.settle()
    errors = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert not errors, errors


async def shown_turn(at: Table, duel: Duel) -> Json:
    """The message that shows the turn; fails if there are two that tell of it."""
    number = await duel.slot("turn")
    found = await at.control.messages(at.group)
    [message] = [message for message in found if message["message_id"] == number]
    assert "photo" in message
    assert [other["message_id"] for other in found if other.get("caption") == message["caption"]] == [number]
    return message


BUSY = {"code": 429, "description": "Too Many Requests: retry after 0", "parameters": {"retry_after": 0}}
BROKEN = {"code": 502, "description": "Bad Gateway"}
LOST = {"code": 0, "description": "the connection broke"}
NEVER = {"code": 400, "description": "Bad Request: REACTION_INVALID"}


async def test_whatever_telegram_refuses_once_each_turn_is_shown_once(at: Table) -> None:
    duel = await Duel.playing(at)
    for faults in (
        {"sendPhoto": BUSY, "editMessageCaption": BUSY, "setMessageReaction": NEVER},
        {"sendPhoto": BROKEN, "editMessageCaption": LOST, "getUpdates": BROKEN},
        {"sendPhoto": LOST, "editMessageCaption": BROKEN, "setMessageReaction": LOST, "getUpdates": BUSY},
    ):
        for method, fault in faults.items():
            await at.control.fault(method, **fault)
        await duel.miss()
        due = (await duel.stored()).due_at
        await at.say(RED, "/referee time 1h")
        await at.settle()
        assert (await duel.stored()).due_at != due
        assert not await at.control.get("faults"), "not met with"
        assert at.button(await shown_turn(at, duel), label("sea-button-shoot")) is not None


async def test_who_cannot_be_known_to_be_an_administrator_is_told_and_asks_again(at: Table) -> None:
    duel = await Duel.placing(at)
    due = (await duel.stored()).due_at
    await at.control.fault("getChatMember", **LOST)
    await at.say(RED, "/referee time 1h")
    await at.hears(re.escape(TEXT.plain("went-wrong")))
    assert (await duel.stored()).due_at == due
    await at.control.fault("getChatMember", **BUSY)
    pressed = await at.control.press(
        at.people[RED], at.group, (await at.newest())["message_id"], f"s.start:{duel.id}:", stale=True
    )
    assert pressed["answer"]["text"] == TEXT.plain("went-wrong")
    await at.say(RED, "/referee time 1h")
    await at.settle()
    assert (await duel.stored()).due_at != due


async def test_a_turn_that_somebody_deleted_is_posted_anew_once_it_changes(at: Table) -> None:
    duel = await Duel.playing(at)
    gone = (await shown_turn(at, duel))["message_id"]
    await at.control.delete(at.group, gone)
    await at.say(RED, "/referee time 1h")
    await at.settle()
    assert (await shown_turn(at, duel))["message_id"] > gone
    await duel.miss()


async def test_a_match_goes_on_when_its_group_becomes_a_supergroup(at: Table) -> None:
    duel = await Duel.playing(at, SMALL_GROUP_ID, ("Вирт", "Юнга"))
    await duel.miss()
    at.group = duel.chat = (await at.control.migrate(SMALL_GROUP_ID))["id"]
    await duel.miss()
    await duel.miss()
    assert (await duel.stored()).chat_id == at.group
    await shown_turn(at, duel)
    assert (await at.say("Вирт", "/sea"))["chat"]["id"] == at.group
    await at.settle()
    assert [call for call in await at.control.calls() if not call["ok"]] == []


async def test_one_shot_made_in_private_and_in_the_group_at_once_is_made_once(at: Table) -> None:
    duel = await Duel.playing(at)
    shooter, target = await duel.on_move()
    person, cell, state = at.people[shooter], await duel.water(), await duel.state()
    [seat] = [player.seat for player in (await duel.view()).players if player.may_shoot]
    number = next(number for number in range(100) if cell_name(number) == cell)
    fire = f"s.fire:{duel.id}:{ENGINE.stamp(state, seat)}:{state.players[seat].pair}:{number}"
    panel = await at.newest(who=shooter)
    await asyncio.gather(
        *(at.control.press(person, person, panel["message_id"], fire, stale=True) for _ in range(2)),
        at.say(shooter, f"То {target} - {cell}"),
        at.say(shooter, f"/shot {target} {cell}"),
    )
    await at.settle()
    assert await duel.shots() == 1
    assert (await duel.state()).turn == state.turn + 1


REFUSED = ("not_in_chat", "not_in_lobby", "not_referee")


async def test_a_stranger_learns_nothing_of_a_match_by_forged_buttons(at: Table) -> None:
    duel = await Duel.placing(at)
    stranger = (await at.control.add_person("Чужой", language_code="ru"))["id"]
    await at.control.start(stranger, "hello")
    await at.settle()
    seen = await at.control.messages(stranger)
    for verb in ("s.r", "s.re", "s.rt", "s.p", "s.ps", "s.start", "s.rend", "options", "lobby"):
        data = f"{verb}:{duel.id}:"
        pressed = await at.control.press(stranger, stranger, seen[-1]["message_id"], data, stale=True)
        assert pressed["answer"]["text"] in {TEXT.plain(f"refuse-{code}") for code in REFUSED}, data
    await at.settle()
    assert await at.control.messages(stranger) == seen


async def test_no_text_and_no_command_is_too_long_too_large_or_too_strange(at: Table) -> None:
    duel = await Duel.playing(at)
    before = await duel.stored()
    _, target = await duel.on_move()
    many = "9" * 30
    texts = [
        *(
            f"/export {many}",
            f"/export {'9' * 4000}",
            "/export -1",
            "/export ²",
            f"/status {many}",
            "/start j1",
            "/",
            "//",
        ),
        *(f"/referee time {many}d", "/referee time 999999d", "/referee time 0m", "/referee pause 999999d x"),
        *(
            "/referee dayoff 9999-12-31",
            "/referee dayoff 0001-01-01",
            f"/referee {'x' * 3900}",
            f"/referee undo {many}",
        ),
        *("/referee eliminate \u202e", "/referee end", "/shot", f"/shot {many}", "/shot А0", "/shot А11", "/shot А²"),
        *("/shot А١", f"/shot {'А' * 4000}", f"/shot {target}", "/language zz", "/help@", "/sea@other", "/succession"),
        *("А" * 4096, "То " * 1300, "мимо " * 800, f"{target} " * 300, "А1-А4," * 600, "🚢" * 2000, "(" * 4000),
    ]
    for who, private in (("Mirra", False), *((who, private) for who in duel.people for private in (False, True))):
        for text in texts:
            await at.say(who, text, private=private)
        await at.settle()
    after = await duel.stored()
    assert (after.version, after.state, after.due_at) == (before.version, before.state, before.due_at)
    assert [call for call in await at.control.calls() if not call["ok"]] == []


async def test_people_who_join_while_the_lot_is_drawn_are_in_the_match_or_told_that_it_runs(at: Table) -> None:
    duel = await Duel.open(at)
    late = ("Вирт", "Юнга", "Mirra", "Боцман Палыч")
    lobby = await at.newest(button=label("button-begin"))
    begin = at.press(RED, label("button-begin"), message=lobby)
    joins = [at.control.start(at.people[who], f"j{duel.id}") for who in late]
    await asyncio.gather(*joins[:2], begin, *joins[2:])
    await at.settle()
    async with at.bot.database.reading() as db:
        members = await matches.members(db, duel.id)
    seats = [member.seat for member in members]
    assert {member.person_id for member in members} == {at.people[who] for who in (*duel.people, *late)}
    assert [seat for seat in seats if seat is not None] == list(range(len((await duel.view()).players)))
    for who in late:
        assert (await at.newest(who=who))["from"]["is_bot"], f"{who} was not answered"


def test_the_token_stays_out_of_the_log_even_in_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    token = "123456789:AAF-abcdefghijklmnopqrstuvwxyz012345"
    address = f"https://api.telegram.org/bot{token}/getMe"
    handler = logging.StreamHandler()
    handler.setFormatter(NoSecrets())
    logger = logging.Logger("secrets")
    logger.addHandler(handler)
    try:
        try:
            raise httpx.ConnectError(f"no way to {address}", request=httpx.Request("GET", address))
        except httpx.ConnectError as error:
            raise RuntimeError(f"{address.replace(':AAF', '%3AAAF')} failed") from error
    except RuntimeError as error:
        logger.exception("asking %s", address, stack_info=True)
        logger.error("%s %r", error, {"url": address})
    logger.error("%d addresses", "no")  # a faulty call is reported, and harms nobody
    said = capsys.readouterr().err
    assert "AAF-abc" not in said
    assert "ConnectError" in said
