"""What SQLite must be told, and what may go wrong with a file."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
import threading
from pathlib import Path

import pytest

from storage import matches
from storage.database import EPOCH, StorageError
from storage.schema import MIGRATIONS
from storage.sqlite import SqliteDatabase


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "bot.db"


async def test_every_commit_reaches_the_disk_before_it_returns(path: Path) -> None:
    db = await SqliteDatabase.open(path)
    for connected in (db.transaction(), db.reading()):
        async with connected as asked:
            assert await asked.fetch("PRAGMA journal_mode") == [("wal",)]
            assert await asked.fetch("PRAGMA synchronous") == [(2,)], "FULL"
            assert await asked.fetch("PRAGMA foreign_keys") == [(1,)]
    await db.close()


def all_ended(threads: set[threading.Thread]) -> bool:
    """Whether every thread that began after these has ended (one that was told to needs a moment)."""
    begun = set(threading.enumerate()) - threads
    for thread in begun:
        thread.join(timeout=5)
    return not any(thread.is_alive() for thread in begun)


def schema_of(path: Path) -> tuple[int, list[str]]:
    raw = sqlite3.connect(path)
    try:
        [(version,)] = raw.execute("PRAGMA user_version")
        return version, [
            sql for (sql,) in raw.execute("SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY name")
        ]
    finally:
        raw.close()


async def test_a_new_file_gets_the_newest_schema_and_opening_it_again_changes_nothing(path: Path) -> None:
    await (await SqliteDatabase.open(path)).close()
    first = schema_of(path)
    assert first[0] == len(MIGRATIONS)
    await (await SqliteDatabase.open(path)).close()
    assert schema_of(path) == first


async def test_an_older_file_is_brought_up_and_keeps_what_it_has(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = await SqliteDatabase.open(path)
    async with db.transaction() as change:
        await change.fetch("INSERT INTO heartbeat (worker, at) VALUES ('a', 1) RETURNING at")
    await db.close()
    monkeypatch.setattr("storage.sqlite.MIGRATIONS", (*MIGRATIONS, ("CREATE TABLE later (id {id}, a TEXT)",)))
    db = await SqliteDatabase.open(path)
    async with db.reading() as asked:
        assert await asked.fetch("SELECT worker FROM heartbeat") == [("a",)]
        assert await asked.fetch("SELECT COUNT(*) FROM later") == [(0,)]
    await db.close()
    assert schema_of(path)[0] == len(MIGRATIONS) + 1


async def test_matches_of_the_first_release_are_running_and_not_paused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.sqlite.MIGRATIONS", MIGRATIONS[:1])
    db = await SqliteDatabase.open(path)
    async with db.transaction() as change:
        await change.fetch(
            "INSERT INTO matches (game, chat_id, opener_id, phase, version, options, pace, seed, lots, created_at, "
            "due_at) VALUES ('toy', -1, 1, 'running', 3, '{}', '{}', 's', '[]', 0, 5000) RETURNING id"
        )
    await db.close()
    monkeypatch.undo()
    db = await SqliteDatabase.open(path)
    async with db.transaction() as change:
        match = await matches.get(change, 1)
        assert match is not None
        assert (match.version, match.pause) == (3, None)
        assert await matches.save(change, match, expected=3)
        assert await matches.due(change, deadline=EPOCH, reminder=EPOCH, limit=9) == []
    await db.close()


async def test_a_migration_that_fails_leaves_the_file_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await (await SqliteDatabase.open(path)).close()
    before = schema_of(path)
    monkeypatch.setattr("storage.sqlite.MIGRATIONS", (*MIGRATIONS, ("CREATE TABLE later (id {id})", "NONSENSE")))
    threads = set(threading.enumerate())
    with pytest.raises(StorageError):
        await SqliteDatabase.open(path)
    assert schema_of(path) == before
    assert all_ended(threads)


async def test_a_file_of_a_newer_bot_is_refused_and_untouched(path: Path) -> None:
    await (await SqliteDatabase.open(path)).close()
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA user_version={len(MIGRATIONS) + 1}")
    raw.close()
    before = schema_of(path)
    with pytest.raises(StorageError, match="newer"):
        await SqliteDatabase.open(path)
    assert schema_of(path) == before


@pytest.mark.parametrize("what", ["no database", "a folder", "under a file"])
async def test_a_place_that_cannot_be_opened_is_a_storage_error_and_leaves_no_thread(tmp_path: Path, what: str) -> None:
    path = tmp_path / "bot.db"
    match what:
        case "no database":
            path.write_bytes(b"this is a diary, not a database" * 100)
        case "a folder":
            path.mkdir()
        case _:
            path.write_text("")
            path = path / "bot.db"
    threads = set(threading.enumerate())
    with pytest.raises(StorageError, match=r"bot\.db"):
        await SqliteDatabase.open(path)
    assert all_ended(threads)


async def test_a_full_disk_is_a_storage_error_with_nothing_half_done_and_passes(path: Path) -> None:
    db = await SqliteDatabase.open(path)
    async with db.transaction() as change:
        [[pages]] = await change.fetch("PRAGMA page_count")
    async with db.transaction() as change:
        await change.fetch(f"PRAGMA max_page_count={pages}")
    insert = "INSERT INTO heartbeat (worker, at) VALUES (?, ?) RETURNING at"

    async def fill() -> None:
        async with db.transaction() as change:
            await change.fetch(insert, "small", 1)
            for number in range(200):
                await change.fetch(insert, f"{number}" * 2000, 1)

    with pytest.raises(StorageError, match="full"):
        await fill()
    async with db.reading() as asked:
        assert await asked.fetch("SELECT COUNT(*) FROM heartbeat") == [(0,)]
    async with db.transaction() as change:
        await change.fetch("PRAGMA max_page_count=100000")
    async with db.transaction() as change:
        await change.fetch(insert, "x" * 100_000, 1)
    await db.close()


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from storage.sqlite import SqliteDatabase

async def main():
    db = await SqliteDatabase.open(Path(sys.argv[1]))
    insert = "INSERT INTO heartbeat (worker, at) VALUES (?, ?) RETURNING at"
    async with db.transaction() as change:
        await change.fetch(insert, "acknowledged", 1)
    async with db.transaction() as change:
        await change.fetch(insert, "in the middle", 1)
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_kill_9_leaves_what_was_committed_and_nothing_else(path: Path) -> None:
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", KILLED, path, cwd=Path(__file__).parents[2])
    assert await killed.wait() == -signal.SIGKILL
    db = await SqliteDatabase.open(path)
    async with db.reading() as asked:
        assert await asked.fetch("SELECT worker FROM heartbeat") == [("acknowledged",)]
    await db.close()
