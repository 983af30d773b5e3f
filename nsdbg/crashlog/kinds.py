"""Whose code a logged frame runs, told from its path alone, on whatever machine it was logged.

Not whether the file exists here: `nsdbg.localize.locate` looks at the disk.
"""

from __future__ import annotations

import re
import sys
from functools import lru_cache

from nsdbg.crashlog.report import FrameKind

# `<string>`, `<stdin>`, `<frozen os>`, `<rule bulk>`, `<__array_function__ internals>`, and the
# files tools write code to before they run it.  Notebook cells are the user's.
_GENERATED = re.compile(
    r"^<(?!ipython-input|ipython console|doctest|command-)[^>]*>$|__autograph_generated_file"
    r"|/_remote_module|^<doctest |jit_code_gen|/_mako/|[\\/]cache[\\/]compiled"
)
_LIBRARY = re.compile(
    r"[\\/](?:site-packages|dist-packages|Extras[\\/]lib)[\\/]|^(?:site|dist)-packages[\\/]"
    r"|\.(?:pyx|pxi|pxd)$"
    r"|[\\/](?:py4j-[\w.]+-src|pyspark)\.zip[\\/]|[\\/]spark[\\/]python[\\/](?:lib|pyspark)[\\/]"
    r"|\.egg[\\/]|[\\/]usr[\\/]src[\\/]homeassistant[\\/]homeassistant[\\/]"
    r"|azure_functions_worker[\\/]|[\\/]var[\\/]runtime[\\/]|[\\/]google3[\\/]third_party"
    r"|[\\/]node_modules[\\/]|[\\/]ansible_[\w.]+_payload[\w.]*\.zip[\\/]"
)
# A file right below `lib/python3.12/`, `Python312\Lib\` or a framework's; `stdlib/` is how Python
# embedded in other programs names its own.
_STDLIB = re.compile(
    r"[\\/](?:lib|lib64)[\\/](?:python|pypy|pypy3?-?)\d[\w.]*[\\/]|[\\/]lib-python[\\/]"
    r"|[\\/]Python\d*(?:-32)?[\\/]Lib[\\/]|[\\/]Python[\w .]*[\\/]lib[\\/]|^stdlib[\\/]"
    r"|[\\/]python\d[\d.]*\.zip[\\/]|[\\/]pypy[\w.-]*[\\/]lib_pypy[\\/]"
    r"|[\\/](?:mini|ana)conda\d?[\\/]Lib[\\/]",
    re.IGNORECASE,
)
_STDLIB_NAMES = sys.stdlib_module_names - {"this", "antigravity"}


@lru_cache(maxsize=4096)
def frame_kind(file: str, function: str | None = None) -> FrameKind:
    """Judge a path as printed; compiled code gives itself away by its function's name too."""
    if function and _is_compiled(file, function):
        return FrameKind.LIBRARY
    if _GENERATED.search(file):
        return FrameKind.GENERATED
    if _LIBRARY.search(file):
        return FrameKind.LIBRARY
    if _STDLIB.search(file) or _is_relative_stdlib(file):
        return FrameKind.STDLIB
    return FrameKind.USER


def _is_relative_stdlib(file: str) -> bool:
    r"""Whether a frozen application's relative name (`json\decoder.py`) is the standard library's.

    Only packages count: a user's own `code.py` or `calendar.py` is too common a name.
    """
    parts = re.split(r"[\\/]", file)
    return len(parts) > 1 and parts[0] in _STDLIB_NAMES and parts[0] not in ("test", "site")


def _is_compiled(file: str, function: str) -> bool:
    """Whether Cython compiled it: the path is relative, and the name begins with the module's."""
    if "." not in function or file.startswith(("/", "\\")) or not file.endswith(".py"):
        return False
    parts = re.split(r"[\\/]", file.removesuffix(".py"))
    return len(parts) > 1 and function.startswith(".".join(parts) + ".")
