"""Cells among the pieces of a message: one or several side by side, and what comes after them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from msgspec import structs

from engines.sea_battle import vocabulary as words
from engines.sea_battle.cells import CellText, read_cell, read_swapped
from engines.sea_battle.model import Cell, Columns
from engines.sea_battle.nicks import Piece

CLOSING: Final = frozenset(".!)\n")
"""May follow a move without making it doubtful."""

_BETWEEN: Final = frozenset(",;/.-\n")
_LITTLE_WORDS: Final = frozenset("авикai")
"""Columns that are words as well: «к 8» is a time of day, «и 5» a part of a sentence."""


class Rest(Enum):
    """What comes after the cells."""

    NOTHING = auto()
    DOUBT = auto()
    """A question mark, an emoji, dots."""
    WORDS = auto()


class Item(NamedTuple):
    """One cell, or what looks like one."""

    read: CellText
    end: int
    spaced: bool
    """Letter and row apart."""
    lone_word: bool
    """Apart, and the letter is a word, in whatever case: «К 8»."""
    little_word: bool
    """The same in small letters: «к 8»."""


class Run(NamedTuple):
    """One cell or more, side by side, and what comes after."""

    items: tuple[Item, ...]
    rest: Rest

    @property
    def end(self) -> int:
        """Where the rest begins."""
        return self.items[-1].end

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells that may be meant."""
        return tuple(dict.fromkeys(cell for item in self.items for cell in item.read.cells))

    @property
    def only(self) -> Cell | None:
        """The cell, if there is one alone and it is sure."""
        first = self.items[0].read
        return first.cells[0] if len(self.items) == 1 and first.sure else None

    @property
    def wrong(self) -> CellText | None:
        """The first that is no cell."""
        return next((item.read for item in self.items if item.read.wrong is not None), None)

    @property
    def spaced(self) -> bool:
        """Whether any has its letter and row apart."""
        return any(item.spaced for item in self.items)

    @property
    def lone_word(self) -> bool:
        """Whether any may be a word and a number."""
        return any(item.lone_word for item in self.items)

    @property
    def little_word(self) -> bool:
        """Whether any is most likely a word and a number."""
        return any(item.little_word for item in self.items)


def cells_at(text: Sequence[Piece], at: int, columns: Columns) -> Run | None:
    """The cells that stand at `at`; None if there is none."""
    items: list[Item] = []
    while (item := cell_at(text, at, columns)) is not None:
        items.append(item)
        at = item.end
        while at < len(text) and (text[at].text in _BETWEEN or text[at].folded in words.ALTERNATIVES):
            if cell_at(text, at, columns) is not None:  # «А4 и 5»
                break
            at += 1
    return Run(tuple(items), _rest(text, items[-1].end)) if items else None


def cell_at(text: Sequence[Piece], at: int, columns: Columns) -> Item | None:
    """The cell that begins at `at`: «А4», «А 4», «А-4», or swapped «4А»; not the beginning of «К8:30» or «А4-5»."""
    if at >= len(text) or not text[at].word:
        return None
    found = _one_piece(text[at], at, columns) or _two_pieces(text, at, columns)
    if found is None or _number_goes_on(text, found.end):
        return None
    return found


def _one_piece(piece: Piece, at: int, columns: Columns) -> Item | None:
    typed = piece.text
    read = None
    if len(typed) > 1 and typed[0].isalpha():
        read = read_cell(typed[0], typed[1:], columns)
    elif len(typed) > 1 and typed[-1].isalpha():
        read = read_swapped(typed[:-1], typed[-1], columns)
    return Item(read, at + 1, spaced=False, lone_word=False, little_word=False) if read is not None else None


def _two_pieces(text: Sequence[Piece], at: int, columns: Columns) -> Item | None:
    letter = text[at].text
    if len(letter) != 1 or not letter.isalpha():
        return None
    number = at + 1
    dashed = number < len(text) and text[number].text == "-"
    if dashed:
        number += 1
    if number >= len(text) or not text[number].text[0].isdigit():
        return None
    read = read_cell(letter, text[number].text, columns)
    if read is None:
        return None
    glued = all(piece.glued for piece in text[at + 1 : number + 1])
    if dashed and not glued:  # «А - 4» may be a list of anything
        read = structs.replace(read, sure=False, as_typed=False)
    lone_word = not glued and letter.lower() in _LITTLE_WORDS
    return Item(read, number + 1, True, lone_word, lone_word and letter.islower())


def _number_goes_on(text: Sequence[Piece], at: int) -> bool:
    if at + 1 >= len(text) or not (text[at].glued and text[at + 1].glued):
        return False
    return not text[at].word and text[at + 1].text[0].isdigit()


def closed(text: Sequence[Piece], at: int) -> bool:
    """Whether nothing follows but a full stop and the like."""
    return _rest(text, at) is Rest.NOTHING


def _rest(text: Sequence[Piece], at: int) -> Rest:
    left = [piece for piece in text[at:] if piece.folded not in words.POLITE]
    if any(piece.word for piece in left):
        return Rest.WORDS
    dots = sum(piece.text == "." for piece in left)
    return Rest.NOTHING if dots <= 1 and all(piece.text in CLOSING for piece in left) else Rest.DOUBT
