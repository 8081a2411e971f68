"""What is hidden is in nothing that others receive, byte for byte; and no name breaks a message."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engines.chance import Chance, Dice
from engines.sea_battle.fleet import random_fleet
from engines.sea_battle.model import ConfirmFleet, DraftFleet, Fleet, Shoot, Start
from handlers.presenter import Say
from handlers.screens import Screen
from handlers.sea_battle import PRESENTER
from locales import words
from playground.entities import parse_html
from tests.engines.sea_table import FLEET
from tests.handlers.sea_stage import Stage, buttons

OTHER: Fleet = random_fleet(Dice("quite another fleet"))


def table(fleet: Fleet, *, playing: bool) -> Stage:
    """Two pairs; seat red[0] has `fleet`. With `playing`, one shot of Red is in flight."""
    stage = Stage(2, started=False)
    hidden = stage.table.red[0]
    for seat in range(4):
        stage.do(seat, DraftFleet(fleet if seat == hidden else FLEET))
        if playing:
            stage.do(seat, ConfirmFleet())
    if playing:
        stage.table.referee(Start())
        # The hashes are meant to differ: they commit to the fleets.
        state = stage.table.state
        players = tuple(replace(player, hash=f"hash {seat}") for seat, player in enumerate(state.players))
        stage.table.state = replace(state, players=players, chance=Chance("the same"))
        stage.do(stage.table.red[0], Shoot(stage.table.blue[0], 99))
    return stage


def seen_by_others(stage: Stage) -> Iterator[tuple[str, object]]:
    """All that anybody but red[0] is shown."""
    hidden = stage.table.red[0]
    screens: list[tuple[str, Screen | None]] = [
        ("turn", stage.turn()),
        ("seals", PRESENTER.slot("seals", stage.scene(None))),
        ("news", stage.news(*stage.record[-1:])),
        *((f"panel {seat}", stage.panel(seat)) for seat in range(4) if seat != hidden),
    ]
    for who in (None, *range(4)):
        for name in ("board", "fleet", "seals", "referee"):
            if name == "fleet" and who == hidden:
                continue
            said = stage.command(who, name)
            if isinstance(said, Say):
                screens.append((f"/{name} of {who}", said.screen))
    for name, screen in screens:
        yield name, None if screen is None else (screen.text, screen.keyboard, screen.pictures)
    yield "status", PRESENTER.status(stage.look(None), words("ru"))
    yield "plan", [post for post in stage.plan(source="p:1") if post.chat_id != 100 + hidden]


@pytest.mark.parametrize("playing", [False, True], ids=["placing", "playing"])
def test_another_fleet_changes_nothing_that_others_receive(playing: bool) -> None:
    one, two = table(FLEET, playing=playing), table(OTHER, playing=playing)

    assert dict(seen_by_others(one)) == dict(seen_by_others(two))
    hidden = one.table.red[0]
    assert one.panel(hidden).pictures or two.panel(hidden).pictures


def test_a_panel_is_for_its_owner_alone() -> None:
    stage = Stage(2)

    assert PRESENTER.slot("panel:0", stage.scene(1)) is None
    assert PRESENTER.slot("panel:0", stage.scene(None)) is None
    assert PRESENTER.slot("turn", stage.scene(0)) is None


ODD_NAMES = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("<>&\"'/{}%\u202e\u2066\u2069\u200f\u200d🧑‍🚀́ا"),
    ),
    max_size=40,
)


@given(names=st.lists(ODD_NAMES, min_size=4, max_size=4), language=st.sampled_from(["ru", "en"]))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_name_makes_valid_html_and_usable_buttons(names: list[str], language: str) -> None:
    stage = Stage(2, names=names, language=language)
    stage.do(stage.table.red[0], Shoot(stage.table.blue[0], 0))
    stage.do(stage.table.red[1], Shoot(stage.table.blue[1], 99))
    screens = [stage.news(stage.record[-1]), stage.turn(stage.record[-1].n), stage.panel(0)]

    for screen in screens:
        assert screen is not None
        parse_html(str(screen.text))  # raises for what Telegram refuses
        assert all(button.text.strip() for button in buttons(screen))
    parse_html(str(PRESENTER.status(stage.look(None), words(language))))
