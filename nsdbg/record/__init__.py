"""Records of crashes, with the values: written by programs, read by `nsdbg parse` and the others.

The folder stands alone, in Python 3.8 and its standard library: it may be copied into a program
that runs on an interpreter for which nsdbg cannot be installed.
"""

from __future__ import annotations

from .recorder import CrashHandler, Recorder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .sink import Target

__all__ = ["CrashHandler", "Recorder", "install", "uninstall"]

_installed: list[Recorder] = []


def install(target: Target = None, secrets: bool = False) -> Recorder:
    """Record every exception that nobody handles, with the values of its frames.

    `target`: a folder, a file of lines (.jsonl), or a stream.  Without one, the folder that
    NSDBG_RECORD names, or `~/.local/state/nsdbg/crashes`.  `secrets`: keep values that look like
    one.  Called again, it records only into the newer target.
    """
    uninstall()
    recorder = Recorder(target, secrets).install()
    _installed.append(recorder)
    return recorder


def uninstall() -> None:
    """Record no longer."""
    while _installed:
        _installed.pop().uninstall()
