"""Methods that put new messages into chats: texts, media, albums, copies."""

import itertools

from playground.api import Api, method
from playground.compose import new_message, next_id, origin_of, text_of, topic_of, with_text
from playground.entities import MAX_CAPTION
from playground.hub import EventKind
from playground.media import Media, MediaKind, StoredFile
from playground.show import message_json
from playground.wire import Json, Params, bad_request
from playground.world import Chat, Message

_album_ids = itertools.count(13_900_000_000_000_001)
CAPTION_TOO_LONG = "message caption is too long"
_CHAT_ACTIONS_LISTED = (
    "typing upload_photo record_video upload_video record_voice upload_voice upload_document "
    "choose_sticker find_location record_video_note upload_video_note"
)
_CHAT_ACTIONS = frozenset(_CHAT_ACTIONS_LISTED.split())


@method("sendMessage", cost=1)
async def send_message(api: Api, p: Params) -> Json:
    """A text."""
    chat = api.writable(p)
    text, entities = text_of(api, p)
    if not text:
        raise bad_request("message text is empty")
    return _post(api, with_text(new_message(api, chat, p), text, entities))


def _post(api: Api, message: Message) -> Json:
    return message_json(api.world.post(message), api.world)


def stored_file(api: Api, p: Params, value: object, kind: MediaKind, field: str) -> StoredFile:
    """The file that a parameter means: an upload (its own part or attach://), or a file_id of the same kind."""
    upload = p.files.get(field)
    if isinstance(value, str) and value.startswith("attach://"):
        upload = p.files.get(value.removeprefix("attach://"))
        if upload is None:
            raise bad_request(f"can't find the attached file {value!r}: wrong file identifier/HTTP URL specified")
    if upload is not None:
        looks = kind
        if kind is MediaKind.DOCUMENT and upload.data[:4] == b"GIF8" and not p.flag("disable_content_type_detection"):
            looks = MediaKind.ANIMATION
        return api.files.store(
            upload,
            looks,
            width=p.integer("width") or 0,
            height=p.integer("height") or 0,
            duration=p.integer("duration") or 0,
        )
    if not isinstance(value, str) or not value:
        raise bad_request(f"there is no {field} in the request")
    if "://" in value:
        raise bad_request("failed to get HTTP URL content")
    file = api.files.by_id(value)
    if file is None:
        raise bad_request("wrong remote file identifier specified: Wrong character in the string")
    if file.kind is not kind and not (kind is MediaKind.DOCUMENT and file.kind is MediaKind.ANIMATION):
        raise bad_request(f"can't use file of type {file.kind.value.title()} as {kind.value.title()}")
    return file


def _media_method(name: str, kind: MediaKind) -> None:
    async def send(api: Api, p: Params) -> Json:
        chat = api.writable(p)
        caption, entities = text_of(api, p, "caption", limit=MAX_CAPTION, too_long=CAPTION_TOO_LONG)
        file = stored_file(api, p, p.raw.get(kind.value), kind, kind.value)
        media = Media(file, p.flag("has_spoiler"), p.flag("show_caption_above_media"))
        return _post(api, with_text(new_message(api, chat, p), caption, entities, media))

    send.__doc__ = f"A message with {kind.value}."
    method(name, cost=1)(send)


for _name, _kind in (
    ("sendPhoto", MediaKind.PHOTO),
    ("sendAnimation", MediaKind.ANIMATION),
    ("sendDocument", MediaKind.DOCUMENT),
    ("sendVideo", MediaKind.VIDEO),
    ("sendAudio", MediaKind.AUDIO),
    ("sendVoice", MediaKind.VOICE),
):
    _media_method(_name, _kind)


def _album_size(p: Params) -> int:
    media = p.structure("media")
    return max(1, len(media)) if isinstance(media, list) else 1


_ALBUM_KINDS = {kind.value: kind for kind in (MediaKind.PHOTO, MediaKind.VIDEO, MediaKind.DOCUMENT, MediaKind.AUDIO)}


def input_media(api: Api, p: Params, one: Json, kind: MediaKind) -> tuple[Media, str, list[Json]]:
    """An `InputMedia` with its caption."""
    fields = {**one, "caption_entities": one.get("caption_entities"), "parse_mode": one.get("parse_mode") or ""}
    inner = Params(fields, p.files)
    caption, entities = text_of(api, inner, "caption", limit=MAX_CAPTION, too_long=CAPTION_TOO_LONG)
    file = stored_file(api, inner, one.get("media"), kind, "media")
    return Media(file, inner.flag("has_spoiler"), inner.flag("show_caption_above_media")), caption, entities


@method("sendMediaGroup", cost=_album_size)
async def send_media_group(api: Api, p: Params) -> list[Json]:
    """An album: two to ten photos (and videos), documents, or pieces of music."""
    chat = api.writable(p)
    listed = p.structure("media")
    if not isinstance(listed, list) or not listed:
        raise bad_request("there are no messages to send")
    if len(listed) > 10:
        raise bad_request("too many messages to send as an album")
    kinds: list[MediaKind] = []
    for one in listed:
        kind = _ALBUM_KINDS.get(str(one.get("type"))) if isinstance(one, dict) else None
        if kind is None:
            raise bad_request("can't parse InputMedia: type must be one of photo, video, audio or document")
        kinds.append(kind)
    visual = {MediaKind.PHOTO, MediaKind.VIDEO}
    if len(set(kinds)) > 1 and not set(kinds) <= visual:
        raise bad_request("document or audio can't be mixed with other media types")
    parts = [input_media(api, p, one, kind) for one, kind in zip(listed, kinds, strict=True)]
    album = str(next(_album_ids))
    shown: list[Json] = []
    for media, caption, entities in parts:
        message = with_text(new_message(api, chat, p), caption, entities, media)
        message.media_group_id = album
        shown.append(_post(api, message))
    return shown


def _source(api: Api, p: Params, message_id: int | None) -> Message:
    source = api.chat(p, "from_chat_id")
    message = source.messages.get(message_id or 0)
    if message is None or message.service is not None:
        raise bad_request("message to forward not found")
    return message


def _forwarded(api: Api, chat: Chat, p: Params, source: Message) -> Message:
    message = Message(chat, next_id(chat), int(api.world.now()), api.world.bot, topic=topic_of(chat, p))
    message.forward_origin = origin_of(source, api)
    return with_text(message, source.text or "", source.entities, source.media)


@method("forwardMessage", cost=1)
async def forward_message(api: Api, p: Params) -> Json:
    """The same message with its author's name on it."""
    chat = api.writable(p)
    return _post(api, _forwarded(api, chat, p, _source(api, p, p.integer("message_id"))))


def _copied(api: Api, chat: Chat, p: Params, source: Message) -> Message:
    message = new_message(api, chat, p)
    text, entities = source.text or "", source.entities
    if p.raw.get("caption") is not None and source.media is not None:
        text, entities = text_of(api, p, "caption", limit=MAX_CAPTION, too_long=CAPTION_TOO_LONG)
    return with_text(message, text, entities, source.media)


@method("copyMessage", cost=1)
async def copy_message(api: Api, p: Params) -> Json:
    """The same content as a message of the bot's own."""
    chat = api.writable(p)
    source = _source(api, p, p.integer("message_id"))
    return {"message_id": api.world.post(_copied(api, chat, p, source)).id}


def numbers(listed: object) -> list[int]:
    """The whole numbers of a list of message identifiers; anything else names no message."""
    return [one for one in listed if isinstance(one, int)] if isinstance(listed, list) else []


def _many(p: Params) -> int:
    ids = p.structure("message_ids")
    return max(1, len(ids)) if isinstance(ids, list) else 1


@method("forwardMessages", cost=_many)
async def forward_messages(api: Api, p: Params) -> list[Json]:
    """Several messages at once; those that are gone are skipped."""
    chat = api.writable(p)
    source = api.chat(p, "from_chat_id")
    found = [source.messages[one] for one in numbers(p.structure("message_ids")) if one in source.messages]
    return [{"message_id": api.world.post(_forwarded(api, chat, p, one)).id} for one in found]


@method("copyMessages", cost=_many)
async def copy_messages(api: Api, p: Params) -> list[Json]:
    """Several copies at once; those that are gone are skipped."""
    chat = api.writable(p)
    source = api.chat(p, "from_chat_id")
    found = [source.messages[one] for one in numbers(p.structure("message_ids")) if one in source.messages]
    return [{"message_id": api.world.post(_copied(api, chat, p, one)).id} for one in found]


@method("sendChatAction")
async def send_chat_action(api: Api, p: Params) -> bool:
    """What the bot is doing, shown for five seconds or until a message comes."""
    chat = api.writable(p)
    topic = topic_of(chat, p)
    if p.text("action") not in _CHAT_ACTIONS:
        raise bad_request("wrong parameter action in request")
    happening: Json = {"chat": chat.id, "action": p.text("action")}
    if topic is not None:
        happening["thread"] = topic.thread_id
    api.hub.publish(EventKind.ACTION, happening)
    return True
