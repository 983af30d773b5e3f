"""Steps one after the other, each from the state that the network told before."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from nsdbg.measure.neural.baselines import EVALUATOR
from nsdbg.measure.neural.counting import MODEL, Counts
from nsdbg.measure.neural.forward import Tell
from nsdbg.measure.neural.held import Held, Run
from nsdbg.measure.neural.questions import question
from nsdbg.propose.codec.alike import alike
from nsdbg.propose.codec.following import followed
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.neural.engine import Engine
from nsdbg.propose.neural.predict import follow
from nsdbg.report.measured import Table
from nsdbg.state import Action, ActionKind

AFTER = (1, 2, 4, 8, 16)
_STEP = Action(ActionKind.STEP)
_PASSES = 10


def chained(engine: Engine, held: Held, limit: int, seed: int, tell: Tell) -> Table:
    """Return how often the state is still whole after so many chained steps, on `limit` ways."""
    counts = Counts([_row(steps) for steps in AFTER])
    ways = _draw(held, limit, seed, counts.left_out)
    for number, (run, at) in enumerate(ways, 1):
        truth = run.situations[at : at + AFTER[-1] + 1]
        start = truth[0]
        told = {
            MODEL: _told(engine, run, start, len(truth) - 1),
            EVALUATOR: _evaluated(run, start, len(truth) - 1),
        }
        for who, states in told.items():
            for steps in AFTER:
                if steps < len(truth):
                    after = states[steps - 1] if steps <= len(states) else None
                    counts.add(_row(steps), alike(after, truth[steps].state), who)
        tell(f"{number} of {len(ways)} ways")
    return counts.table(
        "chained steps", "whole state after so many steps, each from the state told before it"
    )


def _row(steps: int) -> str:
    return f"after {steps} step{'s' if steps > 1 else ''}"


def _draw(held: Held, limit: int, seed: int, left_out: Counter[str]) -> list[tuple[Run, int]]:
    """Return runs, and where to begin in them."""
    rng = random.Random(seed)
    found: dict[tuple[int, int], tuple[Run, int]] = {}
    for run in held.draw(rng, _PASSES):
        if len(found) >= limit:
            break
        # Half of the ways begin at the call, as somebody asks who has the arguments.
        at = rng.choice((0, rng.randrange(len(run.situations))))
        way = range(at, min(at + AFTER[-1], len(run.situations) - 1))
        if way and all(question(run, each, _STEP, left_out) is not None for each in way):
            found[id(run), at] = run, at
    return list(found.values())


def _told(engine: Engine, run: Run, start: Situation, steps: int) -> Sequence[Situation]:
    return [one.situation for one in follow(engine, run.view, start, [_STEP] * steps)]


def _evaluated(run: Run, start: Situation, steps: int) -> Sequence[Situation]:
    found: list[Situation] = []
    situation: Situation | None = start
    for _ in range(steps):
        situation = followed(run.view, situation, _STEP) if situation else None
        if situation is None:
            break
        found.append(situation)
    return found
