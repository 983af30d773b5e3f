"""stackprinter: a `File` line, an excerpt with an arrow, and values between dotted rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.lines import BOUNDARY, Line
from nsdbg.crashlog.patterns import EXCEPTION, is_exception_line, link_of
from nsdbg.crashlog.report import CrashReport, Link, LoggedException, LoggedFrame, Truncation
from nsdbg.crashlog.traceback import type_of
from nsdbg.crashlog.values import logged_value

_FILE = re.compile(r'^File "?(?P<file>[^"]+?)"?, line (?P<lineno>\d+), in (?P<function>\S.*)$')
_ARROW = re.compile(r"^-+> ?(?P<lineno>\d+) +(?P<source>.*)$")
_RULE = re.compile(r"^ {4}\.{20,}$")
_VALUE = re.compile(r"^ {5}(?P<name>[^\W\d][\w.\[\]'\"]*) = (?P<value>.*)$")
_LIMIT = 3000


@dataclass(slots=True)
class _Frame:
    """A frame while its lines are read."""

    file: str
    lineno: int
    function: str
    source: str | None = None
    values: list[tuple[str, str]] = field(default_factory=list)

    def add(self, text: str, valued: bool) -> None:
        """Take a line below the head; `valued`: it stands between the rules."""
        if not valued:
            arrow = _ARROW.match(text)
            self.source = arrow["source"].strip() if arrow else self.source
        elif found := _VALUE.match(text):
            self.values.append((found["name"], found["value"]))
        elif self.values and text.strip():
            name, value = self.values[-1]
            self.values[-1] = (name, f"{value} {text.strip()}")

    def build(self) -> LoggedFrame:
        """Return the frame; names with dots and brackets are no locals."""
        pairs = tuple(
            (name, logged_value(_plain(value)))
            for name, value in self.values if name.isidentifier()
        )  # fmt: skip
        return LoggedFrame(
            self.file, self.lineno, self.function, self.source, locals=pairs or None,
            kind=frame_kind(self.file, self.function),
        )  # fmt: skip


def _plain(value: str) -> str:
    """Return a value as its repr has it: stackprinter writes `('a', 2, )`."""
    once = re.sub(r"\((?P<only>[^(),]*), \)", r"(\g<only>,)", value)
    return re.sub(r", ([)\]}])", r"\1", once)


def _read(lines: Sequence[Line], i: int) -> Found | None:
    if not _FILE.match(lines[i].text) or not _is_one(lines, i):
        return None
    chain: list[LoggedException] = []
    link: Link | None = None
    at = i
    while at < len(lines) and _FILE.match(lines[at].text):
        one, at = _exception(lines, at)
        chain.append(replace(one, link=link))
        following = _skip_blank(lines, at)
        name = link_of(lines[following].text) if following < len(lines) else None
        if name is None or one.exception is None:
            break
        link, at = Link(name), _skip_blank(lines, following + 1)
    cut: Truncation | None = "bottom" if chain[-1].exception is None else None
    report = CrashReport(tuple(chain), "stackprinter", lineno=lines[i].number, truncated=cut)
    return Found(report, at)


def _is_one(lines: Sequence[Line], i: int) -> bool:
    """Whether the lines below are an excerpt with an arrow, or the next frame behind a blank."""
    for line in lines[i + 1 : i + 12]:
        if _ARROW.match(line.text):
            return True
        if line.text[:4].strip() and not _FILE.match(line.text):
            return False
    return False


def _exception(lines: Sequence[Line], i: int) -> tuple[LoggedException, int]:
    """Read frames from line `i` on, and the exception that ends them."""
    frames: list[_Frame] = []
    valued = False
    at = i
    while at < min(len(lines), i + _LIMIT) and lines[at].text[:1] != BOUNDARY:
        text = lines[at].text
        found = EXCEPTION.match(text)
        if begins := _FILE.match(text):
            frames.append(_Frame(begins["file"], int(begins["lineno"]), begins["function"]))
            valued = False
        elif _RULE.match(text):
            valued = not valued
        elif found and is_exception_line(text):
            built = tuple(frame.build() for frame in frames)
            return LoggedException(type_of(found), found["message"] or "", built), at + 1
        elif frames:
            frames[-1].add(text, valued)
        at += 1
    return LoggedException(None, None, tuple(frame.build() for frame in frames)), at


def _skip_blank(lines: Sequence[Line], i: int) -> int:
    while i < len(lines) and not lines[i].text.strip() and lines[i].text[:1] != BOUNDARY:
        i += 1
    return i


DIALECT = Dialect(
    "stackprinter",
    "stackprinter: excerpts with an arrow, values between dotted rules, chained",
    (b"    ....................",),
    _read,
)
