"""Guesses what Python code gives for known values, without running it.

Total: it answers with a value, with the exception that Python would raise, or with `Unknown`, and
it ends.  Never eval or exec; a closed list of operations, bounded in size, steps and depth.  An
answer is a guess, since only a run confirms.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from nsdbg.propose.evaluation import binding, expressions  # noqa: F401  they fill the table
from nsdbg.propose.evaluation.bounds import OutOfSteps, Unknown
from nsdbg.propose.evaluation.scope import Code, Machine, Scope, compile_expression
from nsdbg.propose.evaluation.statements import compile_function, compile_statement, copied

__all__ = [
    "OutOfSteps",
    "Outcome",
    "Program",
    "Unknown",
    "copied",
    "evaluate",
    "literal",
    "perform",
    "same",
]

STEPS = 20_000
LONGEST = 65_536  # characters of an expression or a literal


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call would give: a value, or the exception and the line that it leaves from.

    `seen` holds the locals at each visit of the watched line, at most as many as there were steps.
    """

    value: Any = None
    error: Exception | None = None
    lineno: int = 0
    seen: tuple[dict[str, Any], ...] = ()


def evaluate(expression: str | ast.expr, names: Mapping[str, Any], steps: int = STEPS) -> Any:
    """Return the value of an expression over known names.

    Raises Unknown, and nothing else: also where Python would raise, with the cause attached.
    """
    machine = Machine(steps)
    try:
        if isinstance(expression, str):
            code = _compiled(expression)
        else:
            code = compile_expression(expression)
        return code(Scope(dict(names), machine, None))
    except Unknown:
        raise
    except Exception as error:
        raise Unknown(f"{type(error).__name__}: {error}") from error


def perform(statement: ast.stmt, names: dict[str, Any], steps: int = STEPS) -> None:
    """Run one simple statement over known names, which it changes, and so their values.

    Raises Unknown, and nothing else: also where Python would raise, with the cause attached.
    """
    try:
        compile_statement(statement)(Scope(names, Machine(steps), None))
    except Unknown:
        raise
    except Exception as error:
        raise Unknown(f"{type(error).__name__}: {error}") from error


@lru_cache(maxsize=4096)
def _compiled(text: str) -> Code:
    if len(text) > LONGEST:
        raise Unknown("an expression that is too long")
    return compile_expression(ast.parse(text.strip(), mode="eval").body)


def literal(text: str) -> Any:
    """Return the value of a Python literal; raises Unknown for anything else."""
    if len(text) > LONGEST:
        raise Unknown("a literal that is too long")
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise Unknown(f"not a literal: {text[:40]!r}") from error


class Program:
    """A function ready to be evaluated for many arguments.

    Of the module's own functions, imports and constants those are bound for each call that the
    function can come to: binding all hundred of a long module took most of a call's time.
    """

    def __init__(
        self,
        function: ast.FunctionDef,
        module: ast.Module | None = None,
        names: Mapping[str, Any] | None = None,
    ) -> None:
        """Compile a function of a module; `names` are bound beside the module's own."""
        self._names = dict(names or {})
        self._make: Callable[[Scope], Callable[..., Any]] | None = None
        self._module = [] if module is None else module.body
        self.spent = 0  # steps of the last call
        plain = (*function.args.posonlyargs, *function.args.args)
        self._positional = [argument.arg for argument in plain]
        try:
            self._make = compile_function(function)
            self._globals = [compile_statement(node) for node in _needed(function, self._module)]
        except RecursionError:
            self._make = None

    def call(
        self, arguments: Mapping[str, Any], *, steps: int = STEPS, watch: int | None = None
    ) -> Outcome:
        """Guess what the call gives; `watch` is a line whose locals are wanted at each visit.

        The arguments are copied first.  `*` and `**` before a name spread it.  Raises Unknown.
        """
        machine = Machine(steps, watch)
        try:
            return self._call(machine, {name: copied(value) for name, value in arguments.items()})
        except (RecursionError, MemoryError) as error:
            raise Unknown(str(error)) from error
        except Unknown:
            raise
        except Exception as error:
            return Outcome(None, error, machine.lineno, tuple(machine.seen))
        finally:
            self.spent = steps - machine.steps

    def _call(self, machine: Machine, arguments: dict[str, Any]) -> Outcome:
        if self._make is None:
            raise Unknown("a function that is nested too deeply")
        module = Scope(dict(self._names), machine, None)
        for bind in self._globals:
            try:
                bind(module)
            except Exception:
                continue
        args, kwargs = self._spread(arguments)
        value = self._make(module)(*args, **kwargs)
        return Outcome(value, None, machine.lineno, tuple(machine.seen))

    def _spread(self, arguments: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return positional and keyword arguments: all by keyword, unless `*name` is given."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for name, value in arguments.items():
            if name.startswith("**"):
                kwargs.update(value)
            elif not name.startswith("*"):
                kwargs[name] = value
        for name, value in arguments.items():
            if name.startswith("*") and not name.startswith("**"):
                args = [kwargs.pop(first) for first in self._positional if first in kwargs]
                args.extend(value)
        return args, kwargs


def _needed(function: ast.FunctionDef, body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a module that bind what a function mentions, and what these do."""
    kinds = (ast.FunctionDef, ast.Assign, ast.Import, ast.ImportFrom)
    bound = [(node, _bound(node)) for node in body if isinstance(node, kinds)]
    known, fresh = set[str](), _mentioned(function)
    needed: set[int] = set()
    while fresh:
        known |= fresh
        added = [(at, node) for at, (node, names) in enumerate(bound)
                 if at not in needed and (names is None or names & known)]  # fmt: skip
        needed |= {at for at, _ in added}
        fresh = set[str]().union(*(_mentioned(node) for _, node in added)) - known
    return [bound[at][0] for at in sorted(needed)]


def _bound(node: ast.stmt) -> set[str] | None:
    """Return the names that a statement binds or changes; None for a star, which binds any."""
    if isinstance(node, ast.FunctionDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        names = {(one.asname or one.name).partition(".")[0] for one in node.names}
        return None if "*" in names else names
    return _mentioned(*node.targets) if isinstance(node, ast.Assign) else None


def _mentioned(*nodes: ast.AST) -> set[str]:
    return {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}


def same(left: Any, right: Any) -> bool:
    """Whether two values are of one type and structure: `1`, `True` and `1.0` differ."""
    if type(left) is not type(right):
        return False
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return len(left) == len(right) and all(map(same, left.items(), right.items()))
    if isinstance(left, float):
        return repr(left) == repr(right)
    return bool(left == right)
