"""Where functions that have a new name or another file stood before.

Only what vanished can have moved.  Equal code is taken for the same function under any name; code
that is merely alike under its old name, or in its old file with its old parameters.
"""

from __future__ import annotations

import ast
import collections
import functools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nsdbg.changes.definitions import Key, Module
from nsdbg.changes.sameness import form

# Of two functions' lines, how many have to be equal: moved under its name, or renamed in its file.
ALIKE_MOVED = 0.5
ALIKE_RENAMED = 0.7
# Of a file's functions that are gone, how many are held against each new one.
MOST_NEIGHBOURS = 200

_Groups = functools.partial(collections.defaultdict[str, list[int]], list)


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
    if not gone or not fresh:
        return
    lines = [_lines(old) for old in gone]
    by_form, by_name, by_file = _Groups(), _Groups(), _Groups()
    for number, old in enumerate(gone):
        by_form[_nameless(old)].append(number)
        by_name[old.name].append(number)
        by_file[old.module.path].append(number)
    for new in fresh:
        equal = by_form.get(_nameless(new), [])
        near = by_file.get(new.module.path, [])[:MOST_NEIGHBOURS]
        ours = _lines(new)
        for number in {*equal, *by_name.get(new.name, []), *near}:
            score = 1.0 if number in equal else _likeness(gone[number], new, lines[number], ours)
            if score:
                yield score + _bonus(gone[number], new), gone[number], new


def _bonus(old: Place, new: Place) -> float:
    same_file, same_class = old.module.path == new.module.path, old.key[0] == new.key[0]
    return 0.2 * (old.name == new.name) + 0.1 * same_file + 0.05 * same_class


def _likeness(old: Place, new: Place, theirs: Counter[str], ours: Counter[str]) -> float:
    """Return 0 for functions that are not alike enough, else less than equal ones have."""
    alike = likeness(theirs, ours)
    moved = old.name == new.name and alike >= ALIKE_MOVED
    same_file = old.module.path == new.module.path
    renamed = same_file and alike >= ALIKE_RENAMED and _parameters(old) == _parameters(new)
    return alike / 2 if moved or renamed else 0.0


def likeness(some: Counter[str], others: Counter[str]) -> float:
    """Return the share of lines that two texts have in common, 0..1."""
    return (some & others).total() / max(some.total(), others.total(), 1)


def _lines(place: Place) -> Counter[str]:
    lines = (line.strip() for line in place.module.text_of(place.key))
    return Counter(line for line in lines if line and not line.startswith("def "))


def _nameless(place: Place) -> str:
    """Return a function's form without its name, also where it calls itself."""
    try:
        text = form(place.module.functions[place.key])
    except RecursionError:  # a sum of hundreds of terms
        text = "\n".join(place.module.text_of(place.key))
    return text.replace(f"'{place.name}'", "'<its name>'")


def _parameters(place: Place) -> list[str]:
    args = place.module.functions[place.key].args
    return [arg.arg for arg in ast.walk(args) if isinstance(arg, ast.arg)]
