"""Somebody acts: checked in one order, done once, stored whole, whoever else acts at the same time."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.contract import IllegalAction, NotYourTurn, RuleError, Timer
from referee import play
from referee.host import Raced
from referee.planning import What
from referee.play import Acted, Actor
from referee.refusals import Refusal, Refused
from storage import matches
from storage.database import StorageError
from storage.records import ActionKind, Match, MatchPhase, Pace
from tests.referee.room import CHAT, DAILY, ENGINE, Room, hours
from tests.toy import Count, Counted, Remove, ToyEngine, ToyView


async def refused(room: Room, match: Match, actor: Actor, action: object, **how: object) -> RuleError:
    """The action is refused and leaves no trace at all."""
    before = await room.everything()
    told = len(room.planner.changes)
    how.setdefault("at", room.clock.now())
    how.setdefault("source", "refused")
    with pytest.raises(RuleError) as caught:
        await room.play.act(match.id, actor, action, **how)  # type: ignore[arg-type]
    assert await room.everything() == before
    assert len(room.planner.changes) == told
    return caught.value


async def test_an_action_is_stored_with_state_version_clock_and_posts_at_once(room: Room) -> None:
    match = await room.running()
    woken: list[set[int]] = []
    room.host.woken = woken.append
    room.clock.advance(hours(1))
    acted = await room.count(match, 1, 2, source="g-100:5")
    found = await room.stored(match)
    assert acted.match == found
    assert (acted.seat, acted.events, acted.repeated) == (0, (Counted(0, 2),), False)
    assert (found.version, found.due_at, found.timer_key) == (2, match.due_at, match.timer_key)
    line = (await room.record(match))[-1]
    assert (line.n, line.kind, line.seat, line.person_id, line.source) == (2, ActionKind.ACT, 0, 1, "g-100:5")
    assert line.at == room.clock.now()
    [change] = room.planner.told(What.ACTED)
    assert (change.n, change.seat, change.person_id, change.events) == (2, 0, 1, acted.events)
    assert [post.kind for post in await room.posts()][-2:] == ["board", "news"]
    assert woken == [{CHAT}]
    await room.check_replay(match)


async def test_a_new_turn_starts_a_fresh_clock(room: Room) -> None:
    match = await room.running()
    await room.count(match, 1)
    room.clock.advance(hours(5))
    acted = await room.count(match, 2)
    assert acted.match.timer_key == "r2"
    assert acted.match.turn_started_at == room.clock.now()
    assert acted.match.due_at == room.clock.now() + hours(18)
    assert acted.match.remind_at == room.clock.now() + hours(12)


async def test_a_timer_may_get_a_share_of_the_time(room: Room) -> None:
    match = await room.running(share=0.25)
    assert match.due_at == room.clock.now() + hours(4.5)


async def test_the_end_stops_every_clock(room: Room) -> None:
    match = await room.running(lowest=1, people=2)
    for who in (1, 2) * 6:
        if (await room.stored(match)).phase is MatchPhase.OVER:
            break
        await room.count(match, who, 3)
    over = await room.stored(match)
    assert over.phase is MatchPhase.OVER
    assert (over.due_at, over.remind_at, over.timer_key) == (None, None, None)
    assert over.ended_at == room.clock.now()
    await refused(room, match, Actor(1), Count(1))
    await room.check_replay(match)


async def test_an_engine_that_forgets_to_stop_its_clock_leaves_none_running(room: Room) -> None:
    class Forgetful(ToyEngine):
        def timer(self, state):  # type: ignore[no-untyped-def]
            return Timer("for_ever", ())

    room.host.games = {"toy": Forgetful()}
    match = await room.running(lowest=1)
    for who in (1, 2) * 6:
        if (await room.stored(match)).phase is MatchPhase.RUNNING:
            await room.count(match, who, 3)
    assert (await room.stored(match)).due_at is None


class TestOrderOfChecks:
    """Does the match exist, was it done before, does it run, who acts, is the button fresh, is it in time, the rules.

    Each test breaks all that comes after as well.
    """

    async def test_a_match_that_does_not_exist(self, room: Room) -> None:
        match = await room.running()
        missing = Match(**{**_as_dict(match), "id": 999})
        error = await refused(room, missing, Actor(99), Count(9), stamp="old", at=room.clock.now() + hours(99))
        assert error.code == Refusal.NO_MATCH

    async def test_done_before_comes_before_everything_else(self, room: Room) -> None:
        match = await room.running(lowest=1, people=2)
        first = await room.count(match, 1, 1, source="u1")
        for who in (2, 1) * 6:
            if (await room.stored(match)).phase is MatchPhase.RUNNING:
                await room.count(match, who, 3)
        before = await room.everything()
        again = await room.play.act(
            match.id, Actor(99), Count(9), at=room.clock.now() + hours(99), source="u1", stamp="old"
        )
        assert again.repeated
        assert (again.seat, again.events) == (first.seat, first.events)
        assert await room.everything() == before

    async def test_not_running_comes_before_who(self, room: Room) -> None:
        match = await room.in_lobby()
        error = await refused(room, match, Actor(99), Count(9), stamp="old")
        assert error.code == Refusal.NOT_RUNNING

    async def test_who_comes_before_a_stale_button(self, room: Room) -> None:
        match = await room.running(3)
        for stranger in (Actor(99), Actor(3), Actor(None), Actor(99, is_admin=True), Actor(None, is_admin=True)):
            assert (await refused(room, match, stranger, Count(9), stamp="old")).code == Refusal.NOT_YOUR_MATCH
        error = await refused(room, match, Actor(2), Remove(0), as_referee=True, stamp="old")
        assert error.code == Refusal.NOT_REFEREE

    async def test_a_stale_button_comes_before_too_late(self, room: Room) -> None:
        match = await room.running()
        error = await refused(room, match, Actor(1), Count(9), stamp="old", at=room.clock.now() + hours(99))
        assert error.code == Refusal.STALE

    async def test_too_late_comes_before_the_rules_and_names_the_deadline(self, room: Room) -> None:
        match = await room.running()
        assert match.due_at is not None
        error = await refused(room, match, Actor(1), Count(9), at=match.due_at + timedelta(seconds=1))
        assert error.code == Refusal.TOO_LATE
        assert error.data == {"due": int(match.due_at.timestamp())}

    async def test_the_rules_come_last(self, room: Room) -> None:
        match = await room.running()
        assert isinstance(await refused(room, match, Actor(1), Count(9), stamp="r1"), IllegalAction)
        await room.count(match, 1)
        assert isinstance(await refused(room, match, Actor(1), Count(1), stamp="r1"), NotYourTurn)


def _as_dict(match: Match) -> dict[str, object]:
    return {name: getattr(match, name) for name in match.__struct_fields__}


async def test_the_same_update_twice_acts_once(room: Room) -> None:
    match = await room.running()
    first = await room.count(match, 1, 3, source="u1")
    second = await room.count(match, 1, 3, source="u1")
    assert (second.events, second.seat, second.repeated) == (first.events, first.seat, True)
    assert (await room.state(match)).total == 3
    assert len(await room.record(match)) == 2


async def test_the_same_update_many_times_at_once_acts_once(room: Room, other: Room) -> None:
    match = await room.running()
    results = await asyncio.gather(*(where.count(match, 1, 3, source="u1") for where in (room, other) * 5))
    assert sorted(result.repeated for result in results) == [False] + [True] * 9
    assert (await room.state(match)).total == 3


async def test_an_update_that_acted_in_one_match_never_acts_in_another(room: Room) -> None:
    """After a crash the message is read again, and by then may seem to mean the person's other match."""
    one, two = await room.running(), await room.running(chat_id=CHAT - 1)
    await room.count(one, 1, 3, source="u1")
    before = await room.everything()
    again = await room.count(two, 1, 3, source="u1")
    assert again.repeated
    assert again.match.id == one.id
    assert await room.everything() == before


async def test_a_button_of_this_turn_works_after_others_have_moved(room: Room) -> None:
    match = await room.running(4)
    stamp = (await room.play.look(match.id, 1)).stamp
    await room.count(match, 2)
    await room.count(match, 1, stamp=stamp)
    await room.count(match, 3)
    await room.count(match, 4)
    assert (await refused(room, match, Actor(1), Count(1), stamp=stamp)).code == Refusal.STALE


@pytest.mark.parametrize("late", [timedelta(0), timedelta(seconds=-1)])
async def test_in_time_is_judged_by_the_messages_own_time(room: Room, late: timedelta) -> None:
    """The interval is closed; the message may arrive after the deadline, while the sweep still waits for it."""
    match = await room.running()
    assert match.due_at is not None
    room.clock.set_offset(match.due_at - room.clock.now() + timedelta(seconds=2))
    assert await room.deadlines.sweep() == 0
    await room.count(match, 1, at=match.due_at + late)
    assert (await room.state(match)).moved == (0,)


async def test_the_referee_may_act_although_the_deadline_has_passed(room: Room) -> None:
    match = await room.running(4)
    acted = await room.play.act(
        match.id, Actor(1), Remove(3), at=room.clock.now() + hours(99), source="u", as_referee=True
    )
    assert acted.seat is None
    assert (await room.state(match)).alive == (0, 1, 2)
    await room.check_replay(match)


async def test_without_a_time_limit_nothing_is_ever_too_late(room: Room) -> None:
    match = await room.running(pace=Pace(seconds=None))
    await room.count(match, 1, at=room.clock.now() + timedelta(days=400))


async def test_a_planner_at_fault_keeps_nothing(room: Room) -> None:
    match = await room.running()
    before = await room.everything()
    room.planner.fails = lambda change: True
    with pytest.raises(RuntimeError):
        await room.count(match, 1)
    room.planner.fails = lambda change: False
    assert await room.everything() == before
    await room.count(match, 1)


async def test_all_at_once_is_one_after_another_and_nothing_is_lost(room: Room) -> None:
    rounds, people = 5, 4
    match = await room.running(people, lowest=10_000)
    for _ in range(rounds):
        async with asyncio.timeout(20):
            await asyncio.gather(*(room.count(match, who, 1 + who % 3) for who in range(1, people + 1)))
    state = await room.state(match)
    assert state.round == rounds + 1
    assert state.total == rounds * sum(1 + who % 3 for who in range(1, people + 1))
    assert (await room.stored(match)).version == 1 + rounds * people
    await room.check_replay(match)


async def test_two_workers_at_once_lose_nothing(room: Room, other: Room) -> None:
    first = await room.running(4, lowest=10_000)
    second = await room.running(4, lowest=10_000, chat_id=CHAT - 1)
    for _ in range(4):
        async with asyncio.timeout(20):
            await asyncio.gather(
                *(
                    where.count(match, who)
                    for match in (first, second)
                    for who, where in enumerate((room, other, other, room), 1)
                )
            )
    for match in (first, second):
        assert (await room.state(match)).total == 16
        await room.check_replay(match)


async def test_a_lost_race_is_run_again(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite never lets two transactions race; a database that does tells so by a version that is not the one read."""
    match = await room.running()
    save, lost = matches.save, []

    async def losing(db, later, *, expected):  # type: ignore[no-untyped-def]
        if len(lost) < play.RACES - 1:
            lost.append(later)
            return False
        return await save(db, later, expected=expected)

    monkeypatch.setattr(matches, "save", losing)
    await room.count(match, 1)
    assert len(lost) == play.RACES - 1
    assert len(await room.record(match)) == 2
    await room.check_replay(match)


async def test_races_lost_without_end_are_a_storage_error(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await room.running()

    async def losing(db, later, *, expected):  # type: ignore[no-untyped-def]
        return False

    before = await room.everything()
    with monkeypatch.context() as patch:
        patch.setattr(matches, "save", losing)
        with pytest.raises(StorageError) as caught:
            await room.count(match, 1)
    assert isinstance(caught.value, Raced)
    assert await room.everything() == before


async def test_everybody_sees_what_his_seat_may(room: Room) -> None:
    match = await room.running(3, lowest=40)
    for who, seat in [(1, 0), (2, 1), (3, None), (99, None), (None, None)]:
        look = await room.play.look(match.id, who)
        assert look.seat == seat
        assert look.view == ToyView(0, 1, (0, 1))
        assert look.stamp == "r1"


async def test_a_lobby_cannot_be_looked_at(room: Room) -> None:
    match = await room.in_lobby()
    with pytest.raises(Refused, match="not_running"):
        await room.play.look(match.id, 1)


moves = st.lists(
    st.tuples(
        st.integers(1, 6),
        st.one_of(st.integers(0, 4).map(Count), st.integers(0, 4).map(Remove)),
        st.integers(0, 30),
        st.booleans(),
    ),
    max_size=25,
)


@given(people=st.integers(2, 5), lowest=st.integers(1, 30), moves=moves)
@settings(max_examples=40, deadline=None)
async def test_whatever_is_played_can_be_replayed(
    tmp_path_factory: pytest.TempPathFactory,
    people: int,
    lowest: int,
    moves: list[tuple[int, Count | Remove, int, bool]],
) -> None:
    room = await Room.open(tmp_path_factory.mktemp("played"))
    try:
        match = await room.running(people, lowest=lowest, pace=DAILY)
        for number, (who, action, later, as_referee) in enumerate(moves):
            room.clock.advance(hours(later))
            await room.deadlines.sweep()
            try:
                done = await room.play.act(
                    match.id, Actor(who), action, at=room.clock.now(), source=f"{number}", as_referee=as_referee
                )
            except RuleError:
                continue
            assert isinstance(done, Acted)
            assert done.match == await room.stored(match)
        await room.check_replay(match)
        assert ENGINE.outcome(await room.state(match)) is None or (await room.stored(match)).due_at is None
    finally:
        await room.close()
