"""What a STATE asks for: a Goal for a function, or the State that it spells out.

Reads the function's source; runs nothing of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType

from nsdbg.claim import ExceptionClaim, Goal, Middle, Site
from nsdbg.errors import StateError
from nsdbg.source import Subject, first_line
from nsdbg.state import Event, Frame, State, Value
from nsdbg.statefile.fields import check_expression
from nsdbg.statefile.names import check_names
from nsdbg.statefile.states import StateClaim, bound_values, value_of


def plain_name(subject: Subject) -> str:
    """Return the name that a traceback prints for a function."""
    return subject.ref.qualname.rpartition(".")[2]


def goal_from_state(
    claim: StateClaim, subject: Subject, *, where: tuple[str, ...] = (), previous: bool = False
) -> Goal:
    """Make the goal that a claim is for a function: to be reached by calling it.

    `where` adds constraints to the claim's own.  A claim that names another function and no stack
    is reached with any frames between them.  Raises StateError for a line that has no code or lies
    outside the function, and for a constraint that is no expression.
    """
    for text in where:
        check_expression(text, "--where")
    for text in (*claim.where, *where):
        check_names(text, subject)
    name = plain_name(subject)
    function = claim.function.rpartition(".")[2] if claim.function else name
    file = _resolve(claim.file, subject)
    inside = function == name and file == subject.ref.file
    if inside and claim.lineno is not None and not claim.stack:
        check_line(subject, claim.lineno, claim.event)
    innermost = Site(file, claim.lineno, function)
    older = [Site(_resolve(f.file, subject), f.lineno, f.function) for f in claim.stack]
    if not older and not inside:
        older = [Site(subject.ref.file, None, name)]
    claimed = None
    if claim.exception is not None:
        claimed = ExceptionClaim(claim.exception, claim.message, claim.message_prefix)
    return Goal(
        entry=subject.ref, event=claim.event, chain=(*older, innermost),
        locals=claim.locals or (), where=(*claim.where, *where), value=claim.value,
        exception=claimed,
        exact_chain=inside or bool(claim.stack), previous=previous,
    )  # fmt: skip


def _resolve(file: str | None, subject: Subject) -> str:
    """Return the absolute path of a file named in a state, relative to the subject's root."""
    if file is None:
        return subject.ref.file
    for folder in (Path(), Path(subject.ref.root)):
        if (folder / file).is_file():
            return str((folder / file).resolve())
    return file


def check_line(subject: Subject, lineno: int, event: Event) -> None:
    """Raise StateError unless a line of the function has code at which this event can stop.

    Of a function's head only the call tells: its first line event is that of its first statement.
    """
    lines = code_lines(subject)
    if event is Event.LINE:
        lines -= _head_lines(subject)
    if lineno in lines or not lines:
        return
    near = sorted(sorted(lines), key=lambda line: abs(line - lineno))[:2]
    if lineno in _head_lines(subject):
        raise StateError(
            f"line {lineno} of {subject.ref.file} is the head of {subject.ref.qualname}, where "
            f"nothing stops but the call; its first line is {min(lines - _head_lines(subject))}"
        )
    raise StateError(
        f"line {lineno} of {subject.ref.file} has no code of {subject.ref.qualname}; "
        f"nearest: {' and '.join(str(line) for line in sorted(near))}"
    )


def code_lines(subject: Subject) -> frozenset[int]:
    """Return the lines of the function's own code, by its statements and this Python's compiler.

    Other versions stop at other lines inside a statement, and at the same first lines.
    """
    if subject.node is None:
        return frozenset()
    lines = {subject.node.lineno, first_line(subject.node)}
    for statement in _statements(subject.node.body):
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            lines.add(statement.lineno)
    first = first_line(subject.node)
    for code in _codes(subject.text, subject.ref.file):
        if code.co_name == subject.node.name and code.co_firstlineno == first:
            lines |= {line for _, _, line in code.co_lines() if line}
    return frozenset(lines)


def _head_lines(subject: Subject) -> frozenset[int]:
    """Return the lines of decorators and signature that no statement of the body shares."""
    if subject.node is None:
        return frozenset()
    return frozenset(range(first_line(subject.node), first_line(subject.node.body[0])))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a block and of the blocks within, but not of inner functions."""
    for statement in body:
        yield statement
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for field in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(statement, field, []))
        for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _statements(part.body)


@lru_cache(maxsize=16)
def _codes(text: str, file: str) -> tuple[CodeType, ...]:
    try:
        waiting = [compile(text, file, "exec", dont_inherit=True)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: list[CodeType] = []
    while waiting:
        found.append(waiting.pop())
        waiting += [item for item in found[-1].co_consts if isinstance(item, CodeType)]
    return tuple(found)


def middle_from(claim: StateClaim, subject: Subject) -> Middle:
    """Make the start that a claim is: locals that it does not name are unbound.

    Raises StateError when it lies in another function, or at a line without code.
    """
    return Middle(state_from(claim, subject), claim.remaining)


def state_from(claim: StateClaim, subject: Subject, *, anywhere: bool = False) -> State:
    """Make the State that a claim spells out; `anywhere` lets it lie in another function.

    A call without a line is at the function's first line.  Raises StateError.
    """
    name = plain_name(subject)
    function = claim.function.rpartition(".")[2] if claim.function else name
    file = _resolve(claim.file, subject)
    if (function, file) != (name, subject.ref.file) and not anywhere:
        raise StateError(f"the state lies in {function} of {file}, not in {subject.ref.qualname}")
    lineno = claim.lineno
    if lineno is None and claim.event is Event.CALL and subject.node is not None:
        lineno = first_line(subject.node)
    if lineno is None:
        raise StateError(f"a state at a {claim.event.value} event needs a 'lineno' here")
    if (function, file) == (name, subject.ref.file):
        check_line(subject, lineno, claim.event)
    names = None
    if claim.locals is not None or claim.opaque:
        names = bound_values(claim.locals or (), claim.opaque)
    frame = Frame(file, lineno, function, names)
    return State(claim.event, (*claim.stack, frame), _arg(claim), claim.output or "")


def _arg(claim: StateClaim) -> Value | None:
    if claim.exception is not None:
        return Value(claim.message or "", claim.exception)
    return None if claim.value is None else value_of(claim.value)
