"""A crash in one plain sentence, and whose fault it looks like.

Reads the message by the rules, and where none speaks of it, the type and the frames.  A guess for a
person who looks at a log for the first time; nothing is checked by running.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.report import CrashReport, FrameKind, Link, LoggedException, LoggedFrame
from nsdbg.localize.examine import Examination
from nsdbg.rulebook import Rulebook
from nsdbg.rulebook.answers import Blame

_SHOWN = 160  # characters of a message inside a sentence
_PACKAGE = re.compile(r"[\\/](?:site|dist)-packages[\\/](?P<name>[^\\/]+?)(?:\.pyc?)?(?:[\\/]|$)")
_MODULE_AT = re.compile(r" from '[\w.]+' \((?P<file>.+)\)$")
_ENVIRONMENT = re.compile(r"^['\"](?P<name>.*)['\"]$", re.DOTALL)
_VERSIONS = re.compile(
    r"undefined symbol|GLIBC|size changed|binary incompatib|compiled using|ABI version"
    r"|requires Python"
    r"|DLL load failed|built against|version mismatch|unsupported version"
    r"|no attribute '(?:float|int|bool|object|str)'"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What happened, in a sentence, and whose fault it looks like, None where nothing tells."""

    sentence: str
    fault: Blame | None = None
    whose: str | None = None


@dataclass(frozen=True, slots=True)
class _Kind:
    """What an exception says by its type alone; `{message}` in `sentence` is its message."""

    pattern: re.Pattern[str]
    sentence: str
    fault: Blame | None


def _kind(pattern: str, sentence: str, fault: Blame | None) -> _Kind:
    return _Kind(re.compile(rf"(?:{pattern})$"), sentence, fault)


_KINDS = (
    _kind("KeyboardInterrupt", "The program was stopped from outside, by Ctrl-C or SIGINT.",
          Blame.ENVIRONMENT),
    _kind("SystemExit", "The program ended itself: {message}", Blame.LINE),
    _kind("MemoryError", "There was not enough memory for what was asked.", Blame.ENVIRONMENT),
    _kind("Fatal Python error|Windows fatal exception",
          "The interpreter itself broke, in C code: {message}", Blame.LIBRARY),
    _kind("Timeout", "The program was still running when its time was over.", None),
    _kind(r"(?:\w*Syntax|Indentation|Tab)Error", "Python cannot read this source: {message}",
          Blame.LINE),
    _kind(r"AssertionError|Failed", "A condition that was asserted did not hold: {message}", None),
    _kind(r"\w*Warning", "A warning was made an error: {message}", None),
    _kind("NotImplementedError", "This was left to be written: {message}", Blame.LINE),
    _kind(r"\w*Timeout\w*|DeadlineExceeded", "Something took longer than it may: {message}",
          Blame.ENVIRONMENT),
    _kind(r"Connection\w*|BrokenPipeError|gaierror|\w*SSL\w*|\w*(?:Connect|Proxy|Protocol)Error"
          r"|MaxRetryError|HTTPError|ClientError|APIError",
          "Something on the other side of a connection failed: {message}", Blame.ENVIRONMENT),
    _kind("PermissionError|AccessDenied|Forbidden", "Access was refused: {message}",
          Blame.ENVIRONMENT),
    _kind(r"OSError|IOError|(?:FileNotFound|FileExists|IsADirectory|NotADirectory)Error"
          r"|CalledProcessError|\w*Worker\w*Error|ChildFailedError",
          "The system did not do what was asked: {message}", Blame.ENVIRONMENT),
    _kind(r"OperationalError|InterfaceError|DatabaseError", "The database failed: {message}",
          Blame.ENVIRONMENT),
    _kind("IntegrityError|DataError", "The database refused the data: {message}", Blame.INPUT),
    _kind("ProgrammingError", "The database refused the statement: {message}", Blame.LINE),
    _kind(r"\w*DoesNotExist|\w*NotFound(?:Error)?", "What was looked for is not there: {message}",
          Blame.INPUT),
    _kind(r"\w*(?:Validation|Parse|Parser|Decode|Unmarshal)Error|Invalid\w*|\w*Invalid|BadRequest\w*",
          "The input was refused: {message}", Blame.INPUT),
    _kind("StopIteration|StopAsyncIteration", "An iterator had nothing more to give.", Blame.LINE),
)  # fmt: skip


def reading(report: CrashReport, rulebook: Rulebook) -> Reading:
    """Return the plain reading of a crash: of the exception that a user needs first."""
    one = needed_first(report)
    name, message = one.exception, one.message or ""
    if name is None:
        return Reading("The log ends before it says what was raised.")
    explained = rulebook.explain(name, message)
    if (variable := _missing_variable(one)) is not None:
        sentence = f"The environment variable {_shown(variable)} is not set."
        fault: Blame | None = Blame.ENVIRONMENT
    elif explained:
        sentence, fault = explained[0].sentence, explained[0].blame
    else:
        sentence, fault = _by_type(one, name, message)
    if _VERSIONS.search(message):
        fault = Blame.VERSION
    if fault is Blame.VERSION and (found := _MODULE_AT.search(message)):
        fault = Blame.LINE if frame_kind(found["file"]) is FrameKind.USER else fault
    if not one.frames and one.place is None:
        one = report.final  # a message names it, and the frames are those of what wraps it
    fault = _weighed(one, fault)
    return Reading(sentence, fault, _whose(one, fault))


def _missing_variable(one: LoggedException) -> str | None:
    """Return the name of the environment variable that `os.environ[…]` did not find."""
    frame, key = one.innermost_frame, _ENVIRONMENT.match(one.message or "")
    if frame is None or key is None or not (one.exception or "").endswith("KeyError"):
        return None
    asked = re.search(r"[\\/]os\.py$", frame.file) or "environ[" in (frame.source or "")
    return key["name"] if asked else None


def reading_of(found: Examination, rulebook: Rulebook) -> Reading:
    """Return the plain reading of an examined crash: its sentence is about the line, if one is."""
    read = reading(found.report, rulebook)
    meaning = found.inquiry.meaning
    return read if meaning is None else replace(read, sentence=meaning)


def needed_first(report: CrashReport) -> LoggedException:
    """Return the exception of a crash that a user needs first.

    That of a remote process, a group's first member, the cause of `raise … from`; else the final
    one, since one raised while another was handled is mostly a mistake of the handler.
    """
    if any(one.embedded for one in report.chain):
        return report.root_cause
    if report.leaves:
        return report.leaves[0]
    at = len(report.chain) - 1
    while at > 0 and report.chain[at].link is Link.CAUSE:
        at -= 1
    while at < len(report.chain) - 1 and not _tells(report.chain[at]):
        at += 1  # a note in the form of an exception, as JAX's, or one that Django does not name
    return report.chain[at]


def _tells(one: LoggedException) -> bool:
    return one.exception is not None and bool(one.frames or one.place)


def _by_type(one: LoggedException, name: str, message: str) -> tuple[str, Blame | None]:
    """Return a sentence and a fault for an exception that no rule speaks of."""
    plain = name.rpartition(".")[2]
    said = _shown(message)
    known = next((kind for kind in _KINDS if kind.pattern.match(plain)), None)
    if known is not None:
        sentence = known.sentence.format(message=said or "it says no more")
        return sentence, known.fault
    frame = one.innermost_frame
    who = _who(frame)
    if frame is not None and (frame.source or "").startswith("raise"):
        return f"{who} raised {plain} on purpose{f': {said}' if said else '.'}", None
    return f"{who} failed with {plain}{f': {said}' if said else '.'}", None


def _shown(message: str) -> str:
    """Return a message's first line that says something, shortened."""
    first = next((line.strip() for line in message.split("\n") if line.strip()), "")
    return first if len(first) <= _SHOWN else first[: _SHOWN - 1] + "…"


def _who(frame: LoggedFrame | None) -> str:
    if frame is None:
        return "The program"
    if frame.kind is FrameKind.LIBRARY:
        return f"The library {package_of(frame)}"
    return "Your code" if frame.kind is FrameKind.USER else "Python's own library"


def package_of(frame: LoggedFrame) -> str:
    """Return the name of the library that a frame belongs to, as far as its path tells."""
    found = _PACKAGE.search(frame.file)
    if found:
        return found["name"]
    return re.split(r"[\\/]", frame.file)[-1]


def _weighed(one: LoggedException, fault: Blame | None) -> Blame | None:
    """Return a fault in the light of the frames: what broke deep in a library is not your line."""
    own, inner = one.innermost_user_frame, one.innermost_frame
    if fault not in (None, Blame.LINE) or inner is None:
        return fault
    if own is None:
        return Blame.LIBRARY
    if inner.kind is FrameKind.STDLIB and fault is None:
        return Blame.INPUT
    return Blame.LIBRARY if inner.kind is FrameKind.LIBRARY else Blame.LINE


def _whose(one: LoggedException, fault: Blame | None) -> str | None:
    """Say in words whose fault it looks like."""
    own, inner = one.innermost_user_frame, one.innermost_frame
    at = f"your line {own.file}:{own.lineno}" if own is not None else None
    if fault is None:
        return None
    if fault is Blame.LINE:
        return at or "your code, which the log does not show"
    if fault is Blame.INPUT:
        return f"your input, as it came to {at}" if at else "your input"
    if fault is Blame.VERSION:
        return "versions that do not fit together"
    if fault is Blame.ENVIRONMENT:
        return f"the environment, met at {at}" if at else "the environment"
    name = _who(inner) if inner is not None and inner is not own else "A library"
    name = name[0].lower() + name[1:] if not name.startswith("Python") else name
    if at is None:
        return f"{name}, or what it was given: the log names no line of yours"
    return f"{name}, called from {at}"
