"""A fleet written as text in private: «А1-А4, В3 В4, Е6»."""

from __future__ import annotations

import re

from engines.sea_battle.cells import plain, read_cell
from engines.sea_battle.fleet import within
from engines.sea_battle.model import FLEET_LENGTHS, SIZE, Cell, DraftFleet, Ship
from handlers.presenter import Do, Reading, Say
from handlers.screens import Screen
from handlers.sea_battle.speech import Speech

_CELL = re.compile(r"([^\W\d_])\s?(\d+)")
_PART = re.compile(r"[,;\n]+")


class _Bad(Exception):
    """A part of the text that is no ship: a key of the words, and the part."""

    def __init__(self, key: str, typed: str) -> None:
        super().__init__(key)
        self.key = key
        self.typed = typed


def heard(text: str, speech: Speech) -> Reading | None:
    """The ships of a text as a draft, what is wrong with it, or None if it is no list of ships."""
    cleaned = plain(text).strip().rstrip(".")
    if not _looks_like_ships(cleaned):
        return None
    try:
        ships = tuple(_ship(part.strip(), speech) for part in _PART.split(cleaned) if part.strip())
    except _Bad as bad:
        letters = " ".join(speech.letters)
        return Say(Screen(speech.html(bad.key, typed=bad.typed, letters=letters)))
    if len(ships) > len(FLEET_LENGTHS):
        return Say(Screen(speech.html("fleet-too-long", n=len(ships))))
    return Do(
        DraftFleet(ships), receipt=speech.html("fleet-read", ships=", ".join(speech.ship(ship) for ship in ships))
    )


def _looks_like_ships(text: str) -> bool:
    """Nothing but cells and what joins them; a lone cell is a ship of one deck only in a list."""
    rest = _CELL.sub("", text)
    cells = len(_CELL.findall(text))
    return cells >= 2 and re.fullmatch(r"[\s,;:.\-]*", rest) is not None


def _ship(part: str, speech: Speech) -> Ship:
    """«А1-А4», «А1 А2 А3 А4» or «А1» as a ship. Raises _Bad."""
    found = [_cell(match, speech) for match in _CELL.finditer(part)]
    if not found:
        raise _Bad("fleet-no-ship", part)
    first, last = min(found), max(found)
    vertical = first % SIZE == last % SIZE and first != last
    if not vertical and first // SIZE != last // SIZE:
        raise _Bad("fleet-crooked", part)
    length = (last - first) // (SIZE if vertical else 1) + 1
    ship = Ship(first, length, vertical)
    if length > max(FLEET_LENGTHS) or not within(ship):
        raise _Bad("fleet-long-ship", part)
    if len(found) > 2 and sorted(found) != list(ship.cells()):
        raise _Bad("fleet-crooked", part)
    if len(found) == 2 and length > 2 and "-" not in part and ":" not in part and "." not in part:
        raise _Bad("fleet-crooked", part)  # «А1 А4»: two ships without a comma, or one with a gap?
    return ship


def _cell(match: re.Match[str], speech: Speech) -> Cell:
    letter, row = match.groups()
    read = read_cell(letter, row, speech.view.options.columns)
    if read is None or not read.sure:
        # A fleet can be looked at and changed: a look-alike with one meaning is taken, anything else is named.
        if read is not None and len(read.cells) == 1:
            return read.cells[0]
        raise _Bad("fleet-no-cell", match.group())
    return read.cells[0]
