"""Questions put with buttons, because a text can be read in more than one way. No move is made before an answer.

Each button names him who was asked, so that nobody else can answer for him.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from engines.contract import Seat
from engines.sea_battle import meaning
from engines.sea_battle.model import Cell, PlayerView
from handlers.presenter import Say
from handlers.screens import Button, Keyboard, Screen
from handlers.sea_battle import keypad
from handlers.sea_battle.speech import Speech, lines, rows_of
from handlers.sea_battle.turn import EXAMPLE

CHOICES = 8
"""A question has no more buttons than this."""


@dataclass(frozen=True)
class Asker:
    """Asks `me` in his private chat or in the group."""

    speech: Speech
    me: PlayerView
    private: bool

    def _button(self, target: Seat, cell: Cell, behalf: Seat | None, text: str) -> Button:
        """A button that only the one who was asked may press."""
        return self.speech.button(text, "ask", self.me.seat, target, cell, "" if behalf is None else behalf)

    def cells(self, cells: tuple[Cell, ...], target: Seat | None, behalf: Seat | None) -> Say:
        """Which of these cells? One: is it meant as a shot at all? «В4 / Б4»."""
        speech = self.speech
        targets = (target,) if target is not None else self._targets(behalf)
        if not targets:
            return Say(Screen(speech.html("no-opponents")))
        several = len(targets) > 1
        buttons = [
            self._button(
                seat,
                cell,
                behalf,
                speech.plain("target-cell", name=speech.names.plain(seat), cell=speech.cell(cell))
                if several
                else speech.cell(cell),
            )
            for cell in cells
            for seat in targets
        ][:CHOICES]
        key = "ask-cell-sure" if len(cells) == 1 else "ask-cells"
        question = speech.html(key, cells=speech.cells(cells), target=speech.many(targets))
        return Say(Screen(question, rows_of(buttons, 1 if several else 4)))

    def target(self, question: Markup, candidates: tuple[Seat, ...], cell: Cell | None, behalf: Seat | None) -> Say:
        """Whom is the shot at? Without a cell, what to aim with."""
        speech = self.speech
        candidates = candidates or self._targets(behalf)
        if not candidates:
            return Say(Screen(speech.html("no-opponents")))
        if cell is None:
            question = lines(question, speech.html("opponents-are", names=speech.many(candidates), n=len(candidates)))
            return Say(Screen(question, self._aiming_rows(candidates, behalf)))
        buttons = [
            self._button(
                seat,
                cell,
                behalf,
                speech.plain("target-cell", name=speech.names.plain(seat), cell=speech.cell(cell)),
            )
            for seat in candidates[:CHOICES]
        ]
        return Say(Screen(question, rows_of(buttons, 1)))

    def cell(self, target: Seat | None, behalf: Seat | None) -> Say:
        """At which cell?"""
        speech = self.speech
        if self.private and target is not None:
            return Say(keypad.columns_screen(speech, target, behalf))
        question = speech.html("ask-where")
        return Say(Screen(question, self._aiming_rows(self._targets(behalf), behalf)))

    def _aiming_rows(self, targets: tuple[Seat, ...], behalf: Seat | None) -> Keyboard:
        """In private the buttons to aim with; in the group the way there."""
        speech = self.speech
        if not self.private:
            return ((Button.deep(speech.plain("button-shoot"), f"s{speech.match.id}"),),)
        return tuple(
            (
                speech.button(
                    speech.plain("button-target", name=speech.names.plain(seat)),
                    "t",
                    seat,
                    "" if behalf is None else behalf,
                ),
            )
            for seat in targets
        )

    def behalf(
        self, candidates: tuple[Seat, ...], what: meaning.Move | meaning.Report | meaning.ReportAndMove
    ) -> Say | None:
        """For which of these team-mates is the shot? None for a report: talk."""
        speech = self.speech
        move = what.move if isinstance(what, meaning.ReportAndMove) else what
        if isinstance(move, meaning.Report):
            return None
        if not isinstance(move, meaning.Shot) or not candidates:
            return Say(Screen(speech.html("ask-behalf-again", cell=speech.cell(EXAMPLE))))
        buttons = [
            self._button(
                move.target, move.cell, seat, speech.plain("button-for", name=speech.names.plain(seat))
            )
            for seat in candidates[:CHOICES]
        ]  # fmt: skip
        target, cell = speech.names.html(move.target), speech.cell(move.cell)
        return Say(Screen(speech.html("ask-behalf", target=target, cell=cell), rows_of(buttons, 2)))

    def each(self, readings: Sequence[meaning.Single]) -> Say | None:
        """Several moves in one message, not all of them clear: a button for each shot that is. None if none is."""
        speech = self.speech
        buttons = []
        for reading in readings:
            behalf, what = (reading.seat, reading.what) if isinstance(reading, meaning.OnBehalf) else (None, reading)
            shot = what.move if isinstance(what, meaning.ReportAndMove) else what
            if not isinstance(shot, meaning.Shot):
                continue
            values = {"target": speech.names.plain(shot.target), "cell": speech.cell(shot.cell)}
            text = (
                speech.plain("button-own-shot", **values)
                if behalf is None
                else speech.plain("button-shot-for", name=speech.names.plain(behalf), **values)
            )
            buttons.append(self._button(shot.target, shot.cell, behalf, text))
        return Say(Screen(speech.html("ask-several"), rows_of(buttons[:CHOICES], 1))) if buttons else None

    def attach(self, guns: tuple[Seat, ...], targets: tuple[Seat, ...]) -> Say:
        """Which free player goes on against whom?"""
        speech = self.speech
        buttons = [
            speech.button(
                speech.plain("button-against", gun=speech.names.plain(gun), target=speech.names.plain(target)),
                "aat",
                self.me.seat,
                gun,
                target,
            )
            for gun in guns
            for target in targets
        ][:CHOICES]
        return Say(Screen(speech.html("ask-attach"), rows_of(buttons, 1)))

    def _targets(self, behalf: Seat | None) -> tuple[Seat, ...]:
        return self.speech.view.players[self.me.seat if behalf is None else behalf].opponents
