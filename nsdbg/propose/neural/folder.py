"""A model's folder: its manifest is read and its network's file checked before anything is run.

Reads files and compares hashes; knows nothing of onnxruntime.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from nsdbg.data import data_folder
from nsdbg.errors import ModelError, NsdbgError

SCHEMA = "nsdbg.model/1"
MANIFEST, NETWORK = "manifest.json", "model.onnx"
LARGEST_MANIFEST = 4 << 20
LARGEST_NETWORK = (1 << 31) - 1  # what a protobuf can hold
DEFAULT_CONTEXT = 2048
# How a tensor in another file begins in the protobuf: an entry (field 1, a text of 8 bytes)
# whose key is "location".  A network may not name files that nobody hashed.
_EXTERNAL = b"\x0a\x08location\x12"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on disk, as its manifest describes it.

    `sha256` and `size_bytes` are those of the network's file; `context` is the number of tokens
    that it takes.
    """

    path: Path
    sha256: str
    size_bytes: int
    context: int = DEFAULT_CONTEXT

    @property
    def short(self) -> str:
        """The first 8 digits of the hash: how a proposal's source names the model."""
        return self.sha256[:8]

    def network(self) -> bytes:
        """Return the network's file; raises ModelError when it is not the one of the manifest."""
        path = self.path / NETWORK
        try:
            found = path.stat().st_size
            if found != self.size_bytes:
                raise ModelError(
                    f"{path} has {found} bytes and not {self.size_bytes}, as its manifest says: "
                    "it was cut or changed; export or copy it again"
                )
            content = path.read_bytes()
        except OSError as error:
            raise ModelError(f"cannot read the model {path}: {error.strerror or error}") from error
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise ModelError(
                f"{path} is not the file of its manifest: their SHA-256 differ; "
                "export or copy it again"
            )
        if _EXTERNAL in content:
            raise ModelError(f"{path} keeps tensors in other files: export it into one file")
        return content


def default_folder() -> Path:
    """Return where the model that came along is; raises ModelError when there is none."""
    try:
        return data_folder("onnx")
    except NsdbgError as error:
        raise ModelError(str(error)) from error


def read_folder(path: Path | None, codec: str) -> ModelFolder:
    """Read a model's manifest; None stands for the model that came along.

    `codec` is the version of the tokens in use.  Raises ModelError when there is no model, or one
    of another format.
    """
    path = default_folder() if path is None else path
    fields = _manifest(path / MANIFEST)
    schema, theirs = fields.get("schema"), fields.get("codec")
    if schema != SCHEMA:
        raise ModelError(f"{path / MANIFEST} has schema {schema!r}, and this nsdbg reads {SCHEMA}")
    if theirs != codec:
        raise ModelError(
            f"the model in {path} speaks tokens of version {theirs!r}, and this nsdbg {codec!r}: "
            "train and export it again"
        )
    try:
        entry = fields["files"][NETWORK]  # type: ignore[index]
        sha256, size = entry["sha256"], entry["bytes"]
    except (KeyError, TypeError) as error:
        raise ModelError(f"{path / MANIFEST} names no hash and size of {NETWORK}") from error
    if not _is_hash(sha256) or not isinstance(size, int) or isinstance(size, bool):
        raise ModelError(f"{path / MANIFEST}: the hash or the size of {NETWORK} is none")
    if not 0 < size <= LARGEST_NETWORK:
        raise ModelError(f"{path / NETWORK} is said to have {size} bytes: at most 2 GB can be read")
    return ModelFolder(path, sha256, size, _context(fields))


def _manifest(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > LARGEST_MANIFEST:
            raise ModelError(f"{path} is larger than {LARGEST_MANIFEST >> 20} MB: no manifest")
        fields = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ModelError(f"there is no model in {path.parent}: it has no {path.name}") from error
    except OSError as error:
        raise ModelError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path} is not JSON: {error}") from error
    if not isinstance(fields, dict):
        raise ModelError(f"{path} is not a JSON object")
    return fields


def _is_hash(text: object) -> bool:
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


def _context(fields: dict[str, object]) -> int:
    network = fields.get("network")
    found = network.get("context") if isinstance(network, dict) else None
    return found if isinstance(found, int) and 0 < found <= 1 << 20 else DEFAULT_CONTEXT
