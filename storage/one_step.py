"""Work on SQLite in one step: a coroutine of the storage's questions, driven to its end within the connection's thread.

Asked through a connection that answers at once, such a coroutine never has to wait, so that a transaction (or many
that share a commit) costs one trip to the thread and one write to the disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from storage.database import Cell, Connection, Row, StorageError

T = TypeVar("T")

Work = Callable[[Connection], Coroutine[Any, Any, T]]


class _Direct:
    """A connection within its own thread: answers at once."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw
        self.failed = False

    async def fetch(self, sql: str, *args: Cell) -> list[Row]:
        """Run one statement and give its rows. As in `_Block`, one that fails dooms the transaction."""
        if self.failed:
            raise StorageError("an earlier statement of this transaction failed")
        try:
            return self._raw.execute(sql, args).fetchall()
        except sqlite3.Error as error:
            self.failed = True
            raise StorageError(str(error)) from error


@dataclass(frozen=True)
class Failed:
    """A piece of work that was undone."""

    error: BaseException


def write(works: Sequence[Work[Any]], raw: sqlite3.Connection) -> list[Any]:
    """Do each piece of work or undo it, and commit them together. Raises if that fails: then nothing was kept."""
    raw.execute("BEGIN IMMEDIATE")
    try:
        outcomes = [_piece(work, raw) for work in works]
        raw.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            raw.execute("ROLLBACK")
        raise
    return outcomes


def _piece(work: Work[Any], raw: sqlite3.Connection) -> Any:
    direct = _Direct(raw)
    raw.execute("SAVEPOINT piece")
    try:
        result = _at_once(work(direct))
        if direct.failed:
            raise StorageError("a statement of this transaction failed")
    except Exception as error:
        # Where SQLite has rolled everything back on its own (a full disk), this raises, and all of it has failed.
        raw.execute("ROLLBACK TO piece")
        raw.execute("RELEASE piece")
        return Failed(error)
    raw.execute("RELEASE piece")
    return result


def read(work: Work[T], raw: sqlite3.Connection) -> T:
    """The result of work that only asks."""
    return _at_once(work(_Direct(raw)))


def _at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never has to wait."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    work.close()
    raise RuntimeError("within a transaction in one step, nothing but its connection may be awaited")
