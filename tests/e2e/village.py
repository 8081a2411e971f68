"""A playground in the test's process and the bot as a process of its own, which can be killed and started again."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from engines.sea_battle import ENGINE
from engines.sea_battle.model import SeaView
from engines.sea_battle.state import SeaState
from locales import words
from playground.client import Control
from playground.scene import GROUP_ID, PEOPLE
from playground.server import Playground
from storage import matches, outbox
from storage.records import Match, StoredAction
from storage.sqlite import SqliteDatabase

ROOT = Path(__file__).resolve().parent.parent.parent
RED_AND_BLUE = [PEOPLE[0][0], PEOPLE[1][0]]
TEXT = words("ru")
Json = dict[str, Any]


class Village:
    """A playground that outlives its bot."""

    def __init__(self, playground: Playground, control: Control, url: str, database: Path) -> None:
        self.playground = playground
        self.control = control
        self.url = url
        self.database = database
        self.log = database.with_suffix(".log")
        """What the bot has written to its log, over all its lives."""
        self.bot: asyncio.subprocess.Process | None = None

    async def start_bot(self) -> None:
        """Start the bot; back when it is about to listen."""
        last = max((call["n"] for call in await self.control.calls()), default=0)
        await self.launch()
        await self.control.calls(last, method="setMyCommands", count=6, timeout=30)

    async def launch(self) -> None:
        """Start the bot's process, and wait for nothing."""
        with self.log.open("ab") as log:
            self.bot = await asyncio.create_subprocess_exec(
                sys.executable,
                str(ROOT / "bot.py"),
                *("--playground", self.url, "--database", str(self.database), "--no-limits", "--drawers", "0"),
                env={**os.environ, "BOT_TOKEN": "", "LOG_LEVEL": "WARNING"},
                stderr=log,
            )

    async def kill(self, number: signal.Signals) -> int:
        """End the bot by a signal; its exit status."""
        assert self.bot is not None
        self.bot.send_signal(number)
        async with asyncio.timeout(10):
            return await self.bot.wait()

    async def stored(self) -> tuple[Match, list[StoredAction]]:
        """Match 1 and its record, as they are kept."""
        db = await SqliteDatabase.open(self.database)
        try:
            async with db.reading() as reading:
                match = await matches.get(reading, 1)
                record = await matches.actions(reading, 1)
        finally:
            await db.close()
        assert match is not None
        return match, record

    async def quiet(self) -> None:
        """Wait until the bot has handled everything and said everything."""
        await self.control.idle()
        await self.outbox_empty()
        await self.control.idle()

    async def outbox_empty(self) -> None:
        """Wait until all that was stored to be said has been said, and that is stored too."""
        async with asyncio.timeout(30):
            while True:
                db = await SqliteDatabase.open(self.database)
                try:
                    async with db.reading() as reading:
                        if await outbox.count(reading) == 0:
                            return
                finally:
                    await db.close()

    async def texts(self, chat: int = GROUP_ID) -> Counter[str]:
        """How often each text stands in a chat."""
        found = await self.control.messages(chat)
        return Counter(message.get("text") or message.get("caption") or "" for message in found)

    async def shown(self, chat: int, button: str) -> Json:
        """The newest message of a chat with such a button."""
        for message in reversed(await self.control.messages(chat)):
            if self.data(message, button) is not None or self.link(message, button) is not None:
                return message
        raise AssertionError(f"no button like {button!r} in {chat}")

    @staticmethod
    def _button(message: Json, text: str) -> Json | None:
        rows = message.get("reply_markup", {}).get("inline_keyboard", [])
        return next((b for row in rows for b in row if re.search(text, b["text"])), None)

    @classmethod
    def data(cls, message: Json, text: str) -> str | None:
        button = cls._button(message, text)
        return None if button is None else button.get("callback_data")

    @classmethod
    def link(cls, message: Json, text: str) -> str | None:
        button = cls._button(message, text)
        return None if button is None or "url" not in button else str(button["url"]).partition("start=")[2]

    async def press(self, person: int, chat: int, text: str, message: Json | None = None) -> str:
        """Press a button; the toast's text."""
        message = message or await self.shown(chat, text)
        data = self.data(message, text)
        answer = (await self.control.press(person, chat, message["message_id"], data, stale=True))["answer"]
        assert answer is not None, "the press was never answered"
        return str(answer.get("text") or "")

    @asynccontextmanager
    async def peek(self) -> AsyncIterator[tuple[SeaState, SeaView]]:
        """The stored match."""
        db = await SqliteDatabase.open(self.database)
        try:
            async with db.reading() as reading:
                match = await matches.get(reading, 1)
            assert match is not None
            assert match.state is not None
            state = ENGINE.read_state(match.state)
            yield state, ENGINE.view(state, None)
        finally:
            await db.close()

    async def to_placing(self) -> None:
        """A lobby of two that was begun."""
        red, blue = RED_AND_BLUE
        await self.control.send(red, GROUP_ID, "/sea")
        lobby = await self.control.wait(GROUP_ID, re.escape(TEXT.plain("game-sea_battle")))
        payload = self.link(lobby, TEXT.plain("button-join"))
        await self.control.start(blue, payload)
        await self.control.wait(GROUP_ID, re.escape(TEXT.html("lobby-joined", n=2)))
        await self.press(red, GROUP_ID, re.escape(TEXT.plain("button-begin")))
        for person in RED_AND_BLUE:
            await self.control.wait(person, "", button=TEXT.plain("sea-button-random"))

    async def to_first_turn(self) -> None:
        """A lobby of two, fleets at random, START."""
        red, _ = RED_AND_BLUE
        await self.to_placing()
        for person in RED_AND_BLUE:
            await self.press(person, person, f"^{re.escape(TEXT.plain('sea-button-random'))}$")
            await self.control.wait(person, "", button=TEXT.plain("sea-button-confirm"))
            await self.press(person, person, re.escape(TEXT.plain("sea-button-confirm")))
        await self.control.wait(GROUP_ID, "", button=TEXT.plain("sea-button-start"))
        await self.press(red, GROUP_ID, re.escape(TEXT.plain("sea-button-start")))
        await self.control.wait(GROUP_ID, "ХОД ЗА", button=TEXT.plain("sea-button-shoot"))


@asynccontextmanager
async def open_village(database: Path) -> AsyncIterator[Village]:
    """A village whose bot runs. Whatever happens, no process is left behind."""
    playground = Playground()
    url = await playground.start()
    control = Control(url)
    await control.switch(limits=False)
    here = Village(playground, control, url, database)
    try:
        await here.start_bot()
        yield here
    finally:
        if here.bot is not None and here.bot.returncode is None:
            here.bot.kill()
            await here.bot.wait()
        await control.close()
        await playground.stop()
