"""What a script reads: lines of standard input in order, and arguments.

From its calls of `input` and `sys.stdin`, in source order and with its loops.  Executes nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from nsdbg.source import last_name


@dataclass(frozen=True, slots=True)
class Line:
    """One line that a script reads.

    `shape` is `int`, `ints`, `float`, `word` or `text`; `count` the numbers or words in it, where
    it is unpacked; `name` what an `int` is bound to.
    """

    shape: str
    count: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Loop:
    """Lines that are read over and over; `name` is the variable that says how often."""

    lines: tuple[Line | Loop, ...]
    name: str = ""
    times: int | None = None


Plan = tuple[Line | Loop, ...]


def plan_of(tree: ast.Module) -> Plan:
    """Return what a script reads, in order."""
    readers = _readers(tree)
    called = {name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
              for name in (node.name,) if name not in readers}  # fmt: skip
    body = [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return tuple(_plan(body, readers, called, 0))


def _readers(tree: ast.Module) -> dict[str, Line]:
    """Return the names of functions and aliases that read one line, with its shape."""
    found = {"input": Line("text"), "readline": Line("text")}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, (ast.Name, ast.Attribute)):
                if last_name(node.value) in found:
                    found[node.targets[0].id] = Line("text")
            elif isinstance(node.value, ast.Lambda):
                lines = _lines(node.value.body, found)
                if lines:
                    found[node.targets[0].id] = lines[0]
        elif isinstance(node, ast.FunctionDef) and len(node.body) == 1:
            value = getattr(node.body[0], "value", None)
            lines = _lines(value, found) if isinstance(value, ast.expr) else []
            if len(lines) == 1:
                found[node.name] = lines[0]
    return found


def _plan(
    body: list[ast.stmt], readers: dict[str, Line], called: dict[str, ast.FunctionDef], depth: int
) -> Iterator[Line | Loop]:
    for node in body:
        if isinstance(node, ast.For) and _is_input(node.iter):
            line = Line(_shape_in(node.body, ast.unparse(node.target)))
            yield Loop((line, *_plan(node.body, readers, called, depth)))
        elif isinstance(node, (ast.For, ast.While)):
            head = _lines(node.iter if isinstance(node, ast.For) else node.test, readers)
            name, times = _times(node)
            if [line.shape for line in head] == ["int"]:
                # `for _ in range(int(input()))`: the number read says how often.
                name, times = f"line {node.lineno}", None
                head = [Line("int", None, name)]
            yield from head
            inner = tuple(_plan(node.body, readers, called, depth))
            if inner:
                yield Loop(inner, name, times)
        elif isinstance(node, (ast.If, ast.With, ast.Try)):
            if isinstance(node, ast.If):
                yield from _lines(node.test, readers)
            yield from _plan(node.body, readers, called, depth)
        elif not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield from _statement(node, readers)
            if depth < 3:
                for call in ast.walk(node):
                    target = (
                        called.get(last_name(call.func)) if isinstance(call, ast.Call) else None
                    )
                    if target is not None:
                        yield from _plan(target.body, readers, called, depth + 1)


def _is_input(node: ast.expr) -> bool:
    """Whether a loop over this turns once for every line of the input, counted or not."""
    if isinstance(node, ast.Call) and last_name(node.func) == "enumerate" and node.args:
        return _is_input(node.args[0])
    if isinstance(node, ast.Call):
        return ast.unparse(node.func) == "fileinput.input"
    return ast.unparse(node) in ("sys.stdin", "stdin")


def _shape_in(body: list[ast.stmt], target: str) -> str:
    """Return a line's shape by what the loop over lines does with it."""
    name = target.strip("()").split(", ")[-1]
    text = "\n".join(ast.unparse(node) for node in body)
    if f"map(int, {name}" in text:
        return "ints"
    for word in ("int", "float"):
        if re.search(rf"\b{word}\({re.escape(name)}\b", text):
            return word
    return "words" if f"{name}.split()" in text else "text"


def _statement(node: ast.stmt, readers: dict[str, Line]) -> Iterator[Line | Loop]:
    lines = [line for value in ast.iter_child_nodes(node) if isinstance(value, ast.expr)
             for line in _lines(value, readers)]  # fmt: skip
    loops = [
        inner for inner in ast.walk(node) if isinstance(inner, (ast.ListComp, ast.GeneratorExp))
    ]
    for loop in loops:
        source = loop.generators[0].iter
        if lines and not _lines(source, readers):
            yield Loop(tuple(lines), _bound_of(source))
            return
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if isinstance(target, ast.Tuple) and len(lines) == 1:
        yield Line(
            lines[0].shape,
            len(target.elts),
            ",".join(getattr(part, "id", "") for part in target.elts),
        )
    elif isinstance(target, ast.Name) and len(lines) == 1:
        yield Line(lines[0].shape, lines[0].count, target.id)
    else:
        yield from lines


def _lines(node: ast.expr | None, readers: dict[str, Line]) -> list[Line]:
    """Return the lines that an expression reads."""
    if node is None:
        return []
    found = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            name = last_name(inner.func)
            if name in readers:
                found.append(_shaped(node, inner, readers[name]))
            elif name in ("read", "readlines") and "stdin" in ast.unparse(inner.func):
                found.append(Line("ints" if "int" in ast.unparse(node) else "text"))
    return found


def _shaped(node: ast.expr, call: ast.Call, line: Line) -> Line:
    """Return a read line's shape by what is done with it."""
    if line.shape != "text":
        return line
    text = ast.unparse(node)
    split = ".split(" in text
    for word in ("int", "float"):
        if f"{word}(" in text or f"map({word}" in text:
            return Line(word + "s" if split else word)
    return Line("words" if split else "word")


def _times(node: ast.For | ast.While) -> tuple[str, int | None]:
    if isinstance(node, ast.While):
        return "", None
    if isinstance(node.iter, ast.Call) and node.iter.args:
        last = node.iter.args[-1 if len(node.iter.args) < 3 else 1]
        if isinstance(last, ast.Constant) and isinstance(last.value, int):
            return "", last.value
    return _bound_of(node.iter), None


def _bound_of(node: ast.expr) -> str:
    """Return the variable that says how often a loop over a range turns."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id not in ("range", "len", "int"):
            return inner.id
    return ""


def argument_shapes(tree: ast.Module) -> tuple[str, ...]:
    """Return the shapes of `sys.argv[1]` and so on, as far as the source indexes them."""
    shapes: dict[int, str] = {}
    for node in ast.walk(tree):
        numeric = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("int", "float")
        for inner in [*getattr(node, "args", ())] if numeric else [node]:
            index = getattr(getattr(inner, "slice", None), "value", None)
            named = isinstance(inner, ast.Subscript) and last_name(inner.value) == "argv"
            if named and isinstance(index, int):
                shapes[index] = "int" if numeric else shapes.get(index, "word")
    return tuple(shapes.get(index, "word") for index in range(1, max(shapes, default=0) + 1))
