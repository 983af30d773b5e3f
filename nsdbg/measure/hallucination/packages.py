"""Programs of a folder or a package: its functions, with calls by their hints or by guesses.

Reads files and imports nothing; a function is imported and called in the verifier's child alone.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nsdbg.claim import Call
from nsdbg.errors import SourceError, UsageError
from nsdbg.measure.hallucination.hints import calls_by_hints
from nsdbg.measure.hallucination.programs import Program
from nsdbg.measure.hallucination.recording import whole_call
from nsdbg.propose.search import SearchProposer
from nsdbg.source import Subject, functions, load_subject, parse_source

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# Folders that hold no code of the project's own, and tests, which are no functions to call.
_PASSED_OVER = {"tests", "test", "testing", "site-packages", "node_modules", "__pycache__",
                "build", "dist", "venv"}  # fmt: skip
# Calls of one function: some are not recorded, since they fail at once or want what is refused.
MOST_CALLS = 6
_GUESSES = 24
_SEEDS = 2**16


@dataclass(frozen=True, slots=True)
class Place:
    """A folder or a file with code, and the folder from which it is imported."""

    path: Path
    root: Path | None


def find_place(name: str, python: Path | None = None) -> Place:
    """Return where the code is that `--programs` names: a folder, a file, or a package's name.

    Packages are looked for beside the target's interpreter, else where nsdbg itself finds them.
    Raises UsageError when there is none.
    """
    path = Path(name)
    if path.exists():
        return Place(path.resolve(), None)
    if all(part.isidentifier() for part in name.split(".")):
        first, *parts = name.split(".")
        spec = PathFinder.find_spec(first, [*_packages_of(python), *sys.path])
        if spec is not None and spec.submodule_search_locations:
            return _within(Path(next(iter(spec.submodule_search_locations))), parts, name)
        if spec is not None and spec.has_location and spec.origin and not parts:
            file = Path(spec.origin)
            if file.suffix == ".py":
                return Place(file, file.parent)
    raise UsageError(
        f"--programs {name!r} is neither a folder or file that is there, nor a package with "
        f"Python sources that can be found"
    )


def _within(package: Path, parts: Sequence[str], name: str) -> Place:
    path = package.joinpath(*parts)
    for found in (path, path.with_suffix(".py")):
        if found.exists():
            return Place(found, package.parent)
    raise UsageError(f"--programs {name!r}: there is no {path}")


def _packages_of(python: Path | None) -> list[str]:
    if python is None:
        return []
    home = python if python.is_dir() else python.parent.parent
    return [str(path) for path in sorted(home.glob("lib/python3*/site-packages"))]


class Functions:
    """The functions of a place; `passed_over` counts files that this Python cannot read."""

    def __init__(self, place: Place, name: str) -> None:
        self.name = name
        self.passed_over = 0
        self._place = place

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        """Every function that can be called by name, short ones first: so Hypothesis shrinks.

        Raises UsageError when there is none.
        """
        found = [subject for file in self._files() for subject in self._functions(file)]
        if not found:
            raise UsageError(f"--programs {self.name}: there is no function with parameters in it")
        return tuple(sorted(found, key=lambda one: (_length(one), one.ref.file, one.ref.qualname)))

    def _files(self) -> list[Path]:
        path = self._place.path
        if path.is_file():
            return [path]
        return [
            file for file in sorted(path.rglob("*.py"))
            if not any(part in _PASSED_OVER or part.startswith(".")
                       for part in file.relative_to(path).parts)
            and not file.name.startswith("test_") and file.name not in ("setup.py", "conftest.py")
        ]  # fmt: skip

    def _functions(self, file: Path) -> Iterator[Subject]:
        try:
            _, tree = parse_source(file)
            for name, _, _ in functions(tree):
                if "<locals>" not in name:
                    subject = load_subject(file, name, self._place.root)
                    own = subject.parameters[1 if subject.receiver else 0 :]
                    if own or subject.receiver:
                        yield subject
        except SourceError:
            self.passed_over += 1

    def drawn(self) -> SearchStrategy[Program]:
        """Return functions, each as often as another, with calls of them."""
        from hypothesis import strategies as st

        return st.sampled_from(self.subjects).flatmap(self._called)

    def small(self) -> SearchStrategy[Program]:
        """Return the same: the functions and the values shrink."""
        return self.drawn()

    def _called(self, subject: Subject) -> SearchStrategy[Program]:
        from hypothesis import strategies as st

        ref = subject.ref
        identity = f"{ref.module}.{ref.qualname}"

        def program(calls: Any) -> Program:
            return Program(identity, subject, tuple(dict.fromkeys(calls)))

        typed = calls_by_hints(subject)
        if typed is not None:
            return st.lists(typed, min_size=1, max_size=MOST_CALLS).map(program)
        return st.integers(0, _SEEDS).map(lambda seed: program(guessed(subject, seed)))


def guessed(subject: Subject, seed: int) -> list[Call]:
    """Return calls as the search would begin with them: by how the function uses its parameters."""
    session = SearchProposer().start(whole_call(subject), subject, seed)
    starts = [proposal.start for proposal in session.ask(_GUESSES)]
    calls = [start for start in starts if isinstance(start, Call)]
    step = max(1, len(calls) // MOST_CALLS)
    return calls[seed % step :: step][:MOST_CALLS]


def _length(subject: Subject) -> int:
    node = subject.node
    return 0 if node is None else (node.end_lineno or node.lineno) - node.lineno
