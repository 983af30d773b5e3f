"""A generated program as data: its text, its entry, calls of it, and what it shows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How much a program holds: the steps of a curriculum."""

    OPERATION = "operation"  # a function with one operation on values
    LINES = "lines"  # a function of three to twelve lines
    PROGRAM = "program"  # several functions that call each other


@dataclass(frozen=True, slots=True)
class GeneratedProgram:
    """A module that runs and ends; `calls` are lists of arguments for `entry`, as literals."""

    text: str
    entry: str
    calls: tuple[tuple[str, ...], ...]
    level: Level
    seed: int
    features: frozenset[str]

    def __post_init__(self) -> None:
        if not self.calls:
            raise ValueError(f"the program of seed {self.seed} has no call")
