"""The contract of a database: transactions over plain SQL that both SQLite and PostgreSQL understand.

Placeholders are `?`, instants are integers (milliseconds since 1970, UTC), values of the engines are JSON text, and
every statement that changes something says what it changed through RETURNING.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, TypeVar

Cell = int | str | float | None
Row = Sequence[Cell]

T = TypeVar("T")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class StorageError(Exception):
    """The database did not do what it was asked; nothing of the transaction was kept. The action may be tried again."""


class Connection(Protocol):
    """A place to ask, within one transaction."""

    async def fetch(self, sql: str, *args: Cell) -> list[Row]:
        """Run one statement and give its rows (an empty list where it gives none)."""
        ...


class Database(Protocol):
    """Where everything is kept."""

    def transaction(self) -> AbstractAsyncContextManager[Connection]:
        """All or nothing: committed (to the disk) when the block ends, undone when it raises.

        A statement that failed dooms the block, even if the block catches the error. Raises StorageError if the
        database is locked, full or gone.
        """
        ...

    def reading(self) -> AbstractAsyncContextManager[Connection]:
        """For questions alone; never waits for a transaction. Each statement sees what was committed before it."""
        ...

    async def transact(self, work: Callable[[Connection], Coroutine[Any, Any, T]]) -> T:
        """A whole transaction in one step: `work` is given the connection and its result is given back.

        `work` awaits its connection and nothing else; it may run in another thread. It is what the busy paths use: an
        embedded database does all of it in one trip to its thread, some ten times cheaper than a block of statements.
        """
        ...

    async def look(self, work: Callable[[Connection], Coroutine[Any, Any, T]]) -> T:
        """The same for questions alone; never waits for a transaction."""
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


def to_ms(instant: datetime) -> int:
    """An aware instant as milliseconds since 1970."""
    return (instant - EPOCH) // timedelta(milliseconds=1)


def to_ms_or_none(instant: datetime | None) -> int | None:
    """The same, None staying None."""
    return None if instant is None else to_ms(instant)


def from_ms(value: Cell) -> datetime:
    """Milliseconds since 1970 as an instant in UTC."""
    return EPOCH + timedelta(milliseconds=as_int(value))


def from_ms_or_none(value: Cell) -> datetime | None:
    """The same, None staying None."""
    return None if value is None else from_ms(value)


def as_int(value: Cell) -> int:
    """A column that holds an integer."""
    if not isinstance(value, int):
        raise TypeError(f"an integer was stored here, not {type(value).__name__}")
    return value


def as_int_or_none(value: Cell) -> int | None:
    """A column that holds an integer or nothing."""
    return None if value is None else as_int(value)


def as_text(value: Cell) -> str:
    """A column that holds text."""
    if not isinstance(value, str):
        raise TypeError(f"a text was stored here, not {type(value).__name__}")
    return value


def as_text_or_none(value: Cell) -> str | None:
    """A column that holds text or nothing."""
    return None if value is None else as_text(value)
