"""Traces that JSON holds as lists, written out as plain tracebacks: Sentry, Lambda, notebooks.

Knows the shapes of those documents; what a value is worth is the reader's affair.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

_Json = dict[str, object]
HEADER = "Traceback (most recent call last):"
_CAUSE = "\nThe above exception was the direct cause of the following exception:\n\n"


def event_texts(value: _Json) -> Iterator[tuple[str, str]]:
    """Yield the layout's name and the text of each trace that this object holds as a list."""
    if text := _sentry(value):
        yield "sentry", text
    if text := _ecs(value):
        yield "", text
    if text := _lambda(value):
        yield "lambda", text
    if text := _notebook(value):
        yield "", text
    if text := _structlog(value):
        yield "structlog-dict", text


def _is_object(value: object) -> TypeGuard[_Json]:
    return isinstance(value, dict)


def _objects(value: object) -> list[_Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _sentry(event: _Json) -> str | None:
    """Return `exception.values[].stacktrace.frames[]`, oldest exception and frame first."""
    exception = event.get("exception", event if "values" in event else None)
    values = _objects(exception.get("values") if _is_object(exception) else exception)
    parts: list[str] = []
    for one in values:
        trace = one.get("stacktrace")
        frames = _objects(trace.get("frames")) if _is_object(trace) else []
        if not frames and not one.get("type"):
            continue
        name = str(one.get("type") or "Exception")
        module = one.get("module")
        if module and module not in ("builtins", "__main__", "exceptions"):
            name = f"{module}.{name}"
        lines = [HEADER, *(line for frame in frames for line in _sentry_frame(frame))]
        value = one.get("value")
        lines.append(f"{name}: {value}" if value not in (None, "") else name)
        parts.append("\n".join(lines) + "\n")
    return _CAUSE.join(parts) if parts and any('File "' in part for part in parts) else None


def _sentry_frame(frame: _Json) -> Iterator[str]:
    file = frame.get("abs_path") or frame.get("absPath") or frame.get("filename") or "?"
    lineno = frame.get("lineno", frame.get("lineNo"))
    source = frame.get("context_line") or _context(frame.get("context"), lineno)
    yield from _frame(file, lineno, frame.get("function"), source)
    variables = frame.get("vars")
    if _is_object(variables) and source:
        yield from _values(variables)


def _context(lines: object, lineno: object) -> object:
    """Return the line of a frame from `[[number, text], …]`, as Sentry's web API has it."""
    pairs = lines if isinstance(lines, list) else []
    for pair in pairs:
        if isinstance(pair, list) and len(pair) == 2 and pair[0] == lineno:
            return pair[1]
    return None


def _frame(file: object, lineno: object, function: object, source: object) -> Iterator[str]:
    yield f'  File "{file}", line {lineno if isinstance(lineno, int) else 0}, in {function or "?"}'
    if isinstance(source, str) and source.strip():
        yield f"    {source.strip().splitlines()[0]}"


def _values(variables: _Json) -> Iterator[str]:
    """Yield locals as lines; Sentry keeps reprs, but writes lists and objects as JSON."""
    for name, value in variables.items():
        text = value if isinstance(value, str) else repr(_plain(value))
        if name.isidentifier():
            yield f"      {name} = " + text.replace("\n", "\\n")


def _plain(value: object) -> object:
    """Return a value whose strings are bare, as Sentry writes reprs inside containers too."""
    if isinstance(value, dict):
        return {_Bare(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return _Bare(value) if isinstance(value, str) else value


class _Bare(str):
    """A string that is a repr already."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _ecs(error: _Json) -> str | None:
    """Return the trace of an error in Elastic's schema, whose frames stand without a header."""
    trace, name = error.get("stack_trace"), error.get("type")
    if not isinstance(trace, str) or not isinstance(name, str) or "call last)" in trace:
        return None
    if not trace.startswith('  File "'):
        return None
    return "\n".join([HEADER, trace.rstrip("\n"), f"{name}: {error.get('message') or ''}", ""])


def _lambda(event: _Json) -> str | None:
    """Return AWS Lambda's `stackTrace`: lists of four (old), or texts of a frame each."""
    trace = event.get("stackTrace")
    if not isinstance(trace, list) or "errorType" not in event:
        return None
    lines = [HEADER]
    for one in trace:
        if isinstance(one, str):
            lines += one.rstrip("\n").split("\n")
        elif isinstance(one, list) and len(one) >= 3:
            lines += _frame(one[0], one[1], one[2], one[3] if len(one) > 3 else None)
    return "\n".join([*lines, f"{event['errorType']}: {event.get('errorMessage') or ''}", ""])


def _notebook(output: _Json) -> str | None:
    """Return a notebook's error output: `traceback` is a list of coloured texts."""
    trace = output.get("traceback")
    if not isinstance(trace, list) or not all(isinstance(one, str) for one in trace):
        return None
    return "\n".join(map(str, trace)) if "ename" in output or trace else None


def _structlog(event: _Json) -> str | None:
    """Return structlog's `dict_tracebacks`: `exc_type`, `exc_value`, `frames[]`, newest first."""
    values = [one for one in _objects(event.get("exception")) if "exc_type" in one]
    parts: list[str] = []
    for one in reversed(values):
        lines = [HEADER]
        for frame in _objects(one.get("frames")):
            lines += _frame(
                frame.get("filename"), frame.get("lineno"), frame.get("name"), frame.get("line")
            )
            variables = frame.get("locals")
            if _is_object(variables) and frame.get("line"):
                lines += _values(variables)
        value = one.get("exc_value")
        lines.append(f"{one['exc_type']}: {value}" if value else str(one["exc_type"]))
        parts.append("\n".join(lines) + "\n")
    return _CAUSE.join(parts) if parts else None
