"""What a tool writes behind every line of a program's output: Airflow's source, Ray's counts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nsdbg.crashlog.carriers.wrapping import Carrier
from nsdbg.crashlog.lines import Line

_SUFFIXES = (
    re.compile(r'(?:: chan="[^"\n]*")?: source="[^"\n]*"(?:: loc="[^"\n]*")?$'),
    re.compile(r" \[repeated \d+x across cluster\](?: \(Ray deduplicates .*\))?$"),
)
_WORDS = (' source="', " across cluster]")
# A traceback's line that has one: what else ends so may be a program's own.
_TELLS = re.compile(r'Traceback \(most recent|\bFile "[^"\n]+", line \d+')


def _unwrap(lines: Sequence[Line]) -> list[Line] | None:
    if not any(word in line.text for line in lines for word in _WORDS):
        return None
    wanted = [
        suffix
        for suffix in _SUFFIXES
        if any(_TELLS.search(line.text) and suffix.search(line.text) for line in lines)
    ]
    if not wanted:
        return None
    return [Line(line.number, _bare(line.text, wanted)) for line in lines]


def _bare(text: str, suffixes: list[re.Pattern[str]]) -> str:
    for suffix in suffixes:
        text = suffix.sub("", text)
    return text


CARRIER = Carrier(
    "suffix",
    "what stands behind every line: Airflow 3's source=, Ray's [repeated 3x across cluster]",
    _unwrap,
)
