"""What is in force for each command, and where each value comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nsdbg.settings.find import File, named_file, project_file, user_file
from nsdbg.settings.known import Given, Kind, Known, Option, Words
from nsdbg.settings.read import Setting, read_file


@dataclass(frozen=True, slots=True)
class InForce:
    """An option of a command with its value; `setting` is None when it is the default."""

    option: Option
    value: Given | None
    setting: Setting | None = None


class Settings:
    """All settings of one start, weakest file first."""

    def __init__(self, known: Known, files: Sequence[File] = ()) -> None:
        self.known = known
        self.files = tuple(files)
        read = [setting for file in files for setting in read_file(file, known)]
        order = {file: place for place, file in enumerate(files)}
        # Of one file, the table of a command is stronger than the keys for all commands.
        self.all = tuple(sorted(read, key=lambda one: (order[one.file], len(one.words))))

    def of(self, command: Words) -> tuple[InForce, ...]:
        """Return every option of a command, with the value that holds without a command line.

        A setting for several commands is left out for one that does not take its value: `sarif`
        is an --output-format of some.
        """
        found = []
        for option in self.known.options(command):
            setting = next(
                (one for one in reversed(self.all) if _is_for(one, command, option)), None
            )
            value = option.default if setting is None else setting.value
            found.append(InForce(option, value, setting))
        return tuple(found)

    def defaults(self, command: Words) -> dict[str, Given]:
        """Return what was set for a command, by the parameters' names in Python."""
        if not self.all:
            return {}
        return {
            one.option.parameter: _as_given(one.option, one.value)
            for one in self.of(command)
            if one.setting is not None and one.value is not None
        }


def load(folder: Path, known: Known, named: Path | None = None) -> Settings:
    """Read the settings that hold in a folder: the user's, then the project's, which wins.

    A `named` file is read in place of both.  Raises SettingsError, see `read`.
    """
    if named is not None:
        return Settings(known, [named_file(named)])
    return Settings(known, [file for file in (user_file(), project_file(folder)) if file])


def _is_for(setting: Setting, command: Words, option: Option) -> bool:
    return (
        setting.key == option.key
        and command[: len(setting.words)] == setting.words
        and option.complaint(setting.value) is None
    )


def _as_given(option: Option, value: Given) -> Given:
    if option.kind is Kind.NUMBER and isinstance(value, int):
        return float(value)  # `budget = 3` says the same as 3.0, and nothing has to be made of it
    return (value,) if option.several and not isinstance(value, tuple) else value
