"""A file run as `python FILE ARGUMENTS` runs it: as `__main__`, its own folder on `sys.path`.

The working directory stays the scratch folder: the guard keeps the target from writing elsewhere.
"""

import builtins
import os
import sys
from types import ModuleType
from typing import Sequence

from .loading import compile_file


def run_script(file: str, argv: Sequence[str]) -> None:
    """Run a file's code in a new `__main__`; raises what it raises."""
    sys.argv = [file, *argv]
    folder = os.path.dirname(file)
    if sys.path[:1] != [folder]:
        sys.path.insert(0, folder)
    module = ModuleType("__main__")
    module.__dict__.update(__file__=file, __builtins__=builtins, __cached__=None, __spec__=None)
    sys.modules["__main__"] = module
    exec(compile_file(file), module.__dict__)
