"""Where functions that have a new name or another file stood before.

Only what vanished can have moved.  Equal code is taken for the same function under any name; code
that is merely alike under its old name, or in its old file with its old parameters.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nsdbg.changes.definitions import Key, Module
from nsdbg.changes.sameness import form

# Of two functions' lines, how many have to be equal: moved under its name, or renamed in its file.
ALIKE_MOVED = 0.5
ALIKE_RENAMED = 0.7
MOST_COMPARISONS = 20_000


@dataclass(frozen=True, slots=True)
class Place:
    """A function of one version of a module."""

    module: Module
    key: Key

    @property
    def name(self) -> str:
        """Its own name, without its class."""
        return self.key[1]


def moves(gone: Sequence[Place], fresh: Sequence[Place]) -> dict[tuple[str, Key], Place]:
    """Return, by path and name of functions that are new, where they stood before."""
    found: dict[tuple[str, Key], Place] = {}
    taken: set[tuple[str, Key]] = set()
    ranked = sorted(_likenesses(gone, fresh), key=lambda one: -one[0])
    for _, old, new in ranked:
        here, there = (new.module.path, new.key), (old.module.path, old.key)
        if here not in found and there not in taken:
            found[here] = old
            taken.add(there)
    return found


def _likenesses(
    gone: Sequence[Place], fresh: Sequence[Place]
) -> Iterator[tuple[float, Place, Place]]:
    """Yield who might be whom; the surest have the largest number."""
    if not gone or not fresh or len(gone) * len(fresh) > MOST_COMPARISONS:
        return
    forms = {id(one): _nameless(one) for one in (*gone, *fresh)}
    lines = {id(one): _lines(one) for one in (*gone, *fresh)}
    for new in fresh:
        for old in gone:
            same_file = old.module.path == new.module.path
            same_name = old.name == new.name
            bonus = 0.2 * same_name + 0.1 * same_file + 0.05 * (old.key[0] == new.key[0])
            if forms[id(old)] == forms[id(new)]:
                yield 1.0 + bonus, old, new
                continue
            alike = likeness(lines[id(old)], lines[id(new)])
            moved = same_name and alike >= ALIKE_MOVED
            renamed = same_file and alike >= ALIKE_RENAMED and _parameters(old) == _parameters(new)
            if moved or renamed:
                yield alike / 2 + bonus, old, new


def likeness(some: Counter[str], others: Counter[str]) -> float:
    """Return the share of lines that two texts have in common, 0..1."""
    return (some & others).total() / max(some.total(), others.total(), 1)


def _lines(place: Place) -> Counter[str]:
    lines = (line.strip() for line in place.module.text_of(place.key))
    return Counter(line for line in lines if line and not line.startswith("def "))


def _nameless(place: Place) -> str:
    """Return a function's form without its name, also where it calls itself."""
    text = form(place.module.functions[place.key])
    return text.replace(f"'{place.name}'", "'<its name>'")


def _parameters(place: Place) -> list[str]:
    args = place.module.functions[place.key].args
    return [arg.arg for arg in ast.walk(args) if isinstance(arg, ast.arg)]
