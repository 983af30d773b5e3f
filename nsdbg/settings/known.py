"""What can be set: every command's own options, as data, and whether a value fits one of them.

Knows nothing of the command line's library: `cli` reads its commands and hands them over here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

Scalar: TypeAlias = bool | int | float | str
Given: TypeAlias = Scalar | tuple[Scalar, ...]
Words: TypeAlias = tuple[str, ...]  # a command: ("measure", "model")

# Longer values are cut in messages.
SHOWN = 60


class Kind(Enum):
    """What a value has to be; the text is for a message."""

    FLAG = "true or false"
    INTEGER = "a whole number"
    NUMBER = "a number"
    TEXT = "a text"
    CHOICE = "one of"
    PATH = "a path, as a text"


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a command: `key` is its name in a file, `parameter` its name in Python.

    `several`: it may be given more than once, so a list is taken as well as a single value.
    `default` is None where nothing stands for the option.
    """

    key: str
    parameter: str
    kind: Kind
    several: bool = False
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    default: Given | None = None

    def complaint(self, value: object) -> str | None:
        """Return what is wanted instead of a value read from TOML; None when it fits."""
        items = value if self.several and isinstance(value, list | tuple) else (value,)
        return None if all(self._fits(item) for item in items) else self.wanted

    @property
    def wanted(self) -> str:
        """What a value has to be, in words."""
        text = self.kind.value
        if self.kind is Kind.CHOICE:
            text = f"one of {', '.join(self.choices)}"
        if self.minimum is not None and self.maximum is not None:
            text = f"{text} from {self.minimum:g} to {self.maximum:g}"
        elif self.minimum is not None:
            text = f"{text}, {self.minimum:g} or more"
        elif self.maximum is not None:
            text = f"{text}, at most {self.maximum:g}"
        return f"{text}, or a list of such" if self.several else text

    def _fits(self, item: object) -> bool:
        if self.kind is Kind.FLAG:
            return isinstance(item, bool)
        if self.kind in (Kind.INTEGER, Kind.NUMBER):
            kinds = int if self.kind is Kind.INTEGER else (int, float)
            return (
                isinstance(item, kinds) and not isinstance(item, bool) and self._within(float(item))
            )
        return isinstance(item, str) and (self.kind is not Kind.CHOICE or item in self.choices)

    def _within(self, number: float) -> bool:
        # TOML has inf and nan, which no budget or limit means.
        return (
            math.isfinite(number)
            and (self.minimum is None or number >= self.minimum)
            and (self.maximum is None or number <= self.maximum)
        )


Reading: TypeAlias = Callable[[], tuple[Option, ...]]


class Known:
    """The commands; the options of each are looked up when they are first asked for.

    `whole`: these are all there are, so that any other key is a mistake.  `groups`: which commands
    stand in a table of this name, asked when somebody looks into it.
    """

    def __init__(
        self, commands: Mapping[Words, Reading], whole: bool = True,
        groups: Mapping[str, Callable[[], Mapping[Words, Reading]]] | None = None,
    ) -> None:  # fmt: skip
        self.whole = whole
        self._commands = dict(commands)
        self._groups = dict(groups or {})
        self._read: dict[Words, tuple[Option, ...]] = {}

    def below(self, words: Words) -> Iterator[Words]:
        """Yield the commands in a table: one, those of a group, or all for `()`."""
        self._look_into(words[:1] or tuple(self._groups))
        return (command for command in list(self._commands) if command[: len(words)] == words)

    def options(self, command: Words) -> tuple[Option, ...]:
        """Return the options of a command."""
        if command not in self._read:
            self._look_into(command[:1])
            self._read[command] = self._commands[command]()
        return self._read[command]

    def named(self, words: Words, key: str) -> Iterator[Option]:
        """Yield the options of this name that the commands in a table have."""
        return (
            option
            for command in self.below(words)
            for option in self.options(command)
            if option.key == key
        )

    def having(self, key: str) -> Iterator[Words]:
        """Yield the commands that have an option of this name."""
        return (
            command
            for command in self.below(())
            if any(option.key == key for option in self.options(command))
        )

    def _look_into(self, tables: Words) -> None:
        for name in tables:
            if name in self._groups:
                self._commands |= self._groups.pop(name)()

    def names(self, words: Words) -> list[str]:
        """Return every key and every table that may stand in a table."""
        depth = len(words)
        tables = {command[depth] for command in self.below(words) if len(command) > depth}
        keys = {option.key for command in self.below(words) for option in self.options(command)}
        return sorted(tables | keys)


def shown(value: object) -> str:
    """Return a value of a foreign file for a message: escaped, and not long."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


def plain_name(name: str) -> str:
    """Return a foreign name for a message: as it is where it can be printed, else escaped."""
    return name if name.isprintable() else shown(name)
