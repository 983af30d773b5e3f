"""A target zygote: imports one target, then forks a process for each request, and watches it.

Requests and answers are lines of JSON.  An answer is `[index, result]` for each start, `!text`
for what the guard refused, and `{"end": true}`.  It kills what outlives its deadline, and goes on
with the next start in a new process.
"""

import gc
import os
import sys
from os import (
    WEXITSTATUS,
    WIFEXITED,
    WIFSIGNALED,
    WTERMSIG,
    _exit,
    close,
    fork,
    kill,
    pipe,
    read,
    waitpid,
)
from select import POLLIN, poll
from signal import SIGKILL
from time import monotonic
from types import ModuleType
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import guard
from .bytecode import possible_lines
from .limits import ALARM, Expired
from .lines import LineReader, decode, encode, raise_descriptor, send
from .loading import compile_file, import_target
from .matching import Goal
from .probing import Twin
from .run import Blocks, Runs
from .scratch import Scratch
from .states import message_of
from .values import printed_type

# What a run may take beyond its limit before it is killed, and what a batch may keep unsent.
GRACE_S = 0.5
HELD_S = 0.02
HELD_BYTES = 1 << 15
# No honest result is longer: a trace has its own, lower limits.
LONGEST_LINE = 1 << 26
_SPOILED, _AGAIN = 77, 78
_CHUNK = 1 << 16


class Zygote:
    """One imported target and the two ends of its line to the parent."""

    def __init__(self, plan: Dict[str, Any], requests: int, answers: int) -> None:
        self._plan = plan
        self._requests, self._answers = requests, answers
        self._module: Optional[ModuleType] = None
        self._blocks = Blocks()
        self._runs: Optional[Runs] = None
        self._twin: Optional[Twin] = None
        self._goal: Any = None
        self._deadline = 0.0

    def serve(self) -> None:
        """Import the target, tell how that went, and answer requests until the parent closes."""
        self._point_streams()
        self.say(self._load())
        self._scratch = Scratch(self._plan["writable"][0])
        gc.collect()
        gc.freeze()
        for line in LineReader(self._requests):
            request = decode(line)
            if request["op"] == "possible":
                self.say({"possible": self._possible(request["file"])})
            else:
                self._answer(request)

    def _point_streams(self) -> None:
        empty = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(empty, fd)
        close(empty)

    def _load(self) -> Dict[str, Any]:
        plan = self._plan
        # Until now both were those of our own first step.
        sys.argv = [plan["file"]]
        sys.modules["__main__"] = ModuleType("__main__")
        if plan["hook"]:
            report = self._blocks.report
            guard.install_hook(plan["allow"], report, plan["readable"], plan["writable"])
        if plan["module"] is None:
            return {"ready": True}
        ALARM.install()
        ALARM.begin(plan["import_limit_s"])
        try:
            self._module = import_target(plan["file"], plan["module"], plan["root"])
        except Expired:
            return self._failure("the import takes longer than %g s" % plan["import_limit_s"])
        except BaseException as error:
            kind, message = printed_type(type(error)), "%.2000s" % message_of(error)
            place = _place_of(error, plan["root"])
            return {**self._failure("%s: %s" % (kind, message)), "raised": [kind, message, *place]}
        finally:
            ALARM.end()
        if plan["twin"] is not None:
            self._twin = Twin(Goal(plan["twin"]), plan["file"], self._module)
        possible = [plan["file"], self._possible(plan["file"])]
        return {"ready": True, "blocked": self._blocks.seen[:], "possible": possible}

    def _failure(self, detail: str) -> Dict[str, Any]:
        return {"ready": False, "detail": detail, "blocked": self._blocks.seen[:]}

    def _possible(self, file: str) -> List[int]:
        try:
            return sorted(possible_lines(compile_file(file)))
        except (OSError, SyntaxError, ValueError):
            return []

    def say(self, answer: Dict[str, Any]) -> None:
        """Send one answer to the parent."""
        send(self._answers, encode(answer).encode() + b"\n")

    def _answer(self, request: Dict[str, Any]) -> None:
        self._prepare(request)
        starts, done = request["starts"], 0
        careful, shallow = len(starts) == 1, False
        self._deadline = monotonic() + request["budget_s"]
        while done < len(starts) and monotonic() < self._deadline:
            told, fate = self._run_from(request, done, careful, shallow)
            done += told
            if fate.again and not shallow:
                shallow = True
                continue
            shallow = False
            if (fate.spoiled and told) or done >= len(starts):
                continue
            if careful:
                self._blame(done, fate)
                done += 1
            careful = True
        self.say({"end": True})

    def _prepare(self, request: Dict[str, Any]) -> None:
        """Make what all runs of a goal share, before forking; runs nothing of the target."""
        goal = {key: value for key, value in request.items() if key != "starts"}
        if goal != self._goal:
            self._goal, self._runs = goal, Runs(self._module, request, self._blocks, self._scratch)

    def _blame(self, index: int, fate: "Fate") -> None:
        result = {"e": "timed-out" if fate.killed else "died", "m": fate.detail, "s": fate.seconds}
        send(self._answers, encode([index, result]).encode() + b"\n")

    def _run_from(
        self, request: Dict[str, Any], first: int, careful: bool, shallow: bool
    ) -> "Tuple[int, Fate]":
        """Fork a process for the starts from `first` on; return what it told of, and its end."""
        started = monotonic()
        out, into = pipe()
        process = fork()
        if process == 0:
            try:
                close(out)
                close(self._requests)
                close(self._answers)
                self._run(request, first, careful or shallow, shallow, raise_descriptor(into))
            finally:
                _exit(70)
        close(into)
        turn = Turn(range(first, len(request["starts"])), request["limit_s"] + GRACE_S + HELD_S)
        told, killed = self._watch(out, process, turn)
        close(out)
        _, status = waitpid(process, 0)
        self._scratch.tidy()  # here, since it may take long: not within the next run's limit
        return told, Fate.of(status, killed, monotonic() - started)

    def _watch(self, out: int, process: int, turn: "Turn") -> Tuple[int, bool]:
        """Pass on what a process tells; kill it when that lets wait for too long."""
        reader = LineReader(out)
        poller = poll()
        poller.register(out, POLLIN)
        while True:
            left = turn.deadline - monotonic()
            if left <= 0 or reader.size > LONGEST_LINE or not poller.poll(left * 1000):
                kill(process, SIGKILL)
                return turn.told, True
            data = read(out, _CHUNK)
            if not data:
                return turn.told, False
            lines = [line for line in reader.take(data) if turn.takes(line)]
            if lines:
                send(self._answers, b"\n".join(lines) + b"\n")

    def _run(
        self, request: Dict[str, Any], first: int, careful: bool, shallow: bool, into: int
    ) -> None:
        self._blocks.tell = lambda text: send(into, b"!" + encode(text).encode() + b"\n")
        guard.harden_run(self._plan["allow"])
        assert self._runs is not None
        self._runs.settle(shallow)
        self._runs.pulse = lambda: send(into, b"\n")
        run = self._runs.run if self._twin is None else self._twin.probing(self._runs)
        held: List[bytes] = []
        size, sent = 0, monotonic()
        for index in range(first, len(request["starts"])):
            try:
                result = run(request["starts"][index])
            except BaseException as error:
                result = self._runs.fail(error)
            if self._runs.again:
                send(into, b"".join(held))
                _exit(_AGAIN)
            held.append(encode([index, result]).encode() + b"\n")
            size += len(held[-1])
            if careful or self._runs.spoiled or size > HELD_BYTES or monotonic() > sent + HELD_S:
                send(into, b"".join(held))
                held, size, sent = [], 0, monotonic()
            if self._runs.spoiled or shallow or monotonic() > self._deadline:
                send(into, b"".join(held))
                _exit(_SPOILED)
        send(into, b"".join(held))
        _exit(0)


class Turn:
    """Whose result is next of the starts `wanted`, and until when; `told` counts the results.

    A program that finds the descriptor can write there too: not so as to answer a request in our
    name, nor for a start to come, nor to go on for ever.
    """

    def __init__(self, wanted: Sequence[int], patience_s: float) -> None:
        self._wanted = wanted
        self._patience_s = patience_s
        self.told = 0
        self._next()

    def _next(self) -> None:
        self.deadline = monotonic() + self._patience_s
        self._refusals, self._pulsed = 0, False

    def takes(self, line: bytes) -> bool:
        """Whether to pass a line on: the next result, or one of its first refusals."""
        if line.startswith(b"!"):
            self._refusals += 1
            return self._refusals <= Blocks.MAX
        if not line and not self._pulsed:
            self._next()
            self._pulsed = True
        if self.told < len(self._wanted) and line.startswith(b"[%d," % self._wanted[self.told]):
            self.told += 1
            self._next()
            return True
        return False


def _place_of(error: BaseException, root: str) -> Tuple[str, int]:
    """Return the innermost line below a folder that an exception passed."""
    found = ("", 0)
    trace = BaseException.__traceback__.__get__(error)  # type: ignore[union-attr]
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file.startswith(root):
            found = (file, trace.tb_lineno)
        trace = trace.tb_next
    return found


class Fate(NamedTuple):
    """How a forked process ended.

    `spoiled`: by itself, so that the next start has a new one; `again`: by itself, so that the
    present start is run once more, with deep frames untraced.
    """

    spoiled: bool
    again: bool
    killed: bool
    detail: str
    seconds: float

    @classmethod
    def of(cls, status: int, killed: bool, seconds: float) -> "Fate":
        """Read a wait status."""
        if killed:
            detail = "killed after its time limit, which it did not heed"
        elif WIFSIGNALED(status):
            detail = "killed by signal %d" % WTERMSIG(status)
        else:
            detail = "the process ended itself with status %d" % WEXITSTATUS(status)
        code = WEXITSTATUS(status) if WIFEXITED(status) else -1
        return cls(code == _SPOILED, code == _AGAIN, killed, detail, round(seconds, 6))
