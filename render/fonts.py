"""Text of any script as a mask, the same on every machine.

Pillow's own default font knows no Cyrillic, and a fresh server has no fonts at all, so the letters come from a package
of fonts among our dependencies: Noto Sans (Latin, Greek, Cyrillic), Noto Emoji in one colour (it takes the colour of
the text) and Noto Sans of some twenty more scripts. What they lack (Chinese, Japanese, Korean) is looked for
among the system's fonts; after that a letter is read as its plain form (𝓩 as Z), and at last shown as a bullet.

People choose their names, so nothing here may raise: control characters are spaces, marks heaped up are cut off, a
name from the right to the left is turned, and what does not fit ends in an ellipsis.
"""

from __future__ import annotations

import threading
import unicodedata
from enum import IntEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFont, features

ELLIPSIS: Final = "…"
_MISSING: Final = "•"
_LONGEST: Final = 160
"""Code points of a text that are looked at: Telegram's longest name has 129."""

_BUNDLED: Final = "manimgx_fonts"
_FIRST: Final = ("NotoSans[wght].ttf", "NotoEmoji[wght].ttf")
_SYSTEM: Final = (
    "NotoSans-Regular.ttf", "DejaVuSans.ttf", "LiberationSans-Regular.ttf", "arial.ttf", "Arial.ttf",
    "NotoSansCJK-Regular.ttc", "NotoSansCJKsc-Regular.otf", "wqy-microhei.ttc", "wqy-zenhei.ttc",
    "DroidSansFallbackFull.ttf", "msyh.ttc", "malgun.ttf", "PingFang.ttc", "Hiragino Sans GB.ttc",
)  # fmt: skip
_ABSENT: Final = "\U0010ffff"
"""A code point that no font has: it shows a font's sign for «missing»."""
_STAND_INS: Final = {"★": "⭐", "☆": "⭐", "✰": "⭐", "♕": "👑", "♛": "👑", "☻": "☺"}
"""Signs that names are fond of and our fonts lack, and what is like them."""
_JOINER: Final = "\u200d"
_SKIN_TONES: Final = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_RAQM: Final = features.check("raqm")
"""Shaping of Arabic, of Indian scripts and of joined emoji; it needs the system's fribidi."""
_LAYOUT: Final = ImageFont.Layout.RAQM if _RAQM else ImageFont.Layout.BASIC


class Weight(IntEnum):
    """How bold; a font without that axis has one weight for all."""

    REGULAR = 400
    MEDIUM = 550
    BOLD = 700


class _Run(NamedTuple):
    text: str
    face: str
    rtl: bool


# FreeType's faces are not to be used by two threads at once, and pictures are drawn in worker threads.
_lock: Final = threading.RLock()


@lru_cache(maxsize=1)
def faces() -> tuple[str, ...]:
    """Files of fonts in the order of asking: ours, then those of the system that are there."""
    try:
        ours = sorted(Path(str(files(_BUNDLED))).glob("*.ttf"), key=lambda path: path.name)
    except ModuleNotFoundError:
        ours = []
    found = [str(path) for name in _FIRST for path in ours if path.name == name]
    found += [str(path) for path in ours if path.name not in _FIRST and "Italic" not in path.name]
    return (*found, *(path for name in _SYSTEM if (path := _system_path(name))))


def _system_path(name: str) -> str:
    try:
        return str(ImageFont.truetype(name, 16).path)  # Pillow knows where systems keep their fonts
    except OSError:
        return ""


@lru_cache(maxsize=128)
def _font(face: str, size: int, weight: int) -> ImageFont.FreeTypeFont:
    if not face:
        default = ImageFont.load_default(size)
        if not isinstance(default, ImageFont.FreeTypeFont):
            raise RuntimeError("Pillow was built without FreeType: it cannot draw text")
        return default
    font = ImageFont.truetype(face, size, layout_engine=_LAYOUT)
    try:
        axis = font.get_variation_axes()[0]
    except (OSError, IndexError):  # not a variable font
        return font
    font.set_variation_by_axes([min(max(weight, axis["minimum"] or 0), axis["maximum"] or weight)])
    return font


@lru_cache(maxsize=64)
def _probe(face: str) -> tuple[ImageFont.FreeTypeFont, bytes]:
    font = ImageFont.truetype(face, 20, layout_engine=ImageFont.Layout.BASIC)
    return font, bytes(font.getmask(_ABSENT))


@lru_cache(maxsize=4096)
def _face_of(char: str) -> str | None:
    """The first font that draws `char` as something of its own, None if there is none."""
    with _lock:
        for face in faces():
            font, absent = _probe(face)
            try:
                drawn = bytes(font.getmask(char))
            except OSError:
                continue
            if drawn != absent and (drawn or char.isspace()):
                return face
    return None


def has_glyph(char: str) -> bool:
    """Whether some font at hand draws this one character."""
    return _face_of(char) is not None


def _clusters(text: str) -> list[str]:
    """What must not be torn apart: a letter with its marks, emoji that are joined, a flag's two letters."""
    found: list[str] = []
    for char in unicodedata.normalize("NFC", text[:_LONGEST]):
        category = unicodedata.category(char)
        if char in "\ufe0e\ufe0f" or (category in ("Cf", "Cs", "Co") and char != _JOINER):
            continue
        if category in ("Cc", "Zl", "Zp"):
            char = " "
        previous = found[-1] if found else ""
        tied = category in ("Mn", "Mc", "Me") or char in _JOINER + _SKIN_TONES
        flag = "\U0001f1e6" <= char <= "\U0001f1ff" and len(previous) == 1 and "\U0001f1e6" <= previous <= "\U0001f1ff"
        if previous and (tied or flag or previous.endswith(_JOINER)):
            if len(previous) < 12:  # marks heaped on one letter
                found[-1] += char
        elif not tied:
            found.append(char)
    return found


def _drawable(cluster: str) -> tuple[str, str]:
    """A cluster that can be drawn, and its font ("" for Pillow's default, if there is no other)."""
    face = _face_of(cluster[0])
    if face is None:
        plain = _STAND_INS.get(cluster[0]) or unicodedata.normalize("NFKC", cluster[0])
        cluster = plain if plain and all(map(has_glyph, plain)) else _MISSING
        face = _face_of(cluster[0])
    if not _RAQM:
        cluster = cluster[0] + "".join(char for char in cluster[1:] if char not in _JOINER + _SKIN_TONES)
    return cluster, face or ""


def _runs(clusters: list[str]) -> list[_Run]:
    """Pieces of one font and one direction, in the order in which they stand from the left to the right."""
    directions: list[bool | None] = [_is_rtl(cluster[0]) for cluster in clusters]
    base = next((rtl for rtl in directions if rtl is not None), False)
    for place, rtl in enumerate(directions):
        if rtl is None:
            after = next((later for later in directions[place:] if later is not None), base)
            before = directions[place - 1] if place else base
            directions[place] = before if before == after else base
    groups: list[list[_Run]] = []
    for cluster, rtl in zip(clusters, directions, strict=True):
        run = _Run(*_drawable(cluster), rtl=bool(rtl))
        if not groups or groups[-1][-1].rtl != run.rtl:
            groups.append([run])
        elif groups[-1][-1].face == run.face:
            groups[-1][-1] = run._replace(text=groups[-1][-1].text + run.text)
        else:
            groups[-1].append(run)
    if base:
        groups.reverse()
    return [run for group in groups for run in (reversed(group) if group[0].rtl else group)]


def _is_rtl(char: str) -> bool | None:
    match unicodedata.bidirectional(char):
        case "R" | "AL":
            return True
        case "L" | "EN" | "AN":
            return False
        case _:
            return None


def _measure(runs: list[_Run], size: int, weight: int) -> list[float]:
    return [_font(run.face, size, weight).getlength(_visual(run), direction=_direction(run)) for run in runs]


def _visual(run: _Run) -> str:
    return run.text[::-1] if run.rtl and not _RAQM else run.text


def _direction(run: _Run) -> str | None:
    if not (_RAQM and run.face):
        return None
    return "rtl" if run.rtl else "ltr"


def line_height(size: int) -> int:
    """The height in pixels of the mask of a text of `size`, whatever is in it."""
    return round(size * 1.4)


def _baseline(size: int) -> int:
    return round(size * 1.05)


@lru_cache(maxsize=1024)
def text_mask(text: str, size: int, weight: Weight = Weight.REGULAR, max_width: int | None = None) -> Image.Image:
    """`text` as a mask (mode L, `line_height(size)` high, as wide as the text); do not change it, it is shared.

    `size` and `max_width` are pixels; a text wider than `max_width` is cut between letters and ends in an ellipsis.
    """
    clusters = _clusters(text)
    with _lock:
        runs = _runs(clusters)
        widths = _measure(runs, size, weight)
        if max_width is not None and sum(widths) > max_width:
            low, high = 0, len(clusters)
            while low < high:
                middle = (low + high + 1) // 2
                if sum(_measure(_runs(_cut(clusters, middle)), size, weight)) <= max_width:
                    low = middle
                else:
                    high = middle - 1
            runs = _runs(_cut(clusters, low))
            widths = _measure(runs, size, weight)
        width = max(1, round(sum(widths)))
        mask = Image.new("L", (width if max_width is None else min(width, max(1, max_width)), line_height(size)))
        draw = ImageDraw.Draw(mask)
        left = 0.0
        for run, advance in zip(runs, widths, strict=True):
            at, font = (round(left), _baseline(size)), _font(run.face, size, weight)
            try:
                draw.text(at, _visual(run), 255, font, anchor="ls", direction=_direction(run))
            except OSError:  # FreeType gives up on the few signs that are whole sentences
                draw.text(at, _MISSING, 255, _font(_face_of(_MISSING) or "", size, weight), anchor="ls")
            left += advance
    return mask


def _cut(clusters: list[str], length: int) -> list[str]:
    kept = clusters[:length]
    while kept and kept[-1].isspace():
        kept.pop()
    return [*kept, ELLIPSIS]
