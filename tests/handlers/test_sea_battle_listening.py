"""What players write, in the group and in private, and what they are answered."""

from __future__ import annotations

import pytest

from engines.sea_battle.model import (
    Appoint,
    Attach,
    Columns,
    Delegate,
    DraftFleet,
    Eliminate,
    EndMatch,
    Leave,
    NameActing,
    NameSuccessor,
    SeaOptions,
    Ship,
    Shoot,
    Team,
    Withdraw,
)
from handlers.presenter import Do, Say, Written
from handlers.sea_battle import PRESENTER
from locales import words
from tests.handlers.sea_stage import Stage, buttons, pressable, said


@pytest.fixture
def stage() -> Stage:
    return Stage(2)


def name(stage: Stage, seat: int) -> str:
    return stage.speech().names.plain(seat)


# --- Shots ---


def test_a_shot_in_the_group_gets_a_silent_receipt(stage: Stage) -> None:
    red, blue = stage.table.red[0], stage.table.blue[0]

    assert stage.reads(red, f"То {name(stage, blue)} - А4") == Do(Shoot(blue, 30))


def test_a_look_alike_is_said_back(stage: Stage) -> None:
    red, blue = stage.table.red[0], stage.table.blue[0]

    reading = stage.reads(red, f"To {name(stage, blue)} - A4")

    assert isinstance(reading, Do)
    assert reading.action == Shoot(blue, 30)
    assert "А4" in said(reading)


def test_a_shot_in_private_is_said_back(stage: Stage) -> None:
    red, blue = stage.table.red[0], stage.table.blue[0]

    reading = stage.reads(red, "К8", private=True)

    assert isinstance(reading, Do)
    assert reading.action == Shoot(blue, 79)
    assert "К8" in said(reading)


@pytest.mark.parametrize("text", ["к 8 вечера буду", "приду в 5", "ХОД ЗА СИНИМИ", "привет", ""])
def test_plain_talk_is_not_answered(stage: Stage, text: str) -> None:
    assert stage.reads(stage.table.red[0], text) is None


def test_a_spectator_is_not_read(stage: Stage) -> None:
    assert stage.reads(None, "То ZimA - А4") is None


def test_a_doubtful_letter_is_asked_with_buttons_that_only_the_shooter_may_press(stage: Stage) -> None:
    red, blue = stage.table.red[0], stage.table.blue[0]

    question = stage.reads(red, f"То {name(stage, blue)} - B4")

    assert isinstance(question, Say)
    assert [button.text for button in buttons(question.screen)] == ["В4", "Б4"]
    data = list(pressable(question.screen))
    answer = stage.press(red, data[0], private=False)
    assert isinstance(answer, Do)
    assert answer.action == Shoot(blue, 32)
    other = stage.press(stage.table.red[1], data[0], private=False)
    assert isinstance(other, Say)
    assert other.toast


def test_a_row_off_the_board_is_answered_with_the_rows(stage: Stage) -> None:
    reading = stage.reads(stage.table.red[0], f"То {name(stage, stage.table.blue[0])} - К11")

    assert isinstance(reading, Say)
    assert "ряды от 1 до 10" in said(reading)


def test_another_mans_opponent_is_answered_with_ones_own(stage: Stage) -> None:
    red, blue = stage.table.red, stage.table.blue

    reading = stage.reads(red[0], f"То {name(stage, blue[1])} - А4")

    assert isinstance(reading, Say)
    assert f"Ваш соперник: {name(stage, blue[0])}" in said(reading)


def test_a_reply_to_an_opponents_message_names_him() -> None:
    stage = Stage(3)
    red, blue = stage.table.red, stage.table.blue
    stage.do(None, Eliminate(blue[2]))
    stage.do(red[0], Attach(red[2], blue[0]))
    stage.table.miss(*red)
    stage.write()
    written = Written("А4", private=False, addressed=False, reply_to_person=100 + red[2])

    reading = PRESENTER.read(written, stage.look(blue[0]), words("ru"))

    assert isinstance(reading, Do)
    assert reading.action == Shoot(red[2], 30)


def test_latin_columns_are_read_and_said() -> None:
    stage = Stage(1, options=SeaOptions(columns=Columns.LATIN), language="en")

    reading = stage.reads(stage.table.red[0], "J10", private=True)

    assert isinstance(reading, Do)
    assert "J10" in said(reading)


# --- Delegation, orders ---


def test_a_delegation_in_words(stage: Stage) -> None:
    assert stage.reads(stage.table.red[1], "передаю ход Адмиралу") == Do(Delegate())
    reading = stage.reads(stage.table.red[1], "Передаю ход Адмиралу", private=True)
    assert isinstance(reading, Do)
    assert said(reading)


def test_the_admiral_shoots_for_others_in_words(stage: Stage) -> None:
    red, blue = stage.table.red, stage.table.blue
    stage.do(red[1], Delegate())

    reading = stage.reads(red[0], f"За {name(stage, red[1])}: То {name(stage, blue[1])} - А4")

    assert isinstance(reading, Do)
    assert reading.action == Shoot(blue[1], 30, red[1])


def test_an_admirals_own_shot_and_that_for_another_in_one_message(stage: Stage) -> None:
    red, blue = stage.table.red, stage.table.blue
    stage.do(red[1], Delegate())
    text = f"То {name(stage, blue[0])} - А4\nЗа {name(stage, red[1])}: То {name(stage, blue[1])} - К8"

    reading = stage.reads(red[0], text)

    assert isinstance(reading, Do)
    assert (reading.action, *reading.then) == (Shoot(blue[0], 30), Shoot(blue[1], 79, red[1]))


def test_an_order_in_the_words_of_the_rules(stage: Stage) -> None:
    red, blue = stage.table.red, stage.table.blue
    text = f"{name(stage, red[1])} продолжает игру против {name(stage, blue[0])}"

    assert stage.reads(red[0], text) == Do(Attach(red[1], blue[0]))


# --- Reports ---


def test_a_true_report_is_talk_and_a_wrong_one_is_put_right(stage: Stage) -> None:
    red, blue = stage.table.red, stage.table.blue
    stage.do(red[0], Shoot(blue[0], 0))
    stage.do(red[1], Shoot(blue[1], 99))

    assert stage.reads(blue[0], "- ранил") is None
    wrong = stage.reads(blue[0], "- мимо")
    assert isinstance(wrong, Say)
    assert "«ранил», а не «мимо»" in said(wrong)


def test_a_wrong_report_does_not_cost_the_shot_that_follows_it(stage: Stage) -> None:
    red, blue = stage.table.red, stage.table.blue
    stage.table.miss(*red)
    stage.write()

    reading = stage.reads(blue[0], f"- ранил\nТо {name(stage, red[0])} - К8")

    assert isinstance(reading, Do)
    assert reading.action == Shoot(red[0], 79)
    assert "«мимо», а не «ранил»" in said(reading)


def test_a_report_on_a_result_that_is_not_out_tells_nothing(stage: Stage) -> None:
    red, blue = stage.table.red, stage.table.blue
    stage.do(red[0], Shoot(blue[0], 0))

    assert stage.reads(blue[0], "- мимо") is None


# --- Fleets by text ---

WHOLE = "А1-А4, В1-В3, Д1-Д3, Ж1 Ж2, И1-И2, К4-К5, А10, В10, Д10, Ж10"


def test_a_fleet_written_in_private_becomes_the_draft() -> None:
    stage = Stage(1, started=False)

    reading = stage.reads(0, WHOLE, private=True)

    assert isinstance(reading, Do)
    assert isinstance(reading.action, DraftFleet)
    assert reading.action.ships[:2] == (Ship(0, 4, True), Ship(2, 3, True))
    assert len(reading.action.ships) == 10
    stage.do(0, reading.action)
    assert "Подтвердить" in " ".join(button.text for button in buttons(stage.panel(0)))


def test_a_fleet_written_in_the_group_is_not_read() -> None:
    stage = Stage(1, started=False)

    reading = stage.reads(0, WHOLE)

    assert not (isinstance(reading, Do) and isinstance(reading.action, DraftFleet))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("А1-Б2, В3", "прямым"),
        ("А1 А4, В3", "прямым"),
        ("А1-А5, В3", "не больше четырёх"),
        ("А1-А4, Щ3", "нет такой клетки"),
        ("А1-А4, В11", "нет такой клетки"),
        (", ".join(["А1"] * 11), "во флоте их десять"),
    ],
)
def test_a_faulty_list_of_ships_is_answered_with_what_is_wrong(text: str, word: str) -> None:
    stage = Stage(1, started=False)

    reading = stage.reads(0, text, private=True)

    assert isinstance(reading, Say)
    assert word in said(reading)


# --- Commands ---


def test_a_shot_by_command(stage: Stage) -> None:
    red, blue = stage.table.red[0], stage.table.blue[0]

    reading = stage.command(red, "shot", f"{name(stage, blue)} А4")

    assert isinstance(reading, Do)
    assert reading.action == Shoot(blue, 30)


def test_a_command_without_what_it_needs_says_how(stage: Stage) -> None:
    for command in ("shot", "attach", "admiral"):
        reading = stage.command(stage.table.red[0], command)
        assert isinstance(reading, Say)
        assert f"/{command}" in said(reading)


def test_commands_of_rights_and_orders(stage: Stage) -> None:
    red, blue = stage.table.red, stage.table.blue
    for command, argument, action in (
        ("delegate", "", Delegate()),
        ("withdraw", "", Withdraw()),
        ("attach", f"{name(stage, red[1])} {name(stage, blue[0])}", Attach(red[1], blue[0])),
        ("admiral", name(stage, red[1]), NameActing(red[1])),
    ):
        reading = stage.command(red[0], command, argument)
        assert isinstance(reading, Do)
        assert reading.action == action


def test_an_admiral_who_is_out_names_his_successor_by_command() -> None:
    stage = Stage(3)
    stage.do(stage.table.red[0], Leave())

    reading = stage.command(stage.table.red[0], "admiral", name(stage, stage.table.red[2]))

    assert isinstance(reading, Do)
    assert reading.action == NameSuccessor(stage.table.red[2])


def test_the_own_fleet_is_never_shown_in_the_group(stage: Stage) -> None:
    reading = stage.command(stage.table.red[0], "fleet")

    assert isinstance(reading, Say)
    assert reading.screen.pictures == ()
    private = stage.command(stage.table.red[0], "fleet", private=True)
    assert isinstance(private, Say)
    assert private.screen.pictures


def test_surrender_is_asked_once_and_only_from_him_who_said_it(stage: Stage) -> None:
    red = stage.table.red
    question = stage.command(red[0], "leave")

    assert isinstance(question, Say)
    (data,) = pressable(question.screen)
    done = stage.press(red[0], data, private=False)
    assert isinstance(done, Do)
    assert done.action == Leave()
    assert isinstance(stage.press(red[1], data, private=False), Say)


def test_the_referee_orders_by_words(stage: Stage) -> None:
    red = stage.table.red
    for argument, action in (
        (f"admiral {name(stage, red[1])}", Appoint(red[1])),
        (f"out {name(stage, red[1])}", Eliminate(red[1])),
        ("end none", EndMatch()),
        ("конец синие", EndMatch(Team.BLUE)),
    ):
        assert stage.command(None, "referee", argument) == Do(action, as_referee=True)
    assert isinstance(stage.command(None, "referee", "out"), Say)


def test_boards_are_for_everybody(stage: Stage) -> None:
    everything = stage.command(None, "board")
    one = stage.command(None, "board", name(stage, 0))

    assert isinstance(everything, Say)
    assert isinstance(one, Say)
    assert everything.screen.pictures
    assert one.screen.pictures


def test_fleets_of_the_table_stay_out_of_what_is_said_of_boards(stage: Stage) -> None:
    mine, spectators = stage.command(0, "board"), stage.command(None, "board")
    assert isinstance(mine, Say)
    assert isinstance(spectators, Say)
    assert mine.screen.digest == spectators.screen.digest
