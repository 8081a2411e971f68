"""Methods that change or remove messages: edits, deletions, pins, reactions."""

from playground.api import Api, method
from playground.compose import next_id, text_of
from playground.entities import MAX_CAPTION, MAX_TEXT
from playground.keyboards import parse_markup
from playground.media import Media, MediaKind
from playground.methods_send import input_media, numbers
from playground.show import message_json
from playground.wire import Json, Params, bad_request
from playground.world import Chat, Message

NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)
DELETABLE_SECONDS = 48 * 3600


def _edited(api: Api, p: Params) -> Message:
    """The message that an edit means. Raises ApiError 400 when it is not there or not the bot's."""
    if p.has("inline_message_id"):
        inline = api.world.inline_messages.get(p.text("inline_message_id"))
        if inline is None:
            raise bad_request("MESSAGE_ID_INVALID")
        return inline
    chat = api.writable(p)
    if p.integer("message_id") is None:
        raise bad_request("message identifier is not specified")
    message = chat.messages.get(p.integer("message_id") or 0)
    if message is None:
        raise bad_request("message to edit not found")
    if message.sender is not api.world.bot or message.service is not None or message.forward_origin is not None:
        raise bad_request("message can't be edited")
    return message


def _change(
    api: Api, p: Params, message: Message, text: str | None, entities: list[Json], media: Media | None
) -> Json | bool:
    """Apply an edit unless it changes nothing. The keyboard is always replaced: absent means none."""
    keyboard = parse_markup(p, in_group=message.chat.is_group).inline
    above = media.caption_above if media else False
    was = message.media
    same_media = (was is None and media is None) or (
        was is not None
        and media is not None
        and was.file is media.file
        and was.has_spoiler == media.has_spoiler
        and was.caption_above == above
    )
    if same_media and (text, entities, keyboard) == (message.text, message.entities, message.keyboard):
        raise bad_request(NOT_MODIFIED)
    only_keyboard = same_media and (text, entities) == (message.text, message.entities)
    message.text, message.entities, message.media, message.keyboard = text, entities, media, keyboard
    if only_keyboard:
        # People see no "edited" for a new keyboard alone, but the date of the edit is there.
        message.edit_date = int(api.world.now())
        api.world.touch(message)
    else:
        api.world.edited(message)
    return True if p.has("inline_message_id") else message_json(message, api.world)


@method("editMessageText", cost=1)
async def edit_message_text(api: Api, p: Params) -> Json | bool:
    """A new text."""
    message = _edited(api, p)
    text, entities = text_of(api, p, limit=MAX_TEXT, too_long="MESSAGE_TOO_LONG")
    if not text:
        raise bad_request("message text is empty")
    if message.media is not None:
        raise bad_request("there is no text in the message to edit")
    return _change(api, p, message, text, entities, None)


@method("editMessageCaption", cost=1)
async def edit_message_caption(api: Api, p: Params) -> Json | bool:
    """A new caption (or none)."""
    message = _edited(api, p)
    caption, entities = text_of(api, p, "caption", limit=MAX_CAPTION, too_long="MEDIA_CAPTION_TOO_LONG")
    if message.media is None:
        raise bad_request("there is no caption in the message to edit")
    was = message.media
    media = Media(was.file, was.has_spoiler, p.flag("show_caption_above_media"))
    return _change(api, p, message, caption, entities, media)


_KINDS = {kind.value: kind for kind in MediaKind if kind is not MediaKind.VOICE}


@method("editMessageMedia", cost=1)
async def edit_message_media(api: Api, p: Params) -> Json | bool:
    """Another picture, animation or file, uploaded or known; its caption comes with it."""
    message = _edited(api, p)
    given = p.structure("media")
    if not isinstance(given, dict) or given.get("type") not in _KINDS:
        raise bad_request("can't parse InputMedia: type must be one of photo, animation, document, video or audio")
    if p.has("inline_message_id") and str(given.get("media", "")).startswith("attach://"):
        raise bad_request("can't upload a new file in an inline message: wrong file identifier/HTTP URL specified")
    if message.media_group_id is not None:
        visual = {MediaKind.PHOTO.value, MediaKind.VIDEO.value}
        was = message.media.kind.value if message.media else ""
        if given["type"] != was and not {given["type"], was} <= visual:
            raise bad_request("message content type can't be changed in an album")
    media, caption, entities = input_media(api, p, given, _KINDS[given["type"]])
    return _change(api, p, message, caption, entities, media)


@method("editMessageReplyMarkup", cost=1)
async def edit_message_reply_markup(api: Api, p: Params) -> Json | bool:
    """Another keyboard (or none)."""
    message = _edited(api, p)
    return _change(api, p, message, message.text, message.entities, message.media)


def _delete(api: Api, chat: Chat, message_id: int) -> None:
    message = chat.messages.get(message_id)
    if message is None:
        raise bad_request("message to delete not found")
    me = chat.member(api.world.bot.id)
    may_all = me is not None and me.may("can_delete_messages")
    own = message.sender is api.world.bot
    old = api.world.now() - message.date > DELETABLE_SECONDS
    private_incoming = not chat.is_group and not old
    if not may_all and not private_incoming and (not own or old):
        raise bad_request("message can't be deleted for everyone" if own else "message can't be deleted")
    api.world.delete(message)


@method("deleteMessage")
async def delete_message(api: Api, p: Params) -> bool:
    """The bot's own message younger than 48 hours, or any where the bot is an administrator with that right."""
    chat = api.writable(p)
    _delete(api, chat, p.integer("message_id") or 0)
    return True


@method("deleteMessages")
async def delete_messages(api: Api, p: Params) -> bool:
    """Several at once; those that are gone are skipped."""
    chat = api.writable(p)
    ids = p.structure("message_ids")
    if not isinstance(ids, list) or not 1 <= len(ids) <= 100:
        raise bad_request("message identifiers are not specified")
    for one in numbers(ids):
        if one in chat.messages:
            _delete(api, chat, one)
    return True


@method("pinChatMessage")
async def pin_chat_message(api: Api, p: Params) -> bool:
    """Pin, with the service message that everybody gets, the bot too."""
    chat = api.writable(p)
    api.need_right(chat, "can_pin_messages", "not enough rights to manage pinned messages in the chat")
    message = chat.messages.get(p.integer("message_id") or 0)
    if message is None:
        raise bad_request("message to pin not found")
    if message.service is not None:
        raise bad_request("message can't be pinned")
    if message.id in chat.pinned:
        if chat.pinned[-1] == message.id:
            raise bad_request("CHAT_NOT_MODIFIED")
        chat.pinned.remove(message.id)
    chat.pinned.append(message.id)
    api.world.touch(message)
    note = Message(chat, next_id(chat), int(api.world.now()), api.world.bot, topic=message.topic)
    note.service = {"pinned_message": message}
    api.world.post(note)
    api.deliver(note)
    return True


@method("unpinChatMessage")
async def unpin_chat_message(api: Api, p: Params) -> bool:
    """Unpin one message, or the newest pinned."""
    chat = api.writable(p)
    api.need_right(chat, "can_pin_messages", "not enough rights to manage pinned messages in the chat")
    wanted = p.integer("message_id")
    if wanted is None and not chat.pinned:
        raise bad_request("message to unpin not found")
    _unpin(api, chat, wanted if wanted is not None else chat.pinned[-1])
    return True


def _unpin(api: Api, chat: Chat, message_id: int) -> None:
    if message_id not in chat.messages:
        raise bad_request("message to unpin not found")
    if message_id in chat.pinned:
        chat.pinned.remove(message_id)
        api.world.touch(chat.messages[message_id])


@method("unpinAllChatMessages")
async def unpin_all_chat_messages(api: Api, p: Params) -> bool:
    """Unpin everything."""
    chat = api.writable(p)
    api.need_right(chat, "can_pin_messages", "not enough rights to manage pinned messages in the chat")
    for one in list(chat.pinned):
        _unpin(api, chat, one)
    return True


@method("setMessageReaction")
async def set_message_reaction(api: Api, p: Params) -> bool:
    """The bot's own reaction: one emoji, or none."""
    chat = api.writable(p)
    message = chat.messages.get(p.integer("message_id") or 0)
    if message is None:
        raise bad_request("message to react not found")
    given = p.structure("reaction") or []
    if not isinstance(given, list):
        raise bad_request("can't parse reaction types JSON object")
    emoji = [str(one.get("emoji", "")) for one in given if isinstance(one, dict)]
    if len(emoji) > 1:
        raise bad_request("REACTIONS_TOO_MANY")
    if any(one not in REACTIONS for one in emoji):
        raise bad_request("REACTION_INVALID")
    if emoji:
        message.reactions[api.world.bot.id] = emoji
    else:
        message.reactions.pop(api.world.bot.id, None)
    api.world.touch(message)
    return True


_REACTIONS_LISTED = (
    "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 "
    "❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 "
    "🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 "
    "🤷‍♀ 😡"
)
REACTIONS = frozenset(_REACTIONS_LISTED.split())
