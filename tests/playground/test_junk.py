"""Whatever a bot sends, it gets an answer of the API: never a crash, never half a deed."""

import asyncio
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.api import METHODS
from playground.scene import FORUM_ID, GROUP_ID, PEOPLE
from playground.server import Playground
from playground.wire import Upload

NAMES = (
    "action allow_sending_without_reply allowed_updates button callback_query_id caption caption_entities commands "
    "custom_title description document entities file_id from_chat_id has_spoiler icon_color inline_message_id "
    "inline_query_id language_code limit media menu_button message_effect_id message_id message_ids message_thread_id "
    "name offset only_if_banned parse_mode photo reaction reply_markup reply_parameters results scope tag text title "
    "url user_id"
)
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**12),
    st.sampled_from(
        [
            "",
            "x",
            "1",
            "-1",
            "[]",
            "{}",
            "[1]",
            '["x"]',
            "null",
            "{",
            "HTML",
            "MarkdownV2",
            "<b>",
            "attach://f",
            "typing",
        ]
    ),
    st.sampled_from([[], {}, [[]], [{}], {"type": "photo"}, {"type": "chat"}, {"inline_keyboard": [[{"text": "x"}]]}]),
    st.sampled_from(
        [
            {"message_id": "x"},
            {"message_id": 2, "quote": 5},
            {"inline_keyboard": [[1]]},
            {"inline_keyboard": 5},
            {"keyboard": 5},
            [{"type": "bold", "offset": "x", "length": None}],
            [{"type": "bold", "offset": -9, "length": 99}],
            [{"type": "photo", "media": 5}],
            [{"type": ["photo"], "media": "attach://f"}],
            [{"type": "emoji", "emoji": {}}],
            [{"type": "article", "id": 5}],
            [{"command": None}],
            {"type": "chat_member", "chat_id": GROUP_ID, "user_id": "x"},
        ]
    ),
)
CHATS = st.sampled_from([GROUP_ID, GROUP_ID, FORUM_ID, FORUM_ID, PEOPLE[0][0], "x", [], 5, True, None])
# So much is right that the junk gets far.
GOOD = {
    "text": "x",
    "caption": "x",
    "message_id": 2,
    "from_chat_id": GROUP_ID,
    "user_id": PEOPLE[1][0],
    "document": "attach://f",
    "media": {"type": "document", "media": "attach://f"},
    "name": "x",
    "action": "typing",
}


@pytest.mark.parametrize("method", sorted(METHODS))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chat=CHATS, params=st.dictionaries(st.sampled_from(NAMES.split()), JUNK, max_size=4))
def test_junk_is_refused_not_crashed_on(method: str, chat: Any, params: dict[str, Any]) -> None:
    async def call() -> int:
        playground = Playground()
        await playground.api.call("sendMessage", {"chat_id": GROUP_ID, "text": "x"})
        files = {"f": Upload("f.png", "image/png", b"no picture")}
        answer = await playground.api.call(method, {**GOOD, "chat_id": chat, **params}, files)
        await playground.stop()
        return answer.status

    assert asyncio.run(call()) in (200, 400, 403, 404, 409)
