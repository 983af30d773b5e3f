"""Fills the options' defaults from the settings, so that commands need not know of them.

The command line wins, since click asks for a default only where nothing was given.  No file is
read for `--help` and `--version`: a broken configuration must not keep anybody from the help.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from nsdbg.cli.commands import LISTED, Commands
from nsdbg.cli.sparing import spared

if TYPE_CHECKING:
    from nsdbg.settings.force import Settings

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Read the settings of this file, and of no other. A pyproject.toml may set what a "
        "project may; any other file, what the command line may.",
    ),
]
NoConfig = Annotated[
    bool, typer.Option("--no-config", help="Read no settings, the user's nor the project's.")
]


class Configured(TyperGroup):
    """The root command: before it calls a command, it loads it and reads the settings for it."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = Commands(self.commands)

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options before the command, see `sparing`."""
        return [spared(one) for one in super().get_params(ctx)]

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands' names, as `--help` lists them."""
        return [one.name for one in LISTED]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(one.name, one.summary) for one in LISTED])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command as click does, then fill in what was set for it."""
        name, command, rest = super().resolve_command(ctx, args)
        own = _own(name, rest)
        if name is not None and "--help" not in own[: _end(own)] and _may_be_set(ctx):
            settings = settings_of(ctx)
            if settings is not None and settings.all:
                ctx.default_map = _default_map(settings, name)
        return name, command, rest


def settings_of(ctx: Any) -> Settings | None:
    """Return the settings that the options before the command ask for; None with --no-config."""
    from nsdbg.cli.keys import all_known
    from nsdbg.settings.force import load

    options = ctx.find_root().params
    if options.get("no_config"):
        return None
    named = options.get("config")
    return load(Path(), all_known(), Path(named) if named is not None else None)


def _may_be_set(ctx: Any) -> bool:
    """Whether there is a file at all: most starts have none, and are not to wait."""
    from nsdbg.settings.find import project_file, user_file

    options = ctx.find_root().params
    named = options.get("config") is not None
    return named or user_file() is not None or project_file(Path()) is not None


def _default_map(settings: Settings, name: str) -> dict[str, Any]:
    """Return click's tree: a group's commands by name, a command's parameters by name."""
    tree: dict[str, Any] = {}
    for command in settings.known.below((name,)):
        at = tree
        for word in command:
            at = at.setdefault(word, {})
        at.update(settings.defaults(command))
    return tree


def _own(name: str | None, rest: list[str]) -> list[str]:
    """Return the arguments that are the command's; of `run` some are its program's."""
    if name != "run":
        return rest
    from nsdbg.cli.run import end_of_options

    return end_of_options(rest)


def _end(words: list[str]) -> int:
    return words.index("--") if "--" in words else len(words)
