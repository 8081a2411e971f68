"""Who has to move, since when, until when, and which time counts."""

from __future__ import annotations

from markupsafe import Markup

from engines.sea_battle.model import Phase, Team
from handlers import moments
from handlers.lobby_screen import calendar_name, turn_length
from handlers.sea_battle.speech import Speech, lines
from handlers.sea_battle.turn import waiting_outside, who_moves
from referee.work_calendar import WorkCalendar


def status(speech: Speech) -> Markup:
    """The running match in words."""
    view = speech.view
    title = speech.html("status-title", id=speech.match.id)
    match view.phase:
        case Phase.PLACING:
            fighters = [p for p in view.players if p.alive and not p.reserve]
            ready = [p.seat for p in fighters if p.fleet_ready]
            missing = [p.seat for p in fighters if not p.fleet_ready]
            return lines(
                title,
                speech.html("status-placing"),
                speech.html("placed", names=speech.many(ready)) if ready else None,
                speech.html("not-placed", names=speech.many(missing)) if missing else speech.html("all-placed"),
                waiting_outside(speech),
                *_times(speech),
            )
        case Phase.PLAYING:
            return lines(
                title,
                speech.html(f"turn-{view.team}", turn=view.turn),
                *who_moves(speech),
                waiting_outside(speech),
                *_times(speech),
                *(_strength(speech, team) for team in Team),
            )
        case Phase.OVER:
            return lines(title, speech.html("status-over"))


def _times(speech: Speech) -> list[Markup]:
    match = speech.match
    told = []
    if match.turn_started_at is not None:
        since = moments.moment(match.turn_started_at, match.pace.zone, speech.words)
        told.append(speech.html("since", since=since))
    told.append(speech.until())
    if match.pace.seconds is not None:
        told.append(
            speech.html(
                "time-rule",
                length=turn_length(match.pace.seconds, speech.words),
                calendar=calendar_name(match.pace.country, speech.words),
                zone=match.pace.zone,
            )
        )
    if match.pace.days_off:
        told.append(speech.html("days-off", days=", ".join(match.pace.days_off)))
    if match.due_at is not None and not WorkCalendar.of(match.pace).is_published(match.due_at.year):
        told.append(speech.words.html("calendar-unpublished", year=match.due_at.year))
    return told


def _strength(speech: Speech, team: Team) -> Markup:
    """The living of a team and the decks they have left, as far as is known."""
    living = speech.living(team)
    decks = sum(speech.view.boards[seat].decks_left for seat in living)
    return speech.html(f"strength-{team}", n=len(living), decks=decks, names=speech.many(living))
