"""People and chats: known by number, whatever they are called today."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from storage import people
from storage.database import Database
from storage.records import ChatSettings, Pace, Person

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
OLD, NEW = -500, -100500


async def test_somebody_met_again_has_his_new_name_and_stays_reachable(db: Database) -> None:
    async with db.transaction() as change:
        await people.meet(change, Person(1, "Ann", "ann", "ru"), NOON)
        await people.set_reachable(change, 1, True)
        await people.meet(change, Person(1, "", None, None), NOON + timedelta(days=1))
        assert await people.get(change, 1) == Person(1, "", None, None, reachable=True)
        assert await people.get(change, 2) is None
        await people.set_reachable(change, 1, False)
        known = await people.get(change, 1)
        assert known is not None
        assert not known.reachable


async def test_messages_are_counted_for_each_person_and_chat(db: Database) -> None:
    async with db.transaction() as change:
        for chat, person in [(OLD, 1), (OLD, 1), (OLD, 2), (-7, 1)]:
            await people.count_message(change, chat, person)
        assert await people.messages_in(change, OLD) == {1: 2, 2: 1}
        assert await people.messages_in(change, -8) == {}


async def test_a_chat_renamed_keeps_its_settings(db: Database) -> None:
    chosen = ChatSettings(language="en", pace=Pace(seconds=None, country=None, zone="UTC", days_off=("2026-12-01",)))
    async with db.transaction() as change:
        assert (await people.know_chat(change, OLD, "group", "One")).settings == ChatSettings()
        await people.save_settings(change, OLD, chosen)
        chat = await people.know_chat(change, OLD, "group", "Two")
        assert (chat.title, chat.settings) == ("Two", chosen)
        assert await people.get_chat(change, OLD) == chat


@pytest.mark.parametrize("met_before", [False, True], ids=["new number unknown", "new number met already"])
async def test_a_supergroup_inherits_settings_and_counts_once(db: Database, met_before: bool) -> None:
    async with db.transaction() as change:
        await people.know_chat(change, OLD, "group", "Ours")
        await people.save_settings(change, OLD, ChatSettings(language="en"))
        for _ in range(3):
            await people.count_message(change, OLD, 1)
        if met_before:
            await people.know_chat(change, NEW, "supergroup", "Ours")
            await people.count_message(change, NEW, 1)
        assert await people.move_chat(change, OLD, NEW)
        moved = await people.get_chat(change, NEW)
        assert moved is not None
        assert (moved.kind, moved.title, moved.settings.language) == ("supergroup", "Ours", "en")
        assert await people.messages_in(change, NEW) == {1: 3 + met_before}
        assert await people.messages_in(change, OLD) == {}


async def test_moving_again_changes_nothing_but_takes_what_came_in_late(db: Database) -> None:
    async with db.transaction() as change:
        await people.know_chat(change, OLD, "group", "Ours")
        await people.count_message(change, OLD, 1)
        assert await people.move_chat(change, OLD, NEW)
        await people.save_settings(change, NEW, ChatSettings(language="en"))
        await people.count_message(change, OLD, 1)
        assert not await people.move_chat(change, OLD, NEW)
        chat = await people.get_chat(change, NEW)
        assert chat is not None
        assert chat.settings.language == "en", "chosen after the move"
        assert await people.messages_in(change, NEW) == {1: 2}


async def test_counts_move_even_if_the_chat_itself_was_never_noted(db: Database) -> None:
    async with db.transaction() as change:
        await people.count_message(change, OLD, 1)
        await people.move_chat(change, OLD, NEW)
        assert await people.messages_in(change, NEW) == {1: 1}


async def test_moving_a_chat_onto_itself_loses_nothing(db: Database) -> None:
    async with db.transaction() as change:
        await people.know_chat(change, OLD, "group", "Ours")
        await people.count_message(change, OLD, 1)
        assert not await people.move_chat(change, OLD, OLD)
        assert await people.messages_in(change, OLD) == {1: 1}


async def test_the_last_heartbeat_is_that_of_any_worker(db: Database) -> None:
    async with db.transaction() as change:
        assert await people.last_beat(change) is None
        await people.beat(change, "a", NOON)
        await people.beat(change, "b", NOON + timedelta(seconds=5))
        await people.beat(change, "a", NOON + timedelta(seconds=3))
        assert await people.last_beat(change) == NOON + timedelta(seconds=5)


async def test_settings_of_an_earlier_bot_are_read_with_todays_defaults(db: Database) -> None:
    async with db.transaction() as change:
        await people.know_chat(change, OLD, "group", "Ours")
        await change.fetch('UPDATE chats SET settings = \'{"pace":{"seconds":60}}\' WHERE id = ? RETURNING id', OLD)
        chat = await people.get_chat(change, OLD)
    assert chat is not None
    assert chat.settings == msgspec.structs.replace(ChatSettings(), pace=Pace(seconds=60))
