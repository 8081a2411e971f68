"""The state in the words of the Bot API: users, chats, members, messages as JSON objects."""

from playground.wire import Json
from playground.world import ADMIN_RIGHTS, GENERAL_THREAD, Chat, ChatType, Member, Message, Person, Status, World


def user_json(person: Person) -> Json:
    """A `User`."""
    user: Json = {"id": person.id, "is_bot": person.is_bot, "first_name": person.first_name}
    if person.last_name:
        user["last_name"] = person.last_name
    if person.username:
        user["username"] = person.username
    if person.language_code:
        user["language_code"] = person.language_code
    return user


def chat_json(chat: Chat) -> Json:
    """A `Chat`."""
    if chat.peer is not None:
        return {key: value for key, value in user_json(chat.peer).items() if key not in ("is_bot", "language_code")} | {
            "type": "private"
        }
    shown: Json = {"id": chat.id, "type": chat.type.value, "title": chat.title}
    if chat.is_forum:
        shown["is_forum"] = True
    return shown


def member_json(member: Member) -> Json:
    """A `ChatMember` of the kind that fits the status."""
    shown: Json = {"status": member.status.value, "user": user_json(member.person)}
    match member.status:
        case Status.CREATOR:
            shown["is_anonymous"] = member.rights.get("is_anonymous", False)
            if member.title:
                shown["custom_title"] = member.title
        case Status.ADMINISTRATOR:
            shown["can_be_edited"] = False
            shown["is_anonymous"] = member.rights.get("is_anonymous", False)
            shown |= {right: member.may(right) for right in ADMIN_RIGHTS}
            if member.title:
                shown["custom_title"] = member.title
        case Status.MEMBER:
            if member.tag:
                shown["tag"] = member.tag
        case Status.LEFT:
            pass
        case Status.KICKED:
            shown["until_date"] = 0
    return shown


def message_json(message: Message, world: World, *, nested: bool = False) -> Json:
    """A `Message`; `nested` is a message inside another, which does not carry what it replies to."""
    chat = message.chat
    sender = world.anonymous if message.anonymous else message.sender
    shown: Json = {
        "message_id": message.id,
        "from": user_json(sender),
        "chat": chat_json(chat),
        "date": message.date,
    }
    if message.anonymous:
        shown["sender_chat"] = chat_json(chat)
        member = chat.member(message.sender.id)
        if member is not None and member.title:
            shown["author_signature"] = member.title
    elif (member := chat.member(message.sender.id)) is not None and member.tag and not nested:
        shown["sender_tag"] = member.tag
    if message.topic is not None:
        shown["message_thread_id"] = message.topic.thread_id
        shown["is_topic_message"] = True
    elif message.thread_root is not None:
        shown["message_thread_id"] = message.thread_root
    if not nested:
        if message.reply_to is not None:
            shown["reply_to_message"] = message_json(message.reply_to, world, nested=True)
        elif message.topic is not None and message.topic.root is not None and message.topic.root is not message:
            # In a topic even a plain message replies, to the topic's first message.
            shown["reply_to_message"] = message_json(message.topic.root, world, nested=True)
    if message.quote is not None:
        shown["quote"] = message.quote
    if message.forward_origin is not None:
        shown["forward_origin"] = message.forward_origin
    if message.via_bot:
        shown["via_bot"] = user_json(world.bot)
    if message.edit_date is not None:
        shown["edit_date"] = message.edit_date
    if message.media_group_id is not None:
        shown["media_group_id"] = message.media_group_id
    if message.media is not None:
        shown |= message.media.shown()
        if message.text:
            shown["caption"] = message.text
            if message.entities:
                shown["caption_entities"] = message.entities
    elif message.text is not None:
        shown["text"] = message.text
        if message.entities:
            shown["entities"] = message.entities
    if message.service is not None:
        shown |= {
            # A pin shows the message as it is now, or that it is gone.
            key: pinned_json(value, world) if isinstance(value, Message) else value
            for key, value in message.service.items()
        }
    if message.keyboard:
        shown["reply_markup"] = {"inline_keyboard": message.keyboard}
    return shown | message.extra


def pinned_json(message: Message, world: World) -> Json:
    """A `MaybeInaccessibleMessage`."""
    if message.deleted:
        return {"chat": chat_json(message.chat), "message_id": message.id, "date": 0}
    return message_json(message, world, nested=True)


def full_chat_json(chat: Chat, world: World) -> Json:
    """A `ChatFullInfo`."""
    shown = chat_json(chat) | {
        "accent_color_id": abs(chat.id) % 7,
        "max_reaction_count": 11,
        "accepted_gift_types": {
            "unlimited_gifts": False,
            "limited_gifts": False,
            "unique_gifts": False,
            "premium_subscription": False,
            "gifts_from_channels": False,
        },
    }
    if chat.description:
        shown["description"] = chat.description
    if chat.peer is not None and chat.peer.username:
        shown["active_usernames"] = [chat.peer.username]
    if chat.is_group:
        shown["permissions"] = {
            "can_send_messages": True,
            "can_send_audios": True,
            "can_send_documents": True,
            "can_send_photos": True,
            "can_send_videos": True,
            "can_send_video_notes": True,
            "can_send_voice_notes": True,
            "can_send_polls": True,
            "can_send_other_messages": True,
            "can_add_web_page_previews": True,
            "can_react_to_messages": True,
            "can_edit_tag": False,
            "can_change_info": False,
            "can_invite_users": True,
            "can_pin_messages": False,
            "can_manage_topics": False,
        }
    if chat.type is ChatType.SUPERGROUP:
        shown["join_to_send_messages"] = True
        shown["has_visible_history"] = True
    if chat.pinned and (last := chat.messages.get(chat.pinned[-1])) is not None:
        shown["pinned_message"] = message_json(last, world)
    return shown


def bot_json(world: World, *, reads_all: bool) -> Json:
    """The `User` that getMe gives."""
    return user_json(world.bot) | {
        "can_join_groups": True,
        "can_read_all_group_messages": reads_all,
        "supports_inline_queries": True,
        "supports_guest_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
    }


def control_person(person: Person) -> Json:
    """A `Person` of the control API."""
    return user_json(person) | {"started": person.started, "blocked": person.blocked}


def control_chat(chat: Chat) -> Json:
    """A `Chat` of the control API."""
    shown = chat_json(chat) | {
        "title": chat.title
        if chat.peer is None
        else " ".join(filter(None, (chat.peer.first_name, chat.peer.last_name))),
        "is_forum": chat.is_forum,
        "members": [
            {"id": member.person.id, "status": member.status.value}
            | ({"title": member.title} if member.title else {})
            | ({"tag": member.tag} if member.tag else {})
            for member in chat.members.values()
        ],
        "topics": [
            {"message_thread_id": topic.thread_id, "name": topic.name, "closed": topic.closed}
            for topic in chat.topics.values()
            if topic.thread_id != GENERAL_THREAD
        ],
        "general_closed": GENERAL_THREAD in chat.topics and chat.topics[GENERAL_THREAD].closed,
        "pinned": list(chat.pinned),
    }
    if chat.migrated_to is not None:
        shown["migrated_to"] = chat.migrated_to
    return shown


def control_message(message: Message, world: World) -> Json:
    """A `Shown` of the control API: a message and what a page or a test wants to know besides."""
    shown = message_json(message, world)
    if message.inline_message_id is not None:
        shown["inline_message_id"] = message.inline_message_id
    if message.reply_keyboard is not None:
        shown["reply_keyboard"] = message.reply_keyboard
    if message.media is not None:
        shown["file"] = f"/control/files/{message.media.file.number}"
    if message.reactions:
        emoji = sorted({one for given in message.reactions.values() for one in given})
        shown["reactions"] = [
            {"emoji": one, "from": [who for who, given in message.reactions.items() if one in given]} for one in emoji
        ]
    shown["pinned"] = message.id in message.chat.pinned
    shown["version"] = message.version
    shown["edited"] = message.edits
    return shown
