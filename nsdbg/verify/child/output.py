"""What the program prints, and what it reads: bounded streams in place of its standard ones.

Sees what goes through `sys.stdout`; what C code writes to descriptor 1 goes where the zygote
pointed that descriptor.
"""

import io
import os
import sys
from typing import Any, List, Optional

MAX_OUTPUT = 65536
# As a program may read it off its streams; the first side spells it so, the others another way.
ENCODING = "utf-8"


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


def _empty() -> Any:
    return io.TextIOWrapper(io.BytesIO(), ENCODING, "surrogateescape")


def _text(sink: Any, errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(sink, ENCODING, errors, "\n")


def _point_stdin(data: bytes) -> None:
    """Put data into descriptor 0, as a file: programs ask for its size, and read it at once."""
    name = os.path.join(os.environ.get("TMPDIR", "."), "stdin-%d" % os.getpid())
    fd = os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    os.unlink(name)
    os.write(fd, data)
    os.lseek(fd, 0, os.SEEK_SET)
    os.dup2(fd, 0)
    os.close(fd)


class Streams:
    """The program's standard streams for one run at a time."""

    def __init__(self) -> None:
        self._stdin = _empty()
        self._open()

    def _open(self) -> None:
        self._sink, self._errors = Sink(1), Sink(2)
        self._stdout = _text(self._sink, "strict")
        self._stderr = _text(self._errors, "backslashreplace")

    def begin(self, stdin: Optional[str] = None) -> None:
        """Give the program fresh streams; `stdin` is also what descriptor 0 gives."""
        try:
            self._stdout.flush()
            self._stderr.flush()
        except ValueError:  # the run before closed one, or detached it
            self._open()
        for sink in (self._sink, self._errors):
            if sink.size:
                sink.size = 0
                sink.parts = []
        if stdin is not None:
            _point_stdin(stdin.encode("utf-8", "surrogatepass"))
            source = io.BufferedReader(io.FileIO(0, closefd=False))
            self._stdin = io.TextIOWrapper(source, ENCODING, "surrogateescape")
        elif self._stdin.closed:
            self._stdin = _empty()
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
