"""Whether a target may reach C code that the audit hook does not see: read from its imports.

Static and cautious: what it cannot follow it takes for native.  Asked only where the kernel's
layers of the sandbox are missing.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

from nsdbg.claim import FunctionRef
from nsdbg.errors import SourceError
from nsdbg.source import parse_source

# Modules of the standard library whose C parts touch nothing outside the process.
_HARMLESS_NAMES = """
    __future__ abc array ast base64 bisect builtins calendar cmath codecs collections colorsys
    contextlib copy dataclasses datetime decimal difflib enum fractions functools graphlib hashlib
    heapq html inspect io itertools json keyword math numbers operator pprint queue random re
    reprlib string struct sys textwrap time timeit token tokenize traceback types typing
    unicodedata uuid warnings weakref zlib
"""
HARMLESS = frozenset(_HARMLESS_NAMES.split())
_DYNAMIC = frozenset(["__import__", "import_module", "exec", "eval", "compile", "ctypes"])
_MOST_FILES = 200


@lru_cache(maxsize=64)
def native_imports(ref: FunctionRef) -> tuple[str, ...]:
    """Return the names through which a target may reach C code; none when it cannot."""
    found: set[str] = set()
    waiting, seen = [Path(ref.file)], set[Path]()
    while waiting and len(seen) < _MOST_FILES:
        file = waiting.pop()
        if file in seen:
            continue
        seen.add(file)
        try:
            _, tree = parse_source(file)
        except SourceError:
            found.add(file.name)
            continue
        for name in _names(tree, file, Path(ref.root)):
            inner = _project_files(name, Path(ref.root))
            waiting += inner
            if not inner and name.partition(".")[0] not in HARMLESS:
                found.add(name)
    return tuple(sorted(found))


def _names(tree: ast.Module, file: Path, root: Path) -> set[str]:
    """Return the dotted names that a module imports, and dynamic ways of importing it uses."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, file, root)
            names |= {f"{base}.{alias.name}".strip(".") for alias in node.names}
        elif isinstance(node, ast.Name) and node.id in _DYNAMIC:
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and node.attr in _DYNAMIC - {"compile"}:
            names.add(node.attr)  # `re.compile` is not meant
    return names


def _absolute(node: ast.ImportFrom, file: Path, root: Path) -> str:
    if not node.level:
        return node.module or ""
    folder = file.parents[node.level - 1]
    parts = folder.relative_to(root).parts if folder.is_relative_to(root) else ("..",)
    return ".".join([*parts, *([node.module] if node.module else [])])


def _project_files(name: str, root: Path) -> list[Path]:
    """Return the project's files that importing a dotted name runs, innermost included."""
    found, folder = [], root
    for part in name.split("."):
        file, package = folder / f"{part}.py", folder / part / "__init__.py"
        if package.is_file():
            found.append(package)
            folder = folder / part
        elif file.is_file():
            return [*found, file]
        else:
            break
    return found
