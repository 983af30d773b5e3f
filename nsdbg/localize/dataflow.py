"""Reaching definitions: which assignments may have given a name the value it has at a statement.

For one body of code (a function's or a module's), on the syntax tree, path by path.  Follows no
calls and no aliases: `slice` does what of it is worth doing.  The algorithm is the textbook's
(Aho, Sethi, Ullman, "Compilers", 10.5), run over the tree instead of a graph; Python has no goto.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from nsdbg.localize.definitions import (
    Definition,
    How,
    bound_names,
    definitions,
    dotted,
    parameters,
    walrus_definitions,
)
from nsdbg.source import FunctionNode

Environment = dict[str, frozenset[Definition]]


def join(*environments: Environment | None) -> Environment | None:
    """Unite what is known on several paths; None is a path that never gets here."""
    living = [one for one in environments if one is not None]
    if not living:
        return None
    joined: Environment = {}
    for name in sorted({name for one in living for name in one}):
        joined[name] = frozenset().union(*(one.get(name, frozenset()) for one in living))
    return joined


class ReachingDefinitions:
    """The definitions that reach every statement of one body of code."""

    def __init__(self, body: list[ast.stmt], owner: FunctionNode | None = None) -> None:
        self.owner = owner
        self.before: dict[ast.stmt, Environment] = {}
        self._breaks: list[list[Environment]] = []
        self._continues: list[list[Environment]] = []
        self._raised: list[list[Environment]] = []
        start: Environment = {}
        if owner is not None:
            for definition in parameters(owner):
                start[definition.name] = frozenset([definition])
            for name in sorted(bound_names(body) - set(start)):
                unbound = Definition(name, owner.lineno, How.UNBOUND)
                start[name] = frozenset([unbound])
        self._block(body, start)

    def at(self, statement: ast.stmt, name: str) -> tuple[Definition, ...]:
        """Return the definitions of a name that may be in force before a statement, by line."""
        found = self.before.get(statement, {}).get(name, frozenset())
        return tuple(sorted(found, key=lambda one: (one.lineno, one.how.value)))

    def _block(self, body: Iterable[ast.stmt], env: Environment | None) -> Environment | None:
        for statement in body:
            if env is None:
                return None
            env = self._statement(statement, env)
        return env

    def _statement(self, statement: ast.stmt, env: Environment) -> Environment | None:
        self.before[statement] = join(self.before.get(statement), env) or {}
        for caught in self._raised:
            caught.append(env)
        if isinstance(statement, ast.If):
            env = _apply(walrus_definitions(statement.test, statement), env)
            return join(self._block(statement.body, env), self._block(statement.orelse, env))
        if isinstance(statement, ast.For | ast.AsyncFor | ast.While):
            return self._loop(statement, env)
        if isinstance(statement, ast.Try) or type(statement).__name__ == "TryStar":
            return self._try(statement, env)  # type: ignore[arg-type]
        if isinstance(statement, ast.With | ast.AsyncWith):
            return self._block(statement.body, _apply(definitions(statement), env))
        if isinstance(statement, ast.Match):
            return self._match(statement, env)
        return self._simple(statement, env)

    def _simple(self, statement: ast.stmt, env: Environment) -> Environment | None:
        if isinstance(statement, ast.Return | ast.Raise):
            return None
        if isinstance(statement, ast.Break | ast.Continue):
            pending = self._breaks if isinstance(statement, ast.Break) else self._continues
            if pending:
                pending[-1].append(env)
            return None
        if _never_returns(statement):
            return None
        return _apply(definitions(statement), env)

    def _loop(
        self, statement: ast.For | ast.AsyncFor | ast.While, env: Environment
    ) -> Environment | None:
        entry: Environment | None = env
        left: list[Environment] = []
        # Twice is enough: the second pass sees what the first one defined at the end of the body.
        for _ in range(2):
            self._breaks.append([])
            self._continues.append([])
            head = entry or {}
            inside = _apply(definitions(statement), head)
            after = self._block(statement.body, inside)
            left += self._breaks.pop()
            entry = join(head, after, *self._continues.pop())
            self.before[statement] = join(self.before.get(statement), entry) or {}
        endless = isinstance(statement, ast.While) and (
            isinstance(statement.test, ast.Constant) and bool(statement.test.value)
        )
        done = None if endless else self._block(statement.orelse, entry)
        return join(done, *left)

    def _try(self, statement: ast.Try, env: Environment) -> Environment | None:
        self._raised.append([env])
        after = self._block(statement.body, env)
        # A handler may be entered from before or after any statement of the body.
        caught = join(*self._raised.pop(), after)
        after = self._block(statement.orelse, after)
        ways = [after]
        for handler in statement.handlers:
            inside = caught
            if handler.name and inside is not None:
                named = Definition(handler.name, handler.lineno, How.CAUGHT)
                inside = {**inside, handler.name: frozenset([named])}
            ways.append(self._block(handler.body, inside))
        if not statement.finalbody:
            return join(*ways)
        closing = join(*ways, caught if not statement.handlers else None)
        after = self._block(statement.finalbody, closing)
        return after if join(*ways) is not None else None

    def _match(self, statement: ast.Match, env: Environment) -> Environment | None:
        ways: list[Environment | None] = [env]
        for case in statement.cases:
            inside = dict(env)
            for node in ast.walk(case.pattern):
                name = getattr(node, "name", None) or getattr(node, "rest", None)
                if isinstance(name, str):
                    inside[name] = frozenset(
                        [Definition(name, statement.lineno, How.ASSIGNED, statement.subject, False)]
                    )
            ways.append(self._block(case.body, inside))
        return join(*ways)


def _never_returns(statement: ast.stmt) -> bool:
    """Whether a statement is `exit()`, `quit()`, `sys.exit(…)` or `os._exit(…)`."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return dotted(statement.value.func) in ("exit", "quit", "sys.exit", "os._exit", "os.abort")
    return False


def _apply(found: Iterable[Definition], env: Environment) -> Environment:
    changed = dict(env)
    for one in found:
        if one.how is How.MUTATED:
            changed[one.name] = changed.get(one.name, frozenset()) | {one}
            continue
        # A new value for `x` ends what was known of `x.a`.
        for other in [name for name in changed if name.startswith(one.name + ".")]:
            del changed[other]
        changed[one.name] = frozenset([one])
    return changed
