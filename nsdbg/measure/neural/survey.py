"""All tables about a model on held-out functions, one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from nsdbg.measure.neural.baselines import LEGEND
from nsdbg.measure.neural.chained import chained
from nsdbg.measure.neural.counting import Counts
from nsdbg.measure.neural.forward import (
    Tell,
    Told,
    ask,
    count,
    evaluators_part,
    fields,
    prompt_of,
    whole_states,
)
from nsdbg.measure.neural.held import Held
from nsdbg.measure.neural.questions import HORIZONS, Draw, commands, draw, jumps, whole_calls
from nsdbg.propose.neural.engine import Engine
from nsdbg.report.measured import Table
from nsdbg.state import ActionKind

_ACTIONS = tuple(ActionKind)
_SHOWN = 32


class Survey:
    """Asks a model about held-out functions; `limit` is the number of problems of each kind."""

    def __init__(self, engine: Engine, held: Held, limit: int, seed: int, tell: Tell) -> None:
        self._engine, self._held = engine, held
        self._limit, self._seed, self._tell = limit, seed, tell
        self.prompts: list[list[int]] = []  # some of those asked, for whoever measures the cost

    def tables(self) -> Iterator[Table]:
        """Yield the tables that need no execution."""
        left_out: Counter[str] = Counter()
        told = {
            kind: self._told(commands(kind), f"{kind.value}: ", left_out)
            for kind in (ActionKind.STEP, ActionKind.NEXT)
        }
        plain = [one for answers in told.values() for one in answers]
        self.prompts = [prompt_of(one.question) for one in plain[:_SHOWN]]
        yield whole_states(plain, left_out)
        yield fields(plain)
        yield self._by_action(told)
        yield self._whole_calls()
        yield self._by_horizon()
        few = max(self._limit // 2, 1)
        yield chained(self._engine, self._held, few, self._seed, self._tell)
        yield evaluators_part(plain)

    def _told(
        self, drawing: Draw, name: str, left_out: Counter[str], limit: int | None = None
    ) -> list[Told]:
        asked = draw(self._held, limit or self._limit, self._seed, drawing, left_out)
        return ask(self._engine, asked, lambda text: self._tell(name + text))

    def _by_action(self, told: dict[ActionKind, list[Told]]) -> Table:
        counts = Counts(kind.value for kind in _ACTIONS)
        for kind in _ACTIONS:
            answers = told.get(kind)
            if answers is None:
                answers = self._told(commands(kind), f"{kind.value}: ", counts.left_out)
            count(counts, kind.value, answers)
        about = "whole state; of return the place and the value. " + LEGEND
        return counts.table("by action", about)

    def _whole_calls(self) -> Table:
        counts = Counts(["place and value"])
        count(counts, "place and value", self._told(whole_calls, "calls: ", counts.left_out))
        return counts.table(
            "return, one jump from the call",
            "what a call gives, asked where its function is entered; calls that raise left aside",
        )

    def _by_horizon(self) -> Table:
        rows = {_row(*horizon): horizon for horizon in HORIZONS}
        counts = Counts(rows)
        few = max(self._limit // 2, 1)
        for row, horizon in rows.items():
            drawn = self._told(jumps(*horizon), f"{row}: ", counts.left_out, few)
            count(counts, row, drawn)
        return counts.table(
            "by horizon", "whole state in one jump, by next, until or continue over other states"
        )


def _row(least: int, most: int) -> str:
    return f"{least} state skipped" if least == most else f"{least} to {most} skipped"
