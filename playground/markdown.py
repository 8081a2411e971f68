"""MarkdownV2 (and the old Markdown), as far as bots use them."""

import re

from playground.markup import MarkupError, Piece, utf16
from playground.wire import Json

_RESERVED = frozenset("_*[]()~`>#+-=|{}.!")
_LEGACY_MARKS = {"*": "bold", "_": "italic"}
# Longer marks first: "__" before "_", "```" before "`".
_MARKS = (
    ("||", "spoiler"),
    ("__", "underline"),
    ("*", "bold"),
    ("_", "italic"),
    ("~", "strikethrough"),
)
_NAMES = {
    "bold": "Bold",
    "italic": "Italic",
    "underline": "Underline",
    "strikethrough": "Strikethrough",
    "spoiler": "Spoiler",
    "code": "Code",
    "pre": "Pre",
    "text_link": "TextUrl",
}


def parse_markdown(source: str, *, legacy: bool = False) -> tuple[str, list[Json]]:
    """The plain text and its entities; raises MarkupError with Telegram's words."""
    return _Parser(source, legacy).parse()


class _Parser:
    def __init__(self, source: str, legacy: bool) -> None:
        self.source = source
        self.legacy = legacy
        self.at = 0
        self.units = 0
        self.out: list[str] = []
        self.done: list[Json] = []
        self.stack: list[tuple[str, Piece, int]] = []
        self.quote: Piece | None = None

    def parse(self) -> tuple[str, list[Json]]:
        while self.at < len(self.source):
            if not self.legacy and self._line_start():
                self._quotes()
                if self.at >= len(self.source):
                    break
            self._step()
        if self.stack:
            mark, piece, begin = self.stack[-1]
            raise MarkupError(
                f"Can't find end of {_NAMES.get(piece.kind, mark)} entity at byte offset {self._bytes(begin)}"
            )
        self._end_quote()
        return "".join(self.out), self.done

    def _line_start(self) -> bool:
        return not self.out or self.out[-1].endswith("\n")

    def _quotes(self) -> None:
        if self.source.startswith("**>", self.at):
            self._end_quote()
            self.at += 2
        if self.source.startswith(">", self.at):
            self.at += 1
            if self.quote is None:
                self.quote = Piece("blockquote", self.units)
        else:
            self._end_quote()

    def _end_quote(self) -> None:
        if self.quote is not None:
            self.done.extend(self.quote.entity(self.units))
            self.quote = None

    def _bytes(self, position: int) -> int:
        return len(self.source[:position].encode())

    def _emit(self, text: str) -> None:
        self.out.append(text)
        self.units += utf16(text)

    def _step(self) -> None:
        source, at = self.source, self.at
        character = source[at]
        if character == "\\" and at + 1 < len(source) and source[at + 1] in (_RESERVED | {"\\"}):
            self._emit(source[at + 1])
            self.at += 2
        elif character == "`":
            self._code()
        elif source.startswith("![", at) and not self.legacy:
            self.stack.append(("![", Piece("date_time", self.units), at))
            self.at += 2
        elif character == "[" and (not self.legacy or re.match(r"\[[^\]]*\]\(", source[at:])):
            self.stack.append(("[", Piece("text_link", self.units), at))
            self.at += 1
        elif character == "]" and self.stack and self.stack[-1][0] in ("[", "!["):
            self._link()
        elif self._mark():
            pass
        elif not self.legacy and character in _RESERVED:
            raise MarkupError(f"Character '{character}' is reserved and must be escaped with the preceding '\\'")
        else:
            self._emit(character)
            self.at += 1

    def _mark(self) -> bool:
        marks = tuple(_LEGACY_MARKS.items()) if self.legacy else _MARKS
        for mark, kind in marks:
            if not self.source.startswith(mark, self.at):
                continue
            if mark == "||" and self.quote is not None and self.source[self.at + 2 :].split("\n", 1)[0] == "":
                opened = any(open_mark == "||" for open_mark, _, _ in self.stack)
                if not opened:
                    self.quote.kind = "expandable_blockquote"
                    self.at += 2
                    return True
            if self.stack and self.stack[-1][0] == mark:
                _, piece, _ = self.stack.pop()
                self.done.extend(piece.entity(self.units))
            elif any(open_mark == mark for open_mark, _, _ in self.stack):
                _, piece, begin = self.stack[-1]
                raise MarkupError(
                    f"Can't find end of {_NAMES.get(piece.kind, '')} entity at byte offset {self._bytes(begin)}"
                )
            else:
                self.stack.append((mark, Piece(kind, self.units), self.at))
            self.at += len(mark)
            return True
        return False

    def _code(self) -> None:
        fence = "```" if self.source.startswith("```", self.at) else "`"
        begin, start = self.at, self.at + len(fence)
        end = start
        while (end := self.source.find(fence, end)) > 0 and not self.legacy and self.source[end - 1] == "\\":
            end += 1
        if end < 0:
            raise MarkupError(
                f"Can't find end of {'Pre' if fence == '```' else 'Code'} entity at byte offset {self._bytes(begin)}"
            )
        inside = self.source[start:end]
        piece = Piece("pre" if fence == "```" else "code", self.units)
        if fence == "```":
            language, newline, rest = inside.partition("\n")
            if newline:
                inside = rest
                if re.fullmatch(r"[\w+#-]+", language):
                    piece.more["language"] = language
        if not self.legacy:
            inside = re.sub(r"\\(.)", r"\1", inside, flags=re.DOTALL)
        self._emit(inside)
        self.done.extend(piece.entity(self.units))
        self.at = end + len(fence)

    def _link(self) -> None:
        mark, piece, begin = self.stack.pop()
        match = re.compile(r"\]\(((?:[^)\\]|\\.)*)\)").match(self.source, self.at)
        if match is None:
            raise MarkupError(f"Can't find end of a URL at byte offset {self._bytes(begin)}")
        url = re.sub(r"\\(.)", r"\1", match[1])
        if mark == "![":
            when = re.fullmatch(r"tg://time\?unix=(-?\d{1,11})(?:&format=(\w*))?", url)
            emoji = re.fullmatch(r"tg://emoji\?id=(\d+)", url)
            if when:
                piece.more = {"unix_time": int(when[1])} | ({"date_time_format": when[2]} if when[2] else {})
            elif emoji:
                piece.kind, piece.more = "custom_emoji", {"custom_emoji_id": emoji[1]}
            else:
                raise MarkupError(
                    f"Custom emoji entity must contain a tg://emoji URL at byte offset {self._bytes(begin)}"
                )
        else:
            piece.more["url"] = url
        self.done.extend(piece.entity(self.units))
        self.at = match.end()
