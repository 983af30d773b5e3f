"""What a log says of a crash: exceptions, frames and locals, as text and numbers.

Not what is on disk: `nsdbg.localize.locate` maps logged frames to files.  Nothing here is checked,
run or resolved; a log may lie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from nsdbg.state import Value

Truncation = Literal["top", "bottom", "middle"]


class FrameKind(Enum):
    """Whose code a frame runs, judged by its path."""

    USER = "user"
    LIBRARY = "library"
    STDLIB = "stdlib"
    GENERATED = "generated"


class Link(Enum):
    """Why the exception before this one in the chain was printed: `from`, or while handling it."""

    CAUSE = "cause"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class LoggedFrame:
    """One call as a log names it.

    `function` is as printed (a plain name before 3.11 and mostly after it too), and None for the
    place a SyntaxError names, which is no call.  `source` is the line's text as printed, without
    its indentation, None when the log shows none; several lines are joined by newlines.  `carets`
    is the marked range of `source`, as columns [start, end), and `anchor` the part of it marked
    with `^` where `~` marks the rest; None when nothing is marked, when the marks span lines, and
    for a frame that stands for folded ones.  `locals` is None when the log does not record them;
    `arguments` are those of the call where the log shows them apart, as pytest does, with the
    values they had when it failed.
    """

    file: str
    lineno: int
    function: str | None
    source: str | None = None
    carets: tuple[int, int] | None = None
    anchor: tuple[int, int] | None = None
    locals: tuple[tuple[str, Value], ...] | None = None
    kind: FrameKind = FrameKind.USER
    arguments: tuple[tuple[str, Value], ...] | None = None

    def local(self, name: str) -> Value | None:
        """Return the value of a local, or None when it is not recorded."""
        return next((value for bound, value in self.locals or () if bound == name), None)


@dataclass(frozen=True, slots=True)
class LoggedException:
    """One exception of a chain, with the frames printed above it, oldest first.

    `exception` is the type as printed and `message` what follows its colon, both None when the
    log was cut before them (Django's page tells an earlier one's message alone); the message of an
    exception printed without one is "".
    `message_guessed`: lines below its first were taken for part of it with nothing in the log to
    prove it, as notes and what a program prints later look the same.  `link` says
    why the exception before it in the chain is there, None for the first.  `members` are the
    chains of an exception group's members, and `hidden` counts members left out of the log.
    `place` is the line that a SyntaxError names.  `repeated` sums the `[Previous line repeated N
    more times]` of its frames, None when there is no such line.  `embedded` are exceptions whose
    own traceback is printed inside this one's message or by a remote process.
    """

    exception: str | None
    message: str | None
    frames: tuple[LoggedFrame, ...] = ()
    link: Link | None = None
    notes: tuple[str, ...] = ()
    members: tuple[tuple[LoggedException, ...], ...] = ()
    hidden: int = 0
    place: LoggedFrame | None = None
    repeated: int | None = None
    embedded: tuple[LoggedException, ...] = ()
    message_guessed: bool = False

    @property
    def message_first_line(self) -> str | None:
        """The part of the message that is certain."""
        return None if self.message is None else self.message.split("\n", 1)[0]

    @property
    def innermost_frame(self) -> LoggedFrame | None:
        """The frame that raised; for a SyntaxError the place it names."""
        return self.place or (self.frames[-1] if self.frames else None)

    @property
    def innermost_user_frame(self) -> LoggedFrame | None:
        """The deepest frame that is neither a library's, the standard library's nor generated."""
        candidates = [*self.frames, *([self.place] if self.place else [])]
        return next((one for one in reversed(candidates) if one.kind is FrameKind.USER), None)

    def leaves(self) -> Iterator[LoggedException]:
        """Yield the members that are no groups themselves, at any depth, as printed."""
        for chain in self.members:
            last = chain[-1]
            if last.members:
                yield from last.leaves()
            else:
                yield last


@dataclass(frozen=True, slots=True)
class CrashReport:
    """One crash of a log: a chain of exceptions in the order printed, the final one last.

    `format` names the dialect that read it, `carrier` what it was wrapped in.  `lineno` is the
    line of the log at which it begins.  `truncated` says where the log was cut.  `count` is how
    often it was seen.  `context` is the line above it that says where it happened (`Exception in
    thread …`, a test's name), as printed.  `first_seen` and `last_seen` are times as printed.
    """

    chain: tuple[LoggedException, ...]
    format: str = "cpython"
    carrier: str | None = None
    lineno: int = 1
    truncated: Truncation | None = None
    count: int = 1
    context: str | None = None
    first_seen: str | None = None
    last_seen: str | None = None

    def __post_init__(self) -> None:
        if not self.chain:
            raise ValueError("a crash has at least one exception, even one cut off")

    @property
    def final(self) -> LoggedException:
        """The exception that ended the program: the last of the chain."""
        return self.chain[-1]

    @property
    def exception(self) -> str | None:
        """The final exception's type as printed."""
        return self.final.exception

    @property
    def message(self) -> str | None:
        """The final exception's message."""
        return self.final.message

    @property
    def notes(self) -> tuple[str, ...]:
        """The final exception's notes."""
        return self.final.notes

    @property
    def frames(self) -> tuple[LoggedFrame, ...]:
        """The final exception's frames, oldest first."""
        return self.final.frames

    @property
    def repeated(self) -> int | None:
        """The final exception's folded recursion lines."""
        return self.final.repeated

    @property
    def innermost_frame(self) -> LoggedFrame | None:
        """The frame that raised the final exception."""
        return self.final.innermost_frame

    @property
    def innermost_user_frame(self) -> LoggedFrame | None:
        """The deepest user frame of the final exception.

        An exception that stands for another (`RayTaskError(KeyError)`) has that one's frames.
        """
        own = self.final.innermost_user_frame
        if own is None and self.final.embedded and (self.exception or "").endswith(")"):
            return self.root_cause.innermost_user_frame
        return own

    @property
    def leaves(self) -> tuple[LoggedException, ...]:
        """The members of the chain's groups that are no groups themselves, as printed."""
        return tuple(leaf for one in self.chain for leaf in one.leaves())

    @property
    def root_cause(self) -> LoggedException:
        """The exception a user needs first: one embedded by a remote process, else the chain's
        first, else the final one itself."""
        root = next((one for one in self.chain if one.embedded), self.chain[0])
        while root.embedded:
            root = root.embedded[0]
        return root

    @property
    def fingerprint(self) -> str:
        """A short text that is equal for the same crash seen again; line numbers do not matter."""
        from nsdbg.crashlog.fingerprint import fingerprint

        return fingerprint(self)
