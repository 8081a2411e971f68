"""Transactions in one step: all or nothing each, though they may share a commit."""

from __future__ import annotations

import asyncio

import pytest

from storage.database import Connection, Database, StorageError
from tests.storage.conftest import SqlitePlace
from tests.storage.test_database_contract import KEEP, keep, kept


async def test_what_the_work_did_is_kept_and_its_result_given_back(db: Database) -> None:
    async def work(change: Connection) -> str:
        await change.fetch(KEEP, "a", 1)
        return "done"

    assert await db.transact(work) == "done"
    assert await kept(db) == {"a": 1}


async def test_work_that_raises_is_undone_and_those_beside_it_are_kept(db: Database) -> None:
    async def good(change: Connection, name: str) -> str:
        await change.fetch(KEEP, name, 1)
        return name

    async def bad(change: Connection) -> str:
        await change.fetch(KEEP, "bad", 1)
        raise ZeroDivisionError

    names = [f"{number}" for number in range(20)]
    works = [db.transact(lambda change, name=name: good(change, name)) for name in names]  # type: ignore[misc]
    works.insert(7, db.transact(bad))
    done = await asyncio.gather(*works, return_exceptions=True)
    assert isinstance(done.pop(7), ZeroDivisionError)
    assert done == names
    assert sorted(await kept(db)) == sorted(names)


async def test_a_failed_statement_dooms_the_work_even_where_it_goes_on(db: Database) -> None:
    async def careless(change: Connection) -> None:
        await change.fetch(KEEP, "a", 1)
        try:
            await change.fetch("SELECT nonsense FROM nowhere")
        except StorageError:
            return

    with pytest.raises(StorageError):
        await db.transact(careless)
    assert await kept(db) == {}


async def test_work_that_awaits_anything_else_is_refused_and_undone(db: Database) -> None:
    async def waits(change: Connection) -> None:
        await change.fetch(KEEP, "a", 1)
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="one step"):
        await db.transact(waits)
    assert await kept(db) == {}
    await keep(db, "b")


async def test_steps_and_blocks_never_mix(db: Database) -> None:
    async def step(change: Connection) -> int:
        return len(await change.fetch("SELECT worker FROM heartbeat"))

    async with asyncio.timeout(5):
        async with db.transaction() as change:
            await change.fetch(KEEP, "a", 1)
            waiting = asyncio.ensure_future(db.transact(step))
            await change.fetch(KEEP, "b", 1)
            assert not waiting.done()
        assert await waiting == 2


async def test_a_cancelled_order_does_not_harm_the_others(db: Database) -> None:
    async def work(change: Connection, name: str) -> None:
        await change.fetch(KEEP, name, 1)

    async with asyncio.timeout(5):
        first = asyncio.ensure_future(db.transact(lambda change: work(change, "a")))
        second = asyncio.ensure_future(db.transact(lambda change: work(change, "b")))
        await asyncio.sleep(0)
        first.cancel()
        await second
        with pytest.raises(asyncio.CancelledError):
            await first
    assert "b" in await kept(db)


async def test_a_locked_database_is_said_to_everybody_who_waits(place: SqlitePlace) -> None:
    async def work(change: Connection, name: str) -> None:
        await change.fetch(KEEP, name, 1)

    holder, waiter = await place.open(), await place.open(busy_ms=20)
    async with asyncio.timeout(10):
        async with holder.transaction() as change:
            await change.fetch(KEEP, "holder", 1)
            results = await asyncio.gather(
                *(waiter.transact(lambda change, name=name: work(change, name)) for name in "ab"),  # type: ignore[misc]
                return_exceptions=True,
            )
            assert all(isinstance(result, StorageError) for result in results)
        await waiter.transact(lambda change: work(change, "later"))
    assert sorted(await kept(holder)) == ["holder", "later"]
    await holder.close()
    await waiter.close()


async def test_looking_never_waits_for_a_transaction(db: Database) -> None:
    async def look(asked: Connection) -> int:
        return len(await asked.fetch("SELECT worker FROM heartbeat"))

    async with asyncio.timeout(5), db.transaction() as change:
        await change.fetch(KEEP, "a", 1)
        assert await db.look(look) == 0
    assert await db.look(look) == 1
