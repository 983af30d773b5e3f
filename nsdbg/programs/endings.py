"""How functions end: with what nothing has read yet, in one return or by a search or a choice."""

from __future__ import annotations

from nsdbg.programs import bodies
from nsdbg.programs.expressions import condition, derived, expression, leaf
from nsdbg.programs.kinds import ELEMENT, KINDS, Kind
from nsdbg.programs.loops import head
from nsdbg.programs.scope import Scope, Variable
from nsdbg.programs.statements import subject

SEARCHED = ("str", "int", "bool", "list[str]", "list[int]")


def early(scope: Scope) -> None:
    """Leave the function early under a condition."""
    about = subject(scope)
    scope.line(f"if {condition(scope, about)}:")
    with bodies.block(scope):
        kind = scope.choose((about.kind, "str", "int"))
        text, _ = leaf(scope, kind, 0.6)
        scope.line(f"return {text}")
        scope.returned.add(kind)
    scope.features |= {"if", "early return"}


def ending(scope: Scope) -> Kind:
    """Add the return of what nothing has read yet, and return its kind."""
    unread = [variable for variable in scope.variables if variable.unread]
    draw = scope.random()
    if draw < 0.07 and len(unread) < 3:
        kind = search(scope)
        if kind:
            return kind
    if draw < 0.17 and len(unread) < 3:
        return either(scope, unread)
    if len(unread) <= 1 or draw > 0.83:
        return one(scope, unread)
    return several(scope, unread[-3:])


def several(scope: Scope, unread: list[Variable]) -> Kind:
    """Return all of them: joined, or as a tuple, a list or a dict."""
    kinds = tuple(variable.kind for variable in unread)
    texts = [scope.read(variable) for variable in unread]
    if len(set(kinds)) == 1 and scope.chance(0.5):
        joined = together(scope, kinds[0], texts)
        if joined:
            scope.line(f"return {joined}")
            return kinds[0]
    form = scope.choose(("return {}", "return ({})", "return [{}]", "return {}"))
    if scope.chance(0.06):
        texts = [f"'{variable.name}': {variable.name}" for variable in unread]
        form = "return {{{}}}"
    scope.line(form.format(", ".join(texts)))
    scope.features.add("tuple")
    pair = f"tuple[{', '.join(kinds)}]"
    return pair if pair in KINDS and form[-1] not in "]}" else "any"


def together(scope: Scope, kind: Kind, texts: list[str]) -> str:
    """Return several values of a kind as one, or nothing."""
    if kind in ("str", "int", "list[int]", "list[str]", "float"):
        return " + ".join(texts)
    if kind == "bool":
        return scope.choose((" and ", " or ")).join(texts)
    if kind.startswith("set"):
        return scope.choose((" | ", " & ")).join(texts)
    return ""


def one(scope: Scope, unread: list[Variable]) -> Kind:
    """Return a variable, or something made of it."""
    source = unread[-1] if unread else scope.variables[-1]
    draw = scope.random()
    if draw < 0.5 and scope.lines:
        scope.line(f"return {scope.read(source)}")
        return source.kind
    if draw < 0.6:
        kind = scope.choose(SEARCHED)
        text, _ = expression(scope, kind, 2)
        scope.line(f"return {text}")
        return kind
    (text, _), kind = derived(scope, source, 2)
    scope.line(f"return {text}")
    return kind


def either(scope: Scope, unread: list[Variable]) -> Kind:
    """Return one of two things by a condition."""
    about = unread[-1] if unread else subject(scope)
    kind = about.kind if scope.chance(0.5) else scope.choose(SEARCHED)
    test = condition(scope, about)
    first, _ = expression(scope, kind, 1)
    if scope.chance(0.25):
        second, level = expression(scope, kind, 1)
        second = f"({second})" if level == 0 else second
        scope.line(f"return {second} if {test} else {first}")
        scope.features.add("conditional")
        return kind
    scope.line(f"if {test}:")
    with bodies.block(scope):
        scope.line(f"return {first}")
    if scope.chance(0.35):
        scope.line(f"elif {condition(scope, subject(scope))}:")
        with bodies.block(scope):
            scope.line(f"return {leaf(scope, kind, 0.5)[0]}")
        scope.features.add("elif")
    second, _ = expression(scope, kind, 1)
    if scope.chance(0.35):
        scope.line("else:")
        with bodies.block(scope):
            scope.line(f"return {second}")
        scope.features.add("else")
    else:
        scope.line(f"return {second}")
    scope.features |= {"if", "early return"}
    return kind


def search(scope: Scope) -> Kind:
    """Return from within a loop, and something else after it; nothing where there is no loop."""
    if not any(variable.kind in ELEMENT for variable in scope.variables):
        return ""
    over = head(scope)
    scope.line(over.text)
    scope.loops += 1
    with bodies.block(scope):
        bound = bodies.begin(scope, over)
        item = bound[-1]
        kind = scope.choose((item.kind, *SEARCHED))
        scope.line(f"if {condition(scope, item)}:")
        with bodies.block(scope):
            scope.line(f"return {expression(scope, kind, 1)[0]}")
    scope.loops -= 1
    text, _ = leaf(scope, kind, 0.4)
    if scope.chance(0.1):
        scope.line("else:")
        with bodies.block(scope):
            scope.line(f"return {text}")
        scope.features.add("for else")
    else:
        scope.line(f"return {text}")
    scope.features |= {"for", "return in loop"}
    return kind
