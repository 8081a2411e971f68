"""A player's private panel: what he may do now, and the boards that he needs for it."""

from __future__ import annotations

import msgspec
from markupsafe import Markup

from engines.contract import Seat
from engines.sea_battle.model import Phase, PlayerView, SeaView
from handlers.screens import Button, Keyboard, Screen, Style
from handlers.sea_battle.keypad import target_rows, targets_of
from handlers.sea_battle.orders import delegators, has_orders, successor_rows, unattached
from handlers.sea_battle.placing import placing_screen
from handlers.sea_battle.speech import Speech, lines
from render.sea_battle import enemy_picture, fleet_picture, team_picture

OWN, ENEMIES = "own", "foe"
"""Which boards a panel shows."""


def panel_screen(speech: Speech, *, boards: str | None = None, reminder: bool = False) -> Screen | None:
    """The slot `panel:…` of the reader, by what he may do. None for a spectator.

    `boards` is what he chose to look at; by default those he needs now.
    """
    me, view = speech.me, speech.view
    if me is None:
        return None
    head = speech.html("reminder") if reminder else None
    if view.phase is Phase.OVER:
        return Screen(_result(speech, me), (), _own(speech))
    if not me.alive:
        return _fallen(speech, me)
    if view.phase is Phase.PLACING or me.reserve:
        if me.reserve:
            head = lines(head, speech.html("you-are-reserve"))
        return placing_screen(speech, head=head)
    return _fighting(speech, me, boards, head)


def _own(speech: Speech) -> tuple[bytes, ...]:
    """The reader's own sea, where there is one."""
    board = speech.view.boards[speech.view.me or 0]
    if board.fleet is None and board.draft is None:
        return ()
    return (fleet_picture(speech.view, speech.plain_names, title=speech.plain("title-own")),)


def _result(speech: Speech, me: PlayerView) -> Markup:
    if speech.view.winner is None:
        return speech.html("over-none", id=speech.match.id)
    return speech.html("over-won" if speech.view.winner is me.team else "over-lost", id=speech.match.id)


def _fallen(speech: Speech, me: PlayerView) -> Screen:
    """Who is out looks on; an Admiral names his successor."""
    why = speech.plain(f"reason-{me.out}") if me.out is not None else ""
    told = speech.html("you-are-out", id=speech.match.id, why=why)
    if me.names_successor:
        return Screen(lines(told, speech.html("name-successor")), successor_rows(speech, me), _own(speech))
    return Screen(told, (), _own(speech))


def _fighting(speech: Speech, me: PlayerView, boards: str | None, head: Markup | None) -> Screen:
    view = speech.view
    shooting = me.may_shoot and not me.delegated
    targets = targets_of(speech, me.seat)
    if boards is None:
        boards = ENEMIES if view.team is me.team and me.opponents else OWN
    pictures = _enemies(speech, me) if boards == ENEMIES and me.opponents else _own(speech)
    text = lines(
        head,
        speech.html(f"turn-{view.team}", turn=view.turn),
        speech.html("your-match", id=speech.match.id, team=speech.plain(f"for-{me.team}")),
        _standing(speech, me),
        _rivals(speech, me),
        _waiting_orders(speech, me),
        speech.until(),
        speech.html("choose-target") if shooting and len(targets) > 1 else None,
        speech.html("choose-column") if shooting and len(targets) == 1 else None,
    )
    rows: Keyboard = target_rows(speech, me.seat, None) if shooting else ()
    return Screen(text, (*rows, *_lower_rows(speech, me, boards)), pictures)


def _standing(speech: Speech, me: PlayerView) -> Markup:
    """What the reader has to do in this turn, or why he has nothing to do."""
    view = speech.view
    if me.free and not me.opponents:
        return speech.html("you-await-order")
    if view.team is not me.team:
        return speech.html("you-wait-delegated" if me.delegated else "you-wait")
    if me.shot:
        return speech.html("you-moved")
    if me.barred:
        return speech.html("you-barred")
    if me.delegated:
        return speech.html("you-delegated")
    if me.may_shoot:
        return speech.html("you-shoot" if me.duty else "you-may-shoot")
    return speech.html("you-await-order")


def _rivals(speech: Speech, me: PlayerView) -> Markup | None:
    if not me.opponents:
        return None
    return speech.html("your-opponents", names=speech.many(me.opponents), n=len(me.opponents))


def _waiting_orders(speech: Speech, me: PlayerView) -> list[Markup]:
    """What an Admiral should see without opening his orders: who relies on him now."""
    if not speech.commands(me):
        return []
    passed, idle = delegators(speech, me), unattached(speech, me)
    told = [speech.html("orders-delegated", names=speech.many(passed))] if passed else []
    return [*told, speech.html("who-order", names=speech.many(idle))] if idle else told


def _lower_rows(speech: Speech, me: PlayerView, boards: str) -> Keyboard:
    """Look at other boards, pass the right on, give orders."""
    rows: list[tuple[Button, ...]] = []
    if boards == ENEMIES:
        rows.append((speech.button(speech.plain("button-own"), "p", OWN),))
    elif me.opponents:
        rows.append((speech.button(speech.plain("button-foe"), "p", ENEMIES),))
    if me.delegated:
        rows.append((speech.button(speech.plain("button-withdraw"), "wd"),))
    elif speech.commander(me.team) != me.seat and (me.may_shoot or speech.view.team is not me.team):
        rows.append((speech.button(speech.plain("button-delegate"), "del"),))
    if speech.commands(me) and (len(speech.living(me.team)) > 1 or has_orders(speech, me)):
        style = Style.PRIMARY if has_orders(speech, me) else None
        rows.append((speech.button(speech.plain("button-orders"), "o", style=style),))
    return tuple(rows)


def _enemies(speech: Speech, me: PlayerView) -> tuple[bytes, ...]:
    """The boards of those he may shoot at, in one picture (of many, the first page)."""
    if len(me.opponents) == 1:
        return (enemy_picture(speech.view, me.opponents[0], speech.plain_names, title=speech.plain("title-foe")),)
    view = only(speech.view, me.opponents)
    return tuple(team_picture(view, speech.plain_names, team=me.team.enemy, title=speech.plain("title-foe"))[:1])


def only(view: SeaView, seats: tuple[Seat, ...]) -> SeaView:
    """A view in which nobody but `seats` is in the fight: for a picture of some boards."""
    players = tuple(
        msgspec.structs.replace(player, reserve=player.reserve or player.seat not in seats) for player in view.players
    )
    return msgspec.structs.replace(view, players=players)
