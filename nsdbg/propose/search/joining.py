"""Steps that each helped, joined into one."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

from nsdbg.propose.make.mutate import at, replaced
from nsdbg.propose.search.pool import Arguments, Tried
from nsdbg.propose.search.step import Step


def joined(improved: list[tuple[float, Step, Tried]]) -> list[tuple[Arguments, Tried]]:
    """Join steps that helped from the same base at different places: all of them, and half."""
    groups: dict[int, list[tuple[Step, Tried]]] = {}
    for _, step, base in improved:
        groups.setdefault(id(base), []).append((step, base))
    found = []
    for group in groups.values():
        base = group[0][1]
        found += [(arguments, base) for arguments in _replacing(group, base)]
        found += [(arguments, base) for arguments in _growing(group, base)]
    return found


def _replacing(group: list[tuple[Step, Tried]], base: Tried) -> Iterator[Arguments]:
    chosen: dict[Any, Step] = {}
    for step, _ in group:
        if step.path is not None and not any(_overlap(step.path, path) for path in chosen):
            chosen[step.path] = step
    if len(chosen) < 2:
        return
    for count in (len(chosen), (len(chosen) + 1) // 2, 2):
        arguments: Any = base.arguments
        for path, step in itertools.islice(chosen.items(), count):
            # A set or dict that lost a part has no such place any more.
            with contextlib.suppress(IndexError):
                arguments = replaced(arguments, path, at(step.arguments, path))
        yield tuple(arguments)


def _growing(group: list[tuple[Step, Tried]], base: Tried) -> Iterator[Arguments]:
    """Append all that helped when it was appended to the same sequence."""
    added: dict[Any, list[Any]] = {}
    for step, _ in group:
        if step.grown is not None:
            added.setdefault(step.grown, []).append(at(step.arguments, step.grown))
    for path, grown in added.items():
        old = at(base.arguments, path)
        tails = [new[len(old) :] for new in grown if new[: len(old)] == old]
        if len(tails) > 1:
            for count in (len(tails), (len(tails) + 1) // 2, 2):
                joined = old
                for tail in tails[:count]:
                    joined = joined + tail
                yield tuple(replaced(base.arguments, path, joined))


def _overlap(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
