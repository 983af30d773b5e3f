"""Run by the interpreter that `nsdbg run` starts, before the program: begins recording.

A `sitecustomize`, so that the program starts exactly as it would alone: its own `__main__`,
`sys.argv`, `sys.path` and exit.  Leaves nothing behind that the program or its children could see,
and lets a `sitecustomize` that stands behind it have its turn.  Python 3.8, standard library only.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

OPTIONS = "_NSDBG_RUN"  # where to, "secrets" or "", and the PYTHONPATH of before, by line


def _load_recorder() -> ModuleType:
    """Import the recorder from its folder under a name of its own, whatever is on the path."""
    from importlib.util import module_from_spec, spec_from_file_location

    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    spec = spec_from_file_location(
        "_nsdbg_record", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    module = module_from_spec(spec)  # type: ignore[arg-type]
    sys.modules["_nsdbg_record"] = module
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def _begin(options: str) -> None:
    target, secrets, _ = options.split("\n", 2)
    recorder = _load_recorder().install(target or None, secrets == "secrets")
    before = sys.excepthook

    def hook(*arguments: Any) -> None:
        before(*arguments)
        last = recorder.sink.last
        if last and recorder.problem is None and sys.stderr is not None and sys.stderr.isatty():
            sys.stderr.write(f"nsdbg: recorded in {last}\n")

    sys.excepthook = hook


def _clear_away(options: str) -> None:
    before = options.split("\n", 2)[2]
    if before:
        os.environ["PYTHONPATH"] = before[1:]
    else:
        os.environ.pop("PYTHONPATH", None)
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [one for one in sys.path if os.path.abspath(one or ".") != here]
    sys.path_importer_cache.pop(here, None)


def _start() -> None:
    options = os.environ.pop(OPTIONS, None)
    if options is None:
        return
    _clear_away(options)
    _begin(options)
    ours = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # type: ignore[import-not-found]  # noqa: F401
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
        if ours is not None:
            sys.modules["sitecustomize"] = ours


_start()
