"""Fixtures for whatever runs the ordinary target."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import ORDINARY

from nsdbg.verify.runner import Runner, RunnerConfig


@pytest.fixture(autouse=True, scope="session")
def own_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep a developer's own settings and caches out of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


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
