"""The proposer "search": typed guesses first, then small changes of what came nearest.

Seeded, and deterministic given the same verdicts told.  Executes nothing: what a proposal did, it
learns from verdicts, its own and other proposers'.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from nsdbg.claim import Call, Goal, Proposal, ProposerSession, Reason, Status, Verdict
from nsdbg.propose.climb import Step, neighbours, onward
from nsdbg.propose.feedback import Feedback, lengths_asked
from nsdbg.propose.generate import Generator
from nsdbg.propose.infer import Guess, Guesses, infer
from nsdbg.propose.kinds import COLLECTIONS, SCALARS, Kind, fits, kinds_of_hint
from nsdbg.propose.material import Material, literal, of_goal, of_message, of_source
from nsdbg.propose.mutate import Mutator, at, replaced
from nsdbg.propose.pace import Pace, size_of
from nsdbg.propose.pool import Arguments, Pool, Tried
from nsdbg.propose.recipes import Recipes, imports_of
from nsdbg.propose.scripts import ScriptSession
from nsdbg.propose.seeds import Shelf, calls
from nsdbg.source import Subject
from nsdbg.state import Event

# Attempts at something new, per proposal asked for, before an answer stays short.
_ATTEMPTS = 8
# Longer sequences are written as repetitions where that is short.
_RUNNING = 60
_LARGEST = 60_000  # characters of one argument
# After so many proposals without progress the pool starts anew.
_PATIENCE = 4000
_PENDING = 4096


class SearchProposer:
    """Proposes calls by inference of kinds, mutation, and descent on distances."""

    name = "search"

    def start(self, goal: Goal, subject: Subject, seed: int) -> ProposerSession:
        """Begin on a goal."""
        if subject.node is None:
            return ScriptSession(goal, subject, seed)
        return SearchSession(goal, subject, seed)


class SearchSession:
    """One search: `ask` and `tell` in turn."""

    def __init__(self, goal: Goal, subject: Subject, seed: int) -> None:
        self._goal = goal
        self._source = f"search:{seed}"
        self._rng = random.Random(seed)
        self._parameters = [part for part in subject.parameters if part.required]
        self._material = Material()
        of_goal(self._material, goal)
        of_source(self._material, subject)
        self._recipes = Recipes(subject.tree)
        self._generator = Generator(self._rng, self._material, self._recipes)
        self._mutator = Mutator(self._generator)
        self._guesses = self._infer(subject)
        self._feedback = Feedback(self._guesses)
        odd = goal.exception is not None and goal.exception.type in ("TypeError", "AttributeError")
        self._generator.odd_rate = 0.08 if odd else 0.0
        self._hinted = [[] if odd else _hinted(guesses) for guesses in self._guesses]
        self._objects = odd or any(
            not _is_builtin(guess.kind) for guesses in self._guesses for guess in guesses.options
        )
        self._wide = self._calls()
        self._pool = Pool()
        self._seen: set[int] = set()
        self._pending: dict[Call, tuple[Step, Tried | None]] = {}
        self._queue: deque[tuple[Step, Tried | None]] = deque()
        self._sweep: Iterator[tuple[Step, Tried | None]] = iter(())
        self._swept: Tried | None = None
        self._stale = 0
        self._pace = Pace(self._rng)

    def _infer(self, subject: Subject) -> list[Guesses]:
        known, value = literal(self._goal.value)
        valued = known and self._goal.event is Event.RETURN and len(self._goal.chain) == 1
        found = infer(subject, value, valued=valued, recipes=self._recipes)
        return [guesses for guesses in found if guesses.parameter.required]

    def _calls(self) -> Iterator[Arguments]:
        shelves = []
        for index, guesses in enumerate(self._guesses):
            extra = [value for key in (index, guesses.parameter.name)
                     for value in self._material.arguments.get(key, ())]  # fmt: skip
            shelves.append(Shelf(guesses.options, self._generator, extra))
        return calls(shelves)

    # Asking.

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return at most `count` new calls, the likeliest first."""
        found: list[Proposal] = []
        attempts = count * _ATTEMPTS
        self._pace.begin(count)
        while len(found) < count and attempts > 0:
            attempts -= 1
            chosen = self._next()
            if chosen is None:
                break
            call = self._new_call(chosen[0].arguments)
            if call is not None:
                self._pending[call] = chosen
                found.append(Proposal(call, self._source))
        self._stale += len(found)
        return found

    def _next(self) -> tuple[Step, Tried | None] | None:
        """Choose where the next call comes from: directed moves, mutation, or wide guesses."""
        roll = self._rng.random()
        if self._queue and roll < 0.85:
            return self._queue.popleft()
        best = self._pool.best
        if best is None or roll < self._wide_share():
            wide = next(self._wide, None)
            if wide is not None:
                return Step(wide), None
            if best is None:
                return None
        if roll < 0.75:
            step = next(self._sweep, None)
            if step is not None:
                return step
        return self._mutated()

    def _unlikely(self, arguments: Arguments) -> bool:
        """Tell whether a call is not worth trying, since it is against its hints."""
        for kinds, value in zip(self._hinted, arguments, strict=True):
            if kinds and not any(fits(value, kind) for kind in kinds):
                return self._rng.random() < 0.95
        return False

    def _wide_share(self) -> float:
        return 0.35 if len(self._seen) < 400 else 0.1

    def _mutated(self) -> tuple[Step, Tried | None] | None:
        base = self._pool.choose(self._rng)
        if base is None or not base.arguments:
            return None
        changed = list(base.arguments)
        for _ in range(1 + int(self._rng.random() < 0.35) + int(self._rng.random() < 0.15)):
            place = self._rng.randrange(len(changed))
            roll = self._rng.random()
            if roll < 0.1:
                changed[place] = self._generator.make(self._feedback.draw(place, self._rng), 5)
            elif roll < 0.2:
                other = self._pool.choose(self._rng)
                changed[place] = other.arguments[place] if other else changed[place]
            else:
                changed[place] = self._mutator.mutate(changed[place])
        return Step(tuple(changed)), base

    def _new_call(self, arguments: Arguments) -> Call | None:
        """Write a call's arguments as text; None when it was made before or is too large."""
        if self._unlikely(arguments):
            return None
        try:
            texts = [written(value) for value in arguments]
        except (ValueError, RecursionError):  # integers of more digits than Python prints
            return None
        key = hash(tuple(texts))
        if key in self._seen or any(len(text) > _LARGEST for text in texts):
            return None
        if self._pace.too_slow(texts):
            return None
        self._seen.add(key)
        names = [guesses.parameter.argument_name for guesses in self._guesses]
        pairs = tuple(zip(names, texts, strict=True))
        if not self._objects:
            return Call(pairs)
        imports = tuple(dict.fromkeys(word for value in arguments for word in imports_of(value)))
        return Call(pairs, imports)

    # Being told.

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Learn from verdicts: which kinds fit, what failed comparisons ask for, what is nearer."""
        improved: list[tuple[float, Step, Tried]] = []
        nearest = self._pool.best
        for verdict in verdicts:
            start = verdict.proposal.start
            if not isinstance(start, Call):
                continue
            step, base = self._pending.pop(start, (None, None))
            arguments = step.arguments if step is not None else self._read(start)
            if arguments is None:
                continue
            tried = self._judged(arguments, start, verdict)
            if self._pool.add(tried):
                self._stale = 0
                self._take_in(tried)
            if base is not None and step is not None and tried.distance < base.distance:
                improved.append((base.distance - tried.distance, step, base))
        if self._pool.best is not nearest or improved:
            self._advance(improved)
        if self._stale > _PATIENCE:
            self._restart()

    def _judged(self, arguments: Arguments, call: Call, verdict: Verdict) -> Tried:
        evidence = verdict.evidence
        texts = [text for _, text in call.arguments]
        self._pace.learn(texts, verdict.reason is Reason.TIMEOUT, evidence.seconds)
        self._feedback.learn(arguments, verdict)
        distance = evidence.distance
        if distance is None:
            distance = 2000.0 if verdict.status is Status.REFUTED else 5000.0
        raised = evidence.raised
        way = verdict.reason.slug
        if raised is not None:
            way = f"{raised.type}:{raised.sites[-1].lineno if raised.sites else 0}"
            for value in of_message(raised.message) if raised.type == "KeyError" else ():
                self._material.add(value)
        size = sum(map(size_of, texts))
        way = f"{way}:{size if size < 32 else 5 * size.bit_length()}"
        return Tried(arguments, distance, way, size, (*evidence.misses, *lengths_asked(raised)))

    def _take_in(self, tried: Tried) -> None:
        """Keep what the failed comparisons of a near call mention."""
        for miss in tried.misses:
            for text in (miss.left, miss.right):
                known, value = literal(text)
                if known and not isinstance(value, bool):
                    self._material.add(value, deep=isinstance(value, (str, list)))

    def _read(self, call: Call) -> Arguments | None:
        """Return the arguments of another proposer's call, None when they are not literals."""
        given = dict(call.arguments)
        found = []
        for guesses in self._guesses:
            known, value = literal(given.pop(guesses.parameter.argument_name, None))
            if not known:
                return None
            found.append(value)
        if given:
            return None
        self._seen.add(hash(tuple(text for _, text in call.arguments)))
        return tuple(found)

    def _advance(self, improved: list[tuple[float, Step, Tried]]) -> None:
        """Queue what follows from progress: all helpful steps at once, and further the same way."""
        improved.sort(key=lambda entry: -entry[0])
        together = _joined(improved)
        fresh: list[tuple[Step, Tried | None]] = [
            (Step(arguments), base) for arguments, base in together
        ]
        for _, step, base in improved[:6]:
            fresh += [(further, base) for further in onward(base.arguments, step)]
        self._queue.extendleft(reversed(fresh))
        while len(self._queue) > _PENDING:
            self._queue.pop()
        if len(self._pending) > _PENDING:
            self._pending.clear()
        best = self._pool.best
        if best is not None and (self._swept is None or best.distance < self._swept.distance):
            self._swept = best
            self._sweep = itertools.chain(self._around(best), self._elsewhere())

    def _around(self, tried: Tried) -> Iterator[tuple[Step, Tried | None]]:
        for step in neighbours(tried.arguments, tried.misses, self._generator):
            yield step, tried

    def _elsewhere(self) -> Iterator[tuple[Step, Tried | None]]:
        """Once the best is surrounded, surround others, and the best again with new chance."""
        for turn in itertools.count():
            others = self._pool.elites[1:6] if turn == 0 else self._pool.elites[:12]
            for tried in [*others, *itertools.islice(self._pool.ways.values(), 6)]:
                yield from itertools.islice(self._around(tried), 400)
            if not others:
                return

    def _restart(self) -> None:
        """Give up the pool, but for its nearest."""
        best = self._pool.best
        self._pool = Pool()
        self._swept = None
        self._stale = 0
        self._queue.clear()
        if best is not None and self._rng.random() < 0.5:
            self._pool.add(best)


def _hinted(guesses: Guesses) -> list[Kind]:
    """Return the kinds that a parameter's hint allows, none where values cannot be told by it."""
    if guesses.parameter.annotation is None or not kinds_of_hint(guesses.parameter.annotation):
        return []
    kinds = [guess.kind for guess in guesses.options]
    return [] if any(not _is_builtin(kind) for kind in kinds) else kinds


def _is_builtin(kind: Kind) -> bool:
    plain = kind.name in SCALARS or kind.name in COLLECTIONS or kind.name == "any"
    return plain and all(map(_is_builtin, kind.parts))


def written(value: Any) -> str:
    """Return the expression for a value: its repr, but for floats that have none."""
    if isinstance(value, float) and (math.isinf(value) or math.isnan(value)):
        return f"float({str(value)!r})"
    if isinstance(value, (list, str)) and len(value) > _RUNNING:
        text = _by_runs(value)
        if text is not None:
            return text
    text = repr(value)
    if "inf" in text or "nan" in text:
        return _with_floats(value)
    return text


def _by_runs(value: Any) -> str | None:
    """Return a long sequence as a sum of repetitions, None when it has too many different runs."""
    runs = []
    for _, group in itertools.groupby(value, repr):
        items = list(group)
        runs.append((items[0], len(items)))
        if len(runs) > 4:
            return None
    wrap = repr if isinstance(value, str) else lambda item: repr([item])
    return " + ".join(wrap(item) if count == 1 else f"{wrap(item)} * {count}"
                      for item, count in runs)  # fmt: skip


def _with_floats(value: Any) -> str:
    if isinstance(value, float):
        return written(value) if value != value or math.isinf(value) else repr(value)
    if isinstance(value, dict):
        inner = ", ".join(f"{_with_floats(k)}: {_with_floats(v)}" for k, v in value.items())
        return f"{{{inner}}}"
    if type(value) is list:
        return f"[{', '.join(map(_with_floats, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(_with_floats, value))}{',' if len(value) == 1 else ''})"
    return repr(value)


def _joined(improved: list[tuple[float, Step, Tried]]) -> list[tuple[Arguments, Tried]]:
    """Join steps that helped from the same base at different places: all of them, and half."""
    groups: dict[int, list[tuple[Step, Tried]]] = {}
    for _, step, base in improved:
        groups.setdefault(id(base), []).append((step, base))
    found = []
    for group in groups.values():
        base = group[0][1]
        found += [(arguments, base) for arguments in _replacing(group, base)]
        found += [(arguments, base) for arguments in _growing(group, base)]
    return found


def _replacing(group: list[tuple[Step, Tried]], base: Tried) -> Iterator[Arguments]:
    chosen: dict[Any, Step] = {}
    for step, _ in group:
        if step.path is not None and not any(_overlap(step.path, path) for path in chosen):
            chosen[step.path] = step
    if len(chosen) < 2:
        return
    for count in (len(chosen), (len(chosen) + 1) // 2, 2):
        arguments: Any = base.arguments
        for path, step in itertools.islice(chosen.items(), count):
            arguments = replaced(arguments, path, at(step.arguments, path))
        yield tuple(arguments)


def _growing(group: list[tuple[Step, Tried]], base: Tried) -> Iterator[Arguments]:
    """Append all that helped when it was appended to the same sequence."""
    added: dict[Any, list[Any]] = {}
    for step, _ in group:
        if step.grown is not None:
            added.setdefault(step.grown, []).append(at(step.arguments, step.grown))
    for path, grown in added.items():
        old = at(base.arguments, path)
        tails = [new[len(old) :] for new in grown if new[: len(old)] == old]
        if len(tails) > 1:
            for count in (len(tails), (len(tails) + 1) // 2, 2):
                joined = old
                for tail in tails[:count]:
                    joined = joined + tail
                yield tuple(replaced(base.arguments, path, joined))


def _overlap(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]
