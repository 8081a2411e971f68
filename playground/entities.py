"""Texts and their entities: what a message's markup means, in UTF-16 units as Telegram counts them."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from playground.markdown import parse_markdown
from playground.markup import MarkupError, Piece, utf16
from playground.wire import Json, Params, bad_request

MAX_TEXT = 4096
MAX_CAPTION = 1024
MAX_ENTITIES = 100

_SIMPLE_TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "code": "code",
    "pre": "pre",
    "blockquote": "blockquote",
}
_OTHER_TAGS = frozenset({"a", "span", "tg-emoji", "tg-time"})
_TAG_NAME = re.compile(r"[^\s>]+")
_ATTRIBUTE = re.compile(r"""\s*([a-zA-Z][\w-]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
_REFERENCE = re.compile(r"&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(lt|gt|amp|quot));?")


@dataclass(slots=True)
class _Open:
    tag: str
    piece: Piece
    source: int


def _unescape(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        if match[3]:
            return _NAMED[match[3]]
        code = int(match[1], 16) if match[1] else int(match[2])
        return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]

    return _REFERENCE.sub(character, text)


def parse_html(source: str) -> tuple[str, list[Json]]:
    """Telegram's HTML: the plain text and its entities.

    Raises MarkupError with Telegram's words for what Telegram refuses; byte offsets count UTF-8.
    """
    out: list[str] = []
    at = units = 0
    stack: list[_Open] = []
    done: list[Json] = []

    def offset() -> int:
        return len(source[:at].encode())

    while at < len(source):
        if source[at] == "<":
            end = source.find(">", at)
            if source.startswith("</", at):
                if not stack:
                    raise MarkupError(f"Unexpected end tag at byte offset {offset()}")
                if end < 0:
                    raise MarkupError(f"Unclosed end tag at byte offset {offset()}")
                last = stack.pop()
                found = source[at + 2 : end].strip().lower()
                if found != last.tag:
                    raise MarkupError(
                        f'Unmatched end tag at byte offset {offset()}, expected "</{last.tag}>", found "</{found}>"'
                    )
                done.extend(last.piece.entity(units))
            else:
                name = _TAG_NAME.match(source, at + 1)
                tag = name[0].lower() if name else ""
                if at + 1 + len(tag) == len(source):
                    raise MarkupError(f"Unclosed start tag at byte offset {offset()}")
                if tag not in _SIMPLE_TAGS and tag not in _OTHER_TAGS:
                    raise MarkupError(f'Unsupported start tag "{tag}" at byte offset {offset()}')
                if end < 0:
                    raise MarkupError(f"Unclosed start tag at byte offset {offset()}")
                attributes = {
                    found[1].lower(): _unescape(found[2] or found[3] or found[4] or "")
                    for found in _ATTRIBUTE.finditer(source, at + 1 + len(tag), end)
                }
                stack.append(_Open(tag, _piece(tag, attributes, units, offset, stack), at))
            at = end + 1
            continue
        stop = source.find("<", at)
        run = _unescape(source[at : stop if stop >= 0 else len(source)])
        if stack and stack[-1].tag in ("a", "tg-time"):
            stack[-1].piece.text += run
        out.append(run)
        units += utf16(run)
        at = stop if stop >= 0 else len(source)
    if stack:
        raise MarkupError(f'Can\'t find end tag corresponding to start tag "{stack[-1].tag}"')
    return "".join(out), done


def _piece(tag: str, attributes: dict[str, str], units: int, offset: Callable[[], int], stack: list[_Open]) -> Piece:
    """What a start tag begins."""
    if tag == "a":
        return Piece("text_link", units, {"url": attributes.get("href", "")})
    if tag == "span":
        if attributes.get("class") != "tg-spoiler":
            raise MarkupError(f'Tag "span" must have class "tg-spoiler" at byte offset {offset()}')
        return Piece("spoiler", units)
    if tag == "tg-emoji":
        return Piece("custom_emoji", units, {"custom_emoji_id": attributes.get("emoji-id", "")})
    if tag == "tg-time":
        unix = attributes.get("unix", "")
        if not re.fullmatch(r"-?\d{1,11}", unix):
            raise MarkupError(f"Invalid Unix time specified at byte offset {offset()}")
        more: Json = {"unix_time": int(unix)}
        if attributes.get("format"):
            more["date_time_format"] = attributes["format"]
        return Piece("date_time", units, more)
    if tag == "blockquote" and "expandable" in attributes:
        return Piece("expandable_blockquote", units)
    if tag == "code" and attributes.get("class", "").startswith("language-") and stack and stack[-1].tag == "pre":
        stack[-1].piece.more["language"] = attributes["class"].removeprefix("language-")
        return Piece("", units)
    if tag == "code" and stack and stack[-1].tag == "pre":
        return Piece("", units)
    return Piece(_SIMPLE_TAGS[tag], units)


# A person's link must be a link: Telegram drops the rest without a word, and turns tg://user into a mention.
_AUTOMATIC = re.compile(
    r"(?P<url>\b(?:https?://|t\.me/)[^\s<>\"«»]+[^\s<>\"«».,;:!?)\]])"
    r"|(?<![\w/@])(?P<mention>@[a-zA-Z]\w{3,31})\b"
    r"|(?<![\w/@<>])(?P<bot_command>/[a-zA-Z0-9_]{1,64}(?:@[a-zA-Z]\w{2,31})?)(?![\w/])"
    r"|(?<![\w#])(?P<hashtag>#(?=\w*[^\W\d_])\w+)"
)
_OPAQUE = frozenset({"code", "pre", "text_link", "text_mention", "date_time", "custom_emoji"})


def automatic(text: str, entities: list[Json]) -> list[Json]:
    """Commands, @mentions, links and hashtags that Telegram finds by itself, outside of code and links."""
    closed = [(one["offset"], one["offset"] + one["length"]) for one in entities if one["type"] in _OPAQUE]
    found: list[Json] = []
    for match in _AUTOMATIC.finditer(text):
        kind = match.lastgroup
        start = utf16(text[: match.start()])
        length = utf16(match[0])
        if kind is not None and not any(start < end and begin < start + length for begin, end in closed):
            found.append({"type": kind, "offset": start, "length": length})
    return found


def _in_order(entities: list[Json]) -> list[Json]:
    return sorted(entities, key=lambda one: (one["offset"], -one["length"], one["type"]))


def trim(text: str, entities: list[Json]) -> tuple[str, list[Json]]:
    """Drop white space around the text as Telegram does, moving the entities along."""
    kept = text.rstrip(" \n\r\t")
    end = utf16(kept)
    first = min((one["offset"] for one in entities), default=end)
    lead = 0
    while lead < len(kept) and lead < first and kept[lead] in " \n\r\t":
        lead += 1
    moved: list[Json] = []
    for one in entities:
        start, stop = one["offset"] - lead, min(one["offset"] + one["length"], end) - lead
        if stop > start:
            moved.append({**one, "offset": start, "length": stop - start})
    return kept[lead:], moved


def resolve_text(
    p: Params, field: str, *, limit: int, too_long: str, mode: str | None = None
) -> tuple[str, list[Json]]:
    """The text of a parameter with its `parse_mode` or its entities; "" when it is absent.

    Raises ApiError for markup that cannot be parsed and for a text longer than `limit` UTF-16 units.
    """
    raw = p.text(field)
    mode = (p.text("parse_mode") if mode is None else mode).lower()
    listed = p.structure("entities" if field == "text" else "caption_entities")
    try:
        match mode:
            case "":
                text, entities = raw, checked_entities(listed or [])
            case "html":
                text, entities = parse_html(raw)
            case "markdownv2":
                text, entities = parse_markdown(raw)
            case "markdown":
                text, entities = parse_markdown(raw, legacy=True)
            case _:
                raise bad_request("unsupported parse_mode")
    except MarkupError as error:
        raise bad_request(f"can't parse entities: {error}") from None
    text, entities = trim(text, [one for one in entities if one["type"]])
    if utf16(text) > limit:
        raise bad_request(too_long)
    entities = _in_order([*entities, *automatic(text, entities)])[:MAX_ENTITIES]
    return text, entities


def checked_entities(listed: object) -> list[Json]:
    """Entities that the bot listed itself."""
    if not isinstance(listed, list):
        raise bad_request("can't parse MessageEntity: expected an Array of MessageEntity")
    kept: list[Json] = []
    for one in listed:
        if not isinstance(one, dict) or not isinstance(one.get("type"), str):
            raise bad_request("can't parse MessageEntity")
        if not all(type(one.get(number)) is int for number in ("offset", "length")):
            raise bad_request("can't parse MessageEntity: offset and length must be of type Number")
        kept.append({key: value for key, value in one.items() if value is not None})
    return kept
