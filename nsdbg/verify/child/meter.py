"""What instrumented code reports to while it runs: distances of conditions, places reached, misses.

Conditions are computed by `conditions`; here are statements, and operations that raise for some
values.  Nothing here decides whether a goal matched.
"""

import sys
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

from .conditions import AfterlifeEnded, Conditions, Pair
from .distance import member_gap, number_gap, squash, value_gap

# A guard: a test's number, which way it went, and whether the nearest of its runs counts.
Guard = Tuple[int, bool, bool]
_PARTS = 400
_PLAIN_LOOKUPS = (list, tuple, str, bytes, dict, range)


class Meter(Conditions):
    """Collects the distances of one run; `begin` makes it ready for the next.

    `ghost`: the entry lives on after a failed check.  `wanted` are the locals that a goal wants at
    its last place, `value` what its last function shall return (`has_value`).
    """

    def __init__(
        self,
        ghost: bool = False,
        wanted: Sequence[Tuple[str, Any]] = (),
        has_value: bool = False,
        value: Any = None,
    ) -> None:
        self.ghost = ghost
        self.wanted = tuple(wanted)
        self.has_value = has_value
        self.value = value
        super(Meter, self).__init__()

    def begin(self) -> None:
        """Forget the run before."""
        super(Meter, self).begin()
        self.branches: Dict[int, Pair] = {}
        self.nearest: Dict[int, Pair] = {}
        self.passed: Dict[int, int] = {}
        self.depth = 0
        self.failed = 0.0
        self.pending: Optional[Tuple[bool, Any]] = None
        self.broken = False
        self.exit = 0.0
        self.ticks = 0
        self.lack = 0.0
        self.spared: Dict[int, float] = {}
        # By place of the goal's chain: how far the nearest visit was from the state wanted there.
        self.visits: Dict[int, float] = {}

    # Operations that raise for some values, and say by how much.

    def tick(self) -> None:
        """Count a turn of a loop."""
        self.ticks += 1

    def divisor(self, site: int, value: Any) -> Any:
        """Note how far a divisor is from zero."""
        if type(value) in (int, float):
            self._spared(site, number_gap(value, 0))
        return value

    def _spared(self, site: int, gap: float) -> None:
        """Keep by how much an operation came past its exception, where it came nearest."""
        self.spared[site] = min(squash(gap), self.spared.get(site, 1.0))

    def item_of(self, site: int, container: Any, key: Any) -> Any:
        """Compute `container[key]`."""
        if not self.alive and type(container) not in _PLAIN_LOOKUPS:
            # A defaultdict would grow.
            raise AfterlifeEnded()
        try:
            item = container[key]
        except (IndexError, KeyError):
            self._lacking(site, container, key)
            raise
        if type(key) is int and type(container) in (list, tuple, str, bytes):
            self._spared(site, float(min(len(container) - key, len(container) + key + 1)))
        return item

    def _lacking(self, site: int, container: Any, key: Any) -> None:
        try:
            if isinstance(key, int) and type(container) in (list, tuple, str, bytes):
                size = key + 1 if key >= 0 else -key
                self.lack = squash(size - len(container))
                self.miss(site, "Index", len(container), size)
            elif type(container) in (dict, list, tuple):
                self.lack = squash(member_gap(key, container))
                self.miss(site, "In", key, list(container)[:_PARTS])
        except Exception:
            self.lack = 1.0

    def call(self, site: int, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call `int`, `float`, or a method that looks for its argument, such as `index`."""
        try:
            return function(*arguments)
        except ValueError:
            if function in (int, float):
                text = arguments[0]
                if type(text) is str:
                    self.lack = squash(sum(not char.isdigit() for char in text) or 1)
                    self.miss(site, "Eq", text, "1")
            else:
                self._lacking(site, getattr(function, "__self__", None), arguments[0])
            raise

    # Statements.

    def branch(self, site: int, value: Any) -> Any:
        """Note the distances of the test of an `if` or `while`."""
        pair = self.branches[site] = (self.true, self.false)
        best = self.nearest.get(site, pair)
        self.nearest[site] = (min(pair[0], best[0]), min(pair[1], best[1]))
        return value

    def check(self, site: int, value: Any) -> bool:
        """Stand for an assertion's condition; a failed one is survived in a ghost run."""
        gap = self.true or 1.0
        if value:
            self.passed[site] = self.passed.get(site, 0) + 1
            return True
        if not self._survives(gap):
            return False
        self._die(False, AssertionError())
        return True

    def leaves(self, value: Any, guards: Sequence[Guard]) -> bool:
        """Tell whether `return value` is carried out; a ghost run goes on when it is unwanted."""
        gap = self._guarded(guards)
        if not self._survives(gap):
            self.true, self.false = (0.0, gap) if value else (gap, 0.0)
            self.returned = (value, self.true, self.false)
            return True
        self._die(True, value)
        return False

    def _survives(self, gap: float) -> bool:
        if not self.ghost or self.depth != 1:
            self.partial += gap
            return False
        self.failed += gap
        return True

    def _die(self, returns: bool, value: Any) -> None:
        """Note how a ghost run is going to end; from here on it is measured only."""
        if self.pending is None:
            self.pending = (returns, value)
        self.alive = False

    def _guarded(self, guards: Sequence[Guard]) -> float:
        """Return how far the nearest of the tests around a statement is from turning away."""
        gaps = [(self.nearest if best else self.branches)[site][1 if taken else 0]
                for site, taken, best in guards if site in self.branches]  # fmt: skip
        return min(gaps or [1.0]) or 0.25

    def enter(self) -> None:
        """Begin an activation of the entry."""
        self.depth += 1

    def settled(self) -> bool:
        """End an activation of the entry: tell whether it only lived on after a failed check."""
        self.depth -= 1
        if self.depth or self.pending is None:
            return False
        self.broken = sys.exc_info()[0] is not None
        return True

    def settle(self) -> Any:
        """Return or raise what the failed check would have."""
        assert self.pending is not None
        returns, value = self.pending
        if not returns:
            raise value
        return value

    def result(self, value: Any) -> Any:
        """Note what a function returns together with its condition's distances."""
        self.exit = 0.0
        self.returned = (value, self.true, self.false)
        return value

    def constant(self, value: Any, guards: Sequence[Guard]) -> Any:
        """Note a constant that is returned, as far away as the tests that led to it."""
        gap = self._guarded(guards)
        self.true, self.false = (0.0, gap) if value else (gap, 0.0)
        self.returned = (value, self.true, self.false)
        self.exit = gap
        return value

    # The goal's chain.

    def second(self, _: None, value: Any) -> Any:
        """Return the second of two things evaluated in order."""
        return value

    def landed(self, place: int, value: Any) -> Any:
        """Note what the function of the goal's last frame returns."""
        gap = squash(value_gap(value, self.value, True)) if self.has_value else 0.0
        self.visits[place] = min(gap, self.visits.get(place, gap))
        return value

    def visit(
        self,
        place: int,
        names: Optional[Dict[str, Any]] = None,
        where: Sequence[Callable[[], Any]] = (),
    ) -> None:
        """Note that a place is reached, and at the last one how far its state is from the goal's.

        `where` are the goal's conditions.
        """
        gap = sum([self._where_gap(test) for test in where], 0.0)
        for name, wanted in self.wanted if names is not None else ():
            gap += self._local_gap(names or {}, name, wanted)
        self.visits[place] = min(gap, self.visits.get(place, gap))

    def _local_gap(self, names: Dict[str, Any], name: str, wanted: Any) -> float:
        try:
            return squash(value_gap(names[name], wanted, True)) if name in names else 1.0
        except Exception:
            return 1.0

    def _where_gap(self, test: Callable[[], Any]) -> float:
        try:
            return 0.0 if test() else self.true or 0.5
        except Exception:
            return 1.0
