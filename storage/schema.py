"""The tables, as numbered migrations: a database is brought from any earlier number to the newest at start.

A migration is never edited once released; a change is a new one. `{id}` stands for the
dialect's own self-numbering key.
"""

from __future__ import annotations

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE people (
            id BIGINT PRIMARY KEY,
            name TEXT NOT NULL,
            username TEXT,
            language TEXT,
            reachable INTEGER NOT NULL DEFAULT 0,
            seen_at BIGINT NOT NULL
        )""",
        """CREATE TABLE chats (
            id BIGINT PRIMARY KEY,
            kind TEXT NOT NULL,
            title TEXT NOT NULL,
            settings TEXT NOT NULL DEFAULT '{{}}',
            migrated_to BIGINT
        )""",
        """CREATE TABLE activity (
            chat_id BIGINT NOT NULL,
            person_id BIGINT NOT NULL,
            messages INTEGER NOT NULL,
            PRIMARY KEY (chat_id, person_id)
        )""",
        """CREATE TABLE matches (
            id {id},
            game TEXT NOT NULL,
            chat_id BIGINT NOT NULL,
            thread_id BIGINT,
            opener_id BIGINT NOT NULL,
            phase TEXT NOT NULL,
            version INTEGER NOT NULL,
            options TEXT NOT NULL,
            pace TEXT NOT NULL,
            seed TEXT NOT NULL,
            lots TEXT NOT NULL,
            state TEXT,
            timer_key TEXT,
            turn_started_at BIGINT,
            due_at BIGINT,
            remind_at BIGINT,
            created_at BIGINT NOT NULL,
            ended_at BIGINT
        )""",
        "CREATE INDEX matches_by_chat ON matches (chat_id, phase)",
        "CREATE INDEX matches_due ON matches (due_at) WHERE due_at IS NOT NULL",
        "CREATE INDEX matches_remind ON matches (remind_at) WHERE remind_at IS NOT NULL",
        """CREATE TABLE roster (
            match_id BIGINT NOT NULL REFERENCES matches (id),
            person_id BIGINT NOT NULL,
            place INTEGER NOT NULL,
            seat INTEGER,
            name TEXT NOT NULL,
            username TEXT,
            PRIMARY KEY (match_id, person_id)
        )""",
        "CREATE INDEX roster_by_person ON roster (person_id)",
        """CREATE TABLE actions (
            match_id BIGINT NOT NULL REFERENCES matches (id),
            n INTEGER NOT NULL,
            kind TEXT NOT NULL,
            seat INTEGER,
            person_id BIGINT,
            body TEXT NOT NULL,
            events TEXT NOT NULL,
            at BIGINT NOT NULL,
            source TEXT,
            PRIMARY KEY (match_id, n)
        )""",
        "CREATE UNIQUE INDEX actions_by_source ON actions (source) WHERE source IS NOT NULL",
        """CREATE TABLE outbox (
            id {id},
            chat_id BIGINT NOT NULL,
            thread_id BIGINT,
            match_id BIGINT,
            kind TEXT NOT NULL,
            body TEXT NOT NULL,
            merge_key TEXT,
            created_at BIGINT NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0
        )""",
        "CREATE INDEX outbox_by_chat ON outbox (chat_id, id)",
        """CREATE TABLE messages (
            match_id BIGINT NOT NULL,
            slot TEXT NOT NULL,
            chat_id BIGINT NOT NULL,
            message_id BIGINT NOT NULL,
            digest TEXT NOT NULL,
            PRIMARY KEY (match_id, slot)
        )""",
        "CREATE INDEX messages_by_id ON messages (chat_id, message_id)",
        """CREATE TABLE heartbeat (
            worker TEXT PRIMARY KEY,
            at BIGINT NOT NULL
        )""",
    ),
    (
        "ALTER TABLE matches ADD COLUMN pause TEXT",
        "ALTER TABLE matches ADD COLUMN pause_ends_at BIGINT",
        "CREATE INDEX matches_paused ON matches (pause_ends_at) WHERE pause_ends_at IS NOT NULL",
    ),
)
