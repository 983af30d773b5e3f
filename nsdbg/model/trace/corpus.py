"""A corpus on disk: lines of JSON or Parquet, and beside it a manifest that says what it is.

Lines are written as they come; Parquet adds both trees of each trace, by the indexes of its states.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import nsdbg
from nsdbg.episode import Episode, episode_from_json, read_episodes
from nsdbg.errors import CorpusError

SCHEMA = "nsdbg.corpus/1"
LINES, PARQUET = ".jsonl.gz", ".parquet"


@dataclass(slots=True)
class Manifest:
    """What a corpus holds and how it came about; `left_out` counts by reason."""

    settings: dict[str, Any]
    episodes: int = 0
    states: int = 0
    functions: set[int] = field(default_factory=set)
    sources: Counter[str] = field(default_factory=Counter)
    packages: Counter[str] = field(default_factory=Counter)
    licences: Counter[str] = field(default_factory=Counter)
    pythons: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)

    def count(self, row: dict[str, Any]) -> None:
        """Count a row that was written."""
        self.episodes += 1
        self.states += len(row["states"])
        root = next((text for _, name, _, text in row["listings"] if name == row["function"]), "")
        self.functions.add(hash((row["package"], row["function"], root)))
        self.sources[row["source"]] += 1
        self.packages[row["package"]] += 1
        self.licences[row["licence"]] += 1
        self.pythons[row["python"]] += 1

    def as_json(self) -> dict[str, Any]:
        """Return the manifest as it is written."""
        return {
            "schema": SCHEMA,
            "nsdbg": nsdbg.__version__,
            "settings": self.settings,
            "episodes": self.episodes,
            "states": self.states,
            "functions": len(self.functions),
            "sources": dict(sorted(self.sources.items())),
            "packages": dict(sorted(self.packages.items())),
            "licences": dict(sorted(self.licences.items())),
            "interpreters": dict(sorted(self.pythons.items())),
            "left_out": dict(sorted(self.left_out.items())),
        }


def manifest_path(corpus: Path) -> Path:
    """Return where the manifest of a corpus lies: beside it."""
    name = corpus.name
    for suffix in (LINES, PARQUET):
        name = name.removesuffix(suffix)
    return corpus.with_name(f"{name}.manifest.json")


class Writer(AbstractContextManager["Writer"]):
    """Writes rows under a temporary name; the corpus appears when all is written, or stopped."""

    def __init__(self, path: Path, form: str, settings: dict[str, Any]) -> None:
        """Raise CorpusError when the folder is not there, or Parquet cannot be written."""
        self.path = path
        self.manifest = Manifest(settings)
        self._unfinished = path.with_name(path.name + ".part")
        try:
            if form == "parquet":
                from nsdbg.model.trace.parquet import ParquetRows

                self._rows: _Lines | ParquetRows = ParquetRows(self._unfinished)
            else:
                self._rows = _Lines(self._unfinished)
        except OSError as error:
            raise CorpusError(f"cannot write {path}: {error.strerror}") from error

    def write(self, line: str, row: dict[str, Any]) -> None:
        """Write one row: its line, and the same taken apart."""
        self._rows.write(line)
        self.manifest.count(row)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._rows.close()
        if kind is not None and kind is not KeyboardInterrupt:
            self._unfinished.unlink(missing_ok=True)
            return
        self._unfinished.replace(self.path)
        text = json.dumps(self.manifest.as_json(), indent=2)
        manifest_path(self.path).write_text(text + "\n", encoding="utf-8")


class _Lines:
    """Lines of JSON, compressed without a date, so that equal corpora are equal files."""

    def __init__(self, path: Path) -> None:
        self._raw = path.open("wb")
        self._file = gzip.GzipFile(filename="", mode="wb", fileobj=self._raw, mtime=0)

    def write(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")

    def close(self) -> None:
        self._file.close()
        self._raw.close()


def read_corpus(path: Path) -> Iterator[Episode]:
    """Yield the episodes of a corpus, of either form; raises CorpusError or EpisodeError."""
    if path.name.endswith(PARQUET):
        from nsdbg.model.trace.parquet import read_lines

        for line in read_lines(path):
            yield episode_from_json(line)
        return
    try:
        with _open(path) as file:
            yield from read_episodes(file)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CorpusError(f"cannot read {path}: {error}") from error


def _open(path: Path) -> IO[str]:
    if path.name.endswith(".gz"):
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")
