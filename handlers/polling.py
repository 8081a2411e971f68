"""Long polling that loses no update: a batch is confirmed only when all of it has been handled.

python-telegram-bot's own updater confirms a batch with the next request while its updates still wait in memory; a crash
would lose them. Here a crash repeats them instead, and every action knows the update that it came from, so that nothing
is done twice. Updates of one chat are handled in order, those of different chats beside each other.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Sequence
from datetime import timedelta

from telegram import Update
from telegram.error import Conflict, NetworkError, RetryAfter, TelegramError
from telegram.ext import Application

from handlers.faults import seconds_of

log = logging.getLogger(__name__)

LONG = timedelta(seconds=25)
BESIDE = 24
"""How many chats are served beside each other; more is slower, since the HTTP client searches its pool."""
BACKOFF = (0.5, 1.0, 2.0, 5.0, 10.0)


class Polling:
    """Fetches updates and hands them to an application."""

    def __init__(self, application: Application, allowed: Sequence[str]) -> None:  # type: ignore[type-arg]  # contexts do not matter here
        self._application = application
        self._allowed = list(allowed)
        self._room = asyncio.Semaphore(BESIDE)
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Poll until `stop`."""
        offset: int | None = None
        failures = 0
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            while not self._stopping.is_set():
                fetch = asyncio.ensure_future(
                    self._application.bot.get_updates(offset=offset, timeout=LONG, allowed_updates=self._allowed)
                )
                await asyncio.wait({fetch, stopping}, return_when=asyncio.FIRST_COMPLETED)
                if not fetch.done():
                    fetch.cancel()
                    await asyncio.gather(fetch, return_exceptions=True)
                    break
                try:
                    updates = fetch.result()
                    failures = 0
                except TelegramError as error:
                    await self._pause(error, failures)
                    failures += 1
                    continue
                await self.handle(updates)
                if updates:
                    offset = updates[-1].update_id + 1
            if offset is not None:
                await self._confirm(offset)
        finally:
            stopping.cancel()

    def stop(self) -> None:
        """Handle what has been fetched, confirm it, and end."""
        self._stopping.set()

    async def handle(self, updates: Sequence[Update]) -> None:
        """Handle a batch; all of it is done when this returns."""
        lines: defaultdict[int, list[Update]] = defaultdict(list)
        for update in updates:
            lines[_line_of(update)].append(update)
        await asyncio.gather(*(self._in_order(line) for line in lines.values()))

    async def _in_order(self, line: Sequence[Update]) -> None:
        async with self._room:
            for update in line:
                await self._application.process_update(update)

    async def _confirm(self, offset: int) -> None:
        try:
            await self._application.bot.get_updates(offset=offset, timeout=0, limit=1, allowed_updates=self._allowed)
        except TelegramError as error:
            log.warning("the last updates could not be confirmed and will come again: %s", error)

    async def _pause(self, error: TelegramError, failures: int) -> None:
        wait = BACKOFF[min(failures, len(BACKOFF) - 1)]
        match error:
            case RetryAfter():
                wait = seconds_of(error)
            case Conflict():
                log.error("another process is polling with this token: %s", error.message)
            case NetworkError():
                log.warning("no updates: %s", error.message)
            case _:
                log.error("no updates: %s", error.message)
        try:
            async with asyncio.timeout(wait):
                await self._stopping.wait()
        except TimeoutError:
            return


def _line_of(update: Update) -> int:
    """What must keep its order: a chat, or a person where there is no chat."""
    if update.effective_chat is not None:
        return update.effective_chat.id
    return update.effective_user.id if update.effective_user is not None else 0
