"""Versions written into a folder: nothing leaves it, and little is written twice."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.changes import write
from nsdbg.changes.repository import LINK, SUBMODULE, Blob, is_inside
from nsdbg.changes.write import Written, write_tree

FILE = 0o100644


class Store:
    """Contents by name; counts what is asked for."""

    def __init__(self, **contents: bytes) -> None:
        self.contents = contents
        self.asked: list[str] = []

    def fetch(self, wanted: Sequence[tuple[str, Blob]], largest: int) -> Iterator[bytes | None]:
        for path, blob in wanted:
            self.asked.append(path)
            yield self.contents.get(blob.name)


def files_in(folder: Path) -> dict[str, bytes | str]:
    return {
        str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


@pytest.fixture
def store() -> Store:
    return Store(one=b"1", two=b"2", up=b"../../secret", side=b"a.py", near=b"d/..")


def test_only_what_differs_is_written_and_what_went_is_removed(
    tmp_path: Path, store: Store
) -> None:
    one, two = Blob(FILE, "one"), Blob(FILE, "two")
    first = write_tree(tmp_path, {"a.py": one, "d/e/b.py": one, "d/c": two}, {}, store.fetch)
    assert files_in(tmp_path) == {"a.py": b"1", "d/e/b.py": b"1", "d/c": b"2"}
    store.asked.clear()
    second = write_tree(tmp_path, {"a.py": two, "d/c": two}, first.files, store.fetch)
    assert store.asked == ["a.py"]
    assert files_in(tmp_path) == {"a.py": b"2", "d/c": b"2"}
    assert not (tmp_path / "d/e").exists()
    assert second.size_bytes == 2
    assert second.notes == []


def test_files_are_the_owners_alone_and_keep_their_right_to_run(
    tmp_path: Path, store: Store
) -> None:
    wanted = {"d/a": Blob(FILE, "one"), "b": Blob(0o100755, "one")}
    write_tree(tmp_path, wanted, {}, store.fetch)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("d", "d/a", "b")]
    assert modes == [0o700, 0o600, 0o700]


def test_links_stay_only_when_they_stay_inside(tmp_path: Path, store: Store) -> None:
    folder = tmp_path / "x/y"
    folder.mkdir(parents=True)
    wanted = {
        "a.py": Blob(FILE, "one"), "d/in": Blob(LINK, "near"), "l.py": Blob(LINK, "side"),
        "out": Blob(LINK, "up"),
    }  # fmt: skip
    written = write_tree(folder, wanted, {}, store.fetch)
    assert files_in(folder) == {"a.py": b"1", "d/in": "d/..", "l.py": "a.py"}
    assert written.notes == ["out left out: a link out of the repository"]
    store.asked.clear()
    write_tree(folder, wanted, written.files, store.fetch)
    assert store.asked == []


def test_a_link_that_leads_out_through_another_one_goes(tmp_path: Path) -> None:
    folder = tmp_path / "tree"
    folder.mkdir()
    store = Store(root=b"..", out=b"d/l/../secret")
    wanted = {"d/l": Blob(LINK, "root"), "escape": Blob(LINK, "out")}
    written = write_tree(folder, wanted, {}, store.fetch)
    assert list(files_in(folder)) == ["d/l"]
    assert written.notes == ["escape left out: a link out of the repository"]


def test_a_forged_tree_does_not_write_through_its_own_link(tmp_path: Path, store: Store) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a").symlink_to(outside)
    write_tree(folder, {"a/x.py": Blob(FILE, "one")}, {}, store.fetch)
    assert list(outside.iterdir()) == []
    assert files_in(folder) == {"a/x.py": b"1"}


def test_a_file_takes_the_place_of_a_folder_and_the_other_way_round(
    tmp_path: Path, store: Store
) -> None:
    first = write_tree(tmp_path, {"a/b": Blob(FILE, "one")}, {}, store.fetch)
    (tmp_path / "a/__pycache__").mkdir()
    second = write_tree(tmp_path, {"a": Blob(FILE, "two")}, first.files, store.fetch)
    assert files_in(tmp_path) == {"a": b"2"}
    write_tree(tmp_path, {"a/b": Blob(FILE, "one")}, second.files, store.fetch)
    assert files_in(tmp_path) == {"a/b": b"1"}


def test_submodules_are_no_files_and_missing_contents_are_told(
    tmp_path: Path, store: Store
) -> None:
    wanted = {"sub": Blob(SUBMODULE, "one"), "gone": Blob(FILE, "nothing"), "a": Blob(FILE, "one")}
    written = write_tree(tmp_path, wanted, {}, store.fetch)
    assert files_in(tmp_path) == {"a": b"1"}
    assert written.notes == ["gone left out of a version's files: missing, or too much to copy"]


def test_what_is_too_much_is_cut_python_last(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "LARGEST_TREE", 2)
    one = Blob(FILE, "one")
    written = write_tree(
        tmp_path, {"a.txt": one, "b.txt": one, "c.txt": one, "d.txt": one, "z.py": one}, {},
        store.fetch,
    )  # fmt: skip
    assert files_in(tmp_path) == {"z.py": b"1", "a.txt": b"1"}
    assert written.notes == [
        "b.txt, c.txt, d.txt left out of a version's files: missing, or too much to copy"
    ]
    monkeypatch.setattr(write, "MOST_FILES", 1)
    again = write_tree(tmp_path, {f"{n}": one for n in range(6)}, written.files, store.fetch)
    assert files_in(tmp_path) == {"0": b"1"}
    assert "1, 2, 3 and 2 more left out" in again.notes[0]


def test_a_name_that_cannot_be_here_is_left_out(tmp_path: Path, store: Store) -> None:
    wanted = {"n" * 300: Blob(FILE, "one"), "a": Blob(FILE, "two")}
    written = write_tree(tmp_path, wanted, {}, store.fetch)
    assert files_in(tmp_path) == {"a": b"2"}
    assert len(written.notes) == 1


@pytest.mark.parametrize(
    "path",
    [b"../x", b"/etc/x", b"a/../b", b"a//b", b".git/config", b"a/.GIT/hooks", b".git./x",
     b"git~1/x", b"./a", b"", b"a/"],
)  # fmt: skip
def test_paths_that_would_leave_or_enter_gits_folder_are_refused(path: bytes) -> None:
    assert not is_inside(path)


@pytest.mark.parametrize(
    "path", [b"a", b"a/b.py", b".github/x", b"..a/b..", b"git/x", b".gitignore"]
)
def test_other_paths_are_taken(path: bytes) -> None:
    assert is_inside(path)


NAMES = st.sampled_from(["a", "b", "a/c", "a/d", "b/c", "e/f/g"])
BLOBS = st.builds(Blob, st.sampled_from([FILE, 0o100755, LINK]), st.sampled_from(["one", "two"]))


def sound(tree: dict[str, Blob]) -> dict[str, Blob]:
    """Leave out files that stand where others need a folder, as no tree of git's has them."""
    return {
        path: blob for path, blob in tree.items()
        if not any(other.startswith(f"{path}/") for other in tree)
    }  # fmt: skip


@given(st.lists(st.dictionaries(NAMES, BLOBS).map(sound), max_size=4))
def test_whatever_was_there_a_folder_comes_to_hold_the_version(
    tmp_path_factory: pytest.TempPathFactory, trees: list[dict[str, Blob]]
) -> None:
    folder = tmp_path_factory.mktemp("tree")
    store = Store(one=b"1", two=b"2")
    written = Written()
    for tree in trees:
        written = write_tree(folder, tree, written.files, store.fetch)
        assert set(files_in(folder)) == set(tree)
        assert all((folder / path).is_symlink() == (blob.mode == LINK)
                   for path, blob in tree.items())  # fmt: skip
