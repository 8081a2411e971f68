"""The words by which a shot, a report or an order is known, folded (no case, no ё).

These are words that players type, not words that anybody is shown, so they live here and not in `locales/`; both
languages are read at every table.
"""

from __future__ import annotations

from typing import Final

from engines.sea_battle.model import Result


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TO: Final = _words("то to по")
"""Stand before the nick: «То ZimA - А4»."""

COMMANDS: Final = _words("shot shoot move fire выстрел ход")
"""After a slash, or before a colon."""

DELEGATE_COMMANDS: Final = _words("delegate передать")

SHOOTING: Final = _words(
    "в во на at on выстрел стреляю бью хожу ход огонь пли атакую мой shot shoot shooting fire move my клетка клетку "
    "клетке cell"
)
"""May stand before a cell or a nick: nothing but a shot is begun like that."""

HESITANT: Final = _words("а ну и давай давайте тогда пожалуй значит так ладно ок ok ага что ж попробую so then well")
"""May stand there too, but people also talk to each other like that."""

DOUBTING: Final = _words("может можно наверное наверно думаю возможно вроде кажется maybe perhaps")
"""Makes a question of what follows."""

POLITE: Final = _words("пожалуйста плиз пли огонь please pls")
"""May stand at the end."""

NOT: Final = _words("не нет ни нельзя уже был была было есть no not don dont never already")
"""With one of these a message is never taken for a shot, not even as a question.

«Есть» is among them for «то есть», which is no shot at a player of that name.
"""

ALTERNATIVES: Final = _words("или либо и or and")
"""Between two cells."""

REPORTS: Final = {
    word: result
    for result, words in (
        (Result.MISS, "мимо пусто промах промазал промазала вода молоко miss missed water"),
        (Result.HIT, "ранил ранила ранен ранена ранение попал попала попадание подбит подбита подбил подбила hit"),
        (
            Result.SUNK,
            "убил убила убит убита потопил потопила потоплен потоплена утопил утопила утоплен утоплена sunk sank",
        ),
    )
    for word in words.split()
}

FOR: Final = _words("за for")
"""Before the nick of the one for whom the Admiral shoots."""

BEFORE_FOR: Final = _words("хожу ход делаю выстрел стреляю играю shooting playing moving shot move turn")

AGAINST: Final = _words("против against vs versus")

GOING_ON: Final = _words(
    "продолжает продолжаю продолжай продолжи игру играет играю играй бой воюет идет continues continue goes on plays "
    "fights the game"
)
"""Between the two nicks of an attachment."""

MYSELF: Final = _words("я i")

HANDING: Final = _words("передаю отдаю делегирую уступаю delegate pass give")
"""Verbs of delegation."""

ADMIRAL: Final = _words("адмиралу admiral")

TURN: Final = _words("ход хода turn shot")

BETWEEN: Final = _words("право свое своего свой мой моего мое нашему i my right of to the our")
"""May stand in a delegation besides."""

TAKING_BACK: Final = _words("забираю возвращаю withdraw")

BACK: Final = _words("обратно назад себе back")

WROTE: Final = _words("писал писала написал написала пишет wrote writes said")
"""Ends the line above a quotation."""

NUMBERS: Final = _words(
    "один два три четыре пять шесть семь восемь девять десять one two three four five six seven eight nine ten"
)
