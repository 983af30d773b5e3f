"""The entries of a pytest failure, in its long and short styles: frames, values and `E` lines.

Reads the lines of one failure; where it begins and ends is the dialect's affair.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from nsdbg.crashlog.frames import FrameLines
from nsdbg.crashlog.patterns import CARETS, EXCEPTION, is_exception_line, link_of
from nsdbg.crashlog.report import Link, LoggedException, LoggedFrame
from nsdbg.crashlog.text import Lines
from nsdbg.crashlog.traceback import read_chain, type_of
from nsdbg.crashlog.values import logged_value
from nsdbg.state import Value

LOCATION = re.compile(
    r"^(?P<file>(?:[A-Za-z]:)?[^\s:'\"(]([^:\n]*[^\s:])?):(?P<lineno>\d+):(?: (?P<rest>.*))?$"
)
ERROR = re.compile(r"^E(?:   (?P<text>.*)|\s*)$")
_DEF = re.compile(r"^ {4}\s*(?:async )?def (?P<name>\w+)\(|^>\s+(?:async )?def (?P<name2>\w+)\(")
_ARGUMENT = re.compile(r"(?:^|(?<=, ))(?P<name>[^\W\d]\w*) = ")
_LOCAL = re.compile(r"^ {0,8}(?P<name>[^\W\d][\w@]*) *(?<=[\w ]) = (?P<value>.*)$")
_PADDED = re.compile(r"^ {4,8}(?:\w+ {2,}|\w{10,} )= ")
_SEPARATOR = re.compile(r"^_(?: _)+ *$")
_NO_FIXTURE = re.compile(r"^fixture '[^']+' not found$")
_RECURSION = re.compile(r"^!!! Recursion ")


@dataclass(slots=True)
class _Entry:
    """What was collected since the last location line: an excerpt, values, or nothing."""

    before: list[str] = field(default_factory=list)
    excerpt: list[str] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        """Take a line of the entry."""
        if text.startswith(">"):
            self.marked = [" " + text[1:]]
        elif self.marked and not self.after and CARETS.match(text):
            self.marked.append(text)
        elif self.marked:
            self.after.append(text)
        elif self.excerpt or text[:4].isspace():
            self.excerpt.append(text)
        else:
            self.before.append(text)

    def frame(self, file: str, lineno: int) -> LoggedFrame:
        """Return the frame that a location line closes."""
        lines = FrameLines(file, lineno, self._function(), self.marked[:2])
        return replace(
            lines.build(), locals=_locals(self.after) or None, arguments=_arguments(self.before)
        )

    def _function(self) -> str | None:
        for text in (*self.excerpt, *self.marked):
            if found := _DEF.match(text):
                return found["name"] or found["name2"]
        if any(text.startswith(".0 = ") for text in self.before):
            return "<genexpr>"
        # pytest indents by four; what stands deeper without a `def` is a lambda or a comprehension.
        return "<module>" if self.marked and not self.marked[0][:5].isspace() else None


class Failure:
    """The chain of one failure, built line by line."""

    def __init__(self) -> None:
        self._chain: list[LoggedException] = []
        self._frames: list[LoggedFrame] = []
        self._errors: list[str] = []
        self._entry = _Entry()
        self._short: FrameLines | None = None
        self._link: Link | None = None
        self._named = ""

    def add(self, text: str) -> None:
        """Take the next line of the failure."""
        link = link_of(text)
        if link is not None:
            self._close()
            self._link = Link(link)
        elif found := ERROR.match(text):
            self._errors.append(found["text"] or "")
        elif not text[:1].isspace() and (place := LOCATION.match(text)):
            self._place(place)
        elif _SEPARATOR.match(text) or _RECURSION.match(text):
            self._end_short()
            self._entry = _Entry()
        elif self._short is not None and (text[:4].isspace() or not text.strip()):
            self._short.below.append(text)
        else:
            self._entry.add(text)

    def chain(self) -> tuple[LoggedException, ...]:
        """Return the exceptions, none when the lines held none."""
        self._close()
        return tuple(self._chain)

    def _place(self, found: re.Match[str]) -> None:
        self._end_short()
        rest = found["rest"] or ""
        file, lineno = found["file"], int(found["lineno"])
        if rest.startswith("in "):
            self._short = FrameLines(file, lineno, rest[3:].strip())
        else:
            self._frames.append(self._entry.frame(file, lineno))
            self._named = rest.strip() or self._named
        self._entry = _Entry()

    def _end_short(self) -> None:
        if self._short is None:
            return
        below = [text for text in self._short.below if text.strip()]
        at = next((at for at, text in enumerate(below) if at and _PADDED.match(text)), len(below))
        self._short.below = below[:at]
        self._frames.append(replace(self._short.build(), locals=_locals(below[at:]) or None))
        self._short = None

    def _close(self) -> None:
        """End one exception of the chain."""
        self._end_short()
        if self._frames or self._errors:
            one = _exception(self._errors, self._named)
            self._chain.append(replace(one, frames=tuple(self._frames), link=self._link))
        self._frames, self._errors, self._entry = [], [], _Entry()
        self._named, self._link = "", None


def _exception(errors: list[str], named: str) -> LoggedException:
    """Return what the `E` lines say; the location line names the type where they do not."""
    margin = min((len(text) - len(text.lstrip()) for text in errors if text.strip()), default=0)
    texts = [text[margin:] for text in errors]
    if any('File "' in text for text in texts[:3]):
        shifted = ["  " + text if 'File "' in text[:8] else text for text in texts]
        read = read_chain(
            Lines(shifted), next(at for at, text in enumerate(shifted) if 'File "' in text)
        )
        if read.exceptions[-1].exception is not None:
            return read.exceptions[-1]
    found = EXCEPTION.match(texts[0]) if texts else None
    if texts and found and is_exception_line(texts[0], certain=not _same(found["type"], named)):
        first = found["message"] or ""
        return LoggedException(type_of(found), "\n".join((first, *texts[1:])))
    if texts and _NO_FIXTURE.match(texts[0]):
        return LoggedException("FixtureLookupError", texts[0])
    named_type = EXCEPTION.match(named)
    if named.startswith("assert ") or named_type is None:
        said = "\n".join(texts) or named or None
        return LoggedException("AssertionError" if said else None, said)
    message = "\n".join(texts) if texts else named_type["message"] or ""
    return LoggedException(type_of(named_type), message)


def _same(printed: str | None, named: str) -> bool:
    """Whether a location line names the type that an `E` line spells out."""
    last = (printed or "").rsplit(".", 1)[-1]
    return not named or last == named.split(":", 1)[0].rsplit(".", 1)[-1]


def _locals(lines: list[str]) -> tuple[tuple[str, Value], ...]:
    """Return the values of `--showlocals`, `name       = value`; other lines continue one."""
    found: list[tuple[str, str]] = []
    for text in lines:
        line = _LOCAL.match(text)
        if line:
            found.append((line["name"], line["value"]))
        elif found and text.strip():
            found[-1] = (found[-1][0], f"{found[-1][1]}\n{text}")
    return tuple((name, logged_value(value)) for name, value in found)


def _arguments(lines: list[str]) -> tuple[tuple[str, Value], ...] | None:
    """Return the arguments shown above an excerpt, `code = 'Q5', count = 2`."""
    text = ", ".join(line.removesuffix(",") for line in lines if " = " in line)
    found = list(_ARGUMENT.finditer(text))
    ends = [*(one.start() for one in found[1:]), len(text) + 2]
    values = (text[one.end() : end - 2] for one, end in zip(found, ends, strict=True))
    return (
        tuple((one["name"], logged_value(value)) for one, value in zip(found, values, strict=False))
        or None
    )
