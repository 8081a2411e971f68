"""A whole match of 3 against 3, over HTTP, in both languages: lobby, fleets, shots of every kind, a weekend, a sleeper,
free players, the end with everything revealed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from engines.sea_battle import ENGINE
from engines.sea_battle.cells import cell_name
from engines.sea_battle.fleet import commitment
from engines.sea_battle.model import FLEET_LENGTHS, Ended, OutReason, Phase, Revealed, SeaView, Started, Team
from engines.sea_battle.state import SeaState
from locales import words
from storage import matches
from storage.records import ActionKind, Match, Member, StoredAction
from tests.e2e.table import Table, table

FRIDAY = "2027-03-05T16:00:00+03:00"
"""Before a long weekend: Monday, 8 March 2027 is a holiday in Russia."""
CREW = ("ZimA", "Адвокат", "Вирт", "Юнга", "Mirra", "Боцман Палыч")


class Match3:
    """What a test may look up behind the scenes, to know whom to hit and whether the record is right."""

    def __init__(self, at: Table, match_id: int) -> None:
        self.at = at
        self.id = match_id

    async def stored(self) -> tuple[Match, list[Member], list[StoredAction]]:
        async with self.at.bot.database.reading() as db:
            match = await matches.get(db, self.id)
            assert match is not None
            return match, await matches.members(db, self.id), await matches.actions(db, self.id)

    async def state(self) -> SeaState:
        match, _, _ = await self.stored()
        assert match.state is not None
        return ENGINE.read_state(match.state)

    async def view(self) -> SeaView:
        return ENGINE.view(await self.state(), None)

    async def name(self, seat: int) -> str:
        _, members, _ = await self.stored()
        return next(member.name for member in members if member.seat == seat)

    async def cell(self, target: int, *, hit: bool) -> str:
        """A cell of the target's board that was not shot at yet: a deck, or water."""
        state = await self.state()
        view = ENGINE.view(state, target)
        fleet = view.boards[target].fleet
        assert fleet is not None
        decks = {cell for ship in fleet for cell in ship.cells()}
        shot = {seen.cell for seen in view.boards[target].shots}
        water = set(range(100)) - decks - shot
        cells = sorted((decks - shot if hit else water) or water)
        return cell_name(cells[0])


async def open_lobby(at: Table, language: str) -> int:
    """Open, join by deep link, leave and join again, strangers and other people's buttons refused, begin."""
    text = words(language)
    if language != "ru":
        await at.say("ZimA", f"/language {language}")
        await at.hears(re.escape(text.plain("language-set")))
    await at.say("ZimA", "/sea")
    lobby = await at.hears(re.escape(text.plain("game-sea_battle")))
    for name in CREW[1:]:
        await at.press(name, re.escape(text.plain("button-join")))
        await at.hears(re.escape(text.plain("game-sea_battle")), who=name)
    await at.press("Mirra", re.escape(text.plain("button-leave")))
    await at.press("Mirra", re.escape(text.plain("button-join")))
    await at.hears(re.escape(text.html("lobby-joined", n=6)))
    refused = await at.press("Юнга", re.escape(text.plain("button-begin")))
    assert refused["text"] == text.plain("refuse-not_referee")
    begun = await at.press(
        "ZimA", re.escape(text.plain("button-begin")), message=await at.newest(button=text.plain("button-begin"))
    )
    assert begun["text"] == text.plain("begun")
    button = at.button(lobby, re.escape(text.plain("button-begin")))
    assert button is not None
    again = await at.control.press(
        at.people["ZimA"], at.group, lobby["message_id"], button["callback_data"], stale=True
    )
    assert again["answer"]["text"] == text.plain("refuse-not_in_lobby")
    return int(re.search(r"№(\d+)|No\. (\d+)", lobby["text"]).group(0).lstrip("№No. "))  # type: ignore[union-attr]


async def place_fleets(at: Table, game: Match3, language: str) -> None:
    """At random and by buttons, by text with faults named, confirmed; START is refused while one is missing."""
    text = words(language)
    by_text = "А1-А4, В1-В3, Д1-Д3, Ж1-Ж2, И1-И2, К4-К5, А6, В6, Д6, Ж6"
    for name in CREW:
        await at.hears("", who=name)
        if name == "Боцман Палыч":
            await at.say(name, by_text.replace("Ж6", "Б6"), private=True)
            await at.settle()
            await at.say(name, by_text, private=True)
            await at.settle()
        else:
            await at.press(name, f"^{re.escape(text.plain('sea-button-random'))}$", private=True)
            await at.settle()
        if name == "Mirra":
            assert (await game.view()).phase is Phase.PLACING
            assert at.button(await at.newest(), re.escape(text.plain("sea-button-start"))) is None
        await at.press(name, re.escape(text.plain("sea-button-confirm")), private=True)
        await at.settle()
    assert all(player.fleet_ready for player in (await game.view()).players)
    refused = await at.press("Юнга", re.escape(text.plain("sea-button-start")))
    assert refused["text"] == text.plain("refuse-not_referee")
    await at.press("ZimA", re.escape(text.plain("sea-button-start")))
    await at.settle()
    assert (await game.view()).phase is Phase.PLAYING


async def shoot(at: Table, game: Match3, seat: int, target: int, *, hit: bool, way: str, language: str) -> None:
    """One shot, written or pressed."""
    who, foe, cell = await game.name(seat), await game.name(target), await game.cell(target, hit=hit)
    text = words(language)
    match way:
        case "group":
            await at.say(who, f"{'То' if language == 'ru' else 'To'} {foe} - {cell}")
        case "private":
            await at.say(who, f"{foe} {cell}", private=True)
        case "command":
            await at.say(who, f"/shot {foe} {cell}")
        case "buttons":
            await at.press(who, re.escape(text.plain("sea-button-shoot")), private=False)
            await at.settle()
            panel = await at.newest(who=who)
            if at.button(panel, f"^{cell[0]}$") is None:
                await at.press(who, re.escape(foe), private=True)
                await at.settle()
            await at.press(who, f"^{cell[0]}$", private=True)
            await at.settle()
            await at.press(who, f"^{cell}$", private=True)
            await at.settle()
            fire = await at.newest(who=who)
            await at.press(who, cell, private=True, message=fire)
    await at.settle()


@pytest.mark.parametrize("language", ["ru", "en"])
async def test_a_match_from_the_lobby_to_the_victory(tmp_path: Path, language: str) -> None:
    text = words(language)
    async with table(tmp_path / "referee.db", moment=FRIDAY) as at:
        at.bot.house.host.new_seed = lambda: f"a match in {language}"
        game = Match3(at, await open_lobby(at, language))
        await place_fleets(at, game, language)
        view = await game.view()
        first, second = view.team, view.team.enemy
        attackers = [p.seat for p in view.players if p.team is first]
        foes = {seat: view.players[seat].opponents[0] for seat in attackers}
        hitters, misser = attackers[:2], attackers[2]
        sleeper = foes[misser]

        # The first turn, on Friday afternoon: two hits, one miss; a foreign board and a cell off the board are refused.
        stranger = foes[hitters[1]]
        await at.say(
            await game.name(hitters[0]), f"{'То' if language == 'ru' else 'To'} {await game.name(stranger)} - А1"
        )
        await at.settle()
        assert (await game.view()).turn == 1
        await shoot(at, game, hitters[0], foes[hitters[0]], hit=True, way="group", language=language)
        await at.say(
            await game.name(hitters[0]),
            f"{'То' if language == 'ru' else 'To'} {await game.name(foes[hitters[0]])} - К10",
        )
        await at.settle()
        assert len([1 for board in (await game.view()).boards for _ in board.shots]) == 1, "a second shot was taken"
        await shoot(at, game, hitters[1], foes[hitters[1]], hit=True, way="private", language=language)
        await shoot(at, game, misser, sleeper, hit=False, way="buttons", language=language)

        # Friday 16:00; the whole of Saturday, Sunday and Monday (a holiday) does not count: until Tuesday 10:00.
        match, _, _ = await game.stored()
        assert match.due_at is not None
        assert match.due_at.isoformat().startswith("2027-03-09T07:0")
        assert (await game.view()).team is second
        await at.say("ZimA", "/status")
        await at.hears(re.escape(await game.name(sleeper)))
        await at.control.move_to("2027-03-07T12:00:00+03:00")
        await at.settle()
        assert (await game.view()).turn == 2, "a weekend has taken somebody out"
        asleep = len(await at.control.messages(at.people[await game.name(sleeper)]))
        await at.control.move_to("2027-03-09T06:00:00+03:00")
        await at.settle()
        assert len(await at.control.messages(at.people[await game.name(sleeper)])) == asleep + 1, "one reminder"
        await at.control.move_to("2027-03-09T10:30:00+03:00")
        await at.hears(re.escape(await game.name(sleeper)))
        await at.settle()
        view = await game.view()
        assert view.players[sleeper].out is OutReason.SLEPT
        assert view.players[misser].free

        # The free player goes on once his Admiral has said so; the enemies, hit every turn, never answer.
        admiral = next(p.seat for p in view.players if p.team is first and p.admiral)
        order = "{} продолжает игру против {}" if language == "ru" else "{} continues against {}"
        if view.players[misser].attached_to is None:
            await at.say(
                await game.name(admiral), order.format(await game.name(misser), await game.name(foes[hitters[0]]))
            )
            await at.settle()
        ways = ["group", "command", "private", "buttons"]
        for number in range(60):
            view = await game.view()
            if view.phase is Phase.OVER:
                break
            shooter = next((p for p in view.players if p.may_shoot), None)
            assert shooter is not None, f"nobody may shoot in turn {view.turn}"
            target = shooter.opponents[0]
            hit = shooter.team is first
            await shoot(at, game, shooter.seat, target, hit=hit, way=ways[number % 4], language=language)
        await _check_the_end(at, game, first, text)


async def _check_the_end(at: Table, game: Match3, winner: Team, text: Any) -> None:
    match, _, actions = await game.stored()
    view = await game.view()
    assert view.phase is Phase.OVER
    assert view.winner is winner
    said = "\n".join(await at.texts())
    for salt in view.salts:
        assert salt in said, "a salt was not revealed"

    # Everybody can check the Referee: the hashes of START are those of the fleets and salts revealed at the end.
    events = [event for action in actions for event in ENGINE.read_events(action.events)]
    started = next(event for event in events if isinstance(event, Started))
    revealed = next(event for event in events if isinstance(event, Revealed))
    assert any(isinstance(event, Ended) for event in events)
    for sealed, fleet, salt in zip(started.hashes, revealed.fleets, revealed.salts, strict=True):
        assert commitment(fleet, salt) == sealed
        assert sorted(ship.length for ship in fleet) == sorted(FLEET_LENGTHS)
        assert sealed in said

    # The record gives the same state again.
    state, _ = ENGINE.new(match.lots, ENGINE.read_options(match.options), match.seed)
    for action in actions[1:]:
        if action.kind is ActionKind.EXPIRE:
            state, _ = ENGINE.expire(state)
        else:
            state, _ = ENGINE.apply(state, action.seat, ENGINE.read_action(action.body))
    assert state == await game.state()
    calls = await at.control.calls()
    failed = [call for call in calls if not call["ok"]]
    assert not failed, failed
