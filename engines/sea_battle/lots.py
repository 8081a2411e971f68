"""Teams, pairs, who begins, and the Admirals of a new match (rules, «People»)."""

from __future__ import annotations

from collections.abc import Sequence

from engines.chance import Chance
from engines.contract import SeatInfo
from engines.sea_battle.command import highest
from engines.sea_battle.model import AdmiralNamed, ByWhom, Drawn, SeaOptions, Team
from engines.sea_battle.state import Command, Course, Player, SeaState


def draw_match(seats: Sequence[SeatInfo], options: SeaOptions, seed: str, rules_version: int) -> Course:
    """A fresh match: teams by lot and equal, pairs by lot, the first team by lot, Admirals by rank."""
    dice, chance = Chance(seed).draw()
    half = len(seats) // 2
    order = dice.shuffled(range(len(seats)))
    pairs = tuple(zip(order[:half], order[half:], strict=True))
    team_and_pair = {red: (Team.RED, blue) for red, blue in pairs} | {blue: (Team.BLUE, red) for red, blue in pairs}
    players = tuple(
        Player(team=team_and_pair[seat][0], pair=team_and_pair[seat][1], info=info) for seat, info in enumerate(seats)
    )
    first = dice.one_of(tuple(Team))
    red, blue = (
        highest(tuple((seat, seats[seat]) for seat in range(len(seats)) if players[seat].team is team), dice)
        for team in (Team.RED, Team.BLUE)
    )
    course = Course(
        SeaState(
            rules_version=rules_version,
            options=options,
            chance=chance,
            first=first,
            players=players,
            red=Command(admiral=red),
            blue=Command(admiral=blue),
        )
    )
    course.tell(Drawn(red=tuple(sorted(order[:half])), blue=tuple(sorted(order[half:])), pairs=pairs, first=first))
    course.tell(AdmiralNamed(team=Team.RED, seat=red, by=ByWhom.RANK))
    course.tell(AdmiralNamed(team=Team.BLUE, seat=blue, by=ByWhom.RANK))
    return course
