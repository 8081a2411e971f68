"""A match of two by the shortest way: a lobby, a fleet each, START; and what a test may look up behind the scenes."""

from __future__ import annotations

import re

from engines.sea_battle import ENGINE
from engines.sea_battle.cells import cell_name
from engines.sea_battle.model import Phase, SeaView
from engines.sea_battle.state import SeaState
from locales import words
from storage import matches, outbox
from storage.records import Match
from tests.e2e.table import Json, Table

TEXT = words("ru")
RED, BLUE = "ZimA", "Адвокат"
"""The opener and his opponent (the lot decides about colours)."""


def label(key: str, **values: object) -> str:
    """A pattern for exactly this text of a button."""
    return f"^{re.escape(TEXT.plain(key, **values))}$"


class Duel:
    """One match of two, in any chat where both are members."""

    def __init__(self, at: Table, chat: int, match_id: int, people: tuple[str, str], thread: int | None = None) -> None:
        self.at = at
        self.chat = chat
        self.id = match_id
        self.people = people
        self.thread = thread

    @classmethod
    async def open(
        cls,
        at: Table,
        chat: int | None = None,
        people: tuple[str, str] = (RED, BLUE),
        thread: int | None = None,
    ) -> Duel:
        """Open a lobby; the second person joins by the button."""
        chat = at.group if chat is None else chat
        await at.say(people[0], "/sea", chat=chat, thread=thread)
        await at.settle()
        lobby = await at.newest(chat=chat, button=label("button-join"))
        button = at.button(lobby, label("button-join"))
        assert button is not None
        payload = button["url"].partition("start=")[2]
        await at.control.start(at.people[people[1]], payload)
        await at.settle()
        return cls(at, chat, int(payload[1:]), people, thread)

    @classmethod
    async def placing(cls, at: Table, chat: int | None = None, people: tuple[str, str] = (RED, BLUE)) -> Duel:
        """A lobby that was begun: both have been sent their boards."""
        duel = await cls.open(at, chat, people)
        await at.control.start(at.people[people[0]])
        await duel.press(people[0], "button-begin")
        return duel

    @classmethod
    async def playing(cls, at: Table, chat: int | None = None, people: tuple[str, str] = (RED, BLUE)) -> Duel:
        """In the first turn."""
        duel = await cls.placing(at, chat, people)
        for who in people:
            await duel.press(who, "sea-button-random", private=True)
            await duel.press(who, "sea-button-confirm", private=True)
        await duel.press(people[0], "sea-button-start")
        assert (await duel.view()).phase is Phase.PLAYING
        return duel

    async def press(self, who: str, key: str, *, private: bool = False) -> Json:
        """Press the newest button of this match that has these words; then everything comes to rest."""
        person = self.at.people[who]
        chat = person if private else self.chat
        for message in reversed(await self.at.control.messages(chat)):
            button = self.at.button(message, label(key))
            if button is not None and button.get("callback_data", "").split(":")[1:2] == [str(self.id)]:
                break
        else:
            raise AssertionError(f"no button {key} of match {self.id} in {chat}")
        pressed = await self.at.control.press(person, chat, message["message_id"], button["callback_data"])
        await self.at.settle()
        assert pressed["answer"] is not None, "the press was never answered"
        return dict(pressed["answer"])

    async def stored(self) -> Match:
        """The match as it is kept."""
        async with self.at.bot.database.reading() as db:
            match = await matches.get(db, self.id)
        assert match is not None
        return match

    async def state(self) -> SeaState:
        """All of the game."""
        return ENGINE.read_state((await self.stored()).state or "")

    async def view(self) -> SeaView:
        """What everybody may know."""
        return ENGINE.view(await self.state(), None)

    async def shots(self) -> int:
        """How many shots were made."""
        return sum(len(board.shots) for board in (await self.view()).boards)

    async def name(self, seat: int) -> str:
        """Who sits there."""
        async with self.at.bot.database.reading() as db:
            members = await matches.members(db, self.id)
        person = next(member.person_id for member in members if member.seat == seat)
        return self.at.name_of(person)

    async def on_move(self) -> tuple[str, str]:
        """Who has to shoot, and at whom."""
        player = next(player for player in (await self.view()).players if player.may_shoot)
        return await self.name(player.seat), await self.name(player.opponents[0])

    async def water(self) -> str:
        """A cell of the board under fire that is water and was not shot at."""
        state = await self.state()
        player = next(player for player in (await self.view()).players if player.may_shoot)
        target = state.players[player.opponents[0]]
        taken = {shot.cell for shot in target.shots} | {cell for ship in target.ships for cell in ship.cells()}
        return cell_name(next(cell for cell in range(100) if cell not in taken))

    async def miss(self) -> None:
        """Whoever has to shoot does so, in the group, into the water."""
        shooter, target = await self.on_move()
        before = await self.shots()
        await self.at.say(shooter, f"То {target} - {await self.water()}", chat=self.chat, thread=self.thread)
        await self.at.settle()
        assert await self.shots() == before + 1

    async def slot(self, name: str) -> int:
        """The number of the message that shows a slot."""
        async with self.at.bot.database.reading() as db:
            shown = await outbox.message(db, self.id, name)
        assert shown is not None
        return shown.message_id
