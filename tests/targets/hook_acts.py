"""Installs the audit hook and does what it is told, for the tests of the guard; any Python from 3.8.

`argv`: the folder of the child's modules, a readable folder, a writable folder, what is allowed
(words), and `fd` to report to descriptor 2.  Prints one JSON line: of each act, what it gave or
the message, and the reports.
"""

import importlib
import json
import os
import sys
import types


def acts(readable, writable):
    outside = os.path.dirname(writable)
    yield "write inside", lambda: open(os.path.join(writable, "new"), "w").close()
    yield "write outside", lambda: open(os.path.join(outside, "new"), "w").close()
    yield "write relative", lambda: open("../new", "wb").close()
    yield "open for both", lambda: os.close(os.open(os.path.join(outside, "secret"), os.O_RDWR))
    yield "read inside", lambda: open(os.path.join(readable, "data")).read()
    yield "read outside", lambda: open(os.path.join(outside, "secret")).read()
    yield "read bytes path", lambda: open(os.fsencode(os.path.join(outside, "secret"))).read()
    yield "read through link", lambda: open(os.path.join(readable, "link")).read()
    yield "read nothing", lambda: open(os.path.join(outside, "no such file")).read()
    yield "list outside", lambda: os.listdir(outside)
    yield "list inside", lambda: len(os.listdir(readable))
    yield "rename out", lambda: os.rename(os.path.join(writable, "new"), outside + "/moved")
    yield "link in", lambda: os.symlink("/etc", os.path.join(writable, "inner"))
    yield "remove link", lambda: os.remove(os.path.join(writable, "inner"))
    yield "remove outside", lambda: os.remove(os.path.join(outside, "secret"))
    yield "mode outside", lambda: os.chmod(os.path.join(outside, "secret"), 0o600)
    yield "fork", os.fork
    yield "kill parent", lambda: os.kill(os.getppid(), 0)
    yield "kill oneself", lambda: os.kill(os.getpid(), 0)
    yield "run", lambda: importlib.import_module("subprocess").call(["true"])
    yield "shell", lambda: os.system("true")
    yield "fork and execute", lambda: importlib.import_module("_posixsubprocess").fork_exec()
    yield "connect", lambda: importlib.import_module("socket").create_connection(("::1", 1), 0.1)
    yield "udp", lambda: importlib.import_module("socket").socket(2, 2).close()
    yield "pair", lambda: [one.close() for one in importlib.import_module("socket").socketpair()]
    yield "library", lambda: importlib.import_module("ctypes").CDLL("libm.so.6") and None
    yield "own library", lambda: importlib.import_module("ctypes").CDLL(None) and None
    yield "symbol", lambda: importlib.import_module("ctypes").CDLL(None).getpid()
    yield "database", lambda: importlib.import_module("sqlite3").connect(":memory:").close()
    yield "database outside", lambda: importlib.import_module("sqlite3").connect(outside + "/d")


def main():
    child, readable, writable, allow, where = sys.argv[1:]
    package = types.ModuleType("_nsdbg_child")
    package.__path__ = [child]
    sys.modules["_nsdbg_child"] = package
    guard = importlib.import_module("_nsdbg_child.guard")
    os.chdir(writable)
    reports, found = [], {}
    report = 2 if where == "fd" else lambda event, detail: reports.append([event, detail])
    prefixes = (readable, child, sys.prefix, sys.base_prefix)
    guard.install_hook(allow.split(), report, prefixes, (writable,))
    for name, act in acts(readable, writable):
        del reports[:]
        try:
            said = act()
        except guard.Blocked as error:
            said = str(error)
        except OSError as error:
            said = type(error).__name__
        found[name] = [said, list(reports)]
    if where == "fd":
        os.close(2)
        os.system("another")
    print(json.dumps(found))


main()
