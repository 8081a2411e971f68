"""Why an action is refused: every code of team sea battle, with the data that comes along.

A code's value is stable: words for each live in `locales/`, keyed by it. `DATA` names the fields of `RuleError.data`,
with which a message says what would be right. Seats are integers, teams are `Team` values, cells are numbers as in
`model`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Refusal(StrEnum):
    """Codes of `RuleError`. N: raised as `NotYourTurn`, O: as `MatchOver`, all others as `IllegalAction`."""

    MATCH_OVER = "match_over"
    """O. The match has ended."""
    NOT_STARTED = "not_started"
    """N. Before START only fleets are placed."""
    ALREADY_STARTED = "already_started"
    """START was given before."""
    NO_SUCH_SEAT = "no_such_seat"
    """`seat` is not a place of this match."""
    PLAYERS_ONLY = "players_only"
    """The Referee cannot do what only a player does."""
    REFEREE_ONLY = "referee_only"
    """A player cannot do what only the Referee does."""
    OUT = "out"
    """N. The one who acts (or on whose behalf) is out: `seat`, `reason` (an `OutReason`)."""
    IN_RESERVE = "in_reserve"
    """N. `seat` is admitted, but not yet in the fight."""

    FLEETS_FIXED = "fleets_fixed"
    """A fleet cannot be changed any more."""
    TOO_MANY_SHIPS = "too_many_ships"
    """A draft of more ships than a fleet has (`limit`)."""
    SHIP_OFF_BOARD = "ship_off_board"
    """The ship at `cell`, of `length` decks, does not lie on the board (or has not 1-4 decks)."""
    FLEET_FAULTS = "fleet_faults"
    """The draft is no legal fleet: `faults` are the codes of `fleet.problems`, `cells` where they are."""
    CANNOT_COMPLETE = "cannot_complete"
    """No fleet contains the ships of the draft."""
    ALREADY_CONFIRMED = "already_confirmed"
    """The fleet is confirmed and has not been changed since."""
    FLEET_MISSING = "fleet_missing"
    """START while `seats` have no confirmed fleet."""

    NOT_YOUR_TURN = "not_your_turn"
    """N. It is the turn of `team`."""
    ALREADY_MOVED = "already_moved"
    """N. `seat` has shot in this turn."""
    HIT_NO_ANSWER = "hit_no_answer"
    """N. `seat` was hit in the enemy's last turn and has no answer in this one."""
    AWAITS_ORDER = "awaits_order"
    """N. Free player `seat` shoots once the Admiral (`admiral`) has said against whom."""
    NO_CELL_LEFT = "no_cell_left"
    """N. Every cell of all opponents of `seat` is shot at; the results are still to come."""
    OFF_BOARD = "off_board"
    """`cell` is no cell."""
    NOT_OPPONENT = "not_opponent"
    """`target` is not an opponent of `seat`, whose opponents are `opponents`."""
    ALREADY_SHOT = "already_shot"
    """`cell` of `target`'s board was shot at before; the shot is not used up."""

    ALREADY_DELEGATED = "already_delegated"
    """The right is with the Admiral (`admiral`) already."""
    COMMANDER_DELEGATES = "commander_delegates"
    """Who commands the team cannot pass his right to himself: name an acting Admiral first."""
    NOT_DELEGATED = "not_delegated"
    """`seat` has passed no right to the Admiral."""
    NOT_ADMIRAL = "not_admiral"
    """Only the Admiral may: `admiral` commands the team."""
    NOT_TEAM_MATE = "not_team_mate"
    """`seat` is no living team-mate; `mates` are."""
    NOT_FREE = "not_free"
    """`seat` is no free player: his opponent by pair lives."""
    NOT_LIVING_ENEMY = "not_living_enemy"
    """`target` is no living enemy; `enemies` are."""
    ALREADY_ATTACHED = "already_attached"
    """`seat` goes on against `target` already."""
    NO_SUCCESSION = "no_succession"
    """Only an Admiral who is out names a successor, and only before the next hand-over."""
    ALREADY_ADMIRAL = "already_admiral"
    """`seat` commands the team already."""

    NOT_IN_FIGHT = "not_in_fight"
    """Referee: `seat` is out or in reserve."""
    ALREADY_OUT = "already_out"
    """Referee: `seat` is out already."""
    NOT_OUT = "not_out"
    """Referee: `seat` is not out."""
    SUNK_FOR_GOOD = "sunk_for_good"
    """Referee: all ships of `seat` are sunk, he stays out."""
    NO_FLEET = "no_fleet"
    """Referee: `seat` had no fleet at START and cannot come back into the fight."""
    TABLE_FULL = "table_full"
    """Referee: no more than `limit` people have a seat."""


DATA: Final[Mapping[Refusal, tuple[str, ...]]] = MappingProxyType(
    {
        Refusal.MATCH_OVER: (),
        Refusal.NOT_STARTED: (),
        Refusal.ALREADY_STARTED: (),
        Refusal.NO_SUCH_SEAT: ("seat",),
        Refusal.PLAYERS_ONLY: (),
        Refusal.REFEREE_ONLY: (),
        Refusal.OUT: ("seat", "reason"),
        Refusal.IN_RESERVE: ("seat",),
        Refusal.FLEETS_FIXED: (),
        Refusal.TOO_MANY_SHIPS: ("limit",),
        Refusal.SHIP_OFF_BOARD: ("cell", "length"),
        Refusal.FLEET_FAULTS: ("faults", "cells"),
        Refusal.CANNOT_COMPLETE: (),
        Refusal.ALREADY_CONFIRMED: (),
        Refusal.FLEET_MISSING: ("seats",),
        Refusal.NOT_YOUR_TURN: ("team",),
        Refusal.ALREADY_MOVED: ("seat",),
        Refusal.HIT_NO_ANSWER: ("seat",),
        Refusal.AWAITS_ORDER: ("seat", "admiral"),
        Refusal.NO_CELL_LEFT: ("seat",),
        Refusal.OFF_BOARD: ("cell",),
        Refusal.NOT_OPPONENT: ("seat", "target", "opponents"),
        Refusal.ALREADY_SHOT: ("target", "cell"),
        Refusal.ALREADY_DELEGATED: ("admiral",),
        Refusal.COMMANDER_DELEGATES: (),
        Refusal.NOT_DELEGATED: ("seat",),
        Refusal.NOT_ADMIRAL: ("admiral",),
        Refusal.NOT_TEAM_MATE: ("seat", "mates"),
        Refusal.NOT_FREE: ("seat",),
        Refusal.NOT_LIVING_ENEMY: ("target", "enemies"),
        Refusal.ALREADY_ATTACHED: ("seat", "target"),
        Refusal.NO_SUCCESSION: (),
        Refusal.ALREADY_ADMIRAL: ("seat",),
        Refusal.NOT_IN_FIGHT: ("seat",),
        Refusal.ALREADY_OUT: ("seat",),
        Refusal.NOT_OUT: ("seat",),
        Refusal.SUNK_FOR_GOOD: ("seat",),
        Refusal.NO_FLEET: ("seat",),
        Refusal.TABLE_FULL: ("limit",),
    }
)
"""The fields of `RuleError.data`, by code."""
