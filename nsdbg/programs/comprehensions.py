"""Comprehensions, generator expressions and lambdas over what is there."""

from __future__ import annotations

from nsdbg.programs.expressions import condition, derived, expression
from nsdbg.programs.kinds import DICTS, ELEMENT, ITEMS, KEY_VALUE, KINDS, PARTS, Kind
from nsdbg.programs.loops import ITEM_NAMES
from nsdbg.programs.scope import Scope, Variable


def comprehend(scope: Scope) -> bool:
    """Bind a name to a comprehension over a variable."""
    found = [variable for variable in scope.variables if variable.kind in ELEMENT]
    if not found or scope.loops:
        return False
    unread = [variable for variable in found if variable.unread]
    over = scope.choose(unread if unread and scope.chance(0.75) else found)
    known = len(scope.variables)
    scope.loops += 1
    head, item = clause(scope, over)
    made = scope.choose(FORMS)(scope, head, item, scope.read(over))
    scope.loops -= 1
    del scope.variables[known:]
    if made is None:
        return False
    text, kind = made
    name = scope.fresh(kind)
    scope.line(f"{name} = {text}", scope.bind(name, kind))
    scope.features.add("comprehension")
    return True


def clause(scope: Scope, over: Variable) -> tuple[str, Variable]:
    """Return the `for` of a comprehension, and the name in it to go on with."""
    text = over.name
    names: list[tuple[str, Kind]]
    draw = scope.random()
    if over.kind in KEY_VALUE and draw < 0.6:
        kinds = KEY_VALUE[over.kind]
        names = [(_name(scope, "k", kinds[0]), kinds[0]), (_name(scope, "v", kinds[1]), kinds[1])]
        text += ".items()"
    elif ELEMENT[over.kind] in PARTS:
        names = [(_name(scope, short, part), part)
                 for short, part in zip("ab", PARTS[ELEMENT[over.kind]], strict=True)]  # fmt: skip
    elif draw < 0.2 and not over.kind.startswith(("dict", "set")):
        kind = ELEMENT[over.kind]
        names = [(_name(scope, "i", "int"), "int"), (_name(scope, "x", kind), kind)]
        text = f"enumerate({text})"
    else:
        kind = ELEMENT[over.kind]
        if over.kind == "str" and draw > 0.7:
            kind, text = "str", f"{text}.split({scope.choose(('', scope.literals.of('sep')))})"
        names = [(_name(scope, "x", kind), kind)]
    bound = [scope.bind(name, kind, filled=True) for name, kind in names]
    for variable in bound:
        variable.locked = True
    return f"for {', '.join(name for name, _ in names)} in {text}", scope.choose(bound)


def _name(scope: Scope, short: str, kind: Kind) -> str:
    pool = (
        ITEM_NAMES.get(kind, (short, "item", "e")) if short == "x" else (short, f"{short}{short}")
    )
    return scope.fresh(kind, pool)


def _element(scope: Scope, item: Variable, wanted: tuple[Kind, ...]) -> tuple[str, Kind] | None:
    """Return what is made of an item, of one of the wanted kinds."""
    if item.kind in wanted and scope.chance(0.25):
        return scope.read(item), item.kind
    for _ in range(6):
        (text, _), kind = derived(scope, item, scope.choose((1, 1, 2)))
        kind = "str" if kind == "char" else kind
        if kind in wanted:
            return text, kind
    return (scope.read(item), item.kind) if item.kind in wanted else None


def _test(scope: Scope, item: Variable, chance: float) -> str:
    return f" if {condition(scope, item)}" if scope.chance(chance) else ""


def as_list(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return a list comprehension."""
    made = _element(scope, item, ("char", *ITEMS))
    if made is None:
        return None
    text, kind = made
    kind = "str" if kind == "char" else kind
    if scope.chance(0.12) and kind in ("int", "str"):
        other = scope.literals.of(kind)
        return f"[{text} if {condition(scope, item)} else {other} {head}]", f"list[{kind}]"
    return f"[{text} {head}{_test(scope, item, 0.45)}]", f"list[{kind}]"


def as_set(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return a set comprehension."""
    made = _element(scope, item, ("int", "str"))
    if made is None:
        return None
    return f"{{{made[0]} {head}{_test(scope, item, 0.3)}}}", f"set[{made[1]}]"


def as_dict(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return a dict comprehension."""
    key = _element(scope, item, ("int", "str"))
    if key is None:
        return None
    values = tuple(value for base, value in DICTS if base == key[1])
    value = _element(scope, item, values)
    if value is None:
        value = expression(scope, "int", 1)[0], "int"
    text = f"{{{key[0]}: {value[0]} {head}{_test(scope, item, 0.35)}}}"
    return text, f"dict[{key[1]}, {value[1]}]"


def as_total(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return a sum or a count."""
    if scope.chance(0.4):
        return f"sum(1 {head} if {condition(scope, item)})", "int"
    made = _element(scope, item, ("int",))
    return made and (f"sum({made[0]} {head}{_test(scope, item, 0.3)})", "int")


def as_best(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return the largest or smallest of what is made of the items."""
    made = _element(scope, item, ("int",))
    pick = scope.choose(("max", "min"))
    return made and (f"{pick}(({made[0]} {head}), default={scope.literals.of('small')})", "int")


def as_text(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return text that is joined."""
    made = _element(scope, item, ("str", "char"))
    sep = scope.choose(("''", "''", scope.literals.of("sep")))
    return made and (f"{sep}.join({made[0]} {head}{_test(scope, item, 0.4)})", "str")


def as_truth(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return whether any or all of the items are of some sort."""
    return f"{scope.choose(('any', 'all'))}({condition(scope, item)} {head})", "bool"


def as_first(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return the first item of some sort."""
    kind = "str" if item.kind == "char" else item.kind
    text = f"next(({scope.read(item)} {head} if {condition(scope, item)})"
    return f"{text}, {scope.literals.of(kind)})", kind


def as_sorted(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return the items sorted by something, or the best by it."""
    kind = "str" if item.kind == "char" else item.kind
    if f"list[{kind}]" not in KINDS or "," in head.split(" in ")[0] or " in enumerate" in head:
        return None
    made = _element(scope, item, ("int", "str"))
    if made is None:
        return None
    over = head.split(" in ", 1)[1]
    order = scope.choose(("", "", ", reverse=True"))
    scope.features |= {"lambda", "sorted"}
    return f"sorted({over}, key=lambda {item.name}: {made[0]}{order})", f"list[{kind}]"


def as_mapped(scope: Scope, head: str, item: Variable, over: str) -> tuple[str, Kind] | None:
    """Return what map or filter gives."""
    if "," in head.split(" in ")[0]:
        return None
    over = head.split(" in ", 1)[1]
    kind = "str" if item.kind == "char" else item.kind
    scope.features |= {"lambda", "map", "filter"}
    if scope.chance(0.5) and f"list[{kind}]" in KINDS:
        test = condition(scope, item)
        return f"list(filter(lambda {item.name}: {test}, {over}))", f"list[{kind}]"
    made = _element(scope, item, ITEMS)
    return made and (f"list(map(lambda {item.name}: {made[0]}, {over}))", f"list[{made[1]}]")


FORMS = (
    *(as_list,) * 9, *(as_dict,) * 4, as_set, *(as_total,) * 2, as_best, *(as_text,) * 3,
    as_truth, as_first, as_sorted, as_mapped,
)  # fmt: skip
