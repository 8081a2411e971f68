"""Events in words: what has happened, line by line, as everybody may know it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from markupsafe import Markup

from engines.sea_battle.model import (
    AdmiralNamed,
    Attached,
    BecameFree,
    Delegated,
    Drawn,
    Ended,
    FleetDrafted,
    FleetReady,
    FleetReopened,
    PairAdmitted,
    PairEntered,
    PlayerBack,
    PlayerOut,
    Revealed,
    SeaEvent,
    ShotFired,
    ShotResolved,
    Started,
    TurnBegan,
    TurnEnded,
    TurnPassed,
    Withdrawn,
)
from handlers.sea_battle.speech import Speech


def tell(events: Sequence[SeaEvent], speech: Speech) -> list[Markup]:
    """What happened, in order. «Адвокат выбыл из игры. ZimA — свободный игрок» stands on one line.

    A shot whose result follows at once is told with its result alone, unless another made it.
    """
    resolved = [ShotFired(e.shooter, e.shooter, e.target, e.cell) for e in events if isinstance(e, ShotResolved)]
    told: list[Markup] = []
    previous: SeaEvent | None = None
    for event in events:
        if event in resolved:
            continue
        said = line(event, speech)
        if said is None:
            continue
        if isinstance(event, BecameFree) and isinstance(previous, PlayerOut):
            told[-1] += Markup(" ") + said
        else:
            told.append(said)
        previous = event
    return told


def line(event: SeaEvent, speech: Speech) -> Markup | None:
    """One event in words; None for what is no news, or is shown by the screen that follows."""
    name = speech.names.html
    match event:
        case Drawn():
            return speech.html("drawn")
        case FleetDrafted() | FleetReopened():
            return None
        case FleetReady():
            # By himself: the list of the ready shows it.
            return speech.html("fleet-by-referee", name=name(event.seat)) if event.by == "referee" else None
        case Started():
            return speech.html("started")
        case TurnBegan():
            return speech.html(f"turn-{event.team}", turn=event.turn)
        case TurnPassed():
            return speech.html(f"passed-{event.team}", turn=event.turn)
        case TurnEnded():
            return _turn_ended(event, speech)
        case ShotFired():
            return shot_line(event, speech)
        case ShotResolved():
            return result_line(event, speech)
        case Delegated():
            return speech.html("delegated", name=name(event.seat), admiral=name(event.admiral))
        case Withdrawn():
            return speech.html("withdrawn", name=name(event.seat))
        case PlayerOut():
            return speech.html(f"out-{event.reason}", name=name(event.seat))
        case PlayerBack():
            return speech.html("back", name=name(event.seat))
        case BecameFree():
            return speech.html("free", name=name(event.seat))
        case Attached():
            return attached_line(event, speech)
        case AdmiralNamed():
            return _admiral(event, speech)
        case PairAdmitted():
            return speech.html("admitted", red=name(event.red), blue=name(event.blue))
        case PairEntered():
            return speech.html("entered", red=name(event.red), blue=name(event.blue))
        case Ended():
            return ended_line(event, speech)
        case Revealed():
            return None
        case _:
            assert_never(event)


def shot_line(event: ShotFired, speech: Speech) -> Markup:
    """«🎯 ZimA → Адвокат: К8», labelled where the Admiral made it."""
    names = speech.names
    values = {"name": names.html(event.shooter), "target": names.html(event.target), "cell": speech.cell(event.cell)}
    if event.by == event.shooter:
        return speech.html("shot", **values)
    return speech.html("shot-for", admiral=names.html(event.by), **values)


def result_line(event: ShotResolved, speech: Speech) -> Markup:
    """«ZimA → Адвокат: К8 — ранил»."""
    return speech.html(
        f"result-{event.result}",
        name=speech.names.html(event.shooter),
        target=speech.names.html(event.target),
        cell=speech.cell(event.cell),
        kind=speech.plain(f"ship-{len(event.sunk)}") if event.sunk else "",
    )


def attached_line(event: Attached, speech: Speech) -> Markup:
    """«ZimA продолжает игру против Вирт»."""
    return speech.html(
        "attached",
        gun=speech.names.html(event.gun),
        target=speech.names.html(event.target),
        by=speech.plain(f"by-{event.by}"),
    )


def ended_line(event: Ended, speech: Speech) -> Markup:
    """Who won, and why."""
    if event.winner is None:
        return speech.html("ended-none")
    return speech.html(f"won-{event.winner}", why=speech.html(f"why-{event.reason}"))


def _turn_ended(event: TurnEnded, speech: Speech) -> Markup:
    told = speech.html(f"expired-{event.team}" if event.expired else f"moved-{event.team}", turn=event.turn)
    if event.lost:
        told += Markup("\n") + speech.html("lost", names=speech.many(event.lost), n=len(event.lost))
    return told


def _admiral(event: AdmiralNamed, speech: Speech) -> Markup:
    return speech.html(
        "acting" if event.acting else "admiral",
        team=speech.plain(f"of-{event.team}"),
        name=speech.names.html(event.seat),
        by=speech.plain(f"by-{event.by}"),
    )
