"""Coverage as coverage.py has it: data files that it reads, and a cross-check with its parser.

Evidence only: coverage.py's static arcs lack exits out of calls and from a try body into its
handlers, so what it does not expect refuses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nsdbg.claim import FileCoverage


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """What coverage.py's parser says of a file beside what a run executed.

    `statements` are its possible lines, each multi-line statement at its first line; `missed`
    those that the run did not execute.  `unexpected_lines` and `unexpected_arcs` were executed
    although the parser knows no such line or arc.
    """

    file: str
    statements: tuple[int, ...]
    missed: tuple[int, ...]
    unexpected_lines: tuple[int, ...]
    unexpected_arcs: tuple[tuple[int, int], ...]


def cross_check(covered: FileCoverage) -> CrossCheck | None:
    """Compare one file's coverage with coverage.py's parser.

    None when the parser cannot read the file: another version's syntax, or no file any more.
    """
    from coverage.exceptions import CoverageException
    from coverage.parser import PythonParser

    try:
        parser = PythonParser(filename=covered.file)
        parser.parse_source()
    except CoverageException:
        return None
    lines = parser.translate_lines(covered.lines)
    arcs = parser.translate_arcs(covered.arcs)
    known = set(parser.arcs())
    return CrossCheck(
        covered.file,
        statements=tuple(sorted(parser.statements)),
        missed=tuple(sorted(parser.statements - lines)),
        unexpected_lines=tuple(sorted(lines - parser.statements)),
        unexpected_arcs=tuple(sorted(arc for arc in arcs if arc not in known and _is_inner(arc))),
    )


def _is_inner(arc: tuple[int, int]) -> bool:
    """Whether an arc joins two different lines: ways in and out depend on where a scope begins."""
    return arc[0] > 0 and arc[1] > 0 and arc[0] != arc[1]


def save(covered: Iterable[FileCoverage], path: Path, context: str = "") -> None:
    """Write coverage to a data file that `coverage html` and its like read.

    An older file at `path` is replaced.  `context` labels the run, as in `coverage run --context`.
    Files that have no arcs are left out: the data holds branches.
    """
    from coverage import CoverageData

    path.unlink(missing_ok=True)
    data = CoverageData(basename=str(path))
    if context:
        data.set_context(context)
    data.add_arcs({item.file: item.arcs for item in covered if item.arcs})
    data.write()
    data.close()
