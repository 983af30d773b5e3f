"""The liar's texts: nearly the truth, never the truth, and there for every value."""

from __future__ import annotations

from random import Random

import pytest

from nsdbg.measure.oracle.lies import other_texts

HUGE = hex(10**5000)


@pytest.mark.parametrize(
    ("text", "among"),
    [
        ("3", {"4", "-3", "3.0", "'3'", "0x3", "+3", "3j"}),
        ("1", {"True", "(1+0j)"}),
        ("[1, 2]", {"(1, 2)", "[2, 1]"}),
        (HUGE, {hex(10**5000 + 1), hex(-(10**5000)), repr(HUGE)}),
        (f"[{HUGE}]", {"...", "[]"}),
    ],
)
def test_a_lie_is_nearly_the_truth_however_large_that_is(text: str, among: set[str]) -> None:
    found = set(other_texts(text, Random(1), 1000))
    assert among <= found
    assert text not in found
