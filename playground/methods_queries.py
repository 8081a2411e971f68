"""Methods that answer people's queries: presses of buttons, inline queries."""

import re

from playground.api import Api, method
from playground.entities import MAX_CAPTION, MAX_TEXT
from playground.hub import EventKind
from playground.queries import TOO_OLD
from playground.wire import Json, Params, bad_request

MAX_TOAST = 200
MAX_RESULTS = 50
_RESULT_TYPES = frozenset(
    {
        "article",
        "photo",
        "gif",
        "mpeg4_gif",
        "video",
        "audio",
        "voice",
        "document",
        "location",
        "venue",
        "contact",
        "game",
        "sticker",
    }
)
# Of these the text or media can be sent on here.
MEDIA_RESULTS = {
    "photo": "photo_file_id",
    "gif": "gif_file_id",
    "mpeg4_gif": "mpeg4_file_id",
    "document": "document_file_id",
    "video": "video_file_id",
    "audio": "audio_file_id",
    "voice": "voice_file_id",
}


@method("answerCallbackQuery")
async def answer_callback_query(api: Api, p: Params) -> bool:
    """Ends the waiting of a pressed button, with a toast or a dialog or without."""
    text = p.text("text")
    if len(text) > MAX_TOAST:
        raise bad_request("MESSAGE_TOO_LONG")
    url = p.text("url")
    if url and not re.match(rf"(?:https?://)?t\.me/{api.world.bot.username}\?start=[\w-]{{0,64}}$", url, re.IGNORECASE):
        raise bad_request("URL_INVALID")
    answer: Json = {"text": text or None, "show_alert": p.flag("show_alert"), "url": url or None}
    query = api.queries.answer(p.text("callback_query_id"), answer)
    if text:
        api.hub.publish(
            EventKind.TOAST, {"to": query.person.id, "text": text, "show_alert": answer["show_alert"]} | query.about
        )
    return True


@method("answerInlineQuery")
async def answer_inline_query(api: Api, p: Params) -> bool:
    """The results that a person chooses from."""
    results = p.structure("results")
    if not isinstance(results, list):
        raise bad_request("can't parse inline query results JSON array")
    if len(results) > MAX_RESULTS:
        raise bad_request("RESULTS_TOO_MUCH")
    seen: set[str] = set()
    for one in results:
        _check_result(one, seen)
    query = api.queries.get(p.text("inline_query_id"))
    if query is None:
        raise bad_request(TOO_OLD)
    button = p.structure("button")
    if button is not None and (not isinstance(button, dict) or not button.get("text")):
        raise bad_request("can't parse inline query results button: Button text must be non-empty")
    api.queries.answer(query.id, {"results": results} | ({"button": button} if button else {}))
    return True


def _check_result(one: object, seen: set[str]) -> None:
    if not isinstance(one, dict) or one.get("type") not in _RESULT_TYPES:
        raise bad_request("can't parse inline query result: Unsupported type specified")
    identifier = one.get("id")
    if not isinstance(identifier, str) or not 1 <= len(identifier.encode()) <= 64:
        raise bad_request("RESULT_ID_INVALID")
    if identifier in seen:
        raise bad_request("RESULT_ID_DUPLICATE")
    seen.add(identifier)
    kind = one["type"]
    if kind == "article":
        if not one.get("title"):
            raise bad_request("can't parse inline query result: Can't find field \"title\"")
        if not isinstance(one.get("input_message_content"), dict):
            raise bad_request("can't parse inline query result: Can't find field \"input_message_content\"")
    content = one.get("input_message_content")
    if isinstance(content, dict) and "message_text" in content:
        text = str(content["message_text"])
        if not text.strip():
            raise bad_request("MESSAGE_EMPTY")
        if len(text) > 2 * MAX_TEXT:
            raise bad_request("MESSAGE_TOO_LONG")
    elif len(str(one.get("caption") or "")) > 2 * MAX_CAPTION:
        raise bad_request("MEDIA_CAPTION_TOO_LONG")
