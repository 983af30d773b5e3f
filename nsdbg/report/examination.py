"""The answer of `nsdbg localize` for a terminal, in plain words and at 80 columns.

What crashed, where, who is suspected and why, how to see it again, what was not run, what next.
Foreign text passes `plain`; colour is only ever added around it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from nsdbg.claim import Reason, Script
from nsdbg.crashlog.report import FrameKind
from nsdbg.localize.account import assumed, why_not
from nsdbg.localize.clue import Clue, Kind
from nsdbg.localize.examine import Examination
from nsdbg.localize.locate import LineStatus
from nsdbg.localize.rank import Suspect
from nsdbg.localize.site import Files
from nsdbg.refusal import permit_for
from nsdbg.report.columns import WIDTH, cut, wrapped
from nsdbg.report.command import one_line
from nsdbg.report.crash import headline
from nsdbg.report.escape import Paint, plain, unpainted, without_secrets
from nsdbg.report.excerpt import excerpt
from nsdbg.report.reading import Reading, reading_of
from nsdbg.report.written import Written
from nsdbg.reproduce import Outcome, Reproduction
from nsdbg.rulebook import Rulebook
from nsdbg.rulebook.answers import Blame
from nsdbg.source import call_text, import_name

INDENT = "  "
REASONS_SHOWN = 3
# A reason that hardly weighs is noise at the top of a list.
LEAST_WEIGHT = 0.05


def examination_text(
    found: Examination,
    top: int,
    *,
    folder: Path | None = None,
    written: Written | None = None,
    verbose: bool = False,
    paint: Paint = unpainted,
    rulebook: Rulebook | None = None,
    show_secrets: bool = False,
) -> str:
    """Return the report on one crash.

    `folder`: where the user stands, to name files from there.  `written`: the test file, when one
    was asked for.  `paint` colours a text in the named style: title, name, good, dim, or bad.
    """
    report = _Report(found, folder, verbose, paint, rulebook or Rulebook(), show_secrets)
    lines = [
        *report.title(),
        *report.where(),
        *report.suspects(top),
        *report.reproduced(),
        *report.test(written),
        *report.not_run(),
        *report.next_steps(written),
    ]
    return "\n".join(lines).rstrip()


class _Report:
    def __init__(
        self,
        found: Examination,
        folder: Path | None,
        verbose: bool,
        paint: Paint,
        rulebook: Rulebook,
        show_secrets: bool,
    ) -> None:
        self.found = found
        self.folder = folder
        self.verbose = verbose
        self.paint = paint
        self.rulebook = rulebook
        self.show_secrets = show_secrets
        self.files = Files()

    def _open(self, text: str) -> str:
        """Return a log's text, without what looks like a secret unless those are to be shown."""
        return text if self.show_secrets else without_secrets(text)

    def _section(self, title: str) -> Iterator[str]:
        yield ""
        yield self.paint(title, "title")

    def _name(self, file: str) -> str:
        path = Path(file)
        if self.folder is not None and path.is_relative_to(self.folder):
            return plain(str(path.relative_to(self.folder)))
        return plain(file)

    def title(self) -> Iterator[str]:
        """Say what crashed, in the log's words and then in plain ones."""
        report = self.found.report
        primary = self.found.inquiry.primary
        raised = primary.raised if primary else report.final
        yield self.paint(plain(self._open(headline(raised)), 300), "bad")
        read = reading_of(self.found, self.rulebook)
        yield from wrapped(plain(self._open(read.sentence), 400), "")
        if read.whose:
            yield from wrapped(plain(f"It looks like {self._whose(read)}.", 300), "")
        if raised is not report.final:
            ended = f"The program ended with {self._open(headline(report.final))}"
            yield from wrapped(plain(ended, 200), "")
        if report.count > 1:
            yield f"The log holds this crash {report.count} times."
        if report.truncated:
            yield f"The log is cut at the {report.truncated}: some of it is missing here."

    def _whose(self, read: Reading) -> str:
        """Say whose fault it looks like; of own lines that is the one suspected most."""
        if read.fault is Blame.LINE and self.found.suspects:
            first = self.found.suspects[0]
            return f"your line {self._name(first.file)}:{first.lineno}"
        site, whose = self.found.inquiry.primary, read.whose or ""
        if site is None:
            return whose
        logged, path = site.frame.logged, site.spot.code.path
        return whose.replace(f"{logged.file}:{logged.lineno}",
                             f"{self._name(path)}:{site.frame.lineno}")  # fmt: skip

    def where(self) -> Iterator[str]:
        """Show the crash line with what failed underlined."""
        site = self.found.inquiry.primary
        if site is None:
            return
        yield from self._section("Where")
        place = f"{self._name(site.spot.code.path)}:{site.frame.lineno}"
        yield f"{INDENT}{self.paint(place, 'name')}  in {plain(site.spot.qualname)}"
        yield from excerpt(site.spot.code, site.frame.lineno, site.pin, INDENT)
        if site.frame.status in (LineStatus.MOVED, LineStatus.CHANGED) and site.frame.detail:
            yield from wrapped(plain(site.frame.detail, 300), INDENT)

    def suspects(self, top: int) -> Iterator[str]:
        """List the lines under suspicion with their reasons."""
        yield from self._section("Suspects, likely first")
        if not self.found.suspects:
            yield f"{INDENT}none: the log names no line of any file"
        for place, one in enumerate(self.found.suspects[:top], 1):
            yield from self._suspect(place, one)
        left = len(self.found.suspects) - top
        if left > 0:
            yield self.paint(f"{INDENT}{left} more with --top {top + left}", "dim")

    def _suspect(self, place: int, one: Suspect) -> Iterator[str]:
        name = self.paint(f"{self._name(one.file)}:{one.lineno}", "name")
        yield f"{INDENT}{place}. {name}  {self.paint(f'{one.score:.2f}', 'dim')}"
        code = self.files.code(Path(one.file)) if Path(one.file).is_file() else None
        if code is not None and code.source(one.lineno):
            yield f"{INDENT}     {cut(plain(code.source(one.lineno)), WIDTH - 8)}"
        for clue in _worth_telling(one, self.verbose):
            yield from wrapped(f"{clue.mark.kind.value}: {plain(clue.text)}", f"{INDENT}   - ")

    def reproduced(self) -> Iterator[str]:
        """Show the reproducer with its verdict, or say why there is none."""
        outcome = self.found.outcome
        if outcome is None:
            return
        best = outcome.best
        yield from self._section("Reproduced" if best else "Not reproduced")
        if best is not None:
            yield from self._reproduction(best)
            for failure in outcome.failures if self.verbose else ():
                yield from wrapped(plain(f"not through {why_not(failure)}", 500), INDENT)
            return
        if outcome.stopped:
            yield f"{INDENT}stopped before anything was confirmed"
        for failure in outcome.failures:
            yield from wrapped(plain(why_not(failure), 500), INDENT)
        if not outcome.failures and not outcome.stopped:
            yield f"{INDENT}no function of the log can be called and lets this exception out"
        for one in self.found.assumptions:
            yield from wrapped(plain(assumed(one), 500), INDENT)

    def _reproduction(self, best: Reproduction) -> Iterator[str]:
        start, evidence = best.verdict.proposal.start, best.verdict.evidence
        if isinstance(start, Script):
            name = self._name(best.level.subject.ref.file)
            stdin = f" with standard input {start.stdin!r}" if start.stdin else ""
            yield from wrapped(plain(f"{' '.join([name, *start.argv])}{stdin}"), INDENT)
        else:
            yield from wrapped(plain(call_text(best.level.subject, start)), INDENT)  # type: ignore[arg-type]
        whole = "all" if best.frames == best.of else f"{best.frames} of"
        frames = "the one frame" if best.of == 1 else f"{whole} {best.of} frames"
        text = (
            f"confirmed by {evidence.runs} runs on Python {evidence.python}: "
            f"{self._which(best)}, through {frames} of your own code in the log"
        )
        yield from (self.paint(line, "good") for line in wrapped(text, INDENT))
        if best.values_differ and evidence.raised:
            text = f"its message is another than the log's: here it is {evidence.raised.message!r}"
            yield from wrapped(plain(text, 300), INDENT)
        yield f"{INDENT}see it yourself (this runs the code without the guard):"
        yield f"{INDENT}  {plain(one_line(best, self.folder, self.found.python))}"
        if evidence.layers:
            text = f"ran under: {', '.join(evidence.layers)}"
            yield from (self.paint(line, "dim") for line in wrapped(text, INDENT))

    def _which(self, best: Reproduction) -> str:
        """Say which exception of the log was reproduced."""
        primary, claim = self.found.inquiry.primary, best.level.goal.exception
        named = primary.raised.exception if primary else None
        if claim is None or named is None or claim.type == named:
            return "the same exception"
        return f"the {claim.type} with which it ended"

    def test(self, written: Written | None) -> Iterator[str]:
        """Say what became of the test file that was asked for."""
        if written is None:
            return
        yield from self._section("Test")
        yield from wrapped(plain(written.told), INDENT)

    def not_run(self) -> Iterator[str]:
        """Say what was not run and why."""
        if self.found.unrun is None:
            return
        yield from self._section("Not run")
        yield from wrapped(plain(self.found.unrun, 300), INDENT)
        yield f"{INDENT}the ranking above rests on reading the code alone"

    def next_steps(self, written: Written | None) -> Iterator[str]:
        """Say what to do now."""
        steps = list(next_steps(self.found, written, self.folder))
        if steps:
            yield from self._section("Next")
            for step in steps:
                yield from wrapped(plain(step), f"{INDENT}- ")


def _worth_telling(one: Suspect, verbose: bool) -> list[Clue]:
    """Return the clues worth a line: the strongest of each kind, or all of them."""
    if verbose:
        return list(one.clues)
    first: dict[Kind, Clue] = {}
    for clue in one.clues:
        if clue.weight >= LEAST_WEIGHT or clue.mark.kind is Kind.COUNTERFACTUAL:
            first.setdefault(clue.mark.kind, clue)
    return list(first.values())[:REASONS_SHOWN] or list(one.clues[:1])


def next_steps(
    found: Examination, written: Written | None = None, folder: Path | None = None
) -> Iterator[str]:
    """Yield what a user who stands in `folder` can do next."""
    outcome = found.outcome
    missing = [
        one.logged.file
        for one in found.inquiry.located.frames
        if one.source_path is None and one.kind is FrameKind.USER
    ]
    if found.inquiry.primary is None or (found.unrun is not None and missing):
        here = next((one for one in reversed(missing) if Path(one).is_file()), None)
        root = str(import_name(Path(here))[0]) if here else "DIR"
        yield f"name the folder of the source that crashed: --source-root {shlex.quote(root)}"
    if found.unrun is not None and "--no-exec" in found.unrun:
        yield "leave out --no-exec to have the crash reproduced under the guard"
    if outcome is not None and outcome.best is None and not outcome.stopped:
        yield from _what_would_reproduce(outcome)
    if outcome is not None and outcome.best is not None and written is None:
        tests = "tests/" if folder is not None and (folder / "tests").is_dir() else ""
        yield f"write the test that fails until this is fixed: --emit-test {tests}test_crash.py"


def _what_would_reproduce(outcome: Outcome) -> Iterator[str]:
    """Yield what may help; more time does not where every way in was refused by the guard."""
    unknown = [one.unknown for one in outcome.failures if one.unknown is not None]
    refused = [one for one in unknown if one.reason is Reason.SIDE_EFFECT]
    permits = (permit_for(one) for one in refused)
    for event in dict.fromkeys(event for event in permits if event is not None):
        yield f"permit it if you trust the code: --allow {shlex.quote(event)}"
    if outcome.spent and len(refused) < len(outcome.failures):
        yield "give it more time: --budget SECONDS"
    yield "have the values recorded next time: nsdbg run, or nsdbg.install()"
