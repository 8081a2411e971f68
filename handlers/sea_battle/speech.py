"""What is needed to say anything about a match of sea battle: the view, the names, the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from engines.contract import Seat
from engines.sea_battle.cells import LETTERS, cell_name
from engines.sea_battle.model import Cell, PlayerView, SeaView, Ship, Team
from handlers import moments
from handlers.decisions import pause_text
from handlers.lobby_screen import calendar_name
from handlers.names import Names
from handlers.screens import Button, Style, press
from locales import Words
from referee.play import Look
from storage.records import Match, Member

TEAM_STYLE = {Team.RED: Style.DANGER, Team.BLUE: Style.PRIMARY}
"""The teams' colours on buttons."""


@dataclass(frozen=True)
class Speech:
    """Says things about one match to one reader, who may know `view` and no more."""

    match: Match
    members: tuple[Member, ...]
    view: SeaView
    stamp: str
    names: Names
    words: Words

    @classmethod
    def of(cls, look: Look, words: Words) -> Speech:
        """Raises TypeError if it is a match of another game."""
        if not isinstance(look.view, SeaView):
            raise TypeError(f"no view of sea battle: {type(look.view).__name__}")
        return cls(look.match, look.members, look.view, look.stamp, Names(look.members), words)

    @property
    def me(self) -> PlayerView | None:
        """The reader himself; None for a spectator."""
        return None if self.view.me is None else self.view.players[self.view.me]

    @property
    def plain_names(self) -> tuple[str, ...]:
        """Names by seat, for pictures."""
        return tuple(self.names.plain(player.seat) for player in self.view.players)

    def html(self, key: str, /, **values: object) -> Markup:
        """A text of this game as HTML."""
        return self.words.html(f"sea-{key}", **values)

    def plain(self, key: str, /, **values: object) -> str:
        """A text of this game for buttons, toasts and pictures."""
        return self.words.plain(f"sea-{key}", **values)

    def cell(self, cell: Cell) -> str:
        """«А4»."""
        return cell_name(cell, self.view.options.columns)

    def cells(self, cells: Iterable[Cell]) -> str:
        """«А4, Б4»."""
        return ", ".join(self.cell(cell) for cell in cells)

    def ship(self, ship: Ship) -> str:
        """«А1-А4», or «А1» for one deck."""
        decks = ship.cells()
        return self.cell(decks[0]) if len(decks) == 1 else f"{self.cell(decks[0])}-{self.cell(decks[-1])}"

    @property
    def letters(self) -> str:
        """The letters over the board."""
        return LETTERS[self.view.options.columns]

    def many(self, seats: Sequence[Seat]) -> Markup:
        """Names in a row, as HTML."""
        return self.names.many(seats)

    def plain_many(self, seats: Iterable[Seat]) -> str:
        """Names in a row, as plain text."""
        return ", ".join(self.names.plain(seat) for seat in seats)

    def press(self, verb: str, *rest: object) -> str:
        """The data of a button made from this view."""
        return press(f"s.{verb}", self.match.id, self.stamp, *rest)

    def button(self, text: str, verb: str, *rest: object, style: Style | None = None) -> Button:
        """A button made from this view."""
        return Button(text, self.press(verb, *rest), style=style)

    def until(self) -> Markup:
        """Until when the running clock runs, and which time counts; in a pause, who declared it and why."""
        match = self.match
        paused = pause_text(match, self.words)
        if paused is not None:
            return paused
        if match.due_at is None:
            return self.html("no-limit")
        return self.html(
            "until",
            due=moments.moment(match.due_at, match.pace.zone, self.words),
            calendar=calendar_name(match.pace.country, self.words),
        )

    def seats(self, team: Team) -> tuple[Seat, ...]:
        """All who fight or fought for a team; reserves are none yet."""
        return tuple(p.seat for p in self.view.players if p.team is team and not p.reserve)

    def living(self, team: Team) -> tuple[Seat, ...]:
        """The living of a team, in the fight."""
        return tuple(p.seat for p in self.view.players if p.team is team and p.alive and not p.reserve)

    def commands(self, player: PlayerView) -> bool:
        """Whether this player may give his team's orders."""
        return player.alive and not player.reserve and (player.admiral or player.acting)

    def commander(self, team: Team) -> Seat | None:
        """Who leads a team now."""
        mates = [p for p in self.view.players if p.team is team and p.alive]
        found = next((p for p in mates if p.acting), None) or next((p for p in mates if p.admiral), None)
        return None if found is None else found.seat


def lines(*parts: Markup | list[Markup] | None) -> Markup:
    """Lines under each other; None is left out, a list is several."""
    found: list[Markup] = []
    for part in parts:
        if isinstance(part, list):
            found.extend(part)
        elif part is not None:
            found.append(part)
    return Markup("\n").join(found)


EMPTY = Markup("")
"""An empty line."""


def rows_of(buttons: Sequence[Button], across: int) -> tuple[tuple[Button, ...], ...]:
    """Buttons in rows of `across`."""
    return tuple(tuple(buttons[first : first + across]) for first in range(0, len(buttons), across))
