"""How long each picture takes, against the PNG compression of the same picture: `python benchmarks/pictures.py`.

Drawing in palette mode from cached tiles should leave the compression as the larger part. «first» is a picture drawn
with empty caches (what a fresh process pays once for each size of cell).
"""

from __future__ import annotations

import argparse
import io
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from engines.sea_battle.model import (  # noqa: E402
    CELLS,
    BoardView,
    Phase,
    PlayerView,
    Result,
    SeaOptions,
    SeaView,
    SeenShot,
    Ship,
    Team,
)
from render import canvas, fonts, sea_board, sea_tiles  # noqa: E402
from render.sea_battle import Aim, Placing, enemy_picture, fleet_picture, reveal_picture, team_picture  # noqa: E402

FLEET = tuple(
    Ship(cell=cell, length=length, vertical=vertical)
    for cell, length, vertical in (
        (0, 4, False), (6, 3, True), (20, 3, False), (9, 2, True), (24, 2, True), (40, 2, False), (48, 1, False),
        (65, 1, False), (69, 1, False), (92, 1, False),
    )
)  # fmt: skip
NAMES = ("ZimA", "Адвокат", "Юнга", "То Mirra", "Капитан Немо", "Очень длинное имя морского волка", "Вирт", "Боцман")


def sample(pairs: int, shots: int, phase: Phase = Phase.PLAYING) -> SeaView:
    """A view with `shots` shots on each board, drawn from a fixed seed."""
    rng = random.Random(7)
    decks = {cell: ship for ship in FLEET for cell in ship.cells()}
    boards, players = [], []
    for seat in range(2 * pairs):
        cells = rng.sample(range(CELLS), shots)
        sunk = tuple(ship for ship in FLEET if set(ship.cells()) <= set(cells))
        seen = tuple(
            SeenShot(turn=turn, shooter=0, cell=cell, result=Result.HIT if cell in decks else Result.MISS)
            for turn, cell in enumerate(cells, 1)
        )
        secret = FLEET if phase is Phase.OVER or (seat == 0 and phase is Phase.PLAYING) else None
        draft = FLEET[:7] if seat == 0 and phase is Phase.PLACING else None
        left = 20 - len(decks.keys() & set(cells))
        boards.append(BoardView(seat=seat, shots=seen, sunk=sunk, fleet=secret, draft=draft, decks_left=left))
        players.append(PlayerView(seat=seat, team=Team.BLUE if seat % 2 else Team.RED, admiral=seat < 2))
    return SeaView(
        phase=phase, me=0, options=SeaOptions(), turn=shots, team=Team.RED, first=Team.RED, players=tuple(players),
        boards=tuple(boards),
    )  # fmt: skip


def pictures() -> Iterator[tuple[str, Callable[[], list[bytes]]]]:
    """A name and a way to draw it, for each kind of picture."""
    names = [NAMES[seat % len(NAMES)] for seat in range(20)]
    placing = Placing(Aim(2, 7), Ship(cell=72, length=2, vertical=True), frozenset({20, 21, 22}))
    draft, duel, three, six, ten = (
        sample(1, 0, Phase.PLACING), sample(1, 45), sample(3, 45), sample(6, 45), sample(10, 45)
    )  # fmt: skip
    over = sample(6, 90, Phase.OVER)
    yield "own fleet, placing", lambda: [fleet_picture(draft, names, placing=placing)]
    yield "own fleet, playing", lambda: [fleet_picture(duel, names, title="Ход 45")]
    yield "enemy board", lambda: [enemy_picture(duel, 1, names, aim=Aim(column=3))]
    yield "duel, both boards", lambda: team_picture(duel, names)
    yield "3 boards of a team", lambda: team_picture(three, names, team=Team.RED, title="Ход 45")
    yield "6 boards of a team", lambda: team_picture(six, names, team=Team.RED, title="Ход 45")
    yield "10 boards, an album", lambda: team_picture(ten, names, team=Team.RED, title="Ход 45")
    yield "all fleets, 6 pairs", lambda: reveal_picture(over, names, title="Ход 45")


def forget() -> None:
    """Empties the caches of tiles and texts, as in a fresh process."""
    for module in (canvas, fonts, sea_board, sea_tiles):
        for thing in vars(module).values():
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """The median of `rounds` runs."""
    taken = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken)


def compress(images: list[Image.Image]) -> None:
    """What the same pictures cost as PNG alone."""
    for image in images:
        image.save(io.BytesIO(), "PNG", compress_level=6)


def main() -> None:
    """Prints the table; `--out` also keeps the pictures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--out", type=Path, help="a folder for the pictures themselves")
    arguments = parser.parse_args()
    print(f"{'picture':22}{'pages':>6}{'first ms':>10}{'ms':>8}{'PNG ms':>8}{'ratio':>7}{'KB':>7}  largest")
    for name, draw in pictures():
        forget()
        first = milliseconds(draw, 1)
        pages = draw()
        images = [Image.open(io.BytesIO(page)) for page in pages]
        for image in images:
            image.load()
        whole = milliseconds(draw, arguments.rounds)
        png = milliseconds(lambda images=images: compress(images), arguments.rounds)
        size = max(image.size for image in images)
        print(
            f"{name:22}{len(pages):6}{first:10.1f}{whole:8.1f}{png:8.1f}{whole / png:7.2f}"
            f"{sum(map(len, pages)) / 1000:7.1f}  {size[0]}x{size[1]}"
        )
        if arguments.out:
            arguments.out.mkdir(parents=True, exist_ok=True)
            for number, page in enumerate(pages, 1):
                (arguments.out / f"{name.replace(', ', '-').replace(' ', '-')}-{number}.png").write_bytes(page)


if __name__ == "__main__":
    main()
