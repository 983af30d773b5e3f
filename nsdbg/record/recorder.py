"""Writes a record of every crash it is told of, and watches for those nobody handles.

Never changes what the program does: hooks that were there are called as before, and what goes
wrong here is kept in `problem` and not told.  Python 3.8, standard library only.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time

from .secrecy import without_secrets
from .sink import Sink
from .snapshot import SCHEMA, snapshot

TYPE_CHECKING = False  # `typing` takes as long to import as all else here
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any

    from .sink import Target
    from .snapshot import Json

    Hook = Callable[..., Any]
    # What was recorded last: the same exception may pass a logger and then end the program.
    Identity = tuple[int, int, str]

try:
    from _json import encode_basestring_ascii as _quoted
except ImportError:  # PyPy has it elsewhere
    from json.encoder import encode_basestring_ascii as _quoted

MOST_OF_ONE_PLACE = 10  # records of one process for the same type and line
MOST = 1000  # records of one process


class Recorder:
    """Records exceptions into a sink.

    `problem` is why the last record was not written, None when it was.
    """

    def __init__(self, target: Target = None, secrets: bool = False) -> None:
        """Write where `Sink` says; `secrets`: keep values that look like one."""
        self.sink = Sink(target)
        self.problem: str | None = None
        self._secrets = secrets
        self._counts: dict[str, int] = {}
        self._last: dict[int, Identity] = {}
        self._lock = threading.Lock()
        self._undo: list[Callable[[], None]] = []

    def record(
        self,
        error: BaseException,
        traceback: TracebackType | None = None,
        context: str | None = None,
    ) -> bool:
        """Write a record of an exception, and return whether it was; never raises.

        `context` says where it happened, in a line.
        """
        try:
            traceback = traceback or error.__traceback__
            if not self._is_wanted(error, traceback):
                return False
            fields = header(context)
            fields.update(snapshot(error, traceback, self._secrets))
            self.sink.write(as_json(fields), type(error).__name__)
            self.problem = None
        except Exception as problem:
            self.problem = f"{type(problem).__name__}: {problem}"
            return False
        return True

    def install(self) -> Recorder:
        """Watch for exceptions that nobody handles, in any thread; twice is as good as once."""
        if not self._undo:
            self._hook(sys, "excepthook", self._on_end)
            self._hook(threading, "excepthook", self._on_thread)
            self._hook(sys, "unraisablehook", self._on_unraisable)
            watch = _AsyncioFilter(self)
            logging.getLogger("asyncio").addFilter(watch)
            self._undo.append(lambda: logging.getLogger("asyncio").removeFilter(watch))
        return self

    def uninstall(self) -> None:
        """Stop watching; a hook that somebody put over ours stays."""
        while self._undo:
            self._undo.pop()()

    def on_loop_exception(self, loop: Any, context: dict[str, Any]) -> None:
        """Handle what an asyncio loop reports: for `loop.set_exception_handler`."""
        error = context.get("exception")
        if isinstance(error, BaseException):
            self.record(error, context=str(context.get("message") or "asyncio"))
        loop.default_exception_handler(context)

    def _hook(self, module: Any, name: str, handle: Callable[..., None]) -> None:
        before: Hook = getattr(module, name)

        def hook(*arguments: Any) -> Any:
            try:
                handle(*arguments)
            except Exception as problem:
                self.problem = f"{type(problem).__name__}: {problem}"
            return before(*arguments)

        def undo() -> None:
            if getattr(module, name) is hook:
                setattr(module, name, before)

        setattr(module, name, hook)
        self._undo.append(undo)

    def _on_end(
        self, kind: type[BaseException], error: Any, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, BaseException) and not isinstance(error, KeyboardInterrupt):
            self.record(error, traceback)

    def _on_thread(self, arguments: Any) -> None:
        error = arguments.exc_value
        if isinstance(error, BaseException) and not isinstance(error, SystemExit):
            name = arguments.thread.name if arguments.thread is not None else "?"
            self.record(error, arguments.exc_traceback, f"Exception in thread {name}:")

    def _on_unraisable(self, arguments: Any) -> None:
        # Only text may be kept of the object: a reference could bring it back to life.
        if isinstance(arguments.exc_value, BaseException):
            name = getattr(arguments.object, "__qualname__", type(arguments.object).__name__)
            said = arguments.err_msg or "Exception ignored in"
            self.record(arguments.exc_value, arguments.exc_traceback, f"{said}: {name}")

    def _is_wanted(self, error: BaseException, traceback: TracebackType | None) -> bool:
        """Whether an exception was not recorded a moment ago, nor its like often enough."""
        last = traceback
        while last is not None and last.tb_next is not None:
            last = last.tb_next
        code = last.tb_frame.f_code if last is not None else None
        lineno = last.tb_lineno if last is not None else 0
        place = f"{type(error).__qualname__}:{code and code.co_filename}:{lineno}"
        thread = threading.get_ident()
        identity = id(error), id(last.tb_frame) if last is not None else 0, place
        with self._lock:
            if self._last.get(thread) == identity:
                return False
            self._last[thread] = identity
            count = self._counts[place] = self._counts.get(place, 0) + 1
            if len(self._last) > MOST or len(self._counts) > MOST:
                self._last.clear()
            return count <= MOST_OF_ONE_PLACE and len(self._counts) <= MOST


class _AsyncioFilter(logging.Filter):
    """Sees what asyncio's default handler logs.

    A filter and no handler: with a handler `logging` would not print to stderr as a last resort.
    """

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self._recorder = recorder

    def filter(self, record: logging.LogRecord) -> bool:
        """Record the exception, and let everything pass."""
        if record.exc_info and isinstance(record.exc_info[1], BaseException):
            said = str(record.msg).split("\n", 1)[0]
            self._recorder.record(record.exc_info[1], record.exc_info[2], said)
        return True


class CrashHandler(logging.Handler):
    """A logging handler that records the exceptions that are logged with `exc_info`."""

    def __init__(
        self, target: Target = None, level: int = logging.ERROR, secrets: bool = False
    ) -> None:
        """Write where `Sink` says: a folder, a file of lines, or a stream."""
        super().__init__(level)
        self.recorder = Recorder(target, secrets)

    def emit(self, record: logging.LogRecord) -> None:
        """Record the exception of a log record; those without one are passed over."""
        if record.exc_info and isinstance(record.exc_info[1], BaseException):
            try:
                said = f"{record.levelname} {record.name}: {record.getMessage()}"
            except Exception:  # a message that does not fit its arguments is logging's to report
                said = f"{record.levelname} {record.name}"
            self.recorder.record(record.exc_info[1], record.exc_info[2], said)


def header(context: str | None) -> Json:
    """Return what a record says besides the exceptions."""
    now = time.time()
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now))
    version = ".".join(map(str, sys.version_info[:3]))
    fields: Json = {
        "schema": SCHEMA,
        "time": f"{seconds}.{int(now % 1 * 1_000_000):06}Z",
        "python": f"{sys.implementation.name} {version}",
        "platform": sys.platform,
        "program": _program(),
        "pid": os.getpid(),
        "thread": threading.current_thread().name,
    }
    if context:
        fields["context"] = without_secrets(context)[:1000]
    return fields


def _program() -> str:
    arguments = getattr(sys, "argv", None) or [""]  # its arguments may be secrets
    return str(arguments[0])[:1000]


def as_json(value: Any) -> str:
    """Return a value of text, numbers, lists and dicts as JSON on one line, in ASCII.

    Not `json`: a module of that name in the program's folder would be imported in its place.
    """
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return str(_quoted(value))
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dict):
        pairs = (f"{_quoted(key)}: {as_json(one)}" for key, one in value.items())
        return f"{{{', '.join(pairs)}}}"
    return f"[{', '.join(map(as_json, value))}]"
