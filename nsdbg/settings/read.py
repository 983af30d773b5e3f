"""One file into settings: every key known, every value of its kind, nothing the file may not say.

Reads text only: what a value means for a command is the command's own matter.
"""

from __future__ import annotations

import difflib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nsdbg.errors import SettingsError
from nsdbg.settings.find import File, Owner, user_path
from nsdbg.settings.known import Given, Kind, Known, Option, Scalar, Words, plain_name, shown
from nsdbg.settings.lines import line_of
from nsdbg.settings.trust import refusal, stays_within

# Nobody's configuration is longer; the file may be anybody's.
MOST_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Setting:
    """A key of a file: `words` are the tables around it (a command, a group of some, or none).

    `value` has its lists as tuples; a path is absolute, taken from the file's folder.
    """

    words: Words
    key: str
    value: Given
    file: File

    @property
    def lineno(self) -> int | None:
        """The line it stands on, as the file is now; None where it was not found."""
        try:
            text = self.file.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        return line_of(text, (*self.file.table, *self.words, self.key))


def read_file(file: File, known: Known) -> tuple[Setting, ...]:
    """Return the settings of a file, in its order.

    Raises SettingsError for a file that cannot be read or is not TOML, a key that is unknown or
    not for such a file, and a value of a wrong kind.
    """
    return tuple(_Reader(file, known, _text(file)).settings())


def _text(file: File) -> str:
    try:
        with open(file.path, "rb", opener=_without_waiting) as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise SettingsError(f"{plain_name(file.shown)} cannot be read: it is no file")
            content = opened.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise SettingsError(f"{plain_name(file.shown)} is longer than {MOST_BYTES} bytes")
        return content.decode()
    except OSError as error:
        reason = error.strerror or str(error)
        raise SettingsError(f"{plain_name(file.shown)} cannot be read: {reason}") from error
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{plain_name(file.shown)}:{line}: is not UTF-8") from error


def _without_waiting(path: str, flags: int) -> int:
    """Open without waiting for the other end, should the file be a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


class _Reader:
    """Walks the tables of one file."""

    def __init__(self, file: File, known: Known, text: str) -> None:
        self._file = file
        self._known = known
        self._text = text

    def settings(self) -> Iterator[Setting]:
        at: object = self._parsed()
        for depth, name in enumerate(self._file.table, 1):
            if not isinstance(at, dict):
                raise self._wrong(self._file.table[: depth - 1], "has to be a table")
            at = at.get(name, {})
        if not isinstance(at, dict):
            raise self._wrong(self._file.table, "has to be a table")
        yield from self._table((), at)

    def _parsed(self) -> dict[str, object]:
        import tomllib

        name = plain_name(self._file.shown)
        try:
            return tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"{name} is not TOML: {error}") from error
        except RecursionError as error:
            raise SettingsError(f"{name} is not TOML: it is nested too deeply") from error

    def _table(self, words: Words, table: dict[str, object]) -> Iterator[Setting]:
        for key, value in table.items():
            inner = (*words, key)
            is_table = any(self._known.below(inner))
            if isinstance(value, dict) and is_table:
                yield from self._table(inner, value)
            elif words or self._known.whole or any(self._known.named(words, key)):
                yield self._setting(words, key, value, is_table)

    def _setting(self, words: Words, key: str, value: object, is_table: bool) -> Setting:
        options = list(self._fitting(words, key, value))
        if not options:
            raise self._unfit(words, key, value, is_table)
        if self._file.owner is Owner.PROJECT and (why := refusal(key)) is not None:
            raise self._outer(
                words, key,
                f"is not taken from a project's file, which may come with the code under test: "
                f"{why}. Give --{key} on the command line or set it in {user_path()}",
            )  # fmt: skip
        items = value if isinstance(value, list) else [value]
        taken = tuple(self._item(words, key, item, options[0]) for item in items)
        return Setting(words, key, taken if isinstance(value, list) else taken[0], self._file)

    def _fitting(self, words: Words, key: str, value: object) -> Iterator[Option]:
        """Yield the first option that takes the value: one is enough, and looking costs time."""
        for option in self._known.named(words, key):
            if option.complaint(value) is None:
                yield option
                return

    def _item(self, words: Words, key: str, item: object, option: Option) -> Scalar:
        assert isinstance(item, bool | int | float | str), "the option takes no other"
        if option.kind is Kind.PATH and isinstance(item, str):
            return self._path(words, key, item)
        return item

    def _path(self, words: Words, key: str, text: str) -> str:
        folder = self._file.path.parent
        path = folder / Path(text).expanduser() if text.startswith("~") else folder / text
        if self._file.owner is Owner.PROJECT and not stays_within(path, folder):
            raise self._outer(
                words, key, f"= {shown(text)} leads out of the project: name a path in {folder}"
            )
        return str(path)

    def _unfit(self, words: Words, key: str, value: object, is_table: bool) -> SettingsError:
        option = next(self._known.named(words, key), None)
        if option is not None:
            return self._outer(words, key, f"= {shown(value)}: it has to be {option.wanted}")
        if is_table:
            return self._outer(words, key, "has to be a table of settings")
        kind = "command" if isinstance(value, dict) else "setting"
        where = f" in {'.'.join(words)}" if words else ""
        return self._outer(words, key, f"is no {kind}{where}; {self._hint(words, key)}")

    def _hint(self, words: Words, key: str) -> str:
        if (*words, key) == ("tool",):
            return "in this file keys stand at the top, without [tool.nsdbg]"
        names = self._known.names(words)
        near = difflib.get_close_matches(key.replace("_", "-"), names, 1)
        if near:
            return f"did you mean {near[0]}?"
        others = [" ".join(one) for one in self._known.having(key)]
        if others:
            return f"it is one of {', '.join(others)}"
        return f"`nsdbg config {' '.join(words or ('COMMAND',))}` shows the keys"

    def _outer(self, words: Words, key: str, complaint: str) -> SettingsError:
        return self._wrong((*self._file.table, *words, key), complaint)

    def _wrong(self, keys: tuple[str, ...], complaint: str) -> SettingsError:
        line = line_of(self._text, keys)
        place = plain_name(self._file.shown) + (f":{line}" if line else "")
        return SettingsError(f"{place}: {'.'.join(map(plain_name, keys))} {complaint}")
