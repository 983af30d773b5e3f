"""Where the programs come from that are asked about: the typed generator, and a fixed corpus.

A program is a function on disk with calls of it.  Nothing here runs one; the generator tries out
its own text (see `nsdbg.programs.trial`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from zlib import crc32

from nsdbg.claim import Call
from nsdbg.programs import GeneratedProgram, Level, drawn, generate
from nsdbg.source import Subject, load_subject

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

CORPUS = "corpus.txt"
# The training's seeds are 10**9 times a small number, and some thousand that follow.
_SEEDS = 2**62


@dataclass(frozen=True, slots=True)
class Program:
    """A function to ask about, and calls from which its states are recorded.

    `id` tells it again: a level and a seed, a name of the corpus, or a module and a function.
    """

    id: str
    subject: Subject
    calls: tuple[Call, ...]


class Source(Protocol):
    """Whoever gives programs.  `name` is how a report calls them."""

    name: str

    def drawn(self) -> SearchStrategy[Program]:
        """Return the strategy from which rates come."""
        ...

    def small(self) -> SearchStrategy[Program]:
        """Return a strategy of the same kind of programs, which shrinks."""
        ...


class Generated:
    """Programs of the typed generator, written below a folder."""

    name = "the typed generator"

    def __init__(self, folder: Path, levels: tuple[Level, ...] = tuple(Level)) -> None:
        self.folder, self._levels = folder, levels

    def drawn(self) -> SearchStrategy[Program]:
        """Return programs by level and seed, each as the generator makes it."""
        from hypothesis import strategies as st

        seeds = st.integers(0, _SEEDS - 1)
        return st.builds(self._of_seed, st.sampled_from(self._levels), seeds)

    def _of_seed(self, level: Level, seed: int) -> Program:
        return self.write(generate(seed, level), f"{level.value} {seed}")

    def small(self) -> SearchStrategy[Program]:
        """Return programs of which every random number is Hypothesis's, so that it shrinks them."""
        from hypothesis import assume
        from hypothesis import strategies as st

        @st.composite
        def programs(draw: Any) -> Program:
            level = draw(st.sampled_from(self._levels))
            source = draw(st.randoms(use_true_random=False))
            made = drawn(source, level)
            assume(made is not None)
            assert made is not None
            return self.write(made, f"{level.value} shrunk")

        return programs()

    def write(self, made: GeneratedProgram, identity: str) -> Program:
        """Write a program's module; equal text is one file."""
        return written(self.folder, made.text, made.entry, made.calls, identity)


def written(
    folder: Path, text: str, entry: str, calls: tuple[tuple[str, ...], ...], identity: str
) -> Program:
    """Write a module below a folder and return its function with calls; equal text is one file."""
    file = folder / f"drawn_{crc32(text.encode()):08x}.py"
    if not file.exists():
        file.write_text(text, encoding="utf-8")
    subject = load_subject(file, entry, folder)
    names = [parameter.argument_name for parameter in subject.parameters]
    found = tuple(Call(tuple(zip(names, call, strict=False))) for call in calls)
    return Program(identity, subject, found)


class Corpus:
    """The fixed programs that came along: the same for everybody, whatever the seed."""

    name = "the fixed corpus"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        """Every program of the corpus, in its order."""
        return tuple(self._read())

    def _read(self) -> Iterator[Program]:
        file = resources.files("nsdbg.measure.hallucination").joinpath(CORPUS)
        _, *parts = file.read_text(encoding="utf-8").split("\n== ")
        for part in parts:
            name, _, rest = part.partition("\n")
            text, *calls = rest.split("\n>>> ")
            entry = calls[0].partition("(")[0]
            given = tuple(map(_arguments, calls))
            yield written(self._folder, text.strip("\n") + "\n", entry, given, f"corpus {name}")


def _arguments(call: str) -> tuple[str, ...]:
    """Return the texts of a call's arguments."""
    node = ast.parse(call.strip(), mode="eval").body
    assert isinstance(node, ast.Call)
    return tuple(map(ast.unparse, node.args))
