"""What players say of shots at themselves («- мимо»): talk. The board decides; a wrong report is put right, kindly."""

from __future__ import annotations

from markupsafe import Markup

from engines.contract import Seat
from engines.sea_battle.meaning import Report, Said
from engines.sea_battle.model import SeenShot
from handlers.sea_battle.speech import Speech, lines


def corrections(report: Report, speech: Speech, about: Seat) -> Markup | None:
    """What is wrong with a report on the board of `about`; None if nothing is, or if it cannot be known yet.

    Reads only results that are out for everybody.
    """
    wrong = []
    for said in report.said:
        shot = _meant(said, speech, about, alone=len(report.said) == 1)
        if shot is None or shot.result is None or shot.result is said.result:
            continue
        wrong.append(
            speech.html(
                "report-wrong",
                cell=speech.cell(shot.cell),
                name=speech.names.html(shot.shooter),
                said=speech.plain(f"word-{said.result}"),
                result=speech.plain(f"word-{shot.result}"),
            )
        )
    return lines(wrong) if wrong else None


def _meant(said: Said, speech: Speech, about: Seat, *, alone: bool) -> SeenShot | None:
    """The shot that a report speaks of: by its cell, else the only one of the last turn with results."""
    shots = speech.view.boards[about].shots
    if said.cell is not None:
        return next((shot for shot in reversed(shots) if shot.cell == said.cell), None)
    known = [shot for shot in shots if shot.result is not None]
    if not alone or not known:
        return None
    last = [shot for shot in known if shot.turn == known[-1].turn]
    # A report answers the turn just over; of an older one, and of several shots, nobody can tell what was meant.
    if len(last) != 1 or last[0].turn < speech.view.turn - 1:
        return None
    return last[0]
