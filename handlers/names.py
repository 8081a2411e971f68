"""What people are called on boards, buttons and in messages: as they call themselves, made harmless, and told apart."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from engines.contract import Seat
from storage.records import Member

LONGEST = 24
_ISOLATE, _POP = "\u2068", "\u2069"


def clean(name: str, person_id: int) -> str:
    """A name without characters that reorder or hide text; a number where nothing is left of it."""
    kept = "".join(
        " " if unicodedata.category(c) in ("Zs", "Zl", "Zp", "Cc") else c
        for c in name
        if unicodedata.category(c) not in ("Cf", "Co", "Cs", "Cn") or c == "\u200d"
    )
    short = " ".join(kept.split())
    if len(short) > LONGEST:
        short = short[: LONGEST - 1].rstrip() + "…"
    visible = any(unicodedata.category(c)[0] in "LNPS" for c in short)
    return short if visible else f"№{person_id % 10000}"


class Names:
    """The names of a match's people."""

    def __init__(self, members: Sequence[Member]) -> None:
        cleaned = {member.person_id: clean(member.name, member.person_id) for member in members}
        common = Counter(name.casefold() for name in cleaned.values())
        self._by_person: dict[int, str] = {}
        self._by_seat: dict[Seat, str] = {}
        self._person_of: dict[Seat, int] = {}
        for member in members:
            name = cleaned[member.person_id]
            if common[name.casefold()] > 1:
                name = f"{name} ({'@' + member.username if member.username else member.place + 1})"
            self._by_person[member.person_id] = name
            if member.seat is not None:
                self._by_seat[member.seat] = name
                self._person_of[member.seat] = member.person_id

    def plain(self, seat: Seat) -> str:
        """For buttons, toasts and pictures."""
        return self._by_seat.get(seat, f"№{seat + 1}")

    def html(self, seat: Seat) -> Markup:
        """For messages: bold, and kept from turning the text around it."""
        return Markup("<b>{}</b>").format(f"{_ISOLATE}{self.plain(seat)}{_POP}")

    def mention(self, seat: Seat) -> Markup:
        """For messages that should reach the person: Telegram notifies him."""
        person = self._person_of.get(seat)
        if person is None:
            return self.html(seat)
        return Markup('<a href="tg://user?id={}">{}</a>').format(person, f"{_ISOLATE}{self.plain(seat)}{_POP}")

    def of_person(self, person_id: int) -> str:
        """For lists of people who have no seat yet."""
        return self._by_person.get(person_id, f"№{person_id % 10000}")

    def many(self, seats: Sequence[Seat]) -> Markup:
        """A list of names, as HTML."""
        return Markup(", ").join(self.html(seat) for seat in seats)
