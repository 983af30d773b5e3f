"""Which functions differ between two versions of some modules, as far as their text tells.

A function is touched when its own code differs, or when something that it looks at in its module
does: a constant, an import, an attribute of its class, a function that it calls.  One step far;
among constants, all the way.  Reads text; runs nothing.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import gc
import math
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from nsdbg.changes.definitions import HEAD, STAR, Key, Module, qualname, read_module
from nsdbg.changes.diff import changed_lines, same_lines
from nsdbg.changes.moved import Place, moves
from nsdbg.changes.reads import dotted, names_in, reads_of, stores_of

# What a class does when it is called.
_MAKING = ("__init__", "__new__", "__post_init__")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A module in both versions: paths as git names them, and texts; None where it is not there."""

    path: str | None
    old_path: str | None
    text: str | None
    old_text: str | None


@dataclass(frozen=True, slots=True)
class Touch:
    """A function of a new module that differs, and where it stood: `changed.Changed`, by paths."""

    path: str
    qualname: str
    lines: frozenset[int]
    old_path: str | None
    old_qualname: str | None
    through: tuple[str, ...] = ()
    cause: frozenset[int] = frozenset()


def touched(
    rewrites: Sequence[Rewrite], deadline: float | None = None
) -> tuple[list[Touch], list[str]]:
    """Return the functions that differ, and a sentence for each module that cannot be read.

    Those whose own code differs come first.  Modules that are not read when `deadline` (of
    `time.perf_counter`) is there are left out; small ones are read first.
    """
    with _without_collector():
        return _touched(rewrites, math.inf if deadline is None else deadline)


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Hold the garbage collector off.

    Trees are many objects and no cycles: looking through them took more than half of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _touched(rewrites: Sequence[Rewrite], deadline: float) -> tuple[list[Touch], list[str]]:
    found: list[Touch] = []
    notes: list[str] = []
    compared: list[_Compared] = []
    small_first = sorted(rewrites, key=lambda one: len(one.text or one.old_text or ""))
    for done, rewrite in enumerate(small_first):
        if time.perf_counter() >= deadline:
            left = len(rewrites) - done
            notes.append(f"{left} of {len(rewrites)} changed modules were not read in the time")
            break
        one = _compare(rewrite, notes)
        if one is not None and one.changed:
            compared.append(one)
    compared.sort(key=lambda one: one.new.path)
    gone = [Place(one.old, key) for one in compared for key in one.gone()]
    fresh = [Place(one.new, key) for one in compared for key in one.fresh()]
    places = moves(gone, fresh)
    for one in compared:
        found += one.own(places)
    for one in compared:
        found += one.through()
    return found, sorted(notes)


def _compare(rewrite: Rewrite, notes: list[str]) -> _Compared | None:
    modules: list[Module] = []
    for path, text, when in (
        (rewrite.old_path, rewrite.old_text, "did not parse before"),
        (rewrite.path, rewrite.text, "does not parse"),
    ):
        if path is None or text is None:
            modules.append(Module(path or ""))
            continue
        try:
            modules.append(read_module(path, text))
        except RecursionError:
            notes.append(f"{path} is left out: it is nested too deeply")
            return None
        except (SyntaxError, ValueError, MemoryError) as error:
            said = error.msg if isinstance(error, SyntaxError) else str(error)
            place = f", line {error.lineno}" if isinstance(error, SyntaxError) else ""
            notes.append(f"{path} {when} and is left out ({said}{place})")
            return None
    return _Compared(modules[0], modules[1])


@dataclass(slots=True)
class _Compared:
    """Two versions of a module; `changed` are the names that differ, with lines of the new one."""

    old: Module
    new: Module
    changed: dict[Key, frozenset[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key in (*self.new.pieces, *(self.old.pieces.keys() - self.new.pieces.keys())):
            if not self.new.same_as(self.old, key):
                self.changed[key] = frozenset()
        if self.changed:
            follow = {k: j for j, k in same_lines(self.old.lines, self.new.lines).items()}
            self.changed = {key: self._lines(key, follow) for key in self.changed}

    def gone(self) -> Iterator[Key]:
        """Yield the functions that are no more."""
        yield from (key for key in self.old.functions if key not in self.new.functions)

    def fresh(self) -> Iterator[Key]:
        """Yield the functions that were not there."""
        yield from (key for key in self.new.functions if key not in self.old.functions)

    def own(self, places: dict[tuple[str, Key], Place]) -> Iterator[Touch]:
        """Yield the functions whose own code differs, or stands elsewhere."""
        for key in self.new.functions:
            if key not in self.changed:
                continue
            old: Place | None = Place(self.old, key)
            lines = self.changed[key]
            if key not in self.old.functions:
                old = places.get((self.new.path, key))
                if old is not None and old.module is self.old:
                    lines = _new_lines(old, Place(self.new, key))
            yield self._touch(key, lines, old)

    def through(self) -> Iterator[Touch]:
        """Yield the functions that look at what differs, and do not differ themselves."""
        differing = self._spread()
        if not differing:
            return
        words = {name for _, name in differing} | {
            owner.rpartition(".")[2] for owner, name in differing if name == HEAD
        }
        bases = _bases(self.new)
        mentioned = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in sorted(words)))
        anything = any(name in (HEAD, STAR[1]) for _, name in differing)
        for key, node in self.new.functions.items():
            if key in self.changed or key not in self.old.functions:
                continue
            if not anything and not mentioned.search("\n".join(self.new.text_of(key))):
                continue
            looked_at = reads_of(key[0], node, bases)
            if STAR in differing and any(self._is_starred(read) for read in looked_at):
                looked_at.add(STAR)
            reads = sorted((looked_at - {key}) & differing.keys())
            if reads:
                cause = frozenset[int]().union(*(differing[read] for read in reads))
                names = tuple(dict.fromkeys(map(_shown, reads)))
                plain = self._touch(key, frozenset(), Place(self.old, key))
                yield replace(plain, through=names, cause=cause)

    def _is_starred(self, read: Key) -> bool:
        """Whether a name can only come from a star import."""
        return not read[0] and read not in self.new.pieces and not hasattr(builtins, read[1])

    def _touch(self, key: Key, lines: frozenset[int], old: Place | None) -> Touch:
        old_path, old_name = (old.module.path, qualname(old.key)) if old else (None, None)
        return Touch(self.new.path, qualname(key), lines, old_path, old_name)

    def _spread(self) -> dict[Key, frozenset[int]]:
        """Return what differs in value or effect: also what is made of what differs."""
        spread = dict(self.changed)
        for key in self.changed:
            if key in self.new.functions and key in self.old.functions:
                spread |= self._stored(key)
        for owner, name in self.changed:
            if name in _MAKING:
                spread[_class_key(owner)] = self.changed[owner, name]
        self._spread_constants(spread)
        for name in self.new.classes:  # bases first, as they have to stand in a module
            self._inherit(name, spread)
        return spread

    def _stored(self, key: Key) -> dict[Key, frozenset[int]]:
        """Return the attributes that a method does not give its object as it did."""
        owner = key[0]
        new = stores_of(owner, self.new.functions[key])
        old = stores_of(owner, self.old.functions[key])
        return {
            (owner, name): self.changed[key]
            for name in new.keys() | old.keys()
            if new.get(name) != old.get(name)
        }

    def _spread_constants(self, spread: dict[Key, frozenset[int]]) -> None:
        """Add what is computed, when the module is imported, from what differs."""
        constants = [key for key in self.new.pieces if key not in self.new.functions]
        grown = True
        while grown:
            grown = False
            for key in constants:
                if key in spread:
                    continue
                for name in self._mentions(key):
                    cause = spread.get((key[0], name), spread.get(("", name)))
                    if cause is not None:
                        spread[key] = cause
                        grown = True
                        break

    def _mentions(self, key: Key) -> Iterable[str]:
        for piece in self.new.pieces[key]:
            if isinstance(piece.node, ast.ClassDef):
                for part in (*piece.node.decorator_list, *piece.node.bases, *piece.node.keywords):
                    # How a base class of this module is made says nothing of how this one is.
                    known = self.new.classes if key[1] == HEAD else ()
                    yield from (name for name in names_in(part) if name not in known)
            else:
                yield from names_in(piece.node)

    def _inherit(self, name: str, spread: dict[Key, frozenset[int]]) -> None:
        for base in _bases(self.new).get(name, ()):
            for (owner, attribute), lines in list(spread.items()):
                own = (name, attribute) in self.new.pieces and attribute != HEAD
                if owner == base and not own:
                    spread.setdefault((name, attribute), lines)

    def _lines(self, key: Key, follow: dict[int, int]) -> frozenset[int]:
        """Return the lines of the new version at which a name differs."""
        numbers = self.new.numbers_of(key)
        if not numbers:  # the line that took the place of what is gone
            last = max(self.old.numbers_of(key), default=0)
            behind = (follow[n] for n in range(last + 1, len(self.old.lines) + 1) if n in follow)
            return frozenset({next(behind, max(len(self.new.lines), 1))})
        before = self.old.text_of(key)
        lines = changed_lines(before, [self.new.lines[n - 1] for n in numbers])
        return frozenset(numbers[line - 1] for line in lines) or frozenset(numbers)


def _new_lines(old: Place, new: Place) -> frozenset[int]:
    numbers = new.module.numbers_of(new.key)
    lines = changed_lines(old.module.text_of(old.key), new.module.text_of(new.key))
    return frozenset(numbers[line - 1] for line in lines)


def _class_key(name: str) -> Key:
    owner, _, last = name.rpartition(".")
    return (owner, last)


def _bases(module: Module) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(filter(None, map(dotted, node.bases))) for name, node in module.classes.items()
    }


def _shown(key: Key) -> str:
    return key[0] if key[1] == HEAD else qualname(key)
