"""Which call a statement makes first, and the state in which the function called begins.

Only functions in view count: a debugger's `step` goes into them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nsdbg.propose.codec.seen import UNTOLD, described
from nsdbg.propose.codec.situation import WELL_KNOWN, Situation
from nsdbg.propose.codec.syntax import Definition
from nsdbg.propose.codec.view import View
from nsdbg.propose.evaluate import Unknown, evaluate
from nsdbg.propose.evaluation.lazy import Generating
from nsdbg.propose.evaluation.opaque import Opaque
from nsdbg.source import first_line, generates, own_nodes
from nsdbg.state import Event, Frame, State, Value

# What takes a generator's first item at once, so that its code begins to run.
_CONSUMERS = frozenset({"all", "any", "dict", "frozenset", "join", "list", "max", "min", "next",
                        "set", "sorted", "sum", "tuple"})  # fmt: skip
_FUNCTION_TEXT = re.compile(r"<(?:bound method|function) ([\w.<>]+?)(?: of | at |>$)")


class Unsure(Exception):
    """Which call comes first, or whether it is in view, cannot be told."""


@dataclass(frozen=True, slots=True)
class Callee:
    """A function in view: its file, its full name and its definition."""

    file: str
    qualname: str
    node: Definition

    @property
    def lineno(self) -> int:
        """The line at which a call of it is seen."""
        return first_line(self.node)


@dataclass(frozen=True, slots=True)
class Made:
    """A call that a statement makes, the function it goes to, and the receiver before its dot."""

    call: ast.Call
    callee: Callee
    receiver: Any = None
    bound: bool = False


def _functions(view: View) -> Iterator[Callee]:
    """Yield the functions in view, and those that are defined within them."""
    known = {(text.file, text.lineno) for text in view.texts}
    for text, syntax in zip(view.texts, view.syntax, strict=True):
        if syntax.definition is None:
            continue
        yield Callee(text.file, text.qualname, syntax.definition)
        for node in own_nodes(syntax.definition):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if (text.file, first_line(node)) not in known:
                yield Callee(text.file, f"{text.qualname}.<locals>.{node.name}", node)


class Calls:
    """Finds the first call of a function in view, in the order in which Python evaluates."""

    def __init__(self, view: View, names: dict[str, Any]) -> None:
        """Take the names of the frame that is about to call, with their values."""
        self._names = names
        self._functions = list(_functions(view))
        self._called = {one.qualname.rpartition(".")[2] for one in self._functions}
        self._called |= {
            one.qualname.split(".")[-2]
            for one in self._functions
            if one.qualname.endswith(".__init__")
        }

    def first(self, node: ast.AST) -> Made | None:
        """Return the call that is made first, or None when none is.

        Raises Unsure where that depends on what is not known.
        """
        if not self._anywhere(node):
            return None
        return self._first(node)

    def _anywhere(self, node: ast.AST) -> bool:
        calls = (found for found in ast.walk(node) if isinstance(found, ast.Call))
        return any(self._named(call) or _gives_code(call) for call in calls)

    def _named(self, call: ast.Call) -> bool:
        """Whether a call may be one of a function in view."""
        func = call.func
        if isinstance(func, ast.Attribute):
            return func.attr in self._called
        return isinstance(func, ast.Name) and (
            func.id in self._called or isinstance(self._names.get(func.id), Opaque)
        )

    def _first(self, node: ast.AST) -> Made | None:
        if isinstance(node, ast.Lambda):
            return None
        if isinstance(node, ast.BoolOp):
            return self._of_boolean(node)
        if isinstance(node, ast.IfExp):
            made = self.first(node.test)
            if made is None and (self._anywhere(node.body) or self._anywhere(node.orelse)):
                made = self.first(node.body if self._truth(node.test) else node.orelse)
            return made
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            made = self.first(node.generators[0].iter)
            if made is None:
                raise Unsure
            return made
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            raise Unsure
        for inner in ast.iter_child_nodes(node):
            made = self.first(inner)
            if made is not None:
                return self._consumed(made, node)
        if not isinstance(node, ast.Call):
            return None
        if self._named(node):
            return self._made(node)
        if _gives_code(node):
            raise Unsure
        return None

    def _of_boolean(self, node: ast.BoolOp) -> Made | None:
        for value in node.values:
            made = self.first(value)
            if made is not None:
                return made
            if self._truth(value) is isinstance(node.op, ast.Or):
                return None
        return None

    def _truth(self, node: ast.expr) -> bool:
        try:
            return bool(evaluate(node, self._names))
        except Unknown as error:
            raise Unsure from error

    def _consumed(self, made: Made, node: ast.AST) -> Made:
        """Return a call found within a node; a generator has to be consumed by it."""
        if not generates(made.callee.node) or made.call not in ast.iter_child_nodes(node):
            return made
        func = node.func if isinstance(node, ast.Call) else None
        name = getattr(func, "id", None) or getattr(func, "attr", None)
        if name not in _CONSUMERS:
            raise Unsure
        return made

    def _made(self, call: ast.Call) -> Made | None:
        func = call.func
        if isinstance(func, ast.Name):
            return self._of_name(call, func.id)
        assert isinstance(func, ast.Attribute)
        try:
            receiver = evaluate(func.value, self._names)
        except Unknown:
            receiver = None
            # The receiver may be a module, of which a plain function is called.
            plain = self._only(func.attr)
            if "." not in plain.qualname:
                return self._checked(Made(call, plain))
            raise Unsure from None
        if not isinstance(receiver, Opaque):
            return None
        return self._checked(Made(call, self._method(func.attr, receiver), receiver, bound=True))

    def _of_name(self, call: ast.Call, name: str) -> Made | None:
        known = self._names.get(name)
        if isinstance(known, Opaque):
            told = known.told.repr if isinstance(known.told, Value) else ""
            match = _FUNCTION_TEXT.match(told)
            if match is None or match[1].rpartition(".")[2] not in self._called:
                return None
            return self._checked(Made(call, self._only(match[1].rpartition(".")[2])))
        if known is not None and not isinstance(known, Generating):
            return None
        made = [one for one in self._functions if one.qualname.endswith(f"{name}.__init__")]
        if len(made) == 1:
            new = Opaque(Value("<?>", name, truncated=True))
            return self._checked(Made(call, made[0], new, bound=True))
        return self._checked(Made(call, self._only(name)))

    def _only(self, name: str) -> Callee:
        found = [one for one in self._functions if one.qualname.rpartition(".")[2] == name]
        if len(found) != 1:
            raise Unsure
        return found[0]

    def _method(self, name: str, receiver: Opaque) -> Callee:
        kind = receiver.told.type.rpartition(".")[2] if isinstance(receiver.told, Value) else ""
        own = [one for one in self._functions if one.qualname.endswith(f"{kind}.{name}")]
        return own[0] if len(own) == 1 else self._only(name)

    def _checked(self, made: Made) -> Made:
        """Return a call of a function as it is written; a decorator may have replaced it."""
        decorators = [getattr(one, "id", None) for one in made.callee.node.decorator_list]
        if decorators == ["staticmethod"]:
            return Made(made.call, made.callee)
        if decorators:  # a class method gets the class, of which nothing is known
            raise Unsure
        return made


def _gives_code(call: ast.Call) -> bool:
    """Whether a call is given a lambda or a generator, whose code it may run."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return any(isinstance(one, (ast.Lambda, ast.GeneratorExp)) for one in given)


def entered_by(made: Made, situation: Situation, names: dict[str, Any]) -> Situation | None:
    """Return the state at a call: the new frame with its parameters; None where they do not fit."""
    bound = _bound(made, names)
    if bound is None:
        return None
    callee = made.callee
    bound.update(_closure(callee, situation.state))
    name = callee.qualname.rpartition(".")[2]
    frame = Frame(callee.file, callee.lineno, name, tuple(bound.items()))
    state = State(Event.CALL, (*situation.state.stack, frame))
    loops = situation.loops or ((),) * len(situation.state.stack)
    return Situation(state, (*loops, ()))


def _bound(made: Made, names: dict[str, Any]) -> dict[str, Value] | None:
    """Return the parameters' values by name, as Python binds them."""
    call, args = made.call, made.callee.node.args
    given: list[Any] = [made.receiver] if made.bound else []
    for node in call.args:
        if isinstance(node, ast.Starred):
            spread = _evaluated(node.value, names)
            if not isinstance(spread, (list, tuple)):
                return None
            given += spread
        else:
            given.append(_evaluated(node, names))
    if any(keyword.arg is None for keyword in call.keywords):
        return None
    named = {str(keyword.arg): _evaluated(keyword.value, names) for keyword in call.keywords}
    plain = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    found = dict(zip(plain, given, strict=False))
    wanted = [*plain, *(arg.arg for arg in args.kwonlyargs)]
    found |= {name: named.pop(name) for name in wanted if name in named}
    defaults = _defaults(args)
    for name in wanted:
        if name not in found:
            if name not in defaults:
                return None
            found[name] = _evaluated(defaults[name], WELL_KNOWN)
    if args.vararg:
        found[args.vararg.arg] = tuple(given[len(plain) :])
    if args.kwarg:
        found[args.kwarg.arg] = named
    return {name: described(value) or UNTOLD for name, value in found.items()}


def _defaults(args: ast.arguments) -> dict[str, ast.expr]:
    plain = [arg.arg for arg in (*args.posonlyargs, *args.args)]
    found = dict(zip(plain[::-1], args.defaults[::-1], strict=False))
    pairs = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    return found | {arg.arg: node for arg, node in pairs if node is not None}


def _evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    try:
        return evaluate(node, names)
    except Unknown:
        return Opaque(UNTOLD)


def _closure(callee: Callee, caller: State) -> dict[str, Value]:
    """Return what a function within another one sees of it, where that one is on the stack."""
    outer, _, _ = callee.qualname.rpartition(".<locals>.")
    if not outer:
        return {}
    used = {node.id for node in own_nodes(callee.node) if isinstance(node, ast.Name)}
    args = callee.node.args
    own = {arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    own |= {node.id for node in own_nodes(callee.node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}  # fmt: skip
    for frame in reversed(caller.stack):
        if frame.function == outer.rpartition(".")[2]:
            return {name: value for name, value in frame.locals or () if name in used - own}
    return {}
