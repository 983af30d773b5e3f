"""Where records go: a folder with one file each, a file of lines, or a stream.

Files are their owner's alone (0600, in a folder 0700), are never written through a link, and are
bounded: a folder keeps the newest, a file of lines begins anew.  Python 3.8, standard library only.
"""

from __future__ import annotations

import os
import re
import stat
from time import gmtime, strftime, time

MOST_FILES = 200  # in one folder
LARGEST_BYTES = 64 << 20  # of a file of lines; one such file more is kept
LINES = (".jsonl", ".json", ".log", ".ndjson")
WHERE = "NSDBG_RECORD"

TYPE_CHECKING = False  # `typing` takes as long to import as all else here
if TYPE_CHECKING:
    from typing import IO

    Target = str | os.PathLike[str] | IO[str] | None

_OURS = re.compile(r"\d{8}T\d{6}\.\d{6}-\d+-[\w.-]{1,80}\.json$")
_TEMPORARY = os.environ.get("TEMP", ".") if os.name == "nt" else "/tmp"
_FLAGS = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class Sink:
    """Takes records as text of one line; `last` is the file that holds the last one."""

    def __init__(self, target: Target = None) -> None:
        """Write to a stream, into a file when the name ends in .jsonl or so, else into a folder.

        Without a target, into the folder that NSDBG_RECORD names, or the user's own.
        """
        self.last: str | None = None
        self._stream: IO[str] | None = None
        self._path = ""
        if target is None or isinstance(target, (str, os.PathLike)):
            # Made absolute at once: the program may change its folder before it crashes.
            self._path = os.path.abspath(target or os.environ.get(WHERE) or _own_folder())
        else:
            self._stream = target

    def write(self, line: str, name: str) -> None:
        """Write one record; `name` goes into the file's.  Raises OSError when it cannot."""
        if self._stream is not None:
            self._stream.write(line + "\n")
            self._stream.flush()
            return
        path = self._path
        if path.endswith(LINES) or os.path.isfile(path):
            _make_folder(os.path.dirname(path))
            _append(path, line)
            self.last = path
            return
        _make_folder(path)
        file = os.path.join(path, _file_name(name))
        _create(file, line)
        self.last = file
        _prune(path)


def _own_folder() -> str:
    """Return the user's folder for records; where there is no home, one below the temporary."""
    home = os.path.expanduser("~")
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(home, ".local", "state")
    if os.path.isabs(state) and os.path.isdir(home) and os.access(home, os.W_OK):
        return os.path.join(state, "nsdbg", "crashes")
    user = getattr(os, "getuid", lambda: "user")()
    return os.path.join(os.environ.get("TMPDIR") or _TEMPORARY, f"nsdbg-{user}", "crashes")


def _make_folder(path: str) -> None:
    """Make a folder and those above it, 0700; a folder in a shared one must be ours."""
    if not path or os.path.isdir(path):
        _check_owner(path or ".")
        return
    _make_folder(os.path.dirname(path))
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        _check_owner(path)


def _check_owner(path: str) -> None:
    """Refuse a folder below which somebody else could have laid a trap."""
    if not hasattr(os, "getuid"):
        return
    found = os.stat(path)
    if found.st_uid not in (os.getuid(), 0):
        raise PermissionError(f"{path} belongs to somebody else")


def _file_name(name: str) -> str:
    now = time()
    stamp = strftime("%Y%m%dT%H%M%S", gmtime(now)) + f".{int(now % 1 * 1_000_000):06}"
    return f"{stamp}-{os.getpid()}-{re.sub(r'[^a-zA-Z0-9_.-]', '_', name)[:80]}.json"


def _create(path: str, line: str) -> None:
    _write(os.open(path, _FLAGS | os.O_EXCL, 0o600), line)


def _append(path: str, line: str) -> None:
    """Append a line in one piece, so that records of several processes do not mix."""
    try:
        full = os.lstat(path).st_size + len(line) > LARGEST_BYTES
    except OSError:
        full = False
    if full:
        os.replace(path, path + ".old")
    descriptor = os.open(path, _FLAGS | os.O_APPEND, 0o600)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise PermissionError(f"{path} is no plain file")
        if hasattr(os, "fchmod") and stat.S_IMODE(found.st_mode) != 0o600:
            os.fchmod(descriptor, 0o600)
    except OSError:
        os.close(descriptor)
        raise
    _write(descriptor, line)


def _write(descriptor: int, line: str) -> None:
    data = (line + "\n").encode("utf-8")
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    finally:
        os.close(descriptor)


def _prune(folder: str) -> None:
    """Remove the oldest records of a folder that holds too many; nothing else in it is touched."""
    ours: list[str] = sorted(name for name in os.listdir(folder) if _OURS.match(name))
    for name in ours[: max(0, len(ours) - MOST_FILES)]:
        try:
            os.unlink(os.path.join(folder, name))
        except OSError:
            return
