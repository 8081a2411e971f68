"""What one may know (engines/sea_battle/view.py), and that events and refusals tell no more."""

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engines.chance import Chance, Dice
from engines.contract import RuleError, dump
from engines.sea_battle import ENGINE
from engines.sea_battle.fleet import random_fleet
from engines.sea_battle.model import (
    AdmitPair,
    ConfirmFleet,
    Delegate,
    DraftFleet,
    Leave,
    Phase,
    RandomFleet,
    SeaOptions,
    Ship,
    Shoot,
    Start,
    Team,
)
from engines.sea_battle.state import SeaState
from tests.engines.sea_table import DECKS, FLEET, Table


def other_fleets(state: SeaState, keep_seat: int | None, seed: int) -> SeaState:
    """The same match with other ships on every board but one, other salts, another seed."""
    dice = Dice(f"others {seed}")
    players = tuple(
        player
        if seat == keep_seat or not player.ships
        else replace(player, ships=random_fleet(dice), salt=dice.token())
        for seat, player in enumerate(state.players)
    )
    return replace(state, players=players, chance=Chance(f"other {seed}", state.chance.drawn))


def answer(state: SeaState, seat: int, action: Shoot | Delegate) -> tuple[str, str]:
    """What everybody learns from an action: its events or its refusal, and a spectator's view after it."""
    try:
        after, events = ENGINE.apply(state, seat, action)
    except RuleError as refusal:
        return f"{refusal.code} {refusal.data}", ""
    return dump(events), dump(ENGINE.view(after, None))


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 10**6),
    cells=st.lists(st.integers(0, 99), min_size=1, max_size=5),
    looker=st.sampled_from([None, *range(6)]),
    tries=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 99)), max_size=4),
)
def test_before_the_results_are_out_nothing_depends_on_where_ships_lie(seed, cells, looker, tries):
    table = Table(3)
    for shooter, cell in zip(table.red[:2], cells, strict=False):
        table.shoot(shooter, table.player(shooter).opponents[0], cell)
    other = other_fleets(table.state, looker, seed)
    assert dump(ENGINE.view(other, looker)) == dump(table.view(looker))
    assert ENGINE.timer(other) == ENGINE.timer(table.state)
    for shooter, target, cell in tries:
        if shooter != table.red[2]:  # whose shot would bring the results out
            action = Shoot(target, cell)
            assert answer(other, shooter, action) == answer(table.state, shooter, action)


def test_drafts_are_for_their_owner_alone():
    table = Table(1, started=False)
    table.do(0, DraftFleet((Ship(0, 4),)))
    views = [dump(table.view(looker)) for looker in (None, 1)]
    table.do(0, DraftFleet((Ship(55, 1), Ship(99, 1))))
    assert [dump(table.view(looker)) for looker in (None, 1)] == views
    assert table.view(0).boards[0].draft == (Ship(55, 1), Ship(99, 1))
    assert table.view(0).boards[0].fleet is None
    assert table.view(0).boards[1].draft is None
    assert "55" not in dump(table.events)


def test_ones_own_fleet_is_ones_own():
    table = Table(2)
    for looker in (None, *range(4)):
        fleets = [board.fleet for board in table.view(looker).boards]
        assert fleets == [FLEET if seat == looker else None for seat in range(4)]
        assert all(board.draft is None for board in table.view(looker).boards)


def test_salts_and_seed_are_in_no_view_of_a_running_match():
    table = Table(2)
    secrets = [player.salt for player in table.state.players] + [table.state.chance.seed]
    assert all(secrets)
    for looker in (None, *range(4)):
        text = dump(table.view(looker))
        assert not any(secret in text for secret in secrets)


def test_when_it_is_over_everybody_sees_every_fleet():
    table = Table(2)
    table.do(table.red[0], Leave())
    table.do(table.red[1], Leave())
    for looker in (None, *range(4)):
        view = table.view(looker)
        assert (view.phase, view.winner) == (Phase.OVER, Team.BLUE)
        assert [board.fleet for board in view.boards] == [FLEET] * 4
        assert view.salts == tuple(player.salt for player in table.state.players)


def test_a_match_that_never_began_shows_no_fleets_of_others():
    table = Table(1, started=False)
    table.place(0)
    table.do(1, Leave())
    assert table.view().boards[0].fleet is None
    assert table.view().salts == ()


def test_the_fleet_of_who_waits_in_reserve_is_not_shown_at_the_end():
    table = Table(1)
    table.referee(AdmitPair())
    table.do(2, RandomFleet())
    table.do(2, ConfirmFleet())
    table.do(table.red[0], Leave())
    assert table.view().boards[2].fleet is None


def test_shots_stand_in_the_order_of_posting_with_those_to_come_last():
    table = Table(1)
    (red,), (blue,) = table.red, table.blue
    table.shoot(red, blue, DECKS[0])
    table.shoot(red, blue, 99)
    assert [(shot.turn, shot.cell) for shot in table.view().boards[blue].shots] == [(1, DECKS[0]), (3, 99)]


def test_may_shoot_is_what_apply_accepts():
    table = Table(3)
    table.do(table.red[1], Delegate())
    table.miss(table.red[2])
    for player in table.view().players:
        for target in range(6):
            accepted = not answer(table.state, player.seat, Shoot(target, 98))[0].startswith(
                ("not_your_turn", "already_moved", "not_opponent")
            )
            assert accepted == (player.may_shoot and target in player.opponents)


def test_the_board_of_who_begins_while_placing():
    table = Table(1, started=False)
    view = table.view()
    assert (view.phase, view.turn, view.team, view.first) == (Phase.PLACING, 0, Team.RED, Team.RED)
    assert view.hashes == ()
    for seat in range(2):
        table.place(seat)
    table.referee(Start())
    assert (table.view().phase, table.view().turn) == (Phase.PLAYING, 1)
    assert all(len(sealed) == 64 for sealed in table.view().hashes)


def test_results_at_once_are_seen_at_once():
    table = Table(2, options=SeaOptions(results_at_once=True))
    table.shoot(table.red[0], table.blue[0], DECKS[0])
    assert table.view().boards[table.blue[0]].decks_left == 19
