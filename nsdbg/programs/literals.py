"""Literals of every kind and role, as source text: what arguments and constants are made of.

Not objects: a set's `repr` follows the hash seed, so texts are put together here instead.
"""

from __future__ import annotations

from collections.abc import Callable

from nsdbg.programs import words
from nsdbg.programs.kinds import DICTS, ITEMS, PAIRS, PARTS, ROWS, SETS, Kind
from nsdbg.programs.texts import BRIEF, ITEM_SHAPES, SHAPES, Texts

Maker = Callable[["Literals"], str]


class Literals(Texts):
    """Draws literals of every kind and role."""

    __slots__ = ()

    def of(self, kind: str) -> str:
        """Return a literal of a kind or a role."""
        return MAKERS[kind](self)

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

    def items(self, kind: Kind, count: int | None = None) -> list[str]:
        """Return the literals of a few items, some of them equal."""
        if count is None:
            count = 0 if self._empty() else self._size()
        make = MAKERS[kind] if kind != "str" else _item
        found = [make(self) for _ in range(count)]
        if count > 3 and self._random() < 0.12:
            found = [self.pick(found[:2]) for _ in range(count)]
        elif count > 2 and self._random() < 0.35:
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
    "large": _int(11, 60),
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
