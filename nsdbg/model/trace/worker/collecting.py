"""Runs pieces of code under the recorder, each within its time, and writes what was recorded.

The lines for the parent: `{"item": number}` before each item of the job, then rows of the corpus,
then `{"left": {reason: count}}`.
"""

from __future__ import annotations

import io
import json
import resource
import sys
from collections import Counter
from time import process_time

from nsdbg.model.trace.worker.recorder import Recorder
from nsdbg.model.trace.worker.rows import Sources, dumps, row
from nsdbg.verify.child.limits import ALARM, Expired

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Write = Callable[[str], None]


class Wanted:
    """Whether a file's code is recorded, asked once a file."""

    def __init__(self, decide: Callable[[str], bool]) -> None:
        self._decide = decide
        self._known: dict[str, bool] = {}

    def __call__(self, file: str) -> bool:
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._decide(file)
        return known


class Collector:
    """The recorder of one worker, its sources, and the way to the parent."""

    def __init__(
        self,
        write: Write,
        wanted: Callable[[str], bool],
        read: Callable[[str], str | None],
        label: Callable[[str], str],
        most: int,
        cpu_s: int | None = None,
    ) -> None:
        """Record at most `most` calls of a function; the process may take `cpu_s` for an item."""
        self._write = write
        self._label = label
        self._sources = Sources(read)
        self._left: Counter[str] = Counter()
        self._number = 0
        self._cpu_s = cpu_s
        self.recorder = Recorder(Wanted(wanted), most)

    def begin(self, item: int) -> None:
        """Tell the parent which item is worked on."""
        self._number = 0
        self._write(json.dumps({"item": item}))
        if self._cpu_s is not None:
            # What C code takes no alarm ends, and time on the wall says little on a busy machine.
            hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
            soft = int(process_time()) + self._cpu_s
            soft = soft if hard == resource.RLIM_INFINITY else min(soft, hard)
            resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))

    def forget(self) -> None:
        """Forget the code seen so far: what comes next is other code under the same names."""
        self.recorder.forget()
        self._sources.forget()

    def run(self, call: Callable[[], Any], seconds: float, recorded: bool = True) -> bool:
        """Call something under the recorder; whether it came to its end, and in time.

        What it raises is its own affair; what it prints is kept for the states.
        """
        ended = False
        former = sys.stdin, sys.stdout, sys.stderr
        sys.stdin, sys.stdout, sys.stderr = io.StringIO(), io.StringIO(), io.StringIO()
        try:
            ALARM.install()
            ALARM.begin(seconds)
            if recorded:
                self.recorder.start()
            call()
            ended = True
        except (Expired, Exception, SystemExit, KeyboardInterrupt):
            pass  # the recorded code's own, told by its states
        finally:
            self._stop()
            sys.stdin, sys.stdout, sys.stderr = former
        return ended

    def _stop(self) -> None:
        """End the recording and its deadline, of which the alarm may ring even now."""
        while True:
            try:
                ALARM.end()
                self.recorder.stop()
                return
            except Expired:
                continue

    def leave_out(self, reason: str) -> None:
        """Count something that is left out."""
        self._left[reason] += 1

    def hand_over(self, source: str, package: str, licence: str, name: str) -> None:
        """Write the rows of what was recorded since the last call; ids are `name/number`."""
        for activation in self.recorder.take():
            head = {"id": f"{name}/{self._number}", "source": source, "package": package,
                    "licence": licence}  # fmt: skip
            found = row(activation, self._sources, self._label, head)
            if isinstance(found, str):
                self._left[found] += 1
            else:
                self._write(dumps(found))
                self._number += 1

    def end(self) -> None:
        """Tell the parent what was left out of the item."""
        self._write(json.dumps({"left": self._left}))
        self._left.clear()
