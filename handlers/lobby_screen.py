"""The lobby as a message: who has joined, what is played, and the buttons."""

from __future__ import annotations

from collections.abc import Sequence

from babel import Locale
from markupsafe import Markup

from handlers import moments
from handlers.names import Names
from handlers.presenter import Presenter
from handlers.screens import Button, Keyboard, Screen, Style, press
from locales import Words
from storage.records import Match, MatchPhase, Member, Pace

TURN_LENGTHS = (300, 900, 3600, 6 * 3600, 18 * 3600, 24 * 3600, 72 * 3600, 7 * 24 * 3600, None)
"""Choices of the time per turn, in seconds; None is without limit."""
ZONES = (
    "Europe/Moscow",
    "Europe/Samara",
    "Asia/Yekaterinburg",
    "Asia/Omsk",
    "Asia/Novosibirsk",
    "Asia/Krasnoyarsk",
    "Asia/Irkutsk",
    "Asia/Yakutsk",
    "Asia/Vladivostok",
    "Asia/Magadan",
    "Asia/Kamchatka",
    "America/New_York",
    "UTC",
    "Europe/London",
    "Europe/Berlin",
    "Europe/Kaliningrad",
    "Europe/Kyiv",
    "Asia/Jerusalem",
    "Europe/Minsk",
    "Asia/Tbilisi",
    "Asia/Yerevan",
    "Asia/Baku",
    "Asia/Tashkent",
    "Asia/Almaty",
)
"""From Moscow eastwards round the world; the buttons go both ways."""
COUNTRIES = (
    *("RU", None, "weekdays"),
    *("BY", "KZ", "UA", "AM", "AZ", "GE", "UZ", "KG", "MD", "LV", "LT", "EE", "IL", "DE", "PL", "GB", "US"),
)
"""Whose working days may be chosen by buttons; None: every day counts; `weekdays`: Monday to Friday."""


def lobby_screen(
    match: Match, members: Sequence[Member], presenter: Presenter, words: Words, topic_link: str | None = None
) -> Screen:
    """What the lobby's message shows now. `topic_link`: where the match's own topic is, if it has one."""
    title = words.html("lobby-title", game=words.plain(f"game-{match.game}"), id=match.id)
    if match.phase is MatchPhase.CANCELLED:
        return Screen(Markup("\n").join([title, words.html("lobby-cancelled")]))
    names = Names(members)
    people = [
        words.html("lobby-person", n=number, name=names.of_person(member.person_id))
        for number, member in enumerate(members, start=1)
    ]
    if match.phase is not MatchPhase.LOBBY:
        row = (Button.deep(words.plain("button-reserve"), f"r{match.id}"),)
        keyboard: Keyboard = (row,) if match.phase is MatchPhase.RUNNING else ()
        where = [] if topic_link is None else [words.html("lobby-topic", link=topic_link)]
        return Screen(Markup("\n").join([title, words.html("lobby-begun"), *people, *where]), keyboard)
    options, _ = presenter.lobby_options(match.options, words, match.id)
    lines = [
        title,
        words.html("lobby-opener", name=names.of_person(match.opener_id)),
        Markup(""),
        words.html("lobby-joined", n=len(members)),
        *people,
        Markup(""),
        pace_line(match.pace, words),
        options,
        Markup(""),
        words.html("lobby-how"),
    ]
    keyboard = (
        (
            Button.deep(words.plain("button-join"), f"j{match.id}", Style.SUCCESS),
            Button(words.plain("button-leave"), press("leave", match.id)),
        ),
        (
            Button(words.plain("button-begin"), press("begin", match.id), style=Style.PRIMARY),
            Button(words.plain("button-options"), press("options", match.id)),
            Button(words.plain("button-cancel"), press("cancel", match.id)),
        ),
    )
    return Screen(Markup("\n").join(lines), keyboard)


def options_screen(match: Match, presenter: Presenter, words: Words) -> Screen:
    """The lobby's message while somebody chooses options."""
    options, rows = presenter.lobby_options(match.options, words, match.id)
    pace = match.pace
    keyboard: Keyboard = (
        (
            Button(words.plain("button-slower"), press("pace", match.id, "", "seconds", -1)),
            Button(turn_length(pace.seconds, words), press("pace", match.id, "", "seconds", 0)),
            Button(words.plain("button-faster"), press("pace", match.id, "", "seconds", 1)),
        ),
        (Button(calendar_name(pace.country, words), press("pace", match.id, "", "country", 1)),),
        (Button(words.plain("button-zone", zone=pace.zone), press("pace", match.id, "", "zone", 1)),),
        tuple(
            Button(words.plain(f"button-{what}-{way}"), press("pace", match.id, "", what, step))
            for what in ("country", "zone")
            for way, step in (("back", -1), ("on", 1))
        ),
        *rows,
        (Button(words.plain("button-back"), press("lobby", match.id), style=Style.PRIMARY),),
    )
    text = Markup("\n").join([words.html("options-title"), Markup(""), pace_line(pace, words), options])
    return Screen(text, keyboard)


def pace_line(pace: Pace, words: Words) -> Markup:
    """«18 часов на ход; выходные и праздники не считаются (Россия, Europe/Moscow)»."""
    if pace.seconds is None:
        return words.html("pace-none")
    return words.html(
        "pace", length=turn_length(pace.seconds, words), calendar=calendar_name(pace.country, words), zone=pace.zone
    )


def turn_length(seconds: int | None, words: Words) -> str:
    """A time per turn in words."""
    return words.plain("pace-unlimited") if seconds is None else moments.length(seconds, words)


def calendar_name(country: str | None, words: Words) -> str:
    """Which days count, in words."""
    match country:
        case None:
            return words.plain("calendar-off")
        case "weekdays":
            return words.plain("calendar-weekdays")
        case code:
            names = Locale.parse(words.language).territories
            return words.plain("calendar-country", country=names.get(code, code))
