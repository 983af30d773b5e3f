"""The lines a script would read, made up while walking its statements as a run would.

Keeps the values it made up, so that `n` numbers follow an `n`; where it cannot tell which way a
run goes it chooses.  Runs nothing.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from nsdbg.reproduce.arithmetic import NotKnown, evaluate
from nsdbg.reproduce.reading import Shape, reading, reads

# A made-up input longer than this takes long to run and explains little.
MOST_LINES = 60
MOST_STEPS = 2000
MOST_CALLS = 8
# Small numbers reach the odd corners; now and then a larger one, and a negative one.
NUMBERS = (0, 1, 2, 3, 1, 2, 3, 4, 5, 7, 10, -1)
SIZES = (1, 2, 3, 2, 3, 4, 1, 5, 0)


class _Stop(Exception):
    """The walk is over: enough lines, enough steps, or the script ends here."""


class _Leave(Exception):
    """A `return`, `break` or `continue` leaves the block."""


@dataclass
class Writer:
    """Walks a script's statements and writes the lines it would read."""

    chance: random.Random
    letters: str
    lines: list[str] = field(default_factory=list)
    _numbers: dict[str, object] = field(default_factory=dict)
    _steps: int = 0
    _calls: int = 0
    _functions: dict[str, ast.FunctionDef] = field(default_factory=dict)

    def run(self, tree: ast.Module) -> None:
        """Walk a whole script; `lines` then holds what it would read."""
        self._functions = {one.name: one for one in ast.walk(tree)
                           if isinstance(one, ast.FunctionDef)}  # fmt: skip
        self._numbers["__name__"] = "__main__"
        try:
            self._block(tree.body)
        except (_Stop, _Leave):
            return

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self._steps += 1
            if self._steps > MOST_STEPS or len(self.lines) > MOST_LINES:
                raise _Stop
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.For):
            self._for(statement)
        elif isinstance(statement, ast.While):
            self._while(statement)
        elif isinstance(statement, ast.If):
            self._block(statement.body if self._truth(statement.test) else statement.orelse)
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            self._assign(targets, statement.value)
        elif isinstance(statement, ast.Return | ast.Break | ast.Continue):
            raise _Leave
        elif isinstance(statement, ast.With | ast.Try):
            self._block(statement.body)
        elif isinstance(statement, ast.Expr | ast.AugAssign):
            self._value(statement.value)
            if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
                sum_of = ast.BinOp(ast.Name(statement.target.id, ast.Load()), statement.op,
                                   statement.value)  # fmt: skip
                self._numbers[statement.target.id] = self._known(sum_of)

    def _for(self, loop: ast.For) -> None:
        items = self._value(loop.iter)
        if not isinstance(items, list | tuple | range | str):
            items = range(self.chance.choice(SIZES))
        for item in items:
            self._bind(loop.target, item)
            try:
                self._block(loop.body)
            except _Leave:
                break

    def _while(self, loop: ast.While) -> None:
        for _ in range(8):
            if not self._truth(loop.test):
                return
            try:
                self._block(loop.body)
            except _Leave:
                return

    def _truth(self, test: ast.expr) -> bool:
        value = self._value(test)
        return bool(value) if value is not None else self.chance.random() < 0.5

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr) -> None:
        wanted = targets[0]
        count = len(wanted.elts) if isinstance(wanted, ast.Tuple | ast.List) else None
        if isinstance(wanted, ast.Tuple | ast.List) and any(
            isinstance(one, ast.Starred) for one in wanted.elts
        ):
            count = None
        found = self._value(value, count)
        for target in targets:
            self._bind(target, found)

    def _bind(self, target: ast.expr, value: object) -> None:
        if isinstance(target, ast.Name):
            self._numbers[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            values = list(value) if isinstance(value, list | tuple) else []
            for place, element in enumerate(target.elts):
                self._bind(element, values[place] if place < len(values) else None)

    def _value(self, node: ast.expr, count: int | None = None) -> object:
        """Return what an expression gives, writing a line for each read; None is not known.

        `count` is how many parts the value is unpacked into.
        """
        shape = reading(node)
        if shape is not None:
            return self._read(shape, count)
        if isinstance(node, ast.ListComp) and len(node.generators) == 1:
            return self._comprehension(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._call(node, count)
        if isinstance(node, ast.Tuple | ast.List):
            return [self._value(one) for one in node.elts]
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.expr) and any(map(reads, ast.walk(inner))):
                self._value(inner)
        return self._known(node)

    def _known(self, node: ast.expr) -> object:
        try:
            return evaluate(node, self._numbers)
        except NotKnown:
            return None

    def _comprehension(self, node: ast.ListComp) -> object:
        one = node.generators[0]
        if not any(map(reads, ast.walk(node.elt))) and not self._reads_by_call(node.elt):
            return self._known(node)
        items = self._value(one.iter)
        found = []
        for item in items if isinstance(items, list | tuple | range) else range(2):
            self._bind(one.target, item)
            found.append(self._value(node.elt))
            if len(self.lines) > MOST_LINES:
                raise _Stop
        return found

    def _reads_by_call(self, node: ast.expr) -> bool:
        return any(isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
                   and one.func.id in self._functions for one in ast.walk(node))  # fmt: skip

    def _call(self, node: ast.Call, count: int | None) -> object:
        """Walk into a function of the script; its one-line readers are read for their shape."""
        assert isinstance(node.func, ast.Name)
        function = self._functions.get(node.func.id)
        if function is None or self._calls >= MOST_CALLS:
            for argument in node.args:
                self._value(argument)
            return self._known(node)
        outer = dict(self._numbers)
        for parameter, argument in zip(function.args.args, node.args, strict=False):
            self._numbers[parameter.arg] = self._value(argument)
        last = function.body[-1]
        self._calls += 1
        try:
            if isinstance(last, ast.Return) and last.value is not None:
                self._block(function.body[:-1])
                return self._value(last.value, count)
            self._block(function.body)
        except _Leave:
            return None
        finally:
            self._calls -= 1
            self._numbers = outer
        return None

    def _read(self, shape: Shape, count: int | None) -> object:
        number = shape.count if shape.count is not None else count
        if shape.many:
            length = number if number is not None else self._length()
            items = [self._item(shape.kind) for _ in range(length)]
            self.lines.append(" ".join(str(one) for one in items))
            return items
        item = self._item(shape.kind)
        self.lines.append(str(item))
        return list(str(item)) if shape.split else item

    def _length(self) -> int:
        """Return a length: mostly that of a number read before, as `n` numbers on a line."""
        known = [one for one in self._numbers.values() if type(one) is int and 0 <= one <= 12]
        if known and self.chance.random() < 0.85:
            return self.chance.choice(known)
        return self.chance.choice(SIZES)

    def _item(self, kind: str) -> object:
        if kind == "int":
            return self.chance.choice(NUMBERS)
        if kind == "float":
            return self.chance.choice((0.0, 1.0, 0.5, -1.5, 2.25))
        length = self._length() if self.chance.random() < 0.6 else self.chance.choice((1, 2, 3, 4))
        return "".join(self.chance.choice(self.letters) for _ in range(max(1, length)))
