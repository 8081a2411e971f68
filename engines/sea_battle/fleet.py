"""Fleets: what is wrong with one, a random one, all of them, and the seal that proves one was not changed.

Rules, «Board and fleet»: one ship of four decks, two of three, three of two, four of one; straight; never touching,
not even by corners.

A board of `width` x `height` cells is an integer with one bit a cell, bit `width * row + column`. A ship is a mask of
the cells it occupies and a halo: those and all around, where no other ship may be. Two ships go together exactly when
the mask of one and the halo of the other have no bit in common.

**The random fleet is exactly uniform.** Drawing ships one after another among the places still free is biased (it
keeps the ships away from the border). The textbook remedy is to draw all ten places independently and to begin again
on the first conflict, about 3,900 times. Here the same is done with fewer restarts: the first ship is drawn with
weight equal to the number of ways to draw the other nine *independently among the places that go with it*, then these
nine are drawn like that. A given fleet then comes out with probability

    weight(first) / total  x  1 / weight(first)  =  1 / total

whatever the first ship, so all fleets stay equally likely, and about 400 restarts remain.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import accumulate, combinations, islice, pairwise
from math import prod
from typing import Final, NamedTuple

from engines.chance import Dice
from engines.contract import Value
from engines.sea_battle.model import CELLS, FLEET_LENGTHS, SIZE, Cell, Fleet, Ship

LONGEST: Final = max(FLEET_LENGTHS)

_PATIENCE: Final = 20_000
"""Restarts after which the completions of a draft are so rare that it is quicker to list them all."""


# --- Masks ----------------------------------------------------------------------------------------


class Placement(NamedTuple):
    """A place where a ship of some length can lie on a board of some size."""

    cell: int
    """The first cell: the leftmost or uppermost."""
    vertical: bool
    mask: int
    halo: int


@cache
def placements(length: int, width: int = SIZE, height: int = SIZE) -> tuple[Placement, ...]:
    """All places for a ship of `length` decks: horizontal ones first, by first cell. A single deck is horizontal."""
    result = []
    for vertical in (False,) if length == 1 else (False, True):
        across, down = (1, length) if vertical else (length, 1)
        for row in range(height - down + 1):
            for column in range(width - across + 1):
                mask = _rectangle(column, row, across, down, width, height)
                halo = _rectangle(column - 1, row - 1, across + 2, down + 2, width, height)
                result.append(Placement(width * row + column, vertical, mask, halo))
    return tuple(result)


def _rectangle(column: int, row: int, across: int, down: int, width: int, height: int) -> int:
    """The mask of a rectangle, cut off at the edges of the board."""
    left, right = max(column, 0), min(column + across, width)
    line = (1 << right) - (1 << left)
    return sum(line << width * y for y in range(max(row, 0), min(row + down, height)))


def mask_of(cells: Iterable[Cell]) -> int:
    """Cells as bits."""
    result = 0
    for cell in cells:
        result |= 1 << cell
    return result


def cells_of(mask: int) -> tuple[Cell, ...]:
    """Bits as cells, ascending."""
    result = []
    while mask:
        low = mask & -mask
        result.append(low.bit_length() - 1)
        mask ^= low
    return tuple(result)


def within(ship: Ship) -> bool:
    """Whether a ship of at least one deck lies on the board, without going round its edge."""
    if not (0 <= ship.cell < CELLS and ship.length >= 1):
        return False
    row, column = divmod(ship.cell, SIZE)
    return (row if ship.vertical else column) + ship.length <= SIZE


def ship_mask(ship: Ship) -> int:
    """The cells of a ship within the board, as bits."""
    return mask_of(ship.cells())


def ship_halo(ship: Ship) -> int:
    """The cells of a ship within the board and all cells around it, as bits."""
    row, column = divmod(ship.cell, SIZE)
    across, down = (1, ship.length) if ship.vertical else (ship.length, 1)
    return _rectangle(column - 1, row - 1, across + 2, down + 2, SIZE, SIZE)


def around(ship: Ship) -> tuple[Cell, ...]:
    """The cells next to a ship, corners included: once it is sunk, all of them are known to be water."""
    return cells_of(ship_halo(ship) & ~ship_mask(ship))


def arranged(ships: Iterable[Ship]) -> Fleet:
    """The same ships in one fixed order (long first, then by first cell), single decks lying horizontally."""
    upright = (Ship(ship.cell, 1) if ship.length == 1 else ship for ship in ships)
    return tuple(sorted(upright, key=lambda ship: (-ship.length, ship.cell, ship.vertical)))


# --- Faults ---------------------------------------------------------------------------------------


class Fault(StrEnum):
    """What can be wrong with a fleet."""

    NO_SUCH_SHIP = "no_such_ship"
    """A ship of fewer than one or more than four decks."""
    TOO_MANY = "too_many"
    MISSING = "missing"
    OFF_BOARD = "off_board"
    """Beyond the edge, or round it."""
    OVERLAPPING = "overlapping"
    """Two ships on one cell."""
    TOUCHING = "touching"
    """Two ships side by side or corner to corner."""


class Problem(Value):
    """One thing that is wrong with a fleet."""

    fault: Fault
    ships: tuple[Ship, ...] = ()
    """The one or two ships it is about; all of that length for `TOO_MANY`; none for `MISSING`."""
    length: int = 0
    """Decks, for faults of number."""
    count: int = 0
    """How many too many, or how many missing."""


def problems(ships: Sequence[Ship]) -> tuple[Problem, ...]:
    """Everything that is wrong with a fleet (rules, «Board and fleet»); empty for a legal one.

    Numbers first (long ships first), then ships off the board, then pairs, in the order of `ships`.
    """
    found: list[Problem] = []
    have = Counter(ship.length for ship in ships)
    need = Counter(FLEET_LENGTHS)
    for length in sorted(have.keys() | need.keys(), reverse=True):
        same = tuple(ship for ship in ships if ship.length == length)
        if length not in need:
            found.extend(Problem(Fault.NO_SUCH_SHIP, (ship,), length) for ship in same)
        elif have[length] > need[length]:
            found.append(Problem(Fault.TOO_MANY, same, length, have[length] - need[length]))
        elif have[length] < need[length]:
            found.append(Problem(Fault.MISSING, (), length, need[length] - have[length]))
    found.extend(Problem(Fault.OFF_BOARD, (ship,)) for ship in ships if ship.length >= 1 and not within(ship))
    for one, other in combinations([ship for ship in ships if within(ship)], 2):
        if ship_mask(one) & ship_mask(other):
            found.append(Problem(Fault.OVERLAPPING, (one, other)))
        elif ship_halo(one) & ship_mask(other):
            found.append(Problem(Fault.TOUCHING, (one, other)))
    return tuple(found)


# --- Chance ---------------------------------------------------------------------------------------


def random_fleet(dice: Dice, keep: Fleet = ()) -> Fleet:
    """A fleet drawn uniformly from all fleets that contain the ships of `keep`; `arranged`.

    Raises ValueError when there is none: `keep` is faulty in itself, or leaves no room for the rest.
    """
    if any(problem.fault is not Fault.MISSING for problem in problems(keep)):
        raise ValueError("the ships to keep are no part of a fleet")
    lengths = tuple(sorted((Counter(FLEET_LENGTHS) - Counter(ship.length for ship in keep)).elements(), reverse=True))
    if not lengths:
        return arranged(keep)
    taken = 0
    for ship in keep:
        taken |= ship_halo(ship)
    firsts = _firsts(taken, lengths) if keep else _firsts_of_all()
    chosen = _draw(dice, firsts) or _pick(dice, _rooms(taken, lengths), lengths)
    drawn = (Ship(place.cell, length, place.vertical) for place, length in zip(chosen, lengths, strict=True))
    return arranged((*keep, *drawn))


class _Firsts(NamedTuple):
    """All places of the first ship, what may be drawn for the others with each, and the weights added up."""

    places: tuple[Placement, ...]
    others: tuple[tuple[tuple[Placement, ...], ...], ...]
    """Per place, for each of the other ships, the places that go with it."""
    upto: tuple[int, ...]


def _rooms(taken: int, lengths: Sequence[int]) -> dict[int, tuple[Placement, ...]]:
    """Per length the places that touch nothing taken."""
    return {length: tuple(place for place in placements(length) if not place.mask & taken) for length in set(lengths)}


def _firsts(taken: int, lengths: Sequence[int]) -> _Firsts:
    rooms = _rooms(taken, lengths)
    places = rooms[lengths[0]]
    others = []
    for place in places:
        room = {length: tuple(p for p in rooms[length] if not p.mask & place.halo) for length in set(lengths[1:])}
        others.append(tuple(room[length] for length in lengths[1:]))
    weights = (prod(len(room) for room in rest) for rest in others)
    return _Firsts(places, tuple(others), tuple(accumulate(weights)))


@cache
def _firsts_of_all() -> _Firsts:
    return _firsts(0, FLEET_LENGTHS)


def _draw(dice: Dice, firsts: _Firsts) -> tuple[Placement, ...] | None:
    """Independent draws until one has no conflict; None when patience ends."""
    total = firsts.upto[-1] if firsts.upto else 0
    if not total:
        return None
    below = dice.below
    for _ in range(_PATIENCE):
        index = bisect_right(firsts.upto, below(total))
        first = firsts.places[index]
        chosen = [first]
        blocked = first.halo
        for room in firsts.others[index]:
            place = room[below(len(room))]
            if place.mask & blocked:
                break
            blocked |= place.halo
            chosen.append(place)
        else:
            return tuple(chosen)
    return None


def _pick(dice: Dice, rooms: dict[int, tuple[Placement, ...]], lengths: Sequence[int]) -> tuple[Placement, ...]:
    """One of all completions, by counting them: for drafts that leave little room."""
    count = sum(1 for _ in _selections(rooms, lengths))
    if not count:
        raise ValueError("the ships to keep leave no room for the rest")
    return next(islice(_selections(rooms, lengths), dice.below(count), None))


# --- All fleets -----------------------------------------------------------------------------------


def _selections(rooms: dict[int, tuple[Placement, ...]], lengths: Sequence[int]) -> Iterator[tuple[Placement, ...]]:
    """Every way to choose a place for each length so that none touch; ships of one length are not told apart.

    `lengths` holds equal lengths side by side.
    """
    length, rest = lengths[0], lengths[1:]
    room = rooms[length]
    if not rest:
        yield from ((place,) for place in room)
        return
    for index, place in enumerate(room):
        left = {other: tuple(p for p in rooms[other] if not p.mask & place.halo) for other in set(rest)}
        if rest[0] == length:
            left[length] = tuple(p for p in room[index + 1 :] if not p.mask & place.halo)
        for others in _selections(left, rest):
            yield (place, *others)


def count_fleets(width: int, height: int, lengths: Sequence[int]) -> int:
    """How many fleets of `lengths` there are on a small board, by listing them (rules, «Numbers to hold»).

    Ships of one length are not told apart. For boards of some 36 cells; 10 x 10 has 1,855,545,978,831,780.
    """
    if not lengths:
        return 1
    rooms = {length: placements(length, width, height) for length in set(lengths)}
    return sum(1 for _ in _selections(rooms, sorted(lengths, reverse=True)))


# --- Seal -----------------------------------------------------------------------------------------


def commitment_text(fleet: Fleet, salt: str) -> str:
    """What is hashed: the salt, a colon, and the board row by row, `1` for a deck, rows parted by `/`.

    For example `5f…:1111000000/0000000000/…`. As ships do not touch, the picture tells everything about the fleet, and
    the order in which its ships were placed does not matter.
    """
    decks = {cell for ship in fleet for cell in ship.cells()}
    picture = "".join("1" if cell in decks else "0" for cell in range(CELLS))
    starts = range(0, CELLS + 1, SIZE)
    return f"{salt}:{'/'.join(picture[start:end] for start, end in pairwise(starts))}"


def commitment(fleet: Fleet, salt: str) -> str:
    """The seal on a fleet, published at START: SHA-256 of `commitment_text`, in hexadecimal (64 digits).

    Anyone can check it once fleet and salt are revealed: `printf %s 'TEXT' | sha256sum`.
    """
    return hashlib.sha256(commitment_text(fleet, salt).encode()).hexdigest()
