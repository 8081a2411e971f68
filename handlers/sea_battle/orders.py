"""An Admiral's orders by buttons: attach free players, shoot for delegators, name who acts for him or follows him."""

from __future__ import annotations

from engines.contract import Seat
from engines.sea_battle.model import PlayerView
from handlers.screens import Button, Keyboard, Screen
from handlers.sea_battle.speech import EMPTY, Speech, lines, rows_of


def delegators(speech: Speech, me: PlayerView) -> tuple[Seat, ...]:
    """Team-mates whose shot is the Admiral's to make now."""
    return tuple(
        p.seat
        for p in speech.view.players
        if p.team is me.team and p.delegated and p.may_shoot and p.seat != me.seat
    )  # fmt: skip


def movable(speech: Speech, me: PlayerView) -> tuple[Seat, ...]:
    """Free players who can be set against somebody: not those who are attached and have shot in this turn."""
    on_move = speech.view.team is me.team
    return tuple(
        p.seat
        for p in speech.view.players
        if p.team is me.team and p.free and p.alive and not (p.attached_to is not None and p.shot and on_move)
    )


def unattached(speech: Speech, me: PlayerView) -> tuple[Seat, ...]:
    """Free players who have nobody to shoot at yet."""
    return tuple(seat for seat in movable(speech, me) if speech.view.players[seat].attached_to is None)


def has_orders(speech: Speech, me: PlayerView) -> bool:
    """Whether something waits for an order of this Admiral."""
    return bool(unattached(speech, me) or delegators(speech, me))


def orders_screen(speech: Speech, me: PlayerView) -> Screen:
    """All that he may order now."""
    name = speech.names.plain
    rows: list[tuple[Button, ...]] = [
        *((speech.button(speech.plain("button-shoot-for", name=name(s)), "of", s),) for s in delegators(speech, me)),
        *((speech.button(speech.plain("button-attach", name=name(s)), "og", s),) for s in movable(speech, me)),
    ]
    if me.admiral and len(speech.living(me.team)) > 1:
        rows.append((speech.button(speech.plain("button-acting"), "oa"),))
    rows.append((speech.button(speech.plain("button-back"), "p"),))
    free = [
        speech.html("free-against", name=speech.names.html(p.seat), target=speech.names.html(p.attached_to))
        if p.attached_to is not None
        else speech.html("free-waits", name=speech.names.html(p.seat))
        for p in speech.view.players
        if p.team is me.team and p.free and p.alive
    ]
    passed = delegators(speech, me)
    text = lines(
        speech.html("orders"),
        EMPTY,
        free or [speech.html("no-free")],
        speech.html("orders-delegated", names=speech.many(passed)) if passed else None,
    )
    return Screen(text, tuple(rows))


def attach_screen(speech: Speech, me: PlayerView, gun: Seat) -> Screen:
    """Against whom does this free player go on?"""
    now = speech.view.players[gun].attached_to
    buttons = [
        speech.button(speech.plain("button-target", name=speech.names.plain(seat)), "at", gun, seat)
        for seat in speech.living(me.team.enemy)
        if seat != now
    ]
    keyboard = (*rows_of(buttons, 2), (speech.button(speech.plain("button-back"), "o"),))
    return Screen(speech.html("attach-whom", name=speech.names.html(gun)), keyboard)


def acting_screen(speech: Speech, me: PlayerView) -> Screen:
    """Who acts while the Admiral is away?"""
    leader = speech.commander(me.team)
    buttons = [speech.button(speech.names.plain(seat), "ac", seat) for seat in speech.living(me.team) if seat != leader]
    keyboard = (*rows_of(buttons, 2), (speech.button(speech.plain("button-back"), "o"),))
    return Screen(speech.html("acting-who"), keyboard)


def successor_rows(speech: Speech, me: PlayerView) -> Keyboard:
    """Who follows an Admiral who is out?"""
    return rows_of([speech.button(speech.names.plain(seat), "su", seat) for seat in speech.living(me.team)], 2)
