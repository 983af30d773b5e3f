"""The audit hook: what the program under test may not do, said in words that help.

Courtesy, not a wall: C code passes it by (database drivers, mkfifo) and Python code can disarm
it.  What holds is the kernel's part.  A refusal is reported before it is raised, since the program
may swallow the exception.
"""

import errno
import json
import os
import sys
from os.path import exists
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

from . import permits
from .paths import resolve

Report = Union[int, Callable[[str, str], None]]
Refused = List[Tuple[str, str]]

_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_MOST_REPORTS = 100
_AF_UNIX = 1
_ZYGOTE = __name__.rpartition(".")[0] + ".zygote"
_IMPORTER = "<frozen importlib._bootstrap_external>"


class Blocked(PermissionError):
    """What the program under test gets for an event that the guard refuses."""


class Paths(NamedTuple):
    """Which of a path event's arguments are paths, and where the folder descriptor of each is."""

    places: Tuple[Tuple[int, Optional[int]], ...]


_ONE = Paths(((0, None),))
_CHANGES: Dict[str, Paths] = {
    "os.remove": Paths(((0, 1),)),
    "os.rmdir": Paths(((0, 1),)),
    "os.mkdir": Paths(((0, 2),)),
    "os.rename": Paths(((0, 2), (1, 3))),
    "os.link": Paths(((0, 2), (1, 3))),
    "os.symlink": Paths(((1, 2),)),
    "os.truncate": _ONE,
    "os.chmod": Paths(((0, 2),)),
    "os.chown": Paths(((0, 3),)),
    "os.utime": Paths(((0, 3),)),
    "os.setxattr": _ONE,
    "os.removexattr": _ONE,
}
# Events that are refused whatever they are about, with the argument that says what that is.
_PLAIN: Dict[str, int] = {
    "subprocess.Popen": 0,
    "os.system": 0,
    "os.exec": 0,
    "os.posix_spawn": 0,
    "os.spawn": 1,
    "os.forkpty": -1,
    "pty.spawn": 0,
    "os.killpg": 0,
    "socket.connect": 1,
    "socket.bind": 1,
    "socket.sendto": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
    "socket.getnameinfo": 0,
    "ctypes.dlsym": 1,
    "ctypes.dlsym/handle": 1,
    "ctypes.call_function": -1,
    "ctypes.cdata": -1,
    "ctypes.string_at": -1,
    "ctypes.wstring_at": -1,
    "ctypes.memoryview_at": -1,
    "sqlite3.enable_load_extension": -1,
    "sqlite3.load_extension": 1,
    "syslog.openlog": -1,
    "syslog.syslog": -1,
    "webbrowser.open": 0,
}


class Hook:
    """Decides about audit events.  One instance is installed for good.

    `hardened` takes back what the zygote's own module may do: fork, and kill its runs.
    """

    # CPython looks for it at each event; the hook is not traced, whoever traces.
    __cantrace__ = False

    def __init__(
        self, allow: Sequence[str], report: Report, readable: Sequence[str], writable: Sequence[str]
    ) -> None:
        self._permits = permits.parse(allow)
        self._write = os.write
        self._report = report
        self._reported: Set[Tuple[str, str]] = set()
        self._writable = tuple(writable)
        self._readable = (*readable, *writable)
        # Most events are imports from these: told by their beginning, without a look at the disk.
        self._beginnings = tuple(place.rstrip("/") + "/" for place in self._readable)
        self._special: Dict[str, Callable[..., Refused]] = {
            "open": self._open,
            "os.listdir": self._list,
            "os.scandir": self._list,
            "os.fork": self._fork,
            "os.kill": self._kill,
            "socket.__new__": self._socket,
            "socket.sendmsg": self._send_message,
            "ctypes.dlopen": self._load_library,
            "sqlite3.connect": self._database,
        }
        self.hardened = False

    def __call__(self, event: str, arguments: Tuple[Any, ...]) -> None:
        """Let an event pass, or report it and raise Blocked."""
        special = self._special.get(event)
        if special is not None:
            refused = special(*arguments)
        elif event in _CHANGES:
            refused = self._change(event, arguments)
        elif event in _PLAIN:
            at = _PLAIN[event]
            refused = [(event, _text(arguments[at]) if 0 <= at < len(arguments) else "")]
        else:
            return
        for name, detail in refused:
            if not permits.permitted(self._permits, name, detail):
                self.refuse(name, detail)

    def refuse(self, event: str, detail: str) -> None:
        """Report a refusal, then raise it."""
        self.tell(event, detail)
        what = "%s:%s" % (event, detail) if detail else event
        raise Blocked(
            errno.EPERM, "nsdbg's guard refused %s; to permit it: --allow %s" % (event, what)
        )

    def tell(self, event: str, detail: str) -> None:
        """Report a refusal without raising it."""
        if not isinstance(self._report, int):
            self._report(event, detail)
            return
        if (event, detail) in self._reported or len(self._reported) >= _MOST_REPORTS:
            return
        self._reported.add((event, detail))
        line = json.dumps({"blocked": [event, detail]}).encode() + b"\n"
        try:
            self._write(self._report, line)
        except OSError:
            # The program has closed our descriptor: what cannot be reported must not go on.
            os._exit(70)

    def _open(self, path: Any, mode: Any = None, flags: int = 0) -> Refused:
        if isinstance(path, int):
            return []
        if flags & _WRITES:
            return self._outside("open-write", path, self._writable)
        return self._reading("open", path)

    def _list(self, path: Any = None) -> Refused:
        if path is None or isinstance(path, int):
            return []
        # The import system looks into every folder of `sys.path`, and goes on without those that
        # it may not list.
        if sys._getframe(2).f_code.co_filename == _IMPORTER:
            return []
        return self._reading("os.listdir", path)

    def _reading(self, event: str, path: Any) -> Refused:
        if type(path) is str and path.startswith(self._beginnings) and "/.." not in path:
            return []
        refused = self._outside(event, path, self._readable)
        # What is not there fails as it would without a guard.
        return refused if refused and exists(refused[0][1]) else []

    def _change(self, event: str, arguments: Tuple[Any, ...]) -> Refused:
        refused: Refused = []
        for at, folder in _CHANGES[event].places:
            base = arguments[folder] if folder is not None and folder < len(arguments) else -1
            # The last component itself is changed, not what it links to.
            refused += self._outside(event, arguments[at], self._writable, base, follow=False)
        return refused

    def _outside(
        self, event: str, path: Any, places: Sequence[str], base: int = -1, follow: bool = True
    ) -> Refused:
        """Return the event with the resolved path when it lies in none of the places."""
        if isinstance(path, int):
            return []
        # Not `os.fsdecode` at once, nor `os.path.realpath`: builtins may be patched.
        name = path if type(path) is str else os.fsdecode(path)
        if base is not None and base >= 0 and not name.startswith("/"):
            name = "%s/%s" % (os.readlink("/proc/self/fd/%d" % base), name)
        try:
            if follow:
                name = resolve(name)
            else:
                folder, last = os.path.split(name.rstrip("/") or "/")
                name = os.path.join(resolve(folder), last)
        except (OSError, ValueError):
            return []
        if any(permits.below(name, place) for place in places):
            return []
        return [(event, name)]

    def _fork(self) -> Refused:
        own = not self.hardened and sys._getframe(2).f_globals.get("__name__") == _ZYGOTE
        return [] if own else [("os.fork", "")]

    def _kill(self, pid: int, number: int) -> Refused:
        own = not self.hardened and sys._getframe(2).f_globals.get("__name__") == _ZYGOTE
        return [] if own or pid == os.getpid() else [("os.kill", str(pid))]

    def _socket(self, instance: Any, family: int, kind: int, protocol: int) -> Refused:
        if family == _AF_UNIX or permits.opens(self._permits, permits.NETWORK):
            return []
        return [("socket.connect", "")]

    def _send_message(self, instance: Any, address: Any = None) -> Refused:
        return [] if address is None else [("socket.sendmsg", _text(address))]

    def _load_library(self, name: Any = None) -> Refused:
        return [] if name is None else [("ctypes.dlopen", _text(name))]

    def _database(self, path: Any) -> Refused:
        name = _text(path)
        if name in ("", ":memory:") or (name.startswith("file:") and "mode=memory" in name):
            return []
        return self._outside("sqlite3.connect", name, self._writable)


def _text(value: Any) -> str:
    """What an event is about, on one line; an address is its host and port."""
    if isinstance(value, (bytes, os.PathLike)):
        try:
            value = os.fsdecode(value)
        except TypeError:
            value = "?"
    if isinstance(value, (tuple, list)):
        value = ":".join(str(part) for part in value[:2])
    return str(value)[:500].replace("\n", " ")
