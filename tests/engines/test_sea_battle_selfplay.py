"""Random matches with everything in them: each ends, and what must hold in each does."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract import IllegalAction, MatchOver, NotYourTurn, RuleError, dump
from engines.sea_battle import ENGINE
from engines.sea_battle.fleet import commitment
from engines.sea_battle.model import (
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
    SeaEvent,
    Ship,
    Shoot,
    Start,
    Team,
    Withdraw,
)
from engines.sea_battle.refusals import DATA, Refusal
from engines.sea_battle.selfplay import play, replay, run
from engines.sea_battle.state import SeaState


def test_hundreds_of_random_matches_end_and_keep_what_must_hold():
    report = run(150, seed=7)
    assert report.matches == sum(report.reasons.values()) == 150
    assert set(report.reasons) >= {"sunk", "slept", "left"}
    assert 45 < report.won_by_first < 105


def test_everything_that_can_happen_happens_in_them():
    tags = {str(event.__struct_config__.tag) for event in SeaEvent.__args__}
    happened = set(run(60, seed=2).events)
    assert tags - happened <= {"fleet_reopened"}


def test_the_same_seed_gives_the_same_report():
    assert run(5, seed=3) == run(5, seed=3)
    assert run(5, seed=3) != run(5, seed=4)


@pytest.mark.parametrize("people", [2, 6, 12])
def test_a_match_played_again_from_its_record_is_the_same_through_json(people):
    played, _ = play(f"again {people}", people)
    state, _ = ENGINE.new(played.infos, played.options, played.seed)
    for expected, act in zip(list(replay(played))[1:], played.acts, strict=True):
        state = ENGINE.read_state(dump(state))
        if act.action is None:
            state, _ = ENGINE.expire(state)
        else:
            state, _ = ENGINE.apply(state, act.seat, ENGINE.read_action(dump(act.action)))
        assert state == expected
    assert state == played.final


def test_fleets_shown_at_the_end_are_those_sealed_at_the_start():
    for seed in range(10):
        played, _ = play(f"seal {seed}")
        view = ENGINE.view(played.final, None)
        for board, salt, sealed in zip(view.boards, view.salts, view.hashes, strict=True):
            if sealed:
                assert commitment(board.fleet, salt) == sealed


seats = st.integers(-1, 9)
cells = st.integers(-1, 100)
ships = st.builds(Ship, st.integers(-2, 101), st.integers(-1, 6), st.booleans())
actions = st.one_of(
    st.builds(DraftFleet, st.lists(ships, max_size=12).map(tuple)),
    st.builds(RandomFleet),
    st.just(ConfirmFleet()),
    st.builds(Shoot, seats, cells, st.none() | seats),
    st.just(Delegate()),
    st.just(Withdraw()),
    st.builds(Attach, seats, seats),
    st.builds(NameSuccessor, seats),
    st.builds(NameActing, seats),
    st.just(Leave()),
    st.just(Start()),
    st.builds(Appoint, seats),
    st.just(AdmitPair()),
    st.builds(Eliminate, seats),
    st.builds(Reinstate, seats),
    st.builds(EndMatch, st.none() | st.sampled_from(Team)),
)


@pytest.fixture(scope="module")
def moments() -> list[SeaState]:
    """States from all parts of some matches."""
    return [state for seed in range(12) for state in list(replay(play(f"moment {seed}", 8)[0]))[::11]]


@settings(deadline=None, max_examples=400)
@given(data=st.data(), action=actions, actor=st.none() | seats)
def test_any_action_at_any_moment_is_either_done_or_refused_with_a_code_and_its_data(moments, data, action, actor):
    state = data.draw(st.sampled_from(moments))
    before = dump(state)
    try:
        after, events = ENGINE.apply(state, actor, action)
    except RuleError as refusal:
        code = Refusal(refusal.code)
        said = set(refusal.data)
        kind = type(refusal)
        assert said == set(DATA[code])
        assert kind in {IllegalAction, NotYourTurn, MatchOver}
    else:
        assert ENGINE.read_state(dump(after)) == after
        assert ENGINE.read_events(dump(events)) == events
        assert after.phase is Phase.OVER or ENGINE.actors(after) or after.phase is Phase.PLACING
    assert dump(state) == before


def test_every_refusal_is_listed_with_its_data():
    assert set(DATA) == set(Refusal)


@pytest.mark.parametrize("people", [2, 10])
def test_a_stored_match_is_small(people):
    """A state is loaded and stored with every move."""
    largest = max(len(dump(state)) for seed in range(5) for state in replay(play(f"small {seed}", people)[0]))
    assert largest < 1800 * people + 1000
