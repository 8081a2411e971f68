"""Team sea battle in the chat."""

from typing import Final

from handlers.presenter import Presenter
from handlers.sea_battle.presenter import SeaBattlePresenter

PRESENTER: Final[Presenter] = SeaBattlePresenter()

__all__ = ["PRESENTER", "SeaBattlePresenter"]
