"""A call as it is pasted into Python: the expression, and the statements that go before it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from nsdbg.claim import Call
from nsdbg.source import FunctionNode, Subject, call_text
from nsdbg.triage.pair import is_property


def pasted(subject: Subject, call: Call) -> str:
    """Return an expression that does all that a call does: a coroutine is awaited, a generator
    exhausted, a property read."""
    text = call_text(subject, call)
    if is_property(subject):
        return text.removesuffix("()")
    node, kind = subject.node, _yields(subject.node)
    if isinstance(node, ast.AsyncFunctionDef):
        if kind:
            return f"asyncio.run(_all({text}))"
        return f"asyncio.run({text})"
    return f"list({text})" if kind else text


def imports_for(subject: Subject, call: Call) -> tuple[str, ...]:
    """Return the statements that a pasted call needs; whose names it uses comes last."""
    names = [subject.ref.qualname.split(".")[0]]
    statements = list(call.imports)
    given = {name for text in statements for name in _bound_by(text)}
    used = {name for _, text in call.arguments for name in _free_names(text)}
    # What arguments name was found in the module's namespace when they were evaluated there.
    names += sorted(used - given - set(names))
    if isinstance(subject.node, ast.AsyncFunctionDef):
        statements.insert(0, "import asyncio")
        if _yields(subject.node):
            statements.append("async def _all(items): return [item async for item in items]")
    statements.append(f"from {subject.ref.module} import {', '.join(names)}")
    return tuple(dict.fromkeys(statements))


def _yields(node: FunctionNode | None) -> bool:
    """Whether a function has a `yield` of its own."""
    waiting: list[ast.AST] = list(node.body) if node is not None else []
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting += ast.iter_child_nodes(one)
    return False


def _bound_by(text: str) -> Iterator[str]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((one.asname or one.name).split(".")[0] for one in node.names)


def _free_names(text: str) -> set[str]:
    tree = ast.parse(text.strip(), mode="eval")
    names = [one for one in ast.walk(tree) if isinstance(one, ast.Name)]
    bound = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    bound |= {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    return {one.id for one in names} - bound - set(dir(builtins))
