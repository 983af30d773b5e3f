"""Values written as expressions, for the child to evaluate."""

from __future__ import annotations

import itertools
import math
from typing import Any

# Longer sequences are written as repetitions where that is short.
_RUNNING = 60


def written(value: Any) -> str:
    """Return the expression for a value: its repr, but for floats that have none."""
    if isinstance(value, float) and (math.isinf(value) or math.isnan(value)):
        return f"float({str(value)!r})"
    if isinstance(value, (list, str)) and len(value) > _RUNNING:
        text = _by_runs(value)
        if text is not None:
            return text
    text = repr(value)
    if "inf" in text or "nan" in text:
        return _with_floats(value)
    return text


def _by_runs(value: Any) -> str | None:
    """Return a long sequence as a sum of repetitions, None when it has too many different runs."""
    runs = []
    for _, group in itertools.groupby(value, repr):
        items = list(group)
        runs.append((items[0], len(items)))
        if len(runs) > 4:
            return None
    wrap = repr if isinstance(value, str) else lambda item: repr([item])
    return " + ".join(wrap(item) if count == 1 else f"{wrap(item)} * {count}"
                      for item, count in runs)  # fmt: skip


def _with_floats(value: Any) -> str:
    if isinstance(value, float):
        return written(value) if value != value or math.isinf(value) else repr(value)
    if isinstance(value, dict):
        inner = ", ".join(f"{_with_floats(k)}: {_with_floats(v)}" for k, v in value.items())
        return f"{{{inner}}}"
    if type(value) is list:
        return f"[{', '.join(map(_with_floats, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(_with_floats, value))}{',' if len(value) == 1 else ''})"
    return repr(value)
