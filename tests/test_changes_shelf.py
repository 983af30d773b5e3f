"""Where versions lie between runs: one run each, the owner's alone, and not without end."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from nsdbg.changes import shelf
from nsdbg.changes.repository import Blob
from nsdbg.changes.shelf import take_place, tidy
from nsdbg.changes.write import Kept


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache/nsdbg"


def fill(root: Path, tree: str, size: int = 1) -> Path:
    """Keep a version with one file of a size, and return where it lies."""
    with take_place(root, "old", tree) as place:
        (place.root / "a").write_bytes(b"x" * size)
        place.tree = tree
        place.files = {"a": Kept(Blob(0o100644, "1" * 40), size, 7)}
        place.keep()
        return place.folder


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    files = {
        "odd \n name": Kept(Blob(0o100755, "2" * 40), 3, 12345678901234567890),
        "cut": Kept(Blob(0o120000, "3" * 64)),
        os.fsdecode(b"\xff"): Kept(Blob(0o100644, "disk:1:2"), 1, 2),
    }
    with take_place(tmp_path, "old", "t") as place:
        assert (place.tree, place.files) == ("", {})
        place.tree, place.files, place.notes = "t", files, ("One.", "Two.")
        place.keep()
    with take_place(tmp_path, "old", "t") as again:
        assert (again.tree, again.files, again.notes) == ("t", files, ("One.", "Two."))
        assert again.root == place.root


def test_two_runs_at_once_get_places_of_their_own_and_the_fitting_one_first(
    tmp_path: Path,
) -> None:
    with take_place(tmp_path, "old", "t") as one, take_place(tmp_path, "old", "u") as two:
        assert one.root != two.root
        for place, tree in ((one, "t"), (two, "u")):
            place.tree = tree
            place.keep()
    with take_place(tmp_path, "old", "u") as again:
        assert (again.tree, again.root) == ("u", two.root)


def test_more_runs_than_places_get_temporary_folders(tmp_path: Path, cache: Path) -> None:
    places = [take_place(tmp_path, "old", "t") for _ in range(shelf.PLACES + 1)]
    roots = [place.__enter__().root for place in places]
    assert [root.is_relative_to(cache) for root in roots] == [True] * shelf.PLACES + [False]
    for place in places:
        place.__exit__(None, None, None)
    assert not roots[-1].exists()
    assert len(set(roots)) == len(roots)


def test_a_lock_holds_against_another_process_and_ends_with_it(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from nsdbg.changes.shelf import take_place\n"
        f"with take_place(Path({str(tmp_path)!r}), 'old', 't') as place:\n"
        "    print(place.root, flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        theirs = Path(process.stdout.readline().strip())
        with take_place(tmp_path, "old", "t") as ours:
            assert ours.root != theirs
        process.kill()
    with take_place(tmp_path, "old", "t") as after:
        assert after.root == theirs


def test_a_place_that_was_being_changed_when_a_run_was_cut_off_is_emptied(tmp_path: Path) -> None:
    fill(tmp_path, "t")
    with take_place(tmp_path, "old", "t") as place:
        place.forget()
        (place.root / "half").write_text("")
    with take_place(tmp_path, "old", "t") as after:
        assert after.root == place.root
        assert (after.tree, after.files, list(after.root.iterdir())) == ("", {}, [])


@pytest.mark.parametrize(
    "content", [b"", b"nsdbg tree 0\0t\0000\0000", b"nsdbg tree 2\0t\0x", b"\xff"]
)
def test_a_broken_state_is_no_state(tmp_path: Path, content: bytes) -> None:
    folder = fill(tmp_path, "t")
    (folder / "state").write_bytes(content)
    with take_place(tmp_path, "old", "t") as place:
        assert (place.tree, place.files, list(place.root.iterdir())) == ("", {}, [])


def test_the_cache_is_the_owners_alone_and_says_what_it_is(tmp_path: Path, cache: Path) -> None:
    folder = fill(tmp_path, "t")
    for place in (cache, folder, folder / "tree"):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert (cache / ".gitignore").read_text() == "*\n"
    assert (
        (cache / "CACHEDIR.TAG")
        .read_text()
        .startswith("Signature: 8a477f597d28d172789f06886806bc55")
    )


def test_a_cache_that_others_could_write_or_that_is_a_link_is_not_used(
    tmp_path: Path, cache: Path
) -> None:
    cache.mkdir(parents=True)
    cache.chmod(0o777)
    with take_place(tmp_path, "old", "t") as place:
        assert not place.root.is_relative_to(tmp_path / "cache")
    cache.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    cache.symlink_to(tmp_path / "elsewhere")
    with take_place(tmp_path, "old", "t") as place:
        assert not place.root.is_relative_to(tmp_path / "elsewhere")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_a_cache_of_somebody_else_is_not_used(tmp_path: Path, cache: Path) -> None:
    cache.parent.mkdir()
    os.chown(cache.parent, 65530, 65530)
    with take_place(tmp_path, "old", "t") as place:
        assert not place.root.is_relative_to(cache)
    assert not cache.exists()


def test_a_cache_that_cannot_be_made_leaves_a_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with take_place(tmp_path, "old", "t") as place:
        assert place.root.is_dir()
        assert not place.root.is_relative_to(tmp_path / "file")
    assert not place.root.exists()


def test_a_relative_cache_folder_is_not_heeded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with take_place(tmp_path, "old", "t") as place:
        assert place.root.is_relative_to(tmp_path / "home/.cache/nsdbg")


def test_what_was_not_used_for_a_month_is_removed(tmp_path: Path) -> None:
    old, new = fill(tmp_path / "one", "t"), fill(tmp_path / "two", "t")
    os.utime(old / "lock", (0, 0))
    tidy()
    assert not old.exists()
    assert new.exists()


def test_the_oldest_of_what_is_too_much_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [fill(tmp_path / str(n), "t", size=100) for n in range(5)]
    now = (folders[0] / "lock").stat().st_mtime
    for n, folder in enumerate(folders):
        os.utime(folder / "lock", (now - 100 + n, now - 100 + n))
    monkeypatch.setattr(shelf, "LARGEST_CACHE", 300)
    tidy()
    assert [folder.exists() for folder in folders] == [False, False, True, True, True]
    monkeypatch.setattr(shelf, "MOST_PLACES", 1)
    tidy()
    assert [folder.exists() for folder in folders] == [False, False, False, False, True]


def test_what_is_in_use_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "MOST_PLACES", 0)
    other = fill(tmp_path / "other", "t")
    with take_place(tmp_path, "old", "t") as place:
        tidy()
        assert place.root.is_dir()
    assert not other.exists()
