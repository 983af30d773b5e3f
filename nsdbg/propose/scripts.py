"""Proposes standard input and arguments for a file run as a script.

Which lines it reads is taken from its calls of `input` and `sys.stdin`, in source order and with
its loops; contents are small numbers and words.  Executes nothing.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nsdbg.claim import Goal, Proposal, Script, Verdict
from nsdbg.propose.material import Material, of_goal, of_source
from nsdbg.source import Subject

_ATTEMPTS = 20
_ELITES = 16


@dataclass(frozen=True, slots=True)
class Line:
    """One line that a script reads.

    `shape` is `int`, `ints`, `float`, `word` or `text`; `count` the numbers or words in it, where
    it is unpacked; `name` what an `int` is bound to.
    """

    shape: str
    count: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Loop:
    """Lines that are read over and over; `name` is the variable that says how often."""

    lines: tuple[Line | Loop, ...]
    name: str = ""
    times: int | None = None


Plan = tuple[Line | Loop, ...]


def plan_of(tree: ast.Module) -> Plan:
    """Return what a script reads, in order."""
    readers = _readers(tree)
    called = {name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
              for name in (node.name,) if name not in readers}  # fmt: skip
    body = [node for node in tree.body if not isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    return tuple(_plan(body, readers, called, 0))


def _readers(tree: ast.Module) -> dict[str, Line]:
    """Return the names of functions and aliases that read one line, with its shape."""
    found = {"input": Line("text"), "readline": Line("text")}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, (ast.Name, ast.Attribute)):
                if _reading_name(node.value) in found:
                    found[node.targets[0].id] = Line("text")
            elif isinstance(node.value, ast.Lambda):
                lines = _lines(node.value.body, found)
                if lines:
                    found[node.targets[0].id] = lines[0]
        elif isinstance(node, ast.FunctionDef) and len(node.body) == 1:
            value = getattr(node.body[0], "value", None)
            lines = _lines(value, found) if isinstance(value, ast.expr) else []
            if len(lines) == 1:
                found[node.name] = lines[0]
    return found


def _reading_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _plan(
    body: list[ast.stmt], readers: dict[str, Line], called: dict[str, ast.FunctionDef], depth: int
) -> Iterator[Line | Loop]:
    for node in body:
        if isinstance(node, (ast.For, ast.While)):
            yield from _lines(node.iter if isinstance(node, ast.For) else node.test, readers)
            inner = tuple(_plan(node.body, readers, called, depth))
            if inner:
                yield Loop(inner, *_times(node))
        elif isinstance(node, (ast.If, ast.With, ast.Try)):
            if isinstance(node, ast.If):
                yield from _lines(node.test, readers)
            yield from _plan(node.body, readers, called, depth)
        elif not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield from _statement(node, readers)
            if depth < 3:
                for call in ast.walk(node):
                    target = (
                        called.get(_reading_name(call.func)) if isinstance(call, ast.Call) else None
                    )
                    if target is not None:
                        yield from _plan(target.body, readers, called, depth + 1)


def _statement(node: ast.stmt, readers: dict[str, Line]) -> Iterator[Line | Loop]:
    lines = [line for value in ast.iter_child_nodes(node) if isinstance(value, ast.expr)
             for line in _lines(value, readers)]  # fmt: skip
    loops = [
        inner for inner in ast.walk(node) if isinstance(inner, (ast.ListComp, ast.GeneratorExp))
    ]
    for loop in loops:
        source = loop.generators[0].iter
        if lines and not _lines(source, readers):
            yield Loop(tuple(lines), _bound_of(source))
            return
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if isinstance(target, ast.Tuple) and len(lines) == 1:
        yield Line(
            lines[0].shape,
            len(target.elts),
            ",".join(getattr(part, "id", "") for part in target.elts),
        )
    elif isinstance(target, ast.Name) and len(lines) == 1:
        yield Line(lines[0].shape, lines[0].count, target.id)
    else:
        yield from lines


def _lines(node: ast.expr | None, readers: dict[str, Line]) -> list[Line]:
    """Return the lines that an expression reads."""
    if node is None:
        return []
    found = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call):
            name = _reading_name(inner.func)
            if name in readers:
                found.append(_shaped(node, inner, readers[name]))
            elif name in ("read", "readlines") and "stdin" in ast.unparse(inner.func):
                found.append(Line("ints" if "int" in ast.unparse(node) else "text"))
    return found


def _shaped(node: ast.expr, call: ast.Call, line: Line) -> Line:
    """Return a read line's shape by what is done with it."""
    if line.shape != "text":
        return line
    text = ast.unparse(node)
    split = ".split(" in text
    for word in ("int", "float"):
        if f"{word}(" in text or f"map({word}" in text:
            return Line(word + "s" if split else word)
    return Line("words" if split else "word")


def _times(node: ast.For | ast.While) -> tuple[str, int | None]:
    if isinstance(node, ast.While):
        return "", None
    if isinstance(node.iter, ast.Call) and node.iter.args:
        last = node.iter.args[-1 if len(node.iter.args) < 3 else 1]
        if isinstance(last, ast.Constant) and isinstance(last.value, int):
            return "", last.value
    return _bound_of(node.iter), None


def _bound_of(node: ast.expr) -> str:
    """Return the variable that says how often a loop over a range turns."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and inner.id not in ("range", "len", "int"):
            return inner.id
    return ""


class ScriptSession:
    """A search for standard input and arguments."""

    def __init__(self, goal: Goal, subject: Subject, seed: int) -> None:
        self._rng = random.Random(seed)
        self._source = f"search:{seed}"
        self._plan = plan_of(subject.tree)
        self._arguments = _argument_shapes(subject.tree)
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
        short = [
            text for text in list(kept.values())[:20] if 0 < len(text) < 20 and "\n" not in text
        ]
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


def _argument_shapes(tree: ast.Module) -> tuple[str, ...]:
    """Return the shapes of `sys.argv[1]` and so on, as far as the source indexes them."""
    shapes: dict[int, str] = {}
    for node in ast.walk(tree):
        numeric = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("int", "float")
        for inner in [*getattr(node, "args", ())] if numeric else [node]:
            if isinstance(inner, ast.Subscript) and ast.unparse(inner.value) in (
                "sys.argv",
                "argv",
            ):
                if isinstance(inner.slice, ast.Constant) and isinstance(inner.slice.value, int):
                    index = inner.slice.value
                    shapes[index] = "int" if numeric else shapes.get(index, "word")
    return tuple(shapes.get(index, "word") for index in range(1, max(shapes, default=0) + 1))
