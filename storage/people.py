"""Questions about people and chats."""

from __future__ import annotations

from datetime import datetime

import msgspec

from storage.database import Connection, Row, as_int, as_text, as_text_or_none, from_ms_or_none, to_ms
from storage.records import Chat, ChatSettings, Person


async def meet(db: Connection, person: Person, now: datetime) -> None:
    """Remember somebody as he is called now. Whether he is reachable stays as it was."""
    await db.fetch(
        "INSERT INTO people (id, name, username, language, reachable, seen_at) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET name = excluded.name, username = excluded.username, "
        "language = excluded.language, seen_at = excluded.seen_at RETURNING id",
        person.id,
        person.name,
        person.username,
        person.language,
        int(person.reachable),
        to_ms(now),
    )


async def set_reachable(db: Connection, person_id: int, reachable: bool) -> None:
    """He started the bot in private, or blocked it."""
    await db.fetch("UPDATE people SET reachable = ? WHERE id = ? RETURNING id", int(reachable), person_id)


async def get(db: Connection, person_id: int) -> Person | None:
    """Somebody by his number."""
    rows = await db.fetch("SELECT id, name, username, language, reachable FROM people WHERE id = ?", person_id)
    return _person(rows[0]) if rows else None


async def count_message(db: Connection, chat_id: int, person_id: int) -> None:
    """One more message of somebody in a chat (for the rank of Admirals)."""
    await db.fetch(
        "INSERT INTO activity (chat_id, person_id, messages) VALUES (?, ?, 1) "
        "ON CONFLICT (chat_id, person_id) DO UPDATE SET messages = activity.messages + 1 RETURNING messages",
        chat_id,
        person_id,
    )


async def messages_in(db: Connection, chat_id: int) -> dict[int, int]:
    """How many messages each person wrote in a chat since the bot joined."""
    rows = await db.fetch("SELECT person_id, messages FROM activity WHERE chat_id = ?", chat_id)
    return {as_int(row[0]): as_int(row[1]) for row in rows}


async def know_chat(db: Connection, chat_id: int, kind: str, title: str) -> Chat:
    """Remember a chat as it is called now, and give it with its settings."""
    rows = await db.fetch(
        "INSERT INTO chats (id, kind, title) VALUES (?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, title = excluded.title "
        "RETURNING id, kind, title, settings",
        chat_id,
        kind,
        title,
    )
    return _chat(rows[0])


async def get_chat(db: Connection, chat_id: int) -> Chat | None:
    """A chat by its number."""
    rows = await db.fetch("SELECT id, kind, title, settings FROM chats WHERE id = ?", chat_id)
    return _chat(rows[0]) if rows else None


async def save_settings(db: Connection, chat_id: int, settings: ChatSettings) -> None:
    """What a chat has chosen."""
    await db.fetch(
        "UPDATE chats SET settings = ? WHERE id = ? RETURNING id", msgspec.json.encode(settings).decode(), chat_id
    )


async def move_chat(db: Connection, old: int, new: int) -> bool:
    """A group became a supergroup. True if its settings went with it now, False if they had before.

    What was counted under the old number is counted under the new one, also what came in late.
    """
    if old == new:
        return False
    rows = await db.fetch(
        "UPDATE chats SET migrated_to = ? WHERE id = ? AND migrated_to IS NULL RETURNING kind, title, settings",
        new,
        old,
    )
    if rows:
        await db.fetch(
            "INSERT INTO chats (id, kind, title, settings) VALUES (?, 'supergroup', ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET settings = excluded.settings RETURNING id",
            new,
            as_text(rows[0][1]),
            as_text(rows[0][2]),
        )
    await db.fetch(
        "INSERT INTO activity (chat_id, person_id, messages) "
        "SELECT ?, person_id, messages FROM activity WHERE chat_id = ? "
        "ON CONFLICT (chat_id, person_id) DO UPDATE SET messages = activity.messages + excluded.messages "
        "RETURNING person_id",
        new,
        old,
    )
    await db.fetch("DELETE FROM activity WHERE chat_id = ? RETURNING person_id", old)
    return bool(rows)


async def beat(db: Connection, worker: str, now: datetime) -> None:
    """The bot is alive at this instant."""
    await db.fetch(
        "INSERT INTO heartbeat (worker, at) VALUES (?, ?) ON CONFLICT (worker) DO UPDATE SET at = excluded.at "
        "RETURNING at",
        worker,
        to_ms(now),
    )


async def last_beat(db: Connection) -> datetime | None:
    """The last instant at which any worker was alive."""
    rows = await db.fetch("SELECT MAX(at) FROM heartbeat")
    return from_ms_or_none(rows[0][0])


def _person(row: Row) -> Person:
    return Person(
        id=as_int(row[0]),
        name=as_text(row[1]),
        username=as_text_or_none(row[2]),
        language=as_text_or_none(row[3]),
        reachable=bool(row[4]),
    )


def _chat(row: Row) -> Chat:
    return Chat(
        id=as_int(row[0]),
        kind=as_text(row[1]),
        title=as_text(row[2]),
        settings=msgspec.json.decode(as_text(row[3]), type=ChatSettings),
    )
