"""The in-process part of the guard: the audit hook, and what a single run gives up.

The hook is courtesy: it gives the message and the record.  C code passes it by and Python code
can disarm it; what holds is the kernel's part, which the launcher applied before.
"""

import os
import sys  # noqa: F401

_WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Blocked(PermissionError):
    """What the program under test gets for an event that the guard refuses."""


def install_hook(allow, report, readable=(), writable=()):
    """Refuse and report what leaves the scratch folder; cannot be undone.

    `allow`: `EVENT` or `EVENT:PREFIX` strings.  `report`: a file descriptor, which gets one JSON
    line `{"blocked": [event, detail]}` for each block, or a callable taking `(event, detail)`.
    `readable`, `writable`: absolute real paths; what is writable is readable too.
    """


def harden_run(allow=(), cpu_s=None):
    """Give up forking, executing and signalling others; called in each forked run.

    Returns the names of what was applied.  `cpu_s` lowers the CPU limit of this process.
    """
    return ()
