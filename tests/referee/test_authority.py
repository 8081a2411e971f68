"""What human referees decide: each with its right, its line in the record, its clock; and nothing lost by a pause."""

from __future__ import annotations

import itertools
from datetime import UTC, date, datetime, timedelta

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engines.contract import RuleError
from referee.deadlines import GRACE
from referee.decisions import (
    LONGEST,
    Admit,
    ClockRuling,
    DayOff,
    GiveTime,
    Order,
    Resume,
    StopClock,
    Undo,
    UndoRuling,
    decided,
    resumed,
)
from referee.planning import What
from referee.play import Acted, Actor
from referee.work_calendar import WEEKDAYS, WorkCalendar
from storage.records import ActionKind, Match, MatchPhase, Pace
from tests.referee.room import DAILY, TUESDAY, Room, hours, person
from tests.toy import Count, Out, Remove, Round, Welcome

WORKDAYS = Pace(seconds=18 * 3600, country=WEEKDAYS, zone="UTC")
DAY = 24 * 3600
OPENER = Actor(1)
ADMIN = Actor(99, is_admin=True)
ANONYMOUS = Actor(None, is_admin=True)
_sources = itertools.count()


async def decide(room: Room, match: Match, order: Order, actor: Actor = OPENER, version: int | None = None) -> Acted:
    return await room.authority.decide(
        match.id, actor, order, at=room.clock.now(), source=f"r{next(_sources)}", version=version
    )


async def removed(room: Room, match: Match, seat: int) -> Acted:
    return await room.play.act(
        match.id, OPENER, Remove(seat), at=room.clock.now(), source=f"r{next(_sources)}", as_referee=True
    )


ORDERS: dict[str, Order] = {
    "time": GiveTime(3600),
    "day off": DayOff(date(2026, 11, 27)),
    "pause": StopClock(DAY, "the ferry"),
    "resume": Resume(),
    "admit": Admit(Welcome(2)),
    "undo": Undo(),
}


async def ready_for(room: Room, name: str) -> Match:
    """A match in which this order would be carried out."""
    match = await room.running(2 if name == "admit" else 4)
    if name == "resume":
        await decide(room, match, StopClock(DAY, ""))
    if name == "admit":
        await room.authority.wait(match.id, person(5))
        await room.authority.wait(match.id, person(6))
    if name == "undo":
        await removed(room, match, 3)
    return match


class TestRights:
    @pytest.mark.parametrize("name", ORDERS)
    @pytest.mark.parametrize("actor", [OPENER, ADMIN, ANONYMOUS], ids=["opener", "administrator", "anonymous"])
    async def test_the_opener_and_administrators_may(self, room: Room, name: str, actor: Actor) -> None:
        match = await ready_for(room, name)
        before = len(await room.record(match))
        await decide(room, match, ORDERS[name], actor)
        record = await room.record(match)
        assert len(record) == before + 1
        assert record[-1].person_id == actor.person_id
        await room.check_replay(match)

    @pytest.mark.parametrize("name", ORDERS)
    @pytest.mark.parametrize("actor", [Actor(2), Actor(77), Actor(None)], ids=["player", "stranger", "nobody"])
    async def test_players_and_strangers_may_not(self, room: Room, name: str, actor: Actor) -> None:
        match = await ready_for(room, name)
        before = await room.everything()
        with pytest.raises(RuleError, match="not_referee"):
            await decide(room, match, ORDERS[name], actor)
        assert await room.everything() == before

    @pytest.mark.parametrize("name", ORDERS)
    async def test_no_order_reaches_a_match_that_does_not_run(self, room: Room, name: str) -> None:
        match = await room.in_lobby()
        with pytest.raises(RuleError, match="not_running"):
            await decide(room, match, ORDERS[name])

    async def test_an_update_decides_once(self, room: Room) -> None:
        match = await room.running()
        for repeated in (False, True):
            acted = await room.authority.decide(match.id, OPENER, GiveTime(3600), at=TUESDAY, source="g1:1")
            assert acted.repeated is repeated
        assert (await room.stored(match)).due_at == TUESDAY + hours(19)

    async def test_a_button_decides_once_however_often_it_is_pressed(self, room: Room) -> None:
        match = await room.running()
        await decide(room, match, GiveTime(3600), version=match.version)
        with pytest.raises(RuleError, match="stale"):
            await decide(room, match, GiveTime(3600), version=match.version)


class TestTime:
    async def test_given_time_moves_deadline_and_reminder_and_is_recorded(self, room: Room) -> None:
        match = await room.running()
        await decide(room, match, GiveTime(6 * 3600))
        found = await room.stored(match)
        assert (found.due_at, found.remind_at) == (TUESDAY + hours(24), TUESDAY + hours(18))
        line = (await room.record(match))[-1]
        assert (line.kind, line.n) == (ActionKind.HOST, found.version)
        ruling = msgspec.json.decode(line.body, type=ClockRuling)
        assert ruling == ClockRuling(GiveTime(6 * 3600), "1", TUESDAY + hours(18), TUESDAY + hours(24))
        [change] = room.planner.told(What.CLOCK)
        assert (change.n, change.match) == (line.n, found)

    @pytest.mark.parametrize("seconds", [-1, 0, 59, 14 * DAY + 1, 10**30])
    async def test_unreasonable_lengths_are_refused(self, room: Room, seconds: int) -> None:
        match = await room.running()
        for order in (GiveTime(seconds), StopClock(seconds, "")):
            with pytest.raises(RuleError, match="bad_length"):
                await decide(room, match, order)

    async def test_without_a_clock_no_time_can_be_given(self, room: Room) -> None:
        match = await room.running(pace=Pace(seconds=None, country=None, zone="UTC"))
        with pytest.raises(RuleError, match="no_clock"):
            await decide(room, match, GiveTime(3600))

    @pytest.mark.parametrize("order", [GiveTime(3600), StopClock(DAY, ""), DayOff(date(2026, 11, 27))])
    async def test_nobody_is_saved_after_the_deadline(self, room: Room, order: Order) -> None:
        match = await room.running()
        room.clock.advance(hours(18) + timedelta(seconds=1))
        with pytest.raises(RuleError, match="too_late"):
            await decide(room, match, order)

    async def test_the_alarm_follows_at_once(self, room: Room) -> None:
        told: list[datetime | None] = []
        room.host.rescheduled = told.append
        match = await room.running()
        await decide(room, match, StopClock(DAY, ""))
        assert told[-1] == TUESDAY + hours(24)


class TestDaysOff:
    async def test_a_day_off_ahead_is_left_out(self, room: Room) -> None:
        match = await room.running(pace=WORKDAYS)  # Tuesday 9:00 until Wednesday 3:00
        await decide(room, match, DayOff(date(2026, 11, 25)))
        found = await room.stored(match)
        assert found.due_at == datetime(2026, 11, 26, 3, tzinfo=UTC)
        assert found.pace.days_off == ("2026-11-25",)

    async def test_declared_for_today_all_of_today_is_given_back(self, room: Room) -> None:
        match = await room.running(pace=WORKDAYS)
        room.clock.advance(hours(5))
        await decide(room, match, DayOff(date(2026, 11, 24)))
        assert (await room.stored(match)).due_at == datetime(2026, 11, 25, 18, tzinfo=UTC)

    async def test_a_day_after_the_deadline_changes_nothing_now_but_the_next_turn(self, room: Room) -> None:
        match = await room.running(pace=WORKDAYS)
        await decide(room, match, DayOff(date(2026, 11, 26)))
        assert (await room.stored(match)).due_at == datetime(2026, 11, 25, 3, tzinfo=UTC)
        room.clock.advance(hours(15))
        for who in (1, 2):
            await room.count(match, who)
        assert (await room.stored(match)).due_at == datetime(2026, 11, 25, 18, tzinfo=UTC)

    @pytest.mark.parametrize("day", [date(2026, 11, 23), date(2028, 1, 1), date(1, 1, 1), date(9999, 12, 31)])
    async def test_days_gone_by_and_far_ahead_are_refused(self, room: Room, day: date) -> None:
        match = await room.running(pace=WORKDAYS)
        with pytest.raises(RuleError, match="bad_day"):
            await decide(room, match, DayOff(day))

    async def test_a_day_that_does_not_count_anyhow_is_named(self, room: Room) -> None:
        match = await room.running(pace=WORKDAYS)
        with pytest.raises(RuleError, match="day_off_already") as refused:
            await decide(room, match, DayOff(date(2026, 11, 28)))
        assert refused.value.data == {"day": "2026-11-28"}


class TestPause:
    async def test_neither_deadline_nor_reminder_comes_and_moves_are_welcome(self, room: Room) -> None:
        match = await room.running(4)
        await decide(room, match, StopClock(3 * DAY, "the ferry"))
        room.clock.advance(timedelta(days=2))
        assert await room.deadlines.sweep() == 0
        await room.count(match, 2)
        assert (await room.state(match)).moved == (1,)
        assert room.planner.told(What.REMINDER, What.EXPIRED) == []

    async def test_what_was_left_runs_on_from_the_resume(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(5))
        await decide(room, match, StopClock(3 * DAY, "the ferry"), ADMIN)
        pause = (await room.stored(match)).pause
        assert pause is not None
        assert (pause.owner, pause.reason, pause.until) == ("99", "the ferry", TUESDAY + hours(5 + 72))
        room.clock.advance(hours(30))
        await decide(room, match, Resume())
        found = await room.stored(match)
        assert found.pause is None
        assert (found.due_at, found.remind_at) == (TUESDAY + hours(35 + 13), TUESDAY + hours(35 + 7))

    async def test_it_ends_by_itself_at_its_longest_length_once(self, room: Room, other: Room) -> None:
        match = await room.running()
        await decide(room, match, StopClock(DAY, ""))
        assert await room.deadlines.next_alarm() == TUESDAY + hours(24)
        room.clock.advance(hours(24) + GRACE)
        assert await room.deadlines.sweep() + await other.deadlines.sweep() == 1
        found = await room.stored(match)
        assert (found.pause, found.due_at) == (None, TUESDAY + hours(24 + 18))
        line = (await room.record(match))[-1]
        assert (line.kind, line.person_id) == (ActionKind.HOST, None)
        assert msgspec.json.decode(line.body, type=ClockRuling).by is None
        await room.check_replay(match)

    async def test_whose_end_nobody_saw_ends_when_the_bot_is_back(self, room: Room) -> None:
        match = await room.running()
        await decide(room, match, StopClock(DAY, ""))
        room.clock.advance(hours(100))
        assert await room.deadlines.sweep() == 1
        assert (await room.stored(match)).due_at == TUESDAY + hours(118)

    async def test_a_turn_that_begins_in_it_gets_its_whole_time_afterwards(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(10))
        await decide(room, match, StopClock(3 * DAY, ""))
        for who in (1, 2):
            await room.count(match, who)
        found = await room.stored(match)
        assert (found.timer_key, found.due_at) == ("r2", None)
        room.clock.advance(hours(1))
        await decide(room, match, Resume())
        assert (await room.stored(match)).due_at == room.clock.now() + hours(18)

    async def test_time_given_in_it_counts_afterwards(self, room: Room) -> None:
        match = await room.running()
        await decide(room, match, StopClock(DAY, ""))
        await decide(room, match, GiveTime(3600))
        await decide(room, match, Resume())
        assert (await room.stored(match)).due_at == TUESDAY + hours(19)

    async def test_a_second_pause_and_a_resume_without_one_are_refused(self, room: Room) -> None:
        match = await room.running()
        with pytest.raises(RuleError, match="not_paused"):
            await decide(room, match, Resume())
        await decide(room, match, StopClock(DAY, ""))
        with pytest.raises(RuleError, match="paused_already"):
            await decide(room, match, StopClock(DAY, ""))

    async def test_a_match_that_ends_is_paused_no_more(self, room: Room) -> None:
        match = await room.running()
        await decide(room, match, StopClock(DAY, ""))
        await removed(room, match, 0)
        found = await room.stored(match)
        assert (found.phase, found.pause) == (MatchPhase.OVER, None)
        assert await room.deadlines.next_alarm() is None

    @given(
        start=st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 1)),  # noqa: DTZ001  # made aware at once
        used=st.timedeltas(timedelta(0), timedelta(days=6)),
        paused=st.timedeltas(timedelta(0), LONGEST),
        country=st.sampled_from([None, WEEKDAYS, "RU"]),
    )
    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    def test_counted_time_is_conserved(
        self, start: datetime, used: timedelta, paused: timedelta, country: str | None
    ) -> None:
        pace = Pace(country=country)
        calendar = WorkCalendar.of(pace)
        begun = start.replace(microsecond=0, tzinfo=UTC)
        due = calendar.add(begun, hours(18))
        now = min(begun + timedelta(seconds=used // timedelta(seconds=1)), due)
        match = Match(1, "toy", -1, None, 1, MatchPhase.RUNNING, 1, "{}", pace, "s", (), begun, due_at=due)
        stopped = decided(match, StopClock(14 * DAY, ""), "", now)
        again = resumed(stopped, now + timedelta(seconds=paused // timedelta(seconds=1)))
        assert again.due_at is not None
        assert again.due_at >= due
        played = calendar.counted(begun, now) + calendar.counted(
            now + (paused // timedelta(seconds=1)) * timedelta(seconds=1), again.due_at
        )
        assert played == hours(18)


class TestNewcomers:
    async def test_the_first_to_wait_get_the_next_seats(self, room: Room) -> None:
        match = await room.running(3)  # person 3 waits since the draw
        assert await room.authority.wait(match.id, person(8)) == 2
        await room.authority.wait(match.id, person(9))
        await decide(room, match, Admit(Welcome(2)))
        assert [(m.person_id, m.seat) for m in await room.members(match)] == [(1, 0), (2, 1), (3, 2), (8, 3), (9, None)]
        assert (await room.state(match)).alive == (0, 1, 2, 3)
        await room.count(match, 8)
        await room.check_replay(match)

    async def test_the_referee_may_choose_whom(self, room: Room) -> None:
        match = await room.running()
        for number in (5, 6, 7):
            await room.authority.wait(match.id, person(number))
        await decide(room, match, Admit(Welcome(2), people=(5, 7)))
        assert [(m.person_id, m.seat) for m in await room.members(match)][2:] == [(5, 2), (6, None), (7, 3)]

    async def test_one_alone_is_no_pair_and_nothing_changes(self, room: Room) -> None:
        match = await room.running()
        await room.authority.wait(match.id, person(5))
        before = await room.everything()
        with pytest.raises(RuleError, match="no_pair") as refused:
            await decide(room, match, Admit(Welcome(2)))
        assert refused.value.data == {"needed": 2, "waiting": 1}
        assert await room.everything() == before

    async def test_what_the_game_refuses_seats_nobody(self, room: Room) -> None:
        match = await ready_for(room, "admit")
        before = await room.everything()
        with pytest.raises(RuleError):
            await decide(room, match, Admit(Count(1)))
        assert await room.everything() == before

    async def test_who_was_out_does_not_come_back(self, room: Room) -> None:
        match = await room.running(4)
        await removed(room, match, 3)
        with pytest.raises(RuleError, match="was_in"):
            await room.authority.wait(match.id, person(4))

    async def test_one_may_wait_once_and_go_again(self, room: Room) -> None:
        match = await room.running()
        await room.authority.wait(match.id, person(5))
        with pytest.raises(RuleError, match="already_joined"):
            await room.authority.wait(match.id, person(5))
        await room.authority.go(match.id, 5)
        with pytest.raises(RuleError, match="not_joined"):
            await room.authority.go(match.id, 5)
        with pytest.raises(RuleError, match="not_joined"):
            await room.authority.go(match.id, 1)
        assert len(room.planner.told(What.RESERVE)) == 2

    async def test_no_more_wait_than_there_are_seats(self, room: Room) -> None:
        match = await room.running(4)
        await room.authority.wait(match.id, person(5))
        with pytest.raises(RuleError, match="full"):
            await room.authority.wait(match.id, person(6))


class TestUndo:
    async def test_the_state_is_the_one_before_and_so_gives_the_record(self, room: Room) -> None:
        match = await room.running(4)
        await room.count(match, 1)
        before = await room.state(match)
        await removed(room, match, 3)
        await decide(room, match, Undo())
        assert await room.state(match) == before
        line = (await room.record(match))[-1]
        ruling = msgspec.json.decode(line.body, type=UndoRuling)
        assert (line.kind, ruling.line, ruling.by) == (ActionKind.UNDO, line.n - 1, "1")
        await room.check_replay(match)
        await room.count(match, 4)
        await room.check_replay(match)

    async def test_the_clock_runs_on_where_the_turn_is_the_same(self, room: Room) -> None:
        match = await room.running(4)
        room.clock.advance(hours(3))
        await removed(room, match, 3)
        await decide(room, match, Undo())
        assert (await room.stored(match)).due_at == TUESDAY + hours(18)
        [change] = room.planner.told(What.UNDONE)
        assert not change.fresh

    async def test_a_turn_that_comes_back_gets_its_time_anew(self, room: Room) -> None:
        match = await room.running(4)
        for who in (1, 2, 3):
            await room.count(match, who)
        room.clock.advance(hours(3))
        acted = await removed(room, match, 3)
        assert acted.events == (Out((3,)), Round(2))
        await decide(room, match, Undo())
        found = await room.stored(match)
        assert (found.timer_key, found.due_at) == ("r1", room.clock.now() + hours(18))
        [change] = room.planner.told(What.UNDONE)
        assert change.fresh

    @pytest.mark.parametrize("paused", [False, True])
    async def test_time_given_by_mistake_goes_again(self, room: Room, paused: bool) -> None:
        match = await room.running()
        if paused:
            await decide(room, match, StopClock(DAY, ""))
        await decide(room, match, GiveTime(13 * DAY))
        await decide(room, match, Undo())
        if paused:
            await decide(room, match, Resume())
        found = await room.stored(match)
        assert (found.due_at, found.remind_at) == (TUESDAY + hours(18), TUESDAY + hours(12))
        await room.check_replay(match)

    async def test_but_nobody_is_out_by_it_at_once(self, room: Room) -> None:
        match = await room.running()
        room.clock.advance(hours(17))
        await decide(room, match, GiveTime(3600))
        room.clock.advance(hours(1.5))
        await decide(room, match, Undo())
        assert (await room.stored(match)).due_at == TUESDAY + hours(19)  # half an hour was left of it
        await decide(room, match, GiveTime(DAY))
        room.clock.advance(hours(10))
        await decide(room, match, Undo())
        assert (await room.stored(match)).due_at == room.clock.now() + hours(1)

    @pytest.mark.parametrize("day", [date(2026, 11, 24), date(2026, 11, 25), date(2026, 11, 27)])
    async def test_a_day_off_counts_again_and_its_time_goes(self, room: Room, day: date) -> None:
        match = await room.running(pace=WORKDAYS)
        room.clock.advance(hours(2))
        await decide(room, match, DayOff(day))
        await decide(room, match, Undo())
        found = await room.stored(match)
        assert (found.pace, found.due_at, found.remind_at) == (WORKDAYS, match.due_at, match.remind_at)

    async def test_a_pause_taken_back_is_over(self, room: Room) -> None:
        match = await room.running()
        await decide(room, match, StopClock(DAY, ""))
        room.clock.advance(hours(2))
        await decide(room, match, Undo())
        found = await room.stored(match)
        assert (found.pause, found.due_at) == (None, TUESDAY + hours(20))

    @pytest.mark.parametrize("last", ["draw", "move", "deadline", "resume", "undo"])
    async def test_only_the_last_act_and_only_a_harmless_one(self, room: Room, last: str) -> None:
        match = await room.running(4)
        if last == "move":
            await removed(room, match, 3)
            await room.count(match, 1)
        elif last == "deadline":
            await room.count(match, 1)
            await room.count(match, 2)
            room.clock.advance(hours(19))
            await room.deadlines.sweep()
        elif last == "resume":
            await removed(room, match, 3)
            await decide(room, match, StopClock(DAY, ""))
            await decide(room, match, Resume())
        elif last == "undo":
            await removed(room, match, 3)
            await decide(room, match, Undo())
        before = await room.everything()
        with pytest.raises(RuleError, match="not_undoable"):
            await decide(room, match, Undo())
        assert await room.everything() == before

    async def test_a_record_that_does_not_give_the_state_is_left_alone(
        self, room: Room, caplog: pytest.LogCaptureFixture
    ) -> None:
        match = await room.running(4)
        await removed(room, match, 3)
        async with room.host.db.transaction() as db:
            await db.fetch("UPDATE actions SET body = ? WHERE kind = 'act' RETURNING n", '{"do":"remove","seat":2}')
        with pytest.raises(RuleError, match="not_undoable"):
            await decide(room, match, Undo())
        assert "does not give its state" in caplog.text


async def test_two_referees_at_once_decide_one_after_the_other(room: Room, other: Room) -> None:
    match = await room.running(pace=DAILY)
    await decide(room, match, GiveTime(3600))
    await decide(other, match, GiveTime(3600), ADMIN)
    assert (await room.stored(match)).due_at == TUESDAY + hours(20)
