"""Team sea battle in the chat: `handlers.presenter.Presenter` for this game."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from engines.contract import RuleError
from handlers.presenter import Reading, Scene, Written
from handlers.records import Chronicle, Document
from handlers.screens import Keyboard, Press, Screen
from handlers.sea_battle.chronicle import documents
from handlers.sea_battle.commands import COMMANDS, command
from handlers.sea_battle.listening import concerns, heard
from handlers.sea_battle.options import chosen, lobby_options
from handlers.sea_battle.panel import panel_screen
from handlers.sea_battle.plan import CLOCK, SEALS, TURN, panel_slot, plan
from handlers.sea_battle.pressed import pressed
from handlers.sea_battle.record import events_of
from handlers.sea_battle.refusals import refusal
from handlers.sea_battle.speech import Speech, lines
from handlers.sea_battle.status import status
from handlers.sea_battle.turn import clock_screen, happened, seals_screen, turn_screen
from locales import Words
from referee.planning import Change
from referee.play import Look
from storage.records import Post


class SeaBattlePresenter:
    """Implements `handlers.presenter.Presenter`; every method is pure."""

    game = "sea_battle"
    commands: tuple[str, ...] = COMMANDS

    def plan(self, change: Change) -> Sequence[Post]:
        """Which posts a change leads to."""
        return plan(change)

    def slot(self, slot: str, scene: Scene) -> Screen | None:
        """The group's `turn` and `clock`, and everybody's own `panel:…`; each only where it belongs."""
        speech = Speech.of(scene.look, scene.words)
        body = scene.body or {}
        if scene.private:
            if speech.view.me is None or slot != panel_slot(speech.view.me):
                return None
            return panel_screen(speech, reminder=bool(body.get("reminder")))
        if speech.view.me is not None:
            return None  # a group sees what a spectator sees
        if slot == TURN:
            return turn_screen(speech, scene.actions, body)
        if slot == SEALS:
            return seals_screen(speech)
        return clock_screen(speech, body) if slot == CLOCK else None

    def news(self, scene: Scene) -> Screen | None:
        """Lines of the record as one message."""
        speech = Speech.of(scene.look, scene.words)
        told = [line for action in scene.actions for line in happened(action, events_of(action), speech)]
        return Screen(lines(told)) if told else None

    def read(self, written: Written, look: Look, words: Words) -> Reading | None:
        """What somebody wrote."""
        return heard(written, Speech.of(look, words))

    def concerns(self, written: Written, look: Look, words: Words) -> bool:
        """Whether it is more than talk."""
        return concerns(written, Speech.of(look, words))

    def command(self, name: str, argument: str, look: Look, words: Words, private: bool) -> Reading | None:
        """A command such as /shot."""
        return command(name, argument, Speech.of(look, words), private)

    def pressed(self, press: Press, look: Look, words: Words) -> Reading | None:
        """What a press means."""
        return pressed(press, Speech.of(look, words))

    def refusal(self, error: RuleError, look: Look | None, words: Words) -> str | None:
        """A refusal in words."""
        return refusal(error, look, words)

    def status(self, look: Look, words: Words) -> Markup:
        """Who has to move, since when and until when."""
        return status(Speech.of(look, words))

    def documents(self, chronicle: Chronicle) -> Sequence[Document]:
        """The record as text and as JSON; `python -m engines replay sea_battle` reads both."""
        return documents(chronicle)

    def lobby_options(self, options: str, words: Words, match_id: int) -> tuple[Markup, Keyboard]:
        """The match's options."""
        return lobby_options(options, words, match_id)

    def chosen(self, options: str, press: Press) -> object:
        """The options after a button was pressed."""
        return chosen(options, press)
