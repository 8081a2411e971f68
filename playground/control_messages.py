"""Control calls about messages: what people see, say, press; waiting for a message."""

import asyncio
import re
import time

from playground import people
from playground.control import Control, Request, call
from playground.hub import EventKind
from playground.people import Refused
from playground.wire import Json
from playground.world import GENERAL_THREAD, Message

SHOWN_MESSAGES = 200


def _in_view(message: Message, r: Request) -> bool:
    thread = r.integer("thread")
    if thread is None:
        return True
    return (message.topic.thread_id if message.topic else GENERAL_THREAD) == (thread or GENERAL_THREAD)


@call("GET", "messages")
async def messages(control: Control, r: Request) -> Json:
    """The messages of a chat, or those that changed."""
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
    """A person writes or edits a text."""
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
    """A person presses a button and waits for the bot's answer."""
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
    """A person presses Start, or brings the bot into a group."""
    person, payload = control.person(r.integer("from")), r.values.get("payload")
    if r.has("chat"):
        return control.shown(people.start_group(control.api, person, control.chat(r.integer("chat")), payload or ""))
    return control.shown(people.start(control.api, person, payload))


@call("POST", "inline")
async def inline(control: Control, r: Request) -> Json:
    """A person types an inline query and waits for the results."""
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    query = people.inline_query(control.api, person, chat, str(r.values.get("query") or ""))
    answer = await query.wait(r.number("wait", 10.0))
    return {"id": query.id, **(answer if answer is not None else {"results": None})}


@call("POST", "choose")
async def choose(control: Control, r: Request) -> Json:
    """A person sends one of the results."""
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    query, result = str(r.need("query_id")), str(r.need("result_id"))
    return control.shown(people.choose(control.api, person, chat, query, result, r.integer("thread")))


@call("POST", "react")
async def react(control: Control, r: Request) -> Json:
    """A person's reaction."""
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    people.react(control.api, person, chat, r.needed_integer("message_id"), r.values.get("emoji"))
    return {}


@call("POST", "pin")
async def pin(control: Control, r: Request) -> Json:
    """An administrator pins a message."""
    person, chat = control.person(r.integer("from")), control.chat(r.integer("chat"))
    people.pin(control.api, person, chat, r.needed_integer("message_id"))
    return {}


@call("POST", "delete")
async def delete(control: Control, r: Request) -> Json:
    """A person deletes a message."""
    chat = control.chat(r.integer("chat"))
    message = chat.messages.get(r.needed_integer("message_id"))
    if message is None:
        raise Refused(f"there is no message {r.integer('message_id')} in chat {chat.id}", 404)
    control.api.world.delete(message)
    return {}


@call("POST", "update")
async def raw_update(control: Control, r: Request) -> Json:
    """An update as it is."""
    update = {key: value for key, value in r.values.items() if key != "update_id"}
    return {"update_id": control.api.updates.push_raw(update)}


def _pattern(r: Request, name: str) -> re.Pattern[str]:
    try:
        return re.compile(str(r.values.get(name) or ""), re.DOTALL)
    except re.error as error:
        raise Refused(f"{name!r} is no regular expression: {error}") from None


@call("GET", "wait")
async def wait(control: Control, r: Request) -> Json:
    """The first message that fits, when it is there."""
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
