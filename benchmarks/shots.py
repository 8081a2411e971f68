"""Shots of many matches end to end, each on the disk before it is acknowledged, against a bare echo bot.

    python benchmarks/shots.py [--matches 40] [--side 5] [--shots 2000] [--rounds 3]

Both bots poll the same fake Bot API (a process of its own), in turn, in one run. The echo bot is python-telegram-bot's
simplest: one handler, one sendMessage an update, its own updater. Ours takes text shots («То ZimA - А4») of members of
groups, stores each with `synchronous=FULL`, acknowledges it with a reaction, and keeps its outbox going meanwhile:
hand-overs with their pictures, and the turn's message. An update counts as done when its acknowledgement has arrived.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import uvloop
from telegram import Update
from telegram.ext import Application, ApplicationBuilder, ContextTypes, MessageHandler, filters

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bot import Bot, collect_garbage_seldom
from engines.registry import REGISTRY
from engines.sea_battle.cells import cell_name
from engines.sea_battle.model import Columns, ConfirmFleet, RandomFleet, Shoot, Start
from referee.clock import Clock
from referee.gate import Limits
from referee.host import Host
from referee.lobby import Lobby
from referee.play import Actor, Play
from storage import matches
from storage.records import Person
from storage.sqlite import SqliteDatabase

Json = dict[str, Any]
TOKEN = "1:bench"


def update(number: int, chat: int, person: int, name: str, text: str) -> Json:
    """A text message in a group."""
    return {
        "update_id": number,
        "message": {
            "message_id": number,
            "date": int(time.time()),
            "chat": {"id": chat, "type": "supergroup", "title": f"Chat {chat}"},
            "from": {"id": person, "is_bot": False, "first_name": name},
            "text": text,
        },
    }


class Silent:
    """Plans nothing: the matches are only set up."""

    def plan(self, change: object) -> list[Any]:
        """No posts."""
        return []


async def set_up(database: Path, match_count: int, side: int, shots: int) -> list[Json]:
    """Store running matches, and play them ahead on paper: the updates that their members will send."""
    db = await SqliteDatabase.open(database)
    clock = Clock()
    host = Host(db, REGISTRY, Silent(), clock)
    lobby, play = Lobby(host), Play(host)
    games = []
    for number in range(match_count):
        chat = -1000 - number
        people = [Person(number * 100 + i + 1, f"Player{i}") for i in range(2 * side)]
        match = await lobby.open("sea_battle", chat_id=chat, thread_id=None, opener=people[0])
        for person in people[1:]:
            await lobby.join(match.id, person)
        await lobby.start(match.id, Actor(people[0].id), at=clock.now())
        for person in people:
            for step, action in enumerate((RandomFleet(), ConfirmFleet())):
                await play.act(
                    match.id, Actor(person.id), action, at=clock.now(), source=f"set{match.id}-{person.id}-{step}"
                )
        await play.act(
            match.id, Actor(people[0].id), Start(), at=clock.now(), source=f"start{match.id}", as_referee=True
        )
        async with db.reading() as reading:
            stored = await matches.get(reading, match.id)
        assert stored is not None
        assert stored.state is not None
        games.append([chat, people, REGISTRY["sea_battle"].read_state(stored.state)])
    await db.close()
    updates: list[Json] = []
    engine = REGISTRY["sea_battle"]
    while len(updates) < shots:
        before = len(updates)
        for game in games:
            chat, people, state = game
            actors = engine.actors(state)
            if not actors:
                continue
            seat = actors[0]
            shot = next(a for a in engine.legal_actions(state, seat) if isinstance(a, Shoot))
            game[2], _ = engine.apply(state, seat, shot)
            cell = cell_name(shot.cell, Columns.CYRILLIC)
            text = f"То {people[shot.target].name} - {cell}"
            updates.append(update(len(updates) + 1, chat, people[seat].id, people[seat].name, text))
        if len(updates) == before:
            break
    return updates[:shots]


async def run_echo(api: str, http: httpx.AsyncClient, updates: list[Json]) -> float:
    """Updates a second of the echo bot."""

    async def echo(update: Update, _: ContextTypes.DEFAULT_TYPE) -> None:
        assert update.message is not None
        await update.message.reply_text(update.message.text or "")

    application: Application[Any, Any, Any, Any, Any, Any] = (
        ApplicationBuilder().token(TOKEN).base_url(f"{api}/bot").job_queue(None).build()
    )
    application.add_handler(MessageHandler(filters.TEXT, echo))
    await http.post(f"{api}/load", json=updates)
    async with application:
        await application.start()
        assert application.updater is not None
        await application.updater.start_polling(poll_interval=0)
        seconds = await finished(api, http, "sendMessage", len(updates))
        await application.updater.stop()
        await application.stop()
    return len(updates) / seconds


async def run_ours(
    api: str, http: httpx.AsyncClient, updates: list[Json], database: Path, limits: Limits
) -> tuple[float, Json]:
    """Updates a second of ours, and what it called."""
    db = await SqliteDatabase.open(database)
    async with db.reading() as reading:
        before = (await reading.fetch("SELECT COUNT(*) FROM actions"))[0][0]
    usual = gc.get_threshold()
    collect_garbage_seldom()
    bot = await Bot.build(TOKEN, db, Clock(), limits=limits, api_url=api, drawers=1)
    await bot.start()
    await http.post(f"{api}/load", json=updates)
    running = asyncio.create_task(bot.run())
    seconds = await finished(api, http, "setMessageReaction", len(updates))
    report = (await http.get(f"{api}/report")).json()
    bot.polling.stop()
    await running
    await bot.stop()
    async with db.reading() as reading:
        after = (await reading.fetch("SELECT COUNT(*) FROM actions"))[0][0]
    await db.close()
    gc.unfreeze()
    gc.set_threshold(*usual)
    assert isinstance(after, int)
    assert isinstance(before, int)
    assert after - before == len(updates), f"{after - before} shots were stored, {len(updates)} were sent"
    return len(updates) / seconds, report


async def finished(api: str, http: httpx.AsyncClient, method: str, count: int) -> float:
    """Wait until `count` calls of a method have come; when the last of them came."""
    started = time.perf_counter()
    while True:
        report = (await http.get(f"{api}/report")).json()
        if report["calls"].get(method, 0) >= count:
            return float(report["last"][method])
        if time.perf_counter() - started > 300:
            raise TimeoutError(f"{report['calls']} after five minutes, {count} of {method} were expected")
        await asyncio.sleep(0.1)


async def main(given: argparse.Namespace) -> None:
    """The whole comparison."""
    server = subprocess.Popen(  # noqa: ASYNC220  # started once, before anything is measured
        [sys.executable, str(Path(__file__).with_name("fake_api.py"))], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    api = server.stdout.readline().strip()
    rows: list[tuple[float, float]] = []
    try:
        async with httpx.AsyncClient(timeout=60) as http:
            with tempfile.TemporaryDirectory() as folder:
                print(f"{given.matches} matches of {given.side} against {given.side}, {given.shots} shots")
                for number in range(given.rounds):
                    database = Path(folder) / f"{number}.db"
                    updates = await set_up(database, given.matches, given.side, given.shots)
                    echo = await run_echo(api, http, updates)
                    limits = Limits() if not given.no_limits else Limits.none()
                    ours, report = await run_ours(api, http, updates, database, limits)
                    rows.append((echo, ours))
                    print(
                        f"echo {echo:6.0f}/s   ours {ours:6.0f}/s   ratio {ours / echo:.2f}   {report['calls']}",
                        flush=True,
                    )
    finally:
        server.terminate()
        server.wait()
    ratio = statistics.median(ours / echo for echo, ours in rows)
    print(json.dumps({"median_ratio": round(ratio, 2), "at": datetime.now(UTC).date().isoformat()}))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--side", type=int, default=5)
    parser.add_argument("--shots", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-limits", action="store_true", help="send as if Telegram had no limits")
    uvloop.run(main(parser.parse_args()))
