"""Values of a program that crashed, as bounded text.

Builtin containers are walked, so that neither size nor depth costs time, and what stands under a
telling key is left out; for other objects their own `repr` is asked, which runs code of the program
and is stopped when it takes long (code in C cannot be stopped).  Python 3.8, standard library only.
"""

from __future__ import annotations

import sys
from itertools import islice
from time import monotonic

from .secrecy import REDACTED, is_secret_name, without_secrets

LONGEST = 2000  # characters of one value
DEEPEST = 8
REPR_LIMIT_S = 0.25
MOST_ITEMS = 10_000  # an object that holds more is not asked for its repr: it may take seconds
MAX_DECIMAL_BITS = 14_000  # CPython refuses to print larger integers, and took quadratic time

TYPE_CHECKING = False  # `typing` takes as long to import as all else here
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_slow_types: set[int] = set()


class Text:
    """A value's text and its type's name; `truncated` when it is not all of it.

    `secrets` are the strings that were left out.
    """

    __slots__ = ("repr", "secrets", "truncated", "type")

    def __init__(self, repr: str, type: str, truncated: bool, secrets: list[str]) -> None:
        self.repr = repr
        self.type = type
        self.truncated = truncated
        self.secrets = secrets


class _TooSlow(BaseException):
    """Raised inside a repr that takes too long; nothing of the program's catches it on purpose."""


class _Writer:
    """Writes one value; `left` counts the characters that may still be written."""

    def __init__(self, left: int, show_secrets: bool) -> None:
        self.left = left
        self.show_secrets = show_secrets
        self.truncated = False
        self.secrets: list[str] = []
        self._within: set[int] = set()

    def write(self, value: Any, depth: int) -> str:
        """Return the text of a value."""
        kind = type(value)
        if kind is str or kind is bytes:
            return self._string(value)
        if value is None or kind is bool or kind is float or kind is complex:
            return self._take(repr(value))
        if kind is int:
            return self._take(repr(value) if value.bit_length() < MAX_DECIMAL_BITS
                              else self._cut(f"<int of {value.bit_length()} bits>"))  # fmt: skip
        container = _CONTAINERS.get(kind)
        if container is None:
            return self._take(self._foreign(value))
        if id(value) in self._within or depth >= DEEPEST or self.left <= 0:
            return self._cut("...")
        self._within.add(id(value))
        text = container(self, value, depth + 1)
        self._within.discard(id(value))
        return text

    def leave_out(self, value: Any) -> str:
        """Return a mark in place of a secret, and remember it."""
        if issubclass(type(value), bytes):
            self.secrets.append(bytes.decode(value, "latin-1"))
        elif issubclass(type(value), str):
            self.secrets.append(str.__str__(value))
        self.truncated = True
        return self._take(f"'{REDACTED}'")

    def _take(self, text: str) -> str:
        if len(text) > self.left:
            text = self._cut(text[: max(self.left, 0)] + "...")
        self.left -= len(text)
        return text

    def _cut(self, text: str) -> str:
        self.truncated = True
        return text

    def _string(self, value: Any) -> str:
        if len(value) > self.left:
            text = self._cut(repr(value[: max(self.left, 0)]) + "...")
            self.left = 0
        else:
            text = repr(value)
            self.left -= len(text)
        return self._openly(text)

    def _openly(self, text: str) -> str:
        """Return a text without what looks like a secret in it."""
        if self.show_secrets:
            return text
        shown = without_secrets(text)
        return text if shown == text else self._cut(shown)

    def _items(self, values: Any, depth: int) -> str:
        texts = []
        for value in values:
            if self.left <= 0:
                texts.append(self._cut("..."))
                break
            texts.append(self.write(value, depth))
            self.left -= 2
        return ", ".join(texts)

    def _tuple(self, value: Any, depth: int) -> str:
        return "(" + self._items(value, depth) + (",)" if len(value) == 1 else ")")

    def _set(self, value: Any, depth: int) -> str:
        text = "{" + self._items(value, depth) + "}" if value else ""
        if type(value) is frozenset:
            return f"frozenset({text})"
        return text or "set()"

    def _dict(self, value: Any, depth: int) -> str:
        texts = []
        for key, item in list(islice(value.items(), LONGEST)):
            if self.left <= 0:
                texts.append(self._cut("..."))
                break
            name = self.write(key, depth)
            secret = not self.show_secrets and type(key) is str and is_secret_name(key) and item
            texts.append(
                name + ": " + (self.leave_out(item) if secret else self.write(item, depth))
            )
            self.left -= 4
        return "{" + ", ".join(texts) + "}"

    def _foreign(self, value: Any) -> str:
        text = _own_repr(value)
        if text is None:
            return self._cut(f"<{type_name(type(value))} object>")
        if len(text) > 4 * LONGEST:
            text = self._cut(text[: 4 * LONGEST])
        return self._openly(text)


_CONTAINERS: dict[Any, Callable[[_Writer, Any, int], str]] = {
    list: lambda writer, value, depth: "[" + writer._items(value, depth) + "]",
    tuple: _Writer._tuple,
    dict: _Writer._dict,
    set: _Writer._set,
    frozenset: _Writer._set,
}


def text_of(name: str, value: Any, longest: int = LONGEST, show_secrets: bool = False) -> Text:
    """Return a value that goes by a name as text; never raises."""
    writer = _Writer(longest, show_secrets)
    try:
        secret = not show_secrets and is_secret_name(name) and not _is_empty(value)
        text = writer.leave_out(value) if secret else writer.write(value, 0)
    except Exception:  # containers that other threads change meanwhile
        text = writer._cut(f"<{type_name(type(value))} object>")
    return Text(text, type_name(type(value)), writer.truncated, writer.secrets)


def type_name(kind: type[Any]) -> str:
    """Return a type's name, whatever its metaclass makes of names."""
    name: str = type.__dict__["__name__"].__get__(kind)
    return name


def _is_empty(value: Any) -> bool:
    """Whether a value is too small to be a secret: None, a bool, an empty builtin."""
    if value is None or type(value) is bool:
        return True
    return type(value) in (str, bytes, list, tuple, dict, set) and not value


def _own_repr(value: Any) -> str | None:
    """Return an object's own repr; None when it raises, takes long or would."""
    kind = type(value)
    if id(kind) in _slow_types or _is_large(value):
        return None
    ends = monotonic() + REPR_LIMIT_S

    def watch(frame: Any, event: str, arg: Any) -> Any:
        if monotonic() > ends:
            _slow_types.add(id(kind))
            raise _TooSlow
        frame.f_trace_opcodes = True  # 3.11 tells of no line in `while True: pass`
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        text = repr(value)
        return str.__str__(text)
    except BaseException:
        return None
    finally:
        sys.settrace(before)


def _is_large(value: Any) -> bool:
    """Whether a builtin container in disguise (a subclass, a deque) holds very many items."""
    try:
        for kind in (list, dict, tuple, set, frozenset, str, bytes, bytearray):
            if issubclass(type(value), kind):
                return kind.__len__(value) > MOST_ITEMS
        return type(value).__module__ in ("collections", "array") and len(value) > MOST_ITEMS
    except Exception:
        return False
