"""Random matches played to the end, with everything that may happen in one, and what must hold in each.

The players here are careless: they shoot at random (with some luck, so that a match does not take for ever), delegate,
sleep, leave, come back and are put out. What is looked for is a state that no rule leads out of, or one that must not
be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from engines.chance import Dice
from engines.contract import Seat, SeatInfo, Value
from engines.sea_battle.acts import possible_actions
from engines.sea_battle.casualties import why_not_return
from engines.sea_battle.command import due_teams
from engines.sea_battle.duties import awaits_order, commander, commands, living, may_shoot, opponents
from engines.sea_battle.engine import SeaBattle
from engines.sea_battle.model import (
    CELLS,
    AdmitPair,
    Appoint,
    Attach,
    ConfirmFleet,
    Delegate,
    Eliminate,
    Ended,
    Leave,
    NameActing,
    NameSuccessor,
    OutReason,
    PairEntered,
    Phase,
    PlayerBack,
    PlayerOut,
    RandomFleet,
    Reinstate,
    Revealed,
    SeaAction,
    SeaEvent,
    SeaOptions,
    Shoot,
    ShotFired,
    Start,
    Team,
    Withdraw,
)
from engines.sea_battle.sea import shot_cells
from engines.sea_battle.state import SeaState

ENGINE: Final = SeaBattle()
MOST_PLAYERS: Final = 20
STEP_LIMIT: Final = 50_000
"""Acts after which a match is taken to have no end."""


class InvariantBroken(AssertionError):
    """A match came to what must not be; the message names the seed with which it can be played again."""


class Act(Value):
    """One entry of a match's record: who did what; `action` None is the clock that ran out."""

    seat: Seat | None = None
    action: SeaAction | None = None


class Played(Value):
    """A match played to the end: enough to play it again, act by act."""

    infos: tuple[SeatInfo, ...]
    options: SeaOptions
    seed: str
    acts: tuple[Act, ...]
    final: SeaState


class Report(Value):
    """What happened in many matches."""

    matches: int
    turns: int
    """Team turns, those that passed by themselves included."""
    shots: int
    longest: int
    """Team turns of the longest match."""
    won_by_first: int
    """Matches won by the team that began."""
    reasons: dict[str, int]
    """How matches ended."""
    events: dict[str, int]
    """How often what happened, by the tags of `model.SeaEvent`."""


def run(count: int, seed: int) -> Report:
    """Plays `count` matches, the same for the same `seed`. Raises InvariantBroken."""
    reasons: Counter[str] = Counter()
    events: Counter[str] = Counter()
    turns = shots = longest = won_by_first = 0
    for number in range(count):
        played, happened = play(f"{seed}/{number}")
        final = played.final
        turns += final.turn
        longest = max(longest, final.turn)
        won_by_first += final.winner is final.first
        reasons[final.reason] += 1
        events.update(happened)
        shots += happened["shot"]
    return Report(
        count, turns, shots, longest, won_by_first, dict(sorted(reasons.items())), dict(sorted(events.items()))
    )


def play(seed: str, people: int | None = None, options: SeaOptions | None = None) -> tuple[Played, Counter[str]]:
    """One match, the same for the same arguments: its record, and how often each event happened.

    Players (2-20) and options are drawn by lot unless given. Raises InvariantBroken.
    """
    dice = Dice(f"selfplay:{seed}")
    people = 2 + 2 * dice.below(MOST_PLAYERS // 2) if people is None else people
    options = _any_options(dice) if options is None else options
    infos = tuple(SeatInfo(messages=dice.below(3), matches=dice.below(2)) for _ in range(people))
    state, happened = ENGINE.new(infos, options, seed)
    watch = _Watch(seed)
    watch.see(state, state, happened)
    acts: list[Act] = []
    while state.phase is not Phase.OVER:
        if len(acts) >= STEP_LIMIT:
            raise InvariantBroken(f"match {seed!r} does not end")
        act = _next_act(state, dice)
        before = state
        if act.action is None:
            state, happened = ENGINE.expire(before)
            if state.phase is before.phase and state.turn == before.turn:
                raise InvariantBroken(f"match {seed!r}: the deadline led nowhere")
        else:
            state, happened = ENGINE.apply(before, act.seat, act.action)
        watch.see(before, state, happened)
        acts.append(act)
    return Played(infos, options, seed, tuple(acts), state), watch.happened


def replay(played: Played) -> Iterator[SeaState]:
    """The states of a match played before, from the first to the last."""
    state, _ = ENGINE.new(played.infos, played.options, played.seed)
    yield state
    for act in played.acts:
        if act.action is None:
            state, _ = ENGINE.expire(state)
        else:
            state, _ = ENGINE.apply(state, act.seat, act.action)
        yield state


# --- What the players do --------------------------------------------------------------------------


def _any_options(dice: Dice) -> SeaOptions:
    return SeaOptions(
        results_at_once=dice.below(3) == 0,
        hit_costs_answer=dice.below(4) != 0,
        standing_delegation=dice.below(3) == 0,
        attached_duty=dice.below(4) != 0,
    )


def _next_act(state: SeaState, dice: Dice) -> Act:
    chance = dice.below(1000)
    if chance < 6:
        return _order_of_referee(state, dice) or Act()
    if chance < 8:
        return Act(dice.one_of([seat for seat, player in enumerate(state.players) if player.out is None]), Leave())
    if state.phase is Phase.PLACING:
        return _while_placing(state, dice)
    newcomer = _newcomer(state)
    if newcomer is not None:
        return newcomer
    if chance < 14:
        return Act()
    for team in due_teams(state):
        if chance < 500:
            return Act(state.command(team).admiral, NameSuccessor(dice.one_of(living(state, team))))
    return _move(state, dice, chance)


def _while_placing(state: SeaState, dice: Dice) -> Act:
    actors = ENGINE.actors(state)
    if not actors:
        return Act(None, Start())
    if dice.below(40) == 0:
        return Act()
    return _placed(state, dice.one_of(actors))


def _placed(state: SeaState, seat: Seat) -> Act:
    return Act(seat, ConfirmFleet() if state.players[seat].ships else RandomFleet())


def _newcomer(state: SeaState) -> Act | None:
    for seat, player in enumerate(state.players):
        if player.reserve and player.out is None and not player.ready:
            return _placed(state, seat)
    return None


def _order_of_referee(state: SeaState, dice: Dice) -> Act | None:
    seats = range(len(state.players))
    kind = dice.below(5)
    if kind == 0 and len(seats) < MOST_PLAYERS:
        return Act(None, AdmitPair())
    chosen = dice.one_of(seats)
    player = state.players[chosen]
    if kind == 1 and player.out is None:
        return Act(None, Eliminate(chosen))
    if kind == 2 and player.fights and commander(state, player.team) != chosen:
        return Act(None, Appoint(chosen))
    back = [seat for seat in seats if why_not_return(state, seat) is None]
    if kind >= 3 and back:
        return Act(None, Reinstate(dice.one_of(back)))
    return None


def _move(state: SeaState, dice: Dice, chance: int) -> Act:
    seat = dice.one_of(ENGINE.actors(state))
    player = state.players[seat]
    team = state.mover
    if chance < 60 and not player.delegated and commander(state, team) != seat:
        return Act(seat, Delegate())
    if chance < 70:
        early = dice.one_of(living(state, team.enemy))
        if state.players[early].delegated:
            return Act(early, Withdraw())
        if commander(state, team.enemy) != early:
            return Act(early, Delegate())
    if chance < 80 and commands(state, seat):
        others = [action for action in possible_actions(state, seat) if isinstance(action, NameActing)]
        if others:
            return Act(seat, dice.one_of(others))
    if commands(state, seat):
        order = _order_of_admiral(state, seat, dice)
        if order is not None:
            return order
    if may_shoot(state, seat):
        return Act(seat, _shot(state, seat, None, dice))
    return Act()  # nothing but an order is waited for, and it does not come


def _order_of_admiral(state: SeaState, seat: Seat, dice: Dice) -> Act | None:
    team = state.players[seat].team
    for mate in living(state, team):
        if awaits_order(state, mate) and dice.below(3):
            return Act(seat, Attach(mate, dice.one_of(living(state, team.enemy))))
        if mate != seat and state.players[mate].delegated and may_shoot(state, mate) and dice.below(2):
            return Act(seat, _shot(state, mate, mate, dice))
    return None


def _shot(state: SeaState, shooter: Seat, on_behalf: Seat | None, dice: Dice) -> Shoot:
    """Anywhere; every third time at a deck, by what only the driver of such matches can know."""
    targets = [target for target in opponents(state, shooter) if len(shot_cells(state, target)) < CELLS]
    target = dice.one_of(targets)
    taken = shot_cells(state, target)
    decks = [cell for ship in state.players[target].ships for cell in ship.cells() if cell not in taken]
    if decks and dice.below(3) == 0:
        return Shoot(target, dice.one_of(decks), on_behalf)
    return Shoot(target, dice.one_of([cell for cell in range(CELLS) if cell not in taken]), on_behalf)


# --- What must hold -------------------------------------------------------------------------------


class _Watch:
    """Follows one match by its events and states."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.happened: Counter[str] = Counter()
        self._cells: set[tuple[Seat, int]] = set()
        self._shooters: set[tuple[int, Seat]] = set()

    def see(self, before: SeaState, after: SeaState, events: tuple[SeaEvent, ...]) -> None:
        """One act: raises InvariantBroken at what must not be."""
        for event in events:
            self.happened[str(type(event).__struct_config__.tag)] += 1
            if isinstance(event, ShotFired):
                self._shot(before, event)
        self._numbers(before, after, events)
        self._require(bool(ENGINE.actors(after)) or after.phase is not Phase.PLAYING, "the turn waits for nobody")
        for shorter, longer in zip(before.players, after.players, strict=False):
            self._require(longer.shots[: len(shorter.shots)] == shorter.shots, "a shot was forgotten")
        if after.phase is Phase.OVER:
            self._end(events)

    def _require(self, condition: bool, what: str) -> None:
        if not condition:
            raise InvariantBroken(f"match {self.seed!r}: {what}")

    def _shot(self, before: SeaState, event: ShotFired) -> None:
        self._require((event.target, event.cell) not in self._cells, "a cell was shot at twice")
        self._require((before.turn, event.shooter) not in self._shooters, "a player shot twice in a turn")
        self._require(before.players[event.shooter].team is before.mover, "a player shot out of turn")
        self._require(before.players[event.shooter].out is None, "a player who is out shot")
        self._require(event.shooter not in before.barred, "a player who was hit shot")
        self._cells.add((event.target, event.cell))
        self._shooters.add((before.turn, event.shooter))

    def _numbers(self, before: SeaState, after: SeaState, events: tuple[SeaEvent, ...]) -> None:
        alive = {team: len(living(after, team)) for team in Team}
        self._require(any(alive.values()), "both teams fell")
        self._require(all(alive.values()) or after.phase is Phase.OVER, "a match goes on without one of its teams")
        if not any(isinstance(event, PlayerBack | PairEntered) for event in events):
            grown = any(alive[team] > len(living(before, team)) for team in Team)
            self._require(not grown, "somebody came from nowhere")
        sunk = {after.players[e.seat].team for e in events if isinstance(e, PlayerOut) and e.reason is OutReason.SUNK}
        self._require(len(sunk) <= 1, "ships of both teams went down in one volley")

    def _end(self, events: tuple[SeaEvent, ...]) -> None:
        tail = [event for event in events if isinstance(event, Ended | Revealed)]
        self._require(list(events[-len(tail) :]) == tail and bool(tail), "something happened after the end")


__all__ = ["Act", "InvariantBroken", "Played", "Report", "play", "replay", "run"]
