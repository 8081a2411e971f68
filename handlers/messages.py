"""What people write: moves in plain words, and everything else that is no command."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from markupsafe import Markup
from telegram import Message, Update
from telegram.ext import ContextTypes

from engines.contract import RuleError
from handlers.house import ANONYMOUS_ADMIN, House, author_of, is_group, topic_of
from handlers.language import language_of
from handlers.presenter import Decide, Do, Reading, Say, Written
from handlers.topics import tidy
from locales import Words, words
from referee.outbox import move_chat
from referee.play import Acted, Actor, Look
from referee.refusals import Refusal, Refused
from storage import matches, outbox, people
from storage.database import Connection, StorageError
from storage.records import Match, MatchPhase, Person

RECEIPT = "👌"


async def on_text(house: House, update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    """A message with text (or a caption): counted, and read as a move where it is one."""
    message = update.effective_message
    person = None if message is None else author_of(message)
    if message is None or person is None:
        return
    looks, text_words = await _arrive(house, message)
    text = message.text or message.caption or ""
    if person.id == ANONYMOUS_ADMIN or not text or not looks:
        return
    reply = replied_to(message)
    to_bot = reply is not None and reply.from_user is not None and reply.from_user.id == house.sender.bot.id
    private = not is_group(message.chat)
    written = Written(
        text=text,
        private=private,
        addressed=private or to_bot,
        quoted=(reply.text or reply.caption) if reply is not None else None,
        reply_to_person=reply.from_user.id if reply is not None and reply.from_user is not None else None,
    )
    readings = [
        (look, reading)
        for look in looks
        if (reading := house.presenters[look.match.game].read(written, look, text_words)) is not None
    ]
    if not readings and not any(
        house.presenters[look.match.game].concerns(written, look, text_words) for look in looks
    ):
        house.later(tidy(house, message, text_words))
    await settle(house, message, readings, text_words)


async def settle(house: House, message: Message, readings: list[tuple[Look, Reading]], text_words: Words) -> None:
    """Do what a message was read as: in one match; where it would fit several, the person must say which."""
    if not readings:
        return
    # A question («whom?») fits as well as an action does; a refusal («he is not your opponent») does not.
    fitting = [(look, reading) for look, reading in readings if not isinstance(reading, Say) or reading.screen.keyboard]
    if len(fitting) > 1:
        house.answer(message, text_words.html("which-match", n=len(fitting)))
        return
    look, reading = (fitting or readings)[0]
    if not isinstance(reading, Do | Decide):
        house.answer(message, reading.screen)
        return
    private = not is_group(message.chat)
    try:
        actor = Actor(message.from_user.id if message.from_user is not None else None)
        if isinstance(reading, Decide) or reading.as_referee:
            actor = await house.actor(look.match.chat_id, message.from_user, message.sender_chat)
        source = f"{'p' if private else 'g'}{message.chat_id}:{message.message_id}"
        if isinstance(reading, Decide):
            at = made_at(house, message)
            acted = await house.authority.decide(look.match.id, actor, reading.order, at=at, source=source)
        else:
            acted = await _act(house, message, look.match, actor, reading, source)
    except RuleError as error:
        if isinstance(error, Refused) and error.code == Refusal.TOO_LATE:
            house.alarm.ring()
        house.answer(message, Markup.escape(house.refusal(error, look.match.game, look, text_words)))
        return
    except StorageError:
        house.answer(message, text_words.html("not-kept"))
        return
    if acted.repeated:
        return
    if reading.receipt is not None:
        house.answer(message, reading.receipt)
    else:
        house.react(message, RECEIPT)


async def _act(house: House, message: Message, match: Match, actor: Actor, reading: Do, source: str) -> Acted:
    """The actions of a message, one after another; what came of the last."""
    at, referee = made_at(house, message), reading.as_referee
    acted = await house.play.act(match.id, actor, reading.action, at=at, source=source, as_referee=referee)
    for number, action in enumerate(reading.then, 1):
        acted = await house.play.act(match.id, actor, action, at=at, source=f"{source}+{number}", as_referee=referee)
    return acted


async def looks_for(house: House, message: Message, person_id: int | None) -> list[Look]:
    """The running matches that a message may be about, the one it replies to alone where it replies to one."""
    return await house.host.db.look(partial(_looks, house=house, message=message, person_id=person_id))


async def _looks(db: Connection, house: House, message: Message, person_id: int | None) -> list[Look]:
    replied = replied_to(message)
    if replied is not None:
        match_id = await outbox.match_of_message(db, message.chat_id, replied.message_id)
        match = None if match_id is None else await matches.get(db, match_id)
        if match is not None and match.phase is MatchPhase.RUNNING:
            return [await house.play.look_at(db, match, person_id)]
    candidates: list[Match] = []
    if is_group(message.chat):
        topic = topic_of(message)
        here = await matches.in_chat(db, message.chat_id, MatchPhase.RUNNING)
        candidates = [match for match in here if match.thread_id == topic] or here
    elif person_id is not None:
        candidates = await matches.of_person(db, person_id, MatchPhase.RUNNING)
    looks = [await house.play.look_at(db, match, person_id) for match in candidates]
    seated = [look for look in looks if look.seat is not None]
    return seated or looks


def replied_to(message: Message) -> Message | None:
    """What a message replies to. In a topic every plain message "replies" to the one that opened the topic."""
    reply = message.reply_to_message
    return None if reply is None or reply.forum_topic_created is not None else reply


def made_at(house: House, message: Message) -> datetime:
    """When a move was made: its message's own time. Never later than now, whatever clocks say."""
    return min(message.date, house.host.clock.now())


async def _arrive(house: House, message: Message) -> tuple[list[Look], Words]:
    """Remember who wrote, count the message, and find the matches it may be about: all in one step of the database."""
    user = message.from_user

    async def work(db: Connection) -> tuple[list[Look], str]:
        if user is not None and user.id != ANONYMOUS_ADMIN:
            person = Person(user.id, user.full_name, user.username, user.language_code)
            await people.meet(db, person, house.host.clock.now())
            if is_group(message.chat):
                await people.count_message(db, message.chat_id, user.id)
        looks = await _looks(db, house, message, user.id if user is not None else None)
        return looks, await language_of(db, message.chat_id)

    looks, language = await house.host.db.transact(work)
    return looks, words(language)


async def on_migration(house: House, update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    """A group became a supergroup: two service messages say so, one in each; doing it twice is doing it once."""
    message = update.effective_message
    if message is None:
        return
    if message.migrate_to_chat_id is not None:
        await move_chat(house.host, message.chat_id, message.migrate_to_chat_id)
    elif message.migrate_from_chat_id is not None:
        await move_chat(house.host, message.migrate_from_chat_id, message.chat_id)
