"""Where screens are made: in processes of their own, so that drawing never holds up the conversation.

A picture is some ten milliseconds of pure computing; in a thread it would take the interpreter from everybody else.
Without workers (`workers=0`, for tests and small machines) a thread does it.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import multiprocessing.connection
import os
import threading
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from handlers.presenter import Presenter, Scene
from handlers.screens import Screen

log = logging.getLogger(__name__)


class Studio:
    """Makes screens from scenes."""

    def __init__(self, presenters: Mapping[str, Presenter], workers: int = 0) -> None:
        self._presenters = presenters
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None

    async def slot(self, game: str, slot: str, scene: Scene) -> Screen | None:
        """What a slot of a match shows. See `Presenter.slot`."""
        if self._workers == 0:
            return await asyncio.to_thread(self._presenters[game].slot, slot, scene)
        try:
            return await self._in_pool(game, slot, scene)
        except BrokenProcessPool:
            log.warning("a drawing process has died; another one takes over")
            self.close()
            return await self._in_pool(game, slot, scene)

    def close(self) -> None:
        """Let the processes go."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    async def _in_pool(self, game: str, slot: str, scene: Scene) -> Screen | None:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._workers, mp_context=multiprocessing.get_context("spawn"), initializer=_begin
            )
        return await asyncio.get_running_loop().run_in_executor(self._pool, _draw, game, slot, scene)


def _begin() -> None:
    """In a drawing process: get the games ready, and end with the bot, even if that is killed."""
    import handlers.registry  # noqa: F401  # only the drawing process needs it from here

    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(0)


def _draw(game: str, slot: str, scene: Scene) -> Screen | None:
    """In a drawing process."""
    from handlers.registry import PRESENTERS

    return PRESENTERS[game].slot(slot, scene)
