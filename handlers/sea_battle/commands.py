"""Commands of this game."""

from __future__ import annotations

from engines.contract import Seat
from engines.sea_battle.cells import plain
from engines.sea_battle.model import (
    Attach,
    Delegate,
    NameActing,
    NameSuccessor,
    PlayerView,
    Withdraw,
)
from engines.sea_battle.nicks import Tier, named_at, pieces
from handlers.decisions import order_by_words
from handlers.presenter import Decide, Do, Reading, Say, Written
from handlers.screens import Button, Screen, Style
from handlers.sea_battle.listening import heard, person_at
from handlers.sea_battle.orders import acting_screen, orders_screen, successor_rows
from handlers.sea_battle.panel import panel_screen
from handlers.sea_battle.referee import admission_by_words, orders_by_words, referee_screen
from handlers.sea_battle.speech import Speech, lines
from handlers.sea_battle.turn import EXAMPLE, seals_screen
from render.sea_battle import enemy_picture, team_picture

COMMANDS = ("shot", "delegate", "withdraw", "attach", "admiral", "fleet", "board", "seals", "leave", "referee")


def command(name: str, argument: str, speech: Speech, private: bool) -> Reading | None:
    """What a command means. None if it is not one of `COMMANDS`."""
    match name:
        case "board":
            return _board(argument, speech)
        case "seals":
            return Say(seals_screen(speech))
        case "referee":
            return _referee(argument, speech, private)
    if name not in COMMANDS and name != "surrender":
        return None
    me = speech.me
    if me is None:
        return Say(Screen(speech.html("not-a-player")))
    match name:
        case "shot":
            return _shot(argument, speech, private)
        case "delegate":
            return Do(Delegate(), receipt=speech.html("delegated-receipt") if private else None)
        case "withdraw":
            return Do(Withdraw(), receipt=speech.html("withdrawn-receipt") if private else None)
        case "attach":
            return _attach(argument, speech, me, private)
        case "admiral":
            return _admiral(argument, speech, me, private)
        case "fleet":
            return _fleet(speech, private)
        case _:
            return _leave(argument, speech, me)


def _shot(argument: str, speech: Speech, private: bool) -> Reading:
    how = Say(Screen(speech.html("shot-how", cell=speech.cell(EXAMPLE)), _private_row(speech, private)))
    if not argument.strip():
        return how
    return heard(Written(text=f"/shot {argument}", private=private, addressed=True), speech) or how


def _private_row(speech: Speech, private: bool) -> tuple[tuple[Button, ...], ...]:
    if private:
        return ((speech.button(speech.plain("button-shoot"), "p"),),)
    return ((Button.deep(speech.plain("button-shoot"), f"s{speech.match.id}"),),)


def people_named(text: str, speech: Speech) -> list[Seat]:
    """The players whom a text names one after another; words between them are skipped. Only exact names count."""
    found: list[Seat] = []
    split = pieces(plain(text))
    people = [person_at(speech, player) for player in speech.view.players]
    at = 0
    while at < len(split):
        hits = [hit for hit in named_at(split, at, people) if hit.tier is not Tier.DECLINED]
        best = min(hits, key=lambda hit: (hit.tier, -hit.end), default=None)
        if best is None:
            at += 1
            continue
        found.append(best.person.seat)
        at = best.end
    return found


def _attach(argument: str, speech: Speech, me: PlayerView, private: bool) -> Reading:
    named = people_named(argument, speech)
    mates = [seat for seat in named if speech.view.players[seat].team is me.team]
    enemies = [seat for seat in named if speech.view.players[seat].team is not me.team]
    if len(mates) == 1 and len(enemies) == 1:
        return Do(Attach(mates[0], enemies[0]))
    if private and not argument.strip() and speech.commands(me):
        return Say(orders_screen(speech, me))
    return Say(Screen(speech.html("attach-how")))


def _admiral(argument: str, speech: Speech, me: PlayerView, private: bool) -> Reading:
    """Names who acts for the Admiral, or, for one who is out, who follows him."""
    named = people_named(argument, speech)
    if len(named) == 1:
        return Do(NameSuccessor(named[0]) if not me.alive else NameActing(named[0]))
    if private and not argument.strip():
        if me.names_successor:
            return Say(Screen(speech.html("name-successor"), successor_rows(speech, me)))
        if me.admiral and me.alive:
            return Say(acting_screen(speech, me))
    leader = speech.commander(me.team)
    who = speech.html("admiral-is", name=speech.names.html(leader)) if leader is not None else None
    return Say(Screen(lines(who, speech.html("admiral-how"))))


def _fleet(speech: Speech, private: bool) -> Reading:
    """One's own sea: in private only."""
    if not private:
        row = (Button.deep(speech.plain("button-own"), f"f{speech.match.id}", Style.PRIMARY),)
        return Say(Screen(speech.html("only-private"), (row,)))
    panel = panel_screen(speech, boards="own")
    return Say(panel if panel is not None else Screen(speech.html("not-a-player")))


def _board(argument: str, speech: Speech) -> Reading:
    """Boards as everybody may see them."""
    view = speech.view
    if not argument.strip():
        return Say(Screen(speech.html("boards", id=speech.match.id), (), tuple(team_picture(view, speech.plain_names))))
    named = people_named(argument, speech)
    if len(named) != 1:
        return Say(Screen(speech.html("board-how", names=speech.plain_many(p.seat for p in view.players))))
    picture = enemy_picture(view, named[0], speech.plain_names)
    return Say(Screen(speech.html("board-of", name=speech.names.html(named[0])), (), (picture,)))


def _leave(argument: str, speech: Speech, me: PlayerView) -> Reading:
    """Giving up cannot be taken back: it is asked once."""
    row = (speech.button(speech.plain("button-leave"), "lv", me.seat, style=Style.DANGER),)
    return Say(Screen(speech.html("leave-sure"), (row,)))


def _referee(argument: str, speech: Speech, private: bool) -> Reading:
    """«/referee out ZimA»; without words, what there is to order (buttons in private)."""
    verb, _, rest = argument.strip().partition(" ")
    decision = order_by_words(verb, rest.strip()) or admission_by_words(verb.casefold(), rest.strip(), speech)
    if decision is not None:
        return Decide(decision)
    order = orders_by_words(verb.casefold(), rest.strip().casefold(), people_named(rest, speech))
    if order is not None:
        return Do(order, as_referee=True)
    menu = referee_screen(speech)
    return Say(menu if private else Screen(menu.text))
