"""Rules, «People»: what the Referee orders, and pairs that come in later."""

import random

import pytest

from engines.contract import SeatInfo
from engines.sea_battle import ENGINE
from engines.sea_battle.fleet import commitment
from engines.sea_battle.model import (
    AdmitPair,
    Attach,
    BecameFree,
    ConfirmFleet,
    Delegate,
    Eliminate,
    Ended,
    EndMatch,
    Leave,
    NameActing,
    OutReason,
    PairAdmitted,
    PairEntered,
    Phase,
    PlayerBack,
    PlayerOut,
    RandomFleet,
    Reinstate,
    Revealed,
    SeaOptions,
    Shoot,
    Start,
    Started,
    Team,
    Withdraw,
)
from engines.sea_battle.refusals import Refusal
from engines.sea_battle.reserves import MAX_SEATS
from tests.engines.sea_table import DECKS, FLEET, Table


def test_a_new_pair_enters_at_the_start_of_a_round_once_both_fleets_are_placed():
    table = Table(2)
    table.referee(AdmitPair())
    admitted = table.only(PairAdmitted)
    red, blue = admitted.red, admitted.blue
    assert {red, blue} == {4, 5}
    assert (table.player(red).team, table.player(blue).team) == (Team.RED, Team.BLUE)
    table.place(red)
    table.miss(*table.red)
    table.miss(*table.blue)
    assert table.player(red).reserve  # a round began, but one fleet was missing
    table.miss(*table.red)
    table.place(blue)
    assert table.player(red).reserve  # in the middle of a round
    table.miss(*table.blue)
    entered = table.only(PairEntered)
    assert (entered.red, entered.blue) == (red, blue)
    assert table.kinds()[-2:] == ["PairEntered", "TurnBegan"]
    assert table.player(red).opponents == (blue,)
    assert table.player(red).duty
    assert table.view().hashes[red] == entered.hashes[0]
    table.referee(EndMatch())
    shown = table.only(Revealed)
    assert commitment(shown.fleets[blue], shown.salts[blue]) == entered.hashes[1]


def test_newcomers_are_divided_by_lot():
    table = Table(1, started=False)
    first_is_red = []
    for first in range(2, MAX_SEATS, 2):
        table.referee(AdmitPair())
        first_is_red.append(table.only(PairAdmitted).red == first)
    assert set(first_is_red) == {True, False}


def test_who_is_in_reserve_only_places_his_fleet():
    table = Table(2)
    table.referee(AdmitPair())
    seat, other = table.only(PairAdmitted).red, table.only(PairAdmitted).blue
    table.do(seat, RandomFleet())
    for action in (Shoot(table.blue[0], 0), Delegate(), Withdraw(), Attach(seat, table.blue[0])):
        refused = table.refused(seat, action)
        assert refused.code == Refusal.IN_RESERVE
        assert refused.data == {"seat": seat}
    assert table.refused(table.red[0], NameActing(seat)).code == Refusal.NOT_TEAM_MATE
    assert table.refused(table.red[0], Shoot(other, 0)).code == Refusal.NOT_OPPONENT
    assert table.refused(None, Reinstate(seat)).code == Refusal.NOT_OUT


def test_a_pair_of_which_one_left_does_not_enter():
    table = Table(1)
    table.referee(AdmitPair())
    admitted = table.only(PairAdmitted)
    table.place(admitted.red)
    table.place(admitted.blue)
    table.do(admitted.blue, Leave())
    assert table.events == (PlayerOut(admitted.blue, OutReason.LEFT),)
    table.miss(*table.red)
    table.miss(*table.blue)
    assert table.player(admitted.red).reserve
    table.referee(Reinstate(admitted.blue))
    table.miss(*table.red)
    table.miss(*table.blue)
    assert table.only(PairEntered)


def test_a_pair_admitted_before_start_comes_in_with_the_first_round_and_start_does_not_wait_for_it():
    table = Table(1, started=False)
    for _ in range(2):
        table.referee(AdmitPair())
    for seat in range(4):
        table.place(seat)
    assert ENGINE.actors(table.state) == ()
    table.referee(Start())
    assert table.only(Started).hashes[2:] == ("", "", "", "")
    assert {table.only(PairEntered).red, table.only(PairEntered).blue} == {2, 3}
    assert table.player(4).reserve


def test_a_team_is_gone_though_a_reserve_waits():
    table = Table(1)
    table.referee(AdmitPair())
    table.do(table.red[0], Leave())
    assert table.only(Ended) == Ended(Team.BLUE, "left")
    assert len(table.only(Revealed).fleets[2]) == 0


def test_there_is_a_limit_of_seats():
    table = Table(MAX_SEATS // 2, started=False)
    assert table.refused(None, AdmitPair()).data == {"limit": MAX_SEATS}


def test_the_referee_puts_a_player_out_and_cancels_it():
    table = Table(3)
    red, blue = table.red, table.blue
    table.referee(Eliminate(red[1]))
    assert table.events == (PlayerOut(red[1], OutReason.REFEREE), BecameFree(blue[1]))
    assert table.refused(None, Eliminate(red[1])).code == Refusal.ALREADY_OUT
    table.do(blue[0], Attach(blue[1], red[2]))
    table.referee(Reinstate(red[1]))
    assert table.all(PlayerBack) == [PlayerBack(red[1])]
    assert table.player(blue[1]).opponents == (red[1],)
    assert not table.player(blue[1]).free
    assert table.player(red[1]).duty


def test_who_slept_may_be_let_back_and_who_is_sunk_may_not():
    table = Table(3)
    table.kill(table.red[0], table.blue[0])
    table.miss(table.red[1])
    table.expire()
    assert table.refused(None, Reinstate(table.blue[0])).code == Refusal.SUNK_FOR_GOOD
    table.referee(Reinstate(table.red[2]))
    assert table.player(table.red[2]).alive


def test_whose_ships_went_down_after_he_left_stays_out():
    table = Table(2)
    table.kill(table.red[0], table.blue[0])
    table.do(table.blue[0], Leave())
    table.miss(table.red[1])
    assert table.all(PlayerOut) == []
    assert table.refused(None, Reinstate(table.blue[0])).code == Refusal.SUNK_FOR_GOOD


def test_who_had_no_fleet_at_start_does_not_come_back():
    table = Table(2, started=False)
    table.place(table.red[0])
    table.do(table.red[0], Leave())
    table.do(table.blue[1], Leave())
    table.expire()
    assert table.refused(None, Reinstate(table.blue[1])).code == Refusal.NO_FLEET
    table.referee(Reinstate(table.red[0]))
    assert table.player(table.red[0]).alive


def test_the_referee_ends_the_match_with_or_without_a_winner():
    for winner in (None, Team.BLUE):
        table = Table(2)
        table.shoot(table.red[0], table.blue[0], DECKS[0])
        table.referee(EndMatch(winner))
        assert table.kinds() == ["Ended", "Revealed"]
        assert table.only(Ended) == Ended(winner, "referee")
        assert ENGINE.outcome(table.state).winners == (tuple(sorted(table.blue)) if winner else ())
        assert table.view().boards[table.red[0]].fleet == FLEET


def test_putting_out_the_last_of_a_team_ends_the_match():
    table = Table(1)
    table.referee(Eliminate(table.blue[0]))
    assert table.only(Ended) == Ended(Team.RED, "referee")


@pytest.mark.parametrize("action", [Eliminate(9), Reinstate(-1)])
def test_a_seat_that_is_not_there(action):
    assert Table(1).refused(None, action).code == Refusal.NO_SUCH_SEAT


def test_each_does_what_is_his():
    table = Table(1)
    for action in (Start(), AdmitPair(), Eliminate(0), Reinstate(0), EndMatch()):
        assert table.refused(0, action).code == Refusal.REFEREE_ONLY
    for action in (Shoot(0, 0), Delegate(), RandomFleet(), ConfirmFleet(), Leave()):
        assert table.refused(None, action).code == Refusal.PLAYERS_ONLY
    assert table.refused(17, Leave()).code == Refusal.NO_SUCH_SEAT


def test_a_wrong_elimination_may_be_undone_unless_results_came_out_with_it():
    table = Table(2)
    table.shoot(table.red[0], table.blue[0], DECKS[0])
    out = Eliminate(table.blue[1])
    assert ENGINE.undoable(out, table.referee(out))
    last = Eliminate(table.red[1])
    assert not ENGINE.undoable(last, table.referee(last))  # the turn was complete: its results came out


def test_neither_a_shot_nor_the_end_nor_a_fleet_is_undone():
    table = Table(2, started=False)
    assert not ENGINE.undoable(RandomFleet(), table.do(table.red[0], RandomFleet()))
    table = Table(2)
    shot = Shoot(table.blue[0], DECKS[0])
    assert not ENGINE.undoable(shot, table.do(table.red[0], shot))
    assert not ENGINE.undoable(Leave(), table.do(table.red[0], Leave()))
    assert not ENGINE.undoable(EndMatch(), table.referee(EndMatch()))


@pytest.mark.parametrize("luck", range(12))
def test_what_may_be_undone_has_shown_no_result_no_hash_and_no_fleet(luck):
    """Random matches: before and after an undoable act, everybody knows the same of every board."""
    dice = random.Random(luck)
    options = SeaOptions(results_at_once=bool(luck % 2))
    state, _ = ENGINE.new((SeatInfo(),) * 6, options, f"undo {luck}")
    for seat in range(6):
        state, _ = ENGINE.apply(state, seat, RandomFleet())
        state, _ = ENGINE.apply(state, seat, ConfirmFleet())
    state, _ = ENGINE.apply(state, None, Start())
    undone = 0
    for _ in range(120):
        if state.phase is Phase.OVER:
            break
        seat = dice.choice([*range(len(state.players)), None])
        choices = [a for a in ENGINE.legal_actions(state, seat) if not isinstance(a, EndMatch | Leave)]
        # Of a hundred cells one is enough, so that orders come as often as shots.
        kinds = sorted({type(action).__name__ for action in choices})
        if not kinds:
            continue
        kind = dice.choice(kinds)
        action = dice.choice([a for a in choices if type(a).__name__ == kind])
        after, events = ENGINE.apply(state, seat, action)
        if ENGINE.undoable(action, events):
            undone += 1
            for looker in (None, *range(len(state.players))):
                old, new = ENGINE.view(state, looker), ENGINE.view(after, looker)
                assert (new.boards, new.hashes, new.salts) == (old.boards, old.hashes, old.salts)
            if dice.random() < 0.5:
                continue
        state = after
    assert undone
