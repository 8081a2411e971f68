"""The same over HTTP: sockets, uploads, long polls that hang up, the event stream, the page."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest
from telegram import Bot
from telegram.error import BadRequest, NetworkError

from playground.client import Control
from playground.scene import GROUP_ID, PEOPLE
from playground.server import Playground

ZIMA = PEOPLE[0][0]
Until = Callable[[Callable[[], bool]], Awaitable[None]]
TOKEN = "777000111:playground-token_1"


@pytest.fixture
async def url(playground: Playground) -> str:
    """Where the playground listens."""
    return await playground.start()


@pytest.fixture
async def web(url: str) -> AsyncIterator[httpx.AsyncClient]:
    """A plain HTTP client."""
    async with httpx.AsyncClient(base_url=url, timeout=10, trust_env=False) as client:
        yield client


@pytest.fixture
async def over_http(url: str) -> AsyncIterator[Bot]:
    """PTB's Bot over loopback."""
    async with Bot(TOKEN, base_url=f"{url}/bot", base_file_url=f"{url}/file/bot") as bot:
        yield bot


async def test_texts_uploads_and_downloads(over_http: Bot, url: str, pictures: Any) -> None:
    message = await over_http.send_photo(GROUP_ID, pictures.png(40, 30), caption="поле")
    file = await over_http.get_file(message.photo[-1].file_id)
    assert bytes(await file.download_as_bytearray()) == pictures.png(40, 30)
    async with Control(url) as control:
        shown = (await control.messages(GROUP_ID))[-1]
        picture = await control.http.get(shown["file"])
        assert picture.content == pictures.png(40, 30)
        assert picture.headers["Content-Type"] == "image/png"
        by_id = await control.http.get(f"/control/files/{message.photo[0].file_id}")
        assert by_id.content == picture.content
    with pytest.raises(BadRequest, match="Message to edit not found"):
        await over_http.edit_message_text("x", GROUP_ID, 9999)


async def test_a_long_poll_over_http(over_http: Bot, url: str) -> None:
    async with Control(url) as control:
        polling = asyncio.ensure_future(over_http.get_updates(timeout=20))
        await control.send(ZIMA, GROUP_ID, "А4")
        (update,) = await asyncio.wait_for(polling, 5)
        assert update.message is not None


async def test_who_hangs_up_does_not_poll_any_more(
    playground: Playground, url: str, web: httpx.AsyncClient, until: Until
) -> None:
    async with httpx.AsyncClient(base_url=url, trust_env=False) as other:
        poll = asyncio.ensure_future(other.get(f"/bot{TOKEN}/getUpdates?timeout=30", timeout=30))
        await until(lambda: playground.api.updates.polled)
        poll.cancel()
        await asyncio.wait({poll})
    await until(lambda: not playground.api.updates.polled)
    await web.post("/control/send", json={"from": ZIMA, "chat": GROUP_ID, "text": "А4"})
    answer = (await web.get(f"/bot{TOKEN}/getUpdates")).json()
    assert [one["message"]["text"] for one in answer["result"]] == ["А4"]


@pytest.mark.parametrize(
    "request_of",
    [
        {"params": {"chat_id": str(GROUP_ID), "text": "привет"}},
        {"data": {"chat_id": str(GROUP_ID), "text": "привет"}},
        {"json": {"chat_id": GROUP_ID, "text": "привет"}},
        {"files": {"chat_id": (None, str(GROUP_ID)), "text": (None, "привет")}},
    ],
    ids=["query", "form", "json", "multipart"],
)
async def test_every_encoding_of_parameters(web: httpx.AsyncClient, request_of: dict[str, Any]) -> None:
    answer = (await web.post(f"/bot{TOKEN}/sendMessage", **request_of)).json()
    assert answer["result"]["text"] == "привет"


async def test_a_delayed_call_of_who_hangs_up_never_arrives(over_http: Bot, url: str) -> None:
    async with Control(url) as control:
        before = await control.messages(GROUP_ID)
        await control.fault("sendMessage", delay=60)
        sending = asyncio.ensure_future(over_http.send_message(GROUP_ID, "х"))
        await control.struck()
        sending.cancel()
        [call] = await control.calls(method="sendMessage", count=1)
        assert not call["ok"]
        assert await control.messages(GROUP_ID) == before


async def test_broken_requests(web: httpx.AsyncClient) -> None:
    broken = await web.post(f"/bot{TOKEN}/getMe", content=b"{", headers={"Content-Type": "application/json"})
    assert (broken.status_code, broken.json()["error_code"]) == (400, 400)
    assert (await web.get("/botnonsense/getMe")).json()["description"] == "Unauthorized: invalid token specified"
    assert (await web.get(f"/bot{TOKEN}/nothing")).json()["description"] == "Not Found: method not found"
    assert (await web.get(f"/file/bot{TOKEN}/photos/file_99.png")).status_code == 404
    assert (await web.get("/nothing")).status_code == 404
    refused = await web.post("/control/send", content=b"[]")
    assert (refused.status_code, "JSON object" in refused.json()["error"]) == (400, True)


async def test_a_broken_connection_over_http(over_http: Bot, url: str) -> None:
    async with Control(url) as control:
        await control.fault("sendMessage", code=0, after=True)
        with pytest.raises(NetworkError):
            await over_http.send_message(GROUP_ID, "дошло, но ответа нет")
        assert (await control.messages(GROUP_ID))[-1]["text"] == "дошло, но ответа нет"


async def test_no_other_site_drives_the_playground(web: httpx.AsyncClient, url: str) -> None:
    for headers in ({"Origin": "https://evil.example"}, {"Host": "evil.example"}):
        assert (await web.get("/control/state", headers=headers)).status_code == 403
        assert (await web.get("/control/events", headers=headers)).status_code == 403
    assert (await web.get("/control/state", headers={"Origin": url})).status_code == 200


class Stream:
    """Reads server-sent events."""

    def __init__(self, response: httpx.Response) -> None:
        self._lines = response.aiter_lines()

    async def next(self) -> tuple[str, dict[str, Any]]:
        """The next event that is no comment."""
        name = ""
        while True:
            line = await asyncio.wait_for(anext(self._lines), 5)
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                return name, json.loads(line.removeprefix("data: "))

    async def opened(self) -> None:
        """Wait for the first comment."""
        assert await asyncio.wait_for(anext(self._lines), 5) == ": open"


async def test_the_event_stream(over_http: Bot, web: httpx.AsyncClient) -> None:
    async with web.stream("GET", "/control/events") as response:
        stream = Stream(response)
        await stream.opened()
        sent = await over_http.send_message(GROUP_ID, "ход 1")
        name, data = await stream.next()
        assert (name, data["text"], data["chat"]["id"]) == ("message", "ход 1", GROUP_ID)
        await over_http.edit_message_text("ход 2", GROUP_ID, sent.message_id)
        name, data = await stream.next()
        assert (name, data["text"], data["edited"]) == ("message", "ход 2", 1)
        await over_http.delete_message(GROUP_ID, sent.message_id)
        name, data = await stream.next()
        assert (name, data["message_id"]) == ("deleted", sent.message_id)
        await over_http.send_chat_action(GROUP_ID, "typing")
        assert await stream.next() == ("action", {"chat": GROUP_ID, "action": "typing"})
        await web.post("/control/clock", json={"advance": 60})
        name, data = await stream.next()
        assert (name, data["offset"]) == ("clock", 60)
        await web.post("/control/people", json={"first_name": "Кок"})
        assert (await stream.next())[0] == "state"


async def test_the_page_is_served(web: httpx.AsyncClient) -> None:
    page = await web.get("/")
    assert page.status_code == 200
    assert "text/html" in page.headers["Content-Type"]
    assert (await web.get("/static/../server.py")).status_code in (403, 404)


async def test_stopping_ends_streams_and_polls(playground: Playground, web: httpx.AsyncClient, until: Until) -> None:
    poll = asyncio.ensure_future(web.get(f"/bot{TOKEN}/getUpdates?timeout=50"))
    await until(lambda: playground.api.updates.polled)
    await asyncio.wait_for(playground.stop(), 5)
    with pytest.raises((httpx.HTTPError, AssertionError)):
        assert (await poll).status_code == 200
