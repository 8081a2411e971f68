"""The record of a match of sea battle as files, from the lines that the house has stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from engines.sea_battle import ENGINE
from engines.sea_battle.forum import write_forum
from engines.sea_battle.record import Line, LineKind, Record, open_form, to_json
from handlers.decisions import ruling_text
from handlers.names import Names, clean
from handlers.records import Chronicle, Document
from handlers.sea_battle.record import events_of, expired_clock
from storage.records import ActionKind, StoredAction, undone


def documents(chronicle: Chronicle) -> Sequence[Document]:
    """Text and JSON: in full once the match is over, before that the open form."""
    record = record_of(chronicle)
    return (
        Document("text", chronicle.file_name("txt"), write_forum(record).encode()),
        Document("json", chronicle.file_name("json"), to_json(record).encode()),
    )


def record_of(chronicle: Chronicle) -> Record:
    """The record, with no more in it than may be told now. Instants are in the match's own zone."""
    match = chronicle.match
    names = Names(chronicle.members)
    seats = 1 + max((member.seat for member in chronicle.members if member.seat is not None), default=-1)
    taken_back = undone(chronicle.actions)
    state = None if match.state is None else ENGINE.read_state(match.state)
    whole = Record(
        match=match.id,
        whole=True,
        rules_version=ENGINE.rules_version if state is None else state.rules_version,
        options=ENGINE.read_options(match.options),
        names=tuple(names.plain(seat) for seat in range(seats)),
        lines=tuple(_line(action, chronicle, undone=action.n in taken_back) for action in chronicle.actions),
        seed=match.seed,
        lots=match.lots,
        outcome=None if state is None else ENGINE.outcome(state),
    )
    return whole if chronicle.whole else open_form(whole)


def _line(action: StoredAction, chronicle: Chronicle, *, undone: bool) -> Line:
    zone = ZoneInfo(chronicle.match.pace.zone)

    def local(at: datetime) -> datetime:
        return at.astimezone(zone)

    at, events = local(action.at), events_of(action)
    match action.kind:
        case ActionKind.NEW:
            return Line(at, LineKind.DRAW, events=events)
        case ActionKind.EXPIRE:
            ran = expired_clock(action)
            started, due = (None, None) if ran is None else map(local, ran)
            return Line(at, LineKind.CLOCK, events=events, started=started, due=due)
        case ActionKind.HOST | ActionKind.UNDO:
            told = ruling_text(action, chronicle.match, chronicle.words)
            note = "" if told is None else told.striptags().replace("\u2068", "").replace("\u2069", "")
            return Line(at, LineKind.NOTE, note=note, undone=undone)
        case ActionKind.ACT:
            person = None if action.seat is not None else chronicle.referees.get(action.person_id or 0)
            return Line(
                at,
                LineKind.ACT,
                seat=action.seat,
                action=ENGINE.read_action(action.body),
                events=events,
                by="" if person is None else clean(person, action.person_id or 0),
                undone=undone,
            )
