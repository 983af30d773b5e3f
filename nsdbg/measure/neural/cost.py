"""What a model costs: its file, loading it, and a token, on one core.

In processor time, the best of several tries, since others use the machine too: with the one thread
that onnxruntime is given, that is what it takes when nobody does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from nsdbg.propose.neural.engine import Engine, load
from nsdbg.propose.neural.folder import ModelFolder
from nsdbg.propose.neural.network import open_network
from nsdbg.report.measured import Number, Quantities

STEPS = 24
TRIES = 5
_NEVER = -1  # no token ends an answer, so that every try takes as many steps


def cost(folder: ModelFolder, prompts: Sequence[Sequence[int]]) -> Quantities:
    """Measure a model with prompts such as it gets; 16 of them at least for the larger batch."""
    loading = _best(lambda: load(folder.path, "cpu"))
    engine = Engine(open_network(folder.network(), "cpu"), folder, end=_NEVER)
    numbers = [
        Number("file", folder.size_bytes / 1e6, "MB"),
        Number("load", loading, "s"),
        Number("tokens of a prompt, mean", _mean([len(one) for one in prompts]), ""),
    ]
    for batch in (1, 16):
        chosen = list(prompts[:batch])
        enough = len(chosen) == batch
        numbers.append(
            Number(f"a step, batch {batch}", _step_ms(engine, chosen) if enough else None, "ms")
        )
    first = list(prompts[:1])
    reading = _best(lambda: engine.greedy(first, 1)) / len(first[0]) if first else None
    numbers.append(Number("a token of a prompt", reading and 1000 * reading, "ms"))
    about = (
        f"processor time on one core, the best of {TRIES}; a step gives each prompt of the batch "
        "one token"
    )
    return Quantities("cost", about, tuple(numbers))


def _step_ms(engine: Engine, prompts: Sequence[Sequence[int]]) -> float:
    """Return the milliseconds of a step: a longer answer's time less a shorter one's."""
    short = _best(lambda: engine.greedy(prompts, 1))
    long = _best(lambda: engine.greedy(prompts, 1 + STEPS))
    return max(0.0, 1000 * (long - short) / STEPS)


def _best(action: Callable[[], object]) -> float:
    found = []
    for _ in range(TRIES):
        started = time.process_time()
        action()
        found.append(time.process_time() - started)
    return min(found)


def _mean(numbers: Sequence[int]) -> float | None:
    return round(sum(numbers) / len(numbers), 1) if numbers else None
