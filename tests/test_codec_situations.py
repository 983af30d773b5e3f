"""How far loops have come, and which line comes next, against what programs really do."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from recorded import of_code, recorded, with_counts

from nsdbg.episode import Episode
from nsdbg.programs import Level
from nsdbg.propose.codec.backward import rewound
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.syntax import RETURNS, Syntax
from nsdbg.propose.codec.track import situations, without_comprehensions
from nsdbg.propose.codec.view import View, literals
from nsdbg.propose.neural import situations as starts
from nsdbg.source import first_line
from nsdbg.state import Event, State

LOOPS = """
def f(rows, n):
    total = 0
    for row in rows:
        for a, b in zip(row, row[1:]):
            if a == b:
                continue
            if a > n:
                break
            try:
                total += a // (b - 1)
            except ZeroDivisionError:
                total += 1
            finally:
                n -= 1
        else:
            total += 100
        while total > 50:
            for k in range(n):
                total -= 10
                if total < 20:
                    break
            total -= 7
        match row:
            case [0, *rest]:
                for r in rest:
                    total += r
            case _:
                total -= 1
        for x in [0, 0]:
            total += x
    return total
"""
CALLS = ("[[1, 1, 2], [0, 3, 1, 4], []], 3", "[[5, 5, 9], [2, 1, 1]], 1", "[], 2", "[[0, 1]], 9")


class Run:
    """An episode's situations, its frames' own lines told from those of lambdas."""

    def __init__(self, episode: Episode) -> None:
        self.episode = replace(episode, trace=without_comprehensions(episode.trace))
        self.view = View(episode.listings, literals(episode.names))
        self.situations = situations(self.view, self.episode)

    def lines(self) -> Iterator[tuple[Situation, Syntax, Situation | None, State | None]]:
        """Yield the stops at lines: before it in the frame, and the next event there."""
        last: dict[int, Situation] = {}
        numbers = self.episode.trace.activations
        for at, (found, number) in enumerate(zip(self.situations, numbers, strict=True)):
            frame = found.state.frame
            syntax = self.view.syntax_at(frame.file, frame.lineno)
            if found.state.event is not Event.LINE or syntax is None or frame.function[0] == "<":
                continue
            later = (self.situations[after].state for after in range(at + 1, len(numbers))
                     if numbers[after] == number)  # fmt: skip
            yield found, syntax, last.get(number), next(later, None)
            last[number] = found


def counted(found: Situation, node: ast.For | ast.AsyncFor) -> int | None:
    """Return how many items a loop has taken, as the program's own counter tells."""
    assert isinstance(node.target, ast.Tuple)
    assert isinstance(node.target.elts[0], ast.Name)
    value = found.state.frame.local(node.target.elts[0].id)
    return None if value is None else int(value.repr)


def generated(counted: bool) -> list[Episode]:
    levels = ((Level.LINES, 30), (Level.PROGRAM, 20))
    return [each for level, count in levels for each in recorded(5000, count, level, counted)]


@pytest.mark.parametrize("source", ["loops", "generated"])
def test_a_loops_count_is_the_number_of_items_it_has_taken(source: str) -> None:
    mine = [each for call in CALLS for each in of_code(with_counts(LOOPS), call)]
    inside = headers = 0
    for episode in mine if source == "loops" else generated(True):
        for found, syntax, before, _ in Run(episode).lines():
            lineno = found.state.frame.lineno
            for node in syntax.loops_around(lineno):
                assert found.taken(node.lineno) == counted(found, node), episode.id
                inside += 1
            header = syntax.loop(lineno)
            if header is not None:
                came = None if before is None else before.state.frame.lineno
                again = came == lineno or (came and header in syntax.loops_around(came))
                truth = counted(found, header) if again else 0
                assert found.taken(lineno) == truth, episode.id
                headers += 1
    assert inside > 100
    assert headers > 50


@pytest.mark.skipif(
    sys.version_info >= (3, 12),
    reason="since 3.12 a comprehension's line comes again for each item, which the codec leaves in",
)
def test_the_line_told_to_come_next_is_the_one_that_comes() -> None:
    told: Counter[tuple[str, bool]] = Counter()
    unclear = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Assert, ast.Try, ast.With,
               ast.Match)  # fmt: skip
    mine = [each for call in CALLS for each in of_code(LOOPS, call)]
    for episode in [*mine, *generated(False)]:
        for found, syntax, _, later in Run(episode).lines():
            node = syntax.statement(found.state.frame.lineno)
            if node is None or later is None or isinstance(node, unclear):
                continue
            if later.event not in (Event.LINE, Event.RETURN):
                continue
            if later.event is Event.RETURN and later.arg and later.arg.repr != "None":
                continue  # a generator's yield
            came = RETURNS if later.event is Event.RETURN else later.frame.lineno
            if isinstance(node, (ast.If, ast.While, ast.For)):
                if came == first_line(node.body[0]):
                    continue
                line = syntax.otherwise(node)
            else:
                line = syntax.after(node)
            told["unclear" if line is None else type(node).__name__, line == came] += 1
    wrong = {kind: count for (kind, right), count in told.items() if not right}
    assert set(wrong) <= {"unclear"}
    assert wrong.get("unclear", 0) < 0.02 * told.total()
    assert told["Assign", True] > 300
    assert told["If", True] > 50
    assert told["For", True] > 50


def test_after_a_finally_nothing_is_told() -> None:
    text = "def f():\n  try:\n    a\n  finally:\n    b\n  c"
    syntax = Syntax("m.py", 1, text)
    lines = {row: syntax.statement(row) for row in (3, 5, 6)}
    assert [node and syntax.after(node) for node in lines.values()] == [5, None, RETURNS]


def test_the_headers_of_clauses_are_no_statements_but_lie_within_their_loops() -> None:
    text = "def f(x):\n  for i in x:\n    try:\n      a\n    except E:\n      b"
    syntax = Syntax("m.py", 7, text)
    assert syntax.statement(11) is None
    assert [node.lineno for node in syntax.loops_around(11)] == [8]


def test_a_loop_that_is_gone_back_over_has_taken_one_item_less_at_its_header() -> None:
    text = "def f(x):\n  for i in x:\n    a = i\n    b = i\n  return a"
    run = Run(of_code(text, "[4, 5, 6]")[0])
    checked = 0
    for earlier, later in zip(run.situations, run.situations[1:], strict=False):
        if later.state.event is Event.LINE and earlier.state.event is Event.LINE:
            if later.state.frame.lineno == 5 or not later.here:
                continue
            assert rewound(run.view, later, earlier.state.frame.lineno) == earlier.here
            checked += 1
    assert checked >= 8


def test_what_a_loop_has_yet_to_give_is_told_by_its_count_or_by_its_variable() -> None:
    text = "def f(x):\n  for i in x:\n    a = i\n  return a"
    run = Run(of_code(text, "[4, 5, 6]")[0])
    inside = [found for found in run.situations if found.state.frame.lineno == 3]
    assert [starts.left(run.view, found) for found in inside] == [
        ((2, "[5, 6]"),), ((2, "[6]"),), ((2, "[]"),)]  # fmt: skip
    state = inside[1].state
    told = Situation(state, (starts.counted(run.view, state.frame, {}),))
    assert starts.left(run.view, told) == ((2, "[6]"),)


def test_frames_of_comprehensions_are_part_of_their_line() -> None:
    episode = of_code("def f(x):\n  y = [i for i in x]\n  return y", "[4, 5]")[0]
    kept = without_comprehensions(episode.trace)
    assert {frame.function for state in kept.states for frame in state.stack} == {"f"}
    assert len(kept.activations) == len(kept.states)
