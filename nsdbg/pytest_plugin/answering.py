"""What the process does that is asked about a failure: examines it, and says it in some lines.

One order as JSON on standard input, one answer as JSON on standard output.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from nsdbg import crashlog
from nsdbg.claim import Call
from nsdbg.errors import NsdbgError
from nsdbg.localize.examine import Examination, examine
from nsdbg.localize.finding import finding_of
from nsdbg.pytest_plugin.asking import Order
from nsdbg.pytest_plugin.bounded import alarm
from nsdbg.pytest_plugin.section import Confirmed, section
from nsdbg.report.escape import is_secret
from nsdbg.reproduce import Reproduction
from nsdbg.reproduce.pasted import expression, statements
from nsdbg.reproduce.shrink import shrunk
from nsdbg.rulebook import Rulebook
from nsdbg.workbench import Options, Workbench

# A network takes longer to open than most failures to reproduce from their own values.
PROPOSERS = ("rules", "search")
SHRINKING_S = 1.0
# A last stop for what does not look at the clock: what was found until then is told.
LATE_S = 5.0
# What is stopped ends its processes, and is not to be stopped at that.
ENDING_S = 4.0


def main() -> None:
    """Answer one order; what goes wrong is an answer as well."""
    # Asked to end, let the guard's processes end too.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        answer = {"text": answered(Order(**json.load(sys.stdin)))}
    except NsdbgError as error:
        answer = {"problem": str(error)}
    except Exception as error:  # whatever it is, the tests go on
        answer = {"problem": f"{type(error).__name__}: {error}"}
    except KeyboardInterrupt as stopped:
        answer = {"problem": str(stopped) or "it was stopped"}
    json.dump(answer, sys.stdout)


def answered(order: Order) -> str:
    """Examine a failure and return the lines about it, "" when there is nothing to say."""
    ends = time.perf_counter() + order.budget
    report = next(iter(crashlog.read(order.record.encode())), None)
    if report is None:
        return ""
    root = Path(order.root)
    options = Options((root,), python=Path(sys.executable), proposers=PROPOSERS)
    late = order.budget + LATE_S
    with Workbench(options) as bench:
        with _last_stop(late, f"reading was not done after {late:g} s"):
            found = examine(
                report, [root], Rulebook(), bench=None if order.no_exec else bench,
                budget_s=order.budget, is_secret=is_secret,
            )  # fmt: skip
        finding = finding_of(found, root, origin=order.test)
        confirmed = _confirmed(found, bench, Path(order.folder), ends)
    return "\n".join(section(finding, confirmed, root, Path(order.folder), order.top))


def _last_stop(seconds: float, told: str) -> AbstractContextManager[None]:
    """Stop what does not look at the clock as Ctrl-C does, which lets it keep what it found."""
    return alarm(seconds, KeyboardInterrupt, told, ENDING_S)


def _confirmed(found: Examination, bench: Workbench, folder: Path, ends: float) -> Confirmed | None:
    """Return the smallest way to see the failure: the innermost call, made as small as it stays.

    `folder` is where it is going to be pasted into Python.
    """
    best = _innermost(found)
    if best is None:
        return None
    level, verdict = best.level, best.verdict
    seconds = min(SHRINKING_S, ends - time.perf_counter())
    if seconds > 0:
        with suppress(KeyboardInterrupt), _last_stop(seconds + SHRINKING_S, ""):
            verdict = shrunk(
                level.goal, verdict, bench.verifier, pure=bench.pure(level.subject),
                seconds=seconds,
            )  # fmt: skip
    start, raised = verdict.proposal.start, verdict.evidence.raised
    if not isinstance(start, Call) or raised is None:
        return None
    return Confirmed(
        expression(level.subject, start),
        statements(level.subject, start, folder),
        f"{raised.type}: {raised.message}" if raised.message else raised.type,
        verdict.evidence.runs,
        best.values_differ,
    )


def _innermost(found: Examination) -> Reproduction | None:
    outcome = found.outcome
    calls: Iterator[Reproduction] = (
        one for one in (outcome.reproductions if outcome else ()) if not one.is_script
    )
    return min(calls, key=lambda one: (one.values_differ, one.frames), default=None)
