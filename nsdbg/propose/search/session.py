"""The proposer "search": typed guesses first, then small changes of what came nearest.

Seeded, and deterministic given the same verdicts told.  Executes nothing: what a proposal did, it
learns from verdicts, its own and other proposers'.
"""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from nsdbg.claim import (
    Call,
    Goal,
    Proposal,
    Reason,
    Status,
    Verdict,
)
from nsdbg.propose.guess.infer import Guesses, infer
from nsdbg.propose.guess.kinds import COLLECTIONS, SCALARS, Kind, fits, kinds_of_hint
from nsdbg.propose.make.generate import Generator
from nsdbg.propose.make.material import Material, literal
from nsdbg.propose.make.mutate import Mutator
from nsdbg.propose.make.recipes import Recipes, imports_of
from nsdbg.propose.make.seeds import Shelf, calls
from nsdbg.propose.make.sources import of_goal, of_message, of_source
from nsdbg.propose.search.climb import neighbours, onward
from nsdbg.propose.search.feedback import Feedback, lengths_asked
from nsdbg.propose.search.joining import joined
from nsdbg.propose.search.pace import Pace, size_of
from nsdbg.propose.search.pool import Arguments, Pool, Tried
from nsdbg.propose.search.scripts import ScriptSession
from nsdbg.propose.search.step import Step, woven
from nsdbg.propose.search.writing import written
from nsdbg.proposer import ProposerSession
from nsdbg.source import Subject
from nsdbg.state import Event

# Attempts at something new, per proposal asked for, before an answer stays short.
_ATTEMPTS = 8
_LARGEST = 60_000  # characters of one argument
# After so many proposals without progress the pool starts anew.
_PATIENCE = 2500
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
            name = guesses.parameter.name
            extra = [value for key in (index, name)
                     for value in self._material.arguments.get(key, ())]  # fmt: skip
            claimed = list(self._claimed(name))
            shelves.append(Shelf(guesses.options, self._generator, extra, claimed))
        return calls(shelves)

    def _claimed(self, name: str) -> Iterator[Any]:
        """Give what the goal claims of a parameter: most are as they were given."""
        if len(self._goal.chain) == 1:
            for known, value in (literal(text) for at, text in self._goal.locals if at == name):
                if known:
                    yield value

    # Asking.

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return at most `count` new calls, the likeliest first; none where no call is wanted."""
        if self._goal.previous:
            return []
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
        best = self._pool.best
        if best is not None and self._stale > _PATIENCE + 4 * best.size:
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
        together = joined(improved)
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
            streams = [(self._around(best), 6), (self._elsewhere(), 1)]
            self._sweep = woven(streams)

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
