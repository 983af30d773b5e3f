"""Which kinds of values a function's parameters take, likeliest first.

From hints, defaults, the code's own use of them, the goal's value, and customary names; `learn`
changes the order by the exceptions that wrong kinds raised.  Guesses only: every kind stays
possible.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from nsdbg.propose.guess.evidence import Reader
from nsdbg.propose.guess.kinds import (
    ANY,
    COLLECTIONS,
    INT,
    SCALARS,
    STR,
    Kind,
    kind_of,
    kinds_of_hint,
)
from nsdbg.propose.guess.votes import ELEMENT, KEY, METHODS, VALUE, Place, Votes
from nsdbg.propose.make.recipes import Recipes
from nsdbg.source import FunctionNode, Parameter, ParameterKind, Subject, functions

_DEPTH = 3
_PLAIN_KEY = STR
# A kind whose votes lie so far below the best gets no thought about its parts.
_NEGLIGIBLE = 3.0
# What is met where nothing is known, from most to least.
_PRIOR = {"str": 0.5, "int": 0.4, "list": 0.45, "dict": 0.2, "float": 0.05, "bool": 0.08,
          "tuple": 0.1, "set": 0.05, "bytes": 0.02, "None": 0.05}  # fmt: skip
_CUSTOM = (
    (r"te?xt|str(ing)?|s|word|name|line|sentence|message|msg|prefix|suffix|sub|substr|char|ch|sep|"
     r"delimiter|path|file|url|phrase|title|label|letter|key", {"str": 1.0}),
    (r"n|num|number|i|j|k|x|y|count|size|length|width|index|idx|start|end|limit|total|amount|"
     r"position|pos|age|year|steps?|max_?\w*|min_?\w*", {"int": 0.8}),
    (r"nums|numbers|lst|li|l|list\w*|arr|array|values|items|elements|data|seq|words|lines|strs?|"
     r"strings|names|rows|matrix|grid|points|\w+s", {"list": 0.6}),
    (r"d|dic\w*|map\w*|\w*_map|table|lookup|config|options|settings", {"dict": 1.0}),
    (r"flag|is_\w+|has_\w+|should_\w+|enabled|verbose", {"bool": 1.0}),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Guess:
    """A kind and how much speaks for it, relative to the others of its parameter."""

    kind: Kind
    weight: float


@dataclass(frozen=True, slots=True)
class Guesses:
    """The guesses on one parameter, and the attributes the code uses of it."""

    parameter: Parameter
    options: tuple[Guess, ...]
    votes: Votes


def infer(
    subject: Subject,
    value: Any = None,
    *,
    valued: bool = False,
    recipes: Recipes | None = None,
) -> tuple[Guesses, ...]:
    """Guess the kinds of every parameter of a function; `value` is what it shall return."""
    if subject.node is None:
        return ()
    reader = read(subject.node, subject.tree)
    goal = kind_of(value) if valued else None
    classes = recipes if recipes is not None else Recipes(subject.tree)
    _learn_fields(classes, subject.tree)
    found = [_guesses(parameter, reader, goal, classes) for parameter in subject.parameters]
    if subject.receiver and found:
        found[0] = _receiver(found[0], subject)
    return tuple(found)


def _receiver(guesses: Guesses, subject: Subject) -> Guesses:
    """Return the guess for `self` or `cls`: the class is known."""
    owner = subject.ref.qualname.rpartition(".")[0]
    of_class = subject.node is not None and any(
        getattr(item, "id", "") == "classmethod" for item in subject.node.decorator_list
    )
    word = "class" if of_class or guesses.parameter.name == "cls" else "object"
    return replace(guesses, options=(Guess(Kind(f"{word}:{owner}"), 1.0),))


def _learn_fields(recipes: Recipes, tree: ast.Module) -> None:
    """Guess the kinds of constructor arguments that have no hints from the class's own code."""
    for qualname, node, owner in functions(tree):
        shape = recipes.shapes.get(qualname.rpartition(".")[0]) if owner is not None else None
        if shape is None or all(field.kind != ANY for field in shape.fields):
            continue
        reader = read(node, tree, depth=2)
        receiver = next(iter(reader.places), "")
        for field in shape.fields:
            own = [(field.name,)] if node.name == "__init__" else [(receiver, "." + field.name)]
            for place in own:
                if field.kind == ANY and reader.votes[place].kinds:
                    recipes.learn(shape.name, field.name, _best(place, reader, None, 1, 1)[0])


def read(node: FunctionNode, tree: ast.Module, depth: int = 0) -> Reader:
    """Collect the votes of a function's body, and of the module's functions it passes things to."""
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    starred = [arg for arg in (arguments.vararg, arguments.kwarg) if arg]
    reader = Reader({arg.arg: (arg.arg,) for arg in [*plain, *starred]})
    # Twice: a loop's names stand for more once later statements have been seen.
    for statement in node.body:
        reader.visit(statement)
    if depth < 2:
        known = {function.name: function for _, function, _ in functions(tree)}
        for name, position, place in reader.calls:
            callee = known.get(name)
            if callee is not None and callee is not node:
                _borrow(reader, place, read(callee, tree, depth + 1), callee, position)
    return reader


def _borrow(
    reader: Reader, place: Place, other: Reader, callee: FunctionNode, position: int | str
) -> None:
    names = [arg.arg for arg in [*callee.args.posonlyargs, *callee.args.args]]
    if isinstance(position, int):
        if position >= len(names):
            return
        position = names[position]
    for theirs, votes in list(other.votes.items()):
        if theirs[0] == position:
            mine = reader.votes[(*place, *theirs[1:])]
            mine.add(votes.kinds, 0.7)
            mine.attributes |= votes.attributes
            mine.arity = mine.arity or votes.arity


def _guesses(parameter: Parameter, reader: Reader, goal: Kind | None, recipes: Recipes) -> Guesses:
    place: Place = (parameter.name,)
    votes = reader.votes[place]
    hinted = kinds_of_hint(parameter.annotation)
    if parameter.kind is ParameterKind.VAR_POSITIONAL:
        part = hinted or [guess.kind for guess in _options((*place, ELEMENT), reader, goal, 1)][:2]
        return Guesses(parameter, tuple(Guess(Kind("row", (kind,)), 1.0) for kind in part), votes)
    if parameter.kind is ParameterKind.VAR_KEYWORD:
        kind = Kind("dict", (Kind("str"), (hinted or [ANY])[0]))
        return Guesses(parameter, (Guess(kind, 1.0),), votes)
    if hinted:
        options = [Guess(_filled(kind, place, reader, goal, recipes), 1.0 / (1 + index))
                   for index, kind in enumerate(hinted)]  # fmt: skip
        return Guesses(parameter, tuple(options), votes)
    options = list(_options(place, reader, goal, 0, _from_name(parameter), _default(parameter)))
    options = [_objects(guess, place, reader, recipes) for guess in options]
    return Guesses(parameter, tuple(options), votes)


def _from_name(parameter: Parameter) -> dict[str, float]:
    found: dict[str, float] = {}
    for pattern, kinds in _CUSTOM:
        if re.fullmatch(pattern, parameter.name.lower()):
            found = {**kinds, **found}
    return found


def _default(parameter: Parameter) -> Kind | None:
    if parameter.default is None:
        return None
    try:
        value = ast.literal_eval(parameter.default)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return None if value is None else kind_of(value)


def _options(
    place: Place,
    reader: Reader,
    goal: Kind | None,
    depth: int,
    custom: dict[str, float] | None = None,
    default: Kind | None = None,
) -> Iterable[Guess]:
    votes = reader.votes[place]
    weights = {name: prior * 0.5 for name, prior in _PRIOR.items()}
    for name, weight in [*votes.kinds.items(), *(custom or {}).items()]:
        weights[name] = weights.get(name, 0.0) + weight
    if goal is not None and votes.returned:
        name = "tuple" if goal.name == "row" else goal.name
        weights[name] = weights.get(name, 0.0) + 3.0
    elif goal is not None and goal.name in weights:
        weights[goal.name] += 0.25
    for name in weights:
        missing = [part for part in votes.attributes if not _has(name, part)]
        weights[name] -= 2.0 * len(missing)
    guesses = []
    if default is not None:
        guesses.append(Guess(default, math.exp(3.0)))
    ranked = sorted(weights.items(), key=lambda item: -item[1])
    for name, weight in ranked[: 3 if depth else len(ranked)]:
        if weight < ranked[0][1] - _NEGLIGIBLE:
            guesses += [Guess(kind, math.exp(weight)) for kind in _plain(name)]
            continue
        for index, kind in enumerate(_grown(name, place, reader, goal, depth)):
            guesses.append(Guess(kind, math.exp(min(weight, 6.0)) / (1.0 + 2.0 * index)))
    best = sorted(guesses, key=lambda guess: -guess.weight)
    total = sum(guess.weight for guess in best)
    return [replace(guess, weight=guess.weight / total) for guess in best]


def _has(name: str, attribute: str) -> bool:
    return name == "object" or attribute in METHODS.get(name, ())


def _grown(name: str, place: Place, reader: Reader, goal: Kind | None, depth: int) -> list[Kind]:
    """Return the kinds of one name with the likeliest kinds of their parts."""
    if name in SCALARS or name in ("callable", "any"):
        return [Kind(name)]
    if name == "object":
        return _namespace(place, reader, depth)
    if name not in COLLECTIONS:
        return [Kind(f"object:{name}")]
    if goal is not None and reader.votes[place].returned and goal.name in (name, "row"):
        return [goal, *_parts(name, place, reader, goal, depth)[:2]]
    return _parts(name, place, reader, goal, depth)


def _plain(name: str) -> list[Kind]:
    if name in ("list", "set", "tuple"):
        return [Kind("row" if name == "tuple" else name, (INT,))]
    if name == "dict":
        return [Kind("dict", (STR, INT))]
    return [Kind(name)] if name in SCALARS else []


def _parts(name: str, place: Place, reader: Reader, goal: Kind | None, depth: int) -> list[Kind]:
    wide = 3 if depth == 0 else 1
    keys_used = reader.votes[place].keys
    if name == "dict" and keys_used:
        names = list(keys_used)[:12]
        parts = [_best((*place, f"[{key}]"), reader, None, depth, 1)[0] for key in names]
        return [Kind("record:" + ",".join(names), tuple(parts))]
    if name == "dict":
        inner = goal.parts if goal is not None and goal.name == "dict" else (goal, goal)
        keys = _best((*place, KEY), reader, inner[0], depth, wide)
        items = _best((*place, VALUE), reader, inner[1], depth, wide)
        if depth == 0 and _PLAIN_KEY not in keys:
            keys.append(_PLAIN_KEY)
        keys = [key for key in keys if _hashable(key)] or [STR]
        pairs = [(key, item) for key in keys for item in items]
        return [Kind("dict", pair) for pair in pairs[: 2 * wide]]
    arity = reader.votes[place].arity
    if arity and (name == "tuple" or (name == "list" and depth)):
        parts = [_best((*place, index), reader, goal, depth, 1)[0] for index in range(arity)]
        return [Kind("tuple", tuple(parts))] if name == "tuple" else [Kind("list", (parts[0],))]
    inner_goal = goal.parts[0] if goal is not None and goal.parts else goal
    part = _best((*place, ELEMENT), reader, inner_goal, depth, wide)
    if name in ("set", "frozenset"):
        part = [kind for kind in part if _hashable(kind)] or [INT]
    return [Kind("row" if name == "tuple" else name, (kind,)) for kind in part]


def _best(place: Place, reader: Reader, goal: Kind | None, depth: int, count: int) -> list[Kind]:
    if depth >= _DEPTH:
        return [INT, STR][:count]
    found: dict[Kind, None] = {}
    for guess in _options(place, reader, goal, depth + 1):
        found.setdefault(guess.kind)
    return list(found)[:count]


def _hashable(kind: Kind) -> bool:
    if kind.name in ("tuple", "row"):
        return all(map(_hashable, kind.parts))
    return kind.name == "frozenset" or kind.name in SCALARS


def _objects(guess: Guess, place: Place, reader: Reader, recipes: Recipes) -> Guess:
    """Name a class of the module that has the attributes used, for guesses of some object."""
    return replace(guess, kind=_named(guess.kind, place, reader, recipes))


def _named(kind: Kind, place: Place, reader: Reader, recipes: Recipes) -> Kind:
    if kind.name.startswith("namespace:"):
        having = recipes.having(reader.votes[place].attributes)
        return Kind(f"object:{having[0].name}") if having else kind
    steps = {"list": (ELEMENT,), "row": (ELEMENT,), "dict": (KEY, VALUE)}.get(kind.name, ())
    pairs = zip(kind.parts, steps, strict=False)
    parts = tuple(_named(part, (*place, step), reader, recipes) for part, step in pairs)
    return replace(kind, parts=parts) if len(parts) == len(kind.parts) else kind


def _namespace(place: Place, reader: Reader, depth: int) -> list[Kind]:
    """Return the kind of an object with the attributes that the code uses."""
    votes = reader.votes[place]
    names = sorted(name for name in votes.attributes if not name.startswith("__"))[:12]
    places = [(*place, "." + name) for name in names]
    parts = [Kind("callable") if name in votes.called else _best(inner, reader, None, depth, 1)[0]
             for name, inner in zip(names, places, strict=True)]  # fmt: skip
    return [Kind("namespace:" + ",".join(names), tuple(parts))]


def _filled(kind: Kind, place: Place, reader: Reader, goal: Kind | None, recipes: Recipes) -> Kind:
    """Fill the parts that a hint leaves open from the code."""
    if kind.name.startswith("object:") and not recipes.knows(kind.name[7:]):
        return _namespace(place, reader, 1)[0]
    if kind.parts == (ANY,) or kind.parts == (ANY, ANY):
        grown = _parts("tuple" if kind.name == "row" else kind.name, place, reader, goal, 0)
        return grown[0] if grown else kind
    return kind
