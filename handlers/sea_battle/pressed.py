"""What a press of one of this game's buttons means."""

from __future__ import annotations

from engines.contract import Seat
from engines.sea_battle.model import (
    CELLS,
    SIZE,
    Attach,
    Cell,
    ConfirmFleet,
    Delegate,
    DraftFleet,
    Leave,
    NameActing,
    NameSuccessor,
    PlayerView,
    RandomFleet,
    Ship,
    Shoot,
    Start,
    Withdraw,
)
from handlers.presenter import Do, Reading, Say, Turn
from handlers.screens import Press, Screen
from handlers.sea_battle import keypad, orders, placing
from handlers.sea_battle.panel import ENEMIES, OWN, panel_screen
from handlers.sea_battle.referee import VERBS, referee_pressed
from handlers.sea_battle.speech import Speech

PREFIX = "s."
"""Begins the verbs of this game."""


def pressed(press: Press, speech: Speech) -> Reading | None:
    """None for a button that was never made, or is not this game's."""
    if not press.verb.startswith(PREFIX):
        return None
    verb = press.verb.removeprefix(PREFIX)
    if verb not in IN_GROUPS and not press.private:
        return None  # such a button stands only in private chats; what it shows must never stand in a group
    if verb == "start":
        return Do(Start(), as_referee=True, receipt=speech.html("start-receipt"))
    if verb in VERBS:
        try:
            return referee_pressed(verb, press.rest, speech)
        except (ValueError, IndexError):
            return None
    me = speech.me
    if me is None:
        return Say(Screen(speech.html("not-a-player")), toast=True)
    try:
        numbers = [None if part == "" else int(part) for part in press.rest if part not in (OWN, ENEMIES)]
        if verb in _PLACING:
            return _placing(verb, numbers, speech)
        if verb in _ORDERS:
            return _order(verb, numbers, speech, me)
        return _fight(verb, press, numbers, speech)
    except (ValueError, IndexError, TypeError):
        return None  # data that no button of ours has


IN_GROUPS = frozenset({"start", "ask", "adel", "aat", "lv"})
"""Verbs of buttons that may stand in a group: they act, or say no, and never show anything."""

Numbers = list[int | None]

_PLACING = frozenset({"ps", "rnd", "mix", "clr", "ok", "hl", "hc", "hr", "hp", "rm", "rx"})
_ORDERS = frozenset({"o", "of", "og", "at", "oa", "ac", "su"})


def _at(numbers: Numbers, place: int) -> int:
    found = numbers[place]
    if found is None:
        raise ValueError("a number is missing")
    return found


def _seat(numbers: Numbers, place: int, speech: Speech) -> Seat:
    seat = _at(numbers, place)
    if not 0 <= seat < len(speech.view.players):
        raise ValueError(f"no such seat: {seat}")
    return seat


def _cell(numbers: Numbers, place: int) -> Cell:
    cell = _at(numbers, place)
    if not 0 <= cell < CELLS:
        raise ValueError(f"no such cell: {cell}")
    return cell


def _column(numbers: Numbers, place: int) -> int:
    column = _at(numbers, place)
    if not 0 <= column < SIZE:
        raise ValueError(f"no such column: {column}")
    return column


def _behalf(numbers: Numbers, place: int, speech: Speech) -> Seat | None:
    return None if place >= len(numbers) or numbers[place] is None else _seat(numbers, place, speech)


def _fight(verb: str, press: Press, numbers: Numbers, speech: Speech) -> Reading | None:
    match verb:
        case "p":
            boards = press.rest[0] if press.rest else None
            panel = panel_screen(speech, boards=boards)
            return None if panel is None else Turn(panel)
        case "t":
            target, behalf = _seat(numbers, 0, speech), _behalf(numbers, 1, speech)
            return Turn(keypad.columns_screen(speech, target, behalf))
        case "c":
            target, behalf = _seat(numbers, 0, speech), _behalf(numbers, 2, speech)
            return Turn(keypad.rows_screen(speech, target, _column(numbers, 1), behalf))
        case "q":
            target, cell, behalf = _seat(numbers, 0, speech), _cell(numbers, 1), _behalf(numbers, 2, speech)
            return Turn(keypad.confirm_screen(speech, target, cell, behalf))
        case "x":
            text = speech.html("shot-before", cell=speech.cell(_cell(numbers, 0)))
            return Say(Screen(text), toast=True)
        case "fire":
            target, cell, behalf = _seat(numbers, 0, speech), _cell(numbers, 1), _behalf(numbers, 2, speech)
            return fire(speech, target, cell, behalf)
        case "ask":
            asked = _seat(numbers, 0, speech)
            if asked != speech.view.me:
                return _not_asked(speech, asked)
            target, cell, behalf = _seat(numbers, 1, speech), _cell(numbers, 2), _behalf(numbers, 3, speech)
            return fire(speech, target, cell, behalf)
        case "adel":
            asked = _seat(numbers, 0, speech)
            if asked != speech.view.me:
                return _not_asked(speech, asked)
            return Do(Delegate(), receipt=speech.html("delegated-receipt"))
        case "aat":
            asked, gun, target = (_seat(numbers, place, speech) for place in range(3))
            if asked != speech.view.me:
                return _not_asked(speech, asked)
            return Do(Attach(gun, target), receipt=speech.html("order-receipt"))
        case "lv":
            asked = _seat(numbers, 0, speech)
            return Do(Leave()) if asked == speech.view.me else _not_asked(speech, asked)
        case "del":
            return Do(Delegate(), receipt=speech.html("delegated-receipt"))
        case "wd":
            return Do(Withdraw(), receipt=speech.html("withdrawn-receipt"))
        case _:
            return None


def _not_asked(speech: Speech, asked: Seat) -> Say:
    return Say(Screen(speech.html("not-asked", name=speech.names.html(asked))), toast=True)


def fire(speech: Speech, target: Seat, cell: Cell, behalf: Seat | None) -> Do:
    """A shot, said back."""
    receipt = speech.html("fired", target=speech.names.html(target), cell=speech.cell(cell))
    return Do(Shoot(target, cell, behalf), receipt=receipt)


def _order(verb: str, numbers: Numbers, speech: Speech, me: PlayerView) -> Reading | None:
    match verb:
        case "o":
            return Turn(orders.orders_screen(speech, me))
        case "og":
            return Turn(orders.attach_screen(speech, me, _seat(numbers, 0, speech)))
        case "oa":
            return Turn(orders.acting_screen(speech, me))
        case "of":
            shooter = _seat(numbers, 0, speech)
            targets = keypad.targets_of(speech, shooter)
            if len(targets) == 1:
                return Turn(keypad.columns_screen(speech, targets[0], shooter))
            return Turn(keypad.targets_screen(speech, shooter))
        case "at":
            gun, target = _seat(numbers, 0, speech), _seat(numbers, 1, speech)
            return Do(Attach(gun, target), receipt=speech.html("order-receipt"))
        case "ac":
            return Do(NameActing(_seat(numbers, 0, speech)), receipt=speech.html("order-receipt"))
        case "su":
            return Do(NameSuccessor(_seat(numbers, 0, speech)), receipt=speech.html("order-receipt"))
        case _:
            return None


def _placing(verb: str, numbers: Numbers, speech: Speech) -> Reading | None:
    ships = placing.ships_of(speech)
    match verb:
        case "ps":
            return Turn(placing.placing_screen(speech, changing=True))
        case "rnd":
            return Do(RandomFleet(), receipt=speech.html("random-receipt"))
        case "mix":
            return Do(RandomFleet(keep=True), receipt=speech.html("random-receipt"))
        case "clr":
            return Do(DraftFleet(()))
        case "ok":
            return Do(ConfirmFleet(), receipt=speech.html("confirm-receipt"))
        case "rm":
            return Turn(placing.removal_screen(speech))
        case "hl":
            return Turn(placing.column_screen(speech, _length(numbers, 0)))
        case "hc":
            return Turn(placing.row_screen(speech, _length(numbers, 0), _column(numbers, 1)))
        case "hr":
            length, cell = _length(numbers, 0), _cell(numbers, 1)
            return Turn(placing.ghost_screen(speech, length, cell, bool(_at(numbers, 2))))
        case "hp":
            ship = Ship(_cell(numbers, 1), _length(numbers, 0), bool(_at(numbers, 2)))
            if ship in ships:  # pressed twice
                return Turn(placing.placing_screen(speech, changing=True))
            return Do(DraftFleet((*ships, ship)))
        case "rx":
            gone = Ship(_cell(numbers, 0), _length(numbers, 1), bool(_at(numbers, 2)))
            return Do(DraftFleet(tuple(ship for ship in ships if ship != gone)))
        case _:
            return None


def _length(numbers: Numbers, place: int) -> int:
    length = _at(numbers, place)
    if not 1 <= length <= 4:
        raise ValueError(f"no such ship: {length}")
    return length
