"""Placing the fleets, until START (rules, «Board and fleet»)."""

from __future__ import annotations

from engines.contract import IllegalAction, Seat
from engines.sea_battle.fleet import LONGEST, commitment, problems, random_fleet, within
from engines.sea_battle.model import (
    FLEET_LENGTHS,
    ByWhom,
    DraftFleet,
    Fleet,
    FleetDrafted,
    FleetReady,
    FleetReopened,
    Phase,
    RandomFleet,
    Started,
)
from engines.sea_battle.refusals import Refusal
from engines.sea_battle.state import Course, SeaState


def missing(state: SeaState) -> tuple[Seat, ...]:
    """Whose fleet START waits for, ascending. Reserves do not hold it up."""
    return tuple(seat for seat, player in enumerate(state.players) if player.fights and not player.ready)


def _require_open(state: SeaState, seat: Seat) -> None:
    if state.phase is not Phase.PLACING and not state.players[seat].reserve:
        raise IllegalAction(Refusal.FLEETS_FIXED)


def _set_draft(course: Course, seat: Seat, ships: Fleet) -> None:
    was_ready = course.state.players[seat].ready
    course.change_player(seat, ships=ships, ready=False)
    if was_ready:
        course.tell(FleetReopened(seat=seat))
    course.tell(FleetDrafted(seat=seat))


def draft(course: Course, seat: Seat, action: DraftFleet) -> None:
    """A player's ships so far; faults are welcome until he confirms, ships off the board are not."""
    _require_open(course.state, seat)
    if len(action.ships) > len(FLEET_LENGTHS):
        raise IllegalAction(Refusal.TOO_MANY_SHIPS, limit=len(FLEET_LENGTHS))
    for ship in action.ships:
        if not within(ship) or ship.length > LONGEST:
            raise IllegalAction(Refusal.SHIP_OFF_BOARD, cell=ship.cell, length=ship.length)
    _set_draft(course, seat, action.ships)


def randomise(course: Course, seat: Seat, action: RandomFleet) -> None:
    """A random fleet, or the draft filled up at random (a mix). It is still to be confirmed."""
    _require_open(course.state, seat)
    keep = course.state.players[seat].ships if action.keep else ()
    try:
        ships = random_fleet(course.dice(), keep)
    except ValueError as error:
        raise IllegalAction(Refusal.CANNOT_COMPLETE) from error
    _set_draft(course, seat, ships)


def confirm(course: Course, seat: Seat) -> None:
    """The draft is the fleet; refused with every fault named."""
    _require_open(course.state, seat)
    player = course.state.players[seat]
    if player.ready:
        raise IllegalAction(Refusal.ALREADY_CONFIRMED)
    faults = problems(player.ships)
    if faults:
        codes = tuple(dict.fromkeys(problem.fault.value for problem in faults))
        cells = tuple(sorted({cell for problem in faults for ship in problem.ships for cell in ship.cells()}))
        raise IllegalAction(Refusal.FLEET_FAULTS, faults=codes, cells=cells)
    course.change_player(seat, ready=True)
    course.tell(FleetReady(seat=seat))


def place_for_missing(course: Course) -> None:
    """The time to place is over: the Referee places a random fleet for who has none, and says so (ruling 25).

    Who has drawn a whole, faultless fleet and only not confirmed it, keeps it: he has one.
    """
    for seat in missing(course.state):
        if not problems(course.state.players[seat].ships):
            course.change_player(seat, ready=True)
            course.tell(FleetReady(seat=seat))
            continue
        course.change_player(seat, ships=random_fleet(course.dice()), ready=True)
        course.tell(FleetReady(seat=seat, by=ByWhom.REFEREE))


def commit(course: Course, seat: Seat) -> str:
    """Seals the fleet of `seat` with a salt; gives the hash to publish."""
    salt = course.dice().token()
    sealed = commitment(course.state.players[seat].ships, salt)
    course.change_player(seat, salt=salt, hash=sealed)
    return sealed


def seal_fleets(course: Course) -> None:
    """START: hashes of all fleets of those who were drawn, published together.

    A player who is out already, but had placed his fleet, is sealed as well: the Referee may let him back.
    """
    if missing(course.state):
        raise IllegalAction(Refusal.FLEET_MISSING, seats=missing(course.state))
    for seat, player in enumerate(course.state.players):
        if player.ready and not player.reserve:
            commit(course, seat)
    course.change(phase=Phase.PLAYING)
    course.tell(Started(first=course.state.first, hashes=tuple(player.hash for player in course.state.players)))
