"""Pictures of the team sea battle: a view in, PNG bytes out.

Nothing here is a word: names and titles come from the caller, already translated. Every picture but the owner's own and
the last one is drawn from what is public, and reads no fleet even if the view has one. The functions are pure and may
be called in a worker thread.

How to read them: a dot is a miss, a cross on a vermilion square a hit, a dark ship with crosses is sunk, a ring waits
for its result; the last turn's shots stand in a bold frame on yellow; grey water with a dash is surely empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.contract import Seat
from engines.sea_battle.model import BoardView, Fleet, Phase, SeaView, Team
from render import palette
from render.canvas import Canvas
from render.fonts import Weight
from render.sea_board import BoardSize, Tally, draw_board, draw_nameplate, draw_tally, tally_placed, tally_sunk
from render.sea_looks import NO_AIM, Aim, Look, Placing, last_turn, looks, sunk_ships

__all__ = ["Aim", "Placing", "enemy_picture", "fleet_picture", "pairs_picture", "reveal_picture", "team_picture"]

MAX_WIDTH: Final = 1280
"""Telegram shrinks wider photos."""
PER_PAGE: Final = 6
"""More boards than this make several pages."""

_CELL: Final = {1: 64, 2: 56, 3: 37}
"""The side of a cell by the number of boards beside each other."""
_GAP: Final = 20


class _Block:
    """One board of a page with all that belongs to it."""

    def __init__(
        self, view: SeaView, names: Sequence[str], board: BoardView, cells: Sequence[Look],
        tally: Sequence[tuple[int, Tally]], aim: Aim = NO_AIM,
    ) -> None:  # fmt: skip
        self.player = view.players[board.seat]
        self.name = names[board.seat]
        self.decks = board.decks_left
        self.columns = view.options.columns
        self.cells = cells
        self.tally = tally
        self.aim = aim


def fleet_picture(view: SeaView, names: Sequence[str], *, title: str = "", placing: Placing | None = None) -> bytes:
    """The looker's own sea: his draft while placing (with `placing`'s marks), his ships and the shots at them later.

    `names` by seat. Only for its owner: the caller sends it in private. Raises ValueError for a spectator's view.
    """
    if view.me is None:
        raise ValueError("a spectator has no sea of his own")
    board = view.boards[view.me]
    if view.phase is Phase.PLACING or (board.fleet is None and board.draft is not None):
        ships: Fleet = (board.draft if board.draft is not None else board.fleet) or ()
        placing = placing or Placing()
        cells = looks(board, fleet=ships, placing=placing)
        return _page([[_Block(view, names, board, cells, tally_placed(ships), placing.aim)]], title)
    ships = board.fleet or ()
    cells = looks(board, fleet=ships, latest=_latest(view, view.players[view.me].team), out=not _alive(view, view.me))
    return _page([[_Block(view, names, board, cells, tally_sunk(sunk_ships(board, ships)))]], title)


def enemy_picture(view: SeaView, seat: Seat, names: Sequence[str], *, title: str = "", aim: Aim = NO_AIM) -> bytes:
    """The sea of `seat` as everybody may see it; `aim` shows a target being chosen by buttons. `names` by seat."""
    return _page([[_public(view, names, seat, aim)]], title)


def team_picture(view: SeaView, names: Sequence[str], *, team: Team | None = None, title: str = "") -> list[bytes]:
    """The hand-over's overview: the boards of one team (or of both) as everybody may see them, one or more pages.

    `names` by seat. Reserves who are not in the fight yet are left out. The pages make an album, in their order.
    """
    teams = (Team.RED, Team.BLUE) if team is None else (team,)
    return _album([[_public(view, names, seat) for seat in _seats(view, side)] for side in teams], title)


def reveal_picture(view: SeaView, names: Sequence[str], *, title: str = "") -> list[bytes]:
    """The end: all fleets with all shots, one or more pages. `names` by seat. Boards without a fleet show the shots."""
    sides = []
    for side in (Team.RED, Team.BLUE):
        blocks = []
        for seat in _seats(view, side):
            board = view.boards[seat]
            cells = looks(board, fleet=board.fleet)
            blocks.append(_Block(view, names, board, cells, tally_sunk(sunk_ships(board, board.fleet))))
        sides.append(blocks)
    return _album(sides, title)


def pairs_picture(view: SeaView, names: Sequence[str], pairs: Sequence[tuple[Seat, Seat]], *, title: str = "") -> bytes:
    """Who plays against whom: the pairs (a Red's seat, a Blue's) in rows. `names` by seat."""
    plate, height, link = 620 - _GAP, 64, 2 * _GAP
    width = 2 * plate + link + 2 * _GAP
    head = _title_size(width) * 2 if title else 0
    canvas = Canvas.blank(width, head + _GAP + len(pairs) * (height + _GAP), palette.PAPER)
    if title:
        _draw_title(canvas, head, title, "")
    top = head + _GAP
    for pair in pairs:
        canvas.fill((_GAP + plate, top + height // 2 - 3, _GAP + plate + link, top + height // 2 + 3), palette.MUTED)
        for seat, left in zip(pair, (_GAP, _GAP + plate + link), strict=True):
            board = view.boards[seat]
            draw_nameplate(canvas, left, top, plate, height, view.players[seat], names[seat], board.decks_left)
        top += height + _GAP
    return canvas.png()


def _public(view: SeaView, names: Sequence[str], seat: Seat, aim: Aim = NO_AIM) -> _Block:
    board = view.boards[seat]
    latest = _latest(view, view.players[seat].team)
    cells = looks(board, latest=latest, out=not _alive(view, seat), aim=aim)
    return _Block(view, names, board, cells, tally_sunk(board.sunk), aim)


def _alive(view: SeaView, seat: Seat) -> bool:
    return view.players[seat].alive


def _seats(view: SeaView, team: Team) -> list[Seat]:
    return [player.seat for player in view.players if player.team is team and not player.reserve]


def _latest(view: SeaView, team: Team) -> int:
    """The last turn whose shots at this team are out."""
    return last_turn(view.boards[seat] for seat in _seats(view, team))


# --- Pages ------------------------------------------------------------------------------------------


def _album(sides: Sequence[Sequence[_Block]], title: str) -> list[bytes]:
    pages = _paginate([list(side) for side in sides if side])
    if len(pages) == 1:
        return [_page(pages[0], title)]
    return [_page(rows, title, f"{number} / {len(pages)}") for number, rows in enumerate(pages, 1)]


def _paginate(sides: list[list[_Block]]) -> list[list[list[_Block]]]:
    """Pages of rows of boards: small teams one above the other, larger ones each on pages of its own."""
    if len(sides) == 2 and max(map(len, sides)) == 1:
        return [[[*sides[0], *sides[1]]]]
    if len(sides) == 2 and max(map(len, sides)) * 2 <= PER_PAGE:
        return [sides]
    pages = []
    for side in sides:
        count = -(-len(side) // PER_PAGE)
        start = 0
        for page in range(count):
            size = len(side) // count + (page < len(side) % count)
            blocks = side[start : start + size]
            start += size
            across = 3 if size > 4 else min(size, 2)
            pages.append([blocks[row : row + across] for row in range(0, size, across)])
    return pages


def _page(rows: Sequence[Sequence[_Block]], title: str, folio: str = "") -> bytes:
    across = max(map(len, rows))
    size = BoardSize(_CELL[across])
    plate = round(size.cell * (0.95 if across < 3 else 1.4))
    tally = round(size.cell * 0.85)
    block_height = plate + 4 + size.side + tally
    width = across * size.side + (across + 1) * _GAP
    head = _title_size(width) * 2 if title or folio else 0
    canvas = Canvas.blank(width, head + _GAP + len(rows) * (block_height + _GAP), palette.PAPER)
    if head:
        _draw_title(canvas, head, title, folio)
    top = head + _GAP
    for row in rows:
        left = (width - len(row) * size.side - (len(row) - 1) * _GAP) // 2
        for block in row:
            _draw_block(canvas, left, top, size, plate, tally, block)
            left += size.side + _GAP
        top += block_height + _GAP
    return canvas.png()


def _title_size(width: int) -> int:
    return max(34, width // 30)


def _draw_title(canvas: Canvas, head: int, title: str, folio: str) -> None:
    middle, text = (head + _GAP) // 2, _title_size(canvas.width)
    right = canvas.width - _GAP
    if folio:
        right -= _GAP + canvas.text(
            right, middle, folio, size=text, front=palette.MUTED, back=palette.PAPER, anchor="right"
        )  # fmt: skip
    canvas.text(
        _GAP, middle, title, size=text, front=palette.INK, back=palette.PAPER, weight=Weight.BOLD,
        max_width=right - _GAP,
    )  # fmt: skip


def _draw_block(canvas: Canvas, left: int, top: int, size: BoardSize, plate: int, tally: int, block: _Block) -> None:
    draw_nameplate(canvas, left, top, size.side, plate, block.player, block.name, block.decks)
    top += plate + 4
    draw_board(canvas, left, top, size, block.columns, block.cells, block.aim)
    top += size.side
    draw_tally(canvas, left + size.label, top + tally // 2 + 2, size.side - size.label, block.tally)
