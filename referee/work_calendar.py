"""Which time counts: whole local dates that are working days (rules of the sea battle, «Time»).

Time that does not count is subtracted, never toggled. All arithmetic is on instants in UTC, since adding hours to a
local time of day is wrong on the two days a year on which the clocks change.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

import holidays

from storage.records import Pace

WEEKDAYS = "weekdays"
"""In place of a country: Monday to Friday, no holidays."""
LONGEST_GAP = timedelta(days=3660)
"""No calendar is without a working day for longer than this; a search that passes it is a fault."""


class WorkCalendar:
    """The days that count for one match."""

    def __init__(self, zone: str, country: str | None, days_off: frozenset[date] = frozenset()) -> None:
        """`country` is an ISO 3166 code, `WEEKDAYS`, or None where every day counts. Raises ValueError."""
        if zone not in zones():
            raise ValueError(f"unknown time zone: {zone}")
        if country not in (None, WEEKDAYS) and country not in countries():
            raise ValueError(f"unknown country: {country}")
        self._zone = ZoneInfo(zone)
        self._country = country
        self._days_off = days_off

    @classmethod
    def of(cls, pace: Pace) -> WorkCalendar:
        """The calendar of a match's pace."""
        return _calendar(pace.zone, pace.country, pace.days_off)

    def counts(self, day: date) -> bool:
        """Whether a local date counts: a working day, moved days included, and no day off by the Referee."""
        if day in self._days_off:
            return False
        if self._country is None:
            return True
        if self._country == WEEKDAYS:
            return day.weekday() < 5
        return _holidays(self._country).is_working_day(day)

    def is_published(self, year: int) -> bool:
        """Whether the moved days of a year are known. A year without them is to be said, not guessed.

        Only for countries that move days by decree, as Russia does; elsewhere every year is known.
        """
        if self._country in (None, WEEKDAYS):
            return True
        decreed: dict[int, object] = getattr(_holidays(str(self._country)), "special_public_holidays", {})
        return self._country != "RU" or year in decreed

    def counted(self, start: datetime, end: datetime) -> timedelta:
        """How much of the time from `start` to `end` counts (zero if `end` is not later)."""
        total = timedelta(0)
        for day, begins, ends in self._days(start):
            if begins >= end:
                break
            if self.counts(day):
                total += min(ends, end) - max(begins, start)
        return max(total, timedelta(0))

    def add(self, start: datetime, allowance: timedelta) -> datetime:
        """The last instant at which no more than `allowance` has been counted since `start` (a closed interval).

        Used up exactly at the end of a working day, it reaches to the beginning of the next one, since nothing is
        counted in between. Raises ValueError if the calendar has no working day for ten years.
        """
        left = allowance
        for day, begins, ends in self._days(start):
            if begins - start > LONGEST_GAP:
                break
            if not self.counts(day):
                continue
            begins = max(begins, start)
            if left < ends - begins:
                return begins + left
            left -= ends - begins
        raise ValueError(f"no working day within ten years of {start:%Y-%m-%d}")

    def _days(self, start: datetime) -> Iterator[tuple[date, datetime, datetime]]:
        """Local dates from that of `start` on, each with its first instant and that of the next date, in UTC."""
        day = start.astimezone(self._zone).date()
        begins = self._midnight(day)
        while True:
            following = day + timedelta(days=1)
            ends = self._midnight(following)
            yield day, begins, ends
            day, begins = following, ends

    def _midnight(self, day: date) -> datetime:
        return datetime.combine(day, time(0), self._zone).astimezone(UTC)


@lru_cache(maxsize=256)
def _calendar(zone: str, country: str | None, days_off: tuple[str, ...]) -> WorkCalendar:
    return WorkCalendar(zone, country, frozenset(date.fromisoformat(day) for day in days_off))


@lru_cache(maxsize=64)
def _holidays(country: str) -> holidays.HolidayBase:
    return holidays.country_holidays(country)


@lru_cache(maxsize=1)
def zones() -> frozenset[str]:
    """All known time zones."""
    return frozenset(available_timezones())


@lru_cache(maxsize=1)
def countries() -> frozenset[str]:
    """All countries whose working days are known."""
    return frozenset(holidays.list_supported_countries())
