"""The composition root: settings, the parts of the house put together, start, graceful stop.

python bot.py                       no token: the playground and the bot in it
BOT_TOKEN=… python bot.py           Telegram, by long polling
python bot.py --playground URL      the bot alone, in a playground that runs already
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import re
import signal
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx
import uvloop
from httpx_aiohttp import AiohttpTransport
from telegram.error import InvalidToken, TelegramError
from telegram.request import BaseRequest, HTTPXRequest

from engines.registry import REGISTRY
from handlers.application import ALLOWED_UPDATES, AnyApplication, add_handlers, make_application, set_menu
from handlers.carrier import TelegramCarrier
from handlers.house import House
from handlers.planner import GamesPlanner
from handlers.polling import Polling
from handlers.registry import PRESENTERS
from handlers.sending import Sender
from handlers.studio import Studio
from playground.server import Playground, unused_numbers
from referee.alarm import Alarm
from referee.clock import Clock
from referee.deadlines import Deadlines
from referee.gate import Gate, Limits
from referee.host import Host
from referee.lobby import Lobby
from referee.outbox import Outbox
from referee.play import Play
from storage.database import StorageError
from storage.sqlite import SqliteDatabase

log = logging.getLogger("bot")

PATIENCE = 2.0
"""Seconds that a stop gives to messages on their way; who stops a service waits some ten seconds before he kills it."""
PLAYGROUND_TOKEN = "1:playground"  # noqa: S105  # not a secret: the playground takes any


@dataclass(frozen=True)
class Settings:
    """What can be chosen from outside: environment first, the command line above it."""

    token: str | None
    api_url: str | None
    playground_url: str | None
    playground_port: int
    database: Path
    limits: Limits
    log_level: str
    drawers: int = 1

    @classmethod
    def read(cls, arguments: list[str] | None = None) -> Settings:
        """From the environment and the command line."""
        parser = argparse.ArgumentParser(
            prog="bot.py",
            description="The Referee hosts turn-based games in Telegram groups. No BOT_TOKEN: it starts a playground.",
        )
        parser.add_argument("--database", type=Path, default=Path(os.environ.get("DATABASE", "data/referee.db")))
        parser.add_argument("--playground", metavar="URL", help="use a playground that runs already")
        parser.add_argument("--port", type=int, default=int(os.environ.get("PLAYGROUND_PORT", "8081")))
        parser.add_argument(
            "--drawers", type=int, default=int(os.environ.get("DRAWERS", "1")), help="drawing processes"
        )
        parser.add_argument("--no-limits", action="store_true", help="send as fast as the server takes it")
        given = parser.parse_args(arguments)
        return cls(
            token=os.environ.get("BOT_TOKEN") or None,
            api_url=os.environ.get("BOT_API_URL") or None,
            playground_url=given.playground,
            playground_port=given.port,
            database=given.database,
            limits=Limits.none() if given.no_limits else Limits(),
            log_level=os.environ.get("LOG_LEVEL", "INFO"),
            drawers=given.drawers,
        )


@dataclass
class Bot:
    """The running bot."""

    application: AnyApplication
    house: House
    polling: Polling
    database: SqliteDatabase
    studio: Studio
    requests: tuple[BaseRequest, ...]

    @classmethod
    async def build(
        cls,
        token: str,
        database: SqliteDatabase,
        clock: Clock,
        *,
        limits: Limits | None = None,
        api_url: str | None = None,
        request: BaseRequest | None = None,
        updates_request: BaseRequest | None = None,
        drawers: int = 0,
    ) -> Bot:
        """Put the parts together. Nothing is started yet. `drawers`: processes for pictures (0: a thread)."""
        requests = request or _http(), updates_request or _http()
        application = make_application(token, api_url=api_url, request=requests[0], updates_request=requests[1])
        host = Host(database, REGISTRY, GamesPlanner(PRESENTERS), clock)
        play = Play(host)
        gate = Gate(limits)
        sender = Sender(application.bot, gate)
        studio = Studio(PRESENTERS, drawers)
        outbox = Outbox(host, TelegramCarrier(host, play, PRESENTERS, sender, studio), gate)
        alarm = Alarm(host, Deadlines(host))
        house = House(host, play, Lobby(host), alarm, outbox, sender, PRESENTERS)
        add_handlers(application, house)
        return cls(application, house, Polling(application, ALLOWED_UPDATES), database, studio, requests)

    async def start(self) -> None:
        """Connect, resolve what became due, say what was left unsaid. Raises TelegramError if the token is refused."""
        await self.application.initialize()
        me = await self.application.bot.get_me()
        self.house.sender.username = me.username or ""
        self.house.reads_everything = bool(me.can_read_all_group_messages)
        await self.application.start()
        await self.house.outbox.start()
        await self.house.alarm.start()
        await set_menu(self.application, self.house)

    async def run(self) -> None:
        """Handle updates until `polling.stop()`."""
        await self.polling.run()

    async def stop(self) -> None:
        """Let everything that runs come to its end, but not for long: what is unsaid then stays stored."""
        await self.house.alarm.stop()
        await asyncio.gather(self.house.fall_silent(PATIENCE), self.house.outbox.stop(PATIENCE))
        self.studio.close()
        if self.application.running:
            await self.application.stop()
        await self.application.shutdown()
        for request in self.requests:  # the application leaves them open where it could not be initialised
            await request.shutdown()


def _http() -> HTTPXRequest:
    """python-telegram-bot's own requests over aiohttp's connections: httpx's own pool is searched at each request."""
    return HTTPXRequest(read_timeout=20, httpx_kwargs={"transport": AiohttpTransport()})


async def follow_clock(url: str, clock: Clock) -> None:
    """Live in a playground's time: move our clock whenever its clock is moved."""
    version = -1
    async with httpx.AsyncClient(base_url=url, timeout=40) as client:
        while True:
            try:
                answer = await client.get("/control/clock", params={"after": version})
                answer.raise_for_status()
                told = answer.json()
            except (httpx.HTTPError, ValueError) as error:
                log.warning("the playground's clock does not answer: %s", error)
                await asyncio.sleep(1)
                continue
            version = int(told["version"])
            clock.set_offset(timedelta(seconds=float(told["offset"])))


async def join_clock(url: str, clock: Clock) -> asyncio.Task[None]:
    """Take over a playground's time; returns once it is known, and follows it until the task is cancelled."""
    async with httpx.AsyncClient(base_url=url, timeout=10) as client:
        told = (await client.get("/control/clock")).json()
    clock.set_offset(timedelta(seconds=float(told["offset"])))
    return asyncio.create_task(follow_clock(url, clock))


def collect_garbage_seldom() -> None:
    """Look for cycles seldom: every update makes thousands of short-lived objects, hardly any of them in a cycle."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


async def main(settings: Settings) -> int:
    """Run until a signal. Returns the exit status."""
    collect_garbage_seldom()
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with AsyncExitStack() as stack:
        clock = Clock()
        token, api_url = settings.token, settings.api_url
        playground_url = settings.playground_url
        if token is None and playground_url is None:
            playground = Playground(numbers_from=unused_numbers())
            try:
                playground_url = await playground.start(settings.playground_port)
            except OSError as error:
                log.error("port %d cannot be used: %s", settings.playground_port, error.strerror)
                log.error("another one: make run PLAYGROUND_PORT=8090, or python bot.py --port 8090")
                return 1
            stack.push_async_callback(playground.stop)
        if token is None:
            token, api_url = PLAYGROUND_TOKEN, playground_url
        try:
            database = await SqliteDatabase.open(settings.database)
        except StorageError as error:
            log.error("the database cannot be used: %s", error)
            return 1
        stack.push_async_callback(database.close)
        if playground_url is not None:
            following = await join_clock(playground_url, clock)
            stack.callback(following.cancel)
        bot = await Bot.build(token, database, clock, limits=settings.limits, api_url=api_url, drawers=settings.drawers)
        stack.push_async_callback(bot.stop)
        stopped = asyncio.ensure_future(stop.wait())
        stack.callback(stopped.cancel)
        starting = asyncio.ensure_future(bot.start())
        await asyncio.wait({starting, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            log.info("stopping before Telegram has answered")
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            return 0
        try:
            starting.result()
        except InvalidToken:
            log.error("Telegram refuses the token: look at BOT_TOKEN (BotFather gives one with /newbot)")
            return 1
        except TelegramError as error:
            log.error("Telegram does not answer: %s", error.message)
            return 1
        if playground_url is not None:
            log.info("the chat page: %s (Ctrl-C ends it)", playground_url)
        running = asyncio.ensure_future(bot.run())
        await asyncio.wait({running, stopped}, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")
        bot.polling.stop()
        await running
    return 0


class NoSecrets(logging.Formatter):
    """Takes tokens out of everything that is logged, tracebacks included (httpx writes whole addresses).

    A formatter and no filter: what it raises over a faulty call of the log is caught there, and stops nobody's work.
    """

    TOKEN = re.compile(r"\b(?:bot)?\d+(?::|%3A)[A-Za-z0-9_-]{8,}", re.IGNORECASE)

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter.format`."""
        return self.TOKEN.sub("<token>", super().format(record))


def set_up_logging(level: str) -> None:
    """Plain lines to standard error, without secrets."""
    handler = logging.StreamHandler()
    handler.setFormatter(NoSecrets("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler])
    # What people wrote in private is nobody's business; the polling itself says which update could not be read.
    logging.getLogger("telegram.ext.ExtBot").addFilter(lambda record: "Received data" not in str(record.msg))
    for chatty in ("httpx", "apscheduler", "tornado.access"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


if __name__ == "__main__":
    chosen = Settings.read()
    set_up_logging(chosen.log_level)
    sys.exit(uvloop.run(main(chosen)))
