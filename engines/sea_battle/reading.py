"""A message of a player as a move: `read`.

Rules, «How a shot is written», «Delegation», and «People» for attachments. The reader is pure and knows nothing of the
state of a match. Its one principle: a shot cannot be taken back, so a message is a shot only if *all* of it is
accounted for; otherwise it is asked about or passed over. It never raises.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from engines.contract import Seat
from engines.sea_battle import vocabulary as words
from engines.sea_battle.aiming import Aim, find_move, named
from engines.sea_battle.cells import plain
from engines.sea_battle.coordinates import CLOSING, cell_at, closed
from engines.sea_battle.meaning import (
    AskAttach,
    AskBehalf,
    AskCell,
    AskCells,
    AskDelegate,
    Attach,
    Delegate,
    Move,
    NotAMove,
    OnBehalf,
    Reading,
    Report,
    ReportAndMove,
    Said,
    Several,
    Single,
    Table,
    Withdraw,
)
from engines.sea_battle.nicks import Person, Piece, pieces
from engines.sea_battle.quotation import own_words

__all__ = ["read"]

_LONGEST: Final = 1000
"""Characters of the longest message that is looked at; a longer one is talk."""

_BEFORE_REPORT: Final = frozenset("-•*.,!\n")
_AFTER_NAME: Final = frozenset("-:.,\n")
_PARTING: Final = frozenset("\n.,;!")
"""Ends a report, so that what follows is a shot: «мимо, К8», but not «мимо К8»."""

Turn = Move | Report | ReportAndMove


def read(text: str, table: Table) -> Reading:
    """What `text` (as sent, without what Telegram marks as quoted) means, written by `table.me`."""
    if len(text) > _LONGEST:
        return NotAMove()
    own = own_words(plain(text), table)
    everything = pieces(own.text)
    command, start = _command(everything)
    aim = Aim(everything, table, table.me, command is _SHOOT, doubted=not own.certain)
    if command is _DELEGATE:
        return Delegate() if closed(everything, start) else AskDelegate()
    if command is _OTHER:
        return NotAMove()
    parts = _parts(aim, start)
    found = [_single(part) for part in parts]
    if None in found and len(found) > 1:  # something besides moves: ask
        found = [_single(replace(part, doubted=True)) for part in parts]
    match [reading for reading in found if reading is not None]:
        case []:
            return AskCell() if aim.command else NotAMove()
        case [reading]:
            return reading
        case readings:
            return Several(tuple(readings))


def _parts(aim: Aim, start: int) -> list[Aim]:
    """The Admiral's own move and those for others, each beginning with «за …» on a line or in a sentence of its own."""
    text = aim.text
    starts = [start]
    for at in range(start, len(text)):
        nick = _for(text, at + 1)
        if nick is None:
            continue
        if text[at].text == "\n" or (text[at].text in _PARTING and named(aim, nick, _allies(aim))):
            starts.append(at + 1)
    return [replace(aim, text=text[one:end]) for one, end in pairwise([*starts, len(text)])]


def _single(aim: Aim) -> Single | None:
    return _order(aim, 0) or _behalf(aim, 0) or _turn(aim, 0)


def _everyone(aim: Aim) -> tuple[Seat, ...]:
    return tuple(person.seat for person in aim.everyone)


def _allies(aim: Aim) -> tuple[Seat, ...]:
    return tuple(person.seat for person in aim.table.allies)


_SHOOT, _DELEGATE, _OTHER, _NONE = "shoot", "delegate", "other", "none"


def _command(text: tuple[Piece, ...]) -> tuple[str, int]:
    """Which command a message begins with, and where what it says begins: «/shot@bot А4», «Move: A1»."""
    slash = len(text) > 1 and text[0].text == "/" and text[1].glued and text[1].word
    at = 1 if slash else 0
    if at >= len(text):
        return _NONE, 0
    name, at = text[at].folded, at + 1
    if slash and at + 1 < len(text) and text[at].text == "@" and text[at].glued:
        at += 2
    colon = at < len(text) and text[at].text == ":"
    if not slash and not colon:
        return _NONE, 0
    if name in words.COMMANDS:
        return _SHOOT, at + colon
    if slash:
        return (_DELEGATE, at) if name in words.DELEGATE_COMMANDS else (_OTHER, at)
    return _NONE, 0


# --- Orders ---------------------------------------------------------------------------------------


def _order(aim: Aim, start: int) -> Attach | AskAttach | Withdraw | None:
    return None if aim.command else _attachment(aim, start) or _withdrawal(aim, start)


def _attachment(aim: Aim, start: int) -> Attach | AskAttach | None:
    """«ZimA продолжает игру против Вирт», «боцман против mirra»."""
    text = aim.text
    me = aim.table.me.seat
    team = (me, *_allies(aim))
    enemies = tuple(person.seat for person in aim.table.enemies)
    ways = [(end, choice.seats, choice.certain) for end, choice in named(aim, start, team)]
    if start < len(text) and text[start].folded in words.MYSELF:
        ways.append((start + 1, (me,), True))
    for end, guns, gun_certain in ways:
        at = end
        while at < len(text) and text[at].folded in words.GOING_ON:
            at += 1
        if at >= len(text) or text[at].folded not in words.AGAINST:
            continue
        for last, choice in named(aim, at + 1, enemies):
            if closed(text, last):
                certain = gun_certain and choice.certain and not aim.doubted
                return Attach(guns[0], choice.seats[0]) if certain else AskAttach(guns, choice.seats)
            if aim.eager and not any(piece.word for piece in text[last:]):
                return AskAttach(guns, choice.seats)
    return None


def _delegation(aim: Aim, start: int) -> Delegate | AskDelegate | None:
    """«Передаю ход Адмиралу»; among other words it is asked about, so that nobody sleeps believing he has delegated."""
    said = {piece.folded for piece in aim.text[start:]}
    if not said & words.HANDING or not said & words.TURN or said & words.NOT:
        return None
    to_admiral = bool(said & words.ADMIRAL)
    nothing_else = said <= words.HANDING | words.TURN | words.ADMIRAL | words.BETWEEN | CLOSING
    if nothing_else and (to_admiral or aim.eager):
        return AskDelegate() if aim.doubted else Delegate()
    return AskDelegate() if to_admiral else None


def _withdrawal(aim: Aim, start: int) -> Withdraw | None:
    """«Забираю ход обратно»."""
    said = {piece.folded for piece in aim.text[start:]}
    if not said & words.TAKING_BACK or not said & words.TURN:
        return None
    return Withdraw() if said <= words.TAKING_BACK | words.TURN | words.BETWEEN | words.BACK | CLOSING else None


# --- For another ----------------------------------------------------------------------------------


def _behalf(aim: Aim, start: int) -> OnBehalf | AskBehalf | None:
    """«За Юнгу: То Mirra - Г6»."""
    at = _for(aim.text, start)
    if at is None:
        return None
    allies = {person.seat: person for person in aim.table.allies}
    for end, choice in named(aim, at, _allies(aim)):
        # Where it is certain who shoots, his opponents are known.
        shooter = allies[choice.seats[0]] if choice.certain else Person(choice.seats[0], ())
        what = _turn(replace(aim, shooter=shooter), _past(aim.text, end, _AFTER_NAME))
        if what is not None:
            return OnBehalf(shooter.seat, what) if choice.certain else AskBehalf(choice.seats, what)
    if named(aim, at, _everyone(aim)):
        return None
    return _for_nobody(aim, at, _allies(aim))


def _for(text: tuple[Piece, ...], at: int) -> int | None:
    """Where the nick after «за», «хожу за» begins; None where no such words stand."""
    while at < len(text) and text[at].folded in words.BEFORE_FOR:
        at += 1
    return at + 1 if at < len(text) and text[at].folded in words.FOR else None


def _for_nobody(aim: Aim, start: int, allies: tuple[Seat, ...]) -> AskBehalf | None:
    """«За Юн: То Mirra - Г6»: a nick that is nobody's, up to a colon or a full stop, and a shot after it."""
    ends = (at for at in range(start + 1, min(start + 6, len(aim.text))) if aim.text[at].text in (":", ".", "\n"))
    end = next(ends, None)
    if end is None or not allies:
        return None
    what = _turn(replace(aim, shooter=Person(allies[0], ())), end + 1)
    return AskBehalf(allies, what) if what is not None else None


# --- Report and shot ------------------------------------------------------------------------------


def _turn(aim: Aim, start: int) -> Turn | None:
    """A report, a shot, or both."""
    said: list[Said] = []
    at = start
    while (found := _said(aim, at)) is not None:
        said.append(found.said)
        at = found.end
        if found.asks is not None:
            return ReportAndMove(Report(tuple(said)), found.asks)
    if not said:
        if aim.shooter.seat != aim.table.me.seat:
            return find_move(aim, start)
        # What was meant for another is never one's own shot.
        return None if _for(aim.text, start) is not None else _delegation(aim, start) or find_move(aim, start)
    report = Report(tuple(said))
    after = _past(aim.text, at, _PARTING | {"-", ")"})
    if not any(piece.word for piece in aim.text[after:]):
        return report
    if any(closed(aim.text, end) for end, _ in named(aim, after, _everyone(aim))):
        return report  # «мимо, ZimA!»
    parted = any(piece.text in _PARTING for piece in aim.text[at:after]) or aim.text[after].folded in words.TO
    shot = find_move(replace(aim, doubted=aim.doubted or not parted), after)
    move = shot or (_delegation(aim, after) if aim.shooter.seat == aim.table.me.seat else None)
    return ReportAndMove(report, move) if move is not None else None


class _Found(NamedTuple):
    said: Said
    end: int
    asks: AskCells | None = None
    """The cell before it may have been a shot."""


def _said(aim: Aim, start: int) -> _Found | None:
    """«- мимо», «А4 мимо», «ZimA - А4 - ранил»."""
    text = aim.text
    at = _past(text, start, _BEFORE_REPORT)
    everyone = tuple(person.seat for person in aim.everyone)
    for end, about in [
        *((end, choice.seats if choice.certain else ()) for end, choice in named(aim, at, everyone)),
        (at, ()),
    ]:
        cell_start = _past(text, end, _AFTER_NAME) if end > at else at
        item = cell_at(text, cell_start, aim.table.columns)
        if item is not None and not item.read.sure:
            continue
        word = _past(text, item.end if item is not None else end, _AFTER_NAME)
        if word >= len(text) or text[word].folded not in words.REPORTS:
            continue
        seat = about[0] if about else None
        cell = item.read.cells[0] if item is not None else None
        said = Said(words.REPORTS[text[word].folded], cell, seat)
        parted = item is not None and any(piece.text in ("\n", ".") for piece in text[item.end : word])
        if cell is not None and parted and seat != aim.table.me.seat:
            only = aim.opponents[0] if len(aim.opponents) == 1 else None
            return _Found(said, word + 1, AskCells((cell,), only if seat not in aim.opponents else seat))
        return _Found(said, word + 1)
    return None


def _past(text: tuple[Piece, ...], at: int, skipped: frozenset[str]) -> int:
    while at < len(text) and text[at].text in skipped:
        at += 1
    return at
