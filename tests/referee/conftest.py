"""Fixtures of the referee's tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.referee.room import Room


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    """One worker with a file of its own."""
    opened = await Room.open(tmp_path)
    yield opened
    await opened.close()


@pytest.fixture
async def other(room: Room, tmp_path: Path) -> AsyncIterator[Room]:
    """A second worker on the same file, with the same clock."""
    opened = await Room.open(tmp_path, room.clock)
    yield opened
    await opened.close()
