"""What `traceback` printed for an exception reads back as what was printed."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Sequence

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from nsdbg import crashlog
from nsdbg.crashlog import LoggedException
from nsdbg.crashlog.message import is_one_line
from nsdbg.crashlog.patterns import HEADER, LOG_LINE, link_of

# Lines that a log could hold by itself are truly ambiguous inside a message.
_AMBIGUOUS = re.compile(r"^(?:>>> ?|\.\.\. |\$ |\(\w|[\w.-]+@|PS |\s*$)")
_NAMES = ["ValueError", "KeyError", "ZeroDivisionError", "RuntimeError", "OSError", "StopIteration"]


class Odd(Exception):
    """An exception whose name tells nothing."""


def local_type() -> type[Exception]:
    class Deep(Exception):
        pass

    return Deep


_TYPES = [*(getattr(__import__("builtins"), name) for name in _NAMES), Odd, local_type()]


def _plain(text: str) -> bool:
    lines = text.split("\n")
    return not any(
        LOG_LINE.match(line) or HEADER.search(line) or link_of(line) or _AMBIGUOUS.match(line)
        for line in lines[1:]
    )


_words = st.text(st.sampled_from("ab Z09é四:'\"()[]{}|+-~^.,<>=_/\\\n"), max_size=30)
messages = _words.map(str.rstrip).filter(_plain)
notes = st.lists(_words.map(str.strip).filter(lambda t: t and _plain("x\n" + t)), max_size=2)


@st.composite
def plain_exceptions(draw: st.DrawFn) -> BaseException:
    kind = draw(st.sampled_from(_TYPES))
    error: BaseException = kind(draw(messages)) if draw(st.booleans()) else kind()
    for note in draw(notes):
        error.add_note(note)
    return raised(error, draw(st.integers(0, 3)))


def raised(error: BaseException, depth: int) -> BaseException:
    """Return the exception with a traceback of some frames."""
    known = error.__context__
    try:
        _raise(error, depth)
    except BaseException as caught:
        caught.__context__ = known  # not what Hypothesis happens to be handling
        return caught
    raise AssertionError


def _raise(error: BaseException, depth: int) -> None:
    if depth:
        _raise(error, depth - 1)
    raise error


def _group(members: list[BaseException], text: str) -> BaseException:
    return raised(BaseExceptionGroup(text.split("\n")[0] or "group", members), 1)


def _chained(first: BaseException, second: BaseException, cause: bool) -> BaseException:
    if second.__cause__ or second.__context__ or first is second:
        return second
    if cause:
        second.__cause__ = first
    else:
        second.__context__ = first
    return second


exceptions = st.recursive(
    plain_exceptions(),
    lambda inner: (
        st.builds(_group, st.lists(inner, min_size=1, max_size=3), messages)
        | st.builds(_chained, inner, inner, st.booleans())
    ),
    max_leaves=5,
)


def printed(error: BaseException) -> str:
    return "".join(traceback.format_exception(error))


def chain_of(
    te: traceback.TracebackException,
) -> list[tuple[str | None, traceback.TracebackException]]:
    """Return a chain as printed: the oldest first, each with why the one before is there."""
    if te.__cause__ is not None:
        return [*chain_of(te.__cause__), ("cause", te)]
    if te.__context__ is not None and not te.__suppress_context__:
        return [*chain_of(te.__context__), ("context", te)]
    return [(None, te)]


def type_name(te: traceback.TracebackException) -> str:
    if sys.version_info >= (3, 13):
        return str(te.exc_type_str)
    assert te.exc_type is not None
    module, name = te.exc_type.__module__, te.exc_type.__qualname__
    return name if module in ("builtins", "__main__") else f"{module}.{name}"


def assert_same(read: LoggedException, te: traceback.TracebackException) -> None:
    assert read.exception == type_name(te)
    said = "\n".join([str(te), *(te.__notes__ or [])])
    assert "\n".join([read.message or "", *read.notes]).rstrip() == said.rstrip()
    if is_one_line(type_name(te), read.message_first_line or ""):
        assert read.message == str(te).split("\n")[0]
    assert [(f.file, f.lineno, f.function) for f in read.frames] == [
        (f.filename, f.lineno, f.name) for f in te.stack
    ]
    assert [(f.source or "").split("\n")[0] for f in read.frames] == [f.line for f in te.stack]
    inner: Sequence[traceback.TracebackException] = te.exceptions or []
    assert len(read.members) == len(inner)
    for members, member in zip(read.members, inner, strict=True):
        assert_chain(members, member)


def assert_chain(read: Sequence[LoggedException], te: traceback.TracebackException) -> None:
    expected = chain_of(te)
    assert [one.link.value if one.link else None for one in read] == [why for why, _ in expected]
    for one, (_, part) in zip(read, expected, strict=True):
        assert_same(one, part)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(exceptions)
@example(_chained(raised(ValueError('\n"""'), 0), raised(ValueError("b"), 0), False))
@example(raised(ValueError("a\n\n  b"), 0))
@example(raised(Odd('route\n\nTried:\n  - north\n\nKeyError: no\n  File "m.txt", line 9, in s'), 2))
def test_what_traceback_prints_reads_back_to_what_was_printed(error: BaseException) -> None:
    reports = list(crashlog.read(printed(error).encode()))
    assert len(reports) == 1
    assert reports[0].truncated is None
    assert_chain(reports[0].chain, traceback.TracebackException.from_exception(error))
