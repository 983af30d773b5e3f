"""Loops: what they run over, what they build up, and what their bodies do.

Every loop ends: a `for` runs over what its body leaves alone, and a `while` counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from nsdbg.programs.expressions import condition, expression, leaf, literal
from nsdbg.programs.kinds import DICTS, ELEMENT, ITEMS, KEY_VALUE, PARTS, Kind
from nsdbg.programs.scope import Scope, Variable

BUILDERS: dict[str, tuple[str, ...]] = {
    "int": ("{a} += {e}", "{a} += {e}", "{a} += 1", "{a} = max({a}, {e})", "{a} -= {e}",
            "{a} = ({a} * {p} + {e}) % 1000", "{a} = min({a}, {e})", "{a} ^= {e}",
            "{a} += {e} * 2"),
    "str": ("{a} += {e}", "{a} += {e}", "{a} = {e} + {a}", "{a} += {e} + {s}", "{a} = {a} + {e}"),
    "list": ("{a}.append({e})",) * 5 + ("{a} += [{e}]", "{a}.insert(0, {e})", "{a} = {a} + [{e}]",
             "{a} = [{e}] + {a}"),
    "set": ("{a}.add({e})", "{a}.add({e})", "{a} |= {{{e}}}", "{a}.discard({e})"),
    "bool": ("{a} = {e}", "{a} = not {a}", "{a} = {a} or {e}", "{a} = {e} and not {a}"),
    "float": ("{a} += {e}", "{a} = max({a}, {e})"),
}  # fmt: skip
COUNTS = (
    "{a}[{k}] = {a}.get({k}, 0) + 1", "{a}[{k}] = {a}.get({k}, 0) + {v}", "{a}[{k}] = {v}",
    "{a}.setdefault({k}, {v})", "{a}[{k}] = max({a}.get({k}, 0), {v})",
)  # fmt: skip
LISTED = ("{a}.setdefault({k}, []).append({i})", "{a}[{k}] = {a}.get({k}, []) + [{i}]")
PLAIN = ("{a}[{k}] = {v}", "{a}[{k}] = {v}", "{a}.setdefault({k}, {v})", "{a}.update({{{k}: {v}}})")
ITEM_TRIES = 4
EMPTY = {"int": "0", "str": "''", "bool": "False", "float": "0.0"}
TESTS = ("{e} not in {a}", "{e} in {a}", "len({a}) < {n}", "{a}", "not {a}")


@dataclass(frozen=True, slots=True)
class Building:
    """A variable that a loop adds to; out of sight of expressions while the loop lasts."""

    variable: Variable

    def update(self, scope: Scope, item: Variable | None = None) -> str:
        """Return a statement that adds to it, in most cases out of the item."""
        mark = len(scope.pending)
        text = self._statement(scope)
        for _ in range(ITEM_TRIES):
            if item is None or item in scope.pending[mark:]:
                break
            scope.unread(mark)
            text = self._statement(scope)
        return text

    def _statement(self, scope: Scope) -> str:
        kind = self.variable.kind
        if kind in KEY_VALUE:
            return self._entry(scope, *KEY_VALUE[kind])
        base = kind.split("[")[0]
        form = scope.choose(BUILDERS[base])
        item = kind[len(base) + 1 : -1] if base != kind else kind
        if kind == "str" and scope.chance(0.3):
            item = "char" if scope.pick("char") else "str"
        if base == "set" or item == "bool" or "min(" in form or "max(" in form:
            text, _ = expression(scope, item, 1)
        else:
            text, level = expression(scope, item, scope.choose((1, 1, 2)))
            text = f"({text})" if level < 10 and form.count(" ") > 2 else text
        scope.features |= shown(form, base)
        return form.format(
            a=self.variable.name, e=text, p=scope.number(2, 9), s=scope.literals.of("fill")
        )

    def _entry(self, scope: Scope, key: Kind, value: Kind) -> str:
        counted, listed = value == "int", value.startswith("list[")
        form = scope.choose(COUNTS if counted else LISTED if listed else PLAIN)
        key_text, _ = expression(scope, key, 1 if scope.chance(0.4) else 0)
        texts = {"a": self.variable.name, "k": key_text}
        if "{v}" in form:
            texts["v"] = expression(scope, value, 1)[0]
        if "{i}" in form:
            texts["i"] = expression(scope, value[5:-1], 1)[0]
        scope.features |= shown(form, "dict")
        return form.format(**texts)


@cache
def shown(form: str, base: str) -> frozenset[str]:
    """Return the features that a form of adding to something shows."""
    methods = {f"{base}.{name}" for name in re.findall(r"\{a\}\.([a-z]+)\(", form)}
    signs = {f"augmented {sign}" for sign in re.findall(r"\{a\} (.=) ", form)}
    return frozenset(methods | signs)


def building(scope: Scope, item: Kind | None) -> Building:
    """Start something that a loop adds to; `item` is what the loop runs over."""
    kind = built_kind(scope, item)
    name = scope.fresh(kind)
    start = EMPTY.get(kind) or ("set()" if kind.startswith("set") else scope.choose(("[]", "[]")))
    if kind in KEY_VALUE:
        start = scope.choose(("{}", "{}", "{}", "dict()"))
    if kind == "int" and scope.chance(0.2):
        start = scope.literals.of("small")
    variable = Variable(name, kind)
    variable.reads = 1
    scope.line(f"{name} = {start}")
    return Building(variable)


def built_kind(scope: Scope, item: Kind | None) -> Kind:
    """Return the kind of something that is built up out of items of a kind."""
    base = "str" if item == "char" else item or "int"
    draw = scope.random()
    if draw < 0.4:
        found = base if base in ITEMS and scope.chance(0.7) else scope.choose(("str", "int"))
        return f"list[{found}]"
    if draw < 0.6:
        return "str" if scope.pick("str") else "int"
    if draw < 0.75:
        return "int"
    if draw < 0.93:
        fitting = [pair for pair in DICTS if pair[0] == base] or list(DICTS[:4])
        key, value = scope.choose(fitting)
        return f"dict[{key}, {value}]"
    return f"set[{base}]" if base in ("int", "str") else "bool"


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a for loop with the names it binds."""

    text: str
    names: tuple[tuple[str, Kind], ...]
    over: Variable | None
    before: str = ""  # the first line of the body


def head(scope: Scope) -> Head:
    """Return what a for loop runs over."""
    found = [variable for variable in scope.variables if variable.kind in ELEMENT]
    if not found or scope.chance(0.08):
        return counting(scope)
    unread = [variable for variable in found if variable.unread]
    over = scope.choose(unread if unread and scope.chance(0.7) else found)
    if over.kind in KEY_VALUE:
        return over_dict(scope, over)
    draw = scope.random()
    if draw < 0.2:
        return numbered(scope, over)
    if draw < 0.3:
        return indexed(scope, over)
    if draw < 0.36 and len(found) > 1:
        return zipped(scope, found)
    return plain(scope, over)


def plain(scope: Scope, over: Variable) -> Head:
    """Run over the items themselves, sorted, reversed or sliced now and then."""
    kind = ELEMENT[over.kind]
    name = scope.read(over)
    text = name
    if scope.chance(0.2) and not over.kind.startswith("set"):
        forms = ["reversed({})", "{}[1:]", "{}[::-1]", "{}[::2]", "{}[:-1]"]
        if kind in ("int", "str", "char"):
            forms += ["sorted({})", "sorted(set({}))"]
        form = scope.choose(forms)
        scope.features.add(form.split("(")[0] if "(" in form else "slice")
        text = form.format(name)
    elif over.kind == "str" and scope.chance(0.3):
        kind, sep = "str", scope.choose(("", "sep"))
        text = f"{name}.split({scope.literals.of('sep') if sep else ''})"
    if kind in PARTS and scope.chance(0.8):
        names = tuple((scope.fresh(part), part) for part in PARTS[kind])
        scope.features.add("for unpacking")
        return Head(f"for {names[0][0]}, {names[1][0]} in {text}:", names, over)
    item = scope.fresh(kind, ITEM_NAMES.get(kind))
    return Head(f"for {item} in {text}:", ((item, kind),), over)


ITEM_NAMES: dict[Kind, tuple[str, ...]] = {
    "char": ("c", "ch", "char", "letter", "x", "s", "sym"),
    "str": ("word", "w", "s", "item", "part", "name", "token", "x", "line", "elem", "st"),
    "int": ("n", "x", "num", "i", "v", "value", "item", "el", "number", "a"),
    "list[int]": ("row", "group", "nums", "r"),
    "list[str]": ("row", "group", "parts", "r"),
}


def over_dict(scope: Scope, over: Variable) -> Head:
    """Run over a dict: its items, its keys or its values."""
    key, value = KEY_VALUE[over.kind]
    name = scope.read(over)
    draw = scope.random()
    if draw < 0.6:
        names = ((scope.fresh(key, ("k", "key", "name")), key),
                 (scope.fresh(value, ("v", "value", "val", "count")), value))  # fmt: skip
        text = f"sorted({name}.items())" if scope.chance(0.15) else f"{name}.items()"
        if text.startswith("sorted") and value.startswith("dict"):
            text = f"{name}.items()"
        scope.features |= {"dict.items", "for unpacking"}
        return Head(f"for {names[0][0]}, {names[1][0]} in {text}:", names, over)
    if draw < 0.85:
        item = scope.fresh(key, ("k", "key", "name", "x"))
        form = scope.choose(("{}", "{}", "sorted({})", "list({})", "{}.keys()"))
        return Head(f"for {item} in {form.format(name)}:", ((item, key),), over)
    item = scope.fresh(value, ("v", "value", "val"))
    scope.features.add("dict.values")
    return Head(f"for {item} in {name}.values():", ((item, value),), over)


def numbered(scope: Scope, over: Variable) -> Head:
    """Run over the items with their numbers."""
    kind = ELEMENT[over.kind]
    index = scope.fresh("int", ("i", "idx", "index", "pos", "k", "j"))
    item = scope.fresh(kind, ITEM_NAMES.get(kind))
    start = scope.choose(("", "", "", ", 1", ", start=1"))
    scope.features |= {"enumerate", "for unpacking"}
    text = f"for {index}, {item} in enumerate({scope.read(over)}{start}):"
    return Head(text, ((index, "int"), (item, kind)), over)


def indexed(scope: Scope, over: Variable) -> Head:
    """Run over the numbers of the items, and take each by its number."""
    if over.kind.startswith(("set", "dict")):
        return plain(scope, over)
    kind = ELEMENT[over.kind]
    index = scope.fresh("int", ("i", "idx", "index", "pos", "j"))
    item = scope.fresh(kind, ITEM_NAMES.get(kind))
    name = scope.read(over)
    bounds = scope.choose(
        ("len({})", "len({})", "0, len({}), 2", "1, len({})", "len({}) - 1, -1, -1")
    )
    scope.features.add("range")
    return Head(
        f"for {index} in range({bounds.format(name)}):",
        ((index, "int"), (item, kind)),
        over,
        f"{item} = {name}[{index}]",
    )


def zipped(scope: Scope, found: list[Variable]) -> Head:
    """Run over two things at once."""
    first, second = scope.choose(found), scope.choose(found)
    if first is second and not first.kind.startswith(("list", "str")):
        return plain(scope, first)
    kinds = ELEMENT[first.kind], ELEMENT[second.kind]
    names = tuple((scope.fresh(kind, ITEM_NAMES.get(kind)), kind) for kind in kinds)
    other = scope.read(second) + ("[1:]" if first is second else "")
    scope.features |= {"zip", "for unpacking"}
    text = f"for {names[0][0]}, {names[1][0]} in zip({scope.read(first)}, {other}):"
    return Head(text, names, first)


def counting(scope: Scope) -> Head:
    """Run over a range of numbers."""
    index = scope.fresh("int", ("i", "j", "k", "n", "step", "_i"))
    small = [variable for variable in scope.variables if variable.small]
    if small and scope.chance(0.7):
        counted = scope.choose(small)
        counted.role = "count"
        bound = scope.read(counted)
        bound = scope.choose(("{}", "1, {} + 1", "{} % 7", "{} - 1, -1, -1")).format(bound)
    else:
        bound = scope.choose(("3", "4", "5", "1, 6", "2, 7", "0, 10, 3", "5, 0, -1", "1, 4"))
    scope.features.add("range")
    return Head(f"for {index} in range({bound}):", ((index, "int"),), None)


def guard(scope: Scope, target: Building, item: Variable | None) -> str:
    """Return a condition for the inside of a loop."""
    kind = target.variable.kind
    if scope.chance(0.2) and kind.startswith(("list[int", "list[str", "set", "str", "dict[str")):
        form = scope.choose(TESTS)
        inner = "str" if kind == "str" else kind.split("[")[1].rstrip("]").split(",")[0]
        if "{e}" in form and inner in ("int", "str"):
            text, _ = leaf(scope, inner) if scope.pick(inner) else literal(scope, inner)
            return form.format(e=text, a=target.variable.name, n=scope.number(2, 6))
        if "{e}" not in form:
            return form.format(a=target.variable.name, n=scope.number(2, 6))
    return condition(scope, item)
