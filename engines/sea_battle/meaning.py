"""What a message of a player may mean: the closed union that `reading.read` gives.

Moves are things to do; asks are questions to put with buttons, because the text can be read in more than one way;
refusals say what would be right. Nothing here is checked against the state of a match: whose turn it is, whether a
cell was shot at, who is Admiral, is for the engine.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.contract import Seat, Value
from engines.sea_battle.model import Cell, Columns, Result, SeaView
from engines.sea_battle.nicks import Person


class Table(Value):
    """Whom the writer of a message can name, and how closely he is to be listened to."""

    me: Person
    """The writer; `opponents` are those whom he may shoot at."""
    allies: tuple[Person, ...] = ()
    """His team without himself, the fallen included."""
    enemies: tuple[Person, ...] = ()
    columns: Columns = Columns.CYRILLIC
    addressed: bool = False
    """The message is for the bot: in private, a reply to one of its posts, or a command's text.

    In the plain talk of a group (False) whatever is not clearly meant as a move is passed over in silence.
    """


def table_of(view: SeaView, me: Seat, names: Mapping[Seat, tuple[str, ...]], *, addressed: bool = False) -> Table:
    """The table at which `me` writes, out of what may be known of the match and all names of its seats."""
    people = {player.seat: Person(player.seat, names.get(player.seat, ()), player.opponents) for player in view.players}
    mine = view.players[me].team
    others = [player for player in view.players if player.seat != me]
    return Table(
        people[me],
        tuple(people[player.seat] for player in others if player.team is mine),
        tuple(people[player.seat] for player in others if player.team is not mine),
        view.options.columns,
        addressed,
    )


# --- Moves ----------------------------------------------------------------------------------------


class Shot(Value):
    """«То ZimA - А4»."""

    target: Seat
    cell: Cell
    as_typed: bool = True
    """False: read from a look-alike letter or another form of the nick, so say target and cell back."""


class Delegate(Value):
    """«Передаю ход Адмиралу»."""


class Withdraw(Value):
    """«Забираю ход»: takes a delegation back."""


class Attach(Value):
    """«ZimA продолжает игру против Вирт»."""

    gun: Seat
    target: Seat


# --- Questions ------------------------------------------------------------------------------------


class AskCells(Value):
    """Which of these cells (one: is it meant as a shot at all)? `target` where it is known."""

    cells: tuple[Cell, ...]
    target: Seat | None = None


class AskNick(Value):
    """A nick that fits nobody or several: which of `candidates`?"""

    candidates: tuple[Seat, ...]
    typed: str
    cell: Cell | None = None
    """None: to be asked as well."""


class AskOpponent(Value):
    """A cell without a nick, and several opponents (or none known): which of `candidates`?"""

    candidates: tuple[Seat, ...]
    cell: Cell


class AskCell(Value):
    """A shot without a cell. `target` where it is known."""

    target: Seat | None = None


class AskDelegate(Value):
    """Words of delegation among others: is it meant?"""


class AskAttach(Value):
    """Words of an attachment, but in doubt: which pair of these?"""

    guns: tuple[Seat, ...]
    targets: tuple[Seat, ...]


# --- Refusals -------------------------------------------------------------------------------------


class RefuseColumn(Value):
    """`typed` has a letter that is no column; `letters` would be right."""

    typed: str
    letters: str


class RefuseRow(Value):
    """`typed` has a row that is none; 1 .. 10 would be right."""

    typed: str


class RefuseOpponent(Value):
    """`target` (None: nobody named) is not one's opponent; `opponents` are, perhaps none."""

    target: Seat | None
    opponents: tuple[Seat, ...]


Move = (
    Shot | Delegate | AskCells | AskNick | AskOpponent | AskCell | AskDelegate | RefuseColumn | RefuseRow
    | RefuseOpponent
)  # fmt: skip
"""What can follow a report or be done for another."""


# --- Talk -----------------------------------------------------------------------------------------


class Said(Value):
    """One «мимо», «ранил» or «убил», with the cell and the nick that stood by it."""

    result: Result
    cell: Cell | None = None
    about: Seat | None = None


class Report(Value):
    """What a player says of shots at himself: talk, the board decides."""

    said: tuple[Said, ...]


class ReportAndMove(Value):
    """A report and a move in one message, as the rules have it."""

    report: Report
    move: Move


class OnBehalf(Value):
    """«За Юнгу: То Mirra - Г6»: the Admiral acts for `seat`."""

    seat: Seat
    what: Move | Report | ReportAndMove


class AskBehalf(Value):
    """The same with a nick that fits none or several of `candidates`."""

    candidates: tuple[Seat, ...]
    what: Move | Report | ReportAndMove


Single = Move | Withdraw | Attach | AskAttach | Report | ReportAndMove | OnBehalf | AskBehalf


class Several(Value):
    """The Admiral's own move and those for others in one message, in its order; two at least."""

    readings: tuple[Single, ...]


class NotAMove(Value):
    """Plain talk: no answer."""


Reading = Single | Several | NotAMove
