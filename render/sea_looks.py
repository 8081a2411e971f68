"""What each cell of a sea is to look like: a board's view read into a hundred small values, no pixel yet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntFlag

from engines.sea_battle.model import CELLS, SIZE, BoardView, Cell, Fleet, Result, Ship


class Ground(Enum):
    """What is under everything else."""

    WATER = "water"
    KNOWN = "known"
    """Surely empty: under and beside a sunk ship."""
    OUT = "out"
    """The sea of a player who is out."""
    BAND = "band"
    """The row or column being chosen."""
    LAST = "last"
    """Shot at in the last turn."""


class Hull(Enum):
    """A deck, and in which state its ship is."""

    AFLOAT = "afloat"
    SUNK = "sunk"
    GHOST = "ghost"
    """Would stand here if placed."""
    FAULTY = "faulty"
    """Placed against the rules."""


class Mark(Enum):
    """What a shot did."""

    MISS = "miss"
    HIT = "hit"
    SUNK = "sunk"
    WAITING = "waiting"
    """Its result is not out."""
    FAULT = "fault"


class Joins(IntFlag):
    """On which sides a deck goes on into the next deck of its ship."""

    NONE = 0
    UP = 1
    RIGHT = 2
    DOWN = 4
    LEFT = 8


@dataclass(frozen=True, slots=True)
class Look:
    """All there is to see in one cell."""

    ground: Ground = Ground.WATER
    hull: Hull | None = None
    joins: Joins = Joins.NONE
    mark: Mark | None = None
    framed: bool = False
    """A bold frame: the last turn's shot, or the chosen cell."""


EMPTY = Look()


@dataclass(frozen=True, slots=True)
class Aim:
    """A cell being chosen by buttons: a column (0 .. 9), a row (0 .. 9), or both once it is known."""

    column: int | None = None
    row: int | None = None

    @property
    def cell(self) -> Cell | None:
        """The chosen cell, when both are."""
        if self.column is None or self.row is None:
            return None
        return SIZE * self.row + self.column

    def covers(self, cell: Cell) -> bool:
        """Whether `cell` is in the chosen row or column."""
        return cell % SIZE == self.column or cell // SIZE == self.row


NO_AIM = Aim()


@dataclass(frozen=True, slots=True)
class Placing:
    """What to show beside the ships while a fleet is being placed."""

    aim: Aim = NO_AIM
    ghost: Ship | None = None
    """The ship that would stand here."""
    faulty: frozenset[Cell] = field(default_factory=frozenset)
    """Cells against the rules; the ships on them are marked as well."""


def cells_within(ship: Ship) -> tuple[Cell, ...]:
    """The cells of a ship that are on the board: a draft may stick out, or lie beside it."""
    row, column = divmod(ship.cell, SIZE)
    along = ((row + deck, column) if ship.vertical else (row, column + deck) for deck in range(ship.length))
    return tuple(SIZE * y + x for y, x in along if 0 <= y < SIZE and 0 <= x < SIZE)


def around(cells: Iterable[Cell]) -> frozenset[Cell]:
    """A ship's cells and those beside it, corners included."""
    near = ((cell // SIZE + dy, cell % SIZE + dx) for cell in cells for dy in (-1, 0, 1) for dx in (-1, 0, 1))
    return frozenset(SIZE * y + x for y, x in near if 0 <= y < SIZE and 0 <= x < SIZE)


def last_turn(boards: Iterable[BoardView]) -> int:
    """The turn of the latest shots on these boards whose results are out; 0 if there are none."""
    return max((shot.turn for board in boards for shot in board.shots if shot.result is not None), default=0)


def sunk_ships(board: BoardView, fleet: Fleet | None) -> tuple[Ship, ...]:
    """Ships known to be sunk; with `fleet`, those of it that have no deck left."""
    if fleet is None:
        return board.sunk
    hit = {shot.cell for shot in board.shots if shot.result in (Result.HIT, Result.SUNK)}
    return tuple(ship for ship in fleet if ship in board.sunk or hit.issuperset(cells_within(ship)))


def looks(
    board: BoardView,
    *,
    fleet: Fleet | None = None,
    latest: int = 0,
    out: bool = False,
    aim: Aim = NO_AIM,
    placing: Placing | None = None,
) -> tuple[Look, ...]:
    """The hundred cells of a board.

    Nothing hidden is read: the ships of `fleet` are drawn and no others but the sunk ones of `board.sunk`. `latest`
    is the turn whose shots are framed, `out` greys the sea of a player who is out, `aim` is a cell being chosen.
    """
    sunk = sunk_ships(board, fleet)
    hulls: dict[Cell, tuple[Hull, Joins]] = {}
    faulty = placing.faulty if placing else frozenset()
    if placing:
        aim = placing.aim
        if placing.ghost:
            _lay(hulls, placing.ghost, Hull.GHOST)
    for ship in fleet or ():
        _lay(hulls, ship, Hull.FAULTY if faulty.intersection(cells_within(ship)) else Hull.AFLOAT)
    for ship in sunk:
        _lay(hulls, ship, Hull.SUNK)
    known = frozenset(near for ship in sunk for near in around(cells_within(ship)))
    marks, framed = _marks(board, sunk, latest)
    marks.update(dict.fromkeys(faulty, Mark.FAULT))
    found = []
    for cell in range(CELLS):
        hull, joins = hulls.get(cell, (None, Joins.NONE))
        if cell in framed:
            ground = Ground.LAST
        elif out:
            ground = Ground.OUT
        elif cell in known:
            ground = Ground.KNOWN
        else:
            ground = Ground.BAND if aim.covers(cell) else Ground.WATER
        found.append(Look(ground, hull, joins, marks.get(cell), cell in framed or cell == aim.cell))
    return tuple(found)


def _lay(hulls: dict[Cell, tuple[Hull, Joins]], ship: Ship, state: Hull) -> None:
    """Puts a ship's decks down; where ships of a draft cross, their hulls grow together."""
    before, after = (Joins.UP, Joins.DOWN) if ship.vertical else (Joins.LEFT, Joins.RIGHT)
    cells = cells_within(ship)
    for place, cell in enumerate(cells):
        joins = (before if place else Joins.NONE) | (after if place < len(cells) - 1 else Joins.NONE)
        under, others = hulls.get(cell, (None, Joins.NONE))
        crossing = under is not None and under is not Hull.GHOST and state is not Hull.SUNK
        hulls[cell] = (state, joins | others if crossing else joins)


def _marks(board: BoardView, sunk: Sequence[Ship], latest: int) -> tuple[dict[Cell, Mark], frozenset[Cell]]:
    down = {cell for ship in sunk for cell in cells_within(ship)}
    marks: dict[Cell, Mark] = {}
    for shot in board.shots:
        match shot.result:
            case None:
                marks[shot.cell] = Mark.WAITING
            case Result.MISS:
                marks[shot.cell] = Mark.MISS
            case Result.HIT | Result.SUNK:
                marks[shot.cell] = Mark.SUNK if shot.cell in down else Mark.HIT
    framed = frozenset(shot.cell for shot in board.shots if shot.result is not None and shot.turn == latest > 0)
    return marks, framed
