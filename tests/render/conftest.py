"""Views to draw, made by hand: the pictures need no engine."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import pytest
from PIL import Image

from engines.sea_battle.model import (
    BoardView,
    Columns,
    Fleet,
    Phase,
    PlayerView,
    Result,
    SeaOptions,
    SeaView,
    SeenShot,
    Ship,
    Team,
)
from render import canvas, fonts, sea_board, sea_tiles

FLEET: Fleet = tuple(
    Ship(cell=cell, length=length, vertical=vertical)
    for cell, length, vertical in (
        (0, 4, False), (6, 3, True), (20, 3, False), (9, 2, True), (24, 2, True), (40, 2, False), (48, 1, False),
        (65, 1, False), (69, 1, False), (92, 1, False),
    )
)  # fmt: skip
SHOTS = (
    SeenShot(turn=1, shooter=1, cell=99, result=Result.MISS),
    SeenShot(turn=3, shooter=1, cell=0, result=Result.HIT),
    SeenShot(turn=5, shooter=1, cell=48, result=Result.SUNK),
    SeenShot(turn=7, shooter=1, cell=1, result=Result.HIT),
    SeenShot(turn=7, shooter=1, cell=50, result=Result.MISS),
    SeenShot(turn=9, shooter=1, cell=33),
)
SUNK = (Ship(cell=48, length=1),)

MakeView = Callable[..., SeaView]


@pytest.fixture
def make_view() -> MakeView:
    """A view of `pairs` pairs, the Reds in the even seats; `fleets` by seat are what the looker may see."""

    def make(
        pairs: int = 1,
        *,
        me: int | None = None,
        phase: Phase = Phase.PLAYING,
        columns: Columns = Columns.CYRILLIC,
        fleets: dict[int, Fleet] | None = None,
        draft: Fleet | None = None,
        shots: tuple[SeenShot, ...] = SHOTS,
        sunk: Fleet = SUNK,
        out: tuple[int, ...] = (),
        reserve: tuple[int, ...] = (),
        admirals: tuple[int, ...] = (0, 1),
    ) -> SeaView:
        seats = range(2 * pairs)
        return SeaView(
            phase=phase,
            me=me,
            options=SeaOptions(columns=columns),
            turn=9,
            team=Team.RED,
            first=Team.RED,
            players=tuple(
                PlayerView(
                    seat=seat,
                    team=Team.BLUE if seat % 2 else Team.RED,
                    alive=seat not in out,
                    admiral=seat in admirals,
                    reserve=seat in reserve,
                )
                for seat in seats
            ),
            boards=tuple(
                BoardView(
                    seat=seat,
                    shots=shots,
                    sunk=sunk,
                    decks_left=17,
                    fleet=(fleets or {}).get(seat),
                    draft=draft if seat == me else None,
                )
                for seat in seats
            ),
        )

    return make


@pytest.fixture
def fleet() -> Fleet:
    """A whole fleet that keeps the rules."""
    return FLEET


@pytest.fixture
def decoded() -> Callable[[bytes], Image.Image]:
    """Reads a picture and checks that it is a PNG."""

    def decode(data: bytes) -> Image.Image:
        image = Image.open(io.BytesIO(data))
        image.load()
        assert image.format == "PNG"
        return image.convert("RGB")

    return decode


def forget() -> None:
    """Empties every cache of tiles, texts and fonts, as in a fresh process."""
    for module in (canvas, fonts, sea_board, sea_tiles):
        for thing in vars(module).values():
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


@pytest.fixture
def fresh_caches() -> Iterator[Callable[[], None]]:
    """A way to empty the caches; they are empty before and after."""
    forget()
    yield forget
    forget()
