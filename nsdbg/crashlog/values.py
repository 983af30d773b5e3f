"""Values as a log prints them: text, and whether the text can stand for the value.

Nothing is evaluated but literals, by `ast.literal_eval`, and only below a size.
"""

from __future__ import annotations

import ast
import re
import warnings

from nsdbg.state import Value

_LITERAL_LIMIT = 4096  # characters; literal_eval is linear, but nesting costs stack
_OBJECT = re.compile(r"^<(?:(class|function|module|built-in|bound method) )?([\w.]+)?")
_CALL = re.compile(r"^([A-Za-z_][\w.]*)\(")
_CUT = re.compile(r"\.\.\.(?:$|[\])}'\"+ ])|\u2026|\+\d+$")


def logged_value(text: str, truncated: bool = False) -> Value:
    """Return a printed repr as a Value: its type is told from its looks, "" when unknown.

    `truncated` is set for what its printer says it cut; an ellipsis in what is no literal says
    so too.
    """
    if not truncated:
        name = _literal_type(text)
        if name is not None:
            return Value(text, name, literal=True)
        truncated = bool(_CUT.search(text))
    return Value(text, _type_from_looks(text), truncated=truncated)


def _literal_type(text: str) -> str | None:
    """Return the type's name when the text is a literal that reads back to itself."""
    if len(text) > _LITERAL_LIMIT or text.startswith("<"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a SyntaxWarning on `'\d'` is not the user's concern
            value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError, OverflowError):
        return None
    return type(value).__name__ if repr(value) == text else None


def _type_from_looks(text: str) -> str:
    """Guess a type's name from a repr such as `<pkg.Class object at 0x…>` or `Decimal('1')`."""
    if found := _CALL.match(text):
        return found[1].rsplit(".", 1)[-1]
    if found := _OBJECT.match(text):
        return {"class": "type", None: (found[2] or "").rsplit(".", 1)[-1]}.get(
            found[1], found[1] or ""
        )
    return {"[": "list", "{": "dict", "(": "tuple", "'": "str", '"': "str"}.get(text[:1], "")
