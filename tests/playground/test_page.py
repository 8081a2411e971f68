"""The web chat in a real browser: what people see and press, with a bot that is nothing but calls over HTTP."""

import itertools
import json
import re
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "playground" / "static"
BOT_ID = 7_000_000_001
TOKEN = f"{BOT_ID}:AAF-a-token-of-the-right-form-0123456789"
HOUR = 3600

expect.set_options(timeout=15_000)


def png(width: int, height: int) -> bytes:
    """A picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x3b\x8f\xe0" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@contextmanager
def serving(port: int = 0, *options: str) -> Iterator[str]:
    """A playground of its own; gives its address."""
    command = [sys.executable, "-m", "playground", "--port", str(port), "--no-limits", *options]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://[\d.]+:\d+", line)
        assert found, f"the playground did not say where it listens: {line!r}"
        yield found[0]
    finally:
        process.terminate()
        process.wait(20)
        process.stdout.close()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """One playground for the module; each test makes people and groups of its own."""
    with serving() as address:
        yield address


@dataclass
class World:
    """A group of a test's own, its people, and the bot's and the people's ways to the server."""

    url: str
    http: httpx.Client
    people: dict[str, int] = field(default_factory=dict)
    group: int = 0
    offset: int = 0

    def control(self, path: str, **body: Any) -> Any:
        answer = self.http.post(f"/control/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def bot(self, method: str, files: dict[str, Any] | None = None, **params: Any) -> Any:
        fields = {name: value if isinstance(value, str) else json.dumps(value) for name, value in params.items()}
        answer = self.http.post(f"/bot{TOKEN}/{method}", data=fields, files=files).json()
        assert answer["ok"], answer
        return answer["result"]

    def update(self, kind: str) -> Any:
        """The next update of a kind; what comes before it is passed over."""
        until = time.monotonic() + 15
        while time.monotonic() < until:
            for update in self.bot("getUpdates", offset=self.offset, timeout=5, limit=1):
                self.offset = update["update_id"] + 1
                if kind in update:
                    return update[kind]
        raise AssertionError(f"no {kind} came to the bot")

    def now(self) -> float:
        return float(self.http.get("/control/clock").json()["now"])

    def link(self, person: str, chat: int | None = None, **more: Any) -> str:
        query = {"as": self.people[person], "chat": self.group if chat is None else chat, "lang": "en", **more}
        return f"{self.url}/?{httpx.QueryParams(query)}"


_numbers = itertools.count(1)


@pytest.fixture
def world(url: str) -> Iterator[World]:
    """Anna (an administrator) and Boris in a supergroup with the bot."""
    with httpx.Client(base_url=url, timeout=30) as http:
        made = World(url, http)
        number = next(_numbers)
        for name in ("Anna", "Boris"):
            made.people[name] = made.control("people", first_name=name, username=f"{name.lower()}_{number}")["id"]
        anna, boris = made.people.values()
        made.group = made.control(
            "chats",
            type="supergroup",
            title=f"Group {number}",
            members=[anna, boris],
            admins=[anna],
            bot="administrator",
        )["id"]
        for last in made.bot("getUpdates", offset=-1, timeout=0):
            made.offset = last["update_id"] + 1
        yield made


@pytest.fixture
def context(browser: Browser, url: str) -> Iterator[BrowserContext]:
    """A window whose tabs share one stream. No error may happen in it, and nothing may be asked of another host."""
    made = browser.new_context(locale="en-GB", timezone_id="Europe/Moscow", viewport={"width": 1100, "height": 800})
    errors: list[str] = []
    strangers: list[str] = []
    made.on("weberror", lambda error: errors.append(str(error.error)))
    made.on(
        "request", lambda request: None if request.url.startswith((url, "data:")) else strangers.append(request.url)
    )
    yield made
    made.close()
    assert errors == []
    assert strangers == []


@pytest.fixture
def tab(context: BrowserContext, world: World) -> Callable[..., Page]:
    """Opens a tab as a person."""

    def open_tab(person: str, chat: int | None = None, **more: Any) -> Page:
        page = context.new_page()
        page.goto(world.link(person, chat, **more))
        expect(page.locator("body.ready")).to_be_attached()
        return page

    return open_tab


def write(page: Page, text: str) -> None:
    page.get_by_label("message", exact=True).fill(text)
    page.get_by_role("button", name="Send", exact=True).click()


def message(page: Page, text: str) -> Locator:
    return page.get_by_role("log").locator("li.message", has_text=text)


def test_two_tabs_are_two_people_who_see_each_other_at_once(tab: Callable[..., Page]) -> None:
    anna, boris = tab("Anna"), tab("Boris")
    write(anna, "Who is in?")
    boris.bring_to_front()
    seen = message(boris, "Who is in?")
    expect(seen.locator(".sender")).to_have_text("Anna")
    expect(message(anna, "Who is in?")).to_have_class(re.compile(r"\bown\b"))

    seen.hover()
    seen.get_by_role("button", name="Reply", exact=True).click()
    write(boris, "I am")
    expect(message(anna, "I am").locator(".quote")).to_contain_text("Who is in?")


def test_a_picture_with_a_keyboard_and_the_answer_to_a_press(tab: Callable[..., Page], world: World) -> None:
    page = tab("Boris")
    keyboard = [
        [
            {"text": "Red", "callback_data": "red", "style": "danger"},
            {"text": "Blue", "callback_data": "blue", "style": "primary"},
        ],
        [{"text": "My map", "callback_data": "map"}],
    ]
    world.bot(
        "sendPhoto",
        files={"photo": ("board.png", png(640, 480), "image/png")},
        chat_id=world.group,
        caption="<b>Red</b> to move",
        parse_mode="HTML",
        reply_markup={"inline_keyboard": keyboard},
    )
    shown = message(page, "Red to move")
    expect(shown.locator("strong")).to_have_text("Red")
    page.wait_for_function("document.querySelector('#log img')?.naturalWidth > 0")

    red = shown.get_by_role("button", name="Red", exact=True)
    expect(red).to_have_class(re.compile(r"\bdanger\b"))
    red.click()
    expect(red).to_have_attribute("aria-busy", "true")
    query = world.update("callback_query")
    assert (query["data"], query["from"]["id"]) == ("red", world.people["Boris"])
    world.bot("answerCallbackQuery", callback_query_id=query["id"], text="You are red now")
    expect(page.get_by_text("You are red now")).to_be_visible()
    expect(red).not_to_have_attribute("aria-busy", "true")

    shown.get_by_role("button", name="My map").click()
    query = world.update("callback_query")
    world.bot("answerCallbackQuery", callback_query_id=query["id"], text="A1, A2", show_alert=True)
    alert = page.get_by_role("alertdialog")
    expect(alert).to_contain_text("A1, A2")
    alert.get_by_role("button", name="OK").click()
    expect(alert).to_have_count(0)


def test_a_deep_link_opens_the_private_chat_and_starts_the_bot(tab: Callable[..., Page], world: World) -> None:
    page = tab("Anna")
    name = world.bot("getMe")["username"]
    button = {"text": "Place the ships", "url": f"https://t.me/{name}?start=ships_7"}
    world.bot("sendMessage", chat_id=world.group, text="Lobby", reply_markup={"inline_keyboard": [[button]]})
    page.get_by_role("button", name="Place the ships").click()

    assert world.update("message")["text"] == "/start ships_7"
    anna = world.people["Anna"]
    expect(page).to_have_url(re.compile(rf"chat={anna}\b"))
    keys = {"keyboard": [[{"text": "Ready"}]], "resize_keyboard": True}
    world.bot("sendMessage", chat_id=anna, text="Here is your sea", reply_markup=keys)
    expect(message(page, "Here is your sea")).to_be_visible()

    page.get_by_role("button", name="Ready").click()
    assert world.update("message")["text"] == "Ready"


def test_who_has_not_started_the_bot_gets_a_start_button(tab: Callable[..., Page], world: World) -> None:
    page = tab("Boris", world.people["Boris"])
    expect(page.get_by_label("message", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Start", exact=True).click()
    assert world.update("message")["text"] == "/start"
    expect(page.get_by_label("message", exact=True)).to_be_visible()


def test_the_clock_goes_to_the_deadline_that_the_chat_shows(tab: Callable[..., Page], world: World) -> None:
    page = tab("Anna")
    to_deadline = page.get_by_role("button", name="to the deadline")
    expect(to_deadline).to_be_disabled()
    due = int(world.now()) + 18 * HOUR
    text = f'Until <tg-time unix="{due}" format="r">later</tg-time>'
    world.bot("sendMessage", chat_id=world.group, text=text, parse_mode="HTML")
    expect(message(page, "Until in 18 hours")).to_be_visible()

    before = world.now()
    page.get_by_role("button", name="+6 h").click()
    expect(message(page, "Until in 12 hours")).to_be_visible()
    assert 6 * HOUR <= world.now() - before < 6 * HOUR + 60

    to_deadline.click()
    expect(to_deadline).to_be_disabled()
    expect(message(page, "ago").or_(message(page, "now"))).to_be_visible()
    assert due < world.now() < due + 60


def test_one_edits_the_last_message_and_reacts_by_the_menu(tab: Callable[..., Page], world: World) -> None:
    anna, boris = tab("Anna"), tab("Boris")
    write(boris, "A5")
    expect(message(boris, "A5")).to_be_visible()
    field = boris.get_by_label("message", exact=True)
    field.press("ArrowUp")
    expect(field).to_have_value("A5")
    field.fill("B6")
    field.press("Enter")
    expect(message(anna, "B6")).to_contain_text("edited")
    assert world.update("edited_message")["text"] == "B6"

    # A tab in the background draws once a second.
    anna.bring_to_front()
    seen = message(anna, "B6")
    seen.hover()
    seen.get_by_role("button", name="More").click()
    anna.get_by_role("menuitem", name="React with 🔥").click()
    expect(message(boris, "B6").get_by_role("button", name="🔥: 1 person")).to_be_visible()


def test_commands_and_inline_results_stand_over_the_input(tab: Callable[..., Page], world: World) -> None:
    page = tab("Boris")
    commands = [{"command": "rules", "description": "How to play"}]
    world.bot("setMyCommands", commands=commands, scope={"type": "chat", "chat_id": world.group})
    page.get_by_role("button", name="Commands").click()
    page.get_by_role("option", name="/rules").click()
    assert world.update("message")["text"] == "/rules"

    shoot = {"text": "Shoot", "switch_inline_query_current_chat": "shot "}
    world.bot("sendMessage", chat_id=world.group, text="Fire!", reply_markup={"inline_keyboard": [[shoot]]})
    page.get_by_role("button", name="Shoot").click()
    query = world.update("inline_query")
    assert query["query"].strip() == "shot"
    content = {"message_text": "I shoot at A5"}
    results = [{"type": "article", "id": "1", "title": "A5", "input_message_content": content}]
    world.bot("answerInlineQuery", inline_query_id=query["id"], results=results, cache_time=0, is_personal=True)
    page.get_by_role("option", name="A5").click()
    expect(message(page, "I shoot at A5")).to_contain_text("via @")
    expect(page.get_by_label("message", exact=True)).to_have_value("")


def test_a_topic_shows_its_own_messages_and_unread_ones_are_counted(tab: Callable[..., Page], world: World) -> None:
    anna, boris = world.people.values()
    forum = world.control(
        "chats",
        type="supergroup",
        is_forum=True,
        title="Forum",
        members=[anna, boris],
        admins=[anna],
        bot="administrator",
    )["id"]
    battle = world.control("topics", chat=forum, name="Battle", **{"from": anna})["message_thread_id"]
    page = tab("Boris", forum, thread=battle)
    world.bot("sendMessage", chat_id=forum, message_thread_id=battle, text="The battle begins")
    world.bot("sendMessage", chat_id=forum, text="Small talk")
    expect(message(page, "The battle begins")).to_be_visible()
    general = page.get_by_role("link", name="General")
    expect(general).to_contain_text("Small talk")
    expect(general.get_by_label("1 unread message")).to_be_visible()
    expect(message(page, "Small talk")).to_have_count(0)

    general.click()
    expect(message(page, "Small talk")).to_be_visible()
    expect(message(page, "The battle begins")).to_have_count(0)
    expect(general.locator(".unread")).to_have_count(0)


def test_names_and_texts_are_words_and_fit_a_phone(tab: Callable[..., Page], world: World) -> None:
    page = tab("Anna")
    page.set_viewport_size({"width": 390, "height": 844})
    hostile = "<img src=x onerror=\"document.title='broken in'\">"
    right_to_left = world.control("people", first_name=hostile, last_name="שלום עולם " * 4)["id"]
    world.control("members", chat=world.group, person=right_to_left, status="member")
    world.control("send", chat=world.group, text="W" * 4096, **{"from": right_to_left})
    last = message(page, "WWWW")
    expect(last.locator(".sender")).to_contain_text(hostile)
    expect(last.locator("img")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate("document.querySelector('#log').scrollWidth") <= 390
    assert "broken in" not in page.title()


def test_people_and_faults_change_the_world(tab: Callable[..., Page], world: World) -> None:
    world.http.patch(
        f"/control/people/{world.people['Boris']}", json={"first_name": "Boris", "last_name": "the Unlucky"}
    )
    page = tab("Anna")
    page.get_by_role("button", name="People & faults").click()
    page.get_by_label("Status of Boris the Unlucky").select_option("left")
    assert world.update("message")["left_chat_member"]["id"] == world.people["Boris"]
    expect(page.get_by_role("log")).to_contain_text(re.compile("the Unlucky left the group|removed Boris the Unlucky"))

    page.get_by_label("Method").select_option("sendMessage")
    page.get_by_role("button", name="Add a fault").click()
    expect(page.get_by_text("sendMessage: 429")).to_be_visible()
    refused = world.http.post(f"/bot{TOKEN}/sendMessage", data={"chat_id": world.group, "text": "?"}).json()
    assert (refused["error_code"], refused["parameters"]["retry_after"]) == (429, 5)


def test_news_that_overtake_a_slow_history_stay(tab: Callable[..., Page], world: World) -> None:
    page = tab("Anna")
    # Once the stream is there nothing is read anew, and a history that is asked for is that of a new chat.
    expect(page.locator("body.linked")).to_be_attached()
    known = {str(chat["id"]) for chat in world.http.get("/control/state").json()["chats"]}
    held: list[Route] = []

    def is_history_of_new_chat(url: str) -> bool:
        asked = httpx.URL(url)
        return asked.path == "/control/messages" and asked.params["chat"] not in known

    page.route(is_history_of_new_chat, lambda route: held.append(route))
    anna = world.people["Anna"]
    with page.expect_request(lambda request: is_history_of_new_chat(request.url)):
        late = world.control("chats", type="supergroup", title="Late", members=[anna], bot="administrator")["id"]
    stale = world.http.get("/control/messages", params={"chat": late}).text
    world.bot("sendMessage", chat_id=late, text="Breaking news")
    link = page.get_by_role("link", name="Late")
    expect(link).to_contain_text("Breaking news")

    with page.expect_response(lambda response: is_history_of_new_chat(response.url)):
        held[0].fulfill(body=stale, content_type="application/json")
    link.click()
    expect(message(page, "Breaking news")).to_be_visible()


def test_a_broken_stream_is_seen_and_comes_back(browser: Browser) -> None:
    page = browser.new_page(locale="en-GB")
    with serving() as address:
        port = int(address.rpartition(":")[2])
        page.goto(address + "/?lang=en")
        page.get_by_role("link", name="Mirra", exact=False).first.click()
        expect(page.get_by_role("button", name="You are Mirra")).to_be_visible()
        expect(page.locator("#link-state")).to_be_hidden()
    expect(page.get_by_text("Connecting…")).to_be_visible()
    with serving(port):
        expect(page.get_by_text("Connecting…")).to_be_hidden()
        page.close()


def test_the_page_has_every_word_in_both_languages(tab: Callable[..., Page]) -> None:
    page = tab("Anna", lang="ru")
    expect(page.get_by_role("button", name="Отправить")).to_be_visible()
    words = page.evaluate("import('/static/i18n.js').then(module => module.WORDS)")
    assert words["en"].keys() == words["ru"].keys()
    for key, english in words["en"].items():
        russian = words["ru"][key]
        assert _places(english) == _places(russian), key
        assert isinstance(english, str) or {"one", "few", "many", "other"} <= russian.keys(), key
    source = "\n".join(path.read_text(encoding="utf-8") for path in STATIC.glob("*.js") if path.name != "i18n.js")
    rooms = "|".join(sorted({key.partition(".")[0] for key in words["en"]}))
    used = set(re.findall(rf'"((?:{rooms})\.[A-Za-z.]+)"', source))
    assert used - words["en"].keys() == set(), "words that are not in the dictionary"
    # The names of the statuses are put together.
    assert {key for key in words["en"].keys() - used if not key.startswith("tools.status.")} == set(), (
        "words that nobody says"
    )


def _places(words: str | dict[str, str]) -> set[str]:
    return set(re.findall(r"\{\w+\}", words if isinstance(words, str) else words["other"]))
