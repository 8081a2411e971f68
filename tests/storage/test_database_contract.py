"""What every database must keep: all or nothing, whatever happens in between, and errors that say so."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from storage.database import Database, StorageError
from storage.schema import MIGRATIONS
from tests.storage.conftest import SqlitePlace

KEEP = "INSERT INTO heartbeat (worker, at) VALUES (?, ?) RETURNING at"


async def kept(db: Database) -> dict[object, object]:
    async with db.reading() as asked:
        return {row[0]: row[1] for row in await asked.fetch("SELECT worker, at FROM heartbeat")}


async def keep(db: Database, worker: str, at: int = 1) -> None:
    async with db.transaction() as change:
        await change.fetch(KEEP, worker, at)


async def test_what_a_block_did_is_kept_when_it_ends(db: Database) -> None:
    async with db.transaction() as change:
        assert await change.fetch(KEEP, "a", 1) == [(1,)]
        await change.fetch(KEEP, "b", 2)
    assert await kept(db) == {"a": 1, "b": 2}


async def test_nothing_is_kept_when_the_block_raises(db: Database) -> None:
    async def fail() -> None:
        async with db.transaction() as change:
            await change.fetch(KEEP, "a", 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await kept(db) == {}
    await keep(db, "b")
    assert await kept(db) == {"b": 1}


async def test_nothing_is_kept_when_a_statement_fails(db: Database) -> None:
    async def fail() -> None:
        async with db.transaction() as change:
            await change.fetch(KEEP, "a", 1)
            await change.fetch("SELECT nonsense FROM nowhere")

    with pytest.raises(StorageError):
        await fail()
    assert await kept(db) == {}


async def test_a_failed_statement_dooms_its_block_even_where_the_block_goes_on(db: Database) -> None:
    async def careless() -> None:
        async with db.transaction() as change:
            await change.fetch(KEEP, "a", 1)
            with suppress(StorageError):
                await change.fetch(KEEP, "a", 2)
            with suppress(StorageError):
                await change.fetch(KEEP, "b", 1)

    with pytest.raises(StorageError):
        await careless()
    assert await kept(db) == {}


async def test_nothing_can_be_asked_through_a_transaction_that_has_ended(db: Database) -> None:
    async with db.transaction() as change:
        await change.fetch(KEEP, "a", 1)
    with pytest.raises(StorageError):
        await change.fetch(KEEP, "b", 1)
    assert await kept(db) == {"a": 1}


async def test_a_key_taken_twice_is_a_storage_error(db: Database) -> None:
    await keep(db, "a")
    with pytest.raises(StorageError):
        await keep(db, "a")
    assert await kept(db) == {"a": 1}


async def test_a_foreign_key_is_held(db: Database) -> None:
    with pytest.raises(StorageError):
        async with db.transaction() as change:
            await change.fetch(
                "INSERT INTO roster (match_id, person_id, place, name) VALUES (?, ?, ?, ?) RETURNING place",
                5,
                1,
                0,
                "A",
            )


async def test_cancelled_within_the_block_keeps_nothing(db: Database) -> None:
    written = asyncio.Event()

    async def work() -> None:
        async with db.transaction() as change:
            await change.fetch(KEEP, "a", 1)
            written.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(work())
    async with asyncio.timeout(5):
        await written.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await keep(db, "b")
    assert await kept(db) == {"b": 1}


@pytest.mark.parametrize("again", [False, True], ids=["cancelled once", "cancelled again while it is undone"])
@pytest.mark.parametrize("rounds", range(14))
async def test_cancelled_at_any_instant_leaves_all_or_nothing_and_a_working_database(
    db: Database, rounds: int, again: bool
) -> None:
    """The task is cancelled after each number of turns of the loop: in BEGIN, in a statement, in COMMIT."""

    async def work() -> None:
        async with db.transaction() as change:
            await change.fetch(KEEP, "a", 1)
            await change.fetch(KEEP, "b", 1)

    task = asyncio.create_task(work())
    for _ in range(rounds):
        await asyncio.sleep(0)
    task.cancel()
    if again:
        await asyncio.sleep(0)
        task.cancel()
    async with asyncio.timeout(5):
        await asyncio.gather(task, return_exceptions=True)
        await keep(db, "c")
    assert await kept(db) in ({"c": 1}, {"a": 1, "b": 1, "c": 1})


async def test_transactions_of_one_database_follow_each_other(db: Database) -> None:
    await keep(db, "a", 0)

    async def count() -> None:
        async with db.transaction() as change:
            [[at]] = await change.fetch("SELECT at FROM heartbeat WHERE worker = ?", "a")
            await asyncio.sleep(0)
            assert isinstance(at, int)
            await change.fetch("UPDATE heartbeat SET at = ? WHERE worker = ? RETURNING at", at + 1, "a")

    async with asyncio.timeout(10):
        await asyncio.gather(*(count() for _ in range(40)))
    assert await kept(db) == {"a": 40}


async def test_readers_do_not_wait_for_a_transaction_and_see_nothing_of_it(db: Database) -> None:
    await keep(db, "a")
    async with asyncio.timeout(5), db.transaction() as change:
        await change.fetch(KEEP, "b", 1)
        assert await kept(db) == {"a": 1}
    assert await kept(db) == {"a": 1, "b": 1}


async def test_locked_by_another_worker_is_a_storage_error_in_bounded_time(place: SqlitePlace, db: Database) -> None:
    other = await place.open(busy_ms=20)
    async with asyncio.timeout(5):
        async with db.transaction() as change:
            await change.fetch(KEEP, "a", 1)
            with pytest.raises(StorageError):
                await keep(other, "b")
            assert await kept(other) == {}
        await keep(other, "b")
    assert await kept(db) == {"a": 1, "b": 1}
    await other.close()


async def test_a_short_lock_of_another_worker_is_waited_for(place: SqlitePlace, db: Database) -> None:
    other = await place.open()
    async with asyncio.timeout(10):
        await asyncio.gather(*(keep(one, f"{i}") for i in range(20) for one in ([db, other][i % 2],)))
    assert len(await kept(db)) == 20
    await other.close()


async def test_what_was_kept_is_there_after_reopening(place: SqlitePlace) -> None:
    first = await place.open()
    await keep(first, "a", 7)
    await first.close()
    second = await place.open()
    assert await kept(second) == {"a": 7}
    await second.close()


async def test_many_workers_may_open_a_new_database_at_once(place: SqlitePlace) -> None:
    async with asyncio.timeout(10):
        opened = await asyncio.gather(*(place.open() for _ in range(6)))
    for number, one in enumerate(opened):
        await keep(one, f"{number}")
    assert len(await kept(opened[0])) == 6
    for one in opened:
        await one.close()


async def test_closing_twice_is_closing_once_and_then_nothing_may_be_asked(place: SqlitePlace) -> None:
    database = await place.open()
    await database.close()
    await database.close()
    with pytest.raises(StorageError):
        await keep(database, "a")
    with pytest.raises(StorageError):
        await kept(database)


async def test_closing_lets_a_running_transaction_end(place: SqlitePlace) -> None:
    database = await place.open()
    async with asyncio.timeout(5):
        async with database.transaction() as change:
            closing = asyncio.create_task(database.close())
            await asyncio.sleep(0)
            await change.fetch(KEEP, "a", 1)
        await closing
    again = await place.open()
    assert await kept(again) == {"a": 1}
    await again.close()


async def test_values_come_back_as_they_were_given(db: Database) -> None:
    name = "Ё\u202eй 'quote\" \\ 𝄞\n"
    async with db.transaction() as change:
        rows = await change.fetch(
            "INSERT INTO people (id, name, username, seen_at) VALUES (?, ?, ?, ?) RETURNING name, username, seen_at",
            2**62,
            name,
            None,
            -(2**62),
        )
    assert [tuple(row) for row in rows] == [(name, None, -(2**62))]


def test_migrations_are_written_for_any_dialect() -> None:
    for migration in MIGRATIONS:
        for statement in migration:
            assert "AUTOINCREMENT" not in statement.format(id="KEY")
