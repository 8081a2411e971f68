"""What one may know of a match: everything public, one's own ships, and everything once the match is over.

Results of shots in flight, drafts, fleets, salts and the seed are not in here for anybody else; nor is anything that
depends on them.
"""

from __future__ import annotations

from engines.contract import Seat
from engines.sea_battle.duties import commander, has_duty, is_free, may_shoot, opponents, succession_due
from engines.sea_battle.model import (
    FLEET_LENGTHS,
    BoardView,
    Fleet,
    Phase,
    PlayerView,
    Result,
    SeaView,
    SeenShot,
    Team,
)
from engines.sea_battle.sea import results
from engines.sea_battle.state import SeaState


def view(state: SeaState, me: Seat | None) -> SeaView:
    """The match as seat `me`, or a spectator (None), may know it."""
    over = state.phase is Phase.OVER
    seats = range(len(state.players))
    return SeaView(
        phase=state.phase,
        me=me,
        options=state.options,
        turn=state.turn,
        team=state.mover,
        first=state.first,
        players=tuple(_player(state, seat) for seat in seats),
        boards=tuple(_board(state, seat, me) for seat in seats),
        hashes=tuple(player.hash for player in state.players) if state.turn else (),
        salts=tuple(player.salt for player in state.players) if over and state.turn else (),
        winner=state.winner,
        successor_due=() if over else tuple(team for team in Team if succession_due(state, team)),
    )


def _player(state: SeaState, seat: Seat) -> PlayerView:
    player = state.players[seat]
    command = state.command(player.team)
    return PlayerView(
        seat=seat,
        team=player.team,
        alive=player.out is None,
        admiral=command.admiral == seat and player.out is None,
        acting=command.acting == seat and commander(state, player.team) == seat,
        opponents=opponents(state, seat),
        free=is_free(state, seat),
        attached_to=player.attached_to,
        duty=has_duty(state, seat),
        may_shoot=may_shoot(state, seat),
        shot=seat in state.moved,
        barred=seat in state.barred,
        delegated=player.delegated,
        fleet_ready=player.ready,
        reserve=player.reserve,
        out=player.out,
        names_successor=player.out is not None and command.admiral == seat and state.phase is not Phase.OVER,
    )


def _board(state: SeaState, seat: Seat, me: Seat | None) -> BoardView:
    player = state.players[seat]
    told = tuple(results(player))
    shots = [
        SeenShot(shot.turn, shot.shooter, shot.cell, result)
        for shot, (result, _) in zip(player.shots, told, strict=True)
    ]
    sunk = [ship for _, ship in told if ship is not None]
    decks_left = sum(FLEET_LENGTHS) - sum(result is not Result.MISS for result, _ in told)
    shots.extend(
        SeenShot(turn=state.turn, shooter=shot.shooter, cell=shot.cell)
        for shot in state.in_flight
        if shot.target == seat
    )
    fleet: Fleet | None = None
    if (seat == me and player.ready) or (state.phase is Phase.OVER and player.hash):
        fleet = player.ships
    return BoardView(
        seat=seat,
        shots=tuple(shots),
        sunk=tuple(sunk),
        fleet=fleet,
        draft=player.ships if seat == me and not player.ready and state.phase is not Phase.OVER else None,
        decks_left=decks_left,
    )
