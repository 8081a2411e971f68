"""Team sea battle: the words of the game, as types.

Terms of the rules and their names here: команда (team), соперник по паре (opponent), свободный игрок (free player),
Адмирал (admiral), выстрел (shot), ход команды (a team's turn), передача хода (hand-over), жребий (lot),
«мимо» / «ранил» / «убил» (miss / hit / sunk), выбыл (out).

Cells are numbered 0 .. 99, row by row: `cell = 10 * row + column`, so А1 is 0, К1 is 9, А10 is 90.
Everything public is in events and in a spectator's view; fleets are only in the state, in their owner's view, and in
everybody's view once the match is over.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from engines.contract import Action, Event, Options, Seat, Value, View

SIZE = 10
CELLS = SIZE * SIZE
FLEET_LENGTHS = (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)
"""Decks of the ten ships of a fleet (rules, «Board and fleet»)."""

Cell = int


class Team(StrEnum):
    """The two sides."""

    RED = "red"
    BLUE = "blue"

    @property
    def enemy(self) -> Team:
        """The other side."""
        return Team.BLUE if self is Team.RED else Team.RED


class Phase(StrEnum):
    """Where a match stands."""

    PLACING = "placing"
    PLAYING = "playing"
    OVER = "over"


class Result(StrEnum):
    """What a shot did."""

    MISS = "miss"
    HIT = "hit"
    SUNK = "sunk"


class Columns(StrEnum):
    """The letters over the board."""

    CYRILLIC = "cyrillic"
    """А Б В Г Д Е Ж З И К"""
    LATIN = "latin"
    """A B C D E F G H I J"""


class OutReason(StrEnum):
    """Why a player is out."""

    SUNK = "sunk"
    SLEPT = "slept"
    REFEREE = "referee"
    LEFT = "left"


class ByWhom(StrEnum):
    """Who decided an attachment, an appointment or a fleet."""

    PLAYER = "player"
    ADMIRAL = "admiral"
    REFEREE = "referee"
    LOT = "lot"
    ONLY_ONE = "only_one"
    """There was one possibility left."""
    RANK = "rank"
    """Most messages, then most matches, then lot."""


class Ship(Value):
    """A straight ship: its first cell (the leftmost or uppermost), its decks (1-4), and how it lies."""

    cell: Cell
    length: int
    vertical: bool = False

    def cells(self) -> tuple[Cell, ...]:
        """Its cells, ascending. For a ship within the board."""
        return _cells(self.cell, self.length, self.vertical)


@lru_cache(maxsize=1024)
def _cells(first: Cell, length: int, vertical: bool) -> tuple[Cell, ...]:
    """Asked for at every look at a board, of the few hundred ways in which a ship can lie."""
    step = SIZE if vertical else 1
    return tuple(first + step * deck for deck in range(length))


Fleet = tuple[Ship, ...]


class SeaOptions(Options):
    """Choices of a match (rules, those marked *)."""

    columns: Columns = Columns.CYRILLIC
    results_at_once: bool = False
    """False: results become known together at the hand-over."""
    hit_costs_answer: bool = True
    standing_delegation: bool = False
    """True: a delegation holds until withdrawn; False: for one turn."""
    attached_duty: bool = True
    """True: an attached free player has the same duty as everybody."""


# --- What somebody does ---------------------------------------------------------------------------


class DraftFleet(Action, tag="draft"):
    """Placing: my ships so far, instead of those before (any number of ships up to a fleet, faults allowed)."""

    ships: Fleet


class RandomFleet(Action, tag="random"):
    """Placing: fill up at random. `keep` leaves the ships of my draft where they are (a mix); else all ten are new.

    All ten: exactly uniform over all fleets. With `keep`: uniform over the fleets that contain the draft.
    """

    keep: bool = False


class ConfirmFleet(Action, tag="confirm"):
    """Placing: my draft is my fleet. Refused with every fault named. May be drawn anew until START."""


class Shoot(Action, tag="shoot"):
    """A shot at `target`'s board. `on_behalf` is the delegator when the Admiral shoots for him, else None."""

    target: Seat
    cell: Cell
    on_behalf: Seat | None = None


class Delegate(Action, tag="delegate"):
    """«Передаю ход Адмиралу»: one turn's right (option: until withdrawn) goes to the Admiral."""


class Withdraw(Action, tag="withdraw"):
    """Takes a delegation back, while its shot is not made."""


class Attach(Action, tag="attach"):
    """The Admiral: free player `gun` goes on against living enemy `target`."""

    gun: Seat
    target: Seat


class NameSuccessor(Action, tag="successor"):
    """An Admiral who is out names a living team-mate before the next hand-over."""

    seat: Seat


class NameActing(Action, tag="acting"):
    """The Admiral names who acts for him while he is away; naming himself takes it back."""

    seat: Seat


class Leave(Action, tag="leave"):
    """A player gives up: out at once."""


class Start(Action, tag="start"):
    """Referee: START. Refused while a fleet is missing."""


class Appoint(Action, tag="appoint"):
    """Referee: `seat` is the Admiral of his team from now on."""

    seat: Seat


class AdmitPair(Action, tag="admit"):
    """Referee: two newcomers, one to each team by lot, each other's opponents.

    They get the next two seat numbers in the order of the roster, place fleets, and enter at a round's start.
    """


class Eliminate(Action, tag="eliminate"):
    """Referee: `seat` is out."""

    seat: Seat


class Reinstate(Action, tag="reinstate"):
    """Referee: cancels the elimination of `seat` (slept, referee or left; not sunk), while the match goes on."""

    seat: Seat


class EndMatch(Action, tag="end"):
    """Referee: the match ends here; `winner` None is without result."""

    winner: Team | None = None


SeaAction = (
    DraftFleet | RandomFleet | ConfirmFleet | Shoot | Delegate | Withdraw | Attach | NameSuccessor | NameActing | Leave
    | Start | Appoint | AdmitPair | Eliminate | Reinstate | EndMatch
)  # fmt: skip


# --- What happened --------------------------------------------------------------------------------


class Drawn(Event, tag="drawn"):
    """Lots: who plays for whom, the pairs (red, blue), which team begins."""

    red: tuple[Seat, ...]
    blue: tuple[Seat, ...]
    pairs: tuple[tuple[Seat, Seat], ...]
    first: Team


class FleetDrafted(Event, tag="drafted"):
    """A player changed his draft (where to is in his own view alone)."""

    seat: Seat


class FleetReady(Event, tag="fleet_ready"):
    """A fleet is confirmed: `by` the player, or the Referee who placed one at random for him."""

    seat: Seat
    by: ByWhom = ByWhom.PLAYER


class FleetReopened(Event, tag="fleet_reopened"):
    """A confirmed fleet is being changed before START."""

    seat: Seat


class Started(Event, tag="started"):
    """«СТАРТ ИГРА». `hashes[seat]` is the commitment to that seat's fleet and salt ("" for a seat with none yet)."""

    first: Team
    hashes: tuple[str, ...]


class TurnBegan(Event, tag="turn"):
    """«ХОД ЗА КРАСНЫМИ». `turn` counts team turns from 1.

    `duty` must shoot or delegate, `barred` were hit and may not.
    """

    turn: int
    team: Team
    duty: tuple[Seat, ...]
    barred: tuple[Seat, ...] = ()


class TurnPassed(Event, tag="turn_passed"):
    """A turn that went by on its own: nobody of `team` could shoot."""

    turn: int
    team: Team


class TurnEnded(Event, tag="turn_ended"):
    """«КРАСНЫЕ СДЕЛАЛИ ХОД». `expired`: the time was over; `lost`: delegated shots that the Admiral did not make."""

    turn: int
    team: Team
    expired: bool = False
    lost: tuple[Seat, ...] = ()


class ShotFired(Event, tag="shot"):
    """A shot, its result not yet known. `by` made it (the Admiral where it was delegated), `shooter` owns it."""

    shooter: Seat
    by: Seat
    target: Seat
    cell: Cell


class ShotResolved(Event, tag="result"):
    """What a shot did; `sunk` are the cells of the ship that went down with it."""

    shooter: Seat
    target: Seat
    cell: Cell
    result: Result
    sunk: tuple[Cell, ...] = ()


class Delegated(Event, tag="delegated"):
    """A player passed his right to the Admiral."""

    seat: Seat
    admiral: Seat


class Withdrawn(Event, tag="withdrawn"):
    """A delegation was taken back."""

    seat: Seat


class PlayerOut(Event, tag="out"):
    """«Адвокат выбыл из игры»."""

    seat: Seat
    reason: OutReason


class PlayerBack(Event, tag="back"):
    """An elimination was cancelled."""

    seat: Seat


class BecameFree(Event, tag="free"):
    """«ZimA — свободный игрок»."""

    seat: Seat


class Attached(Event, tag="attached"):
    """«ZimA продолжает игру против Вирт»."""

    gun: Seat
    target: Seat
    by: ByWhom


class AdmiralNamed(Event, tag="admiral"):
    """A team has a new Admiral; `acting` for a while only."""

    team: Team
    seat: Seat
    by: ByWhom
    acting: bool = False


class PairAdmitted(Event, tag="admitted"):
    """A new pair was let in; it enters at the start of a round once both fleets are placed."""

    red: Seat
    blue: Seat


class PairEntered(Event, tag="entered"):
    """A new pair is in the fight from this round on. `hashes` commits to their fleets (red, blue)."""

    red: Seat
    blue: Seat
    hashes: tuple[str, str]


class Ended(Event, tag="ended"):
    """The match is over; `winner` None is without result."""

    winner: Team | None
    reason: str
    """`sunk`, `slept`, `referee` or `left`: what took the losing team's last player; `referee` also for `EndMatch`."""


class Revealed(Event, tag="revealed"):
    """All fleets and salts, so that everyone can check the hashes of `Started` (see `fleet.commitment`)."""

    fleets: tuple[Fleet, ...]
    salts: tuple[str, ...]


SeaEvent = (
    Drawn | FleetDrafted | FleetReady | FleetReopened | Started | TurnBegan | TurnPassed | TurnEnded | ShotFired
    | ShotResolved | Delegated | Withdrawn | PlayerOut | PlayerBack | BecameFree | Attached | AdmiralNamed
    | PairAdmitted | PairEntered | Ended | Revealed
)  # fmt: skip


# --- What one may know ----------------------------------------------------------------------------


class SeenShot(Value):
    """A shot on a board. `result` is None while it waits for the hand-over."""

    turn: int
    shooter: Seat
    cell: Cell
    result: Result | None = None


class BoardView(Value):
    """A player's sea as the looker may know it."""

    seat: Seat
    shots: tuple[SeenShot, ...] = ()
    """In the order of posting."""
    sunk: tuple[Ship, ...] = ()
    """Ships known to be sunk (results that are out)."""
    fleet: Fleet | None = None
    """All ships: the owner's own board, or any board once the match is over; None to others."""
    draft: Fleet | None = None
    """The owner's ships so far, while he is placing."""
    decks_left: int = 20
    """Decks not yet known to be hit."""


class PlayerView(Value):
    """What is public of a player."""

    seat: Seat
    team: Team
    alive: bool = True
    admiral: bool = False
    acting: bool = False
    """Acts for an absent Admiral."""
    opponents: tuple[Seat, ...] = ()
    """Living enemies he may shoot at: by pair, the one he is attached to, and those attached to him."""
    free: bool = False
    """A free player: his opponent by pair is out."""
    attached_to: Seat | None = None
    duty: bool = False
    """Has to shoot or delegate in the running turn and has not."""
    may_shoot: bool = False
    """`apply` would accept a shot from him (or his Admiral, if delegated) now."""
    shot: bool = False
    """Has shot in the running turn."""
    barred: bool = False
    """Was hit in the enemy's last turn: no answer in this one."""
    delegated: bool = False
    fleet_ready: bool = False
    reserve: bool = False
    """Admitted, not yet in the fight."""
    out: OutReason | None = None
    names_successor: bool = False
    """Was the Admiral, is out, and may still name his successor."""


class SeaView(View):
    """A match of team sea battle as `me` (None: a spectator) may know it."""

    phase: Phase
    me: Seat | None
    options: SeaOptions
    turn: int
    """The number of the running team turn; 0 while placing."""
    team: Team
    """The team on move (while placing: the one that begins)."""
    first: Team
    players: tuple[PlayerView, ...]
    """By seat."""
    boards: tuple[BoardView, ...]
    """By seat."""
    hashes: tuple[str, ...] = ()
    salts: tuple[str, ...] = ()
    """Only when over."""
    winner: Team | None = None
    successor_due: tuple[Team, ...] = ()
    """Teams whose Admiral is out and may still name a successor."""
