"""The inversion bench: find arguments with which each function returns what it has to.

It runs the same loop as `nsdbg reverse`, on files of its own in a scratch folder.  The direction
`output` runs the recorded call instead: it measures the re-executor, not a proposer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from nsdbg.claim import Call, Goal, Proposal, Site, Status
from nsdbg.errors import SourceError
from nsdbg.measure.problems import Problem
from nsdbg.measure.tally import Attempt
from nsdbg.solve import Budget, Solving
from nsdbg.source import Subject, load_subject
from nsdbg.state import Event
from nsdbg.statefile.goals import plain_name
from nsdbg.workbench import Workbench


def write_problem(problem: Problem, number: int, folder: Path) -> Subject:
    """Write a problem's module and return its function, with only the parameters to be found.

    Raises SourceError when the code does not parse or has no such function.
    """
    file = folder / f"problem_{number}.py"
    file.write_text(problem.code, encoding="utf-8")
    subject = load_subject(file, problem.entry, folder)
    if problem.first_only:
        return replace(subject, parameters=subject.parameters[:1])
    return subject


def value_goal(subject: Subject, value: str) -> Goal:
    """Return the goal that a call of the function returns this value."""
    site = Site(subject.ref.file, None, plain_name(subject))
    return Goal(subject.ref, Event.RETURN, (site,), value=value)


def solve_problems(
    problems: Sequence[Problem], bench: Workbench, budget: Budget, folder: Path, seed: int
) -> Iterator[Attempt]:
    """Yield one attempt a problem, in order.

    The time of an attempt counts everything from reading the source to the confirmed verdict.
    """
    for number, problem in enumerate(problems):
        started = time.perf_counter()
        try:
            subject = write_problem(problem, number, folder)
        except SourceError as error:
            yield Attempt(problem.id, False, False, 0, 0.0, word=str(error))
            continue
        bench.expect(subject)
        goal = value_goal(subject, problem.value)
        solving = Solving(
            goal, subject, bench.proposers, bench.verifier, budget,
            seed=seed, pure=bench.pure(subject),
        )  # fmt: skip
        found = next(iter(solving), None)
        stats = solving.stats
        yield Attempt(
            problem.id,
            found is not None,
            solving.first_confirmed,
            stats.executed,
            time.perf_counter() - started,
            source=found.proposal.source if found else "",
            word="" if found else _why_not(dict(stats.unknown_reasons), solving.trouble),
            place=solving.confirmed_at,
        )


def _why_not(unknown: dict[str, int], trouble: list[str]) -> str:
    reasons = ", ".join([*(f"{count} {slug}" for slug, count in unknown.items()), *trouble])
    return f"nothing confirmed ({reasons})" if reasons else "nothing confirmed"


def run_recorded(problems: Sequence[Problem], bench: Workbench, folder: Path) -> Iterator[Attempt]:
    """Yield, for each problem with a recorded call, whether running it gives the recorded value."""
    for number, problem in enumerate(problems):
        if problem.arguments is None:
            yield Attempt(problem.id, False, False, 0, 0.0, word="no recorded call")
            continue
        started = time.perf_counter()
        subject = write_problem(problem, number, folder)
        start = recorded_call(subject, problem.arguments)
        verdict = bench.verifier.confirm(
            value_goal(subject, problem.value), Proposal(start, "recorded")
        )
        solved = verdict.status is Status.CONFIRMED
        seconds = time.perf_counter() - started
        yield Attempt(problem.id, solved, solved, 1, seconds, "recorded", verdict.reason.slug,
                      1 if solved else None)  # fmt: skip


def recorded_call(subject: Subject, arguments: str) -> Call:
    """Turn the text between a call's brackets into named arguments."""
    import ast

    call = ast.parse(f"f({arguments})", mode="eval").body
    assert isinstance(call, ast.Call)
    names = [parameter.argument_name for parameter in subject.parameters]
    plain = [name for name in names if not name.startswith("*")]
    pairs = [(name, ast.unparse(node)) for name, node in zip(plain, call.args, strict=False)]
    rest = call.args[len(plain) :]
    starred = next((name for name in names if name.startswith("*")), None)
    if rest and starred:
        pairs.append((starred, f"({', '.join(ast.unparse(node) for node in rest)},)"))
    pairs += [(str(word.arg), ast.unparse(word.value)) for word in call.keywords]
    return Call(tuple(pairs))
