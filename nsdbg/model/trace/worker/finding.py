"""What an interpreter has of a package: its modules, where they lie, its licence.

Imports nothing but the packages around a module.  For each package a line `{"package", "licence",
"base", "roots", "doctests": [module], "tests": [module]}`, or `{"missing": name}`.
"""

from __future__ import annotations

import importlib.util
import json
import os

from nsdbg.model.trace.worker import stdlib
from nsdbg.verify.child.paths import real_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

STDLIB = real_path(os.path.dirname(os.__file__))


def work(job: dict[str, Any], write: Callable[[str], None]) -> None:
    """Answer for every package of a job; for an empty name with the standard library's modules."""
    for number, name in job["items"]:
        write(json.dumps({"item": number}))
        names = [name] if name else [one for one in stdlib.MODULES if one not in job["without"]]
        for one in names:
            found = _found(one)
            if found is not None:
                write(json.dumps(found))
            elif name:
                write(json.dumps({"missing": name}))
        write(json.dumps({"left": {}}))


def _found(name: str) -> dict[str, Any] | None:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        spec = None
    if spec is None or not (spec.origin or spec.submodule_search_locations):
        return None
    places = [real_path(place) for place in spec.submodule_search_locations or ()]
    if not places and not str(spec.origin).endswith(".py"):
        return None
    file = real_path(places[0] if places else str(spec.origin))
    base = file
    for _ in name.split("."):
        base = os.path.dirname(base)
    of_stdlib = base == STDLIB and name.partition(".")[0] in stdlib.MODULES
    modules = list(_modules(name, places[0])) if places else [(name, file)]
    tests = [module for module, _ in modules if _is_test(module)]
    if of_stdlib:
        tests = list(stdlib.tests_of(name))
    return {
        "package": name.partition(".")[0],
        "licence": stdlib.LICENCE if of_stdlib else _licence(name.partition(".")[0]),
        "base": base,
        "roots": [place + "/" for place in places] or [file],
        "doctests": [module for module, path in modules
                     if not _is_test(module) and _has_examples(path)],
        "tests": tests,
    }  # fmt: skip


def _modules(name: str, folder: str) -> Iterator[tuple[str, str]]:
    """Yield the modules below a package's folder with their files, in order."""
    for entry in sorted(os.listdir(folder)):
        path = os.path.join(folder, entry)
        stem, suffix = os.path.splitext(entry)
        if entry == "__init__.py":
            yield name, path
        elif suffix == ".py" and stem.isidentifier() and stem != "__main__":
            yield f"{name}.{stem}", path
        elif entry.isidentifier() and os.path.isfile(os.path.join(path, "__init__.py")):
            yield from _modules(f"{name}.{entry}", path)


def _is_test(module: str) -> bool:
    parts = module.split(".")
    return parts[-1].startswith("test_") or any(part in ("test", "tests") for part in parts)


def _has_examples(path: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return ">>>" in file.read()
    except OSError:
        return False


def _licence(name: str) -> str:
    """Return what the distribution of a package says of its licence."""
    from importlib import metadata

    try:
        distributions = metadata.packages_distributions().get(name, ())
    except AttributeError:  # before Python 3.10
        return "unknown"
    for distribution in distributions:
        found: Any = metadata.metadata(distribution)
        classified = [one.rpartition("::")[2].strip() for one in found.get_all("Classifier") or ()
                      if one.startswith("License ::")]  # fmt: skip
        told = [found.get("License-Expression"), *classified, found.get("License")]
        for text in told:
            if text and text.strip() not in ("", "UNKNOWN", "OSI Approved"):
                return str(text).strip().splitlines()[0][:80]
    return "unknown"
