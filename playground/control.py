"""The control API (docs/playground.md): what pages, tests and scripts ask of the world. No HTTP here."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from playground import people
from playground.api import Api
from playground.hub import Event, EventKind
from playground.members import migrate, set_blocked, set_status
from playground.methods_me import commands_for
from playground.people import Refused
from playground.show import bot_json, chat_json, control_chat, control_message, control_person
from playground.topics import create_topic, delete_topic, general_topic, set_closed
from playground.wire import Json
from playground.world import GENERAL_THREAD, Chat, ChatType, Message, Person, Status

Call = Callable[["Control", "Request"], Awaitable[Any]]
SHOWN_MESSAGES = 200
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


@call("GET", "state")
async def state(control: Control, r: Request) -> Json:
    world = control.api.world
    return {
        "now": control.api.clock.now(),
        "clock_version": control.api.clock.version,
        "version": world.version,
        "bot": bot_json(world, reads_all=not control.api.privacy),
        "people": [control_person(one) for one in world.people.values()],
        "chats": [control_chat(one) for one in world.chats.values()],
        "switches": control.switches(),
    }


# -- people and chats --------------------------------------------------------------------------------------------


@call("POST", "people")
async def new_person(control: Control, r: Request) -> Json:
    number = r.integer("id")
    if number is not None and (number <= 0 or control.api.world.user(number) is not None):
        raise Refused(f"id {number} is taken or not positive")
    more = {name: r.values.get(name) for name in ("last_name", "username", "language_code")}
    return control_person(control.api.world.add_person(number, str(r.need("first_name")), **more))


@call("PATCH", "people")
async def change_person(control: Control, r: Request) -> Json:
    person = control.person(r.integer("id"))
    if r.has("first_name"):
        person.first_name = str(r.values["first_name"])
    for name in ("last_name", "username", "language_code"):
        if name in r.values:
            setattr(person, name, r.values[name] or None)
    if r.values.get("blocked") is not None:
        set_blocked(control.api, person, r.flag("blocked"))
    control.api.world.state_changed()
    return control_person(person)


_BOT_PLACES: dict[Any, Status | None] = {
    True: Status.MEMBER,
    None: Status.MEMBER,
    "member": Status.MEMBER,
    "administrator": Status.ADMINISTRATOR,
    False: None,
}


@call("POST", "chats")
async def new_chat(control: Control, r: Request) -> Json:
    kind = r.need("type")
    if kind not in (ChatType.GROUP, ChatType.SUPERGROUP):
        raise Refused("type is 'group' or 'supergroup'")
    if r.flag("is_forum") and kind != ChatType.SUPERGROUP:
        raise Refused("only a supergroup has topics")
    number = r.integer("id")
    if number is not None and (number >= 0 or number in control.api.world.chats):
        raise Refused(f"id {number} is taken or not negative")
    bot = r.values.get("bot", True)
    if bot not in _BOT_PLACES:
        raise Refused("bot is true, false or 'administrator'")
    chat = people.new_group(
        control.api,
        ChatType(kind),
        str(r.need("title")),
        is_forum=r.flag("is_forum"),
        members=[control.person(int(one)) for one in r.values.get("members") or []],
        admins=[control.person(int(one)) for one in r.values.get("admins") or []],
        bot=_BOT_PLACES[bot],
        chat_id=number,
    )
    return control_chat(chat)


@call("POST", "members")
async def set_member(control: Control, r: Request) -> Json:
    chat, person = control.chat(r.integer("chat")), control.user(r.integer("person"))
    if not chat.is_group or chat.migrated_to is not None:
        raise Refused(f"chat {chat.id} is no living group")
    try:
        status = Status(r.need("status"))
    except ValueError:
        raise Refused(f"status is one of {[one.value for one in Status]}") from None
    by = control.user(r.integer("by")) if r.has("by") else None
    member = set_status(
        control.api, chat, person, status, by, title=r.values.get("title"), rights=r.values.get("rights")
    )
    if "tag" in r.values:
        member.tag = r.values["tag"] or None
    return control_chat(chat)


@call("POST", "topics")
async def new_topic(control: Control, r: Request) -> Json:
    chat = control.chat(r.integer("chat"))
    if not chat.is_forum:
        raise Refused(f"chat {chat.id} is no forum")
    topic = create_topic(control.api, chat, str(r.need("name")), control.user(r.integer("from")))
    return {"message_thread_id": topic.thread_id, "name": topic.name}


@call("POST", "topics/close")
async def close_topic(control: Control, r: Request) -> Json:
    chat, number = control.chat(r.integer("chat")), r.needed_integer("thread")
    topic = general_topic(chat) if number == GENERAL_THREAD and chat.is_forum else chat.topics.get(number)
    if topic is None:
        raise Refused(f"there is no topic {number} in chat {chat.id}", 404)
    if r.flag("deleted"):
        delete_topic(control.api, chat, topic)
    elif topic.closed != r.flag("closed"):
        admins = [one.person for one in chat.members.values() if one.is_admin and not one.person.is_bot]
        by = control.user(r.integer("from")) if r.has("from") else next(iter(admins), control.api.world.anonymous)
        set_closed(control.api, chat, topic, by, r.flag("closed"))
    return {}


@call("POST", "migrate")
async def migrate_chat(control: Control, r: Request) -> Json:
    chat = control.chat(r.integer("chat"))
    if chat.type is not ChatType.GROUP or chat.migrated_to is not None:
        raise Refused(f"chat {chat.id} is not a group that can still become a supergroup")
    return control_chat(migrate(control.api, chat))


@call("GET", "commands")
async def commands(control: Control, r: Request) -> list[Json]:
    return commands_for(control.api, r.needed_integer("chat"), r.needed_integer("person"))


# -- messages ----------------------------------------------------------------------------------------------------


def _in_view(message: Message, r: Request) -> bool:
    thread = r.integer("thread")
    if thread is None:
        return True
    return (message.topic.thread_id if message.topic else GENERAL_THREAD) == (thread or GENERAL_THREAD)


@call("GET", "messages")
async def messages(control: Control, r: Request) -> Json:
    chat, after = control.chat(r.integer("chat")), r.integer("after") or 0
    shown = [control.shown(one) for one in chat.messages.values() if one.version > after and _in_view(one, r)]
    limit = r.integer("limit") or SHOWN_MESSAGES
    return {
        "version": control.api.world.version,
        "messages": shown[-limit:],
        "deleted": [number for version, number in chat.deleted if version > after],
    }


@call("POST", "send")
async def send(control: Control, r: Request) -> Json:
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    text = str(r.need("text"))
    if r.has("edit"):
        return control.shown(people.edit(control.api, person, chat, r.needed_integer("edit"), text))
    message = people.send(
        control.api,
        person,
        chat,
        text,
        thread=r.integer("thread"),
        reply_to=r.integer("reply_to"),
        anonymous=r.flag("anonymous"),
        date=r.integer("date"),
    )
    return control.shown(message)


@call("POST", "press")
async def press(control: Control, r: Request) -> Json:
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    message = chat.messages.get(r.needed_integer("message_id"))
    if message is None:
        raise Refused(f"there is no message {r.integer('message_id')} in chat {chat.id}", 404)
    if not r.has("data") and not r.has("button"):
        raise Refused("say which button: 'data' or 'button' (its text)")
    button = people.find_button(message, r.values.get("data"), r.values.get("button"), stale=r.flag("stale"))
    if "callback_data" not in button:
        people.place(control.api, person, chat)
        return {"id": None, "answer": None, **{key: value for key, value in button.items() if key != "text"}}
    query = people.press(control.api, person, chat, message.id, button["callback_data"])
    return {"id": query.id, "answer": await query.wait(r.number("wait", 10.0))}


@call("POST", "start")
async def start(control: Control, r: Request) -> Json:
    person, payload = control.person(r.integer("from")), r.values.get("payload")
    if r.has("chat"):
        return control.shown(people.start_group(control.api, person, control.chat(r.integer("chat")), payload or ""))
    return control.shown(people.start(control.api, person, payload))


@call("POST", "inline")
async def inline(control: Control, r: Request) -> Json:
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    query = people.inline_query(control.api, person, chat, str(r.values.get("query") or ""))
    answer = await query.wait(r.number("wait", 10.0))
    return {"id": query.id, **(answer if answer is not None else {"results": None})}


@call("POST", "choose")
async def choose(control: Control, r: Request) -> Json:
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    query, result = str(r.need("query_id")), str(r.need("result_id"))
    return control.shown(people.choose(control.api, person, chat, query, result, r.integer("thread")))


@call("POST", "react")
async def react(control: Control, r: Request) -> Json:
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    people.react(control.api, person, chat, r.needed_integer("message_id"), r.values.get("emoji"))
    return {}


@call("POST", "pin")
async def pin(control: Control, r: Request) -> Json:
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    people.pin(control.api, person, chat, r.needed_integer("message_id"))
    return {}


@call("POST", "delete")
async def delete(control: Control, r: Request) -> Json:
    chat = control.chat(r.integer("chat"))
    message = chat.messages.get(r.needed_integer("message_id"))
    if message is None:
        raise Refused(f"there is no message {r.integer('message_id')} in chat {chat.id}", 404)
    control.api.world.delete(message)
    return {}


@call("POST", "update")
async def raw_update(control: Control, r: Request) -> Json:
    update = {key: value for key, value in r.values.items() if key != "update_id"}
    return {"update_id": control.api.updates.push_raw(update)}


# -- time, faults, switches, the log -----------------------------------------------------------------------------


@call("GET", "clock")
async def clock(control: Control, r: Request) -> Json:
    if r.has("after"):
        await control.api.clock.poll(r.needed_integer("after"))
    return control.clock_json()


@call("POST", "clock")
async def move_clock(control: Control, r: Request) -> Json:
    if r.has("to"):
        seconds = _moment(r.values["to"]) - control.api.clock.now()
    else:
        seconds = r.number("advance", 0.0) if r.need("advance") is not None else 0.0
    if seconds < -1:
        raise Refused("the clock only goes forward")
    await control.api.clock.move(max(seconds, 0.0))
    control.api.hub.publish(EventKind.CLOCK)
    return control.clock_json()


def _moment(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        pass
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise Refused(f"'to' is Unix seconds or an ISO time, not {value!r}") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


@call("POST", "faults")
async def new_fault(control: Control, r: Request) -> Json:
    fault = control.api.faults.order(
        str(r.need("method")),
        chat=r.integer("chat"),
        code=r.integer("code"),
        description=str(r.values.get("description") or ""),
        parameters=r.values.get("parameters"),
        times=r.integer("times") or 1,
        after=r.flag("after"),
        delay=r.number("delay", 0.0),
    )
    return {"id": fault.id}


@call("GET", "faults")
async def faults(control: Control, r: Request) -> list[Json]:
    return [one.shown() for one in control.api.faults.waiting]


@call("DELETE", "faults")
async def no_faults(control: Control, r: Request) -> Json:
    control.api.faults.waiting.clear()
    return {}


@call("POST", "switches")
async def switch(control: Control, r: Request) -> Json:
    if r.values.get("limits") is not None:
        control.api.limits.on = r.flag("limits")
    if r.values.get("privacy") is not None:
        control.api.privacy = r.flag("privacy")
    control.api.world.state_changed()
    return control.switches()


@call("GET", "calls")
async def calls(control: Control, r: Request) -> list[Json]:
    after = r.integer("after") or 0
    return [one for one in control.api.calls if one["n"] > after]


# -- waiting -----------------------------------------------------------------------------------------------------


def _pattern(r: Request, name: str) -> re.Pattern[str]:
    try:
        return re.compile(str(r.values.get(name) or ""), re.DOTALL)
    except re.error as error:
        raise Refused(f"{name!r} is no regular expression: {error}") from None


@call("GET", "wait")
async def wait(control: Control, r: Request) -> Json:
    chat, after = control.chat(r.integer("chat")), r.integer("after") or 0
    pattern = _pattern(r, "text")
    button = _pattern(r, "button") if r.has("button") else None
    deadline = time.monotonic() + r.number("timeout", 10.0)

    sender = control.user(r.integer("from")) if r.has("from") else None

    def fits(message: Message) -> bool:
        labels = [label["text"] for row in message.keyboard or [] for label in row]
        return (
            message.chat is chat
            and message.version > after
            and (sender is None or message.sender is sender)
            and _in_view(message, r)
            and pattern.search(message.text or "") is not None
            and (button is None or any(button.search(label) for label in labels))
        )

    with control.api.hub.listen() as queue:
        found = min(filter(fits, chat.messages.values()), key=lambda one: one.version, default=None)
        while found is None and (left := deadline - time.monotonic()) > 0:
            try:
                event = await asyncio.wait_for(queue.get(), left)
            except TimeoutError:
                break
            if event.kind is EventKind.MESSAGE and not event.data.deleted and fits(event.data):
                found = event.data
    version = found.version if found is not None else control.api.world.version
    return {"version": version, "message": control.shown(found) if found is not None else None}


@call("GET", "idle")
async def idle(control: Control, r: Request) -> Json:
    quiet = r.number("quiet", 0.15)
    return {"idle": await control.api.idle(r.number("timeout", 10.0), quiet)}
