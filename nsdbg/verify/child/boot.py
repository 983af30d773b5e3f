"""The child's first step: load this folder as `_nsdbg_child`, with builtins of its own, and serve.

Run as a script by the target's interpreter.  Not a package member: nothing imports it.
"""

import builtins
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import types

# The number of the side; all but the first have another name for us, on which no program can rest.
SIDE = int(sys.argv[2])
PACKAGE = "_nsdbg_other" if SIDE else "_nsdbg_child"

# Our modules look up `len`, `repr`, `isinstance` in this copy, so that a target which patches
# `builtins` changes its own names and not ours.
BUILTINS = dict(builtins.__dict__)


class _Loader(importlib.machinery.SourceFileLoader):
    def exec_module(self, module: types.ModuleType) -> None:
        """Run a module of ours; `exec` fills in `__builtins__` only where there is none."""
        module.__dict__["__builtins__"] = BUILTINS
        super().exec_module(module)


class _Finder:
    """Finds the modules of this folder, and no others, without a place on `sys.path`."""

    @staticmethod
    def find_spec(name, path=None, target=None):  # type: ignore[no-untyped-def]
        """Return where a module of ours is; None for every other name."""
        folder = os.path.dirname(os.path.abspath(__file__))
        if name == PACKAGE:
            file = os.path.join(folder, "__init__.py")
        elif name.startswith(PACKAGE + "."):
            file = os.path.join(folder, name[len(PACKAGE) + 1 :] + ".py")
        else:
            return None
        if not os.path.isfile(file):
            return None
        places = [folder] if name == PACKAGE else None
        return importlib.util.spec_from_file_location(
            name, file, loader=_Loader(name, file), submodule_search_locations=places
        )


def main() -> None:
    """Serve the requests that come on the socket whose descriptor is `argv[1]`.

    `argv[2]` is the number of the side: all but 0 show a program another day.
    """
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [place for place in sys.path if os.path.abspath(place) != folder]
    sys.meta_path.insert(0, _Finder)
    child = importlib.import_module(PACKAGE + ".main")
    if SIDE:
        importlib.import_module(PACKAGE + ".elsewhere").begin(SIDE)
    child.serve(int(sys.argv[1]))


if __name__ == "__main__":
    main()
