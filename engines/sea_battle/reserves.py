"""Newcomers: only with the Referee's consent, only as a pair, only at the start of a round (rules, «People»)."""

from __future__ import annotations

from typing import Final

from engines.contract import IllegalAction
from engines.sea_battle.model import PairAdmitted, PairEntered, Team
from engines.sea_battle.placing import commit
from engines.sea_battle.refusals import Refusal
from engines.sea_battle.state import Course, Player

MAX_SEATS: Final = 40
"""Seats of one match: more than a chat's turn can be followed with. A ruling of this project; the rules name none."""


def admit_pair(course: Course) -> None:
    """Two newcomers get the next two seats, one to each team by lot, each other's opponents; they place their fleets.

    Before START they may still come in with everybody else; START does not wait for them.
    """
    players = course.state.players
    if len(players) + 2 > MAX_SEATS:
        raise IllegalAction(Refusal.TABLE_FULL, limit=MAX_SEATS)
    first, second = len(players), len(players) + 1
    red, blue = course.dice().shuffled((first, second))
    newcomers = {
        red: Player(team=Team.RED, pair=blue, reserve=True),
        blue: Player(team=Team.BLUE, pair=red, reserve=True),
    }
    course.change(players=(*players, newcomers[first], newcomers[second]))
    course.tell(PairAdmitted(red=red, blue=blue))


def enter_pairs(course: Course) -> None:
    """A round begins: pairs in reserve whose fleets are both placed come into the fight, hashes published.

    A pair of which one has left in the meantime stays outside: the teams are to get as many each.
    """
    for red, player in enumerate(course.state.players):
        if player.team is not Team.RED or not player.reserve:
            continue
        blue = player.pair
        other = course.state.players[blue]
        if player.out is None and other.out is None and player.ready and other.ready:
            hashes = (commit(course, red), commit(course, blue))
            course.change_player(red, reserve=False)
            course.change_player(blue, reserve=False)
            course.tell(PairEntered(red=red, blue=blue, hashes=hashes))
