"""The launcher: takes a plan, applies the guard's layers to itself, becomes the target's Python.

Runs under nsdbg's own interpreter with `-I -S`, so that nothing of the target has run before the
kernel's layers hold.  A script: nothing imports it.  Up to three processes come of it: one that
stays outside the new process namespace, one that supervises, and the target.
"""

import importlib
import os
import sys
import types


def _package() -> None:
    """Make this folder importable under the child's private name, and as nothing else."""
    package = types.ModuleType("_nsdbg_child")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules["_nsdbg_child"] = package


def main() -> None:
    """Follow the plan in `argv[1]` (JSON) and run the command that comes after it."""
    _package()
    launching = importlib.import_module("_nsdbg_child.launching")
    launching.Launch(sys.argv[1], sys.argv[2:]).run()


if __name__ == "__main__":
    main()
