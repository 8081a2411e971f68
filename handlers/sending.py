"""Screens to Telegram: send, edit, replace. Every request passes the gate; errors are python-telegram-bot's own."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from markupsafe import Markup
from telegram import (
    Bot,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    InputMediaPhoto,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
)
from telegram.constants import ParseMode
from telegram.error import BadRequest

from handlers import faults
from handlers.records import Document
from handlers.screens import CAPTION_LIMIT, TEXT_LIMIT, Button, Keyboard, Screen
from referee.gate import Gate

ALBUM = 10
"""Pictures in one album at most (Telegram)."""


@dataclass(frozen=True)
class Address:
    """Where to say something."""

    chat_id: int
    thread_id: int | None = None
    reply_to: int | None = None


@dataclass(frozen=True)
class Shown:
    """A message that shows a screen: its number, and a digest of what it shows."""

    message_id: int
    digest: str


@dataclass
class Sender:
    """Sends screens."""

    bot: Bot
    gate: Gate
    username: str = field(default="")
    """The bot's own, for deep links; known once the bot is initialised."""

    async def send(self, to: Address, screen: Screen) -> Shown:
        """Post a screen at the bottom of a chat. In a topic that is gone it is posted in the chat itself."""
        try:
            return await self._send(to, screen)
        except BadRequest as error:
            if faults.is_thread_gone(error) and to.thread_id is not None:
                return await self._send(Address(to.chat_id, None, to.reply_to), screen)
            if faults.is_picture_forbidden(error) and screen.pictures:
                return await self._send(to, Screen(screen.text, screen.keyboard))
            raise

    async def send_document(self, to: Address, document: Document, caption: Markup) -> None:
        """Post a file at the bottom of a chat. In a topic that is gone it is posted in the chat itself."""
        await self.gate.enter(to.chat_id)
        try:
            await self.bot.send_document(
                to.chat_id,
                InputFile(document.data, document.name),
                _limited(caption, CAPTION_LIMIT),
                parse_mode=ParseMode.HTML,
                message_thread_id=to.thread_id,
                reply_parameters=_reply(to),
            )
        except BadRequest as error:
            if not faults.is_thread_gone(error) or to.thread_id is None:
                raise
            await self.send_document(Address(to.chat_id, None, to.reply_to), document, caption)

    async def edit(self, to: Address, shown: Shown, screen: Screen) -> Shown:
        """Make a message show another screen; posts it anew where that cannot be done."""
        digest = digest_of(screen)
        if digest == shown.digest:
            return shown
        was, now = _parts(shown.digest), _parts(digest)
        try:
            if was.kind == "t" and now.kind == "t":
                await self.gate.enter(to.chat_id)
                await self.bot.edit_message_text(
                    _limited(screen.text, TEXT_LIMIT),
                    to.chat_id,
                    shown.message_id,
                    parse_mode=ParseMode.HTML,
                    reply_markup=self.markup(screen.keyboard),
                    link_preview_options=LinkPreviewOptions(is_disabled=True),
                )
            elif was.kind == now.kind == "p" and was.picture == now.picture:
                await self.gate.enter(to.chat_id)
                await self.bot.edit_message_caption(
                    to.chat_id,
                    shown.message_id,
                    caption=_limited(screen.text, CAPTION_LIMIT),
                    parse_mode=ParseMode.HTML,
                    reply_markup=self.markup(screen.keyboard),
                )
            elif now.kind == "p" and was.kind in "pt":
                await self.gate.enter(to.chat_id)
                await self.bot.edit_message_media(
                    InputMediaPhoto(
                        screen.pictures[0], _limited(screen.text, CAPTION_LIMIT), parse_mode=ParseMode.HTML
                    ),
                    to.chat_id,
                    shown.message_id,
                    reply_markup=self.markup(screen.keyboard),
                )
            elif was.kind == now.kind == "a" and was.picture == now.picture:
                return await self.edit(to, Shown(shown.message_id, "t-"), Screen(screen.text, screen.keyboard))
            else:
                return await self.replace(to, shown, screen)
        except BadRequest as error:
            if faults.is_not_modified(error):
                return Shown(shown.message_id, digest)
            if faults.is_message_gone(error):
                return await self.send(to, screen)
            if faults.is_picture_forbidden(error) and screen.pictures:
                return await self.edit(to, shown, Screen(screen.text, screen.keyboard))
            raise
        return Shown(shown.message_id, digest)

    def markup(self, keyboard: Keyboard) -> InlineKeyboardMarkup | None:
        """Buttons as Telegram wants them."""
        if not keyboard:
            return None
        return InlineKeyboardMarkup([[self._button(button) for button in row] for row in keyboard])

    def _button(self, button: Button) -> InlineKeyboardButton:
        url = button.url
        if url is not None and url.startswith("start:"):
            url = f"https://t.me/{self.username}?start={url.removeprefix('start:')}"
        return InlineKeyboardButton(
            button.text,
            url=url,
            callback_data=button.data,
            style=None if button.style is None else button.style.value,
        )

    async def _send(self, to: Address, screen: Screen) -> Shown:
        reply = _reply(to)
        text, markup = screen.text, self.markup(screen.keyboard)
        if len(screen.pictures) == 1 and visible_length(text) <= CAPTION_LIMIT:
            await self.gate.enter(to.chat_id)
            message = await self.bot.send_photo(
                to.chat_id,
                screen.pictures[0],
                text,
                parse_mode=ParseMode.HTML,
                reply_markup=markup,
                reply_parameters=reply,
                message_thread_id=to.thread_id,
            )
            return Shown(message.message_id, digest_of(screen))
        for first in range(0, len(screen.pictures), ALBUM):
            await self._send_album(to, screen.pictures[first : first + ALBUM])
        message = await self._send_text(to, text, markup, reply)
        return Shown(message.message_id, digest_of(screen))

    async def _send_album(self, to: Address, pictures: tuple[bytes, ...]) -> None:
        if len(pictures) == 1:
            await self.gate.enter(to.chat_id)
            await self.bot.send_photo(to.chat_id, pictures[0], message_thread_id=to.thread_id)
            return
        for _ in pictures:  # every picture of an album counts as a message
            await self.gate.enter(to.chat_id)
        await self.bot.send_media_group(
            to.chat_id, [InputMediaPhoto(picture) for picture in pictures], message_thread_id=to.thread_id
        )

    async def _send_text(
        self, to: Address, text: Markup, markup: InlineKeyboardMarkup | None, reply: ReplyParameters | None
    ) -> Message:
        pieces = split(text)
        for piece in pieces[:-1]:
            await self.gate.enter(to.chat_id)
            await self.bot.send_message(
                to.chat_id, piece, parse_mode=ParseMode.HTML, message_thread_id=to.thread_id, reply_parameters=reply
            )
        await self.gate.enter(to.chat_id)
        return await self.bot.send_message(
            to.chat_id,
            pieces[-1],
            parse_mode=ParseMode.HTML,
            reply_markup=markup,
            reply_parameters=reply if len(pieces) == 1 else None,
            message_thread_id=to.thread_id,
            link_preview_options=LinkPreviewOptions(is_disabled=True),
        )

    async def replace(self, to: Address, shown: Shown, screen: Screen) -> Shown:
        """For changes that an edit cannot make. The new one is posted first, so that a failure loses nothing."""
        new = await self.send(to, screen)
        await self.gate.enter(to.chat_id)
        try:
            await self.bot.delete_message(to.chat_id, shown.message_id)
        except BadRequest:
            await self._disarm(to, shown)  # over 48 hours old: take its buttons away
        return new

    async def _disarm(self, to: Address, shown: Shown) -> None:
        try:
            await self.bot.edit_message_reply_markup(to.chat_id, shown.message_id)
        except BadRequest:
            return


def _reply(to: Address) -> ReplyParameters | None:
    return None if to.reply_to is None else ReplyParameters(to.reply_to, allow_sending_without_reply=True)


@dataclass(frozen=True)
class _Parts:
    kind: str
    picture: str


def digest_of(screen: Screen) -> str:
    """What kind of message a screen makes (t text, p picture, a album), its pictures, and all of it."""
    pictures = hashlib.blake2b(digest_size=8)
    for picture in screen.pictures:
        pictures.update(hashlib.blake2b(picture, digest_size=16).digest())
    if not screen.pictures:
        kind = "t"
    elif len(screen.pictures) == 1 and visible_length(screen.text) <= CAPTION_LIMIT:
        kind = "p"
    else:
        kind = "a"
    return f"{kind}{pictures.hexdigest()}-{screen.digest}"


def _parts(digest: str) -> _Parts:
    return _Parts(digest[:1], digest[1:].split("-")[0])


def visible_length(text: Markup) -> int:
    """Length as Telegram counts: UTF-16 units after the tags are read."""
    return len(text.striptags().encode("utf-16-le")) // 2


def _limited(text: Markup, limit: int) -> str:
    """The text, or its first lines where it is too long."""
    while visible_length(text) > limit and "\n" in text:
        text = Markup(text.rpartition("\n")[0])  # noqa: S704  # a part of what was Markup
    return str(text)


def split(text: Markup) -> list[str]:
    """The text in pieces that fit into messages, broken between lines (our tags never span lines)."""
    pieces: list[str] = []
    piece = ""
    for line in str(text).split("\n"):
        longer = f"{piece}\n{line}" if piece else line
        if piece and visible_length(Markup(longer)) > TEXT_LIMIT:  # noqa: S704  # a part of what was Markup
            pieces.append(piece)
            piece = line
        else:
            piece = longer
    return [*pieces, piece]
