"""The launcher's processes: the one outside, the supervisor, and the one that is the target.

The layers themselves are `confine`'s; here is who forks whom, and who holds which descriptor.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # what `signal` wraps, without `enum`
import _socket
import os
import struct

from . import libc, plan, supervise
from .confine import Confinement

TYPE_CHECKING = False  # `typing` takes longer to import than the launcher has
if TYPE_CHECKING:
    from typing import List, NoReturn, Optional, Tuple

CANNOT_START = 126


class Launch:
    """One launch: its plan, the command to become, and what was found out about the layers."""

    def __init__(self, words: List[str]) -> None:
        self.plan, self.command = plan.load(words)
        self.confinement = Confinement(self.plan)
        for descriptor in (self.plan.status, self.plan.life):
            os.set_inheritable(descriptor, False)
        os.set_blocking(self.plan.status, False)

    def run(self) -> NoReturn:
        """Start the supervisor and the target; end as the target does."""
        try:
            self.confinement.above()
            if self.confinement.new_pids:
                self._stay_outside()
            else:
                _adopt_orphans()
            ending = self._start_target()
        except Exception as error:
            self._fail(error)
        _end_as(ending)

    def _fail(self, error: BaseException) -> NoReturn:
        """Tell the parent, and leave nothing of the sandbox behind."""
        try:
            os.write(self.plan.status, _error(error))
        except OSError:  # full, or nobody listens
            pass
        if not self.confinement.new_pids:
            supervise.kill_descendants()
        os._exit(CANNOT_START)

    def _stay_outside(self) -> None:
        """Fork; the child, first of the new process namespace, returns and the parent waits.

        How the first process ended crosses on a pipe, since it cannot be killed from inside.
        """
        back, forth = os.pipe()
        first = os.fork()
        if first == 0:
            libc.prctl(libc.PR_SET_PDEATHSIG, _signal.SIGKILL)
            os.close(back)
            self._ending = forth
            return
        os.close(forth)
        self._let_go(keep=[back])
        watch = supervise.Watch(self.plan.life)
        status = supervise.wait_for(first, watch)
        told = os.read(back, 16)
        _end_as(int(told) if told else status)

    def _start_target(self) -> int:
        """Fork the target and supervise it; return its wait status."""
        ours, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        target = os.fork()
        if target == 0:
            ours.close()
            self._become_target(theirs)
        theirs.close()
        listener, layers = _receive(ours)
        kept = [ours.fileno()] if listener is None else [ours.fileno(), listener]
        inside = self.confinement.new_pids
        self._let_go(keep=[*kept, *([self._ending] if inside else [])])
        watch = supervise.Watch(self.plan.life)
        witness = self.confinement.witness()
        supervisor = supervise.Supervisor(target, self.plan.status, watch, inside, witness)
        ending = supervisor.run(listener, ours, layers)
        if inside:
            os.write(self._ending, b"%d" % ending)
        return ending

    def _become_target(self, channel: _socket.socket) -> NoReturn:
        """Confine this process and execute; the channel ends when that succeeds."""
        try:
            os.setsid()
            listener = self.confinement.inside()
            layers = [
                plan.line("layer", name, "active" if active else "missing", why)
                for name, active, why in self.confinement.layers
            ]
            _send(channel, listener, b"".join([*layers, plan.line("started")]))
            self._execute()
        except BaseException as error:
            _send(channel, None, _error(error))
            os._exit(CANNOT_START)

    def _execute(self) -> NoReturn:
        try:
            os.execv(self.command[0], self.command)
        except OSError as error:
            raise RuntimeError("cannot run %s: %s" % (self.command[0], error.strerror)) from error

    def _let_go(self, keep: List[int]) -> None:
        """Close what belongs to the target, so that its pipes end when it does."""
        kept = sorted([*keep, self.plan.status, self.plan.life])
        null = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(null, descriptor)
        first = 3
        for descriptor in [*kept, os.sysconf("SC_OPEN_MAX")]:
            os.closerange(first, descriptor)
            first = descriptor + 1


def _adopt_orphans() -> None:
    """Become the parent of whatever of the sandbox loses its own, to be able to end it."""
    try:
        libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
    except OSError:  # other systems: the parent ends the group
        pass


def _error(error: BaseException) -> bytes:
    return plan.line("error", str(error) or type(error).__name__)


def _send(channel: _socket.socket, listener: Optional[int], lines: bytes) -> None:
    """Hand over lines for the parent and the listener, if there is one; close that here."""
    if listener is None:
        channel.send(lines)
        return
    rights = struct.pack("i", listener)
    channel.sendmsg([lines], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
    os.close(listener)


def _receive(channel: _socket.socket) -> Tuple[Optional[int], bytes]:
    """Take the target's first lines, and the listener if there is one."""
    lines, ancillary, _, _ = channel.recvmsg(1 << 16, _socket.CMSG_SPACE(4))
    for _, _, data in ancillary:
        return struct.unpack("i", data[:4])[0], lines
    return None, lines


def _end_as(status: int) -> NoReturn:
    """End this process as the one did whose wait status this is."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number not in (_signal.SIGKILL, _signal.SIGSTOP):
            _signal.signal(number, _signal.SIG_DFL)
        _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [number])
        os.kill(os.getpid(), number)
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else CANNOT_START)
