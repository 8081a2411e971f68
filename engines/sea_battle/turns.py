"""Shots, hand-overs and the deadline: how a turn goes, ends and gives way to the next (rules, «Turns», «Time»)."""

from __future__ import annotations

from engines.contract import IllegalAction, NotYourTurn, Seat
from engines.sea_battle.casualties import drop, end_if_lost
from engines.sea_battle.command import attach_by_lot, due_teams, end_succession, withdraw
from engines.sea_battle.duties import (
    commander,
    commands,
    has_duty,
    is_complete,
    may_shoot,
    only_unattached,
    opponents,
    passes_by_itself,
)
from engines.sea_battle.model import (
    CELLS,
    FLEET_LENGTHS,
    OutReason,
    Phase,
    Result,
    Shoot,
    ShotFired,
    ShotResolved,
    Team,
    TurnBegan,
    TurnEnded,
    TurnPassed,
    Withdrawn,
)
from engines.sea_battle.placing import place_for_missing, seal_fleets
from engines.sea_battle.refusals import Refusal
from engines.sea_battle.reserves import enter_pairs
from engines.sea_battle.sea import decks_hit, result_of, shot_cells
from engines.sea_battle.state import Course, InFlight, SeaState, Shot


def start(course: Course) -> None:
    """«СТАРТ ИГРА», and the first turn begins. Refused while a fleet is missing."""
    if course.state.phase is not Phase.PLACING:
        raise IllegalAction(Refusal.ALREADY_STARTED)
    seal_fleets(course)
    end_succession(course, due_teams(course.state))
    _next_turn(course)


def shoot(course: Course, seat: Seat, action: Shoot) -> None:
    """A shot of `seat`, or of a delegator through his Admiral. What is refused is not used up."""
    shooter = seat if action.on_behalf is None else action.on_behalf
    if shooter != seat:
        _require_delegated(course.state, seat, shooter)
    _require_right(course.state, shooter)
    _require_target(course.state, shooter, action)
    if course.state.players[shooter].delegated:
        _use_delegation(course, shooter, by=seat)
    course.change(moved=(*course.state.moved, shooter))
    course.tell(ShotFired(shooter=shooter, by=seat, target=action.target, cell=action.cell))
    course.change(in_flight=(*course.state.in_flight, InFlight(shooter, action.target, action.cell)))
    if course.state.options.results_at_once:
        _resolve(course)


def _require_delegated(state: SeaState, seat: Seat, shooter: Seat) -> None:
    team = state.players[seat].team
    if not commands(state, seat):
        raise IllegalAction(Refusal.NOT_ADMIRAL, admiral=commander(state, team))
    if state.players[shooter].team is not team or not state.players[shooter].delegated:
        raise IllegalAction(Refusal.NOT_DELEGATED, seat=shooter)


def _require_right(state: SeaState, shooter: Seat) -> None:
    if may_shoot(state, shooter):
        return
    team = state.players[shooter].team
    if team is not state.mover:
        raise NotYourTurn(Refusal.NOT_YOUR_TURN, team=state.mover.value)
    if shooter in state.moved:
        raise NotYourTurn(Refusal.ALREADY_MOVED, seat=shooter)
    if shooter in state.barred:
        raise NotYourTurn(Refusal.HIT_NO_ANSWER, seat=shooter)
    if opponents(state, shooter):
        raise NotYourTurn(Refusal.NO_CELL_LEFT, seat=shooter)
    raise NotYourTurn(Refusal.AWAITS_ORDER, seat=shooter, admiral=commander(state, team))


def _require_target(state: SeaState, shooter: Seat, action: Shoot) -> None:
    if not 0 <= action.cell < CELLS:
        raise IllegalAction(Refusal.OFF_BOARD, cell=action.cell)
    targets = opponents(state, shooter)
    if action.target not in targets:
        raise IllegalAction(Refusal.NOT_OPPONENT, seat=shooter, target=action.target, opponents=targets)
    if action.cell in shot_cells(state, action.target):
        raise IllegalAction(Refusal.ALREADY_SHOT, target=action.target, cell=action.cell)


def _use_delegation(course: Course, shooter: Seat, by: Seat) -> None:
    """One's own shot withdraws a delegation; a shot made by the Admiral fulfils it, if it was for one turn."""
    if by == shooter:
        withdraw(course, shooter)
    elif not course.state.options.standing_delegation:
        course.change_player(shooter, delegated=False)


def _resolve(course: Course) -> None:
    """Results of the shots in flight become known, in the order of posting; whose last deck is hit is out."""
    state = course.state
    volley, struck = state.in_flight, list(state.struck)
    fallen: list[Seat] = []
    course.change(in_flight=())
    for shot in volley:
        target = course.state.players[shot.target]
        before = frozenset(earlier.cell for earlier in target.shots)
        result, sunk = result_of(target.ships, before, shot.cell)
        course.change_player(shot.target, shots=(*target.shots, Shot(state.turn, shot.shooter, shot.cell)))
        course.tell(ShotResolved(shooter=shot.shooter, target=shot.target, cell=shot.cell, result=result, sunk=sunk))
        if result is Result.MISS:
            continue
        if shot.target not in struck:
            struck.append(shot.target)
        if target.out is None and decks_hit(course.state.players[shot.target]) == sum(FLEET_LENGTHS):
            fallen.append(shot.target)
    course.change(struck=tuple(struck))
    if fallen:
        drop(course, fallen, OutReason.SUNK)


def settle(course: Course, reason: OutReason) -> None:
    """After an action: ends the match if a team is gone (`reason` took its last), ends the turn if it is complete."""
    if end_if_lost(course, reason):
        return
    if course.state.phase is Phase.PLAYING and is_complete(course.state):
        _hand_over(course)


def _hand_over(course: Course, expired: bool = False) -> None:
    """«КРАСНЫЕ СДЕЛАЛИ ХОД»: results, who is out, and the next turn; or the end."""
    state = course.state
    mover = state.mover
    due = due_teams(state)
    by_lot = expired and only_unattached(state)
    seats = range(len(state.players))
    slept = [seat for seat in seats if has_duty(state, seat)] if expired else []
    lost = tuple(seat for seat in seats if state.players[seat].delegated and may_shoot(state, seat))
    course.tell(TurnEnded(turn=state.turn, team=mover, expired=expired, lost=lost))
    _end_delegations(course, mover, lost)
    if slept:
        drop(course, slept, OutReason.SLEPT)
        if end_if_lost(course, OutReason.SLEPT):
            return
    _resolve(course)
    if end_if_lost(course, OutReason.SUNK):
        return
    if by_lot:
        attach_by_lot(course)
    end_succession(course, due)
    _next_turn(course)


def _end_delegations(course: Course, team: Team, lost: tuple[Seat, ...]) -> None:
    """Delegations for one turn end with it; a standing one ends where the delegator has come to command himself."""
    for seat in lost:
        if not course.state.options.standing_delegation:
            course.change_player(seat, delegated=False)
    leader = commander(course.state, team)
    if course.state.players[leader].delegated and course.state.players[leader].fights:
        course.change_player(leader, delegated=False)
        course.tell(Withdrawn(seat=leader))


def _next_turn(course: Course) -> None:
    """«ХОД ЗА СИНИМИ»; turns in which nobody can shoot pass by themselves.

    Two at most pass in a row: after a turn without shots nobody is barred, and then a team either has somebody to
    shoot, or consists of unattached free players and gets its time.
    """
    while True:
        state = course.state
        struck = state.struck if state.options.hit_costs_answer else ()
        barred = tuple(sorted(seat for seat in struck if state.players[seat].fights))
        course.change(turn=state.turn + 1, moved=(), struck=(), barred=barred)
        if course.state.mover is course.state.first:
            enter_pairs(course)
        state = course.state
        if not passes_by_itself(state):
            break
        course.tell(TurnPassed(turn=state.turn, team=state.mover))
    duty = tuple(seat for seat in range(len(state.players)) if has_duty(state, seat))
    course.tell(TurnBegan(turn=state.turn, team=state.mover, duty=duty, barred=state.barred))


def expire(course: Course) -> None:
    """The clock ran out. Placing: the Referee places the missing fleets and gives START.

    Playing: those with a duty who neither shot nor delegated are out together; the others' shots are resolved;
    hand-over (ruling 33). A team of unattached free players alone is attached by lot.
    """
    if course.state.phase is Phase.PLACING:
        place_for_missing(course)
        start(course)
    else:
        _hand_over(course, expired=True)
