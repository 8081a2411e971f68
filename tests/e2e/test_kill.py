"""The bot as a process of its own, killed (kill -9) or stopped in the middle of a match, and started again."""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engines.sea_battle import ENGINE
from engines.sea_battle.cells import cell_name
from engines.sea_battle.model import Phase
from playground.scene import GROUP_ID, PEOPLE
from storage import matches
from storage.records import ActionKind, MatchPhase
from storage.sqlite import SqliteDatabase
from tests.e2e.village import RED_AND_BLUE, TEXT, Village, open_village


@pytest.fixture
async def village(tmp_path: Path) -> AsyncIterator[Village]:
    async with open_village(tmp_path / "referee.db") as here:
        yield here


async def test_a_kill_in_mid_turn_loses_nothing_and_says_nothing_twice(village: Village) -> None:
    await village.to_first_turn()
    async with village.peek() as (_, view):
        shooter = next(player for player in view.players if player.may_shoot)
    me, foe = RED_AND_BLUE[shooter.seat], shooter.opponents[0]
    panel = await village.shown(me, "^А$")
    await village.control.idle()
    before = Counter(m.get("text") or m.get("caption") for m in await village.control.messages(GROUP_ID))
    await village.kill(signal.SIGKILL)

    # While it is down somebody shoots; Telegram keeps the message.
    name = next(p[1] for p in PEOPLE if p[0] == RED_AND_BLUE[foe])
    await village.control.send(me, GROUP_ID, f"То {name} - Е5")
    await village.start_bot()
    await village.control.wait(GROUP_ID, "СДЕЛАЛИ ХОД")
    async with village.peek() as (_, view):
        assert [cell_name(shot.cell) for shot in view.boards[foe].shots] == ["Е5"]
        assert view.turn in (2, 3)
    after = Counter(m.get("text") or m.get("caption") for m in await village.control.messages(GROUP_ID))
    assert all(after[text] <= count for text, count in before.items()), "something was said twice"

    # A button from before the kill still answers: it is of a turn that is over.
    assert await village.press(me, me, "^А$", panel) == TEXT.plain("refuse-stale")


async def test_a_button_from_before_a_kill_works(village: Village) -> None:
    await village.to_first_turn()
    async with village.peek() as (_, view):
        me = RED_AND_BLUE[next(player.seat for player in view.players if player.may_shoot)]
    panel = await village.shown(me, "^А$")
    await village.kill(signal.SIGKILL)
    await village.start_bot()
    await village.press(me, me, "^А$", panel)
    await village.control.wait(me, "", button="^А1$")
    await village.press(me, me, "^А1$")
    fire = TEXT.plain("sea-button-fire", name="NAME", cell="А1").partition("NAME")[0].strip()
    await village.control.wait(me, "", button=re.escape(fire))
    await village.press(me, me, re.escape(fire))
    await village.control.wait(GROUP_ID, "СДЕЛАЛИ ХОД")


async def test_a_graceful_stop_is_quick_and_a_lobby_is_revived(village: Village) -> None:
    red, blue = RED_AND_BLUE
    await village.control.send(red, GROUP_ID, "/sea")
    lobby = await village.control.wait(GROUP_ID, re.escape(TEXT.plain("game-sea_battle")))
    assert await village.kill(signal.SIGTERM) == 0
    await village.start_bot()
    await village.control.start(blue, village.link(lobby, TEXT.plain("button-join")))
    edited = await village.control.wait(GROUP_ID, re.escape(TEXT.html("lobby-joined", n=2)))
    assert edited["message_id"] == lobby["message_id"], "the lobby was posted anew"


async def test_kills_at_any_moment_leave_each_acknowledged_shot_stored_once(village: Village) -> None:
    await village.to_first_turn()
    rounds = 6
    for number in range(rounds):
        async with village.peek() as (state, view):
            if view.phase is Phase.OVER:
                break
            shooter = next(player for player in view.players if player.may_shoot)
            target = shooter.opponents[0]
            shot = {seen.cell for seen in view.boards[target].shots}
            turn = view.turn
        cell = cell_name(next(c for c in range(99, -1, -1) if c not in shot))
        person = RED_AND_BLUE[shooter.seat]
        await village.control.send(person, person, cell)
        # Now at once, then once the reaction was made, then once the hand-over is told: before, between and after.
        if number % 3 == 1:
            await village.control.wait(GROUP_ID, cell, timeout=5)
        elif number % 3 == 2:
            await village.control.idle()
        await village.kill(signal.SIGKILL)
        await village.start_bot()
        await village.control.wait(GROUP_ID, f"ход {turn + 1}|ход {turn + 2}|ход {turn + 3}")
    db = await SqliteDatabase.open(village.database)
    async with db.reading() as reading:
        match = await matches.get(reading, 1)
        record = await matches.actions(reading, 1)
    await db.close()
    assert match is not None
    assert match.phase is MatchPhase.RUNNING
    assert sum('"do":"shoot"' in line.body for line in record) == rounds
    state, _ = ENGINE.new(match.lots, ENGINE.read_options(match.options), match.seed)
    for line in record[1:]:
        assert line.kind is ActionKind.ACT
        state, _ = ENGINE.apply(state, line.seat, ENGINE.read_action(line.body))
    assert match.state is not None
    assert state == ENGINE.read_state(match.state)
