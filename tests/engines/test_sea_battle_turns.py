"""Rules, «Turns»: who may shoot, results, hand-overs, the end."""

import pytest

from engines.contract import MatchOver, NotYourTurn
from engines.sea_battle import ENGINE
from engines.sea_battle.model import (
    Attach,
    Ended,
    Leave,
    OutReason,
    Phase,
    PlayerOut,
    Result,
    Revealed,
    SeaOptions,
    Shoot,
    ShotFired,
    ShotResolved,
    Team,
    TurnBegan,
    TurnEnded,
    TurnPassed,
)
from engines.sea_battle.refusals import Refusal
from tests.engines.sea_table import DECKS, LAST_DECK, WATER, Table


def test_the_first_turn_is_of_the_team_that_begins_and_all_of_it_have_a_duty():
    table = Table(3)
    assert table.only(TurnBegan) == TurnBegan(1, Team.RED, tuple(sorted(table.red)))
    assert ENGINE.actors(table.state) == tuple(sorted(table.red))
    assert ENGINE.timer(table.state).key == "turn-1"


def test_the_order_of_shots_in_a_team_is_free_and_the_last_one_hands_over():
    table = Table(3)
    red, blue = table.red, table.blue
    table.miss(red[2], red[0])
    assert ENGINE.actors(table.state) == (red[1],)
    assert ENGINE.timer(table.state).key == "turn-1"
    table.miss(red[1])
    assert table.kinds() == ["ShotFired", "TurnEnded", *["ShotResolved"] * 3, "TurnBegan"]
    assert [event.shooter for event in table.all(ShotResolved)] == [red[2], red[0], red[1]]
    assert table.only(TurnEnded) == TurnEnded(1, Team.RED)
    assert table.only(TurnBegan) == TurnBegan(2, Team.BLUE, tuple(sorted(blue)))
    assert ENGINE.timer(table.state).key == "turn-2"


def test_results_wait_for_the_hand_over():
    table = Table(2)
    red, blue = table.red, table.blue
    table.shoot(red[0], blue[0], DECKS[0])
    assert table.kinds() == ["ShotFired"]
    for looker in (None, *red, *blue):
        (shot,) = table.view(looker).boards[blue[0]].shots
        assert shot.result is None
        assert table.view(looker).boards[blue[0]].decks_left == 20
    table.miss(red[1])
    assert table.results() == [Result.HIT, Result.MISS]
    assert table.view().boards[blue[0]].shots[0].result is Result.HIT
    assert table.view().boards[blue[0]].decks_left == 19


def test_a_ship_is_sunk_with_its_last_deck_and_its_cells_are_named():
    table = Table(1)
    (red,), (blue,) = table.red, table.blue
    for cell, result, sunk in ((40, Result.HIT, ()), (41, Result.SUNK, (40, 41)), (60, Result.SUNK, (60,))):
        table.shoot(red, blue, cell)
        assert table.only(ShotResolved) == ShotResolved(red, blue, cell, result, sunk)
    assert {ship.cell for ship in table.view().boards[blue].sunk} == {40, 60}


def test_a_hit_costs_the_answer_in_one_turn():
    table = Table(2)
    red, blue = table.red, table.blue
    table.miss(red[0])
    table.shoot(red[1], blue[1], DECKS[0])
    assert table.only(TurnBegan) == TurnBegan(2, Team.BLUE, (blue[0],), (blue[1],))
    assert table.player(blue[1]).barred
    refused = table.refused(blue[1], Shoot(red[1], WATER[0]))
    assert isinstance(refused, NotYourTurn)
    assert refused.code == Refusal.HIT_NO_ANSWER
    table.miss(blue[0])
    table.miss(*red)
    assert table.only(TurnBegan).duty == tuple(sorted(blue))


def test_a_hit_costs_nothing_if_the_match_says_so():
    table = Table(1, options=SeaOptions(hit_costs_answer=False))
    table.shoot(table.red[0], table.blue[0], DECKS[0])
    assert table.only(TurnBegan) == TurnBegan(2, Team.BLUE, (table.blue[0],))


def test_a_turn_passes_by_itself_when_the_whole_team_was_hit():
    table = Table(2)
    for red, blue in zip(table.red, table.blue, strict=True):
        table.shoot(red, blue, DECKS[0])
    assert table.all(TurnPassed) == [TurnPassed(2, Team.BLUE)]
    assert table.only(TurnBegan) == TurnBegan(3, Team.RED, tuple(sorted(table.red)))
    assert ENGINE.timer(table.state).key == "turn-3"


def test_the_rule_of_one_answer_for_several_attackers():
    """Any hit of several attackers takes it; if all miss he has one shot at any one of them."""
    table = Table(3)
    red, blue = table.red, table.blue
    table.miss(red[1])
    table.kill(red[0], blue[0])
    table.miss(red[2])
    for seat in (blue[1], blue[2]):
        table.miss(seat)
    assert table.state.turn == 3
    table.do(red[0], Attach(red[0], blue[1]))
    table.shoot(red[0], blue[1], DECKS[0])
    table.miss(red[1], red[2])
    assert table.results() == [Result.HIT, Result.MISS, Result.MISS]
    assert table.only(TurnBegan).barred == (blue[1],)
    table.miss(blue[2])
    table.miss(*red)
    assert table.player(blue[1]).opponents == tuple(sorted(red[:2]))
    table.shoot(blue[1], red[0], WATER[0])
    assert table.refused(blue[1], Shoot(red[1], WATER[0])).code == Refusal.ALREADY_MOVED


@pytest.mark.parametrize("at_once", [False, True])
def test_a_cell_shot_at_before_is_refused_and_the_shot_not_used_up(at_once):
    table = Table(2, options=SeaOptions(results_at_once=at_once))
    (red, mate), (blue, _) = table.red, table.blue
    table.shoot(red, blue, 99)
    table.miss(mate, *table.blue)
    refused = table.refused(red, Shoot(blue, 99))
    assert refused.code == Refusal.ALREADY_SHOT
    assert refused.data == {"target": blue, "cell": 99}
    assert table.player(red).duty
    table.shoot(red, blue, 98)


def test_a_cell_whose_result_is_to_come_is_refused_too():
    table = Table(2)
    red, blue = table.red, table.blue
    table.kill(red[0], blue[0])
    table.miss(red[1])
    table.miss(blue[1])
    assert table.player(red[0]).attached_to == blue[1]
    table.shoot(red[0], blue[1], 50)
    assert table.refused(red[1], Shoot(blue[1], 50)).code == Refusal.ALREADY_SHOT


def test_shots_are_at_opponents_only():
    table = Table(2)
    red, blue = table.red, table.blue
    for other in (blue[1], red[1], red[0], 77, -1):
        refused = table.refused(red[0], Shoot(other, 0))
        assert refused.code == Refusal.NOT_OPPONENT
        assert refused.data == {"seat": red[0], "target": other, "opponents": (blue[0],)}


@pytest.mark.parametrize("cell", [-1, 100])
def test_a_shot_off_the_board_is_refused(cell):
    table = Table(1)
    assert table.refused(table.red[0], Shoot(table.blue[0], cell)).code == Refusal.OFF_BOARD


def test_a_shot_out_of_turn_names_the_team_on_move():
    table = Table(2)
    refused = table.refused(table.blue[0], Shoot(table.red[0], 0))
    assert refused.code == Refusal.NOT_YOUR_TURN
    assert refused.data == {"team": "red"}


def test_one_shot_a_turn():
    table = Table(2)
    table.miss(table.red[0])
    assert table.refused(table.red[0], Shoot(table.blue[0], 98)).code == Refusal.ALREADY_MOVED


def test_whose_last_deck_is_hit_is_out_without_a_farewell_shot():
    table = Table(2)
    red, blue = table.red, table.blue
    table.kill(red[0], blue[0])
    table.miss(red[1])
    assert PlayerOut(blue[0], OutReason.SUNK) in table.events
    assert table.only(TurnBegan).duty == (blue[1],)
    assert table.refused(blue[0], Shoot(red[0], 0)).data == {"seat": blue[0], "reason": "sunk"}


def test_the_match_ends_at_the_hand_over_at_which_a_team_has_nobody_alive():
    table = Table(2)
    red, blue = table.red, table.blue
    table.wound(blue[0])
    table.wound(blue[1])
    table.shoot(red[0], blue[0], LAST_DECK)
    assert table.state.phase is Phase.PLAYING
    table.shoot(red[1], blue[1], LAST_DECK)
    assert table.kinds()[-4:] == ["PlayerOut", "PlayerOut", "Ended", "Revealed"]
    assert table.only(Ended) == Ended(Team.RED, "sunk")
    assert ENGINE.outcome(table.state).winners == tuple(sorted(red))
    assert ENGINE.timer(table.state) is None
    assert ENGINE.actors(table.state) == ()
    assert isinstance(table.refused(red[0], Shoot(blue[0], 0)), MatchOver)
    with pytest.raises(MatchOver):
        ENGINE.expire(table.state)


def test_results_at_once():
    table = Table(2, options=SeaOptions(results_at_once=True))
    red, blue = table.red, table.blue
    table.shoot(red[0], blue[0], DECKS[0])
    assert table.kinds() == ["ShotFired", "ShotResolved"]
    table.kill(red[1], blue[1])
    assert table.kinds()[:4] == ["ShotFired", "ShotResolved", "PlayerOut", "BecameFree"]
    assert table.all(TurnPassed) == [TurnPassed(2, Team.BLUE)]  # one was hit, the other is out


def test_the_last_kill_ends_a_match_with_results_at_once():
    table = Table(2, options=SeaOptions(results_at_once=True))
    red, blue = table.red, table.blue
    table.wound(blue[1])
    table.do(blue[0], Leave())
    table.shoot(red[0], blue[1], LAST_DECK)
    assert table.only(Ended) == Ended(Team.RED, "sunk")


def test_leaving_in_the_enemys_turn_does_not_wait_for_it_and_in_ones_own_may_close_it():
    table = Table(2)
    red, blue = table.red, table.blue
    table.do(blue[1], Leave())
    assert table.kinds() == ["PlayerOut", "BecameFree", "Attached"]
    table.miss(red[0])
    table.do(red[1], Leave())
    assert "TurnBegan" in table.kinds()


def test_a_team_that_is_gone_has_lost_whatever_is_in_flight():
    """Red's shot in flight sinks the last Blue; then all Red leave. Both teams never fall."""
    table = Table(2)
    red, blue = table.red, table.blue
    table.do(blue[1], Leave())
    table.kill(red[0], blue[0])
    table.do(red[0], Leave())
    table.do(red[1], Leave())
    assert table.only(Ended) == Ended(Team.BLUE, "left")
    assert table.only(Revealed)
    assert table.view().boards[blue[0]].shots[-1].result is None
    assert table.player(blue[0]).alive


def test_a_board_covered_by_shots_in_flight_leaves_the_other_attackers_without_a_duty():
    table = Table(2)
    red, blue = table.red, table.blue
    table.do(blue[1], Leave())
    table.wound(blue[0])
    table.cover(blue[0])
    table.shoot(red[0], blue[0], LAST_DECK)
    assert table.only(ShotFired).cell == LAST_DECK
    assert table.only(Ended) == Ended(Team.RED, "sunk")
