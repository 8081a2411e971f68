"""The playground as one object: start it, stop it, or use it in process."""

import asyncio
import time
from collections.abc import Callable

import httpx
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets

# Methods and control calls register themselves when their modules are imported.
from playground import (
    control_messages,  # noqa: F401
    control_people,  # noqa: F401
    control_world,  # noqa: F401
    methods_chat,  # noqa: F401
    methods_edit,  # noqa: F401
    methods_me,  # noqa: F401
    methods_queries,  # noqa: F401
    methods_send,  # noqa: F401
    methods_topics,  # noqa: F401
)
from playground.api import Api
from playground.client import Control as ControlClient
from playground.control import Control
from playground.http import MAX_BODY, application
from playground.router import Router
from playground.scene import open_scene
from playground.transport import PlaygroundTransport
from playground.webhook import Webhook

NUMBERS_A_SECOND = 10
NEW_YEAR_2026 = 1_767_225_600


def unused_numbers() -> int:
    """Where to number from, so that no number is met twice by a bot whose database outlives the playground.

    In Telegram a message, an update or a query never comes back under a number that was used, and bots rely on it.
    """
    return max(int(time.time()) - NEW_YEAR_2026, 0) * NUMBERS_A_SECOND


class Playground:
    """A playground on this event loop.

    `now` is the real time under the world's clock (Unix seconds); `monotonic` the time by which sending limits count.
    Both may be a test's own. `scene`: begin with the opening scene, not with an empty world. `numbers_from`: what
    messages, updates and queries are numbered from, see `unused_numbers`.
    """

    def __init__(
        self,
        *,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        scene: bool = True,
        numbers_from: int = 0,
    ) -> None:
        self.api = Api(now, monotonic, numbers_from)
        self.webhook = Webhook(self.api)
        self.api.webhook = self.webhook
        self.control = Control(self.api)
        self.router = Router(self.api, self.control)
        self.url = ""
        self._server: HTTPServer | None = None
        self._closing = asyncio.Event()
        if scene:
            open_scene(self.api)

    def transport(self) -> PlaygroundTransport:
        """A transport for httpx (one for each client): the Bot API and the control API without a socket."""
        return PlaygroundTransport(self.router)

    def client(self) -> ControlClient:
        """The control API as Python methods, without a socket."""
        return ControlClient(httpx.AsyncClient(transport=self.transport(), base_url="http://playground", timeout=60))

    async def start(self, port: int = 0) -> str:
        """Listen on loopback (port 0: any free one) and give the address, without a slash at its end."""
        sockets = bind_sockets(port, "127.0.0.1")
        self._closing.clear()
        app = application(self.router, self.control, self._closing)
        self._server = HTTPServer(app, max_buffer_size=MAX_BODY, max_body_size=MAX_BODY)
        self._server.add_sockets(sockets)
        self.url = f"http://127.0.0.1:{sockets[0].getsockname()[1]}"
        return self.url

    async def stop(self) -> None:
        """Close every connection and stop pushing."""
        await self.webhook.close()
        self.api.updates.interrupt("the playground stops")
        self._closing.set()
        if self._server is not None:
            self._server.stop()
            await self._server.close_all_connections()
            self._server = None
