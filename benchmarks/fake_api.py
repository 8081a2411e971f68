"""A Bot API server that answers at once and remembers nothing: what it costs is left out of what is measured.

    python benchmarks/fake_api.py PORT

`POST /load` takes a list of updates; getUpdates gives them out a hundred at a time; `GET /report` says how many
calls of each method came and when the last of each came, in seconds since the first update was given out.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections import Counter

MESSAGE = json.dumps(
    {"ok": True, "result": {"message_id": 1, "date": 1, "chat": {"id": -1, "type": "supergroup", "title": "x"}}}
)
ME = json.dumps(
    {
        "ok": True,
        "result": {
            "id": 1,
            "is_bot": True,
            "first_name": "Bench",
            "username": "bench_bot",
            "can_read_all_group_messages": True,
        },
    }
)
TRUE = '{"ok":true,"result":true}'
BATCH = 100


class World:
    """What is to be given out, and what came back."""

    def __init__(self) -> None:
        self.updates: list[dict[str, object]] = []
        self.loaded = asyncio.Event()
        self.reset()

    def reset(self) -> None:
        """Forget the last run."""
        self.began: float | None = None
        self.last: dict[str, float] = {}
        self.calls: Counter[str] = Counter()

    async def answer(self, path: str, body: bytes) -> str:
        """The answer to one request."""
        if path == "/load":
            self.reset()
            self.updates = json.loads(body)
            self.loaded.set()
            return TRUE
        if path.startswith("/report"):
            return json.dumps({"calls": self.calls, "last": self.last})
        method = path.rpartition("/")[2]
        self.calls[method] += 1
        match method:
            case "getUpdates":
                return await self._updates(body)
            case "getMe":
                return ME
            case "setMyCommands" | "deleteWebhook" | "setMessageReaction" | "answerCallbackQuery":
                answer = TRUE
            case _:
                answer = MESSAGE
        if self.began is not None:
            self.last[method] = time.perf_counter() - self.began
        return answer

    async def _updates(self, body: bytes) -> str:
        fields = dict(pair.split("=", 1) for pair in body.decode().split("&") if "=" in pair)
        offset = int(fields.get("offset", "0"))
        self.updates = [update for update in self.updates if int(str(update["update_id"])) >= offset]
        if not self.updates:
            self.loaded.clear()
            try:
                await asyncio.wait_for(
                    self.loaded.wait(), 20 if fields.get("timeout", "0") not in ("0", "0.0") else 0.01
                )
            except TimeoutError:
                return '{"ok":true,"result":[]}'
        if self.began is None:
            self.began = time.perf_counter()
        return json.dumps({"ok": True, "result": self.updates[:BATCH]})


async def serve(world: World, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection, kept alive."""
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            path = head.split(" ", 2)[1]
            length = 0
            for line in head.split("\r\n"):
                name, _, value = line.partition(":")
                if name.lower() == "content-length":
                    length = int(value)
            answer = (await world.answer(path, await reader.readexactly(length))).encode()
            writer.write(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(answer)
                + answer
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main(port: int) -> None:
    """Serve for ever."""
    world = World()
    server = await asyncio.start_server(lambda r, w: serve(world, r, w), "127.0.0.1", port, limit=1 << 26)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
