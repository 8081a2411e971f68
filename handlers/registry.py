"""The games that this bot can present: a game is registered here in one line."""

from __future__ import annotations

from collections.abc import Mapping

from handlers.presenter import Presenter
from handlers.sea_battle import PRESENTER as SEA_BATTLE

PRESENTERS: Mapping[str, Presenter] = {presenter.game: presenter for presenter in (SEA_BATTLE,)}
