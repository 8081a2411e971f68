"""/export over HTTP: a match of two played to its end, its record downloaded before and after, and played again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engines.cli import main
from engines.sea_battle import ENGINE
from engines.sea_battle.cells import cell_name
from engines.sea_battle.forum import read_forum
from engines.sea_battle.model import Phase
from engines.sea_battle.record import from_json
from engines.sea_battle.state import SeaState
from storage import matches
from tests.e2e.table import Table, table

SEED = "a match to export"


async def state(at: Table) -> SeaState:
    async with at.bot.database.reading() as db:
        match = await matches.get(db, 1)
    assert match is not None
    return ENGINE.read_state(match.state or "")


async def files(at: Table, folder: Path, *, who: str | None = None) -> dict[str, Path]:
    """The files that stand in a chat, downloaded, by their names. A later one of the same name replaces an earlier."""
    found: dict[str, Path] = {}
    for message in await at.control.messages(at.group if who is None else at.people[who]):
        document: dict[str, Any] | None = message.get("document")
        if document is not None:
            file = await at.bot.house.sender.bot.get_file(document["file_id"])
            path = folder / document["file_name"]
            path.write_bytes(bytes(await file.download_as_bytearray()))
            found[path.name] = path
    return found


async def begun(at: Table, *more: str) -> dict[int, str]:
    """ZimA, Адвокат and who else joins have begun; names by seat."""
    at.bot.house.host.new_seed = lambda: SEED
    await at.say("ZimA", "/sea")
    await at.hears("набор на игру")
    await at.say("Юнга", "/export 1")
    await at.hears("Игра №1 ещё не началась")
    for name in ("Адвокат", *more):
        await at.press(name, "Участвую")
        await at.settle()
    await at.press("ZimA", "Начать")
    await at.settle()
    async with at.bot.database.reading() as db:
        return {member.seat: member.name for member in await matches.members(db, 1) if member.seat is not None}


async def place(at: Table, names: dict[int, str]) -> None:
    for name in names.values():
        await at.press(name, "Случайно", private=True)
        await at.settle()
        await at.press(name, "Подтвердить", private=True)
        await at.settle()
    await at.press("ZimA", "СТАРТ")
    await at.settle()


async def play_on(at: Table, names: dict[int, str], turns: int) -> None:
    """The team that began always hits, so that the other never answers."""
    for _ in range(turns):
        now = await state(at)
        if now.phase is Phase.OVER:
            return
        shooter = next(player for player in ENGINE.view(now, None).players if player.may_shoot)
        target = shooter.opponents[0]
        board = ENGINE.view(now, target).boards[target]
        decks = {cell for ship in board.fleet or () for cell in ship.cells()} - {shot.cell for shot in board.shots}
        await at.say(names[shooter.seat], f"То {names[target]} - {cell_name(min(decks))}")
        await at.settle()


async def test_a_record_is_open_during_a_match_and_full_after_it_and_plays_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with table(tmp_path / "referee.db", moment="2027-03-02T12:00:00+03:00") as at:
        await at.say("ZimA", "/export")
        await at.hears("ни одной игры ещё не было")
        names = await begun(at)
        await place(at, names)
        await play_on(at, names, 3)

        # During the match, in the group and in private, for players as for those who look on: nothing is given away.
        await at.say("Юнга", "/export")
        await at.hears("Запись игры №1, открытая")
        await at.settle()
        await at.say(names[0], "/export json", private=True)
        await at.hears("Запись игры №1, открытая", who=names[0])
        await at.settle()
        group = await files(at, tmp_path)
        mine = await files(at, tmp_path, who=names[0])
        assert sorted(group) == ["sea_battle-1-open.json", "sea_battle-1-open.txt"]
        assert sorted(mine) == ["sea_battle-1-open.json"]
        running = await state(at)
        text = group["sea_battle-1-open.txt"].read_text(encoding="utf-8")
        written = text + mine["sea_battle-1-open.json"].read_text(encoding="utf-8")
        assert SEED not in written
        assert "messages" not in written
        assert not any(player.salt in written for player in running.players)
        assert not any(f'"{word}"' in written for word in ("draft", "random", "ships", "fleets"))
        assert read_forum(text) == from_json(mine["sea_battle-1-open.json"].read_text(encoding="utf-8"))
        for path in group.values():
            assert main(["replay", "sea_battle", str(path)]) == 0

        # What a referee decides about the clock is told in the record and left out of the replay.
        await at.say("ZimA", "/referee pause 2h паром")
        await at.hears("объявляет паузу")
        await at.say("ZimA", "/referee resume")
        await at.hears("снимает паузу")
        await play_on(at, names, 60)
        assert (await state(at)).phase is Phase.OVER

        # After it: everything, in the group by command, in private by the button of the last message.
        await at.say("Юнга", "/export 1")
        await at.hears("Запись игры №1, полная")
        await at.settle()
        await at.press("Mirra", "Запись игры")
        await at.hears("Запись игры №1, полная", who="Mirra")
        await at.settle()
        whole = await files(at, tmp_path)
        assert (await files(at, tmp_path, who="Mirra")).keys() == {"sea_battle-1.json", "sea_battle-1.txt"}
        text = whole["sea_battle-1.txt"].read_text(encoding="utf-8")
        assert SEED in text
        assert "объявляет паузу" in text
        assert re.search(r"\[2027-03-02 12:\d\d:\d\d\+03:00\] (ZimA|Адвокат): То (ZimA|Адвокат) - ", text)
        assert all(player.salt in text for player in (await state(at)).players)
        capsys.readouterr()
        for name in ("sea_battle-1.txt", "sea_battle-1.json"):
            assert main(["replay", "sea_battle", str(whole[name])]) == 0
            printed = capsys.readouterr().out
            winner = next(names[seat] for seat, player in enumerate(running.players) if player.team is running.first)
            assert f"outcome: sunk; won by {winner}\n" in printed
        forged = (
            text.replace("- мимо (", "- ранил (", 1) if "- мимо (" in text else text.replace("- ранил (", "- мимо (", 1)
        )
        whole["sea_battle-1.txt"].write_text(forged, encoding="utf-8")
        assert main(["replay", "sea_battle", str(whole["sea_battle-1.txt"])]) == 1

        calls = await at.control.calls()
        assert not [call for call in calls if not call["ok"]]


async def test_a_delegated_shot_is_labelled_in_the_group_and_in_the_export(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.db") as at:
        names = await begun(at, "Вирт", "Юнга")
        await place(at, names)
        view = ENGINE.view(await state(at), None)
        mates = [player for player in view.players if player.team is view.team]
        admiral = next(player.seat for player in mates if player.admiral)
        mate = next(player for player in mates if not player.admiral)
        target = mate.opponents[0]
        await at.say(names[mate.seat], "Передаю ход Адмиралу")
        await at.settle()
        await at.say(names[admiral], f"За {names[mate.seat]}: То {names[target]} - Г6", private=True)
        await at.hears(f"по поручению делает .?{names[admiral]}")
        await at.say("Mirra", "/export text")
        await at.hears("Запись игры №1, открытая")
        await at.settle()
        refused = "Bad Request: not enough rights to send documents to the chat"
        await at.control.fault("sendDocument", code=400, description=refused)
        await at.say("Mirra", "/export")
        await at.hears("мне нельзя присылать файлы")
        await at.press("Mirra", "Открыть личный чат")
        await at.hears("Запись игры №1, открытая", who="Mirra")
        await at.settle()
        text = (await files(at, tmp_path))["sea_battle-1-open.txt"].read_text(encoding="utf-8")
        assert f"] За {names[mate.seat]}: То {names[target]} - Г6 (Адмирал {names[admiral]})\n" in text
        assert f"] {names[mate.seat]}: Передаю ход Адмиралу\n" in text


async def test_what_cannot_be_exported_is_said(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.db") as at:
        await begun(at)
        for words, answer in (
            ("/export 99", "Такой игры нет"),
            ("/export 1 pdf", "Так: /export"),
            ("/export 99999999999999999999999", "Такой игры нет"),
        ):
            await at.say("Юнга", words)
            await at.hears(answer)
        other = await at.control.add_chat("supergroup", "Другая")
        await at.control.set_member(other["id"], at.people["Юнга"], "member")
        await at.say("Юнга", "/export 1", chat=other["id"])
        await at.hears("Такой игры нет", chat=other["id"])
        stranger = await at.control.add_person("Чужой")
        at.people["Чужой"] = stranger["id"]
        await at.control.start(stranger["id"])
        await at.say("Чужой", "/export 1", private=True)
        await at.hears("в группе, в которой вас нет", who="Чужой")
        await at.settle()
        assert not await files(at, tmp_path, who="Чужой")
