"""The instrumented twin of a module: its functions get new code, in the process at hand.

`plant` swaps the `__code__` of the living functions, so that decorators, defaults, closures,
classes and globals stay the very objects they were; only use it in a process that may be thrown
away.  Not a loader: the module is imported already.  A function whose code does not fit is left.
"""

import ast
import builtins
import gc
import types
import warnings
from typing import Any, Dict, Iterator, List, Optional, Sequence, Set, Tuple

from .instrument import Instrumenter, Place
from .meter import Meter
from .nodes import METER
from .purity import Purity


class Wish(object):
    """What distances need to know of a goal.

    `chain` holds (file, lineno or None, function) as in a Goal.  `value` is the expected return
    value where `has_value` says so; `locals` are expected values by name; `exception` is (type,
    message or None, whether only the message's beginning is known).
    """

    def __init__(
        self,
        event: str,
        chain: Sequence[Tuple[str, Optional[int], str]],
        entry: str,
        has_value: bool = False,
        value: Any = None,
        exception: Optional[Tuple[str, Optional[str], bool]] = None,
        local_values: Sequence[Tuple[str, Any]] = (),
        where: Sequence[str] = (),
    ) -> None:
        self.event = event
        self.chain = list(chain)
        self.entry = entry
        self.has_value = has_value
        self.value = value
        self.exception = exception
        self.locals = list(local_values)
        self.where = list(where)
        # By place: the conditions that lead to it, filled in by `rewrite`.
        self.guards: Dict[int, Tuple[Tuple[int, bool], ...]] = {}
        # The conditions and operations on the goal's last line, and how many there are in all.
        self.crash_sites: Set[int] = set()
        self.site_count = 0

    def places(self, file: str) -> List[Place]:
        """Return the places of the chain that lie in one file."""
        found = []
        for index, (name, lineno, function) in enumerate(self.chain):
            last = index == len(self.chain) - 1
            if name == file:
                where = self.where if last else []
                returns = last and index > 0 and self.event == "return"
                found.append(Place(index, function, lineno, last, where, returns))
        return found

    @property
    def ghostly(self) -> bool:
        """Whether the entry may live on after a failed check: only what it returns matters."""
        return self.event == "return" and self.has_value and len(self.chain) == 1


def meter_for(wish: Wish) -> Meter:
    """Return the meter for a goal; it is shared by all modules instrumented for it."""
    return Meter(wish.ghostly, wish.locals, wish.has_value, wish.value)


def rewrite(tree: ast.Module, file: str, wish: Wish, quantifiers: bool = True) -> ast.Module:
    """Instrument a module's tree, in place, for a goal.

    `quantifiers`: `all` and `any` are the builtins, as far as is known from outside.
    """
    unwanted = (not wish.value) if isinstance(wish.value, bool) else None
    places = wish.places(file)
    ghost = wish.entry if wish.ghostly and wish.chain[0][0] == file else None
    writer = Instrumenter(
        Purity(tree), places, ghost, unwanted, quantifiers and not _binds_quantifier(tree)
    )
    # Numbers go on from module to module: the meter is one.
    first = wish.site_count
    writer.sites = [0] * first
    tree.body = writer.statements(tree.body)
    crash = wish.chain[-1]
    wish.crash_sites.update(
        site for site, line in enumerate(writer.sites[first:], first) if crash[:2] == (file, line)
    )
    wish.site_count = len(writer.sites)
    for place in places:
        wish.guards[place.index] = place.guards or ()
    return ast.fix_missing_locations(tree)


def _binds_quantifier(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        bound = getattr(node, "id", getattr(node, "arg", getattr(node, "name", None)))
        if bound in ("all", "any") and not isinstance(getattr(node, "ctx", None), ast.Load):
            return True
    return False


def twin_code(text: str, file: str, wish: Wish, quantifiers: bool = True) -> types.CodeType:
    """Compile the twin of a module; its globals need the meter under the name `METER`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = rewrite(ast.parse(text, file), file, wish, quantifiers)
        return compile(tree, file, "exec", dont_inherit=True)


def plant(text: str, file: str, wish: Wish, meter: Meter, namespace: Dict[str, Any]) -> int:
    """Give the functions of an imported module their twins' code; return how many got it.

    `text` is the module's source, `file` its name as in `co_filename`, `namespace` its globals.
    Raises SyntaxError when the source does not parse here.
    """
    codes = {}
    bound = [namespace.get(name, getattr(builtins, name)) for name in ("all", "any")]
    for code in _codes(twin_code(text, file, wish, bound == [builtins.all, builtins.any])):
        codes[code.co_name, code.co_firstlineno] = code
    namespace[METER] = meter
    planted = 0
    for function in gc.get_objects():
        if type(function) is types.FunctionType and function.__globals__ is namespace:
            twin = codes.get((function.__code__.co_name, function.__code__.co_firstlineno))
            if twin is not None and twin.co_freevars == function.__code__.co_freevars:
                function.__code__ = twin
                planted += 1
    return planted


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            for inner in _codes(constant):
                yield inner
