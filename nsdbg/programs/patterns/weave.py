"""Puts a pattern into a scope: fills its holes from the left to the right, line by line."""

from __future__ import annotations

import re

from nsdbg.programs import names
from nsdbg.programs.expressions import argument, condition, expression, literal
from nsdbg.programs.kinds import DICTS, ITEMS, KINDS, Kind
from nsdbg.programs.loops import ITEM_NAMES, Building
from nsdbg.programs.operations.operation import ATOM, ROLES
from nsdbg.programs.patterns.pattern import Hole, Pattern, Row
from nsdbg.programs.scope import Scope, Variable

SIGNS = {"op": ("<", ">", "==", "!=", ">=", "<="), "more": (">", ">="), "up": ("<", "<=")}
NUMBERS = ("i", "j", "k", "idx", "pos", "index")
LETTER = re.compile(r"\b[TKV]\b")


class NoFit(Exception):
    """The scope has no variable that a pattern asks for."""


class Weaving:
    """One pattern on its way into a scope."""

    def __init__(self, scope: Scope, known: dict[str, str]) -> None:
        self.scope = scope
        self.named: dict[str, Variable] = {}
        self.known = known  # names of functions and classes
        self.letters: dict[str, Kind] = {}
        self.late: list[Variable] = []  # bound by the line under way
        self.unseen: list[Variable] = []
        self.seen_after = True  # whether what is bound here can be read after the pattern
        self.loops = scope.loops
        self.kept: frozenset[str] = frozenset()  # names that expressions must not see

    def line(self, row: Row) -> None:
        """Add one line."""
        text = "".join(part if isinstance(part, str) else self.fill(part) for part in row.parts)
        self.scope.line(text)
        if row.parts[0] == "del " and isinstance(row.parts[1], Hole):
            self.scope.variables.remove(self.named[row.parts[1].name])
        self.scope.variables.extend(self.late)
        self.late.clear()

    def fill(self, hole: Hole) -> str:
        """Return what goes into a hole."""
        scope = self.scope
        match hole.sort:
            case "again":
                return self.again(hole.name)
            case "attribute":
                return self.again(hole.name).removeprefix("self")
            case "$":
                return self.there(hole)
            case "+" | ".":
                return self.new(hole)
            case "=" | "==":
                found = expression(scope, self.kind(hole.kind), len(hole.sort))
            case "~":
                found = argument(scope, self.kind(hole.kind), 0)
            case "!":
                found = literal(scope, self.kind(hole.kind))
            case "?":
                about = self.named.get(hole.name)
                found = condition(scope, about), 1  # `or` at the loosest
            case "^":
                return Building(self.named[hole.name]).update(scope)
            case _:
                return scope.choose(hole.texts)
        # A plain number needs none either: no pattern has a dot after it.
        return found[0] if hole.bare or found[1] >= ATOM - 1 else f"({found[0]})"

    def again(self, name: str) -> str:
        """Return a name that the pattern has given before."""
        variable = self.named.get(name)
        if variable is None and name in SIGNS:
            return self.scope.choose(SIGNS[name])
        if variable is None:
            return self.known[name]
        variable.reads += 1
        self.scope.pending.append(variable)
        return variable.name

    def there(self, hole: Hole) -> str:
        """Return the name of a variable that was there before."""
        return self.scope.read(self.named[hole.name])

    def find(self, hole: Hole) -> None:
        """Choose the variable that was there before, and with it what the letters stand for."""
        found = [
            variable for variable in self.scope.variables
            if not variable.locked and self.fits(variable.kind, hole.kind)
        ]  # fmt: skip
        if not found:
            raise NoFit(hole.kind)
        unread = [variable for variable in found if variable.unread]
        variable = self.scope.choose(unread or found)
        self.letters.update(self.letters_of(variable.kind, hole.kind))
        self.named[hole.name] = variable

    def put_away(self, changed: frozenset[str]) -> list[Variable]:
        """Take what a loop changes out of sight, and return what was in sight."""
        self.kept = changed
        away = [self.named[name] for name in changed if name in self.named]
        self.scope.variables = [found for found in self.scope.variables if found not in away]
        return away

    def fits(self, kind: Kind, wanted: str) -> bool:
        """Say whether a kind is what a hole asks for, letters and all."""
        if not LETTER.search(wanted):
            return kind == wanted
        if "T" in wanted and "T" not in self.letters:
            return any(kind == wanted.replace("T", item) for item in ITEMS)
        if "K" in wanted and "K" not in self.letters:
            return any(kind == _put(wanted, {"K": key, "V": value}) for key, value in DICTS)
        return kind == self.kind(wanted)

    def letters_of(self, kind: Kind, wanted: str) -> dict[str, Kind]:
        """Return what the letters of a hole stand for, given the kind that went in."""
        if "T" in wanted:
            return next({"T": item} for item in ITEMS if kind == wanted.replace("T", item))
        for key, value in DICTS:
            if LETTER.search(wanted) and kind == _put(wanted, {"K": key, "V": value}):
                return {"K": key, "V": value}
        return {}

    def kind(self, text: str) -> Kind:
        """Return the kind that a text names, with its letters put in."""
        kind = _put(text, self.letters)
        if kind not in KINDS and kind not in ROLES and kind != "any":
            raise NoFit(kind)
        return kind

    def new(self, hole: Hole) -> str:
        """Return a new name, and bind it."""
        kind = self.kind(hole.kind)
        role = ROLES.get(kind)
        owner = "self." if hole.name.startswith("self.") else ""
        name = owner + self.scope.fresh(role or kind, self.pool(hole.name, kind))
        variable = Variable(name, role or kind, filled=hole.sort == "+", small=role is not None)
        self.named[hole.name.removeprefix("self.")] = variable
        if hole.sort == "+" and hole.name not in self.kept:
            self.late.append(variable)
        elif self.seen_after and not self.scope.loops > self.loops:
            self.unseen.append(variable)
        if hole.sort == ".":
            variable.reads += 1
        return name

    def pool(self, name: str, kind: Kind) -> tuple[str, ...] | None:
        """Return the names for what a pattern calls by a letter that means something."""
        if name in ("x", "c", "w"):
            return ITEM_NAMES.get(kind)
        return NUMBERS if name in ("i", "j") else None


def _put(text: str, letters: dict[str, Kind]) -> str:
    return LETTER.sub(lambda match: letters.get(match.group(), match.group()), text)


def weave(scope: Scope, pattern: Pattern, known: dict[str, str] | None = None) -> Weaving | None:
    """Add a pattern to the scope; where it does not fit, add nothing and return None."""
    weaving = Weaving(scope, known or {})
    before, depth, loops = len(scope.lines), scope.depth, scope.loops
    in_sight = list(scope.variables)
    inner: list[int] = []  # the depths of functions within
    stack: list[tuple[int, int, bool]] = []  # depth, variables before it, whether a loop
    try:
        for part in pattern.needs:
            weaving.find(part)
        away = weaving.put_away(pattern.changed)
        for row in pattern.rows:
            while stack and row.depth <= stack[-1][0]:
                _leave(scope, *stack.pop())
            scope.depth = depth + row.depth
            stack.append((row.depth, len(scope.variables), row.loops))
            weaving.seen_after = not any(depth < row.depth for depth in inner)
            if row.parts[0] == "def ":
                inner.append(row.depth)
                weaving.seen_after = False
            elif row.depth == 0:
                inner.clear()
                weaving.seen_after = True
            weaving.line(row)
            if row.loops:
                scope.loops += 1
            else:
                # What the line binds is seen by the lines after it at its own depth.
                stack.pop()
                if _opens(row):
                    stack.append((row.depth, len(scope.variables) - _params(row), False))
    except NoFit:
        scope.forget(before)
        scope.variables = in_sight
        return None
    finally:
        scope.depth, scope.loops = depth, loops
    while stack:
        _leave(scope, *stack.pop(), counted=False)
    scope.variables.extend(away)
    scope.variables.extend(made for made in weaving.unseen if made.kind in KINDS)
    for variable in weaving.unseen:
        variable.unread = True
    scope.features |= pattern.features
    return weaving


def _opens(row: Row) -> bool:
    last = row.parts[-1]
    return isinstance(last, str) and last.endswith(":")


def _params(row: Row) -> int:
    """Return how many variables a line binds for the block below it alone."""
    first = row.parts[0]
    if not (isinstance(first, str) and first.startswith(("def ", "except", "with "))):
        return 0
    return sum(isinstance(part, Hole) and part.sort == "+" for part in row.parts)


def _leave(scope: Scope, depth: int, known: int, loops: bool, counted: bool = True) -> None:
    """Forget what a block bound; attributes are known to the end of their class."""
    kept = [
        variable for variable in scope.variables[known:]
        if depth and variable.name.startswith("self.")
    ]  # fmt: skip
    scope.variables[known:] = kept
    if loops and counted:
        scope.loops -= 1


def known_names(scope: Scope) -> dict[str, str]:
    """Return names for the functions and classes of a piece."""
    found = {}
    for letter in "fgh":
        name = f"{scope.choose(names.VERBS)}_{scope.choose(names.NOUNS)}"
        if scope.chance(0.35):
            name = scope.choose(names.WHOLE)
        found[letter] = scope.fresh("", (name,))
    for letter in "CDE":
        found[letter] = scope.fresh("", (scope.choose(names.CLASSES),))
    return found
