"""The scratch folder between runs: what one run left there, the next must not find.

Else a program that makes a file would fail at its second run, and the verdict would depend on who
ran before.
"""

from os import chdir, chmod, listdir, path, remove, rmdir
from typing import FrozenSet


class Scratch:
    """A folder that is put back, by name, to what it held when it was first looked at."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._kept = self._names()

    def _names(self) -> FrozenSet[str]:
        return frozenset(listdir(self.folder))

    def tidy(self) -> bool:
        """Remove what has come since and make it the working directory; False when some stays.

        What was there before and has been changed is not put back.
        """
        chdir(self.folder)
        new = self._names() - self._kept
        for name in new:
            try:
                _remove(path.join(self.folder, name))
            except (OSError, RecursionError):
                return False
        return True


def _remove(place: str) -> None:
    """Remove a file or a folder with all in it, whatever modes its maker gave it."""
    if path.islink(place) or not path.isdir(place):
        remove(place)
        return
    chmod(place, 0o700)
    for name in listdir(place):
        _remove(path.join(place, name))
    rmdir(place)
