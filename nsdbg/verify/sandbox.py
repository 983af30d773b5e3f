"""The guard's parent side: a scratch folder, an environment, and processes under the layers.

Not covered here: what the layers themselves hold (`docs/sandbox.md`), time limits of single runs
(the runner's), and the audit hook (`child/guard.py`), which the child installs by itself.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO

from nsdbg.errors import GuardError
from nsdbg.verify import reach
from nsdbg.verify.child import permits
from nsdbg.verify.child.plan import Plan
from nsdbg.verify.child.scratch import remove_tree
from nsdbg.verify.launched import LAUNCH_TIMEOUT_S, Launched, Layer

__all__ = ["LAYERS", "Layer", "Sandbox", "SandboxConfig", "is_strong", "probe_layers"]

LAUNCHER = reach.CHILD / "launch.py"
LAYERS = (
    "process-group", "environment", "namespaces", "landlock", "seccomp", "unprivileged-user",
    "rlimits", "audit-hook",
)  # fmt: skip

# systemd gives these numbers to users that exist for as long as a service does.
_FREE_UIDS = range(61184, 65520)

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

    def __post_init__(self) -> None:
        unknown = self.without - set(LAYERS)
        if unknown:
            raise ValueError(f"no such layer: {', '.join(sorted(unknown))}")


class Sandbox:
    """A scratch folder and the processes that run in it; a context manager.

    Several processes may be spawned in one sandbox; they share the scratch folder, the user and
    their end.  Raises GuardError for an `allow` that names no event.
    """

    def __init__(self, config: SandboxConfig) -> None:
        try:
            self.permits = permits.parse(config.allow)
        except ValueError as error:
            raise GuardError(f"--allow: {error}") from error
        self.config = config
        self._children: list[Launched] = []
        self._scratch: Path | None = None
        self._uid: int | None = None
        self._uid_lock: socket.socket | None = None

    def __enter__(self) -> Sandbox:
        if os.name != "posix":
            raise GuardError("checks by running need Linux or another POSIX system; use --no-exec")
        self._scratch = Path(tempfile.mkdtemp(prefix="nsdbg-")).resolve()
        if self._wants_user():
            self._take_user()
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
        if self._uid_lock is not None:
            self._uid_lock.close()
            self._uid_lock = None
        if self._scratch is not None:
            with contextlib.suppress(OSError):
                remove_tree(str(self._scratch))
            self._scratch = None

    @property
    def scratch(self) -> Path:
        """The private folder: working directory, HOME and TMPDIR of what is spawned."""
        if self._scratch is None:
            raise RuntimeError("a sandbox has a scratch folder only inside its `with`")
        return self._scratch

    @property
    def readable(self) -> tuple[str, ...]:
        """What may be read besides the scratch folder, resolved: for the audit hook too."""
        config = self.config
        places = [*reach.interpreter_reads(config.python), *config.readable, reach.CHILD]
        places += map(Path, reach.PUBLIC)
        if permits.opens(self.permits, permits.NETWORK):
            places += map(Path, reach.NETWORK)
        if permits.opens(self.permits, permits.EXECUTING):
            places += map(Path, reach.PROGRAMS)
        allowed = permits.places(self.permits, permits.READING)
        return tuple(dict.fromkeys([*map(os.path.realpath, places), *allowed]))

    @property
    def writable(self) -> tuple[str, ...]:
        """The scratch folder and what the user allowed to be written, resolved."""
        return (str(self.scratch), *permits.places(self.permits, permits.WRITING))

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers as the latest spawned process got them; waits until its launcher said so.

        Raises GuardError when the process could not be started.
        """
        if not self._children:
            raise RuntimeError("layers are known once something was spawned")
        told = [*self._own_layers(), *self._children[-1].launched()]
        return tuple(sorted(told, key=lambda layer: LAYERS.index(layer.name)))

    def _own_layers(self) -> list[Layer]:
        told = {
            "process-group": "own session, ended as a whole, with the parent too",
            "environment": "allow-listed variables; private cwd, HOME and TMPDIR",
            "audit-hook": "installed before the target is imported",
        }
        return [
            Layer(name, name not in self.config.without,
                  "left out on request" if name in self.config.without else why)
            for name, why in told.items()
        ]  # fmt: skip

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
        The process that comes back is the supervisor's: it ends as the target does, and killing
        it ends the sandbox.
        """
        status, life = os.pipe(), os.pipe()
        try:
            plan = self._plan(status[1], life[0]).dump()
            command = [sys.executable, "-I", "-S", str(LAUNCHER), *plan]
            child = subprocess.Popen(
                [*command, os.path.abspath(self.config.python), "-s", "-B", *argv_tail],
                cwd=self.scratch,
                env={**self._environment(), **(environment or {})},
                pass_fds=(*pass_fds, status[1], life[0]),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                start_new_session="process-group" not in self.config.without,
            )
        finally:
            os.close(status[1])
            os.close(life[0])
        self._children.append(Launched(child, status[0], life[1]))
        return child

    def _plan(self, status: int, life: int) -> Plan:
        config, plan = self.config, Plan()
        plan.scratch = str(self.scratch)
        plan.read, plan.write = self.readable, self.writable[1:]
        plan.allow, plan.without = config.allow, tuple(sorted(config.without))
        plan.uid = self._uid
        plan.memory_bytes, plan.file_bytes = config.memory_bytes, config.file_bytes
        plan.cpu_s, plan.processes = config.cpu_s, config.processes
        plan.status, plan.life = status, life
        return plan

    def _environment(self) -> dict[str, str]:
        if "environment" in self.config.without:
            return dict(os.environ)
        scratch = str(self.scratch)
        # One thread each: more would count against the limit, and make sums depend on timing.
        threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        return {
            **dict.fromkeys(threads, "1"),
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": scratch,
            "TMPDIR": scratch,
            "USER": "nsdbg",
            "LOGNAME": "nsdbg",
        }

    def _wants_user(self) -> bool:
        """Whether to switch the user: only root can, and what is written may be root's."""
        allowed = permits.opens(self.permits, permits.WRITING)
        return (
            hasattr(os, "geteuid") and os.geteuid() == 0 and not allowed
            and "unprivileged-user" not in self.config.without
        )  # fmt: skip

    def _take_user(self) -> None:
        """Reserve a user number that nobody has; an abstract socket's name is the lock."""
        start = os.getpid() % len(_FREE_UIDS)
        taken = _users_at_work()
        for uid in [*_FREE_UIDS[start:], *_FREE_UIDS[:start]]:
            if uid in taken or _is_account(uid):
                continue
            lock = socket.socket(socket.AF_UNIX)
            try:
                lock.bind(f"\0nsdbg-user-{uid}")
                os.chown(self.scratch, uid, uid)
            except OSError:  # taken, or not a number of this user namespace
                lock.close()
                continue
            self._uid, self._uid_lock = uid, lock
            return

    def refusals(self) -> tuple[str, ...]:
        """Return what the kernel's layers refused since the last call, as `event:detail`.

        Recorded by the supervisor before the call comes back to the program: what the filter
        refuses, and changes to files outside.  Reading outside leaves no such record, nor does
        what a single run has given up; the audit hook reports on its own channel.
        """
        return tuple(line for child in self._children for line in child.refusals())

    def kill(self) -> None:
        """Kill everything that was spawned here, also what left its process group."""
        for child in self._children:
            child.end()
        if self._uid is not None and self._children:
            _kill_user(self._uid)
        self._children.clear()


def _users_at_work() -> set[int]:
    """Return the numbers of the users whose processes there are."""
    found = set()
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        with contextlib.suppress(OSError):
            if name.isdigit():
                found.add(os.stat(f"/proc/{name}").st_uid)
    return found


def _is_account(uid: int) -> bool:
    """Whether somebody has this number, a service of systemd's too."""
    import pwd  # not on Windows, where this module is only imported

    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True


def _kill_user(uid: int) -> None:
    """Kill every process of a sandbox's own user, should any have outlived its supervisor."""
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError):
            if name.isdigit() and os.stat(f"/proc/{name}").st_uid == uid:
                os.kill(int(name), signal.SIGKILL)


def probe_layers(python: Path | None = None) -> tuple[Layer, ...]:
    """Return the layers that hold on this machine, found by starting an interpreter under them.

    `python` is ours unless given.  Where not even that starts, every layer is reported missing.
    """
    try:
        with Sandbox(SandboxConfig(python or Path(sys.executable))) as sandbox:
            sandbox.spawn(["-c", "pass"]).wait(LAUNCH_TIMEOUT_S)
            return sandbox.layers
    except (GuardError, OSError, subprocess.TimeoutExpired) as error:
        return tuple(Layer(name, False, str(error)) for name in LAYERS)


def is_strong(layers: Sequence[Layer]) -> bool:
    """Whether the kernel holds code that passes the audit hook by (extension modules, ctypes)."""
    active = {layer.name for layer in layers if layer.active}
    return {"landlock", "seccomp"} <= active
