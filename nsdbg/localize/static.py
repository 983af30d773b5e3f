"""The evidence that needs no run: position, pin, slice, control, oddities and rules.

Gathers the clues of one crash site; `rank` adds them up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from nsdbg.errors import SourceError
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.code import Spot
from nsdbg.localize.control import control_clues, enclosing
from nsdbg.localize.definitions import How, dotted
from nsdbg.localize.oddity import odd_clues
from nsdbg.localize.pin import Blame, Role, marked
from nsdbg.localize.site import CrashSite, caret_columns
from nsdbg.localize.slice import Slicer, Trail, is_length
from nsdbg.source import MODULE, load_subject

if TYPE_CHECKING:
    from nsdbg.rulebook import Rulebook

PER_FRAME = 0.7
# A value that was only handed on can still be what the developer gets wrong.
SECOND_OPERAND = 0.7
# A None is never made by the line that trips over it, but a fix may well test for it there.
SYMPTOM = 0.6
SURE_ENOUGH = 0.4


def static_clues(site: CrashSite, rulebook: Rulebook | None = None) -> list[Clue]:
    """Return every clue about one crash that reading alone gives."""
    clues = [*_positions(site), *_pinned(site)]
    clues += control_clues(site.spot, site.pin, site.exception)
    slicer = _slice(site)
    clues += slicer.clues
    clues = _symptom_only(site, clues)
    names = _blamed_names(site) | slicer.names
    for spot in {(spot.code.path, spot.qualname): spot for spot in site.spots}.values():
        if spot.qualname != MODULE or spot is site.spot:
            clues += odd_clues(spot, names)
    clues += _recursion(site)
    clues += _signature(site)
    if rulebook is not None:
        clues += _rules(site, rulebook)
    return clues


def _positions(site: CrashSite) -> Iterator[Clue]:
    path, lineno = site.spot.code.path, site.frame.lineno
    where = "the innermost line of your own code" if site.below else "the line that raised"
    yield Clue(Mark.CRASH_LINE, path, lineno, where)
    seen = {(path, lineno)}
    distance = 0
    for frame, spot in zip(reversed(site.frames[:-1]), reversed(site.spots[:-1]), strict=True):
        place = (spot.code.path, frame.lineno)
        if place not in seen:
            seen.add(place)
            text = f"called on the way to the crash, {_steps(distance + 1)} up"
            yield Clue(Mark.CALLER_LINE, *place, text, PER_FRAME**distance)
            distance += 1
    for step, scale in ((-1, 1.0), (1, 0.8)):
        beside = lineno + step
        while 0 < beside <= len(site.spot.code.lines) and not _is_code(site.spot, beside):
            beside += step
        near = 0 < beside <= len(site.spot.code.lines)
        # The head of the next function, or the end of the one before, has no part in this one.
        if near and site.spot.code.qualname_at(beside) == site.spot.qualname:
            text = f"stands {'above' if step < 0 else 'below'} the crash line"
            yield Clue(Mark.BESIDE_CRASH, path, beside, text, scale)


def _steps(count: int) -> str:
    return "one call" if count == 1 else f"{count} calls"


def _is_code(spot: Spot, lineno: int) -> bool:
    source = spot.code.source(lineno)
    return bool(source) and not source.startswith("#")


def _pinned(site: CrashSite) -> Iterator[Clue]:
    found = site.pin
    if found is None or found.raising:
        return
    here = _made_here(site, found.blames)
    mark = Mark.COMPUTED_ON_CRASH_LINE if here is not None else Mark.PINNED
    text = here or f"the part that failed: {found.text}"
    yield Clue(mark, site.spot.code.path, found.lineno, text)
    if found.lineno != site.frame.lineno:
        yield Clue(Mark.PINNED, site.spot.code.path, site.frame.lineno, text)


def _made_here(site: CrashSite, blames: tuple[Blame, ...]) -> str | None:
    """Say in words that the crash line itself makes the bad value, None when it does not."""
    if not blames:
        return None
    first = blames[0]
    if first.role is Role.NAME:
        reaching = site.spot.definitions_of(first.text)
        left_out = any(one.how is not How.UNBOUND for one in reaching)
        return None if left_out else f"the name `{first.text}` is written here"
    if first.role is Role.RECEIVER and site.exception.endswith("AttributeError"):
        attribute = site.pin.text if site.pin else first.text
        return None if first.had_type == "NoneType" else f"`{attribute}` is asked for here"
    if first.role is Role.INDEX and isinstance(first.expression, ast.Constant):
        return f"the index {first.text} is written here"
    if first.role in (Role.TESTED, Role.CALLEE, Role.READ):
        return None
    if is_length(first.expression):
        return None  # the length is right: what it is the length of came from elsewhere
    if dotted(first.expression) is None and not isinstance(first.expression, ast.Subscript):
        return f"`{first.text}` is computed here"
    return None


def _symptom_only(site: CrashSite, clues: list[Clue]) -> list[Clue]:
    """Lower the crash line where it only trips over a None that lines of our own may have made."""
    blames = site.pin.blames if site.pin else ()
    if not any(one.had_type == "NoneType" and dotted(one.expression) for one in blames):
        return clues
    made = any(one.mark in (Mark.ORIGIN, Mark.POSSIBLE_ORIGIN, Mark.MISSING_PATH)
               and one.scale >= SURE_ENOUGH for one in clues)  # fmt: skip
    return [replace(one, scale=SYMPTOM) if made and one.mark is Mark.CRASH_LINE else one
            for one in clues]  # fmt: skip


def _slice(site: CrashSite) -> Slicer:
    slicer = Slicer(site.spots, _marked_calls(site))
    for place, blame in enumerate(site.pin.blames if site.pin else ()):
        if blame.role in (Role.CALLEE, Role.READ):
            continue
        sureness = 1.0 if place == 0 else SECOND_OPERAND
        if blame.role is Role.CONTAINER and place > 0:
            sureness *= 0.5  # a container is too short less often than an index is wrong
        trail = Trail(len(site.spots) - 1, blame.had_type, sureness)
        slicer.trace(site.spot, blame.expression, trail)
    return slicer


def _marked_calls(site: CrashSite) -> list[ast.expr | None]:
    """Return the expression that the carets of each frame mark."""
    found: list[ast.expr | None] = []
    for frame, spot in zip(site.frames, site.spots, strict=True):
        columns = caret_columns(frame, spot)
        found.append(
            marked(spot.statement, spot.code.text, frame.lineno, columns) if columns else None
        )
    return found


def _blamed_names(site: CrashSite) -> frozenset[str]:
    names: set[str] = set()
    for blame in site.pin.blames if site.pin else ():
        names |= {one.id for one in ast.walk(blame.expression) if isinstance(one, ast.Name)}
    return frozenset(names)


def _recursion(site: CrashSite) -> Iterator[Clue]:
    """Yield the tests of a recursive function that should have ended the recursion."""
    function = site.spot.code.node(site.spot.qualname)
    if not site.exception.endswith("RecursionError") or function is None:
        return
    around = enclosing(site.spot)
    for node in ast.walk(function):
        if isinstance(node, ast.If) and (node in around or node.lineno < site.spot.lineno):
            text = "this test should end the recursion"
            yield Clue(Mark.GUARD, site.spot.code.path, node.lineno, text)


def _signature(site: CrashSite) -> Iterator[Clue]:
    """Yield the `def` that a call with the wrong arguments does not agree with."""
    head, _, rest = site.message.partition("() ")
    if not site.exception.endswith("TypeError") or "argument" not in rest:
        return
    for code, qualname, function in site.spot.code.functions_called(head.rpartition(".")[2]):
        if qualname == head or "." not in head:
            text = f"the call and this signature do not agree: {head}() {rest}"
            yield Clue(Mark.SIGNATURE, code.path, function.lineno, text)


def _rules(site: CrashSite, rulebook: Rulebook) -> Iterator[Clue]:
    from pathlib import Path

    path = site.spot.code.path
    try:
        subject = load_subject(Path(path), site.spot.qualname)
    except SourceError:
        return
    for one in rulebook.suspects(subject, site.frame.lineno, site.exception, site.message):
        scale = min(1.0, max(0.0, one.weight))
        yield Clue(Mark.RULE_SUSPECT, path, one.lineno, one.reason, scale)
