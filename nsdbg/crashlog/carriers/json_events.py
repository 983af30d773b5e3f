"""Traces that JSON holds as lists, written out as plain tracebacks: Sentry, Lambda, notebooks.

Knows the shapes of those documents; what a value is worth is the reader's affair.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeGuard

from nsdbg.crashlog.carriers.told import HEADER, Told, named, text_of

_Json = dict[str, object]
_DEPTH = 12  # groups inside groups


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
    told = {id(one): _sentry_told(one) for one in values if one.get("type") or _trace(one)}
    values = [one for one in values if id(one) in told]
    tree = _sentry_tree(values)
    chain = _sentry_chain(tree, None, told, 0) if tree else tuple(told[id(one)] for one in values)
    text = text_of(chain) if chain else ""
    return text if 'File "' in text else None


def _trace(one: _Json) -> list[_Json]:
    trace = one.get("stacktrace")
    return _objects(trace.get("frames")) if _is_object(trace) else []


def _sentry_told(one: _Json, members: tuple[tuple[Told, ...], ...] = ()) -> Told:
    name = str(one.get("type") or "Exception")
    module = one.get("module")
    if module and module not in ("builtins", "__main__", "exceptions"):
        name = f"{module}.{name}"
    mechanism = one.get("mechanism")
    source = mechanism.get("source") if _is_object(mechanism) else None
    frames = tuple(line for frame in _trace(one) for line in _sentry_frame(frame))
    return Told(
        frames, named(name, one.get("value")), cause=source != "__context__", members=members
    )


_Tree = dict[object, list[_Json]]


def _sentry_tree(values: list[_Json]) -> _Tree | None:
    """Return the values by their parent's number when there is a group among them."""
    tree: _Tree = {}
    groups = False
    for one in values:
        mechanism = one.get("mechanism")
        if not _is_object(mechanism) or not isinstance(mechanism.get("exception_id"), int):
            return None
        groups = groups or bool(mechanism.get("is_exception_group"))
        tree.setdefault(mechanism.get("parent_id"), []).append(one)
    return tree if groups else None


def _sentry_chain(
    tree: _Tree, parent: object, told: Mapping[int, Told], depth: int
) -> tuple[Told, ...]:
    """Return the chain that ends with the first value below a parent."""
    tops = tree.get(parent, [])
    return _sentry_ending(tree, tops[-1], told, depth) if tops else ()


def _sentry_ending(
    tree: _Tree, one: _Json, told: Mapping[int, Told], depth: int
) -> tuple[Told, ...]:
    mechanism = one.get("mechanism")
    number = mechanism.get("exception_id") if _is_object(mechanism) else None
    before: tuple[Told, ...] = ()
    members: list[tuple[Told, ...]] = []
    for child in reversed(tree.get(number, [])) if depth < _DEPTH else ():
        below = _sentry_ending(tree, child, told, depth + 1)
        how = child.get("mechanism")
        if str(how.get("source") if _is_object(how) else "").startswith("exceptions["):
            members.append(below)
        else:
            before = below
    return (*before, _sentry_told(one, tuple(members)) if members else told[id(one)])


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
    """Return structlog's `dict_tracebacks`, the newest exception first: Airflow 3 logs them too.

    The key differs: `exception`, `error_detail`.
    """
    values = next(
        (found for one in event.values() if (found := _stacks(one)) and "frames" in found[0]), []
    )
    chain = _structlog_chain(values, 0)
    return text_of(chain) if chain else None


def _stacks(value: object) -> list[_Json]:
    return [one for one in _objects(value) if "exc_type" in one]


def _structlog_chain(values: list[_Json], depth: int) -> tuple[Told, ...]:
    return tuple(_structlog_told(one, depth) for one in reversed(values))


def _structlog_told(one: _Json, depth: int) -> Told:
    frames: list[str] = []
    for frame in _objects(one.get("frames")):
        frames += _frame(
            frame.get("filename"), frame.get("lineno"), frame.get("name"), frame.get("line")
        )
        variables = frame.get("locals")
        if _is_object(variables) and frame.get("line"):
            frames += _values(variables)
    syntax = one.get("syntax_error")
    if _is_object(syntax):
        frames.append(f'  File "{syntax.get("filename")}", line {syntax.get("lineno")}')
        frames.append(f"    {str(syntax.get('line') or '').strip()}")
    inner = one.get("exceptions") if depth < _DEPTH else None
    members = tuple(
        chain for each in (inner if isinstance(inner, list) else [])
        if (chain := _structlog_chain(_stacks(each), depth + 1))
    )  # fmt: skip
    notes = one.get("exc_notes")
    return Told(
        tuple(frames), named(one["exc_type"], one.get("exc_value")),
        tuple(str(note) for note in notes) if isinstance(notes, list) else (),
        bool(one.get("is_cause")), members,
    )  # fmt: skip
