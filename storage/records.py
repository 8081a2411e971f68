"""What is kept, as frozen values. Instants are aware and in UTC."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import dataclass_transform

import msgspec

from engines.contract import Seat, SeatInfo


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True):
    """A row as a value."""


class MatchPhase(StrEnum):
    """Where a match stands with its host."""

    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"


class Pace(Record, omit_defaults=True):
    """The time of a match: how long a turn is, and which time counts."""

    seconds: int | None = 18 * 3600
    """Counted seconds a turn; None: no limit."""
    country: str | None = "RU"
    """Whose working days count (ISO 3166); None: every day counts."""
    zone: str = "Europe/Moscow"
    """Where the dates are taken (IANA name)."""
    days_off: tuple[str, ...] = ()
    """Further dates that do not count (ISO), declared by the Referee."""


class Person(Record):
    """Somebody whom the bot has met. Known by number; names change."""

    id: int
    name: str
    username: str | None = None
    language: str | None = None
    reachable: bool = False
    """He has started the bot in private and has not blocked it."""


class ChatSettings(Record, omit_defaults=True):
    """What a chat has chosen."""

    language: str | None = None
    """None: not chosen."""
    pace: Pace = Pace()
    own_topic: bool = True
    """In a forum, each match gets a topic of its own."""
    tidy: bool = False
    """In such a topic, talk that is no move is removed."""


class Chat(Record):
    """A group or supergroup."""

    id: int
    kind: str
    title: str
    settings: ChatSettings = ChatSettings()


class Pause(Record):
    """A referee has stopped a match's clock. What was left of it is counted on from the end of the pause."""

    owner: str
    """Who paused it, as he was called then; empty for an administrator who hides his name."""
    reason: str
    since: datetime
    until: datetime
    """It ends by itself at this instant."""
    left_ms: int | None = None
    """Counted milliseconds that were left until the deadline; None where there was none."""
    remind_ms: int | None = None
    """The same until the reminder."""


class Match(Record):
    """A match from its lobby to its end. `state` and `options` are JSON of the game's engine."""

    id: int
    game: str
    chat_id: int
    thread_id: int | None
    opener_id: int
    phase: MatchPhase
    version: int
    """Grows with every change; equals the number of the last action once the match runs."""
    options: str
    pace: Pace
    seed: str
    """The source of all chance; a secret until the match is over."""
    lots: tuple[SeatInfo, ...]
    """What the draw was made from: with `seed` and the actions it gives the state again."""
    created_at: datetime
    state: str | None = None
    timer_key: str | None = None
    turn_started_at: datetime | None = None
    due_at: datetime | None = None
    remind_at: datetime | None = None
    ended_at: datetime | None = None
    pause: Pause | None = None
    """While a match is paused it has neither deadline nor reminder."""


class Member(Record):
    """Somebody on a match's list. `seat` is None in the lobby, and for who waits in reserve."""

    match_id: int
    person_id: int
    place: int
    """Order of joining, from 0."""
    seat: Seat | None
    name: str
    """As it was when he joined: it stays for the whole match."""
    username: str | None


class ActionKind(StrEnum):
    """Who set the action off."""

    NEW = "new"
    """The match began: the draw."""
    ACT = "act"
    """Somebody at the table, or the Referee (seat None)."""
    EXPIRE = "expire"
    """The clock ran out."""
    HOST = "host"
    """A referee changed the clock (or a pause was over): the game's state stays what it was."""
    UNDO = "undo"
    """A referee took the line before back: its state is the one before that line. See `undone`."""


class StoredAction(Record):
    """One line of a match's record."""

    match_id: int
    n: int
    kind: ActionKind
    seat: Seat | None
    person_id: int | None
    """Who did it in the flesh; None for the bot itself."""
    body: str
    events: str
    at: datetime
    source: str | None = None
    """The update it came from: the same update never acts twice."""


class UndoneLine(Record):
    """What the body of a line of the kind `UNDO` says, as far as a replay has to know."""

    line: int


def undone(actions: Iterable[StoredAction]) -> frozenset[int]:
    """The numbers of the lines that later ones took back: a replay leaves them out, as it does `HOST` and `UNDO`."""
    return frozenset(
        msgspec.json.decode(action.body, type=UndoneLine).line for action in actions if action.kind is ActionKind.UNDO
    )


class Post(Record):
    """Something to be said, not yet said. What it says in words is decided when it is sent."""

    chat_id: int
    kind: str
    body: str = "{}"
    """JSON that the presenter of this kind reads."""
    thread_id: int | None = None
    match_id: int | None = None
    merge_key: str | None = None
    """A newer post of the same chat and key takes the place of an unsent older one."""


class PendingPost(Record):
    """A post in the outbox."""

    id: int
    post: Post
    created_at: datetime
    tries: int


class SentMessage(Record):
    """The message that shows a slot of a match (its lobby, its board …), so that it can be edited."""

    match_id: int
    slot: str
    chat_id: int
    message_id: int
    digest: str
    """Of what it shows now: equal content is not sent again."""
