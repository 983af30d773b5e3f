"""Namespaces: no network, no other processes, no shared memory, and all but scratch read-only.

Not everybody may make them: an ordinary user needs user namespaces, which some systems forbid,
and root needs CAP_SYS_ADMIN, which containers take away.  Then nothing is changed.
"""

from __future__ import annotations

import ctypes
import os
import struct

from . import libc

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import Sequence, Tuple

NEW_MOUNTS, NEW_IPC, NEW_USER = 0x00020000, 0x08000000, 0x10000000
NEW_PIDS, NEW_NETWORK = 0x20000000, 0x40000000

_MS_BIND, _MS_REC, _MS_PRIVATE = 4096, 16384, 1 << 18
_AT_FDCWD, _AT_RECURSIVE, _READ_ONLY = -100, 0x8000, 1


def enter(network: bool, pids: bool) -> str:
    """Leave for new namespaces, of the network and of processes as asked; the rest always.

    Children, not this process, are in the new process namespace.  An ordinary user goes through
    a user namespace in which the user keeps the same number.  Returns what is new, in words;
    raises OSError, with nothing changed, where it is forbidden.
    """
    uid, gid = os.geteuid(), os.getegid()
    flags = NEW_MOUNTS | NEW_IPC | (NEW_NETWORK if network else 0) | (NEW_PIDS if pids else 0)
    libc.unshare(flags if uid == 0 else flags | NEW_USER)
    if uid != 0:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", "%d %d 1" % (uid, uid))
        _write("/proc/self/gid_map", "%d %d 1" % (gid, gid))
    new = ["user"] * (uid != 0) + ["network"] * network + ["processes"] * pids
    return ", ".join([*new, "ipc"])


def _write(path: str, text: str) -> None:
    with open(path, "w") as file:
        file.write(text)


def make_read_only(writable: Sequence[str]) -> None:
    """Make every mount read-only in this mount namespace, but for the folders in `writable`.

    Also `chmod` and the like then fail outside, which Landlock leaves open.  Raises OSError where
    the kernel is older than 5.12.  The caller has to change into its working directory again.
    """
    libc.mount(None, b"/", None, _MS_REC | _MS_PRIVATE)
    for path in writable:
        name = os.fsencode(path)
        libc.mount(name, name, None, _MS_BIND | _MS_REC)
    _set_attributes("/", (_READ_ONLY, 0))
    for path in writable:
        _set_attributes(path, (0, _READ_ONLY))


def _set_attributes(path: str, set_and_clear: Tuple[int, int]) -> None:
    packed = struct.pack("=QQQQ", *set_and_clear, 0, 0)
    libc.syscall(
        libc.SYS_MOUNT_SETATTR, _AT_FDCWD, ctypes.c_char_p(os.fsencode(path)), _AT_RECURSIVE,
        ctypes.c_char_p(packed), len(packed),
    )  # fmt: skip
