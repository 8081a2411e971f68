"""Which language to speak where: a chat's own choice, else Russian in groups and the person's language in private."""

from __future__ import annotations

from locales import LANGUAGES
from storage import people
from storage.database import Connection

_RUSSIAN_READERS = ("ru", "uk", "be", "kk", "ky", "uz", "tg", "hy", "az")


async def language_of(db: Connection, chat_id: int) -> str:
    """The language of a chat (for a private chat, `chat_id` is the person's number)."""
    chat = await people.get_chat(db, chat_id)
    if chat is not None and chat.settings.language in LANGUAGES:
        return chat.settings.language
    if chat_id > 0:
        person = await people.get(db, chat_id)
        if person is not None and person.language is not None:
            return "ru" if person.language.split("-")[0] in _RUSSIAN_READERS else "en"
    return LANGUAGES[0]
