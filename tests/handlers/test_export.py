"""The files of /export, from stored lines: the same whatever is hidden; with what a referee decided and took back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import cast

import msgspec
import pytest
from msgspec.structs import replace

from engines.chance import Chance, Dice
from engines.contract import Seat, dump
from engines.sea_battle.fleet import random_fleet
from engines.sea_battle.forum import read_forum
from engines.sea_battle.model import (
    Appoint,
    ConfirmFleet,
    Delegate,
    DraftFleet,
    Fleet,
    RandomFleet,
    SeaAction,
    SeaOptions,
    Shoot,
    Start,
)
from engines.sea_battle.record import LineKind, from_json
from handlers.presenter import Presenter
from handlers.records import Chronicle, Document, plain_documents
from handlers.sea_battle import PRESENTER
from locales import words
from referee.decisions import ClockRuling, DayOff, UndoRuling
from storage.records import ActionKind, Match, MatchPhase, Member, Pace, StoredAction
from tests.engines.sea_table import FLEET, Table

NOON = datetime(2027, 3, 5, 9, tzinfo=UTC)
OTHER: Fleet = random_fleet(Dice("quite another fleet"))
NAMES = ("ZimA", "Адвокат", "Вирт", "Юнга")


class Log:
    """A match of two pairs, and the lines that the house stores of it."""

    def __init__(self) -> None:
        self.table = Table(2, started=False)
        self.lines: list[StoredAction] = []
        self.write(ActionKind.NEW, "{}", dump(self.table.events))

    def write(self, kind: ActionKind, body: str, events: str = "[]", seat: Seat | None = None) -> None:
        person = 100 + seat if seat is not None else 500 if kind is ActionKind.ACT else None
        self.lines.append(StoredAction(1, len(self.lines) + 1, kind, seat, person, body, events, NOON))

    def do(self, seat: Seat | None, action: SeaAction) -> None:
        events = self.table.do(seat, action)
        self.write(ActionKind.ACT, dump(action), dump(events), seat)

    def documents(self, phase: MatchPhase, *, seed: str = "5eed", language: str = "ru") -> Sequence[Document]:
        return PRESENTER.documents(self.chronicle(phase, seed=seed, language=language))

    def chronicle(self, phase: MatchPhase, *, seed: str = "5eed", language: str = "ru") -> Chronicle:
        match = Match(
            12, "sea_battle", -100, None, 100, phase, len(self.lines), dump(SeaOptions()), Pace(), seed, (), NOON,
            state=dump(self.table.state),
        )  # fmt: skip
        members = tuple(Member(12, 100 + seat, seat, seat, name, None) for seat, name in enumerate(NAMES))
        return Chronicle(match, members, tuple(self.lines), words(language), {500: "Мишка <i>"})


def running(fleet: Fleet, cell: int) -> Log:
    """Who is opposed to Blue's Admiral has `fleet`, drawn in some steps; that Admiral's shot at `cell` is in flight."""
    log = Log()
    hidden = log.table.state.players[log.table.state.blue.admiral].pair
    for seat in range(4):
        for ships in (fleet[:3], fleet[:7], fleet) if fleet is OTHER and seat == hidden else ():
            log.do(seat, DraftFleet(ships))
        log.do(seat, DraftFleet(fleet if seat == hidden else FLEET))
        log.do(seat, ConfirmFleet())
    log.do(None, Start())
    # The seals are meant to differ: they commit to the fleets. Likewise the chance behind them.
    log.lines[-1] = replace(log.lines[-1], events="[]")
    log.table.state = replace(log.table.state, chance=Chance("the same"))
    for seat in log.table.red:
        log.do(seat, Shoot(log.table.state.players[seat].pair, 99))
    log.do(log.table.state.blue.admiral, Shoot(hidden, cell))
    return log


@pytest.mark.parametrize("cell", [0, 3, 99, 55])
def test_files_of_a_running_match_are_the_same_byte_for_byte_whatever_is_hidden(cell: int) -> None:
    one, other = running(FLEET, cell), running(OTHER, cell)
    assert one.documents(MatchPhase.RUNNING, seed="one") == other.documents(MatchPhase.RUNNING, seed="other")
    assert one.documents(MatchPhase.OVER, seed="one") != other.documents(MatchPhase.OVER, seed="other")


def test_text_and_json_are_the_same_record_under_names_that_say_what_they_are() -> None:
    log = running(FLEET, 3)
    text, as_json = log.documents(MatchPhase.RUNNING)
    assert (text.name, as_json.name) == ("sea_battle-12-open.txt", "sea_battle-12-open.json")
    assert [document.name for document in log.documents(MatchPhase.OVER)] == ["sea_battle-12.txt", "sea_battle-12.json"]
    assert read_forum(text.data.decode()) == from_json(as_json.data.decode())


@pytest.mark.parametrize("language", ["ru", "en"])
def test_decisions_of_a_referee_stand_in_the_record_and_what_was_taken_back_is_marked(language: str) -> None:
    log = running(FLEET, 3)
    leader = next(seat for seat in log.table.blue if seat != log.table.state.blue.admiral)
    log.do(None, Appoint(leader))
    log.write(ActionKind.UNDO, dump(UndoRuling(len(log.lines), "Мишка <i>", log.lines[-1].events)))
    log.write(ActionKind.HOST, dump(ClockRuling(DayOff(date(2027, 3, 9)), "Мишка <i>", NOON, NOON)))
    text, _ = log.documents(MatchPhase.RUNNING, language=language)
    *_, appointed, undone, day_off = read_forum(text.data.decode()).lines
    assert (appointed.action, appointed.by, appointed.undone) == (Appoint(leader), "Мишка <i>", True)
    assert undone.kind is day_off.kind is LineKind.NOTE
    assert "2027" in day_off.note
    for note in (undone.note, day_off.note):
        assert "Мишка <i>" in note
        assert "\u2068" not in note


def test_a_delegated_shot_is_labelled() -> None:
    log = running(FLEET, 3)
    admiral = log.table.state.blue.admiral
    mate = next(seat for seat in log.table.blue if seat != admiral)
    log.do(mate, Delegate())
    log.do(admiral, Shoot(log.table.state.players[mate].pair, 97, mate))
    text = log.documents(MatchPhase.RUNNING)[0].data.decode()
    target = NAMES[log.table.state.players[mate].pair]
    assert f"] За {NAMES[mate]}: То {target} - З10 (Адмирал {NAMES[admiral]})\n" in text


class Plain(Presenter):
    """A game that makes no files of its own."""


def test_a_game_without_files_of_its_own_gives_events_during_a_match_and_all_after_it() -> None:
    one, other = running(FLEET, 3), running(OTHER, 3)
    for log in (one, other):  # here the number of drafts is told, as events tell it
        log.lines = [line for line in log.lines if "drafted" not in line.events]
        log.lines = [replace(line, n=n) for n, line in enumerate(log.lines, 1)]
    make = Plain.documents
    open_one, open_other = (
        make(cast(Presenter, None), log.chronicle(MatchPhase.RUNNING, seed=seed))
        for log, seed in ((one, "one"), (other, "other"))
    )
    assert open_one == open_other
    (full,) = plain_documents(one.chronicle(MatchPhase.OVER, seed="one"))
    told = msgspec.json.decode(full.data)
    assert told["seed"] == "one"
    assert told["lines"][1]["body"] == {"do": "confirm"}


def test_drafts_of_a_reserve_stay_hidden_in_a_running_match() -> None:
    log = running(FLEET, 3)
    log.lines.append(
        StoredAction(1, 99, ActionKind.ACT, 0, 100, dump(RandomFleet()), '[{"is":"drafted","seat":0}]', NOON)
    )
    before = log.documents(MatchPhase.RUNNING)
    log.lines.pop()
    assert log.documents(MatchPhase.RUNNING) == before
