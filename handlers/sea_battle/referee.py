"""What a human referee may order, by buttons: the opener of the match, or an administrator of the chat.

«Решение Рефери воспринимается как закон.» Whether the presser has the right is checked when he presses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engines.contract import Seat
from engines.sea_battle.model import AdmitPair, Appoint, Eliminate, EndMatch, OutReason, Phase, Reinstate, Start, Team
from handlers.decisions import EXTENSIONS, PAUSES, REASONS, length_text
from handlers.presenter import Decide, Do, Reading, Turn
from handlers.screens import Button, Screen, Style
from handlers.sea_battle.speech import Speech, rows_of
from referee.authority import waiting
from referee.decisions import Admit, GiveTime, Resume, StopClock, Undo

RefereeAction = Start | Appoint | Eliminate | Reinstate | EndMatch

CLOCK_VERBS = frozenset({"rp", "rpl", "rpr", "rgo", "rt", "rtg", "rad", "run"})
"""Verbs of what the host carries out; each button that decides carries the match's version."""
VERBS = frozenset({"r", "ra", "re", "ri", "rw", "rap", "rel", "rin", "rend", *CLOCK_VERBS})
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
        rows += _host_rows(speech)
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


_ADMIT = frozenset({"admit", "впустить"})
PAIR = 2


def admission_by_words(verb: str, rest: str, speech: Speech) -> Admit | None:
    """«/referee admit» lets in the two who have waited longest; «/referee admit ZimA, Вирт» those two."""
    if verb not in _ADMIT:
        return None
    if not rest:
        return Admit(AdmitPair(), PAIR)
    named = {part.strip().removeprefix("@").casefold() for part in rest.split(",")}
    chosen = [
        m.person_id for m in waiting(speech.members) if named & {m.name.casefold(), (m.username or "").casefold()}
    ]
    return Admit(AdmitPair(), PAIR, tuple(chosen)) if len(chosen) == len(named) == PAIR else None


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
            return _host_pressed(verb, rest, speech)


def _host_rows(speech: Speech) -> list[tuple[Button, ...]]:
    """Buttons for the clock, for newcomers, and to take the last act back."""
    version = speech.match.version
    rows: list[tuple[Button, ...]] = []
    if speech.match.pause is not None:
        rows.append((speech.button(speech.plain("button-resume"), "rgo", version),))
    else:
        rows.append(
            (speech.button(speech.plain("button-pause"), "rp"), speech.button(speech.plain("button-time"), "rt"))
        )
    if len(waiting(speech.members)) >= PAIR:
        rows.append((speech.button(speech.plain("button-admit"), "rad", version),))
    rows.append((speech.button(speech.plain("button-undo"), "run", version),))
    return rows


def _host_pressed(verb: str, rest: tuple[str, ...], speech: Speech) -> Reading | None:
    version = speech.match.version
    receipt = speech.html("order-receipt")
    match verb:
        case "rp":
            lengths = [length_text(round(length.total_seconds()), speech.words) for length in PAUSES]
            buttons = [speech.button(text, "rpl", n) for n, text in enumerate(lengths)]
            return Turn(Screen(speech.html("referee-pause"), (*rows_of(buttons, 2), _back(speech))))
        case "rpl":
            buttons = [
                speech.button(speech.words.plain(f"pause-reason-{reason}"), "rpr", int(rest[0]), n, version)
                for n, reason in enumerate(REASONS)
            ]
            return Turn(Screen(speech.html("referee-reason"), (*rows_of(buttons, 1), _back(speech))))
        case "rpr":
            seconds = round(PAUSES[int(rest[0])].total_seconds())
            reason = speech.words.plain(f"pause-reason-{REASONS[int(rest[1])]}")
            return Decide(StopClock(seconds, reason), receipt, int(rest[2]))
        case "rgo":
            return Decide(Resume(), receipt, int(rest[0]))
        case "rt":
            lengths = [length_text(round(length.total_seconds()), speech.words) for length in EXTENSIONS]
            buttons = [speech.button(f"+ {text}", "rtg", n, version) for n, text in enumerate(lengths)]
            return Turn(Screen(speech.html("referee-time"), (*rows_of(buttons, 1), _back(speech))))
        case "rtg":
            return Decide(GiveTime(round(EXTENSIONS[int(rest[0])].total_seconds())), receipt, int(rest[1]))
        case "rad":
            return Decide(Admit(AdmitPair(), PAIR), receipt, int(rest[0]))
        case "run":
            return Decide(Undo(), receipt, int(rest[0]))
        case _:
            return None


def _choose(speech: Speech, key: str, verb: str, seats: list[Seat]) -> Turn:
    buttons = [speech.button(speech.names.plain(seat), verb, seat) for seat in seats]
    return Turn(Screen(speech.html(key), (*rows_of(buttons, 2), _back(speech))))


def _back(speech: Speech) -> tuple[Button, ...]:
    return (speech.button(speech.plain("button-back"), "r"),)
