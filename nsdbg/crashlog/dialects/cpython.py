"""Plain tracebacks under a header, as CPython 2.7 to 3.14 and PyPy print them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.dialects.aftermath import completed
from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.lines import BOUNDARY, Block, Line, margin_at
from nsdbg.crashlog.patterns import AFTER_WHICH_IT_GOES_ON, HEADER, LOG_LINE
from nsdbg.crashlog.report import CrashReport, Truncation
from nsdbg.crashlog.text import is_bare_group
from nsdbg.crashlog.traceback import Chain, read_chain, read_members

_CONTEXT_LIMIT = 300  # characters
_FIRST_MEMBER = re.compile(r"(?P<indent> *)\+-\+-{8,} 1 -{8,}$")
_RULE = re.compile(r"^[-=_*]{10,}$")


def context_above(lines: Sequence[Line], i: int) -> str | None:
    """Return the line directly above a traceback, which tends to say where it happened."""
    for at in range(i - 1, max(-1, i - 4), -1):
        if lines[at].text[:1] == BOUNDARY:
            return None
        text = lines[at].text.strip(" \t_=")
        if text and not _RULE.match(text):  # unittest draws one below a test's name
            return text[:_CONTEXT_LIMIT] if text.isprintable() else None
    return None


def report_of(
    chain: Chain, lines: Sequence[Line], i: int, name: str, cut: Truncation | None = None
) -> CrashReport:
    """Return what a chain that began at line `i` says, in the dialect `name`."""
    cut = cut or chain.truncated
    if cut is None and any(leaf.exception is None for one in chain.exceptions
                           for leaf in one.leaves()):  # fmt: skip
        cut = "bottom"
    return CrashReport(
        chain.exceptions, name, lineno=lines[i].number, truncated=cut,
        context=context_above(lines, i),
    )  # fmt: skip


def _read(lines: Sequence[Line], i: int) -> Found | None:
    text = lines[i].text
    if "+-+------" in text:
        return _members_alone(lines, i)
    if " last):" not in text:
        return _bare_group(lines, i) if "Group: " in text else None
    header = HEADER.search(text)
    if header is None:
        return None
    head = text[: header.start()]
    block = Block(lines, i, margin_at(lines, i, header.start()), text[header.start() :])
    above = context_above(lines, i) or ""
    goes_on = bool(
        AFTER_WHICH_IT_GOES_ON.search(above) or LOG_LINE.match(above) or LOG_LINE.match(head)
    )
    chain = read_chain(block, 0, goes_on)
    if not chain.exceptions[0].frames and _is_quoted(header, head, block):
        return Found(None, i + 1)
    name = "traceback-with-variables" if header["variables"] else "cpython"
    end = max(i + 1, block.ends(chain.end))
    others = block.foreign(end) if end - i > chain.end else []
    report = completed(report_of(chain, lines, i, name), lines, i, end)
    return Found(report, end, tuple(others))


def _bare_group(lines: Sequence[Line], i: int) -> Found | None:
    """Read a group that has no traceback itself; its members may."""
    column = lines[i].text.find("  | ")
    below = lines[i + 1].text if i + 1 < len(lines) else ""
    if column < 0 or not is_bare_group(lines[i].text[column:], below[column:]):
        return None
    block = Block(lines, i, margin_at(lines, i, column), lines[i].text[column:])
    chain = read_chain(block, 0)
    return Found(report_of(chain, lines, i, "cpython"), max(i + 1, block.ends(chain.end)))


def _members_alone(lines: Sequence[Line], i: int) -> Found | None:
    """Read the members of a group whose own lines were cut off above them."""
    found = _FIRST_MEMBER.search(lines[i].text)
    if found is None:
        return None
    column = found.start("indent")
    block = Block(lines, i, margin_at(lines, i, column), lines[i].text[column:])
    chain = read_members(block, 0)
    if not chain.exceptions[0].members:
        return None
    end = max(i + 1, block.ends(chain.end))
    return Found(report_of(chain, lines, i, "cpython", "top"), end)


def _is_quoted(header: re.Match[str], head: str, block: Block) -> bool:
    """Whether a header without frames is prose, source code or a doctest's expectation."""
    below = (block.text(1) or "").strip()
    return header["rest"] is not None or head.endswith(("'", '"', "`")) or below == "..."


DIALECT = Dialect(
    "cpython",
    "plain traceback of CPython 2.7 to 3.14 and PyPy: chains, groups, notes, carets, recursion",
    (b"call last)", b" sub-exception"),
    _read,
)
