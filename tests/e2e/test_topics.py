"""A match's own topic in a forum: made at the beginning, told in the lobby's message, and no loss when it is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from engines.sea_battle import ENGINE
from engines.sea_battle.cells import cell_name
from engines.sea_battle.model import Phase
from playground.scene import FORUM_ID
from storage import matches
from storage.records import Match
from tests.e2e.table import Json, Table, table

TUESDAY = "2027-03-02T12:00:00+03:00"


async def stored(at: Table) -> Match:
    async with at.bot.database.reading() as db:
        match = await matches.get(db, 1)
    assert match is not None
    return match


async def begin(at: Table, thread: int | None = None) -> None:
    """Вирт opens a lobby in the forum and begins against Юнга; Адвокат is the administrator."""
    at.group = FORUM_ID
    at.bot.house.host.new_seed = lambda: "topics"
    await at.say("Вирт", "/sea", thread=thread)
    await at.hears("набор на игру")
    await at.press("Юнга", "Участвую")
    await at.settle()
    await at.control.start(at.people["Вирт"], "hello")
    await at.press("Вирт", "Начать")
    await at.settle()


async def place(at: Table) -> None:
    for who in ("Вирт", "Юнга"):
        await at.press(who, "Случайно", private=True)
        await at.settle()
        await at.press(who, "Подтвердить", private=True)
        await at.settle()
    await at.press("Вирт", "СТАРТ")
    await at.settle()
    assert ENGINE.read_state((await stored(at)).state or "").phase is Phase.PLAYING


async def miss(at: Table, thread: int | None) -> None:
    """The player on move shoots into the water, by a message in a topic."""
    state = ENGINE.read_state((await stored(at)).state or "")
    seat = ENGINE.actors(state)[0]
    foe = state.players[seat].pair
    target = state.players[foe]
    taken = {shot.cell for shot in target.shots} | {cell for ship in target.ships for cell in ship.cells()}
    async with at.bot.database.reading() as db:
        names = {member.seat: member.name for member in await matches.members(db, 1)}
    cell = next(cell for cell in range(100) if cell not in taken)
    await at.say(names[seat], f"То {names[foe]} - {cell_name(cell)}", thread=thread)
    await at.settle()
    assert ENGINE.read_state((await stored(at)).state or "").turn == state.turn + 1


async def topics(at: Table) -> dict[str, int]:
    chats = (await at.control.state())["chats"]
    forum = next(chat for chat in chats if chat["id"] == FORUM_ID)
    return {topic["name"]: topic["message_thread_id"] for topic in forum["topics"]}


async def texts_in(at: Table, thread: int) -> list[str]:
    found: list[Json] = await at.control.messages(FORUM_ID, thread=thread)
    return [message.get("text") or message.get("caption") or "" for message in found]


async def test_a_match_of_a_forum_gets_its_topic_and_everything_of_it_is_said_there(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        lobby_topic = (await topics(at))["Морской бой"]
        await begin(at, thread=lobby_topic)
        own = (await topics(at))["⚓️ Морской бой №1"]
        assert (await stored(at)).thread_id == own
        lobby = next(text for text in await texts_in(at, lobby_topic) if "Набор закончен" in text)
        assert "в своей теме" in lobby
        before = len(await texts_in(at, lobby_topic))
        await place(at)
        await miss(at, own)
        said = await texts_in(at, own)
        assert any("СТАРТ ИГРЫ" in text.upper() or "ХОД" in text.upper() for text in said)
        assert len(await texts_in(at, lobby_topic)) == before, "something of the match was said outside of its topic"


@pytest.mark.parametrize("deleted", [False, True])
async def test_a_match_goes_on_when_its_topic_is_closed_or_deleted(tmp_path: Path, deleted: bool) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        await begin(at)
        own = (await stored(at)).thread_id
        assert own is not None
        await place(at)
        await at.control.close_topic(FORUM_ID, own, deleted=deleted)
        before = len(await at.texts())
        await miss(at, None)
        await miss(at, None)
        assert len(await at.texts()) > before + 2, "nothing was said any more"


async def test_without_the_right_the_match_stays_where_it_is(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        bot = at.bot.house.sender.bot.id
        await at.control.set_member(FORUM_ID, bot, "administrator", rights={"can_manage_topics": False})
        await begin(at)
        assert (await stored(at)).thread_id is None
        assert "⚓️ Морской бой №1" not in await topics(at)
        await place(at)
        await miss(at, None)
        assert not await at.control.calls(method="createForumTopic")


async def test_administrators_switch_it_off_and_on(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        at.group = FORUM_ID
        await at.say("Юнга", "/topic off")
        await at.hears("только администратор")
        await at.say("Адвокат", "/topic")
        await at.hears("/topic on")
        await at.say("Адвокат", "/topic off")
        await at.hears("Новые игры пойдут там")
        await begin(at)
        assert "⚓️ Морской бой №1" not in await topics(at)


async def test_a_topic_that_cannot_be_made_at_once_is_made_once_later(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        at.group = FORUM_ID
        await at.control.fault("createForumTopic", code=429, parameters={"retry_after": 0}, times=1)
        await begin(at)
        assert (await stored(at)).thread_id == (await topics(at))["⚓️ Морской бой №1"]
        assert [call["ok"] for call in await at.control.calls(method="createForumTopic")] == [False, True]


async def test_talk_is_removed_from_the_own_topic_alone_and_only_if_the_chat_wants_that(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        await begin(at)
        own = (await stored(at)).thread_id
        assert own is not None
        await place(at)
        await at.say("Mirra", "какая погода!", thread=own)
        await at.settle()
        assert "какая погода!" in await texts_in(at, own), "nobody asked for this"
        await at.say("Юнга", "/tidy on")
        await at.hears("только администратор")
        await at.say("Адвокат", "/tidy on")
        await at.hears("остаются только ходы")

        other = (await topics(at))["Флудилка"]
        for thread in (own, other, None):
            for who, text in (("Mirra", "ну и погода!"), ("Вирт", "всем привет"), ("Юнга", "да уж")):
                await at.say(who, text, thread=thread)
        await miss(at, own)
        await at.say("Mirra", "/status", thread=own)
        await at.say("Юнга", "Вирт, мимо", thread=own)
        await at.settle()
        for talk in ("ну и погода!", "всем привет", "да уж"):
            assert talk not in await texts_in(at, own)
            assert talk in await texts_in(at, other)
            assert (await at.texts()).count(talk) == 2
        said = await texts_in(at, own)
        assert any(text.startswith("То ") for text in said), "a move was removed"
        assert "/status" in said
        assert "Вирт, мимо" in said, "a report was removed"
        assert len([text for text in said if "разговоры я отсюда убираю" in text]) == 1

        await at.control.advance(16 * 3600)  # another day, within the turn
        await at.say("Mirra", "и сегодня погода!", thread=own)
        await at.settle()
        assert len([text for text in await texts_in(at, own) if "разговоры я отсюда убираю" in text]) == 2


async def test_without_the_right_to_delete_talk_stays(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        bot = at.bot.house.sender.bot.id
        await at.control.set_member(FORUM_ID, bot, "administrator", rights={"can_delete_messages": False})
        await begin(at)
        own = (await stored(at)).thread_id
        await at.say("Адвокат", "/tidy on")
        await at.hears("остаются только ходы")
        await at.say("Mirra", "ну и погода!", thread=own)
        await at.settle()
        assert own is not None
        said = await texts_in(at, own)
        assert "ну и погода!" in said
        assert not any("убираю" in text for text in said)


async def test_a_topic_whose_answer_is_lost_leaves_an_empty_one_and_the_match_has_its_own(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        at.group = FORUM_ID
        await at.control.fault("createForumTopic", code=502, after=True, times=1)
        await begin(at)
        own = (await stored(at)).thread_id
        chats = (await at.control.state())["chats"]
        forum = next(chat for chat in chats if chat["id"] == FORUM_ID)
        made = [topic["message_thread_id"] for topic in forum["topics"] if topic["name"] == "⚓️ Морской бой №1"]
        assert len(made) == 2
        assert own == made[1]
        await place(at)
        await miss(at, own)
