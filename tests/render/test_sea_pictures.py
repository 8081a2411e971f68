from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from engines.sea_battle.model import Columns, Phase, Result, SeenShot, Ship, Team
from render.sea_battle import (
    MAX_WIDTH,
    Aim,
    Placing,
    enemy_picture,
    fleet_picture,
    pairs_picture,
    reveal_picture,
    team_picture,
)

NAMES = [f"Игрок {seat}" for seat in range(20)]
OTHER_FLEET = (Ship(cell=95, length=4), Ship(cell=70, length=1))


@pytest.mark.parametrize("me", [0, 1])
def test_ones_own_sea_is_wide_enough_for_a_phone_and_light(make_view, fleet, decoded, me) -> None:
    data = fleet_picture(make_view(me=me, fleets={me: fleet}), NAMES, title="Ход 9")
    assert 700 <= decoded(data).width <= 800
    assert len(data) < 40_000


def test_a_spectator_has_no_sea_of_his_own(make_view) -> None:
    with pytest.raises(ValueError, match="spectator"):
        fleet_picture(make_view(me=None), NAMES)


def test_the_same_view_gives_the_same_bytes_whatever_is_cached(make_view, fleet, fresh_caches) -> None:
    view = make_view(3, me=0, fleets={0: fleet}, out=(2,))

    def all_pictures() -> list[bytes]:
        return [fleet_picture(view, NAMES), enemy_picture(view, 1, NAMES), *team_picture(view, NAMES, title="Ход")]

    first = all_pictures()
    assert all_pictures() == first
    fresh_caches()
    assert all_pictures() == first


def test_pictures_may_be_drawn_in_many_threads_at_once(make_view, fresh_caches) -> None:
    view = make_view(3)
    expected = [enemy_picture(view, seat, NAMES, title="Ход") for seat in range(6)]
    fresh_caches()
    with ThreadPoolExecutor(6) as pool:
        drawn = list(pool.map(lambda seat: enemy_picture(view, seat % 6, NAMES, title="Ход"), range(24)))
    assert drawn == expected * 4


@pytest.mark.parametrize("phase", [Phase.PLAYING, Phase.OVER])
def test_an_enemys_sea_and_the_overview_do_not_depend_on_a_hidden_fleet(make_view, fleet, phase) -> None:
    plain = make_view(2, phase=phase)
    for hidden in (fleet, OTHER_FLEET, ()):
        leaking = make_view(2, phase=phase, fleets=dict.fromkeys(range(4), hidden))
        assert enemy_picture(leaking, 1, NAMES) == enemy_picture(plain, 1, NAMES)
        assert team_picture(leaking, NAMES) == team_picture(plain, NAMES)


def test_a_draft_is_seen_by_nobody_else(make_view, fleet) -> None:
    with_draft, without = (make_view(me=0, phase=Phase.PLACING, draft=draft, shots=()) for draft in (fleet, None))
    assert enemy_picture(with_draft, 0, NAMES) == enemy_picture(without, 0, NAMES)


def test_the_reveal_shows_the_fleets(make_view, fleet) -> None:
    bare = reveal_picture(make_view(phase=Phase.OVER), NAMES)
    assert reveal_picture(make_view(phase=Phase.OVER, fleets={0: fleet, 1: fleet}), NAMES) != bare


@pytest.mark.parametrize("pairs", range(1, 11))
def test_one_teams_boards_fill_as_few_pages_as_stay_legible(make_view, decoded, pairs) -> None:
    pages = team_picture(make_view(pairs), NAMES, team=Team.BLUE, title="Синие")
    assert len(pages) == (1 if pairs <= 6 else 2)
    for page in pages:
        assert decoded(page).width <= MAX_WIDTH
        assert len(page) < 80_000


@pytest.mark.parametrize(("pairs", "pages"), [(1, 1), (2, 1), (3, 1), (4, 2), (6, 2), (7, 4), (10, 4)])
def test_both_teams_share_a_page_only_while_they_fit(make_view, pairs, pages) -> None:
    assert len(team_picture(make_view(pairs), NAMES)) == pages
    assert len(reveal_picture(make_view(pairs, phase=Phase.OVER), NAMES)) == pages


def test_the_pairs_stand_in_rows_that_are_not_too_wide(make_view, decoded) -> None:
    two, three = (
        decoded(
            pairs_picture(make_view(pairs), NAMES, [(2 * pair, 2 * pair + 1) for pair in range(pairs)], title="Пары")
        )
        for pairs in (2, 3)
    )
    assert two.width == three.width <= MAX_WIDTH
    assert two.height < three.height


def test_reserves_are_not_in_the_overview(make_view) -> None:
    with_reserve = make_view(2, reserve=(2, 3))
    assert team_picture(with_reserve, NAMES) == team_picture(make_view(1), NAMES)


@pytest.mark.parametrize(
    "change",
    [
        {"out": (1,)},
        {"admirals": ()},
        {"columns": Columns.LATIN},
        {"sunk": ()},
        {"shots": (SeenShot(turn=1, shooter=0, cell=5, result=Result.MISS),)},
    ],
)
def test_everything_public_changes_the_picture(make_view, change) -> None:
    assert enemy_picture(make_view(**change), 1, NAMES) != enemy_picture(make_view(), 1, NAMES)


def test_the_teams_differ_without_colour(make_view, decoded) -> None:
    red, blue = (decoded(enemy_picture(make_view(), seat, ["", ""])).crop((30, 30, 80, 75)) for seat in (0, 1))
    shapes = [sign.convert("L").point(lambda grey: 255 if grey > 200 else 0) for sign in (red, blue)]
    differing = ImageChops.difference(*shapes).histogram()[255]
    assert differing > 80


def test_the_last_turns_shots_are_marked_and_the_older_are_not(make_view, decoded) -> None:
    old = SeenShot(turn=1, shooter=0, cell=5, result=Result.MISS)
    new = SeenShot(turn=7, shooter=0, cell=55, result=Result.MISS)
    alone = decoded(enemy_picture(make_view(shots=(old,), sunk=()), 1, NAMES))
    later = decoded(enemy_picture(make_view(shots=(old, new), sunk=()), 1, NAMES))
    yellow = (255, 217, 84)
    assert _pixels(alone, yellow) > 1000
    assert _pixels(later, yellow) == _pixels(alone, yellow)
    assert ImageChops.difference(alone, later).getbbox() is not None


def _pixels(image: Image.Image, color: tuple[int, int, int]) -> int:
    return next((count for count, found in image.getcolors(1 << 16) or () if found == color), 0)


def test_faults_and_the_ghost_are_shown_while_placing(make_view, fleet) -> None:
    view = make_view(me=0, phase=Phase.PLACING, draft=fleet[:4], shots=(), sunk=())
    pictures = {
        fleet_picture(view, NAMES, placing=placing)
        for placing in (
            None,
            Placing(faulty=frozenset({0})),
            Placing(ghost=Ship(cell=77, length=2)),
            Placing(aim=Aim(column=3)),
            Placing(aim=Aim(row=3)),
            Placing(aim=Aim(column=3, row=3)),
        )
    }
    assert len(pictures) == 6


ships = st.builds(Ship, cell=st.integers(-5, 120), length=st.integers(0, 12), vertical=st.booleans())


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(draft=st.lists(ships, max_size=12), faulty=st.frozensets(st.integers(0, 99), max_size=8))
def test_a_faulty_draft_can_be_drawn(make_view, decoded, draft, faulty) -> None:
    view = make_view(me=0, phase=Phase.PLACING, draft=tuple(draft), shots=(), sunk=())
    decoded(fleet_picture(view, NAMES, placing=Placing(faulty=faulty)))


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(name=st.text(max_size=80), title=st.text(max_size=200))
def test_odd_names_and_titles_do_not_change_the_size(make_view, decoded, name, title) -> None:
    plain = decoded(enemy_picture(make_view(), 1, NAMES, title="Ход"))
    odd = decoded(enemy_picture(make_view(), 1, [name, name], title=title or "-"))
    assert odd.size == plain.size
