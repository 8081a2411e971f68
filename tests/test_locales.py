"""The catalogues of words: the same in every language, complete, and without a broken placeholder."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from locales import LANGUAGES, words

HERE = Path(__file__).parent.parent / "locales"
FILES = sorted(path.name for path in (HERE / LANGUAGES[0]).glob("*.po"))
FORMS = {"ru": 3, "en": 2}
TAG = re.compile(r"<(/?)([a-z-]+)[^>]*>")
KNOWN_TAGS = {"b", "i", "u", "s", "code", "pre", "a", "blockquote", "tg-time", "tg-spoiler"}


def catalogue(language: str, file: str) -> dict[str, Message]:
    with (HERE / language / file).open("rb") as opened:
        read = read_po(opened, locale=language)
    return {message.id if isinstance(message.id, str) else message.id[0]: message for message in read if message.id}


def texts(message: Message) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


def placeholders(message: Message) -> set[str]:
    return {name for text in texts(message) for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_files(language: str) -> None:
    assert sorted(path.name for path in (HERE / language).glob("*.po")) == FILES


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_key_stands_twice(language: str) -> None:
    keys = [
        line
        for path in (HERE / language).glob("*.po")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("msgid ") and line != 'msgid ""'
    ]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("language", LANGUAGES[1:])
@pytest.mark.parametrize("file", FILES)
def test_every_language_has_the_same_keys_with_the_same_placeholders(file: str, language: str) -> None:
    first, other = catalogue(LANGUAGES[0], file), catalogue(language, file)

    assert other.keys() == first.keys()
    for key, message in first.items():
        assert placeholders(other[key]) == placeholders(message), key
        assert bool(other[key].pluralizable) == bool(message.pluralizable), key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", FILES)
def test_every_text_is_there_in_every_plural_form(file: str, language: str) -> None:
    for key, message in catalogue(language, file).items():
        assert all(texts(message)), key
        if message.pluralizable:
            assert len(texts(message)) == FORMS[language], key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", FILES)
def test_tags_are_telegrams_own_and_closed_in_their_line(file: str, language: str) -> None:
    """The sender splits long texts between lines."""
    for key, message in catalogue(language, file).items():
        for line in "\n".join(texts(message)).split("\n"):
            opened: list[str] = []
            for closing, tag in TAG.findall(line):
                assert tag in KNOWN_TAGS, key
                if not closing:
                    opened.append(tag)
                else:
                    assert opened, key
                    assert opened.pop() == tag, key
            assert not opened, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_plural_forms_follow_the_number(language: str) -> None:
    said = [words(language).plain("sea-credit", n=n) for n in (1, 2, 5, 21)]

    assert len({text.replace(str(n), "") for text, n in zip(said, (1, 2, 5, 21), strict=True)}) == FORMS[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_are_called_is_escaped(language: str) -> None:
    assert "&lt;b&gt;" in words(language).html("sea-free", name="<b>")


def test_russian_is_written_in_russian() -> None:
    """A text that was forgotten in translating would have no Cyrillic letter."""
    same_in_both = re.compile(r"^[^a-zA-Zа-яА-Я]*$")
    for file in FILES:
        for key, message in catalogue("ru", file).items():
            for text in texts(message):
                bare = re.sub(r"\{[a-z_]+\}|<[^>]+>", "", text)
                assert same_in_both.match(bare) or re.search("[а-яА-ЯёЁ]", bare), key
