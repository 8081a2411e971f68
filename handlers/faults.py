"""Telegram's errors, sorted by what is to be done about them.

Telegram has few error classes and tells much in words only; the words are those of the Bot API server's public source.
"""

from __future__ import annotations

from datetime import timedelta

from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError

from referee.outbox import Moved, Passing, TryLater, Undeliverable

_GONE = (
    "message to edit not found",
    "message can't be edited",
    "message_id_invalid",
    "there is no text in the message to edit",
    "there is no caption in the message to edit",
)
_THREAD_GONE = ("message thread not found", "topic_closed", "topic_deleted", "topic_id_invalid")
_NO_RIGHT = ("not enough rights", "chat_write_forbidden", "chat_send_photos_forbidden", "chat_send_media_forbidden")


def _says(error: TelegramError, phrases: tuple[str, ...]) -> bool:
    text = error.message.casefold()
    return any(phrase in text for phrase in phrases)


def is_not_modified(error: TelegramError) -> bool:
    """The message shows this already: no error at all."""
    return isinstance(error, BadRequest) and _says(error, ("message is not modified",))


def is_too_old(error: TelegramError) -> bool:
    """The press was answered too late or twice: nobody is harmed."""
    return isinstance(error, BadRequest) and _says(error, ("query is too old", "query id is invalid"))


def is_message_gone(error: TelegramError) -> bool:
    """The message was deleted: post it anew."""
    return isinstance(error, BadRequest) and _says(error, _GONE)


def is_thread_gone(error: TelegramError) -> bool:
    """The topic was closed or deleted: say it in the chat itself."""
    return isinstance(error, BadRequest) and _says(error, _THREAD_GONE)


def is_picture_forbidden(error: TelegramError) -> bool:
    """The chat lets the bot write, but not send pictures: say it in words."""
    return isinstance(error, BadRequest) and _says(error, _NO_RIGHT)


def is_file_forbidden(error: TelegramError) -> bool:
    """The chat lets the bot write, but not send files."""
    return isinstance(error, BadRequest) and _says(error, (*_NO_RIGHT, "chat_send_docs_forbidden"))


def seconds_of(error: RetryAfter) -> float:
    """How long Telegram asks to wait."""
    wait = error.retry_after
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)


def raise_for_outbox(error: TelegramError) -> None:
    """Raise what the outbox understands: TryLater, Moved, Passing or Undeliverable."""
    match error:
        case RetryAfter():
            raise TryLater(seconds_of(error)) from error
        case ChatMigrated():
            raise Moved(error.new_chat_id) from error
        case BadRequest() | Forbidden():
            raise Undeliverable(error.message) from error
        case NetworkError():
            raise Passing(f"{type(error).__name__}: {error.message}") from error
        case _:
            raise Undeliverable(f"{type(error).__name__}: {error.message}") from error
