"""What human referees decide beside the game's own actions: the clock, newcomers, and the last act taken back.

«Решение Рефери воспринимается как закон.» Each decision is one transaction: the match, a line of its record, and
what is to be said. They are the opener of the match and the administrators of its chat; nothing here shows a fleet.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import msgspec

from engines.contract import REFEREE, dump
from referee.decisions import Admit, ClockRuling, Order, Undo, UndoRuling, check_in_time, decided, taken_back, write
from referee.host import AnyEngine, Host, Raced
from referee.planning import Change, What
from referee.play import RACES, Acted, Actor, check_referee
from referee.refusals import Refusal, Refused
from storage import matches, people
from storage.database import Connection
from storage.records import ActionKind, Match, MatchPhase, Member, Person, StoredAction, undone

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Ruling:
    """A decision on its way."""

    match: Match
    actor: Actor
    owner: str
    at: datetime
    source: str


class Authority:
    """Decisions of human referees, and the list of those who wait for a running match."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def decide(
        self, match_id: int, actor: Actor, order: Order, *, at: datetime, source: str, version: int | None = None
    ) -> Acted:
        """Do what a referee orders, at the instant `at`, by the update `source`; each update decides once.

        `version` is the match's as a button's screen knew it: two presses of one button are one decision. Raises
        Refused (NOT_REFEREE, NOT_RUNNING, STALE and what the order itself may meet) or a RuleError of the game;
        StorageError if it could not be kept. Then nothing has changed.
        """
        for _ in range(RACES):
            try:
                acted, change, chats = await self._host.db.transact(
                    partial(
                        self._decide,
                        match_id=match_id,
                        actor=actor,
                        order=order,
                        at=at,
                        source=source,
                        version=version,
                    )
                )
            except Raced:
                continue
            if change is not None:
                self._host.announce([change], chats)
            return acted
        raise Raced

    async def wait(self, match_id: int, person: Person) -> int:
        """Somebody waits for a running match. How many wait now. Who was in it, out or not, does not come again.

        Raises Refused: NOT_RUNNING, ALREADY_JOINED, WAS_IN, FULL.
        """
        async with self._host.db.transaction() as db:
            match = await self._running(db, match_id)
            members = await matches.members(db, match_id)
            mine = next((member for member in members if member.person_id == person.id), None)
            if mine is not None:
                raise Refused(Refusal.ALREADY_JOINED if mine.seat is None else Refusal.WAS_IN)
            most = self._host.engine(match).max_seats
            if len(members) >= most:
                raise Refused(Refusal.FULL, most=most)
            place = max((member.place for member in members), default=-1) + 1
            await matches.add_member(db, Member(match_id, person.id, place, None, person.name, person.username))
            change, chats = await self._reserve_changed(db, match)
        self._host.announce([change], chats)
        return len(waiting(change.members))

    async def go(self, match_id: int, person_id: int) -> None:
        """Somebody waits no more. Raises Refused: NOT_RUNNING, NOT_JOINED."""
        async with self._host.db.transaction() as db:
            match = await self._running(db, match_id)
            if person_id not in {member.person_id for member in waiting(await matches.members(db, match_id))}:
                raise Refused(Refusal.NOT_JOINED)
            await matches.remove_member(db, match_id, person_id)
            change, chats = await self._reserve_changed(db, match)
        self._host.announce([change], chats)

    async def _reserve_changed(self, db: Connection, match: Match) -> tuple[Change, set[int]]:
        """The list is no part of the record, as a lobby's is not; the version is claimed, so that nobody races."""
        if not await matches.save(db, match, expected=match.version):
            raise Raced
        change = Change(What.RESERVE, match, tuple(await matches.members(db, match.id)))
        return change, await self._host.say(db, change)

    async def _running(self, db: Connection, match_id: int) -> Match:
        match = await self._host.match(db, match_id)
        if match.phase is not MatchPhase.RUNNING or match.state is None:
            raise Refused(Refusal.NOT_RUNNING)
        return match

    async def _decide(
        self,
        db: Connection,
        *,
        match_id: int,
        actor: Actor,
        order: Order,
        at: datetime,
        source: str,
        version: int | None,
    ) -> tuple[Acted, Change | None, set[int]]:
        earlier = await matches.action_from(db, source)
        if earlier is not None:
            match = await self._host.match(db, earlier.match_id)
            events = self._host.engine(match).read_events(earlier.events)
            return Acted(match, earlier.seat, events, repeated=True), None, set()
        match = await self._running(db, match_id)
        check_referee(match, actor)
        if version is not None and version != match.version:
            raise Refused(Refusal.STALE)
        ruling = _Ruling(match, actor, await _name_of(db, actor), at, source)
        match order:
            case Admit():
                change, chats = await self._admit(db, ruling, order)
            case Undo():
                change, chats = await self._undo(db, ruling)
            case _:
                change, chats = await write(
                    self._host,
                    db,
                    match,
                    decided(match, order, ruling.owner, self._host.clock.now()),
                    order,
                    by=ruling.owner,
                    at=at,
                    person_id=actor.person_id,
                    source=source,
                )
        return Acted(change.match, REFEREE, change.events), change, chats

    async def _admit(self, db: Connection, ruling: _Ruling, order: Admit) -> tuple[Change, set[int]]:
        """The game makes the seats, and those who wait get them in the order of the list, all in one transaction."""
        match = ruling.match
        members = await matches.members(db, match.id)
        chosen = [member for member in waiting(members) if not order.people or member.person_id in order.people]
        chosen = chosen[: order.newcomers]
        if len(chosen) < order.newcomers:
            raise Refused(Refusal.NO_PAIR, needed=order.newcomers, waiting=len(waiting(members)))
        engine = self._host.engine(match)
        state, events = engine.apply(engine.read_state(match.state or ""), REFEREE, order.action)
        free = max((member.seat for member in members if member.seat is not None), default=-1) + 1
        for seat, member in enumerate(chosen, free):
            await matches.give_seat(db, match.id, member.person_id, seat)
        return await self._host.record(
            db,
            match,
            tuple(await matches.members(db, match.id)),
            state,
            events,
            what=What.ACTED,
            kind=ActionKind.ACT,
            body=dump(order.action),
            at=ruling.at,
            seat=REFEREE,
            person_id=ruling.actor.person_id,
            source=ruling.source,
        )

    async def _undo(self, db: Connection, ruling: _Ruling) -> tuple[Change, set[int]]:
        match = ruling.match
        record = await matches.actions(db, match.id)
        check_in_time(match, self._host.clock.now())
        if record[-1].kind is ActionKind.HOST:
            return await self._undo_clock(db, ruling, record[-1])
        return await self._undo_act(db, ruling, record)

    async def _undo_clock(self, db: Connection, ruling: _Ruling, last: StoredAction) -> tuple[Change, set[int]]:
        match = ruling.match
        clock = msgspec.json.decode(last.body, type=ClockRuling)
        after = taken_back(match, clock.order, self._host.clock.now())
        return await self._host.record(
            db,
            after,
            tuple(await matches.members(db, match.id)),
            self._host.engine(match).read_state(match.state or ""),
            (),
            what=What.UNDONE,
            kind=ActionKind.UNDO,
            body=dump(UndoRuling(last.n, ruling.owner, last.events, clock, after.due_at)),
            at=ruling.at,
            person_id=ruling.actor.person_id,
            source=ruling.source,
        )

    async def _undo_act(
        self, db: Connection, ruling: _Ruling, record: Sequence[StoredAction]
    ) -> tuple[Change, set[int]]:
        """The state before the last line, made again from the record; a turn that comes back gets its time anew."""
        match = ruling.match
        engine = self._host.engine(match)
        last = record[-1]
        if last.kind is not ActionKind.ACT or not engine.undoable(
            engine.read_action(last.body), engine.read_events(last.events)
        ):
            raise Refused(Refusal.NOT_UNDOABLE)
        before = replay(engine, match, record[:-1])
        if dump(engine.apply(before, last.seat, engine.read_action(last.body))[0]) != match.state:
            log.error("match %s: its record does not give its state, so nothing is taken back", match.id)
            raise Refused(Refusal.NOT_UNDOABLE)
        timer = engine.timer(before)
        return await self._host.record(
            db,
            match,
            tuple(await matches.members(db, match.id)),
            before,
            (),
            what=What.UNDONE,
            kind=ActionKind.UNDO,
            body=dump(UndoRuling(last.n, ruling.owner, last.events)),
            at=ruling.at,
            person_id=ruling.actor.person_id,
            source=ruling.source,
            fresh=timer is None or timer.key != match.timer_key,
        )


def waiting(members: Sequence[Member]) -> list[Member]:
    """Who waits in reserve for a running match, the first to come first."""
    return [member for member in members if member.seat is None]


def replay(engine: AnyEngine, match: Match, record: Sequence[StoredAction]) -> object:
    """The state that a record leads to, from the draw on; what was taken back is left out.

    Raises a RuleError if the record does not fit the rules.
    """
    gone = undone(record)
    state: object = None
    for line in record:
        if line.n in gone:
            continue
        match line.kind:
            case ActionKind.NEW:
                state, _ = engine.new(match.lots, engine.read_options(match.options), match.seed)
            case ActionKind.ACT:
                state, _ = engine.apply(state, line.seat, engine.read_action(line.body))
            case ActionKind.EXPIRE:
                state, _ = engine.expire(state)
            case ActionKind.HOST | ActionKind.UNDO:
                continue
    return state


async def _name_of(db: Connection, actor: Actor) -> str:
    if actor.person_id is None:
        return ""
    person = await people.get(db, actor.person_id)
    return str(actor.person_id) if person is None else person.name
