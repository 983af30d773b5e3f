"""What is true of a program: recorded calls and stops, by plain Python and `bdb` alone.

A script for a fresh interpreter that shares no code with nsdbg: `liar_oracle.py values FILE` and
`liar_oracle.py steps FILE SEED COUNT` print JSON.  A file's `CALLS` are the calls to look at.
"""

from __future__ import annotations

import ast
import bdb
import contextlib
import io
import json
import os
import random
import re
import sys
from types import FrameType, ModuleType
from typing import Any

Fact = dict[str, Any]
Place = list[tuple[str, int]]


def fresh_module(path: str) -> ModuleType:
    """Return a file's module as its import leaves it, whatever ran before."""
    module = ModuleType("liar_program")
    module.__dict__["__file__"] = path
    sys.modules["liar_program"] = module
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), module.__dict__)
    return module


def exact(value: Any) -> str | None:
    """Return a value's text when it stands for it, exact types all the way down; else None."""
    if type(value) in (int, bool, str, bytes, type(None)):
        return repr(value)
    if type(value) is float:
        return repr(value)  # what `nan` and `inf` stand for, nsdbg reads as well
    if type(value) in (list, tuple):
        parts = [exact(item) for item in value]
        if None in parts:
            return None
        inner = ", ".join(map(str, parts))
        if type(value) is tuple:
            return f"({inner},)" if len(parts) == 1 else f"({inner})"
        return f"[{inner}]"
    if type(value) is dict:
        pairs = [(exact(key), exact(item)) for key, item in value.items()]
        if any(None in pair for pair in pairs):
            return None
        return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
    if type(value) is set and value:
        parts = [exact(item) for item in value]
        return None if None in parts else "{" + ", ".join(sorted(map(str, parts))) + "}"
    return None


def shown(value: Any) -> str:
    """Return a value's text, after a tilde when the text does not stand for it."""
    return exact(value) or "~" + re.sub(r" at 0x\w+", "", repr(value))


def values(path: str) -> list[Fact]:
    """Return how each call ends, in a module of its own, with nobody watching."""
    found = []
    for name, arguments in fresh_module(path).CALLS:
        module = fresh_module(path)
        given = [eval(text, module.__dict__) for text in arguments]
        fact: Fact = {"function": name, "arguments": list(arguments)}
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                fact["value"] = exact(getattr(module, name)(*given))
            except Exception as error:
                fact |= _raised(error)
        found.append({**fact, "output": out.getvalue()})
    return found


def _raised(error: BaseException) -> Fact:
    named = _named(type(error))
    return {"raised": named, "own": "liar_program" in named, "message": str(error)}


def _named(kind: type[BaseException]) -> str:
    """Return a class as a traceback prints it."""
    if kind.__module__ in ("builtins", "__main__"):
        return kind.__qualname__
    return f"{kind.__module__}.{kind.__qualname__}"


class Stepper(bdb.Bdb):
    """Steps to one stop, gives one command there, and notes where that leads."""

    def __init__(self, path: str, stop: int, command: tuple[str, int]) -> None:
        super().__init__()
        self.path, self.stop, self.command = path, stop, command
        self.count = 0
        self.start: Fact | None = None
        self.end: Fact | None = None
        self.origin: FrameType | None = None
        self.out = io.StringIO()
        self.printed = 0

    def stop_here(self, frame: FrameType) -> bool:
        return frame.f_code.co_filename == self.path and super().stop_here(frame)

    def user_call(self, frame: FrameType, argument_list: Any) -> None:
        if self.stop_here(frame):  # else there is a breakpoint in its file, as `pdb` knows
            self.seen(frame, "call", None)

    def user_line(self, frame: FrameType) -> None:
        self.seen(frame, "line", None)

    def user_return(self, frame: FrameType, value: Any) -> None:
        self.seen(frame, "return", value)

    def user_exception(self, frame: FrameType, info: Any) -> None:
        self.seen(frame, "exception", info)

    def seen(self, frame: FrameType, event: str, arg: Any) -> None:
        self.count += 1
        if self.count <= self.stop:
            self.set_step()
            return
        if self.start is None:
            self.origin = frame
            self.start = self.fact(frame, event, arg)
            self.printed = len(self.out.getvalue())
            self.give(frame)
            return
        self.end = self.fact(frame, event, arg)
        self.end["output"] = self.out.getvalue()[self.printed :]
        self.set_quit()

    def give(self, frame: FrameType) -> None:
        word, line = self.command
        if word == "step":
            self.set_step()
        elif word == "next":
            self.set_next(frame)
        elif word == "return":
            self.set_return(frame)
        elif word == "until":
            self.set_until(frame, line)
        else:
            self.set_break(self.path, line)
            self.set_continue()

    def fact(self, frame: FrameType, event: str, arg: Any) -> Fact:
        stack: Place = []
        here: FrameType | None = frame
        while here is not None:
            if here.f_code.co_filename == self.path:
                stack.insert(0, (here.f_code.co_name, here.f_lineno))
            if here is self.origin:
                break
            here = here.f_back
        names = {name: shown(value) for name, value in frame.f_locals.items() if name[0] != "."}
        fact: Fact = {"event": event, "stack": stack, "inside": here is not None, "locals": names}
        if event == "return" and arg is not None:  # None may be an exception that leaves
            fact["value"] = exact(arg)
        if event == "exception":
            stem = os.path.basename(self.path).partition(".")[0]
            named = _named(arg[0]).replace("liar_program.", stem + ".")
            fact |= {"type": named, "message": str(arg[1])}
        return fact


def one_stop(path: str, call: Any, stop: int, command: tuple[str, int]) -> Stepper:
    """Run one call to one of its stops and on, from a fresh import."""
    module = fresh_module(path)
    name, arguments = call
    given = [eval(text, module.__dict__) for text in arguments]
    stepper = Stepper(path, stop, command)
    with contextlib.redirect_stdout(stepper.out), contextlib.suppress(bdb.BdbQuit, Exception):
        stepper.runcall(drained, getattr(module, name), *given)
    stepper.clear_all_breaks()
    return stepper


def drained(function: Any, *given: Any) -> Any:
    result = function(*given)
    return list(result) if type(result).__name__ == "generator" else result


def steps(path: str, seed: int, count: int) -> list[Fact]:
    """Return commands given at random stops and where they led."""
    draw = random.Random(seed)
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    lines = sorted({node.lineno for node in ast.walk(tree) if isinstance(node, ast.stmt)})
    calls = fresh_module(path).CALLS
    lengths = [one_stop(path, call, 1 << 30, ("step", 0)).count for call in calls]
    found = []
    for _ in range(count):
        at = draw.randrange(len(calls))
        word = draw.choice(["step", "step", "next", "next", "return", "until", "continue"])
        stop = draw.randrange(max(1, min(lengths[at], 400)))
        seen = one_stop(path, calls[at], stop, (word, draw.choice(lines)))
        if seen.start is not None:
            found.append({
                "word": word, "line": seen.command[1], "start": seen.start, "end": seen.end
            })  # fmt: skip
    return found


if __name__ == "__main__":
    if sys.argv[1] == "values":
        print(json.dumps(values(sys.argv[2])))
    else:
        print(json.dumps(steps(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))))
