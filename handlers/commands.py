"""Commands that every game shares, deep links, and the way to a game's own commands."""

from __future__ import annotations

import msgspec
from markupsafe import Markup
from telegram import ChatMemberUpdated, Message, Update, User
from telegram.constants import ChatMemberStatus
from telegram.ext import ContextTypes

from engines.contract import RuleError
from handlers.export import export, give
from handlers.house import ANONYMOUS_ADMIN, House, author_of, is_group, topic_of
from handlers.language import language_of
from handlers.messages import looks_for, settle
from handlers.posts import LOBBY_SLOT, group_slot, unreachable_slot
from handlers.presses import show_panel
from handlers.screens import Button, Keyboard, Screen, Style
from handlers.topics import switch
from locales import LANGUAGES, Words, words
from referee.refusals import Refusal, Refused
from storage import matches, outbox, people
from storage.database import Connection, StorageError
from storage.records import Match, MatchPhase, Person


async def on_command(house: House, update: Update, context: ContextTypes.DEFAULT_TYPE) -> None:
    """A command. An edited message is never one."""
    message = update.message
    user = None if message is None else author_of(message)
    if message is None or user is None or message.text is None:
        return
    name, argument = _parse(message)
    text = await _arrive(house, message)
    try:
        await _dispatch(house, message, user, name, argument, text)
    except RuleError as error:
        house.answer(message, Markup.escape(house.refusal(error, None, None, text)))
    except StorageError:
        house.answer(message, text.html("not-kept"))


async def _dispatch(house: House, message: Message, user: User, name: str, argument: str, text: Words) -> None:
    match name:
        case "start":
            await _start(house, message, user, argument, text)
        case "help":
            house.answer(message, _help(house, text))
        case "rules":
            await _rules(house, message, argument, text)
        case "status" | "mygames":
            await _status(house, message, user, text)
        case "language":
            await _language(house, message, user, argument, text)
        case "reserve":
            await _reserve(house, message, user, argument, text)
        case "topic" | "tidy":
            await switch(house, message, user, name, argument, text)
        case "export":
            await export(house, message, user, argument, text)
        case "sea" | "newgame":
            await _open(house, message, user, "sea_battle", text)
        case _:
            looks = await looks_for(house, message, None if user.id == ANONYMOUS_ADMIN else user.id)
            readings = [
                (look, reading)
                for look in looks
                if (
                    reading := house.presenters[look.match.game].command(
                        name, argument, look, text, not is_group(message.chat)
                    )
                )
                is not None
            ]
            if readings:
                await settle(house, message, readings, text)
            elif any(name in presenter.commands for presenter in house.presenters.values()):
                house.answer(message, text.html("no-running-match"))


async def _start(house: House, message: Message, user: User, payload: str, text: Words) -> None:
    """/start: hello; with a payload, the way from a button of a group into the private chat."""
    if is_group(message.chat):
        house.answer(message, _hello(house, text, in_group=True))
        return
    async with house.host.db.transaction() as db:
        await _reached(db, user.id)
    kind, number = payload[:1], payload[1:]
    if kind not in ("j", "f", "s", "e", "r") or not (number.isascii() and number.isdigit()):
        house.answer(message, _hello(house, text, in_group=False))
        await _show_panels(house, user.id)
        return
    async with house.host.db.reading() as db:
        match = await matches.get(db, int(number))
        if match is None:  # before anything else is asked: the number may be any that somebody wrote
            raise Refused(Refusal.NO_MATCH)
        members = await matches.members(db, match.id)
        language = words(await language_of(db, match.chat_id))
    # The link may have been copied to somebody who is not in the group.
    if await house.status_in(match.chat_id, user.id) is None:
        raise Refused(Refusal.NOT_IN_CHAT)
    seat = next((member.seat for member in members if member.person_id == user.id), None)
    if kind == "e":
        await give(house, message, match)
    elif match.phase is MatchPhase.LOBBY:
        if kind != "j":
            raise Refused(Refusal.NOT_RUNNING)
        try:
            await house.lobby.join(match.id, _person(user))
        except Refused as refused:
            if refused.code != Refusal.NOT_IN_LOBBY:
                raise
            # The lot was drawn, or the lobby closed, at this very moment. Phases only go forward: once more is enough.
            await _start(house, message, user, payload, text)
            return
        house.answer(message, language.html("joined", game=language.plain(f"game-{match.game}")))
    elif match.phase is MatchPhase.RUNNING and seat is not None:
        await show_panel(house, match, user.id, seat)
    elif match.phase is MatchPhase.RUNNING and kind in ("r", "j"):
        await _wait(house, message, match, user, language)
    elif match.phase is MatchPhase.RUNNING:
        raise Refused(Refusal.NOT_YOUR_MATCH)
    else:
        raise Refused(Refusal.NOT_RUNNING)


async def _show_panels(house: House, person_id: int) -> None:
    """What a person needs for his running matches, anew at the bottom of his private chat."""
    async with house.host.db.reading() as db:
        running = await matches.of_person(db, person_id, MatchPhase.RUNNING)
        lists = [await matches.members(db, match.id) for match in running]
    for match, members in zip(running, lists, strict=True):
        seat = next((member.seat for member in members if member.person_id == person_id), None)
        if seat is not None:
            await show_panel(house, match, person_id, seat)


async def _open(house: House, message: Message, user: User, game: str, text: Words) -> None:
    """Open a lobby, or show the open one again at the bottom of the chat."""
    if not is_group(message.chat):
        house.answer(message, text.html("open-in-group"))
        return
    if user.id == ANONYMOUS_ADMIN:
        house.answer(message, text.html("anonymous-cannot-play"))
        return
    topic = topic_of(message)
    async with house.host.db.reading() as db:
        chat = await people.get_chat(db, message.chat_id)
    try:
        await house.lobby.open(
            game,
            chat_id=message.chat_id,
            thread_id=topic,
            opener=_person(user),
            pace=None if chat is None else chat.settings.pace,
        )
    except Refused as refused:
        if refused.code != Refusal.LOBBY_OPEN:
            raise
        async with house.host.db.transaction() as db:
            lobbies = await matches.in_chat(db, message.chat_id, MatchPhase.LOBBY)
            again = [
                group_slot(match, LOBBY_SLOT, fresh=True)
                for match in lobbies
                if match.game == game and match.thread_id == topic
            ]
            await outbox.add(db, again, house.host.clock.now())
        house.outbox.wake({message.chat_id})
        return
    if not house.reads_everything:
        house.answer(message, text.html("privacy-hint"))


async def _rules(house: House, message: Message, argument: str, text: Words) -> None:
    game = argument.strip() if argument.strip() in house.presenters else next(iter(house.presenters))
    house.answer(message, text.html(f"rules-{game}"))


async def _status(house: House, message: Message, user: User, text: Words) -> None:
    """Who has to move, since when and until when, in every match of this chat (in private: of this person)."""
    async with house.host.db.reading() as db:
        if is_group(message.chat):
            running = await matches.in_chat(db, message.chat_id, MatchPhase.RUNNING)
        else:
            running = await matches.of_person(db, user.id, MatchPhase.RUNNING)
        looks = [
            await house.play.look_in(db, match.id, None if is_group(message.chat) else user.id) for match in running
        ]
    if not looks:
        house.answer(message, text.html("no-running-match"))
        return
    told = [house.presenters[look.match.game].status(look, text) for look in looks]
    house.answer(message, Markup("\n\n").join(told))


async def _reserve(house: House, message: Message, user: User, argument: str, text: Words) -> None:
    """/reserve: wait for the running match of this chat; /reserve leave: not any more."""
    if not is_group(message.chat):
        house.answer(message, text.html("reserve-in-group"))
        return
    if user.id == ANONYMOUS_ADMIN:
        house.answer(message, text.html("anonymous-cannot-play"))
        return
    looks = await looks_for(house, message, user.id)
    if len(looks) != 1:
        house.answer(message, text.html("which-match", n=len(looks)) if looks else text.html("no-running-match"))
        return
    match = looks[0].match
    if argument.strip().casefold() in ("leave", "off", "выйти", "нет"):
        await house.authority.go(match.id, user.id)
        house.answer(message, text.html("reserve-left"))
        return
    await _wait(house, message, match, user, text)


async def _wait(house: House, message: Message, match: Match, user: User, text: Words) -> None:
    """Somebody waits in reserve from now on; in the group he is asked to open the private chat, where boards come."""
    waiting = await house.authority.wait(match.id, _person(user))
    open_private = Button.deep(text.plain("button-open-private"), "hello", Style.PRIMARY)
    keyboard: Keyboard = ((open_private,),) if is_group(message.chat) else ()
    house.answer(message, Screen(text.html("reserve-waiting", id=match.id, n=waiting), keyboard))


async def _language(house: House, message: Message, user: User, argument: str, text: Words) -> None:
    """/language ru: for administrators of a group, and for everybody in private."""
    chosen = argument.strip().lower()
    if chosen not in LANGUAGES:
        house.answer(message, text.html("language-how", languages=", ".join(LANGUAGES)))
        return
    if is_group(message.chat) and not (await house.actor(message.chat_id, user, message.sender_chat)).is_admin:
        raise Refused(Refusal.NOT_ADMIN)
    async with house.host.db.transaction() as db:
        chat = await people.get_chat(db, message.chat_id)
        if chat is None:
            return
        await people.save_settings(db, chat.id, msgspec.structs.replace(chat.settings, language=chosen))
    house.answer(message, words(chosen).html("language-set"))


async def on_membership(house: House, update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
    """The bot was added to a group, or a person blocked or unblocked it."""
    change: ChatMemberUpdated | None = update.my_chat_member
    if change is None:
        return
    present = change.new_chat_member.status not in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
    if not is_group(change.chat):
        async with house.host.db.transaction() as db:
            if present:
                await _reached(db, change.chat.id)
            else:
                await people.set_reachable(db, change.chat.id, False)
        return
    if present and change.old_chat_member.status in (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED):
        async with house.host.db.transaction() as db:
            await people.know_chat(db, change.chat.id, change.chat.type, change.chat.title or "")
        text = await house.words_for(change.chat.id)
        house.greet(change.chat.id, _hello(house, text, in_group=True))


async def _reached(db: Connection, person_id: int) -> None:
    """A person can be written to in private (again): should that end, his groups are told anew."""
    await people.set_reachable(db, person_id, True)
    for match in await matches.of_person(db, person_id, MatchPhase.RUNNING):
        await outbox.forget_message(db, match.id, unreachable_slot(person_id))


def _hello(house: House, text: Words, *, in_group: bool) -> Screen:
    lines = [text.html("hello-group" if in_group else "hello-private")]
    if in_group and not house.reads_everything:
        lines.append(text.html("privacy-hint"))
    keyboard = ((Button.deep(text.plain("button-open-private"), "hello", Style.PRIMARY),),) if in_group else ()
    return Screen(Markup("\n\n").join(lines), keyboard)


def _help(house: House, text: Words) -> Markup:
    lines = [text.html("help-title"), Markup("")]
    lines += [text.html("help-line", command=name, about=text.plain(f"command-{name}")) for name in COMMANDS]
    for game, presenter in house.presenters.items():
        lines += [Markup(""), text.html("help-game", game=text.plain(f"game-{game}"))]
        lines += [
            text.html("help-line", command=name, about=text.plain(f"command-{name}")) for name in presenter.commands
        ]
        lines += [Markup(""), text.html(f"how-{game}")]
    return Markup("\n").join(lines)


async def _arrive(house: House, message: Message) -> Words:
    """Remember the chat and the person."""
    user = message.from_user
    async with house.host.db.transaction() as db:
        await people.know_chat(
            db, message.chat_id, message.chat.type, message.chat.title or message.chat.full_name or ""
        )
        if user is not None and user.id != ANONYMOUS_ADMIN:
            await people.meet(db, _person(user), house.host.clock.now())
            if is_group(message.chat):
                await people.count_message(db, message.chat_id, user.id)
        return words(await language_of(db, message.chat_id))


def _parse(message: Message) -> tuple[str, str]:
    """The command's name in lower case, and what follows it."""
    text = message.text or ""
    head, _, tail = text[1:].partition("@") if "@" in text.split(maxsplit=1)[0] else (text[1:], "", "")
    if tail:
        return head.lower(), " ".join(tail.split(maxsplit=1)[1:]).strip()
    length = next((e.length for e in message.entities if e.type == e.BOT_COMMAND and e.offset == 0), len(text))
    return text[1:length].lower(), text[length:].strip()


def _person(user: User) -> Person:
    return Person(user.id, user.full_name, user.username, user.language_code)


COMMANDS = ("start", "help", "rules", "sea", "status", "reserve", "mygames", "export", "language", "topic", "tidy")
"""Names of the commands that all games share."""
