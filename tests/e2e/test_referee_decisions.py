"""What human referees decide, over HTTP: pauses, time, days off, newcomers, the last act taken back; and by whom."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

from engines.contract import dump
from engines.sea_battle import ENGINE
from engines.sea_battle.cells import cell_name
from engines.sea_battle.state import SeaState
from referee.authority import replay
from storage import matches
from storage.records import Match, MatchPhase
from tests.e2e.table import Table, table

TUESDAY = "2027-03-02T12:00:00+03:00"
HOUR = 3600


async def stored(at: Table) -> Match:
    async with at.bot.database.reading() as db:
        match = await matches.get(db, 1)
    assert match is not None
    return match


async def state(at: Table) -> SeaState:
    return ENGINE.read_state((await stored(at)).state or "")


async def names(at: Table) -> dict[int, str]:
    async with at.bot.database.reading() as db:
        return {member.seat: member.name for member in await matches.members(db, 1) if member.seat is not None}


async def check_replay(at: Table) -> None:
    """The record, without what was taken back, gives the stored state."""
    match = await stored(at)
    async with at.bot.database.reading() as db:
        record = await matches.actions(db, 1)
    assert [line.n for line in record] == list(range(1, match.version + 1))
    again = replay(ENGINE, match, record)
    assert isinstance(again, SeaState)
    assert dump(again) == match.state


async def place(at: Table, who: str) -> None:
    await at.press(who, "Случайно", private=True)
    await at.settle()
    await at.press(who, "Подтвердить", private=True)
    await at.settle()


async def started(at: Table) -> None:
    """Вирт has opened the match and plays Адвокат. ZimA and Боцман Палыч are administrators, Юнга looks on."""
    at.bot.house.host.new_seed = lambda: "decisions"
    await at.say("Вирт", "/sea")
    await at.hears("набор на игру")
    await at.press("Адвокат", "Участвую")
    await at.settle()
    await at.control.start(at.people["Вирт"], "hello")
    await at.press("Вирт", "Начать")
    await at.settle()
    for who in ("Вирт", "Адвокат"):
        await place(at, who)
    await at.press("Вирт", "СТАРТ")
    await at.settle()
    assert (await state(at)).turn == 1


async def miss(at: Table, seat: int, target: int) -> None:
    """A shot into the water."""
    player = (await state(at)).players[target]
    taken = {shot.cell for shot in player.shots} | {cell for ship in player.ships for cell in ship.cells()}
    cell = next(cell for cell in range(100) if cell not in taken)
    who = await names(at)
    await at.say(who[seat], f"То {who[target]} - {cell_name(cell)}")
    await at.settle()


async def test_a_pause_has_an_owner_a_reason_and_an_end(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        await started(at)
        due = (await stored(at)).due_at
        assert due is not None
        for stranger in ("Адвокат", "Юнга"):
            await at.say(stranger, "/referee pause 2d паром")
            await at.hears("может только")
        assert (await stored(at)).pause is None

        await at.control.advance(HOUR)
        await at.say("Вирт", "/referee pause 2d паром <b>")
        await at.hears(r"Рефери \(.?Вирт.?\) объявляет паузу, самое долгое на 2 дня: паром <b>")
        await at.settle()
        await at.say("Юнга", "/status")
        await at.hears(r"Пауза.*Вирт.*паром <b>\n.*на ход осталось: 17 часов")
        assert "Пауза" in (await at.newest(who="Адвокат", button="."))["caption"]

        await at.control.advance(30 * HOUR)  # far beyond the deadline
        await at.settle()
        seat = ENGINE.actors(await state(at))[0]
        await miss(at, seat, 1 - seat)  # moves are welcome
        assert (await state(at)).turn == 2
        assert (await stored(at)).due_at is None

        await at.say("ZimA", "/referee resume", anonymous=True)
        await at.hears(r"Рефери \(администратор\) снимает паузу")
        again = (await stored(at)).due_at
        assert again is not None
        assert again - at.bot.house.host.clock.now() > timedelta(hours=17, minutes=59)

        await at.say("ZimA", "/referee пауза 1д ещё паром")
        await at.hears("объявляет паузу")
        await at.control.advance(25 * HOUR)
        await at.hears("Пауза окончена")
        await at.control.advance(13 * HOUR)
        await at.hears("Напоминание", who=(await names(at))[1 - seat])  # in the second half of the time
        await check_replay(at)


async def test_time_and_days_off_move_the_deadline_and_are_told(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        await started(at)
        due = (await stored(at)).due_at
        assert due is not None
        for refused in ("/referee time 6h", "/referee dayoff 2027-03-03", "/referee admit", "/referee undo"):
            for stranger in ("Адвокат", "Юнга"):
                await at.say(stranger, refused)
                await at.hears("может только")
        assert (await stored(at)).due_at == due
        await at.say("Боцман Палыч", "/referee время 6ч")
        await at.hears(r"(?s)добавляет время: 6 часов.*Новый срок")
        assert (await stored(at)).due_at == due + timedelta(hours=6)
        await at.say("Вирт", "/referee dayoff 2027-03-03")
        await at.hears(r"(?s)выходной: ср 3 мар.*Новый срок")
        assert (await stored(at)).due_at == due + timedelta(hours=30)
        await at.say("Вирт", "/referee dayoff 2027-03-03")
        await at.hears("и так не считается")
        await at.say("Вирт", "/referee undo")
        await at.hears(r"(?s)отменяет последнее действие.*выходной: ср 3 мар.*Новый срок")
        await at.say("Вирт", "/referee dayoff 2027-03-03")
        await at.hears("выходной: ср 3 мар")
        assert (await stored(at)).due_at == due + timedelta(hours=30)
        await at.say("Вирт", "/referee time 999d")
        await at.hears("до 14 дней")
        await at.say("Вирт", "/referee", private=True)
        await at.hears("Решения Рефери", who="Вирт")
        await at.press("Вирт", "Добавить время", private=True)
        await at.settle()
        menu = await at.newest(who="Вирт", button=r"\+ 1 час")
        assert (await at.press("Вирт", r"\+ 1 час", private=True, message=menu))["text"] == "Приказ принят."
        await at.settle()
        again = await at.press("Вирт", r"\+ 1 час", private=True, message=menu)
        assert "устарела" in again["text"]
        assert (await stored(at)).due_at == due + timedelta(hours=31)
        await check_replay(at)


async def test_a_pair_waits_is_admitted_places_and_enters_with_a_round(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        await started(at)
        await at.say("Вирт", "/reserve")
        await at.hears("уже в этой партии")
        await at.say("Юнга", "/reserve")
        await at.hears("Вы в запасе")
        await at.say("Вирт", "/referee admit")
        await at.hears("Новички входят по 2")
        await at.press("Mirra", "Ждать в запасе")  # the button of the lobby's message, a link into the private chat
        await at.hears("Вы в запасе(.|\n)*ждут 2", who="Mirra")
        await at.say("Mirra", "/reserve leave")
        await at.hears("больше не в запасе")
        await at.say("Mirra", "/reserve")
        await at.hears("Вы в запасе(.|\n)*ждут 2")
        for who in ("Юнга", "Mirra"):
            await at.control.start(at.people[who], "hello")
        await at.say("Юнга", "/referee admit")
        await at.hears("может только")
        await at.say("ZimA", "/referee admit")
        await at.settle()
        assert sorted((await names(at)).values()) == ["Mirra", "Адвокат", "Вирт", "Юнга"]
        for who in ("Юнга", "Mirra"):
            await place(at, who)
        assert all(player.reserve for player in (await state(at)).players[2:])
        for _ in range(2):  # to the end of the round
            seat = ENGINE.actors(await state(at))[0]
            await miss(at, seat, 1 - seat)
        now = await state(at)
        assert (now.turn % 2, [player.reserve for player in now.players]) == (1, [False] * 4)
        await check_replay(at)

        # Now there are two pairs, and a wrong elimination can be taken back.
        who = await names(at)
        newcomer = next(seat for seat in ENGINE.actors(now) if seat > 1)
        await at.say("Боцман Палыч", f"/referee out {who[newcomer]}")
        await at.hears(f"{who[newcomer]}.* выбывает из игры")
        await at.say(who[newcomer], "/reserve")
        await at.hears("ждёт следующей")
        await at.say("ZimA", "/referee отмена")
        await at.hears(rf"(?s)отменяет последнее действие.*{who[newcomer]}.* выбывает из игры")
        assert await state(at) == now
        await check_replay(at)
        await miss(at, newcomer, now.players[newcomer].pair)
        assert newcomer in (await state(at)).moved
        await at.say("ZimA", "/referee undo")
        await at.hears("Выстрел — никогда")
        await check_replay(at)


async def test_nobody_sees_a_fleet_by_deciding(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        await started(at)
        fleets = [player.ships for player in (await state(at)).players]
        for order in ("pause 1d паром", "resume", "time 1h", "dayoff 2027-03-03", "admit", "undo"):
            await at.say("ZimA", f"/referee {order}")
            await at.settle()
        said = "\n".join([*await at.texts(), *await at.texts(at.people["ZimA"])])
        for fleet in fleets:
            for ship in fleet:
                first, last = cell_name(ship.cells()[0]), cell_name(ship.cells()[-1])
                assert re.search(rf"\b{first}-{last}\b", said) is None or ship.length == 1


async def test_the_games_own_orders_are_for_the_opener_and_administrators_too(tmp_path: Path) -> None:
    async with table(tmp_path / "bot.db", moment=TUESDAY) as at:
        await started(at)
        before = await stored(at)
        for order in ("start", "admiral Вирт", "out Вирт", "back Вирт", "end red"):
            for stranger in ("Адвокат", "Юнга"):
                await at.say(stranger, f"/referee {order}")
                await at.hears("может только")
        assert await stored(at) == before
        await at.say("Юнга", "/reserve")
        await at.say("Mirra", "/reserve")
        await at.say("Вирт", "/referee admit")  # by the opener
        await at.hears("допускает новую пару")
        await at.say("Боцман Палыч", "/referee out Юнга")  # by an administrator
        await at.hears("Юнга.* выбывает из игры")
        await at.say("ZimA", "/referee back Юнга", anonymous=True)
        await at.hears("Юнга.* снова в игре")
        await at.say("ZimA", "/referee end none", anonymous=True)
        await at.settle()
        assert (await stored(at)).phase is MatchPhase.OVER
        await at.say("ZimA", "/referee undo")  # the fleets were shown
        await at.settle()
        assert (await stored(at)).phase is MatchPhase.OVER
        await check_replay(at)
