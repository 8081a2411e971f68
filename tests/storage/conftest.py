"""Places that a database can be in. A further kind of database joins the whole suite with one line in `PLACES`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from storage.database import Database
from storage.sqlite import SqliteDatabase


@dataclass(frozen=True)
class SqlitePlace:
    """A file."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "bot.db"

    async def open(self, busy_ms: int = 5000) -> Database:
        """The database there; as often as wanted, as different workers do."""
        return await SqliteDatabase.open(self.path, busy_ms)


PLACES = {"sqlite": SqlitePlace}


@pytest.fixture(params=sorted(PLACES))
def place(request: pytest.FixtureRequest, tmp_path: Path) -> SqlitePlace:
    """Where a test's database is."""
    return PLACES[request.param](tmp_path)


@pytest.fixture
async def db(place: SqlitePlace) -> AsyncIterator[Database]:
    """An open, empty database."""
    database = await place.open()
    yield database
    await database.close()
