"""The HTTP skin: tornado handlers for the Bot API, the control API, the event stream and the page."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tornado.iostream import StreamClosedError
from tornado.web import Application, HTTPError, RequestHandler, StaticFileHandler

from playground.control import Control
from playground.hub import EventKind
from playground.router import Router
from playground.wire import ConnectionLost

STATIC = Path(__file__).parent / "static"
MAX_BODY = 64 * 1024 * 1024
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
HEARTBEAT_SECONDS = 15.0


def _only_loopback(handler: RequestHandler) -> None:
    """No page of another site may drive the playground through a visitor's browser."""
    host = urlsplit(f"//{handler.request.host}").hostname
    origin = handler.request.headers.get("Origin")
    if host not in _LOOPBACK or (origin is not None and urlsplit(origin).hostname not in _LOOPBACK):
        raise HTTPError(403)


class RouterHandler(RequestHandler):
    """Everything that the router answers."""

    def initialize(self, router: Router) -> None:
        self._router = router
        self._task: asyncio.Task[Any] | None = None

    def prepare(self) -> None:
        _only_loopback(self)

    def check_xsrf_cookie(self) -> None:
        """Guarded by host and origin instead."""

    def on_connection_close(self) -> None:
        """Who has hung up does not poll any more; anything else that has arrived is still done."""
        path = self.request.path.lower()
        gone = path.endswith("/getupdates") or path.startswith("/control/")
        if self._task is not None and (gone or self._task in self._router.api.on_the_way):
            self._task.cancel()

    async def _answer(self) -> None:
        request = self.request
        query = {name: values[-1].decode() for name, values in request.query_arguments.items()}
        work = self._router.reply(
            request.method or "GET", request.path, query, request.headers.get("Content-Type", ""), request.body
        )
        self._task = asyncio.ensure_future(work)
        try:
            reply = await self._task
        except ConnectionLost:
            self.request.connection.detach().close()  # type: ignore[union-attr]
            self._finished = True
            return
        except asyncio.CancelledError:
            if self._task.cancelled():
                self._finished = True
                return
            raise
        if reply is None:
            raise HTTPError(404)
        self.set_status(reply.status)
        self.set_header("Content-Type", reply.content_type)
        # A file that somebody sent is looked at as what it says it is, and never run as a page of ours.
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Content-Security-Policy", "sandbox; default-src 'none'")
        self.set_header("Cache-Control", "max-age=31536000, immutable" if reply.lasting else "no-store")
        await self.finish(reply.body)

    async def get(self) -> None:
        """GET."""
        await self._answer()

    async def post(self) -> None:
        """POST."""
        await self._answer()

    async def patch(self) -> None:
        """PATCH."""
        await self._answer()

    async def delete(self) -> None:
        """DELETE."""
        await self._answer()


class EventsHandler(RequestHandler):
    """Server-sent events."""

    def initialize(self, control: Control, closing: asyncio.Event) -> None:
        self._control = control
        self._closing = closing
        self._task: asyncio.Task[None] | None = None

    def prepare(self) -> None:
        _only_loopback(self)

    def on_connection_close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def get(self) -> None:
        """The stream, until either side closes."""
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-store")
        self._task = asyncio.ensure_future(self._stream())
        closing = asyncio.ensure_future(self._closing.wait())
        await asyncio.wait({self._task, closing}, return_when=asyncio.FIRST_COMPLETED)
        closing.cancel()
        self._task.cancel()

    async def _stream(self) -> None:
        hub = self._control.api.hub
        try:
            with hub.listen() as queue:
                self.write(": open\n\n")
                await self.flush()
                while True:
                    try:
                        event = await asyncio.wait_for(queue.get(), HEARTBEAT_SECONDS)
                    except TimeoutError:
                        self.write(": still here\n\n")
                        await self.flush()
                        continue
                    if event.kind is EventKind.MESSAGE and event.data.deleted:
                        continue
                    data = json.dumps(self._control.event_json(event), ensure_ascii=False, separators=(",", ":"))
                    self.write(f"event: {event.kind.value}\ndata: {data}\n\n")
                    if queue.empty():
                        await self.flush()
        except StreamClosedError:
            return


class PageHandler(StaticFileHandler):
    """The page and its parts; asked for anew each time, they change while one works on them."""

    def prepare(self) -> None:
        _only_loopback(self)

    def set_extra_headers(self, path: str) -> None:
        """Always fresh."""
        self.set_header("Cache-Control", "no-cache")


def application(router: Router, control: Control, closing: asyncio.Event) -> Application:
    """The tornado application."""
    return Application(
        [
            (r"/control/events", EventsHandler, {"control": control, "closing": closing}),
            (r"/bot.*|/file/.*|/control/.*", RouterHandler, {"router": router}),
            (r"/static/(.+)", PageHandler, {"path": str(STATIC)}),
            (r"/()", PageHandler, {"path": str(STATIC), "default_filename": "index.html"}),
        ],
        log_function=lambda _: None,
    )
