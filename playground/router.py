"""One request in, one answer out: what HTTP and the in-process transport have in common."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tornado.httputil import HTTPFile, HTTPHeaders, parse_body_arguments

from playground.api import Api
from playground.control import Control
from playground.people import Refused
from playground.wire import ApiError, Json, Upload

_BOT = re.compile(r"/bot([^/]*)/([A-Za-z]+)")
_FILE = re.compile(r"/file/bot([^/]*)/(.+)")


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back over the wire. `lasting`: the same for ever, so it may be kept."""

    status: int
    body: bytes
    content_type: str = "application/json"
    lasting: bool = False


class BadBody(ValueError):
    """The body of the request cannot be read."""


def parse_body(content_type: str, body: bytes) -> tuple[dict[str, Any], dict[str, Upload]]:
    """Parameters and uploads of a body in any of the encodings that Telegram takes. Raises BadBody."""
    if content_type.startswith("application/json"):
        try:
            given = json.loads(body or b"{}")
        except ValueError:
            raise BadBody("the body is no JSON") from None
        if not isinstance(given, dict):
            raise BadBody("the body is no JSON object")
        return given, {}
    arguments: dict[str, list[bytes]] = {}
    files: dict[str, list[HTTPFile]] = {}
    try:
        parse_body_arguments(content_type, body, arguments, files, HTTPHeaders())
        params = {name: values[-1].decode() for name, values in arguments.items()}
    except Exception as error:  # tornado raises several kinds for a broken body
        raise BadBody(str(error)) from None
    uploads = {
        name: Upload(listed[-1].filename, listed[-1].content_type, listed[-1].body) for name, listed in files.items()
    }
    return params, uploads


class Router:
    """Answers requests by their paths."""

    def __init__(self, api: Api, control: Control) -> None:
        self.api = api
        self.control = control

    async def reply(
        self, verb: str, path: str, query: Mapping[str, str], content_type: str, body: bytes
    ) -> Reply | None:
        """The answer, or None for a path that is none of ours. Raises ConnectionLost as `Api.call` does."""
        if match := _BOT.fullmatch(path):
            return await self._bot(match[1], match[2], query, content_type, body)
        if match := _FILE.fullmatch(path):
            file = self.api.files.by_path(match[2])
            if file is None or file.data is None:
                return _json(404, ApiError(404, "Not Found").answer().body)
            return Reply(200, file.data, file.mime or "application/octet-stream")
        if path.startswith("/control/files/"):
            return self._control_file(path.removeprefix("/control/files/"))
        if path.startswith("/control/"):
            return await self._control(verb, path.removeprefix("/control/"), query, content_type, body)
        return None

    async def _bot(self, token: str, name: str, query: Mapping[str, str], content_type: str, body: bytes) -> Reply:
        try:
            params, files = parse_body(content_type, body)
        except BadBody as error:
            return _json(400, ApiError(400, f"Bad Request: {error}").answer().body)
        answer = await self.api.call_with_token(token, name, {**query, **params}, files)
        return _json(answer.status, answer.body)

    async def _control(self, verb: str, path: str, query: Mapping[str, str], content_type: str, body: bytes) -> Reply:
        try:
            params = parse_body("application/json", body)[0] if body else {}
            return _json(200, await self.control(verb, path, {**query, **params}))
        except Refused as error:
            return _json(error.status, {"error": str(error)})
        except BadBody as error:
            return _json(400, {"error": f"{error}; the control API takes a JSON object"})

    def _control_file(self, number: str) -> Reply:
        file = self.api.files.by_number(int(number)) if number.isdecimal() else self.api.files.by_id(number)
        if file is None or file.data is None:
            return _json(404, {"error": f"there is no file {number}"})
        return Reply(200, file.data, file.mime or "application/octet-stream", lasting=True)


def _json(status: int, body: Json | list[Any]) -> Reply:
    return Reply(status, json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())
