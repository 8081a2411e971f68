"""All chance of a match: a generator that is a value, so that the same actions give the same match, bit for bit."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

import msgspec

T = TypeVar("T")


class Chance(msgspec.Struct, frozen=True):
    """Where a match's chance stands: its seed and how many times it was drawn from."""

    seed: str
    drawn: int = 0

    def draw(self) -> tuple[Dice, Chance]:
        """A cup of dice for one act, and where the chance stands after it."""
        return Dice(f"{self.seed}:{self.drawn}"), Chance(self.seed, self.drawn + 1)


class Dice:
    """Random numbers for one act of the Referee, from `getrandbits` alone, which Python keeps stable."""

    def __init__(self, seed: str) -> None:
        digest = hashlib.blake2b(seed.encode(), digest_size=32).digest()
        self._bits = random.Random(int.from_bytes(digest, "big")).getrandbits

    def bits(self, count: int) -> int:
        """An integer of `count` random bits."""
        return self._bits(count)

    def below(self, limit: int) -> int:
        """A uniform integer in 0 .. limit-1; `limit` must be positive."""
        if limit < 1:
            raise ValueError(f"limit must be positive, not {limit}")
        width = (limit - 1).bit_length()
        while True:
            value = self._bits(width) if width else 0
            if value < limit:
                return value

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A new list in uniform random order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def one_of(self, items: Sequence[T]) -> T:
        """One item, uniformly."""
        return items[self.below(len(items))]

    def token(self) -> str:
        """32 hexadecimal digits, for a salt."""
        return f"{self._bits(128):032x}"
