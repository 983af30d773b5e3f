"""The half of the meter that computes conditions, and measures them as it goes.

Each method returns exactly what the plain code would have computed, and leaves in `true` and
`false` how far the condition was from either truth.  Sums are of squashed or counted distances, so
that a condition's number is about how many things are wrong with it.
"""

from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from .distance import number_gap, squash
from .gaps import (
    LENGTH,
    NEGATIVE,
    OPERATORS,
    PLAIN,
    comparison_gap,
    literal_text,
    predicate_gap,
)

Pair = Tuple[float, float]
_VIEWS: Tuple[type, ...] = (type({}.items()), type({}.keys()), type({}.values()))
_SIZED: Tuple[type, ...] = (list, tuple, str, bytes, range, dict, set, frozenset, *_VIEWS)
# So many failed comparisons are told of a run, and of one place in it.
_MISSES, _MISSES_A_SITE = 8, 2
# What the program itself would not have evaluated may take so many conditions a run.
AFTERLIFE = 20000


class AfterlifeEnded(BaseException):
    """Ends what the program would not have evaluated, when it takes too long."""


class Conditions(object):
    """Distances of the condition computed last, and the failed comparisons so far."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Forget the run before."""
        self.true = self.false = 1.0
        self.stack: List[int] = []
        self.kept: Dict[str, Tuple[bool, float, float]] = {}
        self.returned: Optional[Tuple[Any, float, float]] = None
        self.element: Pair = (1.0, 1.0)
        # False while something is evaluated that the program would not have.
        self.alive = True
        self.afterlife = AFTERLIFE
        self.partial = 0.0
        self.misses: List[Tuple[int, str, str, str]] = []
        self._miss_counts: Dict[int, int] = {}

    # Comparisons, and what joins them.

    def compare(self, site: int, name: str, left: Any, right: Any) -> Any:
        """Compute `left <name> right`."""
        if not self.alive:
            self._spend(name, right)
        result = OPERATORS[name](left, right)
        if result is not True and result is not False:
            return self.truth(result)
        try:
            gap = comparison_gap(name, left, right, result)
        except Exception:
            # An operand's own methods raised: it has no distance.
            gap = 1.0
        self.true, self.false = (0.0, gap) if result else (gap, 0.0)
        if result is (name.lstrip(LENGTH) in NEGATIVE):
            self.miss(site, name.lstrip(LENGTH), left, right)
        return result

    def _spend(self, name: str, right: Any) -> None:
        """Refuse what the program does not evaluate when it takes long or uses up an iterator."""
        self.afterlife -= 1
        if self.afterlife < 0 or (name in ("In", "NotIn") and type(right) not in _SIZED):
            raise AfterlifeEnded()

    def chained(
        self,
        harmless: bool,
        sites: Sequence[int],
        names: Sequence[str],
        left: Any,
        right: Any,
        *rest: Callable[[], Any],
    ) -> Any:
        """Compute a chained comparison; `rest` are the later operands, evaluated when it is time.

        `harmless`: they may also be evaluated when it is not, to be measured.
        """
        operands: List[Any] = [left, right]
        pairs: List[Pair] = []
        result: Any = None
        for index, (site, name) in enumerate(zip(sites, names)):
            if index:
                operands.append(rest[index - 1]())
            result = self.compare(site, name, operands[index], operands[index + 1])
            pairs.append((self.true, self.false))
            if index + 1 < len(names) and not result:
                if harmless:
                    pairs.append(self._next_link(sites, names, operands, rest))
                break
        self._conjoin(pairs, len(names))
        return result

    def _next_link(
        self,
        sites: Sequence[int],
        names: Sequence[str],
        operands: Sequence[Any],
        rest: Sequence[Callable[[], Any]],
    ) -> Pair:
        """Measure the pair after a false one, which the program does not come to."""
        index = len(operands) - 1

        def compare() -> None:
            self.compare(sites[index], names[index], operands[index], rest[index - 1]())

        return self._beyond(compare)

    def conjunction(self, harmless: Sequence[bool], value: Any, *rest: Callable[[], Any]) -> Any:
        """Compute `and`; operands after a false one are still measured where that is harmless."""
        return self._connect(False, harmless, value, rest)

    def disjunction(self, harmless: Sequence[bool], value: Any, *rest: Callable[[], Any]) -> Any:
        """Compute `or`."""
        return self._connect(True, harmless, value, rest)

    def _connect(
        self, stop: bool, harmless: Sequence[bool], value: Any, rest: Sequence[Callable[[], Any]]
    ) -> Any:
        pairs, decided = [(self.true, self.false)], False
        for pure, operand in zip(harmless, rest):
            decided = decided or bool(value) is stop
            if not decided:
                value = operand()
                pairs.append((self.true, self.false))
            else:
                pairs.append(self._beyond(operand) if pure else (1.0, 1.0))
        if stop:
            self._conjoin([(false, true) for true, false in pairs], len(pairs))
            self.true, self.false = self.false, self.true
        else:
            self._conjoin(pairs, len(pairs))
        return value

    def _beyond(self, operand: Callable[[], Any]) -> Pair:
        """Measure an operand that the program does not evaluate."""
        alive, self.alive = self.alive, False
        try:
            operand()
            return self.true, self.false
        except (Exception, AfterlifeEnded):
            return 1.0, 1.0
        finally:
            self.alive = alive

    def _conjoin(self, pairs: Sequence[Pair], count: int) -> None:
        # Operands that were not evaluated count as one wrong thing each.
        self.true = sum(true for true, _ in pairs) + count - len(pairs)
        self.false = min(false for _, false in pairs) if pairs else 0.0

    def negate(self, value: Any) -> bool:
        """Compute `not value`."""
        result = not value
        self.true, self.false = self.false, self.true
        return result

    # Conditions that are plain values.

    def truth(self, value: Any) -> Any:
        """Take the distances of a plain value's truth; those of an unknown type are not asked."""
        kind = type(value)
        if kind in (int, float):
            self._turn(value, number_gap(value, 0))
        elif value is None or kind is bool:
            self._turn(value, 1.0)
        elif kind in PLAIN:
            self._turn(value, float(len(value)))
        else:
            self.true = self.false = 0.5
        return value

    def _turn(self, value: Any, to_false: float) -> None:
        self.true, self.false = (0.0, squash(to_false)) if value else (0.5, 0.0)

    def keep(self, name: str, value: Any) -> Any:
        """Keep a condition's distances with the local it is assigned to."""
        if isinstance(value, bool):
            self.kept[name] = (value, self.true, self.false)
        return value

    def local(self, name: str, value: Any) -> Any:
        """Take the distances kept with a local, else those of its truth."""
        kept = self.kept.get(name)
        if kept is not None and kept[0] is value:
            _, self.true, self.false = kept
            return value
        return self.truth(value)

    def fresh(self) -> None:
        """Forget what the last call returned, just before another."""
        self.returned = None

    def called(self, _: None, value: Any) -> Any:
        """Take the distances of the condition that an instrumented function returned."""
        if self.returned is not None and self.returned[0] is value and isinstance(value, bool):
            _, self.true, self.false = self.returned
            return value
        return self.truth(value)

    def predicate(self, site: int, method: Callable[..., Any], *arguments: Any) -> Any:
        """Call a predicate of str or bytes, such as `isdigit` or `startswith`."""
        result = method(*arguments)
        owner = getattr(method, "__self__", None)
        if type(owner) not in (str, bytes) or not isinstance(result, bool):
            return self.truth(result)
        gap = 0.5 if result else predicate_gap(method.__name__, owner, arguments)
        self.true, self.false = (0.0, 0.5) if result else (gap, 0.0)
        if not result and arguments:
            self.miss(site, method.__name__, owner, arguments[0])
        return result

    # all and any, which go on to the end, where that changes nothing, to count what is wrong.

    def mark(self) -> int:
        """Return where the stack of sizes stands, to come back to."""
        return len(self.stack)

    def item(self, value: Any) -> Any:
        """Keep the distances of one element of `all` or `any`."""
        self.element = (self.true, self.false)
        return value

    def sized(self, iterable: Any) -> Any:
        """Note how many elements a loop inside `all` or `any` is going to see."""
        if type(iterable) in _SIZED:
            self.stack.append(len(iterable))
        return iterable

    def every(self, mark: int, elements: Iterable[Any], lazy: bool, pure: bool) -> bool:
        """Compute `all(elements)`; `lazy` when it stops early, `pure` when going on is harmless."""
        return not self._gather(mark, elements, lazy, pure, False)

    def some(self, mark: int, elements: Iterable[Any], lazy: bool, pure: bool) -> bool:
        """Compute `any(elements)`."""
        return self._gather(mark, elements, lazy, pure, True)

    def _gather(
        self, mark: int, elements: Iterable[Any], lazy: bool, pure: bool, stop: bool
    ) -> bool:
        """Measure all elements; tell whether one had the truth `stop`."""
        pairs: List[Pair] = []
        decided, alive, broken = False, self.alive, 0
        goes_on = not lazy
        try:
            for value in elements:
                pairs.append(self.element)
                if not decided and bool(value) is stop:
                    decided = True
                    # An iterator that is no container would be used up.
                    goes_on = goes_on or (pure and len(self.stack) > mark)
                    if not goes_on:
                        break
                    self.alive = alive and not lazy
        except (Exception, AfterlifeEnded):
            broken = 1
            if not (decided and lazy):
                self.partial += self._gathered(mark, pairs, stop, broken)
                raise
        finally:
            self.alive = alive
        self._gathered(mark, pairs, stop, broken)
        return decided

    def _gathered(self, mark: int, pairs: Sequence[Pair], stop: bool, broken: int) -> float:
        """Set the distances of all or any from those of the elements; return that to truth.

        Elements that were not seen, as far as their number is known, count as one wrong thing each.
        """
        sizes = self.stack[mark:]
        del self.stack[mark:]
        missing = max(min(sizes) - len(pairs) if sizes else 0, broken)
        trues, falses = [true for true, _ in pairs], [false for _, false in pairs]
        if stop:
            self.true, self.false = min(trues or [1.0]), sum(falses) + missing
        else:
            self.true, self.false = sum(trues) + missing, min(falses or [1.0])
        return self.true

    def miss(self, site: int, name: str, left: Any, right: Any) -> None:
        """Keep the operands of a failed comparison, as text, since they may change later."""
        count = self._miss_counts.get(site, 0)
        if len(self.misses) >= _MISSES or count >= _MISSES_A_SITE:
            return
        try:
            texts = literal_text(left), literal_text(right)
        except Exception:
            return
        if texts[0] is not None and texts[1] is not None:
            self._miss_counts[site] = count + 1
            self.misses.append((site, name, texts[0], texts[1]))
