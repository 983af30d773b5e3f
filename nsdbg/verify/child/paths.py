"""Paths resolved without the standard library's Python code, which patched builtins mislead."""

from __future__ import annotations

from os import fspath, getcwd, readlink

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import Dict, List

_MAX_LINKS = 40
_known: Dict[str, str] = {}


def real_path(file: str) -> str:
    """Return a code object's file with symbolic links resolved, as the parent names files.

    Names that are no files (`<string>`) stay as they are.
    """
    found = _known.get(file)
    if found is None:
        found = _known[file] = file if not file or file[0] == "<" else resolve(file)
    return found


def resolve(file: str) -> str:
    """Return the absolute path of a file with symbolic links resolved, as they are now."""
    if file[:1] != "/":
        file = getcwd() + "/" + file
    ahead: List[str] = fspath(file).split("/")[::-1]
    done, links = "", 0
    while ahead:
        part = ahead.pop()
        if part in ("", "."):
            continue
        if part == "..":
            done = done.rpartition("/")[0]
            continue
        here = done + "/" + part
        try:
            target = readlink(here) if links < _MAX_LINKS else ""
        except OSError:
            target = ""  # no link, or not there
        if not target:
            done = here
            continue
        links += 1
        if target[0] == "/":
            done = ""
        ahead += target.split("/")[::-1]
    return done or "/"
