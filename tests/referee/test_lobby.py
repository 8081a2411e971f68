"""Before a match: who may do what, and what is kept."""

from __future__ import annotations

import asyncio

import pytest

from engines.contract import IllegalAction, SeatInfo
from referee.planning import What
from referee.play import Actor
from referee.refusals import Refusal, Refused
from storage import people
from storage.records import MatchPhase, Pace, Person
from tests.referee.room import CHAT, DAILY, ENGINE, Room, person
from tests.toy import ToyOptions


async def refused(room: Room, doing: object, code: str) -> Refused:
    """`doing` is refused with `code` and leaves no trace."""
    before = await room.everything()
    with pytest.raises(Refused) as caught:
        await doing  # type: ignore[misc]
    assert caught.value.code == code
    assert await room.everything() == before
    return caught.value


async def test_the_opener_is_on_the_list_and_the_lobby_is_told(room: Room) -> None:
    match = await room.lobby.open("toy", chat_id=CHAT, thread_id=7, opener=person(1), pace=DAILY)
    assert (match.phase, match.thread_id, match.version) == (MatchPhase.LOBBY, 7, 0)
    assert [(m.person_id, m.place, m.seat, m.name) for m in await room.members(match)] == [(1, 0, None, "P1")]
    [change] = room.planner.told(What.LOBBY)
    assert change.match == await room.stored(match)
    assert len(await room.posts()) == 2


async def test_a_second_lobby_of_the_game_in_the_same_place_is_refused(room: Room) -> None:
    await room.in_lobby()
    await refused(room, room.lobby.open("toy", chat_id=CHAT, thread_id=None, opener=person(9)), Refusal.LOBBY_OPEN)
    await room.lobby.open("toy", chat_id=CHAT, thread_id=5, opener=person(9))
    await room.lobby.open("toy", chat_id=CHAT - 1, thread_id=None, opener=person(9))


async def test_a_new_lobby_may_open_beside_a_running_match(room: Room) -> None:
    await room.running()
    await room.in_lobby()


async def test_two_who_open_at_once_get_one_lobby(room: Room, other: Room) -> None:
    opened = await asyncio.gather(
        *(
            where.lobby.open("toy", chat_id=CHAT, thread_id=None, opener=person(number))
            for number, where in enumerate([room, other, room, other], 1)
        ),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in opened) == ["Match", "Refused", "Refused", "Refused"]


@pytest.mark.parametrize(
    "pace",
    [
        Pace(zone="Mars/Olympus"),
        Pace(country="XX"),
        Pace(days_off=("soon",)),
        Pace(seconds=0),
        Pace(seconds=-5),
        Pace(seconds=10**9),
        Pace(seconds=600, country="RU"),
    ],
)
async def test_settings_that_do_not_fit_together_are_refused_wherever_they_come_in(room: Room, pace: Pace) -> None:
    await refused(
        room, room.lobby.open("toy", chat_id=CHAT, thread_id=None, opener=person(1), pace=pace), Refusal.BAD_OPTION
    )
    match = await room.in_lobby()
    await refused(room, room.lobby.choose(match.id, Actor(1), pace=pace), Refusal.BAD_OPTION)


@pytest.mark.parametrize("pace", [Pace(seconds=None), Pace(seconds=300, country=None), Pace(seconds=3600), DAILY])
async def test_settings_that_fit_together_are_kept(room: Room, pace: Pace) -> None:
    match = await room.in_lobby()
    await room.lobby.choose(match.id, Actor(1), pace=pace)
    assert (await room.stored(match)).pace == pace


async def test_options_are_kept_until_the_match_and_through_who_comes_and_goes(room: Room) -> None:
    match = await room.in_lobby()
    await room.lobby.choose(match.id, Actor(1), options=ToyOptions(lowest=77))
    await room.lobby.choose(match.id, Actor(1), pace=Pace(seconds=None))
    await room.lobby.join(match.id, person(3))
    await room.lobby.leave(match.id, 3)
    begun = await room.lobby.start(match.id, Actor(1), at=room.clock.now())
    assert ENGINE.read_options(begun.options) == ToyOptions(lowest=77)
    assert (await room.state(match)).options == ToyOptions(lowest=77)
    assert (begun.pace.seconds, begun.due_at) == (None, None)


async def test_options_of_another_kind_are_refused(room: Room) -> None:
    match = await room.in_lobby()
    await refused(room, room.lobby.choose(match.id, Actor(1), options={"lowest": "many"}), Refusal.BAD_OPTION)


async def test_nobody_is_on_the_list_twice(room: Room) -> None:
    match = await room.in_lobby(2)
    await refused(room, room.lobby.join(match.id, person(2)), Refusal.ALREADY_JOINED)


async def test_pressing_join_many_times_at_once_joins_once(room: Room, other: Room) -> None:
    match = await room.in_lobby(1)
    pressed = await asyncio.gather(
        *(where.lobby.join(match.id, person(2)) for where in (room, other, room)), return_exceptions=True
    )
    assert sum(isinstance(result, Refused) for result in pressed) == 2
    assert len(await room.members(match)) == 2


async def test_a_full_lobby_refuses_and_says_how_many(room: Room) -> None:
    match = await room.in_lobby(5)
    error = await refused(room, room.lobby.join(match.id, person(6)), Refusal.FULL)
    assert error.data == {"most": 5}
    await room.lobby.leave(match.id, 3)
    await room.lobby.join(match.id, person(6))
    assert [m.person_id for m in await room.members(match)] == [1, 2, 4, 5, 6]


async def test_the_last_to_leave_closes_the_lobby(room: Room) -> None:
    match = await room.in_lobby(2)
    assert (await room.lobby.leave(match.id, 1)).phase is MatchPhase.LOBBY
    await refused(room, room.lobby.leave(match.id, 1), Refusal.NOT_JOINED)
    closed = await room.lobby.leave(match.id, 2)
    assert closed.phase is MatchPhase.CANCELLED
    assert closed == await room.stored(match)
    assert [change.match.id for change in room.planner.told(What.CANCELLED)] == [match.id]
    await refused(room, room.lobby.join(match.id, person(3)), Refusal.NOT_IN_LOBBY)
    await room.in_lobby()


@pytest.mark.parametrize(
    ("actor", "may"),
    [
        (Actor(1), True),
        (Actor(2), False),
        (Actor(2, is_admin=True), True),
        (Actor(99, is_admin=True), True),
        (Actor(None), False),
        (Actor(None, is_admin=True), True),
    ],
    ids=["opener", "joined", "joined admin", "stranger admin", "nobody", "anonymous admin"],
)
@pytest.mark.parametrize("what", ["start", "cancel", "choose", "ask"])
async def test_the_opener_or_an_administrator_decides(room: Room, actor: Actor, may: bool, what: str) -> None:
    match = await room.in_lobby(2)
    match what:
        case "start":
            doing = room.lobby.start(match.id, actor, at=room.clock.now())
        case "cancel":
            doing = room.lobby.cancel(match.id, actor)
        case "choose":
            doing = room.lobby.choose(match.id, actor, options=ToyOptions(lowest=5))
        case _:
            doing = room.lobby.choose(match.id, actor)
    if may:
        await doing
    else:
        await refused(room, doing, Refusal.NOT_REFEREE)


async def test_asking_and_quiet_choices_show_nothing(room: Room) -> None:
    match = await room.in_lobby()
    told, posts = len(room.planner.changes), await room.posts()
    await room.lobby.choose(match.id, Actor(1))
    await room.lobby.choose(match.id, Actor(1), options=ToyOptions(lowest=9), quiet=True)
    assert (len(room.planner.changes), await room.posts()) == (told, posts)
    assert ENGINE.read_options((await room.stored(match)).options) == ToyOptions(lowest=9)


async def test_too_few_cannot_begin(room: Room) -> None:
    match = await room.in_lobby(1)
    error = await refused(room, room.lobby.start(match.id, Actor(1), at=room.clock.now()), Refusal.TOO_FEW)
    assert error.data == {"needed": 2, "joined": 1}


async def test_an_engine_that_refuses_the_options_leaves_the_lobby_open(room: Room) -> None:
    match = await room.in_lobby(2, lowest=0)
    before = await room.everything()
    with pytest.raises(IllegalAction):
        await room.lobby.start(match.id, Actor(1), at=room.clock.now())
    assert await room.everything() == before


async def test_who_joined_last_waits_in_reserve_without_a_seat(room: Room) -> None:
    match = await room.running(5)
    assert [(m.person_id, m.seat) for m in await room.members(match)] == [(1, 0), (2, 1), (3, 2), (4, 3), (5, None)]
    [began] = room.planner.told(What.BEGAN)
    assert began.members == tuple(await room.members(match))
    with pytest.raises(Refused, match="not_your_match"):
        await room.count(match, 5)


async def test_the_lot_knows_messages_of_this_chat_and_matches_played_and_can_be_drawn_again(room: Room) -> None:
    first = await room.running(2, lowest=1)
    for who in (1, 2, 1, 2, 1, 2, 1, 2, 1, 2):
        if (await room.stored(first)).phase is MatchPhase.RUNNING:
            await room.count(first, who, 3)
    async with room.host.db.transaction() as db:
        await people.count_message(db, CHAT, 2)
        await people.count_message(db, CHAT - 1, 1)
    second = await room.running(3)
    assert second.lots == (SeatInfo(messages=0, matches=1), SeatInfo(messages=1, matches=1))
    await room.check_replay(first)
    await room.check_replay(second)


async def test_starting_twice_starts_once(room: Room, other: Room) -> None:
    match = await room.in_lobby(4)
    started = await asyncio.gather(
        *(where.lobby.start(match.id, Actor(1), at=room.clock.now()) for where in (room, other, room)),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in started) == ["Match", "Refused", "Refused"]
    assert len(await room.record(match)) == 1
    await room.check_replay(match)


async def test_every_match_has_a_seed_of_its_own(room: Room) -> None:
    seeds = {(await room.in_lobby(chat_id=CHAT - number)).seed for number in range(20)}
    assert len(seeds) == 20
    assert all(len(seed) >= 32 for seed in seeds)


async def test_a_person_with_any_name_may_join(room: Room) -> None:
    match = await room.in_lobby(1)
    await room.lobby.join(match.id, Person(2, "", None))
    await room.lobby.join(match.id, Person(3, "<b>\u202eЁ</b>" * 50, None))
    assert [m.name for m in await room.members(match)][1:] == ["", "<b>\u202eЁ</b>" * 50]


async def test_a_match_that_does_not_exist_is_refused(room: Room) -> None:
    await refused(room, room.lobby.join(4711, person(1)), Refusal.NO_MATCH)
    await refused(room, room.lobby.start(10**40, Actor(1), at=room.clock.now()), Refusal.NO_MATCH)


async def test_a_match_of_a_game_that_is_gone_is_refused(room: Room) -> None:
    match = await room.in_lobby()
    room.host.games = {}
    await refused(room, room.lobby.join(match.id, person(5)), Refusal.NO_MATCH)


async def test_what_is_given_back_is_what_is_stored(room: Room) -> None:
    match = await room.in_lobby(3)
    begun = await room.lobby.start(match.id, Actor(1), at=room.clock.now())
    assert begun == await room.stored(match)
