"""Values as bounded text, and the strict comparison of a value with a literal.

Calls no method of the debugged program but `__repr__`, and that within a time limit.  Used by the
child on living values and by the parent on texts.
"""

import re
from itertools import islice
from math import copysign, isfinite
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Set, Type

from .limits import ALARM, Expired

MAX_CHARS = 65536
MAX_DEPTH = 40
# A repr of the program's own may take so long; afterwards its type is not asked again.
REPR_LIMIT_S = 0.1
# CPython refuses to print larger integers by default since 3.11, and takes quadratic time.
MAX_DECIMAL_BITS = 14000

_hide_addresses = re.compile(r" at 0x[0-9a-fA-F]+").sub
_name_of: Callable[[Any], str] = type.__dict__["__name__"].__get__
_qualname_of: Callable[[Any], str] = type.__dict__["__qualname__"].__get__
_slow_types: Set[Type[Any]] = set()


class Snapshot(NamedTuple):
    """A value's text, its type's name, and what the text is worth, as in `nsdbg.state.Value`."""

    repr: str
    type: str
    literal: bool
    truncated: bool


class _Writer:
    """Writes one value; `left` counts the characters that may still be written."""

    __slots__ = ("left", "literal", "truncated", "within")

    def __init__(self, left: int) -> None:
        self.left = left
        self.literal = True
        self.truncated = False
        self.within: Set[int] = set()

    def write(self, value: Any, depth: int) -> str:
        """Return the text of a value."""
        kind = type(value)
        if kind is str or kind is bytes:
            return self._string(value)
        atom = _ATOMS.get(kind)
        if atom is not None:
            text = atom(self, value)
            self.left -= len(text)
            return text if self.left >= 0 else self._cut("...")
        container = _CONTAINERS.get(kind)
        if container is None:
            return self._foreign(value)
        if id(value) in self.within or depth >= MAX_DEPTH or self.left <= 0:
            return self._cut("...")
        self.within.add(id(value))
        text = container(self, value, depth + 1)
        self.within.discard(id(value))
        return text

    def _cut(self, text: str) -> str:
        self.literal = False
        self.truncated = True
        return text

    def _string(self, value: Any) -> str:
        if len(value) > self.left:
            text = repr(value[: max(self.left, 0)])
            self.left = 0
            return self._cut(text + "...")
        text = repr(value)
        self.left -= len(text)
        return text

    def _number(self, value: Any) -> str:
        kind = type(value)
        if kind is int and value.bit_length() > MAX_DECIMAL_BITS:
            return hex(value) if value.bit_length() < 4 * self.left else self._cut("0x...")
        if kind is float and not isfinite(value):
            self.literal = False
        if kind is complex and not _complex_is_literal(value):
            self.literal = False
        return repr(value)

    def _opaque(self, value: Any) -> str:
        self.literal = False
        return repr(value)

    def _items(self, values: Any, depth: int) -> List[str]:
        texts = []
        for value in islice(values, self.left + 1):
            if self.left <= 0:
                self._cut("")
                texts.append("...")
                break
            texts.append(self.write(value, depth))
            self.left -= 2
        return texts

    def _list(self, value: Any, depth: int) -> str:
        return "[" + ", ".join(self._items(value, depth)) + "]"

    def _tuple(self, value: Any, depth: int) -> str:
        texts = self._items(value, depth)
        return "(" + ", ".join(texts) + (",)" if len(texts) == 1 else ")")

    def _dict(self, value: Any, depth: int) -> str:
        texts = []
        for key, item in list(islice(value.items(), self.left // 4 + 1)):
            if self.left <= 0:
                self._cut("")
                texts.append("...")
                break
            texts.append(self.write(key, depth) + ": " + self.write(item, depth))
            self.left -= 4
        return "{" + ", ".join(texts) + "}"

    def _set(self, value: Any, depth: int) -> str:
        # In the order of their texts: the order of a set changes with the hash seed.
        texts = sorted(self._items(value, depth))
        if type(value) is frozenset:
            self.literal = False
            return "frozenset({" + ", ".join(texts) + "})" if texts else "frozenset()"
        if not texts:
            self.literal = False
            return "set()"
        return "{" + ", ".join(texts) + "}"

    def _foreign(self, value: Any) -> str:
        self.literal = False
        if self.left <= 0:
            return self._cut("...")
        text = _foreign_repr(value)
        if text is None:
            self.truncated = True
            text = "<%s object; its repr fails>" % _name_of(type(value))
        if len(text) > self.left:
            text = self._cut(text[: self.left] + "...")
        self.left -= len(text)
        return text


_ATOMS: Dict[Any, Callable[[_Writer, Any], str]] = {
    type(None): lambda writer, value: repr(value),
    bool: lambda writer, value: repr(value),
    int: _Writer._number,
    float: _Writer._number,
    complex: _Writer._number,
    type(Ellipsis): _Writer._opaque,
    type(NotImplemented): _Writer._opaque,
    range: _Writer._opaque,
}
_CONTAINERS: Dict[Any, Callable[[_Writer, Any, int], str]] = {
    list: _Writer._list,
    tuple: _Writer._tuple,
    dict: _Writer._dict,
    set: _Writer._set,
    frozenset: _Writer._set,
}


# The types of literals, by name.
_EXACT: Dict[str, Type[Any]] = {
    kind.__name__: kind for kind in (str, bytes, bytearray, *_ATOMS, *_CONTAINERS)
}


def _complex_is_literal(value: complex) -> bool:
    """Whether `literal_eval`, which adds a real and an imaginary part, gives it back."""
    if not (isfinite(value.real) and isfinite(value.imag)):
        return False
    signs = copysign(1.0, value.real), copysign(1.0, value.imag)
    if (value.real == 0 and signs[0] < 0) or (value.imag == 0 and signs[1] < 0):
        return False
    return value.real != 0 or signs[1] > 0


def _foreign_repr(value: Any) -> Optional[str]:
    """Return an object's own repr without addresses; None when it raises or takes too long."""
    kind = type(value)
    if kind in _slow_types:
        return None
    ALARM.tighten(REPR_LIMIT_S)
    try:
        text = repr(value)
        text = str.__getitem__(text, slice(0, 4 * MAX_CHARS))
    except Expired:
        _slow_types.add(kind)
        return None
    except BaseException:
        return None
    finally:
        ALARM.loosen()
    return _hide_addresses(" at 0x...", text)


def snapshot(value: Any, limit: int = MAX_CHARS) -> Snapshot:
    """Return a value as text of about `limit` characters at most.

    Sets are written in the order of their elements' texts, and memory addresses are left out, so
    that the text is the same in every process.
    """
    kind = type(value)
    # What most values are, without the ceremony.
    if (
        kind is bool
        or value is None
        or (kind is int and value.bit_length() < 64)
        or (kind is str and 2 * len(value) < limit)
    ):
        text = repr(value)
        if len(text) <= limit:
            return Snapshot(text, kind.__name__, True, False)
    writer = _Writer(limit)
    text = writer.write(value, 0)
    return Snapshot(text, _type_name(kind), writer.literal, writer.truncated)


def _type_name(kind: Type[Any]) -> str:
    """Return a type's name, told from a builtin's where a program calls its own `set`."""
    name = _name_of(kind)
    if _EXACT.get(name, kind) is kind:
        return name
    module = kind.__dict__.get("__module__")
    return "%s.%s" % (module if type(module) is str else "?", name)


def printed_type(kind: Type[Any]) -> str:
    """Return the name of an exception's class as a traceback prints it."""
    module = kind.__dict__.get("__module__")
    name = _qualname_of(kind)
    if type(module) is not str or module in ("builtins", "__main__"):
        return name
    return module + "." + name
