"""Git is asked without running anything of a repository, and its refusals are told."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest
from made_repository import MadeRepository, make_repository

from nsdbg.changes import Files, Since, Staged, open_changes
from nsdbg.changes.git import Git
from nsdbg.errors import ChangeError

ONE = "def f(x):\n    return 1\n"
TWO = "def f(x):\n    return 2\n"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def repo(tmp_path: Path) -> MadeRepository:
    made = make_repository(tmp_path / "repo")
    made.commit(a=ONE, b=ONE)
    return made


def fake_git(folder: Path, text: str) -> None:
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\n{text}\n")
    (folder / "git").chmod(0o755)


def test_a_hostile_repository_runs_nothing(repo: MadeRepository, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    evil = f"touch {marker}; cat"
    sub = make_repository(tmp_path / "sub")
    sub.commit(s=ONE)
    repo.git("submodule", "--quiet", "add", str(sub.root), "sub")
    repo.commit()
    inner = MadeRepository(repo.root / "sub")
    inner.write(s=TWO)
    for key in (
        "filter.x.clean", "filter.x.smudge", "filter.x.process", "core.fsmonitor",
        "diff.x.textconv", "diff.external", "core.pager", "core.sshCommand", "pager.ls-files",
        "diff.x.command", "core.editor", "core.askPass", "credential.helper", "sequence.editor",
    ):  # fmt: skip
        repo.git("config", key, evil)
        inner.git("config", key, evil)
    for command in ("ls-files", "rev-parse", "cat-file", "ls-tree", "merge-base"):
        repo.git("config", f"alias.{command}", f"!{evil}")
    for name in ("post-index-change", "post-checkout", "pre-commit", "reference-transaction"):
        hook = repo.file(f".git/hooks/{name}", f"#!/bin/sh\n{evil}\n")
        hook.chmod(0o755)
    repo.git("config", "submodule.recurse", "true")
    repo.git("config", "diff.submodule", "log")
    repo.file(".gitattributes", "* filter=x diff=x merge=x text=auto\n")
    repo.file(".git/info/attributes", "* filter=x diff=x\n")
    # Changed within the clock's tick of the index: this is where git itself runs a clean filter.
    repo.write(a=TWO)
    os.utime(repo.root / ".git/index", ns=(0, (repo.root / "a.py").stat().st_mtime_ns))
    for what in (Staged(), Since("HEAD"), Files((Path("a.py"),))):
        with open_changes(repo.root, what) as changes:
            assert [one.qualname for one in changes.functions] == ["f"] * (what != Staged())
    assert not marker.exists()


def test_what_a_partial_clone_lacks_is_not_fetched(repo: MadeRepository, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.commit(a=TWO)
    repo.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", f"file://{repo.root}",
             str(tmp_path / "clone"))  # fmt: skip
    clone = MadeRepository(tmp_path / "clone")
    clone.git("config", "remote.origin.url", f"ext::sh -c 'touch {marker}'")
    clone.git("config", "protocol.ext.allow", "always")
    clone.git("config", "remote.origin.uploadpack", f"touch {marker};")
    with open_changes(clone.root, Since("HEAD~1")) as changes:
        assert changes.functions == ()
    clone.stage(a="def f(x):\n    return 3\n")
    with open_changes(clone.root, Staged()) as changes:
        assert changes.functions == ()
        assert "a.py is left out: this clone lacks it, or it is too large" in changes.notes
    assert not marker.exists()


def test_a_path_that_leads_out_of_the_repository_is_not_read(
    repo: MadeRepository, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.py").write_text(TWO)
    repo.file("d/x.py", ONE)
    repo.commit()
    (repo.root / "d/x.py").unlink()
    (repo.root / "d").rmdir()
    (repo.root / "d").symlink_to(outside)
    with open_changes(repo.root, Since("HEAD")) as changes:
        assert changes.functions == ()
    with pytest.raises(ChangeError, match="outside of the repository"):
        open_changes(repo.root, Files((Path("d/x.py"),))).__enter__()


def test_a_repository_that_names_another_working_tree_is_refused(
    repo: MadeRepository, tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    repo.git("config", "core.worktree", str(tmp_path / "home"))
    with pytest.raises(ChangeError):
        open_changes(repo.root, Staged()).__enter__()


def test_nothing_in_the_repository_is_written(repo: MadeRepository) -> None:
    def snapshot() -> dict[str, tuple[int, int]]:
        return {
            str(path): (path.stat().st_mtime_ns, path.stat().st_size)
            for path in repo.root.rglob("*")
        }

    repo.stage(a=TWO)
    os.utime(repo.root / "b.py")  # what `git status` would note in the index
    before = snapshot()
    for what in (Staged(), Since("HEAD")):
        with open_changes(repo.root, what) as changes:
            assert len(changes.functions) == 1
    assert snapshot() == before


def test_a_failing_command_is_told_in_gits_words(repo: MadeRepository) -> None:
    with pytest.raises(ChangeError, match=r"^git cat-file failed: Not a valid object name nothing"):
        Git(repo.root).run("cat-file", "blob", "nothing")


def test_words_of_git_are_made_printable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_git(tmp_path / "bin", r"printf 'fatal: \033[2Jred\n::error::x' >&2; exit 3")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert Git(tmp_path).ask("status") == (3, b"", "?[2Jred\n::error::x")


def test_git_that_does_not_end_is_stopped(
    repo: MadeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "fifo")
    fake_git(tmp_path / "bin", f"exec cat {tmp_path / 'fifo'}")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with pytest.raises(ChangeError, match=r"git ls-files did not end within 0\.1 s"):
        Git(repo.root, timeout_s=0.1).run("ls-files")
    with pytest.raises(ChangeError, match=r"git cat-file did not end within 0\.1 s"):
        list(Git(repo.root, timeout_s=0.1).blobs(["a" * 40], 100))


def test_blobs_come_in_order_with_none_for_what_is_missing_or_too_large(
    repo: MadeRepository,
) -> None:
    names = [repo.git("rev-parse", f"HEAD:{path}") for path in ("a.py", "")]
    repo.file("large", "x" * 200_000)
    repo.commit()
    large = repo.git("rev-parse", "HEAD:large")
    asked = [names[0], "0" * 40, names[1], large, names[0]]
    assert list(Git(repo.root).blobs(asked, 100)) == [
        ONE.encode(), None, None, None, ONE.encode(),
    ]  # fmt: skip
    many = list(Git(repo.root).blobs([names[0]] * 2000, 100))
    assert many == [ONE.encode()] * 2000
    assert list(Git(repo.root).blobs([], 100)) == []


def test_what_git_tells_its_hooks_counts_in_the_working_folder_alone(
    repo: MadeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other")
    other.commit(c=ONE)
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    assert Git(repo.root).run("ls-files").split() == [b"a.py", b"b.py"]
    monkeypatch.chdir(repo.root)
    assert Git(repo.root).run("ls-files").split() == [b"c.py"]


def test_other_variables_of_git_and_the_users_configuration_are_not_passed_on(
    repo: MadeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = tmp_path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "alias.x")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "!true")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".gitconfig").write_text("[alias]\n\ty = !true\n")
    assert Git(repo.root).ask("config", "--get-regexp", "alias")[:2] == (1, b"")
    assert not trace.exists()


def test_a_forged_tree_is_neither_written_nor_read_outside(
    repo: MadeRepository, tmp_path: Path
) -> None:
    blob = repo.git("rev-parse", "HEAD:a.py")
    inner = forged_tree(repo, f"100644 blob {blob}\tevil.py")
    tree = forged_tree(
        repo, f"040000 tree {inner}\t..", f"040000 tree {inner}\t.git", f"100644 blob {blob}\ta.py"
    )
    commit = repo.git("commit-tree", "-m", "Forged", tree)
    repo.write(a=TWO)
    with open_changes(repo.root, Since(commit, merge_base=False)) as changes:
        assert [one.shown for one in changes.functions] == ["a.py", "b.py"]
        assert changes.old_root is not None
        assert [path.name for path in changes.old_root.iterdir()] == ["a.py"]
    assert list(tmp_path.rglob("evil.py")) == []


def forged_tree(repo: MadeRepository, *lines: str) -> str:
    """Make a tree with names that git itself would refuse to stage."""
    content = b"".join(
        head.split(" ")[0].removeprefix("0").encode() + b" " + name.encode() + b"\0"
        + bytes.fromhex(head.split(" ")[2])
        for head, _, name in (line.partition("\t") for line in lines)
    )  # fmt: skip
    file = repo.file(".git/forged", content)
    return repo.git("hash-object", "-t", "tree", "-w", "--literally", str(file))


def test_what_is_no_file_any_more_counts_as_gone(repo: MadeRepository) -> None:
    (repo.root / "a.py").unlink()
    os.mkfifo(repo.root / "a.py")
    repo.write(b=TWO)
    with open_changes(repo.root, Since("HEAD")) as changes:
        assert [one.shown for one in changes.functions] == ["b.py"]


def test_a_huge_file_is_not_read(repo: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.file("data.bin", "x" * 100)
    repo.commit()
    repo.stage(a=TWO)
    repo.file("data.bin", "y" * 100)
    monkeypatch.setattr("nsdbg.changes.repository.LARGEST_FILE", 50)
    monkeypatch.setattr("nsdbg.changes.texts.LARGEST_SOURCE", 200)
    with open_changes(repo.root, Staged()) as changes:
        assert changes.root != repo.root
        assert (changes.root / "data.bin").read_text() == "x" * 100
    repo.write(b="# long\n" * 50)
    with open_changes(repo.root, Since("HEAD")) as changes:
        assert changes.notes == ("b.py is left out: this clone lacks it, or it is too large",)


def test_a_full_disk_is_told(repo: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    repo.stage(a=TWO)
    monkeypatch.setattr("nsdbg.changes.write._put", full)
    with pytest.raises(
        ChangeError, match=r"cannot be written below .*No space left.*XDG_CACHE_HOME"
    ):
        open_changes(repo.root, Staged()).__enter__()


def test_a_file_that_is_to_be_ignored_is_known_before_it_is_there(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / ".gitignore").write_text("_version.py\n:odd.py\n")
    asked = Git(tmp_path)
    names = ("shop/_version.py", ":odd.py", "shop/rows.py")
    assert [asked.ignores(name) for name in names] == [True, True, False]
