"""Runs attempts one after another, each in a fork, without the audit hook: the kernel's part alone.

`argv[1]` is the folder of the child's modules, `argv[2]` JSON: `[module, function, arguments]` of
each attempt, and whether runs are hardened.  Prints one JSON line of results: what the function
gave back, `!` and the exception's name, or `ended` and the wait status.
"""

import importlib
import json
import os
import signal
import sys
import time
import types

LIMIT_S = 5.0


def load_guard(folder):
    package = types.ModuleType("_nsdbg_child")
    package.__path__ = [folder]
    sys.modules["_nsdbg_child"] = package
    return importlib.import_module("_nsdbg_child.guard")


def attempt(module, function, arguments, guard):
    """Run one attempt in a fork and return what it said."""
    ours, theirs = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(ours)
        if guard is not None:
            guard.harden_run()
        try:
            said = getattr(importlib.import_module(module), function)(**arguments)
        except BaseException as error:
            said = "!" + type(error).__name__
        os.write(theirs, str(said)[:1000].encode())
        os._exit(0)
    os.close(theirs)
    deadline = time.monotonic() + LIMIT_S
    status = None
    while status is None:
        ended, value = os.waitpid(process, os.WNOHANG)
        if ended:
            status = value
        elif time.monotonic() > deadline:
            os.kill(process, signal.SIGKILL)
        else:
            time.sleep(0.002)
    os.set_blocking(ours, False)
    try:
        said = os.read(ours, 1000).decode()
    except BlockingIOError:  # a grandchild holds the other end
        said = ""
    os.close(ours)
    return said or "ended %d" % status


def main():
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    order = json.loads(sys.argv[2])
    guard = load_guard(sys.argv[1]) if order["harden"] else None
    for module, _, _ in order["attempts"]:
        importlib.import_module(module)
    results = [attempt(*item, guard) for item in order["attempts"]]
    print(json.dumps(results))


main()
