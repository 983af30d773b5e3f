"""How far a comparison or a predicate is from turning out the other way, and operands as text.

Numbers give less than 1, whatever they are; texts and containers count the parts that are wrong,
so that one wrong element costs the same in `==` as in `all`.
"""

import operator
from typing import Any, Callable, Dict, Optional, Sequence

from .distance import KIND_GAP, member_gap, order_gap, squash, value_gap

PLAIN = (bool, int, float, str, bytes, list, tuple, dict, set, frozenset, type(None))
_CONTAINERS = (list, tuple, dict, set, frozenset)
# Counts of wrong parts grow by one each up to here, and then ever more slowly.
_COUNTED = 60.0
# Operands beyond these sizes are not told: characters, bits, parts, levels.
_TEXT, _BITS, _PARTS, _LEVELS = 4000, 4000, 400, 3
# Marks a comparison of a length, whose distance is a count of elements too.
LENGTH = "#"


def _inside(left: Any, right: Any) -> bool:
    return left in right


def _outside(left: Any, right: Any) -> bool:
    return left not in right


OPERATORS: Dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le,
    "Gt": operator.gt, "GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not,
    "In": _inside, "NotIn": _outside,
}  # fmt: skip
OPERATORS.update({LENGTH + name: function for name, function in list(OPERATORS.items())})
# Of these a true one is the failure that search wants to know of.
NEGATIVE = ("NotEq", "NotIn", "IsNot")


def comparison_gap(name: str, left: Any, right: Any, result: bool) -> float:
    """Return how far `left <name> right`, which gave `result`, is from giving the opposite."""
    plain = name.lstrip(LENGTH)
    if name != plain and type(left) is int and type(right) is int and left != right:
        return counted([], float(abs(left - right)))
    if plain in ("Eq", "NotEq"):
        equal = result is (plain == "Eq")
        return 0.5 if equal else counted(left, value_gap(left, right)) or 0.5
    if plain in ("In", "NotIn"):
        inside = result is (plain == "In")
        return 0.5 if inside else counted(right, member_gap(left, right)) or 0.5
    if plain in ("Is", "IsNot"):
        return 0.5
    if isinstance(left, (set, frozenset)):
        return float(len(left ^ right)) or 1.0
    # Of `<` a true one turns at equality, a false one only beyond it; `<=` the other way round.
    beyond = (plain in ("Lt", "Gt")) is not result
    return squash(order_gap(left, right) + (1.0 if beyond else 0.0) or 0.5)


def counted(value: Any, gap: float) -> float:
    """Return a gap as a count of wrong parts where `value` has parts, else squashed below 1."""
    if type(value) in (str, bytes, *_CONTAINERS) and gap < KIND_GAP:
        return gap if gap <= _COUNTED else _COUNTED * (1.0 + squash(gap - _COUNTED))
    return squash(gap)


def predicate_gap(name: str, owner: Any, arguments: Sequence[Any]) -> float:
    """Return how many characters keep a predicate of str or bytes from being true."""
    if name in ("startswith", "endswith"):
        wanted = arguments[0] if isinstance(arguments[0], tuple) else (arguments[0],)
        ends = [(owner[: len(part)] if name == "startswith" else owner[-len(part) :], part)
                for part in wanted]  # fmt: skip
        return counted(owner, min(value_gap(end, part) for end, part in ends)) or 0.5
    if not owner:
        return 1.0
    if isinstance(owner, bytes):
        return 0.5
    return counted(owner, float(sum(not getattr(char, name)() for char in owner))) or 0.5


def literal_text(value: Any, level: int = 0) -> Optional[str]:
    """Return the repr of a small value made of builtin types only, else None."""
    kind = type(value)
    if kind is range:
        return repr(value)
    if kind not in PLAIN or level > _LEVELS:
        return None
    if kind in (str, bytes) and len(value) > _TEXT:
        return None
    if kind is int and value.bit_length() > _BITS:
        return None
    if kind in _CONTAINERS:
        parts = list(value) if kind is not dict else list(value) + list(value.values())
        if len(parts) > _PARTS or any(literal_text(part, level + 1) is None for part in parts):
            return None
    return repr(value)
