"""An object of which only the text is known: it can be passed on, and nobody can look into it."""

from __future__ import annotations

from typing import Any, NoReturn

from nsdbg.propose.evaluation.bounds import Unknown


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise Unknown("an object of which only its text is known")


class Opaque:
    """A value that stands for an object; `told` is what is known of it.

    Every operation on it is Unknown, except that it is not None.
    """

    __slots__ = ("told",)

    def __init__(self, told: Any) -> None:
        self.told = told

    def __deepcopy__(self, memo: dict[int, Any]) -> Opaque:
        """Return itself: a copy would be another object."""
        return self


# What Python asks of a type, not of its instances; so each has to stand in the class.
_ASKED = (
    "eq ne lt le gt ge hash bool len iter next contains getitem setitem delitem call repr str "
    "format int float index complex add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv "
    "mod rmod pow rpow and rand or ror xor rxor lshift rlshift rshift rrshift matmul rmatmul neg "
    "pos abs invert divmod rdivmod reversed enter exit bytes round"
)
for _name in _ASKED.split():
    setattr(Opaque, f"__{_name}__", _refuse)


def is_same(left: Any, right: Any) -> bool:
    """Return `left is right`; raises Unknown for two objects that may be one."""
    if left is not right and type(left) is Opaque and type(right) is Opaque:
        raise Unknown("whether two objects are one")
    return left is right
