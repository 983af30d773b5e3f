"""Whether the code under test is still that of its files: what arguments may not change.

A call whose arguments put another function in the place of one, or another value in that of a
constant, shows nothing of the program on disk.  Looks at the target's modules and, one step
further, at what they import; not at what is changed inside a list or an object.
"""

from __future__ import annotations

import opcode
import sys
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Callable, Dict, FrozenSet, Iterator, List, Optional, Set, Tuple

_CODE = (FunctionType, BuiltinFunctionType, type, staticmethod, classmethod, property, ModuleType)
_CONSTANTS = (int, float, complex, str, bytes, bool, tuple, frozenset, type(None))
_GLOBAL_STORES = frozenset(
    opcode.opmap[name] for name in ("STORE_GLOBAL", "DELETE_GLOBAL") if name in opcode.opmap
)
# A name, the namespace that binds it, and what it was bound to.
_Binding = Tuple[str, Any, str, Any]
_MISSING = object()


class Intact:
    """What the code of a target's modules was when it was made."""

    def __init__(self, own: Callable[[str], bool]) -> None:
        self._bindings: List[_Binding] = []
        self._functions: List[Tuple[str, FunctionType, Tuple[Any, ...]]] = []
        self._seen: Set[int] = set()
        modules = [found for found in _modules() if own(_file_of(found))]
        for module in modules:
            self._keep(module, _rebound_in(module))
            for found in list(vars(module).values()):
                if type(found) is ModuleType:
                    self._keep(found, None)
        ours = __name__.partition(".")[0]
        for found in [found for found in _modules() if found.__name__.partition(".")[0] == ours]:
            self._keep(found, _rebound_in(found))
        self._keep(sys.modules["builtins"], None)
        self._filters = _warning_filters()

    def changed(self) -> Optional[str]:
        """Return the name of something that is not what it was; None when all is."""
        if _warning_filters() != self._filters:
            return "warnings.filters"
        for name, space, key, value in self._bindings:
            if _get(space, key) is not value:
                return name
        for name, function, parts in self._functions:
            if any(one is not other for one, other in zip(_parts_of(function), parts)):
                return name
        return None

    def _keep(self, module: ModuleType, rebound: Optional[FrozenSet[str]]) -> None:
        """Keep a module's code and, where it is known which it rebinds itself, its constants."""
        if id(module) in self._seen:
            return
        self._seen.add(id(module))
        for key, value in list(vars(module).items()):
            constant = rebound is not None and key not in rebound and type(value) in _CONSTANTS
            if constant and not key.startswith("__"):
                self._bindings.append(("%s.%s" % (module.__name__, key), vars(module), key, value))
            elif issubclass(type(value), _CODE) and not (rebound and key in rebound):
                self._add("%s.%s" % (module.__name__, key), vars(module), key, value)
                if issubclass(type(value), type) and rebound is not None:
                    self._keep_class("%s.%s" % (module.__name__, key), value)

    def _keep_class(self, name: str, kind: type) -> None:
        if id(kind) in self._seen:
            return
        self._seen.add(id(kind))
        for key, value in list(vars(kind).items()):
            if issubclass(type(value), _CODE):
                self._add("%s.%s" % (name, key), kind, key, value)

    def _add(self, name: str, space: Any, key: str, value: Any) -> None:
        self._bindings.append((name, space, key, value))
        inner = getattr(value, "__func__", value)
        if type(inner) is FunctionType:
            self._functions.append((name, inner, _parts_of(inner)))


def _warning_filters() -> List[Any]:
    """Return what makes exceptions of warnings."""
    return list(vars(sys.modules.get("warnings", sys)).get("filters", ()))


def _modules() -> List[ModuleType]:
    return [found for found in list(sys.modules.values()) if type(found) is ModuleType]


def _file_of(module: ModuleType) -> str:
    file = vars(module).get("__file__")
    return file if type(file) is str else ""


def _get(space: Any, key: str) -> Any:
    return (space if type(space) is dict else vars(space)).get(key, _MISSING)


def _parts_of(function: FunctionType) -> Tuple[Any, ...]:
    return function.__code__, function.__defaults__, function.__kwdefaults__


def _rebound_in(module: ModuleType) -> FrozenSet[str]:
    """Return the names that a module's own functions rebind with `global`."""
    found: Set[str] = set()
    for code in _codes_in(vars(module)):
        text = code.co_code
        if any(text[at] in _GLOBAL_STORES for at in range(0, len(text), 2)):
            found.update(code.co_names)
    return frozenset(found)


def _codes_in(namespace: Dict[str, Any]) -> Iterator[CodeType]:
    waiting: List[Any] = list(namespace.values())
    seen: Set[int] = set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, CodeType):
            yield value
            waiting += [const for const in value.co_consts if isinstance(const, CodeType)]
        elif isinstance(value, FunctionType):
            waiting.append(value.__code__)
            waiting += [value.__dict__.get("__wrapped__")]
        elif isinstance(value, type) and value.__module__ == namespace.get("__name__"):
            waiting += list(vars(value).values())
        elif isinstance(value, (staticmethod, classmethod)):
            waiting.append(value.__func__)
        elif isinstance(value, property):
            waiting += [value.fget, value.fset]
