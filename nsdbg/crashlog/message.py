"""Where an exception's message ends: its lines, its notes, and what the program printed later.

All three look the same below the line that names the exception.  What is certain is taken as such
(what stands before a chain's next header, or inside a group's art, is the exception's); the rest
is a guess, and marked as one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nsdbg.crashlog.patterns import AFTER_WHICH_IT_GOES_ON, LOG_LINE, link_of
from nsdbg.crashlog.text import Text

_LIMIT = 200  # lines of one message
_NOTES_LIMIT = 20  # guessed notes; more is output

# Messages that the interpreter and its library write on one line: what follows is no part of them.
_ONE_LINE = {
    "KeyError": r"u?'.*'|u?\".*\"|-?[\d.]+|\(.*\)|<.*>|None|True|False|b['\"].*['\"]",
    "ValueError": r"invalid literal for .*|not enough values to unpack.*|too many values to.*"
    r"|could not convert string to.*|math domain error|substring not found|.* is not in (?:list|"
    r"tuple|deque)|.*x not in .*|I/O operation on closed .*|max\(\) .*|min\(\) .*|empty range .*"
    r"|.*must be .*|need more than \d+ values? to unpack|unsupported format character.*"
    r"|day is out of range.*|month must be.*|time data .* does not match.*|Invalid isoformat.*",
    "OSError": r"\[Errno -?\d+\].*|\[WinError \d+\].*",
    "StopIteration": r"",
}
_ONE_LINE_ALWAYS = re.compile(
    r"^(?:ZeroDivision|Index|Type|Attribute|Name|UnboundLocal|Import|ModuleNotFound|Recursion"
    r"|UnicodeDecode|UnicodeEncode|Overflow|Memory|Syntax|Indentation|Tab|Lookup|EOF|Buffer)Error$"
    r"|^(?:KeyboardInterrupt|GeneratorExit|StopAsyncIteration)$"
)
_OS_ERRORS = re.compile(
    r"^(?:OS|IO|FileNotFound|FileExists|Permission|IsADirectory|NotADirectory"
    r"|Connection\w*|BrokenPipe|Timeout|Process\w*|ChildProcess)Error$"
)
_PROMPT = re.compile(
    r"^(?:>>> ?|\.\.\. |\$ |\(\w[\w.-]*\) ?[\w\[$]|[\w.-]+@[\w.-]+[:~ ].*[$#]|PS [A-Z]:\\"
    r"|\[end of output\]|END RequestId|```|</pre>|make(?:\[\d+\])?: |npm (?:ERR|error)"
    r"|\S+:\d+: \w*Warning: |Process finished with exit code|Error: Process completed"
    r"|Command exited|\[Finished in|Press any key|\[Process exited"
    r"|exit(?:ed with)? (?:code|status):? \d+$"
    r"|\{code\}|\]\]>|ninja: |error: Bad exit status|Build teardown script"
    r"|\[pid: \d+\||unable to load app |\*\*\* no app loaded|The full traceback has been saved"
    r"|(?:fatal|failed): \[|Process completed with exit code|Std(?:out|err):$|The command \""
    r"|The above server error caused|-->End of Python script error|MicroPython v|Code done running"
    r"|\[\d+\] Failed to execute script|Keyboard interruption in main thread|\(\d+ rows?\)$"
    r"|\d+ rows? in set|section_end:|Uncaught exception\. Entering|wandb: |srun: error|slurmstepd: "
    r"|Removing descriptor: |panic: |Call stack:$)"
)
_GROUP = re.compile(r"\(\d+ sub-exceptions?\)$")
# What IPython, unittest and pytest draw between crashes.
_PLACE = re.compile(r'^  File "[^"]+", line \d+$')  # a script's SyntaxError begins so
_RULE = re.compile(r"^(?:-{60,}|={60,}|_{60,})$|^[-=_]{3,} .* [-=_]{3,}$")


@dataclass(frozen=True, slots=True)
class Message:
    """A message and its notes; `end` is the first line behind them.

    `guessed`: lines were taken with no proof that they belong to it.
    """

    text: str
    notes: tuple[str, ...]
    end: int
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class _Tail:
    """The lines that may belong to a message, and why they end.

    `reason` is "link", "end", "rule", "log" or "limit".
    """

    lines: tuple[str, ...]
    reason: str

    def paragraph(self) -> tuple[str, ...]:
        """Return the lines up to the first empty one."""
        for at, line in enumerate(self.lines):
            if not line.strip():
                return self.lines[:at]
        return self.lines


def read_message(
    text: Text, i: int, name: str, first: str, goes_on: bool, bare: bool = False
) -> Message:
    """Return the message whose first line is `first`, on line `i`, of an exception `name`.

    `goes_on`: the program went on after it (a thread's, a logged one), so that later lines are
    likely its output.  `bare`: no colon follows the name, which says that there is no message.
    """
    tail = _tail(text, i + 1)
    complete = bare or is_one_line(name, first)
    taken, guessed = _taken(tail, first, complete, goes_on, text.exact)
    if not taken:
        return Message(first, (), i + 1)
    end = i + 1 + len(taken)
    if text.members(end) and (last := _group_said(first, taken)) is not None:
        said, notes = (first, *taken)[: last + 1], (first, *taken)[last + 1 :]
        return Message("\n".join(said), _notes(_stripped(notes)), end, guessed)
    while taken and not taken[-1].strip():
        taken = taken[:-1]
    if complete:
        return Message(first, _notes(taken), end, guessed)
    return Message("\n".join((first, *taken)), (), end, guessed)


def _group_said(first: str, taken: tuple[str, ...]) -> int | None:
    """Return the line with which a group's message ends: it counts the members."""
    return next(
        (at for at, line in enumerate((first, *taken)) if _GROUP.search(line.rstrip())), None
    )


def is_one_line(name: str, first: str) -> bool:
    """Whether a message is complete on its first line, as its exception's type shows."""
    plain = name.rsplit(".", 1)[-1]
    if _ONE_LINE_ALWAYS.match(plain):
        return True
    pattern = _ONE_LINE["OSError" if _OS_ERRORS.match(plain) else plain] if (
        plain in _ONE_LINE or _OS_ERRORS.match(plain)) else None  # fmt: skip
    return pattern is not None and re.fullmatch(pattern, first) is not None


def _tail(text: Text, i: int) -> _Tail:
    lines: list[str] = []
    while True:
        line = text.text(i)
        if line is None:
            return _Tail(tuple(lines), "end")
        if text.members(i) or link_of(line):
            return _Tail(tuple(lines), "link")
        if len(lines) >= _LIMIT:
            return _Tail(tuple(lines), "limit")
        if text.gap(i) or _is_foreign(line):
            return _Tail(tuple(lines), "log")
        if _RULE.match(line):
            return _Tail(tuple(lines), "rule")
        lines.append(line)
        i += 1


def _is_foreign(line: str) -> bool:
    """Whether a line cannot be a message's: a logger's, a shell's, the next crash's."""
    if " call last)" in line or " call first)" in line or _PLACE.match(line):
        return True
    return bool(LOG_LINE.match(line) or _PROMPT.match(line) or AFTER_WHICH_IT_GOES_ON.match(line))


def _taken(
    tail: _Tail, first: str, complete: bool, goes_on: bool, exact: bool
) -> tuple[tuple[str, ...], bool]:
    """Return the lines that belong to the exception, and whether that is a guess.

    `complete`: the message has one line only.
    """
    if tail.reason == "link" or (exact and tail.reason == "end"):
        lines = tail.lines
        if tail.reason == "link" and lines and not lines[-1].strip():
            lines = lines[:-1]  # the empty line before the connector
        return lines, False
    paragraph = tail.paragraph()
    if complete:
        alone = tail.reason == "end" and not goes_on and len(paragraph) <= _NOTES_LIMIT
        return (paragraph if alone and len(paragraph) == len(_stripped(tail.lines)) else ()), True
    if tail.reason == "rule":
        return tail.lines, True
    if goes_on and tail.reason != "log":  # up to a logger's next line it is the record's
        return (paragraph if _unfinished(first, paragraph) else ()), True
    return (tail.lines if tail.reason == "end" else paragraph), True


def _stripped(lines: tuple[str, ...]) -> tuple[str, ...]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


def _unfinished(first: str, paragraph: tuple[str, ...]) -> bool:
    """Whether a message's first line shows that more follows."""
    if not paragraph:
        return False
    opened = sum(first.count(mark) for mark in "([{") > sum(first.count(mark) for mark in ")]}")
    return first.endswith((":", ",", "\\")) or not first or opened or paragraph[0][:1] in " \t"


def _notes(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Return notes: an indented line continues the one above, as far as one can tell."""
    notes: list[str] = []
    for line in lines:
        if notes and line[:1] in (" ", "\t"):
            notes[-1] += f"\n{line}"
        else:
            notes.append(line)
    return tuple(notes)
