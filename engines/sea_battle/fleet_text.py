"""A fleet as text: «А1-А4, В3 В4 …» (rules, «Board and fleet»: placed by hand, buttons or text).

Ships are ranges («А1-А4», «А1-4», in either direction), cells side by side («В3 В4»), or single cells, parted by
commas, semicolons, line ends or spaces. Cells that are not joined by a dash make up ships by lying side by side.
What is read is shown and confirmed, so the Latin letters A, E, K are taken as in a shot; others are asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from engines.contract import RuleError
from engines.sea_battle.cells import LETTERS, Wrong, cell_name, plain, read_cell
from engines.sea_battle.fleet import arranged, cells_of, mask_of
from engines.sea_battle.model import SIZE, Cell, Columns, Fleet, Ship

_LONGEST: Final = 1000
"""Characters of the longest text that is looked at."""

_PARTS: Final = re.compile(r"[,;\n]+")
_WORD: Final = re.compile(r"[^\W\d_]\s*\d\w*|\w+|\S")
_ENDS: Final = frozenset(".!")


class TextFault(StrEnum):
    """Codes of `FleetTextError`."""

    EMPTY = "fleet_text_empty"
    TOO_LONG = "fleet_text_too_long"
    NOT_A_CELL = "fleet_text_not_a_cell"
    """`typed`"""
    COLUMN = "fleet_text_column"
    """`typed`, `letters` would be right"""
    ROW = "fleet_text_row"
    """`typed`"""
    DOUBTFUL = "fleet_text_doubtful"
    """`typed`, `choices`: names of cells that may be meant"""
    BENT = "fleet_text_bent"
    """`cells` (names) in one piece that is not straight, or the ends of a slanting range"""


class FleetTextError(RuleError):
    """A text is no list of ships; nothing has changed."""


def parse_fleet(text: str, columns: Columns = Columns.CYRILLIC) -> Fleet:
    """The ships that a text lists, `arranged`. Whether they are a legal fleet is for `fleet.problems`.

    Raises FleetTextError with a code of `TextFault`.
    """
    if len(text) > _LONGEST:
        raise FleetTextError(TextFault.TOO_LONG, limit=_LONGEST)
    ships: list[Ship] = []
    singles: list[Cell] = []
    for part in _PARTS.split(plain(text)):
        ranges, cells = _part(part, columns)
        ships += ranges
        if len(cells) == 1:
            singles += cells  # «А1, А2, А3»: all parted alike
        else:
            ships += _pieces(cells, columns)
    ships += _pieces(singles, columns)
    if not ships:
        raise FleetTextError(TextFault.EMPTY)
    return arranged(ships)


def print_fleet(fleet: Iterable[Ship], columns: Columns = Columns.CYRILLIC) -> str:
    """Ships within the board as `parse_fleet` reads them: «А1-А4, В3-Г3, К10»."""
    return ", ".join(
        cell_name(ship.cell, columns)
        if ship.length == 1
        else f"{cell_name(ship.cells()[0], columns)}-{cell_name(ship.cells()[-1], columns)}"
        for ship in arranged(fleet)
    )


def _part(part: str, columns: Columns) -> tuple[list[Ship], list[Cell]]:
    """The ranges and the cells between two commas."""
    words = _WORD.findall(part)
    while words and words[-1] in _ENDS:
        words.pop()
    ranges: list[Ship] = []
    cells: list[Cell] = []
    at = 0
    while at < len(words):
        first = _cell(words[at], columns)
        if words[at + 1 : at + 2] != ["-"] or at + 2 >= len(words):
            cells.append(first)
            at += 1
            continue
        last = words[at + 2]
        # «А1-4»: the same column
        ranges.append(_range(first, _cell(f"{words[at][0]}{last}" if last.isdigit() else last, columns), columns))
        at += 3
    return ranges, cells


def _cell(word: str, columns: Columns) -> Cell:
    read = read_cell(word[0], word[1:].strip(), columns)
    if read is None:
        raise FleetTextError(TextFault.NOT_A_CELL, typed=word)
    if read.wrong is Wrong.COLUMN:
        raise FleetTextError(TextFault.COLUMN, typed=read.typed, letters=LETTERS[columns])
    if read.wrong is Wrong.ROW:
        raise FleetTextError(TextFault.ROW, typed=read.typed)
    if not read.sure:
        choices = tuple(cell_name(cell, columns) for cell in read.cells)
        raise FleetTextError(TextFault.DOUBTFUL, typed=read.typed, choices=choices)
    return read.cells[0]


def _range(one: Cell, other: Cell, columns: Columns) -> Ship:
    first, last = min(one, other), max(one, other)
    if first // SIZE == last // SIZE:
        return Ship(first, last - first + 1)
    if first % SIZE == last % SIZE:
        return Ship(first, (last - first) // SIZE + 1, vertical=True)
    raise FleetTextError(TextFault.BENT, cells=(cell_name(one, columns), cell_name(other, columns)))


def _pieces(cells: Iterable[Cell], columns: Columns) -> Iterator[Ship]:
    """Ships out of cells, by lying side by side."""
    left = mask_of(cells)
    while left:
        piece = _connected(left)
        left &= ~piece
        found = cells_of(piece)
        ship = _range(found[0], found[-1], columns) if _straight(found) else None
        if ship is None:
            raise FleetTextError(TextFault.BENT, cells=tuple(cell_name(cell, columns) for cell in found))
        yield ship


def _straight(cells: tuple[Cell, ...]) -> bool:
    return len({cell // SIZE for cell in cells}) == 1 or len({cell % SIZE for cell in cells}) == 1


_FIRST_COLUMN: Final = mask_of(range(0, SIZE * SIZE, SIZE))
_LAST_COLUMN: Final = _FIRST_COLUMN << SIZE - 1


def _connected(cells: int) -> int:
    """Of some cells, those that hang together with the first of them by their sides."""
    found = cells & -cells
    while True:
        right = (found & ~_LAST_COLUMN) << 1
        left = (found & ~_FIRST_COLUMN) >> 1
        grown = (found | right | left | found << SIZE | found >> SIZE) & cells
        if grown == found:
            return found
        found = grown
