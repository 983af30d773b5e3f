"""The keys of the settings are the commands' own options: read here off the commands themselves.

Each command is read when it is first asked for; `nsdbg.settings` says what the keys mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from typer.models import OptionInfo
from typer.utils import get_params_from_function

from nsdbg.cli.commands import LISTED, Listed
from nsdbg.settings.known import Given, Kind, Known, Option, Words
from nsdbg.settings.plugin import PYTEST

_KINDS = {bool: Kind.FLAG, int: Kind.INTEGER, float: Kind.NUMBER, str: Kind.TEXT, Path: Kind.PATH}


def all_known() -> Known:
    """Return every command, those of groups too, and the pytest plugin; no module is loaded."""
    alone: dict[Words, Callable[[], tuple[Option, ...]]] = {
        (one.name,): partial(_of_listed, one) for one in LISTED if not one.is_group
    }
    groups = {one.name: partial(_of_group, one) for one in LISTED if one.is_group}
    return Known({**alone, ("pytest",): lambda: PYTEST}, groups=groups)


def options_of(command: Callable[..., Any]) -> tuple[Option, ...]:
    """Return the options of a command; one that has only a short name is left out."""
    found = []
    for name, parameter in get_params_from_function(command).items():
        if isinstance(parameter.default, OptionInfo) and not parameter.default.hidden:
            key = _key(name, parameter.default.param_decls or ())
            if key is not None:
                found.append(_option(key, name, parameter.default, parameter.annotation))
    return tuple(found)


def _of_listed(one: Listed) -> tuple[Option, ...]:
    return options_of(one.loaded())


def _of_group(one: Listed) -> dict[Words, Callable[[], tuple[Option, ...]]]:
    """Return the commands of a group."""
    found: dict[Words, Callable[[], tuple[Option, ...]]] = {}
    for command in one.loaded().registered_commands:
        name = command.name or command.callback.__name__.replace("_", "-")
        found[one.name, name] = partial(options_of, command.callback)
    return found


def _key(name: str, declared: Sequence[str]) -> str | None:
    """Return the long name, of `--oracle/--no-oracle` the first; without any, that of Python."""
    if not declared:
        return name.replace("_", "-")
    names = [text.split("/")[0].strip() for text in declared]
    return next((text[2:] for text in names if text.startswith("--")), None)


def _option(key: str, name: str, info: OptionInfo, annotation: Any) -> Option:
    kind, several = _bare(annotation)
    is_choice = isinstance(kind, type) and issubclass(kind, Enum)
    return Option(
        key=key,
        parameter=name,
        kind=Kind.CHOICE if is_choice else _KINDS.get(kind, Kind.TEXT),
        several=several,
        choices=tuple(str(one.value) for one in kind) if is_choice else (),
        minimum=info.min,
        maximum=info.max,
        default=_default(info.default),
    )


def _bare(annotation: Any) -> tuple[Any, bool]:
    """Return the type under `None |` and `list[...]`, and whether there was a list."""
    if get_origin(annotation) in (Union, UnionType):
        annotation = next(one for one in get_args(annotation) if one is not NoneType)
    if get_origin(annotation) in (list, tuple):
        return get_args(annotation)[0], True
    return annotation, False


def _default(value: Any) -> Given | None:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, list | tuple):
        return tuple(str(item) for item in value)
    if isinstance(value, Path):
        return str(value)
    return value if isinstance(value, bool | int | float | str) else None
