"""Who the target runs as: no capabilities, and an unused user when started by root.

Root ignores RLIMIT_NPROC and file modes, so a target of root's gets a number that nobody has.
Where the interpreter lies below somebody's private folder, that user may not even read it: one
capability, to read and search everywhere, is then kept, and Landlock decides what is read.
"""

from __future__ import annotations

import ctypes
import os
import struct

from . import libc

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import Optional

CAP_DAC_READ_SEARCH = 2
_LAST_CAPABILITY = 63
_VERSION = 0x20080522
_AMBIENT_RAISE = 2


def become(uid: Optional[int], read_all: bool) -> None:
    """Switch to `uid` (None: stay) and give up every capability, or all but reading.

    Raises OSError when the user cannot be switched to.
    """
    kept = 1 << CAP_DAC_READ_SEARCH if read_all else 0
    for capability in range(_LAST_CAPABILITY + 1):
        if not kept >> capability & 1 and not _drop_bound(capability):
            break
    if uid is not None:
        libc.prctl(libc.PR_SET_KEEPCAPS, 1)
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    _set_capabilities(kept)
    if kept:
        libc.prctl(libc.PR_CAP_AMBIENT, _AMBIENT_RAISE, CAP_DAC_READ_SEARCH)


def _drop_bound(capability: int) -> bool:
    """Take a capability out of reach for good; False where there is none, or no right to."""
    try:
        libc.prctl(libc.PR_CAPBSET_DROP, capability)
    except OSError:
        return False
    return True


def _set_capabilities(kept: int) -> None:
    """Make `kept` all that is effective, permitted and inheritable."""
    header = ctypes.create_string_buffer(struct.pack("=Ii", _VERSION, 0))
    low, high = kept & 0xFFFFFFFF, kept >> 32
    data = ctypes.create_string_buffer(struct.pack("=6I", low, low, low, high, high, high))
    libc.capset(header, data)
