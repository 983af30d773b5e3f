"""While loops, each of a sort that ends: something shrinks, or a number comes nearer its bound."""

from __future__ import annotations

from nsdbg.programs.bodies import block, collect
from nsdbg.programs.kinds import ELEMENT
from nsdbg.programs.loops import Building, building
from nsdbg.programs.scope import Scope


def while_loop(scope: Scope) -> bool:
    """Add a while loop of one of the ways that end."""
    return scope.choose(WHILES)(scope)


def _digits(scope: Scope) -> bool:
    source = scope.pick("int")
    if source is None:
        return False
    target = building(scope, "int")
    left = scope.fresh("int")
    base = scope.choose((10, 10, 2, 3, 5, 16))
    scope.line(f"{left} = abs({scope.read(source)})")
    scope.line(f"while {left}{scope.choose(('', ' > 0'))}:")
    with block(scope):
        scope.loops += 1
        digit = scope.fresh("int", ("digit", "r", "d", "rem", "last"))
        scope.line(f"{digit} = {left} % {base}")
        variable = scope.bind(digit, "int", small=True)
        variable.locked = True
        collect(scope, [target], variable, 0.4)
        scope.line(f"{left} //= {base}")
        scope.loops -= 1
    return _done(scope, target)


def _done(scope: Scope, target: Building) -> bool:
    scope.variables.append(target.variable)
    target.variable.unread = True
    scope.features.add("while")
    return True


def _index(scope: Scope) -> bool:
    found = [
        v for v in scope.variables if v.kind in ELEMENT and not v.kind.startswith(("set", "dict"))
    ]
    if not found:
        return False
    over = scope.choose(found)
    kind = ELEMENT[over.kind]
    target = building(scope, kind)
    index = scope.fresh("int", ("i", "j", "pos", "idx", "k"))
    step = scope.choose(("1", "1", "1", "2", "3"))
    scope.line(f"{index} = {scope.choose(('0', '0', '1'))}")
    scope.line(f"while {index} < len({scope.read(over)}):")
    held, over.locked = over.locked, True
    with block(scope):
        scope.loops += 1
        item = scope.fresh(kind)
        scope.line(f"{item} = {over.name}[{index}]")
        bound = [scope.bind(index, "int"), scope.bind(item, kind, filled=True)]
        for variable in bound:
            variable.locked = True
        collect(scope, [target], bound[1])
        scope.line(f"{index} += {step}")
        scope.loops -= 1
    over.locked = held
    return _done(scope, target)


def _pointers(scope: Scope) -> bool:
    found = [v for v in scope.variables if v.kind in ("str", "list[int]", "list[str]")]
    if not found:
        return False
    over = scope.choose(found)
    kind = ELEMENT[over.kind]
    target = building(scope, kind)
    low, high = (
        scope.fresh("int", ("left", "i", "lo", "start")),
        scope.fresh("int", ("right", "j", "hi", "end")),
    )
    name = scope.read(over)
    scope.line(f"{low}, {high} = 0, len({name}) - 1")
    scope.line(f"while {low} < {high}:")
    held, over.locked = over.locked, True
    with block(scope):
        scope.loops += 1
        first = scope.fresh(kind)
        scope.line(f"{first} = {name}[{scope.choose((low, high))}]")
        item = scope.bind(first, kind, filled=True)
        item.locked = True
        if scope.chance(0.5):
            scope.line(f"if {name}[{low}] {scope.choose(('==', '!=', '<'))} {name}[{high}]:")
            with block(scope):
                scope.line(target.update(scope, item))
            scope.features.add("if")
        else:
            scope.line(target.update(scope, item))
        scope.line(f"{low} += 1")
        scope.line(f"{high} -= 1")
        scope.loops -= 1
    over.locked = held
    return _done(scope, target)


def _eat(scope: Scope) -> bool:
    found = [
        v for v in scope.variables if v.kind in ("str", "list[int]", "list[str]") and not v.locked
    ]
    if not found or scope.loops:
        return False
    over = scope.choose(found)
    name = scope.read(over)
    if over.kind == "str":
        sub = scope.literals.of("sub")
        short = scope.choose(("''", repr(scope.choose("_.-#"))))
        forms = (
            (f"while {name}.startswith({sub}):", f"{name} = {name}[1:]"),
            (f"while {sub} in {name}:", f"{name} = {name}.replace({sub}, {short}, 1)"),
            (
                f"while len({name}) > {scope.number(3, 9)}:",
                f"{name} = {name}[{scope.choose(('1:', ':-1', '1:-1', '2:'))}]",
            ),
        )
        top, body = scope.choose(forms)
        if "replace" in body and short.strip("'") and short in sub:
            return False
        scope.line(top)
        with block(scope):
            scope.line(body)
    else:
        target = building(scope, ELEMENT[over.kind])
        scope.line(f"while {scope.choose(('{0}', 'len({0}) > 1', 'len({0}) > 2')).format(name)}:")
        with block(scope):
            scope.loops += 1
            kind = ELEMENT[over.kind]
            item = scope.fresh(kind)
            scope.line(f"{item} = {name}.pop({scope.choose(('', '', '0'))})")
            bound = scope.bind(item, kind, filled=True)
            over.locked = True
            collect(scope, [target], bound)
            over.locked = False
            scope.loops -= 1
        over.unread = True
        return _done(scope, target)
    over.unread = True
    scope.features.add("while")
    return True


WHILES = (_digits, _index, _index, _pointers, _eat, _eat)
