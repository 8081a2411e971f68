"""Events in words, in both languages."""

from __future__ import annotations

import typing

import pytest

from engines.sea_battle.model import (
    AdmiralNamed,
    Attached,
    BecameFree,
    ByWhom,
    Delegated,
    Drawn,
    Ended,
    FleetDrafted,
    FleetReady,
    FleetReopened,
    OutReason,
    PairAdmitted,
    PairEntered,
    PlayerBack,
    PlayerOut,
    Result,
    Revealed,
    SeaEvent,
    ShotFired,
    ShotResolved,
    Started,
    Team,
    TurnBegan,
    TurnEnded,
    TurnPassed,
    Withdrawn,
)
from handlers.sea_battle.telling import tell
from tests.handlers.sea_stage import Stage

CASES: list[tuple[SeaEvent, str | None, str | None]] = [
    (Drawn((0,), (1,), ((0, 1),), Team.RED), "Жребий брошен", "lots are drawn"),
    (FleetDrafted(0), None, None),
    (FleetReopened(0), None, None),
    (FleetReady(0), None, None),
    (FleetReady(0, ByWhom.REFEREE), "ZimA: корабли расставляет Рефери", "ZimA: the Referee places"),
    (Started(Team.RED, ("a", "b")), "СТАРТ ИГРА", "START"),
    (TurnBegan(1, Team.RED, (0,)), "ХОД ЗА КРАСНЫМИ", "RED TO MOVE"),
    (TurnBegan(2, Team.BLUE, (1,)), "ХОД ЗА СИНИМИ", "BLUE TO MOVE"),
    (TurnPassed(2, Team.BLUE), "Синие пропускают ход 2", "Blue passes turn 2"),
    (TurnEnded(1, Team.RED), "КРАСНЫЕ СДЕЛАЛИ ХОД", "RED HAS MOVED"),
    (TurnEnded(2, Team.BLUE, expired=True), "ВРЕМЯ ХОДА СИНИХ ИСТЕКЛО", "BLUE’S TIME IS UP"),
    (TurnEnded(1, Team.RED, lost=(0,)), "пропадает: ZimA", "lost: ZimA"),
    (ShotFired(0, 0, 1, 97), "🎯 ZimA → Адвокат: З10", "🎯 ZimA → Адвокат: З10"),
    (ShotFired(0, 2, 1, 77), "по поручению делает Вирт", "delegated, made by Вирт"),
    (ShotResolved(0, 1, 77, Result.MISS), "ZimA → Адвокат: З8 — мимо", "ZimA → Адвокат: З8 — miss"),
    (ShotResolved(0, 1, 79, Result.HIT), "ZimA → Адвокат: К8 — ранил", "— hit"),
    (ShotResolved(0, 1, 79, Result.SUNK, (78, 79)), "К8 — убил (двухпалубный)", "— sunk (two decks)"),
    (Delegated(0, 2), "ZimA передаёт ход Адмиралу: Вирт", "ZimA passes the turn to the Admiral: Вирт"),
    (Withdrawn(0), "ZimA забирает ход", "ZimA takes the turn back"),
    (PlayerOut(1, OutReason.SUNK), "Адвокат выбывает из игры: флот потоплен", "Адвокат is out: the fleet is sunk"),
    (PlayerOut(1, OutReason.SLEPT), "не сделан в срок", "no move in time"),
    (PlayerOut(1, OutReason.REFEREE), "решение Рефери", "the Referee’s decision"),
    (PlayerOut(1, OutReason.LEFT), "сдача", "surrender"),
    (PlayerBack(1), "Адвокат снова в игре", "Адвокат is back"),
    (BecameFree(0), "ZimA — свободный игрок", "ZimA is a free player"),
    (Attached(0, 2, ByWhom.ADMIRAL), "ZimA продолжает игру против Вирт", "ZimA goes on against Вирт"),
    (Attached(0, 2, ByWhom.LOT), "по жребию", "by lot"),
    (Attached(0, 2, ByWhom.ONLY_ONE), "остался один противник", "one enemy is left"),
    (AdmiralNamed(Team.RED, 0, ByWhom.RANK), "Адмирал красных — ZimA", "The Admiral of Red is ZimA"),
    (AdmiralNamed(Team.BLUE, 1, ByWhom.ADMIRAL, True), "Обязанности Адмирала синих", "acts as the Admiral of Blue"),
    (PairAdmitted(2, 3), "Рефери допускает новую пару: 🔴 Вирт — 🔵 Юнга", "admits a new pair"),
    (PairEntered(2, 3, ("a", "b")), "В бой вступает новая пара", "A new pair joins"),
    (Ended(Team.RED, "sunk"), "ПОБЕДИЛИ КРАСНЫЕ! Флот противника потоплен", "RED HAS WON! The enemy’s fleet is sunk"),
    (Ended(Team.BLUE, "slept"), "ПОБЕДИЛИ СИНИЕ! Противник не сделал ход в срок", "BLUE HAS WON!"),
    (Ended(Team.BLUE, "left"), "Противник сдался", "surrendered"),
    (Ended(Team.BLUE, "referee"), "Решение Рефери", "The Referee’s decision"),
    (Ended(None, "referee"), "ИГРА ОКОНЧЕНА без победителя", "without a result"),
    (Revealed((), ()), None, None),
]  # fmt: skip


@pytest.fixture(scope="module")
def stages() -> dict[str, Stage]:
    return {language: Stage(2, language=language) for language in ("ru", "en")}


def heard(stage: Stage, *events: SeaEvent) -> str:
    told = [line.striptags() for line in tell(events, stage.speech())]
    return "\n".join(told).replace("\u2068", "").replace("\u2069", "")


@pytest.mark.parametrize(("event", "russian", "english"), CASES)
def test_an_event_is_told_in_both_languages(
    stages: dict[str, Stage], event: SeaEvent, russian: str | None, english: str | None
) -> None:
    for language, expected in (("ru", russian), ("en", english)):
        told = heard(stages[language], event)
        assert (expected is None) == (told == "")
        assert (expected or "") in told


def test_every_kind_of_event_is_among_these_cases() -> None:
    assert {type(event) for event, _, _ in CASES} == set(typing.get_args(SeaEvent))


@pytest.mark.parametrize("by", ByWhom)
@pytest.mark.parametrize("language", ["ru", "en"])
def test_whoever_decides_there_are_words(stages: dict[str, Stage], language: str, by: ByWhom) -> None:
    named = AdmiralNamed(Team.RED, 0, by)

    told = heard(stages[language], Attached(0, 1, by), named, AdmiralNamed(Team.RED, 0, by, acting=True))

    assert len(told.splitlines()) == 3


def test_out_and_free_stand_on_one_line(stages: dict[str, Stage]) -> None:
    told = heard(stages["ru"], PlayerOut(1, OutReason.SUNK), BecameFree(0))

    assert told == "☠️ Адвокат выбывает из игры: флот потоплен. ZimA — свободный игрок."


def test_a_shot_whose_result_follows_is_told_once(stages: dict[str, Stage]) -> None:
    told = heard(stages["ru"], ShotFired(0, 0, 1, 5), ShotResolved(0, 1, 5, Result.MISS))

    assert told == "💦 ZimA → Адвокат: Е1 — мимо"


def test_a_delegated_shot_keeps_its_label_beside_its_result(stages: dict[str, Stage]) -> None:
    told = heard(stages["ru"], ShotFired(0, 2, 1, 5), ShotResolved(0, 1, 5, Result.MISS))

    assert "по поручению делает Вирт" in told
    assert "мимо" in told
