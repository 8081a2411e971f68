"""Methods about topics of a forum."""

from playground.api import Api, method
from playground.topics import create_topic, delete_topic, general_topic, set_closed, topic_note
from playground.wire import Json, Params, bad_request
from playground.world import GENERAL_THREAD, TOPIC_COLOURS, Chat, Topic


def _forum(api: Api, p: Params, refusal: str = "not enough rights to manage topics in the chat") -> Chat:
    chat = api.writable(p)
    if not chat.is_forum:
        raise bad_request("the chat is not a forum")
    api.need_right(chat, "can_manage_topics", refusal)
    return chat


def _topic(chat: Chat, p: Params) -> Topic:
    topic = chat.topics.get(p.integer("message_thread_id") or 0)
    if topic is None or topic.thread_id == GENERAL_THREAD:
        raise bad_request("message thread not found")
    return topic


@method("createForumTopic", cost=1)
async def create_forum_topic(api: Api, p: Params) -> Json:
    """A new topic."""
    chat = _forum(api, p, "not enough rights to create a topic")
    name = p.text("name").strip()
    if not 1 <= len(name) <= 128:
        raise bad_request("TOPIC_TITLE_EMPTY" if not name else "TOPIC_TITLE_INVALID")
    color = p.integer("icon_color")
    if color is not None and color not in TOPIC_COLOURS:
        raise bad_request("invalid forum topic icon color specified")
    topic = create_topic(api, chat, name, api.world.bot, color=color, icon=p.text("icon_custom_emoji_id") or None)
    shown: Json = {"message_thread_id": topic.thread_id, "name": topic.name, "icon_color": topic.icon_color}
    if topic.icon_custom_emoji_id:
        shown["icon_custom_emoji_id"] = topic.icon_custom_emoji_id
    return shown


@method("editForumTopic", cost=1)
async def edit_forum_topic(api: Api, p: Params) -> bool:
    """Another name or icon."""
    chat = _forum(api, p)
    topic = _topic(chat, p)
    name, icon = p.text("name").strip() or topic.name, p.raw.get("icon_custom_emoji_id")
    changed: Json = {}
    if name != topic.name:
        changed["name"] = topic.name = name[:128]
    if icon is not None and (icon or None) != topic.icon_custom_emoji_id:
        topic.icon_custom_emoji_id = icon or None
        changed["icon_custom_emoji_id"] = icon
    if not changed:
        raise bad_request("TOPIC_NOT_MODIFIED")
    topic_note(api, chat, topic, api.world.bot, {"forum_topic_edited": changed})
    api.world.state_changed()
    return True


@method("closeForumTopic")
async def close_forum_topic(api: Api, p: Params) -> bool:
    """Nobody but administrators writes there any more."""
    return _set_closed(api, p, closed=True)


@method("reopenForumTopic")
async def reopen_forum_topic(api: Api, p: Params) -> bool:
    """Everybody writes there again."""
    return _set_closed(api, p, closed=False)


def _set_closed(api: Api, p: Params, *, closed: bool, general: bool = False) -> bool:
    chat = _forum(api, p)
    topic = general_topic(chat) if general else _topic(chat, p)
    if topic.closed == closed:
        raise bad_request("TOPIC_NOT_MODIFIED")
    set_closed(api, chat, topic, api.world.bot, closed)
    return True


@method("closeGeneralForumTopic")
async def close_general_forum_topic(api: Api, p: Params) -> bool:
    """The same for the General topic."""
    return _set_closed(api, p, closed=True, general=True)


@method("reopenGeneralForumTopic")
async def reopen_general_forum_topic(api: Api, p: Params) -> bool:
    """The same for the General topic."""
    return _set_closed(api, p, closed=False, general=True)


@method("deleteForumTopic")
async def delete_forum_topic(api: Api, p: Params) -> bool:
    """The topic goes with its messages."""
    chat = _forum(api, p)
    delete_topic(api, chat, _topic(chat, p))
    return True


@method("editGeneralForumTopic", cost=1)
async def edit_general_forum_topic(api: Api, p: Params) -> bool:
    """Another name of the General topic."""
    chat = _forum(api, p)
    topic, name = general_topic(chat), p.text("name").strip()
    if not name or name == topic.name:
        raise bad_request("TOPIC_NOT_MODIFIED")
    topic.name = name[:128]
    topic_note(api, chat, topic, api.world.bot, {"forum_topic_edited": {"name": topic.name}})
    api.world.state_changed()
    return True


@method("hideGeneralForumTopic")
async def hide_general_forum_topic(api: Api, p: Params) -> bool:
    """Hide the General topic."""
    return _set_hidden(api, p, hidden=True)


@method("unhideGeneralForumTopic")
async def unhide_general_forum_topic(api: Api, p: Params) -> bool:
    """Show the General topic again."""
    return _set_hidden(api, p, hidden=False)


def _set_hidden(api: Api, p: Params, *, hidden: bool) -> bool:
    chat = _forum(api, p)
    topic = general_topic(chat)
    if topic.hidden == hidden:
        raise bad_request("TOPIC_NOT_MODIFIED")
    topic.hidden = hidden
    kind = "general_forum_topic_hidden" if hidden else "general_forum_topic_unhidden"
    topic_note(api, chat, topic, api.world.bot, {kind: {}})
    return True


@method("getForumTopicIconStickers")
async def get_forum_topic_icon_stickers(api: Api, p: Params) -> list[Json]:
    """No stickers here."""
    return []


@method("unpinAllForumTopicMessages")
async def unpin_all_forum_topic_messages(api: Api, p: Params) -> bool:
    """Unpin everything in a topic."""
    chat = _forum(api, p)
    topic = _topic(chat, p)
    for number in list(chat.pinned):
        message = chat.messages.get(number)
        if message is not None and message.topic is topic:
            chat.pinned.remove(number)
            api.world.touch(message)
    return True
