"""A rule's program on one interpreter: its functions, and what running one of them shows.

Runs nothing here itself: the runner does, under the guard.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from nsdbg.claim import Call, Ending, ExceptionClaim, Goal, Hit, Observation, Raised, Site
from nsdbg.errors import RuleError, SourceError
from nsdbg.rulebook import Rulebook
from nsdbg.rulebook.rules import AnyRule, Versions
from nsdbg.source import Subject, load_subject
from nsdbg.state import Event
from nsdbg.verify.native import native_imports
from nsdbg.verify.runner import Runner
from nsdbg.verify.sandbox import is_strong

SPEAKS, SILENT = "propose_", "silent_"
_VERSIONS = re.compile(r"#\s*python:\s*3\.(\d+)(?:(\+)|-3\.(\d+))?")
_FAULT = re.compile(r"#\s*fault\b")
# Frames of their own before 3.12, on the line of the function around them.
COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


class Standing(Enum):
    """How a rule stands with one function of its program."""

    HOLDS = "holds"
    FAILS = "fails"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one function; `detail` says why it fails, or what was shown."""

    function: str
    standing: Standing
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A function of a program: where the rule must speak, or must be silent."""

    subject: Subject
    must_speak: bool
    versions: Versions

    @property
    def name(self) -> str:
        """The function's name."""
        return self.subject.ref.qualname

    def holds(self, detail: str = "") -> Outcome:
        """Return that the rule did as this function asks."""
        return Outcome(self.name, Standing.HOLDS, detail)

    def fails(self, detail: str) -> Outcome:
        """Return that it did not."""
        return Outcome(self.name, Standing.FAILS, detail)


def read_cases(rule: AnyRule) -> list[Case]:
    """Return the functions of a rule's program; raises RuleError when it has none to speak of."""
    try:
        whole = load_subject(rule.program, "<module>")
        names = [
            node.name
            for node in whole.tree.body
            if isinstance(node, ast.FunctionDef) and node.name.startswith((SPEAKS, SILENT))
        ]
        cases = [_case(load_subject(rule.program, name)) for name in names]
    except SourceError as error:
        raise RuleError(f"{rule.program}: {error}") from error
    for prefix in (SPEAKS, SILENT):
        if not any(name.startswith(prefix) for name in names):
            raise RuleError(f"{rule.program}: has no function {prefix}…: add at least one")
    return cases


def _case(subject: Subject) -> Case:
    node = subject.node
    assert node is not None
    if any(parameter.required for parameter in subject.parameters):
        raise RuleError(f"{subject.ref.file}: {node.name} needs arguments: it is called with none")
    text = "\n".join(subject.lines[node.lineno - 1 : node.end_lineno])
    found = _VERSIONS.search(text)
    versions = Versions()
    if found is not None:
        first = (3, int(found[1]))
        versions = Versions(first, None if found[2] else (3, int(found[3] or found[1])))
    return Case(subject, node.name.startswith(SPEAKS), versions)


def fault_lines(subject: Subject) -> frozenset[int]:
    """Return the lines that a program marks as the fault."""
    return frozenset(number for number, line in enumerate(subject.lines, 1) if _FAULT.search(line))


class Trial:
    """One interpreter, and the rulebook whose rules are tried on it."""

    def __init__(self, book: Rulebook, runner: Runner) -> None:
        self.book = book
        self.runner = runner

    @property
    def version(self) -> tuple[int, int]:
        """The interpreter's version."""
        return self.runner.interpreter.version[:2]

    def reaches_past(self, case: Case) -> str:
        """Name the modules with which a program may pass a guard that is weak, if it is."""
        if self.runner.config.weak_ok or is_strong(self.runner.layers):
            return ""
        return ", ".join(native_imports(case.subject.ref)[:3])

    def crash(self, case: Case) -> Observation:
        """Run a function once, to see whether and how it raises."""
        return self.runner.single(_goal(case.subject), Call(), trace=False)

    def twice_fresh(self, case: Case) -> tuple[Observation, Observation]:
        """Run a function in a fresh process of each of two that differ, to its return."""
        return self.runner.fresh(_goal(case.subject), Call())

    def twice_in_one(self, case: Case) -> list[Observation]:
        """Run a function twice in one process."""
        return self.runner.batch(_goal(case.subject), [Call(), Call()], trace=False)

    def returned(self, case: Case, where: tuple[str, ...] = ()) -> list[Hit]:
        """Return what two fresh runs show of the function's return."""
        site = Site(case.subject.ref.file, None, case.name)
        goal = Goal(case.subject.ref, Event.RETURN, (site,), where=where)
        return list(_hits(self.runner.fresh(goal, Call())))

    def true_at_crash(
        self, case: Case, raised: Raised, facts: tuple[str, ...]
    ) -> list[bool | None] | None:
        """Return which facts are true in the frame of the crash line, in both of two fresh runs.

        None for a fact that raised; None for all when the frame was not reached in both.
        """
        sites = own_sites(case.subject, raised)
        own = [site for site in raised.sites if site.file == case.subject.ref.file]
        # An exception that comes through a comprehension does not end in the frame around it: then
        # the frame is looked at as the exception passes, whatever it is.
        claim = ExceptionClaim(raised.type) if len(sites) == len(own) else None
        goal = replace(_goal(case.subject), chain=sites, where=facts, exception=claim)
        hits = list(_hits(self.runner.fresh(goal, Call())))
        if len(hits) < 2 or any(len(hit.where) != len(facts) for hit in hits):
            return None
        first, second = (hit.where for hit in hits)
        return [one if one == other else False for one, other in zip(first, second, strict=True)]


def _goal(subject: Subject) -> Goal:
    site = Site(subject.ref.file, None, subject.ref.qualname)
    return Goal(subject.ref, Event.EXCEPTION, (site,), exact_chain=False)


def _hits(observations: tuple[Observation, ...]) -> Iterator[Hit]:
    for seen in observations:
        hit = seen.hits[0] if seen.hits else seen.near
        if hit is not None:
            yield hit


def own_sites(subject: Subject, raised: Raised) -> tuple[Site, ...]:
    """Return the frames of the program in a traceback, without comprehensions at its end."""
    own = [site for site in raised.sites if site.file == subject.ref.file]
    while len(own) > 1 and own[-1].function in COMPREHENSIONS:
        own.pop()
    return tuple(own)


def crash_line(subject: Subject, raised: Raised) -> int:
    """Return the line of the program from which an exception came, 0 when there is none."""
    own = own_sites(subject, raised)
    return (own[-1].lineno or 0) if own else 0


def did_run(seen: Observation) -> bool:
    """Return whether a run came to an end of its own: what did not shows nothing of a rule."""
    return seen.ending in (Ending.RETURNED, Ending.RAISED, Ending.EXITED)


def ending(seen: Observation) -> str:
    """Say how a run ended, for a message."""
    if seen.raised is not None:
        return f"{seen.raised.type}: {seen.raised.message:.120}"
    blocked = f" ({', '.join(seen.blocked)})" if seen.blocked else ""
    detail = f": {seen.detail}" if seen.detail else ""
    return f"{seen.ending.value}{blocked}{detail}"
