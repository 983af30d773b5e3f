"""A state with what its locals do not tell: how far each `for` loop around it has come.

Locals and a line number are not Markov, since an iterator is hidden: in `for x in [0, 0]` equal
states have different successors.  So a visit count goes with each loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nsdbg.propose.codec.seen import standing_for
from nsdbg.propose.codec.syntax import Syntax
from nsdbg.propose.codec.view import View
from nsdbg.propose.evaluate import copied
from nsdbg.propose.evaluation.calls import MODULES
from nsdbg.propose.evaluation.lazy import WITHIN, Generating
from nsdbg.propose.evaluation.scope import Module
from nsdbg.source import generates
from nsdbg.state import Frame, State

# What these names nearly always mean; a program that means something else by them is misjudged.
_ITERATORS = (
    "accumulate chain combinations compress count cycle dropwhile filterfalse groupby islice "
    "pairwise permutations product repeat starmap takewhile tee zip_longest"
)
WELL_KNOWN: dict[str, Any] = {
    **MODULES["math"],
    **MODULES["collections"],
    **{name: MODULES["itertools"][name] for name in _ITERATORS.split()},
    **MODULES["functools"],
    **MODULES["heapq"],
    **MODULES["bisect"],
    **MODULES["abc"],
    **{name: Module(name, members) for name, members in MODULES.items()},
}
Loops = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Situation:
    """A state, and for each frame the `for` loops around it: header line and items taken so far.

    `loops` runs beside `state.stack`; a frame about which nothing is known has no entries.
    """

    state: State
    loops: tuple[Loops, ...] = ()

    @property
    def here(self) -> Loops:
        """The loops of the innermost frame."""
        return self.loops[-1] if len(self.loops) == len(self.state.stack) else ()

    def taken(self, lineno: int) -> int:
        """How many items the loop with this header has taken; 0 when nothing is known."""
        return next((count for line, count in self.here if line == lineno), 0)


def entered(view: View, frame: Frame, before: Loops, came_from: int | None) -> Loops:
    """Return a frame's loops at its new line: what it keeps of those around, counted on.

    A loop's body is entered from its header, which then has taken one item more.
    """
    syntax = view.syntax_at(frame.file, frame.lineno)
    if syntax is None:
        return ()
    kept: list[tuple[int, int]] = []
    for node in syntax.loops_around(frame.lineno):
        count = dict(before).get(node.lineno, 0)
        kept.append((node.lineno, count + (came_from == node.lineno)))
    header = syntax.loop(frame.lineno)
    if header is not None:
        kept.append((header.lineno, _at_header(syntax, header.lineno, before, came_from)))
    return tuple(kept)


def _at_header(syntax: Syntax, header: int, before: Loops, came_from: int | None) -> int:
    """Return the items taken at a header: none yet, unless one comes from within its body."""
    inside = came_from is not None and (
        came_from == header or any(node.lineno == header for node in syntax.loops_around(came_from))
    )
    return dict(before).get(header, 0) if inside else 0


def names_of(view: View, frame: Frame) -> dict[str, Any]:
    """Return the frame's names with their values; those whose text does not tell it are opaque."""
    names = {**WELL_KNOWN, **{name: copied(value) for name, value in view.constants.items()}}
    within = ""
    for text, syntax in zip(view.texts, view.syntax, strict=True):
        names.pop(text.qualname, None)  # the program's own function
        if syntax.definition is not None and generates(syntax.definition):
            names[text.qualname] = Generating(text.qualname)
        if text.file == frame.file and text.lineno <= frame.lineno <= text.end_lineno:
            within = text.qualname
    if within.rpartition(".")[2] == frame.function:
        names[WITHIN] = within
    for name, value in frame.locals or ():
        names[name] = standing_for(value)
    return names
