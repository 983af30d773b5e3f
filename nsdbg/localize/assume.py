"""Assumptions: what a call that the guard blocks would have to give for the crash to follow.

Nothing is known of such a call but its place.  A value is put where its result would be and the
function is run on from there: what is confirmed is the way from the value, never the value.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from nsdbg.claim import Call, Middle, Proposal, Reason, Status, Verdict
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural.model import Model
from nsdbg.reproduce import Failure, Level, Outcome
from nsdbg.state import Event, Frame, State
from nsdbg.statefile.states import value_of
from nsdbg.workbench import Workbench

MOST_GUESSES = 8
# Where nobody knows better: what calls to the outside give when they give little.
PLAIN = ("None", "''", "'{}'", "'[]'", "b''", "[]", "{}", "0", "-1", "'a'", "False")
SHOWN_UNCONFIRMED = 2


@dataclass(frozen=True, slots=True)
class Assumption:
    """A value in the place of a blocked call's result.

    `call` is the expression on line `lineno`, `name` what it is bound to.  `source` tells who
    proposes the value: `log`, `neural:<sha>`, or `plain`.  `verdict` is on whether the crash
    follows from there.
    """

    level: Level
    lineno: int
    name: str
    call: str
    value: str
    source: str
    verdict: Verdict
    logp: float | None = None

    @property
    def leads_there(self) -> bool:
        """Whether the crash was seen to follow from the value."""
        return self.verdict.status is Status.CONFIRMED


@dataclass(frozen=True, slots=True)
class _Blocked:
    """A statement that binds a name to what a blocked call gives, and the state behind it.

    `after` is a frame at the next line, in which the name is not bound.
    """

    name: str
    call: str
    lineno: int
    after: Frame
    view: View


def assumptions(
    outcome: Outcome,
    bench: Workbench,
    model: Model | None,
    seed: int,
    time_left: Callable[[], float],
) -> Iterator[Assumption]:
    """Yield what would have to be assumed, for the ways in that a blocked call ended.

    Of each way the first value from which the crash follows; where there is none, the network's
    likeliest guesses, which bear out nothing.
    """
    for failure in outcome.failures:
        blocked = _blocked(failure, bench) if time_left() > 0 else None
        if blocked is None:
            continue
        yield from _of_one(failure.level, blocked, bench, model, seed, time_left)


def _of_one(
    level: Level,
    blocked: _Blocked,
    bench: Workbench,
    model: Model | None,
    seed: int,
    time_left: Callable[[], float],
) -> list[Assumption]:
    """Return the first value from which the crash follows, else the network's first guesses."""
    guessed: list[Assumption] = []
    for text, source, logp in _values(level, blocked, model, seed):
        if time_left() <= 0:
            break
        one = _tried(level, blocked, bench, text, source, logp)
        if one.leads_there:
            return [one]
        guessed += [one] if source not in ("plain", "log") else []
    return guessed[:SHOWN_UNCONFIRMED]


def _blocked(failure: Failure, bench: Workbench) -> _Blocked | None:
    """Return where a way in was blocked, when a value can stand in the place of the call."""
    unknown = failure.unknown
    if unknown is None or unknown.reason is not Reason.SIDE_EFFECT:
        return None
    start, level = unknown.proposal.start, failure.level
    if not isinstance(start, Call) or level.subject.node is None:
        return None
    run = bench.runner.fresh(level.goal, start, full_trace=True)[0]
    states = run.trace.states if run.trace is not None else ()
    lines = [state for state in states if len(state.stack) == 1 and state.event is Event.LINE]
    if not lines or lines[-1].frame.file != level.subject.ref.file:
        return None
    return _binding(View.of_subject(level.subject), lines[-1].frame)


def _binding(view: View, frame: Frame) -> _Blocked | None:
    """Return the binding on a frame's line: one plain name, assigned what a call gives."""
    syntax = view.syntax_at(frame.file, frame.lineno)
    node = syntax.statement(frame.lineno) if syntax is not None else None
    if syntax is None or not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    target, following = node.targets[0], syntax.after(node)
    calls = any(isinstance(part, ast.Call) for part in ast.walk(node.value))
    if not isinstance(target, ast.Name) or not following or not calls:
        return None
    kept = tuple(pair for pair in frame.locals or () if pair[0] != target.id)
    after = replace(frame, lineno=following, locals=kept)
    return _Blocked(target.id, ast.unparse(node.value), frame.lineno, after, view)


def _values(
    level: Level, blocked: _Blocked, model: Model | None, seed: int
) -> Iterator[tuple[str, str, float | None]]:
    """Yield values as literal text, with who proposes them and how likely they find them."""
    logged = dict(level.entry.locals).get(blocked.name)
    if logged is not None:
        yield logged, "log", None
    engine = model.engine if model is not None else None
    if engine is not None and model is not None:
        from nsdbg.propose.neural.surprise import guesses

        situation = Situation(State(Event.LINE, (blocked.after,)))
        for guess in guesses(engine, blocked.view, situation, blocked.name, MOST_GUESSES, seed):
            yield guess.value.repr, model.name, guess.logp
    for text in PLAIN:
        yield text, "plain", None


def _tried(
    level: Level, blocked: _Blocked, bench: Workbench, text: str, source: str, logp: float | None
) -> Assumption:
    after = blocked.after
    names = (*(after.locals or ()), (blocked.name, value_of(text)))
    syntax = blocked.view.syntax_at(after.file, after.lineno)
    around = syntax.loops_around(after.lineno) if syntax is not None else []
    start = Middle(
        State(Event.LINE, (replace(after, locals=names),)),
        tuple((loop.lineno, "[]") for loop in around),
    )
    verdict = bench.verifier.confirm(level.goal, Proposal(start, source, logp=logp))
    return Assumption(
        level, blocked.lineno, blocked.name, blocked.call, text, source, verdict, logp
    )  # fmt: skip
