"""What the group sees: the draw, the running turn, the end. Made from a spectator's view and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from markupsafe import Markup

from engines.contract import Seat
from engines.sea_battle import ENGINE
from engines.sea_battle.fleet import commitment_text
from engines.sea_battle.model import (
    BoardView,
    Ended,
    Phase,
    PlayerView,
    Result,
    SeaEvent,
    SeaView,
    Started,
    Team,
    TurnBegan,
)
from handlers import moments
from handlers.decisions import ruling_text, undone_events
from handlers.screens import Button, Keyboard, Screen, Style, press
from handlers.sea_battle.record import events_of, expired_clock, opening
from handlers.sea_battle.speech import EMPTY, TEAM_STYLE, Speech, lines
from handlers.sea_battle.telling import ended_line, tell
from render.sea_battle import pairs_picture, reveal_picture, team_picture
from storage.records import StoredAction

BOTH_SIDES = 3
"""Up to this many pairs, one picture shows both teams; beyond, the side that was shot at last."""
EXAMPLE = 30
"""А4, the cell of the rules' own example."""
PAIRS_SHOWN = 10
"""Up to this many pairs make a picture of the draw."""


def turn_screen(speech: Speech, actions: Sequence[StoredAction], body: Mapping[str, object]) -> Screen:
    """The slot `turn`, by phase. `actions` are the newest lines of the record; `body["n"]` is the one it is posted for.

    Where the match has gone on since that line, only what happened in it is told: the newer message shows the rest.
    """
    begun = opening(actions, speech.view)
    n = body.get("n")
    if n is not None and begun is not None and begun.action.n != n:
        late = [action for action in actions if action.n == n]
        return Screen(lines(*(happened(action, events_of(action), speech) for action in late)))
    story = [] if begun is None else happened(begun.action, begun.events, speech)
    match speech.view.phase:
        case Phase.PLACING:
            return _placing(speech)
        case Phase.PLAYING:
            return _playing(speech, story)
        case Phase.OVER:
            return _over(speech, story, () if begun is None else begun.events)


def happened(action: StoredAction, events: Sequence[SeaEvent], speech: Speech) -> list[Markup]:
    """A line of the record in words; a deadline names the rule and both instants, a decision who has made it."""
    ruling = ruling_text(action, speech.match, speech.words)
    if ruling is not None:
        undone = undone_events(action)
        taken_back = () if undone is None else ENGINE.read_events(undone)
        return [ruling, *(Markup("<s>{}</s>").format(line) for line in _told(taken_back, speech))]
    told = _told(events, speech)
    clock = expired_clock(action)
    if clock is None:
        return told
    started, due = (moments.moment(at, speech.match.pace.zone, speech.words) for at in clock)
    if any(isinstance(event, Started) for event in events):
        return [speech.html("expired-placing", started=started, due=due), *told]
    return [*told[:1], speech.html("expired-rule", started=started, due=due), *told[1:]]


def _told(events: Sequence[SeaEvent], speech: Speech) -> list[Markup]:
    """What happened, without the turn that began by it: its own message says so."""
    return tell([event for event in events if not isinstance(event, TurnBegan)], speech)


def _placing(speech: Speech) -> Screen:
    view = speech.view
    players = [player for player in view.players if player.alive]
    ready = [player.seat for player in players if player.fleet_ready]
    missing = [player.seat for player in players if not player.fleet_ready and not player.reserve]
    pairs = _pairs(view)
    text = lines(
        speech.html("draw-title", id=speech.match.id),
        *(_roster(speech, team) for team in (view.first, view.first.enemy)),
        EMPTY,
        speech.html("draw-pairs"),
        *(speech.html("draw-pair", red=speech.names.html(red), blue=speech.names.html(blue)) for red, blue in pairs),
        speech.html(f"draw-first-{view.first}"),
        waiting_outside(speech),
        EMPTY,
        speech.html("place-now"),
        speech.until(),
        speech.html("placed", names=speech.many(ready)) if ready else None,
        speech.html("not-placed", names=speech.many(missing)) if missing else speech.html("all-placed"),
    )
    rows: list[tuple[Button, ...]] = [
        (Button.deep(speech.plain("button-place"), f"f{speech.match.id}", Style.PRIMARY),)
    ]
    if not missing:
        rows.append((speech.button(speech.plain("button-start"), "start", style=Style.SUCCESS),))
    pictures: tuple[bytes, ...] = ()
    if pairs and len(pairs) <= PAIRS_SHOWN:
        pictures = (pairs_picture(_untouched(view), speech.plain_names, pairs),)
    return Screen(text, tuple(rows), pictures)


def _untouched(view: SeaView) -> SeaView:
    """The players without what changes while fleets are placed, so that the picture of the draw stays the same."""
    players = tuple(
        msgspec.structs.replace(player, alive=True, out=None, fleet_ready=False, delegated=False)
        for player in view.players
    )
    return msgspec.structs.replace(view, players=players)


def _pairs(view: SeaView) -> list[tuple[Seat, Seat]]:
    """Opponents by pair, Red first. Before the fight each player has just one opponent."""
    return [
        (player.seat, player.opponents[0])
        for player in view.players
        if player.team is Team.RED and player.opponents and not player.reserve
    ]


def _roster(speech: Speech, team: Team) -> Markup:
    """«🔴 Красные: Sova_2 (Адмирал), ZimA»."""
    names = Markup(", ").join(_with_rank(speech, seat) for seat in speech.seats(team))
    return speech.html(f"team-{team}", names=names)


def _with_rank(speech: Speech, seat: Seat) -> Markup:
    player = speech.view.players[seat]
    name = speech.names.html(seat)
    if player.admiral:
        return speech.html("name-admiral", name=name)
    return speech.html("name-acting", name=name) if player.acting else name


def waiting_outside(speech: Speech) -> Markup | None:
    """Who waits in reserve for a seat; None where nobody does."""
    outside = [member for member in speech.members if member.seat is None]
    if not outside:
        return None
    return speech.html("outside", names=", ".join(speech.names.of_person(member.person_id) for member in outside))


def _playing(speech: Speech, story: list[Markup]) -> Screen:
    view = speech.view
    text = lines(
        story,
        EMPTY if story else None,
        speech.html(f"turn-{view.team}", turn=view.turn),
        speech.until(),
        *who_moves(speech),
        waiting_outside(speech),
        _how_to_shoot(speech) if view.turn <= 2 else None,
    )
    keyboard: Keyboard = (
        (Button.deep(speech.plain("button-shoot"), f"s{speech.match.id}", TEAM_STYLE[view.team]),),
    )  # fmt: skip
    return Screen(text, keyboard, _boards(speech))


def _how_to_shoot(speech: Speech) -> Markup:
    """An example with a real name, for those who play the first time."""
    enemies = speech.living(speech.view.team.enemy)
    return speech.html("how-to-shoot", name=speech.names.plain(enemies[0]), cell=speech.cell(EXAMPLE))


def who_moves(speech: Speech) -> list[Markup]:
    """Who has moved, who is awaited, and who cannot move in the running turn, with why."""
    mates = [player for player in speech.view.players if player.team is speech.view.team and player.alive]
    groups: dict[str, list[Seat]] = {}
    for player in mates:
        groups.setdefault(_standing(player), []).append(player.seat)
    return [
        speech.html(f"who-{standing}", names=speech.many(groups[standing]))
        for standing in ("awaited", "may", "admiral", "order", "moved", "barred", "reserve")
        if standing in groups
    ]


def _standing(player: PlayerView) -> str:
    """How a player of the team on move stands: the end of a key `sea-who-…`."""
    if player.reserve:
        return "reserve"
    if player.shot:
        return "moved"
    if player.barred:
        return "barred"
    if player.delegated:
        return "admiral"
    if player.duty:
        return "awaited"
    return "may" if player.may_shoot else "order"


def _boards(speech: Speech) -> tuple[bytes, ...]:
    """Stays the same throughout a turn, so that a shot changes the caption alone (unless results come at once)."""
    view = speech.view
    small = max(len(speech.seats(team)) for team in Team) <= BOTH_SIDES
    if not (small and view.options.results_at_once):
        view = before_turn(view)
    return tuple(team_picture(view, speech.plain_names, team=None if small else view.team))


def before_turn(view: SeaView) -> SeaView:
    """The boards as they were when the running turn began."""
    boards = tuple(_before(board, view.turn) for board in view.boards)
    players = tuple(
        msgspec.structs.replace(player, shot=False, delegated=False, duty=False, may_shoot=False)
        for player in view.players
    )
    return msgspec.structs.replace(view, boards=boards, players=players)


def _before(board: BoardView, turn: int) -> BoardView:
    shots = tuple(shot for shot in board.shots if shot.turn < turn)
    hit = {shot.cell for shot in shots if shot.result in (Result.HIT, Result.SUNK)}
    late = {shot.cell for shot in board.shots if shot.turn >= turn and shot.result in (Result.HIT, Result.SUNK)}
    sunk = tuple(ship for ship in board.sunk if hit.issuperset(ship.cells()))
    return msgspec.structs.replace(board, shots=shots, sunk=sunk, decks_left=board.decks_left + len(late))


def _over(speech: Speech, story: list[Markup], events: Sequence[SeaEvent]) -> Screen:
    """The end: who won, both sides' boards, and how to check that the bot has not cheated."""
    view = speech.view
    text = lines(
        story or [ended_line(Ended(view.winner, "referee"), speech)],
        _survivors(speech),
        *_proof(speech),
    )
    keyboard: Keyboard = (
        (Button(speech.plain("button-again"), press("again", speech.match.id), style=Style.SUCCESS),),
        (Button.deep(speech.plain("button-record"), f"e{speech.match.id}"),),
    )
    pictures = tuple(reveal_picture(view, speech.plain_names)) if view.turn else ()
    return Screen(text, keyboard, pictures)


def _survivors(speech: Speech) -> Markup | None:
    if speech.view.winner is None:
        return None
    alive = speech.living(speech.view.winner)
    return speech.html("survivors", names=speech.many(alive), n=len(alive)) if alive else None


def _proof(speech: Speech) -> list[Markup]:
    """Each fleet's sealed text and its hash, folded away; and the command that checks it."""
    view = speech.view
    rows = []
    for board, seal, salt in zip(view.boards, view.hashes, view.salts, strict=False):
        if not seal or board.fleet is None:
            continue
        rows.append(
            speech.html(
                "proof-player",
                name=speech.names.html(board.seat),
                fleet=", ".join(speech.ship(ship) for ship in board.fleet),
                text=commitment_text(board.fleet, salt),
                hash=seal,
            )
        )
    if not rows:
        return []
    return [EMPTY, speech.html("proof"), *rows]


def seals_screen(speech: Speech) -> Screen:
    """The slot `seals`: the hash of each fleet in the fight, as published at START and when a pair enters."""
    rows = [
        speech.html("seal", name=speech.names.html(seat), hash=seal)
        for seat, seal in enumerate(speech.view.hashes)
        if seal
    ]
    return Screen(lines(speech.html("seals"), rows) if rows else speech.html("no-seals"))


def clock_screen(speech: Speech, body: Mapping[str, object]) -> Screen:
    """The slot `clock`: the bot was away, and the deadline was moved by that time."""
    credit = body.get("credit")
    minutes = max(round(credit / 60), 1) if isinstance(credit, int) else 1
    return Screen(lines(speech.html("credit", n=minutes), speech.until()))
