"""What is to be said about a change: asked of the game's presenter, stored with the change itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from engines.contract import Seat
from storage.records import Match, Member, Post


class What(StrEnum):
    """Kinds of changes."""

    LOBBY = "lobby"
    """Somebody opened it, came, went, or chose an option."""
    CANCELLED = "cancelled"
    BEGAN = "began"
    """The draw: the match runs."""
    ACTED = "acted"
    EXPIRED = "expired"
    """The clock ran out and the engine resolved it."""
    REMINDER = "reminder"
    """The second half of the time has come; `seats` have not moved."""
    CREDIT = "credit"
    """The bot had been away; the deadline was moved by `credit_seconds`."""
    CLOCK = "clock"
    """A referee changed the clock (more time, a day off, a pause), or a pause was over: line `n` says what."""
    UNDONE = "undone"
    """A referee took the last act back: line `n` says which. `fresh`: another turn is running again."""
    MOVED = "moved"
    """The group became a supergroup: what was shown there can be pressed no more."""
    RESERVE = "reserve"
    """Somebody came to wait for a running match, or waits no more."""


@dataclass(frozen=True)
class Change:
    """A change of a match, as it is being stored."""

    what: What
    match: Match
    """After the change."""
    members: tuple[Member, ...]
    n: int | None = None
    """The line of the record that it wrote, where it wrote one."""
    events: tuple[object, ...] = ()
    """Of the game's engine."""
    seat: Seat | None = None
    """Who acted."""
    person_id: int | None = None
    source: str | None = None
    seats: tuple[Seat, ...] = field(default=())
    actors: tuple[Seat, ...] | None = None
    """Whom the match waits for after the change, where the change came from its engine."""
    public: Callable[[], object] | None = None
    """Makes a spectator's view after the change (it costs something, so it is made when asked for)."""
    credit_seconds: int = 0
    fresh: bool = False


class Planner(Protocol):
    """Decides which posts a change leads to; pure, since it runs within the transaction."""

    def plan(self, change: Change) -> Sequence[Post]:
        """The posts, in order."""
        ...
