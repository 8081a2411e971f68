"""From the parameters of a send to a message in its chat."""

from playground.api import Api
from playground.entities import MAX_TEXT, resolve_text
from playground.keyboards import Markup, parse_markup
from playground.markup import utf16
from playground.media import Media
from playground.show import chat_json, user_json
from playground.wire import Json, Params, bad_request
from playground.world import GENERAL_THREAD, Chat, ChatType, Message, Topic


def text_of(
    api: Api, p: Params, field: str = "text", *, limit: int = MAX_TEXT, too_long: str = "message is too long"
) -> tuple[str, list[Json]]:
    """A text with its entities; links to people become mentions of those whom the bot knows."""
    text, entities = resolve_text(p, field, limit=limit, too_long=too_long)
    kept: list[Json] = []
    for entity in entities:
        if "user_id" in entity:
            person = api.world.user(entity["user_id"])
            if person is not None:
                place = {key: value for key, value in entity.items() if key != "user_id"}
                kept.append({**place, "user": user_json(person)})
        else:
            kept.append(entity)
    return text, kept


def topic_of(chat: Chat, p: Params) -> Topic | None:
    """The topic of a call; None is General, or a chat without topics. Raises ApiError 400 for an unknown one."""
    thread = p.integer("message_thread_id")
    if thread is None or thread == 0:
        return None
    topic = chat.topics.get(thread)
    if not chat.is_forum or topic is None or thread == GENERAL_THREAD:
        # The General topic has no thread of its own: naming it is the classic mistake.
        raise bad_request("message thread not found")
    return topic


def _check_open(api: Api, chat: Chat, topic: Topic | None) -> None:
    me = chat.member(api.world.bot.id)
    topic = topic or chat.topics.get(GENERAL_THREAD)
    if topic is not None and topic.closed and (me is None or not me.may("can_manage_topics")):
        raise bad_request("TOPIC_CLOSED")


def reply_of(chat: Chat, p: Params) -> tuple[Message | None, Json | None]:
    """The message that a call replies to, and the quote. Raises ApiError 400 when it is not there."""
    given = p.structure("reply_parameters")
    if given is None:
        reply_id, lenient = p.integer("reply_to_message_id"), p.flag("allow_sending_without_reply")
        given = {}
    elif isinstance(given, dict):
        reply_id, lenient = given.get("message_id"), bool(given.get("allow_sending_without_reply"))
    else:
        raise bad_request("can't parse reply parameters JSON object")
    if reply_id is None:
        return None, None
    message = chat.messages.get(reply_id) if isinstance(reply_id, int) else None
    if message is None:
        if lenient:
            return None, None
        raise bad_request("message to be replied not found")
    quote = given.get("quote")
    if quote is not None:
        position = (message.text or "").find(quote)
        if position < 0:
            raise bad_request("QUOTE_TEXT_INVALID")
        return message, {"text": quote, "position": utf16((message.text or "")[:position]), "is_manual": True}
    return message, None


def new_message(api: Api, chat: Chat, p: Params, *, markup: Markup | None = None) -> Message:
    """An empty message of the bot with everything that sends have in common; nothing is posted yet."""
    topic = topic_of(chat, p)
    _check_open(api, chat, topic)
    reply, quote = reply_of(chat, p)
    if topic is None and chat.is_forum and reply is not None:
        topic = reply.topic
        _check_open(api, chat, topic)
    if markup is None:
        markup = parse_markup(p, in_group=chat.is_group)
    extra: Json = {}
    if p.flag("protect_content"):
        extra["has_protected_content"] = True
    if p.has("message_effect_id"):
        if chat.is_group:
            raise bad_request("EFFECT_ID_INVALID")
        extra["effect_id"] = p.text("message_effect_id")
    return Message(
        chat,
        next_id(chat),
        int(api.world.now()),
        api.world.bot,
        reply_to=reply,
        quote=quote,
        topic=topic,
        thread_root=thread_root(chat, reply),
        keyboard=markup.inline,
        reply_keyboard=markup.other,
        extra=extra,
    )


def thread_root(chat: Chat, reply: Message | None) -> int | None:
    """In a supergroup without topics a reply belongs to the thread of the first message replied to."""
    if reply is None or chat.type is not ChatType.SUPERGROUP or chat.is_forum:
        return None
    return reply.thread_root or reply.id


def next_id(chat: Chat) -> int:
    """The next message number of a chat; a forum's number 1 belongs to its General topic."""
    number = next(chat.ids)
    return number if number > GENERAL_THREAD or not chat.is_forum else next(chat.ids)


def with_text(message: Message, text: str, entities: list[Json], media: Media | None = None) -> Message:
    """Fill in a text, or a media with its caption."""
    message.text, message.entities, message.media = text, entities, media
    return message


def origin_of(message: Message, api: Api) -> Json:
    """A `MessageOrigin` of a message that is forwarded."""
    if message.forward_origin is not None:
        return message.forward_origin
    if message.anonymous:
        return {"type": "chat", "date": message.date, "sender_chat": chat_json(message.chat)}
    return {"type": "user", "date": message.date, "sender_user": user_json(message.sender)}
