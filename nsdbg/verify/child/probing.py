"""Runs of the instrumented twin: how far each was from the goal, and which comparisons failed.

For search, not for verdicts: nothing is traced here, and a distance of 0.0 only says that nothing
the twin can see speaks against the goal.
"""

from __future__ import annotations

import sys
from tokenize import open as open_source
from types import ModuleType
from typing import Any, Callable, Dict, List, Sequence

from .matching import Goal
from .paths import real_path
from .report import Outcome, describe, own_places
from .run import Runs
from .score import Outcome as Scored
from .score import score
from .states import code_name
from .twin import Wish, meter_for, plant

# What `score` says at least of a run that did not match.
_NEXT_TO_NOTHING = 1e-9


class Twin:
    """The instrumented functions of a target, planted in this process for good."""

    def __init__(self, goal: Goal, file: str, module: ModuleType) -> None:
        claim = goal.exception
        self.wish = Wish(
            goal.event,
            goal.chain,
            goal.qualname,
            goal.has_value,
            goal.value,
            (claim["type"], claim["message"], claim["prefix"]) if claim is not None else None,
            goal.locals,
            goal.where_texts,
        )
        self.meter: Any = meter_for(self.wish)
        for name in {file, *(link[0] for link in goal.chain)}:
            for found in [module] if name == file else _modules_of(name):
                self._plant(name, found)

    def _plant(self, file: str, module: ModuleType) -> None:
        try:
            with open_source(file) as stream:
                text = stream.read()
            plant(text, file, self.wish, self.meter, vars(module))
        except Exception:
            # Source that does not parse here, or builtins that the target has patched: it stays as
            # it is, and its conditions have no distances.
            pass

    def probing(self, runs: Runs) -> Callable[[Sequence[Any]], Dict[str, Any]]:
        """Return what runs one start and tells of it."""

        def run(start: Sequence[Any]) -> Dict[str, Any]:
            self.meter.begin()
            outcome = runs.execute(start)
            result = describe(runs, outcome)
            result["d"] = self._distance(runs, outcome)
            if self.meter.misses:
                result["x"] = [miss[1:] for miss in self.meter.misses]
            return result

        return run

    def _distance(self, runs: Runs, outcome: Outcome) -> float:
        sites = []
        if outcome.error is not None:
            for frame, lineno in own_places(outcome.error, runs.own):
                file, name = code_name(frame.f_code)
                sites.append((file, lineno, name))
        returned = outcome.ending == "returned"
        scored = Scored(returned, outcome.value, outcome.error, sites)
        found = score(self.wish, scored, self.meter, bool(runs.watch.hits))
        return found if found > _NEXT_TO_NOTHING else 0.0


def _modules_of(file: str) -> List[ModuleType]:
    return [
        module
        for module in list(sys.modules.values())
        if type(module) is ModuleType and real_path(getattr(module, "__file__", None) or "") == file
    ]
