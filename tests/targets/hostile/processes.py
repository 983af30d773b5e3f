"""Targets that try to start, end or outlive processes."""

import fcntl
import os
import signal
import sys
import time


def run_program():
    import subprocess

    return "done" if subprocess.run(["/bin/true"]).returncode == 0 else "not run"


def run_shell():
    return "done" if os.system("true") == 0 else "not run"


def execute():
    os.execv("/bin/true", ["true"])


def fork_without_audit():
    import _posixsubprocess

    ours, theirs = os.pipe()
    arguments = [["true"], [b"/bin/true"], True, (theirs,), None, None]
    arguments += [-1, -1, -1, -1, -1, -1, ours, theirs, True, False]
    if sys.version_info >= (3, 11):
        arguments += [-1]
    if sys.version_info >= (3, 9):
        arguments += [None, None, None, -1]
    arguments += [None]
    if sys.version_info >= (3, 11):
        arguments += [True]
    pid = _posixsubprocess.fork_exec(*arguments)
    os.close(theirs)
    failure = os.read(ours, 100)
    os.waitpid(pid, 0)
    return failure.decode() or "done"


def fork_bomb():
    started = 0
    try:
        for _ in range(300):
            if os.fork() == 0:
                time.sleep(30)
                os._exit(0)
            started += 1
    except OSError:
        if not started:
            raise
    return "%d started" % started


def kill_another(pid):
    os.kill(pid, signal.SIGKILL)
    return "done"


def kill_by_owner(pid):
    # Whoever owns a pipe is sent a signal when something comes: F_SETSIG says which.
    out, into = os.pipe()
    fcntl.fcntl(out, fcntl.F_SETOWN, pid)
    fcntl.fcntl(out, 10, signal.SIGKILL)
    fcntl.fcntl(out, fcntl.F_SETFL, fcntl.fcntl(out, fcntl.F_GETFL) | os.O_ASYNC)
    os.write(into, b"x")
    return "done"


def kill_by_descriptor(pid):
    signal.pidfd_send_signal(os.pidfd_open(pid), signal.SIGKILL)
    return "done"


def kill_parent():
    os.kill(os.getppid(), signal.SIGKILL)
    return "done"


def leave_the_group():
    if os.fork() == 0:
        os.setsid()
        time.sleep(300)
        os._exit(0)
    return "done"


def kill_oneself():
    os.kill(os.getpid(), signal.SIGKILL)
    return "done"
