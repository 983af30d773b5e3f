"""Lines over pipes: JSON out without what a target may have patched, whole lines in.

`json` works through classes and builtins that programs patch; its C parts do not.
"""

import json
from fcntl import F_DUPFD_CLOEXEC, fcntl
from json import encoder, scanner
from os import close, read, write
from typing import Any, Iterator, List

_CHUNK = 1 << 16


def _make_encode() -> Any:
    make = getattr(encoder, "c_make_encoder", None)
    if make is None:  # pragma: no cover - an interpreter without the C encoder
        return json.JSONEncoder(separators=(",", ":")).encode
    quote = encoder.encode_basestring_ascii
    write_chunks = make(None, None, quote, None, ":", ",", False, False, True)
    join = "".join
    return lambda value: join(write_chunks(value, 0))


def _make_decode() -> Any:
    scan = getattr(scanner, "c_make_scanner", None)
    if scan is None:  # pragma: no cover - an interpreter without the C scanner
        return json.loads
    scan_once = scan(json.JSONDecoder())
    return lambda line: scan_once(line.decode(), 0)[0]


encode = _make_encode()
decode = _make_decode()


def send(fd: int, data: bytes) -> None:
    """Write all of `data`."""
    view = memoryview(data)
    while view:
        view = view[write(fd, view) :]


class LineReader:
    """Splits what comes from a descriptor into lines; a last line without its end is dropped.

    `size` counts the bytes that still lack theirs.
    """

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.size = 0
        self._parts: List[bytes] = []

    def take(self, data: bytes) -> List[bytes]:
        """Return the lines that are whole now that `data` came."""
        if b"\n" not in data:
            self._parts.append(data)
            self.size += len(data)
            return []
        lines = b"".join([*self._parts, data]).split(b"\n")
        self._parts = [lines.pop()]
        self.size = len(self._parts[0])
        return lines

    def __iter__(self) -> Iterator[bytes]:
        """Yield lines until the other side closes."""
        while True:
            data = read(self.fd, _CHUNK)
            if not data:
                return
            for line in self.take(data):
                yield line


def raise_descriptor(fd: int, least: int = 200) -> int:
    """Move a descriptor to a high number, where a target does not stumble upon it."""
    try:
        high = fcntl(fd, F_DUPFD_CLOEXEC, least)
    except (OSError, ValueError):
        return fd  # the limit on descriptors is lower
    close(fd)
    return high
