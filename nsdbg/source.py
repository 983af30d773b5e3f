"""The source of a function under study: its tree, its parameters, and where it is imported from.

Reads and parses files; imports and executes nothing of them.
"""

from __future__ import annotations

import ast
import difflib
import keyword
import re
import stat
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

from nsdbg.claim import Call, FunctionRef
from nsdbg.errors import SourceError

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
MODULE = "<module>"
LARGEST_SOURCE = 32 << 20


class ParameterKind(Enum):
    """How an argument reaches its parameter, in the words of `inspect`."""

    POSITIONAL = "positional"
    KEYWORD_ONLY = "keyword-only"
    VAR_POSITIONAL = "var-positional"
    VAR_KEYWORD = "var-keyword"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: `annotation` and `default` are source text, None where there is none."""

    name: str
    kind: ParameterKind
    annotation: str | None = None
    default: str | None = None

    @property
    def argument_name(self) -> str:
        """The name under which a `Call` gives its argument: with its stars."""
        stars = {ParameterKind.VAR_POSITIONAL: "*", ParameterKind.VAR_KEYWORD: "**"}
        return stars.get(self.kind, "") + self.name

    @property
    def required(self) -> bool:
        """Whether a call fails without it."""
        plain = self.kind in (ParameterKind.POSITIONAL, ParameterKind.KEYWORD_ONLY)
        return plain and self.default is None


@dataclass(frozen=True, slots=True)
class Subject:
    """A function with everything a proposer may read of it.

    `node` is None for a module's own code.  `owner` is the class of a method, and `receiver`
    tells whether the first parameter is `self` or `cls` (False for static methods).
    """

    ref: FunctionRef
    text: str
    tree: ast.Module
    node: FunctionNode | None
    parameters: tuple[Parameter, ...] = ()
    owner: ast.ClassDef | None = None
    receiver: bool = False

    @property
    def body(self) -> list[ast.stmt]:
        """The statements of the function, or of the module."""
        return self.tree.body if self.node is None else self.node.body

    @property
    def lines(self) -> list[str]:
        """The file's lines, index 0 being line 1."""
        return self.text.splitlines()


def read_source(path: Path) -> str:
    """Return a file's text, decoded as Python decodes it (PEP 263).

    Raises SourceError when it cannot be read or decoded, and for what is no file, or a huge one:
    a link to a device would never end, nor opening a FIFO.
    """
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_SOURCE:
            raise SourceError(f"{path} is no source file: it is no regular file, or too large")
        with tokenize.open(path) as file:
            return file.read()
    except (OSError, SyntaxError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error  # without the path a second time
        raise SourceError(f"cannot read {path}: {reason}") from error


@lru_cache(maxsize=256)
def _parse(text: str, path: str) -> ast.Module:
    try:
        return ast.parse(text, path)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise SourceError(f"{path} does not parse with this Python: {error}") from error


def parse_source(path: Path) -> tuple[str, ast.Module]:
    """Return a file's text and tree; raises SourceError when it does not parse here."""
    text = read_source(path)
    return text, _parse(text, str(path))


def import_name(file: Path) -> tuple[Path, str]:
    """Return the folder for `sys.path` and the dotted name under which `file` is imported.

    Packages are followed upwards as long as there is an `__init__.py`, as pytest does, but never
    out of the home folder: what is imported from may be read by the code under test.
    """
    file = file.resolve()
    parts = [] if file.stem == "__init__" else [file.stem]
    folder = file.parent
    homes = (Path.home(), *Path.home().parents)
    while (folder / "__init__.py").is_file() and folder not in homes:
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts)


def functions(tree: ast.Module) -> Iterator[tuple[str, FunctionNode, ast.ClassDef | None]]:
    """Yield every function of a module with its qualified name and, for a method, its class."""
    yield from _functions(tree.body, "", None)


def _functions(
    body: list[ast.stmt], prefix: str, owner: ast.ClassDef | None
) -> Iterator[tuple[str, FunctionNode, ast.ClassDef | None]]:
    for node in body:
        if isinstance(node, FunctionNode):
            yield prefix + node.name, node, owner
            yield from _functions(node.body, f"{prefix}{node.name}.<locals>.", None)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.", node)
        else:
            for field in ("body", "orelse", "finalbody"):
                inner = getattr(node, field, None)
                if isinstance(inner, list):
                    yield from _functions(inner, prefix, owner)
            for handler in getattr(node, "handlers", ()):
                yield from _functions(handler.body, prefix, owner)
            for case in getattr(node, "cases", ()):
                yield from _functions(case.body, prefix, owner)


def first_line(node: ast.stmt) -> int:
    """Return the line at which a statement's code begins: of a decorated one its decorator's."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)])


def statements_around(tree: ast.AST, lineno: int) -> Iterator[ast.stmt]:
    """Yield the statements that a line belongs to, the outermost first, decorators included.

    What does not hold the line is not entered: a log of a thousand crashes asks a thousand times.
    """
    waiting = [tree]
    while waiting:
        inner: list[ast.AST] = []
        for node in waiting:
            for child in ast.iter_child_nodes(node):
                if not isinstance(child, ast.stmt):
                    if not isinstance(child, ast.expr):
                        inner.append(child)
                elif first_line(child) <= lineno <= (child.end_lineno or child.lineno):
                    yield child
                    inner.append(child)
        waiting = inner


@lru_cache(maxsize=32)
def _functions_of(
    tree: ast.Module,
) -> tuple[tuple[str, FunctionNode, ast.ClassDef | None], ...]:
    return tuple(functions(tree))


@lru_cache(maxsize=8)
def _physical_lines(text: str) -> tuple[str, ...]:
    """Return a text's lines as the parser counts them: a form feed ends none."""
    return tuple(re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text))


def segment(text: str, node: ast.expr | ast.stmt) -> str | None:
    """Return the text of a node, as `ast.get_source_segment` does, without reading all of it."""
    lines, last = _physical_lines(text), node.end_lineno or node.lineno
    if last > len(lines):
        return None
    moved = ast.copy_location(ast.Pass(), node)
    moved.lineno, moved.end_lineno = 1, last - node.lineno + 1
    return ast.get_source_segment("".join(lines[node.lineno - 1 : last]), moved)


def function_at(tree: ast.Module, lineno: int) -> str:
    """Return the qualified name of the innermost function around a line, else `<module>`."""
    found = MODULE
    for qualname, node, _ in _functions_of(tree):
        if first_line(node) <= lineno <= (node.end_lineno or node.lineno):
            found = qualname
    return found


def load_subject(file: Path, qualname: str, root: Path | None = None) -> Subject:
    """Read one function of a file.

    `qualname` may be a plain name when only one function bears it.  `root` is the folder for
    `sys.path`; by default it follows from the packages around the file.
    Raises SourceError for a file that cannot be read and for a function that is not there.
    """
    try:
        file = file.resolve()
    except (OSError, RuntimeError) as error:  # links in a circle, in the words of Python to 3.12
        raise SourceError(f"cannot read {file}: {error}") from error
    text, tree = parse_source(file)
    found_root, module = import_name(file)
    if root is not None and file.is_relative_to(root.resolve()):
        relative = file.relative_to(root.resolve()).with_suffix("")
        parts = relative.parts[:-1] if relative.name == "__init__" else relative.parts
        if all(part.isidentifier() for part in parts):
            found_root, module = root.resolve(), ".".join(parts)
    if qualname == MODULE:
        return Subject(FunctionRef(str(file), MODULE, module, str(found_root)), text, tree, None)
    qualname, node, owner = _find(tree, qualname, file)
    ref = FunctionRef(str(file), qualname, module, str(found_root))
    receiver = owner is not None and not _is_static(node)
    return Subject(ref, text, tree, node, _parameters(node.args), owner, receiver)


def _find(
    tree: ast.Module, qualname: str, file: Path
) -> tuple[str, FunctionNode, ast.ClassDef | None]:
    known = _functions_of(tree)
    exact = [entry for entry in known if entry[0] == qualname]
    if exact:
        # A later definition replaces an earlier one, as at run time; a setter adds to a property.
        return ([one for one in exact if not is_setter(one[1])] or exact)[-1]
    plain = [entry for entry in known if entry[1].name == qualname]
    if len(plain) == 1:
        return plain[0]
    if plain:
        choices = ", ".join(entry[0] for entry in plain)
        raise SourceError(f"{file} has several functions {qualname}: name one of {choices}")
    names = [entry[0] for entry in known]
    near = difflib.get_close_matches(qualname, names, 3) or names[:8]
    hint = f"; it has {', '.join(near)}" if near else "; it defines no function"
    raise SourceError(f"there is no function {qualname} in {file}{hint}")


def _is_static(node: FunctionNode) -> bool:
    return any(isinstance(item, ast.Name) and item.id == "staticmethod"
               for item in node.decorator_list)  # fmt: skip


def _parameters(args: ast.arguments) -> tuple[Parameter, ...]:
    plain = [*args.posonlyargs, *args.args]
    missing: list[ast.expr | None] = [None] * (len(plain) - len(args.defaults))
    found = [
        _parameter(arg, ParameterKind.POSITIONAL, default)
        for arg, default in zip(plain, [*missing, *args.defaults], strict=True)
    ]
    if args.vararg:
        found.append(_parameter(args.vararg, ParameterKind.VAR_POSITIONAL, None))
    found += [
        _parameter(arg, ParameterKind.KEYWORD_ONLY, default)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]
    if args.kwarg:
        found.append(_parameter(args.kwarg, ParameterKind.VAR_KEYWORD, None))
    return tuple(found)


def _parameter(arg: ast.arg, kind: ParameterKind, default: ast.expr | None) -> Parameter:
    annotation = ast.unparse(arg.annotation) if arg.annotation else None
    return Parameter(arg.arg, kind, annotation, ast.unparse(default) if default else None)


def call_text(subject: Subject, call: Call) -> str:
    """Return a call as Python text, to be read or pasted where the module's names are imported.

    Arguments stand by position as far as none before them is left out, then by name; a method's
    receiver stands in front: `Order(items=[]).total(2)`.
    """
    given = dict(call.arguments)
    name = subject.ref.qualname
    if subject.receiver and subject.parameters:
        receiver = given.pop(subject.parameters[0].argument_name, None)
        owner, _, method = name.rpartition(".")
        name = f"{_atom(receiver)}.{method}" if receiver is not None else f"{owner}.{method}"
    return f"{name}({', '.join(_argument_texts(subject, given))})"


def _atom(expression: str) -> str:
    """Put brackets around an expression that a dot behind it would split: `-1`, `a + b`, `1`."""
    node = ast.parse(expression, mode="eval").body
    plain = isinstance(node, ast.Name | ast.Call | ast.Attribute | ast.Subscript)
    return expression if plain else f"({expression})"


def _argument_texts(subject: Subject, given: dict[str, str]) -> Iterator[str]:
    by_position = True
    for parameter in subject.parameters[1 if subject.receiver else 0 :]:
        value = given.get(parameter.argument_name)
        if value is None:
            if parameter.kind is ParameterKind.POSITIONAL:
                by_position = False
        elif parameter.kind is ParameterKind.VAR_POSITIONAL:
            # Behind a name no value may stand alone, but one with a star may.
            yield from _spread(value) if by_position else (f"*{_starred(value)}",)
            by_position = False
        elif parameter.kind is ParameterKind.VAR_KEYWORD:
            yield from _spread_by_name(value)
        elif parameter.kind is ParameterKind.POSITIONAL and by_position:
            yield value
        else:
            yield f"{parameter.name}={value}"


def _spread(expression: str) -> Iterator[str]:
    """Yield the items of a tuple or list that is written out one by one: `1, 2` for `*(1, 2)`."""
    node = ast.parse(expression, mode="eval").body
    if isinstance(node, ast.Tuple | ast.List):
        yield from map(ast.unparse, node.elts)
    else:
        yield f"*{_starred(expression)}"


def _starred(expression: str) -> str:
    """Return what may stand behind a star: brackets as they are, around what is no atom."""
    return expression if expression[:1] + expression[-1:] in ("()", "[]") else _atom(expression)


def _spread_by_name(expression: str) -> Iterator[str]:
    """Yield the items of a dict that is written out: `cat='dog'` for `**{'cat': 'dog'}`."""
    node = ast.parse(expression, mode="eval").body
    if not isinstance(node, ast.Dict):
        yield f"**{_atom(expression)}"
        return
    values = [one.value if isinstance(one, ast.Constant) else None for one in node.keys]
    keys = [one if isinstance(one, str) else "" for one in values]
    if all(map(is_name, keys)) and len(set(keys)) == len(keys):
        yield from (f"{key}={ast.unparse(value)}"
                    for key, value in zip(keys, node.values, strict=True))  # fmt: skip
    else:
        yield f"**{expression}"


def is_name(text: str) -> bool:
    """Whether a text can stand in Python source as a name."""
    return text.isidentifier() and not keyword.iskeyword(text)


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """Yield the nodes of a function's body, those of functions and classes within it left out."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def generates(function: FunctionNode) -> bool:
    """Whether calling a function makes a generator, which runs nothing yet."""
    return any(isinstance(found, ast.Yield | ast.YieldFrom) for found in own_nodes(function))


def last_name(node: ast.AST) -> str:
    """Return the last part of a name: `sleep` of `time.sleep`, "" of what is no name."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_decorated(function: FunctionNode | None, *names: str) -> bool:
    """Whether one of some decorators stands on a function, whatever module it is named through."""
    return function is not None and any(
        last_name(item) in names for item in function.decorator_list
    )


def is_setter(function: FunctionNode) -> bool:
    """Whether a function is a property's setter or deleter, which is no call."""
    return any(isinstance(one, ast.Attribute) and one.attr in ("setter", "deleter")
               for one in function.decorator_list)  # fmt: skip
