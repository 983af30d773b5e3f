"""Starts that the crash itself suggests: recorded locals, and what the caller's line passes.

A proposer like the others: it executes nothing, and what it proposes is judged like all else.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from pathlib import Path

from nsdbg.claim import (
    Call,
    Goal,
    Proposal,
    Script,
    Start,
    Verdict,
)
from nsdbg.errors import SourceError
from nsdbg.proposer import ProposerSession
from nsdbg.reproduce.crash import CrashFrame, Level
from nsdbg.reproduce.recorded import classes_in
from nsdbg.source import MODULE, Subject, parse_source

SOURCE = "log:0"


class LogProposer:
    """Proposes what the frames of one level already tell of its arguments."""

    name = "log"

    def __init__(self, level: Level) -> None:
        self._level = level

    def start(self, goal: Goal, subject: Subject, seed: int) -> ProposerSession:
        """Begin on a goal; the seed changes nothing."""
        return _Session(list(dict.fromkeys(starts(self._level))))


class _Session:
    def __init__(self, found: list[Start]) -> None:
        self._left = found

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return the next starts."""
        asked, self._left = self._left[:count], self._left[count:]
        return [Proposal(one, SOURCE) for one in asked]

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Take verdicts; nothing follows from them here."""


def starts(level: Level) -> Iterator[Start]:
    """Yield the starts that a level's frames suggest, the surest first."""
    if level.subject.node is None:
        yield Script()
        return
    recorded = _recorded(level.subject, level.entry)
    if recorded is not None:
        yield recorded
    if level.caller is not None:
        yield from _passed(level.subject, level.caller)
    # Without arguments: the right call where none is needed, and else a test of the import.
    yield Call()


def _recorded(subject: Subject, frame: CrashFrame) -> Call | None:
    """Return a call with the locals that the log recorded, when they cover what is required."""
    # What a function was called with says more than what its locals became.
    every = {**dict(frame.locals), **dict(frame.arguments)}
    defined = _defined(subject.tree) | set(dir(builtins))
    known = {name: text for name, text in every.items() if classes_in(text) <= defined}
    given = tuple((one.argument_name, known[one.name])
                  for one in subject.parameters if one.name in known)  # fmt: skip
    names = {name for name, _ in given}
    missing = [one for one in subject.parameters if one.required and one.name not in names]
    return Call(given) if given and not missing else None


def _passed(subject: Subject, caller: CrashFrame) -> Iterator[Call]:
    """Yield calls with the arguments as the caller's line writes them."""
    try:
        _, tree = parse_source(Path(caller.file))
    except SourceError:
        return
    name = subject.ref.qualname.rpartition(".")[2]
    owner = subject.ref.qualname.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.lineno <= caller.lineno <= (node.end_lineno or 0):
            called = (
                node.func.attr if isinstance(node.func, ast.Attribute) else ast.unparse(node.func)
            )
            if called == name or (name == "__init__" and called == owner):
                call = _call(subject, node, dict(caller.locals), tree)
                if call is not None:
                    yield call


def _call(
    subject: Subject, node: ast.Call, recorded: dict[str, str], tree: ast.Module
) -> Call | None:
    positional = [one for one in subject.parameters if one.kind.value == "positional"]
    given: list[tuple[str, ast.expr]] = []
    if subject.receiver and positional:
        receiver = positional.pop(0)
        if isinstance(node.func, ast.Attribute):
            given.append((receiver.argument_name, node.func.value))
    if any(isinstance(one, ast.Starred) for one in node.args) or len(node.args) > len(positional):
        return None
    given += [(one.argument_name, value) for one, value in zip(positional, node.args, strict=False)]
    given += [(one.arg, one.value) for one in node.keywords if one.arg is not None]
    texts = [(name, _text(value, subject, recorded, tree)) for name, value in given]
    if any(text is None for _, text in texts):
        return None
    return Call(tuple((name, text) for name, text in texts if text is not None))


def _text(
    value: ast.expr, subject: Subject, recorded: dict[str, str], tree: ast.Module
) -> str | None:
    """Return an argument as text that the target's module can evaluate, None when it cannot.

    Names of the caller's locals are replaced by what the log recorded of them, or by the literal
    that the caller's file assigns to them once.
    """
    known = _defined(subject.tree) | set(dir(builtins))
    replaced = _Replaced(recorded, tree)
    copy = replaced.visit(ast.parse(ast.unparse(value), mode="eval")).body
    free = {one.id for one in ast.walk(copy) if isinstance(one, ast.Name)
            and isinstance(one.ctx, ast.Load)}  # fmt: skip
    bound = {one.id for one in ast.walk(copy) if isinstance(one, ast.Name)
             and isinstance(one.ctx, ast.Store)}  # fmt: skip
    return None if free - bound - known else ast.unparse(copy)


def _defined(tree: ast.Module) -> set[str]:
    """Return the names of a module's imports, functions and classes."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(one.asname or one.name).split(".")[0] for one in node.names}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
    return names


class _Replaced(ast.NodeTransformer):
    """Puts recorded values and literals in the place of names."""

    def __init__(self, recorded: dict[str, str], tree: ast.Module) -> None:
        self._values = {**_literals(tree), **recorded}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace a name that is read, when its value is known."""
        text = self._values.get(node.id)
        if text is None or not isinstance(node.ctx, ast.Load):
            return node
        return ast.parse(text, mode="eval").body


def _literals(tree: ast.Module) -> dict[str, str]:
    """Return the names that a file assigns exactly once, to a literal."""
    found: dict[str, list[ast.expr | None]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                found.setdefault(target.id, []).append(node.value)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, []).append(None)
    literals = {}
    for name, values in found.items():
        # The assignment itself and its target's name: two entries are one assignment.
        if len(values) == 2 and (value := next((one for one in values if one), None)) is not None:
            try:
                ast.literal_eval(value)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                continue
            literals[name] = ast.unparse(value)
    return literals


def is_script(level: Level) -> bool:
    """Whether a level runs the file itself and not a function of it."""
    return level.subject.ref.qualname == MODULE
