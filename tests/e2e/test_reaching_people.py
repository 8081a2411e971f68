"""People whom the bot cannot write to in private, over HTTP."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.table import Table, table


async def unreachable_notes(at: Table, name: str) -> int:
    await at.settle()
    return sum("не могу написать" in text and name in text for text in await at.texts())


async def test_the_group_is_told_once_that_somebody_cannot_be_reached(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db") as at:
        await at.say("ZimA", "/sea")
        await at.hears("набор на игру")
        await at.press("Вирт", "Участвую")
        await at.hears("Вы участвуете", who="Вирт")
        await at.control.change_person(at.people["Вирт"], blocked=True)
        await at.press("ZimA", "Начать")
        await at.hears("жребий брошен")
        assert await unreachable_notes(at, "Вирт") == 1

        await at.press("ZimA", "Случайно", private=True)
        await at.settle()
        await at.control.advance(17 * 3600)  # a reminder, which does not reach him either
        assert await unreachable_notes(at, "Вирт") == 1

        await at.control.change_person(at.people["Вирт"], blocked=False)
        await at.control.start(at.people["Вирт"], "s1")
        await at.hears("Ваши корабли", who="Вирт")
        await at.control.change_person(at.people["Вирт"], blocked=True)
        await at.control.advance(3 * 3600)  # START, a new panel
        assert await unreachable_notes(at, "Вирт") == 2
