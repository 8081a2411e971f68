"""Five against five over a month, over HTTP: weekends, a holiday, a delegation, a sleeping Admiral, free players on one
target, a reserve pair, a pause and a cancelled elimination; nobody learns what he may not know."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from engines.contract import Seat, dump
from engines.sea_battle import ENGINE
from engines.sea_battle.cells import cell_name
from engines.sea_battle.model import (
    AdmiralNamed,
    OutReason,
    PairEntered,
    Phase,
    PlayerView,
    SeaView,
    ShotFired,
    ShotResolved,
    Team,
    TurnBegan,
    TurnPassed,
)
from engines.sea_battle.state import SeaState
from referee.authority import replay
from referee.work_calendar import WorkCalendar
from storage import matches
from storage.records import Match
from tests.e2e.table import Table, table

MONDAY = "2027-03-01T10:00:00+03:00"
"""A week later, Monday, 8 March 2027, is a public holiday in Russia."""
CREW = ("ZimA", "Адвокат", "Вирт", "Юнга", "Mirra", "Боцман Палыч", "Kapitan Nemo")
MORE = ("Сова", "Кот", "Дед Мороз", "Шкипер", "Лоцман")
PLAYERS, RESERVE = (*CREW, *MORE)[:10], MORE[3:]
HOUR = 3600
EXAMPLE = re.compile("То .+ - А4»|А1-А4")
"""Lines that teach how to write."""


class Month:
    """The table, and what a test may look up behind the scenes: whom to hit, and whether the record is right."""

    def __init__(self, at: Table) -> None:
        self.at = at
        self.names: dict[Seat, str] = {}

    async def match(self) -> Match:
        async with self.at.bot.database.reading() as db:
            match = await matches.get(db, 1)
            assert match is not None
            self.names = {m.seat: m.name for m in await matches.members(db, 1) if m.seat is not None}
            return match

    async def state(self) -> SeaState:
        return ENGINE.read_state((await self.match()).state or "")

    async def view(self) -> SeaView:
        return ENGINE.view(await self.state(), None)

    async def say(self, who: str, text: str, *, private: bool = False) -> None:
        await self.at.say(who, text, private=private)
        await self.at.settle()

    async def free_cell(self, target: Seat, *, hit: bool) -> str:
        state = await self.state()
        player = state.players[target]
        shot = {one.cell for one in player.shots} | {one.cell for one in state.in_flight if one.target == target}
        decks = {cell for ship in player.ships for cell in ship.cells()}
        left = sorted(decks - shot if hit else set(range(100)) - decks - shot)
        return cell_name((left or sorted(set(range(100)) - shot))[0])

    async def shoot(self, seat: Seat, target: Seat, *, hit: bool, private: bool = False) -> None:
        cell = await self.free_cell(target, hit=hit)
        await self.say(self.names[seat], f"То {self.names[target]} - {cell}", private=private)

    async def shooters(self) -> list[PlayerView]:
        return [player for player in (await self.view()).players if player.may_shoot]

    async def wait(self, hours: float) -> None:
        """Time passes: `hours` of counted time."""
        match = await self.match()
        until = WorkCalendar.of(match.pace).add(self.at.bot.house.host.clock.now(), timedelta(hours=hours))
        await self.at.control.move_to(until.isoformat())
        await self.at.settle()

    async def place(self, who: str) -> None:
        for button in ("Случайно", "Подтвердить"):
            await self.at.press(who, button, private=True)
            await self.at.settle()

    async def begin(self) -> None:
        at = self.at
        for name in MORE:
            person = await at.control.add_person(name, language_code="ru")
            at.people[name] = person["id"]
            await at.control.set_member(at.group, person["id"], "member")
        at.bot.house.host.new_seed = lambda: "a month at sea"
        await at.say("ZimA", "/sea")
        await at.hears("набор на игру")
        for name in PLAYERS[1:]:
            await at.press(name, "Участвую")
        await at.settle()
        await at.press("ZimA", "Начать")
        await at.settle()
        for name in PLAYERS:
            await self.place(name)
        await at.press("ZimA", "СТАРТ")
        await at.settle()
        assert (await self.view()).phase is Phase.PLAYING

    async def attach_free(self, team: Team) -> None:
        """The Admiral sets every free player who has nobody to shoot at against the same enemy."""
        view = await self.view()
        if view.phase is Phase.OVER:
            return
        command = (await self.state()).command(team)
        target = next(p.seat for p in view.players if p.team is not team and p.alive and not p.reserve)
        for player in view.players:
            if player.team is team and player.alive and player.free and player.attached_to is None:
                gun, foe = self.names[player.seat], self.names[target]
                await self.say(self.names[command.admiral], f"{gun} продолжает игру против {foe}")

    async def check_secrets(self) -> None:
        """What stands in each chat names no cell of a foreign ship that its reader may not know."""
        state, at = await self.state(), self.at
        shot = {cell_name(one.cell) for player in state.players for one in player.shots}
        shot |= {cell_name(one.cell) for one in state.in_flight}
        seats = {at.people[name]: seat for seat, name in self.names.items()}
        read = 0
        for chat in (at.group, *at.people.values()):
            seat = seats.get(chat)
            own = set() if seat is None else {cell_name(c) for ship in state.players[seat].ships for c in ship.cells()}
            for message in await at.control.messages(chat):
                text = message.get("text") or message.get("caption") or ""
                assert not any(player.salt in text for player in state.players), "a salt was told"
                if not message["from"]["is_bot"]:
                    continue  # people's own words
                told = "\n".join(line for line in text.splitlines() if not EXAMPLE.search(line))
                named = set(re.findall(r"\b[А-К](?:10|[1-9])\b", told))
                read += bool(named)
                assert named <= shot | own, f"{named - shot - own} told in {chat}: {text}"
        assert read > 5, "the bot was never read"


async def first_turn(month: Month) -> tuple[Team, Seat, Seat]:
    """Hits all but two enemies, of whom one is the Admiral; a delegation; one shot each; results at the hand-over."""
    state, view = await month.state(), await month.view()
    team = view.team
    admiral, sleeper = state.command(team).admiral, state.command(team.enemy).admiral
    ours = [player.seat for player in view.players if player.team is team]
    spared = {sleeper, next(state.players[s].pair for s in ours if s != admiral and state.players[s].pair != sleeper)}
    delegator = next(s for s in ours if s != admiral and state.players[s].pair not in spared)
    foe = state.players[delegator].pair
    await month.say(month.names[delegator], "передаю ход Адмиралу", private=True)
    assert (await month.view()).players[delegator].delegated
    cell = await month.free_cell(foe, hit=True)
    await month.say(month.names[admiral], f"За {month.names[delegator]}: То {month.names[foe]} - {cell}")
    others = [seat for seat in ours if seat != delegator]
    for number, seat in enumerate(others):
        target = state.players[seat].pair
        await month.shoot(seat, target, hit=target not in spared, private=number == 0)
        if number == 0:
            await month.shoot(seat, target, hit=True)  # a second shot of the same turn
            now = await month.view()
            assert [shot.result for board in now.boards for shot in board.shots] == [None, None]
            assert not any(re.search("— (ранил|убил|мимо)", text) for text in await month.at.texts())
    now = await month.view()
    assert now.team is team.enemy
    assert len([shot for board in now.boards for shot in board.shots]) == 5
    assert all(shot.result is not None for board in now.boards for shot in board.shots)
    return team, sleeper, next(iter(spared - {sleeper}))


async def the_sleepers(month: Month, team: Team, sleepers: tuple[Seat, Seat]) -> None:
    """They sleep over their turn: out, the Admiral is replaced at once, and two free players go on against one."""
    await month.wait(17.9)
    assert all(player.alive for player in (await month.view()).players)
    await month.wait(0.2)
    view, state = await month.view(), await month.state()
    assert [view.players[seat].out for seat in sleepers] == [OutReason.SLEPT] * 2
    assert state.command(team.enemy).admiral not in sleepers
    free = [player.seat for player in view.players if player.free and player.alive]
    assert len(free) == 2
    await month.attach_free(team)
    view = await month.view()
    targets = {view.players[seat].attached_to for seat in free}
    assert len(targets) == 1
    assert None not in targets


async def referees_acts(month: Month) -> None:
    """A pair of newcomers, an elimination that is cancelled, a pause that conserves what was left of the turn."""
    at = month.at
    for name in RESERVE:
        await month.say(name, "/reserve")
        await at.control.start(at.people[name], "hello")
    await month.say("ZimA", "/referee admit")
    await month.match()
    assert set(RESERVE) <= set(month.names.values())
    for name in RESERVE:
        await month.place(name)

    before = await month.state()
    victim = next(seat for seat in range(10) if before.players[seat].fights and month.names[seat] != "ZimA")
    await month.say("ZimA", f"/referee out {month.names[victim]}")
    assert (await month.state()).players[victim].out is OutReason.REFEREE
    await month.say("ZimA", f"/referee back {month.names[victim]}")
    assert (await month.state()).players[victim].fights

    await month.wait(2)
    match = await month.match()
    assert match.due_at is not None
    left = WorkCalendar.of(match.pace).counted(at.bot.house.host.clock.now(), match.due_at)
    await month.say("ZimA", "/referee pause 3d качка")
    assert (await month.match()).due_at is None
    await at.control.advance(50 * HOUR)
    await at.settle()
    assert (await month.match()).turn_started_at == match.turn_started_at
    await month.say("ZimA", "/referee resume")
    match = await month.match()
    assert match.due_at is not None
    now = at.bot.house.host.clock.now()
    assert abs(WorkCalendar.of(match.pace).counted(now, match.due_at) - left) < timedelta(minutes=1)


async def test_five_against_five_over_a_month(tmp_path: Path) -> None:
    async with table(tmp_path / "referee.db", moment=MONDAY) as at:
        month = Month(at)
        await month.begin()
        team, *sleepers = await first_turn(month)
        await the_sleepers(month, team, (sleepers[0], sleepers[1]))
        await referees_acts(month)
        newcomers: set[Seat] = {10, 11}
        for _ in range(80):
            view = await month.view()
            if view.phase is Phase.OVER:
                break
            if view.team is team:
                await month.attach_free(team)
            await month.wait(15)
            match = await month.match()
            assert (await month.view()).turn == view.turn, "time that does not count took a turn away"
            if match.pause is None and match.turn_started_at is not None and view.turn > 4:
                due = WorkCalendar.of(match.pace).add(match.turn_started_at, timedelta(hours=18))
                assert match.due_at == due
                last_day = (due - timedelta(seconds=1)).astimezone(ZoneInfo("Europe/Moscow")).date()
                assert last_day.weekday() < 5
                assert last_day != date(2027, 3, 8)
            guns = await month.shooters()
            assert guns, f"nobody may shoot in turn {view.turn}"
            old = [p for p in view.players if p.team is not team and p.alive and p.seat not in newcomers]
            for gun in guns:
                # While others are left, the newcomers miss each other, so that the enemy has a turn as well.
                hit = gun.team is team and (gun.seat not in newcomers or not old)
                await month.shoot(gun.seat, gun.opponents[-1], hit=hit, private=gun.seat % 3 == 0)
            if view.turn % 8 == 3:
                await month.check_secrets()
        await check_the_end(month, team)


async def check_the_end(month: Month, team: Team) -> None:
    match, view = await month.match(), await month.view()
    assert view.phase is Phase.OVER
    assert view.winner is team
    async with month.at.bot.database.reading() as db:
        record = await matches.actions(db, 1)
    assert dump(replay(ENGINE, match, record)) == match.state
    assert match.ended_at is not None
    assert match.ended_at >= datetime.fromisoformat(MONDAY) + timedelta(days=28)

    events = [event for line in record for event in ENGINE.read_events(line.events)]
    assert any(isinstance(event, PairEntered) for event in events)
    assert any(isinstance(event, AdmiralNamed) and event.team is team.enemy for event in events)
    turn, fired, results = 0, Counter[tuple[int, Seat]](), 0
    for event in events:
        match event:
            case TurnBegan() | TurnPassed():
                turn = event.turn
            case ShotFired():
                fired[turn, event.shooter] += 1
            case ShotResolved():
                results += 1
            case _:
                pass
    assert set(fired.values()) == {1}, "somebody shot twice in a turn"
    assert results == fired.total()
    assert not [call for call in await month.at.control.calls() if not call["ok"]]
