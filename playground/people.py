"""What people do: write, press, react, join. Each act becomes what the bot would see of it."""

import re
from typing import Any

from playground.api import Api
from playground.compose import next_id, text_of, thread_root
from playground.entities import MAX_TEXT, automatic, trim
from playground.keyboards import parse_markup
from playground.markup import utf16
from playground.media import Media
from playground.members import set_blocked, set_status
from playground.methods_queries import MEDIA_RESULTS
from playground.queries import CALLBACK_SECONDS, INLINE_SECONDS, Query
from playground.show import chat_json, message_json, user_json
from playground.wire import ApiError, Json, Params
from playground.world import GENERAL_THREAD, Chat, ChatType, Member, Message, Person, Status, Topic


class Refused(Exception):
    """A person cannot do that; the text says what is wrong and what would be right."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


def place(api: Api, person: Person, chat: Chat) -> Member | None:
    """The person's membership in the chat where he acts; None in his private chat. Raises Refused."""
    if chat.migrated_to is not None:
        raise Refused(f"chat {chat.id} became the supergroup {chat.migrated_to}; act there")
    if chat.peer is not None:
        if chat.peer is not person:
            raise Refused(f"chat {chat.id} is the private chat of {chat.peer.first_name}; only he writes there")
        return None
    member = chat.member(person.id)
    if member is None or not member.present:
        raise Refused(f"{person.first_name} ({person.id}) is not in chat {chat.id}; add him by /control/members")
    return member


def send(
    api: Api,
    person: Person,
    chat: Chat,
    text: str,
    *,
    thread: int | None = None,
    reply_to: int | None = None,
    anonymous: bool = False,
    date: int | None = None,
) -> Message:
    """A person writes a text. The first one in a private chat starts the bot."""
    member = place(api, person, chat)
    if anonymous and (member is None or not member.is_admin):
        raise Refused("only an administrator writes anonymously; make him one by /control/members")
    topic = _topic(chat, thread, member)
    reply = None
    if reply_to is not None:
        reply = chat.messages.get(reply_to)
        if reply is None:
            raise Refused(f"there is no message {reply_to} in chat {chat.id} to reply to")
        topic = topic or reply.topic
    message = Message(
        chat,
        next_id(chat),
        date if date is not None else int(api.world.now()),
        person,
        anonymous=anonymous,
        topic=topic,
        reply_to=reply,
        thread_root=thread_root(chat, reply),
    )
    _write(message, text)
    if chat.peer is not None:
        set_blocked(api, person, False)
        if not person.started:
            person.started = True
            api.world.state_changed()
    api.world.post(message)
    api.deliver(message)
    return message


def _write(message: Message, text: str) -> None:
    text, _ = trim(text, [])
    if not text:
        raise Refused("the text is empty")
    if utf16(text) > MAX_TEXT:
        raise Refused(f"the text is longer than {MAX_TEXT} characters")
    message.text, message.entities = text, automatic(text, [])


def _topic(chat: Chat, thread: int | None, member: Member | None) -> Topic | None:
    number = thread or GENERAL_THREAD
    topic = chat.topics.get(number)
    if topic is None and number != GENERAL_THREAD:
        raise Refused(f"there is no topic {thread} in chat {chat.id}; it has {sorted(chat.topics)}")
    if topic is not None and topic.closed and (member is None or not member.may("can_manage_topics")):
        raise Refused(f"topic {topic.name!r} is closed")
    return topic if number != GENERAL_THREAD else None


def edit(api: Api, person: Person, chat: Chat, message_id: int, text: str) -> Message:
    """A person edits his own text."""
    place(api, person, chat)
    message = _message(chat, message_id)
    if message.sender is not person or message.service is not None or message.via_bot:
        raise Refused(f"message {message_id} is not a text of {person.first_name}")
    _write(message, text)
    api.world.edited(message)
    api.deliver(message, "edited_message")
    return message


def _message(chat: Chat, message_id: int) -> Message:
    message = chat.messages.get(message_id)
    if message is None:
        raise Refused(f"there is no message {message_id} in chat {chat.id}", 404)
    return message


def start(api: Api, person: Person, payload: str | None) -> Message:
    """A person opens the private chat (by a deep link when there is a payload) and presses Start."""
    if payload and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", payload):
        raise Refused("a payload is 1 to 64 characters of A-Z a-z 0-9 _ -")
    return send(api, person, api.world.chats[person.id], f"/start {payload}" if payload else "/start")


def start_group(api: Api, person: Person, chat: Chat, payload: str) -> Message:
    """A person follows a ?startgroup= link: the bot comes into the group and hears /start@bot payload."""
    place(api, person, chat)
    me = chat.member(api.world.bot.id)
    if chat.is_group and (me is None or not me.present):
        set_status(api, chat, api.world.bot, Status.MEMBER, person)
    return send(api, person, chat, f"/start@{api.world.bot.username} {payload}".rstrip())


def find_button(message: Message, data: str | None, label: str | None, *, stale: bool = False) -> Json:
    """The button that a person presses, by its data or by its label. Raises Refused with the buttons there are."""
    buttons = [button for row in message.keyboard or [] for button in row]
    for button in buttons:
        if (data is not None and button.get("callback_data") == data) or (
            label is not None and button["text"] == label
        ):
            return button
    if stale and data is not None:
        return {"text": "", "callback_data": data}
    there = ", ".join(f"{button['text']!r} ({button.get('callback_data', 'no data')})" for button in buttons) or "none"
    raise Refused(
        f"message {message.id} has no such button; its buttons: {there}. A press on an old keyboard: stale=true"
    )


def press(api: Api, person: Person, chat: Chat, message_id: int, data: str) -> Query:
    """A person presses a button with data; the query waits for the bot's answer."""
    place(api, person, chat)
    message = _message(chat, message_id)
    query = api.queries.ask(person, CALLBACK_SECONDS, {"chat": chat.id, "message_id": message_id})
    update: Json = {
        "id": query.id,
        "from": user_json(person),
        "chat_instance": str(-(abs(chat.id) * 2_654_435_761 % 2**63)),
        "data": data,
    }
    if message.inline_message_id is not None:
        update["inline_message_id"] = message.inline_message_id
    else:
        update["message"] = message_json(message, api.world)
    api.updates.push("callback_query", update)
    return query


def inline_query(api: Api, person: Person, chat: Chat, text: str) -> Query:
    """A person types the bot's name and a query in a chat."""
    place(api, person, chat)
    kind = "sender" if chat.peer is person else chat.type.value
    query = api.queries.ask(person, INLINE_SECONDS, {"chat": chat.id, "query": text})
    api.updates.push(
        "inline_query",
        {"id": query.id, "from": user_json(person), "query": text[:256], "offset": "", "chat_type": kind},
    )
    return query


def choose(api: Api, person: Person, chat: Chat, query_id: str, result_id: str, thread: int | None = None) -> Message:
    """A person sends one of the results; the bot gets chosen_inline_result and, where it is a member, the message."""
    member = place(api, person, chat)
    query = api.queries.get(query_id)
    if query is None or query.answer is None:
        raise Refused(f"the bot has not answered an inline query {query_id!r}", 404)
    results: list[Json] = query.answer["results"]
    result = next((one for one in results if one["id"] == result_id), None)
    if result is None:
        raise Refused(f"no result {result_id!r}; there are {[one['id'] for one in results]}", 404)
    message = Message(
        chat, next_id(chat), int(api.world.now()), person, via_bot=True, topic=_topic(chat, thread, member)
    )
    _fill_from_result(api, message, result)
    chosen: Json = {"result_id": result_id, "from": user_json(person), "query": query.about["query"]}
    if message.keyboard:
        message.inline_message_id = f"AgAAA{query.id}{message.id}"
        chosen["inline_message_id"] = message.inline_message_id
    api.world.post(message)
    api.updates.push("chosen_inline_result", chosen)
    api.deliver(message)
    return message


def _fill_from_result(api: Api, message: Message, result: Json) -> None:
    content: Json = result.get("input_message_content") or {}
    try:
        if "message_text" in content:
            inner = {"text": content["message_text"], **{k: v for k, v in content.items() if k != "message_text"}}
            message.text, message.entities = text_of(api, Params(inner))
        else:
            message.text, message.entities = text_of(api, Params(result), "caption")
            file_id = result.get(MEDIA_RESULTS.get(result["type"], ""))
            file = api.files.by_id(file_id) if isinstance(file_id, str) else None
            if file is None:
                raise Refused(f"results of type {result['type']!r} are sent on here only with a file_id or a text")
            message.media = Media(file)
        message.keyboard = parse_markup(Params(result), in_group=True).inline
    except ApiError as error:
        raise Refused(f"Telegram would not send this result: {error.description}") from None


def react(api: Api, person: Person, chat: Chat, message_id: int, emoji: str | None) -> None:
    """A person's reaction; the bot hears of it where it is an administrator and asked for such updates."""
    place(api, person, chat)
    message = _message(chat, message_id)
    old = message.reactions.get(person.id, [])
    new = [emoji] if emoji else []
    if old == new:
        return
    if new:
        message.reactions[person.id] = new
    else:
        message.reactions.pop(person.id, None)
    api.world.touch(message)
    if api.bot_administers(chat):
        api.updates.push(
            "message_reaction",
            {
                "chat": chat_json(chat),
                "message_id": message_id,
                "user": user_json(person),
                "date": int(api.world.now()),
                "old_reaction": [{"type": "emoji", "emoji": one} for one in old],
                "new_reaction": [{"type": "emoji", "emoji": one} for one in new],
            },
        )


def pin(api: Api, person: Person, chat: Chat, message_id: int) -> None:
    """An administrator pins a message."""
    member = place(api, person, chat)
    if member is not None and not member.may("can_pin_messages"):
        raise Refused(f"{person.first_name} is no administrator of chat {chat.id}")
    message = _message(chat, message_id)
    if message_id in chat.pinned:
        chat.pinned.remove(message_id)
    chat.pinned.append(message_id)
    api.world.touch(message)
    note = Message(
        chat, next_id(chat), int(api.world.now()), person, topic=message.topic, service={"pinned_message": message}
    )
    api.world.post(note)
    api.deliver(note)


def new_group(
    api: Api,
    kind: ChatType,
    title: str,
    *,
    is_forum: bool = False,
    members: list[Person],
    admins: list[Person],
    bot: Status | None,
    chat_id: int | None = None,
) -> Chat:
    """A group with its people; the first administrator is the owner. The bot hears only of its own coming."""
    chat = api.world.add_chat(kind, title, is_forum=is_forum, chat_id=chat_id)
    for number, person in enumerate(admins):
        chat.members[person.id] = Member(person, Status.ADMINISTRATOR if number else Status.CREATOR)
    for person in members:
        chat.members.setdefault(person.id, Member(person, Status.MEMBER))
    if bot is not None:
        first: Any = next(iter(chat.members.values()), None)
        set_status(api, chat, api.world.bot, bot, first.person if first is not None else None)
    api.world.state_changed()
    return chat
