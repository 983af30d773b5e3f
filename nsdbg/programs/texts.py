"""Texts as they stand in examples: words, sentences, separated fields, digits, noise.

Not literals: those are the `repr` of these, and of everything else, in `literals`.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from nsdbg.programs import words

EMPTY_CHANCE = 0.06
T = TypeVar("T")


class Texts:
    """Draws texts; remembers the pieces of text that the program under way looks for.

    `theme` holds those pieces, so that arguments contain what the program splits at, counts
    or replaces.
    """

    __slots__ = ("_random", "brief", "full", "theme")

    def __init__(self, random: Random) -> None:
        self._random = random.random
        self.theme: list[str] = []
        self.brief = True  # for literals within code
        self.full = False  # whether empty values are to be avoided

    def pick(self, pool: Sequence[T]) -> T:
        """Return one of the pool."""
        return pool[int(self._random() * len(pool))]

    def number(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`, both included."""
        return low + int(self._random() * (high - low + 1))

    def remembered(self, text: str) -> str:
        """Return the literal of a text that arguments should contain."""
        self.theme.append(text)
        return repr(text)

    def _empty(self) -> bool:
        return self._random() < EMPTY_CHANCE and not self.full

    def _size(self) -> int:
        if self.brief:
            return max(int(self._random() * 2.6), int(self.full))
        return 2 + int(self._random() * self._random() * 7)

    def string(self) -> str:
        """Return a string as people write them into examples."""
        return repr(self.text())

    def text(self) -> str:
        """Return the characters of a string."""
        if self._empty():
            return ""
        text = self.pick(BRIEF if self.brief else SHAPES)(self)
        if self.brief:
            return text
        if self.theme and self._random() < 0.55:
            return self._themed(text)
        return text

    def _themed(self, text: str) -> str:
        piece = self.pick(self.theme)
        chance = self._random()
        if chance < 0.4 and " " in text:
            return text.replace(" ", piece)[:60]
        at = self.number(0, len(text))
        if chance < 0.7:
            return text[:at] + piece + text[at:]
        if chance < 0.85:
            return piece + text
        return text + piece

    def word(self) -> str:
        """Return one word."""
        if self.theme and self._random() < 0.2:
            return self.pick(self.theme)
        return self.pick(words.WORDS)

    def cased_word(self) -> str:
        """Return a word in one of the ways of writing it."""
        word = self.word()
        chance = self._random()
        if chance < 0.6:
            return word
        if chance < 0.8:
            return word.capitalize()
        return word.upper()

    def mixed(self) -> str:
        """Return a word in mixed case."""
        word = self.pick(words.WORDS)
        return "".join(c.upper() if self._random() < 0.4 else c for c in word)

    def sentence(self) -> str:
        """Return a few words with an ending."""
        first = self.cased_word()
        rest = [self.pick(words.WORDS) for _ in range(self.number(1, 5))]
        return " ".join([first, *rest]) + self.pick(words.ENDINGS)

    def separated(self) -> str:
        """Return words or digits with a separator."""
        sep = self.pick(words.SEPARATORS)
        if self._random() < 0.3:
            return sep.join(str(self.number(0, 99)) for _ in range(self.number(2, 5)))
        return sep.join(self.cased_word() for _ in range(self.number(2, 4)))

    def digits(self) -> str:
        """Return digits."""
        return str(self.number(0, 10 ** self.number(1, 8)))

    def code(self) -> str:
        """Return letters and digits."""
        word = self.pick(words.WORDS)
        return self.pick((word + str(self.number(0, 999)), str(self.number(0, 99)) + word))

    def repeated(self) -> str:
        """Return a few characters that repeat."""
        pool = "".join(self.pick(words.LETTERS) for _ in range(self.number(1, 3)))
        return "".join(self.pick(pool) for _ in range(self.number(2, 10)))

    def noise(self) -> str:
        """Return characters of all sorts."""
        pool = words.LETTERS + words.SYMBOLS + "0123456789"
        return "".join(self.pick(pool) for _ in range(self.number(1, 12)))

    def gibberish(self) -> str:
        """Return letters that are no word."""
        pool = "abcdefghijklmnopqrstuvwxyz"
        text = "".join(self.pick(pool) for _ in range(self.number(2, 9)))
        return text if self._random() < 0.7 else text.capitalize()

    def padded(self) -> str:
        """Return text with spaces about it, or more than one within."""
        return self.pick(("  ", " ", "\t", "")) + self.sentence() + self.pick(("  ", " ", "\n"))

    def lines(self) -> str:
        """Return a few lines."""
        return "\n".join(self.cased_word() for _ in range(self.number(2, 4)))

    def char(self) -> str:
        """Return one character."""
        if self.theme and self._random() < 0.4:
            return self.pick(self.theme)[:1] or "a"
        return self.pick(words.LETTERS)


SHAPES = (
    Texts.word, Texts.cased_word, Texts.sentence, Texts.sentence, Texts.separated,
    Texts.separated, Texts.separated, Texts.mixed, Texts.digits, Texts.code,
    Texts.repeated, Texts.noise, Texts.padded, Texts.word, Texts.gibberish,
    Texts.gibberish, Texts.lines,
)  # fmt: skip
BRIEF = (Texts.word, Texts.char, Texts.word, Texts.cased_word, Texts.char)
ITEM_SHAPES = (
    Texts.gibberish, Texts.word, Texts.word, Texts.cased_word, Texts.word, Texts.cased_word,
    Texts.digits, Texts.code, Texts.repeated, Texts.char, Texts.mixed,
    Texts.separated,
)  # fmt: skip
