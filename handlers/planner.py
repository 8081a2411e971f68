"""What is to be said about a change: the lobby's message is the same for all games, the rest is the presenter's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from handlers.posts import LOBBY_SLOT, group_slot, own_topic
from handlers.presenter import Presenter
from referee.planning import Change, What
from storage.records import MatchPhase, Post


@dataclass(frozen=True)
class GamesPlanner:
    """Implements `referee.planning.Planner`."""

    presenters: Mapping[str, Presenter]

    def plan(self, change: Change) -> Sequence[Post]:
        """The posts, in order."""
        in_lobby = change.match.phase is MatchPhase.LOBBY
        if change.what in (What.LOBBY, What.CANCELLED) or (change.what is What.MOVED and in_lobby):
            return [group_slot(change.match, LOBBY_SLOT)]
        posts = list(self.presenters[change.match.game].plan(change))
        if change.what is What.BEGAN:
            posts[:0] = [own_topic(change.match), group_slot(change.match, LOBBY_SLOT)]
        return posts
