"""Triage over a git history: every crash that a commit adds is found, and no commit blamed else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from triage_history import HISTORY, Commit, git, history
from triaging import raises_when_pasted

from nsdbg.changes.changed import Since
from nsdbg.changes.opening import open_changes
from nsdbg.claim import Status
from nsdbg.triage import Allowance, triage
from nsdbg.triage.flow import errors_of
from nsdbg.workbench import Options, Workbench


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the whole history, and each commit checked out beside it."""
    made = tmp_path_factory.mktemp("history")
    for _ in history(made / "repo"):
        pass
    names = git(made / "repo", "rev-list", "--reverse", "HEAD").split()
    for number, name in enumerate(names[1:]):
        git(made / "repo", "worktree", "add", "-q", "--detach", str(made / f"at{number}"), name)
    return made


@pytest.fixture(scope="module")
def bench(folder: Path) -> Iterator[Workbench]:
    with Workbench(Options((folder,), proposers=("rules", "search"))) as made:
        yield made


@pytest.fixture(autouse=True)
def _cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old versions are written where the one runner may read."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))


@pytest.mark.parametrize("commit", HISTORY, ids=lambda one: one.subject.replace(" ", "-"))
def test_a_commit_is_told_its_new_crash_and_no_other(
    commit: Commit, folder: Path, bench: Workbench
) -> None:
    place = folder / f"at{HISTORY.index(commit)}"
    with open_changes(place, Since("HEAD~1")) as changes:
        found = triage(changes, bench, Allowance(per_function_s=10.0), verbose=True)
        told = [one.exception for one in errors_of(found)]
        assert told == ([commit.raises] if commit.raises else []), found.notes
        for one in errors_of(found):
            assert one.status is Status.CONFIRMED
            assert raises_when_pasted(one, changes.root) == commit.raises


def test_the_history_has_commits_that_add_a_crash_and_more_that_do_not() -> None:
    adding = [commit for commit in HISTORY if commit.raises]
    assert (len(HISTORY), len(adding)) == (20, 8)
