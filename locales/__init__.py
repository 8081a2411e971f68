"""Every word that a person reads: one catalogue per language and theme (`ru/sea_battle.po`, …), the same keys in each.

The catalogues are gettext's, read at start by Babel (no compiling step). A key is an identifier; its text holds
placeholders such as `{name}`. Where a text depends on a number, the entry is a plural one and the number is `n`.
"""

from __future__ import annotations

import gettext
import io
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from markupsafe import Markup

LANGUAGES = ("ru", "en")
"""Russian first; it is what is used where nothing else is chosen."""

_HERE = Path(__file__).parent


class MissingWords(KeyError):
    """A key that no catalogue of this language has: a fault of the program."""


class Words:
    """The words of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._catalogues: list[gettext.GNUTranslations] = []
        self.keys: dict[str, bool] = {}
        """Every key, and whether it is a plural one."""
        for path in sorted((_HERE / language).glob("*.po")):
            with path.open("rb") as file:
                catalogue = read_po(file, locale=language)
            for message in catalogue:
                if message.id:
                    plural = not isinstance(message.id, str)
                    self.keys[message.id[0] if plural else str(message.id)] = plural
            compiled = io.BytesIO()
            write_mo(compiled, catalogue)
            compiled.seek(0)
            self._catalogues.append(gettext.GNUTranslations(compiled))

    def __reduce__(self) -> tuple[Callable[[str | None], Words], tuple[str]]:
        """Travels to another process as the name of its language."""
        return words, (self.language,)

    def html(self, key: str, /, **values: object) -> Markup:
        """The text as HTML for Telegram. Values are escaped, unless they are Markup themselves."""
        return Markup(self._template(key, values)).format(**values)  # noqa: S704  # the catalogues are ours

    def plain(self, key: str, /, **values: object) -> str:
        """The text without HTML: for buttons, toasts and pictures."""
        return self._template(key, values).format(**values)

    def has(self, key: str) -> bool:
        """Whether there is a text for this key."""
        return key in self.keys

    def _template(self, key: str, values: dict[str, object]) -> str:
        if key not in self.keys:
            raise MissingWords(key)
        number = values.get("n")
        for catalogue in self._catalogues:
            if self.keys[key] and isinstance(number, int):
                text = catalogue.ngettext(key, "", number)
            else:
                text = catalogue.gettext(key)
            if text not in ("", key):
                return text
        raise MissingWords(key)


@lru_cache(maxsize=8)
def words(language: str | None) -> Words:
    """The words of a language; Russian for one that we do not have."""
    return Words(language if language in LANGUAGES else LANGUAGES[0])
