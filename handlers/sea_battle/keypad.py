"""Aiming by buttons: target, column, row, fire. All that was chosen is in the buttons' data."""

from __future__ import annotations

from markupsafe import Markup

from engines.contract import Seat
from engines.sea_battle.model import CELLS, SIZE, Cell
from handlers.screens import Button, Keyboard, Screen, Style
from handlers.sea_battle.speech import Speech, lines, rows_of
from render.sea_battle import Aim, enemy_picture

ACROSS = 5
"""Buttons beside each other: letters and numbers stay large under a thumb."""
NOTHING = "·"
"""Stands where a cell is shot at already."""


def open_cells(speech: Speech, target: Seat) -> frozenset[Cell]:
    """Cells of a board that were not shot at."""
    return frozenset(range(CELLS)) - {shot.cell for shot in speech.view.boards[target].shots}


def targets_of(speech: Speech, shooter: Seat) -> tuple[Seat, ...]:
    """Opponents with a cell left."""
    return tuple(seat for seat in speech.view.players[shooter].opponents if open_cells(speech, seat))


def target_rows(speech: Speech, shooter: Seat, behalf: Seat | None) -> Keyboard:
    """A button for each opponent; the letters at once where there is only one."""
    targets = targets_of(speech, shooter)
    if len(targets) == 1:
        return column_rows(speech, targets[0], behalf)
    buttons = [
        speech.button(speech.plain("button-target", name=speech.names.plain(seat)), "t", seat, _of(behalf))
        for seat in targets
    ]
    return rows_of(buttons, 2)


def column_rows(speech: Speech, target: Seat, behalf: Seat | None) -> Keyboard:
    """The letters of columns in which a cell is left."""
    left = {cell % SIZE for cell in open_cells(speech, target)}
    return rows_of(
        [
            speech.button(letter, "c", target, column, _of(behalf))
            for column, letter in enumerate(speech.letters)
            if column in left
        ],
        ACROSS,
    )


def targets_screen(speech: Speech, behalf: Seat) -> Screen:
    """Whom does the Admiral shoot at for this team-mate?"""
    text = lines(speech.html("aim-for", name=speech.names.html(behalf)), speech.html("choose-target"))
    return Screen(text, (*target_rows(speech, behalf, behalf), _back(speech, "o")))


def columns_screen(speech: Speech, target: Seat, behalf: Seat | None) -> Screen:
    """A target is chosen: which column?"""
    keyboard = (*column_rows(speech, target, behalf), _back(speech, "p" if behalf is None else "o"))
    return Screen(_aiming(speech, target, behalf, "choose-column"), keyboard, _picture(speech, target, Aim()))


def rows_screen(speech: Speech, target: Seat, column: int, behalf: Seat | None) -> Screen:
    """A column is chosen: which row?"""
    left = open_cells(speech, target)
    buttons = [
        speech.button(f"{speech.letters[column]}{row + 1}", "q", target, SIZE * row + column, _of(behalf))
        if SIZE * row + column in left
        else speech.button(NOTHING, "x", SIZE * row + column, target)
        for row in range(SIZE)
    ]
    keyboard = (*rows_of(buttons, ACROSS), _back(speech, "t", target, _of(behalf)))
    return Screen(_aiming(speech, target, behalf, "choose-row"), keyboard, _picture(speech, target, Aim(column=column)))


def confirm_screen(speech: Speech, target: Seat, cell: Cell, behalf: Seat | None) -> Screen:
    """A cell is chosen: fire?"""
    fire = Button(
        speech.plain("button-fire", name=speech.names.plain(target), cell=speech.cell(cell)),
        speech.press("fire", target, cell, _of(behalf)),
        style=Style.DANGER,
    )
    row, column = divmod(cell, SIZE)
    keyboard = ((fire,), _back(speech, "c", target, column, _of(behalf)))
    text = speech.html("aim", target=speech.names.html(target), cell=speech.cell(cell))
    if behalf is not None:
        text = lines(speech.html("aim-for", name=speech.names.html(behalf)), text)
    return Screen(text, keyboard, _picture(speech, target, Aim(column=column, row=row)))


def _aiming(speech: Speech, target: Seat, behalf: Seat | None, key: str) -> Markup:
    """«Цель: Адвокат», for whom, and what to choose next."""
    return lines(
        None if behalf is None else speech.html("aim-for", name=speech.names.html(behalf)),
        speech.html("aim-target", target=speech.names.html(target)),
        speech.html(key),
    )


def _picture(speech: Speech, target: Seat, aim: Aim) -> tuple[bytes, ...]:
    return (enemy_picture(speech.view, target, speech.plain_names, aim=aim),)


def _back(speech: Speech, verb: str, *rest: object) -> tuple[Button, ...]:
    return (speech.button(speech.plain("button-back"), verb, *rest),)


def _of(behalf: Seat | None) -> str:
    return "" if behalf is None else str(behalf)
