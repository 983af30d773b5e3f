"""Applies a plan's layers, in the one order that works, and says of each whether it holds.

`above` is done by the process that will supervise, `inside` by the one that becomes the target.
A layer that cannot be had is reported with its reason; nothing here fails for want of a layer.
"""

from __future__ import annotations

import os
import resource

from . import credentials, landlock, libc, namespaces, permits, seccomp, syscalls
from .plan import Plan
from .witness import Witness

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import Dict, FrozenSet, List, Optional, Tuple

    Layers = List[Tuple[str, bool, str]]

_LEFT_OUT = "left out on request"
_OPEN_FILES = 256
# `seccomp_unotify`'s CONTINUE, which lets the first `execve` pass, came with 5.5.
_NOTIFY_SINCE = (5, 5)
# Which groups of system calls an `--allow` of these events takes out of the filter.
_OPENED_BY: Dict[str, FrozenSet[str]] = {
    "attributes": permits.ATTRIBUTES,
    "execute": permits.EXECUTING,
    "network": permits.NETWORK,
    "nodes": frozenset(["os.mkfifo", "os.mknod"]),
    "process files": permits.SIGNALLING,
    "signals": permits.SIGNALLING,
}


class Confinement:
    """The layers of one process, collected while they are applied."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.permits = permits.parse(plan.allow)
        self.layers: Layers = []
        self.new_pids = False
        self.new_user = False
        self.read_only = False
        self.landlock_abi = 0 if "landlock" in plan.without else _landlock_abi()

    def _wanted(self, name: str) -> bool:
        if name in self.plan.without:
            self.layers.append((name, False, _LEFT_OUT))
            return False
        return True

    def _opened(self, events: FrozenSet[str]) -> bool:
        return permits.opens(self.permits, events)

    def above(self) -> None:
        """Enter the namespaces; children of this process are in the new process namespace."""
        if not self._wanted("namespaces"):
            return
        network = not self._opened(permits.NETWORK)
        pids = not self._opened(permits.SIGNALLING)
        try:
            why = namespaces.enter(network, pids)
        except OSError as error:
            self.layers.append(("namespaces", False, "not permitted here (%s)" % error))
            return
        self.new_pids = pids
        self.new_user = os.geteuid() != 0
        why += "; " + self._make_read_only()
        self.layers.append(("namespaces", True, why))

    def _make_read_only(self) -> str:
        writable = [self.plan.scratch, *self.plan.write]
        if "/" in writable:
            return "everything writable, as allowed"
        try:
            namespaces.make_read_only([path for path in writable if os.path.exists(path)])
        except OSError as error:
            return "nothing made read-only (%s)" % error
        self.read_only = True
        os.chdir(self.plan.scratch)
        return "all but the scratch folder read-only"

    def inside(self) -> Optional[int]:
        """Confine this process; return the filter's listener when there is one."""
        others = 0 if self.new_user or self.plan.uid is not None else _tasks_of(os.geteuid())
        confined = self._landlock()
        listener, filtered = self._seccomp()
        self._credentials(confined and filtered)
        self._limits(others)
        return listener

    def _landlock(self) -> bool:
        if not self._wanted("landlock"):
            return False
        network = not self._opened(permits.NETWORK)
        signals = not self._opened(permits.SIGNALLING)
        try:
            why = landlock.restrict(self._rules(), network, signals)
        except OSError as error:
            self.landlock_abi = 0
            self.layers.append(("landlock", False, "this kernel has none (%s)" % error))
            return False
        self.layers.append(("landlock", True, why))
        return True

    def _rules(self) -> List[landlock.Rule]:
        rules = [(path, landlock.READ) for path in self.plan.read]
        rules += [(path, landlock.READ | landlock.SCRATCH) for path in self.plan.write]
        rules += [("/dev/null", landlock.READ | landlock.WRITE_FILE | landlock.TRUNCATE)]
        return [*rules, (self.plan.scratch, landlock.SCRATCH)]

    def _groups(self) -> FrozenSet[str]:
        """Which groups of system calls the filter refuses, given what other layers hold."""
        groups = set(seccomp.GROUPS)
        # A read-only mount refuses a change of attributes outside, and allows it in scratch.
        if self.read_only:
            groups.discard("attributes")
        if self.landlock_abi >= 3 or self.plan.write:
            groups.discard("truncate")
        if self.new_pids or self.landlock_abi >= 6:
            groups.discard("signals")
        opened = {group for group, events in _OPENED_BY.items() if self._opened(events)}
        return frozenset(groups - opened)

    def witness(self) -> Witness:
        """Return who looks at changes of files; known before the sandbox's processes part."""
        groups = self._groups()
        left = [name for name in ("attributes", "truncate") if name not in groups]
        return Witness((self.plan.scratch, *self.plan.write), left)

    def _seccomp(self) -> Tuple[Optional[int], bool]:
        if not self._wanted("seccomp"):
            return None, False
        machine = libc.machine()
        if machine not in syscalls.MACHINES:
            why = "not on this system" if machine == "?" else "no table of calls for " + machine
            self.layers.append(("seccomp", False, why))
            return None, False
        groups = self._groups()
        # A filter above that has a listener already, as some containers do, leaves no second one.
        for listen in (True, False) if _kernel() >= _NOTIFY_SINCE else (False,):
            if not listen:  # the filter is there before the target's interpreter is executed
                groups -= {"execute", "signals"}
            try:
                action = seccomp.NOTIFY if listen else seccomp.REFUSE
                seen = self.witness().calls if listen else ()
                code = seccomp.sandbox_filter(machine, groups, action, seen)
                listener = seccomp.install(code, machine, listen)
            except OSError as error:
                why = str(error)
                continue
            kept = "refusals recorded" if listen else "refusals not recorded"
            self.layers.append(("seccomp", True, "%s: %s" % (kept, ", ".join(sorted(groups)))))
            return (listener if listen else None), True
        self.layers.append(("seccomp", False, "the kernel refused the filter (%s)" % why))
        return None, False

    def _credentials(self, held: bool) -> None:
        """Switch the user; `held` tells that Landlock and seccomp decide what is read."""
        name, uid = "unprivileged-user", self.plan.uid
        if uid is None and os.geteuid() != 0:
            why = "started by an ordinary user, who stays the same"
            self.layers.append((name, False, _LEFT_OUT if name in self.plan.without else why))
            credentials.become(None, read_all=False)
            return
        places = [*self.plan.read, os.path.join(os.path.dirname(self.plan.scratch), "")]
        if uid is not None and not held and not all(map(_open_to_all, places)):
            why = "only root may read the interpreter or the sources, and landlock is missing"
            self.layers.append((name, False, why))
            uid = None
        elif uid is None and self._wanted(name):
            self.layers.append((name, False, "what --allow permits needs the user's own rights"))
        try:
            credentials.become(uid, read_all=held)
        except OSError as error:
            self.layers.append((name, False, "cannot switch (%s)" % error))
            return
        if uid is not None:
            extra = " that may read what landlock lets it" if held else ""
            self.layers.append((name, True, "user %d%s" % (uid, extra)))

    def _limits(self, others: int) -> None:
        """Set the limits; `others` are the user's processes that are none of the sandbox's."""
        if not self._wanted("rlimits"):
            return
        plan = self.plan
        limits = [
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, plan.file_bytes),
            (resource.RLIMIT_NOFILE, _OPEN_FILES),
            (resource.RLIMIT_CPU, plan.cpu_s),
            (resource.RLIMIT_AS, plan.memory_bytes),
        ]
        why = "memory, file size, open files, CPU"
        if os.geteuid() != 0:
            limits.append((resource.RLIMIT_NPROC, plan.processes + others))
            why += ", processes"
        for kind, amount in limits:
            _, hard = resource.getrlimit(kind)
            amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
            resource.setrlimit(kind, (amount, amount))
        self.layers.append(("rlimits", True, why))


def _landlock_abi() -> int:
    """Return the version of Landlock here, 0 for none."""
    try:
        return landlock.abi()
    except OSError:
        return 0


def _kernel() -> Tuple[int, ...]:
    numbers = os.uname().release.split("-")[0].split(".")[:2]
    return tuple(int(part) for part in numbers if part.isdigit())


def _open_to_all(path: str) -> bool:
    """Whether any user may read a file or folder: by its own mode and those of its folders.

    A path that ends in a slash is only to be passed through.
    """
    needed = 0o001 if path.endswith("/") else 0o004
    try:
        if not os.stat(path).st_mode & needed:
            return False
        while path != "/":
            path = os.path.dirname(path)
            if not os.stat(path).st_mode & 0o001:
                return False
    except OSError:
        pass  # nothing there to read
    return True


def _tasks_of(uid: int) -> int:
    """Count the processes and threads of a user, which RLIMIT_NPROC counts too."""
    count = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        try:
            if name.isdigit() and os.stat("/proc/" + name).st_uid == uid:
                count += len(os.listdir("/proc/%s/task" % name))
        except OSError:
            continue
    return count
