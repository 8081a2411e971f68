"""What every engine of the registry keeps (engines/contract.py). A new game passes these with no line changed here,
except that `HIDDEN` has to say how to shuffle what its players must not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import msgspec
import pytest
from msgspec.structs import replace

from engines.chance import Chance, Dice
from engines.contract import REFEREE, SPECTATOR, MatchOver, Options, RuleError, SeatInfo, State, dump
from engines.registry import REGISTRY, AnyEngine
from engines.sea_battle.fleet import random_fleet
from engines.sea_battle.state import SeaState

GAMES = sorted(REGISTRY)
SEEDS = range(6)
SHORTENING = {"Leave", "Eliminate", "EndMatch", "DraftFleet"}
"""Actions that empty a match under test too soon, or hold it up: taken one time in ten."""
LONG_ENOUGH = 250
"""Acts after which a match under test may end."""


@dataclass(frozen=True)
class Step:
    """One act of a match under test; `action` None is the clock that ran out."""

    before: State
    seat: int | None
    action: object
    after: State
    events: tuple[object, ...]


def options_of(engine: AnyEngine) -> Options:
    return msgspec.convert({}, type=engine.options_type)


def infos(engine: AnyEngine) -> list[SeatInfo]:
    return [SeatInfo(messages=seat % 3) for seat in range(engine.seats_for(max(6, engine.min_seats)))]


def start(engine: AnyEngine, seed: object) -> State:
    return engine.new(infos(engine), options_of(engine), f"contract {seed}")[0]


def everybody(engine: AnyEngine, state: State) -> list[int | None]:
    return [*range(len(infos(engine))), REFEREE]


def random_match(engine: AnyEngine, seed: int) -> Iterator[Step]:
    """A match of legal actions and deadlines. It does not end early, so that it shows something."""
    dice = Dice(f"contract {engine.name} {seed}")
    state = start(engine, seed)
    for number in range(10 * LONG_ENOUGH):
        if engine.outcome(state) is not None:
            return
        luck = dice.below(100)
        seat = dice.one_of(everybody(engine, state)) if luck < 8 else dice.one_of(engine.actors(state) or (REFEREE,))
        choices = list(engine.legal_actions(state, seat)) if luck < 98 else []
        if choices:
            action = dice.one_of(choices)
            if type(action).__name__ in SHORTENING and dice.below(10):
                continue
            after, events = engine.apply(state, seat, action)
        else:
            seat, action = REFEREE, None
            after, events = engine.expire(state)
        if engine.outcome(after) is not None and number < LONG_ENOUGH and dice.below(50):
            continue
        yield Step(state, seat, action, after, events)
        state = after


@pytest.fixture(scope="module", params=GAMES)
def engine(request) -> AnyEngine:
    return REGISTRY[request.param]


@pytest.fixture(scope="module")
def matches(engine) -> list[list[Step]]:
    return [list(random_match(engine, seed)) for seed in SEEDS]


@pytest.fixture(scope="module")
def steps(matches) -> list[Step]:
    return [step for match in matches for step in match]


def test_the_registry_names_engines_by_their_name():
    assert all(engine.name == name for name, engine in REGISTRY.items())


def test_seats_are_within_the_limits(engine):
    assert engine.seats_for(0) == 0
    assert engine.seats_for(engine.min_seats - 1) == 0
    for people in range(engine.min_seats, engine.max_seats + 3):
        seats = engine.seats_for(people)
        assert seats == 0 or engine.min_seats <= seats <= min(people, engine.max_seats)


def test_the_matches_of_this_suite_show_something(steps):
    assert len(steps) > 500
    assert len({type(step.action) for step in steps}) > 3
    assert len({type(event) for step in steps for event in step.events}) > 5


def test_the_same_seed_gives_the_same_match_bit_for_bit(engine, matches):
    again = list(random_match(engine, SEEDS[0]))
    assert [(dump(step.after), dump(step.events)) for step in again] == [
        (dump(step.after), dump(step.events)) for step in matches[0]
    ]


def test_another_seed_gives_another_match(engine):
    assert len({dump(engine.new(infos(engine), options_of(engine), str(seed))) for seed in range(5)}) == 5


def test_stored_actions_played_again_give_the_stored_states(engine, matches):
    for seed, match in zip(SEEDS, matches, strict=True):
        state = start(engine, seed)
        for step in match:
            stored = None if step.action is None else engine.read_action(dump(step.action))
            if stored is None:
                state, events = engine.expire(state)
            else:
                state, events = engine.apply(engine.read_state(dump(state)), step.seat, stored)
            assert dump(state) == dump(step.after)
            assert dump(events) == dump(step.events)


def test_states_actions_events_and_options_survive_json(engine, steps):
    for step in steps:
        assert engine.read_state(dump(step.after)) == step.after
        assert engine.read_events(dump(step.events)) == step.events
        if step.action is not None:
            assert engine.read_action(dump(step.action)) == step.action
    options = options_of(engine)
    assert engine.read_options(dump(options)) == options


def test_views_survive_json(engine, steps):
    for step in steps[::20]:
        for seat in (SPECTATOR, 0):
            view = engine.view(step.after, seat)
            assert msgspec.json.decode(dump(view), type=engine.view_type) == view


def test_rules_version_stands_in_the_state(engine, steps):
    assert {step.after.rules_version for step in steps} == {engine.rules_version}


def test_nothing_mutates_what_it_is_given(engine, steps):
    for step in steps[::7]:
        before = dump(step.before)
        if step.action is not None:
            engine.apply(step.before, step.seat, step.action)
        for seat in everybody(engine, step.before):
            engine.view(step.before, seat)
            list(islice(engine.legal_actions(step.before, seat), 20))
        engine.timer(step.before)
        engine.actors(step.before)
        if engine.outcome(step.before) is None:
            engine.expire(step.before)
        assert dump(step.before) == before


def test_what_is_legal_is_accepted(engine, steps):
    for step in steps[::25]:
        for seat in everybody(engine, step.before):
            for action in islice(engine.legal_actions(step.before, seat), 0, 400, 9):
                engine.apply(step.before, seat, action)


def test_what_is_refused_says_why_and_changes_nothing(engine, steps):
    """Actions of one seat and moment, tried by another at another."""
    dice = Dice("foreign")
    pool = [step.action for step in steps if step.action is not None]
    refusals: list[RuleError] = []
    for step in steps[::3]:
        before = dump(step.before)
        try:
            engine.apply(step.before, dice.one_of(everybody(engine, step.before)), dice.one_of(pool))
        except RuleError as refusal:
            refusals.append(refusal)
        assert dump(step.before) == before
    assert len(refusals) > 50
    for refusal in refusals:
        assert refusal.code == refusal.code.lower() != ""
        assert dump(refusal.data)


def test_an_accepted_action_was_listed_as_legal(engine, steps):
    """The list is complete, but for kinds of action with too many values, of which it gives examples."""
    dice = Dice("complete")
    pool = [step.action for step in steps if step.action is not None]
    for step in steps[::3]:
        seat, action = dice.one_of(everybody(engine, step.before)), dice.one_of(pool)
        try:
            engine.apply(step.before, seat, action)
        except RuleError:
            continue
        listed = list(engine.legal_actions(step.before, seat))
        assert action in listed or any(type(action) is type(other) for other in listed)


def test_the_clock_waits_for_the_actors_and_for_nobody_when_it_is_over(engine, steps):
    for step in steps:
        timer, actors = engine.timer(step.after), engine.actors(step.after)
        assert list(actors) == sorted(set(actors))
        if engine.outcome(step.after) is None:
            assert timer is None or (timer.waiting == actors and timer.key and ":" not in timer.key)
        else:
            assert timer is None
            assert actors == ()
            assert list(engine.legal_actions(step.after, 0)) == []


def test_a_deadline_leads_to_another_clock_or_to_the_end(engine, steps):
    for step in steps[::5]:
        before = engine.timer(step.before)
        if before is not None:
            after = engine.timer(engine.expire(step.before)[0])
            assert after is None or after.key != before.key


def test_nothing_but_the_clock_ends_a_match(engine):
    """Nobody does anything any more: deadline after deadline, every match comes to its end."""
    for seed in SEEDS:
        state = start(engine, seed)
        for _ in range(100):
            if engine.outcome(state) is not None:
                break
            state, _ = engine.expire(state)
        assert engine.outcome(state) is not None
        with pytest.raises(MatchOver):
            engine.expire(state)


def test_who_acts_has_something_to_do(engine, steps):
    for step in steps[::10]:
        for seat in engine.actors(step.after):
            assert next(iter(engine.legal_actions(step.after, seat)), None) is not None


def sea_hidden(state: State, looker: int | None, dice: Dice) -> State | None:
    """Another sea battle that looks the same to `looker`: all ships of others without a hit lie elsewhere.

    None where the shots so far leave no such fleet that is found quickly.
    """
    assert isinstance(state, SeaState)
    players = list(state.players)
    for seat, player in enumerate(players):
        if seat == looker or not player.ships:
            continue
        shot = {seen.cell for seen in player.shots}
        hit = tuple(ship for ship in player.ships if shot & set(ship.cells()))
        misses = shot.difference(*(ship.cells() for ship in hit))
        for _ in range(30):
            ships = random_fleet(dice, hit)
            if not misses & {cell for ship in ships for cell in ship.cells()}:
                break
        else:
            return None
        players[seat] = replace(player, ships=ships, salt=dice.token())
    return replace(state, players=tuple(players), chance=Chance("another seed", state.chance.drawn))


HIDDEN: dict[str, Callable[[State, int | None, Dice], State | None]] = {"sea_battle": sea_hidden}


@pytest.mark.parametrize("looker", [SPECTATOR, 0, 3])
def test_a_view_holds_nothing_hidden(engine, matches, looker):
    """What is hidden is shuffled: not a byte of a view changes."""
    dice = Dice(f"hidden {looker}")
    compared = 0
    for step in [step for match in matches for step in match[:60:4]]:
        if engine.outcome(step.after) is not None:
            continue
        other = HIDDEN[engine.name](step.after, looker, dice)
        if other is not None:
            assert dump(other) != dump(step.after)
            assert dump(engine.view(other, looker)) == dump(engine.view(step.after, looker))
            assert engine.timer(other) == engine.timer(step.after)
            compared += 1
    assert compared > 20
