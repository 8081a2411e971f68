"""The kinds of posts that wait in the outbox, and how to make them.

- `slot`: a message that shows a slot of a match (its lobby, its turn, somebody's panel). It is edited in place; `fresh`
  posts it anew at the bottom of the chat.
- `news`: lines of the record, told in the group. Neighbours are told as one message.
- `topic`: the match gets a topic of its own, where the chat is a forum; what is said after it is said there.
- `note`: a text by its key, with values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from storage.records import Match, Post

SLOT = "slot"
NEWS = "news"
NOTE = "note"
TOPIC = "topic"
LOBBY_SLOT = "lobby"
TOPIC_SLOT = "topic"
"""Remembers a match's own topic; its "message" is the number of the topic."""


def group_slot(match: Match, slot: str, *, fresh: bool = False, **more: object) -> Post:
    """Show (or bring up to date) a slot in the match's group."""
    return Post(
        match.chat_id,
        SLOT,
        json.dumps({"slot": slot, "fresh": fresh, **more}, ensure_ascii=False),
        match.thread_id,
        match.id,
        # A fresh post must not vanish behind a later edit of the same slot.
        None if fresh else f"{match.id}:{slot}",
    )


def private_slot(match: Match, person_id: int, slot: str, *, fresh: bool = False, **more: object) -> Post:
    """Show (or bring up to date) somebody's panel in his private chat."""
    return Post(
        person_id,
        SLOT,
        json.dumps({"slot": slot, "fresh": fresh, **more}, ensure_ascii=False),
        None,
        match.id,
        None if fresh else f"{match.id}:{slot}",
    )


def unreachable_slot(person_id: int) -> str:
    """The word to the group that somebody cannot be reached in private; remembered until he can be."""
    return f"unreachable:{person_id}"


def news(match: Match, n: int) -> Post:
    """Tell line `n` of the record in the group."""
    return Post(match.chat_id, NEWS, json.dumps({"n": n}), match.thread_id, match.id)


def own_topic(match: Match) -> Post:
    """Give the match a topic of its own, where that can be."""
    return Post(match.chat_id, TOPIC, thread_id=match.thread_id, match_id=match.id)


def note(
    key: str,
    *,
    chat_id: int,
    thread_id: int | None = None,
    match_id: int | None = None,
    values: Mapping[str, object] | None = None,
    deep: tuple[str, str] | None = None,
    slot: str | None = None,
) -> Post:
    """Say a text. `deep` = (key of a button's text, payload) adds a button that opens the private chat.

    `slot`: the match remembers under this name that it was said.
    """
    body = {"key": key, "values": dict(values or {}), "deep": deep, "slot": slot}
    return Post(chat_id, NOTE, json.dumps(body, ensure_ascii=False), thread_id, match_id)
