"""Objects that stand for what a state does not hold, and values made from what it does.

Nothing here decides when they are needed; they tell when they are.
"""

import ast
import builtins
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple

from .literals import NotALiteral, parse
from .values import printed_type

# Exceptions that hold more than their arguments: what a handler reads of them is not in a state.
_RICH = (OSError, UnicodeError, SyntaxError, ImportError, StopIteration, StopAsyncIteration)

Need = Callable[[str, str], None]


class Hidden(BaseException):
    """Ends a run that needs what its state does not hold; who catches it is no longer traced."""


class Opaque:
    """Stands for a value that no literal stands for, and that the rest of the function ignores."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def opaque(text: str, kind: str) -> Opaque:
    """Return a stand-in that prints, and whose class is called, as the value did and was."""
    found: Opaque = type(kind, (Opaque,), {})(text)
    return found


class Manager:
    """Stands for the context manager of a block around the state: leaving the block needs it."""

    def __init__(self, need: Need) -> None:
        self._need = need

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is not Hidden:
            self._need(
                "start-not-reached", "leaving the `with` needs its manager, which no state holds"
            )


def items_of(first: Any, rest: List[Any], need_more: Optional[Callable[[], None]]) -> Iterator[Any]:
    """Yield what a loop around the state takes: anything, then what remains, then say it is all."""
    yield first
    for item in rest:
        yield item
    if need_more is not None:
        need_more()


class Sharing:
    """Makes equal mutable values one object, as they may have been where the state was seen.

    `fresh` are the names that are only ever bound to new objects, `given` the parameters that are
    never bound again: a new object is no other new one, and none that was there before the call.
    """

    def __init__(self, fresh: Set[str], given: Set[str]) -> None:
        self._fresh, self._given = fresh, given
        self._known: Dict[str, List[Tuple[Any, str]]] = {}

    def of(self, name: str, value: Any) -> Any:
        """Return the value for a local."""
        origin = "fresh" if name in self._fresh else "given" if name in self._given else ""
        return self._shared(value, origin)

    def _shared(self, value: Any, origin: str) -> Any:
        kind = type(value)
        if kind is tuple:
            return tuple(self._shared(item, "") for item in value)
        if kind not in (list, dict, set, bytearray):
            return value
        known = self._known.setdefault("%s %r" % (kind.__name__, value), [])
        for found, other in known:
            # One of them is new, and the other new or older: they are two.
            if not (origin and other and "fresh" in (origin, other)):
                return found
        if kind is list:
            value = [self._shared(item, "") for item in value]
        elif kind is dict:
            value = {key: self._shared(item, "") for key, item in value.items()}
        known.append((value, origin))
        return value


def rebuilt_exception(text: str) -> Optional[BaseException]:
    """Return the builtin exception of which a text is the repr, None when it is of none."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
        if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.keywords:
            return None
        kind = _builtin_exception(tree.func.id)
        if kind is None:
            return None
        given = parse("(%s)" % "".join(ast.dump(arg) and _source(text, arg) for arg in tree.args))
        error = kind(*given)
        return error if repr(error) == text else None
    except (NotALiteral, SyntaxError, ValueError, TypeError, RecursionError):
        return None


def _source(text: str, node: ast.expr) -> str:
    return "%s, " % ast.get_source_segment(text, node)


def _builtin_exception(name: str) -> Optional[type]:
    kind = vars(builtins).get(name)
    if isinstance(kind, type) and issubclass(kind, BaseException) and not issubclass(kind, _RICH):
        return kind
    return None


def exception_of(name: str, message: str, names: Dict[str, Any]) -> Optional[BaseException]:
    """Return an exception that prints as this type and message; None when none surely is the one.

    `names` is the module's namespace, for classes of the program's own.
    """
    kind = _builtin_exception(name) or _own_exception(name, names)
    if kind is None:
        return None
    candidates: List[Tuple[Any, ...]] = [(message,), ()]
    try:
        candidates.insert(1, (parse(message),))
    except NotALiteral:
        pass
    for arguments in candidates:
        error = kind(*arguments)
        if str(error) == message:
            return error  # type: ignore[no-any-return]
    return None


def _own_exception(name: str, names: Dict[str, Any]) -> Optional[type]:
    """Return a class of the program whose instances hold nothing but their arguments."""
    kind = names.get(name.rpartition(".")[2])
    if not (isinstance(kind, type) and issubclass(kind, BaseException)):
        return None
    if issubclass(kind, _RICH) or printed_type(kind) != name:
        return None
    for base in kind.__mro__:
        if base.__module__ == "builtins":
            break
        if {"__init__", "__new__", "__str__", "__reduce__"} & set(vars(base)):
            return None
    return kind
