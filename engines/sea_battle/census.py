"""All fleets counted (rules, «Numbers to hold»): how many there are, and how many cover each cell.

The counts are exact, and the same for cells that a turn or a reflection of the board brings onto each other, so one
eighth of the board tells all.
"""

from __future__ import annotations

from math import fsum, sqrt
from typing import Final

from engines.contract import Value
from engines.sea_battle.model import CELLS, SIZE, Cell, Fleet

TOTAL: Final = 1_855_545_978_831_780
"""Fleets on 10 x 10; ships of one length are not told apart."""

_COVERING: Final = (
    # Row 1 from А to Д, row 2 from Б to Д, ..., row 5 at Д.
    (438_487_728_189_216, 418_064_732_753_791, 475_795_243_932_227, 466_986_256_514_578, 459_000_540_738_806),
    (273_993_917_558_420, 311_381_164_022_639, 287_231_383_839_281, 287_065_521_473_363),
    (378_334_135_625_502, 357_367_672_536_881, 361_127_137_164_792),
    (330_652_352_790_746, 334_756_626_677_764),
    (338_709_200_686_772,),
)


def covering(cell: Cell) -> int:
    """How many of all fleets have a deck on `cell`."""
    row, column = (min(line, SIZE - 1 - line) for line in divmod(cell, SIZE))
    near, far = sorted((row, column))
    return _COVERING[near][far - near]


def probability(cell: Cell) -> float:
    """How likely a uniform fleet has a deck on `cell`."""
    return covering(cell) / TOTAL


def on_border(cell: Cell) -> bool:
    """Whether a cell lies at the edge of the board."""
    return any(line in (0, SIZE - 1) for line in divmod(cell, SIZE))


BORDER_DECKS: Final = fsum(probability(cell) for cell in range(CELLS) if on_border(cell))
"""Mean number of decks at the edge: 8.791."""

BORDER_TOLERANCE: Final = 0.25
"""The rules hold the mean of 2,000 random fleets within this; of others, in proportion to chance."""

_SAMPLE: Final = 2_000

_Z_LIMIT: Final = 4.5
"""One cell of a hundred is further off by chance once in 1,500 samples."""

_CHI_LIMIT: Final = 1.5
"""The mean of the squared z of all cells is 1 for uniform fleets, give or take 0.15."""


class Sample(Value):
    """Random fleets against the census."""

    fleets: int
    border: float
    """Mean number of decks at the edge."""
    covered: tuple[int, ...]
    """Per cell, fleets with a deck on it."""

    def z(self, cell: Cell) -> float:
        """How many standard deviations a cell's count is from what the census wants."""
        wanted = probability(cell)
        deviation = sqrt(self.fleets * wanted * (1 - wanted))
        return (self.covered[cell] - self.fleets * wanted) / deviation

    @property
    def worst(self) -> Cell:
        """The cell that is furthest off."""
        return max(range(CELLS), key=lambda cell: abs(self.z(cell)))

    @property
    def spread(self) -> float:
        """The mean of all squared z: about 1 for uniform fleets."""
        return fsum(self.z(cell) ** 2 for cell in range(CELLS)) / CELLS

    @property
    def uniform(self) -> bool:
        """Whether border, worst cell and spread are as chance would have them (from some hundred fleets on)."""
        return (
            abs(self.border - BORDER_DECKS) <= BORDER_TOLERANCE * sqrt(_SAMPLE / self.fleets)
            and abs(self.z(self.worst)) <= _Z_LIMIT
            and self.spread <= _CHI_LIMIT
        )


def sample(fleets: list[Fleet]) -> Sample:
    """Counts what some fleets cover. Raises ValueError if there are none."""
    if not fleets:
        raise ValueError("no fleets to count")
    covered = [0] * CELLS
    for fleet in fleets:
        for ship in fleet:
            for cell in ship.cells():
                covered[cell] += 1
    border = sum(count for cell, count in enumerate(covered) if on_border(cell)) / len(fleets)
    return Sample(len(fleets), border, tuple(covered))
