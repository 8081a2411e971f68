"""What is still to be said, in order, and which message shows what."""

from __future__ import annotations

from datetime import UTC, datetime

from storage import outbox
from storage.database import Connection, Database
from storage.records import Post, SentMessage

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


async def bodies(change: Connection, chat_id: int, limit: int = 100) -> list[str]:
    return [pending.post.body for pending in await outbox.head(change, chat_id, limit)]


async def test_posts_come_back_whole_and_in_order(db: Database) -> None:
    posts = [Post(-1, "news", '{"n":1}', 5, 7, "k"), Post(-1, "note"), Post(-2, "news")]
    async with db.transaction() as change:
        await outbox.add(change, posts, NOON)
        waiting = await outbox.head(change, -1, 10)
        assert [pending.post for pending in waiting] == posts[:2]
        assert [pending.created_at for pending in waiting] == [NOON, NOON]
        assert [pending.post for pending in await outbox.head(change, -1, 1)] == posts[:1]
        assert await outbox.chats_waiting(change) == [-2, -1]
        assert await outbox.count(change) == 3
        await outbox.done(change, [pending.id for pending in waiting])
        await outbox.done(change, [])
        assert await outbox.chats_waiting(change) == [-2]


async def test_a_newer_post_of_the_same_key_replaces_the_unsent_one_at_the_end(db: Database) -> None:
    async with db.transaction() as change:
        await outbox.add(change, [Post(-1, "slot", "1", merge_key="m"), Post(-1, "news", "2")], NOON)
        await outbox.add(change, [Post(-1, "slot", "3", merge_key="m")], NOON)
        assert await bodies(change, -1) == ["2", "3"]


async def test_posts_of_other_chats_or_keys_or_none_are_not_replaced(db: Database) -> None:
    async with db.transaction() as change:
        await outbox.add(
            change,
            [
                Post(-1, "slot", "1", merge_key="m"),
                Post(-2, "slot", "2", merge_key="m"),
                Post(-1, "slot", "3", merge_key="n"),
                Post(-1, "news", "4"),
                Post(-1, "news", "5"),
            ],
            NOON,
        )
        assert await bodies(change, -1) == ["1", "3", "4", "5"]
        assert await bodies(change, -2) == ["2"]


async def test_a_chat_that_moves_takes_its_posts_along_and_forgets_its_messages_once(db: Database) -> None:
    async with db.transaction() as change:
        await outbox.add(change, [Post(-1, "news", "1"), Post(-2, "news", "other"), Post(-1, "news", "2")], NOON)
        await outbox.set_message(change, SentMessage(7, "board", -1, 10, "d"))
        await outbox.set_message(change, SentMessage(8, "board", -2, 11, "d"))
        await outbox.move_chat(change, -1, -100)
        await outbox.set_message(change, SentMessage(7, "board", -100, 12, "d"))
        await outbox.move_chat(change, -1, -100)
        assert await bodies(change, -100) == ["1", "2"]
        assert await bodies(change, -1) == []
        assert await bodies(change, -2) == ["other"]
        assert await outbox.message(change, 7, "board") == SentMessage(7, "board", -100, 12, "d")
        assert await outbox.message(change, 8, "board") is not None


async def test_a_slot_is_shown_by_its_last_message(db: Database) -> None:
    async with db.transaction() as change:
        await outbox.set_message(change, SentMessage(7, "board", -1, 10, "old"))
        await outbox.set_message(change, SentMessage(7, "board", -1, 11, "new"))
        shown = SentMessage(7, "board", -1, 11, "new")
        assert await outbox.message(change, 7, "board") == shown
        assert await outbox.message(change, 7, "lobby") is None
        assert await outbox.slot_of_message(change, -1, 11) == shown
        assert await outbox.slot_of_message(change, -1, 10) is None
        assert await outbox.match_of_message(change, -1, 11) == 7
        assert await outbox.match_of_message(change, -2, 11) is None
        await outbox.forget_message(change, 7, "board")
        assert await outbox.message(change, 7, "board") is None
