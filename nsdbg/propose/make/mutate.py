"""Small changes of values: of numbers, text and containers, at any depth.

A change keeps the kind of what it changes.  `leaves` names the places of numbers and text inside a
value, `replaced` puts another value at a place; both see into recipes.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from nsdbg.propose.guess.kinds import ANY, STR, kind_of
from nsdbg.propose.make.generate import Generator
from nsdbg.propose.make.recipes import Recipe

Path = tuple[int, ...]
_LEAVES = 600
_BITS = 3000


def parts(value: Any) -> list[Any]:
    """Return the parts of a value in order; a dict's are keys and values in turn."""
    if isinstance(value, Recipe):
        return [argument for _, argument in value.arguments or ()]
    if isinstance(value, dict):
        return [part for item in value.items() for part in item]
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    return []


def rebuilt(value: Any, items: list[Any]) -> Any:
    """Return a value like `value` made of other parts; `value` itself where they do not do."""
    try:
        if isinstance(value, Recipe):
            names = [name for name, _ in value.arguments or ()]
            pairs = tuple(zip(names, items, strict=True))
            return Recipe(value.function, pairs, value.imports)
        if isinstance(value, dict):
            return dict(zip(items[::2], items[1::2], strict=True))
        if isinstance(value, (list, tuple, set, frozenset)):
            return type(value)(items)
    except (TypeError, ValueError):
        pass
    return value


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Give the places of all numbers and texts inside a value, with what is there."""
    inner = parts(value)
    if not inner and isinstance(value, (int, float, str, bytes)):
        yield path, value
    for index, part in enumerate(inner[:_LEAVES]):
        if len(path) < 6:
            yield from leaves(part, (*path, index))


def at(value: Any, path: Path) -> Any:
    """Return what is at a place."""
    for index in path:
        value = parts(value)[index]
    return value


def replaced(value: Any, path: Path, new: Any) -> Any:
    """Return a copy of a value with another one at a place."""
    if not path:
        return new
    items = parts(value)
    if path[0] >= len(items):
        return value
    items[path[0]] = replaced(items[path[0]], path[1:], new)
    return rebuilt(value, items)


class Mutator:
    """Random changes, drawn from a generator's randomness and material."""

    def __init__(self, generator: Generator) -> None:
        self.generator = generator
        self.rng: random.Random = generator.rng

    def mutate(self, value: Any, depth: int = 0) -> Any:
        """Return a value with one random change somewhere in it."""
        inner = parts(value)
        if self.rng.random() < self.generator.odd_rate and depth:
            return self.generator.make(ANY, 2, 1)
        if inner and depth < 5 and self.rng.random() < (0.5 if depth == 0 else 0.65):
            index = self.rng.randrange(len(inner))
            if self.rng.random() < 0.12 and isinstance(value, (list, tuple)):
                inner[index] = self._other(inner, inner[index])
            else:
                inner[index] = self.mutate(inner[index], depth + 1)
            return rebuilt(value, inner)
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return self._int(value)
        if isinstance(value, float):
            return self._float(value)
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, bytes):
            return self._text(value.decode("latin-1")).encode("utf-8", "surrogatepass")
        if isinstance(value, (list, tuple, set, frozenset, dict)):
            return self._container(value)
        return self.generator.make(kind_of(value) if value is not None else ANY, 4)

    def _other(self, inner: list[Any], part: Any) -> Any:
        """Return another value for a part: one of its neighbours' or one that is known."""
        found, known = self.generator.pick(kind_of(part))
        return known if found and self.rng.random() < 0.5 else self.rng.choice(inner)

    def _int(self, value: int) -> int:
        roll = self.rng.random()
        if roll < 0.35:
            return value + self.rng.choice((-1, 1))
        if roll < 0.55:
            return value + self.rng.choice((-1, 1)) * self.rng.randint(2, 12)
        if roll < 0.7:
            digits = self.rng.randint(1, len(str(abs(value))))
            return value + self.rng.choice((-1, 1)) * int(10**digits)
        if roll < 0.8:
            found, other = self.generator.pick(kind_of(0))
            return int(other) if found else -value
        if roll < 0.9 and value.bit_length() < _BITS:
            return self.rng.choice(
                (value * 2, value // 2, -value, value * 10, value // 10, value**2)
            )
        return value ^ (1 << self.rng.randint(0, max(value.bit_length(), 3)))

    def _float(self, value: float) -> float:
        roll = self.rng.random()
        if roll < 0.4:
            return value + self.rng.choice((-1, 1)) * 10.0 ** self.rng.randint(-4, 3)
        if roll < 0.6:
            return self.rng.choice((value * 2, value / 2, -value, float(round(value))))
        found, other = self.generator.pick(kind_of(0.0))
        return (
            float(other) if found and roll < 0.8 else value + self.rng.gauss(0, 1 + abs(value) / 10)
        )

    def _text(self, value: str) -> str:
        place = self.rng.randint(0, len(value))
        end = self.rng.randint(place, min(len(value), place + 4))
        roll = self.rng.random()
        if not value or roll < 0.3:
            return value[:place] + self.generator.character() + value[place:]
        if roll < 0.5:
            return value[:place] + value[place + 1 :]
        if roll < 0.65:
            return value[:place] + self.generator.character() + value[place + 1 :]
        if roll < 0.72:
            found, other = self.generator.pick(STR)
            return value[:place] + (str(other) if found else " ") + value[place:]
        if roll < 0.78:
            return value[:place] + value[place:end].swapcase() + value[end:]
        if roll < 0.84:
            return value[:place] + value[end:]
        if roll < 0.9:
            return value[:place] + value[place:end] * 2 + value[end:]
        if roll < 0.94 and place < len(value):
            code = min(max(ord(value[place]) + self.rng.choice((-1, 1)), 1), 0xD7FF)
            return value[:place] + chr(code) + value[place + 1 :]
        return self.rng.choice(
            (value[::-1], value + value, value.strip(), value[end:] + value[:end])
        )

    def _container(self, value: Any) -> Any:
        if isinstance(value, dict):
            return self._dict(value)
        if isinstance(value, (set, frozenset)):
            return rebuilt(value, self._items(sorted(value, key=repr), value))
        return type(value)(self._items(list(value), value))

    def _dict(self, value: dict[Any, Any]) -> dict[Any, Any]:
        pairs = list(value.items())
        roll = self.rng.random()
        if pairs and roll < 0.3:
            del pairs[self.rng.randrange(len(pairs))]
        elif len(pairs) > 1 and roll < 0.5:
            self.rng.shuffle(pairs)
        else:
            new = self.generator.make(kind_of(value), 2)
            pairs += list(new.items())[:1]
        return dict(pairs)

    def _items(self, items: list[Any], like: Any) -> list[Any]:
        roll = self.rng.random()
        place = self.rng.randint(0, len(items))
        part = kind_of(like).parts[0] if kind_of(like).parts else ANY
        if not items or roll < 0.3:
            return [*items[:place], self.generator.make(part, 4, 1), *items[place:]]
        index = min(place, len(items) - 1)
        if roll < 0.5:
            return items[:index] + items[index + 1 :]
        if roll < 0.6:
            return [*items[:index], items[index], *items[index:]]
        if roll < 0.7:
            other = self.rng.randrange(len(items))
            items[index], items[other] = items[other], items[index]
            return items
        if roll < 0.76:
            return items[::-1]
        if roll < 0.82:
            moved = items.pop(index)
            items.insert(self.rng.randint(0, len(items)), moved)
            return items
        if roll < 0.88:
            return items[: max(1, len(items) // 2)]
        if roll < 0.94:
            return items + items
        return [*items[:index], self.generator.make(part, 4, 1), *items[index + 1 :]]
