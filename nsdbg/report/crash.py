"""What a log says of a crash, as text for a terminal and as `nsdbg.parse/1`.

Foreign text stays text: control characters are escaped, workflow commands neutralised, likely
secrets left out.  JSON keeps text as it is, for its reader to escape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nsdbg.crashlog.report import CrashReport, LoggedException, LoggedFrame
from nsdbg.report.escape import plain, redacted

SCHEMA = "nsdbg.parse/1"
_WIDTH = 100
_INDENT = "  "
_LOCALS_SHOWN = 12

# What to collect when a log was cut: by where it was cut.
_COLLECT = {
    "top": "the top is cut off: keep the lines from 'Traceback (most recent call last):' on",
    "bottom": "the end is cut off: keep the lines down to the one that names the exception",
    "middle": "frames are missing in the middle: log the whole traceback (traceback.format_exc())",
}
Json = dict[str, object]


def crashes_json(reports: Sequence[CrashReport], show_secrets: bool = False) -> Json:
    """Return the document that `nsdbg parse --output-format json` prints."""
    return {"schema": SCHEMA, "crashes": [crash_json(one, show_secrets) for one in reports]}


def crash_json(report: CrashReport, show_secrets: bool = False) -> Json:
    """Return one crash as documented in `docs/schemas.md`."""
    root = report.root_cause
    inner = report.innermost_frame
    own = report.innermost_user_frame
    return {
        "exception": report.exception,
        "message": report.message,
        "notes": list(report.notes),
        "chain": [_exception_json(one, show_secrets) for one in report.chain],
        "frames": [frame_json(one, show_secrets) for one in report.frames],
        "innermost_frame": frame_json(inner, show_secrets) if inner else None,
        "innermost_user_frame": frame_json(own, show_secrets) if own else None,
        "root_cause": _exception_json(root, show_secrets),
        "leaves": [_exception_json(one, show_secrets) for one in report.leaves],
        "repeated": report.repeated,
        "truncated": report.truncated,
        "count": report.count,
        "fingerprint": report.fingerprint,
        "format": report.format,
        "carrier": report.carrier,
        "log_lineno": report.lineno,
        "context": report.context,
        "first_seen": report.first_seen,
        "last_seen": report.last_seen,
    }


def _exception_json(one: LoggedException, show_secrets: bool) -> Json:
    inner = one.innermost_frame
    own = one.innermost_user_frame
    return {
        "exception": one.exception,
        "message": one.message,
        "link": one.link.value if one.link else None,
        "notes": list(one.notes),
        "frames": [frame_json(frame, show_secrets) for frame in one.frames],
        "innermost_frame": frame_json(inner, show_secrets) if inner else None,
        "innermost_user_frame": frame_json(own, show_secrets) if own else None,
        "members": [
            [_exception_json(member, show_secrets) for member in chain] for chain in one.members
        ],
        "hidden_members": one.hidden,
        "embedded": [_exception_json(inside, show_secrets) for inside in one.embedded],
        "repeated": one.repeated,
        "message_guessed": one.message_guessed,
    }


def frame_json(frame: LoggedFrame, show_secrets: bool = False) -> Json:
    """Return a frame as logged; `truncated_locals` names the values the log shows in part."""
    values = frame.locals
    return {
        "file": frame.file,
        "lineno": frame.lineno,
        "function": frame.function,
        "source": frame.source,
        "carets": list(frame.carets) if frame.carets else None,
        "locals": None if values is None else {
            name: value.repr if show_secrets else redacted(name, value.repr)
            for name, value in values
        },
        "arguments": None if frame.arguments is None else {
            name: value.repr if show_secrets else redacted(name, value.repr)
            for name, value in frame.arguments
        },
        "truncated_locals": [name for name, value in values or () if value.truncated],
        "kind": frame.kind.value,
    }  # fmt: skip


def crashes_text(
    reports: Sequence[CrashReport], show_secrets: bool = False, table: bool = False
) -> str:
    """Return a short readable list; `table` gives one line for each crash."""
    if table:
        return "\n".join(_row(one) for one in reports)
    return "\n\n".join("\n".join(crash_lines(one, show_secrets)) for one in reports)


def _row(report: CrashReport) -> str:
    where = report.innermost_user_frame or report.innermost_frame
    place = f"{where.file}:{where.lineno}" if where else "no place"
    seen = " to ".join(dict.fromkeys(filter(None, (report.first_seen, report.last_seen))))
    parts = (f"{report.count:>5}x", report.fingerprint, headline(report.final), place, seen)
    return plain("  ".join(part for part in parts if part), 200)


def headline(one: LoggedException) -> str:
    """Return `Type: message` on one line, as far as the log has it."""
    if one.exception is None:
        return "an exception the log does not name"
    return f"{one.exception}: {one.message_first_line}" if one.message else one.exception


def crash_lines(report: CrashReport, show_secrets: bool = False) -> Iterator[str]:
    """Yield the lines of one crash: what, where, by which calls, and what came before."""
    times = f", seen {report.count} times" if report.count > 1 else ""
    yield plain(f"{headline(report.final)}  [line {report.lineno}, {report.format}{times}]", 300)
    if report.truncated:
        yield f"{_INDENT}{_COLLECT[report.truncated]}"
    yield from _frames(report.final, show_secrets)
    if report.root_cause is not report.final:
        yield plain(f"{_INDENT}caused by {headline(report.root_cause)}", 300)
        yield from (_INDENT + line for line in _frames(report.root_cause, show_secrets))
    for leaf in report.leaves:
        yield plain(f"{_INDENT}member {headline(leaf)}", 300)
        yield from (_INDENT + line for line in _frames(leaf, show_secrets))


def _frames(one: LoggedException, show_secrets: bool) -> Iterator[str]:
    """Yield the innermost frame and the innermost own one; all own ones with their lines."""
    own = one.innermost_user_frame
    inner = one.innermost_frame
    if inner is None:
        yield f"{_INDENT}no frames in the log"
        return
    if own is not None:
        yield from _frame(own, "at", show_secrets)
    if inner is not own:
        yield from _frame(inner, f"in {inner.kind.value} code", show_secrets)
    folded = f", {one.repeated} more folded" if one.repeated else ""
    count = len(one.frames)
    if count:
        yield f"{_INDENT}{count} frame{'s' if count > 1 else ''}{folded}"


def _frame(frame: LoggedFrame, word: str, show_secrets: bool) -> Iterator[str]:
    name = f" in {frame.function}" if frame.function else ""
    yield plain(f"{_INDENT}{word} {frame.file}:{frame.lineno}{name}", 300)
    if frame.source:
        yield plain(f"{_INDENT * 3}{frame.source.splitlines()[0]}", _WIDTH + 20)
    for name, value in (frame.locals or ())[:_LOCALS_SHOWN]:
        text = value.repr if show_secrets else redacted(name, value.repr)
        yield plain(f"{_INDENT * 4}{name} = {text}", _WIDTH)
