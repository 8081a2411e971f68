"""Time is up: once, for everyone, whoever sweeps; and what is given back after an absence."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from engines.contract import RuleError
from referee.deadlines import BATCH, GRACE, SHORT_ABSENCE
from referee.planning import Change, What
from referee.work_calendar import WEEKDAYS, WorkCalendar
from storage import matches, people
from storage.records import ActionKind, Match, MatchPhase, Pace
from tests.referee.room import CHAT, DAILY, Room, hours
from tests.toy import Out, Round, ToyEngine, Won

WORKDAYS = Pace(seconds=18 * 3600, country=WEEKDAYS, zone="UTC")
SECOND = timedelta(seconds=1)


class TestDeadlines:
    async def test_who_has_not_moved_is_out_and_the_next_clock_runs(self, room: Room) -> None:
        match = await room.running(4)
        await room.count(match, 2)
        await room.count(match, 4)
        room.clock.advance(hours(18) + GRACE)
        assert await room.deadlines.sweep() == 1
        [change] = room.planner.told(What.EXPIRED)
        assert change.events == (Out((0, 2)), Round(2))
        found = await room.stored(match)
        assert change.match == found
        assert (found.turn_started_at, found.due_at) == (room.clock.now(), room.clock.now() + hours(18))
        line = (await room.record(match))[-1]
        assert (line.kind, line.seat, line.person_id) == (ActionKind.EXPIRE, None, None)
        await room.check_replay(match)

    async def test_nothing_happens_before_the_grace_is_over(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(18) + GRACE - timedelta(milliseconds=1))
        assert await room.deadlines.sweep() == 0
        room.clock.advance(timedelta(milliseconds=1))
        assert await room.deadlines.sweep() == 1
        assert (await room.stored(match)).phase is MatchPhase.OVER

    async def test_a_move_after_the_deadline_is_refused_even_before_the_sweep(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(18) + SECOND)
        with pytest.raises(RuleError, match="too_late"):
            await room.count(match, 1)

    async def test_however_often_it_is_swept_a_deadline_is_resolved_once(self, room: Room) -> None:
        match = await room.running(4)
        await room.count(match, 1)
        await room.count(match, 2)
        room.clock.advance(hours(30))
        assert [await room.deadlines.sweep() for _ in range(4)] == [1, 0, 0, 0]
        assert len(await room.record(match)) == 4

    async def test_two_workers_sweeping_at_once_resolve_each_once(self, room: Room, other: Room) -> None:
        running = [await room.running(4, chat_id=CHAT - n) for n in range(6)]
        for match in running:
            await room.count(match, 1)
            await room.count(match, 2)
        room.clock.advance(hours(19))
        async with asyncio.timeout(20):
            done = await asyncio.gather(*(where.deadlines.sweep() for where in (room, other, room, other)))
        assert sum(done) == len(running)
        for match in running:
            assert [line.kind for line in await room.record(match)].count(ActionKind.EXPIRE) == 1
            await room.check_replay(match)

    async def test_a_move_and_the_sweep_at_once_keep_one_of_two_orders(self, room: Room, other: Room) -> None:
        match = await room.running(4)
        assert match.due_at is not None
        await room.count(match, 1)
        await room.count(match, 2)
        room.clock.advance(hours(18) + GRACE)
        await asyncio.gather(other.deadlines.sweep(), room.count(match, 3, at=match.due_at), return_exceptions=True)
        state = await room.state(match)
        assert state.alive in ((0, 1), (0, 1, 2))
        await room.check_replay(match)

    async def test_very_late_is_as_good_as_in_time(self, room: Room) -> None:
        match = await room.running(4)
        for who in (1, 2):
            await room.count(match, who)
        room.clock.advance(timedelta(days=300))
        assert await room.deadlines.sweep() == 1
        assert (await room.stored(match)).due_at == room.clock.now() + hours(18)

    async def test_a_match_that_fails_never_stops_the_others(
        self, room: Room, caplog: pytest.LogCaptureFixture
    ) -> None:
        running = [await room.running(2, chat_id=CHAT - n) for n in range(5)]
        room.planner.fails = lambda change: change.match.id in (running[0].id, running[3].id)
        room.clock.advance(hours(20))
        assert await room.deadlines.sweep() == 3
        phases = [(await room.stored(match)).phase for match in running]
        assert [phase is MatchPhase.OVER for phase in phases] == [False, True, True, False, True]
        assert caplog.text.count("could not be resolved") == 2
        room.planner.fails = lambda change: False
        assert await room.deadlines.sweep() == 2

    async def test_a_state_that_cannot_be_read_or_a_game_that_is_gone_fails_alone(
        self, room: Room, caplog: pytest.LogCaptureFixture
    ) -> None:
        spoilt, unknown, good = [await room.running(2, chat_id=CHAT - n) for n in range(3)]
        async with room.host.db.transaction() as db:
            await matches.save(db, msgspec.structs.replace(spoilt, state='{"secret'), expected=spoilt.version)
            await matches.save(db, msgspec.structs.replace(unknown, game="gone"), expected=unknown.version)
        room.clock.advance(hours(20))
        assert await room.deadlines.sweep() == 1
        assert (await room.stored(good)).phase is MatchPhase.OVER
        assert "secret" not in caplog.text

    async def test_more_than_a_batch_failing_or_waiting_holds_up_nobody(self, room: Room) -> None:
        failing = [await room.running(2, chat_id=-n) for n in range(1, BATCH + 6)]
        bad = {match.id for match in failing}
        room.clock.advance(SECOND / 2)
        last = await room.running()
        room.clock.advance(SECOND / 2)
        in_grace = [await room.running(2, chat_id=-1000 - n) for n in range(BATCH + 5)]
        room.planner.fails = lambda change: change.match.id in bad
        room.clock.advance(hours(18) + GRACE - SECOND / 2)
        assert {match.due_at for match in in_grace} == {room.clock.now() - GRACE + SECOND / 2}
        assert await room.deadlines.sweep() == 1
        assert (await room.stored(last)).phase is MatchPhase.OVER

    async def test_an_engine_that_keeps_its_key_still_gets_a_fresh_clock(self, room: Room) -> None:
        class Stubborn(ToyEngine):
            def expire(self, state):  # type: ignore[no-untyped-def]
                return state, ()

        room.host.games = {"toy": Stubborn()}
        match = await room.running()
        room.clock.advance(hours(18) + GRACE)
        assert await room.deadlines.sweep() == 1
        assert (await room.stored(match)).due_at == room.clock.now() + hours(18)

    async def test_a_match_without_a_time_limit_is_never_due(self, room: Room) -> None:
        await room.running(pace=Pace(seconds=None))
        room.clock.advance(timedelta(days=1000))
        assert await room.deadlines.sweep() == 0
        assert await room.deadlines.next_alarm() is None


class TestReminders:
    async def test_once_in_the_second_half_to_those_who_have_not_moved(self, room: Room) -> None:
        match = await room.running(4)
        await room.count(match, 2)
        room.clock.advance(hours(9))
        assert await room.deadlines.sweep() == 0
        room.clock.advance(hours(3))
        assert [await room.deadlines.sweep() for _ in range(3)] == [1, 0, 0]
        [change] = room.planner.told(What.REMINDER)
        assert change.seats == (0, 2, 3)
        assert change.match.due_at == match.due_at
        await room.count(match, 1)
        room.clock.advance(hours(5))
        assert await room.deadlines.sweep() == 0
        assert (await room.stored(match)).version == 3, "a reminder is no line of the record"

    async def test_two_workers_remind_once(self, room: Room, other: Room) -> None:
        await room.running()
        room.clock.advance(hours(12))
        done = await asyncio.gather(room.deadlines.sweep(), other.deadlines.sweep(), room.deadlines.sweep())
        assert sum(done) == 1
        assert len(room.planner.told(What.REMINDER) + other.planner.told(What.REMINDER)) == 1

    async def test_every_deadline_has_its_own(self, room: Room) -> None:
        match = await room.running(2, lowest=1000)
        for _ in range(3):
            room.clock.advance(hours(13))
            await room.deadlines.sweep()
            await room.count(match, 1)
            await room.count(match, 2)
        assert [change.seats for change in room.planner.told(What.REMINDER)] == [(0, 1)] * 3

    async def test_none_when_the_turn_went_on_before(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(11))
        await room.count(match, 1)
        await room.count(match, 2)
        room.clock.advance(hours(2))
        assert await room.deadlines.sweep() == 0

    async def test_the_deadline_itself_needs_none(self, room: Room) -> None:
        await room.running()
        room.clock.advance(hours(40))
        await room.deadlines.sweep()
        assert room.planner.told(What.REMINDER) == []

    async def test_never_on_a_day_that_does_not_count(self, room: Room) -> None:
        friday = datetime(2026, 11, 27, 20, tzinfo=UTC)
        room.clock.set_offset(friday - room.clock.now())
        match = await room.running(pace=WORKDAYS)
        assert match.remind_at == datetime(2026, 11, 30, 8, tzinfo=UTC)
        assert match.due_at == datetime(2026, 11, 30, 14, tzinfo=UTC)


class TestNextAlarm:
    async def test_it_is_the_next_reminder_or_deadline(self, room: Room) -> None:
        assert await room.deadlines.next_alarm() is None
        match = await room.running()
        assert await room.deadlines.next_alarm() == match.remind_at
        room.clock.advance(hours(12))
        await room.deadlines.sweep()
        assert await room.deadlines.next_alarm() == match.due_at

    async def test_what_failed_does_not_ring_again_at_once(self, room: Room) -> None:
        failing = await room.running()
        room.clock.advance(hours(1))
        match = await room.running(chat_id=CHAT - 1)
        room.planner.fails = lambda change: change.match.id == failing.id
        room.clock.advance(hours(17) + GRACE)
        await room.deadlines.sweep()
        assert await room.deadlines.next_alarm() == match.due_at

    async def test_a_deadline_in_its_grace_still_rings(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(18) + SECOND)
        await room.deadlines.sweep()
        assert await room.deadlines.next_alarm() == match.due_at


async def absence(room: Room, away: timedelta) -> timedelta:
    """A last heartbeat, then nothing for so long, then a start."""
    await room.deadlines.beat()
    room.clock.advance(away)
    return await room.deadlines.give_back()


class TestGivingBack:
    async def test_the_first_start_ever_gives_nothing(self, room: Room) -> None:
        match = await room.running()
        assert await room.deadlines.give_back() == timedelta(0)
        assert await room.stored(match) == match

    async def test_what_was_left_before_the_absence_is_left_after_it(self, room: Room) -> None:
        match = await room.running()
        assert match.due_at is not None
        assert match.remind_at is not None
        room.clock.advance(hours(3))
        assert await absence(room, hours(20)) == hours(20)
        found = await room.stored(match)
        assert found.due_at == room.clock.now() + hours(15)
        assert found.remind_at == room.clock.now() + hours(9)
        assert found.turn_started_at == match.turn_started_at
        [change] = room.planner.told(What.CREDIT)
        assert (change.credit_seconds, change.match) == (20 * 3600, found)
        room.clock.advance(GRACE)
        assert await room.deadlines.sweep() == 0

    async def test_it_is_given_once(self, room: Room, other: Room) -> None:
        match = await room.running()
        await absence(room, hours(5))
        later = (await room.stored(match)).due_at
        assert await room.deadlines.give_back() == timedelta(0)
        assert await other.deadlines.give_back() == timedelta(0)
        assert (await room.stored(match)).due_at == later

    async def test_two_workers_that_start_at_once_give_it_once(self, room: Room, other: Room) -> None:
        match = await room.running()
        assert match.due_at is not None
        await room.deadlines.beat()
        room.clock.advance(hours(5))
        await asyncio.gather(room.deadlines.give_back(), other.deadlines.give_back())
        assert (await room.stored(match)).due_at == match.due_at + hours(5)

    async def test_while_another_worker_was_there_nobody_was_away(self, room: Room, other: Room) -> None:
        match = await room.running()
        await room.deadlines.beat()
        room.clock.advance(hours(5))
        async with other.host.db.transaction() as db:
            await people.beat(db, "another", room.clock.now() - SECOND)
        await room.deadlines.give_back()
        assert await room.stored(match) == match

    @pytest.mark.parametrize(("away", "given"), [(SHORT_ABSENCE, False), (SHORT_ABSENCE + SECOND, True)])
    async def test_a_short_absence_gives_nothing(self, room: Room, away: timedelta, given: bool) -> None:
        match = await room.running()
        await absence(room, away)
        assert ((await room.stored(match)).due_at != match.due_at) is given

    async def test_only_time_that_counts_is_given_back(self, room: Room) -> None:
        thursday = datetime(2026, 11, 26, 20, tzinfo=UTC)
        room.clock.set_offset(thursday - room.clock.now())
        match = await room.running(pace=WORKDAYS)
        assert match.due_at == datetime(2026, 11, 27, 14, tzinfo=UTC)
        room.clock.advance(hours(14))
        await absence(room, timedelta(days=3))  # from Friday 10:00 to Monday 10:00: 14 hours and 10 hours count
        found = await room.stored(match)
        assert room.planner.told(What.CREDIT)[0].credit_seconds == 24 * 3600
        assert found.due_at == datetime(2026, 11, 30, 14, tzinfo=UTC)
        assert WorkCalendar.of(WORKDAYS).counted(room.clock.now(), found.due_at) == hours(4)

    async def test_an_absence_within_a_weekend_gives_nothing_and_says_nothing(self, room: Room) -> None:
        friday = datetime(2026, 11, 27, 20, tzinfo=UTC)
        room.clock.set_offset(friday - room.clock.now())
        match = await room.running(pace=WORKDAYS)
        room.clock.advance(hours(5))
        await absence(room, hours(40))
        assert await room.stored(match) == match
        assert room.planner.told(What.CREDIT) == []

    async def test_a_deadline_that_had_passed_before_the_absence_stays(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(18) + SECOND)
        await absence(room, hours(5))
        assert (await room.stored(match)).due_at == match.due_at
        room.clock.advance(GRACE)
        assert await room.deadlines.sweep() == 1

    async def test_a_reminder_that_was_sent_is_not_sent_again(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(12))
        await room.deadlines.sweep()
        await absence(room, hours(5))
        found = await room.stored(match)
        assert (found.due_at, found.remind_at) == (room.clock.now() + hours(6), None)

    async def test_a_match_without_a_limit_and_one_that_is_over_are_left_alone(self, room: Room) -> None:
        free = await room.running(pace=Pace(seconds=None))
        over = await room.running(chat_id=CHAT - 1)
        room.clock.advance(hours(19))
        await room.deadlines.sweep()
        over = await room.stored(over)
        await absence(room, hours(40))
        assert await room.stored(free) == free
        assert await room.stored(over) == over

    async def test_a_match_that_fails_keeps_neither_the_others_nor_the_bot_from_going_on(
        self, room: Room, caplog: pytest.LogCaptureFixture
    ) -> None:
        spoilt, silent, good = [await room.running(chat_id=CHAT - n) for n in range(3)]
        async with room.host.db.transaction() as db:
            broken = msgspec.structs.replace(spoilt, pace=msgspec.structs.replace(DAILY, zone="Mars/Olympus"))
            await matches.save(db, broken, expected=spoilt.version)

        def fails(change: Change) -> bool:
            return change.match.id == silent.id

        room.planner.fails = fails
        await absence(room, hours(5))
        assert [(await room.stored(match)).due_at for match in (spoilt, silent, good)] == [
            spoilt.due_at,
            room.clock.now() + hours(18),
            room.clock.now() + hours(18),
        ]
        assert caplog.text.count("Traceback") == 2

    @pytest.mark.parametrize("away", [timedelta(seconds=40), timedelta(hours=5)])
    async def test_moves_made_in_time_while_the_bot_restarted_come_before_the_sweep(
        self, room: Room, away: timedelta
    ) -> None:
        match = await room.running(4)
        room.clock.advance(hours(18) - timedelta(seconds=10))
        await absence(room, away)
        assert await room.deadlines.sweep() == 0
        for who in (1, 2, 3, 4):
            await room.count(match, who, at=room.clock.now() - away + timedelta(seconds=8))
        assert (await room.state(match)).round == 2

    async def test_after_the_moment_to_catch_up_the_sweep_goes_on(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(18) - timedelta(seconds=10))
        await absence(room, timedelta(seconds=40))
        assert await room.deadlines.next_alarm() == room.clock.now(), "and GRACE after it the alarm rings"
        room.clock.advance(GRACE)
        assert await room.deadlines.sweep() == 1
        assert (await room.stored(match)).phase is MatchPhase.OVER
        assert room.planner.told(What.EXPIRED)[0].events == (Out((0, 1)), Won(()))

    async def test_a_clock_set_back_gives_nothing(self, room: Room) -> None:
        match: Match = await room.running()
        assert await absence(room, -hours(5)) == timedelta(0)
        assert await room.stored(match) == match
