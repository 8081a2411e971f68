"""Rules, «People» and «Delegation»: Admirals, successors, acting Admirals, delegated rights."""

import pytest

from engines.contract import SeatInfo
from engines.sea_battle import ENGINE
from engines.sea_battle.model import (
    AdmiralNamed,
    Appoint,
    Attach,
    ByWhom,
    Delegate,
    Delegated,
    Eliminate,
    Leave,
    NameActing,
    NameSuccessor,
    OutReason,
    PlayerOut,
    Reinstate,
    SeaOptions,
    Shoot,
    ShotFired,
    Team,
    TurnEnded,
    Withdraw,
    Withdrawn,
)
from engines.sea_battle.refusals import Refusal
from tests.engines.sea_table import Table


def admiral_sunk():
    """Blue's turn 2; its Admiral, blue[0], was just sunk."""
    table = Table(3)
    table.miss(table.red[1], table.red[2])
    table.kill(table.red[0], table.blue[0])
    return table


def test_an_admiral_who_is_sunk_names_a_successor():
    table = admiral_sunk()
    old, one, other = table.blue
    acting = table.only(AdmiralNamed)
    assert (acting.team, acting.acting, acting.by) == (Team.BLUE, True, ByWhom.RANK)
    assert table.view().successor_due == (Team.BLUE,)
    successor = other if acting.seat == one else one
    refused = table.refused(old, NameSuccessor(table.red[0]))
    assert refused.code == Refusal.NOT_TEAM_MATE
    assert refused.data == {"seat": table.red[0], "mates": tuple(sorted((one, other)))}
    assert table.refused(one, NameSuccessor(other)).code == Refusal.NO_SUCCESSION
    table.do(old, NameSuccessor(successor))
    assert table.events == (AdmiralNamed(Team.BLUE, successor, ByWhom.ADMIRAL),)
    assert table.player(successor).admiral
    assert table.view().successor_due == ()
    assert table.refused(old, NameSuccessor(one)).code == Refusal.NO_SUCCESSION


def test_at_the_next_hand_over_the_referee_appoints_the_successor_by_rank():
    infos = [SeatInfo(messages) for messages in range(6)]
    table = Table(3, infos=infos)
    table.miss(table.red[1], table.red[2])
    table.kill(table.red[0], table.blue[0])
    table.miss(table.blue[1])
    assert table.view().successor_due == (Team.BLUE,)
    table.miss(table.blue[2])
    assert table.all(AdmiralNamed) == [AdmiralNamed(Team.BLUE, max(table.blue[1:]), ByWhom.RANK)]
    assert table.view().successor_due == ()
    assert table.refused(table.blue[0], NameSuccessor(table.blue[1])).code == Refusal.NO_SUCCESSION


def test_until_then_the_one_he_named_to_act_leads():
    table = Table(3)
    table.do(table.blue[0], NameActing(table.blue[2]))
    table.miss(table.red[1], table.red[2])
    table.kill(table.red[0], table.blue[0])
    assert table.all(AdmiralNamed) == []
    assert table.player(table.blue[2]).acting


def test_an_admiral_who_slept_is_replaced_at_once():
    table = Table(3)
    table.miss(table.red[1], table.red[2])
    table.expire()
    assert PlayerOut(table.red[0], OutReason.SLEPT) in table.events
    named = table.only(AdmiralNamed)
    assert (named.by, named.acting) == (ByWhom.RANK, False)
    assert named.seat in table.red[1:]
    assert table.view().successor_due == ()
    assert table.refused(table.red[0], NameSuccessor(table.red[1])).code == Refusal.NO_SUCCESSION


def test_acting_admirals_are_named_and_taken_back_by_the_admiral():
    table = Table(3)
    admiral, one, other = table.red
    assert table.refused(one, NameActing(other)).code == Refusal.NOT_ADMIRAL
    assert table.refused(admiral, NameActing(admiral)).code == Refusal.ALREADY_ADMIRAL
    assert table.refused(admiral, NameActing(table.blue[0])).code == Refusal.NOT_TEAM_MATE
    table.do(admiral, NameActing(one))
    assert table.events == (AdmiralNamed(Team.RED, one, ByWhom.ADMIRAL, acting=True),)
    assert (table.player(admiral).admiral, table.player(one).acting) == (True, True)
    assert table.refused(one, NameActing(other)).code == Refusal.NOT_ADMIRAL
    table.do(admiral, NameActing(admiral))
    assert not table.player(one).acting


def test_when_the_acting_admiral_is_out_the_admiral_leads_again():
    table = Table(3)
    table.do(table.red[0], NameActing(table.red[1]))
    table.do(table.red[1], Leave())
    table.do(table.red[2], Delegate())
    assert table.only(Delegated).admiral == table.red[0]


def test_the_referee_appoints_an_admiral():
    table = Table(2)
    table.referee(Appoint(table.red[1]))
    assert table.events == (AdmiralNamed(Team.RED, table.red[1], ByWhom.REFEREE),)
    assert table.refused(None, Appoint(table.red[1])).code == Refusal.ALREADY_ADMIRAL
    assert table.refused(table.red[1], Appoint(table.red[0])).code == Refusal.REFEREE_ONLY
    table.do(table.red[0], Leave())
    assert table.refused(None, Appoint(table.red[0])).code == Refusal.NOT_IN_FIGHT


def test_an_admiral_whose_elimination_is_cancelled_before_the_hand_over_leads_again():
    table = Table(3)
    table.referee(Eliminate(table.red[0]))
    assert table.view().successor_due == (Team.RED,)
    table.referee(Reinstate(table.red[0]))
    assert table.view().successor_due == ()
    assert table.player(table.red[0]).admiral
    assert not any(player.acting for player in table.view().players)


def test_a_delegated_shot_is_made_by_the_admiral():
    table = Table(3)
    admiral, away, mate = table.red
    table.do(away, Delegate())
    assert table.events == (Delegated(away, admiral),)
    player = table.player(away)
    assert (player.delegated, player.duty, player.may_shoot) == (True, False, True)
    table.miss(mate, admiral)
    assert ENGINE.actors(table.state) == (admiral,)
    table.shoot(admiral, table.blue[1], 98, on_behalf=away)
    assert table.only(ShotFired) == ShotFired(away, admiral, table.blue[1], 98)
    assert table.state.turn == 2
    assert not table.player(away).delegated


def test_who_delegated_does_not_sleep_but_his_shot_is_lost():
    table = Table(3)
    admiral, away, mate = table.red
    table.do(away, Delegate())
    table.miss(mate, admiral)
    table.expire()
    assert table.all(PlayerOut) == []
    assert table.only(TurnEnded) == TurnEnded(1, Team.RED, expired=True, lost=(away,))
    assert not table.player(away).delegated
    table.miss(*table.blue)
    table.miss(mate, admiral)
    table.expire()
    assert table.all(PlayerOut) == [PlayerOut(away, OutReason.SLEPT)]


def test_ones_own_shot_withdraws_the_delegation():
    table = Table(2)
    table.do(table.red[1], Delegate())
    table.miss(table.red[1])
    assert table.kinds()[:2] == ["Withdrawn", "ShotFired"]
    assert table.refused(table.red[0], Shoot(table.blue[1], 98, table.red[1])).code == Refusal.NOT_DELEGATED


def test_a_delegation_is_taken_back_while_the_shot_is_not_made():
    table = Table(3)
    admiral, away, _ = table.red
    assert table.refused(away, Withdraw()).code == Refusal.NOT_DELEGATED
    table.do(away, Delegate())
    assert table.refused(away, Delegate()).data == {"admiral": admiral}
    table.do(away, Withdraw())
    assert table.events == (Withdrawn(away),)
    assert table.player(away).duty
    table.do(away, Delegate())
    table.shoot(admiral, table.blue[1], 98, on_behalf=away)
    assert table.refused(away, Withdraw()).code == Refusal.NOT_DELEGATED
    assert table.refused(away, Shoot(table.blue[1], 97)).code == Refusal.ALREADY_MOVED


def test_a_right_may_be_passed_in_the_enemys_turn_for_the_turn_to_come():
    table = Table(2)
    away = table.blue[1]
    table.do(away, Delegate())
    table.miss(*table.red)
    table.miss(table.blue[0])
    table.expire()
    assert table.only(TurnEnded).lost == (away,)


def test_a_delegation_made_ahead_outlasts_a_turn_without_a_right():
    table = Table(2)
    away = table.blue[1]
    table.do(away, Delegate())
    table.shoot(table.red[1], away, 0)
    table.miss(table.red[0])
    table.miss(table.blue[0])
    assert table.player(away).delegated


def test_a_standing_delegation_holds_until_withdrawn():
    table = Table(2, options=SeaOptions(standing_delegation=True))
    admiral, away = table.red
    table.do(away, Delegate())
    for cell in (98, 97):
        table.shoot(admiral, table.blue[1], cell, on_behalf=away)
        table.miss(admiral)
        table.miss(*table.blue)
    assert table.player(away).delegated
    table.do(away, Withdraw())
    assert table.player(away).duty


def test_only_who_commands_shoots_for_a_delegator_and_only_at_his_opponents():
    table = Table(3)
    admiral, away, mate = table.red
    table.do(away, Delegate())
    assert table.refused(mate, Shoot(table.blue[1], 98, away)).code == Refusal.NOT_ADMIRAL
    assert table.refused(table.blue[0], Shoot(table.blue[1], 98, away)).code == Refusal.NOT_DELEGATED
    assert table.refused(admiral, Shoot(table.blue[1], 98, mate)).code == Refusal.NOT_DELEGATED
    assert table.refused(admiral, Shoot(table.blue[1], 98, 42)).code == Refusal.NO_SUCH_SEAT
    assert table.refused(admiral, Shoot(table.blue[0], 98, away)).data == {
        "seat": away,
        "target": table.blue[0],
        "opponents": (table.blue[1],),
    }


def test_who_commands_cannot_delegate_to_himself_but_an_admiral_to_the_acting_one():
    table = Table(2)
    admiral, mate = table.red
    assert table.refused(admiral, Delegate()).code == Refusal.COMMANDER_DELEGATES
    table.do(admiral, NameActing(mate))
    assert table.refused(mate, Delegate()).code == Refusal.COMMANDER_DELEGATES
    table.do(admiral, Delegate())
    assert table.only(Delegated).admiral == mate
    table.shoot(mate, table.blue[0], 98, on_behalf=admiral)
    table.miss(mate)
    assert table.state.turn == 2


@pytest.mark.parametrize("standing", [False, True])
def test_a_delegator_who_comes_to_command_is_not_put_out_for_it_and_has_a_duty_from_the_next_turn(standing):
    table = Table(2, options=SeaOptions(standing_delegation=standing))
    admiral, away = table.red
    table.do(away, Delegate())
    table.do(admiral, Leave())
    assert table.player(away).acting
    table.expire()
    assert [event.seat for event in table.all(PlayerOut)] == []
    assert not table.player(away).delegated


def test_orders_already_given_stay_when_the_admiral_is_out():
    table = Table(4)
    table.do(table.blue[1], Leave())
    table.do(table.red[0], Attach(table.red[1], table.blue[2]))
    table.do(table.red[0], Leave())
    assert table.player(table.red[1]).attached_to == table.blue[2]
