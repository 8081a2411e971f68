"""The words of a written record, as on a forum: Russian, and English at a table with Latin columns.

They are notation, as in `notation`, not talk: what stands here is read back word by word.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engines.sea_battle.model import (
    AdmiralNamed,
    AdmitPair,
    Appoint,
    Attach,
    Attached,
    BecameFree,
    ByWhom,
    Columns,
    ConfirmFleet,
    Delegate,
    Delegated,
    DraftFleet,
    Drawn,
    Eliminate,
    Ended,
    EndMatch,
    FleetDrafted,
    FleetReady,
    FleetReopened,
    Leave,
    NameActing,
    NameSuccessor,
    OutReason,
    PairAdmitted,
    PairEntered,
    PlayerBack,
    PlayerOut,
    RandomFleet,
    Reinstate,
    Result,
    Revealed,
    Shoot,
    ShotFired,
    ShotResolved,
    Start,
    Started,
    Team,
    TurnBegan,
    TurnEnded,
    TurnPassed,
    Withdraw,
    Withdrawn,
)
from engines.sea_battle.phrases import Phrase, phrase


class Heads(NamedTuple):
    """Words around the lines. Those of the header stand before a colon."""

    title: str
    record: str
    whole: str
    open: str
    rules: str
    options: str
    players: str
    lots: str
    seed: str
    outcome: str
    draw: str
    clock: str
    clock_from: str
    clock_to: str
    note: str
    referee: str
    undone: str


class Tongue(NamedTuple):
    """A language of written records."""

    heads: Heads
    choices: dict[str, dict[str, object]]
    """Words of fields with few values, by the name of their form."""
    acts: tuple[Phrase, ...]
    """`me` is who acts."""
    events: tuple[Phrase, ...]


_RUSSIAN: Final = Tongue(
    Heads(
        "МОРСКОЙ БОЙ (командный), матч №",
        "Запись",
        "полная",
        "открытая",
        "Правила",
        "Настройки",
        "Игроки",
        "Данные жребия",
        "Зерно случая",
        "Итог",
        "ЖРЕБИЙ",
        "ВРЕМЯ ВЫШЛО",
        "отсчёт с",
        "до",
        "ЧАСЫ И ЗАПИСЬ",
        "Рефери",
        "отменено",
    ),
    {
        "teams": {"КРАСНЫЕ": Team.RED, "СИНИЕ": Team.BLUE},
        "by_teams": {"КРАСНЫМИ": Team.RED, "СИНИМИ": Team.BLUE},
        "of_teams": {"красных": Team.RED, "синих": Team.BLUE},
        "result": {"мимо": Result.MISS, "ранил": Result.HIT, "убил": Result.SUNK},
        "out": {
            "корабли потоплены": OutReason.SUNK,
            "проспал ход": OutReason.SLEPT,
            "решение Рефери": OutReason.REFEREE,
            "сдача": OutReason.LEFT,
        },
        "why": {
            "корабли потоплены": "sunk",
            "последний проспал ход": "slept",
            "решение Рефери": "referee",
            "сдача": "left",
        },
        "by": {
            "сам": ByWhom.PLAYER,
            "Адмирал": ByWhom.ADMIRAL,
            "Рефери": ByWhom.REFEREE,
            "по жребию": ByWhom.LOT,
            "иначе нельзя": ByWhom.ONLY_ONE,
            "по старшинству": ByWhom.RANK,
        },
    },
    (
        phrase(Shoot, "{me:seat}: То {target:seat} - {cell:cell}", on_behalf=None),
        phrase(Shoot, "За {on_behalf:seat}: То {target:seat} - {cell:cell} (Адмирал {me:seat})"),
        phrase(Delegate, "{me:seat}: Передаю ход Адмиралу"),
        phrase(Withdraw, "{me:seat}: Забираю ход"),
        phrase(Attach, "{me:seat}: {gun:seat} продолжает игру против {target:seat}"),
        phrase(DraftFleet, "{me:seat}: Мои корабли: {ships:fleet}"),
        phrase(RandomFleet, "{me:seat}: Корабли наугад", keep=False),
        phrase(RandomFleet, "{me:seat}: Остальные корабли наугад", keep=True),
        phrase(type(None), "{me:seat}: Переставляю корабли"),
        phrase(ConfirmFleet, "{me:seat}: Флот готов"),
        phrase(NameSuccessor, "{me:seat}: Мой преемник - {seat:seat}"),
        phrase(NameActing, "{me:seat}: Командует {seat:seat}"),
        phrase(Leave, "{me:seat}: Сдаюсь"),
        phrase(Start, "Рефери: СТАРТ ИГРЫ", me=None),
        phrase(Appoint, "Рефери: Адмирал - {seat:seat}", me=None),
        phrase(AdmitPair, "Рефери: В игру входит новая пара", me=None),
        phrase(Eliminate, "Рефери: {seat:seat} выбывает", me=None),
        phrase(Reinstate, "Рефери: {seat:seat} возвращается", me=None),
        phrase(EndMatch, "Рефери: КОНЕЦ ИГРЫ, без результата", me=None, winner=None),
        phrase(EndMatch, "Рефери: КОНЕЦ ИГРЫ, победа {winner:of_teams}", me=None),
    ),
    (
        phrase(Drawn, "Красные: {red:seats}. Синие: {blue:seats}. Пары: {pairs:pairs}. Первый ход {first:of_teams}"),
        phrase(FleetDrafted, "{seat:seat} расставляет корабли"),
        phrase(FleetReady, "Флот {seat:seat} готов", by=ByWhom.PLAYER),
        phrase(FleetReady, "Флот {seat:seat} готов, расставил: {by:by}"),
        phrase(FleetReopened, "{seat:seat} меняет свой флот"),
        phrase(Started, "СТАРТ ИГРЫ. Первый ход {first:of_teams}. Печати флотов:{hashes:seals}"),
        phrase(TurnBegan, "ХОД ЗА {team:by_teams} (ход {turn:number}): {duty:seats}", barred=()),
        phrase(TurnBegan, "ХОД ЗА {team:by_teams} (ход {turn:number}): {duty:seats}; без ответа: {barred:seats}"),
        phrase(TurnPassed, "{team:teams} ПРОПУСКАЮТ ХОД (ход {turn:number})"),
        phrase(TurnEnded, "{team:teams} СДЕЛАЛИ ХОД (ход {turn:number})", expired=False, lost=()),
        phrase(TurnEnded, "{team:teams} СДЕЛАЛИ ХОД (ход {turn:number}); пропали: {lost:seats}", expired=False),
        phrase(TurnEnded, "{team:teams} НЕ УСПЕЛИ (ход {turn:number})", expired=True, lost=()),
        phrase(TurnEnded, "{team:teams} НЕ УСПЕЛИ (ход {turn:number}); пропали: {lost:seats}", expired=True),
        phrase(ShotFired, "Выстрел: {shooter:seat} - {target:seat} - {cell:cell} (стрелял {by:seat})"),
        phrase(ShotResolved, "{target:seat}: - {result:result} ({shooter:seat}, {cell:cell})", sunk=()),
        phrase(ShotResolved, "{target:seat}: - {result:result} ({shooter:seat}, {cell:cell}; {sunk:ship})"),
        phrase(Delegated, "Ход {seat:seat} у Адмирала {admiral:seat}"),
        phrase(Withdrawn, "Ход {seat:seat} снова у него"),
        phrase(PlayerOut, "{seat:seat} выбыл из игры ({reason:out})"),
        phrase(PlayerBack, "{seat:seat} снова в игре"),
        phrase(BecameFree, "{seat:seat} - свободный игрок"),
        phrase(Attached, "{gun:seat} продолжает игру против {target:seat} ({by:by})"),
        phrase(AdmiralNamed, "Адмирал {team:of_teams} - {seat:seat} ({by:by})", acting=False),
        phrase(AdmiralNamed, "За Адмирала {team:of_teams} - {seat:seat} ({by:by})", acting=True),
        phrase(PairAdmitted, "Принята новая пара: {red:seat} за красных, {blue:seat} за синих"),
        phrase(PairEntered, "Новая пара в бою: {red:seat} за красных, {blue:seat} за синих. Печати: {hashes:two}"),
        phrase(Ended, "КОНЕЦ ИГРЫ, без результата ({reason:why})", winner=None),
        phrase(Ended, "КОНЕЦ ИГРЫ, победа {winner:of_teams} ({reason:why})"),
        phrase(Revealed, "Флоты:{fleets:fleets}\n  Соль:{salts:seals}"),
    ),
)

_ENGLISH: Final = Tongue(
    Heads(
        "TEAM SEA BATTLE, match No. ",
        "Record",
        "full",
        "open",
        "Rules",
        "Options",
        "Players",
        "Data of the lots",
        "Seed of chance",
        "Outcome",
        "LOTS",
        "TIME IS UP",
        "counted from",
        "to",
        "CLOCK AND RECORD",
        "Referee",
        "undone",
    ),
    {
        "teams": {"RED": Team.RED, "BLUE": Team.BLUE},
        "by_teams": {"RED": Team.RED, "BLUE": Team.BLUE},
        "of_teams": {"Red": Team.RED, "Blue": Team.BLUE},
        "result": {"miss": Result.MISS, "hit": Result.HIT, "sunk": Result.SUNK},
        "out": {
            "ships sunk": OutReason.SUNK,
            "slept through the turn": OutReason.SLEPT,
            "the Referee's decision": OutReason.REFEREE,
            "gave up": OutReason.LEFT,
        },
        "why": {
            "ships sunk": "sunk",
            "the last one slept through the turn": "slept",
            "the Referee's decision": "referee",
            "gave up": "left",
        },
        "by": {
            "himself": ByWhom.PLAYER,
            "the Admiral": ByWhom.ADMIRAL,
            "the Referee": ByWhom.REFEREE,
            "by lot": ByWhom.LOT,
            "the only way": ByWhom.ONLY_ONE,
            "by rank": ByWhom.RANK,
        },
    },
    (
        phrase(Shoot, "{me:seat}: To {target:seat} - {cell:cell}", on_behalf=None),
        phrase(Shoot, "For {on_behalf:seat}: To {target:seat} - {cell:cell} (Admiral {me:seat})"),
        phrase(Delegate, "{me:seat}: I delegate my turn to the Admiral"),
        phrase(Withdraw, "{me:seat}: I withdraw my turn"),
        phrase(Attach, "{me:seat}: {gun:seat} continues against {target:seat}"),
        phrase(DraftFleet, "{me:seat}: My ships: {ships:fleet}"),
        phrase(RandomFleet, "{me:seat}: Ships at random", keep=False),
        phrase(RandomFleet, "{me:seat}: The other ships at random", keep=True),
        phrase(type(None), "{me:seat}: I move my ships"),
        phrase(ConfirmFleet, "{me:seat}: My fleet is ready"),
        phrase(NameSuccessor, "{me:seat}: My successor is {seat:seat}"),
        phrase(NameActing, "{me:seat}: In command is {seat:seat}"),
        phrase(Leave, "{me:seat}: I give up"),
        phrase(Start, "Referee: START", me=None),
        phrase(Appoint, "Referee: the Admiral is {seat:seat}", me=None),
        phrase(AdmitPair, "Referee: a new pair may enter", me=None),
        phrase(Eliminate, "Referee: {seat:seat} is put out", me=None),
        phrase(Reinstate, "Referee: {seat:seat} may come back", me=None),
        phrase(EndMatch, "Referee: THE END, no result", me=None, winner=None),
        phrase(EndMatch, "Referee: THE END, {winner:of_teams} has won", me=None),
    ),
    (
        phrase(Drawn, "Red: {red:seats}. Blue: {blue:seats}. Pairs: {pairs:pairs}. First turn: {first:of_teams}"),
        phrase(FleetDrafted, "{seat:seat} places ships"),
        phrase(FleetReady, "The fleet of {seat:seat} is ready", by=ByWhom.PLAYER),
        phrase(FleetReady, "The fleet of {seat:seat} is ready, placed by: {by:by}"),
        phrase(FleetReopened, "{seat:seat} changes the fleet"),
        phrase(Started, "START. First turn: {first:of_teams}. Seals of the fleets:{hashes:seals}"),
        phrase(TurnBegan, "TURN OF {team:by_teams} (turn {turn:number}): {duty:seats}", barred=()),
        phrase(TurnBegan, "TURN OF {team:by_teams} (turn {turn:number}): {duty:seats}; no answer: {barred:seats}"),
        phrase(TurnPassed, "{team:teams} PASSES (turn {turn:number})"),
        phrase(TurnEnded, "{team:teams} HAS MOVED (turn {turn:number})", expired=False, lost=()),
        phrase(TurnEnded, "{team:teams} HAS MOVED (turn {turn:number}); shots lost: {lost:seats}", expired=False),
        phrase(TurnEnded, "{team:teams} WAS LATE (turn {turn:number})", expired=True, lost=()),
        phrase(TurnEnded, "{team:teams} WAS LATE (turn {turn:number}); shots lost: {lost:seats}", expired=True),
        phrase(ShotFired, "Shot: {shooter:seat} - {target:seat} - {cell:cell} (fired by {by:seat})"),
        phrase(ShotResolved, "{target:seat}: - {result:result} ({shooter:seat}, {cell:cell})", sunk=()),
        phrase(ShotResolved, "{target:seat}: - {result:result} ({shooter:seat}, {cell:cell}; {sunk:ship})"),
        phrase(Delegated, "The turn of {seat:seat} is with Admiral {admiral:seat}"),
        phrase(Withdrawn, "{seat:seat} has the turn back"),
        phrase(PlayerOut, "{seat:seat} is out ({reason:out})"),
        phrase(PlayerBack, "{seat:seat} is back"),
        phrase(BecameFree, "{seat:seat} is a free player"),
        phrase(Attached, "{gun:seat} continues against {target:seat} ({by:by})"),
        phrase(AdmiralNamed, "Admiral of {team:of_teams}: {seat:seat} ({by:by})", acting=False),
        phrase(AdmiralNamed, "Acting Admiral of {team:of_teams}: {seat:seat} ({by:by})", acting=True),
        phrase(PairAdmitted, "A new pair is let in: {red:seat} for Red, {blue:seat} for Blue"),
        phrase(PairEntered, "A new pair fights: {red:seat} for Red, {blue:seat} for Blue. Seals: {hashes:two}"),
        phrase(Ended, "THE END, no result ({reason:why})", winner=None),
        phrase(Ended, "THE END, {winner:of_teams} has won ({reason:why})"),
        phrase(Revealed, "Fleets:{fleets:fleets}\n  Salt:{salts:seals}"),
    ),
)

TONGUES: Final = {Columns.CYRILLIC: _RUSSIAN, Columns.LATIN: _ENGLISH}


def reserved(tongue: Tongue) -> set[str]:
    """All its words, case folded: a name with one of them is quoted."""
    found = {word for each in (*tongue.acts, *tongue.events) for word in each.words()}
    for text in (*tongue.heads, *(word for words in tongue.choices.values() for word in words)):
        found.update(word.casefold() for word in text.replace("'", " ").split())
    return found
