"""Expressions of a wanted kind, or of any kind out of a given variable.

Not statements.  An expression is its text and how tightly it binds.
"""

from __future__ import annotations

from nsdbg.programs.kinds import KINDS, Kind
from nsdbg.programs.operations import CONSUMERS, PRODUCERS, Operation
from nsdbg.programs.operations.operation import ATOM, ROLES
from nsdbg.programs.scope import Scope, Variable

Expression = tuple[str, int]
TRIES = 8
# How often a variable is used for a role, where one is within reach.
ROLE_VARIABLE = 0.35
# Roles whose literal must not be replaced by a variable: zero, or a string of another length.
# What a function that is called from a loop could change under it.
CHANGING = frozenset(kind for kind in KINDS if kind.startswith(("list", "dict", "set")))
FIXED = ("positive", "step", "width", "times", "fill", "chars", "size", "one", "two", "large")


def literal(scope: Scope, kind: str) -> Expression:
    """Return a literal of a kind or role; `5.real` does not parse, so a number is no atom."""
    text = scope.literals.of(kind)
    if text.startswith("-"):
        return text, 11
    return text, (ATOM - 1 if text[0].isdigit() else ATOM)


def leaf(scope: Scope, kind: Kind, variable_chance: float = 1.0) -> Expression:
    """Return a variable of the kind, or a literal where there is none."""
    if scope.random() < variable_chance:
        variable = scope.pick(kind)
        if variable is not None:
            return scope.read(variable), ATOM
    return literal(scope, kind)


def expression(scope: Scope, kind: Kind, depth: int = 1) -> Expression:
    """Return an expression of the kind that reads a variable, where one can be had."""
    return anchored(scope, kind, depth) or leaf(scope, kind)


def anchored(scope: Scope, kind: Kind, depth: int) -> Expression | None:
    """Return an expression of the kind that reads a variable, or None where none was found."""
    if depth <= 0 or scope.random() < 0.3:
        variable = scope.pick(kind)
        if variable is not None:
            return scope.read(variable), ATOM
        if depth <= 0:
            return None
    if scope.calls and scope.growth < 4 and scope.random() < 0.25:
        found = [
            call for call in scope.calls
            if call.result == kind and (not scope.loops or not CHANGING & set(call.params))
        ]  # fmt: skip
        if found:
            return calling(scope, scope.choose(found))
    pool = PRODUCERS[kind]
    for _ in range(TRIES):
        operation = pool[int(scope.random() * len(pool))]
        variable = scope.pick(operation.params[0])
        if variable is not None:
            if allowed(scope, operation, variable):
                return applied(scope, operation, variable, depth - 1)
        elif depth > 1 and allowed(scope, operation, None):
            subject = anchored(scope, operation.params[0], depth - 1)
            if subject is not None:
                return apply(scope, operation, subject, depth - 1)
    return None


def allowed(scope: Scope, operation: Operation, subject: Variable | None) -> bool:
    """Say whether an operation may stand here: few that may raise, none that grows in a loop."""
    if operation.grows and (scope.loops or scope.growth > 3):
        return False
    if operation.risky:
        return scope.random() < scope.daring
    if operation.needs_filled and (subject is None or not subject.filled):
        return scope.random() < scope.daring
    return True


def apply(scope: Scope, operation: Operation, subject: Expression, depth: int) -> Expression:
    """Return the operation with its subject in hole 0 and something fitting in the others."""
    parts = [subject]
    for param in operation.params[1:]:
        parts.append(argument(scope, param, depth))
    scope.features |= operation.features
    scope.growth += operation.grows
    return operation.fill(parts, scope.random() if operation.forms else 0.0)


def applied(scope: Scope, operation: Operation, subject: Variable, depth: int) -> Expression:
    """Return the operation on a variable, which seldom stands in its other holes too."""
    before = scope.avoided
    scope.avoided = subject if scope.random() < 0.93 else before
    made = apply(scope, operation, (scope.read(subject), ATOM), depth)
    scope.avoided = before
    return made


def calling(scope: Scope, call: Operation) -> Expression:
    """Return a call of a function of the program."""
    parts = [
        argument(scope, param, 0) if param in ROLES else leaf(scope, param, 0.96)
        for param in call.params
    ]
    scope.growth += 1
    return call.fill(parts)


def argument(scope: Scope, param: str, depth: int) -> Expression:
    """Return what goes into a hole that is not the subject."""
    base = ROLES.get(param)
    if param == "bool":  # `x and True` says nothing
        return expression(scope, "bool", 1)
    if base is None:
        if depth > 0 and scope.random() < 0.3:
            return expression(scope, param, depth)
        return leaf(scope, param, 0.75)
    if param in ("depth", "count"):
        return shallow(scope)
    if param not in FIXED and scope.random() < ROLE_VARIABLE:
        variable = scope.pick(base) if base == "int" else player(scope, param)
        if variable is not None:
            return scope.read(variable), ATOM
    return literal(scope, param)


def player(scope: Scope, role: str) -> Variable | None:
    """Return a short text for a role: a character, or a parameter that has no other use."""
    found = [
        variable for variable in scope.variables
        if variable is not scope.avoided
        and (variable.kind == "char" or (
            variable.param and variable.kind == "str"
            and (variable.role == role or (variable.role is None and not variable.reads))
        ))
    ]  # fmt: skip
    if not found:
        return None
    variable = scope.choose(found)
    if variable.param:
        variable.role = role
    return variable


def shallow(scope: Scope) -> Expression:
    """Return a number that a recursion can count down from."""
    variable = scope.pick("int")
    if variable is None or scope.random() < 0.3:
        return literal(scope, "depth")
    return f"{scope.read(variable)} % {scope.number(4, 8)}", 10


def derived(scope: Scope, variable: Variable, depth: int = 1) -> tuple[Expression, Kind]:
    """Return an expression made from a variable, and its kind."""
    kind = "str" if variable.kind == "char" and scope.random() < 0.5 else variable.kind
    pool = CONSUMERS[kind]
    for _ in range(TRIES):
        operation = pool[int(scope.random() * len(pool))]
        if not allowed(scope, operation, variable):
            continue
        if scope.bold and not (operation.risky or operation.needs_filled):
            # Most operations cannot raise: a bold program draws twice.
            other = pool[int(scope.random() * len(pool))]
            if (other.risky or other.needs_filled) and allowed(scope, other, variable):
                operation = other
        if depth > 1 and scope.random() < 0.35:
            pool = CONSUMERS[operation.result]
            made = applied(scope, operation, variable, 0)
            after = pool[int(scope.random() * len(pool))]
            if allowed(scope, after, None):
                return apply(scope, after, made, 0), after.result
            return made, operation.result
        return applied(scope, operation, variable, depth - 1), operation.result
    return (scope.read(variable), ATOM), variable.kind


def condition(scope: Scope, about: Variable | None = None) -> str:
    """Return a condition, on a variable if one is named; a conditional is in parentheses."""
    text, level = tested(scope, about) if about is not None else anything(scope)
    return f"({text})" if level == 0 else text


def tested(scope: Scope, about: Variable) -> Expression:
    """Return a condition on a variable."""
    kind = "str" if about.kind == "char" and scope.random() < 0.2 else about.kind
    pool = CONDITIONS.get(kind, ())
    for _ in range(TRIES if pool else 0):
        operation = pool[int(scope.random() * len(pool))]
        if allowed(scope, operation, about):
            return applied(scope, operation, about, 0)
    return anything(scope)


def anything(scope: Scope) -> Expression:
    """Return a condition on what is there."""
    found = anchored(scope, "bool", 1) or anchored(scope, "bool", 2)
    if found is not None:
        return found
    if not scope.variables:
        return literal(scope, "bool")
    variable = scope.choose(scope.variables)
    sign = scope.choose(("==", "!="))
    return f"{scope.read(variable)} {sign} {scope.literals.of(variable.kind)}", 4


CONDITIONS: dict[Kind, tuple[Operation, ...]] = {
    kind: tuple(operation for operation in pool if operation.result == "bool")
    for kind, pool in CONSUMERS.items()
}
