"""Which posts a change of a match leads to.

In the group there is one message per team turn (the slot `turn`), edited as shots come in, and news for what would not
be seen otherwise. In private each player has one panel, posted anew when he has to move and edited in between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import assert_never

from engines.contract import SPECTATOR, Seat
from engines.sea_battle import ENGINE
from engines.sea_battle.model import (
    AdmiralNamed,
    Attached,
    BecameFree,
    Delegated,
    Drawn,
    Ended,
    FleetDrafted,
    FleetReady,
    FleetReopened,
    PairAdmitted,
    PairEntered,
    PlayerBack,
    PlayerOut,
    Revealed,
    SeaEvent,
    SeaView,
    ShotFired,
    ShotResolved,
    Started,
    TurnBegan,
    TurnEnded,
    TurnPassed,
    Withdrawn,
)
from handlers.posts import group_slot, news, private_slot
from referee.planning import Change, What
from storage.records import Match, Post

TURN = "turn"
"""The group's slot: the match as everybody may see it."""
CLOCK = "clock"
"""The group's slot for word of a moved deadline."""
SEALS = "seals"
"""The group's slot for the hashes of the fleets: posted at START, and when a pair enters."""


def panel_slot(seat: Seat) -> str:
    """A player's private slot."""
    return f"panel:{seat}"


def plan(change: Change) -> list[Post]:
    """The posts, in order. See `handlers.posts` for their kinds."""
    table = _Table.of(change)
    match change.what:
        case What.LOBBY | What.CANCELLED:
            return []
        case What.BEGAN:
            everybody = [table.panel(seat, fresh=True) for seat in table.seats]
            return [group_slot(change.match, TURN, fresh=True, n=change.n), *_present(everybody)]
        case What.ACTED | What.EXPIRED:
            return _happened(change, table)
        case What.REMINDER:
            return _present(table.panel(seat, fresh=True, reminder=True) for seat in change.seats)
        case What.CLOCK:
            # The pause stands in every panel.
            panels = [table.panel(seat) for seat in table.seats]
            return [*_line(change), group_slot(change.match, TURN), *_present(panels)]
        case What.UNDONE:
            panels = [table.panel(seat, fresh=seat in table.actors) for seat in table.seats]
            return [*_line(change), group_slot(change.match, TURN, fresh=change.fresh), *_present(panels)]
        case What.RESERVE | What.MOVED:
            return [group_slot(change.match, TURN)]
        case What.CREDIT:
            told = group_slot(change.match, CLOCK, fresh=True, credit=change.credit_seconds)
            panels = [table.panel(seat) for seat in table.actors]
            return [told, group_slot(change.match, TURN), *_present(panels)]
        case _:
            assert_never(change.what)


def _line(change: Change) -> list[Post]:
    """The line of the record that a change wrote, told in the group."""
    return [] if change.n is None else [news(change.match, change.n)]


@dataclass(frozen=True)
class _Table:
    """A running match as everybody may see it, and how to reach its people."""

    match: Match
    people: dict[Seat, int]
    actors: tuple[Seat, ...]
    public: Callable[[], object] | None

    @classmethod
    def of(cls, change: Change) -> _Table:
        match = change.match
        people = {member.seat: member.person_id for member in change.members if member.seat is not None}
        if change.actors is not None:
            return cls(match, people, change.actors, change.public)
        if match.state is None:
            return cls(match, people, (), None)
        state = ENGINE.read_state(match.state)
        return cls(match, people, ENGINE.actors(state), partial(ENGINE.view, state, SPECTATOR))

    def rivals(self, target: Seat) -> list[Seat]:
        """Who may shoot at `target`, and so sees his board."""
        view = None if self.public is None else self.public()
        if not isinstance(view, SeaView):
            return []
        return [player.seat for player in view.players if target in player.opponents]

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(sorted(self.people))

    def panel(self, seat: Seat, *, fresh: bool = False, reminder: bool = False) -> Post | None:
        """A player's panel: posted anew, or brought up to date where it stands already. None if nobody sits there."""
        person = self.people.get(seat)
        if person is None:
            return None
        if fresh:
            return private_slot(self.match, person, panel_slot(seat), fresh=True, reminder=reminder)
        return private_slot(self.match, person, panel_slot(seat), if_shown=True)


def _present(posts: Iterable[Post | None]) -> list[Post]:
    return [post for post in posts if post is not None]


def _happened(change: Change, table: _Table) -> list[Post]:
    """Something at the table: a new turn (or the end) gets its message, all else edits and, where needed, news."""
    events = [event for event in change.events if isinstance(event, SeaEvent)]
    if any(isinstance(event, TurnBegan | Ended) for event in events):
        turn = group_slot(change.match, TURN, fresh=True, n=change.n)
        # Who has to move gets his panel anew; so does who has just fallen, since he should not learn it by chance.
        called = {*table.actors, *(event.seat for event in events if isinstance(event, PlayerOut))}
        panels = [table.panel(seat, fresh=seat in called) for seat in table.seats]
        sealed = any(isinstance(event, Started | PairEntered) for event in events)
        seals = [group_slot(change.match, SEALS, fresh=True)] if sealed else []
        return [*seals, turn, *_present(panels)]
    posts: list[Post] = []
    if change.n is not None and any(_is_news(event, change) for event in events):
        posts.append(news(change.match, change.n))
    if any(_shows_in_group(event) for event in events):
        posts.append(group_slot(change.match, TURN))
    called = {seat for event in events for seat in _called(event, table)}
    if _typed_in_private(change):
        # Below his message, where he looks, and not in a panel that it has pushed up.
        called |= {event.seat for event in events if isinstance(event, FleetDrafted)}
    touched = {seat for event in events for seat in _touched(event, table)}
    posts += _present(table.panel(seat, fresh=seat in called) for seat in sorted(called | touched))
    return posts


def _typed_in_private(change: Change) -> bool:
    """Whether a private message led to it, not a press of a button (`p:…`)."""
    source = change.source or ""
    return source.startswith("p") and not source.startswith("p:")


def _is_news(event: SeaEvent, change: Change) -> bool:
    """Whether the group has to be told, since nobody there has seen it happen."""
    match event:
        case FleetDrafted() | FleetReady() | FleetReopened() | Drawn() | Revealed():
            return False
        case ShotFired():
            return not (change.source or "").startswith("g")
        case Delegated() | Withdrawn():
            # An own shot withdraws a delegation without a word.
            return not any(isinstance(other, ShotFired) for other in change.events)
        case (
            Started()
            | TurnBegan()
            | TurnPassed()
            | TurnEnded()
            | ShotResolved()
            | PlayerOut()
            | PlayerBack()
            | BecameFree()
            | Attached()
            | AdmiralNamed()
            | PairAdmitted()
            | PairEntered()
            | Ended()
        ):
            return True
        case _:
            assert_never(event)


def _shows_in_group(event: SeaEvent) -> bool:
    """Whether the message of the running turn looks different after it. A draft is nobody else's business."""
    return not isinstance(event, FleetDrafted)


def _called(event: SeaEvent, table: _Table) -> tuple[Seat, ...]:
    """Who can now do something that he could not do before: his panel comes anew."""
    match event:
        case Attached(gun=seat) | BecameFree(seat=seat) | PlayerBack(seat=seat):
            return (seat,) if seat in table.actors else ()
        case Delegated(admiral=seat):
            return (seat,) if seat in table.actors else ()
        case AdmiralNamed(seat=seat):
            return (seat,)
        case PlayerOut(seat=seat):
            return (seat,)
        case PairAdmitted(red=red, blue=blue):
            return (red, blue)
        case _:
            return ()


def _touched(event: SeaEvent, table: _Table) -> tuple[Seat, ...]:
    """Whose panel shows something else after it."""
    match event:
        case FleetDrafted(seat=seat) | FleetReady(seat=seat) | FleetReopened(seat=seat) | Withdrawn(seat=seat):
            return (seat,)
        case Delegated(seat=seat, admiral=admiral):
            return (seat, admiral)
        case ShotFired(by=by, shooter=shooter, target=target):
            return (by, shooter, target, *table.rivals(target))
        case _:
            return table.seats
