"""Calls to try on both versions of a function, the most telling first.

What the project itself passes, neighbours of that, and values drawn by hints, defaults and
inference.  Only plausible calls; proposes and runs nothing.
"""

from __future__ import annotations

import ast
import itertools
import random
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from nsdbg.claim import Call
from nsdbg.propose.guess.infer import Guess, Guesses, infer
from nsdbg.propose.guess.kinds import ANY, Kind, kind_of
from nsdbg.propose.make.generate import Generator
from nsdbg.propose.make.material import Material, literal
from nsdbg.propose.make.recipes import Recipe, Recipes, imports_of
from nsdbg.propose.make.seeds import Shelf, calls, plain_values
from nsdbg.propose.make.sources import of_source
from nsdbg.propose.search.writing import written
from nsdbg.reproduce.neighbours import neighbours
from nsdbg.source import Parameter, Subject
from nsdbg.triage.pair import Pair, is_class_method
from nsdbg.triage.plausible import Plausible
from nsdbg.triage.seeds import Seeds, with_receiver
from nsdbg.triage.wanted import parsed

_MOST_RECEIVERS = 4
_MOST_NEIGHBOURS = 24
# Drawn calls that are refused one after another before drawing ends.
_PATIENCE = 400
_MOST_OPTIONS = 6
# Quartiles and the like are looked at of so many items, not of fewer.
_EVEN = 4


class Inputs:
    """The calls of one function, given out once each; `tell` brings neighbours of what was near."""

    def __init__(self, pair: Pair, seeds: Seeds, plausible: Plausible, seed: int = 0) -> None:
        self._pair = pair
        self._seeds = seeds
        self._plausible = plausible
        self._seen: set[Call] = set()
        self._near: deque[Call] = deque()
        self._rng = random.Random(seed)
        self._material = Material()
        for subject in (pair.new, pair.old):
            if subject is not None and subject.node is not None:
                # The function alone: the calls in its module are among the seeds.
                alone = replace(subject, tree=ast.Module([subject.node], []))
                of_source(self._material, alone)
        self._recipes = Recipes(pair.new.tree)
        self._generator = Generator(self._rng, self._material, self._recipes)
        self._read: dict[str, tuple[Guesses, ...]] = {}
        self._stream = itertools.chain(self._known(), self._around(), self._mixed())

    def take(self, count: int) -> list[Call]:
        """Return at most `count` calls that were not given out before; empty when none is left."""
        return list(itertools.islice(self._fresh(), count))

    def near(self, call: Call) -> None:
        """Let the neighbours of a call be among the next: it came where the change is."""
        self._near.append(call)

    def accept(self, call: Call) -> bool:
        """Whether somebody else's call is plausible and new; it is then given out by them."""
        if call in self._seen or self._plausible.trust(call) is None:
            return False
        self._seen.add(call)
        return True

    def _fresh(self) -> Iterator[Call]:
        misses = 0
        while misses < _PATIENCE:
            call = next(self._stream, None)
            if call is None:
                return
            if self.accept(call):
                misses = 0
                yield call
            else:
                misses += 1

    def _known(self) -> Iterator[Call]:
        """Yield the calls that are written in the project."""
        for seed in self._seeds.calls:
            if seed.receiver:
                yield seed.call
        for seed in self._seeds.calls:
            for receiver in self._seeds.receivers[:_MOST_RECEIVERS] if not seed.receiver else ():
                yield with_receiver(seed, self._pair.new, receiver).call

    def _around(self) -> Iterator[Call]:
        """Yield neighbours of the known calls, some of each in turn."""
        streams = [_others(call) for call in [*self._known()][:40]]
        for row in itertools.zip_longest(*(itertools.islice(one, 40) for one in streams)):
            yield from (call for call in row if call is not None)

    def _mixed(self) -> Iterator[Call]:
        """Yield drawn calls, and between them neighbours of what came near."""
        for drawn in self._drawn():
            while self._near:
                yield from itertools.islice(_others(self._near.popleft()), _MOST_NEIGHBOURS)
            yield drawn
        while self._near:
            yield from itertools.islice(_others(self._near.popleft()), _MOST_NEIGHBOURS)

    def _drawn(self) -> Iterator[Call]:
        """Yield calls of the required parameters, and now and then of an optional one, too."""
        parameters = list(self._pair.new.parameters)
        if is_class_method(self._pair.new):
            parameters = parameters[1:]
        required = [one for one in parameters if one.required]
        shelves = [self._shelf(one) for one in required]
        options = [(one.argument_name, value) for one in parameters if not one.required
                   for value in itertools.islice(self._options(one), _MOST_OPTIONS)]  # fmt: skip
        waiting = deque(options)
        for count, values in enumerate(calls(shelves)):
            pairs = list(zip((one.argument_name for one in required), values, strict=True))
            yield _call(pairs)
            for _ in range(2 if waiting else 0):
                yield _call([*pairs, waiting[0]])
                waiting.rotate(-1)
            if not required and count >= len(options):
                return

    def _shelf(self, parameter: Parameter) -> Shelf:
        name = parameter.argument_name
        if self._pair.new.receiver and parameter == self._pair.new.parameters[0]:
            seen: list[Any] = [Recipe(one.text, None, one.imports)
                               for one in self._seeds.receivers[:_MOST_RECEIVERS]]  # fmt: skip
            kind = Kind(f"object:{self._pair.new.ref.qualname.rpartition('.')[0]}")
            return Shelf([Guess(kind, 0.5)], self._generator, (), seen)
        return Shelf(self._guesses(parameter), self._generator, (), list(self._passed(name)))

    def _passed(self, name: str) -> Iterator[Any]:
        """Yield what the project passes for an argument: values, and expressions as they are."""
        wanted = self._plausible.wanted.get(name)
        for text in sorted(wanted.texts) if wanted is not None else ():
            known, value = literal(text)
            yield value if known else Recipe(text, None)

    def _guesses(self, parameter: Parameter) -> list[Guess]:
        """Return kinds for a parameter: those seen, those of its hint, those the old text tells."""
        wanted = self._plausible.wanted.get(parameter.argument_name)
        seen = sorted(wanted.seen if wanted is not None else (), key=str)
        found = [Guess(kind, 1.0) for kind in seen if kind.name != "None" and kind != ANY]
        names = dict(self._pair.names)
        by_hint = parameter.annotation is not None or self._pair.old is None
        subject = self._pair.new if by_hint or self._pair.old is None else self._pair.old
        name = parameter.argument_name
        name = name if subject is self._pair.new else names.get(name, name)
        for guesses in self._inferred(subject):
            if guesses.parameter.argument_name == name:
                found += guesses.options
        if wanted is not None and any(kind.name == "None" for kind in seen):
            found.append(Guess(Kind("None"), 0.5))
        return found

    def _inferred(self, subject: Subject) -> tuple[Guesses, ...]:
        """Return what a function's text tells of its parameters; a long module is read once."""
        key = subject.ref.file
        if key not in self._read:
            self._read[key] = infer(subject, recipes=self._recipes)
        return self._read[key]

    def _options(self, parameter: Parameter) -> Iterator[Any]:
        """Yield values for a parameter that may be left out: near its default, and of its kinds."""
        yield from self._passed(parameter.argument_name)
        known, default = literal(parameter.default)
        if known and default is not None:
            yield from itertools.islice(plain_values(kind_of(default)), 3)
        for guess in self._guesses(parameter)[:3]:
            yield from itertools.islice(plain_values(guess.kind), 3)


def _call(pairs: Iterable[tuple[str, Any]]) -> Call:
    pairs = list(pairs)
    imports = dict.fromkeys(word for _, value in pairs for word in imports_of(value))
    return Call(tuple((name, _text(value)) for name, value in pairs), tuple(imports))


def _text(value: Any) -> str:
    try:
        return written(value)
    except (ValueError, RecursionError):  # integers of more digits than Python prints
        return "0"


def _others(call: Call) -> Iterator[Call]:
    """Yield calls that differ in one thing: an argument emptied, shorter, zero, None, left out."""
    for place, (name, text) in enumerate(call.arguments):
        for other in (*_simplest(text), *_even(text)):
            arguments = (*call.arguments[:place], (name, other), *call.arguments[place + 1 :])
            yield Call(arguments, call.imports)
    for neighbour in neighbours(call):
        assert isinstance(neighbour.start, Call)
        yield neighbour.start
    for place in range(len(call.arguments)):
        yield Call((*call.arguments[:place], *call.arguments[place + 1 :]), call.imports)


def _even(text: str) -> Iterator[str]:
    """Yield an expression with all items of its first list the same: data that has no spread."""
    tree = parsed(text)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.List) and len(node.elts) > 1:
            node.elts = [node.elts[0]] * max(len(node.elts), _EVEN)
            yield ast.unparse(tree or node)
            return


def _simplest(text: str) -> Iterator[str]:
    known, value = literal(text)
    if not known:
        return
    if isinstance(value, str):
        yield from ("''", "' '")
    elif isinstance(value, list | tuple | dict):
        yield repr(type(value)())
    elif isinstance(value, set):
        yield "set()"
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (repr(type(value)(0)), repr(-value))
    yield "None"
