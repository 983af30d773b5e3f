"""Which files hold settings: the user's own, the project's, or the one that was named.

Looks for them only; `read` says what is in them.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

PROJECT_FILE = "pyproject.toml"


class Owner(Enum):
    """Whose word a file is; a later one wins.

    A PROJECT file may have come with the code under test.  A NAMED one was given with --config.
    """

    USER = "user"
    PROJECT = "project"
    NAMED = "named"


@dataclass(frozen=True, slots=True)
class File:
    """A file that is there: `shown` is its path for a person, relative where that is shorter.

    `table` tells under which tables its settings lie: `tool.nsdbg` in a pyproject.toml.
    """

    path: Path
    owner: Owner
    shown: str

    @property
    def table(self) -> tuple[str, ...]:
        """The tables around the settings."""
        return ("tool", "nsdbg") if self.path.name == PROJECT_FILE else ()


def user_path() -> Path:
    """Return where the user's own file would be: $XDG_CONFIG_HOME/nsdbg/config.toml."""
    given = os.environ.get("XDG_CONFIG_HOME", "")
    # The XDG base directory specification: a relative path is to be ignored.
    base = Path(given) if os.path.isabs(given) else Path("~/.config").expanduser()
    return base / "nsdbg" / "config.toml"


def user_file() -> File | None:
    """Return the user's own file, or None when there is none."""
    path = user_path()
    return File(path, Owner.USER, _at_home(path)) if path.exists() else None


def project_file(folder: Path) -> File | None:
    """Return the nearest pyproject.toml with a word of nsdbg, from a folder upwards.

    A folder with `.git` is the last one that is looked at; the home folder is looked at only where
    it is the folder itself.
    """
    home = Path("~").expanduser()
    folder = Path(os.path.abspath(folder))
    for at in (folder, *folder.parents):
        if at == home and at != folder:
            return None
        path = at / PROJECT_FILE
        if path.exists() and _speaks_of_us(path):
            return File(path, Owner.PROJECT, os.path.relpath(path, folder))
        if (at / ".git").exists():
            return None
    return None


def named_file(path: Path) -> File:
    """Return the file of --config: a pyproject.toml is trusted as a project's, no further."""
    owner = Owner.PROJECT if path.name == PROJECT_FILE else Owner.NAMED
    return File(Path(os.path.abspath(path)), owner, str(path))


def _speaks_of_us(path: Path) -> bool:
    """Whether a file has to be read: one without the word `nsdbg` has no table of that name.

    What cannot be read here is reported by whoever reads it.
    """
    try:
        return not path.is_file() or b"nsdbg" in path.read_bytes()
    except OSError:
        return True


def _at_home(path: Path) -> str:
    home = os.path.expanduser("~")
    text = str(path)
    return f"~{text[len(home) :]}" if home != "/" and text.startswith(home + os.sep) else text
