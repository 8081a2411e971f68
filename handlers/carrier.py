"""The outbox's carrier: stored posts become screens, screens become messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec
from markupsafe import Markup
from telegram.error import Forbidden, TelegramError

from handlers import faults
from handlers.language import language_of
from handlers.lobby_screen import lobby_screen
from handlers.posts import LOBBY_SLOT, NEWS, TOPIC_SLOT, note, unreachable_slot
from handlers.presenter import Presenter, Scene
from handlers.screens import Button, Keyboard, Screen
from handlers.sending import Address, Sender, Shown
from handlers.studio import Studio
from handlers.topics import create_topic, topic_link
from locales import words
from referee.host import Host
from referee.outbox import Delivery, Undeliverable
from referee.play import Play
from storage import matches, outbox, people
from storage.database import Connection
from storage.records import Match, MatchPhase, PendingPost, Post, SentMessage

TOGETHER = 12
"""How many neighbouring pieces of news are told in one message at most."""
RECENT = 100
"""How many of the newest lines of the record a slot of a group is made from."""


class SlotBody(msgspec.Struct, frozen=True):
    """Body of a `slot` post."""

    slot: str
    fresh: bool = False
    if_shown: bool = False
    """Only bring it up to date where it stands in the chat already."""
    n: int | None = None
    """The line of the record that it is posted for."""


class NewsBody(msgspec.Struct, frozen=True):
    """Body of a `news` post."""

    n: int


class NoteBody(msgspec.Struct, frozen=True):
    """Body of a `note` post."""

    key: str
    values: dict[str, str | int]
    deep: tuple[str, str] | None = None
    slot: str | None = None


@dataclass(frozen=True)
class _Sight:
    """What a slot is made from: a lobby's screen is ready, all others are drawn from their scene."""

    match: Match
    shown: SentMessage | None
    screen: Screen | None
    scene: Scene | None = None


@dataclass(frozen=True)
class TelegramCarrier:
    """Says posts in Telegram."""

    host: Host
    play: Play
    presenters: Mapping[str, Presenter]
    sender: Sender
    studio: Studio

    def together(self, posts: Sequence[PendingPost]) -> int:
        """Neighbouring news of one match are told as one."""
        first = posts[0].post
        count = 0
        for pending in posts[:TOGETHER]:
            if pending.post.kind != NEWS or pending.post.match_id != first.match_id:
                break
            count += 1
        return max(count, 1)

    async def deliver(self, posts: Sequence[PendingPost]) -> Delivery:
        """See `Carrier.deliver`."""
        first = posts[0].post
        try:
            match first.kind:
                case "slot":
                    return await self._slot(first)
                case "news":
                    await self._news([pending.post for pending in posts])
                case "topic":
                    return await self._topic(first)
                case "note":
                    return await self._note(first)
                case _:
                    raise Undeliverable(f"unknown kind of post: {first.kind}")
        except Forbidden as error:
            raise Undeliverable(
                error.message, await self._instead(first), first.chat_id if first.chat_id > 0 else None
            ) from error
        except TelegramError as error:
            faults.raise_for_outbox(error)
        return Delivery()

    async def _slot(self, post: Post) -> Delivery:
        body = msgspec.json.decode(post.body, type=SlotBody)
        if post.match_id is None:
            raise Undeliverable("a slot without a match")
        sight = await self.host.db.look(partial(self._sight, post=post, body=body, match_id=post.match_id))
        if sight is None:
            return Delivery()
        match, shown, screen = sight.match, sight.shown, sight.screen
        if sight.scene is not None:
            screen = await self.studio.slot(match.game, body.slot, sight.scene)
        if screen is None:
            return Delivery()
        to = Address(post.chat_id, post.thread_id)
        if shown is None or body.fresh or shown.chat_id != post.chat_id:
            if shown is None and not body.fresh and match.phase is MatchPhase.CANCELLED:
                return Delivery()
            if body.slot == LOBBY_SLOT and shown is not None and shown.chat_id == post.chat_id:
                # Two lobbies of one match would be one too many: only the newer one is kept up to date.
                new = await self.sender.replace(to, Shown(shown.message_id, shown.digest), screen)
            else:
                new = await self.sender.send(to, screen)
        else:
            new = await self.sender.edit(to, Shown(shown.message_id, shown.digest), screen)
        return Delivery((SentMessage(match.id, body.slot, post.chat_id, new.message_id, new.digest),))

    async def _sight(self, db: Connection, post: Post, body: SlotBody, match_id: int) -> _Sight | None:
        """All that a slot is made from, read in one step; None if there is nothing to show."""
        match = await matches.get(db, match_id)
        if match is None:
            raise Undeliverable("the match is gone")
        shown = await outbox.message(db, match_id, body.slot)
        if body.if_shown and shown is None:
            return None
        language = await language_of(db, match.chat_id)
        if body.slot == LOBBY_SLOT:
            members = await matches.members(db, match.id)
            link = topic_link(match, await outbox.message(db, match_id, TOPIC_SLOT))
            screen = lobby_screen(match, members, self.presenters[match.game], words(language), link)
            return _Sight(match, shown, screen)
        scene = await self._scene(db, post, match, language)
        if post.chat_id < 0:
            recent = max(match.version - RECENT, 0)
            first = recent if body.n is None else min(body.n, recent)
            scene = replace(scene, actions=tuple(await matches.actions(db, match.id, first)))
        return _Sight(match, shown, None, scene)

    async def _news(self, posts: Sequence[Post]) -> None:
        post = posts[0]
        numbers = [msgspec.json.decode(p.body, type=NewsBody).n for p in posts]
        if post.match_id is None:
            raise Undeliverable("news without a match")
        async with self.host.db.reading() as db:
            match = await matches.get(db, post.match_id)
            if match is None:
                raise Undeliverable("the match is gone")
            scene = await self._scene(db, post, match, await language_of(db, match.chat_id), numbers)
        screen = self.presenters[match.game].news(scene)
        if screen is not None:
            await self.sender.send(Address(post.chat_id, post.thread_id), screen)

    async def _topic(self, post: Post) -> Delivery:
        """A crash between making a topic and storing it leaves an empty topic behind, and another one is made."""
        if post.match_id is None:
            raise Undeliverable("a topic without a match")
        async with self.host.db.reading() as db:
            match = await matches.get(db, post.match_id)
            chat = await people.get_chat(db, post.chat_id)
            text = words(await language_of(db, post.chat_id))
            made = await outbox.message(db, post.match_id, TOPIC_SLOT) is not None
        if match is None or made or (chat is not None and not chat.settings.own_topic):
            return Delivery()
        topic = await create_topic(self.sender.bot, match, text)
        if topic is None:
            return Delivery()
        return Delivery(topic=SentMessage(match.id, TOPIC_SLOT, post.chat_id, topic, ""))

    async def _note(self, post: Post) -> Delivery:
        body = msgspec.json.decode(post.body, type=NoteBody)
        async with self.host.db.reading() as db:
            match = None if post.match_id is None else await matches.get(db, post.match_id)
            text = words(await language_of(db, post.chat_id if match is None else match.chat_id))
        keyboard: Keyboard = ()
        if body.deep is not None:
            keyboard = ((Button.deep(text.plain(body.deep[0]), body.deep[1]),),)
        # Values that presenters prepared as HTML are marked so by their keys.
        values = {k: Markup(v) if k.endswith("_html") else v for k, v in body.values.items()}  # noqa: S704
        screen = Screen(text.html(body.key, **values), keyboard)
        new = await self.sender.send(Address(post.chat_id, post.thread_id), screen)
        if match is None or body.slot is None:
            return Delivery()
        return Delivery((SentMessage(match.id, body.slot, post.chat_id, new.message_id, new.digest),))

    async def _scene(
        self, db: Connection, post: Post, match: Match, language: str, numbers: Sequence[int] = ()
    ) -> Scene:
        """What the reader of this chat may see: a group sees what a spectator sees."""
        private = post.chat_id > 0
        return Scene(
            look=await self.play.look_in(db, match.id, post.chat_id if private else None),
            words=words(language),
            private=private,
            actions=tuple(await matches.actions_numbered(db, match.id, numbers)) if numbers else (),
            body=json.loads(post.body),
        )

    async def _instead(self, post: Post) -> tuple[Post, ...]:
        """A person cannot be reached in private: his group is told, with the button that opens the private chat.

        Told once per match and person while he stays unreachable; what the post itself said is never repeated there.
        """
        if post.chat_id < 0 or post.match_id is None:
            return ()
        slot = unreachable_slot(post.chat_id)
        async with self.host.db.reading() as db:
            match = await matches.get(db, post.match_id)
            members = await matches.members(db, post.match_id)
            told = await outbox.message(db, post.match_id, slot) is not None
        name = next((member.name for member in members if member.person_id == post.chat_id), None)
        if match is None or name is None or told:
            return ()
        return (
            msgspec.structs.replace(
                note(
                    "unreachable",
                    chat_id=match.chat_id,
                    thread_id=match.thread_id,
                    match_id=match.id,
                    values={"name": name},
                    deep=("button-open-private", f"s{match.id}"),
                    slot=slot,
                ),
                merge_key=f"{match.id}:{slot}",
            ),
        )
