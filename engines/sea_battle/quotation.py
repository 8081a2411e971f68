"""What a message quotes and what its writer says himself.

The rules show a forum's way of answering: «Адвокат (14.10.2009, 14:02) писал:», the quoted shot, then one's own report
and shot. A quoted shot must never be fired. Telegram's own quotations and forwarded messages are not in the text; those
who call this leave them out.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.sea_battle.meaning import Table
from engines.sea_battle.nicks import named_at, pieces
from engines.sea_battle.vocabulary import REPORTS, WROTE


class OwnWords(NamedTuple):
    """What is left without quotations."""

    text: str
    certain: bool
    """False: some of it may be quoted all the same, so nothing in it may be taken without asking."""


def own_words(text: str, table: Table) -> OwnWords:
    """A `plain` text without its quotations.

    Lines that begin with `>` are quoted. After a line «… писал:» one paragraph is quoted. What follows is certainly the
    writer's only in the form of the rules: an enemy is quoted, and a report comes next.
    """
    lines = [line for line in text.split("\n") if not line.lstrip().startswith(">")]
    certain = True
    own: list[str] = []
    while lines:
        line = lines.pop(0)
        if not _is_header(line):
            own.append(line)
            continue
        lines = _after_quoted(lines)
        certain = certain and _names_enemy(line, table) and bool(lines) and _is_report(lines[0])
    return OwnWords("\n".join(own).strip("\n "), certain)


def _is_header(line: str) -> bool:
    """«Адвокат (14.10.2009, 14:02) писал:»"""
    words = [piece.folded for piece in pieces(line) if piece.text not in ("(", ")")]
    if words[-1:] != [":"]:
        return False
    return any(word in WROTE for word in words[-3:-1])  # «писал(а):» has one more


def _after_quoted(lines: list[str]) -> list[str]:
    """The lines after the quoted paragraph; where no empty line ends it, from the first report after its first line."""
    first = next((index for index, line in enumerate(lines) if line.strip()), len(lines))
    for index in range(first + 1, len(lines)):
        if not lines[index].strip():
            rest = lines[index:]
            while rest and not rest[0].strip():
                rest.pop(0)
            return rest
        if _is_report(lines[index]):
            return lines[index:]
    return []


def _is_report(line: str) -> bool:
    words = [piece.folded for piece in pieces(line) if piece.word]
    return bool(words) and words[0] in REPORTS


def _names_enemy(line: str, table: Table) -> bool:
    everyone = (table.me, *table.allies, *table.enemies)
    enemies = {person.seat for person in table.enemies}
    named = {hit.person.seat for hit in named_at(pieces(line), 0, everyone)}
    return bool(named) and named <= enemies
