"""A hostile or unlucky group: double presses, foreign and forged buttons, copied links, leavers, odd names, bots."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engines.sea_battle.model import Phase
from playground.scene import FORUM_ID, GROUP_ID, SMALL_GROUP_ID
from storage import matches
from storage.records import MatchPhase
from tests.e2e.duel import BLUE, RED, TEXT, Duel, label
from tests.e2e.table import Json, Table, table

TUESDAY = "2027-03-02T12:00:00+03:00"
ANONYMOUS_ADMIN = 1087968824
STRANGER = "Kapitan Nemo"
"""In the group, in no match."""


@pytest.fixture
async def at(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Table]:
    """A table at which, whatever people do, nothing goes wrong in the bot itself."""
    async with table(tmp_path / "bot.db", moment=TUESDAY) as here:
        yield here
        await here.settle()
    faults = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert not faults, [record.getMessage() for record in faults]


def toast(pressed: Json) -> str:
    """What a press was answered; fails if it was not."""
    assert pressed["answer"] is not None, "the press was never answered"
    return str(pressed["answer"].get("text") or "")


async def in_lobby(at: Table, chat: int = GROUP_ID) -> int:
    """How many are on the lists of open lobbies."""
    async with at.bot.database.reading() as db:
        lobbies = await matches.in_chat(db, chat, MatchPhase.LOBBY)
        return sum([len(await matches.members(db, lobby.id)) for lobby in lobbies])


async def running(at: Table, chat: int = GROUP_ID) -> int:
    async with at.bot.database.reading() as db:
        return len(await matches.in_chat(db, chat, MatchPhase.RUNNING))


class TestButtons:
    async def test_the_same_button_pressed_at_once_by_an_impatient_thumb_acts_once(self, at: Table) -> None:
        duel = await Duel.open(at)
        lobby = await at.newest(button=label("button-begin"))
        begin = at.button(lobby, label("button-begin"))
        assert begin is not None
        me = at.people[RED]
        presses = [at.control.press(me, at.group, lobby["message_id"], begin["callback_data"]) for _ in range(3)]
        told = sorted(toast(pressed) for pressed in await asyncio.gather(*presses))
        assert told == sorted([TEXT.plain("begun"), *2 * [TEXT.plain("refuse-not_in_lobby")]])
        await at.settle()
        assert await running(at) == 1
        for who in (RED, BLUE):
            await at.control.start(at.people[who], f"s{duel.id}")
            await at.settle()
            await duel.press(who, "sea-button-random", private=True)
            await duel.press(who, "sea-button-confirm", private=True)
        await duel.press(RED, "sea-button-start")

        # A shot: what is pressed twice is shot once.
        shooter, target = await duel.on_move()
        cell, person = await duel.water(), at.people[shooter]
        turn = (await duel.view()).turn
        for pattern in (f"^{cell[0]}$", f"^{cell}$"):
            await at.press(shooter, pattern, private=True)
            await at.settle()
        panel = await at.newest(who=shooter)
        fire = at.button(panel, f"{re.escape(target)}.*{cell}")
        assert fire is not None
        presses = [at.control.press(person, person, panel["message_id"], fire["callback_data"]) for _ in range(3)]
        told = [toast(pressed) for pressed in await asyncio.gather(*presses)]
        await at.settle()
        assert await duel.shots() == 1
        assert (await duel.view()).turn == turn + 1
        assert told.count(TEXT.plain("refuse-stale")) == 2

    async def test_data_that_no_button_has_is_answered_and_changes_nothing(self, at: Table) -> None:
        duel = await Duel.playing(at)
        before, said = await duel.stored(), len(await at.texts())
        n = duel.id
        huge = "9" * 40
        forged = [
            "", ":", "::::", "x", "s.fire", "s.fire:", f"s.fire:{n}", f"s.fire:{n}:", f"s.fire:{n}:t1:0:0:0:0",
            f"s.fire:{n}::-1:5", f"s.fire:{n}::1:-5", f"s.fire:{n}::1:100", f"s.fire:{n}::{huge}:1"[:64],
            f"s.fire:{huge}::1:1"[:64], f"s.fire:-{n}::1:1", f"s.fire:{n}::1:²", f"s.fire:{n}::a:b",
            f"s.rel:{n}::99", f"s.rel:{n}::-1", f"s.rap:{n}::", f"s.rend:{n}::green", f"s.rpr:{n}::9:9:9",
            f"s.rtg:{n}::-9:{huge}"[:64], f"s.c:{n}::0:10", f"s.hp:{n}::4:99:0", f"s.hr:{n}::9:9:9", f"s.p:{n}::zz",
            f"s.ok:{n}:", f"s.rnd:{n}:", f"s.clr:{n}:", f"s.start:{n}:", f"s.nothing:{n}:", f"s.:{n}:",
            f"pace:{n}", f"pace:{n}:", f"pace:{n}::seconds", f"pace:{n}::seconds:x", f"pace:{n}::zone:{huge}"[:64],
            f"opt:{n}", f"opt:{n}::__class__", f"opt:{n}::columns", f"leave:{n}:", f"begin:{n}:", f"cancel:{n}:",
            f"options:{n}:", f"lobby:{n}:", f"again:{n}:", f"join:{n}:", "leave:0:", f"leave:{2**63}:",
            f"leave:{huge}:", "ж" * 32, "\x00" * 8, "s.fire:１:１", f"s.ask:{n}::0:1:5", "s.lv:" + "1" * 59,
        ]  # fmt: skip
        group = await at.newest(button=label("sea-button-shoot"))
        private = await at.newest(who=BLUE)
        for who in (STRANGER, BLUE):
            for chat, message in ((at.group, group), (at.people[BLUE], private)):
                if chat != at.group and who != BLUE:
                    continue
                for data in filter(None, forged):
                    if who == BLUE and chat != at.group and data.startswith(("s.p:", "s.ask", "s.fire", "s.c:")):
                        continue  # his own buttons, which may well act
                    pressed = await at.control.press(at.people[who], chat, message["message_id"], data, stale=True)
                    assert toast(pressed) or data.startswith(("s.", "options", "lobby")), data
        await at.settle()
        after = await duel.stored()
        assert (after.version, after.state, after.pace, after.options, after.phase) == (
            before.version,
            before.state,
            before.pace,
            before.options,
            before.phase,
        )
        assert len(await at.texts()) == said, "the group was told something"

    async def test_forged_options_of_an_open_lobby_change_nothing(self, at: Table) -> None:
        await Duel.open(at)
        lobby = await at.newest(button=label("button-options"))
        assert at.button(lobby, label("button-options")) is not None
        async with at.bot.database.reading() as db:
            [before] = await matches.in_chat(db, GROUP_ID, MatchPhase.LOBBY)
        for data in (
            "pace:1",
            "pace:1::seconds",
            "pace:1::seconds:x",
            "pace:1::no:1",
            "opt:1",
            "opt:1::rules",
            "again:1",
        ):
            await at.control.press(at.people[RED], at.group, lobby["message_id"], data, stale=True)
            pressed = await at.control.press(at.people[STRANGER], at.group, lobby["message_id"], data, stale=True)
            assert toast(pressed), data
        await at.settle()
        async with at.bot.database.reading() as db:
            [after] = await matches.in_chat(db, GROUP_ID, MatchPhase.LOBBY)
        assert (after.pace, after.options) == (before.pace, before.options)

    async def test_buttons_of_others_and_of_other_chats_say_no_and_show_nothing(self, at: Table) -> None:
        duel = await Duel.playing(at)
        shooter, target = await duel.on_move()
        other = RED if shooter == BLUE else BLUE
        panel = await at.newest(who=shooter, button="^А$")
        data = at.button(panel, "^А$")["callback_data"]  # type: ignore[index]
        said = len(await at.texts())
        state = await duel.state()

        # The shooter's keypad, pressed by his enemy from his own chat, and by a stranger from his.
        mine = await at.newest(who=other)
        pressed = await at.control.press(at.people[other], at.people[other], mine["message_id"], data, stale=True)
        assert pressed["answer"] is not None
        await at.control.start(at.people[STRANGER])
        await at.settle()
        hello = await at.newest(who=STRANGER)
        person = at.people[STRANGER]
        verbs = [data, f"s.p:{duel.id}:", f"s.ps:{duel.id}:", f"s.o:{duel.id}:", f"s.r:{duel.id}:", f"s.rw:{duel.id}:"]
        for forged in verbs:
            pressed = await at.control.press(person, person, hello["message_id"], forged, stale=True)
            assert pressed["answer"] is not None
        await at.settle()

        # The keypad in the group: nothing that only one may see is ever shown there.
        board = await at.newest(button=label("sea-button-shoot"))
        for who in (shooter, target, STRANGER):
            for forged in verbs:
                await at.control.press(at.people[who], at.group, board["message_id"], forged, stale=True)
        await at.settle()

        # A forum's message with this match's data: another chat.
        at.group = FORUM_ID
        await at.say(STRANGER, "/sea")
        await at.settle()
        elsewhere = await at.newest(button=label("button-begin"))
        pressed = await at.control.press(
            at.people[shooter], FORUM_ID, elsewhere["message_id"], f"s.lv:{duel.id}::0", stale=True
        )
        assert toast(pressed) == TEXT.plain("refuse-stale")
        await at.settle()
        at.group = GROUP_ID
        assert await duel.state() == state
        assert len(await at.texts()) == said

    async def test_only_opener_and_administrators_begin_cancel_and_choose(self, at: Table) -> None:
        await Duel.open(at, people=("Вирт", "Юнга"))
        for key in ("button-begin", "button-cancel", "button-options"):
            for who in ("Юнга", STRANGER):
                assert (await at.press(who, label(key)))["text"] == TEXT.plain("refuse-not_referee")
        assert (await at.press(STRANGER, label("button-leave")))["text"] == TEXT.plain("refuse-not_joined")
        await at.press("Боцман Палыч", label("button-cancel"))  # an administrator
        await at.settle()
        assert await in_lobby(at) == 0

    async def test_buttons_of_an_ended_match_act_on_no_other(self, at: Table) -> None:
        first = await Duel.playing(at)
        shooter, _ = await first.on_move()
        panel, board = await at.newest(who=shooter, button="^А$"), await at.newest(button=label("sea-button-shoot"))
        data = at.button(panel, "^А$")["callback_data"]  # type: ignore[index]
        await at.say(RED, "/referee end none")
        await at.settle()
        assert (await first.stored()).phase is MatchPhase.OVER
        second = await Duel.playing(at)
        state, said = await second.state(), len(await at.texts())
        person = at.people[shooter]
        for chat, message, old in (
            (person, panel, data),
            (person, panel, data.replace("s.t", "s.fire")),
            (at.group, board, f"s.lv:{first.id}::0"),
            (at.group, board, f"s.start:{first.id}:"),
        ):
            pressed = await at.control.press(person, chat, message["message_id"], old, stale=True)
            assert toast(pressed), old
        await at.settle()
        assert await second.state() == state
        assert len(await at.texts()) == said

        # «Ещё раз» while another match runs opens a lobby; pressed again it says that it is open.
        over = await at.newest(button=label("button-again"))
        assert not (await at.press(BLUE, label("button-again"), message=over)).get("text")
        await at.settle()
        assert (await at.press(RED, label("button-again"), message=over))["text"] == TEXT.plain("refuse-lobby_open")
        forged = f"again:{first.id}:"
        pressed = await at.control.press(person, person, panel["message_id"], forged, stale=True)
        assert toast(pressed) == TEXT.plain("refuse-stale")


class TestLinks:
    async def test_links_copied_to_people_who_do_not_belong_there(self, at: Table) -> None:
        duel = await Duel.playing(at)
        thief = (await at.control.add_person("Чужой", language_code="ru"))["id"]
        state = await duel.state()
        expected = {
            f"j{duel.id}": "refuse-not_in_chat",
            f"s{duel.id}": "refuse-not_in_chat",
            f"r{duel.id}": "refuse-not_in_chat",
            f"e{duel.id}": "refuse-not_in_chat",
            "s999": "refuse-no_match",
            "s0": "refuse-no_match",
            f"j{2**63}": "refuse-no_match",
            "s" + "9" * 60: "refuse-no_match",
        }
        for payload, key in expected.items():
            await at.control.start(thief, payload)
            await at.settle()
            assert (await at.newest(chat=thief))["text"] == TEXT.plain(key), payload
        for nonsense in ("s", "s-1", "x1", "sea", "1", "_", "s1a", "j1-1", "S1"):
            await at.control.start(thief, nonsense)
            await at.settle()
            assert (await at.newest(chat=thief))["text"].startswith("Здравствуйте"), nonsense
        # In the group, but in no match: he is told so, and sees nothing.
        await at.control.start(at.people[STRANGER], f"s{duel.id}")
        await at.settle()
        assert [m for m in await at.control.messages(at.people[STRANGER]) if "photo" in m] == []
        assert (await duel.state()) == state

    async def test_who_left_the_group_cannot_join_by_an_old_link(self, at: Table) -> None:
        duel = await Duel.open(at)
        await at.control.set_member(at.group, at.people["Юнга"], "left")
        await at.control.start(at.people["Юнга"], f"j{duel.id}")
        await at.hears(re.escape(TEXT.plain("refuse-not_in_chat")), who="Юнга")
        assert await in_lobby(at) == 2


class TestComingAndGoing:
    async def test_a_lobby_of_one_does_not_begin_and_the_last_one_closes_it(self, at: Table) -> None:
        await at.say("Вирт", "/sea")
        await at.settle()
        lobby = await at.newest(button=label("button-begin"))
        refused = await at.press("Вирт", label("button-begin"))
        assert refused["text"] == TEXT.plain("refuse-too_few", needed=2, joined=1)
        leave = at.button(lobby, label("button-leave"))
        assert leave is not None
        assert (await at.press("Вирт", label("button-leave")))["text"] == TEXT.plain("left-lobby")
        await at.settle()
        assert TEXT.plain("lobby-cancelled") in (await at.newest())["text"]
        assert at.buttons(await at.newest()) == []
        # Joining what is closed, by the old link, and leaving it again.
        await at.control.start(at.people["Юнга"], "j1")
        await at.hears(re.escape(TEXT.plain("refuse-not_running")), who="Юнга")
        pressed = await at.control.press(
            at.people["Вирт"], at.group, lobby["message_id"], leave["callback_data"], stale=True
        )
        assert toast(pressed) == TEXT.plain("refuse-not_in_lobby")

    async def test_joining_twice_counts_once(self, at: Table) -> None:
        duel = await Duel.open(at)
        both = [at.control.start(at.people["Вирт"], f"j{duel.id}") for _ in range(2)]
        await asyncio.gather(*both)
        await at.settle()
        assert TEXT.plain("refuse-already_joined") in await at.texts(at.people["Вирт"])
        assert await in_lobby(at) == 3
        # /sea while a lobby is open shows it again at the bottom, and only there.
        await at.say(STRANGER, "/sea")
        await at.settle()
        assert await in_lobby(at) == 3
        lobbies = [m for m in await at.control.messages(at.group) if at.button(m, label("button-begin"))]
        assert len(lobbies) == 1
        assert lobbies[0] == await at.newest()

    @pytest.mark.parametrize("phase", [Phase.PLACING, Phase.PLAYING])
    async def test_who_leaves_a_running_match_ends_it_for_himself_alone(self, at: Table, phase: Phase) -> None:
        start = Duel.placing if phase is Phase.PLACING else Duel.playing
        duel = await start(at)
        await at.say(STRANGER, "/leave")
        await at.say(BLUE, "/leave")
        await at.settle()
        sure = await at.newest(button=label("sea-button-leave"))
        [button] = [b for b in at.buttons(sure) if b.get("callback_data", "").startswith("s.lv")]
        # Another person's confirmation is none.
        pressed = await at.control.press(at.people[RED], at.group, sure["message_id"], button["callback_data"])
        assert toast(pressed)
        assert (await duel.stored()).phase is MatchPhase.RUNNING
        both = [
            at.control.press(at.people[BLUE], at.group, sure["message_id"], button["callback_data"]) for _ in range(2)
        ]
        assert all(pressed["answer"] is not None for pressed in await asyncio.gather(*both))
        await at.settle()
        assert (await duel.stored()).phase is MatchPhase.OVER

    async def test_who_leaves_the_chat_or_the_bots_private_chat_stops_nobody(self, at: Table) -> None:
        duel = await Duel.playing(at)
        _, target = await duel.on_move()
        await at.control.set_member(at.group, at.people[target], "left")
        await at.control.change_person(at.people[target], blocked=True)
        await duel.miss()
        await at.settle()
        notes = [text for text in await at.texts() if "не могу написать" in text]
        assert len(notes) == 1
        assert target in notes[0]
        assert [button["text"] for message in await at.control.messages(at.group)
                for button in at.buttons(message) if "start=s" in button.get("url", "")]  # fmt: skip
        # He comes back: his panel is there again, and he shoots.
        await at.control.set_member(at.group, at.people[target], "member")
        await at.control.start(at.people[target], f"s{duel.id}")
        await at.settle()
        assert at.button(await at.newest(who=target), "^А$") is not None
        await duel.miss()

    async def test_a_bot_thrown_out_of_the_group_goes_on_in_private_and_is_there_again_when_it_is_back(
        self, at: Table
    ) -> None:
        duel = await Duel.playing(at)
        shooter, _ = await duel.on_move()
        bot = at.bot.house.sender.bot.id
        await at.control.set_member(at.group, bot, "kicked", by=at.people[RED])
        await at.say(shooter, await duel.water(), private=True)
        await at.settle()
        assert await duel.shots() == 1
        await at.control.set_member(at.group, bot, "member", by=at.people[RED])
        await at.settle()
        await duel.miss()
        assert at.button(await at.newest(), label("sea-button-shoot")) is not None


class TestOddPeople:
    async def test_names_of_every_kind_are_shown_harmless_and_told_apart(self, at: Table) -> None:
        odd = [
            "<b>Жирный</b> & Ко",
            "\u202eЬДНУБ\u202c",
            "\u200b\u2060\ufeff",
            "🚢" * 64,
            "a" * 64,
            "Близнец",
            "Близнец",
        ]
        numbers = []
        for name in odd:
            person = await at.control.add_person(name, language_code="ru")
            await at.control.set_member(at.group, person["id"], "member")
            numbers.append(person["id"])
        await at.control.send(numbers[0], at.group, "/sea")
        await at.settle()
        lobby = await at.newest(button=label("button-begin"))
        payload = at.button(lobby, label("button-join"))["url"].partition("start=")[2]  # type: ignore[index]
        for number in numbers[1:]:
            await at.control.start(number, payload)
        await at.control.start(numbers[0])
        await at.settle()
        [shown] = [m["text"] for m in await at.control.messages(at.group) if at.button(m, label("button-begin"))]
        assert "<b>Жирный</b> & Ко" in shown
        assert "\u202e" not in shown
        listed = [line.partition(". ")[2] for line in shown.split("\n") if re.match(r"\d\. ", line)]
        assert len(set(listed)) == len(odd), listed
        assert all(len(name) < 40 for name in listed)
        async with asyncio.timeout(20):
            pressed = await at.control.press(
                numbers[0], at.group, lobby["message_id"], button=TEXT.plain("button-begin")
            )
        assert toast(pressed) == TEXT.plain("begun")
        await at.settle()
        assert await running(at) == 1
        for number in numbers[:6]:
            assert any(at.button(m, label("sea-button-random")) for m in await at.control.messages(number))
        failed = [call for call in await at.control.calls() if not call["ok"]]
        assert failed == []

    async def test_an_anonymous_administrator_is_never_a_player_but_may_decide(self, at: Table) -> None:
        await at.say(RED, "/sea", anonymous=True)
        await at.hears(re.escape(TEXT.plain("anonymous-cannot-play")))
        assert await in_lobby(at) == 0
        duel = await Duel.playing(at, people=("Вирт", "Юнга"))
        for text in ("/leave", "/delegate", "А4", "То Юнга - А4", "/shot А4", "/status", "/reserve"):
            await at.say(RED, text, anonymous=True)
        await at.settle()
        assert await duel.shots() == 0
        assert (await duel.stored()).phase is MatchPhase.RUNNING
        # His button press carries his own number: an administrator, no player.
        leave = await at.newest(button=label("sea-button-shoot"))
        assert at.button(leave, label("sea-button-shoot")) is not None
        await at.say(RED, "/referee end none", anonymous=True)
        await at.settle()
        assert (await duel.stored()).phase is MatchPhase.OVER
        async with at.bot.database.reading() as db:
            assert await db.fetch("SELECT id FROM people WHERE id = ?", ANONYMOUS_ADMIN) == []

    async def test_channels_bots_edits_and_unknown_updates_are_no_moves(self, at: Table) -> None:
        duel = await Duel.playing(at)
        shooter, target = await duel.on_move()
        move = f"То {target} - {await duel.water()}"
        me = {"id": at.people[shooter], "is_bot": False, "first_name": shooter}
        chat = {"id": at.group, "type": "supergroup", "title": "Кают-компания"}
        private = {"id": at.people[shooter], "type": "private", "first_name": shooter}
        channel = {"id": -1009999999999, "type": "channel", "title": "Канал"}
        telegram = {"id": 777000, "is_bot": False, "first_name": "Telegram"}
        bot = {"id": 4242, "is_bot": True, "first_name": "Другой", "username": "other_bot"}
        command = [{"type": "bot_command", "offset": 0, "length": 4}]
        said = len(await at.texts())

        def message(n: int, text: str, **more: object) -> Json:
            return {"message_id": 900_000 + n, "date": 1_803_900_000, "chat": chat, "text": text, **more}

        updates: list[Json] = [
            {"channel_post": message(1, move) | {"chat": channel, "sender_chat": channel}},
            {"edited_channel_post": message(2, move) | {"chat": channel}},
            {"message": message(3, move)},
            {"message": message(4, "/sea", entities=command)},
            {"message": message(5, move, **{"from": telegram}, sender_chat=channel, is_automatic_forward=True)},
            {"message": message(6, "/sea", **{"from": telegram}, sender_chat=channel, entities=command)},
            {"message": message(7, move, **{"from": bot})},
            {"message": message(8, "/sea", **{"from": bot}, entities=command)},
            {"message": message(9, move, **{"from": me}, via_bot=bot)},
            {"message": message(10, "/sea", **{"from": me}, via_bot=bot, entities=command)},
            {"edited_message": message(11, move, **{"from": me}, edit_date=1_803_900_001)},
            {"edited_message": message(12, "/sea", **{"from": me}, edit_date=1_803_900_001, entities=command)},
            {"message": message(13, "", **{"from": me}) | {"dice": {"emoji": "🎲", "value": 4}}},
            {"message": message(14, "/sea@other_bot", **{"from": me}) | {"entities": [command[0] | {"length": 14}]}},
            {"callback_query": {"id": "1", "from": me, "chat_instance": "1", "data": f"s.lv:{duel.id}::0"}},
            {"callback_query": {"id": "2", "from": me, "chat_instance": "1", "inline_message_id": "x", "data": "x"}},
            {"callback_query": {"id": "3", "from": me, "chat_instance": "1", "game_short_name": "chess"}},
            {"chat_boost": {"chat": chat, "boost": {"boost_id": "1", "add_date": 1, "expiration_date": 2,
                                                    "source": {"source": "premium", "user": me}}}},
            {"something_new": {"id": 1}},
            {"message": message(15, "", **{"from": me}) | {"something_new": {"id": 1}, "chat": private}},
            {"my_chat_member": {"chat": channel, "from": me, "date": 1_803_900_000,
                                "old_chat_member": {"status": "left", "user": bot},
                                "new_chat_member": {"status": "member", "user": bot}}},
            {},
        ]  # fmt: skip
        for update in updates:
            await at.control.update(**update)
        await at.settle()
        assert await duel.shots() == 0
        assert await in_lobby(at) == 0
        assert len(await at.texts()) == said
        await at.control.send(
            at.people[shooter], at.group, move, edit=(await at.say(shooter, "просто разговор"))["message_id"]
        )
        await at.settle()
        assert await duel.shots() == 0
        await duel.miss()


async def test_an_update_that_cannot_be_read_holds_up_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with table(tmp_path / "bot.db") as at:
        await at.control.update(message={"text": "no number, no chat, no date"})
        await at.say(RED, "/sea")
        await at.hears("набор на игру")
        await at.settle()
        assert await in_lobby(at) == 1
    assert any("cannot be read" in record.getMessage() for record in caplog.records)


class TestPrivacyAndTopics:
    async def test_under_privacy_mode_commands_replies_and_buttons_suffice(self, tmp_path: Path) -> None:
        async with table(tmp_path / "bot.db", moment=TUESDAY, privacy=True) as at:
            duel = await Duel.playing(at)
            assert any(TEXT.html("privacy-hint").striptags()[:40] in text for text in await at.texts())
            shooter, target = await duel.on_move()
            await at.say(shooter, f"То {target} - {await duel.water()}")  # not seen
            await at.settle()
            assert await duel.shots() == 0
            await at.say(shooter, f"/shot {target} {await duel.water()}")
            await at.settle()
            assert await duel.shots() == 1
            shooter, target = await duel.on_move()
            board = await at.newest(button=label("sea-button-shoot"))
            await at.say(shooter, f"То {target} - {await duel.water()}", reply_to=board["message_id"])
            await at.settle()
            assert await duel.shots() == 2

    async def test_a_match_of_a_topic_stays_there_and_one_of_general_in_general(self, at: Table) -> None:
        at.group = FORUM_ID
        await at.say("Адвокат", "/topic off")
        chats = (await at.control.state())["chats"]
        [forum] = [chat for chat in chats if chat["id"] == FORUM_ID]
        topics = {topic["name"]: topic["message_thread_id"] for topic in forum["topics"]}
        sea, talk = topics["Морской бой"], topics["Флудилка"]
        inside = await Duel.open(at, FORUM_ID, ("Вирт", "Юнга"), sea)
        outside = await Duel.open(at, FORUM_ID, (RED, "Mirra"))
        for duel in (inside, outside):
            await at.control.start(at.people[duel.people[0]])
            await duel.press(duel.people[0], "button-begin")
            for who in duel.people:
                random, confirm = ("sea-button-random", "sea-button-confirm")
                await duel.press(who, random, private=True)
                await duel.press(who, confirm, private=True)
            await duel.press(duel.people[0], "sea-button-start")
            await duel.miss()
        bot = at.bot.house.sender.bot.id
        shown = await at.control.messages(FORUM_ID)
        by_bot = [m for m in shown if m.get("from", {}).get("id") == bot and "forum_topic_created" not in m]
        assert {m.get("message_thread_id") for m in by_bot} == {sea, None}
        assert not [m for m in by_bot if m.get("message_thread_id") == talk]
        names = {*inside.people}
        for message in by_bot:
            if message.get("message_thread_id") == sea:
                text = message.get("text") or message.get("caption") or ""
                assert not {*outside.people} & {name for name in (*names, *outside.people) if name in text}
        assert all(call["ok"] for call in await at.control.calls() if call["method"] != "createForumTopic")

    async def test_two_matches_of_the_same_people_are_told_apart_by_a_reply(self, at: Table) -> None:
        one = await Duel.playing(at, GROUP_ID)
        two = await Duel.playing(at, SMALL_GROUP_ID)
        shooter, _ = await one.on_move()
        while (await two.on_move())[0] != shooter:
            await two.miss()
        shots = (await one.shots(), await two.shots())
        cell = await two.water()
        await at.say(shooter, cell, private=True)
        await at.hears(re.escape(TEXT.html("which-match", n=2)), who=shooter)
        await at.settle()
        assert (await one.shots(), await two.shots()) == shots
        panel = await two.slot(f"panel:{next(p.seat for p in (await two.view()).players if p.may_shoot)}")
        await at.say(shooter, cell, private=True, reply_to=panel)
        await at.settle()
        assert (await one.shots(), await two.shots()) == (shots[0], shots[1] + 1)
