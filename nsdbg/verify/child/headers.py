"""The lines at which execution passes the head of a statement, by this interpreter's compiler.

A call that spans lines is passed at its first line twice: before its arguments and after them.
Nothing is run: the statement is compiled alone, its blocks replaced.
"""

import ast
import warnings
from dis import findlinestarts
from types import CodeType
from typing import Any, List

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def header_lines(node: ast.stmt) -> List[int]:
    """Return the lines of a statement's head in the order of its code, repeats included.

    Empty for a statement without code, such as a docstring.
    """
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return []
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return []
    if not isinstance(node, (ast.With, ast.AsyncWith, ast.Try)) and _lies_on_one_line(node):
        return [node.lineno]
    return _compiled_lines(node)


def first_line(node: ast.stmt) -> int:
    """Return the line of a statement's first event; 0 when it has none."""
    lines = header_lines(node)
    return lines[0] if lines else 0


def header_parts(node: ast.stmt) -> List[ast.AST]:
    """Return what belongs to a statement's head: everything but its blocks."""
    blocks = ("body", "orelse", "finalbody", "handlers", "cases")
    parts: List[ast.AST] = []
    for field, value in ast.iter_fields(node):
        if field in blocks and isinstance(value, list):
            continue
        parts += [value] if isinstance(value, ast.AST) else []
        parts += (
            [item for item in value if isinstance(item, ast.AST)] if isinstance(value, list) else []
        )
    return parts


def _lies_on_one_line(node: ast.stmt) -> bool:
    lines = {node.lineno}
    for part in header_parts(node):
        lines |= {inner.lineno for inner in ast.walk(part) if hasattr(inner, "lineno")}
    return len(lines) == 1


def _compiled_lines(node: ast.stmt) -> List[int]:
    far = (node.end_lineno or node.lineno) + 1000
    alone = _without_blocks(node, far)
    outer: Any = ast.AsyncFunctionDef if _awaits(node) else ast.FunctionDef
    function = ast.parse("def f(): pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    wrapped = outer(**{**dict(ast.iter_fields(function)), "body": [alone]})
    ast.copy_location(wrapped, function)
    module = ast.Module(body=[wrapped], type_ignores=[])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(module, "<head>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return [node.lineno, node.lineno]  # of which nothing is known: passed more than once
    inner = next(const for const in code.co_consts if isinstance(const, CodeType))
    found = [line for _, line in findlinestarts(inner) if line and line != far]
    if found and found[0] == 1 and node.lineno != 1:
        del found[0]  # the function's own beginning, since 3.11
    return found


def _awaits(node: ast.stmt) -> bool:
    kinds = (ast.Await, ast.AsyncFor, ast.AsyncWith)
    if isinstance(node, kinds):
        return True
    return any(
        isinstance(inner, kinds) or getattr(inner, "is_async", 0)
        for part in header_parts(node)
        for inner in ast.walk(part)
    )


def _without_blocks(node: ast.stmt, far: int) -> ast.stmt:
    """Return a copy whose blocks are one `pass` far away."""

    def nothing() -> List[ast.stmt]:
        return [ast.Pass(lineno=far, end_lineno=far, col_offset=0, end_col_offset=0)]

    fields = dict(ast.iter_fields(node))
    if isinstance(node, (ast.If, ast.While)):
        return ast.copy_location(ast.If(node.test, nothing(), []), node)
    if isinstance(node, (ast.For, ast.AsyncFor, ast.With, ast.AsyncWith)):
        fields.update(body=nothing(), **({"orelse": []} if "orelse" in fields else {}))
    elif isinstance(node, _SCOPES):
        fields.update(body=nothing())
    elif isinstance(node, ast.Try) or type(node).__name__ == "TryStar":
        body = nothing()
        return ast.copy_location(ast.Try(body, [], [], nothing()), node)
    elif type(node).__name__ == "Match":
        return ast.copy_location(ast.Expr(fields["subject"]), node)
    return ast.copy_location(type(node)(**fields), node)
