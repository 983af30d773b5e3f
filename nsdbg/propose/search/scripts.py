"""Proposes standard input and arguments for a file run as a script.

Which lines it reads is taken from its calls of `input` and `sys.stdin`, in source order and with
its loops; contents are small numbers and words.  Executes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from nsdbg.claim import Goal, Proposal, Script, Verdict
from nsdbg.propose.make.material import Material
from nsdbg.propose.make.sources import of_goal, of_source
from nsdbg.propose.search.reading import Line, Loop, Plan, argument_shapes, plan_of
from nsdbg.source import Subject

_ATTEMPTS = 20
_ELITES = 16


class ScriptSession:
    """A search for standard input and arguments."""

    def __init__(self, goal: Goal, subject: Subject, seed: int) -> None:
        self._rng = random.Random(seed)
        self._source = f"search:{seed}"
        self._plan = plan_of(subject.tree)
        self._arguments = argument_shapes(subject.tree)
        self._material = Material()
        of_goal(self._material, goal)
        of_source(self._material, subject)
        self._seen: set[Script] = set()
        self._elites: list[tuple[float, int, Script]] = []
        self._turn = 0

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return at most `count` new starts: small ones first, then changes of the nearest."""
        found: list[Proposal] = []
        for _ in range(count * _ATTEMPTS):
            if len(found) == count:
                break
            script = self._next()
            if script not in self._seen:
                self._seen.add(script)
                found.append(Proposal(script, self._source))
        return found

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Keep the starts that came nearest."""
        for verdict in verdicts:
            distance, start = verdict.evidence.distance, verdict.proposal.start
            if distance is not None and isinstance(start, Script):
                self._seen.add(start)
                self._elites.append((distance, len(self._elites), start))
        self._elites = sorted(self._elites)[:_ELITES]

    def _next(self) -> Script:
        self._turn += 1
        if self._turn == 1 and not self._plan:
            return Script(self._words(), "")
        if self._elites and self._rng.random() < 0.4:
            return self._changed(self._rng.choice(self._elites)[2])
        size = 1 + int(self._turn**0.5 / 4)
        lines = list(self._written(self._plan, size, {}))
        return Script(self._words(), "".join(line + "\n" for line in lines))

    def _words(self) -> tuple[str, ...]:
        count = len(self._arguments)
        if count and self._rng.random() < 0.15:
            count -= 1
        return tuple(self._item(shape, 3) for shape in self._arguments[:count])

    def _written(self, plan: Plan, size: int, known: dict[str, int]) -> Iterator[str]:
        for step in plan:
            if isinstance(step, Loop):
                times = step.times if step.times is not None else known.get(step.name)
                if times is None:
                    times = self._rng.randint(0, size + 1)
                for _ in range(min(times, 200)):
                    yield from self._written(step.lines, size, known)
            else:
                yield self._line(step, size, known)

    def _line(self, line: Line, size: int, known: dict[str, int]) -> str:
        plural = line.shape in ("ints", "floats", "words")
        count = line.count or 1
        if plural and line.count is None:
            # A row is often as long as some number read before says.
            counts = [number for number in known.values() if 0 < number <= 50]
            likely = bool(counts) and self._rng.random() < 0.6
            count = self._rng.choice(counts) if likely else self._rng.randint(1, size + 2)
        shape = line.shape.removesuffix("s") if plural else line.shape
        items = [self._item(shape, size) for _ in range(count)]
        for name, item in zip(line.name.split(","), items, strict=False):
            if name and shape == "int":
                known[name] = int(item)
        return " ".join(items)

    def _item(self, shape: str, size: int) -> str:
        if shape == "int":
            kept = self._material.kept.get("int", {})
            if kept and self._rng.random() < 0.2:
                return str(self._rng.choice(list(kept.values())[:20]))
            if self._rng.random() < 0.1:
                return str(-self._rng.randint(1, size + 2))
            return str(self._rng.randint(0, 2 + 2 * size))
        if shape == "float":
            return str(round(self._rng.uniform(-size, 3 * size), 1))
        kept = self._material.kept.get("str", {})
        short = [text for text in map(str, list(kept.values())[:20])
                 if 0 < len(text) < 20 and "\n" not in text]  # fmt: skip
        if short and self._rng.random() < 0.4:
            return self._rng.choice(short)
        letters = [char for char in self._material.characters() if char.isalnum()][:10] or list(
            "abc"
        )
        letters = [*letters, *"ab01"]
        return "".join(self._rng.choice(letters) for _ in range(self._rng.randint(1, size + 2)))

    def _changed(self, script: Script) -> Script:
        """Return a start with one line, word or character changed."""
        lines = script.stdin.split("\n")[:-1]
        if not lines:
            return Script(self._words(), script.stdin)
        place = self._rng.randrange(len(lines))
        roll = self._rng.random()
        words = lines[place].split(" ")
        spot = self._rng.randrange(len(words))
        if roll < 0.12:
            del lines[place]
        elif roll < 0.2:
            lines.insert(place, lines[place])
        elif roll < 0.3:
            lines = lines[:place]
        else:
            if roll < 0.45:
                del words[spot]
            elif roll < 0.6:
                words.insert(spot, words[spot])
            else:
                words[spot] = self._other(words[spot])
            lines[place] = " ".join(words)
        return Script(script.argv, "".join(line + "\n" for line in lines))

    def _other(self, word: str) -> str:
        try:
            number = int(word)
        except ValueError:
            return self._item("word", 3)
        return str(
            self._rng.choice((number + 1, number - 1, 0, 1, 2 * number, -number, number + 10))
        )
