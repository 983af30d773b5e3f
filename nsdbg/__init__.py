"""nsdbg: a debugger for code you are not running, whose every answer is checked.

This package root holds the version and, read when first asked for, what a program needs to record
its own crashes; importing any part of nsdbg loads only that part.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # `typing` takes long to import
if TYPE_CHECKING:
    from nsdbg.record import CrashHandler, Recorder, install, uninstall

_RECORD = ("CrashHandler", "Recorder", "install", "uninstall")

__all__ = ["CrashHandler", "Recorder", "install", "uninstall"]


def __getattr__(name: str) -> object:
    if name in _RECORD:
        from nsdbg import record

        return getattr(record, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
