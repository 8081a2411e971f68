from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import ImageFont, features

from render import fonts
from render.fonts import Weight, has_glyph, line_height, text_mask
from render.sea_board import LETTERS

RUSSIAN = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя"
anything = st.text(st.characters(exclude_categories=()), max_size=60)
"""Any code points, lone surrogates included."""


@pytest.fixture
def clean() -> Iterator[None]:
    def forget() -> None:
        for thing in vars(fonts).values():
            if hasattr(thing, "cache_clear"):
                thing.cache_clear()

    forget()
    yield
    forget()


def test_the_first_font_comes_with_our_dependencies_and_knows_cyrillic() -> None:
    first = Path(fonts.faces()[0])
    assert first.parent.name == "manimgx_fonts"
    font = ImageFont.truetype(str(first), 20)
    absent = bytes(font.getmask("\U0010ffff"))
    for letter in RUSSIAN + RUSSIAN.upper() + string.printable[:94] + "«»—–…№·":
        assert bytes(font.getmask(letter)) != absent, letter


@pytest.mark.parametrize("weight", list(Weight))
def test_no_two_letters_of_a_board_look_alike(weight) -> None:
    for letters in LETTERS.values():
        drawn = {text_mask(letter, 24, weight).tobytes() for letter in letters}
        assert len(drawn) == 10


@pytest.mark.parametrize("text", ["דני", "مرحبا", "დათო", "Վահան", "नमस्ते", "สวัสดี", "🔥☠⭐", "Ελένη"])
def test_names_of_other_scripts_have_glyphs(text) -> None:
    assert all(has_glyph(letter) for letter in text)


def test_fancy_letters_without_a_glyph_are_read_as_plain_ones() -> None:
    assert text_mask("𝓩𝓲𝓶𝓐", 30).tobytes() == text_mask("ZimA", 30).tobytes()


@pytest.mark.usefixtures("clean")
def test_a_star_without_a_glyph_has_a_stand_in(monkeypatch) -> None:
    monkeypatch.setattr(fonts, "_SYSTEM", ())
    assert not has_glyph("★")
    assert text_mask("★ZimA", 30).tobytes() == text_mask("⭐ZimA", 30).tobytes()


def test_a_letter_that_no_font_has_is_a_bullet() -> None:
    assert not has_glyph("\U0001e900")
    assert text_mask("a\U0001e900b", 30).tobytes() == text_mask("a•b", 30).tobytes()


def test_a_sign_too_wide_for_the_font_engine_is_a_bullet() -> None:
    wide = text_mask("﷽", 34, Weight.BOLD, 420)
    assert wide.getbbox() == text_mask("•", 34, Weight.BOLD).getbbox()


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "a\u2028b"])
def test_a_name_stays_on_one_line(name) -> None:
    assert text_mask(name, 30).tobytes() == text_mask("a b", 30).tobytes()


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\ufeff", "\ufe0f", "\u2066"])
def test_signs_that_turn_or_hide_text_have_no_effect(hidden) -> None:
    assert text_mask(f"Zi{hidden}mA", 30).tobytes() == text_mask("ZimA", 30).tobytes()


def test_a_long_name_ends_in_an_ellipsis_within_its_room() -> None:
    full, cut = text_mask("Очень длинное имя", 30), text_mask("Очень длинное имя", 30, max_width=160)
    assert full.width > 160 >= cut.width > 100
    assert cut.tobytes() != full.crop((0, 0, cut.width, cut.height)).tobytes()


def test_an_emoji_of_several_parts_is_not_torn_by_the_ellipsis() -> None:
    family = "👨\u200d👩\u200d👧"
    wide = text_mask(family, 30).width
    cut = text_mask(family * 5, 30, max_width=wide * 2 + 40)
    assert cut.tobytes() == text_mask(family * 2 + "…", 30).tobytes()


@settings(max_examples=150, deadline=None)
@given(text=anything, size=st.integers(8, 48), room=st.integers(1, 300))
@example(text="﷽", size=34, room=300)
@example(text="z" + "\u0338\u0322\u031b" * 40, size=34, room=300)
@example(text="\u0301", size=20, room=100)
@example(text="", size=20, room=100)
def test_no_text_raises_or_leaves_its_room(text, size, room) -> None:
    mask = text_mask(text, size, max_width=room)
    assert mask.width <= room
    assert mask.height == line_height(size)


@pytest.mark.usefixtures("clean")
def test_a_name_from_the_right_to_the_left_is_turned_without_shaping_too(monkeypatch) -> None:
    if not features.check("raqm"):
        pytest.skip("this machine has no raqm to compare with")
    name = "שלום ABC"
    shaped = text_mask(name, 30)
    monkeypatch.setattr(fonts, "_RAQM", False)
    monkeypatch.setattr(fonts, "_LAYOUT", ImageFont.Layout.BASIC)
    for cached in (text_mask, fonts._font):
        cached.cache_clear()
    plain = text_mask(name, 30)
    columns = [
        [bool(mask.crop((x, 0, x + 1, mask.height)).getbbox()) for x in range(mask.width)] for mask in (shaped, plain)
    ]
    assert abs(shaped.width - plain.width) <= 3
    # The space stands at the same place: after the turned word's end on the left or right of the Latin one.
    assert abs(_widest_gap(columns[0]) - _widest_gap(columns[1])) <= 4


def _widest_gap(columns: list[bool]) -> int:
    """Where the widest stretch without ink begins, the ends left out."""
    best, start, found = 0, None, 0
    for x, ink in enumerate(columns):
        if ink:
            if start is not None and start > 2 and x - start > best:
                best, found = x - start, start
            start = None
        elif start is None:
            start = x
    return found


@pytest.mark.usefixtures("clean")
def test_without_the_fonts_package_the_systems_fonts_or_pillows_own_are_used(monkeypatch) -> None:
    monkeypatch.setattr(fonts, "_BUNDLED", "no_such_package_of_fonts")
    assert text_mask("ZimA", 30).getbbox() is not None
    fonts.faces.cache_clear()
    monkeypatch.setattr(fonts, "_SYSTEM", ())
    for cached in (text_mask, fonts._face_of):
        cached.cache_clear()
    assert fonts.faces() == ()
    assert text_mask("ZimA Юнга", 30).getbbox() is not None
