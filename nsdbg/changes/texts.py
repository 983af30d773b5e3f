"""The text of the Python files of two versions, read from git's store or from disk, and decoded."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Collection, Sequence

from nsdbg.changes.pairs import Module, Pair
from nsdbg.changes.repository import Repository

LARGEST_SOURCE = 4 << 20


def read_texts(
    repository: Repository, pairs: Sequence[Pair], loose: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """Return texts by the names of their contents, and sentences on what cannot be read.

    `loose` are the new paths whose content git does not have.
    """
    stored: dict[str, Module] = {}
    contents: list[tuple[Module, bytes | None]] = []
    for pair in pairs:
        if pair.new is not None and pair.new.path in loose:
            contents.append((pair.new, _on_disk(repository, pair.new)))
        elif pair.new is not None:
            stored.setdefault(pair.new.blob.name, pair.new)
        if pair.old is not None:
            stored.setdefault(pair.old.blob.name, pair.old)
    if stored:
        found = repository.git.blobs(list(stored), LARGEST_SOURCE)
        contents += zip(stored.values(), found, strict=True)
    texts: dict[str, str] = {}
    notes: list[str] = []
    for module, content in contents:
        try:
            texts[module.blob.name] = decode(content)
        except (ValueError, SyntaxError) as error:
            notes.append(f"{module.path} is left out: {error}")
    return texts, notes


def decode(content: bytes | None) -> str:
    """Return a source's text as Python decodes it (PEP 263), with plain line ends.

    Raises ValueError or SyntaxError, with a reason, for what is no text.
    """
    if content is None:
        raise ValueError("this clone lacks it, or it is too large")
    if b"\0" in content:
        raise ValueError("it is binary")
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    try:
        return io.TextIOWrapper(io.BytesIO(content), encoding).read()
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not {encoding}") from error


def _on_disk(repository: Repository, module: Module) -> bytes | None:
    file = repository.root / module.path
    try:
        return file.read_bytes() if file.stat().st_size <= LARGEST_SOURCE else None
    except OSError:
        return None
