"""What goes over the wire: parameters in, uploads in, answers and refusals out. No HTTP here."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Upload:
    """One uploaded file of a request."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of the Bot API: the HTTP status and the JSON object."""

    status: int
    body: Json


class ApiError(Exception):
    """A refusal, as the bot sees it.

    `code` is the HTTP status and `error_code`; `description` the full text with its prefix;
    `parameters` the ResponseParameters (`retry_after`, `migrate_to_chat_id`).
    """

    def __init__(self, code: int, description: str, parameters: Json | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def answer(self) -> Answer:
        """The refusal as an answer of the API."""
        body: Json = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return Answer(self.code, body)


class ConnectionLost(Exception):
    """A fault was ordered that breaks the connection: the caller gets no answer at all."""


def bad_request(text: str, parameters: Json | None = None) -> ApiError:
    """400 with Telegram's prefix."""
    return ApiError(400, f"Bad Request: {text}", parameters)


def forbidden(text: str) -> ApiError:
    """403 with Telegram's prefix."""
    return ApiError(403, f"Forbidden: {text}")


def conflict(text: str) -> ApiError:
    """409 with Telegram's prefix."""
    return ApiError(409, f"Conflict: {text}")


# Parameters whose string form is JSON. Others stay text even when they look like JSON: "[1]" is a message, too.
STRUCTURED = frozenset(
    {
        "allowed_updates",
        "button",
        "caption_entities",
        "commands",
        "entities",
        "link_preview_options",
        "media",
        "menu_button",
        "message_ids",
        "permissions",
        "reaction",
        "reply_markup",
        "reply_parameters",
        "results",
        "rights",
        "scope",
    }
)


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of one call, whichever encoding brought them: form fields are strings, JSON has types."""

    raw: Mapping[str, Any]
    files: Mapping[str, Upload] = field(default_factory=dict)

    def has(self, name: str) -> bool:
        """Whether the parameter was given and is not empty."""
        value = self.raw.get(name)
        return value is not None and value != ""

    def text(self, name: str, default: str = "") -> str:
        """The parameter as text."""
        value = self.raw.get(name)
        return default if value is None else str(value)

    def integer(self, name: str) -> int | None:
        """The parameter as a whole number; None when it was not given or is no number."""
        value = self.raw.get(name)
        if value is None or value == "" or isinstance(value, bool):
            return None
        try:
            return int(value)
        except (TypeError, ValueError):
            return None

    def number(self, name: str) -> float | None:
        """The parameter as a number."""
        value = self.raw.get(name)
        try:
            return None if value is None or value == "" else float(value)
        except (TypeError, ValueError):
            return None

    def flag(self, name: str) -> bool:
        """The parameter as a yes or no; absent is no."""
        value = self.raw.get(name)
        return value.lower() in ("true", "1", "yes", "t", "y") if isinstance(value, str) else bool(value)

    def structure(self, name: str) -> Any:
        """The parameter as a JSON value; None when it was not given. Raises ApiError when it is no JSON."""
        value = self.raw.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            what = {"reply_markup": "reply keyboard markup", "reply_parameters": "reply parameters"}.get(name, name)
            raise bad_request(f"can't parse {what} JSON object") from None

    def logged(self) -> Json:
        """The parameters for the log of calls: structures decoded, files named."""
        shown: Json = {}
        for name, value in self.raw.items():
            if name in STRUCTURED and isinstance(value, str):
                try:
                    shown[name] = json.loads(value)
                    continue
                except ValueError:
                    pass
            shown[name] = value
        for name, upload in self.files.items():
            shown[name] = f"<{upload.name}, {len(upload.data)} bytes>"
        return shown
