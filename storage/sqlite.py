"""The embedded database: one SQLite file in WAL mode, awaited through aiosqlite.

One connection writes, a transaction at a time; another reads beside it. A commit is on the disk before it returns
(`synchronous=FULL`), so that neither kill -9 nor a power cut takes back a move that was acknowledged.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from storage.database import Cell, Connection, Row, StorageError
from storage.one_step import Failed, Work, read, write
from storage.schema import MIGRATIONS

T = TypeVar("T")

SELF_NUMBERED = "INTEGER PRIMARY KEY AUTOINCREMENT"
TOGETHER = 64
"""How many pieces of work share a commit at most."""
WAL_TRIES = 50
BUSY_MS = 5000
"""How long to wait for another process that holds the file."""


class _Thread(aiosqlite.Connection):
    """aiosqlite's connection, with a way to do several things in one trip to its thread.

    aiosqlite offers that to its own methods alone (`_execute`, `_conn`), hence the narrow range of versions.
    """

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in the connection's thread."""
        return await self._execute(work, self._conn)  # type: ignore[no-any-return,no-untyped-call]


class SqliteConnection:
    """A connection as the contract wants it."""

    def __init__(self, raw: _Thread) -> None:
        self._raw = raw
        self._closed = False

    async def fetch(self, sql: str, *args: Cell) -> list[Row]:
        """Run one statement and give its rows."""
        if self._closed:
            raise StorageError("the database has been closed")
        try:
            return list(await self._raw.execute_fetchall(sql, args))
        except sqlite3.Error as error:
            raise StorageError(str(error)) from error

    async def step(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in one trip to the connection's thread."""
        if self._closed:
            raise StorageError("the database has been closed")
        try:
            return await self._raw.run(work)
        except sqlite3.Error as error:
            raise StorageError(str(error)) from error

    async def close(self) -> None:
        """Ask no more. Twice is once."""
        if not self._closed:
            self._closed = True
            await self._raw.close()


class SqliteDatabase:
    """A database in one file. Make it with `SqliteDatabase.open`."""

    def __init__(self, writer: SqliteConnection, reader: SqliteConnection) -> None:
        self._writer = writer
        self._reader = reader
        self._turn = asyncio.Lock()
        self._queue: list[_Order] = []
        self._committing: asyncio.Task[None] | None = None

    @classmethod
    async def open(cls, path: Path, busy_ms: int = BUSY_MS) -> SqliteDatabase:
        """Open `path`, make it on the first start, bring it to the newest schema on later ones.

        Raises StorageError if the file was written by a newer version of the bot, or cannot be opened.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            writer = await _connect(path, busy_ms)
        except (OSError, StorageError) as error:
            raise StorageError(f"{path}: {error}") from error
        try:
            await _migrate(writer)
            reader = await _connect(path, busy_ms)
        except BaseException:
            await writer.close()
            raise
        return cls(writer, reader)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """See `Database.transaction`."""
        async with self._turn:
            # BEGIN stands within the `try`: cancelled while it waits, it is carried out all the same.
            try:
                await self._writer.fetch("BEGIN IMMEDIATE")
                block = _Block(self._writer)
                yield block
                block.end()
                await self._writer.fetch("COMMIT")
            except BaseException:
                await _to_the_end(_undo(self._writer))
                raise

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """See `Database.reading`."""
        yield self._reader

    async def transact(self, work: Work[T]) -> T:
        """See `Database.transact`. Cancelled meanwhile, it is carried out to its end all the same.

        What is ordered while another commit is on its way to the disk shares the next one: each piece of work is done
        or undone on its own, and all of them are told so when the disk has them.
        """
        order = _Order(work, asyncio.get_running_loop().create_future())
        self._queue.append(order)
        if self._committing is None or self._committing.done():
            self._committing = asyncio.ensure_future(self._commit())
        result: T = await order.future
        return result

    async def _commit(self) -> None:
        while self._queue:
            async with self._turn:
                orders, self._queue = self._queue[:TOGETHER], self._queue[TOGETHER:]
                try:
                    outcomes = await self._writer.step(partial(write, [order.work for order in orders]))
                except BaseException as error:
                    for order in orders:
                        if not order.future.done():
                            order.future.set_exception(error)
                    if not isinstance(error, Exception):
                        raise
                    continue
            for order, outcome in zip(orders, outcomes, strict=True):
                if order.future.done():
                    continue
                if isinstance(outcome, Failed):
                    order.future.set_exception(outcome.error)
                else:
                    order.future.set_result(outcome)

    async def look(self, work: Work[T]) -> T:
        """See `Database.look`."""
        return await self._reader.step(partial(read, work))

    async def close(self) -> None:
        """See `Database.close`. Lets a running transaction end; closing twice is closing once."""
        async with self._turn:
            await self._writer.close()
            await self._reader.close()


@dataclass(frozen=True)
class _Order:
    """A piece of work that waits for its commit."""

    work: Work[Any]
    future: asyncio.Future[Any]


class _Block:
    """What a transaction's block asks through.

    One statement that fails dooms the block, as it does in PostgreSQL: SQLite may have rolled back on its own by then,
    and what followed would be kept without what went before.
    """

    def __init__(self, connection: SqliteConnection) -> None:
        self._connection = connection
        self._over: str | None = None

    async def fetch(self, sql: str, *args: Cell) -> list[Row]:
        """Run one statement of the block and give its rows."""
        if self._over is not None:
            raise StorageError(self._over)
        try:
            return await self._connection.fetch(sql, *args)
        except BaseException:
            self._over = "an earlier statement of this transaction failed"
            raise

    def end(self) -> None:
        """The block is over. Raises StorageError if a statement of it failed."""
        if self._over is not None:
            raise StorageError(self._over)
        self._over = "this transaction has ended"


async def _undo(connection: SqliteConnection) -> None:
    """Roll back what stands open. It is queued behind the statement that was cancelled or failed.

    Nothing may stand open: BEGIN itself failed, COMMIT was carried out, or SQLite has rolled back on its own (a full
    disk). Should the roll-back itself fail, the next BEGIN will, and undo again.
    """
    with suppress(StorageError):
        await connection.fetch("ROLLBACK")


async def _to_the_end(work: Coroutine[object, object, None]) -> None:
    """Await `work` to its end, however often we are cancelled meanwhile; then the cancellation goes on."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    task.result()


async def _connect(path: Path, busy_ms: int) -> SqliteConnection:
    """A connection, set up. Raises StorageError, and leaves no thread behind."""
    try:
        raw = _Thread(partial(sqlite3.connect, path, isolation_level=None), iter_chunk_size=64)
        await raw
    except sqlite3.Error as error:
        raise StorageError(str(error)) from error
    connection = SqliteConnection(raw)
    try:
        for pragma in (f"busy_timeout={busy_ms}", "synchronous=FULL", "foreign_keys=ON"):
            await connection.fetch(f"PRAGMA {pragma}")
        await _to_wal(connection)
    except BaseException:
        await connection.close()
        raise
    return connection


async def _to_wal(connection: SqliteConnection) -> None:
    """WAL mode, kept in the file. Changing to it does not wait for a busy file, so it is tried for a while."""
    for _ in range(WAL_TRIES):
        try:
            await connection.fetch("PRAGMA journal_mode=WAL")
        except StorageError:
            await asyncio.sleep(0.02)
        else:
            return
    await connection.fetch("PRAGMA journal_mode=WAL")


async def _migrate(connection: SqliteConnection) -> None:
    try:
        await connection.fetch("BEGIN IMMEDIATE")
        [[version]] = await connection.fetch("PRAGMA user_version")
        if not isinstance(version, int) or version > len(MIGRATIONS):
            raise StorageError(
                f"the database is at schema {version}, this bot knows {len(MIGRATIONS)}: run the newer bot"
            )
        for migration in MIGRATIONS[version:]:
            for statement in migration:
                await connection.fetch(statement.format(id=SELF_NUMBERED))
        await connection.fetch(f"PRAGMA user_version={len(MIGRATIONS)}")
        await connection.fetch("COMMIT")
    except BaseException:
        await _to_the_end(_undo(connection))
        raise
