"""Telegram's limits, to the instant, in virtual time."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.gate import Gate, Limits
from tests.referee.virtual_time import VirtualTime, settle

GROUP, OTHER_GROUP, PRIVATE = -100, -200, 42


class Traffic:
    """Requests through a gate, and when each went through."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.time = VirtualTime()
        self.gate = Gate(limits, self.time.now, self.time.sleep)
        self.went: list[tuple[float, int, int]] = []
        """Instant, chat, number within the chat."""

    async def ask(self, chat_id: int, number: int = 0, at: float = 0.0) -> None:
        if at > self.time.at:
            await self.time.sleep(at - self.time.at)
        await self.gate.enter(chat_id)
        self.went.append((self.time.at, chat_id, number))

    def times(self, *chats: int) -> list[float]:
        return [at for at, chat_id, _ in self.went if chat_id in chats or not chats]


@pytest.fixture
def traffic() -> Traffic:
    return Traffic()


async def test_the_first_request_goes_at_once(traffic: Traffic) -> None:
    await traffic.gate.enter(GROUP)
    assert traffic.time.at == 0


async def test_a_chat_gets_one_a_second_and_a_group_twenty_a_minute(traffic: Traffic) -> None:
    await traffic.time.run(*(traffic.ask(GROUP, number) for number in range(45)))
    assert traffic.times() == [*range(20), *range(60, 80), *range(120, 125)]


async def test_a_private_chat_has_no_limit_by_the_minute(traffic: Traffic) -> None:
    await traffic.time.run(*(traffic.ask(PRIVATE, number) for number in range(45)))
    assert traffic.times() == [*range(45)]


async def test_thirty_a_second_go_out_in_all(traffic: Traffic) -> None:
    await traffic.time.run(*(traffic.ask(chat) for chat in range(1, 76)))
    assert traffic.times() == [0] * 30 + [1] * 30 + [2] * 15


async def test_a_quiet_minute_frees_a_group_again(traffic: Traffic) -> None:
    await traffic.time.run(*(traffic.ask(GROUP, n) for n in range(20)), traffic.ask(GROUP, 20, at=79.0))
    await traffic.time.run(*(traffic.ask(GROUP, n) for n in range(3)))
    assert traffic.times()[-4:] == [79, 80, 81, 82]


async def test_a_busy_group_delays_nobody_else(traffic: Traffic) -> None:
    await traffic.time.run(
        *(traffic.ask(GROUP, n) for n in range(40)), traffic.ask(OTHER_GROUP, at=30.0), traffic.ask(PRIVATE, at=30.0)
    )
    assert traffic.times(OTHER_GROUP, PRIVATE) == [30, 30]


async def test_retry_after_holds_its_chat_alone(traffic: Traffic) -> None:
    traffic.gate.hold(GROUP, 35)
    await traffic.time.run(traffic.ask(GROUP, 0), traffic.ask(GROUP, 1), traffic.ask(OTHER_GROUP), traffic.ask(PRIVATE))
    assert traffic.times(GROUP) == [35, 36]
    assert traffic.times(OTHER_GROUP, PRIVATE) == [0, 0]


async def test_a_hold_is_kept_by_who_waits_already_and_a_shorter_one_does_not_shorten_it(traffic: Traffic) -> None:
    async def hold() -> None:
        await traffic.time.sleep(0.5)
        traffic.gate.hold(GROUP, 40)
        traffic.gate.hold(GROUP, 2)

    await traffic.time.run(traffic.ask(GROUP, 0), traffic.ask(GROUP, 1), hold())
    assert traffic.times(GROUP) == [0, 40.5]


async def test_waiting_for_the_gate_to_open_uses_no_place_up(traffic: Traffic) -> None:
    await traffic.time.run(traffic.ask(GROUP))
    await traffic.time.run(*(traffic.gate.open_for(GROUP) for _ in range(50)))
    assert traffic.time.at == 1
    await traffic.time.run(traffic.ask(GROUP))
    assert traffic.times() == [0, 1]


async def test_who_gives_up_waiting_uses_no_place_up(traffic: Traffic) -> None:
    await traffic.gate.enter(GROUP)
    waiting = [asyncio.create_task(traffic.ask(GROUP, number)) for number in range(3)]
    await settle()
    waiting[0].cancel()
    waiting[1].cancel()
    await settle()
    await traffic.time.pass_until(1.0)
    assert traffic.went == [(1.0, GROUP, 2)]
    assert waiting[2].done()


async def test_without_limits_all_go_at_once() -> None:
    traffic = Traffic(Limits.none())
    await traffic.time.run(*(traffic.ask(GROUP, number) for number in range(500)))
    assert traffic.time.at == 0


async def test_silent_chats_take_no_memory_but_holds_and_windows_are_kept(traffic: Traffic) -> None:
    traffic.gate.hold(GROUP, 5000)
    for number in range(3000):
        traffic.time.at += 1.0
        await traffic.gate.enter(number + 1)
        assert len(traffic.gate._chats) <= 260
    await traffic.time.run(traffic.ask(GROUP))
    assert traffic.times(GROUP) == [5000]


async def test_a_busy_chat_takes_bounded_memory(traffic: Traffic) -> None:
    for number in range(1000):
        await traffic.time.run(traffic.ask(PRIVATE, number))
    assert len(traffic.gate._chats[PRIVATE].sent) <= 61
    assert len(traffic.gate._overall) <= 30


requests = st.lists(
    st.tuples(st.sampled_from([GROUP, OTHER_GROUP, PRIVATE, *range(1, 50)]), st.integers(0, 8 * 90)), max_size=120
)
bursts = st.lists(st.tuples(st.sampled_from([GROUP, PRIVATE, 7]), st.integers(0, 100)), max_size=60)
holds = st.lists(
    st.tuples(st.sampled_from([GROUP, PRIVATE]), st.integers(0, 8 * 60), st.integers(1, 8 * 30)), max_size=4
)


@given(requests | bursts, holds)
@settings(max_examples=60, deadline=None)
async def test_no_window_is_ever_exceeded_and_order_is_kept(
    asked: list[tuple[int, int]], held: list[tuple[int, int, int]]
) -> None:
    traffic = Traffic()
    limits = Limits()
    holding: list[tuple[int, float, float]] = []

    async def hold(chat_id: int, at: int, eighths: int) -> None:
        await traffic.time.sleep(at / 8)
        traffic.gate.hold(chat_id, eighths / 8)
        holding.append((chat_id, traffic.time.at, traffic.time.at + eighths / 8))

    asked.sort(key=lambda request: request[1])
    await traffic.time.run(
        *(traffic.ask(chat_id, number, at / 8) for number, (chat_id, at) in enumerate(asked)),
        *(hold(*each) for each in held),
    )
    assert len(traffic.went) == len(asked)
    every = traffic.times()
    for first, later in zip(every, every[limits.overall_count :], strict=False):
        assert later - first >= limits.overall_window
    for chat_id in {chat_id for chat_id, _ in asked}:
        times = traffic.times(chat_id)
        assert all(later - first >= limits.chat_interval for first, later in pairwise(times))
        if chat_id < 0:
            for first, later in zip(times, times[limits.group_count :], strict=False):
                assert later - first >= limits.group_window
        numbers = [number for _, chat, number in traffic.went if chat == chat_id]
        assert numbers == sorted(numbers)
        for held_chat, since, until in holding:
            if held_chat == chat_id:
                assert not any(since < at < until for at in times)


@given(st.lists(st.integers(0, 8 * 40), max_size=40))
@settings(max_examples=40, deadline=None)
async def test_a_lone_group_waits_no_longer_than_it_must(asked: list[int]) -> None:
    traffic = Traffic()
    asked.sort()
    await traffic.time.run(*(traffic.ask(GROUP, number, at / 8) for number, at in enumerate(asked)))
    expected: list[float] = []
    for at in asked:
        earliest = at / 8
        if expected:
            earliest = max(earliest, expected[-1] + 1)
        if len(expected) >= 20:
            earliest = max(earliest, expected[-20] + 60)
        expected.append(earliest)
    assert traffic.times() == expected
