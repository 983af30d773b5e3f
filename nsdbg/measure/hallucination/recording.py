"""Recorded calls: what a run showed, made ready to be asked about.

The recording is the verifier's own runner's, in two zygotes; what they disagree on is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from nsdbg.claim import Call, Ending, Goal, Observation, Site, Start
from nsdbg.episode import MOST_STATES, Episode, Listing
from nsdbg.errors import SourceError
from nsdbg.measure.hallucination.programs import Program
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.track import is_inlined, situations, without_comprehensions
from nsdbg.propose.codec.view import View
from nsdbg.source import MODULE, Subject, first_line, function_at, functions, load_subject
from nsdbg.state import Event, Frame, Trace
from nsdbg.statefile.goals import plain_name
from nsdbg.verify.walk import Walk


class Recording(Protocol):
    """What is needed of `verify.Runner`."""

    def fresh(
        self, goal: Goal, start: Start, full_trace: bool = False
    ) -> tuple[Observation, Observation]:
        """Run one start in a fresh fork of each of two zygotes."""
        ...


@dataclass(frozen=True, slots=True)
class Missed:
    """A call that was not recorded, and why, in a word or two."""

    why: str


def _entering(trace: Trace) -> Iterator[int]:
    """Yield the places, comprehensions left out, of states that one's frame follows."""
    kept = -1
    for state in trace.states:
        if not is_inlined(state):
            kept += 1
        elif state.event is Event.CALL:
            yield kept


class Recorded:
    """One call as it ran: `states` has one for every event, `run` what it gave back or raised.

    Comprehensions are part of their lines here; `entering` are the states from which a step leads
    into the frame that one had before Python 3.12.
    """

    def __init__(self, program: Program, call: Call, run: Observation, trace: Trace) -> None:
        self.program, self.call, self.run = program, call, run
        self.trace = without_comprehensions(trace)
        self.states = self.trace.states
        self.entering = frozenset(_entering(trace))
        self._subjects: dict[tuple[str, str], Subject | None] = {}

    @cached_property
    def walk(self) -> Walk:
        """The trace, prepared for commands."""
        return Walk(self.trace)

    @cached_property
    def view(self) -> View:
        """The source of every function that has a state."""
        subject = self.program.subject
        lines = subject.lines
        wanted = {state.frame.function for state in self.states}
        listings = [
            Listing(subject.ref.file, name, first_line(node),
                    "\n".join(lines[first_line(node) - 1 : node.end_lineno]))
            for name, node, _ in functions(subject.tree)
            if node.name in wanted and "<locals>" not in name
        ]  # fmt: skip
        return View(listings)

    @cached_property
    def situations(self) -> list[Situation]:
        """The states with how far their loops have come."""
        name = self.program.subject.ref.qualname
        texts = self.view.texts
        made = Episode(self.program.id, "functions", "", name, "", "", texts, (), self.trace)
        return situations(self.view, made)

    def subject(self, frame: Frame) -> Subject | None:
        """Return the function in which a frame stands; None where no run can start in it.

        A function within a function has no name under which it could be imported.
        """
        own = self.program.subject
        if frame.file != own.ref.file:
            return None
        name = function_at(own.tree, frame.lineno)
        key = name, frame.function
        if key not in self._subjects:
            self._subjects[key] = self._load(name, frame.function)
        return self._subjects[key]

    def _load(self, name: str, function: str) -> Subject | None:
        ref = self.program.subject.ref
        if name == MODULE or "<locals>" in name or name.rpartition(".")[2] != function:
            return None
        if name == ref.qualname:
            return self.program.subject
        try:
            return load_subject(Path(ref.file), name, Path(ref.root))
        except SourceError:
            return None


def record(runner: Recording, program: Program, call: Call) -> Recorded | Missed:
    """Run a call with every state recorded."""
    goal = whole_call(program.subject)
    one, other = runner.fresh(goal, call, full_trace=True)
    for run in (one, other):
        if run.blocked:
            return Missed("it wants what the guard refuses")
        if run.ending is Ending.BAD_START:
            return Missed("its arguments cannot be made, or do not fit")
        if run.ending not in (Ending.RETURNED, Ending.RAISED):
            return Missed(f"its run ended as {run.ending.value}")
    if one.trace is None or not one.trace.states or not one.trace.activations:
        return Missed("nothing of it was recorded")
    if not one.trace.complete or len(one.trace.states) > MOST_STATES:
        return Missed("its run is too long to be recorded")
    if other.trace is None or one.trace.states != other.trace.states:
        return Missed("two runs of it differ")
    if one.trace.states[0].event is not Event.CALL:
        return Missed("it does not begin with its own call")
    return Recorded(program, call, one, one.trace)


def whole_call(subject: Subject, value: str | None = None) -> Goal:
    """Return the goal that a call returns, this value where one is given."""
    site = Site(subject.ref.file, None, plain_name(subject))
    return Goal(subject.ref, Event.RETURN, (site,), value=value)
