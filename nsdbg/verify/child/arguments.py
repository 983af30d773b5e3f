"""A call's arguments: expressions evaluated in the target's namespace, and bound as it asks."""

import functools
from functools import lru_cache
from types import CodeType, MethodType, ModuleType
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .literals import NotALiteral, parse
from .loading import Entry
from .states import ARGUMENT

_VARARGS, _VARKEYWORDS = 0x04, 0x08
_MAX_CACHED = 20000
_NOT_GIVEN = object()


class BadArgument(Exception):
    """An argument that cannot be evaluated or bound; the message names it."""


class Binding(NamedTuple):
    """How the arguments of one set of names are passed, by their places among those names."""

    positional: Tuple[Tuple[int, Any], ...]  # place, or -1 and the default that fills the gap
    star: Optional[int]
    keywords: Tuple[Tuple[int, str], ...]
    double_star: Optional[int]


class Arguments:
    """Evaluates and binds the arguments of one entry's calls, one call after another."""

    def __init__(self, module: ModuleType) -> None:
        # A copy, so that the imports a call needs do not mend a name the target fails to import.
        self._namespace = dict(vars(module))
        self._imported: Dict[str, None] = {}
        self._codes: Dict[str, CodeType] = {}
        self._bindings: Dict[Tuple[Any, ...], Binding] = {}

    def values(self, arguments: Sequence[Sequence[str]], imports: Sequence[str]) -> List[Any]:
        """Evaluate expressions anew; raises BadArgument."""
        for statement in imports:
            if statement not in self._imported:
                self._import(statement)
        return [self._value(name, text) for name, text in arguments]

    def _import(self, statement: str) -> None:
        try:
            exec(compile(statement, "<imports>", "exec", dont_inherit=True), self._namespace)
        except Exception as error:
            raise BadArgument("%s: %s" % (statement, _describe(error))) from error
        self._imported[statement] = None

    def _value(self, name: str, text: str) -> Any:
        plain = _plain_literal(text)
        if plain is not None:
            return plain
        code = self._codes.get(text)
        try:
            if code is None:
                code = compile(text, ARGUMENT, "eval", dont_inherit=True)
                if len(self._codes) < _MAX_CACHED:
                    self._codes[text] = code
            return eval(code, self._namespace)
        except Exception as error:
            raise BadArgument("%s=%.200s: %s" % (name, text, _describe(error))) from error

    def bind(
        self, entry: Entry, names: Tuple[str, ...], values: Sequence[Any]
    ) -> Tuple[List[Any], Dict[str, Any]]:
        """Return positional and keyword arguments; raises BadArgument."""
        key = (entry.call, names) if entry.code is None else (entry.code.co_name, names)
        binding = self._bindings.get(key)
        if binding is None:
            binding = self._bindings[key] = make_binding(entry, names)
        given = [values[at] if at >= 0 else default for at, default in binding.positional]
        keywords = {name: values[at] for at, name in binding.keywords}
        try:
            if binding.star is not None:
                given += list(values[binding.star])
            if binding.double_star is not None:
                keywords.update(values[binding.double_star])
        except (TypeError, ValueError) as error:
            raise BadArgument("starred argument: %s" % _describe(error)) from error
        return given, keywords


@lru_cache(maxsize=4096)
def is_plain(text: str) -> bool:
    """Whether an argument is a literal, which makes a value and does nothing else."""
    try:
        parse(text)
    except NotALiteral:
        return False
    return True


def _plain_literal(text: str) -> Any:
    """Return the value of a short whole number or a plain string, None for all other texts.

    Compiling is most of what a small call costs.
    """
    if text.isdigit() and text.isascii() and len(text) < 19:
        return int(text) if text[0] != "0" or text == "0" else None
    quote = text[:1]
    if quote in ("'", '"') and len(text) > 1 and text.isprintable():
        inner = text[1:-1]
        if text[-1] == quote and quote not in inner and "\\" not in inner:
            return inner
    return None


def make_binding(entry: Entry, names: Sequence[str]) -> Binding:
    """Work out how arguments of these names reach the entry's parameters."""
    star = next((at for at, name in enumerate(names) if _stars(name) == 1), None)
    double_star = next((at for at, name in enumerate(names) if _stars(name) == 2), None)
    plain = {name: at for at, name in enumerate(names) if _stars(name) == 0}
    parameters, positional_only, keyword_only = _parameters(entry)
    if parameters is None:
        # Nothing is known of a callable without code: in the order given.
        return Binding(tuple((at, None) for at in plain.values()), star, (), double_star)
    unknown = [name for name in plain if name not in parameters and name not in keyword_only]
    if unknown:
        raise BadArgument("there is no parameter %s" % ", ".join(unknown))
    defaults = _defaults(entry, parameters)
    bound = [name for name in parameters if name in plain]
    if entry.owner is not None and parameters and parameters[0] not in plain:
        defaults[parameters[0]] = entry.owner
        bound = [parameters[0], *bound]
    last = parameters.index(bound[-1]) + 1 if bound else 0
    leading = _leading(parameters[:last], plain, defaults, entry.owner is not None)
    if star is not None:
        leading = len(parameters)
    elif any(name in plain for name in parameters[leading:positional_only]):
        leading = last
    positional = [_positional(name, plain, defaults) for name in parameters[:leading]]
    rest = [name for name in plain if name not in parameters[:leading]]
    keywords = tuple((plain[name], name) for name in rest)
    return Binding(tuple(positional), star, keywords, double_star)


def _stars(name: str) -> int:
    return len(name) - len(name.lstrip("*"))


def _parameters(entry: Entry) -> Tuple[Optional[List[str]], int, List[str]]:
    code = entry.code
    if code is None or isinstance(entry.call, functools.partial):
        return None, 0, []
    count, only = code.co_argcount, code.co_kwonlyargcount
    names = list(code.co_varnames[: count + only])
    if isinstance(entry.call, (type, MethodType)):
        return names[1:count], max(code.co_posonlyargcount - 1, 0), names[count:]
    return names[:count], code.co_posonlyargcount, names[count:]


def _defaults(entry: Entry, parameters: Sequence[str]) -> Dict[str, Any]:
    found = getattr(entry.call, "__defaults__", None) or ()
    return dict(zip(parameters[len(parameters) - len(found) :], found))


def _leading(
    parameters: Sequence[str], plain: Dict[str, int], defaults: Dict[str, Any], owned: bool
) -> int:
    """Count the parameters, from the first, that can be given by position."""
    for at, name in enumerate(parameters):
        if name not in plain and not (owned and at == 0):
            return at
    return len(parameters)


def _positional(name: str, plain: Dict[str, int], defaults: Dict[str, Any]) -> Tuple[int, Any]:
    if name in plain:
        return plain[name], None
    default = defaults.get(name, _NOT_GIVEN)
    if default is _NOT_GIVEN:
        raise BadArgument("the argument %s is missing before others given by position" % name)
    return -1, default


def _describe(error: BaseException) -> str:
    try:
        return "%s: %.300s" % (type(error).__name__, error)
    except Exception:
        return type(error).__name__
