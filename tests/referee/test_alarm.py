"""The alarm clock, with APScheduler really running. Nothing here waits for real time: rings come at once or never."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import pytest

from referee.alarm import Alarm
from referee.clock import Clock
from referee.deadlines import SHORT_ABSENCE, Deadlines
from referee.planning import What
from storage import people
from storage.database import StorageError
from storage.records import MatchPhase
from tests.referee.room import CHAT, TUESDAY, Room, hours

T = TypeVar("T")


class Watched(Deadlines):
    """Deadlines whose sweeps can be awaited, held and made to fail."""

    def __init__(self, room: Room) -> None:
        super().__init__(room.host)
        self.begun = asyncio.Event()
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.swept: asyncio.Queue[int] = asyncio.Queue()
        self.failures = 0

    async def beat(self) -> None:
        if self.failures:
            self.failures -= 1
            raise StorageError("the disk is full")
        await super().beat()

    async def sweep(self) -> int:
        self.begun.set()
        await self.may_go_on.wait()
        done = await super().sweep()
        self.swept.put_nowait(done)
        return done


class Machine:
    """The machine's own time, and a source for the players' clock that goes along with it."""

    def __init__(self) -> None:
        self.at = TUESDAY

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
async def room(tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """A worker that waits for nobody, so that what is due rings at once."""
    monkeypatch.setattr("referee.alarm.GRACE", timedelta(0))
    monkeypatch.setattr("referee.deadlines.GRACE", timedelta(0))
    opened = await Room.open(tmp_path, Clock(machine))
    yield opened
    await opened.close()


@pytest.fixture
def deadlines(room: Room) -> Watched:
    return Watched(room)


@pytest.fixture
async def alarm(
    room: Room, deadlines: Watched, machine: Machine, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[Alarm]:
    """A started alarm, its first ring over. Nothing may be left of it when it has been stopped."""
    before = asyncio.all_tasks()
    alarm = Alarm(room.host, deadlines, machine)
    await alarm.start()
    await soon(deadlines.swept.get())
    yield alarm
    async with asyncio.timeout(5):
        await alarm.stop()
    await asyncio.sleep(0)
    assert asyncio.all_tasks() - before <= {asyncio.current_task()}
    gc.collect()
    assert [record for record in caplog.records if record.name.startswith("apscheduler") and record.levelno > 30] == []


async def soon(what: Awaitable[T]) -> T:
    async with asyncio.timeout(5):
        return await what


def rings_at(alarm: Alarm) -> datetime | None:
    """When the scheduler will ring next, apart from its regular ticks."""
    job = alarm._scheduler.get_job("ring")
    return None if job is None else job.next_run_time


async def test_what_was_due_before_the_start_is_resolved_at_the_start(
    room: Room, deadlines: Watched, machine: Machine
) -> None:
    match = await room.running()
    machine.at += hours(30)
    alarm = Alarm(room.host, deadlines, machine)
    await alarm.start()
    assert await soon(deadlines.swept.get()) == 1
    assert (await room.stored(match)).phase is MatchPhase.OVER
    await alarm.stop()


async def test_a_deadline_that_comes_earlier_than_all_others_rings_earlier(
    room: Room, deadlines: Watched, alarm: Alarm
) -> None:
    far = await room.running()
    assert far.remind_at is not None
    wait = far.remind_at - room.clock.now()
    at = rings_at(alarm)
    assert at is not None
    assert timedelta(0) <= wait - (at - datetime.now(UTC)) < timedelta(minutes=1)
    near = await room.running(chat_id=CHAT - 1, share=0)
    assert await soon(deadlines.swept.get()) == 1
    assert (await room.stored(near)).phase is MatchPhase.OVER
    assert (await room.stored(far)).phase is MatchPhase.RUNNING


async def test_a_later_deadline_does_not_put_the_alarm_off(room: Room, alarm: Alarm) -> None:
    match = await room.running()
    first = rings_at(alarm)
    alarm.consider(room.clock.now() + timedelta(days=9))
    alarm.consider(None)
    assert rings_at(alarm) == first
    await room.count(match, 1)
    assert rings_at(alarm) == first


async def test_a_moved_clock_rings_at_once_and_gives_nothing_back(room: Room, deadlines: Watched, alarm: Alarm) -> None:
    match = await room.running()
    room.clock.advance(hours(19))
    assert await soon(deadlines.swept.get()) == 1
    assert (await room.stored(match)).phase is MatchPhase.OVER
    assert room.planner.told(What.CREDIT) == []


async def test_after_a_ring_the_next_one_is_set(room: Room, deadlines: Watched, alarm: Alarm) -> None:
    match = await room.running(4, lowest=1000)
    room.clock.advance(hours(12))
    assert await soon(deadlines.swept.get()) == 1
    await room.count(match, 1)
    await room.count(match, 2)
    room.clock.advance(hours(6))
    assert await soon(deadlines.swept.get()) == 1
    assert (await room.state(match)).alive == (0, 1)
    assert [change.what for change in room.planner.told(What.REMINDER, What.EXPIRED)] == [What.REMINDER, What.EXPIRED]


async def test_a_ring_that_comes_an_hour_late_is_not_dropped(room: Room, deadlines: Watched, alarm: Alarm) -> None:
    await room.running()
    alarm._scheduler.modify_job("ring", next_run_time=datetime.now(UTC) - timedelta(hours=1))
    await soon(deadlines.swept.get())


async def test_regular_ticks_that_come_late_are_one_and_not_dropped(
    deadlines: Watched, alarm: Alarm, caplog: pytest.LogCaptureFixture
) -> None:
    alarm._scheduler.modify_job("tick", next_run_time=datetime.now(UTC) - timedelta(hours=1))
    await soon(deadlines.swept.get())
    assert deadlines.swept.empty()
    assert "missed" not in caplog.text


async def test_a_match_that_fails_is_left_to_the_next_tick(
    room: Room, deadlines: Watched, alarm: Alarm, caplog: pytest.LogCaptureFixture
) -> None:
    await room.running()
    room.planner.fails = lambda change: True
    room.clock.advance(hours(19))
    assert await soon(deadlines.swept.get()) == 0
    async with alarm._sweeping:
        following = rings_at(alarm)
    assert following is None or following > datetime.now(UTC) + timedelta(hours=1)
    room.planner.fails = lambda change: False
    alarm._scheduler.modify_job("tick", next_run_time=datetime.now(UTC))
    assert await soon(deadlines.swept.get()) == 1


async def test_time_in_which_the_machine_slept_is_given_back(
    room: Room, deadlines: Watched, alarm: Alarm, machine: Machine
) -> None:
    match = await room.running()
    assert match.due_at is not None
    machine.at += hours(30)
    alarm.ring()
    assert await soon(deadlines.swept.get()) == 0
    assert (await room.stored(match)).due_at == match.due_at + hours(30)
    machine.at += SHORT_ABSENCE
    alarm.ring()
    await soon(deadlines.swept.get())
    assert (await room.stored(match)).due_at == match.due_at + hours(30)


async def test_time_in_which_nothing_could_be_stored_is_given_back(
    room: Room, deadlines: Watched, alarm: Alarm, machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    match = await room.running()
    assert match.due_at is not None
    deadlines.failures = 1
    for _ in range(2):
        machine.at += SHORT_ABSENCE
        alarm.ring()
        await soon(asyncio.wait(set(alarm._ticks)))
    assert caplog.text.count("the sweep failed") == 1
    assert deadlines.swept.get_nowait() == 0
    assert (await room.stored(match)).due_at == match.due_at + 2 * SHORT_ABSENCE


async def test_a_wake_of_the_outbox_that_was_lost_is_made_up_for(room: Room, deadlines: Watched, alarm: Alarm) -> None:
    await room.running()
    woken: list[set[int]] = []
    room.host.woken = woken.append
    alarm.ring()
    await soon(asyncio.wait(set(alarm._ticks)))
    assert woken == [{CHAT}]


async def test_stopping_lets_a_running_sweep_end(room: Room, deadlines: Watched, alarm: Alarm) -> None:
    match = await room.running()
    deadlines.begun.clear()
    deadlines.may_go_on.clear()
    room.clock.advance(hours(19))
    await soon(deadlines.begun.wait())
    stopping = asyncio.create_task(alarm.stop())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not stopping.done()
    deadlines.may_go_on.set()
    await soon(stopping)
    assert deadlines.swept.get_nowait() == 1
    assert (await room.stored(match)).phase is MatchPhase.OVER


async def test_stopping_lets_a_sweep_of_the_scheduler_end(room: Room, deadlines: Watched, alarm: Alarm) -> None:
    """The scheduler cancels its own running jobs when it is shut down."""
    deadlines.begun.clear()
    deadlines.may_go_on.clear()
    alarm._scheduler.modify_job("tick", next_run_time=datetime.now(UTC))
    await soon(deadlines.begun.wait())
    stopping = asyncio.create_task(alarm.stop())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not stopping.done()
    deadlines.may_go_on.set()
    await soon(stopping)
    assert deadlines.swept.get_nowait() == 0


async def test_a_stopped_alarm_rings_no_more(room: Room, deadlines: Watched, alarm: Alarm) -> None:
    await alarm.stop()
    room.clock.advance(hours(50))
    alarm.ring()
    alarm.consider(room.clock.now())
    await room.running(share=0)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert deadlines.swept.empty()


async def test_the_last_sign_of_life_is_stored_when_stopping(room: Room, alarm: Alarm, machine: Machine) -> None:
    machine.at += timedelta(seconds=20)
    await alarm.stop()
    async with room.host.db.reading() as db:
        assert await people.last_beat(db) == machine.at


async def test_stopping_goes_on_although_nothing_can_be_stored(alarm: Alarm, deadlines: Watched) -> None:
    deadlines.failures = 1
    await alarm.stop()


async def test_an_alarm_that_never_started_can_be_stopped(room: Room, deadlines: Watched) -> None:
    await Alarm(room.host, deadlines).stop()


async def test_an_alarm_that_never_woke_leaves_the_last_heartbeat_as_it_was(room: Room) -> None:
    watched = Watched(room)
    await watched.beat()
    room.clock.advance(hours(10))
    await Alarm(room.host, watched).stop()  # the start failed before it
    async with room.host.db.reading() as db:
        assert await people.last_beat(db) == TUESDAY
