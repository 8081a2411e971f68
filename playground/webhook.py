"""Updates pushed to the bot's webhook, one after another, again until they are taken."""

import asyncio
import json
from contextlib import suppress
from urllib.parse import urlsplit

import httpx

from playground.api import Api
from playground.wire import Json

RETRY_SECONDS = (0.2, 1.0, 3.0, 10.0)
ANSWER_SECONDS = 60.0


class Webhook:
    """The pusher. It runs only while a webhook is set."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._task: asyncio.Task[None] | None = None
        self._url = ""
        self._connections = 40
        self._last_error: tuple[int, str] | None = None

    def start(self, url: str, secret: str, connections: int) -> None:
        """Push to this address from now on."""
        self.stop()
        self._url, self._connections, self._last_error = url, connections, None
        self._task = asyncio.get_running_loop().create_task(self._push_all(url, secret))

    def stop(self) -> None:
        """Push no more."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._url = ""

    async def close(self) -> None:
        """Stop and wait until it has stopped."""
        task = self._task
        self.stop()
        if task is not None:
            with suppress(asyncio.CancelledError):
                await task

    def info(self) -> Json:
        """The fields of a `WebhookInfo`."""
        info: Json = {"url": self._url, "max_connections": self._connections}
        host = urlsplit(self._url).hostname or ""
        info["ip_address"] = "127.0.0.1" if host == "localhost" else host
        if self._last_error is not None:
            info["last_error_date"], info["last_error_message"] = self._last_error
        return info

    async def _push_all(self, url: str, secret: str) -> None:
        headers = {"X-Telegram-Bot-Api-Secret-Token": secret} if secret else {}
        async with httpx.AsyncClient(timeout=ANSWER_SECONDS, trust_env=False) as client:
            failures = 0
            while True:
                await self._api.updates.arrival()
                update = self._api.updates.pending[0]
                if await self._push(client, url, headers, update.body):
                    failures = 0
                    self._api.updates.confirm(update.id + 1)
                else:
                    await asyncio.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
                    failures += 1

    async def _push(self, client: httpx.AsyncClient, url: str, headers: dict[str, str], update: Json) -> bool:
        try:
            response = await client.post(url, json=update, headers=headers)
        except httpx.HTTPError as error:
            self._failed(f"Connection failed: {type(error).__name__}")
            return False
        if not response.is_success:
            self._failed(f"Wrong response from the webhook: {response.status_code} {response.reason_phrase}")
            return False
        await self._call_in_answer(response)
        return True

    def _failed(self, why: str) -> None:
        self._last_error = (int(self._api.world.now()), why)

    async def _call_in_answer(self, response: httpx.Response) -> None:
        """A bot may call a method in its answer to the push."""
        try:
            given = json.loads(response.content) if response.content else None
        except ValueError:
            return
        if isinstance(given, dict) and isinstance(given.get("method"), str):
            await self._api.call(given.pop("method"), given)
