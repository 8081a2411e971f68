"""Rules, «Turns»: free players, the Admiral's orders to them, and turns that wait for an order."""

import pytest

from engines.contract import NotYourTurn
from engines.sea_battle import ENGINE
from engines.sea_battle.model import (
    Attach,
    Attached,
    BecameFree,
    ByWhom,
    Eliminate,
    Leave,
    NameActing,
    OutReason,
    PlayerOut,
    SeaOptions,
    Shoot,
    TurnBegan,
    TurnEnded,
)
from engines.sea_battle.refusals import Refusal
from tests.engines.sea_table import DECKS, WATER, Table


def with_a_free_red(pairs=3, free=1, options=None):
    """Red's turn 3; `red[free]` has sunk his opponent and is free and unattached."""
    table = Table(pairs, options=options)
    table.kill(table.red[free], table.blue[free])
    table.miss(*(seat for seat in table.red if seat != table.red[free]))
    table.fallen = table.events
    table.miss(*(seat for seat in table.blue if seat != table.blue[free]))
    assert table.state.turn == 3
    return table


def test_who_sinks_his_opponent_is_free_and_has_no_duty():
    table = with_a_free_red()
    gun = table.red[1]
    assert table.fallen[-3:-1] == (PlayerOut(table.blue[1], OutReason.SUNK), BecameFree(gun))
    player = table.player(gun)
    assert (player.free, player.attached_to, player.opponents, player.duty) == (True, None, (), False)
    assert gun not in table.only(TurnBegan).duty
    refused = table.refused(gun, Shoot(table.blue[0], 50))
    assert isinstance(refused, NotYourTurn)
    assert refused.code == Refusal.AWAITS_ORDER
    assert refused.data == {"seat": gun, "admiral": table.red[0]}


def test_an_order_counts_in_the_same_turn():
    table = with_a_free_red()
    (admiral, gun, mate), target = table.red, table.blue[2]
    table.do(admiral, Attach(gun, target))
    assert table.events == (Attached(gun, target, ByWhom.ADMIRAL),)
    assert table.player(gun).duty
    assert table.player(target).opponents == tuple(sorted((gun, mate)))
    table.miss(admiral, mate)
    assert ENGINE.actors(table.state) == (gun,)
    table.shoot(gun, target, 98)
    assert table.only(TurnEnded).turn == 3


def test_the_attacked_may_answer_any_of_his_attackers():
    table = with_a_free_red()
    (admiral, gun, mate), target = table.red, table.blue[2]
    table.do(admiral, Attach(gun, target))
    table.miss(admiral, gun, mate)
    table.shoot(target, gun, WATER[0])
    table.miss(table.blue[0])
    assert table.view().boards[gun].shots[-1].shooter == target


def test_a_free_player_is_hit_on_his_old_board_and_loses_his_answer():
    table = with_a_free_red()
    (admiral, gun, mate), target = table.red, table.blue[2]
    table.do(admiral, Attach(gun, target))
    table.miss(admiral, gun, mate)
    table.shoot(target, gun, DECKS[0])
    table.miss(table.blue[0])
    assert table.only(TurnBegan).barred == (gun,)


def test_orders_are_the_admirals():
    table = with_a_free_red()
    admiral, gun, mate = table.red
    refused = table.refused(mate, Attach(gun, table.blue[0]))
    assert refused.code == Refusal.NOT_ADMIRAL
    assert refused.data == {"admiral": admiral}
    assert table.refused(gun, Attach(gun, table.blue[0])).code == Refusal.NOT_ADMIRAL
    assert table.refused(table.blue[0], Attach(gun, table.blue[0])).code == Refusal.NOT_TEAM_MATE


def test_orders_are_for_free_players_against_living_enemies():
    table = with_a_free_red()
    admiral, gun, mate = table.red
    assert table.refused(admiral, Attach(mate, table.blue[0])).code == Refusal.NOT_FREE
    for target in (table.blue[1], mate, 99):
        refused = table.refused(admiral, Attach(gun, target))
        assert refused.code == Refusal.NOT_LIVING_ENEMY
        assert refused.data["enemies"] == tuple(sorted((table.blue[0], table.blue[2])))


def test_the_acting_admiral_gives_orders_as_well():
    table = with_a_free_red()
    admiral, gun, mate = table.red
    table.do(admiral, NameActing(mate))
    table.do(mate, Attach(gun, table.blue[0]))
    assert table.player(gun).attached_to == table.blue[0]


def test_an_order_may_be_given_in_the_enemys_turn():
    table = with_a_free_red()
    admiral, gun, mate = table.red
    table.miss(mate, admiral)
    assert table.state.turn == 4
    table.do(admiral, Attach(gun, table.blue[0]))
    table.miss(table.blue[0], table.blue[2])
    assert gun in table.only(TurnBegan).duty


def test_the_admiral_may_move_a_gun_until_it_has_shot():
    table = with_a_free_red()
    admiral, gun, _ = table.red
    table.do(admiral, Attach(gun, table.blue[0]))
    assert table.refused(admiral, Attach(gun, table.blue[0])).code == Refusal.ALREADY_ATTACHED
    table.do(admiral, Attach(gun, table.blue[2]))
    assert gun not in table.player(table.blue[0]).opponents
    table.shoot(gun, table.blue[2], 98)
    assert table.refused(admiral, Attach(gun, table.blue[0])).code == Refusal.ALREADY_MOVED


def test_a_turn_is_not_closed_before_the_admiral_has_shot_while_somebody_waits_for_his_order():
    """Ruling 17, the Admiral having no duty himself: he is the free player."""
    table = with_a_free_red(free=0)
    admiral, one, other = table.red
    table.miss(one, other)
    assert table.state.turn == 3
    assert ENGINE.actors(table.state) == (admiral,)
    table.do(admiral, Attach(admiral, table.blue[1]))
    table.shoot(admiral, table.blue[1], 98)
    assert table.state.turn == 4


def test_a_turn_is_closed_when_the_admiral_has_shot_and_others_are_left_without_an_order():
    table = with_a_free_red()
    admiral, gun, mate = table.red
    table.miss(mate)
    table.miss(admiral)
    assert table.state.turn == 4
    assert table.player(gun).attached_to is None


def test_a_gun_is_free_again_when_its_target_falls():
    table = with_a_free_red(pairs=4)
    (admiral, gun, mate, other), target = table.red, table.blue[2]
    table.do(admiral, Attach(gun, target))
    table.miss(admiral, mate, other)
    table.kill(gun, target)
    assert set(table.all(BecameFree)) == {BecameFree(gun), BecameFree(mate)}
    assert table.player(gun).attached_to is None


def test_against_the_last_enemy_free_players_are_attached_by_themselves():
    table = with_a_free_red()
    admiral, gun, mate = table.red
    table.miss(admiral)
    table.kill(mate, table.blue[2])
    last = table.blue[0]
    assert set(table.all(Attached)) == {Attached(seat, last, ByWhom.ONLY_ONE) for seat in (gun, mate)}


def test_an_attacked_free_player_may_answer_without_an_order_and_need_not():
    """Ruling 22: he gains an opponent; unattached he has no duty and cannot sleep."""
    table = Table(4)
    red, blue = table.red, table.blue
    table.kill(red[1], blue[1])
    table.miss(red[0], red[2], red[3])
    table.wound(red[2])
    table.shoot(blue[2], red[2], 66)
    table.miss(blue[0], blue[3])
    assert table.player(blue[2]).free
    table.do(red[0], Attach(red[1], blue[2]))
    table.miss(red[0], red[1], red[3])
    free = table.player(blue[2])
    assert (free.attached_to, free.opponents, free.may_shoot, free.duty) == (None, (red[1],), True, False)
    assert blue[2] in ENGINE.actors(table.state)
    table.miss(blue[0], blue[3])
    assert table.state.turn == 4
    table.expire()
    assert table.all(PlayerOut) == []
    assert table.state.turn == 5


def only_unattached():
    """Red's turn 3; both Red are free players without an order, two Blue live."""
    table = Table(4)
    red, blue = table.red, table.blue
    table.kill(red[0], blue[0])
    table.kill(red[1], blue[1])
    table.miss(red[2], red[3])
    table.wound(red[2])
    table.wound(red[3])
    table.shoot(blue[2], red[2], 66)
    table.shoot(blue[3], red[3], 66)
    assert table.state.turn == 3
    return table


def test_a_team_of_unattached_free_players_gets_its_time():
    table = only_unattached()
    assert table.only(TurnBegan).duty == ()
    assert ENGINE.actors(table.state) == (table.red[0],)
    table.do(table.red[0], Attach(table.red[1], table.blue[2]))
    table.do(table.red[0], Attach(table.red[0], table.blue[3]))
    table.shoot(table.red[1], table.blue[2], 98)
    table.shoot(table.red[0], table.blue[3], 98)
    assert table.state.turn == 4


def test_after_a_whole_turn_time_without_an_order_they_are_attached_by_lot():
    table = only_unattached()
    table.expire()
    attached = table.all(Attached)
    assert [event.gun for event in attached] == sorted(table.red[:2])
    assert {event.by for event in attached} == {ByWhom.LOT}
    assert {event.target for event in attached} <= set(table.blue[2:])
    assert table.all(PlayerOut) == []
    assert table.state.turn == 4


def test_a_barred_team_with_an_unattached_free_player_passes():
    """Ruling 15: hit, or an unattached free player: nobody can shoot, and no time is spent."""
    table = with_a_free_red(pairs=3)
    (admiral, _, mate), blue = table.red, table.blue
    table.miss(admiral, mate)
    table.shoot(blue[0], admiral, DECKS[0])
    table.shoot(blue[2], mate, DECKS[0])
    assert table.state.turn == 6
    assert table.only(TurnBegan).duty == tuple(sorted((blue[0], blue[2])))


@pytest.mark.parametrize("duty", [True, False])
def test_an_attached_player_sleeps_only_if_the_match_gives_him_a_duty(duty):
    table = with_a_free_red(options=SeaOptions(attached_duty=duty))
    admiral, gun, mate = table.red
    table.do(admiral, Attach(gun, table.blue[0]))
    table.miss(admiral, mate)
    assert table.state.turn == 3
    assert table.player(gun).may_shoot
    assert table.player(gun).duty is duty
    table.expire()
    assert table.all(PlayerOut) == ([PlayerOut(gun, OutReason.SLEPT)] if duty else [])


def test_the_opponent_of_who_left_or_was_put_out_is_free():
    table = Table(3)
    table.do(table.blue[1], Leave())
    assert BecameFree(table.red[1]) in table.events
    table.referee(Eliminate(table.red[2]))
    assert BecameFree(table.blue[2]) in table.events
