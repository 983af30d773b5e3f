"""Fatal errors as faulthandler and the interpreter print them: innermost frame first, by thread."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.dialects.layout import Dialect, Found
from nsdbg.crashlog.kinds import frame_kind
from nsdbg.crashlog.lines import BOUNDARY, Line, margin_at
from nsdbg.crashlog.report import CrashReport, LoggedException, LoggedFrame

_FATAL = re.compile(
    r"(?P<type>Fatal Python error|Windows fatal exception|Timeout)(?:: (?P<message>.*)| \(.*\)!)$"
)
_THREAD = re.compile(
    r"^(?P<current>Current )?[Tt]hread (?:0x[0-9a-fA-F]+)(?: \[[^\]]*\])?"
    r"(?: \(most recent call first\))?:|^Stack \(most recent call first\):"
)
_FRAME = re.compile(r'^\s*File "(?P<file>[^"]*)", line (?P<lineno>\d+|\?\?\?) in (?P<function>.*)$')
_QUIET = 40  # other lines before the first thread; C stacks, runtime state


def _read(lines: Sequence[Line], i: int) -> Found | None:
    text = lines[i].text
    if "atal " not in text and "Timeout" not in text:
        return None
    head = _FATAL.search(text)
    if head is None:
        return None
    margin = margin_at(lines, i, head.start())
    stacks: list[tuple[bool, list[LoggedFrame]]] = []
    end = i + 1
    for at in range(i + 1, len(lines)):
        own = margin.strip(lines[at].text) if lines[at].text[:1] != BOUNDARY else None
        if own is None or (stacks and at - end > 3) or at - end > _QUIET or _FATAL.search(own):
            break
        if thread := _THREAD.match(own):
            stacks.append((bool(thread["current"]) or own.startswith("Stack"), []))
            end = at + 1
        elif stacks and (frame := _FRAME.match(own)):
            stacks[-1][1].insert(0, _frame(frame))
            end = at + 1
    if not stacks:
        return None
    frames = next((frames for current, frames in stacks if current), _main(stacks))
    one = LoggedException(head["type"], head["message"] or "", tuple(frames))
    return Found(CrashReport((one,), "faulthandler", lineno=lines[i].number), end)


def _main(stacks: list[tuple[bool, list[LoggedFrame]]]) -> list[LoggedFrame]:
    """Return the main thread's stack where none is the current one, as when time was over."""
    mains = (frames for _, frames in stacks if frames and frames[0].function == "<module>")
    return next(mains, stacks[0][1])


def _frame(found: re.Match[str]) -> LoggedFrame:
    lineno = int(found["lineno"]) if found["lineno"].isdigit() else 0
    file, function = found["file"], found["function"]
    return LoggedFrame(file, lineno, function, kind=frame_kind(file, function))


DIALECT = Dialect(
    "faulthandler",
    "fatal errors and timeouts of faulthandler: threads, the innermost frame first",
    (b"atal Python error", b"Windows fatal exception", b"call first):"),
    _read,
)
