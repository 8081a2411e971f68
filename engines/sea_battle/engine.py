"""The engine of team sea battle: which rule answers which action. The rule book is in the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, assert_never

from engines.contract import Engine, IllegalAction, MatchOver, NotYourTurn, Outcome, Seat, SeatInfo, Timer
from engines.sea_battle import command, placing, turns
from engines.sea_battle.acts import possible_actions
from engines.sea_battle.casualties import drop, end, reinstate
from engines.sea_battle.duties import waiting
from engines.sea_battle.lots import draw_match
from engines.sea_battle.model import (
    AdmitPair,
    Appoint,
    Attach,
    ByWhom,
    ConfirmFleet,
    Delegate,
    DraftFleet,
    Eliminate,
    Ended,
    EndMatch,
    Leave,
    NameActing,
    NameSuccessor,
    OutReason,
    PairEntered,
    Phase,
    RandomFleet,
    Reinstate,
    Revealed,
    SeaAction,
    SeaEvent,
    SeaOptions,
    SeaView,
    Shoot,
    ShotResolved,
    Start,
    Withdraw,
)
from engines.sea_battle.refusals import Refusal
from engines.sea_battle.reserves import MAX_SEATS, admit_pair
from engines.sea_battle.state import Course, SeaState
from engines.sea_battle.view import view

RefereeAction = Start | Appoint | AdmitPair | Eliminate | Reinstate | EndMatch
"""What the Referee does, and nobody else."""


class SeaBattle(Engine[SeaState, SeaAction, SeaEvent, SeaView, SeaOptions]):
    """Team sea battle («Морской бой», командный)."""

    name: ClassVar[str] = "sea_battle"
    rules_version: ClassVar[int] = 1
    min_seats: ClassVar[int] = 2
    max_seats: ClassVar[int] = MAX_SEATS
    state_type: ClassVar[object] = SeaState
    action_type: ClassVar[object] = SeaAction
    event_type: ClassVar[object] = SeaEvent
    view_type: ClassVar[object] = SeaView
    options_type: ClassVar[object] = SeaOptions

    def seats_for(self, people: int) -> int:
        """Teams are equal: with an odd number the last to join waits in reserve (ruling 23)."""
        seats = min(people - people % 2, self.max_seats)
        return seats if seats >= self.min_seats else 0

    def new(self, seats: Sequence[SeatInfo], options: SeaOptions, seed: str) -> tuple[SeaState, tuple[SeaEvent, ...]]:
        """A fresh match of an even number of players. Raises ValueError for any other number."""
        if self.seats_for(len(seats)) != len(seats) or not seats:
            raise ValueError(f"team sea battle is for an even number of 2-{self.max_seats} players, not {len(seats)}")
        return draw_match(seats, options, seed, self.rules_version).finish()

    def actors(self, state: SeaState) -> tuple[Seat, ...]:
        """Placing: who has no fleet. Playing: who may shoot, and the Admiral for delegated shots and orders."""
        match state.phase:
            case Phase.PLACING:
                return placing.missing(state)
            case Phase.PLAYING:
                return waiting(state)
            case Phase.OVER:
                return ()
            case _:
                assert_never(state.phase)

    def timer(self, state: SeaState) -> Timer | None:
        """One clock to place fleets, and a fresh one for each team turn («таймер обнуляется»)."""
        match state.phase:
            case Phase.PLACING | Phase.PLAYING:
                return Timer(key=self.stamp(state, None), waiting=self.actors(state))
            case Phase.OVER:
                return None
            case _:
                assert_never(state.phase)

    def stamp(self, state: SeaState, seat: Seat | None) -> str:
        """Within a team's turn many move beside each other: its buttons are good for all of it."""
        match state.phase:
            case Phase.PLACING:
                return "placing"
            case Phase.PLAYING:
                return f"turn-{state.turn}"
            case Phase.OVER:
                return "over"
            case _:
                assert_never(state.phase)

    def legal_actions(self, state: SeaState, seat: Seat | None) -> Iterator[SeaAction]:
        """Every action that `apply` would accept; of drafts one example, the empty one."""
        return possible_actions(state, seat)

    def apply(self, state: SeaState, seat: Seat | None, action: SeaAction) -> tuple[SeaState, tuple[SeaEvent, ...]]:
        """The next state and what happened; raises a `RuleError` with a code of `Refusal`."""
        if state.phase is Phase.OVER:
            raise MatchOver(Refusal.MATCH_OVER)
        course = Course(state)
        match action:
            case Start() | Appoint() | AdmitPair() | Eliminate() | Reinstate() | EndMatch():
                if seat is not None:
                    raise IllegalAction(Refusal.REFEREE_ONLY)
                _referee(course, action)
            case _:
                if seat is None:
                    raise IllegalAction(Refusal.PLAYERS_ONLY)
                _require_seat(state, seat)
                _player(course, seat, action)
        return course.finish()

    def expire(self, state: SeaState) -> tuple[SeaState, tuple[SeaEvent, ...]]:
        """Placing: the Referee places what is missing, and START. Playing: who slept is out, and the hand-over."""
        if state.phase is Phase.OVER:
            raise MatchOver(Refusal.MATCH_OVER)
        course = Course(state)
        turns.expire(course)
        return course.finish()

    def view(self, state: SeaState, seat: Seat | None) -> SeaView:
        """What `seat`, or a spectator, may know."""
        return view(state, seat)

    def undoable(self, action: SeaAction, events: tuple[SeaEvent, ...]) -> bool:
        """Decisions about people, as long as no result, hash or fleet came out with them. Never a shot.

        A pair that was let in has got seats: it is put out instead.
        """
        match action:
            case (
                Appoint()
                | Eliminate()
                | Reinstate()
                | Attach()
                | NameActing()
                | NameSuccessor()
                | Delegate()
                | Withdraw()
            ):
                decides = True
            case DraftFleet() | RandomFleet() | ConfirmFleet() | Shoot() | Leave() | Start() | AdmitPair() | EndMatch():
                decides = False
            case _:
                assert_never(action)
        return decides and not any(isinstance(e, ShotResolved | PairEntered | Ended | Revealed) for e in events)

    def outcome(self, state: SeaState) -> Outcome | None:
        """The winners are all who fought for the winning team, those who are out included."""
        return state.outcome()


def _require_seat(state: SeaState, seat: Seat) -> None:
    if not 0 <= seat < len(state.players):
        raise IllegalAction(Refusal.NO_SUCH_SEAT, seat=seat)


def _require_present(state: SeaState, seat: Seat) -> None:
    out = state.players[seat].out
    if out is not None:
        raise NotYourTurn(Refusal.OUT, seat=seat, reason=out.value)


def _require_playing(state: SeaState, seat: Seat) -> None:
    if state.phase is not Phase.PLAYING:
        raise NotYourTurn(Refusal.NOT_STARTED)
    if state.players[seat].reserve:
        raise NotYourTurn(Refusal.IN_RESERVE, seat=seat)


def _referee(course: Course, action: RefereeAction) -> None:
    """«Решение Рефери воспринимается как закон»: what a human referee, or the bot as such, orders."""
    state = course.state
    match action:
        case Start():
            turns.start(course)
        case AdmitPair():
            admit_pair(course)
        case EndMatch(winner):
            end(course, winner, OutReason.REFEREE.value)
        case Appoint(seat):
            _require_seat(state, seat)
            player = state.players[seat]
            if not player.fights:
                raise IllegalAction(Refusal.NOT_IN_FIGHT, seat=seat)
            leaders = state.command(player.team)
            if leaders.admiral == seat and leaders.acting is None:
                raise IllegalAction(Refusal.ALREADY_ADMIRAL, seat=seat)
            command.install(course, seat, ByWhom.REFEREE)
            turns.settle(course, OutReason.REFEREE)
        case Eliminate(seat):
            _require_seat(state, seat)
            if state.players[seat].out is not None:
                raise IllegalAction(Refusal.ALREADY_OUT, seat=seat)
            drop(course, (seat,), OutReason.REFEREE)
            turns.settle(course, OutReason.REFEREE)
        case Reinstate(seat):
            _require_seat(state, seat)
            reinstate(course, seat)
            turns.settle(course, OutReason.REFEREE)
        case _:
            assert_never(action)


PlayerAction = (
    DraftFleet | RandomFleet | ConfirmFleet | Shoot | Delegate | Withdraw | Attach | NameSuccessor | NameActing | Leave
)
"""What a player does, and nobody else."""


def _player(course: Course, seat: Seat, action: PlayerAction) -> None:
    """What a player of the match does. Who is out can name a successor, and nothing else."""
    state = course.state
    if isinstance(action, NameSuccessor):
        command.name_successor(course, seat, action)
        turns.settle(course, OutReason.SUNK)
        return
    _require_present(state, seat)
    match action:
        case DraftFleet():
            placing.draft(course, seat, action)
        case RandomFleet():
            placing.randomise(course, seat, action)
        case ConfirmFleet():
            placing.confirm(course, seat)
        case Leave():
            drop(course, (seat,), OutReason.LEFT)
            turns.settle(course, OutReason.LEFT)
        case NameActing():
            command.name_acting(course, seat, action)
            turns.settle(course, OutReason.SUNK)
        case Shoot() | Delegate() | Withdraw() | Attach():
            _require_playing(state, seat)
            _fight(course, seat, action)
            turns.settle(course, OutReason.SUNK)
        case _:
            assert_never(action)


def _fight(course: Course, seat: Seat, action: Shoot | Delegate | Withdraw | Attach) -> None:
    """What needs the match to be on."""
    seats = range(len(course.state.players))
    match action:
        case Shoot(on_behalf=delegator):
            if delegator is not None:
                if delegator not in seats:
                    raise IllegalAction(Refusal.NO_SUCH_SEAT, seat=delegator)
                _require_present(course.state, delegator)
            turns.shoot(course, seat, action)
        case Delegate():
            command.delegate(course, seat)
        case Withdraw():
            command.withdraw(course, seat)
        case Attach():
            command.attach(course, seat, action)
        case _:
            assert_never(action)
