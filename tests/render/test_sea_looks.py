from __future__ import annotations

from engines.sea_battle.model import BoardView, Result, SeenShot, Ship
from render.sea_looks import Aim, Ground, Hull, Joins, Mark, Placing, around, last_turn, looks


def shot(cell: int, result: Result | None, turn: int = 1) -> SeenShot:
    return SeenShot(turn=turn, shooter=0, cell=cell, result=result)


def test_results_become_marks_and_an_open_shot_waits() -> None:
    board = BoardView(seat=0, shots=(shot(0, Result.MISS), shot(5, Result.HIT), shot(9, None)))
    cells = looks(board)
    assert [cells[cell].mark for cell in (0, 5, 9, 1)] == [Mark.MISS, Mark.HIT, Mark.WAITING, None]


def test_every_deck_of_a_sunk_ship_is_marked_and_the_water_around_is_known() -> None:
    ship = Ship(cell=22, length=2, vertical=True)
    cells = looks(BoardView(seat=0, shots=(shot(22, Result.HIT), shot(32, Result.SUNK)), sunk=(ship,)))
    assert [cells[cell].mark for cell in (22, 32)] == [Mark.SUNK, Mark.SUNK]
    assert [cells[cell].joins for cell in (22, 32)] == [Joins.DOWN, Joins.UP]
    assert {cell for cell in range(100) if cells[cell].ground is Ground.KNOWN} == around(ship.cells())


def test_known_water_does_not_go_round_the_edge() -> None:
    assert around([9]) == {8, 9, 18, 19}
    assert around([90]) == {80, 81, 90, 91}


def test_without_a_fleet_no_hull_is_afloat() -> None:
    board = BoardView(
        seat=0, shots=(shot(0, Result.HIT),), fleet=(Ship(cell=0, length=4),), draft=(Ship(cell=50, length=1),)
    )
    assert all(look.hull is None for look in looks(board))


def test_ones_own_ship_is_sunk_once_its_last_deck_is_hit() -> None:
    fleet = (Ship(cell=0, length=2),)
    half = looks(BoardView(seat=0, shots=(shot(0, Result.HIT),)), fleet=fleet)
    whole = looks(BoardView(seat=0, shots=(shot(0, Result.HIT), shot(1, Result.SUNK))), fleet=fleet)
    assert (half[0].hull, half[0].mark) == (Hull.AFLOAT, Mark.HIT)
    assert (whole[0].hull, whole[0].mark) == (Hull.SUNK, Mark.SUNK)


def test_a_hit_whose_result_is_not_out_sinks_nothing() -> None:
    cells = looks(BoardView(seat=0, shots=(shot(0, None),)), fleet=(Ship(cell=0, length=1),))
    assert (cells[0].hull, cells[0].mark) == (Hull.AFLOAT, Mark.WAITING)


def test_the_last_turn_is_that_of_the_latest_known_results() -> None:
    boards = (
        BoardView(seat=0, shots=(shot(0, Result.MISS, 3), shot(1, None, 9))),
        BoardView(seat=1, shots=(shot(0, Result.MISS, 5),)),
    )
    assert last_turn(boards) == 5
    assert last_turn(()) == 0


def test_only_the_last_turns_shots_are_framed() -> None:
    board = BoardView(seat=0, shots=(shot(0, Result.MISS, 3), shot(1, Result.MISS, 5), shot(2, None, 5)))
    assert [cell for cell, look in enumerate(looks(board, latest=5)) if look.framed] == [1]
    assert not any(look.framed for look in looks(board, latest=0))


def test_who_is_out_has_a_grey_sea() -> None:
    assert {look.ground for look in looks(BoardView(seat=0), out=True)} == {Ground.OUT}


def test_an_aim_is_a_band_until_the_cell_is_chosen() -> None:
    column = looks(BoardView(seat=0), aim=Aim(column=2))
    assert [cell for cell, look in enumerate(column) if look.ground is Ground.BAND] == list(range(2, 100, 10))
    assert not any(look.framed for look in column)
    both = looks(BoardView(seat=0), aim=Aim(column=2, row=7))
    assert [cell for cell, look in enumerate(both) if look.framed] == [72]


def test_ships_against_the_rules_are_faulty_with_all_their_decks() -> None:
    draft = (Ship(cell=0, length=2), Ship(cell=50, length=3))
    cells = looks(BoardView(seat=0), fleet=draft, placing=Placing(faulty=frozenset({0, 11})))
    assert [cells[cell].hull for cell in (0, 1, 50, 11)] == [Hull.FAULTY, Hull.FAULTY, Hull.AFLOAT, None]
    assert [cells[cell].mark for cell in (0, 1, 11)] == [Mark.FAULT, None, Mark.FAULT]


def test_a_ship_that_sticks_out_is_cut_at_the_edge() -> None:
    cells = looks(BoardView(seat=0), fleet=(Ship(cell=8, length=4),), placing=Placing())
    assert [cell for cell, look in enumerate(cells) if look.hull] == [8, 9]


def test_a_real_ship_lies_over_the_ghost() -> None:
    cells = looks(BoardView(seat=0), fleet=(Ship(cell=0, length=1),), placing=Placing(ghost=Ship(cell=0, length=2)))
    assert [cells[cell].hull for cell in (0, 1)] == [Hull.AFLOAT, Hull.GHOST]
    assert cells[0].joins is Joins.NONE
