"""One cell of a sea as a tile: drawn once for each look and size, then only copied."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from render import palette
from render.canvas import SMOOTH
from render.palette import Color, to_palette
from render.sea_looks import Ground, Hull, Joins, Look, Mark

_GROUND: Final[dict[Ground, Color]] = {
    Ground.WATER: palette.WATER,
    Ground.KNOWN: palette.KNOWN,
    Ground.OUT: palette.KNOWN,
    Ground.BAND: palette.BAND,
    Ground.LAST: palette.LAST,
}
_HULL: Final[dict[Hull, tuple[Color, Color]]] = {
    Hull.AFLOAT: (palette.HULL, palette.HULL_EDGE),
    Hull.SUNK: (palette.SUNK, palette.SUNK_EDGE),
    Hull.GHOST: (palette.GHOST, palette.HULL_EDGE),
    Hull.FAULTY: (palette.GHOST, palette.HIT),
}
_INSET: Final = 0.13
"""Water between a hull's side and the edge of the cell, as a share of the cell; likewise all shares below."""
_ROUND: Final = 0.26


@lru_cache(maxsize=2048)
def tile(look: Look, side: int) -> Image.Image:
    """A cell of `side` pixels, its grid lines on the left and on top; do not change it, it is shared."""
    pen = _Pen(side)
    pen.ground(look.ground)
    if look.hull:
        pen.hull(look.hull, look.joins)
    match look.mark:
        case None:
            pass
        case Mark.MISS:
            pen.miss()
        case Mark.HIT:
            pen.hit()
        case Mark.SUNK:
            pen.cross(0.2, palette.WHITE, 0.075)
        case Mark.WAITING:
            pen.waiting()
        case Mark.FAULT:
            pen.fault()
    if look.framed:
        pen.frame()
    return pen.tile()


class _Pen:
    """Draws one cell, four times as large as it will be."""

    def __init__(self, side: int) -> None:
        self._side = side * SMOOTH
        self._line = (2 if side >= 48 else 1) * SMOOTH
        self._image = Image.new("RGB", (self._side, self._side))
        self._draw = ImageDraw.Draw(self._image)

    def tile(self) -> Image.Image:
        return to_palette(self._image.reduce(SMOOTH))

    def ground(self, ground: Ground) -> None:
        side, line = self._side, self._line
        self._draw.rectangle((0, 0, side, side), fill=_GROUND[ground])
        if ground is Ground.KNOWN:
            self._rectangle((0.36, 0.475, 0.64, 0.525), palette.KNOWN_MARK)
        self._draw.rectangle((0, 0, side, line - 1), fill=palette.GRID)
        self._draw.rectangle((0, 0, line - 1, side), fill=palette.GRID)

    def hull(self, hull: Hull, joins: Joins) -> None:
        body, edge = _HULL[hull]
        rim = 0.075 if hull is Hull.SUNK else 0.05
        self._deck(joins, _INSET, edge)
        self._deck(joins, _INSET + rim, body)
        match hull:
            case Hull.FAULTY:
                box = self._deck_box(joins, _INSET + rim)
                self._hatch(palette.HIT, box, step=0.34, width=0.09)
            case Hull.GHOST:
                self._dashes(joins)
            case Hull.AFLOAT | Hull.SUNK:
                pass
        # The seams between decks, so that a ship can be counted.
        for side, box in (
            (Joins.LEFT, (0.0, _INSET + rim, 0.02, 1 - _INSET - rim)),
            (Joins.UP, (_INSET + rim, 0.0, 1 - _INSET - rim, 0.02)),
        ):
            if joins & side:
                self._rectangle(box, edge)

    def miss(self) -> None:
        self._disc(0.15, palette.MISS)

    def hit(self) -> None:
        low, high = 0.14, 0.86
        self._rounded((low, low, high, high), 0.14, palette.SUNK)
        self._rounded((low + 0.035, low + 0.035, high - 0.035, high - 0.035), 0.11, palette.HIT)
        self.cross(0.21, palette.WHITE, 0.125)

    def cross(self, reach: float, color: Color, width: float) -> None:
        low, high = 0.5 - reach, 0.5 + reach
        self._stroke((low, low), (high, high), color, width)
        self._stroke((low, high), (high, low), color, width)

    def waiting(self) -> None:
        self._disc(0.34, palette.INK)
        self._disc(0.25, palette.WHITE)
        self._disc(0.09, palette.INK)

    def fault(self) -> None:
        """An exclamation mark on a disc."""
        self._disc(0.27, palette.HIT)
        self._disc(0.22, palette.WHITE)
        self._rectangle((0.46, 0.35, 0.54, 0.54), palette.HIT)
        self._rectangle((0.46, 0.59, 0.54, 0.67), palette.HIT)

    def frame(self) -> None:
        """Ink outside, yellow inside: seen on water and on a hull alike."""
        width, end = round(0.07 * self._side / SMOOTH) * SMOOTH, self._side - 1
        self._draw.rectangle((width, width, end - width, end - width), outline=palette.LAST, width=width)
        self._draw.rectangle((0, 0, end, end), outline=palette.INK, width=width)

    # Shapes, in shares of the cell.

    def _deck_box(self, joins: Joins, inset: float) -> tuple[float, float, float, float]:
        return (
            0.0 if joins & Joins.LEFT else inset,
            0.0 if joins & Joins.UP else inset,
            1.0 if joins & Joins.RIGHT else 1 - inset,
            1.0 if joins & Joins.DOWN else 1 - inset,
        )

    def _deck(self, joins: Joins, inset: float, color: Color) -> None:
        """A deck: straight sides, round at its ends, open where the ship goes on."""
        free = (Joins.UP | Joins.LEFT, Joins.UP | Joins.RIGHT, Joins.DOWN | Joins.RIGHT, Joins.DOWN | Joins.LEFT)
        corners = tuple(not joins & both for both in free)
        radius = max(0.04, _ROUND - inset * 0.6)
        self._rounded(self._deck_box(joins, inset), radius, color, (corners[0], corners[1], corners[2], corners[3]))

    def _dashes(self, joins: Joins) -> None:
        """Breaks the outline of a ship that is not there yet."""
        for start in (0.30, 0.62):
            for near in (_INSET - 0.01, 1 - _INSET - 0.06):
                far = near + 0.07
                if not joins & (Joins.UP if near < 0.5 else Joins.DOWN):
                    self._rectangle((start, near, start + 0.1, far), palette.GHOST)
                if not joins & (Joins.LEFT if near < 0.5 else Joins.RIGHT):
                    self._rectangle((near, start, far, start + 0.1), palette.GHOST)

    def _hatch(self, color: Color, box: tuple[float, float, float, float], step: float, width: float) -> None:
        """Slanted stripes within `box`, meeting those of the neighbouring cells."""
        stripes = Image.new("L", self._image.size)
        draw = ImageDraw.Draw(stripes)
        place = step / 2
        while place < 2:
            end = place * self._side
            draw.line((end, -1, -1, end), fill=255, width=max(1, round(width * self._side)))
            place += step
        window = Image.new("L", self._image.size)
        ImageDraw.Draw(window).rectangle(self._pixels(box), fill=255)
        self._image.paste(color, mask=Image.composite(stripes, Image.new("L", stripes.size), window))

    def _pixels(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        left, top, right, bottom = (round(share * self._side) for share in box)
        return left, top, right - 1, bottom - 1

    def _rectangle(self, box: tuple[float, float, float, float], color: Color) -> None:
        self._draw.rectangle(self._pixels(box), fill=color)

    def _rounded(
        self,
        box: tuple[float, float, float, float],
        radius: float,
        color: Color,
        corners: tuple[bool, bool, bool, bool] = (True, True, True, True),
    ) -> None:
        self._draw.rounded_rectangle(self._pixels(box), round(radius * self._side), fill=color, corners=corners)

    def _disc(self, radius: float, color: Color) -> None:
        low, high = (0.5 - radius) * self._side, (0.5 + radius) * self._side
        self._draw.ellipse((low, low, high - 1, high - 1), fill=color)

    def _stroke(self, start: tuple[float, float], end: tuple[float, float], color: Color, width: float) -> None:
        """A line with round ends."""
        thick = round(width * self._side)
        points = [(x * self._side, y * self._side) for x, y in (start, end)]
        self._draw.line(points, fill=color, width=thick)
        for x, y in points:
            self._draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=color)
