"""The lobby's options: every choice of the buttons is one that the host accepts."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime

import pytest

from handlers.lobby_screen import COUNTRIES, TURN_LENGTHS, ZONES, options_screen
from handlers.presses import paced
from handlers.registry import PRESENTERS
from handlers.screens import Press
from locales import words
from referee.lobby import check_pace
from storage.records import Match, MatchPhase, Pace


def match(pace: Pace) -> Match:
    return Match(
        1, "sea_battle", -1, None, 1, MatchPhase.LOBBY, 0, "{}", pace, "seed", (), datetime(2027, 3, 1, tzinfo=UTC)
    )


@pytest.mark.parametrize("language", ["ru", "en"])
def test_every_choice_is_shown_and_accepted(language: str) -> None:
    for seconds, country, zone in itertools.chain(
        ((seconds, None, "Europe/Moscow") for seconds in TURN_LENGTHS),
        ((18 * 3600, country, "Europe/Moscow") for country in COUNTRIES),
        ((18 * 3600, "RU", zone) for zone in ZONES),
    ):
        pace = Pace(seconds=seconds, country=country, zone=zone)
        check_pace(pace)
        screen = options_screen(match(pace), PRESENTERS["sea_battle"], words(language))
        assert zone in str(screen.text) or seconds is None


def test_the_buttons_go_through_all_choices_and_back() -> None:
    pace = Pace()
    for what, choices in (("seconds", TURN_LENGTHS), ("country", COUNTRIES), ("zone", ZONES)):
        seen = set()
        for _ in choices:
            seen.add(getattr(pace, what))
            pace = paced(pace, Press("pace", 1, None, (what, "1")))
        assert seen == set(choices)
        assert getattr(
            paced(paced(pace, Press("pace", 1, None, (what, "1"))), Press("pace", 1, None, (what, "-1"))), what
        ) == (getattr(pace, what))


def test_a_turn_of_minutes_goes_without_a_calendar() -> None:
    pace = Pace(seconds=3600, country="RU")
    shorter = paced(pace, Press("pace", 1, None, ("seconds", "-1")))
    assert shorter.seconds == 900
    assert shorter.country is None
    check_pace(shorter)
