"""A match's record on its way out: what a game makes files from, and the files of a game that makes none itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from handlers.names import Names
from locales import Words
from storage.records import Match, MatchPhase, Member, StoredAction, undone


@dataclass(frozen=True)
class Document:
    """A file to send. `form` is what people ask for it by: `text` or `json`."""

    form: str
    name: str
    data: bytes


@dataclass(frozen=True)
class Chronicle:
    """A match and all lines of its record, secrets included: what is made from it must leave them out until the end."""

    match: Match
    members: tuple[Member, ...]
    actions: tuple[StoredAction, ...]
    words: Words
    """Of the match's group."""
    referees: Mapping[int, str] = field(default_factory=dict)
    """What those are called who acted without a seat, by number."""

    @property
    def whole(self) -> bool:
        """Whether all may be told: the match is over."""
        return self.match.phase is MatchPhase.OVER

    def file_name(self, ending: str) -> str:
        """«sea_battle-12.json»; of a match that goes on «sea_battle-12-open.json»."""
        return f"{self.match.game}-{self.match.id}{'' if self.whole else '-open'}.{ending}"


def plain_documents(chronicle: Chronicle) -> Sequence[Document]:
    """The record of any game, as JSON. Of a match that goes on the events alone, for these never hold a secret."""
    match = chronicle.match
    names = Names(chronicle.members)
    taken_back = undone(chronicle.actions)
    told: dict[str, object] = {
        "game": match.game,
        "match": match.id,
        "whole": chronicle.whole,
        "options": msgspec.Raw(match.options.encode()),
        "names": {member.seat: names.plain(member.seat) for member in chronicle.members if member.seat is not None},
    }
    if chronicle.whole:
        told |= {"seed": match.seed, "lots": match.lots}
    told["lines"] = [
        {
            "at": action.at,
            "kind": action.kind,
            "events": msgspec.Raw(action.events.encode()),
            "undone": action.n in taken_back,
            **({"seat": action.seat, "body": msgspec.Raw(action.body.encode())} if chronicle.whole else {}),
        }
        for action in chronicle.actions
    ]
    data = msgspec.json.format(msgspec.json.encode(told), indent=1)
    return (Document("json", chronicle.file_name("json"), data),)
