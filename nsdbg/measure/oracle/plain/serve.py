"""Requests as JSON lines on standard input, answers on standard output: one process a program.

Each run is made in a fork of the process that imported the target, so that it finds the module as
its import left it; with `fork` false, in a module that is made anew, for programs that are known
to end and to change nothing else.  Requests have `do`: `open` (file, root, module), `record`,
`lead`, `jump`, `reach` and `spelt`.  An answer with `why` says why there is none.
"""

# It runs on 3.8.
# ruff: noqa: UP006, UP031, UP035, UP045, SIM105

import gc
import importlib
import io
import json
import os
import select
import signal
import sys
import time
from typing import Any, Callable, Dict, List, Optional

from .calling import ARGUMENT, CannotCall, bound, import_target, script
from .exact import NotALiteral, shown, spelt
from .jumping import CannotJump, Jumper, is_head, placeholders
from .reaching import reaches
from .stepping import Stepper, message, printed

Answer = Dict[str, Any]


class Own:
    """Which files are the target's own: its file, and those of its root but for packages there."""

    def __init__(self, file: str, root: str) -> None:
        self._known = {file: True, ARGUMENT: True}
        self._root = os.path.join(os.path.realpath(root), "")

    def __call__(self, name: str) -> bool:
        known = self._known.get(name)
        if known is None:
            path = os.path.realpath(name)
            known = path.startswith(self._root) and not name.startswith("<")
            inside = path[len(self._root) :].split(os.sep)
            known = known and not {"site-packages", "dist-packages"} & set(inside)
            self._known[name] = known
        return known


class Server:
    """One target, and the runs that are asked of it."""

    def __init__(self) -> None:
        self._module: Any = None
        self._code: Any = None
        self._failure = "nothing was opened"
        self._file = ""
        self._own: Callable[[str], bool] = Own("", "/nowhere")

    def answer(self, request: Dict[str, Any]) -> Answer:
        """Return the answer to one request."""
        if request["do"] == "spelt":
            return {"texts": [spelt(text) for text in request["texts"]]}
        if request["do"] == "open":
            return self._open(request)
        if self._module is None and request.get("script") is None:
            return {"why": self._failure}
        if request["fork"]:
            return forked(lambda: self._run(request), request["limit_s"])
        gc.collect()
        gc.disable()  # what an earlier run left would be closed in this one, and be traced
        try:
            self._module = self._again()
            return self._run(request)
        finally:
            gc.enable()

    def _again(self) -> Any:
        """Return the target as a new module, from its own code."""
        if self._code is None:
            with open(self._file, "rb") as source:
                self._code = compile(source.read(), self._file, "exec")
        module = type(sys)(self._module.__name__)
        module.__dict__["__file__"] = self._file
        sys.modules[self._module.__name__] = module
        exec(self._code, module.__dict__)
        return module

    def _open(self, request: Dict[str, Any]) -> Answer:
        self._module, self._failure, self._code = None, "", None
        self._file = request["file"]
        self._own = Own(self._file, request["root"])
        if not request["module"]:
            return {}
        sys.modules.pop(request["module"], None)
        importlib.invalidate_caches()
        quiet()
        try:
            self._module = import_target(request["root"], request["module"])
        except BaseException as error:
            self._failure = "the import fails: %s: %s" % (printed(type(error)), message(error))
            return {"why": self._failure}
        gc.freeze()  # forks share what is there, and collections pass over it
        return {}

    def _run(self, request: Dict[str, Any]) -> Answer:
        quiet()
        if request.get("script") is not None:
            sys.stdin = io.StringIO(request["script"]["stdin"])
            call = script(self._file, request["script"]["argv"])
        else:
            try:
                if request["do"] == "jump":
                    return self._jump(request)
                call = bound(
                    self._module, request["entry"], request["arguments"], request["imports"]
                )
            except CannotCall as error:
                return {"why": str(error)}
        if request["do"] == "reach":
            return {"reached": reaches(request["goal"], call, self._own, request["most"])}
        if request["do"] == "lead":
            return self._lead(call, request)
        return self._record(call, request)

    def _lead(self, call: Callable[[], Any], request: Dict[str, Any]) -> Answer:
        commands = [(word, line or 0) for word, line in request["commands"]]
        stepper = Stepper(self._own, request["at"], commands, request["most"])
        try:
            stepper.run_call(call)
        except BaseException:
            pass  # `BdbQuit` or the program's own: what matters is where it stopped
        return {"start": stepper.start, "ends": stepper.ends}

    def _jump(self, request: Dict[str, Any]) -> Answer:
        if is_head(self._file, request["lineno"]):
            return {"why": "what a loop or a manager holds is not in the state"}
        call = placeholders(self._module, request["entry"])
        commands = [(word, line or 0) for word, line in request["commands"]]
        names = dict(request["names"])
        stepper = Jumper(self._own, request["lineno"], names, commands, request["most"])
        try:
            stepper.run_call(call)
        except (CannotJump, NotALiteral) as error:
            return {"why": str(error)}
        except BaseException:
            pass
        return {"start": stepper.start, "ends": stepper.ends}

    def _record(self, call: Callable[[], Any], request: Dict[str, Any]) -> Answer:
        stepper = Stepper(self._own, 0, (), request["most"])
        answer: Answer = {"value": None, "raised": None}
        try:
            answer["value"] = list(shown(stepper.run_call(call)))
        except BaseException as error:
            answer["raised"] = [printed(type(error)), message(error), self._sites(error)]
        return {**answer, "events": stepper.events, "complete": stepper.complete}

    def _sites(self, error: BaseException) -> List[Any]:
        found = []
        trace = error.__traceback__
        while trace is not None:
            code = trace.tb_frame.f_code
            if self._own(code.co_filename):
                found.append([code.co_filename, trace.tb_lineno, code.co_name])
            trace = trace.tb_next
        return found


def quiet() -> None:
    """Let the target print to nowhere, and read nothing."""
    sys.stdout, sys.stderr, sys.stdin = io.StringIO(), io.StringIO(), io.StringIO()


def forked(run: Callable[[], Answer], limit_s: float) -> Answer:
    """Return what a run answers in a process of its own, which ends at its limit."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        try:
            told = json.dumps(run())
        except BaseException as error:
            told = json.dumps({"why": "the oracle failed: %r" % (error,)})
        with open(writing, "w", encoding="utf-8") as pipe:
            pipe.write(told)
        os._exit(0)
    os.close(writing)
    text = _read(reading, limit_s)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if text is None:
        return {"why": "the run took longer than %g s" % limit_s}
    try:
        answer: Answer = json.loads(text)
    except ValueError:
        return {"why": "the run's process died"}
    return answer


def _read(descriptor: int, limit_s: float) -> Optional[str]:
    """Return what is written to a pipe until it is closed; None when that takes too long."""
    end = time.monotonic() + limit_s
    parts: List[bytes] = []
    with open(descriptor, "rb", buffering=0) as pipe:
        while True:
            ready, _, _ = select.select([pipe], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                return None
            part = pipe.read(1 << 20)
            if not part:
                return b"".join(parts).decode("utf-8", "replace")
            parts.append(part)


def main() -> None:
    """Answer one request after another."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    server = Server()
    for line in lines:
        out.write(json.dumps(server.answer(json.loads(line))) + "\n")
        out.flush()
    os._exit(0)
