"""What is hidden stays hidden: a fleet from everybody else, the token from the log."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sys
from pathlib import Path

import pytest

from playground.client import Control
from playground.scene import GROUP_ID
from playground.server import Playground
from tests.e2e.duel import BLUE, RED, Duel
from tests.e2e.table import Json, table

ROOT = Path(__file__).resolve().parent.parent.parent
TUESDAY = "2027-03-02T12:00:05+03:00"
SECRET = "AAF-secret_of_the_owner-0123456789xyz"
TOKEN = f"7654321098:{SECRET}"

# Columns Б, Г, Е and З are water in both, so that the same shots miss.
ONE_FLEET = "А1-А4, В1-В3, Д1-Д3, Ж1-Ж2, И1-И2, К4-К5, А6, В6, Д6, Ж6"
OTHER_FLEET = "А7-А10, В8-В10, Д8-Д10, Ж9-Ж10, И9-И10, К6-К7, А5, В5, Д5, Ж5"


async def seen_by_others(database: Path, fleet: str) -> list[Json]:
    """A match in which RED has placed `fleet`: all that the group and BLUE were shown, pictures included."""
    async with table(database, moment=TUESDAY) as at:
        at.bot.house.host.new_seed = lambda: "secrets"
        duel = await Duel.placing(at)
        for who, ships in ((RED, fleet), (BLUE, ONE_FLEET)):
            await at.say(who, ships, private=True)
            await at.settle()
            await at.say(who, "/status", private=True)
            await at.settle()
            await duel.press(who, "sea-button-confirm", private=True)
        await duel.press(RED, "sea-button-start")
        for cell in ("Б1", "Г2", "Е3", "З10"):
            shooter, target = await duel.on_move()
            await at.say(shooter, f"То {target} - {cell}")
            await at.settle()
        for who in (BLUE, "Kapitan Nemo", RED):
            for command in ("/status", "/board", f"/board {RED}", "/fleet", "/seals", "/referee"):
                await at.say(who, command)
        for command in ("/status", "/board", "/export"):
            await at.say(BLUE, command, private=True)
        await at.say("Kapitan Nemo", "/export")
        await at.settle()
        assert await duel.shots() == 4
        shown = []
        for chat in (GROUP_ID, at.people[BLUE]):
            for message in await at.control.messages(chat):
                picture = message.get("file")
                shown.append(
                    {
                        "chat": chat,
                        "text": _public(message.get("text") or message.get("caption") or ""),
                        "buttons": [(b["text"], b.get("callback_data"), b.get("url")) for b in at.buttons(message)],
                        "file": None
                        if picture is None
                        else _public_bytes((await at.control.http.get(picture)).content),
                    }
                )
        return sorted(shown, key=repr)  # answers may overtake each other


def _public(text: str) -> str:
    """Hashes are meant to differ: they commit to the fleets."""
    return re.sub(r"[0-9a-f]{64}", "HASH", text)


def _public_bytes(data: bytes) -> bytes:
    data = re.sub(rb"[0-9a-f]{64}", b"HASH", data)
    return re.sub(rb"\d\d:\d\d:\d\d(\.\d+)?", b"TIME", data)


async def test_two_fleets_look_the_same_to_the_group_and_to_the_enemy(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    one = await seen_by_others(tmp_path / "one.db", ONE_FLEET)
    other = await seen_by_others(tmp_path / "other.db", OTHER_FLEET)
    for mine, theirs in zip(one, other, strict=True):
        assert mine == theirs
    assert sum(message["file"] is not None for message in one) > 5
    logged = [record.getMessage() for record in caplog.records if not record.name.startswith("tests")]
    assert not [line for line in logged if re.search(r"[АВДЖИК]\d+-[АВДЖИК]\d+", line)]


@pytest.mark.parametrize("there", [True, False])
async def test_the_running_bot_never_writes_its_token(tmp_path: Path, there: bool) -> None:
    """With everything logged, whether the server answers or not."""
    playground = Playground()
    url = await playground.start() if there else "http://127.0.0.1:9"
    try:
        bot = await asyncio.create_subprocess_exec(
            sys.executable,
            str(ROOT / "bot.py"),
            *("--database", str(tmp_path / "bot.db"), "--drawers", "0"),
            env={**os.environ, "BOT_TOKEN": TOKEN, "BOT_API_URL": url, "LOG_LEVEL": "DEBUG"},
            stderr=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            if there:
                async with Control(url) as control:
                    await control.calls(method="setMyCommands", count=6, timeout=30)
                bot.terminate()
            async with asyncio.timeout(30):
                out, err = await bot.communicate()
        finally:
            if bot.returncode is None:
                bot.kill()
                await bot.wait()
    finally:
        await playground.stop()
    assert bot.returncode == (0 if there else 1)
    assert SECRET not in (out + err).decode()
    assert b"<token>" in err or not there
