"""Calls of a function that stand in its project: in tests, in docstrings, in its callers.

What was passed there is what the function is for.  Reads syntax only; a call that depends on what
is not plain from the text is left out.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from nsdbg.claim import Call
from nsdbg.source import FunctionNode, Parameter, ParameterKind, Subject, last_name
from nsdbg.triage.closed import Closed, Scope, closed
from nsdbg.triage.operators import as_calls, is_special
from nsdbg.triage.project import Project
from nsdbg.triage.pytests import expected, rows

MOST_SEEDS = 200
MOST_FILES = 40
# An expression that makes an object of a class, or of a builtin one: its methods are that class's.
_OF_ANOTHER = re.compile(r"(\w+\.)*[A-Z]\w*\(|[\[{'\"\d]|(dict|list|set|frozenset|str|bytes)\(")
_PROMPT = re.compile(r"^\s*(?:>>>|\.\.\.) ?(.*)$")


@dataclass(frozen=True, slots=True)
class Seed:
    """A call that is written somewhere: `origin` says where, `receiver` whether it has its own."""

    call: Call
    origin: str
    receiver: bool = True


@dataclass(frozen=True, slots=True)
class Seeds:
    """What a project says of a function's calls.

    `receivers` are expressions that make an instance of the function's class.  `raises` are the
    names of exceptions that tests expect of it.
    """

    calls: tuple[Seed, ...] = ()
    receivers: tuple[Closed, ...] = ()
    raises: frozenset[str] = frozenset()


def seeds_of(subject: Subject, project: Project) -> Seeds:
    """Collect the calls of a function in its project, tests before other callers."""
    names = _names(subject)
    calls: dict[Call, Seed] = {}
    receivers: dict[Closed, None] = {}
    raises: set[str] = set()
    for scope, origin in _scopes(subject, project, names):
        whole = scope.tree if scope.only is None else ast.Module(scope.body, [])
        expects = dict(expected(scope.function if scope.function is not None else whole))
        for written, node in _calls(scope, names):
            where = f"{origin}:{node.lineno}"
            if names.owner and last_name(node.func) == names.owner:
                made = closed(node, scope)
                if made is not None:
                    receivers.setdefault(made)
            if last_name(node.func) != names.called:
                continue
            raises |= expects.get(id(written), frozenset())
            if id(written) not in expects:
                for seed in _seed(node, scope, subject, names, where):
                    if seed.receiver or written is node:
                        calls.setdefault(seed.call, seed)
        raises |= {word for one, words in expects.items() if one == names.called for word in words}
        if len(calls) >= MOST_SEEDS:
            break
    return Seeds(tuple(calls.values()), tuple(receivers), frozenset(raises))


@dataclass(frozen=True, slots=True)
class _Names:
    """By what name a function is called, and of which class it is, "" for a plain function."""

    called: str
    owner: str

    @property
    def word(self) -> str:
        """The word that stands where there are calls; operators do not name their methods."""
        return self.owner if self.owner and is_special(self.called) else self.called

    def stand_in(self, text: str) -> bool:
        """Whether a text may hold a call of the function, or one that makes an instance."""
        words = "|".join(re.escape(one) for one in (self.called, self.owner) if one)
        return re.search(rf"\b(?:{words})\b", text) is not None


def _names(subject: Subject) -> _Names:
    parts = subject.ref.qualname.split(".")
    owner = parts[-2] if subject.owner is not None and len(parts) > 1 else ""
    return _Names(parts[-1], owner)


def _scopes(subject: Subject, project: Project, names: _Names) -> Iterator[tuple[Scope, str]]:
    """Yield where calls may stand: docstrings of the module, then functions that name it."""
    own = Path(subject.ref.file)
    yield from _docstrings(subject, names)
    for file in itertools.islice(project.naming(names.word, own), MOST_FILES):
        module = project.module(file)
        if module is None:
            continue
        shown = file.name
        if file.is_relative_to(project.root):
            shown = file.relative_to(project.root).as_posix()
        for node, text in module.functions:
            # Looking into the text is quicker than into the tree.
            for given in rows(node) if names.stand_in(text) else ():
                yield Scope(module.tree, file, node, file == own, given), shown
        yield Scope(module.tree, file, None, file == own), shown


def _docstrings(subject: Subject, names: _Names) -> Iterator[tuple[Scope, str]]:
    """Yield the examples of a module's docstrings that name the function, its own first."""
    own = [subject.node] if subject.node is not None else []
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
    nodes = [*own, *(one for one in ast.walk(subject.tree) if isinstance(one, kinds))]
    file = Path(subject.ref.file)
    for node in dict.fromkeys(nodes):
        text = ast.get_docstring(node)
        if text is None or ">>>" not in text or not names.stand_in(text):
            continue
        tree = _parsed(examples(text))
        if tree is not None:
            inner = Scope(tree, file, own=True)
            around = Scope(subject.tree, file, own=True)
            yield _both(inner, around), "doctest"


def _both(inner: Scope, around: Scope) -> Scope:
    """Return the scope of a docstring's examples: its own names, and those of the module."""
    names = [node for node in around.tree.body
             if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
                           | ast.Import | ast.ImportFrom)]  # fmt: skip
    tree = ast.Module([*names, *inner.tree.body], [])
    return Scope(tree, around.file, own=True, only=tuple(inner.tree.body))


@lru_cache(maxsize=64)
def examples(docstring: str) -> str:
    """Return the statements of a docstring's `>>>` examples, those that parse, as one text."""
    blocks: list[list[str]] = []
    for line in docstring.splitlines():
        found = _PROMPT.match(line)
        if found is None:
            continue
        if line.lstrip().startswith(">>>") or not blocks:
            blocks.append([])
        blocks[-1].append(found[1])
    texts = ("\n".join(block) for block in blocks)
    return "\n".join(text for text in texts if _parsed(text) is not None)


@lru_cache(maxsize=2048)
def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _calls(scope: Scope, names: _Names) -> Iterator[tuple[ast.AST, ast.Call]]:
    """Yield the calls of a scope, without those of the functions in it, and as they are written.

    Of a method that operators stand for, what is written with them is a call, too.
    """
    body: Iterable[ast.AST] = scope.function.body if scope.function is not None else scope.body
    waiting = list(body)[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            yield node, node
        if is_special(names.called):
            yield from ((node, made) for made in as_calls(node))
        if not isinstance(node, FunctionNode | ast.Lambda):
            waiting += list(ast.iter_child_nodes(node))[::-1]


def _seed(
    node: ast.Call, scope: Scope, subject: Subject, names: _Names, where: str
) -> Iterator[Seed]:
    """Yield the call as one of the subject; without its receiver where that is not plain."""
    bound = _bound(node, scope, subject)
    if bound is None:
        return
    if not subject.receiver or not subject.parameters:
        if _is_plain_function(node.func, scope, subject):
            yield Seed(bound, where)
        return
    if not isinstance(node.func, ast.Attribute):
        return
    made = closed(node.func.value, scope)
    if made is None or not re.match(rf"(\w+\.)*{re.escape(names.owner)}\b", made.text):
        if made is None or not _OF_ANOTHER.match(made.text):
            yield Seed(bound, where, receiver=False)
        return
    if made.text.endswith(names.owner):  # of a class method: the class stands in front
        yield Seed(bound, where)
        return
    first = subject.parameters[0].argument_name
    imports = tuple(dict.fromkeys([*made.imports, *bound.imports]))
    yield Seed(Call(((first, made.text), *bound.arguments), imports), where)


def _is_plain_function(func: ast.expr, scope: Scope, subject: Subject) -> bool:
    """Whether what is called may be the subject: a name, or an attribute of a module or a class."""
    if isinstance(func, ast.Name):
        return func.id not in scope.hidden
    if not isinstance(func, ast.Attribute):
        return False
    front = ast.unparse(func.value)
    owner = subject.ref.qualname.rpartition(".")[0]
    if owner:
        return front.endswith(owner.rpartition(".")[2])
    return front.partition(".")[0] in scope.imports


def _bound(node: ast.Call, scope: Scope, subject: Subject) -> Call | None:
    """Bind a call's arguments to the subject's parameters, its receiver left out."""
    parameters = subject.parameters[1:] if subject.receiver else subject.parameters
    found: dict[str, str] = {}
    imports: dict[str, None] = {}
    for name, value in _pairs(node, parameters):
        made = closed(value, scope) if name is not None and value is not None else None
        if name is None or made is None:
            return None
        found[name] = made.text
        imports.update(dict.fromkeys(made.imports))
    missing = [one for one in parameters if one.required and one.argument_name not in found]
    return None if missing else Call(tuple(found.items()), tuple(imports))


def _pairs(
    node: ast.Call, parameters: tuple[Parameter, ...]
) -> Iterator[tuple[str | None, ast.expr | None]]:
    """Yield parameter names with their arguments; a pair of None for what does not fit."""
    plain = [one for one in parameters if one.kind is ParameterKind.POSITIONAL]
    star = next((one for one in parameters if one.kind is ParameterKind.VAR_POSITIONAL), None)
    double = next((one for one in parameters if one.kind is ParameterKind.VAR_KEYWORD), None)
    known = {one.name for one in parameters}
    if any(word.arg is None for word in node.keywords):
        yield None, None
    yield from zip((one.name for one in plain), node.args, strict=False)
    rest = node.args[len(plain) :]
    if rest:
        yield (star.argument_name if star else None), ast.Tuple(rest, ast.Load())
    others = [word for word in node.keywords if word.arg is not None and word.arg not in known]
    yield from ((word.arg, word.value) for word in node.keywords if word.arg in known)
    if others:
        keys: list[ast.expr | None] = [ast.Constant(word.arg) for word in others]
        named = ast.Dict(keys, [word.value for word in others])
        yield (double.argument_name if double else None), named


def with_receiver(seed: Seed, subject: Subject, receiver: Closed) -> Seed:
    """Return a seed that was found without its receiver, with one."""
    first = subject.parameters[0].argument_name
    imports = tuple(dict.fromkeys([*receiver.imports, *seed.call.imports]))
    call = Call(((first, receiver.text), *seed.call.arguments), imports)
    return replace(seed, call=call, receiver=True)
