"""The control API (docs/playground.md): what pages, tests and scripts ask of the world. No HTTP here."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from playground.api import Api
from playground.hub import Event, EventKind
from playground.people import Refused
from playground.show import chat_json, control_message
from playground.wire import Json
from playground.world import Chat, Message, Person

Call = Callable[["Control", "Request"], Awaitable[Any]]
_CALLS: dict[tuple[str, str], Call] = {}


class Request:
    """Parameters of a control call: JSON values, or strings from a query."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def has(self, name: str) -> bool:
        """Whether it was given (null counts as not given)."""
        return self.values.get(name) not in (None, "")

    def need(self, name: str) -> Any:
        """A value that must be there."""
        if self.values.get(name) is None:
            raise Refused(f"{name!r} is missing; given were {sorted(self.values)}")
        return self.values[name]

    def integer(self, name: str) -> int | None:
        """A whole number or None."""
        value = self.values.get(name)
        if value is None or value == "":
            return None
        try:
            return int(value)
        except (TypeError, ValueError):
            raise Refused(f"{name!r} must be a whole number, not {value!r}") from None

    def needed_integer(self, name: str) -> int:
        """A whole number that must be there."""
        self.need(name)
        return self.integer(name) or 0

    def number(self, name: str, default: float) -> float:
        """A number."""
        value = self.values.get(name)
        try:
            return default if value is None or value == "" else float(value)
        except (TypeError, ValueError):
            raise Refused(f"{name!r} must be a number, not {value!r}") from None

    def flag(self, name: str) -> bool:
        """A yes or no."""
        value = self.values.get(name)
        return value.lower() in ("1", "true", "yes") if isinstance(value, str) else bool(value)


def call(verb: str, path: str) -> Callable[[Call], Call]:
    """Register a control call."""

    def register(run: Call) -> Call:
        _CALLS[(verb, path)] = run
        return run

    return register


class Control:
    """The control API of one playground."""

    def __init__(self, api: Api) -> None:
        self.api = api

    async def __call__(self, verb: str, path: str, values: Mapping[str, Any]) -> Any:
        """Run one call, e.g. `("POST", "send", {...})`. Raises Refused (with an HTTP status) when it cannot be."""
        if verb == "PATCH" and path.startswith("people/"):
            path, values = "people", {**values, "id": path.removeprefix("people/")}
        run = _CALLS.get((verb, path))
        if run is None:
            there = sorted(name for name, _ in _CALLS if _ == path)
            raise Refused(f"no control call {verb} {path}" + (f"; there is {there}" if there else ""), 404)
        return await run(self, Request(values))

    def person(self, number: int | None) -> Person:
        """A person by id."""
        person = self.api.world.people.get(number or 0)
        if person is None:
            raise Refused(f"there is no person {number}; see /control/state", 404)
        return person

    def user(self, number: int | None) -> Person:
        """A person or the bot by id."""
        return self.api.world.bot if number == self.api.world.bot.id else self.person(number)

    def chat(self, number: int | None) -> Chat:
        """A chat by id."""
        chat = self.api.world.chats.get(number or 0)
        if chat is None:
            raise Refused(f"there is no chat {number}; see /control/state", 404)
        return chat

    def clock_json(self) -> Json:
        """The clock, as every clock call gives it."""
        clock = self.api.clock
        return {"now": clock.now(), "offset": clock.offset, "version": clock.version}

    def switches(self) -> Json:
        """The switches."""
        return {"limits": self.api.limits.on, "privacy": self.api.privacy}

    def shown(self, message: Message) -> Json:
        """A message for the control API."""
        return control_message(message, self.api.world)

    def event_json(self, event: Event) -> Json:
        """The data of a server-sent event."""
        match event.kind:
            case EventKind.MESSAGE:
                return self.shown(event.data) | {"chat": chat_json(event.data.chat)}
            case EventKind.DELETED:
                return {
                    "chat": chat_json(event.data.chat),
                    "message_id": event.data.id,
                    "version": self.api.world.version,
                }
            case EventKind.TOAST | EventKind.ACTION:
                return dict(event.data)
            case EventKind.CLOCK:
                return self.clock_json()
            case EventKind.STATE | EventKind.OVERFLOW:
                return {}
