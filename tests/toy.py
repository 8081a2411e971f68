"""A game for tests of the house: all count together in rounds, and whoever reaches a hidden number wins.

Every living seat counts once a round; when all have, the next round (a new clock) begins. Who has not counted when the
clock runs out is out. The number is hidden until the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

import msgspec

from engines.chance import Chance
from engines.contract import (
    Action,
    Engine,
    Event,
    IllegalAction,
    MatchOver,
    NotYourTurn,
    Options,
    Outcome,
    RuleError,
    Seat,
    SeatInfo,
    State,
    Timer,
    View,
)


class ToyOptions(Options):
    """What a toy's lobby offers."""

    lowest: int = 40
    share: float = 1.0


class ToyState(State):
    """All of a toy match."""

    rules_version: int
    chance: Chance
    options: ToyOptions
    hidden: int
    total: int = 0
    round: int = 1
    seats: int = 0
    alive: tuple[Seat, ...] = ()
    moved: tuple[Seat, ...] = ()
    winners: tuple[Seat, ...] | None = None


class Count(Action, tag="count"):
    """Add `by`, 1 to 3."""

    by: int


class Remove(Action, tag="remove"):
    """The Referee sends a seat away."""

    seat: Seat


class Welcome(Action, tag="welcome"):
    """The Referee lets `count` more take part."""

    count: int


class Counted(Event, tag="counted"):
    """A seat has counted."""

    seat: Seat
    total: int


class Out(Event, tag="out"):
    """Seats are out."""

    seats: tuple[Seat, ...]


class Round(Event, tag="round"):
    """A round begins."""

    number: int


class Won(Event, tag="won"):
    """The match is over."""

    seats: tuple[Seat, ...]


ToyAction = Count | Remove | Welcome
ToyEvent = Counted | Out | Round | Won


class ToyView(View):
    """What may be known."""

    total: int
    round: int
    alive: tuple[Seat, ...]
    hidden: int | None = None


class ToyEngine(Engine[ToyState, ToyAction, ToyEvent, ToyView, ToyOptions]):
    """The rules of the toy."""

    name: ClassVar[str] = "toy"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = 5
    state_type: ClassVar[object] = ToyState
    action_type: ClassVar[object] = ToyAction
    event_type: ClassVar[object] = ToyEvent
    view_type: ClassVar[object] = ToyView
    options_type: ClassVar[object] = ToyOptions

    def seats_for(self, people: int) -> int:
        return people - people % 2 if people >= self.min_seats else 0

    def new(self, seats: Sequence[SeatInfo], options: ToyOptions, seed: str) -> tuple[ToyState, tuple[ToyEvent, ...]]:
        dice, chance = Chance(seed).draw()
        if options.lowest < 1:
            raise IllegalAction("lowest", least=1)
        state = ToyState(
            rules_version=self.rules_version,
            chance=chance,
            options=options,
            hidden=options.lowest + dice.below(10),
            seats=len(seats),
            alive=tuple(range(len(seats))),
        )
        return state, (Round(1),)

    def actors(self, state: ToyState) -> tuple[Seat, ...]:
        if state.winners is not None:
            return ()
        return tuple(seat for seat in state.alive if seat not in state.moved)

    def timer(self, state: ToyState) -> Timer | None:
        if state.winners is not None:
            return None
        return Timer(f"r{state.round}", self.actors(state), state.options.share)

    def legal_actions(self, state: ToyState, seat: Seat | None) -> Iterable[ToyAction]:
        if seat is None:
            return [] if state.winners is not None else [Remove(other) for other in state.alive]
        return [Count(by) for by in (1, 2, 3)] if seat in self.actors(state) else []

    def apply(self, state: ToyState, seat: Seat | None, action: ToyAction) -> tuple[ToyState, tuple[ToyEvent, ...]]:
        if state.winners is not None:
            raise MatchOver("over")
        match action:
            case Count():
                if seat is None or seat not in self.actors(state):
                    raise NotYourTurn("not_your_turn")
                if not 1 <= action.by <= 3:
                    raise IllegalAction("by", most=3)
                state = msgspec.structs.replace(
                    state, total=state.total + action.by, moved=tuple(sorted((*state.moved, seat)))
                )
                events: tuple[ToyEvent, ...] = (Counted(seat, state.total),)
                if state.total >= state.hidden:
                    return msgspec.structs.replace(state, winners=(seat,)), (*events, Won((seat,)))
                return self._next(state, events)
            case Remove():
                if seat is not None:
                    raise NotYourTurn("referee_only")
                return self._out(state, (action.seat,))
            case Welcome():
                if seat is not None:
                    raise NotYourTurn("referee_only")
                newcomers = tuple(range(state.seats, state.seats + action.count))
                grown = msgspec.structs.replace(
                    state, seats=state.seats + action.count, alive=(*state.alive, *newcomers)
                )
                return grown, ()
        raise RuleError("unknown")

    def expire(self, state: ToyState) -> tuple[ToyState, tuple[ToyEvent, ...]]:
        return self._out(state, self.actors(state))

    def _out(self, state: ToyState, seats: tuple[Seat, ...]) -> tuple[ToyState, tuple[ToyEvent, ...]]:
        alive = tuple(seat for seat in state.alive if seat not in seats)
        state = msgspec.structs.replace(state, alive=alive)
        if len(alive) < 2:
            return msgspec.structs.replace(state, winners=alive), (Out(seats), Won(alive))
        return self._next(state, (Out(seats),))

    def _next(self, state: ToyState, events: tuple[ToyEvent, ...]) -> tuple[ToyState, tuple[ToyEvent, ...]]:
        if self.actors(state):
            return state, events
        _, chance = state.chance.draw()
        state = msgspec.structs.replace(state, chance=chance, round=state.round + 1, moved=())
        return state, (*events, Round(state.round))

    def undoable(self, action: ToyAction, events: tuple[ToyEvent, ...]) -> bool:
        return isinstance(action, Remove) and not any(isinstance(event, Won) for event in events)

    def view(self, state: ToyState, seat: Seat | None) -> ToyView:
        return ToyView(state.total, state.round, state.alive, state.hidden if state.winners is not None else None)

    def outcome(self, state: ToyState) -> Outcome | None:
        return None if state.winners is None else Outcome(state.winners, "counted")
