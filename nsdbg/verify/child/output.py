"""What the program prints, and what it reads: bounded streams in place of its standard ones.

Sees what goes through `sys.stdout`; what C code writes to descriptor 1 goes where the zygote
pointed that descriptor.
"""

import io
import sys
from typing import Any, List

MAX_OUTPUT = 65536


class Sink(io.BufferedIOBase):
    """Keeps the first `MAX_OUTPUT` bytes and forgets the rest."""

    def __init__(self, fd: int) -> None:
        super().__init__()
        self._fd = fd
        self.size = 0
        self.parts: List[bytes] = []

    def writable(self) -> bool:
        """Whether it can be written to: yes."""
        return True

    def fileno(self) -> int:
        """Return the descriptor that the stream stands for."""
        return self._fd

    def write(self, data: Any) -> int:
        """Keep what still fits; claims to have written all."""
        size = len(data)
        if self.size < MAX_OUTPUT:
            self.parts.append(bytes(data[: MAX_OUTPUT - self.size]))
        self.size += size
        return size


class Streams:
    """The program's standard streams for one run at a time."""

    def __init__(self) -> None:
        self._open()

    def _open(self) -> None:
        self._sink, self._errors = Sink(1), Sink(2)
        self._stdout = io.TextIOWrapper(self._sink, "utf-8", newline="\n")
        self._stderr = io.TextIOWrapper(self._errors, "utf-8", "backslashreplace", newline="\n")

    def begin(self, stdin: str = "") -> None:
        """Give the program fresh streams."""
        if self._stdout.closed or self._stderr.closed:
            self._open()
        self._clear()
        sys.stdout = sys.__stdout__ = self._stdout
        sys.stderr = sys.__stderr__ = self._stderr
        data = io.BytesIO(stdin.encode("utf-8", "surrogatepass"))
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(data, "utf-8", "surrogateescape")

    def _clear(self) -> None:
        for stream, sink in ((self._stdout, self._sink), (self._stderr, self._errors)):
            stream.flush()
            if sink.size:
                sink.size = 0
                sink.parts = []

    def take(self) -> str:
        """Return what was printed since the beginning, or since the last call."""
        try:
            self._stdout.flush()
        except ValueError:
            pass  # the program closed it; what was flushed before is in the sink
        if not self._sink.parts:
            return ""
        data = b"".join(self._sink.parts)
        self._sink.parts = []
        return data.decode("utf-8", "replace")
