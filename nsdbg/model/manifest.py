"""The manifest of a model folder: what the files are, how they were made, what they reach.

Written here; read, and held against the files, by `propose.neural.folder`.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nsdbg.errors import CorpusError
from nsdbg.model.network import Sizes, describe
from nsdbg.model.parity import Parity
from nsdbg.propose.codec import vocabulary
from nsdbg.propose.neural.folder import SCHEMA

LIBRARIES = ("torch", "transformers", "optimum", "optimum-onnx", "onnx", "onnxruntime")


@dataclass(frozen=True, slots=True)
class Corpus:
    """One corpus of traces, as its manifest describes it."""

    name: str
    fields: dict[str, Any]

    @property
    def episodes(self) -> int:
        """Recorded calls."""
        return int(self.fields.get("episodes", 0))

    def counts(self, field: str) -> dict[str, int]:
        """Return a field of counts, such as `licences` or `packages`."""
        return dict(self.fields.get(field, {}))


def read_corpora(paths: Sequence[Path]) -> list[Corpus]:
    """Read the manifests of corpora that hold something; raises CorpusError."""
    found = []
    for path in paths:
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
            corpus = Corpus(path.name.removesuffix(".manifest.json"), fields)
            if corpus.episodes:
                found.append(corpus)
        except (OSError, ValueError, AttributeError, TypeError) as error:
            raise CorpusError(f"{path} is not the manifest of a corpus: {error}") from error
    return found


def training_record(
    run: Path, made: dict[str, Any], shards: Path, corpora: Sequence[Corpus]
) -> dict[str, Any]:
    """Return how the weights came about: steps, settings, samples and traces.

    made: what the header of the weights says of their training.
    """
    record = {key: value for key, value in made.items() if key != "held_out"}
    started = _first_line(run / "log.jsonl")
    record |= {key: started[key] for key in ("batch_tokens", "rate", "device") if key in started}
    samples = shards / "shards.json"
    if samples.is_file():
        record["samples"] = json.loads(samples.read_text(encoding="utf-8"))
    if corpora:
        record["traces"] = {corpus.name: _told(corpus) for corpus in corpora}
    return record


def _told(corpus: Corpus) -> dict[str, Any]:
    names = ("episodes", "states", "sources", "packages", "licences", "interpreters")
    return {name: corpus.fields[name] for name in names if name in corpus.fields}


def _first_line(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8") as lines:
        found: dict[str, Any] = json.loads(next(lines, "{}"))
    return found


def manifest(
    folder: Path,
    names: Sequence[str],
    sizes: Sizes,
    weights: int,
    training: dict[str, Any],
    metrics: dict[str, Any],
    parity: Parity,
) -> dict[str, Any]:
    """Return the manifest of the files `names` of a folder."""
    return {
        "schema": SCHEMA,
        "codec": vocabulary.VERSION,
        "files": {name: fingerprint(folder / name) for name in names},
        "network": {
            **describe(sizes),
            "context": sizes.positions,
            "parameters": weights,
            "weights": "bfloat16",
            "graph": "int8",
        },
        "training": training,
        "metrics": metrics,
        "parity": parity.as_json(),
        "versions": {name: importlib.metadata.version(name) for name in LIBRARIES},
    }


def fingerprint(path: Path) -> dict[str, Any]:
    """Return a file's hash and size, as the manifest has them."""
    content = path.read_bytes()
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
