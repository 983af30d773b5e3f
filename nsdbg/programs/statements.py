"""Statements without a body: assignments, changes in place, unpacking, printing.

Each maker adds lines to the scope and says whether it found something to do.
"""

from __future__ import annotations

from nsdbg.programs.expressions import (
    allowed,
    applied,
    calling,
    condition,
    derived,
    expression,
    leaf,
)
from nsdbg.programs.kinds import GROWING, PARTS
from nsdbg.programs.operations import MUTATIONS, PRODUCERS
from nsdbg.programs.patterns import containers, patterns, weave
from nsdbg.programs.patterns import text as stretches
from nsdbg.programs.scope import Scope, Variable

FILLED_MEMORY = 0.8


def subject(scope: Scope) -> Variable:
    """Return the variable to go on with: one that nothing has read yet, or a late one."""
    found = scope.variables
    unread = [variable for variable in found if variable.unread]
    if unread and scope.random() < 0.75:
        return scope.choose(unread)
    return scope.choose(found[-3:] if scope.random() < 0.6 else found)


def assign(scope: Scope) -> bool:
    """Bind a new name to something made from a variable."""
    source = subject(scope)
    (text, _), kind = derived(scope, source, 2)
    if text == source.name:
        return False
    name = scope.fresh(kind)
    kept = source.filled and scope.random() < FILLED_MEMORY
    scope.line(f"{name} = {text}", scope.bind(name, kind, filled=kept))
    scope.features.add("assignment")
    return True


def reassign(scope: Scope) -> bool:
    """Bind a name again, to something made from its value."""
    found = [variable for variable in scope.variables if not variable.locked]
    if not found:
        return False
    target = scope.choose(found)
    for _ in range(6):
        operation = scope.choose(PRODUCERS[target.kind])
        if operation.params[0] == target.kind and allowed(scope, operation, target):
            text, _ = applied(scope, operation, target, 0)
            scope.line(f"{target.name} = {text}")
            target.unread = True
            target.small = target.param = False
            scope.features.add("reassignment")
            return True
    return False


def augment(scope: Scope) -> bool:
    """Add to a number or a text in place."""
    found = [
        variable for variable in scope.variables
        if variable.kind in ("int", "str", "float", "list[int]", "list[str]")
        and not variable.locked
    ]  # fmt: skip
    if not found or scope.loops:
        return False
    target = scope.choose(found)
    if target.kind == "int":
        sign = scope.choose(("+=", "-=", "+=", "*=", "//=", "%="))
        literal = scope.literals.of("positive")
        text = literal if sign[0] in "*/%" else leaf(scope, "int", 0.6)[0]
    elif target.kind == "float":
        sign, text = scope.choose(("+=", "*=", "-=")), scope.literals.of("small")
    elif target.kind == "str":
        sign, text = "+=", leaf(scope, "str", 0.5)[0]
    else:
        sign, text = "+=", f"[{leaf(scope, target.kind[5:-1], 0.6)[0]}]"
    target.reads += 1
    target.unread = True
    scope.line(f"{target.name} {sign} {text}")
    target.small = target.param = False
    scope.features.add(f"augmented {sign}")
    return True


def mutate(scope: Scope) -> bool:
    """Change a list, a dict or a set in place."""
    found = [
        variable for variable in scope.variables
        if variable.kind in MUTATIONS and not variable.locked
    ]  # fmt: skip
    if not found or scope.loops:
        return False
    target = scope.choose(found)
    changed = _changed(scope, target, 1)
    if changed:
        scope.features.add("mutation")
    return changed


def _changed(scope: Scope, variable: Variable, depth: int) -> bool:
    """Add an operation that changes a variable's value in place; tell whether one was found."""
    for _ in range(6):
        operation = scope.choose(MUTATIONS[variable.kind])
        if allowed(scope, operation, variable):
            text, _ = applied(scope, operation, variable, depth)
            scope.line(text)
            variable.unread = True
            return True
    return False


def unpack(scope: Scope) -> bool:
    """Bind several names at once."""
    choices = [variable for variable in scope.variables if variable.kind in UNPACKERS]
    pairs = [variable for variable in scope.variables if variable.kind in PARTS]
    if pairs and scope.chance(0.6):
        source = scope.choose(pairs)
        return _bind_two(scope, PARTS[source.kind], scope.read(source))
    if not choices:
        return False
    source = scope.choose(choices)
    return UNPACKERS[source.kind](scope, source)


def _bind_two(scope: Scope, kinds: tuple[str, str], text: str) -> bool:
    first, second = scope.fresh(kinds[0]), scope.fresh(kinds[1])
    scope.line(f"{first}, {second} = {text}")
    scope.bind(first, kinds[0])
    scope.bind(second, kinds[1])
    scope.features.add("unpacking")
    return True


def _unpack_text(scope: Scope, source: Variable) -> bool:
    sep = scope.literals.of("sep")
    names = scope.fresh("str"), scope.fresh("str")
    middle = scope.choose(("_", "_", "sep" if "sep" not in scope.used else "_"))
    cut = scope.choose(("partition", "rpartition"))
    scope.line(f"{names[0]}, {middle}, {names[1]} = {scope.read(source)}.{cut}({sep})")
    for name in names:
        scope.bind(name, "str")
    scope.features |= {"unpacking", f"str.{cut}"}
    return True


def _unpack_list(scope: Scope, source: Variable) -> bool:
    if not source.filled and not scope.chance(scope.daring):
        return False
    item = source.kind[5:-1]
    first, rest = scope.fresh(item), scope.fresh(source.kind)
    form = scope.choose(("{0}, *{1} = {2}", "*{1}, {0} = {2}", "{0}, {1} = {2}[0], {2}[1:]"))
    scope.line(form.format(first, rest, scope.read(source)))
    scope.bind(first, item)
    scope.bind(rest, source.kind)
    scope.features |= {"unpacking", "starred"} if "*" in form else {"unpacking"}
    return True


def _unpack_int(scope: Scope, source: Variable) -> bool:
    by = scope.literals.of("positive")
    scope.features.add("divmod")
    return _bind_two(scope, ("int", "int"), f"divmod({scope.read(source)}, {by})")


UNPACKERS = {
    "str": _unpack_text,
    "int": _unpack_int,
    **{f"list[{item}]": _unpack_list for item in ("int", "str", "list[int]", "list[str]")},
}


def swap(scope: Scope) -> bool:
    """Exchange two variables of one kind, or keep one under another name."""
    by_kind: dict[str, list[Variable]] = {}
    for variable in scope.variables:
        if not variable.locked:
            by_kind.setdefault(variable.kind, []).append(variable)
    couples = [found for found in by_kind.values() if len(found) > 1]
    if couples:
        first, second = scope.choose(couples)[-2:]
        names = scope.read(first), scope.read(second)
        scope.line(f"{names[0]}, {names[1]} = {names[1]}, {names[0]}")
        scope.features.add("swap")
        return True
    return False


def alias(scope: Scope) -> bool:
    """Give a list or a dict a second name, and change it under that name."""
    found = [variable for variable in scope.variables if variable.kind in MUTATIONS]
    if not found or scope.loops:
        return False
    source = scope.choose(found)
    name = scope.fresh(source.kind)
    scope.line(f"{name} = {scope.read(source)}")
    second = scope.bind(name, source.kind, filled=source.filled)
    _changed(scope, second, 0)
    scope.features.add("alias")
    return True


def say(scope: Scope) -> bool:
    """Print something."""
    source = subject(scope)
    (text, _), kind = derived(scope, source, 1)
    if kind == "set[str]" or "set(" in text:
        text = f"len({text})" if kind.startswith("set") else scope.read(source)
    if source.kind.startswith("set[str") and text == source.name:
        return False
    form = scope.choose(("print({0})", "print({1!r}, {0})", "print({0}, sep='-')", "print({0})"))
    scope.line(form.format(text, scope.choose(("value", "step", "now", "got"))))
    scope.features.add("print")
    return True


def choose_one(scope: Scope) -> bool:
    """Bind a name to one of two values by a condition."""
    source = subject(scope)
    kind = source.kind if source.kind not in GROWING or scope.chance(0.5) else "str"
    test = condition(scope, source if source.kind in ("int", "str", "bool", "char") else None)
    first, _ = expression(scope, kind, 1)
    second, _ = leaf(scope, kind, 0.6)
    if first == second:
        return False
    name = scope.fresh(kind)
    if first.startswith("(") or " if " in first:
        first = f"({first})"
    scope.line(f"{name} = {first} if {test} else {second}", scope.bind(name, kind))
    scope.features |= {"assignment", "conditional"}
    return True


def patterned(scope: Scope) -> bool:
    """Add one of the stretches that are found as a whole."""
    return not scope.loops and weave(scope, scope.choose(STRETCHES)) is not None


def call(scope: Scope) -> bool:
    """Bind a name to what a function of the program gives, one that was not called yet first."""
    if not scope.calls or scope.growth > 5:
        return False
    made = scope.calls.pop(0) if scope.chance(0.8) else scope.choose(scope.calls)
    text, _ = calling(scope, made)
    if made not in scope.calls:
        scope.calls.append(made)
    if scope.chance(0.15) and not scope.loops:
        scope.line(f"print({text})")
        return True
    name = scope.fresh(made.result)
    scope.line(f"{name} = {text}", scope.bind(name, made.result))
    scope.features.add("call")
    return True


STRETCHES = tuple(patterns(stretches.TABLE) + patterns(containers.TABLE))
