"""Who may shoot at whom, who has to, and for whom a turn waits (rules, «Turns»). Questions only."""

from __future__ import annotations

from engines.contract import Seat
from engines.sea_battle.model import CELLS, Phase, Team
from engines.sea_battle.state import SeaState


def living(state: SeaState, team: Team) -> tuple[Seat, ...]:
    """Players of `team` who are alive and in the fight, ascending."""
    return tuple(seat for seat, player in enumerate(state.players) if player.team is team and player.fights)


def is_free(state: SeaState, seat: Seat) -> bool:
    """Свободный игрок: alive, and his opponent by pair is out."""
    player = state.players[seat]
    return player.fights and state.players[player.pair].out is not None


def opponents(state: SeaState, seat: Seat) -> tuple[Seat, ...]:
    """Living enemies he may shoot at: by pair, the one he is attached to, and those attached to him; ascending."""
    players = state.players
    me = players[seat]
    if not me.fights:
        return ()
    found = {other for other, player in enumerate(players) if player.attached_to == seat and player.fights}
    found.update(other for other in (me.pair, me.attached_to) if other is not None and players[other].fights)
    return tuple(sorted(found))


def has_opponent(state: SeaState, seat: Seat) -> bool:
    """Whether `opponents` is not empty; quicker."""
    me = state.players[seat]
    if not me.fights:
        return False
    if state.players[me.pair].fights or (me.attached_to is not None and state.players[me.attached_to].fights):
        return True
    return any(player.attached_to == seat and player.fights for player in state.players)


def may_shoot(state: SeaState, seat: Seat) -> bool:
    """Whether a shot of his (made by himself or by his Admiral) is still to be had in the running turn.

    Alive, on move, not hit in the enemy's last turn, has not shot, and has a living opponent (ruling 14) with a cell
    left to shoot at: where many attack one, shots in flight may cover the whole board.
    """
    return (
        state.phase is Phase.PLAYING
        and state.players[seat].team is state.mover
        and seat not in state.barred
        and seat not in state.moved
        and has_opponent(state, seat)
        and any(_has_cell_left(state, target) for target in opponents(state, seat))
    )


def _has_cell_left(state: SeaState, target: Seat) -> bool:
    shots = len(state.players[target].shots)
    return (
        shots + len(state.in_flight) < CELLS  # the usual case, quickly
        or shots + sum(shot.target == target for shot in state.in_flight) < CELLS
    )


def has_duty(state: SeaState, seat: Seat) -> bool:
    """Has to shoot or delegate in the running turn, and has not.

    A free player has no duty unless attached (ruling 18), nor then if the match says so (option `attached_duty`); an
    unattached one who is attacked may answer and need not.
    """
    player = state.players[seat]
    if player.delegated or not may_shoot(state, seat):
        return False
    return not is_free(state, seat) or (player.attached_to is not None and state.options.attached_duty)


def awaits_order(state: SeaState, seat: Seat) -> bool:
    """A free player against whom nobody is set: he shoots once the Admiral has said so."""
    return is_free(state, seat) and not has_opponent(state, seat)


def commander(state: SeaState, team: Team) -> Seat:
    """Who leads `team` now: the acting Admiral if there is one, else the Admiral."""
    command = state.command(team)
    return command.admiral if command.acting is None else command.acting


def commands(state: SeaState, seat: Seat) -> bool:
    """Whether `seat`, alive, may give his team's orders: the Admiral always, and the acting one beside him."""
    command = state.command(state.players[seat].team)
    return state.players[seat].fights and seat in (command.admiral, command.acting)


def succession_due(state: SeaState, team: Team) -> bool:
    """The Admiral is out and may still name a successor (ruling 28)."""
    return state.players[state.command(team).admiral].out is not None


def shooters(state: SeaState) -> tuple[Seat, ...]:
    """All whose shot is still to be had in the running turn, ascending."""
    return tuple(seat for seat in range(len(state.players)) if may_shoot(state, seat))


def only_unattached(state: SeaState) -> bool:
    """Whether the team on move consists of free players without an opponent (rules: then by lot, at the deadline)."""
    return all(awaits_order(state, seat) for seat in living(state, state.mover))


def order_possible(state: SeaState) -> bool:
    """An unattached free player could shoot in this turn, and the Admiral has not shot in it yet (ruling 17)."""
    mover = state.mover
    return commander(state, mover) not in state.moved and any(
        awaits_order(state, seat) and seat not in state.barred and seat not in state.moved
        for seat in living(state, mover)
    )


def passes_by_itself(state: SeaState) -> bool:
    """A turn that has just begun and in which nobody can shoot (ruling 15).

    A team of nothing but unattached free players gets its time, so that the Admiral can give his orders (ruling 19).
    """
    if shooters(state):
        return False
    return not (only_unattached(state) and order_possible(state))


def is_complete(state: SeaState) -> bool:
    """Whether the running turn is done: every shot that may be had is made, and no order is waited for."""
    return not shooters(state) and not order_possible(state)


def waiting(state: SeaState) -> tuple[Seat, ...]:
    """Whom the running turn waits for, ascending: who may shoot, and the Admiral for what only he can do."""
    ready = shooters(state)
    seats = {seat for seat in ready if not state.players[seat].delegated}
    if len(seats) < len(ready) or order_possible(state):
        seats.add(commander(state, state.mover))
    return tuple(sorted(seats))
