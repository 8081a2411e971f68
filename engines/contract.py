"""What every game gives the house: one contract, kept by each engine and checked by one test suite.

An engine is a value with methods and no memory of its own. It takes a state and an action and gives a new state
and the events that happened; it reads no clock, draws no chance but from the generator in its state, sends nothing and
stores nothing. Seats are numbered from 0; the Referee (the bot on its own, or a human referee with the right) acts as
`REFEREE`, and a spectator looks as `SPECTATOR`.

Words: match, seat, turn, action, state, view, outcome, deadline.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Final, Generic, TypeVar, cast, dataclass_transform

import msgspec

Seat = int
"""A place at the table, 0 .. n-1, the same for the whole match."""

REFEREE: Final = None
"""Who acts when nobody at the table does: `apply(state, REFEREE, action)`."""

SPECTATOR: Final = None
"""Who looks when nobody at the table does: `view(state, SPECTATOR)`."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """A frozen, typed value that goes to JSON and back without loss. All that derive from it are frozen as well."""


class State(Value):
    """All of a match: never leaves the referee and the storage (see `View`)."""

    rules_version: int


class Action(Value, tag_field="do"):
    """What somebody does. Concrete actions are a closed, tagged union per game."""


class Event(Value, tag_field="is"):
    """What happened, as everybody may know it: an event never carries a secret.

    What only some may know is read from a view, at the moment it is shown.
    """


class View(Value):
    """What one seat (or a spectator) may know, and nothing more."""


class Options(Value):
    """The choices of a match, all with defaults: what its lobby offers."""


class SeatInfo(Value):
    """What the draw may know of a person: no name, only what lots and ranks need."""

    messages: int = 0
    """Messages written in this chat since the bot joined."""
    matches: int = 0
    """Matches of this game played to the end."""


class Timer(Value):
    """The clock that is running. A new `key` starts a fresh clock; the same key lets the old one run on.

    A key is short and holds no colon, since it travels in the data of buttons.
    """

    key: str
    waiting: tuple[Seat, ...]
    """Whom the clock is waiting for, ascending."""
    share: float = 1.0
    """How much of the match's time per turn this clock gets."""


class Outcome(Value):
    """How a match ended."""

    winners: tuple[Seat, ...]
    """Empty for a draw or an abandoned match."""
    reason: str
    """A code, e.g. `fleet_sunk`; words for it live in `locales/`."""


Datum = str | int | bool | tuple[str, ...] | tuple[int, ...]


class RuleError(Exception):
    """An action was refused and nothing has changed.

    `code` names the reason within the game (or `contract` codes shared by all); `data` holds what a translated message
    needs to say what would be right.
    """

    def __init__(self, code: str, **data: Datum) -> None:
        super().__init__(code)
        self.code = code
        self.data: dict[str, Datum] = data


class NotYourTurn(RuleError):
    """The seat may not act now (another's turn, no duty, already moved)."""


class IllegalAction(RuleError):
    """The rules forbid this action."""


class AmbiguousAction(RuleError):
    """More than one reading; `data` holds the choices to offer."""


class MatchOver(RuleError):
    """The match has ended."""


StateT = TypeVar("StateT", bound=State)
ActionT = TypeVar("ActionT")
EventT = TypeVar("EventT")
ViewT = TypeVar("ViewT", bound=View)
OptionsT = TypeVar("OptionsT", bound=Options)


class Engine(ABC, Generic[StateT, ActionT, EventT, ViewT, OptionsT]):
    """The rules of one game. Methods never mutate what they are given."""

    name: ClassVar[str]
    """The folder's name, and the game's name in the database."""
    rules_version: ClassVar[int]
    min_seats: ClassVar[int]
    max_seats: ClassVar[int]

    state_type: ClassVar[object]
    action_type: ClassVar[object]
    """The union of all actions; likewise for events."""
    event_type: ClassVar[object]
    view_type: ClassVar[object]
    options_type: ClassVar[object]

    @abstractmethod
    def seats_for(self, people: int) -> int:
        """How many of `people` who joined get a seat; the rest wait in reserve. 0 if they are too few."""

    @abstractmethod
    def new(self, seats: Sequence[SeatInfo], options: OptionsT, seed: str) -> tuple[StateT, tuple[EventT, ...]]:
        """A fresh match. `seed` (any string, drawn once per match) is the source of all its chance."""

    @abstractmethod
    def actors(self, state: StateT) -> tuple[Seat, ...]:
        """The seats whose action the clock is waiting for, ascending; empty when over."""

    @abstractmethod
    def timer(self, state: StateT) -> Timer | None:
        """The clock that should be running, or None (over, or nobody has a duty)."""

    def stamp(self, state: StateT, seat: Seat | None) -> str:
        """What a button made for `seat` depends on: pressed when the stamp has changed, it is stale.

        A game in which many move in one turn keeps the timer's key; one with a single mover may count moves.
        """
        timer = self.timer(state)
        return "over" if timer is None else timer.key

    @abstractmethod
    def legal_actions(self, state: StateT, seat: Seat | None) -> Iterable[ActionT]:
        """Lazily, every action that `apply` would accept from `seat`; examples where there are too many."""

    @abstractmethod
    def apply(self, state: StateT, seat: Seat | None, action: ActionT) -> tuple[StateT, tuple[EventT, ...]]:
        """The next state and what happened. Raises a `RuleError` and changes nothing if refused."""

    @abstractmethod
    def expire(self, state: StateT) -> tuple[StateT, tuple[EventT, ...]]:
        """The running clock has run out. Always leads to another `timer` key or to the end."""

    @abstractmethod
    def view(self, state: StateT, seat: Seat | None) -> ViewT:
        """What `seat` (or a spectator) may know."""

    @abstractmethod
    def outcome(self, state: StateT) -> Outcome | None:
        """None while the match goes on."""

    def undoable(self, action: ActionT, events: tuple[EventT, ...]) -> bool:
        """Whether the Referee may take an accepted action back, being the last one: no secret was shown by it."""
        return False

    # Values to JSON and back. Each raises msgspec.ValidationError for a text that is no such value.

    def read_state(self, text: str) -> StateT:
        """A state that `dump` wrote."""
        return cast(StateT, msgspec.json.decode(text, type=self.state_type))

    def read_action(self, text: str) -> ActionT:
        """An action that `dump` wrote."""
        return cast(ActionT, msgspec.json.decode(text, type=self.action_type))

    def read_events(self, text: str) -> tuple[EventT, ...]:
        """Events that `dump` wrote."""
        return cast(tuple[EventT, ...], msgspec.json.decode(text, type=tuple[self.event_type, ...]))  # type: ignore[name-defined]

    def read_options(self, text: str) -> OptionsT:
        """Options that `dump` wrote."""
        return cast(OptionsT, msgspec.json.decode(text, type=self.options_type))


def dump(value: object) -> str:
    """A value (or a tuple of values) of this contract as JSON text."""
    return msgspec.json.encode(value).decode()
