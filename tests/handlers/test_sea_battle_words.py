"""The presenter's keys and the catalogues belong together: none is missing, none is left over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from locales import LANGUAGES, words

SOURCES = sorted((Path(__file__).parents[2] / "handlers" / "sea_battle").glob("*.py"))


def strings() -> Iterator[str]:
    """Every string of the sources as a pattern: what is computed in an f-string matches anything."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                yield "".join(
                    re.escape(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else ".+"
                    for part in node.values
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield re.escape(node.value)


def called() -> Iterator[str]:
    """Literal keys that are asked for: `speech.html("…")` and `speech.plain("…")`."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("html", "plain")
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "speech"
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                yield f"sea-{node.args[0].value}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_is_missing(language: str) -> None:
    assert [key for key in called() if not words(language).has(key)] == []


def test_no_key_is_left_over() -> None:
    patterns = [re.compile(pattern) for pattern in set(strings()) if pattern not in (".+", r"sea\-.+")]
    keys = [key for key in words("ru").keys if key.startswith("sea-")]

    unused = [
        key for key in keys if not any(p.fullmatch(key) or p.fullmatch(key.removeprefix("sea-")) for p in patterns)
    ]

    assert unused == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_the_rules_have_words(language: str) -> None:
    from handlers.sea_battle import PRESENTER

    for name in PRESENTER.commands:
        about = words(language).plain(f"command-{name}")
        assert 3 <= len(about) <= 256  # Telegram's limits for a menu
        assert re.fullmatch(r"[a-z0-9_]{1,32}", name)
    assert words(language).html("rules-sea_battle")
