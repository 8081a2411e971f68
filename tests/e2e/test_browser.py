"""The whole house as a newcomer meets it: `python bot.py`, the chat page in a browser, two tabs that are two people.

Everything is done with what the page offers; the control API only sets up what is not the matter of a test.
"""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from playground.scene import GROUP_ID, PEOPLE

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
ID = {name: number for number, name, *_ in PEOPLE}
FLEET = "А1-А4, В1-В3, Д1-Д3, Ж1 Ж2, И1 И2, В5 В6, А10, В10, Д10, Ж10"
"""Like every fleet of these tests it has a ship on А1-А4, so that А1 is a hit and Б5 is water."""

expect.set_options(timeout=15_000)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running_house(database: Path) -> Iterator[str]:
    """`python bot.py` with a playground of its own; gives the address of the chat page."""
    command = [sys.executable, "bot.py", "--port", str(free_port()), "--database", str(database), "--no-limits"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        try:
            said = []
            for line in process.stderr:
                said.append(line)
                if found := re.search(r"the chat page: (http://\S+)", line):
                    break
            else:
                raise AssertionError("the bot did not start: " + "".join(said))
            yield found[1]
        finally:
            process.terminate()
            process.communicate(timeout=20)
    assert process.returncode == 0


@dataclass
class Evening:
    """The page of a running house, a tab for each person, and the control API for what is no matter of the test."""

    context: BrowserContext
    http: httpx.Client
    tabs: dict[tuple[str, int], Page] = field(default_factory=dict)

    def tab(self, who: str, *, private: bool = False) -> Page:
        """The tab in which somebody has the group, or his private chat with the bot, before him."""
        chat = ID[who] if private else GROUP_ID
        if (who, chat) not in self.tabs:
            page = self.context.new_page()
            page.goto(f"/?as={ID[who]}&chat={chat}&lang=ru")
            expect(page.locator("body.ready")).to_be_attached()
            self.tabs[who, chat] = page
        page = self.tabs[who, chat]
        page.bring_to_front()
        return page

    def control(self, path: str, **body: Any) -> Any:
        answer = self.http.post(f"/control/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def wait(self, chat: int, text: str) -> Any:
        answer = self.http.get("/control/wait", params={"chat": chat, "after": 0, "text": text, "timeout": 15})
        found = answer.json()["message"]
        assert found is not None, f"nobody said {text!r}"
        return found

    def press(self, who: str, text: str, *, chat: int = GROUP_ID) -> None:
        """A press without the page."""
        self.http.get("/control/idle", params={"timeout": 15}).raise_for_status()
        shown = self.http.get("/control/messages", params={"chat": chat, "as": ID[who]}).json()["messages"]
        for message in reversed(shown):
            for row in message.get("reply_markup", {}).get("inline_keyboard", []):
                for button in row:
                    if text in button["text"]:
                        more = {"message_id": message["message_id"], "data": button["callback_data"]}
                        self.control("press", **{"from": ID[who]}, chat=chat, **more)
                        return
        raise AssertionError(f"no button {text!r} for {who}")

    def started_match(self) -> None:
        """ZimA against Адвокат, both fleets placed, START given."""
        self.control("send", **{"from": ID["ZimA"]}, chat=GROUP_ID, text="/sea")
        number = re.search(r"№(\d+)", self.wait(GROUP_ID, "набор на игру")["text"])
        assert number is not None
        for who in ("ZimA", "Адвокат"):
            self.control("start", **{"from": ID[who]}, payload=f"j{number[1]}")
        self.wait(GROUP_ID, "2 человека")
        self.press("ZimA", "Начать")
        for who in ("ZimA", "Адвокат"):
            self.wait(ID[who], "Ваши корабли")
            self.press(who, "Случайно", chat=ID[who])
            self.press(who, "Подтвердить", chat=ID[who])
        self.press("ZimA", "СТАРТ")
        self.wait(GROUP_ID, "ХОД ЗА")


@pytest.fixture
def evening(browser: Browser, tmp_path: Path) -> Iterator[Evening]:
    with ExitStack() as stack:
        url = stack.enter_context(running_house(tmp_path / "bot.db"))
        http = stack.enter_context(httpx.Client(base_url=url, timeout=30, trust_env=False))
        http.post("/control/switches", json={"limits": False}).raise_for_status()
        context = browser.new_context(base_url=url, locale="ru-RU", viewport={"width": 1100, "height": 900})
        stack.callback(context.close)
        errors: list[str] = []
        context.on("weberror", lambda error: errors.append(str(error.error)))
        yield Evening(context, http)
        assert errors == []


def message(page: Page, text: str) -> Locator:
    return page.get_by_role("log").locator("li.message", has_text=text).last


def write(page: Page, text: str) -> None:
    page.get_by_label("сообщение", exact=True).fill(text)
    page.get_by_role("button", name="Отправить", exact=True).click()


def press(page: Page, text: str) -> None:
    """Press the newest button that says just this (or, of a longer label, these words)."""
    exactly = re.compile(rf"^{re.escape(text)}$") if len(text) <= 3 else text
    page.get_by_role("log").locator(".keyboard").locator("button, a").filter(has_text=exactly).last.click()


def back_in_the_group(page: Page) -> Page:
    """The group again in a tab that may have followed a link into the private chat."""
    page.get_by_role("link", name=re.compile("Кают-компания")).click()
    return page


def seen(picture: Locator) -> tuple[int, int]:
    """Width and height of a picture that the browser has really loaded and decoded."""
    picture.scroll_into_view_if_needed()
    width, height = picture.evaluate(
        "async (one) => { await one.decode(); return [one.naturalWidth, one.naturalHeight] }"
    )
    return int(width), int(height)


def test_a_match_from_the_lobby_to_the_first_hit(evening: Evening) -> None:
    zima, advokat = evening.tab("ZimA"), evening.tab("Адвокат")

    # The lobby: somebody else's button says why not, one's own joins.
    write(evening.tab("ZimA"), "/sea")
    evening.tab("Адвокат")
    expect(message(advokat, "набор на игру")).to_be_visible()
    press(advokat, "Начать")
    expect(advokat.locator("#toasts")).to_contain_text("только открывший набор или администратор")
    press(advokat, "Участвую")
    expect(advokat).to_have_url(re.compile(f"chat={ID['Адвокат']}"))
    expect(message(advokat, "Вы участвуете")).to_be_visible()
    evening.tab("ZimA")
    expect(message(zima, "Записались 2 человека")).to_be_visible()
    press(zima, "Начать")
    expect(zima.locator("#toasts")).to_contain_text("Жребий брошен")
    expect(message(zima, "жребий брошен")).to_contain_text("Ждём расстановку")

    # Fleets: as text, and by the keypad with the rest at random.
    own = evening.tab("ZimA", private=True)
    expect(message(own, "Ваши корабли")).to_be_visible()
    write(own, FLEET)
    expect(message(own, "Все десять кораблей на местах")).to_be_visible()
    press(own, "Подтвердить")
    expect(message(own, "Расстановка подтверждена")).to_be_visible()
    advokat.bring_to_front()
    press(advokat, "▪️▪️▪️▪️ ×1")
    press(advokat, "А")
    press(advokat, "А1")
    press(advokat, "Повернуть")
    expect(message(advokat, "встанет так: А1-А4")).to_be_visible()
    press(advokat, "Поставить")
    press(advokat, "Остальное случайно")
    press(advokat, "Подтвердить")
    expect(message(advokat, "Расстановка подтверждена")).to_be_visible()

    # START, and the board as everybody sees it.
    evening.tab("ZimA")
    press(zima, "СТАРТ ИГРА")
    turn = message(zima, "ХОД ЗА")
    expect(turn).to_contain_text("Ждём")
    width, height = seen(turn.locator("img"))
    assert width > 400
    assert height > 200

    # A shot in words from whoever begins: water. The answer by buttons: a hit.
    shooter, answerer = ("ZimA", "Адвокат") if "Ждём: \u2068ZimA" in turn.inner_text() else ("Адвокат", "ZimA")
    write(back_in_the_group(evening.tab(shooter)), f"То {answerer} - Б5")
    evening.tab("ZimA")
    expect(message(zima, "СДЕЛАЛИ ХОД")).to_contain_text("Б5 — мимо")
    buttons = evening.tab(answerer, private=True)
    expect(message(buttons, "Ваш выстрел")).to_be_visible()
    press(buttons, "А")
    press(buttons, "А1")
    press(buttons, "Огонь")
    expect(buttons.locator("#toasts")).to_contain_text("А1")
    evening.tab("ZimA")
    expect(message(zima, "А1 — ранил")).to_contain_text("пропускают ход")


def test_the_clock_moved_to_the_deadline_puts_out_who_slept(evening: Evening) -> None:
    evening.started_match()
    page = evening.tab("ZimA")
    expect(message(page, "ХОД ЗА")).to_be_visible()
    before = page.locator("#clock time").inner_text()

    page.locator("#to-deadline").click()

    end = message(page, "ИГРА ОКОНЧЕНА")
    expect(end).to_contain_text("выбывает из игры: ход не сделан в срок")
    expect(end).to_contain_text("Противник не сделал ход в срок")
    assert page.locator("#clock time").inner_text() != before
    width, _ = seen(page.get_by_role("log").locator("img").last)
    assert width > 400
