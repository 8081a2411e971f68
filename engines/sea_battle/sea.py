"""What shots do to a fleet: misses, hits, and ships that go down. The only place that asks where a ship lies."""

from __future__ import annotations

from collections.abc import Iterator

from engines.sea_battle.model import Cell, Fleet, Result, Ship
from engines.sea_battle.state import Player, SeaState


def _ship_at(ships: Fleet, cell: Cell) -> Ship | None:
    return next((ship for ship in ships if cell in ship.cells()), None)


def result_of(ships: Fleet, before: frozenset[Cell], cell: Cell) -> tuple[Result, tuple[Cell, ...]]:
    """What a shot at `cell` does after the shots `before`, and the cells of the ship it sinks."""
    ship = _ship_at(ships, cell)
    if ship is None:
        return Result.MISS, ()
    cells = ship.cells()
    if all(deck == cell or deck in before for deck in cells):
        return Result.SUNK, cells
    return Result.HIT, ()


def results(player: Player) -> Iterator[tuple[Result, Ship | None]]:
    """For each shot at his board whose result is out: what it did, and the ship that it sank."""
    ship_at = {cell: ship for ship in player.ships for cell in ship.cells()}
    afloat = {ship.cell: ship.length for ship in player.ships}
    for shot in player.shots:
        ship = ship_at.get(shot.cell)
        if ship is None:
            yield Result.MISS, None
            continue
        afloat[ship.cell] -= 1
        yield (Result.HIT, None) if afloat[ship.cell] else (Result.SUNK, ship)


def decks_hit(player: Player) -> int:
    """Decks of his that are known to be hit."""
    shot = {shot.cell for shot in player.shots}
    return sum(cell in shot for ship in player.ships for cell in ship.cells())


def shot_cells(state: SeaState, target: int) -> frozenset[Cell]:
    """Cells of `target`'s board that were shot at, those in flight included."""
    return frozenset(shot.cell for shot in state.players[target].shots).union(
        shot.cell for shot in state.in_flight if shot.target == target
    )
