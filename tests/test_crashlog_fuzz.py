"""Logs that were changed at random are read without failing and in time.

`make fuzz` runs the same for 100,000 logs, and `make atheris` for ten minutes.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from mutations import check, mutated, seeds

TEXTS = seeds()


@settings(
    max_examples=150, derandomize=True, deadline=None, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
@given(mutated(TEXTS))
def test_a_changed_log_is_read(text: bytes) -> None:
    check(text)


@pytest.mark.slow
@settings(
    max_examples=20_000, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
@given(mutated(TEXTS))
def test_many_changed_logs_are_read(text: bytes) -> None:
    check(text)


def test_what_is_checked_finds_every_crash_of_the_logs_as_they_are() -> None:
    found = [check(text) for text in TEXTS]
    assert sum(map(bool, found)) >= len(TEXTS) - 1  # one log holds none on purpose
