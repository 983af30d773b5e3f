"""The launcher: takes a plan, applies the guard's layers to itself, becomes the target's Python.

Runs under nsdbg's own interpreter with `-I -S`, so that nothing of the target has run before the
kernel's layers hold.  A script: nothing imports it.  Up to three processes come of it: one that
stays outside the new process namespace, one that supervises, and the target.
"""

import os
import sys


def _package() -> None:
    """Make this folder importable under the child's private name, and as nothing else."""
    package = type(sys)("_nsdbg_child")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules["_nsdbg_child"] = package


def main() -> None:
    """Follow the plan that the arguments begin with and run the command that comes after it."""
    _package()
    from _nsdbg_child.launching import Launch  # type: ignore[import-not-found]

    Launch(sys.argv[1:]).run()


if __name__ == "__main__":
    main()
