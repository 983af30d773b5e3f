"""A function's definition as a tree of its own, and a function made of a changed one."""

import ast
import tokenize
import warnings
from types import CellType, CodeType, FunctionType
from typing import Any, List, Tuple

from .continuation import FUNCTIONS, Constants, Refused, start_line


def source_of(code: CodeType) -> str:
    """Return the text of the file that a code object comes from; raises Refused."""
    try:
        with tokenize.open(code.co_filename) as file:
            return file.read()
    except (OSError, SyntaxError, UnicodeDecodeError) as error:
        raise Refused("no-source", "%s: %s" % (code.co_filename, error)) from error


def definition(text: str, code: CodeType) -> Tuple[ast.Module, Any]:
    """Return a new tree of the statement that defines a function, as a module, and the function.

    Imports from `__future__` are kept, since they change how the rest is compiled.
    """
    module = ast.parse(text, code.co_filename)
    for statement in module.body:
        for node in ast.walk(statement):
            if not isinstance(node, FUNCTIONS) or node.name != code.co_name:
                continue
            if start_line(node) == code.co_firstlineno:
                module.body = [*_future_imports(module), statement]
                return module, node
    raise Refused("no-source", "%s is not in its file any more" % code.co_name)


def redefined(function: FunctionType, module: ast.Module, constants: Constants) -> FunctionType:
    """Return a function like another, of a changed definition; it has the other's closure.

    Raises Refused, and what compiling raises.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # constants of ours are called, which looks odd
        whole = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    code = constants.put_into(_find_code(whole, function.__code__))
    closure = function.__closure__ or ()
    old = {name: closure[at] for at, name in enumerate(function.__code__.co_freevars)}
    cells = tuple(old.get(name) or CellType() for name in code.co_freevars)
    return FunctionType(code, function.__globals__, function.__name__, None, cells)


def _future_imports(module: ast.Module) -> List[ast.stmt]:
    return [
        node for node in module.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
    ]  # fmt: skip


def _find_code(whole: CodeType, like: CodeType) -> CodeType:
    waiting = [whole]
    while waiting:
        code = waiting.pop()
        same = (code.co_name, code.co_firstlineno) == (like.co_name, like.co_firstlineno)
        if same and code.co_argcount == like.co_argcount:
            return code
        waiting += [const for const in code.co_consts if isinstance(const, CodeType)]
    raise Refused("no-source", "%s is not in its file any more" % like.co_name)
