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


def _text(sink: Any, errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(sink, "utf-8", errors, "\n")


class Streams:
    """The program's standard streams for one run at a time."""

    def __init__(self) -> None:
        self._stdin = io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape")
        self._open()

    def _open(self) -> None:
        self._sink, self._errors = Sink(1), Sink(2)
        self._stdout = _text(self._sink, "strict")
        self._stderr = _text(self._errors, "backslashreplace")

    def begin(self, stdin: str = "") -> None:
        """Give the program fresh streams."""
        if self._stdout.closed or self._stderr.closed:
            self._open()
        for stream, sink in ((self._stdout, self._sink), (self._stderr, self._errors)):
            stream.flush()
            if sink.size:
                sink.size = 0
                sink.parts = []
        if stdin or self._stdin.closed:
            data = io.BytesIO(stdin.encode("utf-8", "surrogatepass"))
            self._stdin = io.TextIOWrapper(data, "utf-8", "surrogateescape")
        sys.stdin, sys.stdout, sys.stderr = self._stdin, self._stdout, self._stderr
        for name in ("stdin", "stdout", "stderr"):
            setattr(sys, "__%s__" % name, getattr(sys, name))

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
