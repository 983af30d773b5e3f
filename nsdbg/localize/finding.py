"""An examined crash as a finding: its sentence, the lines under suspicion, the way to it.

Makes data of data and reads source below a root; runs nothing and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nsdbg.claim import Script, Status
from nsdbg.crashlog.report import LoggedException
from nsdbg.finding import Finding, Place, Rule, Suspicion, fingerprint
from nsdbg.localize.account import assumed, why_not
from nsdbg.localize.attempted import told_call, tried_of
from nsdbg.localize.examine import Examination
from nsdbg.localize.inquiry import exceptions_by_need
from nsdbg.localize.places import Places
from nsdbg.localize.rank import Suspect
from nsdbg.localize.steps import steps_of_log, steps_of_run
from nsdbg.localize.veil import Unveiled, Veil
from nsdbg.reproduce import Reproduction
from nsdbg.reproduce.pasted import expression, statements
from nsdbg.state import Trace

MOST_SUSPECTS = 12
MOST_REASONS = 6
# A line with less than this was looked at and found to be innocent.
LEAST_SCORE = 0.02
LONGEST_MESSAGE = 240
LONGEST_CALL = 160


def finding_of(
    examination: Examination,
    root: Path,
    rule: Rule = Rule.LOGGED_CRASH,
    origin: str = "",
    show_secrets: bool = False,
    *,
    trace: Trace | None = None,
) -> Finding:
    """Return the finding that an examined crash is.

    `root` is the repository's folder, from which files are named and the call can be pasted.
    `trace` is the reproduction's (`steps.recorded`); without one the path is the traceback's.
    What looks like a secret is left out of everything; where `examine` was not told of it and ran
    with it, the call is shown with a placeholder.
    """
    veil = Unveiled() if show_secrets else Veil(examination.report)
    return _Making(examination, Places(root), root.resolve(), veil).finding(rule, origin, trace)


def sources_of(findings: Iterable[Finding], root: Path) -> tuple[tuple[str, str], ...]:
    """Return the files that findings name with their text; only those below the root."""
    places = Places(root)
    named: dict[str, str] = {}
    for one in findings:
        lines = [one.place, *(suspect.place for suspect in one.suspects),
                 *(step.place for step in one.path)]  # fmt: skip
        for place in lines:
            if place is not None and place.file not in named:
                named[place.file] = places.text(place.file) or ""
    return tuple((file, text) for file, text in named.items() if text)


@dataclass(frozen=True, slots=True)
class _Making:
    """One finding being made."""

    found: Examination
    places: Places
    root: Path
    veil: Veil

    @property
    def raised(self) -> LoggedException:
        """The exception that a user needs first."""
        primary = self.found.inquiry.primary
        return primary.raised if primary else exceptions_by_need(self.found.inquiry.located)[0][0]

    def finding(self, rule: Rule, origin: str, trace: Trace | None) -> Finding:
        """Put the parts together."""
        best, raised = self.found.reproduction, self.raised
        suspects = self._suspects()
        steps, states = steps_of_log(self.found, self.places, self.veil.value), 0
        if best is not None and trace is not None:
            steps, states = steps_of_run(trace, best.level.goal, self.places, self.veil.value)
        outcome = self.found.outcome
        tried = tried_of(outcome, self.veil.text, self.veil.call) if outcome is not None else ()
        message = self.veil.text(raised.message) if raised.message is not None else None
        return Finding(
            rule,
            self._sentence(suspects[0].place if suspects else None, origin),
            _fingerprint(self.found, rule),
            place=suspects[0].place if suspects else self._crash_place(),
            status=Status.CONFIRMED if best is not None else Status.UNKNOWN,
            origin=origin,
            exception=raised.exception,
            exception_message=message,
            call=self.veil.call(_pasted(best, self.root)) if best is not None else None,
            imports=tuple(map(self.veil.call, _statements(best, self.root))) if best else (),
            now=f"raises {self._seen(best)}" if best is not None else None,
            evidence=self._evidence(len(tried), len(steps), states, trace),
            count=self.found.report.count,
            suspects=suspects,
            path=tuple(steps),
            tried=tried,
        )

    def _suspects(self) -> tuple[Suspicion, ...]:
        found = [one for each in self.found.suspects if (one := self._suspicion(each)) is not None]
        worth = [one for one in found if one.score >= LEAST_SCORE] or found[:1]
        return tuple(worth[:MOST_SUSPECTS])

    def _suspicion(self, one: Suspect) -> Suspicion | None:
        place = self.places.at(one.file, one.lineno)
        if place is None:
            return None
        told = [f"{clue.mark.kind.value}: {self.veil.text(clue.text)}" for clue in one.clues]
        return Suspicion(place, one.score, tuple(told[:MOST_REASONS]))

    def _crash_place(self) -> Place | None:
        primary = self.found.inquiry.primary
        if primary is None:
            return None
        return self.places.at(primary.spot.code.path, primary.frame.lineno)

    def _sentence(self, likeliest: Place | None, origin: str) -> str:
        """Say in one sentence what crashed where, whether runs show it too, and who is at fault."""
        best, raised = self.found.reproduction, self.raised
        kind = raised.exception or "an exception that the log does not name"
        said = _cut(self.veil.text(raised.message_first_line or ""), LONGEST_MESSAGE)
        where, crash = self._where(), self._crash_place()
        text = f"{kind}{f' at {where}' if where else ''}{f' ({said})' if said else ''}"
        if best is not None:
            call = self.veil.call(told_call(best.level, best.verdict.proposal.start))
            call = _cut(call, LONGEST_CALL)
            other = " but for the values in its message" if best.values_differ else ""
            text = f"`{call}` raises {text}, as in {origin or 'the log'}{other}"
        elif self.found.outcome is not None:
            text += ", not reproduced"
        else:
            text += ", not run"
        if likeliest is not None and crash is not None and _line(likeliest) != _line(crash):
            text += f"; the likeliest line at fault is {_line(likeliest)}"
        return text

    def _where(self) -> str:
        """Name the line that crashed: on disk, else as logged."""
        crash = self._crash_place()
        if crash is not None:
            return f"{_line(crash)} in {crash.function}" if crash.function else _line(crash)
        frame = self.raised.innermost_user_frame or self.raised.innermost_frame
        return f"{frame.file}:{frame.lineno}" if frame is not None else ""

    def _seen(self, best: Reproduction) -> str:
        raised = best.verdict.evidence.raised
        if raised is None:
            return self.raised.exception or "an exception"
        return self.veil.text(f"{raised.type}: {raised.message}" if raised.message else raised.type)

    def _evidence(self, tried: int, shown: int, states: int, trace: Trace | None) -> str:
        """Say which runs stand behind the finding, or why there are none."""
        outcome, best = self.found.outcome, self.found.reproduction
        if outcome is None:
            return f"Nothing was run: {self.found.unrun or 'it was not asked for'}."
        said = [_runs(best)] if best is not None else ["Not reproduced."]
        call = _pasted(best, self.root) if best is not None else ""
        if call != self.veil.call(call):
            said.append("A secret was taken out of the call: as it is shown it was not run.")
        if best is None:
            said += [f"{why_not(one)}." for one in outcome.failures]
            said += [f"{assumed(one)}." for one in self.found.assumptions]
        count = sum(one.stats.executed for one in outcome.failures)
        if count > tried:
            said.append(f"{count} inputs did not raise it; JSON and page list {tried} tries.")
        if outcome.stopped or outcome.spent:
            said.append("It was stopped." if outcome.stopped else "The budget was spent.")
        if states > shown:
            said.append(f"The last {shown} of the {states} states of that run are shown.")
        if trace is not None and not trace.complete:
            said.append("The recording of that run was cut: the states after it are not shown.")
        return self.veil.text(" ".join(said))


def _fingerprint(found: Examination, rule: Rule) -> str:
    """Return a fingerprint by what the log says: the same with runs and without, and elsewhere."""
    report = found.report
    frame = report.innermost_user_frame or report.innermost_frame
    function = (frame.function or "") if frame is not None else ""
    plain_name = function.rpartition(".")[2]
    return fingerprint(rule, report.fingerprint, report.exception or "", plain_name)


def _line(place: Place) -> str:
    return f"{place.file}:{place.lineno}"


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _runs(best: Reproduction) -> str:
    evidence = best.verdict.evidence
    whole = "the one frame" if best.of == 1 else f"{best.frames} of the {best.of} frames"
    claim = best.level.goal.exception
    kind = claim.type if claim is not None else "the exception"
    text = (
        f"{evidence.runs} fresh runs on Python {evidence.python} agree: {kind} through {whole} of "
        f"your own code in the log, proposed by {best.verdict.proposal.source}."
    )
    return f"{text} Guarded by {', '.join(evidence.layers)}." if evidence.layers else text


def _pasted(best: Reproduction, root: Path) -> str:
    start, subject = best.verdict.proposal.start, best.level.subject
    if isinstance(start, Script):
        file = Path(subject.ref.file)
        name = file.relative_to(root).as_posix() if file.is_relative_to(root) else str(file)
        return f'runpy.run_path({name!r}, run_name="__main__")'
    return expression(subject, start)  # type: ignore[arg-type]


def _statements(best: Reproduction, root: Path) -> tuple[str, ...]:
    """Return the statements to paste before the call, in Python started in the root."""
    start, subject = best.verdict.proposal.start, best.level.subject
    if isinstance(start, Script):
        name = Path(subject.ref.file).name
        words = ["import runpy", "import sys", f"sys.argv = {[name, *start.argv]!r}"]
        given = ["import io", f"sys.stdin = io.StringIO({start.stdin!r})"] if start.stdin else []
        return (*words, *given)
    return statements(subject, start, root)  # type: ignore[arg-type]
