"""The section of a test's report: the lines at fault with a reason each, and what was confirmed.

Text of 80 columns; foreign text passes `plain`.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nsdbg.finding import Finding, Suspicion
from nsdbg.report.escape import plain

WIDTH = 80
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A call that fails as the test did: as an expression, and the statements it needs before it.

    `raises` is what it raises, `runs` how many fresh runs agree.
    """

    call: str
    imports: tuple[str, ...]
    raises: str
    runs: int


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
        yield from _wrapped(
            f"confirmed by {confirmed.runs} runs under guard: {confirmed.call} raises "
            f"{confirmed.raises}", ""
        )  # fmt: skip
        for statement in confirmed.imports:
            yield plain(f"    {statement}", LONGEST)
    else:
        yield from _wrapped(finding.evidence, "")


def _suspect(number: int, one: Suspicion, root: Path, folder: Path) -> Iterator[str]:
    file = os.path.relpath(root / one.place.file, folder)
    place = plain(f"{file}:{one.place.lineno}")
    yield plain(f"  {number}. {place}  {one.score:.2f}  {one.place.text}", max(WIDTH, len(place)))
    if one.reasons:
        yield from _wrapped(one.reasons[0], "     ")


def _wrapped(text: str, indent: str) -> list[str]:
    lines = textwrap.wrap(
        plain(text, LONGEST), WIDTH, initial_indent=indent, subsequent_indent=indent or "    ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return [plain(line) for line in lines]  # a line may begin with `::` only now
