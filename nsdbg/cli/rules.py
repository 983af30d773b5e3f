"""`nsdbg rules list` and `nsdbg rules check`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from nsdbg.cli.options import Format, OutputFormat, Python, Rules, Verbose, WeakGuard

if TYPE_CHECKING:
    from nsdbg.rulebook import Rulebook
    from nsdbg.rulebook.rules import AnyRule
    from nsdbg.rulecheck import RuleReport
    from nsdbg.verify.interpreters import Interpreter

app = typer.Typer(
    help="List the rules, or judge them by running their programs.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
_Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="[RULE]...", help="Only these: KIND, KIND/ID or ID.  Default: all."),
]


@app.command("list")
def list_rules(
    names: _Names = None, rules: Rules = None, output_format: Format = OutputFormat.TEXT
) -> None:
    """List the rules by kind, with what each one is about.

    Exit code: 0 listed, 2 a rule file is broken.

    Example: nsdbg rules list exceptions
    """
    import json

    from nsdbg.rulebook import Rulebook

    found = _chosen(Rulebook(rules).rules(), names or [])
    if output_format is OutputFormat.JSON:
        listed = [{"kind": rule.path.parent.name, "id": rule.id, "title": rule.title}
                  for rule in found]  # fmt: skip
        typer.echo(json.dumps({"schema": "nsdbg.rules/1", "rules": listed}))
        return
    width = max((len(_name(rule)) for rule in found), default=0)
    for rule in found:
        typer.echo(f"{_name(rule):<{width}}  {rule.title}")


@app.command("check", short_help="Judge rules by running their programs.")
def check(
    names: _Names = None,
    rules: Rules = None,
    python: Python = None,
    allow_weak_guard: WeakGuard = False,
    output_format: Format = OutputFormat.TEXT,
    verbose: Verbose = False,
) -> None:
    """Judge rules by running their programs under the guard, on every interpreter found here.

    Where a rule must speak, what it says has to be true in the running program; where it must be
    silent, it has to be.  With --python only that interpreter is asked.

    Exit code: 0 every rule holds, 1 some do not, 2 a rule file is broken.

    Example: nsdbg rules check exceptions/missing_key
    """
    import json

    from nsdbg.rulebook import Rulebook
    from nsdbg.rulecheck import refuse_strays
    from nsdbg.verify.interpreters import find_interpreter, find_interpreters

    book = Rulebook(rules, checked=True)
    refuse_strays(book.folder)
    chosen = _chosen(book.rules(), names or [])
    interpreters = find_interpreters() if python is None else [find_interpreter(python)]
    reports, whole = _collect(chosen, book, interpreters, allow_weak_guard)
    if output_format is OutputFormat.JSON:
        typer.echo(json.dumps(_as_json(reports)))
    else:
        typer.echo("\n".join(_lines(chosen, reports, verbose)))
    if not whole:
        raise KeyboardInterrupt
    if any(report.failures for report in reports):
        raise typer.Exit(1)


def _chosen(rules: Sequence[AnyRule], names: Sequence[str]) -> list[AnyRule]:
    from nsdbg.errors import UsageError

    for name in names:
        if not any(name in (rule.path.parent.name, rule.id, _name(rule)) for rule in rules):
            raise UsageError(f"there is no rule {name}: `nsdbg rules list` shows them")
    wanted = set(names)
    return [
        rule
        for rule in rules
        if not wanted or wanted & {rule.path.parent.name, rule.id, _name(rule)}
    ]


def _name(rule: AnyRule) -> str:
    return f"{rule.path.parent.name}/{rule.id}"


def _collect(
    chosen: list[AnyRule], book: Rulebook, interpreters: Sequence[Interpreter], weak_ok: bool
) -> tuple[list[RuleReport], bool]:
    """Return the reports in order, and whether they are all: Ctrl-C keeps what is known so far.

    Progress goes to stderr when that is a terminal.
    """
    from nsdbg.rulecheck import check_everywhere

    shows, whole = sys.stderr.isatty(), True
    reports: list[RuleReport] = []
    found = check_everywhere(chosen, book, interpreters, weak_ok)
    try:
        for report in found:
            reports.append(report)
            if shows:
                words = f"\r{len(reports)} of {len(chosen) * len(interpreters)} "
                typer.echo(words, nl=False, err=True)
    except KeyboardInterrupt:
        whole = False
        found.close()
    if shows:
        typer.echo("\r" + " " * 40 + "\r", nl=False, err=True)
    versions = [".".join(map(str, each.version[:2])) for each in interpreters]
    order = {_name(rule): number for number, rule in enumerate(chosen)}
    reports.sort(key=lambda each: (versions.index(each.python), order[f"{each.kind}/{each.rule}"]))
    return reports, whole


def _lines(
    chosen: Sequence[AnyRule], reports: Sequence[RuleReport], verbose: bool
) -> Iterator[str]:
    """Yield a table, a row for each rule and a column for each interpreter, then the failures."""
    pythons = list(dict.fromkeys(report.python for report in reports))
    by_place = {(f"{each.kind}/{each.rule}", each.python): each for each in reports}
    width = max((len(_name(rule)) for rule in chosen), default=4)
    yield f"{'rule':<{width}}  " + "  ".join(f"{python:<5}" for python in pythons)
    for rule in chosen:
        cells = [_cell(by_place.get((_name(rule), python))) for python in pythons]
        yield f"{_name(rule):<{width}}  " + "  ".join(f"{cell:<5}" for cell in cells)
    yield ""
    failed = {f"{report.kind}/{report.rule}" for report in reports if report.failures}
    missing = [rule for rule in chosen if any(
        (_name(rule), python) not in by_place for python in pythons)]  # fmt: skip
    held = len(chosen) - len(failed | {_name(rule) for rule in missing})
    yield f"{held} of {len(chosen)} rules hold on {', '.join(pythons)}"
    for report in reports:
        for outcome in report.outcomes if verbose else report.failures:
            words = f"{outcome.standing.value}: {outcome.detail}".rstrip(": ")
            where = f"{report.kind}/{report.rule} on {report.python}"
            yield f"{where}, {outcome.function}: {words}"


def _cell(report: RuleReport | None) -> str:
    """Return how many functions hold; `?` when an interrupt came first."""
    if report is None:
        return "?"
    if report.failures:
        return "FAIL"
    return str(sum(outcome.standing.value == "holds" for outcome in report.outcomes))


def _as_json(reports: Sequence[RuleReport]) -> dict[str, object]:
    return {
        "schema": "nsdbg.rules-check/1",
        "holds": not any(report.failures for report in reports),
        "reports": [
            {
                "rule": report.rule,
                "kind": report.kind,
                "python": report.python,
                "outcomes": [
                    {
                        "function": outcome.function,
                        "standing": outcome.standing.value,
                        "detail": outcome.detail,
                    }
                    for outcome in report.outcomes
                ],
            }
            for report in reports
        ],
    }
