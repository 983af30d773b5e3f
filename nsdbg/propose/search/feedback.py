"""What the exceptions of failed calls say about the kinds of arguments.

`'int' object has no attribute 'split'` says that something should have been a str.  Statistics of
kinds that raised type errors do the rest.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from nsdbg.claim import Miss, Raised, Reason, Verdict
from nsdbg.propose.guess.infer import Guesses
from nsdbg.propose.guess.kinds import Kind, kind_of
from nsdbg.propose.guess.votes import METHODS

_TYPE_ERRORS = ("TypeError", "AttributeError")
_ATTRIBUTE = re.compile(r"'(\w+)' object has no attribute '(\w+)'")


def lengths_asked(raised: Raised | None) -> list[Miss]:
    """Return, as failed comparisons of lengths, what an unpacking error says was expected."""
    if raised is None or raised.type != "ValueError":
        return []
    found = re.search(r"expected (?:at least )?(\d+)(?:, got (\d+))?", raised.message)
    if found is None or "unpack" not in raised.message:
        return []
    wanted = int(found.group(1))
    seen = [int(found.group(2))] if found.group(2) else [wanted + 1, wanted + 2]
    return [Miss("Index", str(length), str(wanted)) for length in seen]


class Feedback:
    """Weights of kinds by parameter, changed by what calls of these kinds raised."""

    def __init__(self, guesses: Sequence[Guesses]) -> None:
        self.weights: list[dict[Kind, float]] = []
        for guess in guesses:
            self.weights.append({option.kind: option.weight for option in guess.options})
        self._bad: defaultdict[tuple[int, str], int] = defaultdict(int)
        self._good: defaultdict[tuple[int, str], int] = defaultdict(int)

    def learn(self, arguments: tuple[Any, ...], verdict: Verdict) -> None:
        """Take one verdict into account."""
        if verdict.reason is Reason.BAD_START:
            return
        raised = verdict.evidence.raised
        wrong = raised is not None and raised.type in _TYPE_ERRORS
        for index, value in enumerate(arguments):
            counts = self._bad if wrong else self._good
            counts[index, type(value).__name__] += 1
        if raised is not None and wrong:
            self._read(arguments, raised.message)

    def _read(self, arguments: tuple[Any, ...], message: str) -> None:
        found = _ATTRIBUTE.search(message)
        if found is None:
            return
        owners = [name for name, methods in METHODS.items() if found.group(2) in methods]
        for index, value in enumerate(arguments):
            if type(value).__name__ == found.group(1):
                for name in owners:
                    self._raise(index, Kind(name) if name in ("str", "int", "float", "bytes")
                                else kind_of(_EMPTY[name]))  # fmt: skip

    def _raise(self, index: int, kind: Kind) -> None:
        weights = self.weights[index]
        weights[kind] = min(weights.get(kind, 0.05) * 1.5, 1.0)

    def draw(self, index: int, rng: random.Random) -> Kind:
        """Return a kind for a parameter by its weight and record."""
        options = list(self.weights[index])
        if not options:
            return Kind("any")
        scores = [self.weights[index][kind] * self._record(index, kind) for kind in options]
        return rng.choices(options, scores)[0]

    def _record(self, index: int, kind: Kind) -> float:
        name = "tuple" if kind.name == "row" else kind.name
        bad, good = self._bad[index, name], self._good[index, name]
        return (good + 1.0) / (good + bad + 1.0)


_EMPTY: dict[str, Any] = {"list": [0], "dict": {"a": 0}, "set": {0}, "tuple": (0,)}
