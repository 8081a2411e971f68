"""Rules, «Board and fleet» and the draw."""

import pytest

from engines.contract import SeatInfo
from engines.sea_battle import ENGINE
from engines.sea_battle.fleet import commitment, problems
from engines.sea_battle.model import (
    AdmiralNamed,
    BecameFree,
    ByWhom,
    ConfirmFleet,
    DraftFleet,
    Drawn,
    Ended,
    FleetReady,
    FleetReopened,
    Leave,
    NameSuccessor,
    OutReason,
    Phase,
    RandomFleet,
    Revealed,
    SeaOptions,
    Ship,
    Shoot,
    Start,
    Started,
    Team,
    TurnBegan,
)
from engines.sea_battle.refusals import Refusal
from tests.engines.sea_table import FLEET, Table


@pytest.mark.parametrize(("people", "seats"), [(0, 0), (1, 0), (2, 2), (3, 2), (7, 6), (20, 20), (1000, 40)])
def test_the_last_of_an_odd_number_waits(people, seats):
    assert ENGINE.seats_for(people) == seats


@pytest.mark.parametrize("people", [0, 1, 3, 42])
def test_a_match_needs_an_even_number(people):
    with pytest.raises(ValueError, match="even number"):
        ENGINE.new([SeatInfo()] * people, SeaOptions(), "seed")


def test_teams_are_equal_and_every_red_has_a_blue_of_his_own():
    _, events = ENGINE.new([SeatInfo()] * 8, SeaOptions(), "seed")
    drawn = events[0]
    assert isinstance(drawn, Drawn)
    assert sorted(drawn.red + drawn.blue) == list(range(8))
    assert sorted(red for red, _ in drawn.pairs) == list(drawn.red)
    assert sorted(blue for _, blue in drawn.pairs) == list(drawn.blue)


def test_the_draw_is_by_lot():
    draws = [ENGINE.new([SeatInfo()] * 4, SeaOptions(), str(seed))[1][0] for seed in range(400)]
    first = sum(drawn.first is Team.RED for drawn in draws)
    with_the_first = [
        sum({0, mate} <= set(drawn.red) or {0, mate} <= set(drawn.blue) for drawn in draws) for mate in (1, 2, 3)
    ]
    assert 150 < first < 250
    assert all(90 < together < 180 for together in with_the_first)


def test_the_admiral_has_most_messages_then_most_matches():
    infos = [SeatInfo(5, 0), SeatInfo(5, 3), SeatInfo(5, 2), SeatInfo(4, 99), SeatInfo(9, 0), SeatInfo(5, 1)]
    for seed in range(20):
        _, (drawn, red, blue) = ENGINE.new(infos, SeaOptions(), str(seed))
        for named, team in ((red, drawn.red), (blue, drawn.blue)):
            assert named == AdmiralNamed(
                team=named.team,
                seat=max(team, key=lambda seat: (infos[seat].messages, infos[seat].matches)),
                by=ByWhom.RANK,
            )


def test_a_draft_with_faults_is_kept_but_not_confirmed():
    table = Table(1, started=False)
    table.do(0, DraftFleet((Ship(0, 4), Ship(11, 3), Ship(13, 3))))
    refused = table.refused(0, ConfirmFleet())
    assert refused.code == Refusal.FLEET_FAULTS
    assert set(refused.data["faults"]) == {fault.fault for fault in problems(table.state.players[0].ships)}
    assert {"touching", "overlapping", "missing"} <= set(refused.data["faults"])
    assert 13 in refused.data["cells"]
    assert table.view(0).boards[0].draft == (Ship(0, 4), Ship(11, 3), Ship(13, 3))


@pytest.mark.parametrize(
    "ship", [Ship(7, 4), Ship(70, 4, vertical=True), Ship(-1, 1), Ship(100, 1), Ship(0, 5), Ship(0, 0)]
)
def test_a_ship_off_the_board_is_no_draft(ship):
    refused = Table(1, started=False).refused(0, DraftFleet((ship,)))
    assert refused.code == Refusal.SHIP_OFF_BOARD
    assert refused.data == {"cell": ship.cell, "length": ship.length}


def test_more_ships_than_a_fleet_are_no_draft():
    assert Table(1, started=False).refused(0, DraftFleet((Ship(0, 1),) * 11)).code == Refusal.TOO_MANY_SHIPS


def test_a_random_fleet_is_legal_and_needs_a_confirmation():
    table = Table(1, started=False)
    table.do(0, RandomFleet())
    assert problems(table.state.players[0].ships) == ()
    assert not table.player(0).fleet_ready
    table.do(0, ConfirmFleet())
    assert table.events == (FleetReady(0, ByWhom.PLAYER),)


def test_a_mix_keeps_what_was_placed_by_hand():
    table = Table(1, started=False)
    mine = (Ship(0, 4), Ship(99, 1))
    table.do(0, DraftFleet(mine))
    table.do(0, RandomFleet(keep=True))
    ships = table.state.players[0].ships
    assert set(mine) <= set(ships)
    assert problems(ships) == ()


def test_a_draft_that_no_fleet_contains_cannot_be_filled_up():
    table = Table(1, started=False)
    table.do(0, DraftFleet((Ship(0, 4), Ship(14, 4))))
    assert table.refused(0, RandomFleet(keep=True)).code == Refusal.CANNOT_COMPLETE


def test_a_confirmed_fleet_may_be_changed_until_start():
    table = Table(1, started=False)
    table.place(0)
    assert table.refused(0, ConfirmFleet()).code == Refusal.ALREADY_CONFIRMED
    table.do(0, RandomFleet())
    assert table.all(FleetReopened) == [FleetReopened(0)]
    table.place(1)
    assert table.refused(None, Start()).data == {"seats": (0,)}
    table.place(0)
    table.referee(Start())
    assert table.refused(0, RandomFleet()).code == Refusal.FLEETS_FIXED
    assert table.refused(0, DraftFleet(FLEET)).code == Refusal.FLEETS_FIXED
    assert table.refused(0, ConfirmFleet()).code == Refusal.FLEETS_FIXED


def test_start_is_refused_while_a_fleet_is_missing():
    table = Table(2, started=False)
    table.place(2)
    refused = table.refused(None, Start())
    assert refused.code == Refusal.FLEET_MISSING
    assert refused.data == {"seats": (0, 1, 3)}
    assert ENGINE.actors(table.state) == (0, 1, 3)
    assert table.refused(2, Start()).code == Refusal.REFEREE_ONLY


def test_start_publishes_hashes_and_the_end_shows_what_they_seal():
    table = Table(1)
    hashes = table.only(Started).hashes
    assert len(set(hashes)) == 2  # equal fleets, different salts
    assert table.view().hashes == hashes
    assert table.view().salts == ()
    table.do(table.red[0], Leave())
    shown = table.only(Revealed)
    assert tuple(map(commitment, shown.fleets, shown.salts)) == hashes
    assert table.view().salts == shown.salts


def test_there_is_one_start():
    assert Table(1).refused(None, Start()).code == Refusal.ALREADY_STARTED


def test_nobody_shoots_before_start():
    table = Table(1, started=False)
    assert table.refused(table.red[0], Shoot(table.blue[0], 0)).code == Refusal.NOT_STARTED


def test_when_the_time_to_place_is_over_the_referee_places_what_is_missing_and_starts():
    table = Table(2, started=False)
    table.place(3)
    table.do(0, DraftFleet((Ship(0, 4),)))
    assert ENGINE.timer(table.state).key == "placing"
    table.expire()
    assert table.all(FleetReady) == [FleetReady(seat, ByWhom.REFEREE) for seat in (0, 1, 2)]
    assert all(problems(player.ships) == () for player in table.state.players)
    assert table.state.players[3].ships == FLEET
    assert table.kinds()[-2:] == ["Started", "TurnBegan"]
    assert table.only(TurnBegan).duty == tuple(sorted(table.red))


def test_who_leaves_before_start_leaves_his_opponent_free():
    table = Table(2, started=False)
    gone, other = table.red[1], table.blue[1]
    table.do(gone, Leave())
    assert BecameFree(other) in table.events
    for seat in (table.red[0], *table.blue):
        table.place(seat)
    table.referee(Start())
    assert table.only(Started).hashes[gone] == ""
    assert table.player(other).opponents == (table.red[0],)  # one enemy is left


def test_a_match_whose_team_is_gone_before_start_has_no_result():
    table = Table(1, started=False)
    table.do(0, Leave())
    assert table.only(Ended) == Ended(None, OutReason.LEFT)
    assert table.all(Revealed) == []
    assert table.state.phase is Phase.OVER
    assert ENGINE.outcome(table.state).winners == ()


def test_an_admiral_who_leaves_before_start_may_name_his_successor_until_start():
    infos = [SeatInfo(messages) for messages in (1, 2, 3, 4, 5, 6, 7, 8)]
    named, silent = (Table(4, infos=infos, started=False) for _ in range(2))
    for table in (named, silent):
        admiral = table.state.command(Team.RED).admiral
        table.do(admiral, Leave())
        mates = sorted(set(table.red) - {admiral})
        if table is named:
            table.do(admiral, NameSuccessor(mates[0]))
        table.expire()
        assert table.state.command(Team.RED).admiral == (mates[0] if table is named else mates[-1])


def test_who_only_forgot_to_confirm_a_faultless_fleet_keeps_it():
    table = Table(2, started=False)
    table.do(0, DraftFleet(FLEET))
    table.do(1, DraftFleet(FLEET[1:]))
    table.expire()
    assert table.state.phase is Phase.PLAYING
    assert ENGINE.view(table.state, 0).boards[0].fleet == FLEET
    assert ENGINE.view(table.state, 1).boards[1].fleet != FLEET
    by = {event.seat: event.by for event in table.all(FleetReady)}
    assert by == {0: ByWhom.PLAYER, 1: ByWhom.REFEREE, 2: ByWhom.REFEREE, 3: ByWhom.REFEREE}
