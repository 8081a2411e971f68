"""What a message shows, as a value: text, pictures and buttons, before it meets Telegram."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from markupsafe import Markup

CALLBACK_LIMIT = 64
"""Bytes of a button's data (Telegram)."""
CAPTION_LIMIT = 1024
TEXT_LIMIT = 4096


class Style(StrEnum):
    """Colours of a button."""

    DANGER = "danger"
    PRIMARY = "primary"
    SUCCESS = "success"


@dataclass(frozen=True)
class Button:
    """A button: `data` comes back when it is pressed, or `url` is opened (`start:…` is the bot's own deep link)."""

    text: str
    data: str | None = None
    url: str | None = None
    style: Style | None = None

    @classmethod
    def deep(cls, text: str, payload: str, style: Style | None = None) -> Button:
        """A button that opens the private chat with the bot and starts it with `payload`."""
        return cls(text, url=f"start:{payload}", style=style)


Keyboard = tuple[tuple[Button, ...], ...]


@dataclass(frozen=True)
class Screen:
    """A message. With one picture the text is its caption; with several they are an album before the text."""

    text: Markup
    keyboard: Keyboard = ()
    pictures: tuple[bytes, ...] = ()
    spoiler: bool = False

    @property
    def digest(self) -> str:
        """Equal for screens that look the same."""
        summary = hashlib.blake2b(digest_size=16)
        summary.update(repr((str(self.text), self.keyboard)).encode())
        for picture in self.pictures:
            summary.update(hashlib.blake2b(picture, digest_size=16).digest())
        return summary.hexdigest()


def press(verb: str, match_id: int, stamp: str = "", *rest: object) -> str:
    """A button's data: what to do, in which match, made from what, and details. Raises ValueError if it is too long."""
    data = ":".join([verb, str(match_id), stamp, *map(str, rest)])
    if len(data.encode()) > CALLBACK_LIMIT:
        raise ValueError(f"a button's data may have {CALLBACK_LIMIT} bytes: {data}")
    return data


@dataclass(frozen=True)
class Press:
    """A button's data, read."""

    verb: str
    match_id: int
    stamp: str | None
    """None where the button does not depend on the state."""
    rest: tuple[str, ...]
    private: bool = False
    """Pressed in the presser's own chat with the bot: only there may what he alone knows be shown."""

    @classmethod
    def read(cls, data: str) -> Press | None:
        """None if it is no data of ours."""
        verb, *parts = data.split(":")
        if len(parts) < 2 or not parts[0].isascii() or not parts[0].isdigit():
            return None
        return cls(verb, int(parts[0]), parts[1] or None, tuple(parts[2:]))
