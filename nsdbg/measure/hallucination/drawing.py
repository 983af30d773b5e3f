"""Values of a Hypothesis strategy out of seeded bytes: a sample, not a search.

Hypothesis's own generation leaves out what it has seen, prefers odd values and stops early, so no
rate may come from it.  `fuzz_one_input` does none of this: one buffer of bytes is one draw.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeVar

from nsdbg.errors import UsageError

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

# A draw that needs more bytes than this is none; programs take sixteen, values some hundred.
BYTES = 4096
# Buffers in a row that may be no draw, until it is said that a strategy gives nothing.
_MOST_IN_VAIN = 400


def check_hypothesis() -> str:
    """Return the version of Hypothesis; raises UsageError in one line where it is missing."""
    try:
        import hypothesis
    except ImportError as error:
        raise UsageError(
            "measuring hallucination draws programs with Hypothesis, which is not installed: "
            'pip install "nsdbg[measure]"'
        ) from error
    return str(hypothesis.__version__)


def sample(strategy: SearchStrategy[T], seed: int, name: str = "") -> Iterator[T]:
    """Yield independent draws without end, the same for the same seed, name and Hypothesis.

    Raises UsageError when a strategy gives nothing any more.
    """
    from hypothesis import HealthCheck, Phase, given, settings

    found: list[T] = []

    @settings(
        database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def take(value: T) -> None:
        found.append(value)

    fuzz = take.hypothesis.fuzz_one_input  # type: ignore[attr-defined]
    in_vain = 0
    for number in itertools.count():
        fuzz(random.Random(f"{name}:{seed}:{number}").randbytes(BYTES))
        in_vain = 0 if found else in_vain + 1
        if in_vain > _MOST_IN_VAIN:
            raise UsageError(f"nothing can be drawn from {name or 'this strategy'}")
        if found:
            yield found.pop()
            found.clear()
