"""Literals of every kind and role, as source text: what arguments and constants are made of.

Not objects: a set's `repr` follows the hash seed, so texts are put together here instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from nsdbg.programs import words
from nsdbg.programs.kinds import DICTS, ITEMS, PAIRS, PARTS, ROWS, SETS, Kind

Maker = Callable[["Literals"], str]
EMPTY_CHANCE = 0.06
T = TypeVar("T")


class Literals:
    """Draws literals; remembers the pieces of text that the program under way looks for.

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

    def of(self, kind: str) -> str:
        """Return a literal of a kind or a role."""
        return MAKERS[kind](self)

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

    def whole(self) -> str:
        """Return a whole number, small mostly."""
        chance = self._random()
        if chance < 0.6 or (self.brief and chance < 0.9):
            return str(self.number(0, 12))
        if chance < 0.75:
            return str(-self.number(1, 20))
        if chance < 0.96:
            return str(self.number(10, 120))
        return str(self.number(100, 100000))

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

    def items(self, kind: Kind, count: int | None = None) -> list[str]:
        """Return the literals of a few items, some of them equal."""
        if count is None:
            count = 0 if self._empty() else self._size()
        make = MAKERS[kind] if kind != "str" else _item
        found = [make(self) for _ in range(count)]
        if count > 2 and self._random() < 0.35:
            found[-1] = found[0]
        return found

    def listing(self, kind: Kind) -> str:
        """Return a list."""
        return f"[{', '.join(self.items(kind))}]"

    def row(self, kind: Kind) -> str:
        """Return a tuple of any length."""
        found = self.items(kind)
        return f"({found[0]},)" if len(found) == 1 else f"({', '.join(found)})"

    def set_of(self, kind: Kind) -> str:
        """Return a set."""
        found = list(dict.fromkeys(self.items(kind)))
        return f"{{{', '.join(found)}}}" if found else "set()"

    def mapping(self, key: Kind, value: Kind) -> str:
        """Return a dict."""
        if key == "str" and self._random() < 0.6:
            keys = [repr(self._key()) for _ in range(0 if self._empty() else self._size())]
        else:
            keys = self.items(key)
        pairs = dict.fromkeys(keys)
        return f"{{{', '.join(f'{key}: {self.of(value)}' for key in pairs)}}}"

    def _key(self) -> str:
        if self.theme and self._random() < 0.4:
            return self.pick(self.theme)
        return self.pick(words.KEYS)

    def real(self) -> str:
        """Return a float."""
        return repr(self.number(-40, 400) / self.pick((2, 4, 10, 100)))


def _item(literals: Literals) -> str:
    """Return a string as it stands in lists: a word mostly."""
    return repr(literals.pick(BRIEF if literals.brief else ITEM_SHAPES)(literals))


SHAPES = (
    Literals.word, Literals.cased_word, Literals.sentence, Literals.sentence, Literals.separated,
    Literals.separated, Literals.separated, Literals.mixed, Literals.digits, Literals.code,
    Literals.repeated, Literals.noise, Literals.padded, Literals.word, Literals.lines,
)  # fmt: skip
BRIEF = (Literals.word, Literals.char, Literals.word, Literals.cased_word, Literals.char)
ITEM_SHAPES = (
    Literals.word, Literals.word, Literals.cased_word, Literals.word, Literals.cased_word,
    Literals.digits, Literals.code, Literals.repeated, Literals.char, Literals.mixed,
    Literals.separated,
)  # fmt: skip


def _sep(literals: Literals) -> str:
    return literals.remembered(
        literals.pick(words.COMMON_SEPARATORS if literals.number(0, 2) else words.SEPARATORS)
    )


def _sub(literals: Literals) -> str:
    if literals.number(0, 2):
        return literals.remembered(literals.pick(words.LETTERS))
    word = literals.pick(words.WORDS)
    return literals.remembered(word if len(word) < 4 else word[: literals.number(1, 3)])


def _affix(literals: Literals) -> str:
    return literals.remembered(literals.pick(words.AFFIXES))


def _int(low: int, high: int) -> Maker:
    return lambda literals: str(literals.number(low, high))


def _of(*pool: str) -> Maker:
    return lambda literals: literals.pick(pool)


MAKERS: dict[str, Maker] = {
    "int": Literals.whole,
    "str": Literals.string,
    "char": lambda literals: repr(literals.char()),
    "bool": lambda literals: literals.pick(("True", "False")),
    "float": Literals.real,
    "bytes": lambda literals: repr(literals.pick(SHAPES)(literals).encode()),
    "sep": _sep,
    "letter": lambda literals: literals.remembered(literals.pick(words.LETTERS)),
    "one": lambda literals: literals.remembered(literals.pick(words.LETTERS)),
    "two": lambda literals: literals.remembered(
        literals.pick(words.LETTERS) + literals.pick(words.LETTERS)
    ),
    "sub": _sub,
    "chars": lambda literals: literals.remembered(literals.pick(words.CHAR_SETS)),
    "affix": _affix,
    "fill": lambda literals: repr(literals.pick(words.FILLS)),
    "width": _int(4, 14),
    "at": _of("0", "1", "1", "2", "-1", "-2", "3"),
    "cut": _of("1", "1", "2", "2", "3", "-1", "-2", "4", "-3", "5"),
    "small": _int(1, 10),
    "size": _int(1, 6),
    "depth": _int(0, 7),
    "count": _int(0, 9),
    "positive": _of("2", "2", "3", "3", "4", "5", "7", "10"),
    "times": _of("2", "2", "3"),
    "step": _of("2", "2", "3", "-1", "-2"),
}


def _made(form: Callable[..., str], *kinds: Kind) -> Maker:
    return lambda literals: form(literals, *kinds)


def _couple(literals: Literals, first: Kind, second: Kind) -> str:
    return f"({literals.of(first)}, {literals.of(second)})"


MAKERS |= {f"list[{kind}]": _made(Literals.listing, kind) for kind in ITEMS}
MAKERS |= {f"tuple[{kind}, ...]": _made(Literals.row, kind) for kind in ROWS}
MAKERS |= {f"set[{kind}]": _made(Literals.set_of, kind) for kind in SETS}
MAKERS |= {pair: _made(_couple, *PARTS[pair]) for pair in PAIRS}
MAKERS |= {f"dict[{key}, {value}]": _made(Literals.mapping, key, value) for key, value in DICTS}
