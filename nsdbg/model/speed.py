"""How fast an exported graph is on one core: loading it, and a token for one text and for 16."""

from __future__ import annotations

import time
from dataclasses import dataclass

from nsdbg.propose.neural.network import open_network

BEFORE = 200  # tokens in the cache
STEPS = 20


@dataclass(frozen=True, slots=True)
class Speed:
    """Seconds to open the network, and milliseconds of a step for 1 text and for 16."""

    load_s: float
    token_ms: float
    step_16_ms: float

    def as_json(self) -> dict[str, float]:
        """Return what the manifest keeps."""
        return {"load_s": round(self.load_s, 3), "token_ms": round(self.token_ms, 2),
                "step_16_ms": round(self.step_16_ms, 2)}  # fmt: skip


def speed(content: bytes) -> Speed:
    """Measure in processor time, the best of several: others may use the machine."""
    open_network(content, "cpu")  # what is imported is not the network's to account for
    began = time.process_time()
    open_network(content, "cpu")
    load_s = time.process_time() - began
    return Speed(load_s, _step_ms(content, 1), _step_ms(content, 16))


def _step_ms(content: bytes, rows: int) -> float:
    import numpy as np

    network = open_network(content, "cpu")
    rng = np.random.default_rng(0)
    ids = rng.integers(0, network.vocabulary, (rows, BEFORE))
    _, cache = network.read(ids, network.empty(rows))
    best = float("inf")
    for _ in range(STEPS):
        token = rng.integers(0, network.vocabulary, (rows, 1))
        began = time.process_time()
        _, cache = network.read(token, cache)
        best = min(best, time.process_time() - began)
    return 1000 * best
