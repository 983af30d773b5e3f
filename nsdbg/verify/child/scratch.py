"""The scratch folder between runs: what one run left there, the next must not find.

Else a program that makes a file would fail at its second run, and the verdict would depend on who
ran before.
"""

from os import chdir, chmod, getcwd, listdir, path, remove, rename, rmdir, stat
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
        try:
            if stat(self.folder).st_mode & 0o777 != 0o700:
                chmod(self.folder, 0o700)
            chdir(self.folder)
            for name in self._names() - self._kept:
                remove_tree(path.join(self.folder, name))
        except OSError:
            return False
        self._changed_ns = stat(self.folder).st_ctime_ns
        return True

    def _is_touched(self) -> bool:
        """Whether there is anything to do: most runs touch nothing, and are many."""
        changed_ns = stat(self.folder).st_ctime_ns
        if changed_ns != self._changed_ns or time_ns() - changed_ns < _RECENT_NS:
            return True
        return getcwd() != self.folder


def remove_tree(place: str) -> None:
    """Remove a file or a folder with all in it, however deep and whatever modes its maker gave it.

    A folder's folders are emptied into it before they go: no recursion, and no path grows long.
    Raises OSError.
    """
    if _is_folder(place):
        chmod(place, 0o700)
        moved = 0
        while True:
            names = listdir(place)
            if not names:
                break
            for name in names:
                inner = path.join(place, name)
                if _is_folder(inner):
                    moved = _empty_into(place, inner, moved)
                else:
                    remove(inner)
        rmdir(place)
    else:
        remove(place)


def _is_folder(place: str) -> bool:
    return path.isdir(place) and not path.islink(place)


def _empty_into(place: str, inner: str, moved: int) -> int:
    """Move what a folder holds into the one around it, and remove it; return a count of moves."""
    chmod(inner, 0o700)
    for name in listdir(inner):
        entry = path.join(inner, name)
        if _is_folder(entry):
            chmod(entry, 0o700)  # to move a folder is to change it
        moved += 1
        while path.lexists(path.join(place, "moved-%d" % moved)):
            moved += 1
        rename(entry, path.join(place, "moved-%d" % moved))
    rmdir(inner)
    return moved
