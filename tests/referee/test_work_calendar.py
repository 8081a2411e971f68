"""Which time counts. Worked examples, and properties against counting minute by minute."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.work_calendar import WEEKDAYS, WorkCalendar
from storage.records import Pace
from tests.referee.examples import CASES, NON_WORKING, WORKING_WEEKENDS, Example

ZONES = (
    "Europe/Moscow",
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",  # clocks change at midnight
    "Africa/Cairo",  # the same
    "Asia/Kathmandu",
    "Australia/Lord_Howe",  # by half an hour
    "Pacific/Apia",
    "UTC",
)
DAY = timedelta(days=1)

starts = st.datetimes(datetime(2025, 1, 1), datetime(2027, 12, 1)).map(  # noqa: DTZ001  # made aware at once
    lambda at: at.replace(microsecond=0, tzinfo=UTC)
)
allowances = st.integers(0, 14 * 24 * 3600).map(lambda seconds: timedelta(seconds=seconds))
calendars = st.builds(
    WorkCalendar,
    st.sampled_from(ZONES),
    st.sampled_from(["RU", "DE", "US", WEEKDAYS, None]),
    st.frozensets(st.dates(date(2025, 1, 1), date(2027, 12, 31)), max_size=5),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_worked_examples(case: Example) -> None:
    calendar = WorkCalendar(case.zone, WEEKDAYS if case.calendar.startswith("Mon-Fri") else "RU")
    assert calendar.add(case.start, timedelta(hours=case.hours)) == case.deadline


def test_the_working_days_of_russia_are_those_that_were_published() -> None:
    calendar = WorkCalendar("Europe/Moscow", "RU")
    day = date(2025, 1, 1)
    while day <= date(2027, 12, 31):
        expected = day not in NON_WORKING and (day.weekday() < 5 or day in WORKING_WEEKENDS)
        assert calendar.counts(day) is expected, day
        day += DAY


@given(calendars, starts, allowances)
@settings(max_examples=200, deadline=None)
def test_counted_time_is_conserved_and_the_interval_is_closed(
    calendar: WorkCalendar, start: datetime, allowance: timedelta
) -> None:
    end = calendar.add(start, allowance)
    assert calendar.counted(start, end) == allowance
    assert calendar.counted(start, end + timedelta(milliseconds=1)) > allowance, "the last such instant"


@given(calendars, starts, allowances, allowances)
@settings(max_examples=200, deadline=None)
def test_time_may_be_given_in_parts(calendar: WorkCalendar, start: datetime, one: timedelta, two: timedelta) -> None:
    assert calendar.add(calendar.add(start, one), two) == calendar.add(start, one + two)


@given(calendars, starts, allowances, allowances)
@settings(max_examples=200, deadline=None)
def test_later_starts_and_longer_times_never_end_earlier(
    calendar: WorkCalendar, start: datetime, later: timedelta, allowance: timedelta
) -> None:
    assert calendar.add(start, allowance) <= calendar.add(start + later, allowance)
    assert calendar.add(start, allowance) < calendar.add(start, allowance + timedelta(seconds=1))


@given(calendars, starts, allowances, allowances)
@settings(max_examples=200, deadline=None)
def test_what_counts_adds_up(calendar: WorkCalendar, start: datetime, one: timedelta, two: timedelta) -> None:
    middle, end = start + one, start + one + two
    assert calendar.counted(start, end) == calendar.counted(start, middle) + calendar.counted(middle, end)
    assert calendar.counted(end, start) == timedelta(0)
    assert timedelta(0) <= calendar.counted(start, end) <= end - start


def minute_by_minute(calendar: WorkCalendar, zone: str, start: datetime, minutes: int) -> datetime:
    """The first minute that counts when the allowance has been used up."""
    tz, at, left = ZoneInfo(zone), start, minutes
    while True:
        if calendar.counts(at.astimezone(tz).date()):
            if left == 0:
                return at
            left -= 1
        at += timedelta(minutes=1)


@given(
    st.sampled_from(ZONES),
    st.sampled_from([WEEKDAYS, "RU", None]),
    starts.map(lambda at: at.replace(second=0)),
    st.integers(0, 30 * 60),
)
@settings(max_examples=100, deadline=None)
def test_the_answer_is_that_of_counting_minute_by_minute(
    zone: str, country: str | None, start: datetime, minutes: int
) -> None:
    calendar = WorkCalendar(zone, country)
    assert calendar.add(start, timedelta(minutes=minutes)) == minute_by_minute(calendar, zone, start, minutes)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", date(2026, 3, 29), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("America/Santiago", date(2026, 9, 6), 23),
        ("America/Santiago", date(2026, 4, 4), 25),
        ("Africa/Cairo", date(2026, 4, 24), 23),
        ("Africa/Cairo", date(2026, 10, 29), 25),
        ("Australia/Lord_Howe", date(2026, 4, 5), 24.5),
    ],
)
def test_a_day_on_which_the_clocks_change_has_its_own_length(zone: str, day: date, hours: float) -> None:
    calendar = WorkCalendar(zone, None, frozenset({day - DAY, day + DAY}))
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    assert calendar.counted(noon - 2 * DAY + timedelta(hours=13), noon + timedelta(hours=35)) == timedelta(hours=hours)


def test_a_year_whose_moved_days_are_not_published_is_reported() -> None:
    russia = WorkCalendar("Europe/Moscow", "RU")
    assert [year for year in (2025, 2026, 2027, 2050) if not russia.is_published(year)] == [2050]
    assert all(WorkCalendar("UTC", country).is_published(2050) for country in (None, WEEKDAYS, "DE"))


def test_a_year_without_published_transfers_is_still_counted_by_law_and_weekday() -> None:
    calendar = WorkCalendar("Europe/Moscow", "RU")
    assert not calendar.counts(date(2050, 1, 1))
    assert calendar.counts(date(2050, 1, 18))
    assert not calendar.counts(date(2050, 1, 16)), "a Sunday"


@pytest.mark.parametrize(
    "pace",
    [
        Pace(zone="Mars/Olympus"),
        Pace(zone=""),
        Pace(zone="../etc/passwd"),
        Pace(country="XX"),
        Pace(country=""),
        Pace(days_off=("tomorrow",)),
    ],
)
def test_a_calendar_that_does_not_exist_is_refused(pace: Pace) -> None:
    with pytest.raises(ValueError, match=r"."):
        WorkCalendar.of(pace)


def test_a_calendar_without_any_working_day_is_refused_in_bounded_time() -> None:
    never = WorkCalendar("UTC", None, frozenset(date(2026, 1, 1) + DAY * n for n in range(4100)))
    with pytest.raises(ValueError, match="no working day"):
        never.add(datetime(2026, 1, 1, tzinfo=UTC), timedelta(hours=1))


def test_a_day_off_declared_by_the_referee_moves_the_deadline_later() -> None:
    start = datetime(2026, 11, 24, 6, tzinfo=UTC)
    plain = Pace()
    off = msgspec.structs.replace(plain, days_off=("2026-11-25",))
    allowance = timedelta(hours=18)
    assert WorkCalendar.of(off).add(start, allowance) == WorkCalendar.of(plain).add(start, allowance) + DAY
