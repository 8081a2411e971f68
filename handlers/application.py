"""python-telegram-bot's application with our handlers, and the menu of commands."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from telegram import BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, Message, Update
from telegram.error import TelegramError
from telegram.ext import (
    Application,
    ApplicationBuilder,
    CallbackQueryHandler,
    ChatMemberHandler,
    ContextTypes,
    MessageHandler,
    filters,
)
from telegram.request import BaseRequest

from handlers.commands import COMMANDS, on_command, on_membership
from handlers.house import House, author_of, is_group
from handlers.messages import on_migration, on_text
from handlers.presses import on_press
from locales import LANGUAGES, words
from storage.database import StorageError

log = logging.getLogger(__name__)

AnyApplication = Application[Any, Any, Any, Any, Any, Any]

ALLOWED_UPDATES = (Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER)

Handler = Callable[[House, Update, ContextTypes.DEFAULT_TYPE], Coroutine[Any, Any, None]]


def make_application(
    token: str,
    *,
    api_url: str | None = None,
    request: BaseRequest | None = None,
    updates_request: BaseRequest | None = None,
) -> AnyApplication:
    """An application that talks to Telegram, or to another Bot API server under `api_url` ("http://host:port")."""
    builder = ApplicationBuilder().token(token).updater(None).job_queue(None)
    if api_url is not None:
        builder = builder.base_url(f"{api_url}/bot").base_file_url(f"{api_url}/file/bot")
    if request is not None:
        builder = builder.request(request)
    if updates_request is not None:
        builder = builder.get_updates_request(updates_request)
    return builder.build()


def add_handlers(application: AnyApplication, house: House) -> None:
    """Connect Telegram's updates with ours. Edited messages are never moves, so they are not asked for."""

    def of(handler: Handler) -> Callable[[Update, Any], Coroutine[Any, Any, None]]:
        async def handle(update: Update, context: Any) -> None:
            await handler(house, update, context)

        return handle

    new = filters.UpdateType.MESSAGE
    application.add_handler(MessageHandler(new & filters.StatusUpdate.MIGRATE, of(on_migration)))
    application.add_handler(MessageHandler(new & filters.COMMAND & _ForUs(house), of(on_command)))
    application.add_handler(MessageHandler(new & (filters.TEXT | filters.CAPTION) & ~filters.COMMAND, of(on_text)))
    application.add_handler(CallbackQueryHandler(of(on_press)))
    application.add_handler(ChatMemberHandler(of(on_membership), ChatMemberHandler.MY_CHAT_MEMBER))
    application.add_error_handler(of_error(house))


class _ForUs(filters.MessageFilter):
    """A command that names no bot, or names us."""

    def __init__(self, house: House) -> None:
        super().__init__("ForUs")
        self._house = house

    def filter(self, message: Any) -> bool:
        """See `MessageFilter.filter`."""
        word = (message.text or "/").split(maxsplit=1)[0]
        _, at, name = word.partition("@")
        return not at or name.lower() == self._house.sender.username.lower()


def of_error(house: House) -> Callable[[object, Any], Coroutine[Any, Any, None]]:
    """What happens when an update could not be handled: it is logged, its writer is told, and the next one follows."""

    async def on_error(update: object, context: Any) -> None:
        error = context.error
        number = update.update_id if isinstance(update, Update) else None
        if isinstance(error, StorageError | TelegramError):
            log.warning("update %s could not be handled: %s", number, error)
        else:
            log.error("update %s could not be handled", number, exc_info=error)
        message = update.message if isinstance(update, Update) else None  # a press has been answered by then
        if message is None or not _expects_answer(message):
            return
        key = "not-kept" if isinstance(error, StorageError) else "went-wrong"
        house.answer(message, words(None if message.from_user is None else message.from_user.language_code).html(key))

    return on_error


def _expects_answer(message: Message) -> bool:
    """Whether silence would leave somebody in doubt: in private, and after a command."""
    return author_of(message) is not None and (not is_group(message.chat) or (message.text or "").startswith("/"))


async def set_menu(application: AnyApplication, house: House) -> None:
    """The menu of commands, in each language, for groups and for private chats."""
    games = [name for presenter in house.presenters.values() for name in presenter.commands]
    try:
        for language in (None, *LANGUAGES):
            text = words(language)
            menu = [BotCommand(name, text.plain(f"command-{name}")) for name in (*COMMANDS, *games)]
            for scope in (BotCommandScopeAllGroupChats(), BotCommandScopeAllPrivateChats()):
                await application.bot.set_my_commands(menu, scope, language)
    except TelegramError as error:
        log.warning("the menu of commands could not be set: %s", error)
