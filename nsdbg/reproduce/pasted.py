"""A call as it is pasted into Python: the statements before it, and the expression itself.

Text is made and parsed here, and nothing is run.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

from nsdbg.claim import Call
from nsdbg.source import Subject, call_text, generates, is_decorated, is_name

_ALL = "async def _all(items): return [item async for item in items]"


def expression(subject: Subject, start: Call) -> str:
    """Return the expression that does all that a call does.

    A property is read, a coroutine awaited, and what a generator gives is collected, that of a
    context manager as well.
    """
    call, node = call_text(subject, start), subject.node
    if subject.receiver and is_decorated(node, "property", "cached_property"):
        return call.removesuffix("()")
    if node is None:
        return call
    if is_decorated(node, "contextmanager", "asynccontextmanager"):
        call = f"{call}.gen"
    if isinstance(node, ast.AsyncFunctionDef):
        return f"asyncio.run({f'_all({call})' if generates(node) else call})"
    return f"list({call})" if generates(node) else call


def statements(subject: Subject, start: Call, folder: Path) -> tuple[str, ...]:
    """Return what is pasted before a call into Python that was started in a folder."""
    needed = imports_of(subject, start)
    root, folder = Path(subject.ref.root).resolve(), folder.resolve()
    if root == folder:
        return tuple(needed)
    shown = root.relative_to(folder).as_posix() if root.is_relative_to(folder) else str(root)
    return ("import sys", f"sys.path.insert(0, {shown!r})", *needed)


def imports_of(subject: Subject, start: Call) -> list[str]:
    """Return the statements that a call needs; those that import from its own module come last.

    They hold where the subject's root is on `sys.path`.
    """
    names = [subject.ref.qualname.split(".")[0]]
    given = {name for text in start.imports for name in _bound_by(text)}
    used = {name for _, text in start.arguments for name in free_names(text)}
    # What the arguments name was found in the module's namespace when they were evaluated there.
    names += sorted(used - given - set(names))
    statements = [*start.imports]
    if isinstance(subject.node, ast.AsyncFunctionDef):
        statements.append("import asyncio")
        if generates(subject.node):
            statements.append(_ALL)
    return list(dict.fromkeys([*statements, *_imported(subject.ref.module, names)]))


def _imported(module: str, names: list[str]) -> Iterator[str]:
    """Yield the statements that import names: `from my-tool import run` is no Python."""
    if all(map(is_name, module.split("."))):
        yield f"from {module} import {', '.join(names)}"
        return
    yield "from importlib import import_module"
    yield from (f"{name} = import_module({module!r}).{name}" for name in names)


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
