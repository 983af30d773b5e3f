"""Sees changes to files that other layers refuse, so that a record is left also where C code tries.

Only looks: the call goes on, and Landlock and the read-only mounts decide, which no other thread
can deceive by changing a path in memory.  Not seen: opening for reading, and what goes through a
descriptor that is open already.  A relative path is taken from the scratch folder.
"""

from __future__ import annotations

import ctypes
import os

from . import libc
from .paths import resolve
from .permits import below

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import Dict, List, Optional, Sequence, Tuple

    # Which arguments are the folder's descriptor (None: there is none) and the path.
    Places = Tuple[Tuple[Optional[int], int], ...]

_AT_FDCWD, _AT_REMOVEDIR = -100, 0x200
_LONGEST_PATH, _PAGE = 4096, 4096
# Devices that anybody may write to, to no effect.
_SINKS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty")

_FIRST: Places = ((None, 0),)
_AT: Places = ((0, 1),)
CHANGES: Dict[str, Tuple[str, Places]] = {
    "open": ("open-write", _FIRST),
    "openat": ("open-write", _AT),
    "creat": ("open-write", _FIRST),
    "unlink": ("os.remove", _FIRST),
    "unlinkat": ("os.remove", _AT),
    "rmdir": ("os.rmdir", _FIRST),
    "mkdir": ("os.mkdir", _FIRST),
    "mkdirat": ("os.mkdir", _AT),
    "rename": ("os.rename", ((None, 0), (None, 1))),
    "renameat": ("os.rename", ((0, 1), (2, 3))),
    "renameat2": ("os.rename", ((0, 1), (2, 3))),
    "link": ("os.link", ((None, 0), (None, 1))),
    "linkat": ("os.link", ((0, 1), (2, 3))),
    "symlink": ("os.symlink", ((None, 1),)),
    "symlinkat": ("os.symlink", ((1, 2),)),
}
ATTRIBUTES: Dict[str, Tuple[str, Places]] = {
    "chmod": ("os.chmod", _FIRST),
    "fchmodat": ("os.chmod", _AT),
    "fchmodat2": ("os.chmod", _AT),
    "chown": ("os.chown", _FIRST),
    "lchown": ("os.chown", _FIRST),
    "fchownat": ("os.chown", _AT),
    "utime": ("os.utime", _FIRST),
    "utimes": ("os.utime", _FIRST),
    "utimensat": ("os.utime", _AT),
    "futimesat": ("os.utime", _AT),
    "setxattr": ("os.setxattr", _FIRST),
    "lsetxattr": ("os.setxattr", _FIRST),
    "removexattr": ("os.removexattr", _FIRST),
    "lremovexattr": ("os.removexattr", _FIRST),
}


class Witness:
    """Looks at calls that change files; `writable` is where that is nobody's business.

    `left` are the groups, `attributes` and `truncate`, that the filter leaves to other layers.
    """

    def __init__(self, writable: Sequence[str], left: Sequence[str]) -> None:
        self._writable = tuple(writable)
        self.calls = dict(CHANGES)
        if "attributes" in left:
            self.calls.update(ATTRIBUTES)
        if "truncate" in left:
            self.calls["truncate"] = ("os.truncate", _FIRST)

    def see(self, call: str, pid: int, arguments: List[int]) -> Optional[Tuple[str, str]]:
        """Return the event and the path when a call would change something outside."""
        event, places = self.calls[call]
        if call == "unlinkat" and arguments[2] & _AT_REMOVEDIR:
            event = "os.rmdir"
        for folder, at in places:
            path = self._path(pid, None if folder is None else arguments[folder], arguments[at])
            if path is None:
                continue
            if event == "open-write":
                path = resolve(path)
            else:
                parent, name = os.path.split(path.rstrip("/") or "/")
                path = os.path.join(resolve(parent), name)
            if path not in _SINKS and not any(below(path, place) for place in self._writable):
                return event, path
        return None

    def _path(self, pid: int, folder: Optional[int], address: int) -> Optional[str]:
        """Return the absolute path of an argument; None when it cannot be told."""
        try:
            name = os.fsdecode(_text(pid, address))
            if name.startswith("/") or not name:
                return name or None
            descriptor = ctypes.c_int(_AT_FDCWD if folder is None else folder).value
            if descriptor == _AT_FDCWD:
                return os.path.join(self._writable[0], name)
            copy = libc.copy_descriptor(pid, descriptor)
            try:
                return os.path.join(os.readlink("/proc/self/fd/%d" % copy), name)
            finally:
                os.close(copy)
        except OSError:
            return None


def _text(pid: int, address: int) -> bytes:
    """Return the string at an address of another process; raises OSError."""
    if address == 0:
        return b""
    found = b""
    while len(found) < _LONGEST_PATH:
        size = _PAGE - address % _PAGE
        part = libc.read_memory(pid, address, size)
        end = part.find(b"\0")
        if end >= 0:
            return found + part[:end]
        found += part
        address += size
    return found
