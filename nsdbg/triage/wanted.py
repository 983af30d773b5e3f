"""What is known of the arguments a function takes: by hints, by what is passed, by inference.

And how far a single value agrees with that.  Reads syntax and literals; runs nothing.
"""

from __future__ import annotations

import ast
import builtins
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from nsdbg.propose.guess.infer import infer
from nsdbg.propose.guess.kinds import ANY, NONE, Kind, fits, kind_of, kinds_of_hint
from nsdbg.propose.guess.shapes import Shape
from nsdbg.propose.make.material import literal
from nsdbg.source import Parameter, ParameterKind, Subject, last_name
from nsdbg.triage.pair import Pair
from nsdbg.triage.seeds import Seeds

# A guess counts that has this share of the likeliest one's weight.
_LIKELY = 0.4
# Where more kinds are about as likely, the text says nothing, and any of them may be misuse.
_MOST_KINDS = 3
_LARGEST_NUMBER, _LONGEST_TEXT, _MOST_PARTS = 10_000, 200, 60
# What counts something is not negative, whatever its hint says.
_COUNTED = re.compile(
    r"n|k|num\w*|\w*count|\w*size|\w*len(gth)?|width|height|limit|depth|times|repeat\w*|max_?\w*|"
    r"\w*_(num|max|limit)|indent|precision|digits|seconds|timeout\w*|age|year|month|day|port"
)


class Trust(IntEnum):
    """How sure it is that a function is meant to take a call."""

    GUESSED = 0
    AGREES = 1
    SEEN = 2


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is known of one argument: kinds by hints (all have to fit), seen ones, guessed ones."""

    name: str
    hinted: tuple[tuple[Kind, ...], ...]
    seen: frozenset[Kind]
    texts: frozenset[str]
    guessed: tuple[Kind, ...]


def wanted_of(pair: Pair, seeds: Seeds, shapes: dict[str, Shape]) -> Iterator[Wanted]:
    """Yield what is known of each parameter of the new version."""
    names = dict(pair.names)
    old = {one.argument_name: one for one in pair.old.parameters} if pair.old else {}
    guesses = _guesses(pair)
    for parameter in pair.new.parameters:
        name = parameter.argument_name
        theirs = old.get(names.get(name, ""))
        texts = frozenset(
            text for seed in seeds.calls for at, text in seed.call.arguments if at == name
        )
        versions = [one for one in (parameter, theirs) if one is not None]
        hints = [tuple(opened(kind, shapes) for kind in _hinted(one)) for one in versions]
        seen = {kind_of_text(text) for text in texts} - {None}
        for one in versions:
            known, value = literal(one.default)
            if known:
                seen.add(kind_of(value))
        if theirs is not None and pair.old is not None:
            seen |= set(_asked_about(pair.old, theirs.name))
        yield Wanted(
            name,
            tuple(hint for hint in hints if hint and ANY not in hint),
            frozenset(kind for kind in seen if kind is not None),
            texts,
            tuple(guesses.get(theirs.argument_name if theirs is not None else name, ())),
        )


def _hinted(parameter: Parameter) -> list[Kind]:
    kinds = kinds_of_hint(parameter.annotation)
    if parameter.kind is ParameterKind.VAR_POSITIONAL:
        return [Kind("row", (kind,)) for kind in kinds]
    if parameter.kind is ParameterKind.VAR_KEYWORD:
        return [Kind("dict", (Kind("str"), kind)) for kind in kinds]
    if kinds and parameter.default == "None" and NONE not in kinds:
        return [*kinds, NONE]
    return kinds


def opened(kind: Kind, shapes: dict[str, Shape]) -> Kind:
    """Return a hint's kind with ANY for what is no class that is known: a type variable, say."""
    word, _, name = kind.name.partition(":")
    if word == "object" and name not in shapes and len(name) <= 2:
        return ANY
    if word == "object" and re.fullmatch(r"_?(T|K|V|P|S)\w{0,3}|Self|\w+_co|Supports\w+", name):
        return ANY
    return Kind(kind.name, tuple(opened(part, shapes) for part in kind.parts))


def _guesses(pair: Pair) -> dict[str, list[Kind]]:
    """Infer kinds from the old text, or from the new one where there is no old one."""
    subject = pair.old if pair.old is not None else pair.new
    found = {}
    for guesses in infer(subject):
        most = max((one.weight for one in guesses.options), default=0.0)
        likely = [one.kind for one in guesses.options if one.weight >= _LIKELY * most]
        if len({kind.name for kind in likely}) <= _MOST_KINDS:
            found[guesses.parameter.argument_name] = likely
    return found


def kind_of_text(text: str) -> Kind | None:
    """Return the kind of what an expression gives, as far as it shows; None where it does not."""
    known, value = literal(text)
    if known:
        return kind_of(value)
    node = parsed(text)
    if isinstance(node, ast.Lambda):
        return Kind("callable")
    if isinstance(node, ast.Name) and callable(getattr(builtins, node.id, None)):
        return Kind("callable")
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        return Kind(name if name in ("set", "frozenset", "dict", "list") else f"object:{name}")
    return None


def _asked_about(subject: Subject, name: str) -> Iterator[Kind]:
    """Yield the kinds that a function asks for by itself: `x is None`, `isinstance(x, str)`."""
    for node in ast.walk(subject.node) if subject.node is not None else ():
        if isinstance(node, ast.Compare) and getattr(node.left, "id", "") == name:
            for other in node.comparators:
                if isinstance(other, ast.Constant) and other.value is None:
                    yield NONE
        elif isinstance(node, ast.Call) and len(node.args) == 2:
            asked = getattr(node.func, "id", ""), getattr(node.args[0], "id", "")
            if asked == ("isinstance", name):
                kinds = node.args[1]
                parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
                yield from (kind for part in parts for kind in kinds_of_hint(part))


def of_value(value: Any, wanted: Wanted) -> Trust | None:
    """Judge a value: all hints have to take it, and it is sure when it is wholly of a kind."""
    if any(not any(fits(value, kind) for kind in options) for options in wanted.hinted):
        return None
    if any(_wholly(value, kind) for kind in wanted.seen):
        return Trust.AGREES
    if wanted.hinted:
        whole = all(any(_wholly(value, kind) for kind in options) for options in wanted.hinted)
        return Trust.AGREES if whole else Trust.GUESSED
    if value is None and NONE not in wanted.seen:
        return None
    return Trust.GUESSED if any(fits(value, kind) for kind in wanted.guessed) else None


def _wholly(value: Any, kind: Kind) -> bool:
    """Whether a value is of a kind in all its parts: `list` alone says nothing of its items."""
    if not fits(value, kind):
        return False
    if kind == ANY:
        return False
    if not isinstance(value, list | tuple | dict | set | frozenset) or not value:
        return True
    return not _is_open(kind)


def _is_open(kind: Kind) -> bool:
    return kind == ANY or any(_is_open(part) for part in kind.parts)


def same_class(kind: Kind, other: Kind) -> bool:
    """Whether two kinds name the same class, wherever they found it."""
    if other == ANY:
        return True
    return kind.name.rpartition(".")[2] == other.name.rpartition(".")[2] or kind == other


def is_ordinary(value: Any, name: str) -> bool:
    """Whether a value is of a size that programs work on, and no number that counts below zero."""
    if isinstance(value, bool) or value is None:
        return True
    if isinstance(value, int | float):
        if not math.isfinite(value) or abs(value) > _LARGEST_NUMBER:
            return False
        return value >= 0 or _COUNTED.fullmatch(name.strip("*_")) is None
    if isinstance(value, str | bytes):
        return len(value) <= _LONGEST_TEXT and _is_readable(value)
    if isinstance(value, dict):
        parts: Iterable[Any] = [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = value
    else:
        return not isinstance(value, complex)
    return len(value) <= _MOST_PARTS and all(is_ordinary(part, "") for part in parts)


def _is_readable(value: str | bytes) -> bool:
    if isinstance(value, bytes):
        return True
    return all(char.isprintable() or char in "\n\t" for char in value)


def parsed(text: str) -> ast.expr | None:
    """Return an expression's tree, None for a text that is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return None
