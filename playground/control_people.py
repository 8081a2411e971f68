"""Control calls about people, chats and topics."""

from typing import Any

from playground import people
from playground.control import Control, Request, call
from playground.members import migrate, set_blocked, set_status
from playground.methods_me import commands_for
from playground.people import Refused
from playground.show import bot_json, control_chat, control_person
from playground.topics import create_topic, delete_topic, general_topic, set_closed
from playground.wire import Json
from playground.world import GENERAL_THREAD, ChatType, Status


@call("GET", "state")
async def state(control: Control, r: Request) -> Json:
    """Everything at once."""
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


@call("POST", "people")
async def new_person(control: Control, r: Request) -> Json:
    """A new person."""
    number = r.integer("id")
    if number is not None and (number <= 0 or control.api.world.user(number) is not None):
        raise Refused(f"id {number} is taken or not positive")
    more = {name: r.values.get(name) for name in ("last_name", "username", "language_code")}
    return control_person(control.api.world.add_person(number, str(r.need("first_name")), **more))


@call("PATCH", "people")
async def change_person(control: Control, r: Request) -> Json:
    """Another name or language; blocking the bot."""
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
    """A new group with its people."""
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
    """Join, leave, promote, throw out."""
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
    """A new topic of a forum."""
    chat = control.chat(r.integer("chat"))
    if not chat.is_forum:
        raise Refused(f"chat {chat.id} is no forum")
    topic = create_topic(control.api, chat, str(r.need("name")), control.user(r.integer("from")))
    return {"message_thread_id": topic.thread_id, "name": topic.name}


@call("POST", "topics/close")
async def close_topic(control: Control, r: Request) -> Json:
    """Close, reopen or delete a topic."""
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
    """A group becomes a supergroup."""
    chat = control.chat(r.integer("chat"))
    if chat.type is not ChatType.GROUP or chat.migrated_to is not None:
        raise Refused(f"chat {chat.id} is not a group that can still become a supergroup")
    return control_chat(migrate(control.api, chat))


@call("GET", "commands")
async def commands(control: Control, r: Request) -> list[Json]:
    """The menu of commands that a person sees in a chat."""
    return commands_for(control.api, r.needed_integer("chat"), r.needed_integer("person"))
