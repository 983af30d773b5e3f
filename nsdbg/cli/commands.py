"""Which commands there are, and where each is: a module is loaded when its command is asked for.

What a command does is its own module's matter; here is only what `nsdbg --help` lists.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Listed:
    """A command or a group of some, and its line in the help.

    `attribute` of the module is a function, or the Typer of a group; `cls` the attribute with the
    class of the command where that is not Typer's own.
    """

    name: str
    summary: str
    attribute: str = ""
    module: str = ""
    cls: str | None = None
    is_group: bool = False

    def loaded(self) -> Any:
        """Load the module, and return the command's function or the group's Typer."""
        return getattr(self._module(), self.attribute or self.name)

    def built(self) -> Any:
        """Return the command as click's object."""
        import typer

        from nsdbg.cli.sparing import SparingCommand

        if self.is_group:
            return typer.main.get_group(self.loaded())
        cls = getattr(self._module(), self.cls) if self.cls is not None else SparingCommand
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(self.name, cls=cls)(self.loaded())
        return typer.main.get_command(alone)

    def _module(self) -> Any:
        return importlib.import_module(f"nsdbg.cli.{self.module or self.name}")


LISTED = (
    Listed("localize", "Rank the lines at fault for a crash, with inputs that cause it."),
    Listed("parse", "Read a crash log: each distinct crash, its chain and frames."),
    Listed("triage", "Find inputs on which a change crashes, and the old code did not."),
    Listed("gate", "Decide whether a change may go in: crashes, tests, limits."),
    Listed("run", "Run a program; when it crashes, record it with the values.", cls="RunCommand"),
    Listed("reverse", "Find what leads to a state: call arguments, or earlier states."),
    Listed("step", "Give the next state for a debugger's command, by running."),
    Listed("verify", "Judge proposals made by anybody, by fresh runs.", module="step"),
    Listed("config", "Show the settings in force, and which file each comes from."),
    Listed("doctor", "Show interpreters, sandbox, model and rules, and what is wrong."),
    Listed("rules", "List the rules, or judge them by running programs.", "app", is_group=True),
    Listed("measure", "Measure proposers, the neural debugger and localize.", "app", is_group=True),
    Listed("model", "Record traces, train a neural debugger, export it.", "app", is_group=True),
)  # fmt: skip


class Commands(MutableMapping[str, Any]):
    """The commands by name, as click wants them, each built when it is first asked for.

    `built` are there already.
    """

    def __init__(self, built: Mapping[str, Any]) -> None:
        self._listed = {one.name: one for one in LISTED}
        self._built = dict(built)

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = self._listed[name].built()
        return self._built[name]

    def __setitem__(self, name: str, command: Any) -> None:
        raise TypeError(f"{name}: commands are listed in nsdbg.cli.commands")

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"{name}: commands are listed in nsdbg.cli.commands")

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)
