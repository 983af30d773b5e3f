"""How the bench over releases makes a change of two source distributions, without a network."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from nsdbg.changes import open_changes
from nsdbg.changes.changed import Since

BENCH = Path(__file__).parent.parent / "bench/releases.py"


@pytest.fixture(scope="module")
def releases() -> ModuleType:
    spec = spec_from_file_location("bench_releases", BENCH)
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    sys.modules[spec.name] = made
    spec.loader.exec_module(made)
    return made


def distribution(folder: Path, version: str, **texts: str) -> None:
    folder.mkdir(exist_ok=True)
    with tarfile.open(folder / f"pack_age-{version}.tar.gz", "w:gz") as tar:
        for name, text in texts.items():
            entry = tarfile.TarInfo(f"pack_age-{version}/{name}.py")
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))


@pytest.mark.parametrize(
    ("reverse", "subjects", "gone"), [(False, "2.0 1.0", "old.py"), (True, "1.0 2.0", "new.py")]
)
def test_a_pair_of_releases_is_a_repository_of_two_commits(
    reverse: bool, subjects: str, gone: str, releases: ModuleType, tmp_path: Path
) -> None:
    sources = tmp_path / "sources"
    distribution(sources, "1.0", rows="def first(rows):\n    return rows[:1]\n", old="")
    distribution(sources, "2.0", rows="def first(rows):\n    return rows[0]\n", new="")
    pair = releases._neighbours("pack-age:1.0:2.0", reverse=reverse)
    root = releases._repository(pair, sources, tmp_path / "made")
    log = subprocess.run(
        ["git", "-C", str(root), "log", "--format=%s"], capture_output=True, text=True, check=True
    )
    assert log.stdout.split() == subjects.split()
    assert not (root / gone).exists()
    with open_changes(root, Since("HEAD~1")) as changes:
        assert [one.qualname for one in changes.functions] == ["first"]
        assert releases._only(changes, ["other"]).functions == ()
        assert releases._only(changes, ["first"]).functions == changes.functions


def test_a_pair_that_is_none_is_refused(releases: ModuleType) -> None:
    with pytest.raises(SystemExit, match="'boltons' is no pair of releases"):
        releases._neighbours("boltons", reverse=False)
