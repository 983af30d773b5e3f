"""Fills the options' defaults from the settings, so that commands need not know of them.

The command line wins, since click asks for a default only where nothing was given.  No file is
read for `--help` and `--version`: a broken configuration must not keep anybody from the help.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from nsdbg.cli.run import RunCommand, end_of_options

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
    """The root command: before it calls a command, it reads the settings for it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command as click does, then fill in what was set for it."""
        name, command, rest = super().resolve_command(ctx, args)
        own = end_of_options(rest) if isinstance(command, RunCommand) else rest
        if name is not None and "--help" not in own[: _end(own)] and _may_be_set(ctx):
            settings = settings_of(ctx)
            if settings is not None and settings.all:
                ctx.default_map = _default_map(settings, name)
        return name, command, rest


def settings_of(ctx: Any) -> Settings | None:
    """Return the settings that the options before the command ask for; None with --no-config."""
    from nsdbg.cli import app
    from nsdbg.cli.keys import known_to
    from nsdbg.settings.force import load

    options = ctx.find_root().params
    if options.get("no_config"):
        return None
    named = options.get("config")
    return load(Path(), known_to(app), Path(named) if named is not None else None)


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


def _end(words: list[str]) -> int:
    return words.index("--") if "--" in words else len(words)
