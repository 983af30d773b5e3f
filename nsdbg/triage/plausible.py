"""How far a call is one that a function is meant to take: seen, agreeing, guessed, or misuse.

A judgement of arguments as text, by what is `wanted`; nothing is run.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable

from nsdbg.claim import Call
from nsdbg.propose.guess.kinds import ANY, Kind, kind_of
from nsdbg.propose.guess.shapes import Shape, shapes_of
from nsdbg.propose.make.material import literal
from nsdbg.source import last_name
from nsdbg.triage.pair import Pair
from nsdbg.triage.seeds import Seeds
from nsdbg.triage.wanted import (
    Trust,
    Wanted,
    is_ordinary,
    kind_of_text,
    of_value,
    opened,
    parsed,
    same_class,
    wanted_of,
)

__all__ = ["Plausible", "Trust"]

_INVENTED = re.compile(r"__new__|SimpleNamespace|object\.__setattr__")


class Plausible:
    """Judges the calls of one function, given as calls of its new version."""

    def __init__(self, pair: Pair, seeds: Seeds) -> None:
        self._shapes = shapes_of(pair.new.tree)
        self._seen_calls = {seed.call for seed in seeds.calls}
        self._receivers = {made.text for made in seeds.receivers}
        self._fields = _seen_fields(self._receivers, self._shapes)
        self._receiver = ""
        if pair.new.receiver and pair.new.parameters:
            self._receiver = pair.new.parameters[0].argument_name
        self.wanted = {one.name: one for one in wanted_of(pair, seeds, self._shapes)}

    def trust(self, call: Call) -> Trust | None:
        """Return how plausible a call is; None for misuse and for invented objects."""
        if call in self._seen_calls:
            return Trust.SEEN
        found = Trust.AGREES
        for name, text in call.arguments:
            one = self._argument(name, text)
            if one is None:
                return None
            found = min(found, one)
        return found

    def _argument(self, name: str, text: str) -> Trust | None:
        if _INVENTED.search(text):
            return None
        if name == self._receiver:
            return self._instance(text)
        wanted = self.wanted.get(name)
        if wanted is None:
            return None
        if text in wanted.texts:
            return Trust.SEEN
        known, value = literal(text)
        if not known:
            return self._expression(text, wanted)
        if not is_ordinary(value, name):
            return None
        return of_value(value, wanted)

    def _instance(self, text: str) -> Trust | None:
        """Judge how an instance is made: every argument of its class's constructor."""
        if text in self._receivers:
            return Trust.SEEN
        node = parsed(text)
        if isinstance(node, ast.Name):  # the class itself, for a class method
            return Trust.AGREES
        if not isinstance(node, ast.Call):
            return None
        shape = self._shape(ast.unparse(node.func))
        return self._construction(node, shape) if shape is not None else None

    def _construction(self, node: ast.Call, shape: Shape) -> Trust | None:
        names = [field.name for field in shape.fields]
        pairs = [*zip(names, node.args, strict=False)]
        pairs += [(word.arg, word.value) for word in node.keywords if word.arg]
        found = Trust.AGREES
        for name, value in pairs:
            field = next((one for one in shape.fields if one.name == name), None)
            if field is None:
                return None
            hinted = ((opened(field.kind, self._shapes),),) if field.kind != ANY else ()
            seen = self._fields.get((shape.name, name), frozenset())
            known, default = literal(field.default)
            if known and default is not None:
                seen |= {kind_of(default)}
            wanted = Wanted(name, hinted, seen, frozenset(), (ANY,))
            one = self._argument_of(ast.unparse(value), wanted)
            if one is None:
                return None
            found = min(found, one)
        return found

    def _argument_of(self, text: str, wanted: Wanted) -> Trust | None:
        known, value = literal(text)
        if not known:
            return self._expression(text, wanted)
        return of_value(value, wanted) if is_ordinary(value, wanted.name) else None

    def _expression(self, text: str, wanted: Wanted) -> Trust | None:
        """Judge what is no literal: a callable, an instance of a class, a member of an Enum."""
        node = parsed(text)
        if node is None:
            return None
        kind, inner = self._kind(node)
        if kind is None or inner is None:
            return None
        for options in wanted.hinted:
            if not any(same_class(kind, one) for one in options):
                return None
        if wanted.hinted or any(same_class(kind, one) for one in wanted.seen):
            return inner
        return Trust.GUESSED if any(same_class(kind, one) for one in wanted.guessed) else None

    def _kind(self, node: ast.expr) -> tuple[Kind | None, Trust | None]:
        # What a callable is given and gives back is not compared with its hint.
        if isinstance(node, ast.Lambda):
            return Kind("callable"), Trust.GUESSED
        if isinstance(node, ast.Name):
            is_callable = callable(getattr(builtins, node.id, None))
            return (Kind("callable"), Trust.GUESSED) if is_callable else (None, None)
        if isinstance(node, ast.Attribute):
            shape = self._shape(ast.unparse(node.value))
            member = shape is not None and node.attr in shape.members
            return (Kind(f"object:{shape.name}"), Trust.AGREES) if member and shape else (None,) * 2
        if isinstance(node, ast.Call):
            shape = self._shape(ast.unparse(node.func))
            if shape is not None:
                return Kind(f"object:{shape.name}"), self._construction(node, shape)
            name = last_name(node.func)
            plain = all(literal(ast.unparse(one))[0] for one in node.args)
            return Kind(f"object:{name}"), Trust.AGREES if plain else None
        return None, None

    def _shape(self, name: str) -> Shape | None:
        last = name.rpartition(".")[2]
        return self._shapes.get(name) or self._shapes.get(last)


def _seen_fields(
    texts: Iterable[str], shapes: dict[str, Shape]
) -> dict[tuple[str, str], frozenset[Kind]]:
    """Return the kinds that the project passes to the constructors of a module's classes."""
    found: dict[tuple[str, str], set[Kind]] = {}
    for text in texts:
        node = parsed(text)
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func).rpartition(".")[2]
        shape = shapes.get(name)
        if shape is None:
            continue
        pairs = [*zip((one.name for one in shape.fields), node.args, strict=False)]
        pairs += [(word.arg, word.value) for word in node.keywords if word.arg]
        for field, value in pairs:
            kind = kind_of_text(ast.unparse(value))
            if kind is not None:
                found.setdefault((shape.name, field), set()).add(kind)
    return {key: frozenset(kinds) for key, kinds in found.items()}
