"""Nicks in a text: pieces of text, and which person at the table a piece names.

A nick may hold spaces, digits, punctuation or emoji, be in any script, look like a cell, and be borne by two people; a
person may have several (a name and a @username). People type nicks in any case, with look-alike letters of the other
script («Mirrа» with a Cyrillic а), and put Russian ones into the case that the sentence wants («За Юнгу»). These are
three tiers: a better one is believed before a worse one, and who is hit is never decided by anything but the best.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from engines.contract import Seat, Value
from engines.sea_battle.cells import plain


class Piece(NamedTuple):
    """A word (letters, digits, marks, `_`), one other character, or a line end."""

    text: str
    """As typed, `plain`."""
    folded: str
    """For comparing: no case, no ё."""
    glued: bool
    """Nothing between it and the piece before."""

    @property
    def word(self) -> bool:
        """Whether it is made of letters, digits and marks."""
        return _in_word(self.text[0])


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def pieces(text: str) -> tuple[Piece, ...]:
    """A `plain` text in pieces; spaces are left out."""
    result: list[Piece] = []
    start = 0
    glued = False
    while start < len(text):
        end = start + 1
        if _in_word(text[start]):
            while end < len(text) and _in_word(text[end]):
                end += 1
        piece = text[start:end]
        start = end
        if piece == " ":
            glued = False
            continue
        result.append(Piece(piece, fold(piece), glued))
        glued = piece != "\n"
    return tuple(result)


def fold(text: str) -> str:
    """A `plain` text without case and without the dots of ё."""
    return text.casefold().replace("ё", "е")


class Person(Value):
    """Somebody at the table, as far as reading needs him."""

    seat: Seat
    names: tuple[str, ...]
    """All he is called by: name, first name, username with or without @."""
    opponents: tuple[Seat, ...] = ()
    """For the reader himself and his team-mates: whom they may shoot at; empty where not known."""


class Tier(IntEnum):
    """How a nick was recognised; less is better."""

    EXACT = 0
    LOOK_ALIKE = 1
    DECLINED = 2


class Hit(NamedTuple):
    """A person named by the pieces from some start up to `end`."""

    person: Person
    end: int
    tier: Tier


def named_at(text: Sequence[Piece], start: int, people: Iterable[Person]) -> list[Hit]:
    """Everyone whom the pieces from `start` on may name; one hit for each person and end, the best tier of it."""
    at = start + 1 if start < len(text) and text[start].text == "@" else start
    best: dict[tuple[Seat, int], Hit] = {}
    for person in people:
        for name in person.names:
            tier = _tier(text, at, _nick(name))
            if tier is None:
                continue
            hit = Hit(person, at + len(_nick(name)), tier)
            known = best.get((person.seat, hit.end))
            if known is None or tier < known.tier:
                best[person.seat, hit.end] = hit
    return list(best.values())


@lru_cache(maxsize=4096)
def _nick(name: str) -> tuple[str, ...]:
    """A name as folded pieces; none for one that nobody can type, such as a lone dash."""
    found = tuple(piece.folded for piece in pieces(plain(name)) if piece.text != "\n")
    if found[:1] == ("@",):
        found = found[1:]
    return found if any(piece not in _SEPARATORS for piece in found) else ()


_SEPARATORS: Final = frozenset("-:,.;!?/")


def typeable(name: str) -> bool:
    """Whether a message can name a person by `name`."""
    return bool(_nick(name))


def _tier(text: Sequence[Piece], at: int, nick: tuple[str, ...]) -> Tier | None:
    if not nick or at + len(nick) > len(text):
        return None
    worst = Tier.EXACT
    for piece, word in zip(text[at:], nick, strict=False):
        tier = _word_tier(piece.folded, word)
        if tier is None:
            return None
        worst = max(worst, tier)
    return worst


@lru_cache(maxsize=4096)
def _word_tier(typed: str, word: str) -> Tier | None:
    if typed == word:
        return Tier.EXACT
    if typed.translate(_LOOK_ALIKES) == word.translate(_LOOK_ALIKES):
        return Tier.LOOK_ALIKE
    if typed in _declined(word):
        return Tier.DECLINED
    return None


_LOOK_ALIKES: Final = str.maketrans("авекмнорстухі", "abekmhopctyxi")
"""Cyrillic letters drawn like Latin ones, capital or small. З is not drawn like Z."""

_ENDINGS: Final = (
    # (the nick's own ending, the others it may take); the first that fits.
    ("ий", "ого его ому ему ым им ом ем я ю и е"),
    ("ый", "ого ому ым ом"),
    ("ой", "ого ому ым им ом"),
    ("ая", "ой ую ою"),
    ("яя", "ей юю ею"),
    ("й", "я ю ем е и"),
    ("ь", "я ю ем е и ью"),
    ("а", "ы и у е ой ей ою ею"),
    ("я", "и ю е ей ею"),
    ("о", "а у ом е"),
    ("е", "я ю ем и"),
)


@lru_cache(maxsize=4096)
def _declined(word: str) -> frozenset[str]:
    """The other singular cases of a Russian word (folded), and some that it does not have."""
    if not all("а" <= letter <= "я" for letter in word):
        return frozenset()
    return frozenset(form for form in _forms(word) if form != word)


def _forms(word: str) -> Iterator[str]:
    for own, others in _ENDINGS:
        if word.endswith(own):
            stem = word.removesuffix(own)
            if len(stem) >= 2:
                yield from (stem + other for other in others.split())
            return
    if len(word) < 2 or word[-1] in "аеиоуыэюя":
        return
    stems = [word]
    if len(word) > 3 and word[-2] in "ео":  # Павел, Павлу
        stems.append(word[:-2] + word[-1])
    for stem in stems:
        yield from (stem + other for other in ("а", "у", "ом", "ем", "е"))
