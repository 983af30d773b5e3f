"""Landlock: the kernel lets this process and its children open only what is listed.

Not covered by Landlock itself: `stat`, `chmod`, `chown`, `utime`, `setxattr`, `chdir`, sockets
other than TCP (before ABI 4 all), signals and abstract sockets before ABI 6, and what is already
open.  Numbers are those of `linux/landlock.h`.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct

from . import libc

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import Iterable, Tuple

    Rule = Tuple[str, int]

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE = 1 << 4, 1 << 5
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK = 1 << 6, 1 << 7, 1 << 8, 1 << 9
MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = 1 << 10, 1 << 11, 1 << 12
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15

BIND_TCP, CONNECT_TCP = 1 << 0, 1 << 1
SCOPE_ABSTRACT_SOCKET, SCOPE_SIGNAL = 1 << 0, 1 << 1

READ = EXECUTE | READ_FILE | READ_DIR
# What a sandbox may do in its scratch folder: all but running and making devices.
SCRATCH = (1 << 15) - 1 & ~(EXECUTE | MAKE_CHAR | MAKE_BLOCK)
# Rights that mean something for a file that is not a folder; the kernel refuses others there.
_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

_RULE_PATH_BENEATH = 1
_VERSION_FLAG = 1


def abi() -> int:
    """Return the kernel's Landlock version; raises OSError where there is none."""
    return libc.syscall(libc.SYS_LANDLOCK_CREATE, 0, 0, _VERSION_FLAG)


def _handled(version: int) -> int:
    """The file system rights that this version of Landlock knows."""
    newest = IOCTL_DEV if version >= 5 else TRUNCATE if version >= 3 else REFER
    return (newest << 1) - 1 if version >= 2 else (MAKE_SYM << 1) - 1


def restrict(rules: Iterable[Rule], network: bool, signals: bool) -> str:
    """Confine this process to `rules`, each a path and the rights below it, for good.

    Paths that are not there are left out.  `network`: refuse TCP too; `signals`: refuse signals
    to processes outside, where the version knows how.  Returns what it holds, in words; raises
    OSError where the kernel has no Landlock.
    """
    version = abi()
    handled = _handled(version)
    net = BIND_TCP | CONNECT_TCP if network and version >= 4 else 0
    scoped = SCOPE_ABSTRACT_SOCKET | (SCOPE_SIGNAL if signals else 0) if version >= 6 else 0
    packed = struct.pack("=QQQ", handled, net, scoped)
    size = 8 if version < 4 else 16 if version < 6 else 24
    ruleset = libc.syscall(libc.SYS_LANDLOCK_CREATE, ctypes.c_char_p(packed), size, 0)
    try:
        for path, rights in rules:
            _add(ruleset, path, rights & handled)
        libc.no_new_privileges()
        libc.syscall(libc.SYS_LANDLOCK_RESTRICT, ruleset, 0)
    finally:
        os.close(ruleset)
    held = ["files"] + ["TCP"] * bool(net) + ["signals"] * bool(scoped & SCOPE_SIGNAL)
    return "ABI %d: %s" % (version, ", ".join(held))


def _add(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _FILE
        packed = struct.pack("=Qi", rights, place)
        if rights:
            libc.syscall(
                libc.SYS_LANDLOCK_ADD, ruleset, _RULE_PATH_BENEATH, ctypes.c_char_p(packed), 0
            )
    finally:
        os.close(place)
