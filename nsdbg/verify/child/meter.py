"""What instrumented code reports to while it runs: distances of conditions, sites reached, misses.

`instrument` puts calls of a Meter around conditions.  Each returns exactly what the plain code
would have computed, and leaves in `true` and `false` how far the condition was from either truth.
Nothing here decides whether a goal matched.
"""

import operator
import sys

from . import distance
from .distance import squash

_OPERATORS = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le,
    "Gt": operator.gt, "GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not,
    "In": lambda left, right: left in right, "NotIn": lambda left, right: left not in right,
}  # fmt: skip
_PLAIN = (bool, int, float, str, bytes, list, tuple, dict, set, frozenset, type(None))
# A run that goes on after a failed check may do so for this many conditions.
_AFTERLIFE = 20000
_SIZED = (list, tuple, str, bytes, range, dict, set, frozenset, type({}.items()), type({}.keys()),
          type({}.values()))  # fmt: skip
_MISSES = 8
_COUNTED = 60.0
_LANDINGS = 200
_MISSES_A_SITE = 2
_TEXT, _BITS, _PARTS = 4000, 4000, 400


# Comparisons of lengths are marked.
_OPERATORS.update({"#" + name: function for name, function in list(_OPERATORS.items())})


class AfterlifeEnded(BaseException):
    """Ends a run that went on after a failed check for too long; never leaves the entry."""


class Meter(object):
    """Collects the distances of one run; `begin` makes it ready for the next."""

    def __init__(self, ghost=False):
        self.ghost = ghost
        self.begin()

    def begin(self):
        """Forget the run before."""
        self.true = self.false = 1.0
        self.stack = []
        self.kept = {}
        self.returned = None
        self.element = (1.0, 1.0)
        self.branches = {}
        self.nearest = {}
        self.depth = 0
        self.failed = 0.0
        self.pending = None
        self.alive = True
        self.broken = False
        self.afterlife = _AFTERLIFE
        self.passed = {}
        self.partial = 0.0
        self.visits = {}
        self.exit = 0.0
        self.ticks = 0
        self.lack = 0.0
        self.landings = []
        self.misses = []
        self.miss_counts = {}

    # Conditions.  Each leaves `true` and `false` behind.

    def compare(self, site, name, left, right):
        """Compute `left <name> right`, and its distances."""
        result = _OPERATORS[name](left, right)
        self._measure(site, name, left, right, result)
        return result

    def chained(self, harmless, sites, names, left, right, *rest):
        """Compute a chained comparison; `rest` are the later operands, evaluated when it is time."""
        operands, pairs = [left, right], []
        for index, (site, name) in enumerate(zip(sites, names)):
            if index:
                operands.append(rest[index - 1]())
            result = self.compare(site, name, operands[index], operands[index + 1])
            pairs.append((self.true, self.false))
            if index + 1 < len(names) and not result:
                if harmless:
                    pairs.append(self._rest_of_chain(sites, names, operands, rest))
                break
        self._conjoin(pairs, len(names))
        return result

    def _rest_of_chain(self, sites, names, operands, rest):
        """Measure the pair after a false one, which the program does not come to."""

        def compare():
            index = len(operands) - 1
            self.compare(sites[index], names[index], operands[index], rest[index - 1]())

        return self._beyond(compare)

    def mark(self):
        """Return where the stack stands, to come back to."""
        return len(self.stack)

    def conjunction(self, harmless, value, *rest):
        """Compute `and`; operands after a false one are still measured where that is harmless."""
        return self._connect(False, harmless, value, rest)

    def disjunction(self, harmless, value, *rest):
        """Compute `or`."""
        return self._connect(True, harmless, value, rest)

    def _connect(self, stop, harmless, value, rest):
        pairs = [(self.true, self.false)]
        decided = False
        for pure, operand in zip(harmless, rest):
            decided = decided or bool(value) is stop
            if not decided:
                value = operand()
                pairs.append((self.true, self.false))
            elif pure:
                pairs.append(self._beyond(operand))
            else:
                pairs.append((1.0, 1.0))
        if stop:
            pairs = [(false, true) for true, false in pairs]
        self._conjoin(pairs, len(pairs))
        if stop:
            self.true, self.false = self.false, self.true
        return value

    def _beyond(self, operand):
        """Measure an operand that the program does not evaluate."""
        alive, self.alive = self.alive, False
        try:
            operand()
            return self.true, self.false
        except (Exception, AfterlifeEnded):
            return 1.0, 1.0
        finally:
            self.alive = alive

    def _conjoin(self, pairs, count):
        # Operands that were not evaluated count as wholly wrong.
        self.true = sum(true for true, _ in pairs) + count - len(pairs)
        self.false = min(false for _, false in pairs) if pairs else 0.0

    def negate(self, value):
        """Compute `not value`."""
        result = not value
        self.true, self.false = self.false, self.true
        return result

    def truth(self, value):
        """Take the distances of a plain value's truth."""
        kind = type(value)
        if kind in (int, float):
            self._turn(value, 1.0, distance.number_gap(value, 0))
        elif value is None or kind is bool:
            self._turn(value, 1.0, 1.0)
        elif kind in _PLAIN:
            self._turn(value, 1.0, float(len(value)))
        else:
            self.true = self.false = 0.5
        return value

    def _turn(self, value, to_true, to_false):
        """Set both distances of a condition; every one that is not 0.0 lies below 1."""
        self.true, self.false = (0.0, squash(to_false)) if value else (squash(to_true), 0.0)

    def keep(self, name, value):
        """Keep a condition's distances with the local it is assigned to."""
        if isinstance(value, bool):
            self.kept[name] = (value, self.true, self.false)
        return value

    def local(self, name, value):
        """Take the distances kept with a local, else those of its truth."""
        kept = self.kept.get(name)
        if kept is not None and kept[0] is value:
            self.true, self.false = kept[1], kept[2]
            return value
        return self.truth(value)

    def fresh(self):
        """Forget what the last call returned, just before another."""
        self.returned = None

    def called(self, _, value):
        """Take the distances of the condition that an instrumented function returned."""
        if self.returned is not None and self.returned[0] is value and isinstance(value, bool):
            _, self.true, self.false = self.returned
            return value
        return self.truth(value)

    def predicate(self, site, method, *arguments):
        """Call a predicate of str or bytes, such as `isdigit` or `startswith`."""
        result = method(*arguments)
        owner = getattr(method, "__self__", None)
        if type(owner) in (str, bytes) and isinstance(result, bool):
            gap = counted(owner, _predicate_gap(method.__name__, owner, arguments))
            self.true, self.false = (0.0, 0.5) if result else (gap, 0.0)
            if not result and method.__name__ in ("startswith", "endswith"):
                self._miss(site, method.__name__, owner, arguments[0])
            return result
        return self.truth(result)

    # all and any, which go on to the end, where that changes nothing, to count what is wrong.

    def item(self, value):
        """Keep the distances of one element of `all` or `any`."""
        self.element = (self.true, self.false)
        return value

    def sized(self, iterable):
        """Note how many elements a loop inside `all` or `any` is going to see."""
        size = len(iterable) if type(iterable) in _SIZED else 0
        self.stack.append(size)
        return iterable

    def every(self, mark, elements, lazy, pure):
        """Compute `all(elements)`; `lazy` when it stops early, `pure` when going on is harmless."""
        result = self._gather(mark, elements, lazy, pure, False)
        return result

    def some(self, mark, elements, lazy, pure):
        """Compute `any(elements)`."""
        return self._gather(mark, elements, lazy, pure, True)

    def _gather(self, mark, elements, lazy, pure, stop):
        """Compute `all` (`stop` False) or `any` (`stop` True) over all elements."""
        pairs, decided, alive, broken = [], False, self.alive, 0
        try:
            for value in elements:
                pairs.append(self.element)
                if not decided and bool(value) is stop:
                    decided = True
                    if lazy and not pure:
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
        return decided if stop else not decided

    def _gathered(self, mark, pairs, stop, least_missing):
        """Set the distances of all or any from those of the elements; return that to truth."""
        sizes = [size for size in self.stack[mark:] if isinstance(size, int)]
        missing = max(min(sizes) - len(pairs) if sizes else 0, least_missing)
        del self.stack[mark:]
        trues, falses = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        if stop:
            self.true, self.false = min(trues or [1.0]), sum(falses) + missing
        else:
            self.true, self.false = sum(trues) + missing, min(falses or [1.0])
        return self.true

    # Operations that raise for some values, and say by how much.

    def tick(self):
        """Count a turn of a loop."""
        self.ticks += 1

    def item_of(self, site, container, key):
        """Compute `container[key]`."""
        try:
            return container[key]
        except (IndexError, KeyError):
            self._lacking(site, container, key)
            raise

    def _lacking(self, site, container, key):
        try:
            if isinstance(key, int) and type(container) in (list, tuple, str, bytes):
                size = key + 1 if key >= 0 else -key
                self.lack = squash(size - len(container))
                self._miss(site, "Index", len(container), size)
            elif type(container) in (dict, list, tuple):
                self.lack = squash(distance.member_gap(key, container))
                self._miss(site, "In", key, list(container)[:_PARTS])
        except Exception:
            self.lack = 1.0

    def call(self, site, function, *arguments):
        """Call `int`, `float`, or a method that looks for its argument, such as `index`."""
        try:
            return function(*arguments)
        except ValueError:
            if function in (int, float) and arguments and type(arguments[0]) is str:
                self.lack = squash(sum(not char.isdigit() for char in arguments[0]) or 1)
                self._miss(site, "Eq", arguments[0], "1")
            elif arguments and function not in (int, float):
                self._lacking(site, getattr(function, "__self__", None), arguments[0])
            raise

    # Statements.

    def branch(self, site, value):
        """Note the distances of the test of an `if` or `while`."""
        pair = (self.true, self.false)
        self.branches[site] = pair
        best = self.nearest.get(site)
        if best is None:
            self.nearest[site] = pair
        elif pair[0] < best[0] or pair[1] < best[1]:
            self.nearest[site] = (min(pair[0], best[0]), min(pair[1], best[1]))
        return value

    def check(self, site, value):
        """Stand for an assertion's condition; a failed one is survived in a ghost run."""
        gap = self.true
        if value:
            self.passed[site] = self.passed.get(site, 0) + 1
            return True
        if not self._survives(site, gap or 1.0):
            return False
        self._die(False, AssertionError())
        return True

    def leaves(self, site, value, guards):
        """Tell whether `return value` is carried out; a ghost run goes on when it is unwanted."""
        gap = self.guarded(guards) or 0.25
        if not self._survives(site, gap):
            self.true, self.false = (gap, 0.0) if value is False else (0.0, gap)
            self.returned = (value, self.true, self.false)
            return True
        self._die(True, value)
        return False

    def _die(self, returns, value):
        """Note how a ghost run is going to end; from here on it is measured only."""
        if self.pending is None:
            self.pending = (returns, value)
        self.alive = False

    def guarded(self, guards):
        """Return how far the nearest of the tests around a statement is from turning away."""
        gaps = [(self.nearest if best else self.branches)[site][1 if taken else 0]
                for site, taken, best in guards if site in self.branches]  # fmt: skip
        return min(gaps) if gaps else 1.0

    def _survives(self, site, gap):
        if not self.ghost or self.depth != 1:
            self.partial += gap
            return False
        self.failed += gap
        return True

    def enter(self):
        """Begin an activation of the entry."""
        self.depth += 1

    def settled(self):
        """End an activation of the entry: tell whether it only lived on after a failed check."""
        self.depth -= 1
        if self.depth or self.pending is None:
            return False
        self.broken = sys.exc_info()[0] is not None
        return True

    def settle(self):
        """Return or raise what the failed check would have."""
        returns, value = self.pending
        if not returns:
            raise value
        return value

    def result(self, value):
        """Note what a function returns together with its condition's distances."""
        self.exit = 0.0
        self.returned = (value, self.true, self.false)
        return value

    def constant(self, value, guards):
        """Note a constant that is returned, as far away as the tests that led to it."""
        gap = self.guarded(guards)
        self.true, self.false = (0.0, gap) if value else (gap, 0.0)
        self.returned = (value, self.true, self.false)
        self.exit = gap
        return value

    def second(self, _, value):
        """Return the second of two things evaluated in order."""
        return value

    def landed(self, place, value):
        """Note what the function of the goal's last frame returns."""
        if len(self.landings) < _LANDINGS:
            self.landings.append((value, self.true, self.false))
        return value

    def visit(self, place, names=None, where=()):
        """Note that a place of the goal's chain is reached, with locals at the last one.

        Keeps how far each of `where` was from true, and of the visits only the latest few.
        """
        gaps = [self._where_gap(test) for test in where]
        visits = self.visits.setdefault(place, [])
        visits.append((dict(names) if names else names, gaps))
        if len(visits) > _LANDINGS:
            del visits[1]

    def _where_gap(self, test):
        try:
            value = test()
            gap = self.true
            return 0.0 if value else gap or 0.5
        except Exception:
            return 1.0

    # Distances.

    def _measure(self, site, name, left, right, result):
        lengths = name[0] == "#"
        name = name.lstrip("#")
        if not self.alive:
            self.afterlife -= 1
            if self.afterlife < 0:
                raise AfterlifeEnded()
        if result is not True and result is not False:
            self.truth(result)
            return
        try:
            gap = _comparison_gap(name, left, right, result)
            if lengths and type(left) is int and type(right) is int:
                gap = counted([], float(abs(left - right)) or gap)
        except Exception:
            gap = 1.0
        self.true, self.false = (0.0, gap) if result else (gap, 0.0)
        if result is (name in ("NotEq", "NotIn", "IsNot")):
            self._miss(site, name, left, right)

    def _miss(self, site, name, left, right):
        if len(self.misses) >= _MISSES or self.miss_counts.get(site, 0) >= _MISSES_A_SITE:
            return
        try:
            texts = literal_text(left), literal_text(right)
        except Exception:
            return
        if texts[0] is not None and texts[1] is not None:
            self.miss_counts[site] = self.miss_counts.get(site, 0) + 1
            self.misses.append((site, name) + texts)


def literal_text(value, depth=0):
    """Return the repr of a small value made of builtin types only, else None.

    Taken at once, since a container may change before the run ends.
    """
    kind = type(value)
    if kind is range:
        return repr(value)
    if kind not in _PLAIN or depth > 3:
        return None
    if kind in (str, bytes) and len(value) > _TEXT or kind is int and value.bit_length() > _BITS:
        return None
    if kind in (list, tuple, set, frozenset, dict):
        parts = list(value) if kind is not dict else list(value) + list(value.values())
        if len(parts) > _PARTS or any(literal_text(part, depth + 1) is None for part in parts):
            return None
    return repr(value)


def _comparison_gap(name, left, right, result):
    """Return how far a comparison is from turning out the other way.

    Below 1 for numbers; texts and containers count the parts that are wrong, so that one wrong
    element costs the same in `==` as in `all`.
    """
    if name in ("Eq", "NotEq"):
        equal = result is (name == "Eq")
        return 0.5 if equal else counted(left, distance.value_gap(left, right)) or 0.5
    if name in ("In", "NotIn"):
        inside = result is (name == "In")
        return 0.5 if inside else counted(right, distance.member_gap(left, right)) or 0.5
    if name in ("Is", "IsNot"):
        return 0.5
    if isinstance(left, (set, frozenset)):
        return float(len(left ^ right)) or 1.0
    # Of `<` a true one turns at equality, a false one only beyond it; `<=` the other way round.
    beyond = (name in ("Lt", "Gt")) is not result
    return squash(distance.order_gap(left, right) + (1.0 if beyond else 0.0) or 0.5)


def counted(value, gap):
    """Return a gap as a count of wrong parts where `value` has parts, else squashed below 1."""
    if type(value) in (str, bytes, list, tuple, dict, set, frozenset) and gap < distance.KIND_GAP:
        return gap if gap <= _COUNTED else _COUNTED * (1.0 + squash(gap - _COUNTED))
    return squash(gap)


def _predicate_gap(name, owner, arguments):
    """Return how many characters keep a predicate of str or bytes from being true."""
    if name in ("startswith", "endswith"):
        wanted = arguments[0] if isinstance(arguments[0], tuple) else (arguments[0],)
        if name == "startswith":
            return min(distance.value_gap(owner[: len(part)], part) for part in wanted) or 0.5
        return min(distance.value_gap(owner[-len(part) :], part) for part in wanted) or 0.5
    if not owner:
        return 1.0
    if isinstance(owner, bytes):
        return 0.5
    return float(sum(not getattr(char, name)() for char in owner)) or 0.5
