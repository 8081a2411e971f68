"""What the host itself refuses, in the same shape as an engine's refusals: a code, and what a helpful message needs."""

from __future__ import annotations

from enum import StrEnum

from engines.contract import RuleError


class Refusal(StrEnum):
    """Codes of the host. Words for them: `refuse-<code>` in `locales/`."""

    NO_MATCH = "no_match"
    NOT_RUNNING = "not_running"
    NOT_IN_LOBBY = "not_in_lobby"
    STALE = "stale"
    """A button of an earlier turn or match."""
    NOT_YOUR_MATCH = "not_your_match"
    """The person has no seat in it."""
    NOT_REFEREE = "not_referee"
    """Neither the opener nor an administrator of the chat."""
    NOT_ADMIN = "not_admin"
    """Not an administrator of the chat."""
    NOT_IN_CHAT = "not_in_chat"
    """Not a member of the match's group: the link was copied."""
    TOO_LATE = "too_late"
    """The deadline had passed when the move was made: `due` (Unix seconds)."""
    ALREADY_JOINED = "already_joined"
    NOT_JOINED = "not_joined"
    TOO_FEW = "too_few"
    """`needed`, `joined`."""
    FULL = "full"
    """`most`."""
    LOBBY_OPEN = "lobby_open"
    """This game already has an open lobby here."""
    BAD_OPTION = "bad_option"
    NO_CLOCK = "no_clock"
    """There is no deadline that could be moved."""
    BAD_LENGTH = "bad_length"
    """More time, or a pause, is from a minute to `days` days."""
    BAD_DAY = "bad_day"
    """A day off is a date from today on, within a year."""
    DAY_OFF_ALREADY = "day_off_already"
    """The date `day` does not count anyhow."""
    PAUSED_ALREADY = "paused_already"
    NOT_PAUSED = "not_paused"
    NO_PAIR = "no_pair"
    """`needed` have to wait in reserve, `waiting` do."""
    WAS_IN = "was_in"
    """He has, or had, a seat in this match."""
    NOT_UNDOABLE = "not_undoable"
    """The last act is none that could be taken back, or it has shown a secret."""


class Refused(RuleError):
    """The host refuses; nothing has changed."""
