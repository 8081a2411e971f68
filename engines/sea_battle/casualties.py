"""Who is out, who becomes free by it, and who comes back (rules, «Turns»; seed, parts 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterable

from engines.contract import IllegalAction, Seat
from engines.sea_battle.command import attach_to_last, install, mend
from engines.sea_battle.duties import is_free, living
from engines.sea_battle.model import (
    FLEET_LENGTHS,
    BecameFree,
    ByWhom,
    Ended,
    OutReason,
    Phase,
    PlayerBack,
    PlayerOut,
    Revealed,
    Team,
)
from engines.sea_battle.refusals import Refusal
from engines.sea_battle.sea import decks_hit
from engines.sea_battle.state import Course, SeaState


def drop(course: Course, seats: Iterable[Seat], reason: OutReason) -> None:
    """All `seats` are out together; their attackers become free players, and each team gets who leads it."""
    gone = tuple(seats)
    for seat in gone:
        course.change_player(seat, out=reason, attached_to=None, delegated=False)
        course.tell(PlayerOut(seat=seat, reason=reason))
    for seat in gone:
        fallen = course.state.players[seat]
        if fallen.reserve or not living(course.state, fallen.team):
            continue  # a reserve had no attackers; over a team that is gone nobody needs to be told that he is free
        for other in living(course.state, fallen.team.enemy):
            attached = course.state.players[other].attached_to == seat
            if attached:
                course.change_player(other, attached_to=None)
            if attached or fallen.pair == other:
                course.tell(BecameFree(seat=other))
    mend(course)
    attach_to_last(course)


def why_not_return(state: SeaState, seat: Seat) -> Refusal | None:
    """What keeps the Referee from letting `seat` back into the match; None if nothing does."""
    player = state.players[seat]
    if player.out is None:
        return Refusal.NOT_OUT
    if player.hash and decks_hit(player) == sum(FLEET_LENGTHS):
        return Refusal.SUNK_FOR_GOOD
    if state.phase is Phase.PLAYING and not player.hash and not player.reserve:
        return Refusal.NO_FLEET
    return None


def reinstate(course: Course, seat: Seat) -> None:
    """The Referee cancels an elimination; not that of a player whose ships are sunk.

    His opponent by pair, if free until now, goes on against him. An Admiral who comes back before the hand-over is the
    Admiral still.
    """
    refusal = why_not_return(course.state, seat)
    if refusal is not None:
        raise IllegalAction(refusal, seat=seat)
    player = course.state.players[seat]
    course.change_player(seat, out=None)
    course.tell(PlayerBack(seat=seat))
    command = course.state.command(player.team)
    if command.admiral == seat and command.acting is not None:
        install(course, seat, ByWhom.REFEREE)
    if not player.reserve:
        if course.state.players[player.pair].fights:
            course.change_player(player.pair, attached_to=None)
        if is_free(course.state, seat):
            course.tell(BecameFree(seat=seat))
        attach_to_last(course)


def loser(course: Course) -> Team | None:
    """The team that has nobody alive, if there is one. Never both: only one team can lose people at a time."""
    return next((team for team in Team if not living(course.state, team)), None)


def end(course: Course, winner: Team | None, reason: str) -> None:
    """The match is over. Shots still in flight count no more; after START all fleets and salts are shown."""
    course.change(phase=Phase.OVER, winner=winner, reason=reason, barred=())
    course.tell(Ended(winner=winner, reason=reason))
    players = course.state.players
    if course.state.turn:
        course.tell(
            Revealed(
                fleets=tuple(player.ships if player.hash else () for player in players),
                salts=tuple(player.salt for player in players),
            )
        )


def end_if_lost(course: Course, reason: OutReason) -> bool:
    """Ends the match if a team has nobody alive; `reason` took its last player.

    Before START there is nothing to win: the match ends without result.
    """
    lost = loser(course)
    if lost is None:
        return False
    end(course, lost.enemy if course.state.phase is Phase.PLAYING else None, reason.value)
    return True
