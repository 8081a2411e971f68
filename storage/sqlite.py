"""The embedded database: one SQLite file in WAL mode, awaited through aiosqlite.

One connection writes, a transaction at a time; another reads beside it. A commit is on the disk before it returns
(`synchronous=FULL`), so that neither kill -9 nor a power cut takes back a move that was acknowledged.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiosqlite

from storage.database import Cell, Connection, Row, StorageError
from storage.schema import MIGRATIONS

SELF_NUMBERED = "INTEGER PRIMARY KEY AUTOINCREMENT"
BUSY_MS = 5000
"""How long to wait for another process that holds the file."""


class SqliteConnection:
    """A connection as the contract wants it."""

    def __init__(self, raw: aiosqlite.Connection) -> None:
        self._raw = raw

    async def fetch(self, sql: str, *args: Cell) -> list[Row]:
        """Run one statement and give its rows."""
        try:
            return list(await self._raw.execute_fetchall(sql, args))
        except sqlite3.OperationalError as error:
            raise StorageError(str(error)) from error


class SqliteDatabase:
    """A database in one file. Make it with `SqliteDatabase.open`."""

    def __init__(self, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self._raw = (writer, reader)
        self._writer = SqliteConnection(writer)
        self._reader = SqliteConnection(reader)
        self._turn = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path) -> SqliteDatabase:
        """Open `path`, make it on the first start, bring it to the newest schema on later ones.

        Raises StorageError if the file was written by a newer version of the bot, or cannot be opened.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            writer = await _connect(path)
        except sqlite3.OperationalError as error:
            raise StorageError(f"{path}: {error}") from error
        try:
            await _migrate(writer)
            reader = await _connect(path)
        except BaseException:
            await writer.close()
            raise
        return cls(writer, reader)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Connection]:
        """See `Database.transaction`."""
        async with self._turn:
            await self._writer.fetch("BEGIN IMMEDIATE")
            try:
                yield self._writer
                await self._writer.fetch("COMMIT")
            except BaseException:
                await asyncio.shield(self._undo())
                raise

    async def _undo(self) -> None:
        if self._raw[0].in_transaction:
            await self._writer.fetch("ROLLBACK")

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Connection]:
        """See `Database.reading`."""
        yield self._reader

    async def close(self) -> None:
        """See `Database.close`."""
        async with self._turn:
            for connection in self._raw:
                await connection.close()


async def _connect(path: Path) -> aiosqlite.Connection:
    connection = await aiosqlite.connect(path, isolation_level=None)
    for pragma in (
        f"busy_timeout={BUSY_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
    ):
        await connection.execute_fetchall(f"PRAGMA {pragma}")
    return connection


async def _migrate(raw: aiosqlite.Connection) -> None:
    connection = SqliteConnection(raw)
    await connection.fetch("BEGIN IMMEDIATE")
    try:
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
        if raw.in_transaction:
            await connection.fetch("ROLLBACK")
        raise
