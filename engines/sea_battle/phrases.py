"""The phrases of a written record: each prints an act or an event, and reads back what it printed.

A phrase is a type, a template such as «{gun:seat} продолжает игру против {target:seat}» and the fields that it takes
for granted. What a field looks like is said once, by a `Form`, for printing and for reading alike.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engines.contract import Seat
from engines.sea_battle.cells import LETTERS, cell_name, cell_of
from engines.sea_battle.fleet import within
from engines.sea_battle.fleet_text import parse_fleet, print_fleet
from engines.sea_battle.model import SIZE, Cell, Columns, Fleet, Ship

QUOTED: Final = r'"(?:[^"\\\n]|\\.)*"'
_CALL: Final = rf"(?:{QUOTED}(?:#\d+)?|\w+(?:[ -]\w+)*)"
_BARE: Final = re.compile(r"\w+(?:[ -]\w+)*")
_FIELD: Final = re.compile(r"\{(\w+):(\w+)\}")
NONE: Final = "—"
"""An empty list."""


@dataclass(frozen=True)
class Phrase:
    """A way to say a value of `type`, where its fields are as in `fixed`."""

    type: Callable[..., object]
    template: str
    fixed: Mapping[str, object]

    @cached_property
    def fields(self) -> dict[str, str]:
        """The fields that the template shows, and the names of their forms."""
        found: list[tuple[str, str]] = _FIELD.findall(self.template)
        return dict(found)

    def words(self) -> set[str]:
        """Its own words."""
        return {word.casefold() for word in re.findall(r"\w+", _FIELD.sub(" ", self.template))}


def phrase(kind: Callable[..., object], template: str, **fixed: object) -> Phrase:
    """A phrase, written short."""
    return Phrase(kind, template, fixed)


@dataclass(frozen=True)
class Form:
    """How a field is printed and read. `read` raises ValueError for what `write` would not have printed."""

    pattern: str
    write: Callable[[object], str]
    read: Callable[[str], object]


class Calls:
    """What the seats are called in a written record: by name where that is unmistakable, quoted where it is not."""

    def __init__(self, names: Sequence[str], reserved: set[str]) -> None:
        """`reserved`: the record's own words (case folded), which no bare name may contain."""
        self._by_seat: list[str] = []
        for seat, name in enumerate(names):
            words = re.findall(r"\w+", name.casefold())
            bare = _BARE.fullmatch(name) is not None and reserved.isdisjoint(words)
            call = name if bare else json.dumps(name, ensure_ascii=False)
            if list(names).count(name) > 1:
                call = f"{json.dumps(name, ensure_ascii=False)}#{seat + 1}"
            self._by_seat.append(call)
        self._seats = {call: seat for seat, call in enumerate(self._by_seat)}

    def write(self, seat: object) -> str:
        """The call of a seat. Raises ValueError if it has none."""
        if not isinstance(seat, int) or not 0 <= seat < len(self._by_seat):
            raise ValueError(f"nobody sits at {seat}")
        return self._by_seat[seat]

    def read(self, call: str) -> Seat:
        """The seat of a call. Raises ValueError if there is none."""
        if call not in self._seats:
            raise ValueError(f"nobody is called {call}")
        return self._seats[call]


def name_in(call: str) -> str:
    """The name in what `Calls` wrote. Raises ValueError."""
    if call.startswith('"'):
        name = json.loads(re.sub(r"#\d+$", "", call))
        if isinstance(name, str):
            return name
    if _BARE.fullmatch(call):
        return call
    raise ValueError(f"not a name: {call}")


def choice(words: Mapping[str, object]) -> Form:
    """One of several words."""
    texts = {value: word for word, value in words.items()}

    def write(value: object) -> str:
        if value not in texts:
            raise ValueError(f"no word for {value!r}")
        return texts[value]

    return Form("|".join(map(re.escape, sorted(words, key=len, reverse=True))), write, lambda text: words[text])


def forms(calls: Calls, columns: Columns) -> dict[str, Form]:
    """The forms that do not depend on the language."""
    letter = f"[{LETTERS[columns]}](?:10|[1-9])"
    fleet = rf"{NONE}|{letter}(?:-{letter})?(?:, {letter}(?:-{letter})?)*"

    def whole(value: object) -> str:
        if not isinstance(value, int):
            raise ValueError(f"not a number: {value!r}")
        return str(value)

    def ship(value: object) -> str:
        decks = _cells(value)
        if not decks:
            return NONE
        first, last = cell_name(decks[0], columns), cell_name(decks[-1], columns)
        return first if len(decks) == 1 else f"{first}-{last}"

    def read_ship(text: str) -> tuple[Cell, ...]:
        if text == NONE:
            return ()
        ends = [cell_of(name, columns) for name in text.split("-")]
        step = 1 if ends[0] // SIZE == ends[-1] // SIZE else SIZE
        return tuple(range(ends[0], ends[-1] + 1, step))

    def read_fleet(text: str) -> Fleet:
        return () if text == NONE else parse_fleet(text, columns)

    def write_fleet(value: object) -> str:
        ships = _items(value)
        if not all(isinstance(ship, Ship) and within(ship) for ship in ships):
            raise ValueError("not on the board")
        return print_fleet((ship for ship in ships if isinstance(ship, Ship)), columns) or NONE

    def seal(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError("not a seal")
        return value or NONE

    seat = Form(_CALL, calls.write, calls.read)
    pair = Form(
        f"{_CALL} – {_CALL}", lambda v: " – ".join(map(calls.write, _items(v))), lambda text: _pair(text, calls)
    )
    one_seal = Form(rf"{NONE}|\w+", seal, lambda text: "" if text == NONE else text)
    return {
        "seat": seat,
        "seats": _several(seat, ", "),
        "pairs": _several(pair, ", "),
        "cell": Form(letter, lambda value: cell_name(_cell(value), columns), lambda text: cell_of(text, columns)),
        "ship": Form(rf"{NONE}|{letter}(?:-{letter})?", ship, read_ship),
        "fleet": Form(fleet, write_fleet, read_fleet),
        "number": Form(r"\d+", whole, int),
        "seal": one_seal,
        "seals": _by_seat(one_seal, calls),
        "fleets": _by_seat(Form(fleet, write_fleet, read_fleet), calls),
    }


def _items(value: object) -> tuple[object, ...]:
    if not isinstance(value, tuple):
        raise ValueError(f"not a list: {value!r}")
    return value


def _cell(value: object) -> Cell:
    if not isinstance(value, int):
        raise ValueError(f"not a cell: {value!r}")
    return value


def _cells(value: object) -> list[Cell]:
    return [_cell(item) for item in _items(value)]


def _pair(text: str, calls: Calls) -> tuple[Seat, ...]:
    found = re.fullmatch(f"({_CALL}) – ({_CALL})", text)
    if found is None:
        raise ValueError(f"not a pair: {text}")
    return tuple(calls.read(call) for call in found.groups())


def _several(form: Form, between: str) -> Form:
    """A list of what `form` prints, in one line."""

    def write(value: object) -> str:
        return between.join(map(form.write, _items(value))) or NONE

    def read(text: str) -> object:
        return () if text == NONE else tuple(form.read(found) for found in re.findall(form.pattern, text))

    return Form(f"{NONE}|{form.pattern}(?:{between}{form.pattern})*", write, read)


def _by_seat(form: Form, calls: Calls) -> Form:
    """Something for each seat from the first on, in a line each (which begins with two spaces)."""

    def write(value: object) -> str:
        return "".join(f"\n  {calls.write(seat)}: {form.write(item)}" for seat, item in enumerate(_items(value)))

    def read(text: str) -> object:
        found = re.findall(f"\n  ({_CALL}): ({form.pattern})(?=\n|$)", text)
        if [calls.read(call) for call, _ in found] != list(range(len(found))):
            raise ValueError("seats out of order")
        return tuple(form.read(item) for _, item in found)

    return Form(f"(?:\n  {_CALL}: (?:{form.pattern}))*", write, read)


class Book:
    """Phrases made ready for one record."""

    def __init__(self, phrases: Sequence[Phrase], known: Mapping[str, Form]) -> None:
        self._known = known
        self._phrases = [(each, self._pattern(each)) for each in phrases]

    def _pattern(self, each: Phrase) -> re.Pattern[str]:
        parts = _FIELD.split(each.template)  # text, field, form, text, field, form, … text
        pattern = re.escape(parts[0])
        for name, form, text in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
            pattern += f"(?P<{name}>{self._known[form].pattern}){re.escape(text)}"
        return re.compile(pattern)

    def write(self, value: object, **more: object) -> str | None:
        """The phrase for a value (and for what is said beside it); None if there is none that reads back as it."""
        for each, _ in self._phrases:
            if each.type is not type(value):
                continue
            given = {name: more[name] if name in more else getattr(value, name) for name in (*each.fixed, *each.fields)}
            if any(given[name] != wanted for name, wanted in each.fixed.items()):
                continue
            try:
                shown = {name: self._known[form].write(given[name]) for name, form in each.fields.items()}
                text = _FIELD.sub(lambda found, shown=shown: shown[found[1]], each.template)  # type: ignore[misc]
                if self.read(text, tuple(more)) == (value, more):
                    return text
            except ValueError:
                continue
        return None

    def read(self, text: str, beside: tuple[str, ...] = ()) -> tuple[object, dict[str, object]] | None:
        """The value that a text says, and the fields named in `beside`; None if no phrase says it."""
        for each, pattern in self._phrases:
            found = pattern.fullmatch(text)
            if found is None:
                continue
            try:
                fields = {name: self._known[form].read(found[name]) for name, form in each.fields.items()}
            except (ValueError, LookupError):
                continue
            fields.update(each.fixed)
            more = {name: fields.pop(name) for name in beside if name in fields}
            return each.type(**fields), more
        return None
