"""Every refusal of the rules has words in both languages, with what would be right."""

from __future__ import annotations

import pytest

from engines.contract import Datum, IllegalAction, RuleError
from engines.sea_battle.fleet import Fault
from engines.sea_battle.model import ConfirmFleet, DraftFleet, OutReason, SeaAction, Shoot, Start, Team
from engines.sea_battle.refusals import DATA, Refusal
from handlers.sea_battle import PRESENTER
from locales import words
from tests.engines.sea_table import FLEET
from tests.handlers.sea_stage import Stage

EXAMPLES: dict[str, Datum] = {
    "seat": 0,
    "target": 1,
    "admiral": 2,
    "seats": (0, 1),
    "opponents": (1,),
    "mates": (2,),
    "enemies": (1, 3),
    "team": Team.BLUE.value,
    "reason": OutReason.SLEPT.value,
    "cell": 30,
    "cells": (0, 1),
    "faults": tuple(fault.value for fault in Fault),
    "length": 4,
    "limit": 10,
}


@pytest.fixture(scope="module")
def stages() -> dict[str, Stage]:
    return {language: Stage(2, language=language) for language in ("ru", "en")}


@pytest.mark.parametrize("code", Refusal)
@pytest.mark.parametrize("language", ["ru", "en"])
@pytest.mark.parametrize("known", [True, False], ids=["at the table", "from outside"])
def test_every_code_has_words(stages: dict[str, Stage], language: str, code: Refusal, known: bool) -> None:
    error = IllegalAction(code, **{field: EXAMPLES[field] for field in DATA[code]})
    look = stages[language].look(0) if known else None

    said = PRESENTER.refusal(error, look, words(language))

    assert said
    assert "{" not in said


@pytest.mark.parametrize("reason", OutReason)
def test_every_reason_for_being_out_has_words(stages: dict[str, Stage], reason: OutReason) -> None:
    for language in ("ru", "en"):
        error = IllegalAction(Refusal.OUT, seat=0, reason=reason.value)
        assert PRESENTER.refusal(error, stages[language].look(1), words(language))


def test_a_code_of_another_game_has_no_words_here() -> None:
    assert PRESENTER.refusal(RuleError("offside"), None, words("ru")) is None


def test_the_data_of_cells_outside_the_board_does_no_harm() -> None:
    for cell in (-1, 100, 10**6):
        assert PRESENTER.refusal(IllegalAction(Refusal.OFF_BOARD, cell=cell), None, words("ru"))


def refused(stage: Stage, seat: int | None, action: SeaAction) -> str:
    with pytest.raises(RuleError) as caught:
        stage.do(seat, action)
    return PRESENTER.refusal(caught.value, stage.look(seat), words("ru")) or ""


def test_a_cell_shot_at_before_is_named_and_the_shot_is_not_used_up() -> None:
    stage = Stage(2)
    red, blue = stage.table.red, stage.table.blue
    stage.table.miss(*red)
    stage.table.miss(*blue)

    said = refused(stage, red[0], Shoot(blue[0], 4))

    assert "Д1" in said
    assert stage.speech().names.plain(blue[0]) in said
    assert "не потрачен" in said


def test_a_wrong_target_is_answered_with_the_right_ones() -> None:
    stage = Stage(2)
    red, blue = stage.table.red, stage.table.blue

    said = refused(stage, red[0], Shoot(blue[1], 4))

    assert f"Стрелять можно по: {stage.speech().names.plain(blue[0])}" in said


def test_out_of_turn_names_the_team_on_move() -> None:
    stage = Stage(1)

    assert refused(stage, stage.table.blue[0], Shoot(stage.table.red[0], 4)) == "Сейчас ход красных."


def test_start_names_whose_ships_are_missing() -> None:
    stage = Stage(1, started=False)

    said = refused(stage, None, Start())

    assert "ZimA" in said
    assert "Адвокат" in said


def test_a_faulty_fleet_is_refused_with_every_fault() -> None:
    stage = Stage(1, started=False)
    stage.do(0, DraftFleet((FLEET[0], FLEET[0])))

    said = refused(stage, 0, ConfirmFleet())

    for fault in ("пересекаются", "лишние", "не хватает"):
        assert fault in said
