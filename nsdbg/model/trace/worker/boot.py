"""The worker's first step: find nsdbg's own modules without a place on `sys.path`, and work.

Run as a script by the interpreter that has the code to record, with the name of a neighbouring
module, whose `work` gets the job (JSON on standard input) and a function that writes a line for
the parent.  What the recorded code prints goes nowhere.
"""

import importlib
import importlib.machinery
import importlib.util
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))


class _Finder:
    """Finds the package nsdbg where this file lies; its modules follow from its folder."""

    @staticmethod
    def find_spec(name, path=None, target=None):  # type: ignore[no-untyped-def]
        """Return where nsdbg is; None for every other name."""
        if name != "nsdbg":
            return None
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        if sys.version_info >= (3, 11):  # noqa: UP036 - others run this too
            # Older versions need not be able to read the package's own code; what is used here
            # they can.
            file = os.path.join(ROOT, "__init__.py")
            spec = importlib.util.spec_from_file_location(name, file) or spec
        spec.submodule_search_locations = [ROOT]
        return spec


def find_ourselves() -> None:
    """Make `nsdbg` importable, and this folder no place to import from."""
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != HERE]
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def main() -> None:
    """Do the job that comes on standard input."""
    find_ourselves()
    job = json.loads(sys.stdin.readline())
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(null, descriptor)

    def write(line: str) -> None:
        out.write(line + "\n")
        out.flush()

    importlib.import_module("nsdbg.model.trace.worker." + sys.argv[1]).work(job, write)
    out.close()
    # What the recorded code left behind (threads, exit handlers) is not waited for.
    os._exit(0)


if __name__ == "__main__":
    main()
