"""Cells as text: «А4» or "A4", and what else a person may have meant.

Rules, «How a shot is written»: nothing is guessed, for a shot cannot be taken back. A cell is *sure* when its letter is
a column of this match or one of the three Latin letters that both look and sound like a column (A, E, K), and its row
is ASCII `1` .. `10`. All else that looks like a cell is either *doubtful*, with the cells to ask about, or *wrong*,
with what is wrong.

Text is first made plain (`plain`). Not by NFKC, which turns ² into 2; not by stripping marks, which turns Й into И; not
by a table of confusables, which turns З into 3.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import Final

from engines.contract import Value
from engines.sea_battle.model import CELLS, SIZE, Cell, Columns

LETTERS: Final = {Columns.CYRILLIC: "АБВГДЕЖЗИК", Columns.LATIN: "ABCDEFGHIJ"}
"""The letters over the board, from left to right."""

_SAME: Final = {Columns.CYRILLIC: {"A": "А", "E": "Е", "K": "К"}, Columns.LATIN: dict[str, str]()}
"""Letters of the other script that are taken for a column, and said back: look and sound agree."""

_MAYBE: Final = {
    # Look-alike first, then the same place in the alphabet, the sound, the same key of the keyboard.
    Columns.CYRILLIC: {
        "B": "ВБ", "C": "В", "D": "Д", "F": "А", "G": "Г", "H": "З", "I": "И", "J": "КЖ", "L": "Д", "P": "З", "R": "К",
        "T": "Е", "U": "Г", "V": "В", "Z": "З", "Ё": "Е", "Й": "И",
    },
    Columns.LATIN: {
        "А": "A", "Б": "B", "В": "BC", "Г": "GD", "Д": "DE", "Е": "EF", "Ж": "JG", "З": "H", "И": "I", "К": "J",
        "Н": "H", "С": "C", "Ф": "FA", "Ц": "C", "Ё": "E", "Й": "I",
    },
}  # fmt: skip
"""Letters that may stand for a column: ask."""

_KEYS: Final = {",": "Б", ";": "Ж"}
"""Columns whose key gives a punctuation mark on the other keyboard."""

_DROPPED: Final = {"\ufe0f", "\u20e3"}
"""What makes an emoji of a digit."""

_ROW: Final = re.compile(r"10|[1-9]")


def plain(text: str) -> str:
    """Text made comparable: composed, full-width forms folded, every space, dash and line end of one kind.

    Format characters (zero-width, direction marks, soft hyphens) and the parts of a keycap emoji are dropped.
    """
    kept = "".join(_plain_character(character) for character in unicodedata.normalize("NFC", text))
    # Once more: dropping a character may have put a mark next to its letter.
    return unicodedata.normalize("NFC", kept.replace("\r\n", "\n").replace("\r", "\n"))


def _plain_character(character: str) -> str:
    if "\uff01" <= character <= "\uff5e":
        character = chr(ord(character) - 0xFEE0)
    if character in _DROPPED:
        return ""
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    if category == "Zs" or character == "\t":
        return " "
    if category == "Pd" or character == "\u2212":
        return "-"
    if category in ("Zl", "Zp") or character in "\v\f\x85":
        return "\n"
    return character


def cell_name(cell: Cell, columns: Columns = Columns.CYRILLIC) -> str:
    """0 .. 99 as «А1» .. «К10». Raises ValueError beyond."""
    if not 0 <= cell < CELLS:
        raise ValueError(f"no such cell: {cell}")
    row, column = divmod(cell, SIZE)
    return f"{LETTERS[columns][column]}{row + 1}"


def cell_of(name: str, columns: Columns = Columns.CYRILLIC) -> Cell:
    """What `cell_name` wrote, and nothing else. Raises ValueError."""
    column = LETTERS[columns].find(name[:1])
    if not name or column < 0 or not _ROW.fullmatch(name[1:]):
        raise ValueError(f"no such cell: {name!r}")
    return SIZE * (int(name[1:]) - 1) + column


class Wrong(StrEnum):
    """What is wrong with something that looks like a cell."""

    COLUMN = "column"
    ROW = "row"


class CellText(Value):
    """Something that looks like a cell, and how it may be read."""

    typed: str
    cells: tuple[Cell, ...] = ()
    """The one cell if sure, the cells to ask about if doubtful, none if wrong."""
    sure: bool = False
    as_typed: bool = False
    """Sure, and in the very letter of the column; if sure but not this, say the cell back."""
    wrong: Wrong | None = None


def read_cell(letter: str, row: str, columns: Columns) -> CellText | None:
    """A letter and a row, both already `plain`; None if it is nothing like a cell.

    `letter` is one character, `row` starts with a digit of any kind.
    """
    typed = f"{letter}{row}"
    rows = _read_row(row)
    letters = _read_letter(letter, columns)
    if rows is None or letters is None:
        return None
    choices, sure_letter, as_typed = letters
    number, sure_row = rows
    if not choices:
        # Wrong in both is no cell: «Т34».
        return CellText(typed, wrong=Wrong.COLUMN) if number is not None else None
    if number is None:
        return CellText(typed, wrong=Wrong.ROW)
    cells = tuple(SIZE * (number - 1) + LETTERS[columns].index(choice) for choice in choices)
    sure = sure_letter and sure_row
    return CellText(typed, cells, sure, sure and as_typed)


def read_swapped(row: str, letter: str, columns: Columns) -> CellText | None:
    """«4А»: a row (ASCII) before a letter that is surely a column. Always doubtful."""
    found = read_cell(letter, row, columns)
    if found is None or not found.sure:
        return None
    return CellText(f"{row}{letter}", found.cells)


def read_keys(key: str, row: str, columns: Columns) -> CellText | None:
    """«,2»: the key of a Cyrillic column on the Latin keyboard, and a row. Always doubtful."""
    if columns is not Columns.CYRILLIC or key not in _KEYS or not _ROW.fullmatch(row):
        return None
    return CellText(f"{key}{row}", (cell_of(f"{_KEYS[key]}{row}"),))


def _read_letter(letter: str, columns: Columns) -> tuple[str, bool, bool] | None:
    """The columns it may be (none: wrong), whether that is sure, whether it is the column's own letter."""
    upper = letter.upper()
    if letter not in (upper, upper.lower()):  # ß, the dotless ı: capitals that are not theirs alone
        return None
    if upper in LETTERS[columns]:
        return upper, True, True
    if upper in _SAME[columns]:
        return _SAME[columns][upper], True, False
    if upper in _MAYBE[columns]:
        return _MAYBE[columns][upper], False, False
    if "A" <= upper <= "Z" or "\u0370" <= upper <= "\u052f":  # Latin, Greek, Cyrillic
        return "", False, False
    return None


def _read_row(row: str) -> tuple[int | None, bool] | None:
    """The row (None: wrong) and whether it is sure; None if it is no number at all."""
    if _ROW.fullmatch(row):
        return int(row), True
    if not row or not row[0].isdigit():
        return None
    if any(character.isdecimal() and not character.isascii() for character in row):
        # Digits of another script: some read them as numbers, most players cannot.
        return (None, False) if row.isdecimal() else None
    digits = ""
    for character in row:
        if character in "OoОо":
            digits += "0"
        elif character in "lI":
            digits += "1"
        elif character.isdigit():
            digits += str(unicodedata.digit(character))  # ² and ① have a value, but nobody shoots by them
        else:
            return None
    number = int(digits[:4])
    return (number if len(digits) <= 3 and 1 <= number <= SIZE else None), False
