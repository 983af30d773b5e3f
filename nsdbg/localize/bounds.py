"""Bounds: whether a loop lets an index run past the end of what it indexes, by the text alone.

The question decides which of two lines is told first: the loop's, or the one that crashed.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum

from nsdbg.localize.code import Spot
from nsdbg.localize.definitions import Definition, How, dotted
from nsdbg.localize.sizes import Sizes, Sum


class Overrun(Enum):
    """What the bound of an index's loop says about the crash."""

    BOUND = "the loop runs too far"
    INDEX = "the index adds too much to a loop that fits"
    START = "the value it starts with is past the end already"
    STEP = "the step goes past the end"
    OTHER = "the loop's bound has nothing to do with the length"
    FITS = "the loop fits"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about an index, and the definition or test that shows it."""

    overrun: Overrun
    lineno: int
    text: str


def judge_index(spot: Spot, container: ast.expr, index: ast.expr) -> Finding | None:
    """Judge an index that is a variable plus a constant, against its container's length.

    Returns None when the index is something else, or nothing is known of its variable.
    """
    sizes = Sizes(spot)
    variable, offset = _variable_and_offset(index)
    if variable is None:
        return None
    found = spot.definitions_of(variable)
    loops = [one for one in found if one.how is How.LOOPED]
    length = sizes.length_of(container)
    if len(loops) == 1 and len(found) <= 2 and length is not None:
        return _judge_range(spot, loops[0], length, offset, container)
    if loops or length is None:
        return None
    return _judge_counter(spot, variable, found, length, offset)


def _variable_and_offset(index: ast.expr) -> tuple[str | None, int]:
    if isinstance(index, ast.Name):
        return index.id, 0
    if isinstance(index, ast.BinOp) and isinstance(index.left, ast.Name):
        right = index.right
        if isinstance(right, ast.Constant) and type(right.value) is int:
            sign = 1 if isinstance(index.op, ast.Add) else -1
            return (
                (index.left.id, sign * right.value)
                if isinstance(index.op, ast.Add | ast.Sub)
                else (None, 0)
            )
    return None, 0


def _judge_range(
    spot: Spot, loop: Definition, length: Sum, offset: int, container: ast.expr
) -> Finding | None:
    call = loop.value
    if not (isinstance(call, ast.Call) and dotted(call.func) == "range" and loop.statement):
        return None
    if len(call.args) == 3 or not call.args or call.keywords:
        return None
    head = Spot(spot.code, spot.qualname, loop.statement)
    sizes = Sizes(head)
    start = sizes.sum_of(call.args[0]) if len(call.args) == 2 else Sum(())
    stop = sizes.sum_of(call.args[-1])
    held = ast.unparse(container)
    if stop is None or start is None:
        return Finding(Overrun.OTHER, loop.lineno, f"this loop is not bounded by len({held})")
    beyond = (stop - length).number
    if beyond is None:
        text = f"this loop runs to {ast.unparse(call.args[-1])}, which is not len({held})"
        return Finding(Overrun.OTHER, loop.lineno, text)
    if beyond + offset <= 0:
        return Finding(Overrun.FITS, loop.lineno, f"this loop stays below len({held})")
    if (stop - start - length).number == 0 and (start.number or 0) > 0:
        text = f"this loop counts from {start.constant}, and the index is not shifted back"
        return Finding(Overrun.INDEX, loop.lineno, text)
    if offset > 0 and beyond <= 0 and not _window(spot, container, loop.name):
        return Finding(Overrun.INDEX, loop.lineno, f"this loop fits len({held}) without + {offset}")
    last = f"len({held})" + (f" + {beyond + offset - 1}" if beyond + offset > 1 else "")
    return Finding(Overrun.BOUND, loop.lineno, f"this loop lets the index reach {last}")


def _window(spot: Spot, container: ast.expr, variable: str) -> bool:
    """Whether the container is read at `i - 1` and `i + 1` alike: a loop that must leave out both
    ends."""
    signs = set()
    for node in ast.walk(spot.statement):
        if isinstance(node, ast.Subscript) and ast.dump(node.value) == ast.dump(container):
            name, offset = _variable_and_offset(node.slice)
            if name == variable and offset:
                signs.add(offset > 0)
    return len(signs) == 2


def _judge_counter(
    spot: Spot, variable: str, found: tuple[Definition, ...], length: Sum, offset: int
) -> Finding | None:
    """Judge a variable that is set and stepped by hand: `left, right = 0, len(rows)`."""
    for one in found:
        if one.how is How.ASSIGNED and one.whole and one.value and one.statement:
            start = Sizes(Spot(spot.code, spot.qualname, one.statement)).sum_of(one.value)
            beyond = (start - length).number if start is not None else None
            if beyond is not None and beyond + offset >= 0 and _is_length(start, length):
                text = f"`{variable}` starts past the last index: {ast.unparse(one.value)}"
                return Finding(Overrun.START, one.lineno, text)
    test = _loop_around(spot)
    if test is not None and _tests(test, variable):
        return _judge_test(spot, test, variable, length, offset)
    for one in found:
        if one.how is How.AUGMENTED and isinstance(one.statement, ast.AugAssign) and one.value:
            rising = isinstance(one.statement.op, ast.Add)
            if rising and not (test is not None and _tests(test, variable)):
                text = f"`{variable}` rises here, and no test keeps it below the length"
                return Finding(Overrun.STEP, one.lineno, text)
    return None


def _is_length(start: Sum | None, length: Sum) -> bool:
    """Whether the sums speak of the same length, so that a plain 0 says nothing of an empty one."""
    return start is not None and bool(start.terms) and start.terms == length.terms


def _loop_around(spot: Spot) -> ast.While | None:
    found = None
    for statement in spot.code.body(spot.qualname):
        for node in ast.walk(statement):
            if isinstance(node, ast.While) and any(one is spot.statement for one in ast.walk(node)):
                found = node
    return found


def _tests(loop: ast.While, variable: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == variable for one in ast.walk(loop.test))


def _judge_test(
    spot: Spot, loop: ast.While, variable: str, length: Sum, offset: int
) -> Finding | None:
    sizes = Sizes(Spot(spot.code, spot.qualname, loop))
    for node in ast.walk(loop.test):
        if not (isinstance(node, ast.Compare) and len(node.ops) == 1):
            continue
        if not (isinstance(node.left, ast.Name) and node.left.id == variable):
            continue
        stop = sizes.sum_of(node.comparators[0])
        if stop is None or not isinstance(node.ops[0], ast.Lt | ast.LtE):
            continue
        beyond = (stop - length).number
        if beyond is None:
            text = f"this test does not keep `{variable}` below the length"
            return Finding(Overrun.OTHER, loop.lineno, text)
        beyond += 1 if isinstance(node.ops[0], ast.LtE) else 0
        if beyond > 0:
            text = f"this test lets `{variable}` run past the last index"
            return Finding(Overrun.BOUND, loop.lineno, text)
        overrun = Overrun.INDEX if beyond + offset > 0 else Overrun.FITS
        return Finding(overrun, loop.lineno, f"this test keeps `{variable}` below the length")
    return None
