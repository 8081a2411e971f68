"""A human referee's decisions about the clock: how they are written («/referee pause 2d …»), and how they are told.

Every game shares them, so they are read and told here; the game adds its own orders and words.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import assert_never

import msgspec
from babel.units import format_unit
from markupsafe import Markup

from handlers import moments
from handlers.names import clean
from locales import Words
from referee.decisions import ClockRuling, DayOff, GiveTime, Order, Resume, StopClock, Undo, UndoRuling
from storage.records import ActionKind, Match, StoredAction

_UNITS = {
    **dict.fromkeys(("d", "day", "days", "д", "дн", "день", "дня", "дней", "сут", "сутки", "суток"), 86400),
    **dict.fromkeys(("h", "hour", "hours", "ч", "час", "часа", "часов"), 3600),
    **dict.fromkeys(("m", "min", "minute", "minutes", "м", "мин", "минута", "минуты", "минут"), 60),
}
_LENGTH = re.compile(r"(\d{1,6})\s*([^\W\d_]+)\.?(?:\s+|$)")
_PAUSE = frozenset({"pause", "пауза"})
_RESUME = frozenset({"resume", "дальше"})
_TIME = frozenset({"time", "время"})
_DAY_OFF = frozenset({"dayoff", "выходной"})
_UNDO = frozenset({"undo", "отмена"})


def read_length(text: str) -> tuple[int, str] | None:
    """Seconds and what follows: «2d the ferry», «2 д паром». Several add up («1d 6h»). None if none begins the text."""
    seconds, at = 0, 0
    while found := _LENGTH.match(text, at):
        unit = _UNITS.get(found[2].casefold())
        if unit is None:
            break
        seconds += int(found[1]) * unit
        at = found.end()
    return (seconds, text[at:].strip()) if at else None


def read_date(text: str) -> date | None:
    """«2027-03-09» or «09.03.2027»; None for anything else."""
    if dotted := re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", text, re.ASCII):
        text = f"{dotted[3]}-{dotted[2]:0>2}-{dotted[1]:0>2}"
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text, re.ASCII) is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def order_by_words(verb: str, rest: str) -> Order | None:
    """What «/referee <verb> <rest>» orders of the host; None if it is unclear, or an order of the game."""
    verb = verb.casefold()
    if verb in _RESUME and not rest:
        return Resume()
    if verb in _UNDO and not rest:
        return Undo()
    if verb in _DAY_OFF:
        day = read_date(rest)
        return None if day is None else DayOff(day)
    if verb not in _PAUSE | _TIME:
        return None
    length = read_length(rest)
    if length is None:
        return None
    seconds, reason = length
    if verb in _TIME:
        return None if reason else GiveTime(seconds)
    return StopClock(seconds, reason) if reason else None


def length_text(seconds: int, words: Words) -> str:
    """A length of time to the minute: «1 день 6 часов»."""
    minutes = max(round(seconds / 60), 0)
    parts = [(minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute")]
    named = [format_unit(n, f"duration-{unit}", "long", locale=words.language) for n, unit in parts if n]
    return " ".join(named) or str(format_unit(0, "duration-minute", "long", locale=words.language))


def pause_text(match: Match, words: Words) -> Markup | None:
    """Who paused a match, why, until when at the latest, and what is left of the turn; None if it runs."""
    pause = match.pause
    if pause is None:
        return None
    told = words.html(
        "pause-stands",
        by=_by(pause.owner, words),
        until=moments.moment(pause.until, match.pace.zone, words),
        reason=pause.reason,
    )
    if pause.left_ms is None:
        return told
    left = length_text(pause.left_ms // 1000, words)
    return Markup("\n").join([told, words.html("pause-left", left=left)])


def ruling_text(action: StoredAction, match: Match, words: Words) -> Markup | None:
    """A line of the record that a decision of the host wrote; None for any other line.

    What an `UNDO` took back is told by the game, see `undone_events`.
    """
    if action.kind is ActionKind.HOST:
        return _clock_text(msgspec.json.decode(action.body, type=ClockRuling), match, words)
    if action.kind is ActionKind.UNDO:
        return _undo_text(msgspec.json.decode(action.body, type=UndoRuling), match, words)
    return None


def undone_events(action: StoredAction) -> str | None:
    """The events of the line that an `UNDO` took back, as JSON of the game; None for any other line."""
    if action.kind is not ActionKind.UNDO:
        return None
    return msgspec.json.decode(action.body, type=UndoRuling).events


def _undo_text(ruling: UndoRuling, match: Match, words: Words) -> Markup:
    told = [words.html("ruled-undo", by=_by(ruling.by, words))]
    if ruling.clock is not None:
        told.append(Markup("<s>{}</s>").format(_order_text(ruling.clock, words)))
        if ruling.after is not None:
            told.append(words.html("ruled-deadline", due=_moment(ruling.after, match, words)))
    return Markup("\n").join(told)


def _clock_text(ruling: ClockRuling, match: Match, words: Words) -> Markup:
    told = [_order_text(ruling, words)]
    if ruling.until is not None:
        told.append(words.html("ruled-pause-until", until=_moment(ruling.until, match, words)))
    if ruling.after is not None and ruling.after != ruling.before:
        told.append(words.html("ruled-deadline", due=_moment(ruling.after, match, words)))
    return Markup("\n").join(told)


def _order_text(ruling: ClockRuling, words: Words) -> Markup:
    """What was decided, in one line."""
    by = _by(ruling.by or "", words)
    match ruling.order:
        case GiveTime(seconds):
            return words.html("ruled-time", by=by, length=length_text(seconds, words))
        case DayOff(day):
            return words.html("ruled-day_off", by=by, day=moments.day(day, words))
        case StopClock(seconds, reason):
            return words.html("ruled-pause", by=by, length=length_text(seconds, words), reason=reason)
        case Resume():
            return words.html("ruled-resume-itself") if ruling.by is None else words.html("ruled-resume", by=by)
        case _:
            assert_never(ruling.order)


def _moment(at: datetime, match: Match, words: Words) -> Markup:
    return moments.moment(at, match.pace.zone, words)


def _by(owner: str, words: Words) -> Markup:
    """Who decided: a name made harmless, or «an administrator»."""
    return (
        Markup("<b>{}</b>").format(f"\u2068{clean(owner, 0)}\u2069") if owner else words.html("ruled-by-administrator")
    )


PAUSES = (timedelta(days=1), timedelta(days=2), timedelta(days=3), timedelta(days=7))
"""Lengths of a pause that buttons offer."""
EXTENSIONS = (timedelta(hours=1), timedelta(hours=6), timedelta(hours=18))
"""More time that buttons offer."""
REASONS = ("holidays", "away", "technical")
"""Reasons of a pause that buttons offer: `pause-reason-…`."""
