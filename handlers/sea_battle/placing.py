"""Placing a fleet in private: at random, by buttons on a picture, by text, or a mix; shown, checked, confirmed."""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup

from engines.sea_battle.fleet import Fault, Problem, problems, ship_halo, ship_mask, within
from engines.sea_battle.model import CELLS, FLEET_LENGTHS, SIZE, Cell, Fleet, Ship
from handlers.screens import Button, Keyboard, Screen, Style
from handlers.sea_battle.keypad import ACROSS
from handlers.sea_battle.speech import EMPTY, Speech, lines, rows_of
from render.sea_battle import Aim, Placing, fleet_picture

DECK = "▪️"
"""One deck of a ship on a button."""


def ships_of(speech: Speech) -> Fleet:
    """The reader's ships so far, confirmed or not."""
    if speech.view.me is None:
        return ()
    board = speech.view.boards[speech.view.me]
    return (board.draft if board.draft is not None else board.fleet) or ()


def placing_screen(speech: Speech, *, changing: bool = False, head: Markup | None = None) -> Screen:
    """The reader's own sea before the fight. `changing`: show the buttons although the fleet is confirmed."""
    ships = ships_of(speech)
    ready = speech.me is not None and speech.me.fleet_ready
    faults = problems(ships)
    told = lines(
        head,
        speech.html("your-sea", id=speech.match.id),
        speech.html("your-fleet-ready") if ready else None,
        _rivals(speech),
        speech.until(),
        EMPTY if not ready or changing else None,
        [] if ready and not changing else [speech.html("place-how", example=_example(speech))],
        [] if ready or not ships else fault_lines(faults, speech),
        speech.html("fleet-complete") if ships and not faults and not ready else None,
    )
    wrong = frozenset(
        cell for fault in faults if fault.fault is not Fault.TOO_MANY for ship in fault.ships for cell in ship.cells()
    )
    picture = fleet_picture(speech.view, speech.plain_names, placing=Placing(faulty=wrong))
    if ready and not changing:
        return Screen(told, ((speech.button(speech.plain("button-change"), "ps", 1),),), (picture,))
    return Screen(told, _placing_rows(speech, ships, ready, not faults), (picture,))


def _example(speech: Speech) -> str:
    """«А1-А4, В3 В4, Е6»: how ships are written."""
    cell = speech.cell
    return f"{cell(0)}-{cell(30)}, {cell(22)} {cell(32)}, {cell(55)}"


def _rivals(speech: Speech) -> Markup | None:
    if speech.me is None or not speech.me.opponents:
        return None
    return speech.html("your-opponents", names=speech.many(speech.me.opponents), n=len(speech.me.opponents))


def _placing_rows(speech: Speech, ships: Fleet, ready: bool, whole: bool) -> Keyboard:
    left = missing_lengths(ships)
    rows: list[tuple[Button, ...]] = []
    if whole and not ready:
        rows.append((speech.button(speech.plain("button-confirm"), "ok", style=Style.SUCCESS),))
    hand = [speech.button(f"{DECK * length} ×{count}", "hl", length) for length, count in left.items()]
    rows += rows_of(hand, 2)
    row = [speech.button(speech.plain("button-random"), "rnd", style=None if whole else Style.PRIMARY)]
    if ships and left:
        row.append(speech.button(speech.plain("button-mix"), "mix"))
    rows.append(tuple(row))
    if ships:
        rows.append(
            (
                speech.button(speech.plain("button-remove"), "rm"),
                speech.button(speech.plain("button-clear"), "clr"),
            )
        )
    return tuple(rows)


def missing_lengths(ships: Fleet) -> dict[int, int]:
    """How many ships of each length are still to be placed, long ones first."""
    left = Counter(FLEET_LENGTHS) - Counter(ship.length for ship in ships)
    return {length: left[length] for length in sorted(left, reverse=True) if left[length] > 0}


def fault_lines(faults: tuple[Problem, ...], speech: Speech) -> list[Markup]:
    """Every fault of a fleet in words."""
    return [
        speech.html(
            f"fault-{fault.fault}",
            ships=", ".join(speech.ship(ship) for ship in fault.ships if within(ship)),
            kind=kind_of(fault.length, speech),
            n=fault.count,
        )
        for fault in faults
    ]


def kind_of(length: int, speech: Speech) -> str:
    """«трёхпалубный»; just the number for what is no ship of this game."""
    return speech.plain(f"ship-{length}") if length in FLEET_LENGTHS else str(length)


# --- By hand: a ship's column, row, and how it lies ------------------------------------------------


def lies(length: int, cell: Cell, ships: Fleet) -> tuple[bool, ...]:
    """The ways (vertical or not) in which a ship of this length may lie from `cell` on, beside those placed."""
    ways = (False,) if length == 1 else (False, True)
    return tuple(way for way in ways if _fits(Ship(cell, length, way), ships))


def _fits(ship: Ship, ships: Fleet) -> bool:
    return within(ship) and not any(ship_halo(ship) & ship_mask(other) for other in ships)


def column_screen(speech: Speech, length: int) -> Screen:
    """A ship is chosen: in which column does it begin?"""
    ships = ships_of(speech)
    buttons = [
        speech.button(letter, "hc", length, column)
        for column, letter in enumerate(speech.letters)
        if any(lies(length, cell, ships) for cell in range(column, CELLS, SIZE))
    ]
    key = "hand-column" if buttons else "hand-nowhere"
    return _hand_screen(speech, length, key, rows_of(buttons, ACROSS), ("ps", 1))


def row_screen(speech: Speech, length: int, column: int) -> Screen:
    """The column is chosen: in which row does it begin?"""
    ships = ships_of(speech)
    buttons = [
        speech.button(f"{speech.letters[column]}{cell // SIZE + 1}", "hr", length, cell, int(ways[0]))
        for cell in range(column, CELLS, SIZE)
        if (ways := lies(length, cell, ships))
    ]
    return _hand_screen(
        speech, length, "hand-row", rows_of(buttons, ACROSS), ("hl", length), Placing(aim=Aim(column=column))
    )


def ghost_screen(speech: Speech, length: int, cell: Cell, vertical: bool) -> Screen:
    """The first cell is chosen: the ship as it would lie, to be turned or placed."""
    ship = Ship(cell, length, vertical)
    row = [speech.button(speech.plain("button-put"), "hp", length, cell, int(vertical), style=Style.SUCCESS)]
    if len(lies(length, cell, ships_of(speech))) == 2:
        row.append(speech.button(speech.plain("button-turn"), "hr", length, cell, int(not vertical)))
    at_y, at_x = divmod(cell, SIZE)
    return _hand_screen(
        speech,
        length,
        "hand-ghost",
        (tuple(row),),
        ("hc", length, at_x),
        Placing(aim=Aim(column=at_x, row=at_y), ghost=ship),
        where=speech.ship(ship),
    )


def removal_screen(speech: Speech) -> Screen:
    """Which ship is to be taken off the board?"""
    buttons = [
        speech.button(speech.ship(ship), "rx", ship.cell, ship.length, int(ship.vertical)) for ship in ships_of(speech)
    ]
    picture = fleet_picture(speech.view, speech.plain_names, placing=Placing())
    keyboard = (*rows_of(buttons, 3), (speech.button(speech.plain("button-back"), "ps", 1),))
    return Screen(speech.html("hand-remove"), keyboard, (picture,))


def _hand_screen(
    speech: Speech,
    length: int,
    key: str,
    rows: Keyboard,
    back: tuple[object, ...],
    placing: Placing | None = None,
    where: str = "",
) -> Screen:
    verb, *rest = back
    keyboard = (*rows, (speech.button(speech.plain("button-back"), str(verb), *rest),))
    text = speech.html(key, kind=kind_of(length, speech), where=where)
    return Screen(text, keyboard, (fleet_picture(speech.view, speech.plain_names, placing=placing),))
