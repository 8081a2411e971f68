"""The parts of a picture of sea battle: a sea with its letters and numbers, a nameplate, a fleet's tally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from engines.sea_battle.model import FLEET_LENGTHS, SIZE, Columns, PlayerView, Ship, Team
from render import palette
from render.canvas import DIAMOND, SMOOTH, STAR, Canvas, disc_mask, polygon_mask
from render.fonts import Weight
from render.palette import Color, to_palette
from render.sea_looks import EMPTY, NO_AIM, Aim, Look
from render.sea_tiles import tile

LETTERS: Final[dict[Columns, str]] = {Columns.CYRILLIC: "АБВГДЕЖЗИК", Columns.LATIN: "ABCDEFGHIJ"}


@dataclass(frozen=True, slots=True)
class BoardSize:
    """How large a sea is drawn; everything follows from the side of a cell in pixels."""

    cell: int

    @property
    def label(self) -> int:
        """The strip of letters above and of numbers on the left."""
        return round(self.cell * 0.72)

    @property
    def line(self) -> int:
        """The grid's lines; the sea ends with one."""
        return 2 if self.cell >= 48 else 1

    @property
    def side(self) -> int:
        """The whole, in both directions."""
        return self.label + SIZE * self.cell + self.line

    @property
    def text(self) -> int:
        """The letters and numbers on the edges."""
        return max(20, round(self.cell * 0.47))


@lru_cache(maxsize=16)
def _empty_board(size: BoardSize, columns: Columns) -> Image.Image:
    """A sea without a shot; do not change it, it is shared."""
    canvas = Canvas.blank(size.side, size.side, palette.PAPER)
    canvas.fill((size.label, size.label, size.side, size.side), palette.GRID)
    water = tile(EMPTY, size.cell)
    for cell in range(SIZE * SIZE):
        canvas.paste(water, *_corner(size, cell))
    for place in range(SIZE):
        _label(canvas, size, place, LETTERS[columns][place], above=True, chosen=False)
        _label(canvas, size, place, str(place + 1), above=False, chosen=False)
    return canvas.image


def _corner(size: BoardSize, cell: int) -> tuple[int, int]:
    row, column = divmod(cell, SIZE)
    return size.label + column * size.cell, size.label + row * size.cell


def _label(canvas: Canvas, size: BoardSize, place: int, text: str, *, above: bool, chosen: bool) -> None:
    along, across = size.label + place * size.cell + size.cell // 2, size.label // 2
    x, y = (along, across) if above else (across, along)
    back, front = (palette.INK, palette.WHITE) if chosen else (palette.PAPER, palette.INK)
    if chosen:
        half = size.label // 2 - 2
        canvas.rounded((x - half, y - half, x + half, y + half), half // 2, back, palette.PAPER)
    canvas.text(x, y, text, size=size.text, front=front, back=back, weight=Weight.MEDIUM, anchor="middle")


def draw_board(
    canvas: Canvas,
    left: int,
    top: int,
    size: BoardSize,
    columns: Columns,
    cells: Sequence[Look],
    aim: Aim = NO_AIM,
) -> None:
    """A sea with its edges, `size.side` pixels in both directions."""
    board = Canvas.copy_of(_empty_board(size, columns))
    for cell, look in enumerate(cells):
        if look != EMPTY:
            board.paste(tile(look, size.cell), *_corner(size, cell))
    if aim.column is not None:
        _label(board, size, aim.column, LETTERS[columns][aim.column], above=True, chosen=True)
    if aim.row is not None:
        _label(board, size, aim.row, str(aim.row + 1), above=False, chosen=True)
    canvas.paste(board.image, left, top)


def team_color(team: Team, *, out: bool = False) -> Color:
    """A team's colour; grey for who is out."""
    if out:
        return palette.OUT_TEAM
    return palette.RED_TEAM if team is Team.RED else palette.BLUE_TEAM


def team_mark(team: Team, side: int) -> Image.Image:
    """A team's sign as a mask, for eyes that do not tell the colours apart: the Reds' diamond, the Blues' circle."""
    if team is Team.RED:
        return polygon_mask(DIAMOND, side)
    inner = round(side * 0.86)
    mask = Image.new("L", (side, side))
    mask.paste(disc_mask(inner), ((side - inner) // 2, (side - inner) // 2))
    return mask


def draw_nameplate(
    canvas: Canvas, left: int, top: int, width: int, height: int, player: PlayerView, name: str, decks: int
) -> None:
    """Team, name, the Admiral's star, and the decks that are left; who is out is grey and struck out."""
    out = not player.alive
    ground = team_color(player.team, out=out)
    canvas.rounded((left, top, left + width, top + height), height // 4, ground, palette.PAPER)
    middle, pad, mark = top + height // 2, round(height * 0.28), round(height * 0.5)
    x = left + pad
    canvas.shape(team_mark(player.team, mark), x, middle - mark // 2, palette.WHITE, ground)
    x += mark + pad
    right = left + width - pad
    size = round(height * 0.54)
    if out:
        canvas.shape(_cross_mask(mark), right - mark, middle - mark // 2, palette.WHITE, ground)
        right -= mark + pad
    else:
        right -= canvas.text(
            right, middle, str(decks), size=size, front=palette.WHITE, back=ground, weight=Weight.BOLD, anchor="right"
        )  # fmt: skip
        icon = round(height * 0.3)
        right -= icon + round(height * 0.14)
        canvas.rounded(
            (right, middle - icon // 2, right + icon, middle - icon // 2 + icon), icon // 4, palette.WHITE, ground
        )
        right -= pad
    star = round(height * 0.56) if player.admiral or player.acting else 0
    room = right - x - (star + pad // 2 if star else 0)
    wide = canvas.text(
        x, middle, name, size=size, front=palette.WHITE, back=ground, weight=Weight.MEDIUM, max_width=max(room, size)
    )  # fmt: skip
    if out:
        canvas.fill((x, middle + 1, x + wide, middle + 1 + max(2, height // 18)), palette.WHITE)
    if star:
        mask = polygon_mask(STAR, star) if player.admiral else _hollow_star(star)
        canvas.shape(mask, x + wide + pad // 2, middle - star // 2, palette.STAR, ground)


@lru_cache(maxsize=16)
def _hollow_star(side: int) -> Image.Image:
    """Who acts for the Admiral: the outline of his star."""
    mask = polygon_mask(STAR, side).copy()
    inner = round(side * 0.55)
    hole = polygon_mask(STAR, inner)
    mask.paste(0, ((side - inner) // 2, round(side * 0.53 - inner * 0.53)), hole)
    return mask


@lru_cache(maxsize=16)
def _cross_mask(side: int) -> Image.Image:
    full = side * SMOOTH
    mask = Image.new("L", (full, full))
    draw, near, far = ImageDraw.Draw(mask), full * 0.16, full * 0.84
    for line in ((near, near, far, far), (near, far, far, near)):
        draw.line(line, fill=255, width=full // 6)
    return mask.reduce(SMOOTH)


class Tally(Enum):
    """A ship in the row of the ten."""

    WHOLE = "whole"
    MISSING = "missing"
    """Not placed yet."""
    SUNK = "sunk"


def tally_sunk(sunk: Iterable[Ship]) -> tuple[tuple[int, Tally], ...]:
    """The ten ships of a fleet by their decks, those struck that are sunk."""
    return _tally(sunk, Tally.SUNK, Tally.WHOLE)


def tally_placed(placed: Iterable[Ship]) -> tuple[tuple[int, Tally], ...]:
    """The ten ships of a fleet by their decks, those hollow that are not placed."""
    return _tally(placed, Tally.WHOLE, Tally.MISSING)


def _tally(ships: Iterable[Ship], there: Tally, else_: Tally) -> tuple[tuple[int, Tally], ...]:
    count = Counter(ship.length for ship in ships)
    found = []
    for length in FLEET_LENGTHS:
        found.append((length, there if count[length] > 0 else else_))
        count[length] -= 1
    return tuple(found)


@lru_cache(maxsize=64)
def _ship_icon(length: int, state: Tally, unit: int) -> Image.Image:
    width, height, rim = length * unit * SMOOTH, unit * SMOOTH, max(SMOOTH, unit * SMOOTH // 8)
    image = Image.new("RGB", (width, height), palette.PAPER)
    draw = ImageDraw.Draw(image)
    radius = height // 3
    match state:
        case Tally.WHOLE:
            draw.rounded_rectangle((0, 0, width - 1, height - 1), radius, fill=palette.HULL)
            for seam in range(1, length):
                x = seam * height
                draw.rectangle((x - rim // 2, 0, x + rim // 2, height), fill=palette.PAPER)
        case Tally.MISSING:
            draw.rounded_rectangle((0, 0, width - 1, height - 1), radius, outline=palette.HULL, width=rim)
        case Tally.SUNK:
            draw.rounded_rectangle((0, 0, width - 1, height - 1), radius, outline=palette.SUNK, width=rim)
            for deck in range(length):
                near, far = deck * height + height * 0.3, deck * height + height * 0.7
                draw.line((near, height * 0.3, far, height * 0.7), fill=palette.SUNK, width=rim)
                draw.line((near, height * 0.7, far, height * 0.3), fill=palette.SUNK, width=rim)
    return to_palette(image.reduce(SMOOTH))


def draw_tally(canvas: Canvas, left: int, middle: int, width: int, ships: Sequence[tuple[int, Tally]]) -> None:
    """The ships in a row across `width`, around the height `middle`."""
    decks = sum(length for length, _ in ships)
    unit = int(width / (decks + 0.75 * (len(ships) - 1)))
    gap = (width - decks * unit) / (len(ships) - 1)
    x = float(left)
    for length, state in ships:
        canvas.paste(_ship_icon(length, state, unit), round(x), middle - unit // 2)
        x += length * unit + gap
