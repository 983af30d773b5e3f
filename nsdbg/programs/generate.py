"""Programs out of seeds: the same seed and level give the same program on every machine."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Iterator, Sequence
from random import Random

from nsdbg.programs import functions, modules, statements
from nsdbg.programs.expressions import derived
from nsdbg.programs.functions import Signature
from nsdbg.programs.program import GeneratedProgram, Level
from nsdbg.programs.scope import Scope
from nsdbg.programs.trial import Trial

# The share of programs that do what may raise, and of such operations let through in the others.
BOLD = {Level.OPERATION: 0.15, Level.LINES: 0.5, Level.PROGRAM: 0.35}
DARING = 0.1
CALLS = 4
CANDIDATES = 5
ATTEMPTS = 40
DULL = 0.1  # the share of programs kept though every call of theirs gives the same
KEPT_RAISING = 0.7  # and of those whose calls all raise the same


def generate(seed: int, level: Level) -> GeneratedProgram:
    """Return the program of a seed: the first of its attempts that is worth running."""
    for attempt in range(ATTEMPTS):
        found = attempted(seed, level, attempt)
        if found is not None:
            return found
    raise AssertionError(f"seed {seed} gives no program of level {level.value}")


def attempted(seed: int, level: Level, attempt: int) -> GeneratedProgram | None:
    """Return one attempt at the program of a seed, or None where its calls show nothing."""
    return drawn(Random(f"{level.value}:{seed}:{attempt}"), level, seed)


def drawn(source: Random, level: Level, seed: int = 0) -> GeneratedProgram | None:
    """Return a program out of anybody's random numbers, or None where its calls show nothing."""
    outer = Scope(source, DARING, bold=source.random() < BOLD[level])
    if level is Level.PROGRAM:
        text, signature, scope = modules.program(outer)
    else:
        scope = outer
        text, signature = MAKERS[level](scope)
    text = imports(scope.features) + text + "\n"
    chosen = telling(scope, text, signature.name, calls(scope, signature))
    if not chosen:
        return None
    features = frozenset(name for name in scope.features if seen(name, text))
    return GeneratedProgram(text, signature.name, chosen, level, seed, features)


def seen(feature: str, text: str) -> bool:
    """Say whether a feature is in the text: statements were taken back after they named it."""
    _, dot, method = feature.partition(".")
    if dot and method.isalpha():
        return f".{method}" in text
    if feature.startswith("augmented "):
        return feature.removeprefix("augmented ") in text
    if keyword.iskeyword(feature):
        return feature in text
    return not hasattr(builtins, feature) or feature in text


def imports(features: set[str]) -> str:
    """Return the lines of the imports that the features name."""
    lines = sorted(name for name in features if name.startswith(("from ", "import ")))
    return "\n".join([*lines, "\n"]) if lines else ""


def telling(
    scope: Scope, text: str, entry: str, candidates: list[tuple[str, ...]]
) -> tuple[tuple[str, ...], ...]:
    """Return up to four of the calls: those that go other ways or give other results."""
    lines: set[int] = set()
    results: set[str] = set()
    chosen: list[tuple[str, ...]] = []
    raised = False
    trial = Trial(text, entry, candidates)
    for call, outcome in zip(candidates, trial.outcomes(), strict=True):
        key = outcome.error or outcome.result
        if not outcome.fit or (key in results and outcome.lines <= lines):
            continue
        lines |= outcome.lines
        raised = bool(outcome.error)
        results.add(key)
        chosen.append(call)
        if len(chosen) == CALLS:
            return tuple(chosen)
    kept = KEPT_RAISING if raised else DULL
    dull = len(results) < 2 < len(candidates) and not scope.chance(kept)
    return () if dull else tuple(chosen)


def programs(
    seed: int, count: int, levels: Sequence[Level] = tuple(Level)
) -> Iterator[GeneratedProgram]:
    """Yield `count` programs, taking the levels in turn, from the seeds that follow `seed`."""
    for number in range(count):
        yield generate(seed + number, levels[number % len(levels)])


def calls(scope: Scope, signature: Signature) -> list[tuple[str, ...]]:
    """Return some lists of arguments, all different."""
    scope.literals.brief = False
    found = [arguments(scope, signature) for _ in range(CANDIDATES)]
    return list(dict.fromkeys(found))


def arguments(scope: Scope, signature: Signature) -> tuple[str, ...]:
    """Return a list of arguments, without those that have defaults now and then."""
    literals = scope.literals
    texts = []
    for (_, kind), filled in zip(signature.params, signature.filled, strict=True):
        literals.full = filled and not scope.bold
        texts.append(literals.of(kind))
    required = len(texts) - len(signature.defaults)
    return tuple(texts[:required] if scope.chance(0.4) else texts)


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
