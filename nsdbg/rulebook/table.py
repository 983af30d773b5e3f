"""A TOML table read field by field: every value checked, every unknown field refused.

Knows nothing of rules; `load` says which fields a rule has.
"""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path

from nsdbg.errors import RuleError


class Table:
    """One table of a file, and where it lies for a message.

    `trusted` tells that the texts in it were compiled and checked before.
    """

    def __init__(
        self, values: dict[str, object], path: Path, where: str = "", trusted: bool = False
    ) -> None:
        self.path = path
        self.where = where
        self.trusted = trusted
        self._values = values
        self._known: list[str] = []

    def wrong(self, field: str, complaint: str) -> RuleError:
        """Return the error to raise: the file, the field, what is wrong and what to do."""
        name = f"{self.where}.{field}" if self.where else field
        return RuleError(f"{self.path}: {name}: {complaint}")

    def has(self, field: str) -> bool:
        """Return whether the file gives this field."""
        return field in self._values

    def text(self, field: str) -> str:
        """Return a field that has to be a text."""
        found = self.maybe_text(field)
        if found is None:
            raise self.wrong(field, f'is missing: add {field} = "…"')
        return found

    def maybe_text(self, field: str) -> str | None:
        """Return a text, or None when it is not given."""
        value = self._take(field)
        if value is None or (isinstance(value, str) and value.strip()):
            return value
        raise self.wrong(field, f"is {value!r}, and has to be a text that is not empty")

    def texts(self, field: str) -> tuple[str, ...]:
        """Return a list of texts, empty when it is not given; one text is a list of one."""
        value = self._take(field)
        items = [value] if isinstance(value, str) else value or []
        if isinstance(items, list) and all(isinstance(item, str) and item for item in items):
            return tuple(items)
        raise self.wrong(field, f"is {value!r}, and has to be a list of texts")

    def flag(self, field: str) -> bool | None:
        """Return true, false, or None when it is not given."""
        value = self._take(field)
        if value is None or isinstance(value, bool):
            return value
        raise self.wrong(field, f"is {value!r}, and has to be true or false")

    def share(self, field: str) -> float:
        """Return a number from 0 to 1."""
        value = self._take(field)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1:
            return float(value)
        raise self.wrong(field, f"is {value!r}, and has to be a number from 0 to 1")

    def choice(self, field: str, choices: tuple[str, ...]) -> str:
        """Return a text that is one of the choices."""
        value = self.text(field)
        if value not in choices:
            raise self.wrong(field, f"is {value!r}, and has to be one of {', '.join(choices)}")
        return value

    def tables(self, field: str, required: bool = False) -> tuple[Table, ...]:
        """Return a list of tables (`[[field]]`, or inline), numbered from 1 in messages."""
        value = self._take(field)
        items = [] if value is None else value
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise self.wrong(field, f"is {value!r}, and has to be a list of tables, [[{field}]]")
        if required and not items:
            raise self.wrong(field, f"is missing: add at least one [[{field}]] table")
        prefix = f"{self.where}.{field}" if self.where else field
        return tuple(
            Table(item, self.path, f"{prefix}[{number}]", self.trusted)
            for number, item in enumerate(items, 1)
        )

    def finish(self) -> None:
        """Refuse a field that nobody asked for, with the nearest known one."""
        for field in self._values:
            if field not in self._known:
                near = difflib.get_close_matches(field, self._known, 1)
                hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(self._known)}"
                raise self.wrong(field, f"is no field here; {hint}")

    def _take(self, field: str) -> object:
        if field not in self._known:
            self._known.append(field)
        return self._values.get(field)


def read_table(path: Path, trusted: bool) -> Table:
    """Read a TOML file; raises RuleError when it cannot be read or is not TOML."""
    try:
        return Table(tomllib.loads(path.read_text(encoding="utf-8")), path, trusted=trusted)
    except (OSError, UnicodeDecodeError) as error:
        raise RuleError(f"{path}: cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"{path}: is not TOML: {error}; docs/rules.md shows a rule") from error
