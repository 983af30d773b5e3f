"""The parent's side of the zygotes: base processes under the sandbox, and their targets' lines.

Passes texts on and keeps time; what they mean is `wire.py`'s and `runner.py`'s.
"""

from __future__ import annotations

import array
import contextlib
import itertools
import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nsdbg.claim import Raised, Site
from nsdbg.errors import InterpreterError
from nsdbg.source import MODULE
from nsdbg.verify.sandbox import Sandbox
from nsdbg.verify.wire import UNREADABLE

BOOT = Path(__file__).with_name("child") / "boot.py"
START_LIMIT_S = 30.0
_CHUNK = 1 << 18
# How long a process may leave unread what it is sent, and how long a line it may send.
_SEND_LIMIT_S = 10.0
_LONGEST_LINE = 1 << 27
# A run reports no more refusals than these, and none that is longer.
_MOST_REFUSALS, _LONGEST_REFUSAL = 20, 1000


class LineBroken(Exception):
    """The other side went away, stayed silent for too long, or sent what is no JSON."""


class Lines:
    """Lines of JSON from a descriptor, each within a time limit."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._parts: list[bytes] = []
        self._size = 0
        self._lines: list[bytes] = []
        self._poll = select.poll()
        self._poll.register(fd, select.POLLIN)

    def next(self, patience_s: float) -> bytes:
        """Return the next line; raises LineBroken."""
        deadline = time.monotonic() + patience_s
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0 or not self._poll.poll(max(1.0, left * 1000)):
                raise LineBroken("no answer in time")
            data = self._read()
            if not data:
                raise LineBroken("the process is gone")
            self._take(data)
        return self._lines.pop()

    @property
    def is_at_end(self) -> bool:
        """Whether there is nothing more to come, now."""
        return bool(self._poll.poll(0)) and not self._read()

    def _read(self) -> bytes:
        try:
            return os.read(self.fd, _CHUNK)
        except OSError:  # a socket whose other side was killed says so once
            return b""

    def _take(self, data: bytes) -> None:
        if b"\n" not in data:
            self._parts.append(data)
            self._size += len(data)
            if self._size > _LONGEST_LINE:
                raise LineBroken("the process sent a line without end")
            return
        lines = b"".join([*self._parts, data]).split(b"\n")
        self._parts = [lines.pop()]
        self._size = len(self._parts[0])
        self._lines = lines[::-1]


def parse(line: bytes) -> Any:
    """Read one line; raises LineBroken."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineBroken(f"the process sent no JSON: {line[:80]!r}") from error


@dataclass(slots=True)
class Target:
    """One target zygote: its name at the base, the ends of its lines, and what it told on loading.

    `failure` is set when the target cannot be used, and `raised` when an exception left its import;
    `blocked` holds what its import was refused.
    """

    name: int
    requests: int
    answers: Lines
    import_limit_s: float
    loaded: bool = False
    failure: str = ""
    raised: Raised | None = None
    blocked: tuple[str, ...] = ()
    possible: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def wait(self) -> None:
        """Wait until the target is imported; afterwards `failure` tells whether it is usable."""
        if self.loaded:
            return
        self.loaded = True
        try:
            answer = parse(self.answers.next(self.import_limit_s + 2.0))
            self.blocked = tuple(str(text) for text in answer.get("blocked", ()))
            if "possible" in answer:
                file, lines = answer["possible"]
                self.possible[str(file)] = tuple(int(line) for line in lines)
            if answer.get("ready") is not True:
                self.failure = str(answer.get("detail", answer.get("failed", "no word")))
                if "raised" in answer:
                    kind, message, file, lineno = answer["raised"]
                    place = Site(str(file), int(lineno), MODULE)
                    self.raised = Raised(str(kind), str(message), (place,))
        except (LineBroken, *UNREADABLE) as error:
            self.failure = f"importing the target: {error}"

    def send(self, request: Mapping[str, Any]) -> None:
        """Send one request; raises LineBroken."""
        data = memoryview(json.dumps(request, separators=(",", ":")).encode() + b"\n")
        ready = select.poll()
        ready.register(self.requests, select.POLLOUT)
        try:
            while data:
                if not ready.poll(_SEND_LIMIT_S * 1000):
                    raise LineBroken("the process does not take a request")
                data = data[os.write(self.requests, data) :]
        except OSError as error:
            raise LineBroken(f"the process is gone: {error}") from error

    def results(self, patience_s: float, budget_s: float) -> Iterator[tuple[int, Any]]:
        """Yield `(index, result)` until the end of the answer; raises LineBroken.

        Waits `patience_s` for one line and `budget_s` for all.  What the guard refused in a run
        that then died is added to its result as `b`.
        """
        blocked: list[str] = []
        deadline = time.monotonic() + budget_s
        while True:
            line = self.answers.next(min(patience_s, deadline - time.monotonic()))
            if line.startswith(b"!"):
                if len(blocked) < _MOST_REFUSALS:
                    blocked.append(str(parse(line[1:]))[:_LONGEST_REFUSAL])
                continue
            answer = parse(line)
            if isinstance(answer, dict):
                if "end" not in answer:
                    raise LineBroken(str(answer.get("failed", "an answer to another question")))
                return
            index, result = answer
            if blocked and isinstance(result, dict) and "b" not in result:
                result.update(b=blocked, e="blocked")
            blocked = []
            yield index, result

    def ask_possible(self, file: str) -> tuple[int, ...]:
        """Return the lines of a file that its code objects say are possible.

        Raises LineBroken; what is answered later would be taken for an answer to something else.
        """
        if file not in self.possible:
            self.send({"op": "possible", "file": file})
            answer = parse(self.answers.next(self.import_limit_s))
            try:
                self.possible[file] = tuple(int(line) for line in answer["possible"])
            except UNREADABLE as error:
                raise LineBroken("an answer to another question") from error
        return self.possible[file]

    def close(self) -> None:
        """Close its lines, on which it ends itself."""
        for fd in (self.requests, self.answers.fd):
            with contextlib.suppress(OSError):
                os.close(fd)


class Base:
    """A base zygote: an interpreter under the sandbox that knows no target yet.

    It is started, and its targets loaded, without waiting for either.  All but `number` 0 show
    them another day.
    """

    def __init__(self, sandbox: Sandbox, environment: Mapping[str, str], number: int = 0) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.process = sandbox.spawn(
                [str(BOOT), str(theirs.fileno()), str(number)],
                environment,
                [theirs.fileno()],
                stderr=subprocess.PIPE,
            )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._python = sandbox.config.python
        ours.settimeout(_SEND_LIMIT_S)
        self._line = ours
        self._lines = Lines(ours.fileno())
        self._greeted = False
        self._names = itertools.count()

    def greet(self) -> None:
        """Wait until it has started; raises InterpreterError with what it said instead."""
        if self._greeted:
            return
        try:
            parse(self._lines.next(START_LIMIT_S))["python"]
        except (LineBroken, KeyError, TypeError) as error:
            self.process.kill()
            said = self.process.stderr.read(4096) if self.process.stderr else b""
            last = said.decode("utf-8", "replace").strip().splitlines()[-1:] or [str(error)]
            raise InterpreterError(
                f"{self._python} does not start the checks: {last[0]:.500}"
            ) from error
        self._greeted = True

    @property
    def is_gone(self) -> bool:
        """Whether it has closed its line, as it does when it ends; it says nothing after hello."""
        return self._lines.is_at_end

    def load(self, order: Mapping[str, Any], import_limit_s: float) -> Target:
        """Have a target zygote forked, which begins to import; raises LineBroken."""
        name = next(self._names)
        requests, our_requests = os.pipe()
        our_answers, answers = os.pipe()
        try:
            rights = array.array("i", [requests, answers])
            self._send({**order, "op": "load", "id": name}, rights)
        except OSError as error:
            os.close(our_requests)
            os.close(our_answers)
            raise LineBroken(f"the base process is gone: {error}") from error
        finally:
            os.close(requests)
            os.close(answers)
        os.set_blocking(our_requests, False)
        return Target(name, our_requests, Lines(our_answers), import_limit_s)

    def _send(self, order: Mapping[str, Any], rights: array.array[int] | None = None) -> None:
        ancillary = [] if rights is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)]
        data = json.dumps(order).encode() + b"\n"
        sent = self._line.sendmsg([data], ancillary)
        self._line.sendall(data[sent:])

    def drop(self, target: Target) -> None:
        """End a target zygote, whatever it is doing."""
        target.close()
        with contextlib.suppress(OSError):
            self._send({"op": "kill", "id": target.name})

    def close(self) -> None:
        """Close the line, on which the base ends itself."""
        self._line.close()
        if self.process.stderr:
            self.process.stderr.close()


def collect(target: Target, patience_s: float, budget_s: float, found: list[Any]) -> str:
    """Fill in the results of a request that was sent; return why the answer had no end, if so."""
    try:
        for index, result in target.results(patience_s, budget_s):
            if isinstance(index, int) and 0 <= index < len(found):
                found[index] = result
    except (LineBroken, *UNREADABLE) as error:
        return f"the process that watches the runs failed: {error}"
    return ""
