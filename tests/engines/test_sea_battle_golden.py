"""A whole match as it was once played: any change of rules, events, views or chance shows here.

After a change that is meant, write it anew: `python -m tests.engines.test_sea_battle_golden`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import msgspec

from engines.contract import SeatInfo, dump
from engines.sea_battle import ENGINE
from engines.sea_battle.model import SeaOptions
from engines.sea_battle.selfplay import Act, play
from engines.sea_battle.state import SeaState

GOLDEN = Path(__file__).parents[1] / "data" / "sea_battle_golden.json"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def looks(state: SeaState) -> dict[str, str]:
    """A digest of what each seat, and a spectator, may know."""
    lookers = [None, *range(len(state.players))]
    return {
        "spectator" if looker is None else str(looker): digest(dump(ENGINE.view(state, looker))) for looker in lookers
    }


def entry(act: Act | None, state: SeaState, events: tuple[object, ...]) -> dict[str, object]:
    """One step of the transcript."""
    return {
        "act": None if act is None else json.loads(dump(act)),
        "events": json.loads(dump(events)),
        "views": looks(state),
        "state": digest(dump(state)),
    }


def transcript(infos: tuple[SeatInfo, ...], options: SeaOptions, seed: str, acts: tuple[Act, ...]) -> dict[str, object]:
    """A match with all that came of it."""
    state, events = ENGINE.new(infos, options, seed)
    steps = [entry(None, state, events)]
    for act in acts:
        state, events = ENGINE.expire(state) if act.action is None else ENGINE.apply(state, act.seat, act.action)
        steps.append(entry(act, state, events))
    return {
        "rules_version": ENGINE.rules_version,
        "infos": json.loads(dump(infos)),
        "options": json.loads(dump(options)),
        "seed": seed,
        "steps": steps,
        "outcome": json.loads(dump(ENGINE.outcome(state))),
    }


def test_the_golden_match_is_played_as_it_was():
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    again = transcript(
        msgspec.convert(golden["infos"], tuple[SeatInfo, ...]),
        msgspec.convert(golden["options"], SeaOptions),
        golden["seed"],
        tuple(msgspec.convert(step["act"], Act) for step in golden["steps"][1:]),
    )
    for step, (now, then) in enumerate(zip(again.pop("steps"), golden.pop("steps"), strict=True)):
        assert now == then, f"step {step}"
    assert again == golden


def main() -> None:
    """Writes the transcript of a short match with a bit of everything."""
    played, _ = play("golden 22", 6, SeaOptions())
    written = transcript(played.infos, played.options, played.seed, played.acts)
    lines = ",\n".join(json.dumps(step, ensure_ascii=False) for step in written.pop("steps"))
    head = json.dumps(written, ensure_ascii=False, indent=1)
    GOLDEN.write_text(head.removesuffix("\n}") + ',\n "steps": [\n' + lines + "\n]\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
