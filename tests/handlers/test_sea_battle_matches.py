"""Random matches from START to the end, every post of every change rendered: nothing fails, everything can be sent."""

from __future__ import annotations

import json
import random
from itertools import islice

import pytest

from engines.contract import dump
from engines.sea_battle import ENGINE
from engines.sea_battle.model import Ended, EndMatch, Leave, PlayerOut, RandomFleet, SeaAction, SeaOptions, Shoot
from handlers.presenter import Do
from handlers.screens import TEXT_LIMIT, Screen
from handlers.sea_battle import PRESENTER
from handlers.sending import split, visible_length
from playground.entities import parse_html
from referee.planning import What
from storage.records import Post
from tests.handlers.sea_stage import GROUP, Stage, pressable, shown


@pytest.fixture
def _no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures have tests of their own, and take most of the time here."""
    for room in ("turn", "panel", "keypad", "placing", "commands"):
        for painter in ("fleet_picture", "enemy_picture", "pairs_picture"):
            monkeypatch.setattr(f"handlers.sea_battle.{room}.{painter}", lambda *_, **__: b"a picture", raising=False)
        for painter in ("team_picture", "reveal_picture"):
            monkeypatch.setattr(f"handlers.sea_battle.{room}.{painter}", lambda *_, **__: [b"pictures"], raising=False)


def rendered(stage: Stage, post: Post) -> Screen | None:
    """What the carrier would make of a post."""
    body = json.loads(post.body)
    if post.kind == "news":
        return stage.news(stage.record[body["n"] - 1])
    seat = None if post.chat_id == GROUP else post.chat_id - 100
    return PRESENTER.slot(body["slot"], stage.scene(seat, stage.record[-100:], body))


def sendable(screen: Screen) -> None:
    for piece in split(screen.text):
        assert visible_length(type(screen.text)(piece)) <= TEXT_LIMIT
        parse_html(piece)
    list(pressable(screen))


def next_act(stage: Stage, dice: random.Random) -> tuple[int, SeaAction]:
    """Somebody does something that the rules allow, mostly a shot, mostly a good one."""
    state = stage.table.state
    actor = dice.choice(ENGINE.actors(state))
    actions = [
        action
        for action in islice(ENGINE.legal_actions(state, actor), 2000)
        if not isinstance(action, RandomFleet | EndMatch | Leave) or dice.random() < 0.01
    ]
    good = [
        action
        for action in actions
        if isinstance(action, Shoot) and any(action.cell in ship.cells() for ship in state.players[action.target].ships)
    ]
    return actor, dice.choice(good if good and dice.random() < 0.7 else actions)


@pytest.mark.usefixtures("_no_pictures")
@pytest.mark.parametrize("seed", range(4))
def test_a_random_match_can_be_told_to_its_end(seed: int) -> None:
    dice = random.Random(seed)
    options = SeaOptions(
        results_at_once=dice.random() < 0.5,
        standing_delegation=dice.random() < 0.5,
        attached_duty=dice.random() < 0.5,
    )
    stage = Stage(dice.choice((1, 2, 3, 4)), options=options, language=dice.choice(("ru", "en")))
    fallen: set[int] = set()
    for _ in range(3000):
        if dice.random() < 0.004:
            events, what = stage.expire(), What.EXPIRED
        else:
            actor, action = next_act(stage, dice)
            events, what = stage.do(actor, action), What.ACTED
        for post in stage.plan(what, source="p:1"):
            screen = rendered(stage, post)
            assert screen is not None, post
            sendable(screen)
        fallen |= {event.seat for event in events if isinstance(event, PlayerOut)}
        if any(isinstance(event, Ended) for event in events):
            break
    else:
        pytest.fail("the match does not end")
    end = shown(stage.turn(stage.record[-1].n))
    assert "🏁" in end
    assert fallen
    assert dump(stage.table.state.options) == dump(options)


@pytest.mark.usefixtures("_no_pictures")
def test_the_largest_table_can_be_told() -> None:
    names = [f"Игрок с длинным именем {number}" for number in range(40)]
    stage = Stage(20, names=names)
    stage.table.miss(*stage.table.red)
    stage.write()

    for post in stage.plan(source="p:1"):
        screen = rendered(stage, post)
        assert screen is not None
        sendable(screen)
    for seat in range(40):
        sendable(stage.panel(seat))
    stage.do(None, EndMatch())
    sendable(stage.turn(stage.record[-1].n))
    assert isinstance(stage.press(None, f"s.start:1:{stage.speech().stamp}", private=False), Do)
