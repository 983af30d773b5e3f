"""A call of a function by its qualified name, with arguments as expressions."""

# It runs on 3.8.
# ruff: noqa: UP006, UP031, UP035, B905

import contextlib
import inspect
import itertools
import sys
import types
from typing import Any, Callable, Dict, List, Sequence, Tuple

# The file that arguments' own code seems to lie in.
ARGUMENT = "<argument>"
MOST_ITEMS = 10000
Pairs = Sequence[Sequence[str]]


class CannotCall(Exception):
    """The function is not there, or its arguments cannot be made; the message says which."""


def import_target(root: str, name: str) -> Any:
    """Import a module by its dotted name, with `root` first on `sys.path`."""
    if root not in sys.path:
        sys.path.insert(0, root)
    __import__(name)
    return sys.modules[name]


def bound(
    module: Any, qualname: str, arguments: Pairs, imports: Sequence[str]
) -> Callable[[], Any]:
    """Return the call, ready to be made; raises CannotCall."""
    names = [name for name, _ in arguments]
    function = found(module, qualname, names)
    space = dict(vars(module))
    try:
        for statement in imports:
            exec(statement, space)
        values = [eval(compile(text.strip(), ARGUMENT, "eval"), space) for _, text in arguments]
        given, keywords = _placed(function, names, values)
    except Exception as error:
        raise CannotCall("%s: %s" % (type(error).__name__, error)) from error
    return lambda: drained(function, given, keywords)


def found(module: Any, qualname: str, names: Sequence[str]) -> Any:
    """Return a function by its qualified name, bound as a call with these names needs it."""
    owner, here = None, module
    for part in qualname.split("."):
        owner = here
        try:
            here = inspect.getattr_static(here, part)
        except AttributeError:
            raise CannotCall("there is no %s in %s" % (qualname, module.__name__)) from None
    if isinstance(here, staticmethod):
        return here.__func__
    if isinstance(here, classmethod):
        inner = here.__func__
        first = next(iter(inspect.signature(inner).parameters), "")
        return inner if first in names else types.MethodType(inner, owner)
    if isinstance(here, property):
        return here.fget
    return here


def _placed(
    function: Any, names: Sequence[str], values: Sequence[Any]
) -> Tuple[List[Any], Dict[str, Any]]:
    """Return positional and keyword arguments."""
    plain = {name: value for name, value in zip(names, values) if name[0] != "*"}
    given: List[Any] = []
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        parameters = types.MappingProxyType({})
    unknown = set(plain) - set(parameters)
    if unknown and parameters and not _takes_any(parameters):
        raise TypeError("there is no parameter %s" % ", ".join(sorted(unknown)))
    if unknown:
        given, plain = list(plain.values()), {}  # of a wrapper that tells nothing: in their order
    for name, parameter in parameters.items():
        if name not in plain or parameter.kind not in (
            parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD
        ):  # fmt: skip
            break
        given.append(plain.pop(name))
    for name, value in zip(names, values):
        if name[:2] == "**":
            plain.update(value)
        elif name[:1] == "*":
            given += list(value)
    return given, plain


def _takes_any(parameters: Any) -> bool:
    return any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters.values())


def drained(function: Any, given: Sequence[Any], keywords: Dict[str, Any]) -> Any:
    """Return what a call gives: a generator's items, a coroutine's result."""
    return _drained(function(*given, **keywords))


def _drained(result: Any) -> Any:
    if isinstance(result, types.GeneratorType):
        return list(itertools.islice(result, MOST_ITEMS))
    if isinstance(result, contextlib._GeneratorContextManager):
        return _drained(result.gen)
    if isinstance(result, (types.CoroutineType, types.AsyncGeneratorType)):
        import asyncio

        waited = _collected(result) if isinstance(result, types.AsyncGeneratorType) else result
        return asyncio.run(waited)
    return result


async def _collected(generator: Any) -> List[Any]:
    return [item async for item in generator]


def script(file: str, argv: Sequence[str]) -> Callable[[], Any]:
    """Return a run of a file as `__main__`."""
    module = types.ModuleType("__main__")
    module.__dict__["__file__"] = file
    with open(file, "rb") as source:
        code = compile(source.read(), file, "exec")

    def run() -> None:
        sys.modules["__main__"] = module
        sys.argv[:] = [file, *argv]
        exec(code, module.__dict__)

    return run
