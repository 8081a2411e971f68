"""What a human referee may order, by buttons: the opener of the match, or an administrator of the chat.

«Решение Рефери воспринимается как закон.» Whether the presser has the right is checked when he presses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.contract import Seat
from engines.sea_battle.model import Appoint, Eliminate, EndMatch, OutReason, Phase, Reinstate, Start, Team
from handlers.presenter import Do, Reading, Turn
from handlers.screens import Button, Screen, Style
from handlers.sea_battle.speech import Speech, rows_of

RefereeAction = Start | Appoint | Eliminate | Reinstate | EndMatch

VERBS = frozenset({"r", "ra", "re", "ri", "rw", "rap", "rel", "rin", "rend"})
"""Verbs of the Referee's buttons."""


def referee_screen(speech: Speech) -> Screen:
    """What can be ordered now."""
    rows: list[tuple[Button, ...]] = []
    players = [player for player in speech.view.players if not player.reserve]
    if speech.view.phase is Phase.PLACING and all(p.fleet_ready for p in players if p.alive):
        rows.append((speech.button(speech.plain("button-start"), "start", style=Style.SUCCESS),))
    if speech.view.phase is not Phase.OVER:
        rows.append((speech.button(speech.plain("button-appoint"), "ra"),))
        rows.append((speech.button(speech.plain("button-eliminate"), "re"),))
        if _returnable(speech):
            rows.append((speech.button(speech.plain("button-reinstate"), "ri"),))
        rows.append((speech.button(speech.plain("button-end"), "rw", style=Style.DANGER),))
    return Screen(speech.html("referee"), tuple(rows))


_WORDS: Mapping[str, Callable[[Seat], Appoint | Eliminate | Reinstate]] = {
    "admiral": Appoint,
    "адмирал": Appoint,
    "out": Eliminate,
    "выбыл": Eliminate,
    "back": Reinstate,
    "вернуть": Reinstate,
}
_START = frozenset({"start", "старт"})
_END = frozenset({"end", "конец"})
_WINNERS = {
    "red": Team.RED,
    "красные": Team.RED,
    "blue": Team.BLUE,
    "синие": Team.BLUE,
    "none": None,
    "ничья": None,
}


def orders_by_words(verb: str, rest: str, named: list[Seat]) -> RefereeAction | None:
    """What `/referee <verb> <rest>` orders, both folded; `named` are the players that `rest` names. None if unclear."""
    if verb in _START and not rest:
        return Start()
    if verb in _END and rest in _WINNERS:
        return EndMatch(_WINNERS[rest])
    if verb in _WORDS and len(named) == 1:
        return _WORDS[verb](named[0])
    return None


def _returnable(speech: Speech) -> list[Seat]:
    return [p.seat for p in speech.view.players if not p.alive and p.out is not OutReason.SUNK]


def referee_pressed(verb: str, rest: tuple[str, ...], speech: Speech) -> Reading | None:
    """A press of one of the Referee's buttons. Raises ValueError or IndexError for data that no button has."""
    alive = [p.seat for p in speech.view.players if p.alive]
    fighting = [seat for seat in alive if not speech.view.players[seat].reserve]
    match verb:
        case "r":
            return Turn(referee_screen(speech))
        case "ra":
            leaders = {speech.commander(team) for team in Team}
            return _choose(speech, "referee-appoint", "rap", [seat for seat in fighting if seat not in leaders])
        case "re":
            return _choose(speech, "referee-eliminate", "rel", alive)
        case "ri":
            return _choose(speech, "referee-reinstate", "rin", _returnable(speech))
        case "rw":
            buttons = [
                speech.button(speech.plain("button-end-none"), "rend", ""),
                *(speech.button(speech.plain(f"button-end-{team}"), "rend", team.value) for team in Team),
            ]
            return Turn(Screen(speech.html("referee-end"), (*rows_of(buttons, 1), _back(speech))))
        case "rap":
            return Do(Appoint(int(rest[0])), as_referee=True, receipt=speech.html("order-receipt"))
        case "rel":
            return Do(Eliminate(int(rest[0])), as_referee=True, receipt=speech.html("order-receipt"))
        case "rin":
            return Do(Reinstate(int(rest[0])), as_referee=True, receipt=speech.html("order-receipt"))
        case "rend":
            winner = Team(rest[0]) if rest[0] else None
            return Do(EndMatch(winner), as_referee=True, receipt=speech.html("order-receipt"))
        case _:
            return None


def _choose(speech: Speech, key: str, verb: str, seats: list[Seat]) -> Turn:
    buttons = [speech.button(speech.names.plain(seat), verb, seat) for seat in seats]
    return Turn(Screen(speech.html(key), (*rows_of(buttons, 2), _back(speech))))


def _back(speech: Speech) -> tuple[Button, ...]:
    return (speech.button(speech.plain("button-back"), "r"),)
