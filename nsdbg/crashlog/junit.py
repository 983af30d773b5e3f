"""Test reports as JUnit XML: pytest's, unittest-xml-reporting's, nose's, Maven-like ones.

Reads the test cases and what went wrong in each; that a failure's text is a traceback is for the
dialects to find out.  Resolves no entities and fetches nothing: a DOCTYPE is refused.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.parsers import expat

from nsdbg.errors import JUnitError

ROOTS = ("testsuites", "testsuite")
_TEXT_LIMIT = 1 << 20  # characters of one failure, or of what a test printed; the rest is cut
_PIECE = 1 << 16  # bytes
_SPACE = re.compile(rb"\s*")
_CASES_LIMIT = 1_000_000
_DECLARED = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z][\w.-]{0,40})[\"']")
# XML 1.0 knows no control characters, spelled as references neither; many tools write them anyhow.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
    r"|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|[xX]0*(?:[0-8bcefBCEF]|1[0-9a-fA-F]));"
)
_COLOUR = re.compile(r"#x1B\[[0-9;]*m")  # an escape as pytest spells it here
_PROBLEMS = ("failure", "error")
_OUTPUT = ("system-out", "system-err")
_CUT = (
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
    expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR],
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One failure or error: `kind` is the element's name; all texts as the report has them.

    `lineno` is the line of the report at which `text` begins.
    """

    kind: str
    type: str
    message: str
    text: str
    lineno: int


@dataclass(frozen=True, slots=True)
class Case:
    """One test: a passed one has no problems and is not skipped.

    `file` and `line` are the attributes some tools write, None without.  `printed` is what the
    test wrote to its outputs, kept for a test with problems only.
    """

    name: str
    classname: str
    file: str | None = None
    line: int | None = None
    problems: tuple[Problem, ...] = ()
    skipped: bool = False
    printed: str = ""

    @property
    def passed(self) -> bool:
        """Whether the test ran and nothing went wrong."""
        return not self.problems and not self.skipped

    @property
    def title(self) -> str:
        """The test's name with its class, as pytest heads a failure."""
        last = self.classname.rpartition(".")[2]
        return f"{last}.{self.name}" if last[:1].isupper() else self.name


def decoded(data: bytes) -> str:
    """Return a report's text by its byte order mark or the encoding it declares, else as UTF-8.

    What cannot be decoded is replaced: a report with one odd byte still tells what failed.
    """
    for bom, name in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"),
                      (codecs.BOM_UTF16_BE, "utf-16-be")):  # fmt: skip
        if data.startswith(bom):
            return data[len(bom) :].decode(name, "replace")
    declared = _DECLARED.search(data[:300])
    try:
        return data.decode(declared[1].decode() if declared else "utf-8", "replace")
    except (LookupError, UnicodeError):  # a codec that is unknown, or is none for text
        return data.decode("utf-8", "replace")


def read_cases(text: str) -> Iterator[Case]:
    """Yield the tests of a report, or of several written one behind the other, in order.

    Raises JUnitError, after the tests that were whole, for what is no XML, is cut off, has a
    DOCTYPE or another root; what else stands behind a root's end is not looked at.
    """
    data = _FORBIDDEN.sub("", text).encode("utf-8")
    at = _skip_space(data, 0)
    if at == len(data):
        raise JUnitError("it is empty: the test run may have ended before it was written")
    first, lines = True, data.count(b"\n", 0, at)
    while first or data.startswith((b"<?xml", b"<testsuite"), at):
        reader = _Reader(lines)
        yield from reader.read(data, at)
        if reader.problem is not None:
            raise JUnitError(reader.problem)
        end = _skip_space(data, _behind(data, at + reader.ends))
        lines += data.count(b"\n", at, end)
        first, at = False, end


def _behind(data: bytes, end: int) -> int:
    """Return where a report's last tag ends; of a tag that closes itself expat tells that place."""
    return data.index(b">", end) + 1 if data.startswith(b"</", end) else end


def _skip_space(data: bytes, at: int) -> int:
    """Return where the next thing but white space stands."""
    found = _SPACE.match(data, at)
    return found.end() if found else at


class _Reader:
    """An expat parser's handlers, and the test that is being read.

    `problem` says afterwards what is wrong with the report, None for nothing; `ends` is the offset
    of its last tag.
    """

    def __init__(self, lines: int) -> None:
        self.problem: str | None = None
        self.ends = 0
        self._lines = lines  # above the report
        self._cases: list[Case] = []
        self._count = 0
        self._depth = 0
        self._attributes: dict[str, str] | None = None  # of the test being read
        self._problems: list[Problem] = []
        self._printed: list[str] = []
        self._skipped = False
        self._inside: tuple[str, dict[str, str], int] | None = None  # an element with text
        self._text: list[str] = []
        self._size = 0
        # The text is decoded already, whatever the declaration says.
        self._parser = expat.ParserCreate(encoding="utf-8")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype

    def read(self, data: bytes, start: int) -> Iterator[Case]:
        """Yield the tests of the report that begins at `start`, up to its end or its problem."""
        going = True
        for at in range(start, len(data), _PIECE):
            going = self._feed(data[at : at + _PIECE], at + _PIECE >= len(data))
            yield from self._cases
            self._cases.clear()
            if not going:
                return

    def _feed(self, piece: bytes, final: bool) -> bool:
        """Take the next piece; returns whether there is more to read."""
        try:
            self._parser.Parse(piece, final)
        except _Done:
            return False
        except expat.ExpatError as error:
            where = f"line {error.lineno + self._lines}"
            if error.code in _CUT:
                self.problem = (
                    f"it is cut off at {where}: the test run or a copy of the report ended early. "
                    "Write it again, or give it as --log, which takes what is there"
                )
            else:
                self.problem = f"it is no XML from {where} on: {expat.ErrorString(error.code)}"
            return False
        return True

    def _refuse(self, why: str) -> None:
        self.problem = why
        raise _Done

    def _doctype(self, *_: object) -> None:
        self._refuse("it has a DOCTYPE, which no test report needs and which can do harm")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        if not self._depth and name not in ROOTS:
            self._refuse(f"its root is <{name[:40]}>, where JUnit XML has <testsuite>")
        self._depth += 1
        if name == "testcase":
            self._attributes = attributes
            self._problems, self._printed, self._skipped = [], [], False
        elif self._attributes is not None and name in (*_PROBLEMS, *_OUTPUT):
            self._inside = name, attributes, self._lines + self._parser.CurrentLineNumber
            self._text, self._size = [], 0
        elif self._attributes is not None and name == "skipped":
            self._skipped = True

    def _characters(self, text: str) -> None:
        if self._inside is not None and self._size < _TEXT_LIMIT:
            self._text.append(text[: _TEXT_LIMIT - self._size])
            self._size += len(text)

    def _end(self, name: str) -> None:
        name = name.rpartition(":")[2]
        self._depth -= 1
        if self._inside is not None and name == self._inside[0]:
            self._close_text()
        elif name == "testcase" and self._attributes is not None:
            self._close_case(self._attributes)
            self._attributes = None
        if not self._depth:
            self.ends = self._parser.CurrentByteIndex
            raise _Done

    def _close_text(self) -> None:
        assert self._inside is not None
        name, attributes, lineno = self._inside
        text = _COLOUR.sub("", "".join(self._text))
        self._inside = None
        if name in _OUTPUT:
            self._printed.append(text)
            return
        message = _COLOUR.sub("", attributes.get("message", ""))
        self._problems.append(Problem(name, attributes.get("type", ""), message, text, lineno))

    def _close_case(self, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > _CASES_LIMIT:
            self._refuse(f"it holds more than {_CASES_LIMIT:,} tests; give its parts one by one")
        line = attributes.get("line", "")
        self._cases.append(
            Case(
                attributes.get("name", ""), attributes.get("classname", ""),
                attributes.get("file"), int(line) if line.isdecimal() and len(line) < 9 else None,
                tuple(self._problems), self._skipped,
                "\n".join(self._printed) if self._problems else "",
            )
        )  # fmt: skip


class _Done(Exception):
    """Nothing more is to be read: the root was closed, or the report is refused."""
