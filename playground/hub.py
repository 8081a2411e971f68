"""Who wants to know: everything that happens in the playground is published here once."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

# A listener that has fallen so far behind has stopped reading; it is told to start again.
BACKLOG = 5_000


class EventKind(StrEnum):
    """What can happen."""

    MESSAGE = "message"
    DELETED = "deleted"
    TOAST = "toast"
    ACTION = "action"
    CLOCK = "clock"
    STATE = "state"
    OVERFLOW = "overflow"


@dataclass(frozen=True, slots=True)
class Event:
    """One happening; `data` is the object that it is about (a message, an answer …)."""

    kind: EventKind
    data: Any


class Hub:
    """Publishes events to any number of queues; publishing never waits."""

    def __init__(self) -> None:
        self._queues: set[asyncio.Queue[Event]] = set()

    def publish(self, kind: EventKind, data: Any = None) -> None:
        """Tell every listener."""
        event = Event(kind, data)
        for queue in self._queues:
            if queue.qsize() >= BACKLOG:
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(Event(EventKind.OVERFLOW, None))
            queue.put_nowait(event)

    @contextmanager
    def listen(self) -> Iterator[asyncio.Queue[Event]]:
        """A queue of everything published while the context is open."""
        queue: asyncio.Queue[Event] = asyncio.Queue()
        self._queues.add(queue)
        try:
            yield queue
        finally:
            self._queues.discard(queue)
