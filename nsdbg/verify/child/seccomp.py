"""seccomp: a filter that refuses system calls which Landlock and rlimits leave open.

Not covered: what depends on a path or on memory, which a filter cannot read.  A refused call
fails with EPERM; with a listener the supervisor is asked and keeps a record.  Calls that have an
older way to the same thing, and would pass the filter by, fail with ENOSYS and leave no record.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from . import libc, syscalls

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import Collection, Dict, FrozenSet, List, Tuple

    Code = List[Tuple[int, int, int, int]]

ALLOW, KILL, NOTIFY = 0x7FFF0000, 0x80000000, 0x7FC00000
REFUSE = 0x00050000 | errno.EPERM
ABSENT = 0x00050000 | errno.ENOSYS


def _names(text: str) -> List[str]:
    return text.split()


# Groups of calls that `--allow` or another layer can open; the names are those of `policy`.
ATTRIBUTES = _names(
    "chmod fchmod fchmodat fchmodat2 chown lchown fchown fchownat utime utimes utimensat "
    "futimesat setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr"
)
NETWORK = _names("socket connect bind listen accept accept4")
EXECUTE = _names("execve execveat")
SIGNALS = _names("kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo")
PROCESS_FILES = _names("pidfd_open pidfd_send_signal")
NODES = _names("mknod mknodat")
TRUNCATE = ["truncate"]
_ALWAYS = _names(
    "setsid pidfd_getfd ptrace process_vm_readv process_vm_writev "
    "process_madvise process_mrelease kcmp perf_event_open bpf keyctl add_key request_key unshare "
    "setns mount umount2 pivot_root move_mount fsopen fsconfig fsmount fspick open_tree "
    "mount_setattr chroot swapon swapoff reboot kexec_load kexec_file_load init_module "
    "finit_module delete_module acct quotactl quotactl_fd settimeofday clock_settime adjtimex "
    "clock_adjtime sethostname setdomainname iopl ioperm syslog vhangup open_by_handle_at "
    "name_to_handle_at fanotify_init fanotify_mark modify_ldt ioprio_set migrate_pages move_pages "
    "lookup_dcookie nfsservctl shmget msgget semget mq_open"
)
# io_uring does file and socket work that no filter sees; clone3 and openat2 hide their flags in
# memory; user faults stop the kernel at a moment of the program's choice.
_ABSENT = _names("clone3 openat2 io_uring_setup io_uring_enter io_uring_register userfaultfd")
GROUPS: Dict[str, List[str]] = {
    "attributes": ATTRIBUTES,
    "network": NETWORK,
    "execute": EXECUTE,
    "signals": SIGNALS,
    "process files": PROCESS_FILES,
    "nodes": NODES,
    "truncate": TRUNCATE,
}

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_NEW_NAMESPACES = 0x7E020000
_CLONE_THREAD = 0x00010000
_AF_UNIX, _SOCK_STREAM, _SOCK_SEQPACKET = 1, 1, 5
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_QUERY_PERSONALITY = 0xFFFFFFFF
_F_SETOWN, _F_SETOWN_EX, _FIOSETOWN, _SIOCSPGRP = 8, 15, 0x8901, 0x8902
_PR_SET_SECUREBITS, _PR_SET_MM, _PR_SET_PTRACER = 28, 35, 0x59616D61

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_EQUAL, _GREATER, _GREATER_EQUAL, _ANY_BIT = 0x15, 0x25, 0x35, 0x45


def _argument(index: int, high: bool = False) -> Tuple[int, int, int, int]:
    return (_LOAD, 0, 0, 16 + 8 * index + 4 * high)


def _when(index: int, value: int, action: int, mask: int = 0xFFFFFFFF) -> Code:
    """Act when the argument's low half, masked, is `value`."""
    return [_argument(index), (_AND, 0, 0, mask), (_EQUAL, 0, 1, value), (_RETURN, 0, 0, action)]


def _when_any(index: int, mask: int, action: int, high: bool = False) -> Code:
    """Act when the argument has one of the bits of `mask`."""
    return [_argument(index, high), (_ANY_BIT, 0, 1, mask), (_RETURN, 0, 0, action)]


def _unless(index: int, values: Tuple[int, ...], action: int, mask: int = 0xFFFFFFFF) -> Code:
    """Act when the argument's low half, masked, is none of `values`."""
    tests = [(_EQUAL, len(values) - at, 0, value) for at, value in enumerate(values)]
    return [_argument(index), (_AND, 0, 0, mask), *tests, (_RETURN, 0, 0, action)]


def _call(name: str, body: Code, machine: str) -> Code:
    """Put `body` behind a test for the call; what it lets through is allowed."""
    number = syscalls.number(name, machine)
    if number is None:
        return []
    return [(_EQUAL, 0, len(body) + 1, number), *body, (_RETURN, 0, 0, ALLOW)]


def _refused(names: List[str], machine: str, action: int) -> Code:
    body: Code = [(_RETURN, 0, 0, action)]
    return [step for name in names for step in _call(name, body, machine)]


def _head(machine: str) -> Code:
    """Kill calls of another processor mode; answer unknown ones ENOSYS; leave the number loaded."""
    head: Code = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, syscalls.AUDIT_ARCH[machine]),
        (_RETURN, 0, 0, KILL),
        (_LOAD, 0, 0, 0),
    ]
    if machine == "x86_64":
        head += [(_GREATER_EQUAL, 0, 1, syscalls.X32_BIT), (_RETURN, 0, 0, KILL)]
    return [*head, (_GREATER, 0, 1, syscalls.LATEST), (_RETURN, 0, 0, ABSENT)]


def empties(flags: int) -> bool:
    """Whether an open empties a file without asking to write, which older Landlocks let pass."""
    return flags & (os.O_TRUNC | os.O_ACCMODE) == os.O_TRUNC


def _opening(flags: int, action: int, witness: bool) -> Code:
    """Act on an open whose flags are the argument `flags`: on emptying ones, or on all writing."""
    if witness:
        return _when_any(flags, _WRITING, action)
    return _when(flags, os.O_TRUNC, action, os.O_TRUNC | os.O_ACCMODE)


def _conditional(machine: str, action: int, network: bool, witness: bool) -> Code:
    """The calls that are refused for some of their arguments."""
    bodies = {
        "openat": _opening(2, action, witness),
        "open": _opening(1, action, witness),
        "clone": _when_any(0, _NEW_NAMESPACES, action),
        # An owner of a descriptor is sent signals, of which `F_SETSIG` says which: also SIGKILL.
        "fcntl": _when(1, _F_SETOWN, action) + _when(1, _F_SETOWN_EX, action),
        "ioctl": [
            step
            for request in (_TIOCSTI, _TIOCLINUX, _FIOSETOWN, _SIOCSPGRP)
            for step in _when(1, request, action)
        ],
        "personality": _unless(0, (0, _QUERY_PERSONALITY), action),
        "setpriority": _when_any(0, 0xFFFFFFFF, action) + _when_any(1, 0xFFFFFFFF, action),
        "prctl": _when(0, _PR_SET_SECUREBITS, action)
        + _when(0, _PR_SET_MM, action)
        + _when(0, _PR_SET_PTRACER, action),
    }
    others = _names("sched_setaffinity sched_setscheduler sched_setparam sched_setattr prlimit64")
    bodies.update({name: _when_any(0, 0xFFFFFFFF, action) for name in others})
    if network:
        # A pair of datagram sockets could be connected, or could send, to a socket outside.
        kinds = _unless(1, (_SOCK_STREAM, _SOCK_SEQPACKET), action, mask=0xF)
        bodies["socketpair"] = _unless(0, (_AF_UNIX,), action) + kinds
        address = _when_any(4, 0xFFFFFFFF, action) + _when_any(4, 0xFFFFFFFF, action, high=True)
        bodies["sendto"] = address
    return [step for name, body in bodies.items() for step in _call(name, body, machine)]


def sandbox_filter(
    machine: str, groups: FrozenSet[str], action: int, witnessed: Collection[str] = ()
) -> Code:
    """Return the filter for a whole sandbox.

    `groups` of `GROUPS` are refused besides what always is; `action` is REFUSE, or NOTIFY to ask
    a supervisor, who also sees the first `execve` and lets it pass.  With NOTIFY, the calls in
    `witnessed` are shown to the supervisor too, and opens for writing with them.
    """
    seen = [name for name in witnessed if name not in ("open", "openat")]
    named = [name for group in sorted(groups) for name in GROUPS[group]]
    return [
        *_head(machine),
        *_refused(_ABSENT, machine, ABSENT),
        *_conditional(machine, action, "network" in groups, bool(witnessed)),
        *_refused(_ALWAYS + named + seen, machine, action),
        (_RETURN, 0, 0, ALLOW),
    ]


def run_filter(machine: str, pid: int, execute: bool, signals: bool) -> Code:
    """Return the filter for one run: no new process or program, no signal to any but itself.

    `execute` and `signals` take these back; `pid` is the run's own.
    """
    code = _head(machine)
    if not execute:
        code += _refused(["clone3"], machine, ABSENT)
        code += _refused(["fork", "vfork", "execve", "execveat", "setpgid"], machine, REFUSE)
        # Threads are clones too: only those that share everything.
        body = _unless(0, (_CLONE_THREAD,), REFUSE, mask=_CLONE_THREAD)
        code += _call("clone", body, machine)
    if not signals:
        for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
            code += _call(name, _unless(0, (pid,), REFUSE), machine)
        code += _refused(["tkill"], machine, REFUSE)
    code += _call("prctl", _when(0, libc.PR_SET_PDEATHSIG, REFUSE), machine)
    return [*code, (_RETURN, 0, 0, ALLOW)]


_SET_MODE_FILTER, _NEW_LISTENER = 1, 1 << 3


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_char_p)]


def install(code: Code, machine: str, listen: bool = False) -> int:
    """Put this process and its children under a filter, for good.

    Returns the listener's descriptor when `listen`, else 0; raises OSError where the kernel
    refuses.
    """
    program = _Program(len(code), _packed(code))
    flags = _NEW_LISTENER if listen else 0
    libc.no_new_privileges()
    number = libc.SYS_SECCOMP[machine]
    return libc.syscall(number, _SET_MODE_FILTER, flags, ctypes.byref(program))


def _packed(code: Code) -> bytes:
    return b"".join(struct.pack("=HBBI", *step) for step in code)


class RunFilter:
    """`run_filter`, packed once and put to use in each forked run: a fork pays for each page."""

    # Stands for the run's number in the packed filter; no process has it.
    _ANYBODY = 0x7FFFFFF7

    def __init__(self, machine: str, execute: bool, signals: bool) -> None:
        code = run_filter(machine, self._ANYBODY, execute, signals)
        packed = _packed(code)
        self._places = [8 * at + 4 for at, step in enumerate(code) if step[3] == self._ANYBODY]
        self._buffer = ctypes.create_string_buffer(packed, len(packed))
        self._program = _Program(len(code), ctypes.cast(self._buffer, ctypes.c_char_p))
        self._number = libc.SYS_SECCOMP[machine]

    def install(self, pid: int) -> None:
        """Put this process, whose number is `pid`, under the filter.  Raises OSError."""
        for place in self._places:
            struct.pack_into("=I", self._buffer, place, pid)
        libc.syscall(self._number, _SET_MODE_FILTER, 0, ctypes.byref(self._program))
