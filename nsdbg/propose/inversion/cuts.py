"""Ways to share a sequence out between the operands of a sum or the parts of an f-string."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from nsdbg.propose.evaluate import Unknown, evaluate
from nsdbg.propose.inversion.expression import Inverter, Names

Cut = list[tuple[ast.expr, Any]]


def operands_of(node: ast.expr) -> list[ast.expr]:
    """Return the operands of `a + b + c`, from left to right."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*operands_of(node.left), *operands_of(node.right)]
    return [node]


def cuts(inverter: Inverter, parts: Sequence[ast.expr], whole: Any, known: Names) -> Iterator[Cut]:
    """Yield each part that is not known with its piece of the whole, the likeliest cuts first."""
    fixed = [_fixed(inverter, part, known, type(whole)) for part in parts]
    yield from _cuts(parts, fixed, whole)


def _cuts(parts: Sequence[ast.expr], fixed: Sequence[Any], whole: Any) -> Iterator[Cut]:
    if not parts:
        if not whole:
            yield []
    elif fixed[0] is not None:
        if whole[: len(fixed[0])] == fixed[0]:
            yield from _cuts(parts[1:], fixed[1:], whole[len(fixed[0]) :])
    else:
        for end in _ends(parts, fixed, whole):
            for others in _cuts(parts[1:], fixed[1:], whole[end:]):
                yield [(parts[0], whole[:end]), *others]


def _fixed(inverter: Inverter, part: ast.expr, known: Names, kind: type) -> Any:
    """Return a part's value when it is known and of the kind of the whole, else None."""
    if inverter.unknown_names(part, known):
        return None
    try:
        value = evaluate(part, known)
    except Unknown:
        return None
    return value if type(value) is kind else None


def _width(part: ast.expr) -> int | None:
    """Return the number of elements of a display without stars."""
    if not isinstance(part, (ast.List, ast.Tuple)):
        return None
    starred = any(isinstance(item, ast.Starred) for item in part.elts)
    return None if starred else len(part.elts)


def _ends(parts: Sequence[ast.expr], fixed: Sequence[Any], whole: Any) -> Iterable[int]:
    """Return where the first part may end, the likeliest place first."""
    rest = [_width(part) if value is None else len(value)
            for part, value in zip(parts[1:], fixed[1:], strict=True)]  # fmt: skip
    width = _width(parts[0])
    if width is None and None not in rest:
        width = len(whole) - sum(size or 0 for size in rest)
    if width is not None:
        return [width] if 0 <= width <= len(whole) else []
    # `text += piece`: what was gathered before is a name, and the longer part.
    grows = isinstance(parts[0], ast.Name)
    if fixed[1]:
        places = _places(fixed[1], whole)
        return reversed(places) if grows else places
    if not grows:
        return [*range(1, len(whole) + 1), 0]
    return [*_after_earlier_turns(fixed[-1], whole), *range(len(whole) - 1, -1, -1)]


def _places(part: Any, whole: Any) -> list[int]:
    return [at for at in range(len(whole) + 1) if whole[at : at + len(part)] == part]


def _after_earlier_turns(tail: Any, whole: Any) -> list[int]:
    """Return where earlier pieces may have ended if all end alike: `text += x + ';'`."""
    if not tail:
        return []
    ends = [at + len(tail) for at in _places(tail, whole)]
    return [end for end in reversed(ends) if end < len(whole)] + [0]
