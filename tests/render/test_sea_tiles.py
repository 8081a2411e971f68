from __future__ import annotations

from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from render.sea_looks import Ground, Hull, Joins, Look, Mark
from render.sea_tiles import tile

SIDES = [37, 56, 64]


def grey(look: Look, side: int) -> Image.Image:
    return tile(look, side).convert("RGB").convert("L")


def shape(look: Look, side: int) -> Image.Image:
    """Black where a cell clearly differs from its bare water, whatever the colour."""
    bare = grey(Look(look.ground), side)
    return ImageChops.difference(grey(look, side), bare).point(lambda step: 255 if step > 40 else 0)


def area(mask: Image.Image) -> int:
    return mask.histogram()[255]


@pytest.mark.parametrize("side", SIDES)
def test_marks_differ_in_shape_not_only_in_colour(side) -> None:
    shapes = [shape(Look(mark=mark), side) for mark in (Mark.MISS, Mark.HIT, Mark.WAITING)]
    shapes.append(shape(Look(hull=Hull.AFLOAT), side))
    for one, other in combinations(shapes, 2):
        common, union = area(ImageChops.darker(one, other)), area(ImageChops.lighter(one, other))
        assert common / union < 0.75


@pytest.mark.parametrize("side", SIDES)
def test_a_sunk_ship_is_darker_than_a_hit(side) -> None:
    hit = ImageStat.Stat(grey(Look(mark=Mark.HIT), side)).mean[0]
    sunk = ImageStat.Stat(grey(Look(hull=Hull.SUNK, mark=Mark.SUNK), side)).mean[0]
    assert hit - sunk > 20


@pytest.mark.parametrize("side", SIDES)
def test_a_ship_goes_on_into_the_next_cell_without_a_gap(side) -> None:
    water = grey(Look(), side).getpixel((side // 2, side // 4))
    for joins, at in ((Joins.RIGHT, (side - 1, side // 2)), (Joins.DOWN, (side // 2, side - 1))):
        joined, alone = (grey(Look(hull=Hull.AFLOAT, joins=side_), side) for side_ in (joins, Joins.NONE))
        assert joined.getpixel(at) < water - 40
        assert alone.getpixel(at) == water


@pytest.mark.parametrize("side", SIDES)
def test_a_framed_cell_keeps_what_is_in_it(side) -> None:
    centre = (side // 2, side // 2)
    for mark in (Mark.MISS, Mark.HIT, Mark.WAITING):
        plain, framed = (tile(Look(ground=Ground.LAST, mark=mark, framed=framed), side) for framed in (False, True))
        assert plain.getpixel(centre) == framed.getpixel(centre)
        assert plain.getpixel((0, side // 2)) != framed.getpixel((0, side // 2))


def test_a_tile_is_drawn_once() -> None:
    look = Look(Ground.KNOWN, Hull.SUNK, Joins.LEFT, Mark.SUNK)
    assert tile(look, 64) is tile(Look(Ground.KNOWN, Hull.SUNK, Joins.LEFT, Mark.SUNK), 64)
