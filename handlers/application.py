"""python-telegram-bot's application with our handlers, and the menu of commands."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine
from typing import Any

from telegram import BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, Update
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
from handlers.house import House
from handlers.messages import on_migration, on_text
from handlers.presses import on_press
from locales import LANGUAGES, words

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
    application.add_error_handler(_on_error)


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


async def _on_error(update: object, context: ContextTypes.DEFAULT_TYPE) -> None:
    """A fault of ours in handling one update: logged, and the next one is handled."""
    number = update.update_id if isinstance(update, Update) else None
    log.error("update %s could not be handled", number, exc_info=context.error)


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
