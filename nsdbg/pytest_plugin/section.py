"""The section of a test's report: the lines at fault with a reason each, and what was confirmed.

Text of 80 columns; foreign text passes `plain`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nsdbg.finding import Finding, Suspicion
from nsdbg.report.columns import WIDTH, cut, width, wrapped
from nsdbg.report.escape import plain

LONGEST = 400
# A call that is cut can not be pasted, so it is cut much later than a sentence.
LONGEST_CALL = 4000


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A call that fails as the test did: as an expression, and the statements it needs before it.

    `raises` is what it raises, `runs` how many fresh runs agree; `otherwise`: its message is not
    the test's.
    """

    call: str
    imports: tuple[str, ...]
    raises: str
    runs: int
    otherwise: bool = False


def section(
    finding: Finding, confirmed: Confirmed | None, root: Path, folder: Path, top: int
) -> Iterator[str]:
    """Yield the lines; none where no line is under suspicion.

    `root` is what the finding's files are relative to, `folder` from where they are shown.
    """
    if not finding.suspects:
        return
    yield "likely at fault:"
    for number, one in enumerate(finding.suspects[:top], 1):
        yield from _suspect(number, one, root, folder)
    if confirmed is not None:
        alike = ", with another message" if confirmed.otherwise else ""
        yield from wrapped(f"to see it yourself, confirmed by {confirmed.runs} runs under guard:")
        for statement in (*confirmed.imports, confirmed.call):
            yield plain(f"    {statement}", LONGEST_CALL)
        yield from _told(f"which raises {confirmed.raises}{alike}", "")
    else:
        yield from _told(finding.evidence, "")


def _suspect(number: int, one: Suspicion, root: Path, folder: Path) -> Iterator[str]:
    file = os.path.relpath(root / one.place.file, folder)
    place = plain(f"{file}:{one.place.lineno}")
    head = f"  {number}. {place}  {one.score:.2f}"
    yield cut(f"{head}  {plain(one.place.text, LONGEST)}", max(WIDTH, width(head)))
    if one.reasons:
        yield from _told(one.reasons[0], "     ")


def _told(text: str, indent: str) -> list[str]:
    return wrapped(plain(text, LONGEST), indent, indent or "    ")
