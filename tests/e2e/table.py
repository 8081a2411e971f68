"""A playground, a bot in it over real HTTP, and people who only do what people can do: write, press, look."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot import PLAYGROUND_TOKEN, Bot, join_clock
from playground.client import Control, ControlError
from playground.scene import GROUP_ID
from playground.server import Playground
from referee.clock import Clock
from referee.gate import Limits
from storage.sqlite import SqliteDatabase

Json = dict[str, Any]


class Table:
    """What the people of a test can do and see."""

    def __init__(self, control: Control, bot: Bot, people: dict[str, int]) -> None:
        self.control = control
        self.bot = bot
        self.people = people
        self.group = GROUP_ID
        self.seen: dict[int, int] = {}
        """Per chat, the newest version that a test has waited for."""

    def name_of(self, person: int) -> str:
        """The name of a person by his number."""
        return next(name for name, number in self.people.items() if number == person)

    async def say(self, who: str, text: str, *, private: bool = False, chat: int | None = None, **more: Any) -> Json:
        """Somebody writes in the group, or to the bot in private."""
        person = self.people[who]
        return await self.control.send(person, person if private else chat or self.group, text, **more)

    async def hears(self, text: str, *, chat: int | None = None, who: str | None = None, timeout: float = 20) -> Json:  # noqa: ASYNC109
        """Wait for a message (new or edited) that matches, newer than the last that was waited for in this chat."""
        where = self.people[who] if who is not None else chat or self.group
        message = await self.control.wait(where, text, after=self.seen.get(where, 0), timeout=timeout)
        self.seen[where] = max(self.seen.get(where, 0), int(message["version"]))
        return message

    async def newest(self, *, chat: int | None = None, who: str | None = None, button: str | None = None) -> Json:
        """The newest message of a chat (that has such a button)."""
        where = self.people[who] if who is not None else chat or self.group
        for message in reversed(await self.control.messages(where)):
            if button is None or self.button(message, button) is not None:
                return message
        raise ControlError(f"no message with a button like {button!r} in {where}")

    @staticmethod
    def buttons(message: Json) -> list[Json]:
        """All buttons of a message."""
        return [button for row in message.get("reply_markup", {}).get("inline_keyboard", []) for button in row]

    @classmethod
    def button(cls, message: Json, text: str) -> Json | None:
        """The button of a message whose text matches."""
        return next((b for b in cls.buttons(message) if re.search(text, b["text"])), None)

    async def press(self, who: str, text: str, *, private: bool = False, message: Json | None = None) -> Json:
        """Somebody presses a button (of the newest message that has it); a link into the private chat is followed.

        Gives the toast: `{text, show_alert}`, empty for a link.
        """
        person = self.people[who]
        chat = person if private else self.group
        if message is None:
            message = await self.newest(chat=chat, button=text)
        button = self.button(message, text)
        assert button is not None, f"no button like {text!r} among {[b['text'] for b in self.buttons(message)]}"
        if "url" in button:
            await self.control.start(person, button["url"].partition("start=")[2])
            return {}
        pressed = await self.control.press(person, chat, message["message_id"], button["callback_data"])
        assert pressed["answer"] is not None, "the press was never answered"
        return dict(pressed["answer"])

    async def texts(self, chat: int | None = None) -> list[str]:
        """Everything that is written in a chat."""
        found = await self.control.messages(chat or self.group)
        return [message.get("text") or message.get("caption") or "" for message in found]

    async def settle(self) -> None:
        """Wait until the bot has handled everything and said everything."""
        async with asyncio.timeout(30):
            # Short, since the bot itself can be asked whether it still has something to say.
            await self.control.get("idle", quiet=0.02)
            await self.bot.house.idle()
            await self.control.get("idle", quiet=0.02)


@asynccontextmanager
async def table(
    database: Path, *, moment: str | None = None, limits: Limits | None = None, privacy: bool = False
) -> AsyncIterator[Table]:
    """A running playground and a running bot, both ended afterwards. `moment`: the playground's time at first."""
    playground = Playground()
    url = await playground.start()
    control = Control(url)
    try:
        await control.switch(limits=limits is not None, privacy=privacy)
        if moment is not None:
            await control.move_to(moment)
        people = {
            " ".join(filter(None, (person["first_name"], person.get("last_name")))): person["id"]
            for person in (await control.state())["people"]
        }
        async with running_bot(url, database, limits=limits) as bot:
            yield Table(control, bot, people)
    finally:
        await control.close()
        await playground.stop()


@asynccontextmanager
async def running_bot(url: str, database: Path, *, limits: Limits | None = None) -> AsyncIterator[Bot]:
    """A bot connected to a playground over HTTP, living in the playground's time."""
    clock = Clock()
    following = await join_clock(url, clock)
    opened = await SqliteDatabase.open(database)
    bot = await Bot.build(PLAYGROUND_TOKEN, opened, clock, limits=limits or Limits.none(), api_url=url)
    running: asyncio.Task[None] | None = None
    try:
        await bot.start()
        running = asyncio.create_task(bot.run())
        yield bot
    finally:
        bot.polling.stop()
        if running is not None:
            await running
        await bot.stop()
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        await opened.close()
