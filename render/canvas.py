"""What every picture is drawn on: a page in the shared palette, and smooth shapes made once and kept.

Shapes are drawn four times as large and reduced, which smooths their edges, into masks and tiles that are cached; a
picture is then little more than copying them to their places. Lengths are pixels, (0, 0) is the upper left corner.
"""

from __future__ import annotations

import io
import math
from functools import lru_cache
from typing import Final, Literal

from PIL import Image, ImageDraw

from render.fonts import Weight, text_mask
from render.palette import PALETTE, Color, coverage_table, index

Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two outside."""
Anchor = Literal["left", "middle", "right"]

SMOOTH: Final = 4
"""How much larger a shape is drawn before it is reduced."""


@lru_cache(maxsize=1024)
def _text_tile(text: str, size: int, weight: Weight, max_width: int | None, front: Color, back: Color) -> Image.Image:
    return tinted(text_mask(text, size, weight, max_width), front, back)


def tinted(mask: Image.Image, front: Color, back: Color) -> Image.Image:
    """A tile of `front` through `mask` (mode L) over `back`."""
    return _as_palette(mask.point(coverage_table(back, front)))


def _as_palette(indices: Image.Image) -> Image.Image:
    tile = Image.frombytes("P", indices.size, indices.tobytes())
    tile.putpalette(PALETTE)
    return tile


@lru_cache(maxsize=128)
def disc_mask(diameter: int) -> Image.Image:
    """A full circle."""
    mask = Image.new("L", (diameter * SMOOTH, diameter * SMOOTH))
    ImageDraw.Draw(mask).ellipse((0, 0, diameter * SMOOTH - 1, diameter * SMOOTH - 1), fill=255)
    return mask.reduce(SMOOTH)


@lru_cache(maxsize=128)
def polygon_mask(points: tuple[tuple[float, float], ...], side: int) -> Image.Image:
    """A polygon within a square of `side` pixels; its points are shares (0 .. 1) of the side."""
    mask = Image.new("L", (side * SMOOTH, side * SMOOTH))
    ImageDraw.Draw(mask).polygon([(x * side * SMOOTH, y * side * SMOOTH) for x, y in points], fill=255)
    return mask.reduce(SMOOTH)


DIAMOND: Final = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))
STAR: Final = tuple(
    (0.5 + radius * math.sin(turn * math.pi / 5), 0.53 - radius * math.cos(turn * math.pi / 5))
    for turn in range(10)
    for radius in ((0.22 if turn % 2 else 0.52),)
)


class Canvas:
    """A page of one picture. Not shared between threads; the tiles it copies from are."""

    def __init__(self, image: Image.Image) -> None:
        """A page drawn on `image` itself; see `blank` and `copy_of`."""
        self.image = image

    @classmethod
    def blank(cls, width: int, height: int, back: Color) -> Canvas:
        """An empty page."""
        image = Image.new("P", (width, height), index(back))
        image.putpalette(PALETTE)
        return cls(image)

    @classmethod
    def copy_of(cls, tile: Image.Image) -> Canvas:
        """A page that begins as a copy of a tile in the shared palette."""
        return cls(tile.copy())

    @property
    def width(self) -> int:
        """Pixels across."""
        return self.image.width

    @property
    def height(self) -> int:
        """Pixels down."""
        return self.image.height

    def fill(self, box: Box, color: Color) -> None:
        """A rectangle."""
        self.image.paste(index(color), box)

    def paste(self, tile: Image.Image, left: int, top: int) -> None:
        """Copies a tile that is in the shared palette."""
        self.image.paste(tile, (left, top))

    def shape(self, mask: Image.Image, left: int, top: int, front: Color, back: Color) -> None:
        """A mask in one colour, over a plain ground of colour `back`."""
        self.paste(tinted(mask, front, back), left, top)

    def rounded(self, box: Box, radius: int, front: Color, back: Color) -> None:
        """A rectangle with round corners, over a plain ground of colour `back`."""
        left, top, right, bottom = box
        self.fill(box, front)
        disc = tinted(disc_mask(2 * radius), front, back)
        for x, dx in ((left, 0), (right - radius, radius)):
            for y, dy in ((top, 0), (bottom - radius, radius)):
                self.paste(disc.crop((dx, dy, dx + radius, dy + radius)), x, y)

    def text(
        self,
        x: int,
        middle: int,
        text: str,
        *,
        size: int,
        front: Color,
        back: Color,
        weight: Weight = Weight.REGULAR,
        anchor: Anchor = "left",
        max_width: int | None = None,
    ) -> int:
        """A line of text around the height `middle`, over a plain ground of colour `back`; gives its width.

        `x` is its left end, its middle or its right end, as `anchor` says.
        """
        tile = _text_tile(text, size, weight, max_width, front, back)
        match anchor:
            case "left":
                left = x
            case "middle":
                left = x - tile.width // 2
            case "right":
                left = x - tile.width
        # Capitals and digits stand between the baseline (1.05) and 0.714 above it: their middle is 0.69.
        self.paste(tile, left, middle - round(size * 0.69))
        return tile.width

    def png(self) -> bytes:
        """The picture as a file; the same picture gives the same bytes."""
        out = io.BytesIO()
        self.image.save(out, "PNG", compress_level=6)
        return out.getvalue()
