"""Before a match: somebody opens a lobby, people come and go, options are chosen, the lot is drawn."""

from __future__ import annotations

from datetime import datetime

import msgspec

from engines.contract import SeatInfo, dump
from referee.host import Host, Raced
from referee.planning import Change, What
from referee.play import Actor, check_referee
from referee.refusals import Refusal, Refused
from referee.work_calendar import WorkCalendar
from storage import matches, people
from storage.database import Connection
from storage.records import ActionKind, Match, MatchPhase, Member, Pace, Person


class Lobby:
    """Matches that have not begun."""

    def __init__(self, host: Host) -> None:
        self._host = host

    async def open(
        self,
        game: str,
        *,
        chat_id: int,
        thread_id: int | None,
        opener: Person,
        pace: Pace | None = None,
        options: str | None = None,
    ) -> Match:
        """Open a lobby in a chat; the opener is on its list. Raises Refused: LOBBY_OPEN, BAD_OPTION.

        `options` are those of an earlier match (JSON), for a rematch.
        """
        engine = self._host.games[game]
        pace = pace or Pace()
        check_pace(pace)
        now = self._host.clock.now()
        async with self._host.db.transaction() as db:
            for other in await matches.in_chat(db, chat_id, MatchPhase.LOBBY):
                if other.game == game and other.thread_id == thread_id:
                    raise Refused(Refusal.LOBBY_OPEN)
            match = await matches.add(
                db,
                Match(
                    id=0,
                    game=game,
                    chat_id=chat_id,
                    thread_id=thread_id,
                    opener_id=opener.id,
                    phase=MatchPhase.LOBBY,
                    version=0,
                    options=options or dump(engine.options_type()),  # type: ignore[operator]  # a class, whatever the game
                    pace=pace,
                    seed=self._host.new_seed(),
                    lots=(),
                    created_at=now,
                ),
            )
            await self._put_on_list(db, match, opener)
            change, chats = await self._changed(db, match)
        self._host.announce([change], chats)
        return match

    async def join(self, match_id: int, person: Person) -> Match:
        """Somebody comes. Raises Refused: ALREADY_JOINED, FULL, NOT_IN_LOBBY."""
        async with self._host.db.transaction() as db:
            match = await self._in_lobby(db, match_id)
            members = await matches.members(db, match_id)
            if any(member.person_id == person.id for member in members):
                raise Refused(Refusal.ALREADY_JOINED)
            most = self._host.engine(match).max_seats
            if len(members) >= most:
                raise Refused(Refusal.FULL, most=most)
            await self._put_on_list(db, match, person)
            change, chats = await self._changed(db, match)
        self._host.announce([change], chats)
        return match

    async def leave(self, match_id: int, person_id: int) -> Match:
        """Somebody goes; an empty lobby is closed. Raises Refused: NOT_JOINED, NOT_IN_LOBBY."""
        async with self._host.db.transaction() as db:
            match = await self._in_lobby(db, match_id)
            if not await matches.remove_member(db, match_id, person_id):
                raise Refused(Refusal.NOT_JOINED)
            if not await matches.members(db, match_id):
                change, chats = await self._close(db, match)
            else:
                change, chats = await self._changed(db, match)
        self._host.announce([change], chats)
        return change.match

    async def choose(
        self,
        match_id: int,
        actor: Actor,
        *,
        options: object | None = None,
        pace: Pace | None = None,
        quiet: bool = False,
    ) -> Match:
        """Choose options or the pace; with neither, only ask whether the actor may. `quiet` shows nothing in the chat.

        Raises Refused: NOT_REFEREE, NOT_IN_LOBBY, BAD_OPTION.
        """
        if pace is not None:
            check_pace(pace)
        async with self._host.db.transaction() as db:
            match = await self._in_lobby(db, match_id)
            check_referee(match, actor)
            if options is not None:
                match = msgspec.structs.replace(match, options=self._options(match, options))
            if pace is not None:
                match = msgspec.structs.replace(match, pace=pace)
            if quiet or (options is None and pace is None):
                await self._save(db, match)
                return match
            change, chats = await self._changed(db, match)
        self._host.announce([change], chats)
        return change.match

    async def cancel(self, match_id: int, actor: Actor) -> Match:
        """Close a lobby without a match. Raises Refused: NOT_REFEREE, NOT_IN_LOBBY."""
        async with self._host.db.transaction() as db:
            match = await self._in_lobby(db, match_id)
            check_referee(match, actor)
            change, chats = await self._close(db, match)
        self._host.announce([change], chats)
        return change.match

    async def start(self, match_id: int, actor: Actor, *, at: datetime) -> Match:
        """Draw the lots and begin. Who has no seat waits in reserve.

        Raises Refused: NOT_REFEREE, TOO_FEW, NOT_IN_LOBBY.
        """
        async with self._host.db.transaction() as db:
            match = await self._in_lobby(db, match_id)
            check_referee(match, actor)
            engine = self._host.engine(match)
            members = await matches.members(db, match_id)
            seats = engine.seats_for(len(members))
            if seats == 0:
                raise Refused(Refusal.TOO_FEW, needed=engine.min_seats, joined=len(members))
            lots = await self._lots(db, match, members[:seats])
            state, events = engine.new(lots, engine.read_options(match.options), match.seed)
            seated: list[Member] = []
            for seat, member in enumerate(members):
                if seat < seats:
                    await matches.give_seat(db, match_id, member.person_id, seat)
                    member = msgspec.structs.replace(member, seat=seat)
                seated.append(member)
            change, chats = await self._host.record(
                db,
                msgspec.structs.replace(match, lots=lots, phase=MatchPhase.RUNNING),
                tuple(seated),
                state,
                events,
                what=What.BEGAN,
                kind=ActionKind.NEW,
                body="{}",
                at=at,
                person_id=actor.person_id,
            )
        self._host.announce([change], chats)
        return change.match

    async def _lots(self, db: Connection, match: Match, members: list[Member]) -> tuple[SeatInfo, ...]:
        messages = await people.messages_in(db, match.chat_id)
        played = await matches.matches_played(db, match.game, [member.person_id for member in members])
        return tuple(SeatInfo(messages.get(m.person_id, 0), played.get(m.person_id, 0)) for m in members)

    async def _in_lobby(self, db: Connection, match_id: int) -> Match:
        match = await self._host.match(db, match_id)
        if match.phase is not MatchPhase.LOBBY:
            raise Refused(Refusal.NOT_IN_LOBBY)
        return match

    async def _put_on_list(self, db: Connection, match: Match, person: Person) -> None:
        places = [member.place for member in await matches.members(db, match.id)]
        await matches.add_member(
            db, Member(match.id, person.id, max(places, default=-1) + 1, None, person.name, person.username)
        )

    async def _changed(self, db: Connection, match: Match) -> tuple[Change, set[int]]:
        """Keep a lobby's change. The version stays 0, since a lobby writes no record."""
        await self._save(db, match)
        change = Change(What.LOBBY, match, tuple(await matches.members(db, match.id)))
        return change, await self._host.say(db, change)

    def _options(self, match: Match, options: object) -> str:
        """The options as they are stored. Raises Refused if they are none of this game."""
        text = dump(options)
        try:
            self._host.engine(match).read_options(text)
        except msgspec.ValidationError as error:
            raise Refused(Refusal.BAD_OPTION, reason="options") from error
        return text

    async def _save(self, db: Connection, match: Match) -> None:
        if not await matches.save(db, match, expected=match.version):
            raise Raced

    async def _close(self, db: Connection, match: Match) -> tuple[Change, set[int]]:
        closed = msgspec.structs.replace(match, phase=MatchPhase.CANCELLED, ended_at=self._host.clock.now())
        await self._save(db, closed)
        change = Change(What.CANCELLED, closed, tuple(await matches.members(db, match.id)))
        return change, await self._host.say(db, change)


def check_pace(pace: Pace) -> None:
    """Whether the settings of a pace fit together. Raises Refused BAD_OPTION with what is wrong.

    A calendar with weekends makes no sense for turns of minutes: such a turn would stand still for two days.
    """
    try:
        WorkCalendar.of(pace)
    except ValueError as error:
        raise Refused(Refusal.BAD_OPTION, reason=str(error)) from error
    if pace.seconds is None:
        return
    if not 300 <= pace.seconds <= 7 * 24 * 3600:
        raise Refused(Refusal.BAD_OPTION, reason="turn_length")
    if pace.country is not None and pace.seconds < 3600:
        raise Refused(Refusal.BAD_OPTION, reason="calendar_with_minutes")
