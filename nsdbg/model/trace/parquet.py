"""Episodes as rows of Parquet, which `datasets.load_dataset("parquet", ...)` opens.

A row has the fields of `nsdbg.episode.Episode`; a state of it its whole stack, the locals of its
innermost frame, and by their indexes the states to which commands lead, and from which they came.
Needs pyarrow, which comes with the extra `train`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nsdbg.deltas import shorten
from nsdbg.episode import SCHEMA, Episode, episode_from_json
from nsdbg.errors import CorpusError
from nsdbg.model.trace.trees import Trees, trees
from nsdbg.state import State, Value

# Rows are gathered so many at a time: as many states as fit a page or two.
_BATCH = 200
_HEAD = ("id", "source", "package", "function", "licence", "python")
_SURROGATE_ERRORS = "backslashreplace"  # Arrow's text is UTF-8, which has no lone surrogates


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise CorpusError(
            "Parquet needs pyarrow: install nsdbg[train], or give --format jsonl"
        ) from error
    return pyarrow, pyarrow.parquet


def _schema(arrow: Any) -> Any:
    text, number, truth = arrow.string(), arrow.int32(), arrow.bool_()
    value = [("repr", text), ("type", text), ("literal", truth), ("truncated", truth)]
    listing = [("file", text), ("qualname", text), ("lineno", number), ("text", text)]
    frame = [("file", text), ("function", text), ("lineno", number)]
    state = [
        ("event", text),
        ("stack", arrow.list_(arrow.struct(frame))),
        ("locals", arrow.list_(arrow.struct([("name", text), *value]))),
        ("arg", arrow.struct(value)),
        ("output", text),
        ("activation", number),
        ("depth", number),
        ("step", number),
        ("next", number),
        ("return", number),
        ("inverse_step", arrow.list_(number)),
        ("inverse_next", arrow.list_(number)),
    ]
    return arrow.schema(
        [(name, text) for name in _HEAD]
        + [
            ("listings", arrow.list_(arrow.struct(listing))),
            ("names", arrow.list_(arrow.struct([("name", text), ("value", text)]))),
            ("states", arrow.list_(arrow.struct(state))),
            ("complete", truth),
            ("generators", arrow.list_(number)),
            ("internal", arrow.list_(number)),
        ],
        metadata={"schema": SCHEMA},
    )


class ParquetRows:
    """Writes lines of JSON as rows of one file; raises CorpusError without pyarrow."""

    def __init__(self, path: Path) -> None:
        self._arrow, parquet = _arrow()
        self._schema = _schema(self._arrow)
        self._writer = parquet.ParquetWriter(str(path), self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []

    def write(self, line: str) -> None:
        """Write one episode."""
        self._rows.append(_plain(episode_from_json(line)))
        if len(self._rows) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        self._writer.write_table(self._arrow.Table.from_pylist(self._rows, self._schema))
        self._rows = []

    def close(self) -> None:
        """Write what is left and end the file."""
        self._flush()
        self._writer.close()


def _plain(episode: Episode) -> dict[str, Any]:
    trace = episode.trace
    tree = trees(trace)
    return {
        **{name: getattr(episode, name) for name in _HEAD},
        "listings": [
            {"file": one.file, "qualname": one.qualname, "lineno": one.lineno,
             "text": _utf8(one.text)}
            for one in episode.listings
        ],
        "names": [{"name": name, "value": _utf8(value)} for name, value in episode.names],
        "states": [_state(state, at, trace.activations[at], tree)
                   for at, state in enumerate(trace.states)],
        "complete": trace.complete,
        "generators": sorted(trace.generators),
        "internal": sorted(trace.internal),
    }  # fmt: skip


def _state(state: State, at: int, activation: int, tree: Trees) -> dict[str, Any]:
    return {
        "event": state.event.value,
        "stack": [{"file": one.file, "function": one.function, "lineno": one.lineno}
                  for one in state.stack],
        "locals": [{"name": name, **_value(value)} for name, value in state.frame.locals or ()],
        "arg": None if state.arg is None else _value(state.arg),
        "output": _utf8(state.output),
        "activation": activation,
        "depth": tree.depth[at],
        "step": tree.step[at],
        "next": tree.next[at],
        "return": tree.returning[at],
        "inverse_step": tree.inverse_step[at],
        "inverse_next": tree.inverse_next[at],
    }  # fmt: skip


def _value(value: Value) -> dict[str, Any]:
    return {"repr": _utf8(value.repr), "type": value.type, "literal": value.literal,
            "truncated": value.truncated}  # fmt: skip


def _utf8(text: str) -> str:
    return text.encode("utf-8", _SURROGATE_ERRORS).decode()


def read_lines(path: Path) -> Iterator[str]:
    """Yield the rows of a file as lines of JSON; raises CorpusError for a file that is none."""
    arrow, parquet = _arrow()
    try:
        with parquet.ParquetFile(str(path)) as file:
            for batch in file.iter_batches(_BATCH):
                yield from map(_line, batch.to_pylist())
    except (OSError, KeyError, arrow.ArrowException) as error:
        raise CorpusError(f"cannot read {path} as Parquet: {error}") from error


def _line(row: dict[str, Any]) -> str:
    codes: dict[tuple[Any, ...], int] = {}
    values: dict[tuple[Any, ...], int] = {}
    states = []
    for state in row["states"]:
        stack = []
        for frame in state["stack"]:
            place = codes.setdefault((frame["file"], frame["function"]), len(codes))
            stack += [place, frame["lineno"]]
        names = []
        for local in state["locals"]:
            names += [local["name"], _place(values, local)]
        arg = None if state["arg"] is None else _place(values, state["arg"])
        states.append([state["event"], stack, names, arg, state["output"], state["activation"]])
    kept = {name: row[name] for name in (*_HEAD, "complete", "generators", "internal")}
    listings = [[one["file"], one["qualname"], one["lineno"], one["text"]]
                for one in row["listings"]]  # fmt: skip
    names = [[one["name"], one["value"]] for one in row["names"]]
    return json.dumps(
        {"schema": SCHEMA, **kept, "listings": listings, "names": names, "codes": list(codes),
         "values": list(values), "states": shorten(states)}
    )  # fmt: skip


def _place(values: dict[tuple[Any, ...], int], value: dict[str, Any]) -> int:
    entry = (value["repr"], value["type"], int(value["literal"]), int(value["truncated"]))
    return values.setdefault(entry, len(values))
