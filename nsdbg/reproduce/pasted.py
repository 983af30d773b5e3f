"""A call as it is pasted into Python: the statements before it, and the expression itself.

Text is made and parsed here, and nothing is run.
"""

from __future__ import annotations

import ast
import builtins

from nsdbg.claim import Call
from nsdbg.source import FunctionNode, Subject, call_text


def expression(subject: Subject, start: Call) -> str:
    """Return the expression that runs a call to its end: coroutines and generators too."""
    call = call_text(subject, start)
    if is_async(subject.node):
        return f"asyncio.run({call})"
    return f"list({call})" if is_generator(subject.node) else call


def imports_of(subject: Subject, start: Call) -> list[str]:
    """Return the import statements that a call needs, its own ones first.

    They hold where the subject's root is on `sys.path`.
    """
    names = [subject.ref.qualname.split(".")[0]]
    given = {name for text in start.imports for name in _bound_by(text)}
    used = {name for _, text in start.arguments for name in free_names(text)}
    # What the arguments name was found in the module's namespace when they were evaluated there.
    names += sorted(used - given - set(names))
    statements = [*start.imports]
    if is_async(subject.node):
        statements.append("import asyncio")
    statements.append(f"from {subject.ref.module} import {', '.join(names)}")
    return list(dict.fromkeys(statements))


def _bound_by(text: str) -> set[str]:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return set()
    return {name for node in tree.body for name in _bound_by_statement(node)}


def _bound_by_statement(node: ast.stmt) -> set[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(one.asname or one.name).split(".")[0] for one in node.names}
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else []
    return {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}


def free_names(text: str) -> set[str]:
    """Return the names that an expression needs from elsewhere; builtins are none."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return set()
    names = [one for one in ast.walk(tree) if isinstance(one, ast.Name)]
    bound = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    bound |= {one.arg for one in ast.walk(tree) if isinstance(one, ast.arg)}
    return {one.id for one in names} - bound - set(dir(builtins))


def is_async(node: FunctionNode | None) -> bool:
    """Whether a call of a function gives a coroutine."""
    return isinstance(node, ast.AsyncFunctionDef)


def is_generator(node: FunctionNode | None) -> bool:
    """Whether a function has a `yield` of its own."""
    stack: list[ast.AST] = list(node.body) if node is not None else []
    while stack:
        one = stack.pop()
        if isinstance(one, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            stack += ast.iter_child_nodes(one)
    return False
