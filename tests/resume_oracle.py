"""Continues test programs from every state they pass, and compares with how they went on.

A script for any interpreter from 3.8 on, standard library only: `resume_oracle.py CHILD PROGRAM…`
prints one JSON object: how many states were tried, what was answered, and what was wrong.  It is
also imported by tests, as a module.
"""

# It runs on 3.8.
# ruff: noqa: UP006, UP035, UP045

import importlib.util
import json
import os
import sys
from types import FrameType
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

Event = Tuple[str, Tuple[int, ...], int, str, Dict[str, Any], Any]
Went = Tuple[List[Any], Optional[str]]


def load(path: str, name: str) -> Any:
    spec = importlib.util.spec_from_file_location(
        name, path, submodule_search_locations=[os.path.dirname(path)] if name[0] == "_" else None
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Recorder:
    """Every event of one file's frames: who, where, and with which locals."""

    def __init__(self, file: str, snapshot: Callable[[Any], Any]) -> None:
        self.file, self.snapshot = file, snapshot
        self.events: List[Event] = []
        self.frames: List[FrameType] = []

    def number(self, frame: FrameType) -> int:
        for number, known in enumerate(self.frames):
            if known is frame:
                return number
        self.frames.append(frame)
        return len(self.frames) - 1

    def trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename != self.file:
            return None
        stack: List[int] = []
        here: Optional[FrameType] = frame
        while here is not None:
            if here.f_code.co_filename == self.file:
                stack.insert(0, self.number(here))
            here = here.f_back
        names = {
            name: tuple(self.snapshot(value))
            for name, value in frame.f_locals.items()
            if not name.startswith(".")
        }
        raised = event == "exception"
        arg = (arg[0].__name__, str(arg[1])) if raised else tuple(self.snapshot(arg))
        self.events.append((event, tuple(stack), frame.f_lineno, frame.f_code.co_name, names, arg))
        return self.trace

    def run(self, call: Callable[[], Any]) -> None:
        before = sys.gettrace()
        sys.settrace(self.trace)
        try:
            call()
        except BaseException:
            pass
        finally:
            sys.settrace(before)


def rest_of(events: Sequence[Event], start: int, number: int) -> List[Any]:
    """Return what happens in a frame and below it, from an event on to the frame's end."""
    rest = []
    for event in events[start:]:
        if number not in event[1]:
            continue
        depth = len(event[1]) - event[1].index(number)
        rest.append((event[0], depth, event[2], event[3], event[4], event[5]))
        if event[0] == "return" and depth == 1:
            break
    return rest


def continued(child: Any, function: Any, event: Event, file: str, shared: bool = False) -> Went:
    """Return how a function goes on from an event: what was seen, and why no more, or None."""
    name, _, lineno, _, names, arg = event
    state = {
        "e": name,
        "f": [[file, lineno, function.__name__, [[n, *v] for n, v in names.items()]]],
        "a": [arg[1], arg[0], False, False] if name == "exception" else None,
        "o": "",
    }
    try:
        resumed = child.resume.prepare(function, state, (), shared)
    except child.resume.CannotResume as refusal:
        return [], str(refusal)
    recorder = Recorder(file, child.values.snapshot)
    recorder.run(lambda: child.lazy.draw(resumed.call()))
    if not recorder.events:
        return [], resumed.hidden or "nothing"
    # The gate tells of a call and of the line; an exception's state comes after those.
    skip = 2 if name == "exception" else 1
    number = recorder.events[0][1][-1]
    return rest_of(recorder.events, skip, number), resumed.hidden


def function_of(code: Any) -> Any:
    """Return a function that has this code."""
    import gc

    found = [f for f in gc.get_referrers(code) if type(f).__name__ == "function"]
    return found[0] if found else None


def tries(child: Any, module: Any, file: str) -> Iterator[Tuple[Event, List[Any], Went, Went]]:
    """Yield each state, how it went on, and both ways in which it was continued."""
    recorder = Recorder(file, child.values.snapshot)
    recorder.run(module.run)
    codes = {frame.f_code for frame in recorder.frames}
    found = {code: function_of(code) for code in codes}
    functions = [found[frame.f_code] for frame in recorder.frames]
    for place, event in enumerate(recorder.events):
        if event[0] not in ("line", "exception") or event[3].startswith("<"):
            continue
        function = functions[event[1][-1]]
        if function is None:
            continue
        truth = rest_of(recorder.events, place, event[1][-1])
        apart = continued(child, function, event, file)
        mutable = any(value[0][0] in "[{" for value in event[4].values())
        shared = continued(child, function, event, file, True) if mutable else apart
        yield event, truth, apart, shared


def judge(truth: List[Any], apart: Went, shared: Went) -> Tuple[str, Any]:
    """Return a word for one try; "wrong" with where it went wrong."""
    seen, why = apart
    if not seen:
        return (why or "nothing").partition(":")[0], None
    if shared[0] != seen:
        return "hidden-alias", None
    for place, one in enumerate(truth[: len(seen)]):
        if one != seen[place]:
            return "wrong", (place, one, seen[place])
    if why is None and len(seen) != len(truth):
        return "wrong", (len(seen), len(truth), None)
    return ("whole" if why is None else "partly"), None


def load_child(folder: str) -> Any:
    """Import the child's package under its private name."""
    load(os.path.join(folder, "__init__.py"), "_nsdbg_child")
    for name in ("values", "literals", "lazy", "limits", "resume"):
        __import__("_nsdbg_child." + name)
    child = sys.modules["_nsdbg_child"]
    # On a busy machine a repr may take long, and what is cut here is cut there.
    child.values.REPR_LIMIT_S = 60.0
    child.limits.ALARM.install()
    return child


def main(folder: str, programs: Sequence[str]) -> None:
    """Try every program and print the outcome."""
    child = load_child(folder)
    counts: Dict[str, int] = {}
    wrong: List[Any] = []
    for path in map(os.path.abspath, programs):
        name = os.path.basename(path)[:-3]
        module = load(path, "program_" + name)
        for event, truth, apart, shared in tries(child, module, path):
            word, detail = judge(truth, apart, shared)
            counts[word] = counts.get(word, 0) + 1
            if word in ("wrong", "nothing"):
                place = [name, event[3], event[2], event[0]]
                wrong.append([*place, repr(event[4])[:300], repr(detail)[:1500]])
    print(json.dumps({"python": sys.version.split()[0], "counts": counts, "wrong": wrong}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
