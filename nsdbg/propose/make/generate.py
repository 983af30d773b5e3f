"""Makes random values of a kind, small ones first, out of the material at hand.

Not Hypothesis: thousands of proposals a second are wanted, and nothing needs to be shrunk.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from nsdbg.propose.guess.kinds import ANY, BOOL, FLOAT, INT, NONE, STR, Kind
from nsdbg.propose.make.material import Material
from nsdbg.propose.make.recipes import Recipes

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_CHARACTERS = _LETTERS + _LETTERS.upper() + "0123456789" + " .,-_:;!?/()[]{}<>'\"@#$%&*+=|\\\n\té"
_INTS = (0, 1, 2, 3, -1, 4, 5, 10, 7, -2, 100, 6, 8, 9, 12, 20, -5, 50, 1000)
_FLOATS = (0.0, 1.0, 0.5, -1.0, 2.0, 1.5, 3.14, 10.0, 100.0, 1e-3, 1e9)
_ANYTHING = (INT, STR, BOOL, FLOAT, NONE, Kind("list", (INT,)), Kind("list", (STR,)))
_ODD: tuple[Any, ...] = (0, "", "a", 1, [], {}, 1.5, True, (), -1)
_DEPTH = 5


class Generator:
    """Random values by kind; everything follows from the seed of `rng` and the calls."""

    def __init__(self, rng: random.Random, material: Material, recipes: Recipes) -> None:
        self.rng = rng
        self.material = material
        self.recipes = recipes
        # How often a part is made None or of another kind: where a goal is about wrong kinds.
        self.odd_rate = 0.0
        self._makers: dict[str, Callable[[Kind, int, int], Any]] = {
            "int": self._int, "float": self._float, "bool": self._bool, "str": self._str,
            "bytes": self._bytes, "None": self._none, "complex": self._complex, "list": self._list,
            "set": self._set, "frozenset": self._set, "dict": self._dict, "tuple": self._tuple,
            "row": self._row,
        }  # fmt: skip

    def make(self, kind: Kind, size: int, depth: int = 0) -> Any:
        """Return a value of a kind with about `size` parts at most."""
        if depth and self.odd_rate and self.rng.random() < self.odd_rate:
            return None if self.rng.random() < 0.5 else self.rng.choice(_ODD)
        maker = self._makers.get(kind.name)
        if maker is not None:
            return maker(kind, size, depth)
        if kind.name == "any" or depth > _DEPTH:
            kept = self._any_kept() if self.rng.random() < 0.5 else None
            if kept is not None:
                return kept
            return self.make(self.rng.choice(_ANYTHING[: 3 if depth else None]), size, depth + 1)
        if kind.name.startswith("record:"):
            return self._record(kind, size, depth)
        return self.recipes.make(kind, self, size, depth)

    def _any_kept(self) -> Any:
        shelves = [shelf for shelf in self.material.kept.values() if shelf]
        if not shelves:
            return None
        values = list(self.rng.choice(shelves).values())
        return values[int(len(values) * self.rng.random() ** 2)]

    def pick(self, kind: Kind) -> tuple[bool, Any]:
        """Return a kept value of a kind, if there is one; the first ones more often."""
        kept = self.material.first(kind)
        if not kept:
            return False, None
        index = int(len(kept) * self.rng.random() ** 2)
        return True, kept[index]

    def character(self) -> str:
        """Return a character, mostly one that the goal or the source uses."""
        if self.material.alphabet and self.rng.random() < 0.75:
            return self.rng.choice(self.material.characters())
        return self.rng.choice(_LETTERS if self.rng.random() < 0.5 else _CHARACTERS)

    def _int(self, kind: Kind, size: int, depth: int) -> int:
        roll = self.rng.random()
        if roll < 0.3:
            found, value = self.pick(INT)
            if found:
                return int(value) + (self.rng.choice((-1, 1)) if self.rng.random() < 0.2 else 0)
        if roll < 0.5:
            return self.rng.choice(_INTS)
        if roll < 0.85:
            return self.rng.randint(-size - 2, size + 10)
        return self.rng.randint(-1, 1) * self.rng.getrandbits(self.rng.randint(1, 24))

    def _float(self, kind: Kind, size: int, depth: int) -> float:
        if self.rng.random() < 0.3:
            return float(self.rng.choice(_FLOATS))
        found, value = self.pick(FLOAT)
        if found and self.rng.random() < 0.4:
            return float(value)
        return float(round(self.rng.uniform(-10, 10) * 10 ** self.rng.randint(0, 3), 3))

    def _bool(self, kind: Kind, size: int, depth: int) -> bool:
        return self.rng.random() < 0.5

    def _none(self, kind: Kind, size: int, depth: int) -> None:
        return None

    def _complex(self, kind: Kind, size: int, depth: int) -> complex:
        return complex(self.rng.randint(-3, 3), self.rng.randint(-3, 3))

    def _str(self, kind: Kind, size: int, depth: int) -> str:
        roll = self.rng.random()
        found, value = self.pick(STR) if roll < 0.45 else (False, None)
        if found and isinstance(value, str):
            if roll < 0.2:
                return value
            other = self.pick(STR)[1] if roll < 0.3 else self.character()
            return value + str(other) if self.rng.random() < 0.5 else str(other) + value
        count = self.rng.randint(0, size + 1)
        if roll > 0.9:
            return "".join(self.rng.choice("0123456789") for _ in range(max(count, 1)))
        few = [self.character() for _ in range(self.rng.randint(1, 6))]
        return "".join(self.rng.choice(few) for _ in range(count))

    def _bytes(self, kind: Kind, size: int, depth: int) -> bytes:
        return self._str(kind, size, depth).encode("utf-8", "surrogatepass")

    def _count(self, size: int, depth: int) -> int:
        if size <= 0:
            return 0
        return self.rng.randint(0, max(1, size if depth == 0 else min(size, 4)))

    def _items(self, kind: Kind, size: int, depth: int) -> list[Any]:
        part = kind.parts[0] if kind.parts else ANY
        count = self._count(size, depth)
        if count and self.rng.random() < 0.15:
            return [self.make(part, size // 2, depth + 1)] * count
        return [self.make(part, size // 2, depth + 1) for _ in range(count)]

    def _list(self, kind: Kind, size: int, depth: int) -> list[Any]:
        if self.rng.random() < 0.2:
            found, value = self.pick(kind)
            if found:
                return list(value)
        return self._items(kind, size, depth)

    def _set(self, kind: Kind, size: int, depth: int) -> Any:
        items = {item for item in self._items(kind, size, depth) if _hashable(item)}
        return frozenset(items) if kind.name == "frozenset" else items

    def _dict(self, kind: Kind, size: int, depth: int) -> dict[Any, Any]:
        if self.rng.random() < 0.2:
            found, value = self.pick(kind)
            if found:
                return dict(value)
        key, item = kind.parts if len(kind.parts) == 2 else (STR, ANY)
        count = self._count(size, depth)
        keys = [self.make(key, size // 2, depth + 1) for _ in range(count)]
        return {name: self.make(item, size // 2, depth + 1) for name in keys if _hashable(name)}

    def _record(self, kind: Kind, size: int, depth: int) -> dict[str, Any]:
        names = kind.name.partition(":")[2].split(",")
        made = {name: self.make(part, max(size // 2, 1), depth + 1)
                for name, part in zip(names, kind.parts, strict=True)}  # fmt: skip
        if self.rng.random() < 0.2:
            del made[self.rng.choice(names)]
        return made

    def _tuple(self, kind: Kind, size: int, depth: int) -> tuple[Any, ...]:
        return tuple(self.make(part, size, depth + 1) for part in kind.parts)

    def _row(self, kind: Kind, size: int, depth: int) -> tuple[Any, ...]:
        return tuple(self._items(kind, size, depth))


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
