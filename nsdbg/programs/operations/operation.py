"""One operation on values: a template, the kinds of its holes, and the kind of what it gives.

Not the choice of an operation, which is made in `expressions`.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache

from nsdbg.programs.kinds import DICTS, ITEMS, KINDS, PAIRS, PARTS, ROWS, SETS, Kind

ATOM = 13
# How tightly each form binds, loosest first, with the number that `level` gives it.
SAMPLES: tuple[tuple[str, int], ...] = (
    ("a if b else c", 0),
    ("a or b", 1),
    ("a and b", 2),
    ("not a", 3),
    ("a < b", 4),
    ("a | b", 5),
    ("a & b", 7),
    ("a + b", 9),
    ("a * b", 10),
    ("-a", 11),
    ("a ** b", 12),
)
BINARY: dict[type[ast.operator], int] = {
    ast.BitOr: 5, ast.BitXor: 6, ast.BitAnd: 7, ast.LShift: 8, ast.RShift: 8, ast.Add: 9,
    ast.Sub: 9, ast.Mult: 10, ast.Div: 10, ast.FloorDiv: 10, ast.Mod: 10, ast.Pow: 12,
}  # fmt: skip

# Holes that are no kinds: literals of a sort, or a variable that is known to serve.
ROLES: dict[str, Kind] = {
    "sep": "str", "letter": "str", "sub": "str", "chars": "str", "fill": "str", "affix": "str",
    "width": "int", "at": "int", "cut": "int", "small": "int", "positive": "int", "times": "int",
    "size": "int", "step": "int", "one": "str",
    "two": "str", "depth": "int", "count": "int", "large": "int",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Form:
    """A template and the names that it binds itself, in a comprehension or a lambda."""

    template: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """A template whose holes `{0}`, `{1}` take expressions of `params`; hole 0 is its subject."""

    template: str
    params: tuple[str, ...]
    result: Kind
    weight: int
    risky: bool  # may raise whatever its subject holds
    needs_filled: bool  # raises where its subject is empty
    grows: bool  # its result may be much larger than its subject
    level: int
    features: frozenset[str]
    forms: tuple[Form, ...] = ()  # the template under other names for what it binds itself
    needs: tuple[int, ...] = ()  # how tightly what goes into each hole must bind; else see below

    def fill(self, parts: list[tuple[str, int]], draw: float = 0.0) -> tuple[str, int]:
        """Return the text with each part in its hole, in parentheses where that is needed.

        draw: 0 to 1, which of the forms to begin with; one whose names the parts do not read is
        taken where there is one.
        """
        needs = self.needs or needs_of(self.template, self.params)
        texts = [
            text if level >= need else f"({text})"
            for (text, level), need in zip(parts, needs, strict=True)
        ]
        template = self.template
        if self.forms:
            template = self._form(" ".join(texts[1:]), draw)
        if "f'" in template and any("'" in text for text in texts):
            if any('"' in text or "\\" in text for text in texts):
                return parts[0] if self.params[0] == self.result else ("''", ATOM)
            # Before Python 3.12 an f-string cannot hold its own quotes.
            template = template.replace("'", '"')
        return template.format(*texts), self.level

    def _form(self, read: str, draw: float) -> str:
        first = int(draw * len(self.forms))
        for form in (*self.forms[first:], *self.forms[:first]):
            if not any(name in read for name in form.names):
                return form.template
        return self.template


def level_of(expression: str) -> int:
    """Return how tightly an expression binds, 0 (a conditional) to `ATOM`."""
    node = ast.parse(expression, mode="eval").body
    match node:
        case ast.IfExp() | ast.Lambda():
            return 0
        case ast.BoolOp(op=ast.Or()):
            return 1
        case ast.BoolOp():
            return 2
        case ast.UnaryOp(op=ast.Not()):
            return 3
        case ast.Compare():
            return 4
        case ast.BinOp(op=op):
            return BINARY[type(op)]
        case ast.UnaryOp():
            return 11
        case ast.Tuple():
            return ATOM if expression.startswith("(") else 0
    return ATOM


@cache
def needs_of(template: str, params: tuple[str, ...]) -> tuple[int, ...]:
    """Return the lowest level whose sample needs no parentheses, hole by hole.

    Asked of what is drawn, not of every row of the tables.
    """
    # A width is a plain number, and within a format it cannot stand in parentheses.
    return tuple(
        0 if kind == "width" else _needed(template, hole, len(params))
        for hole, kind in enumerate(params)
    )


def _needed(template: str, hole: int, holes: int) -> int:
    """Return the lowest level whose sample needs no parentheses in one hole."""
    others = [f"x{number}" for number in range(holes)]

    def tree(sample: str) -> str:
        texts = [*others[:hole], sample, *others[hole + 1 :]]
        return ast.dump(ast.parse(template.format(*texts)))

    for sample, level in reversed(SAMPLES):
        try:
            same = tree(sample) == tree(f"({sample})")
        except SyntaxError:
            same = False
        if not same:
            return level + 1
    return 0


BOUND = re.compile(r"(?:\bfor|\blambda) (\w+)(?:, (\w+))?(?: in\b|:)")
OTHERS: dict[str, tuple[str, ...]] = {
    "w": ("word", "s", "x", "t", "item"), "n": ("x", "num", "i", "v", "e"), "k": ("key", "k", "x"),
    "v": ("val", "value", "y"), "c": ("ch", "char", "x", "i"), "d": ("digit", "ch", "m"),
    "a": ("x", "p", "i"), "b": ("y", "q", "j"), "i": ("idx", "j", "pos"), "x": ("v", "n", "e"),
    "row": ("r", "line", "sub"), "p": ("t", "pair", "x"), "pair": ("p", "kv", "x"),
    "kv": ("pair", "item"), "name": ("key", "x"), "word": ("w", "text"), "value": ("v", "num"),
}  # fmt: skip


def forms(template: str) -> tuple[Form, ...]:
    """Return a template under several names for what it binds itself."""
    found = [name for match in BOUND.findall(template) for name in match if name]
    names = tuple(dict.fromkeys(found))
    if not names:
        return ()
    pools = [OTHERS.get(name, (name,)) for name in names]
    made = [Form(template, names)]
    for number in range(3):
        new = tuple(pool[number % len(pool)] for pool in pools)
        if len(set(new)) == len(new):
            made.append(Form(renamed(template, dict(zip(names, new, strict=True))), new))
    return tuple(made)


def renamed(template: str, names: dict[str, str]) -> str:
    """Return a template with other names, where they are no attributes and are not called."""
    pattern = rf"(?<!\.)\b(?:{'|'.join(names)})\b(?!\()"
    return re.sub(pattern, lambda match: names[match.group()], template)


METHOD = re.compile(r"(\{\d\}|\))\.([a-z]+)\(")
BUILTIN = re.compile(r"(?<![.\w])([a-z]+)\(")
FORM = re.compile(r"\{0\}\[|f'|\bin\b|\bif\b|//|%|\*\*|\blambda\b|\bfor\b| / | \* | \| | & | \^ ")
FORMS = {
    "{0}[": "subscript", "f'": "f-string", "in": "in", "if": "conditional", "lambda": "lambda",
    "for": "comprehension",
}  # fmt: skip


def features_of(template: str, params: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the methods, builtins and forms that a template shows."""
    found = set()
    for hole, name in METHOD.findall(template):
        owner = "" if hole == ")" else params[int(hole[1])]
        owner = ROLES.get(owner, owner).split("[")[0]
        found.add(f"{owner}.{name}".replace("char.", "str."))
    found |= {name for name in BUILTIN.findall(template) if name not in ("in", "if", "not", "and")}
    found |= {FORMS.get(form, form.strip()) for form in FORM.findall(template)}
    return frozenset(found)


ROW = re.compile(r"^([!?^]*)(\d*)\s*(.*?) -> ([^:]+) : (.*)$")


def operations(table: str) -> list[Operation]:
    """Read a table, a row a line: `marks kinds -> kind : template`.

    Marks: `!` may raise, `?` needs a subject that is not empty, `^` grows, a number is a weight.
    After `  # ` stands what the template imports: a module, or a name in one after a dot.
    T stands for every item of a list, K and V for every key and value, P for every pair.
    """
    return [found for line in table.strip().splitlines() for found in row(line.strip())]


def row(line: str) -> list[Operation]:
    """Read a row into an operation for each choice of what its letters stand for."""
    match = ROW.match(line)
    if match is None:
        raise ValueError(f"a row of the table of operations does not parse: {line!r}")
    marks, weight, params, result, template = match.groups()
    template, _, needs = template.partition("  # ")
    imports = frozenset((imported(needs),) if needs else ())
    found = []
    for names in choices(f"{params} {result}"):
        kinds = tuple(put(part, names) for part in params.split("; "))
        kind = put(result.strip(), names)
        if kind not in KINDS or not all(part in KINDS or part in ROLES for part in kinds):
            continue
        found.append(make(template, kinds, kind, marks, int(weight or 1), imports))
    if not found:
        raise ValueError(f"no kinds fit this row: {line!r}")
    return found


def imported(name: str) -> str:
    """Return the import of a module, or of what stands after the dot in it."""
    module, _, inner = name.partition(".")
    return f"from {module} import {inner}" if inner else f"import {module}"


def make(
    template: str,
    kinds: tuple[str, ...],
    kind: Kind,
    marks: str,
    weight: int,
    imports: frozenset[str] = frozenset(),
) -> Operation:
    """Return the operation with its levels and features worked out from the template."""
    holes = len(kinds)
    plain = template.format(*(f"x{number}" for number in range(holes)))
    return Operation(
        template=template,
        params=kinds,
        result=kind,
        weight=weight,
        risky="!" in marks,
        needs_filled="?" in marks,
        grows="^" in marks,
        level=ATOM if "=" in plain and not is_expression(plain) else statement_level(plain),
        features=features_of(template, kinds) | imports,
        forms=forms(template),
    )


def calling(template: str, kinds: tuple[str, ...], kind: Kind) -> Operation:
    """Return the operation that is a call: what goes into it needs no parentheses."""
    needs = tuple(ATOM if f"{{{number}}}[" in template else 0 for number in range(len(kinds)))
    features = frozenset({"call"})
    return Operation(template, kinds, kind, 1, False, False, False, ATOM, features, (), needs)


def is_expression(text: str) -> bool:
    """Say whether a text is an expression and not a statement."""
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def statement_level(text: str) -> int:
    """Return the level of an expression, `ATOM` for a statement."""
    return level_of(text) if is_expression(text) else ATOM


def put(text: str, names: dict[str, Kind]) -> str:
    """Put the kinds in for the letters T, U, K, V, A, B, P of a row."""
    return re.sub(r"\b[TKVABPS]\b", lambda match: names[match.group()], text)


def choices(text: str) -> list[dict[str, Kind]]:
    """Return every choice of kinds for the letters that stand in a row."""
    found: list[dict[str, Kind]] = [{}]
    if re.search(r"\bT\b", text):
        found = [{**names, "T": item} for names in found for item in ITEMS]
    if re.search(r"\bS\b", text):
        # Kinds that can be ordered, hashed and put in a set.
        found = [{**names, "S": item} for names in found for item in SETS]
    if re.search(r"\bK\b", text):
        found = [{**names, "K": key, "V": value} for names in found for key, value in DICTS]
    if re.search(r"\bP\b", text):
        found = [
            {**names, "P": pair, "A": PARTS[pair][0], "B": PARTS[pair][1]}
            for names in found
            for pair in PAIRS
        ]
    return found or [dict.fromkeys(ROWS, "")]
