"""Somebody at the table acts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from engines.contract import REFEREE, Seat, dump
from referee.host import Host, Raced
from referee.planning import Change, What
from referee.refusals import Refusal, Refused
from storage import matches
from storage.database import Connection, to_ms
from storage.records import ActionKind, Match, MatchPhase, Member

RACES = 5
"""How often an action is tried again when other workers were faster."""


@dataclass(frozen=True)
class Actor:
    """Who is acting, as far as the host must know."""

    person_id: int | None
    """None for an anonymous administrator: never a player."""
    is_admin: bool = False
    """An administrator of the match's chat, as asked just now."""


@dataclass(frozen=True)
class Acted:
    """What came of an action."""

    match: Match
    seat: Seat | None
    events: tuple[object, ...]
    repeated: bool = False
    """This very update had acted before; nothing was done again."""


@dataclass(frozen=True)
class Look:
    """A match as somebody may see it."""

    match: Match
    members: tuple[Member, ...]
    seat: Seat | None
    view: object
    stamp: str
    """For the buttons made from this view."""


class Play:
    """Actions of seats and of the Referee on running matches."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def act(
        self,
        match_id: int,
        actor: Actor,
        action: object,
        *,
        at: datetime,
        source: str,
        as_referee: bool = False,
        stamp: str | None = None,
    ) -> Acted:
        """Do `action` for the actor's seat (or as the Referee), made at the instant `at` by the update `source`.

        The checks, in this order: does the match exist, has this update acted before, does the match run, who acts, is
        the button fresh (`stamp`), is it in time, and the rules. Raises a RuleError (of the host or the game) if
        refused, and StorageError if it could not be kept; then nothing has changed.
        """
        for _ in range(RACES):
            try:
                acted, change, chats = await self._host.db.transact(
                    partial(
                        self._act,
                        match_id=match_id,
                        actor=actor,
                        action=action,
                        at=at,
                        source=source,
                        as_referee=as_referee,
                        stamp=stamp,
                    )
                )
            except Raced:
                continue
            if change is not None:
                self._host.announce([change], chats)
            return acted
        raise Raced

    async def _act(
        self,
        db: Connection,
        *,
        match_id: int,
        actor: Actor,
        action: object,
        at: datetime,
        source: str,
        as_referee: bool,
        stamp: str | None,
    ) -> tuple[Acted, Change | None, set[int]]:
        match = await self._host.match(db, match_id)
        earlier = await matches.action_from(db, source)
        if earlier is not None and earlier.match_id != match_id:
            # Read again after a crash, a message may seem to mean another match, the first one being over by then.
            match = await self._host.match(db, earlier.match_id)
        engine = self._host.engine(match)
        if earlier is not None:
            return Acted(match, earlier.seat, engine.read_events(earlier.events), repeated=True), None, set()
        if match.phase is not MatchPhase.RUNNING or match.state is None:
            raise Refused(Refusal.NOT_RUNNING)
        members = tuple(await matches.members(db, match_id))
        if as_referee:
            check_referee(match, actor)
        seat = REFEREE if as_referee else seat_of(members, actor)
        state = engine.read_state(match.state)
        if stamp is not None and stamp != engine.stamp(state, seat):
            raise Refused(Refusal.STALE)
        if match.due_at is not None and at > match.due_at and not as_referee:
            raise Refused(Refusal.TOO_LATE, due=to_ms(match.due_at) // 1000)
        new_state, events = engine.apply(state, seat, action)
        change, chats = await self._host.record(
            db,
            match,
            members,
            new_state,
            events,
            what=What.ACTED,
            kind=ActionKind.ACT,
            body=dump(action),
            at=at,
            seat=seat,
            person_id=actor.person_id,
            source=source,
        )
        return Acted(change.match, seat, events), change, chats

    async def look(self, match_id: int, person_id: int | None) -> Look:
        """The match as this person may see it; a spectator's view for who has no seat, or for None."""
        return await self._host.db.look(partial(self.look_in, match_id=match_id, person_id=person_id))

    async def look_in(self, db: Connection, match_id: int, person_id: int | None) -> Look:
        """The same, within a transaction."""
        return await self.look_at(db, await self._host.match(db, match_id), person_id)

    async def look_at(self, db: Connection, match: Match, person_id: int | None) -> Look:
        """The same, of a match that was just read."""
        if match.state is None:
            raise Refused(Refusal.NOT_RUNNING)
        members = tuple(await matches.members(db, match.id))
        engine = self._host.engine(match)
        state = engine.read_state(match.state)
        seat = next((m.seat for m in members if person_id is not None and m.person_id == person_id), None)
        return Look(match, members, seat, engine.view(state, seat), engine.stamp(state, seat))


def seat_of(members: tuple[Member, ...], actor: Actor) -> Seat:
    """The actor's seat. Raises Refused if he has none."""
    for member in members:
        if member.person_id == actor.person_id and member.seat is not None:
            return member.seat
    raise Refused(Refusal.NOT_YOUR_MATCH)


def check_referee(match: Match, actor: Actor) -> None:
    """Raises Refused if the actor is neither the opener nor an administrator of the chat."""
    if not (actor.is_admin or (actor.person_id is not None and actor.person_id == match.opener_id)):
        raise Refused(Refusal.NOT_REFEREE)
