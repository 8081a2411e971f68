"""Questions about what is still to be said, and about the messages that show a match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from storage.database import Connection, Row, as_int, as_int_or_none, as_text, as_text_or_none, from_ms, to_ms
from storage.records import PendingPost, Post, SentMessage

_COLUMNS = "id, chat_id, kind, body, thread_id, match_id, merge_key, created_at, tries"


async def add(db: Connection, posts: Iterable[Post], now: datetime) -> None:
    """Something to be said, in this order. A post with a merge key replaces its unsent elder."""
    for post in posts:
        if post.merge_key is not None:
            await db.fetch(
                "DELETE FROM outbox WHERE chat_id = ? AND merge_key = ? RETURNING id", post.chat_id, post.merge_key
            )
        await db.fetch(
            "INSERT INTO outbox (chat_id, kind, body, thread_id, match_id, merge_key, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            post.chat_id,
            post.kind,
            post.body,
            post.thread_id,
            post.match_id,
            post.merge_key,
            to_ms(now),
        )


async def chats_waiting(db: Connection) -> list[int]:
    """Chats that something is to be said in."""
    rows = await db.fetch("SELECT DISTINCT chat_id FROM outbox ORDER BY chat_id")
    return [as_int(row[0]) for row in rows]


async def head(db: Connection, chat_id: int, limit: int) -> list[PendingPost]:
    """The next posts of a chat, in order."""
    rows = await db.fetch(f"SELECT {_COLUMNS} FROM outbox WHERE chat_id = ? ORDER BY id LIMIT ?", chat_id, limit)
    return [_pending(row) for row in rows]


async def done(db: Connection, ids: Sequence[int]) -> None:
    """These have been said (or can never be)."""
    if not ids:
        return
    marks = ", ".join("?" * len(ids))
    await db.fetch(f"DELETE FROM outbox WHERE id IN ({marks}) RETURNING id", *ids)


async def failed(db: Connection, ids: Sequence[int]) -> None:
    """One more try was in vain."""
    marks = ", ".join("?" * len(ids))
    await db.fetch(f"UPDATE outbox SET tries = tries + 1 WHERE id IN ({marks}) RETURNING id", *ids)


async def count(db: Connection) -> int:
    """How many posts wait."""
    rows = await db.fetch("SELECT COUNT(*) FROM outbox")
    return as_int(rows[0][0])


async def move_chat(db: Connection, old: int, new: int) -> None:
    """A group became a supergroup: what waits goes to the new one, and what was shown is posted anew."""
    await db.fetch("UPDATE outbox SET chat_id = ? WHERE chat_id = ? RETURNING id", new, old)
    await db.fetch("DELETE FROM messages WHERE chat_id = ? RETURNING slot", old)


async def set_thread(db: Connection, match_id: int, chat_id: int, thread_id: int) -> None:
    """What waits to be said of a match in a chat is said in this topic."""
    await db.fetch(
        "UPDATE outbox SET thread_id = ? WHERE match_id = ? AND chat_id = ? RETURNING id", thread_id, match_id, chat_id
    )


async def message(db: Connection, match_id: int, slot: str) -> SentMessage | None:
    """The message that shows a slot of a match."""
    rows = await db.fetch(
        "SELECT match_id, slot, chat_id, message_id, digest FROM messages WHERE match_id = ? AND slot = ?",
        match_id,
        slot,
    )
    return _message(rows[0]) if rows else None


async def slot_of_message(db: Connection, chat_id: int, message_id: int) -> SentMessage | None:
    """Which slot of which match a message of the bot shows."""
    rows = await db.fetch(
        "SELECT match_id, slot, chat_id, message_id, digest FROM messages WHERE chat_id = ? AND message_id = ? LIMIT 1",
        chat_id,
        message_id,
    )
    return _message(rows[0]) if rows else None


async def match_of_message(db: Connection, chat_id: int, message_id: int) -> int | None:
    """Which match a message of the bot shows (for replies to it)."""
    rows = await db.fetch(
        "SELECT match_id FROM messages WHERE chat_id = ? AND message_id = ? LIMIT 1", chat_id, message_id
    )
    return as_int(rows[0][0]) if rows else None


async def set_message(db: Connection, sent: SentMessage) -> None:
    """A slot of a match is shown by this message now."""
    await db.fetch(
        "INSERT INTO messages (match_id, slot, chat_id, message_id, digest) VALUES (?, ?, ?, ?, ?) "
        "ON CONFLICT (match_id, slot) DO UPDATE SET chat_id = excluded.chat_id, message_id = excluded.message_id, "
        "digest = excluded.digest RETURNING slot",
        sent.match_id,
        sent.slot,
        sent.chat_id,
        sent.message_id,
        sent.digest,
    )


async def forget_message(db: Connection, match_id: int, slot: str) -> None:
    """The message is gone; the slot will be posted anew."""
    await db.fetch("DELETE FROM messages WHERE match_id = ? AND slot = ? RETURNING slot", match_id, slot)


def _pending(row: Row) -> PendingPost:
    return PendingPost(
        id=as_int(row[0]),
        post=Post(
            chat_id=as_int(row[1]),
            kind=as_text(row[2]),
            body=as_text(row[3]),
            thread_id=as_int_or_none(row[4]),
            match_id=as_int_or_none(row[5]),
            merge_key=as_text_or_none(row[6]),
        ),
        created_at=from_ms(row[7]),
        tries=as_int(row[8]),
    )


def _message(row: Row) -> SentMessage:
    return SentMessage(
        match_id=as_int(row[0]),
        slot=as_text(row[1]),
        chat_id=as_int(row[2]),
        message_id=as_int(row[3]),
        digest=as_text(row[4]),
    )
