"""A neighbour of a call, and the places inside a call's arguments."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from nsdbg.propose.make.mutate import Path, leaves, parts, replaced

Arguments = tuple[Any, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """A neighbour: the new arguments, and what changed.

    `path` is the place of what was replaced, `delta` by how much a number was moved, `grown` the
    place of a sequence that got more at its end.
    """

    arguments: Arguments
    path: Path | None = None
    delta: int | float | None = None
    grown: Path | None = None


def put(arguments: Arguments, path: Path, new: Any) -> Arguments:
    """Return the arguments with another value at a place."""
    changed = list(arguments)
    changed[path[0]] = replaced(changed[path[0]], path[1:], new)
    return tuple(changed)


def leaves_of(arguments: Arguments) -> list[tuple[Path, Any]]:
    """Return the places of all numbers and texts in the arguments."""
    return [((index, *path), leaf) for index, argument in enumerate(arguments)
            for path, leaf in leaves(argument)]  # fmt: skip


def places_of(arguments: Arguments) -> Iterator[tuple[Path, Any]]:
    """Give leaves and containers that stand inside the arguments."""
    queue: list[tuple[Path, Any]] = [((index,), value) for index, value in enumerate(arguments)]
    count = 0
    while queue and count < 300:
        path, value = queue.pop(0)
        count += 1
        yield path, value
        if len(path) < 5:
            inner = parts(value)[:200]
            queue += [((*path, index), part) for index, part in enumerate(inner)]


def woven(streams: Sequence[tuple[Iterator[T], int]]) -> Iterator[T]:
    """Give some of each stream in turn, as many as stand beside it, until all have ended."""
    while streams:
        left = []
        for stream, count in streams:
            taken = list(itertools.islice(stream, count))
            yield from taken
            if len(taken) == count:
                left.append((stream, count))
        streams = left
