"""What git does not keep and an import needs is brought along, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nsdbg.changes import needed
from nsdbg.changes.needed import find_needed, is_borrowed, read_needed
from nsdbg.changes.repository import Blob

KEPT = Blob(0o100644, "1" * 40)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path in (
        "setup.py", "pkg/__init__.py", "pkg/a.py", "pkg/_version.py", "pkg/fast.cpython-311.so",
        "pkg/data.json", "pkg/__pycache__/a.cpython-311.pyc", "pkg/gen/__init__.py",
        "pkg/gen/one_pb2.py", "pkg/loose/no_package.py", "docs/conf.py", "venv/lib/x.py",
        "top/__init__.py", "pkg/.hidden/__init__.py", "pkg/nested/__init__.py",
    ):  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(path)
    (tmp_path / "pkg/nested/.git").write_text("")
    return tmp_path


FILES = {"setup.py": KEPT, "pkg/__init__.py": KEPT, "pkg/a.py": KEPT, "docs/index.rst": KEPT}


def test_generated_and_compiled_modules_beside_others_are_found(root: Path) -> None:
    found, notes = find_needed(root, FILES)
    assert sorted(found) == [
        "pkg/_version.py", "pkg/fast.cpython-311.so", "pkg/gen/__init__.py", "pkg/gen/one_pb2.py",
        "top/__init__.py",
    ]  # fmt: skip
    assert notes == []
    assert all(map(is_borrowed, found.values()))
    assert not is_borrowed(KEPT)


def test_another_content_has_another_name(root: Path) -> None:
    before = find_needed(root, FILES)[0]
    (root / "pkg/_version.py").write_text("longer than before")
    after = find_needed(root, FILES)[0]
    assert [path for path in after if before[path] != after[path]] == ["pkg/_version.py"]


def test_nothing_is_taken_through_a_link(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.py").write_text("secret")
    (outside / "__init__.py").write_text("")
    (root / "pkg/linked.py").symlink_to(outside / "secret.py")
    (root / "pkg/linked").symlink_to(outside)
    found, _ = find_needed(root, {**FILES, "pkg/linked/secret2.py": KEPT})
    assert not [path for path in found if "linked" in path]
    assert read_needed(root, "pkg/linked.py", 100) is None
    assert read_needed(root, "pkg/linked/secret.py", 100) is None
    assert read_needed(root, "pkg/a.py", 100) == b"pkg/a.py"
    assert read_needed(root, "pkg/a.py", 2) is None
    assert read_needed(root, "pkg/none.py", 100) is None


def test_what_is_no_file_is_left_alone(root: Path) -> None:
    os.mkfifo(root / "pkg/fifo.py")
    assert "pkg/fifo.py" not in find_needed(root, FILES)[0]


def test_hidden_files_count_where_they_lie_on_disk(root: Path) -> None:
    found, _ = find_needed(root, FILES, ["pkg/data.json", "pkg/none.json"])
    assert "pkg/data.json" in found
    assert "pkg/none.json" not in found


def test_too_many_are_cut_with_a_word(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(needed, "MOST_NEEDED", 2)
    found, notes = find_needed(root, FILES)
    assert len(found) == 2
    assert notes == ["not all generated or compiled files were brought: there are too many"]
