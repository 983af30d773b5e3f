"""The functions of a project that call another one, as pairs of both versions.

Through them a private function, or one whose signature changed, is called as the project calls it.
"""

from __future__ import annotations

import ast
import itertools
import math
import time
from collections.abc import Iterator
from pathlib import Path

from nsdbg.changes.changed import ChangeSet
from nsdbg.errors import SourceError
from nsdbg.source import Subject, functions, last_name, parse_source
from nsdbg.triage.pair import Pair, load, paired
from nsdbg.triage.project import Project

_DEPTH = 3
_MOST_FILES = 12
MOST_CALLERS = 6


def callers_of(
    pair: Pair, changes: ChangeSet, project: Project, ends: float = math.inf
) -> list[Pair]:
    """Return the public callers of a function in both versions, the nearest first.

    A private caller stands for its own callers.  At `ends`, a time of `perf_counter`, those that
    were found by then.
    """
    found: dict[str, Pair] = {}
    waiting, seen = [pair.new], {pair.new.ref}
    for _ in range(_DEPTH):
        following: list[Subject] = []
        for subject in waiting:
            for caller in _callers(subject, changes, project, ends):
                if caller.new.ref in seen:
                    continue
                seen.add(caller.new.ref)
                if caller.is_private:
                    following.append(caller.new)
                else:
                    found.setdefault(f"{caller.new.ref.file}::{caller.new.ref.qualname}", caller)
        waiting = following
    return list(found.values())[:MOST_CALLERS]


def _callers(subject: Subject, changes: ChangeSet, project: Project, ends: float) -> Iterator[Pair]:
    name = subject.ref.qualname.rpartition(".")[2]
    own = Path(subject.ref.file)
    if changes.old_root is None:
        return
    for file in itertools.islice(project.naming(name, own), _MOST_FILES):
        if time.perf_counter() >= ends:
            return
        if project.is_test(file) or not file.is_relative_to(project.root):
            continue
        try:
            _, tree = parse_source(file)
        except SourceError:
            continue
        for qualname, node, _ in functions(tree):
            if "<locals>" in qualname or qualname == subject.ref.qualname:
                continue
            if not _calls(node, name):
                continue
            old_file = changes.old_root / file.relative_to(project.root)
            try:
                new = load(file, qualname, changes.root)
                made = paired(new, load(old_file, qualname, changes.old_root))
            except (SourceError, OSError):
                continue
            if made is not None:
                yield made


def _calls(node: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Call) and name == last_name(one.func) for one in ast.walk(node))
