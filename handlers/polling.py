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
from typing import Any

from telegram import Update
from telegram.error import Conflict, NetworkError, RetryAfter, TelegramError
from telegram.ext import Application

from handlers.faults import seconds_of

log = logging.getLogger(__name__)

LONG = timedelta(seconds=25)
BESIDE = 24
"""How many chats are served beside each other; more is slower, since the HTTP client searches its pool."""
PATIENCE = 1.0
"""Seconds that a stop waits for a batch to be handled, and then for it to be confirmed."""
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
                    updates, following = await self._read(fetch, offset)
                    failures = 0
                except TelegramError as error:
                    await self._pause(error, failures)
                    failures += 1
                    continue
                if not await self._handled(updates, stopping):
                    break
                offset = following
            if offset is not None:
                await self._confirm(offset)
        finally:
            stopping.cancel()

    def stop(self) -> None:
        """Handle what has been fetched, confirm it, and end."""
        self._stopping.set()

    async def _read(
        self, fetch: asyncio.Future[tuple[Update, ...]], offset: int | None
    ) -> tuple[list[Update], int | None]:
        """The updates that were fetched, and the offset that confirms them.

        One that python-telegram-bot cannot read (a later Bot API, a fault of its own) would come again and again and
        hold up all that follow; then each is read by itself, and that one is passed over.
        """
        updates: list[Update] = []
        try:
            updates = list(fetch.result())
        except TelegramError:
            raise
        except Exception:
            bot = self._application.bot
            # In lower case: the library refuses names that it knows, Telegram does not mind.
            raw = await bot.do_api_request(
                "getupdates", {"offset": offset, "timeout": 0, "allowed_updates": self._allowed}
            )
            for body in raw:
                try:
                    updates.append(Update.de_json(body, bot))
                except Exception:
                    log.exception("update %s cannot be read and is passed over", body["update_id"])
            return updates, (raw[-1]["update_id"] + 1 if raw else offset)
        return updates, (updates[-1].update_id + 1 if updates else offset)

    async def _handled(self, updates: Sequence[Update], stopping: asyncio.Future[Any]) -> bool:
        """Handle a batch. False if that was cut short by a stop: unconfirmed, it comes again after the next start."""
        handling: asyncio.Future[Any] = asyncio.ensure_future(self.handle(updates))
        await asyncio.wait({handling, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if not handling.done():
            await asyncio.wait({handling}, timeout=PATIENCE)
        if handling.done():
            handling.result()
            return True
        handling.cancel()
        await asyncio.gather(handling, return_exceptions=True)
        log.warning("stopped while %s updates were being handled: they will come again", len(updates))
        return False

    async def handle(self, updates: Sequence[Update]) -> None:
        """Handle a batch; all of it is done when this returns."""
        moved = dict(filter(None, map(_migration, updates)))
        lines: defaultdict[int, list[Update]] = defaultdict(list)
        for update in updates:
            line = _line_of(update)
            lines[moved.get(line, line)].append(update)
        await asyncio.gather(*(self._in_order(line) for line in lines.values()))

    async def _in_order(self, line: Sequence[Update]) -> None:
        async with self._room:
            for update in line:
                await self._application.process_update(update)

    async def _confirm(self, offset: int) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._application.bot.get_updates(
                    offset=offset, timeout=0, limit=1, allowed_updates=self._allowed
                )
        except (TelegramError, TimeoutError) as error:
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


def _migration(update: Update) -> tuple[int, int] | None:
    """The new and the old number of a group that became a supergroup: both stand in one line."""
    message = update.message
    if message is not None and message.migrate_to_chat_id is not None:
        return message.migrate_to_chat_id, message.chat_id
    if message is not None and message.migrate_from_chat_id is not None:
        return message.chat_id, message.migrate_from_chat_id
    return None


def _line_of(update: Update) -> int:
    """What must keep its order: a chat, or a person where there is no chat."""
    if update.effective_chat is not None:
        return update.effective_chat.id
    return update.effective_user.id if update.effective_user is not None else 0
