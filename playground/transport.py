"""The playground as a transport of httpx: PTB's own encoder and errors, no sockets.

HTTPXRequest(httpx_kwargs={"transport": playground.transport()})
"""

import httpx

from playground.router import Router
from playground.wire import ConnectionLost


class PlaygroundTransport(httpx.AsyncBaseTransport):
    """Answers requests from the playground in the same event loop."""

    def __init__(self, router: Router) -> None:
        self._router = router

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One request; a broken connection is an httpx.ReadError."""
        body = await request.aread()
        try:
            reply = await self._router.reply(
                request.method,
                request.url.path,
                dict(request.url.params),
                request.headers.get("Content-Type", ""),
                body,
            )
        except ConnectionLost as lost:
            raise httpx.ReadError(str(lost) or "connection broken on order", request=request) from None
        if reply is None:
            return httpx.Response(404, content=b"Not Found", request=request)
        return httpx.Response(
            reply.status, headers={"Content-Type": reply.content_type}, content=reply.body, request=request
        )
