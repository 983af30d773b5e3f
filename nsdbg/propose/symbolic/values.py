"""Values that are not known yet: numbers, truth values and texts of a known length.

Lists, tuples and dicts are plain ones that hold such values.  Comparisons never decide anything;
`bool()` of an unknown truth value does, through the engine of its path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from nsdbg.propose.evaluate import Unknown
from nsdbg.propose.symbolic.engine import Engine, z3

_LARGEST_POWER = 8


class SymBool:
    """A truth value; in sums it counts as 0 or 1."""

    __slots__ = ("engine", "expr")

    def __init__(self, expr: Any, engine: Engine) -> None:
        self.expr = expr
        self.engine = engine
        engine.hold(self)

    def __bool__(self) -> bool:
        return self.engine.decide(self.expr)

    def number(self) -> SymInt:
        """Return it as 0 or 1."""
        return SymInt(z3.If(self.expr, z3.IntVal(1), z3.IntVal(0)), self.engine)

    def __add__(self, other: Any) -> Any:
        return self.number() + other

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        return self.number() * other

    __rmul__ = __mul__


class SymInt:
    """A number: an integer, or a real one that stands for a float."""

    __slots__ = ("engine", "expr")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, expr: Any, engine: Engine) -> None:
        self.expr = expr
        self.engine = engine
        engine.hold(self)

    @property
    def is_int(self) -> bool:
        """Whether it is an integer."""
        return bool(self.expr.is_int())

    def __bool__(self) -> bool:
        return self.engine.decide(self.expr != 0)

    def _with(self, other: Any, operation: Callable[[Any, Any], Any], turned: bool = False) -> Any:
        right = lifted(other)
        if right is None:
            return NotImplemented
        left, right = (right, self.expr) if turned else (self.expr, right)
        return SymInt(operation(left, right), self.engine)

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b, turned=True)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b, turned=True)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, (str, list, tuple)):
            return other * self.__index__()
        return self._with(other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Any:
        return self.__mul__(other)

    def __neg__(self) -> SymInt:
        return SymInt(-self.expr, self.engine)

    def __pos__(self) -> SymInt:
        return self

    def __abs__(self) -> SymInt:
        return SymInt(z3.If(self.expr >= 0, self.expr, -self.expr), self.engine)

    def __floordiv__(self, other: Any) -> Any:
        return self._divided(other, _floor)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._divided(other, _floor, turned=True)

    def __mod__(self, other: Any) -> Any:
        return self._divided(other, _remainder)

    def __rmod__(self, other: Any) -> Any:
        return self._divided(other, _remainder, turned=True)

    def __truediv__(self, other: Any) -> Any:
        return self._divided(other, lambda a, b: z3.ToReal(a) / b if a.is_int() else a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return self._divided(
            other, lambda a, b: z3.ToReal(a) / b if a.is_int() else a / b, turned=True
        )

    def _divided(
        self, other: Any, operation: Callable[[Any, Any], Any], turned: bool = False
    ) -> Any:
        if isinstance(other, float) and not other.is_integer():
            other = float(other)
        right = lifted(other)
        if right is None:
            return NotImplemented
        left, right = (right, self.expr) if turned else (self.expr, right)
        self.engine.require(right != 0)
        return SymInt(operation(left, right), self.engine)

    def __divmod__(self, other: Any) -> Any:
        return (self // other, self % other)

    def __pow__(self, other: Any) -> Any:
        if not isinstance(other, int) or not 0 <= other <= _LARGEST_POWER:
            raise Unknown("a power that is not small")
        result: Any = z3.IntVal(1) if self.is_int else z3.RealVal(1)
        for _ in range(other):
            result = result * self.expr
        return SymInt(result, self.engine)

    def __rpow__(self, other: Any) -> Any:
        return other ** self.__index__()

    def __and__(self, other: Any) -> Any:
        if other == 1:
            return self % 2
        return self.__index__() & other

    def __lshift__(self, other: Any) -> Any:
        return self * 2 ** (other if isinstance(other, int) else other.__index__())

    def __rlshift__(self, other: Any) -> Any:
        return other << self.__index__()

    def __rshift__(self, other: Any) -> Any:
        return self // 2 ** (other if isinstance(other, int) else other.__index__())

    def __rrshift__(self, other: Any) -> Any:
        return other >> self.__index__()

    def __xor__(self, other: Any) -> Any:
        return self.__index__() ^ (other if isinstance(other, int) else other.__index__())

    def __lt__(self, other: Any) -> Any:
        return compared("<", self, other)

    def __gt__(self, other: Any) -> Any:
        return compared(">", self, other)

    def __eq__(self, other: object) -> Any:
        return compared("==", self, other)

    def __index__(self) -> int:
        """Choose a value: one that is possible, other ones being other paths."""
        if not self.is_int:
            raise TypeError("'float' object cannot be interpreted as an integer")
        simple = z3.simplify(self.expr)
        for _ in range(64):
            if z3.is_int_value(simple):
                return int(simple.as_long())
            model = self.engine.model(200_000, 500)
            if model is None:
                raise Unknown("no value was found")
            value = model.eval(self.expr, model_completion=True)
            if self.engine.decide(self.expr == value):
                return int(value.as_long())
        raise Unknown("too many values")

    def is_integer(self) -> SymBool:
        """Whether a real number is a whole one."""
        whole = z3.BoolVal(True) if self.is_int else z3.IsInt(self.expr)
        return SymBool(whole, self.engine)


def _floor(left: Any, right: Any) -> Any:
    """Return Python's `//`: z3's rounds so that the remainder is never negative."""
    if not (left.is_int() and right.is_int()):
        return z3.ToReal(z3.ToInt(left / right))
    if z3.is_int_value(right):
        return left / right if right.as_long() > 0 else (-left) / (-right)
    return z3.If(right > 0, left / right, (-left) / (-right))


def _remainder(left: Any, right: Any) -> Any:
    if not (left.is_int() and right.is_int()):
        return left - right * z3.ToReal(z3.ToInt(left / right))
    if z3.is_int_value(right):
        return left % right if right.as_long() > 0 else -((-left) % (-right))
    return z3.If(right > 0, left % right, -((-left) % (-right)))


def lifted(value: Any) -> Any:
    """Return the solver's term for a number, or None for what is none."""
    if isinstance(value, SymInt):
        return value.expr
    if isinstance(value, SymBool):
        return value.number().expr
    if isinstance(value, (bool, int)):
        return z3.IntVal(int(value))
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return None
        return z3.RealVal(repr(value))
    return None


def compared(sign: str, left: Any, right: Any) -> Any:
    """Return whether two numbers stand in an order, or are equal."""
    a, b = lifted(left), lifted(right)
    engine = engine_of(left) or engine_of(right)
    if a is None or b is None or engine is None:
        if sign in ("==", "!="):
            return sign == "!="
        raise TypeError(f"{sign!r} not supported between these")
    made = {"==": lambda: a == b, "!=": lambda: a != b, "<": lambda: a < b, "<=": lambda: a <= b,
            ">": lambda: a > b, ">=": lambda: a >= b}[sign]()  # fmt: skip
    return settled(made, engine)


def settled(expr: Any, engine: Engine) -> bool | SymBool:
    """Return a truth value, known where the solver's simplifier knows it."""
    simple = z3.simplify(expr)
    if z3.is_true(simple) or z3.is_false(simple):
        return bool(z3.is_true(simple))
    return SymBool(simple, engine)


class SymStr:
    """A text of a known length: each character is one, or the number of one."""

    __slots__ = ("chars", "engine")

    def __init__(self, chars: Any, engine: Engine) -> None:
        self.chars: tuple[str | SymInt, ...] = tuple(chars)
        self.engine = engine

    def __len__(self) -> int:
        return len(self.chars)

    def __bool__(self) -> bool:
        return bool(self.chars)

    def __iter__(self) -> Iterator[Any]:
        return iter([self._of((char,)) for char in self.chars])

    def __getitem__(self, place: Any) -> Any:
        found = self.chars[place]
        return self._of(found if isinstance(place, slice) else (found,))

    def _of(self, chars: Any) -> Any:
        return text_of(chars, self.engine)

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, (str, SymStr)):
            return NotImplemented
        return self._of((*self.chars, *characters(other)))

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, str):
            return NotImplemented
        return self._of((*other, *self.chars))

    def __mul__(self, count: Any) -> Any:
        return self._of(self.chars * int(count.__index__()))

    __rmul__ = __mul__


def characters(text: Any) -> tuple[str | SymInt, ...]:
    """Return the characters of a text of either kind."""
    return text.chars if isinstance(text, SymStr) else tuple(text)


def text_of(chars: Any, engine: Engine) -> Any:
    """Return a text of characters: a plain one when all are known."""
    listed = list(chars)
    if all(isinstance(char, str) for char in listed):
        return "".join(listed)
    return SymStr(listed, engine)


def code_of(char: str | SymInt) -> Any:
    """Return the number of a character as a term."""
    return z3.IntVal(ord(char)) if isinstance(char, str) else char.expr


def engine_of(value: Any, depth: int = 4) -> Engine | None:
    """Return the engine of the first unknown in a value; None when all of it is known."""
    if isinstance(value, (SymInt, SymBool, SymStr, SymSet)):
        return value.engine
    if depth and isinstance(value, (list, tuple, set, frozenset, dict)):
        parts = (*value, *value.values()) if isinstance(value, dict) else tuple(value)
        for part in parts:
            found = engine_of(part, depth - 1)
            if found is not None:
                return found
    return None


class SymSet:
    """A set of values of which some are unknown, so that some may be the same.

    Going through it gives them all, those that are the same included: which, is not known.
    """

    __slots__ = ("engine", "items")

    def __init__(self, items: list[Any], engine: Engine) -> None:
        self.items = items
        self.engine = engine

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)


class FreeStr(SymStr):
    """A text of which nothing is known, not even its length, until it is looked at.

    Compared with another text, it may be decided to be that text; else it gets the usual length.
    """

    __slots__ = ("_chars", "_size")

    def __init__(self, size: int, engine: Engine) -> None:
        self.engine = engine
        self._size = size
        self._chars: tuple[str | SymInt, ...] | None = None

    @property
    def chars(self) -> tuple[str | SymInt, ...]:  # type: ignore[override]
        """The characters; asking for them fixes the length."""
        if self._chars is None:
            self._chars = tuple(printable(self._size, self.engine))
        return self._chars

    def is_the_same(self, other: Any) -> bool | None:
        """Decide whether it is another text; None when it was looked at before."""
        if self._chars is not None:
            return None
        if self.engine.decide(self.engine.fresh("bool")):
            self._chars = characters(other)
            return True
        return False


def printable(size: int, engine: Engine) -> Iterator[SymInt]:
    """Give unknown characters: ones that can be printed, or of a wider range."""
    low, high = (1, 590) if engine.wide else (32, 126)
    for _ in range(size):
        code = engine.fresh("int")
        engine.require(z3.And(code >= low, code <= high))
        yield SymInt(code, engine)
