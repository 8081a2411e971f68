"""What a player wrote: moves, questions to put with buttons, refusals that say what would be right, reports, talk.

What a text means is read by `engines.sea_battle.reading`; here its meanings become actions and answers.
"""

from __future__ import annotations

from typing import assert_never

from markupsafe import Markup

from engines.contract import Seat
from engines.sea_battle import meaning
from engines.sea_battle.model import Attach, Cell, Delegate, Phase, PlayerView, Shoot, Withdraw
from engines.sea_battle.nicks import Person
from engines.sea_battle.reading import read
from handlers.presenter import Do, Reading, Say, Written
from handlers.screens import Button, Keyboard, Screen
from handlers.sea_battle import fleet_text, keypad
from handlers.sea_battle.pressed import fire
from handlers.sea_battle.reports import corrections
from handlers.sea_battle.speech import Speech, lines, rows_of
from handlers.sea_battle.turn import EXAMPLE

CHOICES = 8
"""A question has no more buttons than this."""


def heard(written: Written, speech: Speech) -> Reading | None:
    """What somebody wrote means; None for talk, and for everything that a spectator writes."""
    me = speech.me
    if me is None:
        return None
    if written.private and (speech.view.phase is Phase.PLACING or me.reserve):
        fleet = fleet_text.heard(written.text, speech)
        if fleet is not None:
            return fleet
    found = read(written.text, table_of(speech, me, addressed=written.addressed))
    return _Listener(speech, me, written.private, _seat_of(speech, written.reply_to_person)).answer(found)


def table_of(speech: Speech, me: PlayerView, *, addressed: bool) -> meaning.Table:
    """Whom the reader of a message has to know."""
    people = {player.seat: person_at(speech, player) for player in speech.view.players}
    return meaning.Table(
        me=people[me.seat],
        allies=tuple(people[p.seat] for p in speech.view.players if p.team is me.team and p.seat != me.seat),
        enemies=tuple(people[p.seat] for p in speech.view.players if p.team is not me.team),
        columns=speech.view.options.columns,
        addressed=addressed,
    )


def person_at(speech: Speech, player: PlayerView) -> Person:
    """A player by everything he is called."""
    names = [speech.names.plain(player.seat)]
    for member in speech.members:
        if member.seat == player.seat:
            names.append(member.name)
            if member.name.split():
                names.append(member.name.split()[0])
            if member.username:
                names.append(member.username)
    return Person(player.seat, tuple(dict.fromkeys(names)), player.opponents)


def _seat_of(speech: Speech, person_id: int | None) -> Seat | None:
    return next((m.seat for m in speech.members if person_id is not None and m.person_id == person_id), None)


class _Listener:
    """Answers one message of one player."""

    def __init__(self, speech: Speech, me: PlayerView, private: bool, replied: Seat | None) -> None:
        self._speech = speech
        self._me = me
        self._private = private
        self._replied = replied
        """Whose message this one replies to."""

    def answer(self, found: meaning.Reading) -> Reading | None:
        """What a meaning leads to."""
        speech = self._speech
        match found:
            case meaning.NotAMove():
                return None
            case meaning.Withdraw():
                return Do(Withdraw(), receipt=speech.html("withdrawn-receipt") if self._private else None)
            case meaning.Attach():
                return Do(Attach(found.gun, found.target))
            case meaning.AskAttach():
                return self._ask_attach(found.guns, found.targets)
            case meaning.OnBehalf():
                return self._said(found.what, found.seat)
            case meaning.AskBehalf():
                return self._ask_behalf(found.candidates, found.what)
            case meaning.Several():
                return self._several(found)
            case _:
                return self._said(found, None)

    def _said(self, what: meaning.Move | meaning.Report | meaning.ReportAndMove, behalf: Seat | None) -> Reading | None:
        """A report, a move, or both; for oneself or for a delegator."""
        match what:
            case meaning.Report():
                told = corrections(what, self._speech, self._me.seat if behalf is None else behalf)
                return Say(Screen(told)) if told is not None else None
            case meaning.ReportAndMove(report=report, move=move):
                told = corrections(report, self._speech, self._me.seat if behalf is None else behalf)
                return _after(told, self._move(move, behalf))
            case _:
                return self._move(what, behalf)

    def _move(self, move: meaning.Move, behalf: Seat | None) -> Reading | None:
        speech = self._speech
        match move:
            case meaning.Shot(target=target, cell=cell, as_typed=as_typed):
                return self._shot(target, cell, behalf, say_back=not as_typed)
            case meaning.Delegate():
                return Do(Delegate(), receipt=speech.html("delegated-receipt") if self._private else None)
            case meaning.AskCells(cells=cells, target=target):
                return self._ask_cells(cells, target, behalf)
            case meaning.AskNick(candidates=candidates, typed=typed, cell=cell):
                question = speech.html("ask-nick", typed=typed)
                return self._ask_target(question, candidates, cell, behalf)
            case meaning.AskOpponent(candidates=candidates, cell=cell):
                if self._replied in candidates and self._replied is not None:
                    return self._shot(self._replied, cell, behalf, say_back=True)
                question = speech.html("ask-opponent", cell=speech.cell(cell))
                return self._ask_target(question, candidates, cell, behalf)
            case meaning.AskCell(target=target):
                return self._ask_cell(target, behalf)
            case meaning.AskDelegate():
                row = (speech.button(speech.plain("button-delegate"), "adel", self._me.seat),)
                return Say(Screen(speech.html("ask-delegate"), (row,)))
            case meaning.RefuseColumn(typed=typed, letters=letters):
                return Say(Screen(speech.html("no-column", typed=typed, letters=" ".join(letters))))
            case meaning.RefuseRow(typed=typed):
                return Say(Screen(speech.html("no-row", typed=typed)))
            case meaning.RefuseOpponent(target=target, opponents=opponents):
                return Say(Screen(self._not_opponent(target, opponents)))
            case _:
                assert_never(move)

    def _shot(self, target: Seat, cell: Cell, behalf: Seat | None, *, say_back: bool) -> Do:
        """A shot. What was not written in the very letters of the board is said back."""
        said = fire(self._speech, target, cell, behalf)
        if say_back or self._private:
            return said
        return Do(Shoot(target, cell, behalf))

    def _not_opponent(self, target: Seat | None, opponents: tuple[Seat, ...]) -> Markup:
        speech = self._speech
        if not opponents:
            return speech.html("no-opponents")
        if target is None:
            return speech.html("opponents-are", names=speech.many(opponents), n=len(opponents))
        name = speech.names.html(target)
        return speech.html("not-opponent", name=name, names=speech.many(opponents), n=len(opponents))

    # --- Questions ---

    def _ask(self, target: Seat, cell: Cell, behalf: Seat | None, text: str) -> Button:
        """A button that only the one who was asked may press."""
        return self._speech.button(text, "ask", self._me.seat, target, cell, "" if behalf is None else behalf)

    def _ask_cells(self, cells: tuple[Cell, ...], target: Seat | None, behalf: Seat | None) -> Say:
        speech = self._speech
        targets = (target,) if target is not None else self._targets(behalf)
        if not targets:
            return Say(Screen(speech.html("no-opponents")))
        several = len(targets) > 1
        buttons = [
            self._ask(
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

    def _ask_target(
        self, question: Markup, candidates: tuple[Seat, ...], cell: Cell | None, behalf: Seat | None
    ) -> Say:
        speech = self._speech
        candidates = candidates or self._targets(behalf)
        if not candidates:
            return Say(Screen(speech.html("no-opponents")))
        if cell is None:
            question = lines(question, speech.html("opponents-are", names=speech.many(candidates), n=len(candidates)))
            return Say(Screen(question, self._aiming_rows(candidates, behalf)))
        buttons = [
            self._ask(
                seat,
                cell,
                behalf,
                speech.plain("target-cell", name=speech.names.plain(seat), cell=speech.cell(cell)),
            )
            for seat in candidates[:CHOICES]
        ]
        return Say(Screen(question, rows_of(buttons, 1)))

    def _ask_cell(self, target: Seat | None, behalf: Seat | None) -> Say:
        speech = self._speech
        if self._private and target is not None:
            return Say(keypad.columns_screen(speech, target, behalf))
        question = speech.html("ask-where")
        return Say(Screen(question, self._aiming_rows(self._targets(behalf), behalf)))

    def _aiming_rows(self, targets: tuple[Seat, ...], behalf: Seat | None) -> Keyboard:
        """In private the buttons to aim with; in the group the way there."""
        speech = self._speech
        if not self._private:
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

    def _ask_behalf(
        self, candidates: tuple[Seat, ...], what: meaning.Move | meaning.Report | meaning.ReportAndMove
    ) -> Say | None:
        speech = self._speech
        move = what.move if isinstance(what, meaning.ReportAndMove) else what
        if isinstance(move, meaning.Report):
            return None
        if not isinstance(move, meaning.Shot) or not candidates:
            return Say(Screen(speech.html("ask-behalf-again", cell=speech.cell(EXAMPLE))))
        buttons = [
            self._ask(
                move.target, move.cell, seat, speech.plain("button-for", name=speech.names.plain(seat))
            )
            for seat in candidates[:CHOICES]
        ]  # fmt: skip
        target, cell = speech.names.html(move.target), speech.cell(move.cell)
        return Say(Screen(speech.html("ask-behalf", target=target, cell=cell), rows_of(buttons, 2)))

    def _several(self, found: meaning.Several) -> Reading | None:
        """An Admiral's own shot and those for others: made in their order, if all of them are clear; else asked."""
        answers = [self.answer(reading) for reading in found.readings]
        moves = [answer for answer in answers if isinstance(answer, Do)]
        if len(moves) == len(answers):
            receipts = [move.receipt for move in moves if move.receipt is not None]
            return Do(
                moves[0].action,
                receipt=lines(receipts) if receipts else None,
                then=tuple(move.action for move in moves[1:]),
            )
        speech = self._speech
        buttons = []
        for reading in found.readings:
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
            buttons.append(self._ask(shot.target, shot.cell, behalf, text))
        if not buttons:
            return answers[0]
        return Say(Screen(speech.html("ask-several"), rows_of(buttons[:CHOICES], 1)))

    def _ask_attach(self, guns: tuple[Seat, ...], targets: tuple[Seat, ...]) -> Say:
        speech = self._speech
        buttons = [
            speech.button(
                speech.plain("button-against", gun=speech.names.plain(gun), target=speech.names.plain(target)),
                "aat",
                self._me.seat,
                gun,
                target,
            )
            for gun in guns
            for target in targets
        ][:CHOICES]
        return Say(Screen(speech.html("ask-attach"), rows_of(buttons, 1)))

    def _targets(self, behalf: Seat | None) -> tuple[Seat, ...]:
        return self._speech.view.players[self._me.seat if behalf is None else behalf].opponents


def _after(told: Markup | None, reading: Reading | None) -> Reading | None:
    """A correction goes along with what the move is answered."""
    if told is None:
        return reading
    match reading:
        case Do(action=action, as_referee=as_referee, receipt=receipt):
            return Do(action, as_referee, lines(told, receipt), reading.then)
        case Say(screen=screen):
            return Say(Screen(lines(told, screen.text), screen.keyboard, screen.pictures))
        case _:
            return Say(Screen(told))
