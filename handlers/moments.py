"""Instants in messages: shown to each reader in his own zone, with the match's zone as the text for old clients."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_datetime, format_timedelta
from markupsafe import Markup

from locales import Words
from storage.database import to_ms


def moment(at: datetime, zone: str, words: Words) -> Markup:
    """«пт 27 нояб., 23:59» as a date that Telegram shows in the reader's own zone."""
    return Markup('<tg-time unix="{}" format="wdt">{}</tg-time>').format(to_ms(at) // 1000, in_zone(at, zone, words))


def in_zone(at: datetime, zone: str, words: Words) -> str:
    """The same in the match's zone, as plain text."""
    return format_datetime(at, "EEE d MMM, HH:mm", tzinfo=ZoneInfo(zone), locale=words.language)


def length(seconds: int, words: Words) -> str:
    """A length of time in words, roughly: «18 часов»."""
    return format_timedelta(seconds, threshold=1.5, locale=words.language)


def day(at: date, words: Words) -> str:
    """«вт 9 марта 2027 г.»: a date that is a whole day."""
    return format_date(at, "EEE d MMM y", locale=words.language)
