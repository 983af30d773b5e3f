"""What a function's code says about the values it works on: votes for kinds, by place.

A place is a parameter and the way into its value: `("rows", "[]", 0)` is the first part of an
element of `rows`.  Reads a syntax tree; runs nothing.  Votes order what is tried, and decide
nothing.
"""

from __future__ import annotations

import ast
from collections import defaultdict

from nsdbg.propose.guess.votes import (
    BUILTINS,
    COMMONER,
    ELEMENT,
    ITERABLE,
    ITERATED,
    KEY,
    METHODS,
    SAME,
    TEXT,
    VALUE,
    WIDTHS,
    Place,
    Votes,
    call_name,
    expression_kind,
)


class Reader(ast.NodeVisitor):
    """Walks one function's body, following names to places of parameters."""

    def __init__(self, names: dict[str, Place]) -> None:
        self.places: dict[str, Place] = dict(names)
        self.votes: defaultdict[Place, Votes] = defaultdict(Votes)
        self.calls: list[tuple[str, int | str, Place]] = []

    # Which place an expression stands for.

    def place(self, node: ast.expr | None) -> Place | None:
        """Return the place whose value, or one like it, an expression gives."""
        if isinstance(node, ast.Name):
            return self.places.get(node.id)
        if isinstance(node, ast.NamedExpr):
            return self.place(node.value)
        if isinstance(node, ast.Subscript):
            base = self.place(node.value)
            if base is None or isinstance(node.slice, ast.Slice):
                return base
            if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
                return (*base, f"[{node.slice.value}]")
            keyed = self.votes[base].kinds["dict"] > self.votes[base].kinds["list"] + 0.5
            return (*base, VALUE if keyed else ELEMENT)
        if isinstance(node, ast.Call):
            return self._place_of_call(node)
        if isinstance(node, ast.Attribute):
            base = self.place(node.value)
            return None if base is None else (*base, "." + node.attr)
        return None

    def _place_of_call(self, node: ast.Call) -> Place | None:
        if isinstance(node.func, ast.Attribute):
            base = self.place(node.func.value)
            if base is not None and node.func.attr in SAME:
                return base
            if base is not None and node.func.attr in ("get", "setdefault"):
                key = (
                    node.args[0].value
                    if node.args and isinstance(node.args[0], ast.Constant)
                    else None
                )
                return (*base, f"[{key}]" if isinstance(key, str) else VALUE)
            if base is not None and node.func.attr in ("pop", "popleft"):
                return (*base, ELEMENT)
        elif isinstance(node.func, ast.Name) and node.args:
            if node.func.id in ("sorted", "list", "reversed", "iter", "tuple", "set", "deque"):
                return self.place(node.args[0])
            if node.func.id in ("max", "min", "next") and len(node.args) == 1:
                return self.element(node.args[0])
        return None

    def element(self, node: ast.expr) -> Place | None:
        """Return the place of what iterating over an expression gives."""
        base = self.place(node)
        return None if base is None else (*base, ELEMENT)

    def bind(self, target: ast.expr, source: ast.expr) -> None:
        """Let the names of a loop's target stand for what its iterable gives."""
        parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else None
        name, arguments = call_name(source), getattr(source, "args", [])
        if parts and name == "enumerate" and arguments and len(parts) == 2:
            self.bind(parts[1], arguments[0])
        elif parts and name == "zip" and len(parts) == len(arguments):
            for part, argument in zip(parts, arguments, strict=True):
                self.bind(part, argument)
        elif name in ("items", "keys", "values") and isinstance(source, ast.Call):
            self._bind_items(target, parts, name, source)
        else:
            self._assign(target, self.element(source))

    def _bind_items(
        self, target: ast.expr, parts: list[ast.expr] | None, name: str, source: ast.Call
    ) -> None:
        base = self.place(source.func.value) if isinstance(source.func, ast.Attribute) else None
        if base is None:
            return
        if name == "items" and parts and len(parts) == 2:
            self._assign(parts[0], (*base, KEY))
            self._assign(parts[1], (*base, VALUE))
        elif name != "items":
            self._assign(target, (*base, KEY if name == "keys" else VALUE))

    def _assign(self, target: ast.expr, place: Place | None) -> None:
        if place is None:
            return
        if isinstance(target, ast.Name):
            self.places.setdefault(target.id, place)
        elif isinstance(target, (ast.Tuple, ast.List)):
            starred = any(isinstance(part, ast.Starred) for part in target.elts)
            if not starred:
                self.votes[place].arity = len(target.elts)
            self.votes[place].add({"tuple": 1.0, "list": 0.8})
            for index, part in enumerate(target.elts):
                self._assign(part, (*place, ELEMENT if starred else index))

    # Statements and expressions that say something.

    def visit_For(self, node: ast.For) -> None:
        """Follow the loop's names; what is iterated over is iterable."""
        self._iterated(node.iter)
        self.bind(node.target, node.iter)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        """Follow a comprehension's names."""
        self._iterated(node.iter)
        self.bind(node.target, node.iter)
        self.generic_visit(node)

    def _comprehension(self, node: ast.AST) -> None:
        for loop in getattr(node, "generators", ()):
            self._iterated(loop.iter)
            self.bind(loop.target, loop.iter)
        self.generic_visit(node)

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _comprehension

    def _iterated(self, node: ast.expr) -> None:
        place = self.place(node)
        if place is not None:
            self.votes[place].add(ITERABLE)

    def visit_Assign(self, node: ast.Assign) -> None:
        """Follow assignments; storing into a place says that it is mutable."""
        place = self.place(node.value)
        for target in node.targets:
            if place is not None:
                self._assign(target, place)
            self._stored(target, node.value)
        self.generic_visit(node)

    def _stored(self, target: ast.expr, value: ast.expr) -> None:
        base = self.place(target.value) if isinstance(target, ast.Subscript) else None
        if base is not None and isinstance(target, ast.Subscript):
            self.votes[base].add({"list": 1.5, "dict": 1.5, "str": -1.5, "tuple": -1.5})

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        """Take `x += y` as the operator and as a store."""
        self._stored(node.target, node.value)
        self._operator(node.target, node.op, node.value)
        self._operator(node.value, node.op, node.target)
        self.generic_visit(node)

    def visit_Delete(self, node: ast.Delete) -> None:
        """Take `del x[k]` as a store."""
        for target in node.targets:
            self._stored(target, target)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        """Note the places that are given back."""
        place = self.place(node.value)
        if place is not None:
            self.votes[place].returned = True
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        """A method speaks for the builtin types that have it, any other attribute for an object."""
        place = self.place(node.value)
        if place is not None:
            votes = self.votes[place]
            votes.attributes.add(node.attr)
            called = node.attr in votes.called
            owners = [name for name, methods in METHODS.items() if node.attr in methods and called]
            for name in owners:
                votes.kinds[name] += 3.0 * COMMONER[name]
            if not owners:
                votes.kinds["object"] += 3.0
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        """An index speaks for a sequence, a text key for a dict; a place as index for a number."""
        base, index = self.place(node.value), self.place(node.slice)
        if base is not None:
            if isinstance(node.slice, ast.Slice):
                self.votes[base].add({"str": 1.0, "list": 1.0, "tuple": 0.2})
            elif expression_kind(node.slice) == "str":
                self.votes[base].add({"dict": 2.0})
                if isinstance(node.slice, ast.Constant):
                    self.votes[base].keys.setdefault(str(node.slice.value))
            else:
                self.votes[base].add({"list": 1.0, "str": 0.6, "dict": 0.5, "tuple": 0.3})
        if index is not None:
            keyed = base is not None and self.votes[base].kinds["dict"] > 2.0
            self.votes[index].add({"str": 0.7, "int": 0.7} if keyed else {"int": 1.0, "str": 0.3})
        if isinstance(node.slice, ast.Slice):
            for part in (node.slice.lower, node.slice.upper, node.slice.step):
                place = self.place(part)
                if place is not None:
                    self.votes[place].add({"int": 3.0})
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """An operator speaks for what it works on."""
        self._operator(node.left, node.op, node.right)
        self._operator(node.right, node.op, node.left)
        self.generic_visit(node)

    def _operator(self, node: ast.expr, op: ast.operator, other: ast.expr) -> None:
        place = self.place(node)
        if place is None:
            return
        kind = expression_kind(other)
        if isinstance(op, ast.Add):
            found = {kind: 2.0} if kind else {"int": 0.6, "str": 0.4, "list": 0.3}
            found = {"int": 2.0, "float": 1.0} if kind == "int" else found
        elif isinstance(op, ast.Mult):
            found = {"int": 1.0, "float": 0.4, "str": 0.2, "list": 0.1}
            found = {"int": 2.0} if kind in ("str", "list") else found
        elif isinstance(op, (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)):
            found = {"set": 2.0} if kind == "set" else {"int": 1.5, "set": 0.2, "float": 0.4}
        elif kind == "str":
            found = {}
        else:
            found = {"int": 1.5, "float": 0.6}
        self.votes[place].add(found)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """A sign speaks for a number."""
        place = self.place(node.operand)
        if place is not None and not isinstance(node.op, ast.Not):
            self.votes[place].add({"int": 1.5, "float": 0.4})
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """A comparison speaks for the kind of its other side."""
        operands = [node.left, *node.comparators]
        for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
            if isinstance(op, (ast.In, ast.NotIn)):
                self._membership(left, right)
            else:
                self._compared(left, op, right)
                self._compared(right, op, left)
        self.generic_visit(node)

    def _compared(self, node: ast.expr, op: ast.cmpop, other: ast.expr) -> None:
        place = self.place(node)
        if place is None:
            return
        kind = expression_kind(other)
        if kind and kind != "None":
            self.votes[place].add({kind: 2.0})
        elif isinstance(op, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
            self.votes[place].add({"int": 1.0, "float": 0.4, "str": 0.2})

    def _membership(self, item: ast.expr, container: ast.expr) -> None:
        place = self.place(item)
        if place is not None:
            kind = expression_kind(container)
            if kind == "str":
                self.votes[place].add({"str": 2.0})
            elif isinstance(container, (ast.List, ast.Tuple, ast.Set)) and container.elts:
                self.votes[place].add({expression_kind(container.elts[0]) or "str": 2.0})
        place = self.place(container)
        if place is not None:
            text = {"str": 1.0, "dict": 0.8, "list": 0.8, "set": 0.3}
            plain = {"list": 1.0, "dict": 0.8, "str": 0.5, "set": 0.3}
            self.votes[place].add(text if expression_kind(item) == "str" else plain)

    def visit_Call(self, node: ast.Call) -> None:
        """A call speaks for what builtins and methods take."""
        name = call_name(node)
        if isinstance(node.func, ast.Name):
            for index, argument in enumerate(node.args):
                self._passed(name, index, argument)
            for keyword in node.keywords:
                place = self.place(keyword.value)
                if place is not None and keyword.arg:
                    self.calls.append((name, keyword.arg, place))
            if name == "isinstance" and len(node.args) == 2:
                self._checked(node.args[0], node.args[1])
            place = self.place(node.func)
            if place is not None:
                self.votes[place].add({"callable": 4.0})
        elif isinstance(node.func, ast.Attribute):
            self._method(node.func, node.args)
        self.generic_visit(node)

    def _passed(self, name: str, index: int, argument: ast.expr) -> None:
        place = self.place(argument)
        if place is None:
            return
        if name in BUILTINS:
            self.votes[place].add(BUILTINS[name])
        elif name in ITERATED and (len(ITERATED) > index or name == "zip"):
            self.votes[place].add(ITERABLE)
            if name == "sum":
                self.votes[place].add({"list": 2.0})
                self.votes[(*place, ELEMENT)].add({"int": 2.0, "float": 0.5})
        else:
            self.calls.append((name, index, place))

    def _checked(self, subject: ast.expr, types: ast.expr) -> None:
        place = self.place(subject)
        options = types.elts if isinstance(types, ast.Tuple) else [types]
        for option in options if place is not None else ():
            if isinstance(option, ast.Name) and place is not None:
                self.votes[place].add({option.id: 1.5})

    def _method(self, func: ast.Attribute, arguments: list[ast.expr]) -> None:
        base = self.place(func.value)
        if base is not None:
            self.votes[base].called.add(func.attr)
        for index, argument in enumerate(arguments):
            place = self.place(argument)
            keyed = base is not None and func.attr in ("get", "setdefault", "pop") and index == 0
            text = getattr(argument, "value", None)
            if keyed and base is not None and isinstance(text, str):
                self.votes[base].keys.setdefault(text)
            kind = expression_kind(argument)
            if base is not None and kind and func.attr in ("append", "add", "insert", "remove"):
                self.votes[(*base, ELEMENT)].add({kind: 2.0})
            if place is None:
                continue
            if func.attr == "join":
                self.votes[place].add({"list": 2.0, "str": 0.5})
                self.votes[(*place, ELEMENT)].add({"str": 3.0})
            elif func.attr in WIDTHS or (func.attr in ("insert", "pop") and index == 0):
                self.votes[place].add({"int": 2.0} if index == 0 else {"str": 2.0})
            elif func.attr in TEXT:
                self.votes[place].add({"str": 2.0})
            elif func.attr in ("extend", "update"):
                self.votes[place].add(ITERABLE if func.attr == "extend" else {"dict": 2.0})
            elif func.attr in ("count", "index") and base is not None:
                text = self.votes[base].kinds["str"] >= self.votes[base].kinds["list"]
                self.votes[place].add({"str": 1.0} if text else {"int": 0.5, "str": 0.4})
