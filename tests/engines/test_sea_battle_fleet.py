"""Rules, «Board and fleet» and «Numbers to hold»."""

import hashlib
import json
from collections import Counter
from itertools import combinations
from math import fsum
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engines.chance import Dice
from engines.sea_battle import fleet as fleets
from engines.sea_battle.census import BORDER_DECKS, TOTAL, covering, on_border, probability, sample
from engines.sea_battle.fleet import (
    Fault,
    Problem,
    around,
    arranged,
    cells_of,
    commitment,
    commitment_text,
    count_fleets,
    mask_of,
    placements,
    problems,
    random_fleet,
    ship_halo,
    within,
)
from engines.sea_battle.fleet_text import FleetTextError, TextFault, parse_fleet, print_fleet
from engines.sea_battle.model import CELLS, FLEET_LENGTHS, SIZE, Columns, Fleet, Ship

DATA = Path(__file__).parents[1] / "data"

LEGAL: Fleet = parse_fleet("А1-А4, В1-В3, Д1-Д3, Ж1-Ж2, И1-И2, А6-А7, В5, Д5, Ж5, К10")


def faults(ships: Fleet) -> list[Fault]:
    return [problem.fault for problem in problems(ships)]


# --- Counts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "height", "lengths", "count"),
    [
        (5, 5, (3, 2, 1, 1), 8_712),
        (5, 6, (4, 2, 2, 1, 1), 21_742),
        (6, 5, (1, 2, 4, 1, 2), 21_742),
        (6, 6, (4, 3, 2, 2, 1, 1, 1), 53_600),
        (2, 2, (1,), 4),
        (2, 2, (2,), 4),
        (2, 2, (1, 1), 0),
        (3, 3, (), 1),
        (3, 3, (4,), 0),
    ],
)
def test_fleets_on_small_boards_are_as_many_as_the_rules_say(
    width: int, height: int, lengths: tuple[int, ...], count: int
) -> None:
    assert count_fleets(width, height, lengths) == count


def test_the_census_is_the_published_one() -> None:
    published = json.loads((DATA / "sea_marginals.json").read_text(encoding="utf-8"))
    assert published["total"] == TOTAL
    assert [[covering(SIZE * row + column) for column in range(SIZE)] for row in range(SIZE)] == published[
        "occupied_count"
    ]
    assert sum(covering(cell) for cell in range(CELLS)) == sum(FLEET_LENGTHS) * TOTAL
    assert pytest.approx(8.791334351381739) == BORDER_DECKS


@pytest.mark.parametrize(("length", "count"), [(1, 100), (2, 180), (3, 160), (4, 140)])
def test_every_place_of_a_ship_is_listed_once(length: int, count: int) -> None:
    places = placements(length)
    assert len({place.mask for place in places}) == len(places) == count
    for place in places:
        ship = Ship(place.cell, length, place.vertical)
        assert within(ship)
        assert mask_of(ship.cells()) == place.mask
        assert ship_halo(ship) == place.halo


# --- Chance ---------------------------------------------------------------------------------------


def test_random_fleets_are_uniform() -> None:
    dice = Dice("uniform")
    drawn = [random_fleet(dice) for _ in range(2_000)]
    assert all(problems(fleet) == () for fleet in drawn)
    found = sample(drawn)
    assert abs(found.border - 8.791) < 0.25
    assert abs(found.z(found.worst)) < 4.5
    assert 0.6 < found.spread < 1.5
    assert found.uniform


def test_ships_drawn_one_after_another_would_be_found_out() -> None:
    dice = Dice("biased")

    def biased() -> Fleet:
        while True:
            ships: list[Ship] = []
            blocked = 0
            for length in FLEET_LENGTHS:
                free = [place for place in placements(length) if not place.mask & blocked]
                if not free:
                    break
                place = dice.one_of(free)
                blocked |= place.halo
                ships.append(Ship(place.cell, length, place.vertical))
            else:
                return tuple(ships)

    assert not sample([biased() for _ in range(600)]).uniform


def test_the_same_dice_give_the_same_fleet() -> None:
    assert random_fleet(Dice("7")) == random_fleet(Dice("7"))
    assert random_fleet(Dice("7")) != random_fleet(Dice("8"))


@given(st.integers(0, 2**32), st.sets(st.integers(0, 9), max_size=10))
@settings(max_examples=60, deadline=None)
def test_a_draft_out_of_a_fleet_is_completed_around_its_ships(seed: int, kept: set[int]) -> None:
    dice = Dice(str(seed))
    whole = random_fleet(dice)
    keep = tuple(whole[index] for index in sorted(kept))
    completed = random_fleet(dice, keep)
    assert problems(completed) == ()
    assert set(keep) <= set(completed)
    assert completed == arranged(completed)


ALL_BUT_TWO = parse_fleet("А1-А4, В1-В3, Д1-Д3, Ж1-Ж2, И1-И2, А6-А7, А10, К9")


@pytest.mark.parametrize("patience", [0, 20_000])
def test_completions_are_equally_likely_by_drawing_and_by_listing(
    monkeypatch: pytest.MonkeyPatch, patience: int
) -> None:
    monkeypatch.setattr(fleets, "_PATIENCE", patience)
    wall = parse_fleet("В5, К5")
    keep = (*(ship for ship in ALL_BUT_TWO if ship.length > 1), *wall)
    blocked = 0
    for ship in keep:
        blocked |= ship_halo(ship)
    room = [cell for cell in range(CELLS) if not blocked >> cell & 1]
    every = {
        frozenset((one, other))
        for one, other in combinations(room, 2)
        if max(abs(one // SIZE - other // SIZE), abs(one % SIZE - other % SIZE)) > 1
    }
    dice = Dice("completions")
    count = 3 * len(every)
    drawn = Counter(
        frozenset(ship.cell for ship in random_fleet(dice, keep) if ship.length == 1 and ship not in wall)
        for _ in range(count)
    )
    assert drawn.keys() <= every
    chi = fsum((drawn[pair] - 3) ** 2 / 3 for pair in every)
    assert abs(chi - len(every)) < 5 * (2 * len(every)) ** 0.5


def test_a_whole_fleet_is_kept_as_it_is() -> None:
    assert random_fleet(Dice("1"), tuple(reversed(LEGAL))) == LEGAL


@pytest.mark.parametrize(
    "keep",
    [
        (Ship(0, 4), Ship(20, 4)),
        (Ship(8, 4),),
        (Ship(0, 2), Ship(2, 1)),
        (Ship(0, 5),),
        (Ship(0, 0),),
        (Ship(-1, 1),),
    ],
)
def test_a_faulty_draft_cannot_be_completed(keep: Fleet) -> None:
    with pytest.raises(ValueError, match="no part of a fleet"):
        random_fleet(Dice("1"), keep)


@pytest.mark.parametrize("patience", [0, 20_000])
def test_a_draft_that_leaves_no_room_is_refused_and_does_not_go_on_for_ever(
    monkeypatch: pytest.MonkeyPatch, patience: int
) -> None:
    monkeypatch.setattr(fleets, "_PATIENCE", patience)
    no_four_in_line_left = parse_fleet("Ж2-Ж4, Ж8-Ж10, Г3-Г4, Б4-Б5, Г6-Д6, Б2, К5, Б9, И10")
    assert problems(no_four_in_line_left) == (Problem(Fault.MISSING, (), 4, 1),)
    with pytest.raises(ValueError, match="no room"):
        random_fleet(Dice("1"), no_four_in_line_left)


# --- Faults ---------------------------------------------------------------------------------------


def test_a_legal_fleet_has_no_faults() -> None:
    assert problems(LEGAL) == ()


def test_every_fault_is_named() -> None:
    ships = (Ship(8, 4), Ship(20, 3), Ship(31, 3), Ship(50, 2), Ship(50, 1), Ship(70, 1), Ship(90, 5))
    assert faults(ships) == [
        Fault.NO_SUCH_SHIP,  # five decks
        Fault.MISSING,  # two-deckers
        Fault.MISSING,  # single-deckers
        Fault.OFF_BOARD,  # the four-decker goes round the edge
        Fault.TOUCHING,  # the three-deckers, side by side
        Fault.OVERLAPPING,
    ]


def test_numbers_are_counted() -> None:
    assert Problem(Fault.MISSING, (), 1, 4) in problems(())
    assert Problem(Fault.MISSING, (), 4, 1) in problems(())
    two_long = (Ship(0, 4), Ship(40, 4))
    assert Problem(Fault.TOO_MANY, two_long, 4, 1) in problems(two_long)


@pytest.mark.parametrize(
    "ship", [Ship(97, 4), Ship(99, 2, vertical=True), Ship(-1, 1), Ship(100, 1), Ship(-5, 3, True)]
)
def test_a_ship_beyond_the_edge_is_found(ship: Ship) -> None:
    assert Problem(Fault.OFF_BOARD, (ship,)) in problems((ship,))


def test_corners_touch_and_one_cell_between_is_enough() -> None:
    assert Fault.TOUCHING in faults((Ship(0, 1), Ship(11, 1)))
    assert Fault.TOUCHING not in faults((Ship(0, 1), Ship(2, 1)))
    # К1 and А2 follow each other in number and are far apart.
    assert Fault.TOUCHING not in faults((Ship(9, 1), Ship(10, 1)))


SHIPS = st.builds(Ship, st.integers(-20, 120), st.integers(0, 5), st.booleans())


@given(st.lists(SHIPS, max_size=14).map(tuple))
@settings(max_examples=300, deadline=None)
def test_faults_are_what_a_plain_look_at_the_cells_finds(ships: Fleet) -> None:
    def cells(ship: Ship) -> set[tuple[int, int]]:
        row, column = divmod(ship.cell, SIZE)
        return {(row + i, column) if ship.vertical else (row, column + i) for i in range(ship.length)}

    def on_board(ship: Ship) -> bool:
        return ship.length > 0 and all(0 <= line < SIZE for cell in cells(ship) for line in cell)

    right_numbers = sorted(ship.length for ship in ships) == sorted(FLEET_LENGTHS)
    all_on_board = all(on_board(ship) for ship in ships)
    apart = all(
        max(abs(a - c), abs(b - d)) > 1
        for one, other in combinations([ship for ship in ships if on_board(ship)], 2)
        for a, b in cells(one)
        for c, d in cells(other)
    )
    found = set(faults(ships))
    numbers = {Fault.MISSING, Fault.TOO_MANY, Fault.NO_SUCH_SHIP}
    assert bool(found & numbers) == (not right_numbers)
    assert (Fault.OFF_BOARD in found) == any(ship.length > 0 and not on_board(ship) for ship in ships)
    assert bool(found & {Fault.TOUCHING, Fault.OVERLAPPING}) == (not apart)
    assert (problems(ships) == ()) == (right_numbers and all_on_board and apart)


def test_around_a_ship_is_water() -> None:
    assert around(Ship(0, 1)) == (1, 10, 11)
    assert around(Ship(98, 2)) == (87, 88, 89, 97)
    assert len(around(Ship(44, 2, vertical=True))) == 10


@given(st.sets(st.integers(0, CELLS - 1)))
def test_cells_and_masks_are_the_same(cells: set[int]) -> None:
    assert cells_of(mask_of(cells)) == tuple(sorted(cells))


# --- Seal -----------------------------------------------------------------------------------------


def test_the_seal_can_be_checked_by_hand() -> None:
    text = commitment_text(LEGAL, "5a17")
    assert text == (
        "5a17:1010101010/1010101010/1010100000/1000000000/0010101000/1000000000/1000000000/0000000000/0000000000/0000000001"
    )
    assert commitment(LEGAL, "5a17") == hashlib.sha256(text.encode()).hexdigest()


def test_the_seal_depends_on_fleet_and_salt_and_not_on_order() -> None:
    moved = arranged((*(ship for ship in LEGAL if ship.cell != 99), Ship(97, 1)))
    assert problems(moved) == ()
    seals = {commitment(LEGAL, "a"), commitment(LEGAL, "b"), commitment(moved, "a")}
    assert len(seals) == 3
    assert commitment(tuple(reversed(LEGAL)), "a") == commitment(LEGAL, "a")


# --- Text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "А1-А4, В3 В4",
        "а1 – а4; в3—в4",
        "A1-A4\nВ3, В4",
        "А4-А1\nВ 4 - В 3",
        "А1-4, В3-4.",
        "А1 А2 А3 А4, В3 В4",
        "А1,А2,А3,А4,В3,В4",
        "  В4 В3 ; А2 А1 А3 А4 !",
    ],
)
def test_a_fleet_may_be_written_in_many_ways(text: str) -> None:
    assert parse_fleet(text) == (Ship(0, 4, vertical=True), Ship(22, 2, vertical=True))


def test_ranges_that_touch_stay_ships_of_their_own() -> None:
    assert faults(parse_fleet("А1-В1, Г1-Д1"))[-1] is Fault.TOUCHING


@pytest.mark.parametrize(
    ("text", "code", "data"),
    [
        ("", TextFault.EMPTY, {}),
        (" ,;\n", TextFault.EMPTY, {}),
        ("А1-Б2", TextFault.BENT, {"cells": ("А1", "Б2")}),
        ("Ж1 Ж2 З2", TextFault.BENT, {"cells": ("Ж1", "Ж2", "З2")}),
        ("А1, Л5", TextFault.COLUMN, {"typed": "Л5", "letters": "АБВГДЕЖЗИК"}),
        ("А1-А11", TextFault.ROW, {"typed": "А11"}),
        ("В1-B3", TextFault.DOUBTFUL, {"typed": "B3", "choices": ("В3", "Б3")}),
        ("корабль на А1", TextFault.NOT_A_CELL, {"typed": "корабль"}),
        ("А1-", TextFault.NOT_A_CELL, {"typed": "-"}),
        ("4А", TextFault.NOT_A_CELL, {"typed": "4А"}),
        ("А1 " * 400, TextFault.TOO_LONG, {"limit": 1000}),
    ],
)
def test_a_fleet_text_is_refused_with_what_is_wrong(text: str, code: TextFault, data: dict[str, object]) -> None:
    with pytest.raises(FleetTextError) as refused:
        parse_fleet(text)
    assert refused.value.code == code
    assert refused.value.data == data


@given(st.integers(0, 2**32), st.sampled_from(Columns))
@settings(max_examples=40, deadline=None)
def test_a_printed_fleet_reads_back(seed: int, columns: Columns) -> None:
    fleet = random_fleet(Dice(str(seed)))
    assert parse_fleet(print_fleet(fleet, columns), columns) == fleet


@given(st.one_of(st.text(max_size=30), st.text("АБаA1230 -,;\n.٤²", max_size=20)), st.sampled_from(Columns))
@example("ß1", Columns.LATIN)
@settings(max_examples=400, deadline=None)
def test_any_text_is_ships_on_the_board_or_refused(text: str, columns: Columns) -> None:
    try:
        ships = parse_fleet(text, columns)
    except FleetTextError:
        return
    assert ships
    assert all(within(ship) for ship in ships)


def test_the_border_is_thirty_six_cells() -> None:
    assert sum(on_border(cell) for cell in range(CELLS)) == 36
    assert fsum(probability(cell) for cell in range(CELLS)) == pytest.approx(20)
