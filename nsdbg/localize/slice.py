"""The slice: where the value that failed came from, line by line, backwards.

Follows assignments, loop variables, elements of containers, arguments back to the callers in the
logged chain, and returns of functions in the same file.  All of it is read from the text: a clue
says what may have been, and only a run can say what was.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nsdbg.localize.calls import argument_for, calls_in, falls_through, returns
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.code import Spot
from nsdbg.localize.definitions import Definition, How, dotted
from nsdbg.localize.kinds import could_be
from nsdbg.localize.pin import expressions
from nsdbg.source import MODULE

# A value that came through more hands than this is told better by the nearer ones.
LONGEST_WAY = 6
# Each hand-over makes it likelier that the mistake lies nearer.
FADING = 0.85
NEAR = 2
MOST_HOPS = 3
TAKERS = ("pop", "popleft", "popitem", "get", "next", "heappop", "copy", "strip", "setdefault")


@dataclass(frozen=True, slots=True)
class Trail:
    """One way back from the crash: how far it is, and how sure it is to be the way.

    `wanted` is the type of the value looked for, None when unknown.  `caller` is the index of the
    frame in the chain at which the trail stands.  `element` tells that the value lies inside the
    container whose definitions are looked for.
    """

    caller: int
    wanted: str | None
    sureness: float = 1.0
    length: int = 0
    element: bool = False

    def further(self, sureness: float = 1.0, **changed: object) -> Trail:
        """The trail one step longer."""
        longer = replace(self, length=self.length + 1, sureness=self.sureness * sureness * FADING)
        return replace(longer, **changed)  # type: ignore[arg-type]


class Slicer:
    """Collects clues about the origins of values, for one chain of frames (outermost first)."""

    def __init__(self, chain: Sequence[Spot], called: Sequence[ast.expr | None] = ()) -> None:
        """Take the frames, and for each the call that its carets mark, where they do."""
        self.chain = list(chain)
        self.called = list(called) or [None] * len(self.chain)
        self.clues: list[Clue] = []
        # Names the bad value was made of, near enough to matter.
        self.names: frozenset[str] = frozenset()
        self._seen: set[tuple[int, str, str, bool]] = set()

    def trace(self, spot: Spot, node: ast.expr, trail: Trail) -> None:
        """Collect clues about where the value of an expression at a spot came from."""
        key = (spot.lineno, spot.qualname, ast.dump(node), trail.element)
        if key in self._seen or trail.length > LONGEST_WAY or trail.sureness < 0.05:
            return
        self._seen.add(key)
        name = dotted(node)
        if name is not None:
            if trail.length <= NEAR:
                self.names |= {name.split(".")[0]}
            self._name(spot, node, name, trail)
        elif isinstance(node, ast.Subscript) or _takes_element(node):
            owner = node.value if isinstance(node, ast.Subscript) else _owner(node)
            if owner is not None:
                self.trace(spot, owner, replace(trail, element=True))
        elif is_length(node) and isinstance(node, ast.Call):
            self.trace(spot, node.args[0], replace(trail, wanted=None))
        elif isinstance(node, ast.Call):
            self._call(spot, node, trail)
        elif isinstance(node, ast.IfExp):
            self.trace(spot, node.body, trail)
            self.trace(spot, node.orelse, trail)
        elif isinstance(node, ast.BoolOp):
            for value in node.values:
                self.trace(spot, value, trail)
        else:
            self._ingredients(spot, node, trail)

    def _ingredients(self, spot: Spot, node: ast.expr, trail: Trail) -> None:
        """Go on with what a computed value was made of; its type tells nothing about theirs."""
        inner = [part for part in ast.walk(node)
                 if part is not node and isinstance(part, ast.Name | ast.Attribute)
                 and isinstance(part.ctx, ast.Load)]  # fmt: skip
        for part in inner[:6]:
            if dotted(part) is not None:
                self.trace(spot, part, trail.further(0.4, wanted=None, element=False))

    def _name(self, spot: Spot, node: ast.expr, name: str, trail: Trail) -> None:
        inside = _comprehension_iterable(spot.statement, node)
        if inside is not None:
            self.trace(spot, inside, trail.further(0.7, element=True))
            return
        found = spot.definitions_of(name)
        if not found and isinstance(node, ast.Attribute):
            self._attribute(spot, node, trail)
            return
        fitting = [one for one in found if self._fits(spot, one, trail) > 0]
        for one in fitting:
            share = self._fits(spot, one, trail)
            self._definition(spot, one, trail, share, alone=len(fitting) == 1)

    def _attribute(self, spot: Spot, node: ast.Attribute, trail: Trail) -> None:
        """Go on where an attribute of that name is set, on whatever object, and with the object."""
        for code, one in spot.code.attribute_definitions(node.attr):
            if one.statement is None:
                continue
            there = Spot(code, code.qualname_at(one.statement.lineno), one.statement)
            share = self._fits(there, one, trail)
            if share > 0:
                self._definition(there, one, trail.further(0.8), share, alone=False)
        self.trace(spot, node.value, trail.further(0.6, wanted=None))

    def _fits(self, spot: Spot, one: Definition, trail: Trail, hops: int = 0) -> float:
        """How likely a definition gave the bad value, by its text."""
        if one.how in (How.UNBOUND, How.IMPORTED, How.DEFINED, How.CAUGHT):
            return 0.0
        if trail.element:
            return _element_fits(one, trail.wanted)
        if one.how is How.MUTATED or one.value is None or not one.whole:
            return 0.0 if one.how is How.MUTATED else 0.5
        if one.how in (How.LOOPED, How.PARAMETER, How.AUGMENTED):
            return 0.5
        here = _spot_of(spot, one)
        if isinstance(one.value, ast.Name) and here is not None and hops < MOST_HOPS:
            # `cur = head` gives what `head` can be.
            sources = here.definitions_of(one.value.id)
            shares = [self._fits(here, source, trail, hops + 1) for source in sources]
            return max(shares, default=0.5)
        return could_be(one.value, trail.wanted, frozenset(spot.code.classes))

    def _definition(
        self, spot: Spot, one: Definition, trail: Trail, share: float, *, alone: bool
    ) -> None:
        if one.how is How.PARAMETER:
            self._argument(spot, one, trail)
            return
        here = _spot_of(spot, one)
        key = (one.lineno, spot.code.path, one.name, trail.element)
        if here is None or key in self._seen or trail.length > LONGEST_WAY:
            return
        self._seen.add(key)
        certain = share >= 0.9 or alone
        # `x.get(key)` takes an element, and makes the None itself where there is none.
        made = trail.wanted == "NoneType" and share >= 0.9
        made = made or one.how is How.AUGMENTED or one.value is None or not one.whole
        handed_on = not made and one.value is not None and self._hands_on(here, one.value)
        scale = trail.sureness * (1.0 if certain else max(0.5, share))
        if one.lineno != self.chain[-1].lineno or here.code is not self.chain[-1].code:
            mark = Mark.PASSED_ON if handed_on else Mark.ORIGIN if certain else Mark.POSSIBLE_ORIGIN
            if handed_on and trail.wanted == "NoneType" and share >= 0.5:
                mark = Mark.POSSIBLE_ORIGIN
            self._note(here, one.lineno, mark, _told(one, here), scale)
        if one.value is not None:
            element = one.how is How.LOOPED and not trail.element
            self.trace(here, one.value, trail.further(0.9 if handed_on else 0.7, element=element))
        if one.how is How.AUGMENTED:
            for earlier in here.definitions_of(one.name):
                if earlier != one and earlier.how is not How.PARAMETER:
                    self._definition(here, earlier, trail.further(0.7), 0.5, alone=False)

    def _hands_on(self, spot: Spot, value: ast.expr) -> bool:
        """Whether a value was made elsewhere: a copy, or what a function of ours returns."""
        if isinstance(value, ast.Call) and not _takes_element(value):
            name = _plain_name(value.func)
            return len(spot.code.functions_called(name)) == 1 and name not in spot.code.classes
        return _is_copy(value)

    def _argument(self, spot: Spot, one: Definition, trail: Trail) -> None:
        """Go on in the caller: with the argument it gave for a parameter."""
        function = spot.code.node(spot.qualname)
        if function is None or self._index_of(spot) == 0:
            return
        place = self._index_of(spot) - 1
        caller = self.chain[place]
        calls = list(calls_in(caller, function.name))
        if self.called[place] in calls:
            calls = [one for one in calls if one is self.called[place]]
        for call in calls:
            self._given(spot, one, call, trail.further(1.0 / len(calls), caller=place))

    def _given(self, spot: Spot, one: Definition, call: ast.Call, trail: Trail) -> None:
        caller, function = self.chain[trail.caller], spot.code.node(spot.qualname)
        given = argument_for(call, function, one.name, spot) if function else None
        if given is None:
            if one.value is not None:
                text = f"`{one.name}` has its default here: {ast.unparse(one.value)}"
                self._note(spot, one.lineno, Mark.POSSIBLE_ORIGIN, text, trail.sureness)
            return
        text = f"`{one.name}` is given here: {_short(ast.unparse(given))}"
        made_here = not _is_copy(given) and not _is_literal(given)
        mark = Mark.ORIGIN if made_here and caller.qualname != MODULE else Mark.PASSED_ON
        self._note(caller, call.lineno, mark, text, trail.sureness)
        self.trace(caller, given, trail)

    def _index_of(self, spot: Spot) -> int:
        """Return the innermost place in the chain of a spot's function."""
        for place in range(len(self.chain) - 1, -1, -1):
            if self.chain[place].qualname == spot.qualname and self.chain[place].code is spot.code:
                return place
        return 0

    def _call(self, spot: Spot, node: ast.Call, trail: Trail) -> None:
        """Go on in the returns of a function of this file, else with what it was given."""
        matching = spot.code.functions_called(_plain_name(node.func))
        if len(matching) != 1:
            self._ingredients(spot, node, trail)
            return
        code, qualname, function = matching[0]
        classes = frozenset(code.classes)
        for one in returns(function):
            share = could_be(one.value, trail.wanted, classes) if one.value else 0.0
            empty = one.value is None and trail.wanted in ("NoneType", None)
            if share > 0 or empty:
                inner = Spot(code, qualname, one)
                given = ast.unparse(one.value) if one.value else "None"
                text = f"`{function.name}` returns {_short(given)} here"
                certain = share >= 0.9 or empty
                mark = Mark.ORIGIN if certain else Mark.POSSIBLE_ORIGIN
                self._note(inner, one.lineno, mark, text, trail.sureness * (1 if certain else 0.6))
                if one.value is not None:
                    self.trace(inner, one.value, trail.further(0.8))
        if trail.wanted == "NoneType" and falls_through(function.body):
            last = function.body[-1]
            text = f"`{function.name}` can end without a return, and gives None then"
            self._note(
                Spot(code, qualname, last), last.lineno, Mark.MISSING_PATH, text,
                trail.sureness,
            )  # fmt: skip

    def _note(self, spot: Spot, lineno: int, mark: Mark, text: str, scale: float) -> None:
        self.clues.append(Clue(mark, spot.code.path, lineno, text, min(1.0, scale)))


def _element_fits(one: Definition, wanted: str | None) -> float:
    """How likely a definition of a container put the bad element into it."""
    if one.how is How.MUTATED:
        return 0.5 if one.value is None else could_be(one.value, wanted)
    if one.how is How.ASSIGNED and isinstance(one.value, ast.List | ast.Tuple | ast.Set):
        return max((could_be(value, wanted) for value in one.value.elts), default=0.0)
    if one.how is How.ASSIGNED and isinstance(one.value, ast.Dict):
        return max((could_be(value, wanted) for value in one.value.values), default=0.0)
    if one.how is How.ASSIGNED and isinstance(one.value, ast.ListComp):
        return could_be(one.value.elt, wanted)
    empty = isinstance(one.value, ast.Call) and not one.value.args and not one.value.keywords
    return 0.0 if one.how is How.ASSIGNED and empty else 0.4


def _spot_of(spot: Spot, one: Definition) -> Spot | None:
    if one.statement is None:
        return None
    return Spot(spot.code, spot.code.qualname_at(one.statement.lineno), one.statement)


def _told(one: Definition, spot: Spot) -> str:
    source = _short(spot.code.source(one.lineno))
    if one.how is How.LOOPED:
        return f"`{one.name}` takes its values here: {source}"
    if one.how is How.MUTATED:
        return f"`{one.name}` gets elements here: {source}"
    verb = "is changed" if one.how is How.AUGMENTED else "is set"
    return f"`{one.name}` {verb} here: {source}"


def _short(text: str, limit: int = 60) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _is_copy(node: ast.expr) -> bool:
    """Whether an expression only hands on a value that was made elsewhere."""
    return dotted(node) is not None or isinstance(node, ast.Subscript) or _takes_element(node)


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def is_length(node: ast.expr) -> bool:
    """Whether an expression is `len(x)`."""
    return isinstance(node, ast.Call) and dotted(node.func) == "len" and len(node.args) == 1


def _takes_element(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and _plain_name(node.func) in TAKERS


def _plain_name(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else dotted(func) or ""


def _owner(node: ast.expr) -> ast.expr | None:
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            return node.func.value
        return node.args[0] if node.args else None
    return None


def _comprehension_iterable(statement: ast.stmt, node: ast.expr) -> ast.expr | None:
    """Return what a comprehension loops over when the name is its variable."""
    if not isinstance(node, ast.Name):
        return None
    for outer in expressions(statement):
        for one in getattr(outer, "generators", ()):
            bound = {part.id for part in ast.walk(one.target) if isinstance(part, ast.Name)}
            if node.id in bound and any(part is node for part in ast.walk(outer)):
                iterable: ast.expr = one.iter
                return iterable
    return None
