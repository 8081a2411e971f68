"""Team sea battle on the analyst's command line.

read sea_battle FILE          readings of the messages of a file against those expected
random-fleets N --seed S      random fleets against the exact census
count-fleets                  fleets on small boards, listed one by one, against the numbers of the rules
selfplay sea_battle -n N      careless matches played to the end
replay sea_battle FILE        an exported record (text or JSON) played again, or checked where it is an open one
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, assert_never

import msgspec

from engines.chance import Dice
from engines.cli import Commands
from engines.contract import Seat
from engines.sea_battle.cells import cell_name
from engines.sea_battle.census import BORDER_DECKS, BORDER_TOLERANCE, probability, sample
from engines.sea_battle.fleet import count_fleets, random_fleet
from engines.sea_battle.forum import read_forum
from engines.sea_battle.meaning import (
    AskAttach,
    AskBehalf,
    AskCell,
    AskCells,
    AskDelegate,
    AskNick,
    AskOpponent,
    Attach,
    Delegate,
    NotAMove,
    OnBehalf,
    Reading,
    RefuseColumn,
    RefuseOpponent,
    RefuseRow,
    Report,
    ReportAndMove,
    Several,
    Shot,
    Table,
    Withdraw,
)
from engines.sea_battle.model import SIZE, Columns
from engines.sea_battle.nicks import Person
from engines.sea_battle.reading import read
from engines.sea_battle.record import from_json
from engines.sea_battle.replaying import check

SMALL_BOARDS: Final = (
    (5, 5, (3, 2, 1, 1), 8_712),
    (6, 6, (4, 3, 2, 2, 1, 1, 1), 53_600),
    (6, 5, (4, 2, 2, 1, 1), 21_742),
)
"""Width, height, ships, fleets (rules, «Numbers to hold»)."""


def register(commands: Commands) -> None:
    """Adds the commands of this game."""
    reading = commands.add_for(
        "sea_battle", "read", lambda given: read_file(Path(given.file)), "messages read as moves"
    )
    reading.add_argument("file", metavar="FILE", help="a JSON object a line: text, expect; see the cases of the tests")

    fleets = commands.add(
        "random-fleets",
        lambda given: random_fleets(int(given.count), str(given.seed)),
        "random fleets of team sea battle against the exact census",
    )
    fleets.add_argument("count", metavar="N", type=int)
    fleets.add_argument("--seed", default="1")

    counting = commands.add(
        "count-fleets",
        lambda given: count(given.width, given.height, given.ships),
        "fleets on small boards, listed one by one",
    )
    counting.add_argument("--width", type=int)
    counting.add_argument("--height", type=int)
    counting.add_argument("--ships", type=int, nargs="+", metavar="DECKS")

    matches = commands.add_for(
        "sea_battle", "selfplay", lambda given: selfplay(int(given.n), int(given.seed)), "matches played to the end"
    )
    matches.add_argument("-n", type=int, default=20, metavar="N")
    matches.add_argument("--seed", type=int, default=1)

    again = commands.add_for(
        "sea_battle", "replay", lambda given: replay_file(Path(given.file)), "an exported record against the rules"
    )
    again.add_argument("file", metavar="FILE", help="a record as /export gives it, text or JSON")


# --- read -----------------------------------------------------------------------------------------


class Case(msgspec.Struct, frozen=True):
    """A line of the file: a message, who wrote it to whom, and what it should mean."""

    text: str
    expect: str
    me: str = "Адвокат"
    opponents: tuple[str, ...] = ("ZimA",)
    enemies: tuple[str, ...] = ("ZimA", "Кот77", "Mirra", "Вирт", "Sova_2", "Дед Мороз")
    allies: tuple[str, ...] = ("Юнга", "Боцман")
    columns: Columns = Columns.CYRILLIC
    addressed: bool = True

    def table(self) -> tuple[Table, Mapping[Seat, str]]:
        """The table at which it was written, and the names of its seats."""
        enemies = [name for name in dict.fromkeys((*self.enemies, *self.opponents)) if name != self.me]
        seats = {name: seat for seat, name in enumerate(dict.fromkeys((self.me, *self.allies, *enemies)))}
        table = Table(
            Person(seats[self.me], (self.me,), tuple(seats[name] for name in self.opponents)),
            tuple(Person(seats[name], (name,)) for name in self.allies),
            tuple(Person(seats[name], (name,)) for name in enemies),
            self.columns,
            self.addressed,
        )
        return table, {seat: name for name, seat in seats.items()}


def read_file(path: Path) -> int:
    """Prints reading and expectation of every line and how many differ."""
    lines = [line for line in path.read_bytes().splitlines() if line.strip()]
    cases = [msgspec.json.decode(line, type=Case) for line in lines]
    different = 0
    for case in cases:
        table, names = case.table()
        got = describe(read(case.text, table), names, case.columns)
        same = got == case.expect
        different += not same
        print(f"{'same' if same else 'DIFF'}  {case.text!r:44}  {got}{'' if same else f'   expected: {case.expect}'}")
    print(f"{len(cases)} messages, {different} different")
    return 1 if different or not cases else 0


def describe(reading: Reading, names: Mapping[Seat, str], columns: Columns = Columns.CYRILLIC) -> str:
    """A reading in the words of the cases: `SHOT ZimA А4`, `ASK В4 / Б4`, `FOR Юнга: REPORT miss + …`."""
    match reading:
        case Shot(target, cell):
            return f"SHOT {names[target]} {cell_name(cell, columns)}"
        case Report(said):
            return f"REPORT {', '.join(one.result.value for one in said)}"
        case ReportAndMove(report, move):
            return f"{describe(report, names, columns)} + {describe(move, names, columns)}"
        case OnBehalf(seat, what):
            return f"FOR {names[seat]}: {describe(what, names, columns)}"
        case Attach(gun, target):
            return f"ATTACH {names[gun]} -> {names[target]}"
        case AskCells(cells):
            return f"ASK {' / '.join(cell_name(cell, columns) for cell in cells)}"
        case Delegate():
            return "DELEGATE"
        case Withdraw():
            return "WITHDRAW"
        case AskNick():
            return "ASK nick"
        case AskOpponent():
            return "ASK opponent"
        case AskCell():
            return "ASK cell"
        case AskDelegate():
            return "ASK delegate"
        case AskAttach():
            return "ASK attach"
        case AskBehalf():
            return "ASK behalf"
        case RefuseColumn():
            return "REFUSE column"
        case RefuseRow():
            return "REFUSE row"
        case RefuseOpponent():
            return "REFUSE opponent"
        case Several(readings):
            return " & ".join(describe(one, names, columns) for one in readings)
        case NotAMove():
            return "NOT_A_MOVE"
        case _:
            assert_never(reading)


# --- fleets ---------------------------------------------------------------------------------------


def random_fleets(number: int, seed: str) -> int:
    """Draws fleets and prints border, every cell's share and how far it is from the exact one."""
    dice = Dice(seed)
    start = time.perf_counter()
    fleets = [random_fleet(dice) for _ in range(number)]
    spent = time.perf_counter() - start
    drawn = sample(fleets)
    print(f"{number} random fleets, {spent / number * 1000:.2f} ms each")
    print(f"decks on the border: {drawn.border:.3f}, exact {BORDER_DECKS:.3f} (2,000 fleets: ± {BORDER_TOLERANCE})")
    print("share of fleets with a deck on the cell, exact share, z:")
    for row in range(SIZE):
        for cell in range(SIZE * row, SIZE * row + SIZE):
            share = drawn.covered[cell] / number
            print(f"  {cell_name(cell):>3} {share:.4f} {probability(cell):.4f} {drawn.z(cell):+5.2f}")
    print(f"furthest off: {cell_name(drawn.worst)}, z {drawn.z(drawn.worst):+.2f}; mean of z²: {drawn.spread:.3f}")
    print("uniform" if drawn.uniform else "NOT UNIFORM")
    return 0 if drawn.uniform else 1


def count(width: int | None, height: int | None, ships: Sequence[int] | None) -> int:
    """Counts the fleets of the small boards of the rules, or of the one given."""
    if width is not None and height is not None and ships:
        print(f"{width} x {height} {_ships(ships)}: {count_fleets(width, height, ships):,}")
        return 0
    if width is not None or height is not None or ships:
        raise ValueError("width, height and ships go together")
    different = 0
    for board_width, board_height, lengths, expected in SMALL_BOARDS:
        found = count_fleets(board_width, board_height, lengths)
        different += found != expected
        verdict = "same" if found == expected else f"DIFF, expected {expected:,}"
        print(f"{board_width} x {board_height} {_ships(lengths)}: {found:,}  {verdict}")
    return 1 if different else 0


def _ships(lengths: Sequence[int]) -> str:
    return f"{{{','.join(str(length) for length in lengths)}}}"


# --- selfplay -------------------------------------------------------------------------------------


def selfplay(number: int, seed: int) -> int:
    """Plays matches to the end; what must not happen in one is an error."""
    from engines.sea_battle.selfplay import InvariantBroken, run

    try:
        report = run(number, seed)
    except InvariantBroken as broken:
        print(f"BROKEN: {broken}")
        return 1
    print(msgspec.json.format(msgspec.json.encode(report)).decode())
    return 0


# --- replay ---------------------------------------------------------------------------------------


def replay_file(path: Path) -> int:
    """Plays a full record again, checks an open one, and prints what differs and how the match ended."""
    text = path.read_text(encoding="utf-8-sig")
    record = from_json(text) if text.lstrip().startswith("{") else read_forum(text)
    verdict = check(record)
    for difference in verdict.differences:
        print(f"DIFF  {difference}")
    kind = "full record, played again" if record.whole else "open record, checked as far as it goes"
    print(f"match {record.match}, {len(record.names)} players: {kind}")
    print(f"{len(record.lines)} lines, {verdict.turns} team turns, {len(verdict.differences)} different")
    outcome = verdict.outcome
    if outcome is None:
        print("outcome: none yet")
    else:
        winners = ", ".join(record.names[seat] for seat in outcome.winners if seat < len(record.names)) or "nobody"
        print(f"outcome: {outcome.reason}; won by {winners}")
    return 1 if verdict.differences else 0
