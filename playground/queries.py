"""Presses of buttons and inline queries that wait for the bot's answer."""

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playground.wire import Json, bad_request
from playground.world import Person

# World seconds in which an answer is still taken.
CALLBACK_SECONDS = 60.0
INLINE_SECONDS = 30.0
KEPT = 5_000
TOO_OLD = "query is too old and response timeout expired or query ID is invalid"


@dataclass(slots=True, eq=False)
class Query:
    """One query of a person; `answered` is set with the bot's answer."""

    id: str
    person: Person
    at: float
    seconds: float
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    answer: Any = None
    about: Json = field(default_factory=dict)

    async def wait(self, seconds: float) -> Any:
        """The bot's answer, or None when it does not come in so many real seconds."""
        try:
            await asyncio.wait_for(self.answered.wait(), seconds)
        except TimeoutError:
            return None
        return self.answer


class Queries:
    """All queries by their ids; the oldest are forgotten."""

    def __init__(self, now: Callable[[], float], numbers_from: int = 0) -> None:
        self._now = now
        self._ids = itertools.count(numbers_from + 4_382_000_000_000_000_001)
        self._open: OrderedDict[str, Query] = OrderedDict()

    def ask(self, person: Person, seconds: float, about: Json | None = None) -> Query:
        """A new query, which may be answered once within `seconds` of the world's time."""
        query = Query(str(next(self._ids)), person, self._now(), seconds, about=about or {})
        self._open[query.id] = query
        while len(self._open) > KEPT:
            self._open.popitem(last=False)
        return query

    def get(self, query_id: str) -> Query | None:
        """The query of an id, answered or not."""
        return self._open.get(query_id)

    def answer(self, query_id: str, answer: Any) -> Query:
        """Take the bot's answer. Raises ApiError 400 for an unknown, an old, or an answered query."""
        query = self._open.get(query_id)
        if query is None or query.answered.is_set() or self._now() - query.at > query.seconds:
            raise bad_request(TOO_OLD)
        query.answer = answer
        query.answered.set()
        return query
