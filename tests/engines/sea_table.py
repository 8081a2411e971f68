"""A table for tests of team sea battle: known pairs, known fleets, Red begins, and short words for what players do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest
from msgspec.structs import replace

from engines.contract import RuleError, SeatInfo, dump
from engines.sea_battle import ENGINE
from engines.sea_battle.model import (
    Appoint,
    Cell,
    ConfirmFleet,
    DraftFleet,
    Drawn,
    Fleet,
    PlayerView,
    Result,
    SeaAction,
    SeaEvent,
    SeaOptions,
    SeaView,
    Ship,
    Shoot,
    ShotResolved,
    Start,
    Team,
)
from engines.sea_battle.refusals import DATA, Refusal
from engines.sea_battle.state import SeaState, Shot

E = TypeVar("E")

FLEET: Fleet = (
    Ship(0, 4),
    Ship(20, 3),
    Ship(24, 3),
    Ship(40, 2),
    Ship(43, 2),
    Ship(46, 2),
    Ship(60, 1),
    Ship(62, 1),
    Ship(64, 1),
    Ship(66, 1),
)
"""Everybody's fleet: ships in rows 1, 3, 5 and 7; the last rows are water."""
DECKS: tuple[Cell, ...] = tuple(cell for ship in FLEET for cell in ship.cells())
WATER: tuple[Cell, ...] = tuple(cell for cell in range(100) if cell not in DECKS)
LAST_DECK: Cell = 66


class Table:
    """`red[i]` and `blue[i]` are a pair; the first of each team is its Admiral; Red begins.

    `events` are those of the last act.
    """

    state: SeaState
    events: tuple[SeaEvent, ...]

    def __init__(
        self, pairs: int, *, infos: Iterable[SeatInfo] = (), started: bool = True, options: SeaOptions | None = None
    ) -> None:
        people = tuple(infos) or (SeatInfo(),) * (2 * pairs)
        for number in range(1000):
            self.state, self.events = ENGINE.new(people, options or SeaOptions(), f"table {number}")
            if self.state.first is Team.RED:
                break
        drawn = self.only(Drawn)
        self.red = [red for red, _ in drawn.pairs]
        self.blue = [blue for _, blue in drawn.pairs]
        if started:
            for leader in (self.red[0], self.blue[0]):
                if self.state.command(self.state.players[leader].team).admiral != leader:
                    self.referee(Appoint(leader))
            for seat in range(2 * pairs):
                self.place(seat)
            self.referee(Start())

    # --- Acts ---

    def do(self, seat: int | None, action: SeaAction) -> tuple[SeaEvent, ...]:
        """What `seat` does; gives the events."""
        self.state, self.events = ENGINE.apply(self.state, seat, action)
        return self.events

    def referee(self, action: SeaAction) -> tuple[SeaEvent, ...]:
        return self.do(None, action)

    def expire(self) -> tuple[SeaEvent, ...]:
        self.state, self.events = ENGINE.expire(self.state)
        return self.events

    def place(self, seat: int, fleet: Fleet = FLEET) -> None:
        self.do(seat, DraftFleet(fleet))
        self.do(seat, ConfirmFleet())

    def shoot(self, seat: int, target: int, cell: Cell, on_behalf: int | None = None) -> tuple[SeaEvent, ...]:
        return self.do(seat, Shoot(target, cell, on_behalf))

    def miss(self, *seats: int) -> tuple[SeaEvent, ...]:
        """Each shoots into the water of his first opponent."""
        for seat in seats:
            self.shoot(seat, self.player(seat).opponents[0], self.water(self.player(seat).opponents[0]))
        return self.events

    def water(self, target: int) -> Cell:
        """A cell of water that nobody has shot at."""
        shot = {seen.cell for seen in self.view().boards[target].shots}
        return next(cell for cell in WATER if cell not in shot)

    def wound(self, seat: int, spare: int = 1) -> None:
        """Puts earlier hits on all decks of `seat` but the last `spare`: a short cut past many turns."""
        self._shoot_before(seat, DECKS[: len(DECKS) - spare])

    def cover(self, seat: int) -> None:
        """Puts earlier shots on all water of `seat`."""
        self._shoot_before(seat, WATER)

    def _shoot_before(self, seat: int, cells: Iterable[Cell]) -> None:
        player = self.state.players[seat]
        shots = (*player.shots, *(Shot(0, player.pair, cell) for cell in cells))
        players = list(self.state.players)
        players[seat] = replace(player, shots=shots)
        self.state = replace(self.state, players=tuple(players))

    def kill(self, shooter: int, target: int) -> tuple[SeaEvent, ...]:
        """`shooter` hits the last deck of `target`."""
        self.wound(target)
        return self.shoot(shooter, target, LAST_DECK)

    # --- Looks ---

    def view(self, seat: int | None = None) -> SeaView:
        return ENGINE.view(self.state, seat)

    def player(self, seat: int) -> PlayerView:
        return self.view().players[seat]

    def all(self, kind: type[E]) -> list[E]:
        """Events of a kind of the last act."""
        return [event for event in self.events if isinstance(event, kind)]

    def only(self, kind: type[E]) -> E:
        (event,) = self.all(kind)
        return event

    def kinds(self) -> list[str]:
        """Names of the events of the last act."""
        return [type(event).__name__ for event in self.events]

    def results(self) -> list[Result]:
        return [event.result for event in self.all(ShotResolved)]

    def refused(self, seat: int | None, action: SeaAction) -> RuleError:
        """Asserts that the action is refused, changes nothing, and says so with a known code and its data."""
        before = dump(self.state)
        with pytest.raises(RuleError) as caught:
            ENGINE.apply(self.state, seat, action)
        assert dump(self.state) == before
        assert isinstance(caught.value.code, Refusal)
        assert set(caught.value.data) == set(DATA[caught.value.code])
        return caught.value
