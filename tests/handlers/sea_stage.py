"""A match of sea battle as the presenter meets it: views, names, the record, and what each chat would be shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from engines.contract import Seat, dump
from engines.sea_battle import ENGINE
from engines.sea_battle.model import SeaAction, SeaEvent, SeaOptions
from handlers.presenter import Do, Reading, Say, Scene, Turn, Written
from handlers.screens import Button, Press, Screen
from handlers.sea_battle import PRESENTER
from handlers.sea_battle.speech import Speech
from locales import words
from referee.planning import Change, What
from referee.play import Look
from storage.records import ActionKind, Match, MatchPhase, Member, Pace, Post, StoredAction
from tests.engines.sea_table import Table

NOW = datetime(2026, 11, 26, 12, tzinfo=UTC)
DUE = NOW + timedelta(hours=18)
GROUP = -100500
NAMES = ("ZimA", "Адвокат", "Вирт", "Юнга", "Sova_2", "Mirra", "Дед Мороз", "Кот77")


class Stage:
    """A `Table` with people: seat n is `names[n]`, person 100 + n. Every act is a line of the record."""

    def __init__(
        self,
        pairs: int = 1,
        *,
        started: bool = True,
        options: SeaOptions | None = None,
        names: Sequence[str] = NAMES,
        language: str = "ru",
    ) -> None:
        self.table = Table(pairs, started=started, options=options)
        self.language = language
        self.members = tuple(Member(1, 100 + seat, seat, seat, names[seat], f"user{seat}") for seat in range(2 * pairs))
        self.record: list[StoredAction] = []
        self.write(ActionKind.NEW)

    # --- Acts ---

    def write(self, kind: ActionKind = ActionKind.ACT, seat: Seat | None = None) -> StoredAction:
        """The table's last act as the next line of the record."""
        body = dump({"due": DUE, "started": NOW}) if kind is ActionKind.EXPIRE else "{}"
        line = StoredAction(1, len(self.record) + 1, kind, seat, None, body, dump(self.table.events), NOW)
        self.record.append(line)
        return line

    def do(self, seat: Seat | None, action: SeaAction) -> tuple[SeaEvent, ...]:
        events = self.table.do(seat, action)
        self.write(seat=seat)
        return events

    def expire(self) -> tuple[SeaEvent, ...]:
        events = self.table.expire()
        self.write(ActionKind.EXPIRE)
        return events

    # --- What is known ---

    @property
    def match(self) -> Match:
        over = ENGINE.outcome(self.table.state) is not None
        timer = ENGINE.timer(self.table.state)
        return Match(
            1,
            "sea_battle",
            GROUP,
            None,
            100,
            MatchPhase.OVER if over else MatchPhase.RUNNING,
            len(self.record),
            dump(self.table.state.options),
            Pace(),
            "a seed that nobody may see",
            (),
            NOW,
            state=dump(self.table.state),
            timer_key=None if timer is None else timer.key,
            turn_started_at=NOW,
            due_at=None if over else DUE,
        )

    def look(self, seat: Seat | None) -> Look:
        state = self.table.state
        return Look(self.match, self.members, seat, ENGINE.view(state, seat), ENGINE.stamp(state, seat))

    def speech(self, seat: Seat | None = None) -> Speech:
        return Speech.of(self.look(seat), words(self.language))

    # --- What is shown ---

    def scene(
        self, seat: Seat | None, actions: Sequence[StoredAction] = (), body: dict[str, object] | None = None
    ) -> Scene:
        return Scene(self.look(seat), words(self.language), seat is not None, tuple(actions), body)

    def turn(self, n: int | None = None) -> Screen:
        screen = PRESENTER.slot("turn", self.scene(None, self.record, {} if n is None else {"n": n}))
        assert screen is not None
        return screen

    def panel(self, seat: Seat, **body: object) -> Screen:
        screen = PRESENTER.slot(f"panel:{seat}", self.scene(seat, body=body))
        assert screen is not None
        return screen

    def news(self, *lines: StoredAction) -> Screen | None:
        return PRESENTER.news(self.scene(None, lines))

    def change(self, what: What = What.ACTED, **more: object) -> Change:
        """The last act as a change."""
        given: dict[str, object] = {"n": self.record[-1].n, "events": self.table.events, **more}
        return Change(what, self.match, self.members, **given)  # type: ignore[arg-type]

    def plan(self, what: What = What.ACTED, **more: object) -> list[Post]:
        return list(PRESENTER.plan(self.change(what, **more)))

    def press(self, seat: Seat | None, data: str, *, private: bool = True) -> Reading | None:
        read = Press.read(data)
        assert read is not None
        press = Press(read.verb, read.match_id, read.stamp, read.rest, private)
        return PRESENTER.pressed(press, self.look(seat), words(self.language))

    def reads(self, seat: Seat | None, text: str, *, private: bool = False, addressed: bool = False) -> Reading | None:
        written = Written(text, private, private or addressed)
        return PRESENTER.read(written, self.look(seat), words(self.language))

    def command(self, seat: Seat | None, name: str, argument: str = "", *, private: bool = False) -> Reading | None:
        return PRESENTER.command(name, argument, self.look(seat), words(self.language), private)


def buttons(screen: Screen) -> list[Button]:
    return [button for row in screen.keyboard for button in row]


def pressable(screen: Screen) -> Iterator[str]:
    """The data of a screen's buttons."""
    for button in buttons(screen):
        if button.data is not None:
            yield button.data


def shown(screen: Screen) -> str:
    """A screen's text as a person reads it: no tags, no marks of direction."""
    return str(screen.text.striptags()).replace("\u2068", "").replace("\u2069", "")


def said(reading: Reading | None) -> str:
    """What a reading says back."""
    match reading:
        case Do(receipt=receipt):
            return "" if receipt is None else receipt.striptags().replace("\u2068", "").replace("\u2069", "")
        case Say(screen=screen) | Turn(screen=screen):
            # striptags folds white space; what is tested are words.
            return shown(screen)
        case None:
            return ""
