"""Lines of a match's record, read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from engines.sea_battle import ENGINE
from engines.sea_battle.model import Drawn, Ended, Phase, SeaEvent, SeaView, TurnBegan
from storage.records import ActionKind, StoredAction


def events_of(action: StoredAction) -> tuple[SeaEvent, ...]:
    """What happened in a line of the record."""
    return ENGINE.read_events(action.events)


@dataclass(frozen=True)
class Opening:
    """The line of the record that led to what is shown now."""

    action: StoredAction
    events: tuple[SeaEvent, ...]


def opening(actions: Sequence[StoredAction], view: SeaView) -> Opening | None:
    """The line with which the running turn began (placing: the draw; over: the end); None if it is not among these."""
    for action in reversed(actions):
        events = events_of(action)
        if any(_opens(event, view) for event in events):
            return Opening(action, events)
    return None


def _opens(event: SeaEvent, view: SeaView) -> bool:
    match view.phase:
        case Phase.PLACING:
            return isinstance(event, Drawn)
        case Phase.PLAYING:
            return isinstance(event, TurnBegan) and event.turn == view.turn
        case Phase.OVER:
            return isinstance(event, Ended)


def expired_clock(action: StoredAction) -> tuple[datetime, datetime] | None:
    """When the clock that ran out was started, and when it ran out; None if this line is no deadline."""
    if action.kind is not ActionKind.EXPIRE:
        return None
    told = json.loads(action.body)
    if not told.get("started") or not told.get("due"):
        return None
    return datetime.fromisoformat(told["started"]), datetime.fromisoformat(told["due"])
