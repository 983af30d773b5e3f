"""The in-process part of the guard: the audit hook, and what a single run gives up.

Not what holds: that is the kernel's part, which the launcher applied before (`confine`).
"""

import os
import resource
import signal
import sys
from typing import Any, Optional, Sequence, Tuple

from . import permits
from .hook import Blocked, Hook, Report

try:
    from . import libc, seccomp, syscalls
except ImportError:  # a Python built without ctypes
    libc = seccomp = syscalls = None  # type: ignore[assignment]

__all__ = ["Blocked", "harden_run", "install_hook"]

_hook: Optional[Hook] = None
_run_filter: "Optional[seccomp.RunFilter]" = None


def install_hook(
    allow: Sequence[str],
    report: Report,
    readable: Sequence[str] = (),
    writable: Sequence[str] = (),
) -> None:
    """Refuse and report what leaves the scratch folder; cannot be undone.

    `allow`: `EVENT` or `EVENT:PREFIX` strings.  `report`: a file descriptor, which gets one JSON
    line `{"blocked": [event, detail]}` for each block, or a callable taking `(event, detail)`.
    `readable`, `writable`: absolute real paths; what is writable is readable too.
    Forking and killing stay open to the zygote's own module until `harden_run`.
    """
    global _hook
    prepare_run(allow)
    _hook = Hook(allow, report, readable, writable)
    _watch_fork_exec(_hook)
    sys.addaudithook(_hook)


def prepare_run(allow: Sequence[str]) -> None:
    """Make a run's filter, and look up in the C library what the hook would refuse later.

    Once in a process and what is forked from it: the base zygote does it for all its targets.
    """
    global _run_filter
    if _run_filter is not None or libc is None or libc.machine() not in syscalls.MACHINES:
        return
    permitted = permits.parse(allow)
    execute = permits.opens(permitted, permits.EXECUTING)
    signals = permits.opens(permitted, permits.SIGNALLING)
    try:
        libc.load()
        libc.no_new_privileges()
        _run_filter = seccomp.RunFilter(libc.machine(), execute, signals)
    except (OSError, AttributeError):
        pass


def _watch_fork_exec(hook: Hook) -> None:
    """Put the one way to a new program that CPython does not audit behind the hook."""
    try:
        import _posixsubprocess
    except ImportError:
        return
    original = _posixsubprocess.fork_exec

    def fork_exec(*arguments: Any, **keywords: Any) -> int:
        if not permits.opens(hook._permits, permits.EXECUTING):
            hook.refuse("subprocess.Popen", "")
        return original(*arguments, **keywords)

    _posixsubprocess.fork_exec = fork_exec
    loaded = sys.modules.get("subprocess")
    if getattr(loaded, "_fork_exec", None) is original:
        loaded._fork_exec = fork_exec  # type: ignore[union-attr]


def harden_run(allow: Sequence[str] = (), cpu_s: Optional[int] = None) -> Tuple[str, ...]:
    """Give up forking, executing and signalling others; called in each forked run.

    `allow` is what `install_hook` was given.  The run dies with the process that forked it.
    `cpu_s` lowers this process's CPU limit.  Returns the names of what was applied; where ctypes
    or seccomp are missing that is less.
    """
    applied = []
    if _hook is None:
        prepare_run(allow)
    if _hook is not None:
        _hook.hardened = True
        _report_full_disk(_hook)
        applied.append("audit-hook")
    if cpu_s is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s))
        applied.append("rlimits")
    if _run_filter is not None and _filter_run(_run_filter):
        applied.append("seccomp")
    return tuple(applied)


def _report_full_disk(hook: Hook) -> None:
    """Note when a file outgrows the limit: elsewhere the program would have gone on."""

    def refused(number: int, frame: Any) -> None:
        hook.tell("file-size", "%d bytes" % resource.getrlimit(resource.RLIMIT_FSIZE)[0])

    signal.signal(signal.SIGXFSZ, refused)


def _filter_run(run_filter: "seccomp.RunFilter") -> bool:
    try:
        libc.prctl(libc.PR_SET_PDEATHSIG, signal.SIGKILL)
        run_filter.install(os.getpid())
    except OSError:
        return False
    return True
