"""Whether evaluating an expression once more than the program does would change anything.

Read from the tree, and careful: only calls of builtins and methods that are known to change
nothing, and of the module's own functions that do nothing else.  Not covered: operators, `==` and
properties of the program's own classes.
"""

import ast
from typing import Dict, List, Set, Union

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]

BUILTINS = frozenset((
    "abs", "all", "any", "ascii", "bin", "bool", "bytes", "chr", "complex", "dict", "divmod",
    "enumerate", "float", "format", "frozenset", "hash", "hex", "int", "isinstance",
    "issubclass", "len", "list", "max", "min", "oct", "ord", "pow", "range", "repr",
    "reversed", "round", "set", "slice", "sorted", "str", "sum", "tuple", "type", "zip",
    "sqrt", "gcd", "ceil", "floor", "factorial", "comb",
))  # fmt: skip
METHODS = frozenset((
    "bit_length", "capitalize", "casefold", "center", "copy", "count", "difference", "encode",
    "endswith", "expandtabs", "find", "format", "get", "index", "intersection", "is_integer",
    "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isdisjoint", "isidentifier",
    "islower", "isnumeric", "isprintable", "isspace", "issubset", "issuperset", "istitle",
    "isupper", "items", "join", "keys", "ljust", "lower", "lstrip", "partition",
    "removeprefix", "removesuffix", "replace", "rfind", "rindex", "rjust", "rpartition",
    "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase",
    "symmetric_difference", "title", "translate", "union", "upper", "values", "zfill", "sqrt",
    "gcd", "ceil", "floor", "factorial", "comb", "log", "exp", "sin", "cos",
))  # fmt: skip
_OPEN = ("Yield", "YieldFrom", "Await", "NamedExpr", "Global", "Nonlocal", "Delete", "Import",
         "ImportFrom", "ClassDef", "With", "AsyncWith")  # fmt: skip


class Purity(object):
    """Knows which functions of a module change nothing but their own locals."""

    def __init__(self, tree: ast.AST) -> None:
        found: Dict[str, List[Function]] = {}
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.setdefault(node.name, []).append(node)
        self.functions: Set[str] = set(found) - _assigned(tree)
        # What calls something impure is impure: until nothing more falls.
        while True:
            impure = {name for name in self.functions
                      if not all(map(self._is_pure, found[name]))}  # fmt: skip
            if not impure:
                break
            self.functions -= impure

    def is_harmless(self, node: ast.AST) -> bool:
        """Tell whether evaluating an expression once more would change nothing."""
        return self._is_clean(node, frozenset())

    def _is_pure(self, function: Function) -> bool:
        own = _assigned(function) - {arg.arg for arg in ast.walk(function.args)
                                     if isinstance(arg, ast.arg)}  # fmt: skip
        body = ast.Module(function.body, [])
        return not function.decorator_list and self._is_clean(body, frozenset(own))

    def _is_clean(self, node: ast.AST, own: "frozenset[str]") -> bool:
        """Tell whether nothing inside a node changes anything but the containers named `own`."""
        for part in ast.walk(node):
            if type(part).__name__ in _OPEN:
                return False
            if isinstance(part, ast.Call) and not self._may_call(part, own):
                return False
            into = isinstance(part, (ast.Attribute, ast.Subscript))
            stored = into and isinstance(getattr(part, "ctx", None), ast.Store)
            if stored and not _is_own(getattr(part, "value", part), own):
                return False
            if isinstance(part, ast.AugAssign) and not _is_own(part.target, own):
                # `x += y` changes a list that came from outside in place.
                return False
        return True

    def _may_call(self, call: ast.Call, own: "frozenset[str]") -> bool:
        if isinstance(call.func, ast.Name):
            return call.func.id in BUILTINS or call.func.id in self.functions
        if isinstance(call.func, ast.Attribute):
            return call.func.attr in METHODS or _is_own(call.func.value, own)
        return False


def _is_own(node: ast.AST, own: "frozenset[str]") -> bool:
    return isinstance(node, ast.Name) and node.id in own


def _assigned(tree: ast.AST) -> Set[str]:
    """Return the names that a tree assigns to, other than by `def`."""
    names = {node.id for node in ast.walk(tree)
             if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
    return names | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
