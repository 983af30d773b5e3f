"""What `--allow EVENT[:PREFIX]` means, for the audit hook and for the kernel's layers alike.

Events bear the names of CPython's audit events.  `open` is opening for reading; opening for
writing is `open-write`, which is ours, since CPython calls both `open`.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import FrozenSet, List, Optional, Sequence, Tuple


def _events(text: str) -> FrozenSet[str]:
    return frozenset(text.split())


READING = frozenset(["open", "os.listdir", "os.scandir"])
ATTRIBUTES = frozenset(["os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr"])
WRITING = ATTRIBUTES | _events(
    "open-write os.remove os.rmdir os.rename os.link os.symlink os.mkdir os.truncate os.mkfifo "
    "os.mknod sqlite3.connect"
)
EXECUTING = _events(
    "subprocess.Popen os.system os.exec os.posix_spawn os.spawn os.fork os.forkpty pty.spawn"
)
SIGNALLING = frozenset(["os.kill", "os.killpg"])
NETWORK = _events(
    "socket.connect socket.bind socket.sendto socket.sendmsg socket.getaddrinfo "
    "socket.gethostbyname socket.gethostbyaddr socket.getnameinfo"
)
_LOOKING_UP = frozenset(["socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"])
_IMPLYING = frozenset(["open-write", "socket.connect"])
OTHER = _events(
    "ctypes.dlopen ctypes.dlsym ctypes.dlsym/handle ctypes.call_function ctypes.cdata "
    "ctypes.string_at ctypes.wstring_at ctypes.memoryview_at sqlite3.enable_load_extension "
    "sqlite3.load_extension syslog.openlog syslog.syslog webbrowser.open"
)
EVENTS = READING | WRITING | EXECUTING | SIGNALLING | NETWORK | OTHER


class Permit:
    """One `--allow`: an event, and the prefix of what it may touch (None: anything)."""

    __slots__ = ("event", "prefix")

    def __init__(self, event: str, prefix: Optional[str] = None) -> None:
        self.event = event
        self.prefix = prefix


def parse(texts: Sequence[str]) -> Tuple[Permit, ...]:
    """Read `EVENT` or `EVENT:PREFIX`; raises ValueError for an event that nothing refuses.

    A path as prefix is made absolute, symbolic links resolved, as the hook sees it.
    """
    permits: List[Permit] = []
    for text in texts:
        event, colon, prefix = text.partition(":")
        if event not in EVENTS:
            raise ValueError("no such event: %r; one of %s" % (event, ", ".join(sorted(EVENTS))))
        if colon and event in READING | WRITING:
            prefix = os.path.realpath(prefix)
        permits.append(Permit(event, prefix if colon else None))
    return tuple(permits)


def below(path: str, folder: str) -> bool:
    """Whether an absolute path is `folder` or lies in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def permitted(permits: Sequence[Permit], event: str, detail: str) -> bool:
    """Whether one of the permits covers this event.

    Whoever may write a path may read it, and whoever may connect to a host may look it up.
    """
    for permit in permits:
        implied = READING if permit.event == "open-write" else _LOOKING_UP
        if permit.event != event and not (permit.event in _IMPLYING and event in implied):
            continue
        if permit.prefix is None:
            return True
        if event in READING | WRITING:
            if below(detail, permit.prefix):
                return True
        elif detail.startswith(permit.prefix):
            return True
    return False


def places(permits: Sequence[Permit], events: FrozenSet[str]) -> Tuple[str, ...]:
    """Return the folders and files that permits of these events name; `/` for any."""
    return tuple(permit.prefix or "/" for permit in permits if permit.event in events)


def opens(permits: Sequence[Permit], events: FrozenSet[str]) -> bool:
    """Whether any permit is for one of these events."""
    return any(permit.event in events for permit in permits)
