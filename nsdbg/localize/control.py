"""Control: the tests and loops that let the program come to the crash line.

Loops that run too far, guards that should have stopped it, and branches that leave a name unbound.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Sequence

from nsdbg.localize.bounds import Finding, Overrun, judge_index
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.code import Spot
from nsdbg.localize.definitions import BLOCKS, How, bound_names, definitions, dotted
from nsdbg.localize.pin import Blame, Pin, Role, header_expressions

LEAVING = (ast.Return, ast.Continue, ast.Break, ast.Raise)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
# difflib's ratio: `totl` for `total` is 0.89, `lst` for `lt` 0.8.
NEAR_NAME = 0.83
CONSUMERS = ("EOFError", "StopIteration")


def control_clues(spot: Spot, pin: Pin | None, exception: str) -> Iterator[Clue]:
    """Yield the clues of one crash line about what let the program come there."""
    blames = pin.blames if pin else ()
    yield from _bounds(spot, blames)
    yield from _consumed(spot, blames, exception)
    yield from _guards(spot, blames)
    for blame in blames:
        if blame.role is Role.NAME and isinstance(blame.expression, ast.Name):
            yield from missing_paths(spot, blame.expression.id)


def enclosing(spot: Spot) -> list[ast.stmt]:
    """Return the compound statements around a spot within its function, the innermost first."""
    found: list[ast.stmt] = []

    def descend(body: list[ast.stmt]) -> bool:
        for statement in body:
            if statement is spot.statement:
                return True
            for block in blocks(statement):
                if descend(block):
                    found.append(statement)
                    return True
        return False

    descend(spot.code.body(spot.qualname))
    return found


def blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """Yield the blocks of a compound statement."""
    for field in BLOCKS:
        value = getattr(statement, field, None)
        if not isinstance(value, list):
            continue
        if value and isinstance(value[0], ast.stmt):
            yield value
        else:
            yield from (inner.body for inner in value)


def _bounds(spot: Spot, blames: Sequence[Blame]) -> Iterator[Clue]:
    containers = [one.expression for one in blames if one.role is Role.CONTAINER]
    indexes = [one.expression for one in blames if one.role is Role.INDEX]
    for container, index in zip(containers, indexes, strict=False):
        finding = judge_index(spot, container, index)
        if finding is not None:
            yield from _finding(spot, finding)


def _finding(spot: Spot, finding: Finding) -> Iterator[Clue]:
    path = spot.code.path
    if finding.overrun in (Overrun.BOUND, Overrun.START, Overrun.STEP):
        yield Clue(Mark.LOOP_BOUND, path, finding.lineno, finding.text)
    elif finding.overrun is Overrun.OTHER:
        yield Clue(Mark.LOOP_BOUND, path, finding.lineno, finding.text, 0.9)
    elif finding.overrun is Overrun.INDEX:
        yield Clue(Mark.COMPUTED_ON_CRASH_LINE, path, spot.lineno, finding.text)


def _consumed(spot: Spot, blames: Sequence[Blame], exception: str) -> Iterator[Clue]:
    """Yield the loop that takes more than there is: from a container, an input or an iterator."""
    kind = exception.rsplit(".", 1)[-1]
    emptied = [one for one in blames if one.role is Role.CONTAINER and kind == "IndexError"]
    indexed = any(one.role is Role.INDEX for one in blames)
    if not (kind in CONSUMERS or (emptied and not indexed)):
        return
    loop = next((one for one in enclosing(spot) if isinstance(one, LOOPS)), None)
    if loop is None:
        return
    head = " ".join(ast.unparse(one) for one in header_expressions(loop))
    held = [one.text for one in emptied]
    if isinstance(loop, ast.While) and any(text in ast.unparse(loop.test) for text in held):
        return  # `while queue: queue.pop()` takes what it has seen to be there
    what = f"{held[0]} has" if held else "there is"
    text = f"this loop decides how often more is taken than {what}: {head}"
    yield Clue(Mark.LOOP_BOUND, spot.code.path, loop.lineno, text)


def _guards(spot: Spot, blames: Sequence[Blame]) -> Iterator[Clue]:
    read = _reads(blames)
    around = enclosing(spot)
    for place, statement in enumerate(around):
        named = read & _names(header_expressions(statement))
        if named:
            text = f"decides whether the crash line runs, by {_quoted(named)}"
            yield Clue(Mark.GUARD, spot.code.path, statement.lineno, text, 0.85**place)
        elif place == 0 and isinstance(statement, (*LOOPS, ast.If)):
            yield Clue(Mark.AROUND, spot.code.path, statement.lineno, "encloses the crash line")
    for distance, guard in enumerate(_passed_guards(spot, around)):
        named = read & _names([guard.test])
        if named:
            text = f"could have stopped it here: tests {_quoted(named)}"
            yield Clue(Mark.GUARD, spot.code.path, guard.lineno, text, 0.9**distance)


def _quoted(names: set[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


def _passed_guards(spot: Spot, around: list[ast.stmt]) -> Iterator[ast.If]:
    """Yield the `if`s, nearest first, that leave early and were passed on the way."""
    inner: ast.stmt = spot.statement
    bodies = [*(block for one in around for block in blocks(one)),
              spot.code.body(spot.qualname)]  # fmt: skip
    for place, outer in enumerate([*around, None]):
        candidates = list(blocks(outer)) if outer is not None else bodies[-1:]
        for body in candidates:
            if inner in body:
                for statement in reversed(body[: body.index(inner)]):
                    if isinstance(statement, ast.If) and _leaves(statement.body):
                        yield statement
        if place < len(around):
            inner = around[place]


def _leaves(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return dotted(last.value.func) in ("exit", "quit", "sys.exit", "os._exit")
    return isinstance(last, LEAVING)


def _reads(blames: Sequence[Blame]) -> set[str]:
    return _names(one.expression for one in blames)


def _names(nodes: Iterator[ast.expr] | Sequence[ast.expr]) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def missing_paths(spot: Spot, name: str) -> Iterator[Clue]:
    """Yield the branches that bind a local on one side only, when it may be unbound here."""
    reaching = spot.code.reaching(spot.qualname).at(spot.statement, name)
    if all(one.how is How.MUTATED for one in spot.definitions_of(name)):
        yield from _never_bound(spot, name)
    if not any(one.how is How.UNBOUND for one in reaching):
        return
    path = spot.code.path
    for statement in _branching(spot.code.body(spot.qualname), spot.lineno):
        bound = [_binds(block, name) for block in blocks(statement)]
        if not any(bound):
            continue
        if isinstance(statement, ast.If) and not _always_binds([statement], name):
            where = "one of its branches leaves" if statement.orelse else "without `else` it leaves"
            text = f"{where} `{name}` unbound"
            yield Clue(Mark.MISSING_PATH, path, statement.lineno, text)
            end = statement.end_lineno or statement.lineno
            yield Clue(Mark.MISSING_PATH, path, end, f"nothing after this binds `{name}`", 0.7)
        elif isinstance(statement, LOOPS):
            text = f"`{name}` stays unbound when this loop does not run once"
            yield Clue(Mark.MISSING_PATH, path, statement.lineno, text, 0.8)
        elif isinstance(statement, ast.Try):
            text = f"`{name}` stays unbound when this fails before it is set"
            yield Clue(Mark.MISSING_PATH, path, statement.lineno, text, 0.8)


def _never_bound(spot: Spot, name: str) -> Iterator[Clue]:
    """Yield the place where a name used twice and bound nowhere would have to be bound first."""
    body = spot.code.body(spot.qualname)
    uses = [node for statement in body for node in ast.walk(statement)
            if isinstance(node, ast.Name) and node.id == name]  # fmt: skip
    known = bound_names(body) | bound_names(spot.code.tree.body)
    misspelt = difflib.get_close_matches(name, sorted(known), 1, NEAR_NAME)
    if len(uses) < 2 or misspelt:
        return
    first = min(use.lineno for use in uses)
    for place, statement in enumerate(body):
        if statement.lineno <= first <= (statement.end_lineno or statement.lineno):
            text = f"`{name}` is bound nowhere, and is first needed here"
            yield Clue(Mark.MISSING_PATH, spot.code.path, statement.lineno, text, 0.4)
            if place:
                text = f"`{name}` is bound nowhere, and is needed after this"
                yield Clue(Mark.MISSING_PATH, spot.code.path, body[place - 1].lineno, text, 0.3)


def _branching(body: list[ast.stmt], before: int) -> Iterator[ast.stmt]:
    for statement in body:
        if statement.lineno >= before or isinstance(
            statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ):
            continue
        inner = list(blocks(statement))
        closed = (statement.end_lineno or statement.lineno) < before
        if inner and closed:
            yield statement
        for block in inner:
            yield from _branching(block, before)


def _always_binds(body: list[ast.stmt], name: str) -> bool:
    """Whether every way through a body binds a name or leaves, as far as `if` and `else` tell."""
    for statement in body:
        if isinstance(statement, ast.If):
            both = (statement.body, statement.orelse)
            if statement.orelse and all(_always_binds(block, name) for block in both):
                return True
        elif isinstance(statement, LEAVING) or _binds([statement], name):
            return True
    return False


def _binds(body: list[ast.stmt], name: str) -> bool:
    return any(
        one.name == name and one.how not in (How.UNBOUND, How.MUTATED)
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.stmt)
        for one in definitions(node)
    )
