"""A record as a text such as players kept on forums, which `read_forum` reads back to the same record.

    [2027-03-05 16:04:11+03:00] ZimA: То Адвокат - А4
    [2027-03-05 16:05:37+03:00] За Юнга: То Mirra - Г6 (Адмирал ZimA)
    КРАСНЫЕ СДЕЛАЛИ ХОД (ход 1)
    Адвокат: - мимо (ZimA, А4)

A line in brackets is an act; the lines below it are what came of it. An act or event for which there is no phrase (a
draft with faults, for example) is written as JSON. Names that could be mistaken for something else are quoted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, cast

import msgspec

from engines.contract import Outcome, Seat, SeatInfo, dump
from engines.sea_battle.forum_words import TONGUES, Tongue, reserved
from engines.sea_battle.model import Columns, SeaAction, SeaEvent, SeaOptions, Shoot, ShotFired, TurnBegan, Withdrawn
from engines.sea_battle.phrases import NONE, QUOTED, Book, Calls, Form, choice, forms, name_in
from engines.sea_battle.record import Line, LineKind, Record

_EACH_NAME: Final = re.compile(rf"({QUOTED}(?:#\d+)?|[^,\"]+)(?:, |$)")
_ACT: Final = re.compile(rf"\[(\S+ \S+?)(?: · ({QUOTED}))?(?: · (\w+))?\] (.*)", re.DOTALL)
_LONGEST: Final = 20_000_000
"""Characters of a text that is read."""


class ForumError(ValueError):
    """A text is no record; the message names the line."""


def write_forum(record: Record) -> str:
    """The record as text. Raises ValueError for a record in which seats act that nobody has."""
    tongue = TONGUES[record.options.columns]
    heads = tongue.heads
    scribe = _Scribe(record.names, record.options.columns)
    header = {
        heads.record: heads.whole if record.whole else heads.open,
        heads.rules: str(record.rules_version),
        heads.options: dump(record.options),
        heads.players: ", ".join(scribe.calls.write(seat) for seat in range(len(record.names))) or NONE,
        heads.lots: dump(record.lots),
        heads.seed: json.dumps(record.seed, ensure_ascii=False),
        heads.outcome: NONE if record.outcome is None else dump(record.outcome),
    }
    text = [f"{heads.title}{record.match}", *(f"{name}: {value}" for name, value in header.items()), ""]
    for line in record.lines:
        text.extend(scribe.write(line))
    return "\n".join(text) + "\n"


def read_forum(text: str) -> Record:
    """What `write_forum` wrote; empty lines and spaces at the ends of lines do not matter. Raises ForumError."""
    if len(text) > _LONGEST:
        raise ForumError("the text is too long")
    numbered = _logical(text)
    tongue = next((each for each in TONGUES.values() if numbered and numbered[0][1].startswith(each.heads.title)), None)
    if tongue is None:
        raise ForumError("line 1: not the title of a record")
    start = next((index for index, (_, line) in enumerate(numbered) if line.startswith("[")), len(numbered))
    try:
        record = _read_header([line for _, line in numbered[:start]], tongue)
    except (ValueError, LookupError, msgspec.MsgspecError) as error:
        raise ForumError(f"the header: {error}") from error
    scribe = _Scribe(record.names, record.options.columns)
    acts: list[tuple[Line, ShotFired | None, list[SeaEvent]]] = []
    for number, line in numbered[start:]:
        try:
            if line.startswith("["):
                acts.append((*scribe.read_act(line), []))
            else:
                acts[-1][2].append(scribe.read_event(line))
        except (ValueError, LookupError, msgspec.MsgspecError) as error:
            raise ForumError(f"line {number}: {error}") from error
    lines = tuple(msgspec.structs.replace(act, events=_with_shot(shot, tuple(told))) for act, shot, told in acts)
    return msgspec.structs.replace(record, lines=lines)


def _logical(text: str) -> list[tuple[int, str]]:
    """Lines with their numbers from 1, without empty ones; what begins with two spaces belongs to the line above."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"), 1):
        kept = line.rstrip(" \t")
        if kept.startswith("  ") and found:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{kept}")
        elif kept:
            found.append((number, kept))
    return found


def _read_header(lines: Sequence[str], tongue: Tongue) -> Record:
    heads = tongue.heads
    values = dict(line.split(": ", 1) for line in lines[1:])
    names = [] if values[heads.players] == NONE else _EACH_NAME.findall(values[heads.players])
    options = msgspec.json.decode(values[heads.options], type=SeaOptions)
    if TONGUES[options.columns] is not tongue:
        raise ValueError("the letters over the board are not those of this language")
    outcome = values[heads.outcome]
    if values[heads.record] not in (heads.whole, heads.open):
        raise ValueError(f"{heads.record}: {heads.whole}, {heads.open}")
    return Record(
        match=int(lines[0].removeprefix(heads.title)),
        whole=values[heads.record] == heads.whole,
        rules_version=int(values[heads.rules]),
        options=options,
        names=tuple(map(name_in, names)),
        lines=(),
        seed=msgspec.json.decode(values[heads.seed], type=str),
        lots=msgspec.json.decode(values[heads.lots], type=tuple[SeatInfo, ...]),
        outcome=None if outcome == NONE else msgspec.json.decode(outcome, type=Outcome),
    )


class _Scribe:
    """Writes and reads the lines of one record."""

    def __init__(self, names: Sequence[str], columns: Columns) -> None:
        self._tongue = TONGUES[columns]
        self.calls = Calls(names, _reserved(columns))
        known = forms(self.calls, columns)
        known |= {name: choice(words) for name, words in self._tongue.choices.items()}
        known["two"] = _two(known["seal"])
        self._acts = Book(self._tongue.acts, known)
        self._events = Book(self._tongue.events, known)

    # --- Writing ---

    def write(self, line: Line) -> Iterator[str]:
        heads = self._tongue.heads
        said, told = self._said(line)
        by = f" · {json.dumps(line.by, ensure_ascii=False)}" if line.by else ""
        undone = f" · {heads.undone}" if line.undone else ""
        yield f"[{_instant(line.at)}{by}{undone}] {said}"
        for event in told:
            if isinstance(event, TurnBegan):
                yield ""
            yield self._events.write(event) or dump(event)

    def _said(self, line: Line) -> tuple[str, Iterable[SeaEvent]]:
        """The act in words, and the events that these words do not tell."""
        heads = self._tongue.heads
        match line.kind:
            case LineKind.DRAW:
                return heads.draw, line.events
            case LineKind.CLOCK if line.started is not None and line.due is not None:
                ran = f"{heads.clock_from} {_instant(line.started)} {heads.clock_to} {_instant(line.due)}"
                return f"{heads.clock}: {ran}", line.events
            case LineKind.CLOCK:
                return heads.clock, line.events
            case LineKind.NOTE:
                return f"{heads.note}: {json.dumps(line.note, ensure_ascii=False)}", line.events
            case LineKind.ACT:
                shot = _shot(line.seat, line.action)
                told = tuple(event for event in line.events if event != shot)
                said = self._acts.write(line.action, me=line.seat)
                if said is not None and _with_shot(shot, told) == line.events:
                    return said, told
                who = heads.referee if line.seat is None else self.calls.write(line.seat)
                return f"{who}: {dump(line.action)}", line.events

    # --- Reading ---

    def read_act(self, text: str) -> tuple[Line, ShotFired | None]:
        """The act, and the shot that its words tell (as JSON it tells none: then the event stands below)."""
        heads = self._tongue.heads
        found = _ACT.fullmatch(text)
        if found is None:
            raise ValueError("not an act: [INSTANT] …")
        at, by, undone, said = datetime.fromisoformat(found[1]), found[2], found[3], found[4]
        if at.tzinfo is None:
            raise ValueError("an instant without its offset from UTC")
        if undone not in (None, heads.undone):
            raise ValueError(f"not a word of a record: {undone}")
        line, shot = self._read_said(at, said)
        by_name = "" if by is None else msgspec.json.decode(by, type=str)
        return msgspec.structs.replace(line, by=by_name, undone=undone is not None), shot

    def _read_said(self, at: datetime, said: str) -> tuple[Line, ShotFired | None]:
        heads = self._tongue.heads
        if said == heads.draw:
            return Line(at, LineKind.DRAW), None
        if said == heads.clock:
            return Line(at, LineKind.CLOCK), None
        ran = re.fullmatch(rf"{heads.clock}: {heads.clock_from} (\S+ \S+) {heads.clock_to} (\S+ \S+)", said)
        if ran is not None:
            started, due = map(datetime.fromisoformat, ran.groups())
            return Line(at, LineKind.CLOCK, started=started, due=due), None
        if said.startswith(f"{heads.note}: "):
            note = msgspec.json.decode(said.removeprefix(f"{heads.note}: "), type=str)
            return Line(at, LineKind.NOTE, note=note), None
        read = self._acts.read(said, ("me",))
        if read is not None:
            action, seat = cast("SeaAction | None", read[0]), cast("Seat | None", read[1]["me"])
            return Line(at, LineKind.ACT, seat, action), _shot(seat, action)
        found = re.fullmatch(rf"({QUOTED}(?:#\d+)?|[^:]+): (\{{.*\}}|null)", said)
        if found is None:
            raise ValueError(f"not an act: {said}")
        who = None if found[1] == heads.referee else self.calls.read(found[1])
        return Line(at, LineKind.ACT, who, msgspec.json.decode(found[2], type=SeaAction | None)), None

    def read_event(self, text: str) -> SeaEvent:
        if text.startswith("{"):
            return msgspec.json.decode(text, type=SeaEvent)
        read = self._events.read(text)
        if read is None:
            raise ValueError(f"not an event: {text}")
        return cast(SeaEvent, read[0])


def _shot(seat: Seat | None, action: SeaAction | None) -> ShotFired | None:
    """The event that the words of a shot tell."""
    if not isinstance(action, Shoot) or seat is None:
        return None
    return ShotFired(seat if action.on_behalf is None else action.on_behalf, seat, action.target, action.cell)


def _with_shot(shot: ShotFired | None, told: tuple[SeaEvent, ...]) -> tuple[SeaEvent, ...]:
    """All events of an act: its shot comes first, but for a delegation that this very shot takes back."""
    first = 1 if isinstance(next(iter(told), None), Withdrawn) else 0
    return told if shot is None else (*told[:first], shot, *told[first:])


def _instant(at: datetime) -> str:
    return at.isoformat(" ", "milliseconds" if at.microsecond and at.microsecond % 1000 == 0 else "auto")


def _two(seal: Form) -> Form:
    """The seals of a pair."""

    def write(value: object) -> str:
        if not isinstance(value, tuple) or len(value) != 2:
            raise ValueError("not two seals")
        return ", ".join(map(seal.write, value))

    return Form(f"(?:{seal.pattern}), (?:{seal.pattern})", write, lambda text: tuple(map(seal.read, text.split(", "))))


@lru_cache
def _reserved(columns: Columns) -> set[str]:
    return reserved(TONGUES[columns])
