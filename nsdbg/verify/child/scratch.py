"""The scratch folder between runs: what one run left there, the next must not find.

Else a program that makes a file would fail at its second run, and the verdict would depend on who
ran before.
"""

from os import chdir, chmod, getcwd, listdir, path, remove, rmdir, stat
from time import time_ns
from typing import FrozenSet

# A folder's time of change is that of the clock's last tick, 10 ms ago at most: what changed so
# lately may have changed again without a new time.
_RECENT_NS = 50_000_000


class Scratch:
    """A folder that is put back, by name, to what it held when it was first looked at."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self._kept = self._names()
        self._changed_ns = 0

    def _names(self) -> FrozenSet[str]:
        return frozenset(listdir(self.folder))

    def tidy(self) -> bool:
        """Remove what has come since and make it the working directory; False when some stays.

        What was there before and has been changed is not put back.
        """
        if not self._is_touched():
            return True
        chdir(self.folder)
        new = self._names() - self._kept
        for name in new:
            try:
                _remove(path.join(self.folder, name))
            except (OSError, RecursionError):
                return False
        self._changed_ns = stat(self.folder).st_mtime_ns
        return True

    def _is_touched(self) -> bool:
        """Whether there is anything to do: most runs touch nothing, and are many."""
        changed_ns = stat(self.folder).st_mtime_ns
        if changed_ns != self._changed_ns or time_ns() - changed_ns < _RECENT_NS:
            return True
        return getcwd() != self.folder


def _remove(place: str) -> None:
    """Remove a file or a folder with all in it, whatever modes its maker gave it."""
    if path.islink(place) or not path.isdir(place):
        remove(place)
        return
    chmod(place, 0o700)
    for name in listdir(place):
        _remove(path.join(place, name))
    rmdir(place)
