"""Logs for `nsdbg triage`: their crashes counted, ranked, and held against a change.

Reads only; nothing is run.  `nsdbg localize` looks into one crash, `nsdbg gate` decides on all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from nsdbg.cli.findings import FindingsFormat, show, write

if TYPE_CHECKING:
    from nsdbg.changes.changed import ChangeSet, What
    from nsdbg.finding import Finding, Findings
    from nsdbg.report.formats.outputs import Output

WIDTH = 80
NOT_HERE = "?: no line of it is in a file below this folder; go to the project's"
_WORDS = {True: "yes", False: "no", None: "?"}


def triage_logs(logs: Sequence[str], what: What, *, asked: bool, secrets: bool) -> Findings:
    """Return the distinct crashes of logs, those that the change touches first, then by count.

    Outside of git, where no change was `asked` for, nobody knows what is touched.
    """
    from nsdbg.errors import ChangeError
    from nsdbg.finding import Findings
    from nsdbg.gate.logs import Crashes, Examining
    from nsdbg.workbench import Options, Workbench

    crashes = Crashes()
    for name in logs:
        crashes.read_log(name)
    here = Path().resolve()
    notes: list[str] = []
    with Workbench(Options((here,))) as book:
        found = list(crashes.findings(Examining(here, here, None, book, show_secrets=secrets)))
    try:
        found = _held_against(found, what, here)
    except ChangeError as error:
        if asked:
            raise
        notes.append(f"which crashes the change touches is not known: {error}")
    if any(one.place is None for one in found):
        notes.append(NOT_HERE)
    ranked = sorted(found, key=lambda one: (one.touched is not True, -one.count))
    return Findings(tuple(ranked), notes=(*crashes.notes, *notes), logs=crashes.count)


def _held_against(found: Sequence[Finding], what: What, here: Path) -> list[Finding]:
    from nsdbg.changes.opening import open_changes

    with open_changes(here, what) as changes:
        return [replace(one, touched=_touched(one, changes, here)) for one in found]


def _touched(one: Finding, changes: ChangeSet, here: Path) -> bool | None:
    """Whether a change touches the line of a crash or its function; None for a line not found."""
    if one.place is None:
        return None
    file = here / one.place.file
    shown = file.relative_to(changes.root).as_posix() if file.is_relative_to(changes.root) else ""
    names = {(each.shown, each.qualname) for each in changes.functions}
    return changes.touches(shown, one.place.lineno) or (shown, one.place.function) in names


def show_logs(
    found: Findings, shown: FindingsFormat, outputs: Sequence[Output], html: Path | None
) -> None:
    """Write the crashes: as a table where a person reads, else as findings."""
    if shown is not FindingsFormat.TEXT:
        show(found, shown, outputs, html, "nsdbg triage")
        return
    typer.echo(table(found), nl=False)
    write(found, outputs, html, "nsdbg triage")


def table(found: Findings) -> str:
    """Return the crashes as a table of 80 columns: how often, touched or not, what and where."""
    from nsdbg.report.escape import plain

    if not found.findings:
        return "no crash in the log\n"
    rows = [(str(one.count), _WORDS[one.touched], _what_it_is(one), _where(one))
            for one in found.findings]  # fmt: skip
    heads = ("count", "touched", "where", "what")
    places = max(len(heads[2]), min(34, max(len(where) for *_, where in rows)))
    lines = [f"{heads[0]:>5}  {heads[1]:<7}  {heads[2]:<{places}}  {heads[3]}"]
    room = WIDTH - 5 - 2 - 7 - 2 - places - 2
    for count, touched, what, where in rows:
        if len(where) > places:
            where = "..." + where[3 - places :]
        lines.append(f"{count:>5}  {touched:<7}  {where:<{places}}  {plain(what, room)}")
    lines += [f"note: {plain(note, 400)}" for note in found.notes]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _what_it_is(one: Finding) -> str:
    return ": ".join(part for part in (one.exception, one.exception_message) if part) or one.message


def _where(one: Finding) -> str:
    from nsdbg.report.escape import plain

    return "" if one.place is None else plain(f"{one.place.file}:{one.place.lineno}")
