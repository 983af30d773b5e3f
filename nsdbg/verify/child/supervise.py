"""The process above a sandbox: answers what the filter refuses, records it, ends everything.

Runs nothing of the target.  It leaves when the target does, when the parent process is gone or
when it is told to (SIGTERM), and then nothing of the sandbox is left.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` wraps, without `enum`
import _socket
import ctypes
import errno
import fcntl
import os
import select
import struct

from . import libc, plan, seccomp, syscalls
from .witness import Witness

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import Dict, List, Optional, Tuple

# `linux/seccomp.h`: the two ioctls, and the structures they take.
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_NOTIFICATION, _RESPONSE = struct.Struct("=QIIiIQ6Q"), struct.Struct("=Qqii")
_CONTINUE = 1
_MOST_ANCESTORS = 1000

# Where an open has its flags.
_FLAGS = {"open": 1, "openat": 2}
# Under which event a refused call is reported, so that `--allow` can name it.
_EVENTS: Dict[str, str] = {
    **dict.fromkeys(seccomp.ATTRIBUTES, "os.chmod"),
    **{name: "os.chown" for name in seccomp.ATTRIBUTES if "chown" in name},
    **{name: "os.utime" for name in seccomp.ATTRIBUTES if "utime" in name},
    **{name: "os.setxattr" for name in seccomp.ATTRIBUTES if "xattr" in name},
    **dict.fromkeys([*seccomp.NETWORK, "socketpair", "sendto"], "socket.connect"),
    **dict.fromkeys(seccomp.EXECUTE, "subprocess.Popen"),
    **dict.fromkeys([*seccomp.SIGNALS, *seccomp.PROCESS_FILES], "os.kill"),
    **dict.fromkeys(seccomp.NODES, "os.mkfifo"),
    **dict.fromkeys(_FLAGS, "open-write"),
    "truncate": "os.truncate",
}


class Watch:
    """Waits for a child to end, for SIGTERM, for the parent's end, and for other descriptors."""

    def __init__(self, life: int) -> None:
        self.life = life
        self.told = False
        self._woken, waker = os.pipe()
        for end in (self._woken, waker):
            os.set_blocking(end, False)
        _signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        _signal.signal(_signal.SIGCHLD, lambda *_: None)
        _signal.signal(_signal.SIGTERM, self._tell)
        self._poll = select.poll()
        for end in (self._woken, life):
            self._poll.register(end, select.POLLIN)

    def _tell(self, *_: object) -> None:
        self.told = True

    def add(self, descriptor: int) -> None:
        """Watch one more descriptor."""
        self._poll.register(descriptor, select.POLLIN)

    def remove(self, descriptor: int) -> None:
        """Watch it no longer; it may be gone already."""
        try:
            self._poll.unregister(descriptor)
        except KeyError:
            pass

    def wait(self) -> List[int]:
        """Sleep until something happens; return the added descriptors that are ready."""
        ready = []
        for descriptor, events in self._poll.poll():
            if descriptor == self._woken:
                os.read(self._woken, 4096)
            elif descriptor == self.life:
                self.told = True
            else:
                ready.append(descriptor)
                if not events & select.POLLIN:
                    self.remove(descriptor)
        return ready


def reap(child: int) -> Optional[int]:
    """Collect every child that has ended; return the wait status of `child` if it is among them."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == 0:
            return found
        if pid == child:
            found = status


def wait_for(child: int, watch: Watch) -> int:
    """Wait for a child, killing it when told to; return its wait status."""
    while True:
        status = reap(child)
        if status is not None:
            return status
        if watch.told:
            os.kill(child, _signal.SIGKILL)
        watch.wait()


class Supervisor:
    """Serves the listener of one sandbox's filter until the sandbox is at its end.

    `inside` tells that the sandbox has its own process namespace, which dies with its first
    process; else the descendants are hunted down one by one.
    """

    def __init__(
        self, target: int, status: int, watch: Watch, inside: bool, witness: Witness
    ) -> None:
        self.target = target
        self.witness = witness
        self.status = status
        self.watch = watch
        self.inside = inside
        self.launched = False

    def run(self, listener: Optional[int], channel: _socket.socket, first: bytes) -> int:
        """Serve until the target ends; return its wait status.

        `first` is the target's first line.  It is passed on to the parent once the channel has
        ended, which it does when the target's interpreter starts; what comes before is an error.
        """
        self.watch.add(channel.fileno())
        if listener is not None:
            self.watch.add(listener)
        while True:
            found = reap(self.target)
            if found is None and self.watch.told:
                _kill(self.target)
                found = _signal.SIGKILL
            if found is not None:
                self._pass_on(channel, first)
                if not self.inside:
                    kill_descendants()
                return found
            for descriptor in self.watch.wait():
                if descriptor == listener:
                    self._serve(listener)
                else:
                    self._pass_on(channel, first)
                    first = b""
                    self.watch.remove(descriptor)  # at its end it would be ready for ever

    def _pass_on(self, channel: _socket.socket, first: bytes) -> None:
        """Tell the parent how the start went; an error that came later than `first` is the news."""
        if first:
            self._write(channel.recv(1 << 16) or first)

    def _write(self, line: bytes) -> None:
        try:
            os.write(self.status, line)
        except OSError:  # full: the parent has hundreds of records already, or is gone
            pass

    def _serve(self, listener: int) -> None:
        buffer = bytearray(_NOTIFICATION.size)
        try:
            fcntl.ioctl(listener, _RECEIVE, buffer, True)
        except OSError:  # the caller was killed meanwhile
            return
        identity, pid, _, number, _, _, *arguments = _NOTIFICATION.unpack(buffer)
        call = syscalls.name(number, libc.machine())
        allowed = self._allows(call, pid, arguments)
        if not allowed:
            event = _EVENTS.get(call, "system-call")
            self._record(event, "by system call %s" % call)
        error, flags = (0, _CONTINUE) if allowed else (-errno.EPERM, 0)
        try:
            fcntl.ioctl(listener, _SEND, _RESPONSE.pack(identity, 0, error, flags))
        except OSError:
            pass

    def _allows(self, call: str, pid: int, arguments: List[int]) -> bool:
        """The first `execve` is the launcher's own; signals may go to the sandbox's processes.

        What is witnessed goes on, for other layers to decide; only a record is left of it.
        """
        if call == "execve" and not self.launched:
            self.launched = True
            return True
        if call in seccomp.SIGNALS:
            other = ctypes.c_int(arguments[0]).value
            return self.inside or other == 0 or (other != -1 and is_descendant(abs(other)))
        if call not in self.witness.calls:
            return False
        if call in _FLAGS and seccomp.empties(arguments[_FLAGS[call]]):
            return False
        seen = self._witnessed(call, pid, arguments)
        if seen is not None:
            self._record(*seen)
        return True

    def _witnessed(self, call: str, pid: int, arguments: List[int]) -> Optional[Tuple[str, str]]:
        """Return what the witness saw; what it cannot make sense of counts as seen."""
        try:
            return self.witness.see(call, pid, arguments)
        except Exception:  # an end of the supervisor would be an end of the watch
            return _EVENTS.get(call, "system-call"), "by system call %s" % call

    def _record(self, event: str, detail: str) -> None:
        self._write(plan.line("refused", event, detail))


def parent_of(pid: int) -> Optional[int]:
    """Return the parent of a process or thread, None when it is gone."""
    try:
        with open("/proc/%d/stat" % pid) as file:
            return int(file.read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None


def is_descendant(pid: int) -> bool:
    """Whether a process was started by this one, at any remove."""
    here = os.getpid()
    for _ in range(_MOST_ANCESTORS):
        above = parent_of(pid)
        if above is None or above == 0:
            return False
        if above == here:
            return True
        pid = above
    return False


def _kill(pid: int) -> None:
    try:
        os.kill(pid, _signal.SIGKILL)
    except ProcessLookupError:
        pass


def kill_descendants() -> None:
    """Kill until no child is left; orphans come to us, since we are their reaper."""
    here = os.getpid()
    while True:
        for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
            if name.isdigit() and parent_of(int(name)) == here:
                _kill(int(name))
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
