"""Whole functions: parameters, statements, and a return value that reads what was made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nsdbg.programs import bodies, comprehensions, handlers, names, statements, whiles
from nsdbg.programs.endings import early, ending
from nsdbg.programs.kinds import Kind
from nsdbg.programs.scope import Scope, Variable

PARAMETERS: tuple[Kind, ...] = (
    *("str",) * 16, *("list[int]",) * 9, *("list[str]",) * 8, *("dict[str, int]",) * 4,
    *("int",) * 5, "dict[str, str]", "dict[str, str]", "dict[int, str]", "dict[int, int]",
    "dict[str, list[int]]", "dict[str, list[str]]", "list[list[int]]", "list[list[int]]",
    "list[list[str]]", "list[tuple[str, int]]", "list[tuple[str, int]]", "list[tuple[int, int]]",
    "list[tuple[int, str]]", "set[int]", "set[str]", "tuple[int, ...]", "tuple[str, ...]",
    "tuple[str, int]", "tuple[int, int]", "float", "bool", "list[float]", "list[bool]", "bytes",
    "list[dict[str, int]]", "dict[str, dict[str, int]]",
)  # fmt: skip
SECOND: tuple[Kind, ...] = (
    *("str",) * 6, *("int",) * 8, *("char",) * 4, *("list[int]",) * 2, *("list[str]",) * 2,
    "dict[str, int]", "dict[str, str]", "bool", "set[str]", "list[tuple[str, int]]",
)  # fmt: skip
FILLED_SHARE = 0.75
Maker = Callable[[Scope], bool]


@dataclass(frozen=True, slots=True)
class Signature:
    """What a caller has to know of a function."""

    name: str
    params: tuple[tuple[str, Kind], ...]
    defaults: tuple[str, ...]  # of the last parameters
    result: Kind
    filled: tuple[bool, ...] = ()


def function_name(scope: Scope) -> str:
    """Return a name for a function."""
    if scope.chance(0.5):
        name = scope.choose(names.WHOLE)
    else:
        name = f"{scope.choose(names.VERBS)}_{scope.choose(names.NOUNS)}"
    return scope.fresh("str", (name,))


def parameters(scope: Scope, wanted: tuple[Kind, ...] = ()) -> list[Variable]:
    """Bind one to three parameters, those of the wanted kinds first."""
    count = scope.choose((1, 1, 1, 2, 2, 2, 2, 3))
    kinds = list(wanted[:3]) or [scope.choose(PARAMETERS)]
    while len(kinds) < count:
        kinds.append(scope.choose(SECOND if scope.chance(0.85) else PARAMETERS))
    found = []
    for kind in kinds:
        filled = scope.chance(FILLED_SHARE)
        made = scope.bind(scope.fresh(kind), kind, filled=filled, small=kind == "int")
        made.param = True
        found.append(made)
    return found


def header(scope: Scope, name: str, params: list[Variable]) -> tuple[str, tuple[str, ...]]:
    """Return the line of the def, with the defaults of its last parameters."""
    defaults: list[str] = []
    if len(params) > 1 and scope.chance(0.12) and params[-1].kind in ("int", "str", "char", "bool"):
        defaults.append(scope.literals.of(params[-1].kind))
        scope.features.add("default")
    texts = [param.name for param in params]
    if defaults:
        texts[-1] += f"={defaults[0]}"
    return f"def {name}({', '.join(texts)}):", tuple(defaults)


STATEMENTS = (
    *(statements.assign,) * 14, *(statements.reassign,) * 5, *(statements.augment,) * 3,
    *(statements.mutate,) * 6, *(statements.unpack,) * 3, statements.swap, statements.alias,
    statements.say, *(statements.choose_one,) * 2, *(bodies.loop,) * 12, *(bodies.branch,) * 7,
    *(bodies.choose_by_branch,) * 2, *(handlers.attempt,) * 2, handlers.check,
    *(whiles.while_loop,) * 3, *(statements.patterned,) * 12, *(comprehensions.comprehend,) * 7,
)  # fmt: skip


def body(scope: Scope, size: int) -> None:
    """Add statements until the function has about `size` lines."""
    tries = 0
    while len(scope.lines) < size and tries < 20:
        tries += 1
        before = len(scope.lines)
        if not scope.choose(STATEMENTS)(scope):
            scope.forget(before)
        if scope.chance(0.08) and len(scope.lines) >= 2:
            early(scope)


def function(
    scope: Scope,
    size: int,
    wanted: tuple[Kind, ...] = (),
    first: Maker | None = None,
) -> tuple[str, Signature]:
    """Return the text of a function of about `size` lines, and how it is called.

    wanted: the kinds of its first parameters.  first: what each call of the program is made by.
    """
    name = function_name(scope)
    params = parameters(scope, wanted)
    if first is not None:
        for _ in range(len(scope.calls)):
            if scope.chance(0.3):
                body(scope, len(scope.lines) + 2)
            first(scope)
    body(scope, size - 1)
    kind = ending(scope)
    scope.prune()
    params = [param for param in params if param.reads] or params[:1]
    top, defaults = header(scope, name, params)
    signature = Signature(
        name,
        tuple((param.name, param.role or param.kind) for param in params),
        defaults,
        kind if scope.returned <= {kind} else "any",
        tuple(param.filled for param in params),
    )
    return scope.text(top), signature
