"""Reply markups: what Telegram takes, and what it makes of it."""

from dataclasses import dataclass

from playground.markup import normal_url
from playground.wire import Json, Params, bad_request

MAX_CALLBACK_BYTES = 64
MAX_BUTTONS = 100
MAX_IN_ROW = 8
STYLES = frozenset({"danger", "success", "primary"})

_ACTIONS = (
    "url",
    "callback_data",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "copy_text",
    "callback_game",
    "pay",
)


@dataclass(frozen=True, slots=True)
class Markup:
    """A parsed reply markup: an inline keyboard, or anything else (`other`, for the page alone)."""

    inline: list[list[Json]] | None = None
    other: Json | None = None


def parse_markup(p: Params, *, in_group: bool) -> Markup:
    """The `reply_markup` of a call; raises ApiError for what Telegram refuses."""
    value = p.structure("reply_markup")
    if value is None:
        return Markup()
    if not isinstance(value, dict):
        raise bad_request("object expected as reply markup")
    if "inline_keyboard" in value:
        return Markup(inline=_inline(value["inline_keyboard"], in_group=in_group))
    if "keyboard" in value:
        rows = value["keyboard"]
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise bad_request('field "keyboard" must be an Array of Arrays of KeyboardButton')
        keyboard = [[{"text": one} if isinstance(one, str) else one for one in row] for row in rows]
        return Markup(other={**value, "keyboard": keyboard})
    if value.get("remove_keyboard") or value.get("force_reply"):
        return Markup(other=value)
    return Markup()


def _inline(rows: object, *, in_group: bool) -> list[list[Json]] | None:
    if not isinstance(rows, list):
        raise bad_request('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array')
    keyboard: list[list[Json]] = []
    for row in rows:
        if not isinstance(row, list):
            raise bad_request('field "inline_keyboard" must be an Array of Arrays')
        buttons = [_button(one, in_group=in_group) for one in row]
        if len(buttons) > MAX_IN_ROW:
            raise bad_request("REPLY_MARKUP_TOO_LONG")
        if buttons:
            keyboard.append(buttons)
    if sum(map(len, keyboard)) > MAX_BUTTONS:
        raise bad_request("REPLY_MARKUP_TOO_LONG")
    return keyboard or None


def _button(one: object, *, in_group: bool) -> Json:
    if not isinstance(one, dict):
        raise bad_request("can't parse inline keyboard button: expected an Object")
    text = one.get("text")
    if not isinstance(text, str):
        raise bad_request("can't parse inline keyboard button: Can't find field \"text\"")
    if not text.strip():
        raise bad_request("can't parse inline keyboard button: Button text must be non-empty")
    button: Json = {"text": text}
    actions = [name for name in _ACTIONS if one.get(name) is not None]
    if not actions:
        raise bad_request("can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
    action = actions[0]
    value = one[action]
    match action:
        case "callback_data":
            if not isinstance(value, str) or not 1 <= len(value.encode()) <= MAX_CALLBACK_BYTES:
                raise bad_request("BUTTON_DATA_INVALID")
        case "url":
            if not isinstance(value, str) or ("." not in value and not value.startswith("tg://")):
                raise bad_request(f"inline keyboard button URL '{value}' is invalid: Wrong HTTP URL")
            value = normal_url(value)
        case "web_app" if in_group:
            raise bad_request("BUTTON_TYPE_INVALID")
        case "copy_text":
            if not isinstance(value, dict) or not 1 <= len(str(value.get("text", ""))) <= 256:
                raise bad_request("can't parse inline keyboard button: BUTTON_COPY_TEXT_INVALID")
        case _:
            pass
    button[action] = value
    if one.get("style") is not None:
        if one["style"] not in STYLES:
            raise bad_request("can't parse inline keyboard button: Invalid button style specified")
        button["style"] = one["style"]
    return button
