"""Runs starts of one goal, one after another, and tells of each what happened.

The result of a run is a dict of the wire (see `report.py`).  Nothing here forks or judges.
"""

import sys
from errno import ENOMEM
from functools import lru_cache, partial
from gc import collect
from sys import getrecursionlimit, setrecursionlimit
from time import perf_counter
from types import CodeType, ModuleType
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .arguments import Arguments, BadArgument, is_plain
from .disturbance import disturb
from .histories import with_past
from .intact import Intact
from .layout import lay_out
from .lazy import CutShort, draw
from .limits import ALARM, Expired
from .loading import Entry, NotThere, resolve
from .matching import Goal, Watch
from .output import Streams
from .recording import Recording
from .rehearsal import OWN, Rehearsal
from .report import Outcome, describe
from .resume import CannotResume, Resumed, function_of, prepare
from .scratch import Scratch
from .script import run_script
from .states import OwnFiles
from .tracer import MAX_BATCH_PATH, CodeKinds, Tracer


class Blocks:
    """What the guard refused during one run, as `event:detail`; also written at once elsewhere.

    Nothing is noted while `hushed` is set.
    """

    MAX = 20

    def __init__(self) -> None:
        self.seen: List[str] = []
        self.tell: Optional[Callable[[str], None]] = None
        self.hushed = False

    def report(self, event: str, detail: str) -> None:
        """Note one refusal; called by the guard's hook."""
        if self.hushed:
            return
        text = "%s:%s" % (event, detail) if detail else event
        if text not in self.seen and len(self.seen) < self.MAX:
            self.seen.append(text)
            if self.tell is not None:
                self.tell(text)


def _dice() -> Optional[Tuple[int, ...]]:
    """Return where the generator behind `random`'s functions stands; None before its import."""
    made = vars(sys.modules.get("random", sys)).get("_inst")
    return made.getstate()[1] if made is not None else None


_LONG_S = 0.1
# `run`, `execute`, `_start`, `_call`, `perform` and a lambda lie between `settle`'s caller and the
# target; one of them stands for the module's own code, which would call the target elsewhere.
_OUR_FRAMES = 5


# Deep enough for what a run needs beneath the target.
_LEAST_DEPTH = 50
_CACHED = type(lru_cache(maxsize=None)(lambda: None))


def _forget(module: Optional[ModuleType]) -> None:
    """Empty a module's caches: a second run is to ask anew, as the first one did."""
    for value in list(vars(module).values()) if module is not None else ():
        if type(value) is _CACHED:
            value.cache_clear()


def _depth() -> int:
    """Return how many frames the stack has."""
    depth, frame = 0, sys._getframe().f_back
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return depth


class Runs:
    """Everything that runs of one goal share.

    The request has `limit_s`, `trace`, `full` (record all states) and `deep` (outer frames have
    their locals too).  `spoiled` tells that this process should not run another start; `again`,
    that the run met the recursion limit under the tracer, which shifts it, and has to be repeated
    in a new process with `shallow` set: then deep frames are not traced.
    """

    def __init__(
        self,
        module: Optional[ModuleType],
        request: Dict[str, Any],
        blocks: Blocks,
        scratch: Scratch,
    ) -> None:
        entry = request["goal"]["entry"]
        self.goal = Goal(request["goal"])
        self.limit_s: float = request["limit_s"]
        self.traces: bool = request["trace"]
        self.deep: bool = request["deep"]
        self.layout: int = request["layout"]
        self.blocks = blocks
        self._scratch = scratch
        self.spoiled = False
        self.again = False
        # Called when a run has taken long: telling of it may take long too, and is no part of it.
        self.pulse: Callable[[], None] = lambda: None
        self._file, self._qualname = entry["file"], entry["qualname"]
        self._module = module
        self._entries: Dict[Tuple[str, ...], Entry] = {}
        self._repeats = False
        self._arguments = Arguments(module) if module is not None else None
        self.own = OwnFiles(entry["root"], [entry["file"], *(link[0] for link in self.goal.chain)])
        self.own(entry["file"])  # looks at the disk, once
        self.streams = Streams()
        self.watch = Watch(self.goal, self.own, self.deep)
        self.recording = Recording(self.own, self.streams) if request["full"] else None
        self.tracer = Tracer(
            CodeKinds(self.own, self.goal.is_site),
            self.watch.wanted,
            self.watch.visit,
            self.recording.state if self.recording is not None else None,
        )
        if not self.deep:
            self.tracer.max_path = MAX_BATCH_PATH

    def run(self, start: Sequence[Any]) -> Dict[str, Any]:
        """Run one start and return its result."""
        outcome = self.execute(start)
        return outcome.result or describe(self, outcome)

    def settle(self, shallow: bool) -> None:
        """Begin in a new process, before the first run; `shallow` as said above."""
        self._threads = sys.modules["_thread"]._count()
        self.tracer.shallow = shallow
        # What the target calls may go as deep as it would without us beneath it.
        self._recursion_limit = getrecursionlimit() + _depth() - 1 + _OUR_FRAMES - (not self.traces)
        setrecursionlimit(self._recursion_limit)

    def fail(self, error: BaseException) -> Dict[str, Any]:
        """Return the result of a run during which our own code failed."""
        self.spoiled, self.again = True, False
        ending = "out-of-memory" if isinstance(error, MemoryError) else "died"
        if isinstance(error, Expired):  # the alarm rang just before it was stopped
            ending = "timed-out"
        return {"e": ending, "s": 0.0, "m": "nsdbg's child failed: %.500r" % (error,)}

    def execute(self, start: Sequence[Any]) -> Outcome:
        """Run one start and return how it ended."""
        outcome = Outcome()
        self._scratch.tidy()
        if self._repeats:
            _forget(self._module)
        self._repeats = self.recording is not None
        del self.blocks.seen[:]
        ALARM.install()
        self.streams.begin(start[2] if start[0] == "script" else None)
        before = _dice() if self.deep else None
        layout = lay_out(self.layout)
        started = perf_counter()
        ALARM.begin(self.limit_s)
        try:
            self._start(start, outcome)
        except Expired:
            outcome.ending = "timed-out"
        except MemoryError:
            outcome.ending = "out-of-memory"
        ALARM.end()
        del layout
        setrecursionlimit(self._recursion_limit)
        outcome.seconds = perf_counter() - started
        if outcome.seconds > _LONG_S:
            self.pulse()
        if ALARM.expired:
            outcome.ending = "timed-out"
        after = _dice() if self.deep else None
        # A generator that was only seeded, as it is at its import, stands at the end of its table.
        if after is not None and after != before and after[-1] != len(after) - 1:
            outcome.drawn = hash(after)
        self._look_at_tracer(outcome)
        self._spoil(outcome)
        return outcome

    def _look_at_tracer(self, outcome: Outcome) -> None:
        """Note when the tracer did not see the whole run."""
        tracer = self.tracer
        # The alarm may ring in the trace function, which CPython then takes away.
        in_time = outcome.ending != "timed-out"
        lost = tracer.lost or tracer.recursed
        self.again = self.traces and in_time and not tracer.shallow and lost
        if not self.traces or outcome.ending not in ("returned", "raised", "exited"):
            return
        if tracer.lost:
            outcome.ending, outcome.detail = "cut", "the program took the trace function away"
        elif tracer.starved:
            outcome.ending, outcome.detail = "out-of-memory", "it met a limit of the guard"

    def _spoil(self, outcome: Outcome) -> None:
        """Note when this process should not run another start."""
        threads = sys.modules["_thread"]._count()
        self.spoiled = outcome.ending in ("timed-out", "out-of-memory") or threads > self._threads

    def _start(self, start: Sequence[Any], outcome: Outcome) -> None:
        if start[0] == "call":
            self._call(start[1], start[2], outcome, self.layout if start[3] else 0)
        elif start[0] == "script":
            self._script(start[1], outcome)
        else:
            self._middle(start[1:], outcome)

    def _call(
        self,
        arguments: Sequence[Sequence[str]],
        imports: Sequence[str],
        outcome: Outcome,
        past: int,
    ) -> None:
        assert self._arguments is not None
        names = tuple(name for name, _ in arguments)
        # In a batch nothing is confirmed, and the twin has code of its own.
        careful = self.deep and not all(is_plain(text) for _, text in arguments)
        intact = Intact(self.own) if careful else None
        try:
            entry = self._entry(names)
            values = self._arguments.values(arguments, imports)
            if past:
                values = [with_past(value, past) for value in values]
            given, keywords = self._arguments.bind(entry, names, values)
        except (BadArgument, NotThere) as error:
            outcome.ending = "bad-start" if isinstance(error, BadArgument) else "not-started"
            outcome.detail = str(error)
            return
        except (SystemExit, KeyboardInterrupt) as error:
            outcome.ending, outcome.detail = "bad-start", "an argument raises %r" % (error,)
            return
        changed = intact.changed() if intact is not None else None
        if changed is not None:
            outcome.ending = "bad-start"
            outcome.detail = "an argument changes %s, which is code under test" % changed
            return
        if self.traces:
            self.perform(lambda: entry.call(*given, **keywords), entry.code, outcome)
        else:
            # Called by another frame, at another depth: a result that tells so is not the call's.
            held = [*given, *keywords.values()]  # one more has them, which `sys.getrefcount` tells
            collect()  # how much there is to collect is not the call's either
            self.perform(partial(entry.call, *given, **keywords), entry.code, outcome)
            del held
        changed = intact.changed() if intact is not None else None
        if changed is not None and outcome.ending in ("returned", "raised", "exited"):
            outcome.ending, outcome.detail = "cut", "side-effect: the run changed %s" % changed

    def _entry(self, names: Tuple[str, ...]) -> Entry:
        entry = self._entries.get(names)
        if entry is None:
            assert self._module is not None
            entry = self._entries[names] = resolve(self._module, self._qualname, names)
        return entry

    def _script(self, argv: Sequence[str], outcome: Outcome) -> None:
        call = partial(run_script, self._file, argv)
        self.perform((lambda: call()) if self.traces else call, None, outcome)

    def _middle(self, start: Sequence[Any], outcome: Outcome) -> None:
        state, remaining, shared, way = start
        here, rehearsal = _depth(), None
        above = len(state["f"]) - 1
        # No deeper than it would come below the frames of the state that are not run.
        setrecursionlimit(max(getrecursionlimit() - above, here + _LEAST_DEPTH))
        try:
            entry = self._entry(())
            function = function_of(entry.call, entry.code)
            resumed = prepare(function, state, remaining, shared, self.layout)
            if way is not None:
                rehearsal = Rehearsal(
                    function, state, way, lambda: self._arrive(resumed, way, here, outcome)
                )
        except (CannotResume, NotThere) as error:
            outcome.ending, outcome.detail = "not-started", str(error)
            return
        if rehearsal is None:
            self.perform(resumed.call, resumed.code, outcome)
            self._heed(resumed, outcome)
        else:
            self.blocks.hushed = True
            failure = rehearsal.go()
            self.blocks.hushed = False
            if failure is not None:
                outcome.ending, outcome.detail = "cut", failure
                if self.recording is not None:
                    self.recording.begin(None)  # what it holds is of the run before

    def _heed(self, resumed: Resumed, outcome: Outcome) -> None:
        """Note when a run needed what its state does not hold."""
        if resumed.hidden is not None:
            outcome.ending, outcome.detail = "cut", resumed.hidden
            self.tracer.lost = False

    def _arrive(self, resumed: Resumed, way: str, depth: int, outcome: Outcome) -> None:
        """Go on from a state within its way, as deep as without it, and describe that at once.

        What the way prints or is refused, before or after, is no part of it.
        """
        if way != OWN:
            disturb()
        setrecursionlimit(getrecursionlimit() + _depth() - depth)
        self.streams.take()
        self.blocks.hushed = False
        try:
            self.perform(resumed.call, resumed.code, outcome)
        except Expired:
            outcome.ending = "timed-out"
        self._heed(resumed, outcome)
        self._look_at_tracer(outcome)
        outcome.result = describe(self, outcome)
        self.blocks.hushed = True

    def perform(self, call: Callable[[], Any], code: Optional[CodeType], outcome: Outcome) -> None:
        """Call the target under the tracer, and note how that ended."""
        base = sys._getframe()
        self.watch.begin(code, base)
        if self.recording is not None:
            self.recording.begin(base)
        if self.traces:
            self.tracer.begin()
        try:
            try:
                outcome.value = draw(call())
                outcome.ending = "returned"
            finally:
                if self.traces:
                    self.tracer.end()
        except CutShort as cut:
            outcome.ending, outcome.detail, outcome.value = "cut", str(cut), cut.items
        except SystemExit as error:
            outcome.ending, outcome.detail = "exited", "exit status %.100r" % (error.code,)
        except (Expired, MemoryError):
            raise
        except BaseException as error:
            outcome.ending, outcome.error = "raised", error
            if isinstance(error, OSError) and error.errno == ENOMEM:
                outcome.ending = "out-of-memory"  # how `mmap` and C code say MemoryError
