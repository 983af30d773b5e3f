"""Fixtures for whatever runs the ordinary target."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import ORDINARY

from nsdbg.verify.runner import Runner, RunnerConfig


@pytest.fixture(scope="session")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the ordinary target, in a folder of its own."""
    file = tmp_path_factory.mktemp("project") / "target.py"
    shutil.copy(ORDINARY, file)
    return file


@pytest.fixture(scope="module")
def runner(target: Path) -> Iterator[Runner]:
    """A runner with short limits."""
    config = RunnerConfig(roots=(target.parent,), limit_s=1.0, batch_limit_s=0.3)
    with Runner(config) as runner:
        yield runner
