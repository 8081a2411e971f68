"""The part of a message that is a shot: (То) nick - cell.

Every piece of the message has to be accounted for. What has anything else in it is no shot: it is at most asked about,
and in the plain talk of a group it is mostly passed over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from engines.contract import Seat
from engines.sea_battle import vocabulary as words
from engines.sea_battle.cells import LETTERS, CellText, Wrong, read_cell, read_keys
from engines.sea_battle.coordinates import CLOSING, Item, Rest, Run, cell_at, cells_at, closed
from engines.sea_battle.meaning import (
    AskCell,
    AskCells,
    AskNick,
    AskOpponent,
    Move,
    RefuseColumn,
    RefuseOpponent,
    RefuseRow,
    Shot,
    Table,
)
from engines.sea_battle.model import Cell
from engines.sea_battle.nicks import Hit, Person, Piece, Tier, named_at

_SEPARATORS: Final = frozenset("-:,\n")
"""May stand between the parts of a shot."""

_UNKNOWN_NICK: Final = 4
"""Pieces between «То» and a cell that may be somebody's mistyped nick."""


@dataclass(frozen=True)
class Aim:
    """A message, who shoots, and how eagerly it is read."""

    text: tuple[Piece, ...]
    table: Table
    shooter: Person
    command: bool = False
    """The message is a command to shoot: every word is meant."""
    doubted: bool = False
    """Whatever is found is to be asked about."""

    @property
    def eager(self) -> bool:
        """Whether the message is meant for the bot."""
        return self.command or self.table.addressed

    @property
    def opponents(self) -> tuple[Seat, ...]:
        """Whom the shooter may shoot at: any enemy where it is not known of a team-mate."""
        if self.shooter.seat == self.table.me.seat or self.shooter.opponents:
            return self.shooter.opponents
        return tuple(person.seat for person in self.table.enemies)

    @property
    def everyone(self) -> tuple[Person, ...]:
        """All whom the message may name."""
        return (self.table.me, *self.table.allies, *self.table.enemies)


class Choice(NamedTuple):
    """Who of some may be meant by some hits."""

    seats: tuple[Seat, ...]
    certain: bool
    """One, and it can be nobody else."""
    exact: bool
    """Certain, and in these very letters."""


def choose(hits: list[Hit], wanted: tuple[Seat, ...]) -> Choice:
    """Of people named by the same pieces, those among `wanted` who may be meant: none, one, or several to ask about."""
    among = [hit for hit in hits if hit.person.seat in wanted]
    if not among:
        return Choice((), False, False)
    best = min(hit.tier for hit in among)
    if best is Tier.EXACT and all(hit.tier is not Tier.DECLINED for hit in among):
        among = [hit for hit in among if hit.tier is Tier.EXACT]
    # «Вирта» is Вирта, or Вирт in another case: ask. So too if somebody else bears the very nick that was typed.
    others_better = any(hit.tier < best for hit in hits if hit.person.seat not in wanted)
    certain = len(among) == 1 and not others_better
    return Choice(tuple(hit.person.seat for hit in among), certain, certain and best is Tier.EXACT)


def named(aim: Aim, at: int, wanted: tuple[Seat, ...]) -> list[tuple[int, Choice]]:
    """Who of `wanted` is named at `at`, for each piece where the nick may end, the longest nick first."""
    hits = named_at(aim.text, at, aim.everyone)
    ends = sorted({hit.end for hit in hits}, reverse=True)
    ways = [(end, choose([hit for hit in hits if hit.end == end], wanted)) for end in ends]
    return [(end, choice) for end, choice in ways if choice.seats]


def find_move(aim: Aim, start: int) -> Move | None:
    """The shot that the pieces from `start` to the end are, or what to ask or to refuse; None if they are no shot."""
    found = _whole(aim, start)
    if found is not None:
        return found
    return _among_words(aim, start)


# --- The whole text is a shot ---------------------------------------------------------------------


def _whole(aim: Aim, start: int) -> Move | None:
    text = aim.text
    to = hesitant = doubting = False
    at = start
    fallback: Move | None = None
    while at < len(text):
        opening = replace(aim, doubted=aim.doubted or (hesitant and not aim.eager))
        if doubting:
            if not aim.eager:
                return None
            opening = replace(opening, doubted=True)
        found = _aimed(opening, at, to) or _bare(opening, at, to)
        if isinstance(found, RefuseOpponent | AskNick):
            fallback = fallback or found
        elif found is not None:
            return found
        piece = text[at]
        if piece.folded in words.TO:
            to = True
        elif piece.folded in words.DOUBTING:
            doubting = True
        elif piece.folded in words.HESITANT:
            hesitant = True
        elif piece.folded not in words.SHOOTING and not (at > start and piece.text in _SEPARATORS):
            break
        at += 1
    if fallback is not None:
        return fallback
    if to and at < len(text) and not aim.doubted:
        return _unknown_nick(aim, at)
    if at == len(text) and aim.command:
        return AskCell()
    return _odd_cell(aim, start) if aim.eager else None


def _aimed(aim: Aim, at: int, to: bool) -> Move | None:
    """A nick and a cell."""
    hits = named_at(aim.text, at, aim.everyone)
    for end in sorted({hit.end for hit in hits}, reverse=True):
        here = [hit for hit in hits if hit.end == end]
        run = _cells(aim, _to_cell(aim, end))
        choice = choose(here, aim.opponents)
        if run is None:
            if (to or aim.command) and aim.eager and closed(aim.text, end) and choice.certain:
                return AskCell(choice.seats[0])
            continue
        if run.rest is Rest.WORDS:
            continue
        if not choice.seats:
            refusal = _not_an_opponent(aim, here, to)
            if refusal is not None:
                return refusal
            continue
        if not choice.certain:
            typed = " ".join(piece.text for piece in aim.text[at:end])
            return AskNick(choice.seats, typed, run.only)
        return _decide(aim, run, choice.seats[0], choice.exact)
    return None


def _not_an_opponent(aim: Aim, hits: list[Hit], to: bool) -> Move | None:
    """Somebody was named who may not be shot at; without «То» it is talk among friends, or a quoted shot at oneself."""
    seat = min(hits, key=lambda hit: hit.tier).person.seat
    enemy = any(person.seat == seat for person in aim.table.enemies)
    if to or enemy or (aim.eager and seat != aim.table.me.seat):
        return RefuseOpponent(seat, aim.opponents)
    return None


def _bare(aim: Aim, at: int, to: bool) -> Move | None:
    """A cell and no nick, or the nick after it."""
    run = _cells(aim, at)
    if run is None:
        return None
    behind = _nick_behind(aim, run.end)
    if behind is not None:
        return AskCells(run.cells, behind) if run.cells else None
    if run.rest is Rest.WORDS:
        return None
    return _decide(replace(aim, doubted=aim.doubted or (run.lone_word and not (to or aim.command))), run, None, True)


def _nick_behind(aim: Aim, at: int) -> Seat | None:
    """«А4 ZimA», «А4 по ZimA»: the opponent named at the end."""
    while at < len(aim.text) and (aim.text[at].text in _SEPARATORS or aim.text[at].folded in words.SHOOTING | words.TO):
        at += 1
    for end, choice in named(aim, at, aim.opponents):
        if closed(aim.text, end) and choice.certain:
            return choice.seats[0]
    return None


def _decide(aim: Aim, run: Run, target: Seat | None, exact: bool) -> Move | None:
    """What a nick (or none) and the cells after it come to, when there is nothing else in the message."""
    doubted = aim.doubted or run.rest is not Rest.NOTHING
    if target is None and not aim.eager and (run.little_word or (doubted and run.wrong is not None)):
        return None
    if run.wrong is not None:
        return _refuse(aim, run, run.wrong, target)
    sure = run.only is not None and not doubted and (aim.command or not run.little_word)
    if target is None and len(aim.opponents) == 1:
        target = aim.opponents[0]
    elif target is None and not aim.opponents:
        return RefuseOpponent(None, ()) if aim.eager else None
    if not sure:
        return AskCells(run.cells, target)
    if target is None:
        return AskOpponent(aim.opponents, run.cells[0])
    return Shot(target, run.cells[0], exact and run.items[0].read.as_typed)


def _refuse(aim: Aim, run: Run, wrong: CellText, target: Seat | None) -> Move | None:
    if run.spaced and target is None and not aim.eager:
        return None  # «с 3», «у 7»: words
    if wrong.wrong is Wrong.COLUMN:
        return RefuseColumn(wrong.typed, LETTERS[aim.table.columns])
    return RefuseRow(wrong.typed)


def _unknown_nick(aim: Aim, at: int) -> Move | None:
    """«То ЗimA - А4»: a nick that is nobody's. In plain talk only where a dash or a colon parts it from the cell."""
    text = aim.text
    for end in range(at + 1, min(at + _UNKNOWN_NICK, len(text) - 1) + 1):
        parted = text[end].text in ("-", ":")
        run = _cells(aim, _to_cell(aim, end))
        if run is None or run.rest is Rest.WORDS or not run.cells or not (parted or aim.eager):
            continue
        if any(piece.folded in words.NOT or not piece.word for piece in text[at:end]):
            return None
        typed = " ".join(piece.text for piece in text[at:end])
        return AskNick(aim.opponents, typed, run.only) if aim.opponents else None
    return None


def _odd_cell(aim: Aim, start: int) -> Move | None:
    """Ways to write a cell that only a message to the bot is searched for: «33», «,2», «10 10», «восемь четыре»."""
    rest = [piece for piece in aim.text[start:] if piece.text not in CLOSING]
    target = aim.opponents[0] if len(aim.opponents) == 1 else None
    if len(rest) == 1 and rest[0].text.isascii() and rest[0].text.startswith("3"):
        read = read_cell("З", rest[0].text[1:], aim.table.columns)
        return AskCells(read.cells, target) if read is not None and read.sure else None
    if len(rest) == 2 and rest[1].glued:
        read = read_keys(rest[0].text, rest[1].text, aim.table.columns)
        return AskCells(read.cells, target) if read is not None else None
    numbers = [piece for piece in rest if piece.text != ","]
    if len(numbers) == 2 and not numbers[1].glued and all(_is_number(piece) for piece in numbers):
        return AskCell(target)
    return None


def _is_number(piece: Piece) -> bool:
    return piece.folded in words.NUMBERS or piece.text in {str(number) for number in range(1, 11)}


def _to_cell(aim: Aim, at: int) -> int:
    """Past separators and words of shooting, but not past a cell."""
    while at < len(aim.text) and _cell(aim, at) is None:
        if aim.text[at].text not in _SEPARATORS and aim.text[at].folded not in words.SHOOTING:
            break
        at += 1
    return at


def _cell(aim: Aim, at: int) -> Item | None:
    return cell_at(aim.text, at, aim.table.columns)


def _cells(aim: Aim, at: int) -> Run | None:
    return cells_at(aim.text, at, aim.table.columns)


def _askable(aim: Aim, at: int) -> Cell | None:
    """A sure cell in one piece, worth a question even among other words; not the «А1» of «А1 0»."""
    item = _cell(aim, at)
    if item is None or not item.read.sure or item.spaced:
        return None
    numbered = item.end < len(aim.text) and aim.text[item.end].text[0].isdigit() and _cell(aim, item.end) is None
    return None if numbered else item.read.cells[0]


# --- A shot among other words ---------------------------------------------------------------------


def _among_words(aim: Aim, start: int) -> Move | None:
    """A shot in a message that says more: never fired, but asked about, so that nobody sleeps believing he has shot.

    In plain talk only the full form, «То nick - cell»; in a message to the bot any cell.
    """
    text = aim.text[start:]
    if any(piece.folded in words.NOT for piece in text):
        return None
    if aim.shooter.seat == aim.table.me.seat and any(piece.folded in words.FOR for piece in text):
        return None  # perhaps meant for another
    found: dict[Cell, Seat | None] = {}
    for at in range(start, len(aim.text)):
        if aim.text[at].folded in words.TO:
            for end, choice in named(aim, at + 1, aim.opponents):
                cell = _askable(aim, _to_cell(aim, end))
                if cell is not None:
                    found[cell] = choice.seats[0] if choice.certain else None
    if not found and aim.eager and not any(piece.folded in words.REPORTS for piece in text):
        for at in range(start, len(aim.text)):
            cell = _askable(aim, at)
            if cell is not None and not aim.text[at].glued:
                found[cell] = None
    if not found or not aim.opponents:
        return None
    targets = set(found.values()) if None not in found.values() else set(aim.opponents)
    return AskCells(tuple(found), targets.pop() if len(targets) == 1 else None)
