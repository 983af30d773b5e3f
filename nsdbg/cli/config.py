"""`nsdbg config`: the settings in force, and where each comes from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nsdbg.cli.options import Format, OutputFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nsdbg.settings.force import InForce, Settings
    from nsdbg.settings.known import Words
    from nsdbg.settings.read import Setting

COLUMNS = 80

Asked = Annotated[
    list[str] | None,
    typer.Argument(metavar="[COMMAND]...", help="Show all options of one command, or of a group."),
]


def config(
    ctx: typer.Context, command: Asked = None, output_format: Format = OutputFormat.TEXT
) -> None:
    """Show the settings in force here, and which file each comes from.

    Read are the user's own file and [tool.nsdbg] of the nearest pyproject.toml; of two values the
    command line's wins, then the project's, then the user's. The JSON is nsdbg.config/1.

    Exit code: 0 shown, 2 a file is broken.

    Example: nsdbg config localize
    """
    import json

    from nsdbg.cli.defaults import settings_of
    from nsdbg.cli.keys import all_known
    from nsdbg.settings.force import Settings

    settings = settings_of(ctx)
    read = settings is not None
    settings = settings if settings is not None else Settings(all_known())
    words = _checked(tuple(command or ()), settings)
    if output_format is OutputFormat.JSON:
        typer.echo(json.dumps(_as_json(settings, words)))
    else:
        typer.echo("\n".join(_lines(settings, words, read)))


def _checked(words: Words, settings: Settings) -> Words:
    """Return the command that was asked for; raises UsageError when there is none."""
    from difflib import get_close_matches

    from nsdbg.errors import UsageError

    if not any(settings.known.below(words)):
        name = " ".join(words)
        names = sorted({" ".join(one[:n]) for one in settings.known.below(()) for n in (1, 2)})
        near = get_close_matches(name, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
        raise UsageError(f"there is no command {name}: {hint}")
    return words


def _as_json(settings: Settings, words: Words) -> dict[str, Any]:
    return {
        "schema": "nsdbg.config/1",
        "files": [
            {"owner": file.owner.value, "path": str(file.path)} for file in settings.files
        ],
        "commands": [
            {
                "command": " ".join(command),
                "options": [_option_json(one) for one in settings.of(command)],
            }
            for command in settings.known.below(words)
        ],
    }  # fmt: skip


def _option_json(one: InForce) -> dict[str, Any]:
    setting = one.setting
    return {
        "key": one.option.key,
        "value": one.value,
        "from": setting.file.owner.value if setting else "default",
        "file": str(setting.file.path) if setting else None,
        "line": setting.lineno if setting else None,
    }


def _lines(settings: Settings, words: Words, read: bool) -> Iterator[str]:
    if words:
        for place, command in enumerate(settings.known.below(words)):
            yield from ([""] if place else [])
            yield _title(command)
            yield from _table([_row(one) for one in settings.of(command)])
        return
    yield from _files(settings, read)
    if settings.all:
        yield ""
        yield from _table([_set_row(one, settings) for one in settings.all])
    yield ""
    yield "All else is at its default: `nsdbg config COMMAND` shows it."


def _title(command: Words) -> str:
    # The plugin's options are pytest's, and no command of ours.
    return "pytest --nsdbg" if command == ("pytest",) else f"nsdbg {' '.join(command)}"


def _files(settings: Settings, read: bool) -> Iterator[str]:
    from nsdbg.report.escape import plain
    from nsdbg.settings.find import Owner, user_path

    if not read:
        yield "No file was read (--no-config)."
        return
    by_owner = {file.owner: file for file in settings.files}
    named = by_owner.get(Owner.NAMED)
    if named is not None:
        yield f"Read (--config)  {plain(named.shown)}"
        return
    user, project = by_owner.get(Owner.USER), by_owner.get(Owner.PROJECT)
    yield f"User's file      {plain(user.shown if user else f'none: {_home(user_path())}')}"
    yield f"Project's file   {plain(project.shown) if project else _NO_PROJECT}"


_NO_PROJECT = "none: no pyproject.toml here or above has [tool.nsdbg]"


def _home(path: Path) -> str:
    home = str(Path.home())
    return str(path).replace(home, "~", 1) if len(home) > 1 else str(path)


def _row(one: InForce) -> tuple[str, str, str]:
    return one.option.key, _value(one.value), _origin(one.setting) if one.setting else "default"


def _set_row(setting: Setting, settings: Settings) -> tuple[str, str, str]:
    key = ".".join((*setting.words, setting.key))
    commands = list(settings.known.below(setting.words))
    rules = any(one.setting is setting for command in commands for one in settings.of(command))
    return key, _value(setting.value), _origin(setting) + ("" if rules else " (overridden)")


def _origin(setting: Setting) -> str:
    from nsdbg.report.escape import plain

    line = setting.lineno
    return plain(setting.file.shown) + (f":{line}" if line else "")


def _value(value: object) -> str:
    from nsdbg.report.escape import plain

    if value is None:
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ", ".join(map(_value, value)) or "-"
    return plain(str(value)) or "''"


def _table(rows: list[tuple[str, str, str]]) -> Iterator[str]:
    """Yield rows of 80 columns: a value too long for its column takes a line of its own."""
    key_width = max((len(key) for key, _, _ in rows), default=0)
    room = COLUMNS - 6 - key_width - max((len(origin) for _, _, origin in rows), default=0)
    value_width = max((len(value) for _, value, _ in rows if len(value) <= room), default=0)
    for key, value, origin in rows:
        short = len(value) <= value_width
        yield f"  {key:<{key_width}}  {value if short else '':<{value_width}}  {origin}"
        if not short:
            yield f"      {value}"
