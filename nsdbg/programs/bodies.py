"""Statements with bodies: branches, loops and handlers of exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from nsdbg.programs.expressions import condition, derived, expression, leaf
from nsdbg.programs.kinds import ELEMENT
from nsdbg.programs.loops import Building, Head, building, guard, head
from nsdbg.programs.scope import Scope, Variable
from nsdbg.programs.statements import augment, mutate, reassign, say, subject


@contextmanager
def block(scope: Scope) -> Iterator[None]:
    """Indent what is added, and forget afterwards what was bound there."""
    known = len(scope.variables)
    scope.depth += 1
    yield
    scope.depth -= 1
    del scope.variables[known:]


def loop(scope: Scope) -> bool:
    """Add a for loop that builds something up."""
    over = head(scope)
    pending = list(scope.pending)
    scope.pending.clear()
    item = next((kind for _, kind in reversed(over.names)), None)
    targets = [building(scope, item)]
    if scope.chance(0.15):
        targets.append(building(scope, item))
    scope.pending.extend(pending)
    scope.line(over.text)
    scope.features.add("for")
    held = over.over.locked if over.over else False
    if over.over:
        over.over.locked = True
    scope.loops += 1
    with block(scope):
        bound = begin(scope, over)
        loop_body(scope, targets, bound)
    scope.loops -= 1
    if over.over:
        over.over.locked = held
    if scope.chance(0.03):
        scope.line("else:")
        with block(scope):
            scope.line(targets[0].update(scope))
        scope.features.add("for else")
    scope.variables.extend(target.variable for target in targets)
    for target in targets:
        target.variable.unread = True
    return True


def loop_body(scope: Scope, targets: list[Building], bound: list[Variable]) -> None:
    """Add what a loop does with each item."""
    item = bound[-1] if scope.chance(0.75) else scope.choose(bound)
    draw = scope.random()
    if draw < 0.18:
        skip(scope, targets[0], item)
    elif draw < 0.4:
        (text, _), kind = derived(scope, item, 1)
        if text != item.name:
            name = scope.fresh(kind)
            scope.line(f"{name} = {text}", scope.bind(name, kind))
    elif draw < 0.48 and scope.loops < 2 and inner_loop(scope, targets, item):
        return
    if scope.chance(0.55):
        updates(scope, targets, item)
    else:
        for target in targets:
            scope.line(target.update(scope, item))
    if scope.chance(0.05):
        leave(scope, targets[0], item)


def inner_loop(scope: Scope, targets: list[Building], item: Variable) -> bool:
    """Add a loop within the loop, over the item where that has items."""
    if item.kind not in ELEMENT:
        return False
    over = head(scope)
    if over.over is not None and over.over.locked and over.over is not item:
        scope.unread(0)
        return False
    scope.line(over.text)
    scope.features.add("nested loop")
    scope.loops += 1
    with block(scope):
        bound = begin(scope, over)
        collect(scope, targets, bound[-1])
    scope.loops -= 1
    return True


def skip(scope: Scope, target: Building, item: Variable) -> None:
    """Leave out or end at items of some sort."""
    word = "continue" if scope.chance(0.7) else "break"
    scope.line(f"if {guard(scope, target, item)}:")
    with block(scope):
        scope.line(word)
    scope.features |= {word, "if"}


def leave(scope: Scope, target: Building, item: Variable) -> None:
    """End the loop under a condition, as its last act."""
    scope.line(f"if {guard(scope, target, item)}:")
    with block(scope):
        scope.line("break")
    scope.features |= {"break", "if"}


def begin(scope: Scope, over: Head) -> list[Variable]:
    """Begin a for loop's body; return what the head binds, which the body leaves alone."""
    if over.before:
        scope.line(over.before)
    bound = [scope.bind(name, kind, filled=True) for name, kind in over.names]
    for variable in bound:
        variable.locked = True
    return bound


def collect(scope: Scope, targets: list[Building], item: Variable, guarded: float = 0.5) -> None:
    """Add to what is built up, under a condition in a share of cases."""
    if scope.chance(guarded):
        updates(scope, targets, item)
    else:
        scope.line(targets[0].update(scope, item))


def updates(scope: Scope, targets: list[Building], item: Variable) -> None:
    """Add to what is built up, under a condition, with an else now and then."""
    test = guard(scope, targets[0], item)
    scope.line(f"if {test}:")
    scope.features.add("if")
    with block(scope):
        scope.line(targets[0].update(scope, item))
        if scope.chance(0.12):
            scope.line(targets[-1].update(scope))
    if scope.chance(0.18):
        scope.line(f"elif {other_condition(scope, item, test)}:")
        scope.features.add("elif")
        with block(scope):
            scope.line(targets[-1].update(scope))
    if scope.chance(0.45):
        scope.line("else:")
        scope.features.add("else")
        with block(scope):
            scope.line(targets[-1].update(scope))


def other_condition(scope: Scope, about: Variable | None, test: str) -> str:
    """Return a condition that is not the one before it."""
    found = condition(scope, about)
    for _ in range(3):
        if found != test:
            break
        found = condition(scope)
    return found


def branch(scope: Scope) -> bool:
    """Add an if that changes what is there."""
    about = subject(scope) if scope.chance(0.8) else None
    test = condition(scope, about)
    before = len(scope.lines)
    scope.line(f"if {test}:")
    with block(scope):
        if not change(scope):
            scope.forget(before)
            return False
        if scope.chance(0.2):
            change(scope)
        if scope.depth < 4 and scope.chance(0.12) and branch(scope):
            scope.features.add("nested if")
    scope.features.add("if")
    if scope.chance(0.2):
        scope.line(f"elif {other_condition(scope, about, test)}:")
        _else(scope, "elif")
    if scope.chance(0.4):
        scope.line("else:")
        _else(scope, "else")
    return True


def _else(scope: Scope, feature: str) -> None:
    head_line = scope.lines[-1]
    with block(scope):
        if not change(scope):
            scope.lines.remove(head_line)
            return
    scope.features.add(feature)


def change(scope: Scope) -> bool:
    """Add a statement that changes a variable which is seen outside the block."""
    maker = scope.choose((reassign, reassign, mutate, mutate, augment, say))
    return maker(scope) or reassign(scope)


def choose_by_branch(scope: Scope) -> bool:
    """Bind one name in each branch of an if."""
    about = subject(scope)
    kind = scope.choose(("str", "int", about.kind))
    name = scope.fresh(kind)
    test = condition(scope, about)
    first, _ = expression(scope, kind, 2)
    second, _ = expression(scope, kind, 1)
    if first == second:
        scope.unread(0)
        return False
    scope.line(f"if {test}:")
    with block(scope):
        scope.line(f"{name} = {first}")
    if scope.chance(0.25):
        third, _ = leaf(scope, kind, 0.5)
        scope.line(f"elif {other_condition(scope, about, test)}:")
        with block(scope):
            scope.line(f"{name} = {third}")
        scope.features.add("elif")
    scope.line("else:")
    with block(scope):
        scope.line(f"{name} = {second}")
    scope.features |= {"if", "else"}
    scope.bind(name, kind)
    return True
