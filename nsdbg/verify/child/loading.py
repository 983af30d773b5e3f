"""The target's module, imported once, and the function in it that a reference names.

Runs the module's own code, so it is called under the guard and a time limit.
"""

import functools
import importlib
import importlib.util
import sys
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Sequence

from .paths import real_path


class NotThere(Exception):
    """The function cannot be called from outside: not there, or inside another one."""


class Entry(NamedTuple):
    """What to call.  `code` is the function's own, beneath decorators; None when it has none.

    `owner` is the class to pass first when a class method's receiver is not given.
    """

    call: Callable[..., Any]
    code: Optional[CodeType]
    owner: Optional[type] = None


def import_target(file: str, module: str, root: str) -> ModuleType:
    """Import a file under its dotted name, with `root` first on `sys.path`.

    When the name means another module (a file called `types.py`), the file is loaded by its path
    under a name of ours, and the other module stays what it is.
    """
    if root not in sys.path:
        sys.path.insert(0, root)
    known = sys.modules.get(module.partition(".")[0])
    if known is None or _is_below(known, root):
        found = importlib.import_module(module)
        if real_path(getattr(found, "__file__", None) or "") == real_path(file):
            return found
    return _load_by_path(file, "_nsdbg_target_" + module.replace(".", "_"))


def _is_below(module: ModuleType, root: str) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and real_path(file).startswith(root + "/")


def _load_by_path(file: str, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise ImportError("%s is not a Python source file" % file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def compile_file(file: str) -> CodeType:
    """Return a file's code, compiled as an import would compile it."""
    with open(file, "rb") as stream:
        return compile(stream.read(), file, "exec", dont_inherit=True)


def resolve(module: ModuleType, qualname: str, names: Sequence[str]) -> Entry:
    """Return what a qualified name stands for, as a plain function where there is one.

    `names` are those of the arguments to be given: they tell a property's getter from its setter.
    Raises NotThere.
    """
    if "<locals>" in qualname:
        outer = qualname.partition(".<locals>")[0]
        raise NotThere("%s is made inside %s and cannot be called from outside" % (qualname, outer))
    holder: Any = module
    raw: Any = module
    for part in qualname.split("."):
        holder, raw = raw, _member(raw, part, qualname)
    owner = holder if isinstance(raw, classmethod) and isinstance(holder, type) else None
    call = _plain(raw, names)
    if not callable(call):
        raise NotThere("%s is a %s, which cannot be called" % (qualname, type(call).__name__))
    return Entry(call, _own_code(call, qualname), owner)


def _member(holder: Any, name: str, qualname: str) -> Any:
    spellings = [name]
    if isinstance(holder, type):
        if name.startswith("__") and not name.endswith("__"):
            spellings.append("_%s%s" % (holder.__name__.lstrip("_"), name))
        places: List[Any] = [vars(kind) for kind in type.mro(holder)]
    else:
        places = [getattr(holder, "__dict__", {})]
    for place in places:
        for spelling in spellings:
            if spelling in place:
                return place[spelling]
    raise NotThere("%s has no %s once it is imported" % (qualname, name))


def _plain(raw: Any, names: Sequence[str]) -> Any:
    """Return the function inside a descriptor."""
    if isinstance(raw, (staticmethod, classmethod)):
        return raw.__func__
    if isinstance(raw, property):
        accessors = [found for found in (raw.fget, raw.fset, raw.fdel) if found is not None]
        return next((found for found in accessors if _takes(found, names)), accessors[0])
    if isinstance(raw, functools.cached_property):
        return raw.func
    if isinstance(raw, functools.partialmethod):
        return functools.partial(raw.func, *raw.args, **raw.keywords)
    return raw


def _takes(function: Any, names: Sequence[str]) -> bool:
    code = getattr(function, "__code__", None)
    return code is not None and list(code.co_varnames[: code.co_argcount]) == list(names)


def _own_code(call: Any, qualname: str) -> Optional[CodeType]:
    """Return the code of the function that was defined under the name, beneath its decorators."""
    first: Optional[CodeType] = None
    for function in _beneath(call, 0):
        # By the code's name: `functools.wraps` gives a wrapper the names of what it wraps.
        if function.__code__.co_name == qualname.rpartition(".")[2]:
            return function.__code__
        first = first or function.__code__
    return first


def _beneath(call: Any, depth: int) -> Iterator[FunctionType]:
    if depth > 8:
        return
    if isinstance(call, type):
        call = vars(call).get("__init__")
    if isinstance(call, FunctionType):
        yield call
        cells = call.__closure__ or ()
        inner = [vars(call).get("__wrapped__")]
        inner += [cell.cell_contents for cell in cells if not _is_empty(cell)]
    else:
        inner = [getattr(call, name, None) for name in ("__wrapped__", "__func__", "func")]
    for found in inner:
        if isinstance(found, (FunctionType, MethodType, functools.partial)) or hasattr(
            type(found), "__wrapped__"
        ):
            for function in _beneath(found, depth + 1):
                yield function


def _is_empty(cell: Any) -> bool:
    try:
        return cell.cell_contents is cell
    except ValueError:
        return True
