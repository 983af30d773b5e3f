"""Programs out of seeds: the same seed and level give the same program on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from nsdbg.programs import functions, modules, statements
from nsdbg.programs.expressions import derived
from nsdbg.programs.functions import Signature
from nsdbg.programs.program import GeneratedProgram, Level
from nsdbg.programs.scope import Scope

DARING = {Level.OPERATION: 0.25, Level.LINES: 0.25, Level.PROGRAM: 0.25}
CALLS = 4


def generate(seed: int, level: Level) -> GeneratedProgram:
    """Return the program of a seed."""
    source = Random(f"{level.value}:{seed}")
    if level is Level.PROGRAM:
        text, signature, scope = modules.program(source, DARING[level])
    else:
        scope = Scope(source, DARING[level])
        text, signature = MAKERS[level](scope)
    return GeneratedProgram(
        text=text + "\n",
        entry=signature.name,
        calls=calls(scope, signature),
        level=level,
        seed=seed,
        features=frozenset(scope.features),
    )


def programs(
    seed: int, count: int, levels: Sequence[Level] = tuple(Level)
) -> Iterator[GeneratedProgram]:
    """Yield `count` programs, taking the levels in turn, from the seeds that follow `seed`."""
    for number in range(count):
        yield generate(seed + number, levels[number % len(levels)])


def calls(scope: Scope, signature: Signature) -> tuple[tuple[str, ...], ...]:
    """Return a few lists of arguments."""
    found = []
    literals = scope.literals
    literals.brief = False
    required = len(signature.params) - len(signature.defaults)
    for _ in range(CALLS):
        texts = []
        for (_, kind), filled in zip(signature.params, signature.filled, strict=True):
            literals.full = filled and scope.chance(0.9)
            texts.append(literals.of(kind))
        if len(texts) > required and scope.chance(0.4):
            texts = texts[:required]
        if tuple(texts) not in found:
            found.append(tuple(texts))
    return tuple(found)


def operation(scope: Scope) -> tuple[str, Signature]:
    """Return a function with one operation."""
    name = functions.function_name(scope)
    params = functions.parameters(scope)
    if len(params) > 2:
        del scope.variables[2:], params[2:]
    draw = scope.random()
    kind = "any"
    source = scope.choose(params)
    if draw < 0.2 and (statements.mutate(scope) or statements.reassign(scope)):
        scope.line(f"return {scope.read(next(v for v in params if v.reads))}")
    elif draw < 0.5 and statements.assign(scope):
        kind = scope.variables[-1].kind
        scope.line(f"return {scope.variables[-1].name}")
    else:
        (text, _), kind = derived(scope, source, 1)
        scope.line(f"return {text}")
    params = [param for param in params if param.reads] or params[:1]
    first, defaults = functions.header(scope, name, params)
    pairs = tuple((param.name, param.role or param.kind) for param in params)
    filled = tuple(param.filled for param in params)
    return scope.text(first), Signature(name, pairs, defaults, kind, filled)


def lines(scope: Scope) -> tuple[str, Signature]:
    """Return a function of a few lines."""
    return functions.function(scope, scope.number(2, 9))


MAKERS = {Level.OPERATION: operation, Level.LINES: lines}
