"""The bench of throughput runs; its figures are for a quiet machine, and not judged here."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import asdict
from pathlib import Path
from types import ModuleType

import pytest

BENCH = Path(__file__).parent.parent / "bench" / "throughput.py"


@pytest.fixture(scope="module")
def throughput() -> ModuleType:
    spec = importlib.util.spec_from_file_location("throughput", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["throughput"] = module  # its dataclass looks itself up there
    spec.loader.exec_module(module)
    return module


def test_a_batch_is_quicker_than_a_fork_each_and_that_than_a_process_each(
    throughput: ModuleType,
) -> None:
    found = throughput.measure(scale=0.05)
    assert found.batch_per_s > found.fork_per_s > found.process_per_s > 0
    assert found.fresh_pair_ms > 0
    assert found.new_target_ms > 0
    assert "batch mode" in str(found)
    assert set(asdict(found)) >= {"batch_per_s", "fork_per_s", "process_per_s", "cores"}
