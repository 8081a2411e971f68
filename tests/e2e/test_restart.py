"""Killed, stopped and started again in every phase and at the worst instants; time that passes meanwhile."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from engines.sea_battle.model import Phase
from playground.scene import GROUP_ID, PEOPLE
from storage.records import MatchPhase
from tests.e2e.duel import label
from tests.e2e.village import RED_AND_BLUE, TEXT, Village, open_village

RED, BLUE = RED_AND_BLUE
THIRD = PEOPLE[2][0]
TUESDAY = "2027-03-02T12:00:00+03:00"
STOP_SECONDS = 5.0
"""What a graceful stop may take, whatever hangs."""


@pytest.fixture
async def village(tmp_path: Path) -> AsyncIterator[Village]:
    """A village in which the bot, however often it dies, writes of no fault of its own."""
    async with open_village(tmp_path / "referee.db") as here:
        await here.control.move_to(TUESDAY)
        yield here
    said = here.log.read_text()
    assert not re.search(r"Traceback|ERROR|CRITICAL|Warning:", said), said


async def shots_of(village: Village) -> int:
    _, record = await village.stored()
    return sum('"do":"shoot"' in line.body for line in record)


class TestKilled:
    async def test_in_the_lobby_it_is_revived_and_what_was_pressed_meanwhile_counts(self, village: Village) -> None:
        await village.control.send(RED, GROUP_ID, "/sea")
        lobby = await village.control.wait(GROUP_ID, re.escape(TEXT.plain("game-sea_battle")))
        link = village.link(lobby, TEXT.plain("button-join"))
        await village.quiet()
        await village.kill(signal.SIGKILL)

        # While it is down two join, one changes his mind by a button of before, and somebody only looks on.
        await village.control.start(BLUE, link)
        await village.control.start(THIRD, link)
        await village.control.press(THIRD, GROUP_ID, lobby["message_id"], button=TEXT.plain("button-leave"), wait=0)
        await village.start_bot()
        edited = await village.control.wait(
            GROUP_ID, re.escape(TEXT.html("lobby-joined", n=2)), after=lobby["version"], timeout=20
        )
        await village.quiet()
        assert edited["message_id"] == lobby["message_id"], "the lobby was posted anew"
        with_begin = [m for m in await village.control.messages(GROUP_ID) if village.data(m, label("button-begin"))]
        assert len(with_begin) == 1
        # Its buttons of before go on working.
        assert await village.press(RED, GROUP_ID, label("button-options"), lobby) == ""
        await village.control.wait(GROUP_ID, "", button=label("button-back"))
        assert await village.press(RED, GROUP_ID, label("button-begin"), lobby) == TEXT.plain("begun")

    async def test_while_boards_are_placed_drafts_stay_and_panels_work(self, village: Village) -> None:
        await village.to_placing()
        await village.press(RED, RED, label("sea-button-random"))
        panel = await village.control.wait(RED, "", button=label("sea-button-confirm"))
        await village.quiet()
        async with village.peek() as (state, _):
            fleets = [player.ships for player in state.players]
        before = {chat: await village.texts(chat) for chat in (GROUP_ID, RED, BLUE)}
        await village.kill(signal.SIGKILL)
        await village.start_bot()
        await village.quiet()
        async with village.peek() as (state, _):
            assert [player.ships for player in state.players] == fleets
        assert {chat: await village.texts(chat) for chat in before} == before, "something was said at a quiet restart"
        assert await village.press(RED, RED, label("sea-button-confirm"), panel) != TEXT.plain("refuse-stale")
        await village.quiet()
        async with village.peek() as (_, view):
            assert [player.fleet_ready for player in view.players].count(True) == 1

    async def test_a_press_that_was_stored_but_not_yet_confirmed_is_done_once(self, village: Village) -> None:
        await village.to_first_turn()
        async with village.peek() as (_, view):
            shooter = next(player for player in view.players if player.may_shoot)
        me = RED_AND_BLUE[shooter.seat]
        for pattern in ("^А$", "^А1$"):
            await village.press(me, me, pattern)
            await village.quiet()
        fire = await village.shown(me, "А1")
        await village.control.fault("answerCallbackQuery", delay=60)
        pressed = await village.control.press(me, me, fire["message_id"], village.data(fire, "А1"), wait=0)
        assert pressed["answer"] is None
        await village.control.struck()
        await village.control.wait(GROUP_ID, "СДЕЛАЛИ ХОД", button=label("sea-button-shoot"))
        await village.outbox_empty()
        assert village.playground.api.updates.pending, "it was confirmed already"
        assert await shots_of(village) == 1
        before = await village.texts()
        await village.kill(signal.SIGKILL)
        await village.start_bot()
        await village.quiet()
        assert await shots_of(village) == 1
        assert await village.texts() == before

    async def test_a_whole_batch_that_was_not_confirmed_comes_again_and_changes_nothing(self, village: Village) -> None:
        await village.to_first_turn()
        async with village.peek() as (_, view):
            shooter = next(player for player in view.players if player.may_shoot)
        me, enemy = RED_AND_BLUE[shooter.seat], RED_AND_BLUE[shooter.opponents[0]]
        name = next(person[1] for person in PEOPLE if person[0] == enemy)
        held = await village.shown(enemy, "")
        await village.quiet()
        await village.kill(signal.SIGKILL)
        # One batch: a move in words, a new lobby, somebody who joins it, and a press whose answer hangs.
        await village.control.send(me, GROUP_ID, f"То {name} - А1")
        await village.control.send(THIRD, GROUP_ID, "/sea")
        await village.control.start(THIRD, "j1")
        await village.control.fault("answerCallbackQuery", delay=60)
        await village.control.press(enemy, enemy, held["message_id"], "x", stale=True, wait=0)
        await village.start_bot()
        await village.control.struck()
        await village.control.wait(GROUP_ID, "СДЕЛАЛИ ХОД", button=label("sea-button-shoot"))
        await village.control.wait(GROUP_ID, "", button=label("button-begin"))
        await village.outbox_empty()
        assert len(village.playground.api.updates.pending) >= 4
        await village.kill(signal.SIGKILL)
        await village.start_bot()
        await village.quiet()
        assert village.playground.api.updates.pending == []
        assert await shots_of(village) == 1
        messages = await village.control.messages(GROUP_ID)
        assert sum("СДЕЛАЛИ ХОД" in (m.get("caption") or m.get("text") or "") for m in messages) == 1
        assert sum(village.data(m, label("button-begin")) is not None for m in messages) == 1, "two lobbies"

    async def test_what_was_stored_but_not_said_is_said_after_the_start(self, village: Village) -> None:
        await village.to_first_turn()
        async with village.peek() as (_, view):
            shooter = next(player for player in view.players if player.may_shoot)
        me = RED_AND_BLUE[shooter.seat]
        await village.control.fault("sendPhoto", delay=60, chat=GROUP_ID)
        await village.control.send(me, me, "А1")
        await village.control.struck()
        await village.kill(signal.SIGKILL)
        assert await shots_of(village) == 1
        assert not any("СДЕЛАЛИ ХОД" in text for text in await village.texts())
        await village.start_bot()
        await village.control.wait(GROUP_ID, "СДЕЛАЛИ ХОД", button=label("sea-button-shoot"), timeout=20)
        await village.quiet()
        assert sum("СДЕЛАЛИ ХОД" in text for text in (await village.texts()).elements()) == 1


class TestTime:
    async def test_the_time_of_absence_is_given_back_even_if_a_start_fails_in_between(self, village: Village) -> None:
        await village.to_first_turn()
        await village.quiet()
        before, _ = await village.stored()
        assert before.due_at is not None
        await village.kill(signal.SIGKILL)
        await village.control.advance(7 * 3600)

        # Telegram does not answer at the first attempt.
        await village.control.fault("getMe", code=502, description="Bad Gateway", times=2)
        await village.launch()
        assert village.bot is not None
        assert await village.bot.wait() == 1
        await village.control.clear_faults()
        village.log.write_text("")

        await village.start_bot()
        await village.control.wait(GROUP_ID, "Рефери был недоступен", timeout=20)
        await village.quiet()
        after, _ = await village.stored()
        assert after.due_at is not None
        assert timedelta(hours=6, minutes=55) < after.due_at - before.due_at < timedelta(hours=7, minutes=5)

    async def test_a_deadline_that_passed_while_it_was_down_puts_nobody_out_and_moves_made_then_count(
        self, village: Village
    ) -> None:
        await village.to_first_turn()
        await village.quiet()
        async with village.peek() as (_, view):
            shooter = next(player for player in view.players if player.may_shoot)
        me = RED_AND_BLUE[shooter.seat]
        before, _ = await village.stored()
        assert before.due_at is not None
        await village.kill(signal.SIGKILL)
        await village.control.advance(10 * 3600)
        await village.control.send(me, me, "А1")
        await village.control.advance(10 * 3600)
        assert (await village.control.clock())["now"] > before.due_at.timestamp()
        await village.start_bot()
        await village.quiet()
        async with village.peek() as (_, view):
            assert view.phase is Phase.PLAYING
            assert all(player.out is None for player in view.players)
        assert await shots_of(village) == 1


class TestStopped:
    async def test_whatever_hangs_a_stop_is_quick_and_nothing_is_lost(self, village: Village) -> None:
        await village.to_first_turn()
        await village.quiet()
        async with village.peek() as (_, view):
            shooter = next(player for player in view.players if player.may_shoot)
        me = RED_AND_BLUE[shooter.seat]
        held = await village.shown(me, "^А$")
        for method in ("sendPhoto", "answerCallbackQuery"):
            await village.control.fault(method, delay=60)
        await village.control.send(me, me, "А1")
        await village.control.press(me, me, held["message_id"], "x", stale=True, wait=0)
        await village.control.struck()
        began = time.monotonic()
        assert await village.kill(signal.SIGTERM) == 0
        assert time.monotonic() - began < STOP_SECONDS
        assert await shots_of(village) == 1
        await village.start_bot()
        await village.control.wait(GROUP_ID, "СДЕЛАЛИ ХОД", button=label("sea-button-shoot"), timeout=20)
        await village.quiet()
        assert await shots_of(village) == 1
        assert village.playground.api.updates.pending == []

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    async def test_a_stop_in_peace_confirms_everything_and_leaves_nothing(
        self, village: Village, number: signal.Signals
    ) -> None:
        await village.to_first_turn()
        await village.quiet()
        before = await village.texts()
        await village.control.send(RED, GROUP_ID, "просто разговор")
        await village.control.idle()
        assert await village.kill(number) == 0
        assert village.playground.api.updates.pending == []
        assert sorted(file.name for file in village.database.parent.iterdir()) == ["referee.db", "referee.log"]
        assert village.log.read_text() == ""
        await village.start_bot()
        await village.quiet()
        before["просто разговор"] += 1
        assert await village.texts() == before, "something was said at a quiet restart"

    async def test_a_stop_before_telegram_has_answered_is_as_quick(self, village: Village) -> None:
        assert await village.kill(signal.SIGTERM) == 0
        await village.control.fault("getMe", delay=60)
        await village.launch()
        await village.control.struck(timeout=20)
        began = time.monotonic()
        assert await village.kill(signal.SIGTERM) == 0
        assert time.monotonic() - began < STOP_SECONDS


async def test_a_lobby_killed_and_stopped_again_and_again_stays_one(village: Village) -> None:
    await village.control.send(RED, GROUP_ID, "/sea")
    lobby = await village.control.wait(GROUP_ID, re.escape(TEXT.plain("game-sea_battle")))
    await village.control.start(BLUE, village.link(lobby, TEXT.plain("button-join")))
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
        await village.quiet()
        await village.kill(number)
        await village.start_bot()
    await village.quiet()
    with_begin = [m for m in await village.control.messages(GROUP_ID) if village.data(m, label("button-begin"))]
    assert [m["message_id"] for m in with_begin] == [lobby["message_id"]]
    assert await village.press(RED, GROUP_ID, label("button-begin"), with_begin[0]) == TEXT.plain("begun")
    match, _ = await village.stored()
    assert match.phase is MatchPhase.RUNNING
