"""Makes programs at random, for properties that hold of any: valid, finite, and without effects."""

from __future__ import annotations

import random

NAMES = ("a", "b", "c")
PRELUDE = """\
G = 0
def inc(n):
    return n + 1
def bad(n):
    if n == 2:
        raise KeyError(n)
    return n
class C:
    def __enter__(self): return 5
    def __exit__(self, kind, value, trace): return kind is KeyError
"""
LEAVES = (
    "pass", "inc(3)", "del {n}", "{n}, {m} = {n}, 1", "{n} = 1; {m} = 2", "if {n}: {n} = 1",
    "assert {n}", "'text'", "for {n} in range(2): {m} = 3", "global G", "{n}: int = 1",
    "{n} = (lambda: {n})()", "{n} += 1", "raise KeyError({n})", "raise ValueError({n})",
)  # fmt: skip
VALUES = (
    "1", "{n}", "{n} + 1", "[{n}]", "inc({n})", "len(str({n}))", "[v for v in range(2)]",
    "bad({n})",
    "max(\n{i}    inc({n}),\n{i}    {m})",
)  # fmt: skip
CONDITIONS = ("{n} == {m}", "inc({n}) > 2", "{n}", "not {n}", "{n} and\\\n{i}        {m}")
FORS = (
    "for {n} in range(2):", "for {n} in range(0):", "for {n}, {m} in [(1, 2), (3, 4)]:",
    "for {n} in [inc(0),\n{i}         1]:",
)  # fmt: skip
WHILES = ("while k < 4:", "while True:", "while k < 3 and {n}:")
WITHS = (
    "with C():", "with C() as {n}:", "with C(), C() as {n}:", "with C(\n{i}    ) as {n}:"
)  # fmt: skip
CATCHES = ("except KeyError:", "except KeyError as e:", "except (KeyError, TypeError):")
WIDER = ("except Exception:", "except Exception as e:", "except ValueError as e:")


class Maker:
    """Draws statements; `k` is the local that bounds every `while`."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def _draw(self, choices: tuple[str, ...], indent: str) -> str:
        text = self._random.choice(choices)
        names = self._random.choice(NAMES), self._random.choice(NAMES)
        return text.format(n=names[0], m=names[1], i=indent)

    def _maybe(self, chance: float) -> bool:
        return self._random.random() < chance

    def block(self, depth: int, indent: str, loop: bool, yields: bool) -> list[str]:
        """Return the lines of a block."""
        lines: list[str] = []
        for _ in range(self._random.randrange(1, 4)):
            lines += self._statement(depth, indent, loop, yields)
        return lines

    def _statement(self, depth: int, indent: str, loop: bool, yields: bool) -> list[str]:
        kind = self._random.randrange(20 if depth else 8)
        inner = depth - 1, indent + "    "
        if kind < 3:
            return [indent + self._draw(LEAVES, indent)]
        if kind == 3 and loop:
            return [indent + self._random.choice(["break", "continue"])]
        if kind == 4 and yields:
            return [indent + self._draw(("{n} = yield {m}",), indent)]
        if kind == 5 and self._maybe(0.5):
            return [f"{indent}return {self._draw(VALUES, indent)}"]
        if kind < 8:
            return [f"{indent}{self._draw(('{n}',), indent)} = {self._draw(VALUES, indent)}"]
        if kind < 11:
            return self._choice(inner, indent, loop, yields)
        if kind < 15:
            return self._loop(inner, indent, loop, yields)
        if kind < 17:
            return [indent + self._draw(WITHS, indent), *self.block(*inner, loop, yields)]
        return self._attempt(inner, indent, loop, yields)

    def _choice(
        self, inner: tuple[int, str], indent: str, loop: bool, yields: bool
    ) -> list[str]:  # fmt: skip
        words = ["if"] + ["elif"] * self._maybe(0.3)
        lines: list[str] = []
        for word in words:
            lines.append(f"{indent}{word} {self._draw(CONDITIONS, indent)}:")
            lines += self.block(*inner, loop, yields)
        if self._maybe(0.5):
            lines += [f"{indent}else:", *self.block(*inner, loop, yields)]
        return lines

    def _loop(
        self, inner: tuple[int, str], indent: str, loop: bool, yields: bool
    ) -> list[str]:  # fmt: skip
        if self._maybe(0.5):
            lines = [indent + self._draw(FORS, indent)]
        else:
            lines = [indent + self._draw(WHILES, indent)]
            lines += [f"{inner[1]}k += 1", f"{inner[1]}if k > 6: break"]
        lines += self.block(*inner, True, yields)
        if self._maybe(0.3):
            lines += [f"{indent}else:", *self.block(*inner, loop, yields)]
        return lines

    def _attempt(
        self, inner: tuple[int, str], indent: str, loop: bool, yields: bool
    ) -> list[str]:  # fmt: skip
        lines = [f"{indent}try:", *self.block(*inner, loop, yields)]
        catches = self._maybe(0.75)
        if catches:
            lines += [indent + self._draw(CATCHES, indent), *self.block(*inner, loop, yields)]
            if self._maybe(0.4):
                lines += [indent + self._draw(WIDER, indent), *self.block(*inner, loop, yields)]
                lines += [f"{inner[1]}raise"] * self._maybe(0.3)
            if self._maybe(0.3):
                lines += [f"{indent}else:", *self.block(*inner, loop, yields)]
        if not catches or self._maybe(0.4):
            lines += [f"{indent}finally:", *self.block(*inner, False, yields)]
        return lines

    def program(self, functions: int) -> str:
        """Return a module with functions, and `run` that calls each of them twice."""
        lines, calls = [PRELUDE.rstrip()], []
        for number in range(functions):
            yields = self._maybe(0.15)
            lines.append(f"def f{number}(a, b=1, *args, c=2):")
            lines += ["    '''Doc.'''"] * self._maybe(0.2) + ["    k = 0"]
            lines += self.block(3, "    ", False, yields) + ["    yield a"] * yields
            for value in (0, 1):
                call = f"list(f{number}({value}))" if yields else f"f{number}({value})"
                calls += ["    try:", f"        {call}", "    except Exception:", "        pass"]
        return "\n".join([*lines, "def run():", *calls]) + "\n"


def make_program(seed: int, functions: int = 2) -> str:
    """Return the source of a program that compiles; the same for the same seed."""
    while True:
        text = Maker(seed).program(functions)
        try:
            compile(text, "<made>", "exec")
        except SyntaxError:  # a name that is global after it was used, and the like
            seed += 1_000_003
        else:
            return text
