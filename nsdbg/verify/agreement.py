"""Whether runs agree with each other, and whether their coverage saw what was claimed.

Says nothing of whether what was claimed is true.  Reads source only to learn which functions can be
suspended.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache
from pathlib import Path

from nsdbg.claim import Difference, Ending, Goal, Observation, Proposal, Site
from nsdbg.errors import SourceError
from nsdbg.source import functions, parse_source
from nsdbg.state import Event, State
from nsdbg.verify.child.tracer import MAX_PATH

# Two runs may differ in these: how long they took, and how they put an odd ending in words.
_FREE_FIELDS = {"seconds", "detail"}


def disagreement(observations: Sequence[Observation]) -> list[Difference]:
    """Return the fields in which runs differ, apart from their seconds."""
    first = observations[0]
    found = []
    for field in fields(Observation):
        if field.name in _FREE_FIELDS:
            continue
        one = getattr(first, field.name)
        for other in observations[1:]:
            two = getattr(other, field.name)
            if not _identical(one, two):
                found.append(Difference(field.name, shortened(one), shortened(two)))
                break
    return found


def observed_only(traced: Observation, plain: Observation) -> list[Difference]:
    """Return what a run shows only while it is watched, given one that was not.

    Where watching cut the run short there is nothing to compare.  How deep a recursion came, and so
    its traceback, depends on who called it.
    """
    if traced.ending is Ending.CUT:
        return []
    names = ["ending", "value", "output"]
    found = [(name, getattr(traced, name), getattr(plain, name)) for name in names]
    one, other = traced.raised, plain.raised
    if one is not None and other is not None and one.type == other.type == "RecursionError":
        one = other
    found.append(("raised", one, other))
    return [
        Difference(f"{name} when not watched", shortened(one), shortened(other))
        for name, one, other in found
        if one != other
    ]


def _identical(one: object, two: object) -> bool:
    # A distance may be nan or an int; texts and tuples of frozen data compare exactly.
    return one == two or (one != one and two != two)


def shortened(value: object) -> str:
    """Return a value as text of at most about 200 characters."""
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 200 else text[:200] + "..."


def claimed_sites(goal: Goal, proposal: Proposal, state: State | None) -> list[Site]:
    """Return the lines that a run must have executed, in the order in which it must have.

    A return event may name a line that was not executed: before 3.10 the implicit `return` of a
    function bears the number of its last statement; a call bears that of the `def`.
    """
    if proposal.action is not None:
        return [] if state is None or state.event is not Event.LINE else [_site(state)]
    executed = goal.event in (Event.LINE, Event.EXCEPTION)
    sites = goal.chain if executed else goal.chain[:-1]
    return [site for site in sites if site.lineno is not None]


def _site(state: State) -> Site:
    frame = state.frame
    return Site(frame.file, frame.lineno, frame.function)


def saw_lines(sites: Sequence[Site], observation: Observation) -> bool:
    """Tell whether coverage and path of a run hold these sites, in this order.

    A generator that is resumed goes on in the middle of a line: that line was executed earlier.
    """
    covered = {entry.file: set(entry.lines) for entry in observation.coverage}
    if any(site.lineno not in covered.get(site.file, ()) for site in sites):
        return False
    if len(observation.path) >= MAX_PATH:
        return True  # the path is cut there; that each line was executed is all that is known
    steps = iter(observation.path)
    for site in sites:
        if not any(step == site for step in steps):
            if site not in observation.path or not _can_be_suspended(site.file, site.function):
                return False
            steps = iter(observation.path)
    return True


@lru_cache(maxsize=256)
def _can_be_suspended(file: str, function: str) -> bool:
    """Tell whether a function of this name yields or awaits, as far as its source can be read."""
    try:
        _, tree = parse_source(Path(file))
    except SourceError:
        return False
    waits = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
    return any(
        isinstance(inner, waits)
        for _, node, _ in functions(tree)
        if node.name == function
        for inner in ast.walk(node)
    )
