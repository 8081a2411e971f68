"""All of a match of team sea battle, as frozen values, and the working copy with which one act moves it on."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from engines.chance import Chance, Dice
from engines.contract import Outcome, Seat, SeatInfo, State, Value
from engines.sea_battle.model import Cell, Fleet, OutReason, Phase, SeaEvent, SeaOptions, Team


class Shot(msgspec.Struct, frozen=True, array_like=True):
    """A shot at somebody's board whose result is out. Its result is not stored: the fleet knows it."""

    turn: int
    shooter: Seat
    cell: Cell


class InFlight(msgspec.Struct, frozen=True, array_like=True):
    """A shot of the running turn that waits for the hand-over."""

    shooter: Seat
    target: Seat
    cell: Cell


class Player(Value):
    """One seat. Its fleet and salt never leave the state before the match is over."""

    team: Team
    pair: Seat
    """His opponent by pair, as drawn."""
    info: SeatInfo = SeatInfo()
    ships: Fleet = ()
    """His draft; once `ready`, his fleet."""
    ready: bool = False
    salt: str = ""
    hash: str = ""
    """The published commitment; empty until his fleet is in the fight."""
    reserve: bool = False
    out: OutReason | None = None
    attached_to: Seat | None = None
    delegated: bool = False
    shots: tuple[Shot, ...] = ()
    """Fired at his board, in the order of posting, results out."""

    @property
    def fights(self) -> bool:
        """Alive and in the fight."""
        return self.out is None and not self.reserve


class Command(Value):
    """Who leads a team. An Admiral who is out stands here until his successor is named."""

    admiral: Seat
    acting: Seat | None = None


class SeaState(State):
    """A match. Frozen; JSON and back without loss."""

    options: SeaOptions
    chance: Chance
    first: Team
    players: tuple[Player, ...]
    """By seat."""
    red: Command
    blue: Command
    phase: Phase = Phase.PLACING
    turn: int = 0
    """Team turns so far, the running one included; 0 while placing."""
    moved: tuple[Seat, ...] = ()
    """Whose shot of the running turn is made, in the order of posting."""
    in_flight: tuple[InFlight, ...] = ()
    struck: tuple[Seat, ...] = ()
    """Enemies hit in the running turn, results out."""
    barred: tuple[Seat, ...] = ()
    """Hit in the enemy's last turn: no answer in the running one."""
    winner: Team | None = None
    reason: str = ""
    """Why the match is over; empty while it goes on."""

    @property
    def mover(self) -> Team:
        """The team on move; while placing, the one that begins."""
        return self.first if self.turn % 2 or not self.turn else self.first.enemy

    def command(self, team: Team) -> Command:
        """Who leads `team`."""
        return self.red if team is Team.RED else self.blue

    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on. The winners are all of a team, those who are out included."""
        if self.phase is not Phase.OVER:
            return None
        winners = tuple(
            seat
            for seat, player in enumerate(self.players)
            if player.team is self.winner and not player.reserve  # a reserve never came into the fight
        )
        return Outcome(winners=winners, reason=self.reason)


class Course:
    """One act under way: how the match stands by now, and what has happened so far.

    The only mutable thing in these rules. It lives within one call of `apply`, `expire` or `new`.
    """

    __slots__ = ("events", "state")

    def __init__(self, state: SeaState) -> None:
        self.state = state
        self.events: list[SeaEvent] = []

    def change(self, **fields: object) -> None:
        """Sets fields of the match."""
        self.state = replace(self.state, **fields)

    def change_player(self, seat: Seat, **fields: object) -> None:
        """Sets fields of one player."""
        players = self.state.players
        changed = replace(players[seat], **fields)
        self.state = replace(self.state, players=(*players[:seat], changed, *players[seat + 1 :]))

    def change_command(self, team: Team, command: Command) -> None:
        """Sets who leads `team`."""
        self.state = replace(self.state, **{team.value: command})

    def tell(self, event: SeaEvent) -> None:
        """Notes what happened."""
        self.events.append(event)

    def dice(self) -> Dice:
        """Dice for one decision of chance; the state's chance moves on."""
        dice, chance = self.state.chance.draw()
        self.state = replace(self.state, chance=chance)
        return dice

    def finish(self) -> tuple[SeaState, tuple[SeaEvent, ...]]:
        """What the contract's methods give."""
        return self.state, tuple(self.events)
