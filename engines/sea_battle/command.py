"""The Admiral: rank, succession, acting Admirals, orders to free players, delegated rights.

Rules, «People», «Turns» and «Delegation».
"""

from __future__ import annotations

from engines.chance import Dice
from engines.contract import IllegalAction, NotYourTurn, Seat, SeatInfo
from engines.sea_battle.duties import commander, commands, is_free, living, opponents, succession_due
from engines.sea_battle.model import (
    AdmiralNamed,
    Attach,
    Attached,
    ByWhom,
    Delegated,
    NameActing,
    NameSuccessor,
    OutReason,
    Team,
    Withdrawn,
)
from engines.sea_battle.refusals import Refusal
from engines.sea_battle.state import Command, Course, SeaState


def highest(candidates: tuple[tuple[Seat, SeatInfo], ...], dice: Dice) -> Seat:
    """The Admiral by rank: most messages in this chat, then most matches played, then by lot."""
    best = max((info.messages, info.matches) for _, info in candidates)
    return dice.one_of([seat for seat, info in candidates if (info.messages, info.matches) == best])


def _by_rank(course: Course, team: Team) -> Seat:
    candidates = tuple((seat, course.state.players[seat].info) for seat in living(course.state, team))
    return highest(candidates, course.dice())


def install(course: Course, seat: Seat, by: ByWhom) -> None:
    """`seat` is the Admiral of his team from now on; nobody acts for him."""
    team = course.state.players[seat].team
    course.change_command(team, Command(admiral=seat))
    course.tell(AdmiralNamed(team=team, seat=seat, by=by))


def due_teams(state: SeaState) -> tuple[Team, ...]:
    """Teams whose Admiral is out and may still name a successor."""
    return tuple(team for team in Team if succession_due(state, team))


def end_succession(course: Course, teams: tuple[Team, ...]) -> None:
    """The hand-over has come: where no successor was named, the Referee appoints one by rank (ruling 28)."""
    for team in teams:
        if succession_due(course.state, team) and living(course.state, team):
            install(course, _by_rank(course, team), ByWhom.RANK)


def mend(course: Course) -> None:
    """After somebody fell, each team that lives has one to command it.

    An Admiral who slept is replaced at once. One who is out otherwise may name his successor until the next hand-over;
    until then the acting Admiral leads, or, where there is none, one by rank.
    """
    for team in Team:
        if not living(course.state, team):
            continue
        command = course.state.command(team)
        players = course.state.players
        if players[command.admiral].out is OutReason.SLEPT:
            install(course, _by_rank(course, team), ByWhom.RANK)
            continue
        acting = command.acting if command.acting is not None and players[command.acting].fights else None
        if acting is None and players[command.admiral].out is not None:
            acting = _by_rank(course, team)
            course.tell(AdmiralNamed(team=team, seat=acting, by=ByWhom.RANK, acting=True))
        if acting != command.acting:
            course.change_command(team, Command(admiral=command.admiral, acting=acting))


def _require_mate(state: SeaState, team: Team, seat: Seat, mates: tuple[Seat, ...]) -> None:
    if seat not in mates:
        raise IllegalAction(Refusal.NOT_TEAM_MATE, seat=seat, mates=mates)


def name_successor(course: Course, seat: Seat, action: NameSuccessor) -> None:
    """An Admiral who is out names a living team-mate before the next hand-over."""
    team = course.state.players[seat].team
    if course.state.command(team).admiral != seat or not succession_due(course.state, team):
        raise IllegalAction(Refusal.NO_SUCCESSION)
    _require_mate(course.state, team, action.seat, living(course.state, team))
    install(course, action.seat, ByWhom.ADMIRAL)


def name_acting(course: Course, seat: Seat, action: NameActing) -> None:
    """The Admiral names who acts for him while he is away; naming himself takes it back (ruling 38)."""
    team = course.state.players[seat].team
    command = course.state.command(team)
    if command.admiral != seat:
        raise IllegalAction(Refusal.NOT_ADMIRAL, admiral=command.admiral)
    _require_mate(course.state, team, action.seat, living(course.state, team))
    if action.seat == commander(course.state, team):
        raise IllegalAction(Refusal.ALREADY_ADMIRAL, seat=action.seat)
    acting = None if action.seat == seat else action.seat
    course.change_command(team, Command(admiral=seat, acting=acting))
    course.tell(AdmiralNamed(team=team, seat=action.seat, by=ByWhom.ADMIRAL, acting=acting is not None))


def attach(course: Course, seat: Seat, action: Attach) -> None:
    """«ZimA продолжает игру против Вирт»: the Admiral sets a free player against any living enemy.

    Anew too, unless he has shot in the running turn (rulings 16, 17, 20).
    """
    state = course.state
    team = state.players[seat].team
    if not commands(state, seat):
        raise IllegalAction(Refusal.NOT_ADMIRAL, admiral=commander(state, team))
    _require_mate(state, team, action.gun, living(state, team))
    if not is_free(state, action.gun):
        raise IllegalAction(Refusal.NOT_FREE, seat=action.gun)
    enemies = living(state, team.enemy)
    if action.target not in enemies:
        raise IllegalAction(Refusal.NOT_LIVING_ENEMY, target=action.target, enemies=enemies)
    before = state.players[action.gun].attached_to
    if before == action.target:
        raise IllegalAction(Refusal.ALREADY_ATTACHED, seat=action.gun, target=action.target)
    if before is not None and action.gun in state.moved:
        raise NotYourTurn(Refusal.ALREADY_MOVED, seat=action.gun)
    set_against(course, action.gun, action.target, ByWhom.ADMIRAL)


def set_against(course: Course, gun: Seat, target: Seat, by: ByWhom) -> None:
    """Free player `gun` goes on against `target`."""
    course.change_player(gun, attached_to=target)
    course.tell(Attached(gun=gun, target=target, by=by))


def attach_to_last(course: Course) -> None:
    """One enemy left: free players without an order are attached to him by themselves (ruling 19)."""
    for team in Team:
        enemies = living(course.state, team.enemy)
        if len(enemies) == 1:
            for gun in living(course.state, team):
                if is_free(course.state, gun) and course.state.players[gun].attached_to is None:
                    set_against(course, gun, enemies[0], ByWhom.ONLY_ONE)


def attach_by_lot(course: Course) -> None:
    """A whole turn time without an order to a team of free players alone: attached by lot (ruling 19)."""
    dice = course.dice()
    mover = course.state.mover
    enemies = living(course.state, mover.enemy)
    for gun in living(course.state, mover):
        if not opponents(course.state, gun):
            set_against(course, gun, dice.one_of(enemies), ByWhom.LOT)


def delegate(course: Course, seat: Seat) -> None:
    """«Передаю ход Адмиралу»: his next shot is the Admiral's to make; in the enemy's turn for the turn to come.

    Who delegates cannot time out (ruling 35).
    """
    state = course.state
    leader = commander(state, state.players[seat].team)
    if state.players[seat].delegated:
        raise IllegalAction(Refusal.ALREADY_DELEGATED, admiral=leader)
    if leader == seat:
        raise IllegalAction(Refusal.COMMANDER_DELEGATES)
    course.change_player(seat, delegated=True)
    course.tell(Delegated(seat=seat, admiral=leader))


def withdraw(course: Course, seat: Seat) -> None:
    """Takes a delegation back, while its shot is not made."""
    if not course.state.players[seat].delegated:
        raise IllegalAction(Refusal.NOT_DELEGATED, seat=seat)
    course.change_player(seat, delegated=False)
    course.tell(Withdrawn(seat=seat))
