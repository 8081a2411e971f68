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
from handlers.screens import Screen
from handlers.sea_battle import fleet_text
from handlers.sea_battle.asking import Asker
from handlers.sea_battle.pressed import fire
from handlers.sea_battle.reports import corrections
from handlers.sea_battle.speech import Speech, lines


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


def concerns(written: Written, speech: Speech) -> bool:
    """Whether what a player wrote is about the match, such as a report that is right and needs no answer."""
    me = speech.me
    if me is None:
        return False
    return not isinstance(read(written.text, table_of(speech, me, addressed=written.addressed)), meaning.NotAMove)


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
        self._ask = Asker(speech, me, private)
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
                return self._ask.attach(found.guns, found.targets)
            case meaning.OnBehalf():
                return self._said(found.what, found.seat)
            case meaning.AskBehalf():
                return self._ask.behalf(found.candidates, found.what)
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
                return self._ask.cells(cells, target, behalf)
            case meaning.AskNick(candidates=candidates, typed=typed, cell=cell):
                question = speech.html("ask-nick", typed=typed)
                return self._ask.target(question, candidates, cell, behalf)
            case meaning.AskOpponent(candidates=candidates, cell=cell):
                if self._replied in candidates and self._replied is not None:
                    return self._shot(self._replied, cell, behalf, say_back=True)
                question = speech.html("ask-opponent", cell=speech.cell(cell))
                return self._ask.target(question, candidates, cell, behalf)
            case meaning.AskCell(target=target):
                return self._ask.cell(target, behalf)
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
            return speech.html("you-await-order" if self._me.free else "no-opponents")
        if target is None:
            return speech.html("opponents-are", names=speech.many(opponents), n=len(opponents))
        name = speech.names.html(target)
        return speech.html("not-opponent", name=name, names=speech.many(opponents), n=len(opponents))

    def _several(self, found: meaning.Several) -> Reading | None:
        """An Admiral's own shot and those for others: made in their order, if all of them are clear; else asked."""
        answers = [self.answer(reading) for reading in found.readings]
        moves = [answer for answer in answers if isinstance(answer, Do)]
        if len(moves) < len(answers):
            return self._ask.each(found.readings) or answers[0]
        receipts = [move.receipt for move in moves if move.receipt is not None]
        return Do(
            moves[0].action,
            receipt=lines(receipts) if receipts else None,
            then=tuple(move.action for move in moves[1:]),
        )


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
