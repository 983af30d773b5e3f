"""Small pieces of syntax trees that instrumentation is made of.

Every node that is made gets the place of the one it stands for, so that line numbers stay.
"""

import ast
from typing import Any, List, Optional, Sequence, Tuple, cast

METER = "__nsdbg_meter__"
# What means something else inside a function of its own.
_BOUND = ("super", "locals", "vars", "dir", "eval", "exec", "__class__")
_OPEN = ["Yield", "YieldFrom", "Await", "NamedExpr"]
_REGISTERED = "_nsdbg_registered"


def call(name: str, arguments: Sequence[ast.expr], like: ast.AST) -> ast.Call:
    """Build `__nsdbg_meter__.name(arguments)` at the place of another node."""
    meter = ast.Name(METER, ast.Load())
    made = ast.Call(ast.Attribute(meter, name, ast.Load()), list(arguments), [])
    placed(made, like)
    return made


def placed(node: Any, like: ast.AST) -> Any:
    """Give `node` and what was made with it the place of `like`; other nodes keep theirs."""
    for part in ast.walk(node):
        if isinstance(part, (ast.expr, ast.stmt)) and not hasattr(part, "lineno"):
            ast.copy_location(part, like)
    return node


def constant(value: Any) -> ast.Constant:
    """Build a constant, with what Python 3.8 wants of one."""
    return ast.Constant(value, kind=None)


def later(body: ast.expr) -> ast.Lambda:
    """Build a function of no arguments that evaluates an expression when it is time."""
    nothing = ast.arguments(
        posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )
    return ast.Lambda(nothing, body)


def registered(node: Any) -> Any:
    """Mark an expression that leaves its condition's distances in the meter."""
    setattr(node, _REGISTERED, True)
    return node


def is_registered(node: ast.AST) -> bool:
    """Tell whether an expression leaves its condition's distances in the meter."""
    return getattr(node, _REGISTERED, False)


def is_movable(node: ast.AST) -> bool:
    """Tell whether an expression means the same inside a function of its own."""
    for part in ast.walk(node):
        if type(part).__name__ in _OPEN or getattr(part, "is_async", False):
            return False
        if isinstance(part, ast.Name) and part.id in _BOUND:
            return False
    return True


def called_name(node: ast.Call) -> Optional[str]:
    """Return the last name of what is called, None where it has none."""
    name = getattr(node.func, "attr", getattr(node.func, "id", None))
    return cast(Optional[str], name)


def is_length(node: ast.expr) -> bool:
    """Tell whether an expression is a length, whose distance is a count of elements."""
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len"


def is_plain_function(node: ast.AST) -> bool:
    """Tell whether a function is neither a coroutine nor a generator."""
    if isinstance(node, ast.AsyncFunctionDef):
        return False
    return not any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in ast.walk(node))


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Tell whether a block ends by leaving the block around it."""
    leaving = (ast.Return, ast.Raise, ast.Continue, ast.Break)
    return bool(body) and isinstance(body[-1], leaving)


def own_lines(statement: ast.stmt) -> Tuple[int, int]:
    """Return the first and last line of a statement, without the blocks inside it."""
    first, last = statement.lineno, getattr(statement, "end_lineno", None) or statement.lineno
    for decorator in getattr(statement, "decorator_list", ()):
        first = min(first, decorator.lineno)
    inner = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if isinstance(inner, list) and inner:
        begin = getattr(
            inner[0], "lineno", getattr(getattr(inner[0], "pattern", None), "lineno", 0)
        )
        last = max(first, begin - 1)
    return first, last


def parsed(text: str, like: ast.AST) -> ast.expr:
    """Parse an expression at the place of another node."""
    expression = ast.parse(text, mode="eval").body
    for part in ast.walk(expression):
        if hasattr(part, "lineno"):
            ast.copy_location(part, like)
    return expression


def guard(site: int, taken: bool, nearest: bool = False) -> ast.Tuple:
    """Build a `meter.Guard`."""
    return ast.Tuple([constant(part) for part in (site, taken, nearest)], ast.Load())


def haunted(body: List[ast.stmt]) -> List[ast.stmt]:
    """Let a body live on after a failed check, and then end as it would have."""
    like = body[0]
    settle = ast.If(call("settled", [], like), [ast.Return(call("settle", [], like))], [])
    written = [ast.Expr(call("enter", [], like)), ast.Try(body, [], [], [settle])]
    return [placed(part, like) for part in written]
