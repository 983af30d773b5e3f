"""Changes of random histories, held against what git's own commands write and compare."""

from __future__ import annotations

import os
import random
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from made_repository import MadeRepository, make_repository

from nsdbg.changes import ChangeSet, Since, Staged, open_changes

PATHS = ("a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "pkg/deep/d.py", "data.txt", "pkg/e.json")
Content = tuple[str, bytes | str]


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def source(rng: random.Random) -> str:
    """Return a module of fixed length, so that a change is seen in its content alone."""
    values = [rng.randrange(10) for _ in range(3)]
    return "".join(f"def f{n}(x):\n    return {value}\n" for n, value in enumerate(values))


def step(repo: MadeRepository, rng: random.Random) -> None:
    path = rng.choice(PATHS)
    place = repo.root / path
    match rng.randrange(9):
        case 0 | 1 | 2:
            if place.is_symlink():
                place.unlink()
            repo.file(path, source(rng))
        case 3 if place.is_file():
            place.unlink()
        case 4 if place.is_file() and not place.is_symlink():
            place.chmod(rng.choice([0o644, 0o755]))
        case 5 if place.is_file() and not place.is_symlink():
            plain_ends = place.read_bytes().replace(b"\r", b"")
            repo.file(path, plain_ends.replace(b"\n", b"\r\n"))
        case 6:
            place.unlink(missing_ok=True)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(rng.choice(["a.py", "../a.py", "/etc/passwd", "../../../x"]))
        case 7:
            repo.git("add", "--all")
        case 8 if repo.git("ls-files", "--", path):
            repo.git("add", "--all", "--", path)
        case _:
            pass


def tree_on_disk(root: Path) -> dict[str, Content]:
    found: dict[str, Content] = {}
    for folder, names, files in os.walk(root):
        if ".git" in names:
            names.remove(".git")
        for name in (*files, *(one for one in names if (Path(folder) / one).is_symlink())):
            path = Path(folder) / name
            shown = path.relative_to(root).as_posix()
            if path.is_symlink():
                found[shown] = ("link", os.readlink(path))
            else:
                mode = "run" if path.stat().st_mode & 0o100 else "file"
                found[shown] = (mode, path.read_bytes())
    return found


def tree_of_git(repo: MadeRepository, tree: str) -> dict[str, Content]:
    """Return what `git archive` writes of a tree, but for the links that lead out of it."""
    file = repo.root / ".git/tree.tar"
    repo.git("archive", "--format=tar", f"--output={file}", tree)
    found: dict[str, Content] = {}
    with tarfile.open(fileobj=BytesIO(file.read_bytes())) as archive:
        for member in archive.getmembers():
            if member.issym():
                target = os.path.normpath(
                    os.path.join(os.path.dirname(member.name), member.linkname)
                )
                if not target.startswith(("/", "..")):
                    found[member.name] = ("link", member.linkname)
            elif member.isfile():
                content = archive.extractfile(member)
                assert content is not None
                mode = "run" if member.mode & 0o100 else "file"
                found[member.name] = (mode, content.read())
    return found


def differing(repo: MadeRepository, *arguments: str) -> set[str]:
    """Return the regular Python files that git finds to differ, and that are still there."""
    text = repo.git("diff", "--no-renames", "--raw", "-z", *arguments, "--", "*.py")
    fields = text.split("\0")
    found = set()
    for head, path in zip(fields[::2], fields[1::2], strict=False):
        old, new, before, now, _ = head.lstrip(":").split(" ")
        links = "120000" in (old, new)
        same = before == now and not now.startswith("0000")
        if new != "000000" and not links and not same:
            found.add(path)
    return found


def plain(repo: MadeRepository, path: str, revision: str | None = None) -> str:
    """Return a text without regard to its line ends, "" where there is none."""
    if revision is None:
        text = (repo.root / path).read_text()
    else:
        there = repo.git("ls-tree", "-r", "--name-only", revision).splitlines()
        text = repo.git("show", f"{revision}:{path}") if path in there else ""
    return text.replace("\r\n", "\n").strip()


def seen(content: Content | None) -> bytes | str:
    """Return what Python sees of a file: neither its mode nor its line ends."""
    assert content is not None
    data = content[1]
    return data.replace(b"\r\n", b"\n") if isinstance(data, bytes) else data


def held(changes: ChangeSet) -> set[str]:
    return {path for path, _ in changes.lines}


@pytest.mark.parametrize("seed", range(int(os.environ.get("NSDBG_SEEDS", "3"))))
def test_trees_and_differences_are_those_of_git(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    repo = make_repository(tmp_path / "repo")
    repo.file("a.py", source(rng))
    repo.commit()
    for _ in range(6):
        for _ in range(rng.randrange(1, 9)):
            step(repo, rng)
        staged = tree_of_git(repo, repo.git("write-tree"))
        with open_changes(repo.root, Staged()) as changes:
            assert held(changes) == differing(repo, "--cached", "HEAD")
            if changes.functions:
                assert changes.old_root is not None
                old = tree_on_disk(changes.old_root)
                head = tree_of_git(repo, "HEAD")
                assert {path: old.get(path) for path in head} == head
                others = repo.git("ls-files", "--others", "-z").split("\0")
                assert old.keys() - head.keys() <= set(others)
                if changes.root != repo.root:
                    new = tree_on_disk(changes.root)
                    assert {path: new.get(path) for path in staged} == staged
            if changes.root == repo.root and changes.functions:
                here = tree_on_disk(repo.root)
                assert {path: seen(here.get(path)) for path in staged} == {
                    path: seen(content) for path, content in staged.items()
                }
        with open_changes(repo.root, Since("HEAD")) as changes:
            untracked = {
                path for path in repo.git("ls-files", "--others", "-z").split("\0")
                if path.endswith(".py") and not (repo.root / path).is_symlink()
            }  # fmt: skip
            known = differing(repo, "HEAD")
            # Python sees no line ends; git does.
            ends = {path for path in known if plain(repo, path) == plain(repo, path, "HEAD")}
            assert held(changes) - untracked <= known
            assert known - ends - untracked <= held(changes)
        if rng.random() < 0.4:
            repo.git("commit", "--quiet", "--allow-empty", "--message", "A commit")
