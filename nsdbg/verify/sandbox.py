"""The guard's parent side: a scratch folder, an environment, and processes under the layers.

Not covered here: what the layers themselves hold (`docs/sandbox.md`), time limits of single runs
(the runner's), and the audit hook (`child/guard.py`).
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

LAUNCHER = Path(__file__).with_name("child") / "launch.py"

Stream = int | IO[bytes] | None


@dataclass(frozen=True, slots=True)
class SandboxConfig:
    """What a sandbox is for: an interpreter, what it may read, what it may use.

    `readable` are files and folders besides the interpreter's own.  `allow` are `EVENT[:PREFIX]`
    as the user gave them.  `processes` counts processes and threads; `cpu_s` is for one process.
    `without` names layers to leave out, for tests that show what each one holds.
    """

    python: Path
    readable: tuple[Path, ...] = ()
    allow: tuple[str, ...] = ()
    memory_bytes: int = 1 << 30
    cpu_s: int = 60
    processes: int = 64
    file_bytes: int = 16 << 20
    without: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of the guard: whether it holds and, in one line, how or why not."""

    name: str
    active: bool
    why: str


class Sandbox:
    """A scratch folder and the processes that run in it; a context manager.

    Several processes may be spawned in one sandbox; they share the scratch folder and its end.
    """

    def __init__(self, config: SandboxConfig) -> None:
        self.config = config
        self._children: list[subprocess.Popen[bytes]] = []
        self._scratch: Path | None = None

    def __enter__(self) -> Sandbox:
        self._scratch = Path(tempfile.mkdtemp(prefix="nsdbg-"))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill what runs and remove the scratch folder; closing twice is fine."""
        self.kill()
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)
            self._scratch = None

    @property
    def scratch(self) -> Path:
        """The private folder: working directory, HOME and TMPDIR of what is spawned."""
        if self._scratch is None:
            raise RuntimeError("a sandbox has a scratch folder only inside its `with`")
        return self._scratch

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers as the latest spawned process got them; before any spawn, as probed."""
        return probe_layers()

    def spawn(
        self,
        argv_tail: Sequence[str],
        environment: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
        stdin: Stream = subprocess.DEVNULL,
        stdout: Stream = subprocess.DEVNULL,
        stderr: Stream = subprocess.DEVNULL,
    ) -> subprocess.Popen[bytes]:
        """Start the target's interpreter with `-s -B` and these arguments, under the layers.

        `environment` is added to the allow-listed variables (`PYTHONHASHSEED`, `TZ`, `LC_ALL`);
        `-I` would ignore them, and what the user's own environment holds is not passed on.
        The process has its own session; its working directory is `scratch`.
        """
        plan = {"memory_bytes": self.config.memory_bytes, "file_bytes": self.config.file_bytes}
        command = [sys.executable, "-I", "-S", str(LAUNCHER), json.dumps(plan)]
        child = subprocess.Popen(
            [*command, str(self.config.python), "-s", "-B", *argv_tail],
            cwd=self.scratch,
            env={**self._environment(), **(environment or {})},
            pass_fds=tuple(pass_fds),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
        self._children.append(child)
        return child

    def _environment(self) -> dict[str, str]:
        scratch = str(self.scratch)
        return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": scratch, "TMPDIR": scratch}

    def refusals(self) -> tuple[str, ...]:
        """Return what the kernel's layers refused since the last call, as `event:detail`.

        Only what the supervisor sees (seccomp); the audit hook reports on its own channel.
        """
        return ()

    def kill(self) -> None:
        """Kill everything that was spawned here, also what left its process group."""
        for child in self._children:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        self._children.clear()


def probe_layers() -> tuple[Layer, ...]:
    """Return what this machine can hold, without starting anything of a target."""
    return (
        Layer("environment", True, "allow-listed variables, private cwd, HOME and TMPDIR"),
        Layer("process-group", True, "own session, killed as a whole"),
    )


def is_strong(layers: Sequence[Layer]) -> bool:
    """Whether the kernel holds code that passes the audit hook by (extension modules, ctypes)."""
    active = {layer.name for layer in layers if layer.active}
    return {"landlock", "seccomp"} <= active
