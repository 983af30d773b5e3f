"""Episodes of generated programs for tests, recorded by the corpus's own worker."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from nsdbg.episode import Episode, episode_from_json
from nsdbg.model.trace.workers import Job, run_items
from nsdbg.programs import Level, generate

SETTINGS = {"source": "functions", "most": 8, "load_s": 5.0, "call_s": 1.0, "cpu_s": 20}


@lru_cache
def recorded(seed: int, count: int, level: Level, counted: bool = False) -> tuple[Episode, ...]:
    """Return the episodes of so many generated programs.

    `counted`: with a local for each `for` loop that holds how many items it has taken.
    """
    made = (generate(seed + number, level) for number in range(count))
    items = [
        {
            "id": f"{level.value}-{program.seed}",
            "code": with_counts(program.text) if counted else program.text,
            "entry": program.entry,
            "calls": [", ".join(call) for call in program.calls],
            "licence": "MIT",
        }
        for program in made
    ]
    return of_items(items)


def of_code(code: str, *calls: str, entry: str = "f") -> list[Episode]:
    """Return the episodes of calls of a function."""
    item = {"id": "x", "code": code, "entry": entry, "calls": list(calls), "licence": "MIT"}
    return list(of_items([item]))


def of_items(items: Sequence[Mapping[str, object]]) -> tuple[Episode, ...]:
    """Return the episodes of a data file's items."""
    job = Job("functions", Path(sys.executable), SETTINGS)
    return tuple(episode_from_json(row) for done in run_items(job, items, 1) for row in done.rows)


class _Counted(ast.NodeTransformer):
    def visit_For(self, node: ast.For) -> ast.For:
        self.generic_visit(node)
        counter = ast.Name(f"taken_{node.lineno}_{node.col_offset}", ast.Store())
        node.target = ast.Tuple([counter, node.target], ast.Store())
        one = ast.Constant(1)
        node.iter = ast.Call(ast.Name("enumerate", ast.Load()), [node.iter, one], [])
        return node


def with_counts(text: str) -> str:
    """Return a program whose `for` loops count their items in a local of their own."""
    return ast.unparse(ast.fix_missing_locations(_Counted().visit(ast.parse(text)))) + "\n"
