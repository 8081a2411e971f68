"""A record held against the rules: a full one is played again, an open one is checked for what can be known of it."""

from __future__ import annotations

from collections.abc import Iterator

from engines.contract import Outcome, RuleError, Seat, Value
from engines.sea_battle.engine import SeaBattle
from engines.sea_battle.fleet import commitment, within
from engines.sea_battle.model import (
    DraftFleet,
    Drawn,
    Ended,
    FleetDrafted,
    PairEntered,
    PlayerBack,
    PlayerOut,
    RandomFleet,
    Result,
    Revealed,
    SeaEvent,
    ShotFired,
    ShotResolved,
    Started,
    Team,
    TurnBegan,
    TurnPassed,
)
from engines.sea_battle.record import Line, LineKind, Record

_ENGINE = SeaBattle()


class Verdict(Value):
    """What came of checking a record."""

    differences: tuple[str, ...]
    """Each names the line, from 1; none: all agrees."""
    outcome: Outcome | None
    turns: int
    """Team turns that were begun."""


def check(record: Record) -> Verdict:
    """Plays a full record again, or checks an open one. Raises ValueError if it was written under other rules."""
    if record.rules_version != _ENGINE.rules_version:
        raise ValueError(f"written under rules {record.rules_version}; these are rules {_ENGINE.rules_version}")
    differences = [*_order(record)]
    outcome = record.outcome
    if record.whole:
        found, outcome = _replayed(record)
        differences += [*found, *_unsealed(record)]
    else:
        differences += _secrets(record)
        differences += _public(record)
    turns = [event.turn for event in _happened(record) if isinstance(event, TurnBegan | TurnPassed)]
    return Verdict(tuple(differences), outcome, max(turns, default=0))


def _happened(record: Record) -> Iterator[SeaEvent]:
    for line in record.lines:
        if not line.undone:
            yield from line.events


def _order(record: Record) -> Iterator[str]:
    """A draw comes first and only once. (Instants may run back a little: a move counts by its message's own time.)"""
    kinds = [line.kind for line in record.lines]
    if kinds[:1] != [LineKind.DRAW] or kinds.count(LineKind.DRAW) != 1:
        yield "line 1: a record begins with the draw, and has only one"


# --- A full record --------------------------------------------------------------------------------


def _replayed(record: Record) -> tuple[list[str], Outcome | None]:
    """Line by line; what differs, and the outcome that the rules give. Ends at the first line that they refuse."""
    differences: list[str] = []
    state, events = _ENGINE.new(record.lots, record.options, record.seed)
    for number, line in enumerate(record.lines, 1):
        if line.undone:
            continue  # the match went on as if it had not been
        try:
            match line.kind:
                case LineKind.DRAW:
                    pass
                case LineKind.NOTE:
                    continue
                case LineKind.CLOCK:
                    state, events = _ENGINE.expire(state)
                case LineKind.ACT:
                    if line.action is None:
                        return [*differences, f"line {number}: nothing was done in it"], _ENGINE.outcome(state)
                    state, events = _ENGINE.apply(state, line.seat, line.action)
        except RuleError as refusal:
            differences.append(f"line {number}: the rules refuse it ({refusal.code})")
            return differences, _ENGINE.outcome(state)
        differences += _compared(number, line, events)
    outcome = _ENGINE.outcome(state)
    if outcome != record.outcome:
        differences.append(f"the end: {_told(record.outcome)} in the record, {_told(outcome)} by the rules")
    return differences, outcome


def _compared(number: int, line: Line, events: tuple[SeaEvent, ...]) -> Iterator[str]:
    for place in range(max(len(events), len(line.events))):
        recorded, played = line.events[place : place + 1], events[place : place + 1]
        if recorded != played:
            yield f"line {number}: {_one(recorded)} in the record, {_one(played)} by the rules"


def _one(events: tuple[SeaEvent, ...]) -> str:
    return repr(events[0]) if events else "nothing"


def _told(outcome: Outcome | None) -> str:
    return "no outcome" if outcome is None else f"{outcome.reason}, winners {list(outcome.winners)}"


def _unsealed(record: Record) -> Iterator[str]:
    """Revealed fleets whose seal is another than the one published. It needs no engine, only SHA-256."""
    seals: dict[Seat, str] = {}
    for event in _happened(record):
        match event:
            case Started(hashes=hashes):
                seals.update(enumerate(hashes))
            case PairEntered(red=red, blue=blue, hashes=(one, other)):
                seals |= {red: one, blue: other}
            case Revealed(fleets=fleets, salts=salts):
                for seat, (fleet, salt) in enumerate(zip(fleets, salts, strict=False)):
                    sealed = all(map(within, fleet)) and commitment(fleet, salt) == seals.get(seat)
                    if seals.get(seat) and not sealed:
                        yield f"seat {seat}: the fleet revealed is not the one that was sealed"
            case _:
                pass


# --- An open record -------------------------------------------------------------------------------


def _secrets(record: Record) -> Iterator[str]:
    if record.seed or record.lots:
        yield "an open record holds the seed or the lots"
    for number, line in enumerate(record.lines, 1):
        if isinstance(line.action, DraftFleet | RandomFleet) or any(
            isinstance(event, FleetDrafted | Revealed) for event in line.events
        ):
            yield f"line {number}: an open record shows where ships are, or were being, placed"


def _public(record: Record) -> Iterator[str]:
    """What must hold whatever the fleets are: turns, shots, results, who is out."""
    teams: dict[Seat, Team] = {}
    first: Team | None = None
    turn = 0
    barred: tuple[Seat, ...] = ()
    shot: set[Seat] = set()
    out: set[Seat] = set()
    fired: dict[tuple[Seat, int], Seat] = {}
    results: dict[tuple[Seat, int], Result] = {}
    over = False
    for number, line in enumerate(record.lines, 1):
        if line.undone:
            continue
        for event in line.events:
            if over:
                yield f"line {number}: something happened after the end"
            match event:
                case Drawn():
                    teams = dict.fromkeys(event.red, Team.RED) | dict.fromkeys(event.blue, Team.BLUE)
                    first = event.first
                case PairEntered():
                    teams |= {event.red: Team.RED, event.blue: Team.BLUE}
                case TurnBegan() | TurnPassed():
                    turn += 1
                    mover = first if turn % 2 or first is None else first.enemy
                    if (event.turn, event.team) != (turn, mover):
                        yield f"line {number}: turn {event.turn} of {event.team} out of order"
                    barred = event.barred if isinstance(event, TurnBegan) else ()
                    shot = set()
                case ShotFired():
                    at = event.target, event.cell
                    if at in fired:
                        yield f"line {number}: this cell was shot at before"
                    if event.shooter in shot or event.shooter in barred or event.shooter in out or event.by in out:
                        yield f"line {number}: seat {event.shooter} may not shoot"
                    if teams.get(event.shooter) == teams.get(event.target) or event.target in out:
                        yield f"line {number}: seat {event.target} is no target"
                    shot.add(event.shooter)
                    fired[at] = event.shooter
                case ShotResolved():
                    at = event.target, event.cell
                    if fired.get(at) != event.shooter or at in results:
                        yield f"line {number}: a result without its shot"
                    results[at] = event.result
                    decks = [results.get((event.target, cell), Result.MISS) for cell in event.sunk]
                    if (event.result is Result.SUNK) != bool(decks) or Result.MISS in decks:
                        yield f"line {number}: a ship was sunk that was not hit all over"
                case PlayerOut():
                    if event.seat in out:
                        yield f"line {number}: seat {event.seat} was out already"
                    out.add(event.seat)
                case PlayerBack():
                    out.discard(event.seat)
                case Ended():
                    over = True
                case _:
                    pass
