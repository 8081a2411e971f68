"""/export: a match's record as files, in full after its end; while it goes on, what everybody knows already."""

from __future__ import annotations

import asyncio

from markupsafe import Markup
from telegram import Message, User
from telegram.error import BadRequest

from handlers import faults
from handlers.house import House, is_group, topic_of
from handlers.language import language_of
from handlers.messages import replied_to
from handlers.records import Chronicle
from handlers.screens import Button, Screen
from handlers.sending import Address
from locales import Words, words
from referee.refusals import Refusal, Refused
from storage import matches, outbox, people
from storage.database import Connection
from storage.records import Match, MatchPhase

FORMS = {"text": "text", "txt": "text", "текст": "text", "json": "json"}
"""Words that ask for one file alone."""


async def export(house: House, message: Message, user: User, argument: str, text: Words) -> None:
    """«/export [number] [text|json]». Raises Refused for a match that this person may not read."""
    number: int | None = None
    form: str | None = None
    for word in argument.casefold().split():
        digits = word.lstrip("№#")
        if word in FORMS and form is None:
            form = FORMS[word]
        elif digits.isascii() and digits.isdigit() and number is None:
            number = int(digits[:20])
        else:
            house.answer(message, text.html("export-how"))
            return
    async with house.host.db.reading() as db:
        found = await _asked_for(db, message, user, number)
        if not found:
            house.answer(message, text.html("export-none"))
            return
        mine = any(member.person_id == user.id for member in await matches.members(db, found[0].id))
    if len(found) > 1:
        commands = Markup(", ").join(Markup("/export {}").format(match.id) for match in found)
        house.answer(message, text.html("export-which", commands=commands))
        return
    match = found[0]
    if is_group(message.chat):
        if match.chat_id != message.chat_id:
            raise Refused(Refusal.NO_MATCH)
    elif not mine and await house.status_in(match.chat_id, user.id) is None:
        raise Refused(Refusal.NOT_IN_CHAT)
    await give(house, message, match, form)


async def _asked_for(db: Connection, message: Message, user: User, number: int | None) -> list[Match]:
    """By number, by a reply to a message of the bot, or what is on here (for a person in private: his matches), or the
    last one that ended. Raises Refused NO_MATCH for a number that there is not."""
    if number is None and (replied := replied_to(message)) is not None:
        number = await outbox.match_of_message(db, message.chat_id, replied.message_id)
    if number is not None:
        match = await matches.get(db, number)
        if match is None:
            raise Refused(Refusal.NO_MATCH)
        return [match]
    if not is_group(message.chat):
        running = await matches.of_person(db, user.id, MatchPhase.RUNNING)
        last = None if running else await matches.last_over(db, person_id=user.id)
    else:
        topic = topic_of(message)
        here = await matches.in_chat(db, message.chat_id, MatchPhase.RUNNING)
        running = [match for match in here if match.thread_id == topic] or here
        last = None if running else await matches.last_over(db, chat_id=message.chat_id, thread_id=topic)
    return running if last is None else [last]


async def give(house: House, message: Message, match: Match, form: str | None = None) -> None:
    """Answer with the match's record: both files, or that of `form` alone (all of them if there is none)."""
    chronicle = await _chronicle(house, match.id)
    told = chronicle.words
    match chronicle.match.phase:
        case MatchPhase.LOBBY:
            house.answer(message, told.html("export-not-begun", id=match.id))
        case MatchPhase.CANCELLED:
            house.answer(message, told.html("export-cancelled", id=match.id))
        case MatchPhase.RUNNING | MatchPhase.OVER:
            to = Address(message.chat_id, topic_of(message), message.message_id)
            house.later(_send(house, to, chronicle, form))


async def _chronicle(house: House, match_id: int) -> Chronicle:
    """The match and its record as they stand together at one instant."""
    async with house.host.db.reading() as db:
        match = await house.host.match(db, match_id)
        members = tuple(await matches.members(db, match_id))
        actions = tuple(await matches.actions(db, match_id))
        referees: dict[int, str] = {}
        for person_id in {a.person_id for a in actions if a.seat is None and a.person_id is not None}:
            person = await people.get(db, person_id)
            if person is not None:
                referees[person_id] = person.name
        return Chronicle(match, members, actions, words(await language_of(db, match.chat_id)), referees)


async def _send(house: House, to: Address, chronicle: Chronicle, form: str | None) -> None:
    match = chronicle.match
    presenter = house.presenters[match.game]
    documents = await asyncio.to_thread(presenter.documents, chronicle)
    wanted = [document for document in documents if form in (None, document.form)] or list(documents)
    caption = chronicle.words.html("export-full" if chronicle.whole else "export-open", id=match.id, game=match.game)
    try:
        for document in wanted:
            await house.sender.send_document(to, document, caption if document is wanted[0] else Markup(""))
    except BadRequest as error:
        if not faults.is_file_forbidden(error):
            raise
        text = chronicle.words
        keyboard = ((Button.deep(text.plain("button-open-private"), f"e{match.id}"),),)
        await house.sender.send(to, Screen(text.html("export-forbidden"), keyboard))
