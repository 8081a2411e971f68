"""What the parsers of HTML and Markdown share: pieces of text that become entities."""

import re
from dataclasses import dataclass, field

from playground.wire import Json


class MarkupError(ValueError):
    """The markup is wrong; the text is Telegram's own explanation."""


def utf16(text: str) -> int:
    """How many UTF-16 code units the text has; Telegram's offsets and limits count these."""
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


@dataclass(slots=True)
class Piece:
    """An entity that has begun at `start` (UTF-16 units) and is not finished. `text` is collected for links."""

    kind: str
    start: int
    more: Json = field(default_factory=dict)
    text: str = ""

    def entity(self, end: int) -> list[Json]:
        """The finished entity, or nothing when it holds no text or its link is none."""
        if end <= self.start or not self.kind:
            return []
        kind, more = self.kind, dict(self.more)
        if kind == "text_link":
            url = more["url"] or self.text
            mention = re.fullmatch(r"tg://user\?id=(\d+)", url)
            if mention:
                return [
                    {
                        "type": "text_mention",
                        "offset": self.start,
                        "length": end - self.start,
                        "user_id": int(mention[1]),
                    }
                ]
            if not re.match(r"(?:https?://|tg:|ton:)?[\w.-]+", url) or ("://" not in url and "." not in url):
                return []
            more["url"] = normal_url(url)
        return [{"type": kind, "offset": self.start, "length": end - self.start, **more}]


def normal_url(url: str) -> str:
    """A link as Telegram stores it: with a scheme, and a slash after a bare host."""
    if "://" not in url and not url.startswith(("tg:", "ton:")):
        url = f"http://{url}"
    if re.fullmatch(r"https?://[^/?#]+", url):
        url += "/"
    return url
