"""The C library's few calls that Python does not offer: raw system calls, `prctl`, `mount`.

Needs ctypes and Linux.  Every failure is an OSError with the kernel's own reason.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import Optional

SYS_SECCOMP = {"x86_64": 317, "aarch64": 277}
SYS_MOUNT_SETATTR = 442
SYS_PIDFD_OPEN, SYS_PIDFD_GETFD = 434, 438
SYS_LANDLOCK_CREATE, SYS_LANDLOCK_ADD, SYS_LANDLOCK_RESTRICT = 444, 445, 446

PR_SET_PDEATHSIG = 1
PR_SET_KEEPCAPS = 8
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47

_LINUX = sys.platform.startswith("linux")
_library: Optional[ctypes.CDLL] = None


def machine() -> str:
    """Return the processor as Linux names it; `?` on other systems and for a 32-bit Python."""
    return os.uname().machine if _LINUX and sys.maxsize > 2**32 else "?"


def load() -> ctypes.CDLL:
    """Open the library and look up what runs need, before anybody watches for that.

    Raises OSError on other systems, where the same numbers are other calls.
    """
    global _library
    if not _LINUX:
        raise OSError(errno.ENOSYS, "not on this system")
    if _library is None:
        _library = ctypes.CDLL(None, use_errno=True)
        _library.syscall.restype = ctypes.c_long
        _library.prctl.restype = ctypes.c_int
        _library.process_vm_readv.restype = ctypes.c_ssize_t
    return _library


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, "%s: %s" % (what, os.strerror(number)))
    return result


def syscall(number: int, *arguments: object) -> int:
    """Make a system call; integers and ctypes objects as arguments.  Raises OSError."""
    wide = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    return _checked(load().syscall(ctypes.c_long(number), *wide), "system call %d" % number)


def prctl(option: int, *arguments: int) -> int:
    """Call `prctl`; missing arguments are zero, as the kernel wants them.  Raises OSError."""
    padded = [ctypes.c_ulong(item) for item in [*arguments, 0, 0, 0, 0][:4]]
    return _checked(load().prctl(ctypes.c_int(option), *padded), "prctl %d" % option)


def unshare(flags: int) -> None:
    """Leave the namespaces in `flags` for new ones.  Raises OSError."""
    _checked(load().unshare(ctypes.c_int(flags)), "unshare")


def mount(source: Optional[bytes], target: bytes, kind: Optional[bytes], flags: int) -> None:
    """Call `mount(2)` without data.  Raises OSError."""
    result = load().mount(source, target, kind, ctypes.c_ulong(flags), None)
    _checked(result, "mount %s" % os.fsdecode(target))


def capset(header: "ctypes.Array[ctypes.c_char]", data: "ctypes.Array[ctypes.c_char]") -> None:
    """Call `capset(2)`.  Raises OSError."""
    _checked(load().capset(header, data), "capset")


class _Range(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def read_memory(pid: int, address: int, size: int) -> bytes:
    """Return bytes of another process's memory, from one page.  Raises OSError."""
    buffer = ctypes.create_string_buffer(size)
    ours = _Range(ctypes.cast(buffer, ctypes.c_void_p), size)
    theirs = _Range(address, size)
    one, none = ctypes.c_ulong(1), ctypes.c_ulong(0)
    count = _checked(
        load().process_vm_readv(pid, ctypes.byref(ours), one, ctypes.byref(theirs), one, none),
        "process_vm_readv",
    )
    return buffer.raw[:count]


def copy_descriptor(pid: int, descriptor: int) -> int:
    """Return a copy of another process's descriptor.  Raises OSError."""
    process = syscall(SYS_PIDFD_OPEN, pid, 0)
    try:
        return syscall(SYS_PIDFD_GETFD, process, descriptor, 0)
    finally:
        os.close(process)


def no_new_privileges() -> None:
    """Give up gaining rights through `execve`; Landlock and seccomp ask for it."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
