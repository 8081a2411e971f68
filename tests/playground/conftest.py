"""A playground in process, PTB's real Bot on it, and the control API beside it."""

import asyncio
import socket
import struct
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import TypeVar

import pytest
from telegram import Bot, TelegramObject, Update
from telegram.request import HTTPXRequest

from playground.client import Control
from playground.server import Playground

TOKEN = "777000111:playground-token_1"
T = TypeVar("T")


class FakeTime:
    """A monotonic clock that only the test moves."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def monotonic() -> FakeTime:
    """Time by which sending limits count."""
    return FakeTime()


@pytest.fixture
async def playground(monotonic: FakeTime) -> AsyncIterator[Playground]:
    """The opening scene; limits are off unless a test turns them on."""
    one = Playground(monotonic=monotonic)
    one.api.limits.on = False
    yield one
    await one.stop()


def request_on(playground: Playground) -> HTTPXRequest:
    """PTB's request over the playground's transport (a Bot needs two)."""
    return HTTPXRequest(httpx_kwargs={"transport": playground.transport()})


@pytest.fixture
async def bot(playground: Playground) -> AsyncIterator[Bot]:
    """PTB's Bot without a socket."""
    made = Bot(TOKEN, request=request_on(playground), get_updates_request=request_on(playground))
    async with made:
        yield made


@pytest.fixture
async def control(playground: Playground) -> AsyncIterator[Control]:
    """The control API without a socket."""
    async with playground.client() as client:
        yield client


class Inbox:
    """Fetches the bot's updates and confirms them."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.offset = 0

    async def take(self, *, timeout: float = 0, allowed: list[str] | None = None) -> list[Update]:  # noqa: ASYNC109
        """Everything that is there now (or the first that comes), confirmed at the next call."""
        got = await self.bot.get_updates(offset=self.offset, timeout=int(timeout), allowed_updates=allowed)
        if got:
            self.offset = got[-1].update_id + 1
        return list(got)

    async def during(self, act: Awaitable[T]) -> tuple[Update, "asyncio.Future[T]"]:
        """Begin an act that waits for the bot's answer; gives the update that it makes."""
        running = asyncio.ensure_future(act)
        (update,) = await self.take(timeout=5)
        return update, running


@pytest.fixture
async def inbox(bot: Bot) -> Inbox:
    """The bot's updates."""
    return Inbox(bot)


def png(width: int, height: int) -> bytes:
    """A plain PNG of this size."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + b"\x10\x80\xff" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def gif(width: int, height: int, delays: tuple[int, ...] = (100,)) -> bytes:
    """A GIF of this size, with one frame for each delay (in hundredths of a second)."""
    frame = b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0"
    frames = b"".join(b"\x21\xf9\x04\x00" + struct.pack("<H", delay) + b"\0\0" + frame for delay in delays)
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0" + b"\0\0\0\xff\xff\xff" + frames + b";"


def jpeg(width: int, height: int) -> bytes:
    """The head of a JPEG of this size (enough to read it)."""
    start = struct.pack(">BBHBHHB", 0xFF, 0xC0, 17, 8, height, width, 3) + b"\0" * 9
    return b"\xff\xd8\xff\xe0" + struct.pack(">H", 16) + b"JFIF\0" + b"\0" * 9 + start + b"\xff\xd9"


class Pictures:
    """Makers of pictures, for tests (which cannot import each other's modules)."""

    png = staticmethod(png)
    gif = staticmethod(gif)
    jpeg = staticmethod(jpeg)


@pytest.fixture
def pictures() -> type[Pictures]:
    """The smallest pictures that are still pictures."""
    return Pictures


@pytest.fixture
def unused_port() -> Callable[[], int]:
    """Finds a port of loopback that nobody listens on."""

    def find() -> int:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return int(probe.getsockname()[1])

    return find


@pytest.fixture(autouse=True)
def _nothing_is_left_over(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every object that PTB makes of an answer knows every field of it (what it does not know goes to api_kwargs)."""
    unknown: list[str] = []
    make = TelegramObject.__init__

    def watched(self: TelegramObject, *, api_kwargs: dict[str, object] | None = None) -> None:
        if api_kwargs:
            unknown.append(f"{type(self).__name__}: {sorted(api_kwargs)}")
        make(self, api_kwargs=api_kwargs)

    monkeypatch.setattr(TelegramObject, "__init__", watched)
    yield
    assert unknown == []


@pytest.fixture(autouse=True)
def _durations_are_timedeltas(monkeypatch: pytest.MonkeyPatch) -> None:
    """PTB warns of the old kind of durations even when it builds its own RetryAfter."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


async def _until(true: Callable[[], bool]) -> None:
    while not true():  # noqa: ASYNC110 - what is waited for has no event of its own
        await asyncio.sleep(0.001)


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], Awaitable[None]]:
    """Lets the loop run until something is true."""
    return lambda true: asyncio.wait_for(_until(true), 5)
