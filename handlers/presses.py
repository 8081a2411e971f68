"""What people press. The press is answered first and the picture is drawn later; whatever happens, it is answered."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import TypeVar

import msgspec
from telegram import CallbackQuery, Message, Update
from telegram.error import TelegramError
from telegram.ext import ContextTypes

from engines.contract import RuleError
from handlers.house import House
from handlers.lobby_screen import COUNTRIES, TURN_LENGTHS, ZONES, lobby_screen, options_screen
from handlers.posts import private_slot
from handlers.presenter import Decide, Do, Say, Turn
from handlers.screens import Press, Screen
from handlers.sending import Address, Shown, digest_of
from locales import Words, words
from referee.play import Actor
from referee.refusals import Refusal, Refused
from storage import matches, outbox
from storage.database import StorageError
from storage.records import Match, MatchPhase, Pace

log = logging.getLogger(__name__)

T = TypeVar("T")


async def on_press(house: House, update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    """A button was pressed."""
    query = update.callback_query
    if query is None:
        return
    press = Press.read(query.data or "")
    message = query.message
    text = words(None)
    game: str | None = None
    try:
        text = await house.words_for(message.chat.id if message is not None else query.from_user.id)
        if press is None or message is None:
            raise Refused(Refusal.STALE)
        await house.meet(query.from_user)
        async with house.host.db.reading() as db:
            match = await matches.get(db, press.match_id)
        if match is None:
            raise Refused(Refusal.NO_MATCH)
        game = match.game
        # As in what the outbox sends: a match speaks one language, in its group and in private.
        text = await house.words_for(match.chat_id)
        if message.chat.id not in (match.chat_id, query.from_user.id):
            raise Refused(Refusal.STALE)
        press = replace(press, private=message.chat.id == query.from_user.id)
        answered = await _lobby_press(house, query, press, match, text)
        if not answered:
            await _game_press(house, query, press, match, text)
    except RuleError as error:
        if isinstance(error, Refused) and error.code == Refusal.TOO_LATE:
            house.alarm.ring()
        await house.toast(query, house.refusal(error, game, None, text), alert=not isinstance(error, Refused))
    except StorageError:
        await house.toast(query, text.plain("not-kept"), alert=True)
    except TelegramError as error:
        log.warning("update %s, a press, could not be handled: %s", update.update_id, error)
        await house.toast(query, text.plain("went-wrong"), alert=True)
    except Exception:
        await house.toast(query, text.plain("went-wrong"), alert=True)
        raise


async def _lobby_press(house: House, query: CallbackQuery, press: Press, match: Match, text: Words) -> bool:
    """Buttons of a lobby. False if this is none of them."""
    presenter = house.presenters[match.game]
    match press.verb:
        case "leave":
            await house.lobby.leave(match.id, query.from_user.id)
            await house.toast(query, text.plain("left-lobby"))
        case "begin":
            actor = await house.actor(match.chat_id, query.from_user)
            await house.lobby.start(match.id, actor, at=house.host.clock.now())
            await house.toast(query, text.plain("begun"))
        case "cancel":
            await house.lobby.cancel(match.id, await house.actor(match.chat_id, query.from_user))
            await house.toast(query, text.plain("cancelled"))
        case "options" | "lobby":
            await house.lobby.choose(match.id, await house.actor(match.chat_id, query.from_user))
            await house.toast(query)
            async with house.host.db.reading() as db:
                members = await matches.members(db, match.id)
            screen = (
                options_screen(match, presenter, text)
                if press.verb == "options"
                else lobby_screen(match, members, presenter, text)
            )
            await _show(house, query, match, screen)
        case "pace" | "opt":
            actor = await house.actor(match.chat_id, query.from_user)
            if press.verb == "pace":
                changed = await house.lobby.choose(match.id, actor, pace=paced(match.pace, press), quiet=True)
            else:
                changed = await house.lobby.choose(
                    match.id, actor, options=presenter.chosen(match.options, press), quiet=True
                )
            await house.toast(query)
            await _show(house, query, changed, options_screen(changed, presenter, text))
        case "again":
            if press.private or match.phase is not MatchPhase.OVER:
                raise Refused(Refusal.STALE)  # such a button stands only below the end, in the group
            if await house.status_in(match.chat_id, query.from_user.id) is None:
                raise Refused(Refusal.NOT_IN_CHAT)  # whoever reads a public group can press its buttons
            person = await house.meet(query.from_user)
            await house.lobby.open(
                match.game,
                chat_id=match.chat_id,
                thread_id=match.thread_id,
                opener=person,
                pace=match.pace,
                options=match.options,
            )
            await house.toast(query)
        case _:
            return False
    return True


async def _game_press(house: House, query: CallbackQuery, press: Press, match: Match, text: Words) -> None:
    look = await house.play.look(match.id, query.from_user.id)
    if press.private and look.seat is None and await house.status_in(match.chat_id, query.from_user.id) is None:
        raise Refused(Refusal.NOT_IN_CHAT)  # data can be forged: who plays elsewhere is no stranger's business
    reading = house.presenters[match.game].pressed(press, look, text)
    match reading:
        case None:
            raise Refused(Refusal.STALE)
        case Do():
            actor = Actor(query.from_user.id)
            if reading.as_referee:
                actor = await house.actor(match.chat_id, query.from_user)
            try:
                await house.play.act(
                    match.id,
                    actor,
                    reading.action,
                    at=house.host.clock.now(),
                    source=f"p:{query.id}",
                    as_referee=reading.as_referee,
                    stamp=press.stamp,
                )
            except Refused:
                raise
            except RuleError as error:  # here the names that the refusal speaks of are known
                await house.toast(query, house.refusal(error, match.game, look, text), alert=True)
                return
            await house.toast(query, None if reading.receipt is None else reading.receipt.striptags())
        case Decide():
            await house.authority.decide(
                match.id,
                await house.actor(match.chat_id, query.from_user),
                reading.order,
                at=house.host.clock.now(),
                source=f"p:{query.id}",
                version=reading.version,
            )
            await house.toast(query, None if reading.receipt is None else reading.receipt.striptags())
        case Say(toast=True):
            await house.toast(query, reading.screen.text.striptags(), alert=True)
        case Say():
            await house.toast(query)
            if isinstance(query.message, Message):
                house.answer(query.message, reading.screen)
        case Turn():
            if press.stamp is not None and press.stamp != look.stamp:
                raise Refused(Refusal.STALE)
            await house.toast(query, reading.toast)
            await _show(house, query, match, reading.screen)


async def _show(house: House, query: CallbackQuery, match: Match, screen: Screen) -> None:
    """The pressed message goes on to another screen; where it shows a slot, that is remembered."""
    message = query.message
    if message is None:
        return
    house.later(_edit(house, match, message.chat.id, message.message_id, screen))


async def _edit(house: House, match: Match, chat_id: int, message_id: int, screen: Screen) -> None:
    async with house.host.db.reading() as db:
        slot = await outbox.slot_of_message(db, chat_id, message_id)
    kind = "t-" if slot is None else slot.digest
    if slot is None and screen.pictures:
        kind = "p-"
    edit = partial(house.sender.edit, Address(chat_id), Shown(message_id, kind), screen)
    new = await house.patiently(chat_id, edit)
    if slot is None:
        return
    async with house.host.db.transaction() as db:
        # The slot may have been posted anew in the meantime: then that message shows it.
        if await outbox.slot_of_message(db, chat_id, message_id) is not None:
            await outbox.set_message(
                db, msgspec.structs.replace(slot, message_id=new.message_id, digest=digest_of(screen))
            )


def paced(pace: Pace, press: Press) -> Pace:
    """The pace after a button of the options: the next choice in its row."""
    try:
        what, step = press.rest[0], int(press.rest[1])
    except (IndexError, ValueError):
        raise Refused(Refusal.STALE) from None  # data that no button of ours has
    match what:
        case "seconds":
            seconds = _next(TURN_LENGTHS, pace.seconds, step)
            # Turns of minutes do not go with a calendar that stands still at weekends (see `check_pace`).
            country = None if seconds is not None and seconds < 3600 else pace.country
            return msgspec.structs.replace(pace, seconds=seconds, country=country)
        case "country":
            return msgspec.structs.replace(pace, country=_next(COUNTRIES, pace.country, step))
        case "zone":
            return msgspec.structs.replace(pace, zone=_next(ZONES, pace.zone, step))
        case _:
            raise Refused(Refusal.STALE)


def _next(choices: tuple[T, ...], now: T, step: int) -> T:
    place = choices.index(now) if now in choices else 0
    return choices[(place + step) % len(choices)]


async def show_panel(house: House, match: Match, person_id: int, seat: int) -> None:
    """Post somebody's panel anew at the bottom of his private chat."""
    async with house.host.db.transaction() as db:
        await outbox.add(db, [private_slot(match, person_id, f"panel:{seat}", fresh=True)], house.host.clock.now())
    house.outbox.wake({person_id})
