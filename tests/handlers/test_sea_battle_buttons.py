"""Every button that can be reached is short enough and is read back, to a screen or to an action that makes sense."""

from __future__ import annotations

import pytest

from engines.contract import RuleError
from engines.sea_battle import ENGINE
from engines.sea_battle.model import (
    Attach,
    ConfirmFleet,
    Delegate,
    DraftFleet,
    Eliminate,
    Leave,
    NameActing,
    NameSuccessor,
    RandomFleet,
    SeaAction,
    Ship,
    Shoot,
    Start,
)
from handlers.presenter import Decide, Do, Say, Turn
from handlers.screens import CALLBACK_LIMIT, Screen
from tests.engines.sea_table import FLEET
from tests.handlers.sea_stage import Stage, buttons, pressable


def walk(stage: Stage, seat: int | None, start: Screen, *, most: int = 400) -> list[SeaAction]:
    """Presses every button of a screen and of all screens that it leads to; gives the actions found."""
    actions: list[SeaAction] = []
    seen: set[str] = set()
    waiting = list(pressable(start))
    while waiting and len(seen) < most:
        data = waiting.pop()
        if data in seen:
            continue
        seen.add(data)
        assert len(data.encode()) <= CALLBACK_LIMIT
        reading = stage.press(seat, data)
        match reading:
            case Turn(screen=screen):
                assert all(button.text for button in buttons(screen))
                waiting.extend(pressable(screen))
            case Do(action=action):
                actions.append(action)  # type: ignore[arg-type]
            case Say(toast=True) | Decide():
                pass
            case _:
                pytest.fail(f"{data} is read as {reading}")
    return actions


def accepted(stage: Stage, seat: int | None, action: SeaAction) -> bool:
    try:
        ENGINE.apply(stage.table.state, seat, action)
    except RuleError:
        return False
    return True


def test_a_fleet_can_be_placed_by_buttons_alone() -> None:
    stage = Stage(1, started=False)

    actions = walk(stage, 0, stage.panel(0), most=2000)

    ships = [action.ships[0] for action in actions if isinstance(action, DraftFleet) and action.ships]
    assert RandomFleet() in actions
    assert len(set(ships)) == 100 + 2 * (90 + 80 + 70)  # every place of every ship
    assert all(accepted(stage, 0, action) for action in actions)


def test_a_draft_can_be_mixed_thinned_cleared_and_a_whole_one_confirmed() -> None:
    stage = Stage(1, started=False)
    stage.do(0, DraftFleet(FLEET[:9]))
    actions = walk(stage, 0, stage.panel(0), most=2000)
    assert RandomFleet(keep=True) in actions
    assert DraftFleet(()) in actions
    assert DraftFleet(FLEET[1:9]) in actions

    stage.do(0, DraftFleet(FLEET))
    assert ConfirmFleet() in walk(stage, 0, stage.panel(0))


def test_the_keypad_reaches_every_open_cell_and_no_other() -> None:
    stage = Stage(1)
    red, blue = stage.table.red[0], stage.table.blue[0]
    stage.table.miss(red)
    stage.table.miss(blue)

    actions = walk(stage, red, stage.panel(red))

    cells = {action.cell for action in actions if isinstance(action, Shoot)}
    assert cells == set(range(100)) - {4}
    assert all(accepted(stage, red, action) for action in actions)


def test_a_full_column_is_left_out() -> None:
    stage = Stage(1)
    red, blue = stage.table.red[0], stage.table.blue[0]
    stage.table._shoot_before(blue, range(5, 100, 10))

    texts = [button.text for button in buttons(stage.panel(red))]

    assert "Е" not in texts
    assert "Д" in texts


def test_an_admiral_reaches_all_his_orders() -> None:
    stage = Stage(4)
    red, blue = stage.table.red, stage.table.blue
    stage.do(None, Eliminate(blue[3]))
    stage.do(red[1], Delegate())

    actions = walk(stage, red[0], stage.panel(red[0]), most=1000)

    assert {action for action in actions if isinstance(action, Attach)} == {
        Attach(red[3], target) for target in blue[:3]
    }
    assert {action for action in actions if isinstance(action, NameActing)} == {NameActing(seat) for seat in red[1:]}
    shots = {action for action in actions if isinstance(action, Shoot)}
    assert {(shot.target, shot.on_behalf) for shot in shots} == {(blue[0], None), (blue[1], red[1])}
    assert all(accepted(stage, red[0], action) for action in actions)


def test_a_player_reaches_no_orders_but_may_delegate() -> None:
    stage = Stage(2)

    actions = walk(stage, stage.table.red[1], stage.panel(stage.table.red[1]))

    assert Delegate() in actions
    assert not any(isinstance(action, Attach | NameActing | NameSuccessor) for action in actions)


def test_a_fallen_admirals_buttons() -> None:
    stage = Stage(3)
    red = stage.table.red
    stage.do(red[0], Leave())

    actions = walk(stage, red[0], stage.panel(red[0]))

    assert set(actions) == {NameSuccessor(red[1]), NameSuccessor(red[2])}


def test_start_is_the_referees() -> None:
    stage = Stage(1, started=False)
    for seat in (0, 1):
        stage.do(seat, DraftFleet(FLEET))
        stage.do(seat, ConfirmFleet())
    (data,) = pressable(stage.turn())

    reading = stage.press(None, data, private=False)

    assert isinstance(reading, Do)
    assert reading.action == Start()
    assert reading.as_referee


def test_the_referees_menu_leads_to_acts_of_the_referee() -> None:
    stage = Stage(2)
    menu = stage.command(0, "referee", private=True)
    assert isinstance(menu, Say)

    actions = walk(stage, 0, menu.screen)

    assert len(actions) > 5
    assert all(accepted(stage, None, action) for action in actions)


@pytest.mark.parametrize(
    "data",
    [
        "s.fire:1::9:5", "s.fire:1::0:100", "s.fire:1::0", "s.fire:1::x:y", "s.hl:1::5", "s.hc:1::4:10", "s.og:1::-1",
        "s.nothing:1:", "s.:1:", "pace:1::seconds:1", "s.rap:1::x", "s.rend:1::green", "s.q:1::0:-5", "s.hr:1::4:5",
    ],
)  # fmt: skip
def test_data_that_no_button_has_means_nothing(data: str) -> None:
    stage = Stage(1)

    assert stage.press(0, data) is None


def test_nothing_of_a_private_screen_can_be_called_up_in_a_group() -> None:
    """A changed client can send any data from any message."""
    stage = Stage(2)
    red = stage.table.red[0]
    for verb in ("p", "t", "c", "q", "x", "o", "og", "oa", "of", "ps", "rm", "hl", "hc", "hr", "fire", "r", "ra"):
        assert stage.press(red, f"s.{verb}:1::2:5:1", private=False) is None
    placing = Stage(1, started=False)
    for data in pressable(placing.panel(0)):
        assert placing.press(0, data, private=False) is None


def test_a_press_repeated_does_not_place_a_ship_twice() -> None:
    stage = Stage(1, started=False)
    reading = stage.press(0, "s.hp:1:placing:4:0:0")
    assert isinstance(reading, Do)
    assert reading.action == DraftFleet((Ship(0, 4),))
    stage.do(0, DraftFleet((Ship(0, 4),)))

    assert isinstance(stage.press(0, "s.hp:1:placing:4:0:0"), Turn)


def test_by_hand_only_places_beside_the_others_are_offered() -> None:
    stage = Stage(1, started=False)
    stage.do(0, DraftFleet(FLEET[:1]))

    actions = walk(stage, 0, stage.panel(0), most=2000)

    placed = [action.ships[1] for action in actions if isinstance(action, DraftFleet) and len(action.ships) == 2]
    singles = {ship.cell for ship in placed if ship.length == 1}
    assert singles == set(range(100)) - {0, 1, 2, 3, 4, 10, 11, 12, 13, 14}
    assert placed
