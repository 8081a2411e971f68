"""The colours of every picture, and the one palette all pictures share.

Pictures are drawn in palette mode: a pixel is one byte, so copying a cached tile is a memory copy and a PNG stays
small. The palette holds the named colours and, for the pairs that meet along an edge, the steps between them, so that
edges stay smooth.

The hues are chosen for the colour-blind (vermilion against blue, never red against green), and the two teams also
differ in lightness; shapes carry the same news once more wherever a colour matters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image

Color = tuple[int, int, int]
"""Red, green, blue, each 0 .. 255."""

PAPER: Final[Color] = (247, 245, 239)
INK: Final[Color] = (24, 40, 56)
MUTED: Final[Color] = (104, 122, 138)
WHITE: Final[Color] = (255, 255, 255)

WATER: Final[Color] = (222, 237, 247)
GRID: Final[Color] = (168, 196, 216)
BAND: Final[Color] = (190, 220, 240)
"""The row or column that is being chosen."""
KNOWN: Final[Color] = (205, 216, 225)
"""Water known to be empty, and the sea of who is out."""
KNOWN_MARK: Final[Color] = (170, 187, 201)
LAST: Final[Color] = (255, 217, 84)
"""Under the shots of the last turn."""

HULL: Final[Color] = (84, 112, 138)
HULL_EDGE: Final[Color] = (36, 58, 80)
GHOST: Final[Color] = (176, 200, 218)
MISS: Final[Color] = (30, 84, 128)
HIT: Final[Color] = (214, 70, 14)
SUNK: Final[Color] = (112, 28, 16)
SUNK_EDGE: Final[Color] = (48, 12, 8)

RED_TEAM: Final[Color] = (206, 58, 30)
BLUE_TEAM: Final[Color] = (20, 66, 130)
OUT_TEAM: Final[Color] = (126, 138, 150)
STAR: Final[Color] = (255, 205, 60)

_PLAIN: Final = (
    PAPER, INK, MUTED, WHITE, WATER, GRID, BAND, KNOWN, KNOWN_MARK, LAST, HULL, HULL_EDGE, GHOST, MISS, HIT, SUNK,
    SUNK_EDGE, RED_TEAM, BLUE_TEAM, OUT_TEAM, STAR,
)  # fmt: skip

_EDGES: Final = (
    (PAPER, INK), (PAPER, MUTED), (PAPER, RED_TEAM), (PAPER, BLUE_TEAM), (PAPER, OUT_TEAM), (PAPER, HULL),
    (PAPER, SUNK),
    (RED_TEAM, WHITE), (BLUE_TEAM, WHITE), (OUT_TEAM, WHITE), (RED_TEAM, STAR), (BLUE_TEAM, STAR), (OUT_TEAM, STAR),
    (WATER, INK), (WATER, MISS), (WATER, HULL_EDGE), (WATER, HIT), (WATER, SUNK_EDGE), (WATER, GRID),
    (KNOWN, MISS), (KNOWN, HULL_EDGE), (KNOWN, HIT), (KNOWN, SUNK_EDGE), (KNOWN, KNOWN_MARK),
    (BAND, INK), (BAND, HULL_EDGE), (BAND, MISS),
    (LAST, MISS), (LAST, INK), (LAST, HIT), (LAST, SUNK_EDGE), (LAST, HULL_EDGE),
    (HULL, HULL_EDGE), (HULL, HIT), (HULL, WHITE), (GHOST, HULL_EDGE), (GHOST, HIT), (HIT, WHITE), (HIT, SUNK),
    (SUNK, SUNK_EDGE), (SUNK, WHITE), (WHITE, INK),
)  # fmt: skip
_STEPS: Final = 3
"""Shades between the two colours of an edge: as many as fit into 256."""


def mix(back: Color, front: Color, share: float) -> Color:
    """`back` covered by `share` (0 .. 1) of `front`."""
    red, green, blue = (round(b + (f - b) * share) for b, f in zip(back, front, strict=True))
    return red, green, blue


def _all_colors() -> tuple[Color, ...]:
    shades = (mix(back, front, step / (_STEPS + 1)) for back, front in _EDGES for step in range(1, _STEPS + 1))
    return tuple(dict.fromkeys((*_PLAIN, *shades)))[:256]


COLORS: Final = _all_colors()
"""The palette; a pixel's byte is an index into it."""

PALETTE: Final = bytes(channel for color in COLORS for channel in color)

_REFERENCE: Final = Image.new("P", (1, 1))
_REFERENCE.putpalette(PALETTE)


@lru_cache(maxsize=4096)
def index(color: Color) -> int:
    """The palette's entry nearest to `color` (the eye's weights for red, green and blue)."""

    def distance(entry: int) -> int:
        red, green, blue = (a - b for a, b in zip(COLORS[entry], color, strict=True))
        return 3 * red * red + 6 * green * green + 2 * blue * blue

    return min(range(len(COLORS)), key=distance)


@lru_cache(maxsize=256)
def coverage_table(back: Color, front: Color) -> bytes:
    """For each coverage 0 .. 255 of a mask, the palette entry of `front` laid over `back` so much."""
    shades = [index(mix(back, front, step / 16)) for step in range(17)]
    return bytes(shades[(level * 16 + 127) // 255] for level in range(256))


def to_palette(picture: Image.Image) -> Image.Image:
    """An RGB picture in the shared palette, each pixel the nearest entry, no dithering."""
    return picture.quantize(palette=_REFERENCE, dither=Image.Dither.NONE)
