"""A referee's decisions as they are written, pressed and told, in both languages."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.contract import dump
from engines.sea_battle.model import AdmitPair, Eliminate
from handlers.decisions import order_by_words, pause_text, read_date, read_length, ruling_text
from handlers.presenter import Decide, Say, Turn
from handlers.screens import CALLBACK_LIMIT
from handlers.sea_battle import PRESENTER
from handlers.sea_battle.referee import referee_screen
from handlers.sea_battle.speech import Speech
from locales import LANGUAGES, words
from referee.decisions import (
    Admit,
    ClockOrder,
    ClockRuling,
    DayOff,
    GiveTime,
    Order,
    Resume,
    StopClock,
    Undo,
    UndoRuling,
)
from referee.planning import What
from referee.play import Look
from referee.refusals import Refusal
from storage.records import ActionKind, Match, Member, Pause, StoredAction
from tests.handlers.sea_stage import DUE, NOW, Stage, buttons, pressable, shown

HOUR = 3600
DAY = 24 * HOUR


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2d the ferry", (2 * DAY, "the ferry")),
        ("2 д паром", (2 * DAY, "паром")),
        ("1d 6h", (30 * HOUR, "")),
        ("90m", (5400, "")),
        ("18 часов", (18 * HOUR, "")),
        ("2d 3 players are away", (2 * DAY, "3 players are away")),
        ("2dogs", None),
        ("the ferry", None),
        ("", None),
        ("-2d", None),
    ],
)
def test_a_length_is_read_with_what_follows(text: str, read: tuple[int, str] | None) -> None:
    assert read_length(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2027-03-09", date(2027, 3, 9)),
        ("09.03.2027", date(2027, 3, 9)),
        ("9.3.2027", date(2027, 3, 9)),
        ("2027-02-30", None),
        ("31.04.2027", None),
        ("tomorrow", None),
        ("2027-W10-2", None),
        ("20270309", None),
        ("09.03.27", None),
    ],
)
def test_a_date_is_read_or_nothing_is(text: str, read: date | None) -> None:
    assert read_date(text) == read


@pytest.mark.parametrize(
    ("verb", "rest", "order"),
    [
        ("pause", "2d the ferry", StopClock(2 * DAY, "the ferry")),
        ("Пауза", "2д паром", StopClock(2 * DAY, "паром")),
        ("pause", "2d", None),  # a pause has a reason
        ("pause", "the ferry", None),  # and a longest length
        ("resume", "", Resume()),
        ("дальше", "", Resume()),
        ("time", "6h", GiveTime(6 * HOUR)),
        ("время", "1д 6ч", GiveTime(30 * HOUR)),
        ("time", "6h for all", None),
        ("dayoff", "2027-03-09", DayOff(date(2027, 3, 9))),
        ("выходной", "09.03.2027", DayOff(date(2027, 3, 9))),
        ("dayoff", "", None),
        ("undo", "", Undo()),
        ("отмена", "", Undo()),
        ("undo", "ZimA", None),
        ("out", "ZimA", None),
        ("", "", None),
    ],
)
def test_orders_are_read_from_words(verb: str, rest: str, order: Order | None) -> None:
    assert order_by_words(verb, rest) == order


@given(st.sampled_from(["pause", "time", "dayoff", "undo", "resume", "пауза"]), st.text())
def test_no_text_breaks_the_reading(verb: str, rest: str) -> None:
    order_by_words(verb, rest)


def line(kind: ActionKind, body: object) -> StoredAction:
    return StoredAction(1, 9, kind, None, None, dump(body), "[]", NOW)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("by", ["ZimA", "", None])
@pytest.mark.parametrize(
    "order", [GiveTime(6 * HOUR), DayOff(date(2027, 3, 9)), StopClock(2 * DAY, "<b>ferry</b>"), Resume()]
)
def test_every_decision_is_told_in_every_language(language: str, by: str | None, order: ClockOrder) -> None:
    match = Stage(1).match
    ruling = ClockRuling(order, by, DUE, DUE + timedelta(hours=6), DUE)
    told = ruling_text(line(ActionKind.HOST, ruling), match, words(language))
    assert told is not None
    assert "<b>ferry</b>" not in told
    if by:
        assert by in told
    assert told.endswith("</tg-time>")  # the new deadline


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_of_the_host_has_words(language: str) -> None:
    assert [code for code in Refusal if not words(language).has(f"refuse-{code}")] == []


def test_what_was_taken_back_is_struck_out() -> None:
    stage = Stage(2)
    stage.do(None, Eliminate(stage.table.red[1]))
    undo = line(ActionKind.UNDO, UndoRuling(stage.record[-1].n, "ZimA", stage.record[-1].events))
    plain, screen = stage.news(stage.record[-1]), stage.news(undo)
    assert plain is not None
    assert screen is not None
    assert str(screen.text).split("\n")[1:] == [f"<s>{told}</s>" for told in str(plain.text).split("\n")]


class Paused(Stage):
    """A stage whose match is paused."""

    @property
    def match(self) -> Match:
        pause = Pause("ZimA", "<i>ferry</i>", NOW, NOW + timedelta(days=2), 13 * HOUR * 1000 + 5)
        return msgspec.structs.replace(super().match, pause=pause, due_at=None, remind_at=None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pause_stands_in_the_turn_the_status_and_every_panel(language: str) -> None:
    stage = Paused(1, language=language)
    told = pause_text(stage.match, words(language))
    assert told is not None
    assert "ZimA" in told
    assert "&lt;i&gt;ferry" in told
    assert "13" in told
    status = PRESENTER.status(stage.look(None), words(language))
    for text in (stage.turn().text, status, stage.panel(0).text, stage.panel(1).text):
        assert told in text


def test_changes_are_told_in_the_group_and_shown_in_the_panels() -> None:
    stage = Stage(1)
    posts = stage.plan(What.CLOCK, n=7, events=())
    assert [post.kind for post in posts] == ["news", "slot", "slot", "slot"]
    undone = stage.plan(What.UNDONE, n=7, events=(), fresh=True)
    assert '"fresh": true' in undone[1].body
    assert [post.chat_id for post in stage.plan(What.RESERVE)] == [stage.match.chat_id]


class TestAdmission:
    def speech(self, *waiting: str) -> Speech:
        stage = Stage(1)
        look = stage.look(None)
        more = tuple(Member(1, 900 + n, 10 + n, None, name, f"nick{n}") for n, name in enumerate(waiting))
        return Speech.of(Look(look.match, (*look.members, *more), None, look.view, look.stamp), words("en"))

    def read(self, text: str, *waiting: str) -> object:
        speech = self.speech(*waiting)
        look = Look(speech.match, speech.members, None, speech.view, speech.stamp)
        return PRESENTER.command("referee", text, look, words("en"), False)

    def test_without_names_the_first_two_come(self) -> None:
        assert self.read("admit", "Ann", "Bob", "Cy") == Decide(Admit(AdmitPair(), 2))

    def test_with_names_those_two_come(self) -> None:
        assert self.read("admit Cy, @nick0", "Ann", "Bob", "Cy") == Decide(Admit(AdmitPair(), 2, (900, 902)))

    @pytest.mark.parametrize("names", ["Ann", "Ann, Dee", "Ann, Bob, Cy", "Ann, Ann", "ZimA, Ann"])
    def test_other_names_are_answered_with_what_can_be_ordered(self, names: str) -> None:
        assert isinstance(self.read(f"admit {names}", "Ann", "Bob", "Cy"), Say)

    def test_there_is_a_button_once_two_wait(self) -> None:
        for waiting, found in (((), False), (("Ann",), False), (("Ann", "Bob"), True)):
            texts = [button.text for button in buttons(referee_screen(self.speech(*waiting)))]
            assert (words("en").plain("sea-button-admit") in texts) is found


@pytest.mark.parametrize("stage", [Stage(1), Paused(1)], ids=["running", "paused"])
def test_the_referees_buttons_lead_to_decisions_that_carry_the_version(stage: Stage) -> None:
    found: list[Decide] = []
    waiting, seen = list(pressable(referee_screen(stage.speech(None)))), set[str]()
    while waiting:
        data = waiting.pop()
        if data in seen:
            continue
        seen.add(data)
        assert len(data.encode()) <= CALLBACK_LIMIT
        match stage.press(None, data):
            case Turn(screen=screen):
                waiting += pressable(screen)
            case Decide() as decision:
                found.append(decision)
            case _:
                pass
    assert {decision.version for decision in found} == {stage.match.version}
    kinds = {type(decision.order) for decision in found}
    assert kinds == ({Resume, Undo} if isinstance(stage, Paused) else {StopClock, GiveTime, Undo})


@pytest.mark.parametrize("rest", ["rpr:x", "rpl", "rpr:9:0:1", "rpr:0:0", "rtg:9:1", "rgo", "rad:", "run:a"])
def test_data_that_no_button_has_is_no_button(rest: str) -> None:
    stage = Stage(1)
    verb, _, more = rest.partition(":")
    assert stage.press(None, stage.speech(None).press(verb, *more.split(":"))) is None


def test_nothing_of_it_stands_in_groups() -> None:
    stage = Stage(1)
    for data in pressable(referee_screen(stage.speech(None))):
        assert stage.press(None, data, private=False) is None
    assert shown(referee_screen(stage.speech(None)))
