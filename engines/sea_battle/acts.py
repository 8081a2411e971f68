"""Everything that somebody may do now, one action after another."""

from __future__ import annotations

from collections.abc import Iterator

from engines.chance import Dice
from engines.contract import Seat
from engines.sea_battle.casualties import why_not_return
from engines.sea_battle.duties import commander, commands, is_free, living, may_shoot, opponents
from engines.sea_battle.fleet import problems, random_fleet
from engines.sea_battle.model import (
    CELLS,
    AdmitPair,
    Appoint,
    Attach,
    ConfirmFleet,
    Delegate,
    DraftFleet,
    Eliminate,
    EndMatch,
    Leave,
    NameActing,
    NameSuccessor,
    Phase,
    RandomFleet,
    Reinstate,
    SeaAction,
    Shoot,
    Start,
    Team,
    Withdraw,
)
from engines.sea_battle.placing import missing
from engines.sea_battle.reserves import MAX_SEATS
from engines.sea_battle.sea import shot_cells
from engines.sea_battle.state import Player, SeaState


def possible_actions(state: SeaState, seat: Seat | None) -> Iterator[SeaAction]:
    """Lazily, every action that is accepted from `seat` (None: the Referee); of drafts one example, the empty one."""
    if state.phase is Phase.OVER:
        return
    if seat is None:
        yield from _referee(state)
        return
    player = state.players[seat]
    if player.out is not None:
        if state.command(player.team).admiral == seat:
            for mate in living(state, player.team):
                yield NameSuccessor(mate)
        return
    if state.phase is Phase.PLACING or player.reserve:
        yield from _placing(player)
    if state.phase is Phase.PLAYING and not player.reserve:
        yield from _shots(state, seat, None)
        yield from _rights(state, seat)
        if commands(state, seat):
            yield from _orders(state, seat)
    yield from _stand_ins(state, seat)
    yield Leave()


def _placing(player: Player) -> Iterator[SeaAction]:
    if not player.ready and not problems(player.ships):
        yield ConfirmFleet()
    yield RandomFleet()
    yield DraftFleet(())
    if player.ships and _completable(player):
        yield RandomFleet(keep=True)


def _completable(player: Player) -> bool:
    try:
        random_fleet(Dice("is there one at all"), player.ships)
    except ValueError:
        return False
    return True


def _shots(state: SeaState, shooter: Seat, on_behalf: Seat | None) -> Iterator[SeaAction]:
    if not may_shoot(state, shooter):
        return
    for target in opponents(state, shooter):
        taken = shot_cells(state, target)
        for cell in range(CELLS):
            if cell not in taken:
                yield Shoot(target, cell, on_behalf)


def _rights(state: SeaState, seat: Seat) -> Iterator[SeaAction]:
    if state.players[seat].delegated:
        yield Withdraw()
    elif commander(state, state.players[seat].team) != seat:
        yield Delegate()


def _orders(state: SeaState, seat: Seat) -> Iterator[SeaAction]:
    team = state.players[seat].team
    for mate in living(state, team):
        player = state.players[mate]
        if mate != seat and player.delegated:
            yield from _shots(state, mate, mate)
        if is_free(state, mate) and (player.attached_to is None or mate not in state.moved):
            for enemy in living(state, team.enemy):
                if enemy != player.attached_to:
                    yield Attach(mate, enemy)


def _stand_ins(state: SeaState, seat: Seat) -> Iterator[SeaAction]:
    team = state.players[seat].team
    if state.command(team).admiral == seat:
        for mate in living(state, team):
            if mate != commander(state, team):
                yield NameActing(mate)


def _referee(state: SeaState) -> Iterator[SeaAction]:
    if state.phase is Phase.PLACING and not missing(state):
        yield Start()
    if len(state.players) + 2 <= MAX_SEATS:
        yield AdmitPair()
    for seat, player in enumerate(state.players):
        command = state.command(player.team)
        if player.fights and (command.admiral != seat or command.acting is not None):
            yield Appoint(seat)
        if player.out is None:
            yield Eliminate(seat)
        elif why_not_return(state, seat) is None:
            yield Reinstate(seat)
    for winner in (None, *Team):
        yield EndMatch(winner)
