"""Benches over data files, and how often a model hallucinates: for nsdbg's own and for anybody's.

```python
from nsdbg.measure import Plan, measure_hallucination

def my_model(prompt: str) -> str: ...

found = measure_hallucination([my_model], Plan(examples=200, seed=1))
print(found.rates.raw.share, found.rates.residual.hits)
```

What is named here is loaded when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nsdbg.measure.hallucination.library import Plan, measure_hallucination
    from nsdbg.measure.hallucination.proposers import Answers

__all__ = ["Answers", "Plan", "measure_hallucination"]


def __getattr__(name: str) -> object:
    """Load what is asked for (PEP 562): the benches need nothing of it."""
    if name == "Answers":
        from nsdbg.measure.hallucination import proposers

        return proposers.Answers
    if name in __all__:
        from nsdbg.measure.hallucination import library

        return getattr(library, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
