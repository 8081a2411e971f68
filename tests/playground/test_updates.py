"""Updates by long polling and by webhook."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from telegram import Bot, Update
from telegram.error import BadRequest, Conflict
from telegram.ext import Application, ContextTypes, MessageHandler, filters
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application as WebApplication
from tornado.web import RequestHandler

from playground import webhook
from playground.client import Control
from playground.scene import GROUP_ID, PEOPLE
from playground.server import Playground

ZIMA = PEOPLE[0][0]
Until = Callable[[Callable[[], bool]], Awaitable[None]]
TOKEN = "777000111:playground-token_1"


async def test_an_update_comes_again_until_it_is_confirmed(bot: Bot, control: Control) -> None:
    for text in ("раз", "два", "три"):
        await control.send(ZIMA, GROUP_ID, text)
    first = await bot.get_updates(limit=2)
    assert [one.message and one.message.text for one in first] == ["раз", "два"]
    assert [one.update_id for one in await bot.get_updates(limit=2)] == [one.update_id for one in first]
    rest = await bot.get_updates(offset=first[-1].update_id + 1)
    assert [one.message and one.message.text for one in rest] == ["три"]
    assert await bot.get_updates(offset=-1) == rest
    assert await bot.get_updates(offset=rest[-1].update_id + 1) == ()


async def test_a_long_poll_answers_at_once_when_something_comes(
    bot: Bot, control: Control, playground: Playground, until: Until
) -> None:
    polling = asyncio.ensure_future(bot.get_updates(timeout=30))
    await until(lambda: playground.api.updates.polled)
    await control.send(ZIMA, GROUP_ID, "А4")
    (update,) = await asyncio.wait_for(polling, 5)
    assert update.message is not None
    assert update.message.text == "А4"


async def test_two_pollers_get_in_each_others_way(bot: Bot, playground: Playground, until: Until) -> None:
    first = asyncio.ensure_future(bot.get_updates(timeout=30))
    await until(lambda: playground.api.updates.polled)
    second = asyncio.ensure_future(bot.get_updates(timeout=0))
    with pytest.raises(Conflict, match="terminated by other getUpdates request"):
        await first
    assert await second == ()


async def test_kinds_of_updates_are_remembered(bot: Bot, control: Control) -> None:
    await bot.get_updates(allowed_updates=["edited_message"])
    shown = await control.send(ZIMA, GROUP_ID, "А4")
    await control.send(ZIMA, GROUP_ID, "А5", edit=shown["message_id"])
    (update,) = await bot.get_updates()
    assert update.edited_message is not None
    # An empty list is the default again; what was already thrown away does not come back.
    assert len(await bot.get_updates(allowed_updates=[])) == 1
    await control.send(ZIMA, GROUP_ID, "А6")
    assert len(await bot.get_updates()) == 2


async def test_updates_are_kept_for_a_day(bot: Bot, control: Control) -> None:
    await control.send(ZIMA, GROUP_ID, "вчера")
    await control.advance(20 * 3600)
    await control.send(ZIMA, GROUP_ID, "сегодня")
    await control.advance(5 * 3600)
    (update,) = await bot.get_updates()
    assert update.message is not None
    assert update.message.text == "сегодня"


async def test_a_raw_update(bot: Bot, control: Control) -> None:
    number = await control.update(
        poll_answer={
            "poll_id": "1",
            "option_ids": [0],
            "option_persistent_ids": [],
            "user": {"id": ZIMA, "is_bot": False, "first_name": "ZimA"},
        }
    )
    (update,) = await bot.get_updates()
    assert update.update_id == number
    assert update.poll_answer is not None


async def test_an_application_plays_by_polling(bot: Bot, control: Control) -> None:
    async def echo(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.message is not None
        await update.message.reply_text(f"эхо: {update.message.text}")

    app = Application.builder().bot(bot).build()
    app.add_handler(MessageHandler(filters.TEXT, echo))
    async with app:
        assert app.updater is not None
        await app.updater.start_polling()
        await app.start()
        said = await control.send(ZIMA, GROUP_ID, "А4")
        answer = await control.wait(GROUP_ID, "^эхо", after=said["version"])
        assert answer["reply_to_message"]["message_id"] == said["message_id"]
        assert await control.idle()
        await app.updater.stop()
        await app.stop()


# -- webhooks ----------------------------------------------------------------------------------------------------


class Hook:
    """A webhook that remembers what comes; `refuse` says how often it first answers 500, `reply` what it answers."""

    def __init__(self) -> None:
        self.url = ""
        self.refuse = 0
        self.reply = b""
        self.got: asyncio.Queue[tuple[str | None, dict[str, Any]]] = asyncio.Queue()


@pytest.fixture
async def hook(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hook]:
    """A webhook on loopback."""
    one = Hook()

    class Handler(RequestHandler):
        def post(self) -> None:
            if one.refuse:
                one.refuse -= 1
                self.set_status(500)
                return
            one.got.put_nowait(
                (self.request.headers.get("X-Telegram-Bot-Api-Secret-Token"), json.loads(self.request.body))
            )
            self.set_header("Content-Type", "application/json")
            self.write(one.reply)

    monkeypatch.setattr(webhook, "RETRY_SECONDS", (0.0,))
    server = HTTPServer(WebApplication([("/hook", Handler)], log_function=lambda _: None))
    sockets = bind_sockets(0, "127.0.0.1")
    server.add_sockets(sockets)
    one.url = f"http://127.0.0.1:{sockets[0].getsockname()[1]}/hook"
    yield one
    server.stop()
    await server.close_all_connections()


async def test_a_webhook_gets_updates_in_order_with_the_secret(bot: Bot, control: Control, hook: Hook) -> None:
    hook.refuse = 2
    await bot.set_webhook(hook.url, secret_token="s3cret-token", allowed_updates=["message"])
    for text in ("раз", "два"):
        await control.send(ZIMA, GROUP_ID, text)
    for text in ("раз", "два"):
        secret, update = await asyncio.wait_for(hook.got.get(), 5)
        assert (secret, update["message"]["text"]) == ("s3cret-token", text)
    assert await control.idle()
    info = await bot.get_webhook_info()
    assert (info.url, info.pending_update_count, info.allowed_updates) == (hook.url, 0, ("message",))
    assert info.last_error_message == "Wrong response from the webhook: 500 Internal Server Error"


async def test_a_webhook_may_call_a_method_in_its_answer(bot: Bot, control: Control, hook: Hook) -> None:
    hook.reply = b'{"method": "sendMessage", "chat_id": %d, "text": "in the answer"}' % GROUP_ID
    await bot.set_webhook(hook.url)
    await control.send(ZIMA, GROUP_ID, "А4")
    assert await control.wait(GROUP_ID, "in the answer")


async def test_a_webhook_and_long_polling_exclude_each_other(bot: Bot, hook: Hook) -> None:
    await bot.set_webhook(hook.url)
    with pytest.raises(Conflict, match="can't use getUpdates method while webhook is active"):
        await bot.get_updates()
    await bot.delete_webhook()
    assert await bot.get_updates() == ()
    assert (await bot.get_webhook_info()).url == ""
    with pytest.raises(BadRequest, match="Secret token contains unallowed characters"):
        await bot.set_webhook(hook.url, secret_token="ой")


async def test_ptbs_own_webhook(playground: Playground, control: Control, unused_port: Callable[[], int]) -> None:
    url = await playground.start()
    app = Application.builder().token(TOKEN).base_url(f"{url}/bot").build()
    heard: asyncio.Queue[str | None] = asyncio.Queue()

    async def hear(update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.message is not None
        heard.put_nowait(update.message.text)

    app.add_handler(MessageHandler(filters.TEXT, hear))
    async with app:
        assert app.updater is not None
        port = unused_port()
        await app.updater.start_webhook(
            "127.0.0.1", port, "hook", webhook_url=f"http://127.0.0.1:{port}/hook", secret_token="abc"
        )
        await app.start()
        await control.send(ZIMA, GROUP_ID, "А4")
        assert await asyncio.wait_for(heard.get(), 5) == "А4"
        await app.updater.stop()
        await app.stop()


async def test_numbers_do_not_begin_anew_where_a_database_outlives_the_playground() -> None:
    """A bot knows a move by its message's number: one that came back would be taken for a repetition."""
    later = Playground(numbers_from=7_000)
    control = later.client()
    person = (await control.state())["people"][0]["id"]

    in_group = await control.send(person, GROUP_ID, "hello")
    in_private = await control.send(person, person, "hello")
    update = later.api.updates.pending[-1].id

    assert in_group["message_id"] > 7_000
    assert in_private["message_id"] > 7_000
    assert update > 100_007_000
    await later.stop()
