"""`nsdbg step` and `nsdbg verify`: the next state, and verdicts on anybody's proposals."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli.options import (
    Allow,
    Format,
    Model,
    OutputFormat,
    Provider,
    Python,
    Runtime,
    WeakGuard,
    tell_what_is_awaited,
)
from nsdbg.cli.target import SourceRoot, StateText, Target, subject_of

if TYPE_CHECKING:
    from nsdbg.forward import Foreseen
    from nsdbg.source import Subject
    from nsdbg.state import Action
    from nsdbg.statefile import StateClaim
    from nsdbg.workbench import Options

Command = Annotated[
    str,
    typer.Option(
        "--action",
        metavar="COMMAND",
        help="step, next, return, until:LINE or continue:LINE, as pdb means them.",
    ),
]
Predict = Annotated[
    bool,
    typer.Option(
        "--predict", help="Let the model answer: nothing is run, and the answer is unchecked."
    ),
]
Compare = Annotated[
    bool, typer.Option("--compare", help="Say as well whether the model expected the same.")
]
Proposals = Annotated[
    str, typer.Argument(metavar="PROPOSALS.jsonl", help="One proposal a line; - is stdin.")
]
RequireAll = Annotated[
    bool,
    typer.Option("--require-all", help="Exit with 0 only if every line was confirmed."),
]


def step(
    target: Target = None,
    state: StateText = "-",
    action: Command = "step",
    predict: Predict = False,
    compare: Compare = False,
    source_root: SourceRoot = None,
    python: Python = None,
    allow: Allow = None,
    allow_weak_guard: WeakGuard = False,
    model: Model = None,
    provider: Provider = Runtime.AUTO,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Give the next state for a debugger's command, by running on from a state.

    STATE is JSON; values are Python literals as text, and locals that are not named are unbound.
    What a loop around the line has yet to give is told with "remaining":

    \b
      {"lineno": 6, "locals": {"item": "1"}, "remaining": {"5": "[2]"}}

    A confirmed step says that the state leads there, not that a call reaches the state. Each run
    may take 2 seconds.

    Exit code: 0 the next state is confirmed (with --predict: there is an answer), 1 it is not,
    2 it could not be asked.

    Example: nsdbg step shop.py::total --action next --state '{"lineno": 3, "locals": {"tax": "1"}}'
    """
    from nsdbg.errors import UsageError
    from nsdbg.statefile import parse_action, parse_state, read_state_text
    from nsdbg.workbench import Options

    if predict and compare:
        raise UsageError("--predict runs nothing to compare with: give one of the two")
    wanted = parse_action(action)
    tell_what_is_awaited(state, "STATE")
    claim = parse_state(read_state_text(state))
    subject = subject_of(target, claim, source_root)
    options = Options(
        roots=(Path(subject.ref.root),), python=python, allow=tuple(allow or ()),
        weak_ok=allow_weak_guard, model=model, provider=provider.value,
    )  # fmt: skip
    _answer(claim, subject, wanted, options, predict, compare, output_format)


def _answer(
    claim: StateClaim, subject: Subject, action: Action, options: Options, predict: bool,
    compare: bool, output_format: OutputFormat,
) -> None:  # fmt: skip
    import json

    from nsdbg.claim import Status
    from nsdbg.forward import foresee
    from nsdbg.forward import step as look_ahead
    from nsdbg.report.transition import step_json, step_text
    from nsdbg.workbench import Workbench

    with Workbench(options) as bench:
        if predict:
            _show_prediction(foresee(claim, subject, action, bench.model), subject, output_format)
            return
        foreseen = foresee(claim, subject, action, bench.model) if compare else None
        followed = look_ahead(claim, subject, action, bench.verifier)
    if output_format is OutputFormat.JSON:
        typer.echo(json.dumps(step_json(followed, subject, foreseen)))
    else:
        typer.echo(step_text(followed, foreseen))
    if followed.verdict.status is not Status.CONFIRMED:
        raise typer.Exit(1)


def _show_prediction(foreseen: Foreseen, subject: Subject, output_format: OutputFormat) -> None:
    import json

    from nsdbg.report.transition import predicted_json, predicted_text

    if output_format is OutputFormat.JSON:
        typer.echo(json.dumps(predicted_json(foreseen, subject)))
    else:
        typer.echo(predicted_text(foreseen))
    if foreseen.state is None:
        raise typer.Exit(1)


def verify(
    proposals: Proposals,
    require_all: RequireAll = False,
    source_root: SourceRoot = None,
    python: Python = None,
    allow: Allow = None,
    allow_weak_guard: WeakGuard = False,
    output_format: Format = OutputFormat.TEXT,
) -> None:
    """Judge proposals made by anybody, each by two fresh runs.

    One JSON object a line says what a call gives, or what a step leads to:

    \b
      {"file": "shop.py", "function": "total",
       "start": {"call": {"items": "[1, 2]"}}, "goal": {"value": "6"}}

    (here on two lines). docs/schemas-proposals.md has all fields. Each run may take 2 seconds.

    Exit code: 0 something was confirmed, even beside refuted claims, 1 nothing was, 2 no line
    could be read. With --require-all: 0 every line was confirmed, 1 one was not, be it refuted,
    unknown or unreadable.

    Example: nsdbg verify proposals.jsonl --require-all
    """
    import json
    import time

    from nsdbg.errors import ProposalError
    from nsdbg.forward import Judged, counts, open_proposals, verify_proposals
    from nsdbg.report.transition import verify_json, verify_text
    from nsdbg.statefile import Submission, Unreadable
    from nsdbg.workbench import Options, Workbench

    tell_what_is_awaited(proposals, "proposals")
    submissions = open_proposals(proposals, source_root)
    read = [item for item in submissions if isinstance(item, Submission)]
    roots = tuple({Path(item.subject.ref.root): None for item in read})
    options = Options(
        roots=roots, python=python, allow=tuple(allow or ()), weak_ok=allow_weak_guard
    )  # fmt: skip
    started = time.perf_counter()
    with Workbench(options) as bench:
        results = list(verify_proposals(submissions, bench.verifier)) if read else []
    stats = counts(results, time.perf_counter() - started)
    if not any(isinstance(result, Judged) for result in results):
        first = next((item.message for item in submissions if isinstance(item, Unreadable)), None)
        raise ProposalError(first or f"{proposals} holds no proposal: one JSON object a line")
    if output_format is OutputFormat.JSON:
        typer.echo(json.dumps(verify_json(results, stats)))
    else:
        typer.echo(verify_text(results, stats))
    if not stats.confirmed or (require_all and stats.confirmed < len(results)):
        raise typer.Exit(1)
