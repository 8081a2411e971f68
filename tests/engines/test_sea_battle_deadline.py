"""Rules, «Time»: what happens when the clock runs out."""

from engines.sea_battle import ENGINE
from engines.sea_battle.model import (
    BecameFree,
    Delegate,
    Ended,
    Leave,
    OutReason,
    Phase,
    PlayerOut,
    SeaOptions,
    Team,
    TurnBegan,
    TurnEnded,
)
from tests.engines.sea_table import DECKS, LAST_DECK, Table


def test_all_who_neither_shot_nor_delegated_are_out_together():
    table = Table(4)
    red, blue = table.red, table.blue
    table.miss(red[0])
    table.do(red[1], Delegate())
    table.expire()
    slept = sorted(red[2:])
    assert table.all(PlayerOut) == [PlayerOut(seat, OutReason.SLEPT) for seat in slept]
    assert set(table.all(BecameFree)) == {BecameFree(blue[2]), BecameFree(blue[3])}
    assert table.only(TurnEnded) == TurnEnded(1, Team.RED, expired=True, lost=(red[1],))
    assert table.kinds()[-2:] == ["ShotResolved", "TurnBegan"]
    assert table.only(TurnBegan).duty == tuple(sorted(blue[:2]))


def test_the_shots_of_the_others_count():
    table = Table(2)
    table.kill(table.red[0], table.blue[0])
    table.expire()
    assert PlayerOut(table.red[1], OutReason.SLEPT) in table.events
    assert PlayerOut(table.blue[0], OutReason.SUNK) in table.events
    assert {player.seat for player in table.view().players if player.alive} == {table.red[0], table.blue[1]}
    assert table.player(table.red[0]).attached_to == table.blue[1]
    assert table.player(table.blue[1]).attached_to == table.red[0]
    assert table.only(TurnBegan).duty == (table.blue[1],)


def test_a_whole_team_that_sleeps_loses():
    table = Table(2)
    table.expire()
    assert table.only(Ended) == Ended(Team.BLUE, "slept")
    assert ENGINE.outcome(table.state).winners == tuple(sorted(table.blue))


def test_a_team_that_sleeps_after_its_only_shooter_left_has_lost_though_his_shot_would_have_won():
    table = Table(2)
    table.do(table.blue[1], Leave())
    table.kill(table.red[0], table.blue[0])
    table.do(table.red[0], Leave())
    table.expire()
    assert table.only(Ended) == Ended(Team.BLUE, "slept")
    assert table.player(table.blue[0]).alive


def test_who_was_hit_has_no_duty_and_does_not_sleep():
    table = Table(2)
    table.shoot(table.red[0], table.blue[0], DECKS[0])
    table.miss(table.red[1])
    table.expire()
    assert table.all(PlayerOut) == [PlayerOut(table.blue[1], OutReason.SLEPT)]


def test_nobody_who_has_shot_is_out_and_the_next_turn_has_a_clock_of_its_own():
    table = Table(3)
    keys = [ENGINE.timer(table.state).key]
    table.miss(table.red[0])
    table.expire()
    keys.append(ENGINE.timer(table.state).key)
    assert keys == ["turn-1", "turn-2"]
    assert table.player(table.red[0]).alive


def test_results_at_once_leave_nothing_to_resolve_at_the_deadline():
    table = Table(2, options=SeaOptions(results_at_once=True))
    table.kill(table.red[0], table.blue[0])
    table.expire()
    assert table.kinds()[:2] == ["TurnEnded", "PlayerOut"]
    assert "ShotResolved" not in table.kinds()
    assert table.state.phase is Phase.PLAYING
    assert LAST_DECK in {shot.cell for shot in table.view().boards[table.blue[0]].shots}
