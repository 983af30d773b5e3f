"""One process that was spawned in a sandbox, and the channel on which its launcher tells of it.

What it tells: the layers, whether the target's interpreter runs, and what the kernel refused.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
from dataclasses import dataclass

from nsdbg.errors import GuardError

LAUNCH_TIMEOUT_S = 20.0
_KILL_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of the guard: whether it holds and, in one line, how or why not."""

    name: str
    active: bool
    why: str


class Launched:
    """One spawned process with the launcher's channel: its layers, then its refusals."""

    def __init__(self, popen: subprocess.Popen[bytes], status: int, life: int) -> None:
        self.popen = popen
        self._status = status
        self._life = life
        self._rest = b""
        self._error = ""
        self._started = False
        self._layers: list[Layer] = []
        self._refused: list[str] = []
        os.set_blocking(status, False)

    def launched(self) -> list[Layer]:
        """Wait for the launcher's word; raises GuardError when it failed or went away."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._status, selectors.EVENT_READ)
            while not self._started and not self._error:
                if not selector.select(LAUNCH_TIMEOUT_S) or not self._read():
                    self._error = "its launcher ended without a word"
        self._read()
        if self._error:
            raise GuardError(f"the sandbox did not start: {self._error}")
        return self._layers

    def refusals(self) -> list[str]:
        """Take the refusals that have come."""
        while self._read():
            pass
        taken, self._refused = self._refused, []
        return taken

    def _read(self) -> bool:
        """Read what is there; False when nothing is, or at the end."""
        try:
            data = os.read(self._status, 1 << 16)
        except BlockingIOError:
            return False
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(*line.decode("utf-8", "replace").split("\t"))
        return bool(data)

    def _take(self, kind: str, *words: str) -> None:
        if kind == "error":
            self._error = words[0]
        elif kind == "layer":
            self._layers.append(Layer(words[0], words[1] == "active", words[2]))
        elif kind == "started":
            self._started = True
        elif kind == "refused":
            self._refused.append(f"{words[0]}:{words[1]}")

    def end(self) -> None:
        """End the supervisor, which ends the rest; when it does not, kill it and its group."""
        os.close(self._life)
        with contextlib.suppress(ProcessLookupError):
            self.popen.send_signal(signal.SIGTERM)
        try:
            self.popen.wait(_KILL_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
            self.popen.kill()
            self.popen.wait()
        os.close(self._status)
