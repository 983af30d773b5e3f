"""Programs of several functions: constants, helpers and classes, and an entry that uses them."""

from __future__ import annotations

from nsdbg.programs import functions, names, statements
from nsdbg.programs.functions import Signature
from nsdbg.programs.kinds import KINDS, Kind
from nsdbg.programs.operations.operation import Operation, calling
from nsdbg.programs.patterns import (
    callables,
    classes,
    failures,
    generators,
    pieces,
    recursion,
    weave,
)
from nsdbg.programs.patterns.weave import known_names
from nsdbg.programs.scope import Scope

PIECES = tuple(
    tuple(pieces(table.TABLE)) for table in (recursion, generators, callables, classes, failures)
)
CONSTANTS: tuple[Kind, ...] = (
    "int", "int", "str", "str", "list[str]", "list[int]", "dict[str, int]", "dict[str, str]",
    "set[str]", "tuple[str, ...]",
)  # fmt: skip
CONSTANT_NAMES = names.pool(
    """LIMIT SIZE VOWELS TABLE NAMES SEP BASE DEFAULT
    STEP KEYS SCALE MARK STOP OFFSET LABEL"""
)


def program(module: Scope) -> tuple[str, Signature, Scope]:
    """Return the text of a module, its entry and the scope of that."""
    module.depth = 0
    blocks = []
    for _ in range(module.choose((0, 0, 1, 1, 2))):
        blocks.append(constant(module))
    texts = ["\n".join(blocks)] if blocks else []
    for _ in range(module.choose((0, 1, 1, 1, 2))):
        texts.append(piece(module))
    wanted = module.choose((0, 1, 1, 2))
    for _ in range(max(wanted, 1 - len(module.calls))):
        texts.append(helper(module))
    text, signature, scope = entry(module)
    texts.append(text)
    return "\n\n".join(part for part in texts if part), signature, scope


def constant(module: Scope) -> str:
    """Return the line of a constant, which the functions can read."""
    kind = module.choose(CONSTANTS)
    name = module.fresh(kind, CONSTANT_NAMES)
    module.literals.full = True
    module.literals.brief = kind in ("int", "str")
    text = module.literals.of(kind)
    module.literals.full, module.literals.brief = False, True
    module.bind(name, kind, filled=True, small=False)
    module.features.add("constant")
    return f"{name} = {text}"


def piece(module: Scope) -> str:
    """Return functions or classes that belong together."""
    chosen = module.choose(module.choose(PIECES))
    scope = module.inner()
    scope.calls = []
    del scope.variables[:]
    scope.depth, scope.loops = 0, 1
    woven = weave(scope, chosen.pattern, known_names(module))
    if woven is None:
        return ""
    given = {name: variable.name for name, variable in woven.named.items()}
    made = chosen.operation({**woven.known, **given}, module.choose)
    module.calls.append(made)
    return scope.text("").lstrip("\n")


def helper(module: Scope) -> str:
    """Return a small function that others call."""
    known = [kind for call in module.calls for kind in (*call.params, call.result)]
    shared = [kind for kind in known if kind in KINDS]
    for _ in range(4):
        scope = module.inner()
        wanted = (scope.choose(shared),) if shared and scope.chance(0.7) else ()
        text, signature = functions.function(scope, scope.number(2, 6), wanted)
        if signature.result in KINDS:
            break
    else:
        return ""
    module.used.add(signature.name)
    module.calls.append(called(module, signature))
    return text


def called(module: Scope, signature: Signature) -> Operation:
    """Return the call of a helper as an operation."""
    params = list(signature.params)
    if signature.defaults and module.chance(0.5):
        params.pop()
    texts = [f"{{{number}}}" for number in range(len(params))]
    if len(params) > 1 and module.chance(0.25):
        texts[-1] = f"{params[-1][0]}={texts[-1]}"
        module.features.add("keyword argument")
    template = f"{signature.name}({', '.join(texts)})"
    return calling(template, tuple(kind for _, kind in params), signature.result)


def entry(module: Scope) -> tuple[str, Signature, Scope]:
    """Return the function that is called from outside."""
    scope = module.inner()
    params = [param for call in scope.calls for param in call.params if param in KINDS]
    wanted = tuple(dict.fromkeys(params))[: scope.number(1, 3)]
    text, signature = functions.function(scope, scope.number(4, 10), wanted, statements.call)
    return text, signature, scope
