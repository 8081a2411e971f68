"""What was stored is said: in order, within limits, again after a failure, and never twice for our own faults."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pytest

from referee.gate import Gate, Limits
from referee.outbox import BACKOFF, RUN, Delivery, Moved, Outbox, Passing, TryLater, Undeliverable, move_chat
from referee.planning import What
from storage import outbox as store
from storage import people
from storage.database import Connection, StorageError
from storage.records import PendingPost, Person, Post, SentMessage
from tests.referee.room import CHAT, Room
from tests.referee.virtual_time import VirtualTime, until

T = TypeVar("T")

ELSEWHERE, NEW = -200, -1000100


@dataclass
class RecordingCarrier:
    """Says posts by noting them; does first what a test has asked for in a chat."""

    said: list[tuple[int, str]] = field(default_factory=list)
    errors: dict[int, list[Exception]] = field(default_factory=dict)
    poison: set[str] = field(default_factory=set)
    run: int = 1
    before: Callable[[int], object] = field(default=lambda chat_id: None)
    after: Callable[[int], object] = field(default=lambda chat_id: None)
    slot: str | None = None
    tries: int = 0

    def together(self, posts: Sequence[PendingPost]) -> int:
        return min(self.run, len(posts))

    async def deliver(self, posts: Sequence[PendingPost]) -> Delivery:
        self.tries += 1
        chat_id = posts[0].post.chat_id
        self.before(chat_id)
        await asyncio.sleep(0)
        if errors := self.errors.get(chat_id):
            raise errors.pop(0)
        if any(pending.post.body in self.poison for pending in posts):
            raise KeyError("no word for this")
        self.said += [(chat_id, pending.post.body) for pending in posts]
        self.after(chat_id)
        if self.slot is None or posts[0].post.match_id is None:
            return Delivery()
        return Delivery((SentMessage(posts[0].post.match_id, self.slot, chat_id, len(self.said), posts[0].post.body),))

    def in_chat(self, chat_id: int = CHAT) -> list[str]:
        return [body for chat, body in self.said if chat == chat_id]


class Office:
    """An outbox, its carrier, and the time it sleeps in."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.carrier = RecordingCarrier()
        self.time = VirtualTime()
        self.slept: list[float] = []
        self.gate = Gate(Limits.none(), self.time.now, self.time.sleep)
        self.outbox = Outbox(room.host, self.carrier, self.gate, self.sleep)

    async def sleep(self, seconds: float) -> None:
        """Back-off takes no time here, but is noted."""
        self.slept.append(seconds)
        await asyncio.sleep(0)

    async def put(self, *posts: Post) -> None:
        async with self.room.host.db.transaction() as db:
            await store.add(db, posts, self.room.clock.now())

    async def say(self, *posts: Post) -> None:
        """Store and wake, as a change does, and wait until all is said."""
        await self.put(*posts)
        self.outbox.wake({post.chat_id for post in posts})
        await self.idle()

    async def idle(self) -> None:
        async with asyncio.timeout(5):
            await self.outbox.idle()

    async def waiting(self, chat_id: int = CHAT) -> list[str]:
        return [post.body for post in await self.room.posts(chat_id)]


@pytest.fixture
async def office(room: Room) -> AsyncIterator[Office]:
    opened = Office(room)
    await opened.outbox.start()
    yield opened
    async with asyncio.timeout(5):
        await opened.outbox.stop(patience=0)


def texts(*bodies: str, chat_id: int = CHAT, **more: object) -> list[Post]:
    return [Post(chat_id, "news", body, **more) for body in bodies]  # type: ignore[arg-type]


async def test_posts_of_a_chat_are_said_in_order_and_taken_off(office: Office) -> None:
    bodies = [f"{number}" for number in range(RUN * 2 + 3)]
    await office.say(*texts(*bodies), *texts("x", "y", chat_id=ELSEWHERE))
    assert office.carrier.in_chat() == bodies
    assert office.carrier.in_chat(ELSEWHERE) == ["x", "y"]
    assert await office.waiting() == []


async def test_a_change_of_a_match_is_said_by_itself(office: Office) -> None:
    match = await office.room.running()
    await office.room.count(match, 1)
    await office.idle()
    assert len(office.carrier.in_chat()) >= 3
    assert await office.waiting() == []


async def test_what_belongs_together_is_said_as_one(office: Office) -> None:
    office.carrier.run = 4
    await office.say(*texts("1", "2", "3", "4", "5"))
    assert office.carrier.tries == 2
    assert office.carrier.in_chat() == ["1", "2", "3", "4", "5"]


async def test_edits_of_one_message_merge_while_they_wait(office: Office) -> None:
    office.gate.hold(CHAT, 10)
    for number in range(5):
        await office.put(*texts(f"board {number}", merge_key="board"), *texts(f"news {number}"))
        office.outbox.wake({CHAT})
    await until(lambda: office.time.sleepers > 0)
    await office.time.pass_until(10)
    await office.idle()
    assert office.carrier.in_chat() == ["news 0", "news 1", "news 2", "news 3", "board 4", "news 4"]


async def test_what_is_stored_while_a_post_is_being_said_is_said_after_it(office: Office) -> None:
    later = texts("second")

    def more(chat_id: int) -> None:
        if later:
            task = asyncio.ensure_future(office.put(*[later.pop()]))
            task.add_done_callback(lambda _: office.outbox.wake({CHAT}))

    office.carrier.before = more
    await office.say(*texts("first"))
    while await office.waiting():
        await office.idle()
    await office.idle()
    assert office.carrier.in_chat() == ["first", "second"]


async def test_an_edit_that_is_on_its_way_is_not_lost_when_a_newer_one_comes(office: Office) -> None:
    """The newer one deletes the older from the outbox, and is itself not deleted when the older has been said."""
    await office.put(*texts("old", merge_key="board"))
    deliver = office.carrier.deliver
    said = asyncio.Event()

    async def slowly(posts: Sequence[PendingPost]) -> Delivery:
        if not said.is_set():
            said.set()
            await office.put(*texts("new", merge_key="board"))
        return await deliver(posts)

    office.carrier.deliver = slowly  # type: ignore[method-assign]
    office.outbox.wake({CHAT})
    await office.idle()
    assert office.carrier.in_chat() == ["old", "new"]


async def test_retry_after_holds_only_its_chat_and_loses_nothing(office: Office) -> None:
    office.carrier.errors[CHAT] = [TryLater(30), TryLater(5)]
    await office.put(*texts("1", "2"), *texts("x", chat_id=ELSEWHERE))
    office.outbox.wake({CHAT, ELSEWHERE})
    async with asyncio.timeout(5):
        await until(lambda: bool(office.time.sleepers and office.carrier.in_chat(ELSEWHERE)))
        assert office.carrier.said == [(ELSEWHERE, "x")]
        assert await office.waiting() == ["1", "2"]
        await office.time.pass_until(29.5)
        assert office.carrier.in_chat() == []
        await office.time.pass_until(30)
        await until(lambda: bool(not office.carrier.errors[CHAT] and office.time.sleepers))
        await office.time.pass_until(35)
    await office.idle()
    assert office.carrier.in_chat() == ["1", "2"]
    assert office.slept == []


async def test_a_fault_that_passes_is_tried_again_ever_more_seldom_and_nothing_is_lost(office: Office) -> None:
    office.carrier.errors[CHAT] = [Passing("time-out")] * 9
    await office.say(*texts("1", "2"))
    assert office.carrier.in_chat() == ["1", "2"]
    assert office.slept == [*BACKOFF, 60.0, 60.0, 60.0]


async def test_after_a_success_patience_begins_anew(office: Office) -> None:
    office.carrier.errors[CHAT] = [Passing("a"), Passing("b")]
    await office.say(*texts("1"))
    office.carrier.errors[CHAT] = [Passing("c")]
    await office.say(*texts("2"))
    assert office.slept == [*BACKOFF[:2], BACKOFF[0]]


async def test_a_database_that_is_busy_while_words_are_made_passes(office: Office) -> None:
    office.carrier.errors[CHAT] = [StorageError("locked")]
    await office.say(*texts("1"))
    assert office.carrier.in_chat() == ["1"]
    assert office.slept == [BACKOFF[0]]


async def test_what_can_never_be_said_is_dropped_and_said_elsewhere(office: Office) -> None:
    async with office.room.host.db.transaction() as db:
        await people.meet(db, Person(42, "P42", reachable=True), office.room.clock.now())
    instead = texts("P42 must open the bot", chat_id=ELSEWHERE)
    office.carrier.errors[42] = [Undeliverable("blocked", instead, unreachable=42)]
    await office.say(*texts("secret", "more", chat_id=42))
    await office.idle()
    assert office.carrier.said == [(42, "more"), (ELSEWHERE, "P42 must open the bot")] or office.carrier.said == [
        (ELSEWHERE, "P42 must open the bot"),
        (42, "more"),
    ]
    async with office.room.host.db.reading() as db:
        blocked = await people.get(db, 42)
    assert blocked is not None
    assert not blocked.reachable


async def test_a_fault_of_the_carrier_costs_one_post_and_blocks_nothing(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    office.carrier.poison = {"bad"}
    await office.say(*texts("1", "bad", "2"))
    assert office.carrier.in_chat() == ["1", "2"]
    assert await office.waiting() == []
    assert "could not be made" in caplog.text


async def test_of_posts_said_as_one_only_the_one_at_fault_is_lost(office: Office) -> None:
    office.carrier.poison = {"bad"}
    office.carrier.run = 5
    await office.say(*texts("1", "2", "bad", "3"))
    assert office.carrier.in_chat() == ["1", "2", "3"]
    assert await office.waiting() == []


@pytest.mark.parametrize("answer", [0, -3, 1000, ZeroDivisionError])
async def test_a_carrier_that_counts_wrongly_blocks_nothing(office: Office, answer: int | type[Exception]) -> None:
    def together(posts: Sequence[PendingPost]) -> int:
        if isinstance(answer, int):
            return answer
        raise answer

    office.carrier.together = together  # type: ignore[method-assign]
    await office.say(*texts("1", "2", "3"))
    assert office.carrier.in_chat() == ["1", "2", "3"]
    assert await office.waiting() == []


async def test_the_slot_that_a_message_shows_is_stored_with_it(office: Office) -> None:
    match = await office.room.running()
    office.carrier.slot = "board"
    await office.say(Post(CHAT, "board", "B", match_id=match.id))
    async with office.room.host.db.reading() as db:
        shown = await store.message(db, match.id, "board")
    assert shown is not None
    assert (shown.chat_id, shown.digest) == (CHAT, "B")


def failing_transactions(
    room: Room, monkeypatch: pytest.MonkeyPatch, times: int, error: type[BaseException] = StorageError
) -> None:
    """The next `times` transactions fail when they begin."""
    real, step, left = room.host.db.transaction, room.host.db.transact, [error] * times

    async def transact(work: Callable[[Connection], Coroutine[object, object, T]]) -> T:
        if left:
            raise left.pop()
        return await step(work)

    monkeypatch.setattr(room.host.db, "transact", transact)

    @asynccontextmanager
    async def transaction() -> AsyncIterator[Connection]:
        if left:
            raise left.pop()
        async with real() as db:
            yield db

    monkeypatch.setattr(room.host.db, "transaction", transaction)


async def test_a_full_disk_after_sending_repeats_the_storing_not_the_message(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.put(*texts("1", "2"))
    failing_transactions(office.room, monkeypatch, 8)
    office.outbox.wake({CHAT})
    await office.idle()
    assert office.carrier.in_chat() == ["1", "2"]
    assert office.slept == [*BACKOFF, 60.0, 60.0]
    assert await office.waiting() == []


async def test_a_database_that_cannot_be_read_passes(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    head, left = store.head, [1, 2]

    async def failing(db: Connection, chat_id: int, limit: int) -> list[PendingPost]:
        if left:
            left.pop()
            raise StorageError("locked")
        return await head(db, chat_id, limit)

    monkeypatch.setattr(store, "head", failing)
    await office.say(*texts("1"))
    assert office.carrier.in_chat() == ["1"]


async def test_a_crash_between_sending_and_storing_says_one_thing_twice_at_most(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.put(*texts("1", "2", "3"))
    with monkeypatch.context() as crash:
        failing_transactions(office.room, crash, 1, asyncio.CancelledError)
        office.outbox.wake({CHAT})
        await office.idle()
    assert office.carrier.in_chat() == ["1"]

    again = await Room.open(tmp_path, office.room.clock)
    restarted = Office(again)
    await restarted.outbox.start()
    await restarted.idle()
    assert restarted.carrier.in_chat() == ["1", "2", "3"]
    assert await restarted.waiting() == []
    await again.close()


async def test_a_restart_says_what_was_left_in_every_chat(room: Room, tmp_path: Path) -> None:
    before = Office(room)
    await before.put(*texts("1", "2"), *texts("x", chat_id=ELSEWHERE))
    after = Office(await Room.open(tmp_path, room.clock))
    await after.outbox.start()
    await after.idle()
    assert (after.carrier.in_chat(), after.carrier.in_chat(ELSEWHERE)) == (["1", "2"], ["x"])
    await after.room.close()


class TestMigration:
    async def test_everything_moves_once_and_is_said_in_the_new_chat(self, office: Office) -> None:
        room = office.room
        match = await room.running()
        lobby = await room.in_lobby()
        await office.idle()
        async with room.host.db.transaction() as db:
            await people.know_chat(db, CHAT, "group", "Ours")
            await people.count_message(db, CHAT, 1)
            await store.set_message(db, SentMessage(match.id, "board", CHAT, 5, "d"))
        office.carrier.said.clear()
        office.carrier.errors[CHAT] = [Moved(NEW)]
        await office.say(*texts("1", "2"))
        await office.idle()
        assert office.carrier.said[:2] == [(NEW, "1"), (NEW, "2")]
        # What was shown in the old chat can be pressed no more: the match and the lobby are shown anew.
        assert [change.match.id for change in room.planner.told(What.MOVED)] == [match.id, lobby.id]
        assert {chat_id for chat_id, _ in office.carrier.said} == {NEW}
        for moved in (match, lobby):
            assert (await room.stored(moved)).chat_id == NEW
        before = await room.everything()
        await move_chat(room.host, CHAT, NEW)
        await office.idle()
        assert await room.everything() == before
        async with room.host.db.reading() as db:
            assert await people.messages_in(db, NEW) == {1: 1}
            assert await store.message(db, match.id, "board") is None
        await room.count(match, 1)
        await office.idle()
        assert {chat_id for chat_id, _ in office.carrier.said} == {NEW}

    async def test_a_match_that_cannot_be_shown_anew_does_not_keep_the_others_back(self, office: Office) -> None:
        room = office.room
        first, second = await room.running(), await room.running()
        await office.idle()
        room.planner.fails = lambda change: change.match.id == first.id
        await move_chat(room.host, CHAT, NEW)
        await office.idle()
        assert [change.match.id for change in room.planner.told(What.MOVED)] == [second.id]
        assert (await room.stored(first)).chat_id == NEW

    async def test_told_by_a_service_message_the_posts_follow(self, office: Office) -> None:
        office.gate.hold(CHAT, 100)
        await office.put(*texts("1"))
        office.outbox.wake({CHAT})
        await move_chat(office.room.host, CHAT, NEW)
        await until(lambda: bool(office.carrier.said))
        assert office.carrier.said == [(NEW, "1")]

    async def test_a_late_post_to_the_old_chat_still_arrives(self, office: Office) -> None:
        await move_chat(office.room.host, CHAT, NEW)
        office.carrier.errors[CHAT] = [Moved(NEW)]
        await office.say(*texts("late"))
        await office.idle()
        assert office.carrier.said == [(NEW, "late")]

    async def test_moved_to_itself_is_a_fault_that_passes_and_no_endless_loop(self, office: Office) -> None:
        office.carrier.errors[CHAT] = [Moved(CHAT)]
        await office.say(*texts("1"))
        assert office.carrier.in_chat() == ["1"]
        assert office.slept == [BACKOFF[0]]


class TestStopping:
    async def test_what_is_being_said_is_said_to_the_end_and_stored(self, office: Office) -> None:
        sending, may_end = asyncio.Event(), asyncio.Event()
        deliver = office.carrier.deliver

        async def slowly(posts: Sequence[PendingPost]) -> Delivery:
            sending.set()
            await may_end.wait()
            return await deliver(posts)

        office.carrier.deliver = slowly  # type: ignore[method-assign]
        await office.put(*texts("1", "2"))
        office.outbox.wake({CHAT})
        async with asyncio.timeout(5):
            await sending.wait()
            stopping = asyncio.create_task(office.outbox.stop())
            await asyncio.sleep(0)
            may_end.set()
            await stopping
        assert office.carrier.in_chat() == ["1"]
        assert await office.waiting() == ["2"]

    async def test_who_only_waits_is_not_waited_for_without_end(self, office: Office) -> None:
        office.gate.hold(CHAT, 10_000)
        await office.put(*texts("1"))
        office.outbox.wake({CHAT})
        async with asyncio.timeout(5):
            await office.outbox.stop(patience=0.01)
        assert await office.waiting() == ["1"]
        assert asyncio.all_tasks() == {asyncio.current_task()}

    async def test_a_stopped_outbox_is_woken_in_vain(self, office: Office) -> None:
        await office.outbox.stop()
        await office.put(*texts("1"))
        office.outbox.wake({CHAT})
        assert asyncio.all_tasks() == {asyncio.current_task()}
        assert await office.waiting() == ["1"]
