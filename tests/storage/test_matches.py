"""Matches, lists and records come back as they were stored, and are found by what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.contract import SeatInfo
from storage import matches
from storage.database import Database, StorageError
from storage.records import ActionKind, Match, MatchPhase, Member, Pace, Pause, StoredAction
from storage.sqlite import SqliteDatabase

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def a_match(**changes: object) -> Match:
    plain = Match(
        id=0,
        game="toy",
        chat_id=-100,
        thread_id=None,
        opener_id=1,
        phase=MatchPhase.LOBBY,
        version=0,
        options="{}",
        pace=Pace(),
        seed="5eed",
        lots=(),
        created_at=NOON,
    )
    return msgspec.structs.replace(plain, **changes)


async def added(db: Database, **changes: object) -> Match:
    async with db.transaction() as change:
        return await matches.add(change, a_match(**changes))


async def stored(db: Database, match_id: int) -> Match | None:
    async with db.reading() as asked:
        return await matches.get(asked, match_id)


numbers = st.integers(-(2**62), 2**62)
instants = st.datetimes(datetime(1971, 1, 1), datetime(2200, 1, 1)).map(  # noqa: DTZ001  # made aware at once
    lambda at: at.replace(microsecond=at.microsecond // 1000 * 1000, tzinfo=UTC)
)
some_matches = st.builds(
    Match,
    id=st.just(0),
    game=st.text(),
    chat_id=numbers,
    thread_id=st.none() | numbers,
    opener_id=numbers,
    phase=st.sampled_from(MatchPhase),
    version=st.integers(0, 2**31),
    options=st.text(),
    pace=st.builds(
        Pace,
        seconds=st.none() | st.integers(1, 2**31),
        country=st.none() | st.text(),
        zone=st.text(),
        days_off=st.lists(st.text()).map(tuple),
    ),
    seed=st.text(),
    lots=st.lists(st.builds(SeatInfo, messages=st.integers(0, 2**31), matches=st.integers(0, 2**31))).map(tuple),
    created_at=instants,
    state=st.none() | st.text(),
    timer_key=st.none() | st.text(),
    turn_started_at=st.none() | instants,
    due_at=st.none() | instants,
    remind_at=st.none() | instants,
    ended_at=st.none() | instants,
    pause=st.none()
    | st.builds(
        Pause,
        owner=st.text(),
        reason=st.text(),
        since=instants,
        until=instants,
        left_ms=st.none() | st.integers(0, 2**53),
        remind_ms=st.none() | st.integers(0, 2**53),
    ),
)


@given(some_matches, some_matches)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
async def test_any_match_comes_back_as_it_was_added_and_as_it_was_saved(first: Match, then: Match) -> None:
    with TemporaryDirectory() as folder:
        db = await SqliteDatabase.open(Path(folder) / "bot.db")
        try:
            async with db.transaction() as change:
                match = await matches.add(change, first)
                assert match == msgspec.structs.replace(first, id=match.id)
                assert await matches.get(change, match.id) == match
                changed = msgspec.structs.replace(then, id=match.id)
                assert await matches.save(change, changed, expected=match.version)
                assert await matches.get(change, match.id) == changed
        finally:
            await db.close()


async def test_a_match_is_only_saved_over_the_version_that_was_read(db: Database) -> None:
    match = await added(db)
    async with db.transaction() as change:
        later = msgspec.structs.replace(match, version=1, state="1")
        assert await matches.save(change, later, expected=0)
        assert not await matches.save(change, msgspec.structs.replace(match, version=1, state="2"), expected=0)
    assert await stored(db, match.id) == later


@pytest.mark.parametrize("number", [0, -1, 10**30, -(10**30), 12345])
async def test_a_number_that_no_match_has_gives_none_whatever_its_size(db: Database, number: int) -> None:
    await added(db)
    assert await stored(db, number) is None


async def test_numbers_of_matches_are_never_given_again(db: Database) -> None:
    match = await added(db)
    async with db.transaction() as change:
        await change.fetch("DELETE FROM matches WHERE id = ? RETURNING id", match.id)
    assert (await added(db)).id > match.id


async def test_matches_are_found_by_chat_and_phase_and_by_person(db: Database) -> None:
    lobby = await added(db)
    running = await added(db, phase=MatchPhase.RUNNING)
    await added(db, phase=MatchPhase.OVER)
    elsewhere = await added(db, chat_id=-200)
    async with db.transaction() as change:
        for match in (running, elsewhere):
            await matches.add_member(change, Member(match.id, 7, 0, None, "Seven", None))
        assert await matches.in_chat(change, -100, MatchPhase.RUNNING, MatchPhase.LOBBY) == [lobby, running]
        assert await matches.of_person(change, 7, MatchPhase.RUNNING, MatchPhase.LOBBY) == [running, elsewhere]
        assert await matches.of_person(change, 7, MatchPhase.OVER) == []
        assert await matches.of_person(change, 8, MatchPhase.LOBBY) == []


async def test_the_list_keeps_its_order_and_its_names(db: Database) -> None:
    match = await added(db)
    people = [
        Member(match.id, 30, 0, None, "", None),
        Member(match.id, 10, 1, None, "<b>Ё\u202e", "x"),
        Member(match.id, 20, 2, None, "B", "y"),
    ]
    async with db.transaction() as change:
        for member in reversed(people):
            await matches.add_member(change, member)
        assert await matches.members(change, match.id) == people
        await matches.give_seat(change, match.id, 10, 4)
        assert await matches.remove_member(change, match.id, 30)
        assert not await matches.remove_member(change, match.id, 30)
        seated = msgspec.structs.replace(people[1], seat=4)
        assert await matches.members(change, match.id) == [seated, people[2]]


def an_action(match: Match, n: int, source: str | None = None) -> StoredAction:
    return StoredAction(match.id, n, ActionKind.ACT, 0, 1, f'{{"n":{n}}}', "[]", NOON + timedelta(seconds=n), source)


async def test_the_record_comes_back_in_order_whole_or_in_part(db: Database) -> None:
    match = await added(db)
    lines = [
        StoredAction(match.id, 1, ActionKind.NEW, None, None, "{}", "[]", NOON),
        an_action(match, 2, "g-100:5"),
        StoredAction(match.id, 3, ActionKind.EXPIRE, None, None, "{}", '["x"]', NOON + timedelta(days=1)),
    ]
    async with db.transaction() as change:
        for line in lines:
            await matches.add_action(change, line)
        assert await matches.actions(change, match.id) == lines
        assert await matches.actions(change, match.id, 2) == lines[1:]
        assert await matches.actions_numbered(change, match.id, [3, 1]) == [lines[0], lines[2]]
        assert await matches.actions_numbered(change, match.id, []) == []
        assert await matches.action_from(change, "g-100:5") == lines[1]
        assert await matches.action_from(change, "g-100:6") is None


@pytest.mark.parametrize("which", ["the same line", "the same update in another match"])
async def test_neither_a_line_nor_an_update_is_recorded_twice(db: Database, which: str) -> None:
    one, other = await added(db), await added(db)
    async with db.transaction() as change:
        await matches.add_action(change, an_action(one, 1, "u1"))
    second = an_action(one, 1, "u2") if which == "the same line" else an_action(other, 1, "u1")

    async def again() -> None:
        async with db.transaction() as change:
            await matches.add_action(change, second)

    with pytest.raises(StorageError):
        await again()


@dataclass(frozen=True)
class Clocks:
    """Minutes after noon."""

    due: int | None
    remind: int | None
    phase: MatchPhase = MatchPhase.RUNNING


async def with_clocks(db: Database, *clocks: Clocks) -> list[int]:
    def at(minutes: int | None) -> datetime | None:
        return None if minutes is None else NOON + timedelta(minutes=minutes)

    return [(await added(db, due_at=at(c.due), remind_at=at(c.remind), phase=c.phase)).id for c in clocks]


async def test_what_is_due_comes_most_overdue_first_and_each_match_once(db: Database) -> None:
    ids = await with_clocks(
        db,
        Clocks(60, 40),
        Clocks(3, 2),
        Clocks(9, 1),
        Clocks(None, None),
        Clocks(100, 5),
        Clocks(1, 0, MatchPhase.OVER),
        Clocks(1, None, MatchPhase.CANCELLED),
    )
    moment = NOON + timedelta(minutes=10)
    async with db.reading() as asked:
        assert await matches.due(asked, deadline=moment, reminder=moment, limit=9) == [ids[1], ids[4], ids[2]]
        assert await matches.due(asked, deadline=moment, reminder=moment, limit=2) == [ids[1], ids[4]]
        assert await matches.due(asked, deadline=moment, reminder=NOON, limit=9) == [ids[1], ids[2]]
        assert await matches.due(asked, deadline=NOON, reminder=moment, limit=9) == [ids[4]], "too late to remind"
        assert await matches.due(asked, deadline=NOON, reminder=NOON, limit=9) == []


async def test_the_next_instants_are_those_of_running_matches_after_a_given_one(db: Database) -> None:
    await with_clocks(db, Clocks(60, 40), Clocks(3, 2), Clocks(1, 1, MatchPhase.OVER))
    async with db.reading() as asked:
        assert await matches.next_due(asked, NOON) == NOON + timedelta(minutes=3)
        assert await matches.next_due(asked, NOON + timedelta(minutes=3)) == NOON + timedelta(minutes=60)
        assert await matches.next_due(asked, NOON + timedelta(minutes=60)) is None
        assert await matches.next_reminder(asked, NOON) == NOON + timedelta(minutes=2)
        assert await matches.next_reminder(asked, NOON + timedelta(minutes=40)) is None


async def test_only_matches_played_to_the_end_from_a_seat_count(db: Database) -> None:
    over = MatchPhase.OVER
    for game, phase, seat in [("toy", over, 0), ("toy", over, 1), ("toy", over, None), ("dice", over, 0)]:
        match = await added(db, game=game, phase=phase)
        async with db.transaction() as change:
            await matches.add_member(change, Member(match.id, 7, 0, seat, "A", None))
    running = await added(db, phase=MatchPhase.RUNNING)
    async with db.transaction() as change:
        await matches.add_member(change, Member(running.id, 7, 0, 0, "A", None))
        assert await matches.matches_played(change, "toy", [7, 8]) == {7: 2}
        assert await matches.matches_played(change, "toy", []) == {}


async def test_the_match_that_ended_last_is_that_of_the_topic_where_there_is_one(db: Database) -> None:
    over = MatchPhase.OVER
    here, topic, late, _ = [
        await added(db, phase=phase, thread_id=thread)
        for phase, thread in ((over, None), (over, 5), (over, 6), (MatchPhase.RUNNING, 5))
    ]
    await added(db, phase=over, chat_id=-200)
    async with db.transaction() as change:
        await matches.add_member(change, Member(here.id, 7, 0, 0, "A", None))
        await matches.add_member(change, Member(topic.id, 7, 0, None, "A", None))
        assert await matches.last_over(change, chat_id=-100, thread_id=5) == topic
        assert await matches.last_over(change, chat_id=-100) == late
        assert await matches.last_over(change, chat_id=-300) is None
        assert await matches.last_over(change, person_id=7) == here, "from a seat, not from the reserve"
        assert await matches.last_over(change, person_id=8) is None
