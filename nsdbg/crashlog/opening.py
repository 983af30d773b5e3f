"""Opening a log by its name, and saying why nothing was found in it.

Decides nothing about crashes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from nsdbg.errors import CrashLogError, NoCrashFound

STDIN = "-"
_SAMPLE = 64 << 10
_PACKED = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
}


class Log:
    """A log being read: a stream that remembers how it began."""

    def __init__(self, name: str, stream: BinaryIO) -> None:
        self.name = "standard input" if name == STDIN else name
        self.begin = b""
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; raises CrashLogError when they cannot be read."""
        try:
            data = self._stream.read(size)
        except OSError as error:
            raise CrashLogError(f"cannot read {self.name}: {error.strerror or error}") from error
        if len(self.begin) < _SAMPLE:
            self.begin += data[: _SAMPLE - len(self.begin)]
        return data

    @property
    def stream(self) -> BinaryIO:
        """The log as what `crashlog.read` takes."""
        return cast("BinaryIO", self)

    def no_crash(self) -> NoCrashFound:
        """Return the error for a log that was read to its end without finding a crash."""
        return NoCrashFound(f"no crash found in {self.name}: {_why(self.begin)}")


def _why(begin: bytes) -> str:
    if not begin:
        return "it is empty. Was the program's standard error kept (2>&1)?"
    for magic, kind in _PACKED.items():
        if begin.startswith(magic) and kind != "gzip":
            return f"it is a {kind} archive; unpack it first"
    if begin.count(b"\0") * 10 > len(begin) or _is_binary(begin):
        return "it is binary data, not text. Give the log as text (or gzip)"
    if b"Traceback" in begin:
        return (
            "it speaks of tracebacks but shows none. Keep the lines from 'Traceback (most recent "
            "call last):' to the one that names the exception"
        )
    return (
        "it holds no Python traceback. Standard error may have gone elsewhere (2>&1), or the "
        "logger drops them (logging.exception, or exc_info=True, keeps them)"
    )


def _is_binary(begin: bytes) -> bool:
    """Whether more than a tenth of the bytes are control characters or break UTF-8."""
    bad = sum(byte < 9 or 13 < byte < 27 or byte == 127 for byte in begin)
    bad += begin.decode("utf-8", "replace").count("\ufffd")
    return bad * 10 > len(begin)


@contextmanager
def open_log(name: str) -> Iterator[Log]:
    """Open a log by path, or standard input for `-`.

    Raises CrashLogError when it is not there, is a directory or may not be read.
    """
    if name == STDIN:
        yield Log(name, sys.stdin.buffer)
        return
    path = Path(name)
    try:
        stream = path.open("rb")
    except IsADirectoryError:
        raise CrashLogError(f"{name} is a directory: name the log file in it") from None
    except FileNotFoundError:
        raise CrashLogError(f"there is no file {name} (use - for standard input)") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CrashLogError(f"cannot read {name}: {reason}") from error
    with stream:
        yield Log(name, stream)
