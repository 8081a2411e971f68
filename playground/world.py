"""The state of the playground: people, chats, members, topics, messages."""

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from playground.hub import EventKind, Hub
from playground.media import Media
from playground.wire import Json

KEPT_MESSAGES = 2_000
GENERAL_THREAD = 1
GROUP_ANONYMOUS_BOT = 1087968824
DEFAULT_BOT_ID = 7_000_000_001
DEFAULT_BOT_USERNAME = "referee_playground_bot"
TOPIC_COLOURS = (7322096, 16766590, 13338331, 9367192, 16749490, 16478047)

ADMIN_RIGHTS = (
    "can_manage_chat",
    "can_delete_messages",
    "can_manage_video_chats",
    "can_restrict_members",
    "can_promote_members",
    "can_change_info",
    "can_invite_users",
    "can_post_stories",
    "can_edit_stories",
    "can_delete_stories",
    "can_pin_messages",
    "can_manage_topics",
    "can_manage_tags",
)


class ChatType(StrEnum):
    """Kinds of chats (channels are not played here)."""

    PRIVATE = "private"
    GROUP = "group"
    SUPERGROUP = "supergroup"


class Status(StrEnum):
    """A member's place in a chat."""

    CREATOR = "creator"
    ADMINISTRATOR = "administrator"
    MEMBER = "member"
    LEFT = "left"
    KICKED = "kicked"


@dataclass(slots=True, eq=False)
class Person:
    """A user of Telegram; the bot is one as well."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False
    started: bool = False
    blocked: bool = False


@dataclass(slots=True, eq=False)
class Member:
    """A person in a chat."""

    person: Person
    status: Status
    title: str | None = None
    tag: str | None = None
    rights: dict[str, bool] = field(default_factory=dict)

    @property
    def present(self) -> bool:
        """Whether the person is in the chat now."""
        return self.status not in (Status.LEFT, Status.KICKED)

    @property
    def is_admin(self) -> bool:
        """Whether the person administers the chat."""
        return self.status in (Status.CREATOR, Status.ADMINISTRATOR)

    def may(self, right: str) -> bool:
        """Whether an administrator has this right; the owner has all."""
        return self.status is Status.CREATOR or (
            self.status is Status.ADMINISTRATOR and self.rights.get(right, right != "can_promote_members")
        )


@dataclass(slots=True, eq=False)
class Topic:
    """A topic of a forum."""

    thread_id: int
    name: str
    icon_color: int = TOPIC_COLOURS[0]
    icon_custom_emoji_id: str | None = None
    closed: bool = False
    hidden: bool = False
    root: "Message | None" = None


@dataclass(slots=True, eq=False)
class Message:
    """A message as it is now. `service` holds the fields of a service message, in the API's own form."""

    chat: "Chat"
    id: int
    date: int
    sender: Person
    anonymous: bool = False
    text: str | None = None
    entities: list[Json] = field(default_factory=list)
    media: Media | None = None
    service: Json | None = None
    reply_to: "Message | None" = None
    quote: Json | None = None
    topic: Topic | None = None
    thread_root: int | None = None
    keyboard: list[list[Json]] | None = None
    reply_keyboard: Json | None = None
    via_bot: bool = False
    inline_message_id: str | None = None
    media_group_id: str | None = None
    forward_origin: Json | None = None
    extra: Json = field(default_factory=dict)
    edit_date: int | None = None
    edits: int = 0
    version: int = 0
    deleted: bool = False
    reactions: dict[int, list[str]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Chat:
    """A chat. `peer` is the person of a private chat."""

    id: int
    type: ChatType
    title: str = ""
    peer: Person | None = None
    is_forum: bool = False
    description: str | None = None
    members: dict[int, Member] = field(default_factory=dict)
    topics: dict[int, Topic] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    deleted: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=KEPT_MESSAGES))
    pinned: list[int] = field(default_factory=list)
    ids: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    migrated_to: int | None = None
    migrated_from: int | None = None

    @property
    def is_group(self) -> bool:
        """Whether several people talk here."""
        return self.type is not ChatType.PRIVATE

    def member(self, person_id: int) -> Member | None:
        """The person's membership, also a past one."""
        return self.members.get(person_id)


class World:
    """Everything there is. `version` grows with every change that somebody can see."""

    def __init__(self, now: Callable[[], float], hub: Hub, numbers_from: int = 0) -> None:
        self.now = now
        self._numbers_from = numbers_from
        self.hub = hub
        self.version = 0
        self.bot = Person(DEFAULT_BOT_ID, "Referee", username=DEFAULT_BOT_USERNAME, is_bot=True)
        self.anonymous = Person(GROUP_ANONYMOUS_BOT, "Group", username="GroupAnonymousBot", is_bot=True)
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.inline_messages: dict[str, Message] = {}
        self._person_ids = itertools.count(5_100_000_001)
        self._group_ids = itertools.count(4_200_000_001)
        self._channel_ids = itertools.count(1_002_100_000_001)
        # Private chats and small groups share one row of message numbers, supergroups have their own.
        self._shared_ids = itertools.count(numbers_from + 1001)

    def rename_bot(self, bot_id: int) -> None:
        """The bot's id becomes `bot_id` (the number before the colon of its token), in every chat."""
        old = self.bot.id
        if bot_id == old:
            return
        self.bot.id = bot_id
        for chat in self.chats.values():
            if old in chat.members:
                chat.members = {bot_id if key == old else key: member for key, member in chat.members.items()}
        self.hub.publish(EventKind.STATE)

    def user(self, user_id: int) -> Person | None:
        """A person or the bot."""
        return self.bot if user_id == self.bot.id else self.people.get(user_id)

    def add_person(self, person_id: int | None, first_name: str, **more: str | None) -> Person:
        """A new person, with a private chat to the bot that he has not opened yet."""
        person = Person(person_id if person_id is not None else next(self._person_ids), first_name, **more)  # type: ignore[arg-type]
        self.people[person.id] = person
        self.chats[person.id] = Chat(person.id, ChatType.PRIVATE, peer=person, ids=self._shared_ids)
        self.hub.publish(EventKind.STATE)
        return person

    def add_chat(self, kind: ChatType, title: str, *, is_forum: bool = False, chat_id: int | None = None) -> Chat:
        """A new empty group."""
        if kind is ChatType.GROUP:
            chat = Chat(chat_id or -next(self._group_ids), kind, title, ids=self._shared_ids)
        else:
            ids = itertools.count(self._numbers_from + 1)
            chat = Chat(chat_id or -next(self._channel_ids), kind, title, is_forum=is_forum, ids=ids)
        self.chats[chat.id] = chat
        self.hub.publish(EventKind.STATE)
        return chat

    def post(self, message: Message) -> Message:
        """Put a new message into its chat's history and show it."""
        chat = message.chat
        chat.messages[message.id] = message
        while len(chat.messages) > KEPT_MESSAGES:
            del chat.messages[next(iter(chat.messages))]
        if message.inline_message_id:
            self.inline_messages[message.inline_message_id] = message
        self.touch(message)
        return message

    def touch(self, message: Message) -> None:
        """A message looks different now."""
        self.version += 1
        message.version = self.version
        self.hub.publish(EventKind.MESSAGE, message)

    def edited(self, message: Message) -> None:
        """Somebody edited a message."""
        message.edit_date = int(self.now())
        message.edits += 1
        self.touch(message)

    def delete(self, message: Message) -> None:
        """Take a message out of its chat."""
        message.deleted = True
        self.version += 1
        chat = message.chat
        chat.messages.pop(message.id, None)
        chat.deleted.append((self.version, message.id))
        if message.id in chat.pinned:
            chat.pinned.remove(message.id)
        if message.inline_message_id:
            self.inline_messages.pop(message.inline_message_id, None)
        self.hub.publish(EventKind.DELETED, message)

    def state_changed(self) -> None:
        """Something about people or chats changed."""
        self.hub.publish(EventKind.STATE)
