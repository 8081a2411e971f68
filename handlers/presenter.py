"""What a game brings to the chat: one presenter, between the game and people.

It turns events and views into words, pictures and buttons, and what people write and press into actions. It never
speaks to Telegram and never sees a state, only views.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from markupsafe import Markup

from engines.contract import RuleError
from handlers.records import Chronicle, Document, plain_documents
from handlers.screens import Keyboard, Press, Screen
from locales import Words
from referee.decisions import Order
from referee.planning import Change
from referee.play import Look
from storage.records import Post, StoredAction


@dataclass(frozen=True)
class Do:
    """A reading: this is an action."""

    action: object
    as_referee: bool = False
    receipt: Markup | None = None
    """Said to the person once it is stored (as a reply, or in a toast for a press); None: a silent receipt."""
    then: tuple[object, ...] = ()
    """Further actions of the same message, in order; the first one refused ends it, those before it stand."""


@dataclass(frozen=True)
class Decide:
    """A reading: a human referee decides something that the host carries out (the clock, newcomers, an undo)."""

    order: Order
    receipt: Markup | None = None
    version: int | None = None
    """Of a button: the match's when its screen was made, so that pressing twice decides once."""


@dataclass(frozen=True)
class Say:
    """A reading: no action, an answer; `toast` shows it to the presser alone, otherwise it is a reply."""

    screen: Screen
    toast: bool = False


@dataclass(frozen=True)
class Turn:
    """A reading: the pressed message itself goes on to another screen (a keypad's next step)."""

    screen: Screen
    toast: str | None = None


Reading = Do | Decide | Say | Turn
"""What a text or a press means. None (not a Reading) is: nothing, be silent."""


@dataclass(frozen=True)
class Written:
    """A message to be read."""

    text: str
    private: bool
    addressed: bool
    """A command, a reply to the bot, or in private: an answer is expected."""
    quoted: str | None = None
    """The text of the message that it replies to."""
    reply_to_person: int | None = None


@dataclass(frozen=True)
class Scene:
    """What a post is made from when it is sent."""

    look: Look
    """As the reader may see it: a spectator for a group, the person for his private chat."""
    words: Words
    private: bool
    actions: tuple[StoredAction, ...] = ()
    """News: the lines of the record that they speak of. A slot of a group: the newest lines, in order."""
    body: dict[str, object] | None = None


class Presenter(Protocol):
    """A game in the chat."""

    game: str

    def plan(self, change: Change) -> Sequence[Post]:
        """Which posts a change of a running match leads to. See `handlers.posts` for the kinds."""
        ...

    def slot(self, slot: str, scene: Scene) -> Screen | None:
        """What a slot of a match shows now (pictures included; runs in a worker thread). None: nothing any more."""
        ...

    def news(self, scene: Scene) -> Screen | None:
        """The lines of the record in `scene.actions`, told as one message. None: nothing worth a message."""
        ...

    def read(self, written: Written, look: Look, words: Words) -> Reading | None:
        """What a person at the table (or a spectator) wrote. None for plain talk."""
        ...

    def concerns(self, written: Written, look: Look, words: Words) -> bool:
        """Whether what somebody wrote belongs to the match though it needs no answer, such as a report."""
        return False

    def command(self, name: str, argument: str, look: Look, words: Words, private: bool) -> Reading | None:
        """A command of this game, such as /shot. None if it is not one of its commands."""
        ...

    def pressed(self, press: Press, look: Look, words: Words) -> Reading | None:
        """What a press means. None for a button that this game does not know."""
        ...

    def refusal(self, error: RuleError, look: Look | None, words: Words) -> str | None:
        """A refusal of the game's rules in words that say what would be right. None for a code it does not know."""
        ...

    def status(self, look: Look, words: Words) -> Markup:
        """Who has to move, since when and until when."""
        ...

    def lobby_options(self, options: str, words: Words, match_id: int) -> tuple[Markup, Keyboard]:
        """The match's options in words, and the buttons that change them (verb `opt`)."""
        ...

    def chosen(self, options: str, press: Press) -> object:
        """The options after an `opt` button was pressed."""
        ...

    def documents(self, chronicle: Chronicle) -> Sequence[Document]:
        """The match's record as files: in full once it is over, before that what is public. Runs in a worker thread."""
        return plain_documents(chronicle)

    commands: tuple[str, ...]
    """Names of the game's commands; `command-<name>` in `locales/` describes each."""
