"""What a log says of a crash, as text for a terminal and as `nsdbg.parse/1`.

Foreign text stays text: control characters are escaped, workflow commands neutralised, likely
secrets left out.  JSON keeps text as it is, for its reader to escape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nsdbg.crashlog.report import CrashReport, LoggedException, LoggedFrame
from nsdbg.report.columns import WIDTH, cut, wrapped
from nsdbg.report.escape import plain, redacted, without_secrets
from nsdbg.report.reading import Reading, reading
from nsdbg.rulebook import Rulebook
from nsdbg.state import Value

SCHEMA = "nsdbg.parse/1"
_LONGEST = 300
_LONGEST_SAID = 100
_INDENT = "  "
_LOCALS_SHOWN = 12

# What to collect when a log was cut: by where it was cut.
_COLLECT = {
    "top": "the top is cut off: keep the lines from 'Traceback (most recent call last):' on",
    "bottom": "the end is cut off: keep the lines down to the one that names the exception",
    "middle": "frames are missing in the middle: log the whole traceback (traceback.format_exc())",
}
Json = dict[str, object]


def crashes_json(
    reports: Sequence[CrashReport], rulebook: Rulebook, show_secrets: bool = False
) -> Json:
    """Return the document that `nsdbg parse --output-format json` prints."""
    crashes = [crash_json(one, reading(one, rulebook), show_secrets) for one in reports]
    return {"schema": SCHEMA, "crashes": crashes}


def crash_json(report: CrashReport, read: Reading, show_secrets: bool = False) -> Json:
    """Return one crash as documented in `docs/schemas.md`."""
    root = report.root_cause
    inner = report.innermost_frame
    own = report.innermost_user_frame
    return {
        "exception": report.exception,
        "message": _shown(report.message, show_secrets),
        "notes": [_shown(one, show_secrets) for one in report.notes],
        "reading": _reading_json(read, show_secrets),
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
        "context": _shown(report.context, show_secrets),
        "first_seen": report.first_seen,
        "last_seen": report.last_seen,
    }


def _shown(text: str | None, show_secrets: bool) -> str | None:
    """Return a log's text without what looks like a secret in it."""
    return text if text is None or show_secrets else without_secrets(text)


def _reading_json(read: Reading, show_secrets: bool) -> Json:
    return {
        "sentence": _shown(read.sentence, show_secrets),
        "fault": read.fault.value if read.fault else None,
        "whose": read.whose,
    }


def _exception_json(one: LoggedException, show_secrets: bool) -> Json:
    inner = one.innermost_frame
    own = one.innermost_user_frame
    return {
        "exception": one.exception,
        "message": _shown(one.message, show_secrets),
        "link": one.link.value if one.link else None,
        "notes": [_shown(note, show_secrets) for note in one.notes],
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
    return {
        "file": frame.file,
        "lineno": frame.lineno,
        "function": frame.function,
        "source": _shown(frame.source, show_secrets),
        "carets": list(frame.carets) if frame.carets else None,
        "locals": _values_json(frame.locals, show_secrets),
        "arguments": _values_json(frame.arguments, show_secrets),
        "truncated_locals": [name for name, value in frame.locals or () if value.truncated],
        "kind": frame.kind.value,
    }


def _values_json(
    values: tuple[tuple[str, Value], ...] | None, show_secrets: bool
) -> dict[str, str] | None:
    if values is None:
        return None
    return {
        name: value.repr if show_secrets else redacted(name, value.repr) for name, value in values
    }


def crashes_text(
    reports: Sequence[CrashReport],
    rulebook: Rulebook,
    show_secrets: bool = False,
    table: bool = False,
) -> str:
    """Return a short readable list; `table` gives one line for each crash."""
    if table:
        return "\n".join(_table(reports, show_secrets))
    return "\n\n".join(
        "\n".join(crash_lines(one, reading(one, rulebook), show_secrets)) for one in reports
    )


def _table(reports: Sequence[CrashReport], show_secrets: bool) -> Iterator[str]:
    """Yield a table of crashes: how often, when, what and where."""
    rows = [("COUNT", "FIRST SEEN", "LAST SEEN", "FINGERPRINT", "CRASH")]
    for report in reports:
        where = report.innermost_user_frame or report.innermost_frame
        place = f" at {where.file}:{where.lineno}" if where else ""
        said = _shown(headline(report.final), show_secrets) or ""
        rows.append((
            f"{report.count:>5}", plain(report.first_seen or "-"), plain(report.last_seen or "-"),
            report.fingerprint, plain(said, _LONGEST_SAID) + plain(place),
        ))  # fmt: skip
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, row[4]])


def headline(one: LoggedException) -> str:
    """Return `Type: message` on one line, as far as the log has it."""
    if one.exception is None:
        said = f": {one.message_first_line}" if one.message else ""
        return f"an exception the log does not name{said}"
    return f"{one.exception}: {one.message_first_line}" if one.message else one.exception


def crash_lines(report: CrashReport, read: Reading, show_secrets: bool = False) -> Iterator[str]:
    """Yield the lines of one crash: what, where, by which calls, and what came before."""
    times = f", seen {report.count} times" if report.count > 1 else ""
    place = f"[line {report.lineno}, {report.format}{times}]"
    yield from _told(f"{_shown(headline(report.final), show_secrets)}  {place}", "", _INDENT * 2)
    yield from _told(_shown(read.sentence, show_secrets) or "")
    if read.whose:
        yield from _told(f"looks like: {read.whose}")
    if report.truncated:
        yield from _told(_COLLECT[report.truncated])
    yield from _frames(report.final, show_secrets)
    if report.root_cause is not report.final:
        yield from _other("caused by", report.root_cause, show_secrets)
    for leaf in report.leaves:
        yield from _other("member", leaf, show_secrets)


def _other(word: str, one: LoggedException, show_secrets: bool) -> Iterator[str]:
    yield from _told(f"{word} {_shown(headline(one), show_secrets)}")
    yield from (_INDENT + line for line in _frames(one, show_secrets))


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
        source = _shown(frame.source.splitlines()[0], show_secrets)
        yield cut(plain(f"{_INDENT * 3}{source}", WIDTH), WIDTH)
    for name, value in (frame.locals or ())[:_LOCALS_SHOWN]:
        text = value.repr if show_secrets else redacted(name, value.repr)
        yield cut(plain(f"{_INDENT * 4}{name} = {text}", WIDTH), WIDTH)


def _told(text: str, first: str = _INDENT, below: str | None = None) -> list[str]:
    return wrapped(plain(text, _LONGEST), first, below)
