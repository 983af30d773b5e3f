"""Changes of real repositories, opened: what is touched, and where both versions lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from made_repository import MadeRepository, make_repository

from nsdbg.changes import Changed, ChangeSet, Files, Since, Staged, open_changes
from nsdbg.changes.changed import What
from nsdbg.errors import ChangeError

ONE = "def f(x):\n    return 1\n"
TWO = "def f(x):\n    return 2\n"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    return tmp_path / "cache"


@pytest.fixture
def repo(tmp_path: Path) -> MadeRepository:
    return make_repository(tmp_path / "repo")


def opened(repo: MadeRepository, what: What | None = None, folder: str = "") -> ChangeSet:
    """Return a change after both versions were found to lie where it says."""
    with open_changes(repo.root / folder, what or Staged()) as changes:
        for one in changes.functions:
            assert one.file.is_file()
            assert one.file.is_relative_to(changes.root)
            if one.old_file is not None:
                assert changes.old_root is not None
                assert one.old_file.is_file()
                assert one.old_file.is_relative_to(changes.old_root)
        return changes


def names(changes: ChangeSet) -> list[tuple[str, str, str | None]]:
    return [(one.shown, one.qualname, one.old_qualname) for one in changes.functions]


def test_a_staged_change_is_the_working_tree_against_head(repo: MadeRepository) -> None:
    repo.commit(a=ONE, b=ONE)
    repo.stage(a=TWO)
    with open_changes(repo.root, Staged()) as changes:
        assert changes.root == repo.root
        assert (changes.new_name, changes.old_name) == ("the staged version", "HEAD")
        (one,) = changes.functions
        assert one == Changed(
            repo.root / "a.py", "f", "a.py", frozenset({2}), one.old_file, "f", ()
        )
        assert one.old_file is not None
        assert one.old_file.read_text() == ONE
        assert (one.old_file.parent / "b.py").read_text() == ONE
        assert changes.lines == (("a.py", frozenset({2})),)
        assert changes.touches("a.py", 2)
        assert not changes.touches("a.py", 1)
        assert changes.notes == ()


def test_what_is_staged_counts_and_not_what_is_on_disk(repo: MadeRepository) -> None:
    repo.commit(a=ONE, b=ONE)
    repo.stage(a=TWO)
    repo.write(a="def f(x):\n    return 3\n", b=TWO)
    repo.file("new.py", ONE)
    with open_changes(repo.root, Staged()) as changes:
        (one,) = changes.functions
        assert changes.root != repo.root
        assert one.file.read_text() == TWO
        assert (changes.root / "b.py").read_text() == ONE
        assert one.old_file is not None
        assert one.old_file.read_text() == ONE


def test_the_next_change_is_written_over_the_last_one(repo: MadeRepository, cache: Path) -> None:
    repo.commit(a=ONE, b=ONE, gone=ONE)
    repo.stage(a=TWO)
    first = opened(repo)
    assert first.old_root is not None
    kept = (first.old_root / "b.py").stat().st_mtime_ns
    (repo.root / "gone.py").unlink()
    repo.commit(c=TWO)
    repo.stage(a=ONE)
    second = opened(repo)
    assert second.old_root == first.old_root
    assert sorted(path.name for path in first.old_root.iterdir()) == ["a.py", "b.py", "c.py"]
    assert (first.old_root / "a.py").read_text() == TWO
    assert (first.old_root / "b.py").stat().st_mtime_ns == kept


def test_a_damaged_cache_is_mended(repo: MadeRepository) -> None:
    repo.commit(a=ONE, b=ONE, c=ONE)
    repo.stage(a=TWO)
    root = opened(repo).old_root
    assert root is not None
    (root / "b.py").unlink()
    (root / "c.py").write_text("broken")
    assert opened(repo).old_root == root
    assert (root / "b.py").read_text() == (root / "c.py").read_text() == ONE


def test_nothing_is_written_when_no_function_differs(repo: MadeRepository, cache: Path) -> None:
    repo.commit(a=ONE)
    repo.stage(a=f"# A comment.\n{ONE}")
    changes = opened(repo)
    assert changes.functions == ()
    assert changes.lines == (("a.py", frozenset({1})),)
    assert list(cache.rglob("*.py")) == []


def test_before_the_first_commit_everything_is_new(repo: MadeRepository) -> None:
    repo.stage(a=ONE)
    changes = opened(repo)
    assert names(changes) == [("a.py", "f", None)]
    assert (changes.old_root, changes.old_name) == (None, "nothing")
    assert names(opened(repo, Files((Path("a.py"),)))) == [("a.py", "f", None)]


def test_an_empty_repository_has_no_change(repo: MadeRepository) -> None:
    changes = opened(repo)
    assert (changes.functions, changes.lines, changes.notes) == ((), (), ())


def test_a_renamed_file_is_held_against_its_old_self(repo: MadeRepository) -> None:
    text = "".join(f"def f{n}(x):\n    return {n}\n\n\n" for n in range(9))
    repo.commit(old=text)
    repo.git("mv", "old.py", "new.py")
    assert opened(repo).functions == ()
    repo.stage(new=text.replace("return 3", "return 33"))
    changes = opened(repo)
    assert names(changes) == [("new.py", "f3", "f3")]
    assert changes.functions[0].old_file is not None
    assert changes.functions[0].old_file.name == "old.py"
    assert changes.functions[0].lines == frozenset({14})


def test_a_function_that_moved_is_held_against_its_old_place(repo: MadeRepository) -> None:
    body = "    if not x:\n        return []\n    return sorted(x)\n"
    repo.commit(a=f"def f(x):\n{body}\n\ndef g(x):\n    return 1\n", b="")
    repo.stage(a="def g(x):\n    return 1\n", b=f"def f(x):\n{body}")
    (one,) = opened(repo).functions
    assert (one.shown, one.qualname, one.old_qualname) == ("b.py", "f", "f")
    assert one.old_file is not None
    assert one.old_file.name == "a.py"


def test_a_deleted_file_touches_nothing(repo: MadeRepository) -> None:
    repo.commit(a=ONE, b=ONE)
    repo.git("rm", "--quiet", "a.py")
    changes = opened(repo)
    assert (changes.functions, changes.lines, changes.notes) == ((), (), ())


def test_a_file_with_a_syntax_error_is_left_out_with_a_word(repo: MadeRepository) -> None:
    repo.commit(a=ONE, b=ONE)
    repo.stage(a="def f(:\n", b=TWO)
    changes = opened(repo)
    assert names(changes) == [("b.py", "f", "f")]
    assert changes.notes == ("a.py does not parse and is left out (invalid syntax, line 1)",)


def test_notebooks_binary_files_links_and_submodules_are_left_out_with_a_word(
    repo: MadeRepository, tmp_path: Path
) -> None:
    other = make_repository(tmp_path / "other")
    other.commit(a=ONE)
    repo.commit(a=ONE)
    repo.file("n.ipynb", "{}")
    repo.file("binary.py", b"\0\1")
    repo.file("latin.py", b"x = '\xe9'\n")
    repo.file("logo.png", b"\0")
    (repo.root / "link.py").symlink_to("a.py")
    repo.git("submodule", "--quiet", "add", str(other.root), "sub")
    repo.stage(a=TWO)
    changes = opened(repo)
    assert names(changes) == [("a.py", "f", "f")]
    assert sorted(changes.notes) == [
        "binary.py is left out: it is binary",
        "latin.py is left out: invalid or missing encoding declaration",
        "link.py is a symbolic link, and left out",
        "n.ipynb is a notebook, and left out",
        "sub is a submodule: what changes in it is left out",
    ]


def test_encodings_and_byte_order_marks_are_pythons(repo: MadeRepository) -> None:
    latin = "# coding: latin-1\ndef f(x):\n    return '\xe9{}'\n"
    repo.file("latin.py", latin.format(1).encode("latin-1"))
    repo.file("bom.py", ONE.encode("utf-8-sig"))
    repo.commit()
    repo.file("latin.py", latin.format(2).encode("latin-1"))
    repo.file("bom.py", TWO.encode("utf-8-sig"))
    repo.stage()
    changes = opened(repo)
    assert names(changes) == [("bom.py", "f", "f"), ("latin.py", "f", "f")]
    assert [one.lines for one in changes.functions] == [frozenset({2}), frozenset({3})]


def test_other_line_ends_and_another_mode_change_nothing(repo: MadeRepository) -> None:
    repo.commit(a=ONE, b=ONE)
    repo.file("a.py", ONE.replace("\n", "\r\n"))
    os.chmod(repo.root / "b.py", 0o755)
    repo.stage()
    changes = opened(repo)
    assert changes.functions == ()
    assert changes.lines == (("a.py", frozenset()),)
    assert opened(repo, Since("HEAD")).functions == ()


def test_line_ends_that_git_writes_otherwise_are_what_is_staged(repo: MadeRepository) -> None:
    repo.file(".gitattributes", "*.py text eol=crlf\n")
    repo.commit(a=ONE, b=ONE)
    (repo.root / "b.py").unlink()
    repo.git("checkout", "--", "b.py")
    assert b"\r\n" in (repo.root / "b.py").read_bytes()
    os.utime(repo.root / "b.py")
    repo.stage(a=TWO)
    assert opened(repo).root == repo.root


def test_odd_names_are_read_as_they_are(repo: MadeRepository) -> None:
    paths = ["with space.py", "ümlaut.py", "new\nline.py", "-dash.py", ":colon.py", 'q"uote\t.py']
    for path in paths:
        repo.file(f"d ir/{path}", ONE)
    raw = os.fsdecode(b"d ir/\xff.py")
    repo.file(raw, ONE)
    repo.commit()
    for path in paths:
        repo.file(f"d ir/{path}", TWO)
    repo.file(raw, TWO)
    repo.stage()
    expected = sorted([raw, *(f"d ir/{path}" for path in paths)])
    assert [one.shown for one in opened(repo).functions] == expected
    assert [one.shown for one in opened(repo, Since("HEAD")).functions] == expected


def test_a_root_with_an_odd_name_and_a_subfolder_serve(tmp_path: Path) -> None:
    repo = make_repository(tmp_path / "a\nb c\n")
    repo.file("deep/er/a.py", ONE)
    repo.commit(top=ONE)
    repo.file("deep/er/a.py", TWO)
    repo.stage(top=TWO)
    changes = opened(repo, folder="deep/er")
    assert changes.root == repo.root
    assert [one.shown for one in changes.functions] == ["deep/er/a.py", "top.py"]


def test_a_file_that_the_change_adds_is_not_in_the_old_version(repo: MadeRepository) -> None:
    repo.file(".gitignore", "_version.py\n")
    repo.commit(a=ONE)
    repo.stage(a=TWO, added=ONE, _version=ONE)
    repo.write(untracked=ONE)
    root = opened(repo).old_root
    assert root is not None
    names_in = {path.name for path in root.iterdir()}
    assert names_in == {"a.py", ".gitignore", "_version.py", "untracked.py"}
    root = opened(repo, Since("HEAD")).old_root
    assert root is not None
    assert {path.name for path in root.iterdir()} == {"a.py", ".gitignore", "_version.py"}


def test_a_file_that_git_was_told_not_to_look_at_is_taken_from_disk(repo: MadeRepository) -> None:
    repo.commit(a=ONE, mine=ONE, theirs=ONE)
    repo.git("update-index", "--skip-worktree", "mine.py")
    repo.git("update-index", "--assume-unchanged", "theirs.py")
    repo.write(mine="# mine\n", theirs="# theirs\n", a=TWO)
    repo.git("add", "a.py")
    for what in (Staged(), Since("HEAD")):
        changes = opened(repo, what)
        assert names(changes) == [("a.py", "f", "f")]
        assert changes.root == repo.root
        assert changes.old_root is not None
        assert (changes.old_root / "mine.py").read_text() == "# mine\n"
        assert (changes.old_root / "theirs.py").read_text() == "# theirs\n"


# What is on disk.


def test_since_a_revision_counts_what_is_on_disk_and_new_files_that_are_not_ignored(
    repo: MadeRepository,
) -> None:
    base = repo.commit(a=ONE, b=ONE, c=ONE)
    repo.file(".gitignore", "ignored.py\n")
    repo.commit(a=TWO)
    repo.write(b=TWO, new="def g():\n    return {}\n", ignored=ONE)
    (repo.root / "c.py").unlink()
    changes = opened(repo, Since(base))
    assert names(changes) == [("a.py", "f", "f"), ("b.py", "f", "f"), ("new.py", "g", None)]
    assert (changes.root, changes.new_name) == (repo.root, "the working tree")
    assert changes.old_name == base
    assert changes.old_root is not None
    assert not (changes.old_root / "new.py").exists()
    assert (changes.old_root / "ignored.py").exists()


def test_since_a_branch_is_since_it_was_left(repo: MadeRepository) -> None:
    repo.commit(a=ONE, b=ONE)
    repo.git("branch", "topic")
    repo.commit(b=TWO)
    repo.git("checkout", "--quiet", "topic")
    repo.commit(a=TWO)
    assert names(opened(repo, Since("main"))) == [("a.py", "f", "f")]
    both = names(opened(repo, Since("main", merge_base=False)))
    assert both == [("a.py", "f", "f"), ("b.py", "f", "f")]


def test_named_files_and_folders_alone_count(repo: MadeRepository) -> None:
    repo.file("d/a.py", ONE)
    repo.commit(a=ONE, b=ONE)
    repo.file("d/a.py", TWO)
    repo.file(".gitignore", "e.py\n")
    repo.write(a=TWO, b=TWO, e=ONE)
    assert names(opened(repo, Files((Path("b.py"), Path("d"))))) == [
        ("b.py", "f", "f"), ("d/a.py", "f", "f"),
    ]  # fmt: skip
    assert names(opened(repo, Files((Path("a.py"),)), folder="d")) == [("d/a.py", "f", "f")]
    assert names(opened(repo, Files((repo.root / "e.py",)))) == [("e.py", "f", None)]
    assert len(opened(repo, Files((Path("."),))).functions) == 3


def test_named_files_that_are_nowhere_are_refused(repo: MadeRepository, tmp_path: Path) -> None:
    repo.commit(a=ONE)
    with pytest.raises(ChangeError, match=r"no file no\.py"):
        opened(repo, Files((Path("no.py"),)))
    with pytest.raises(ChangeError, match="outside of the repository"):
        opened(repo, Files((tmp_path,)))


# States of a repository.


def test_a_merge_is_held_against_head_and_conflicts_are_left_out(repo: MadeRepository) -> None:
    repo.commit(a=ONE, b=ONE, c=ONE)
    repo.git("branch", "side")
    repo.commit(a=TWO)
    repo.git("checkout", "--quiet", "side")
    repo.commit(a="def f(x):\n    return 3\n", b=TWO)
    with pytest.raises(Exception, match="merge"):
        repo.git("merge", "main")
    repo.write(c=TWO)
    repo.git("add", "c.py")
    changes = opened(repo)
    assert names(changes) == [("c.py", "f", "f")]
    assert changes.notes[0].startswith("a merge is under way")
    assert "a.py has conflicts, and is left out" in changes.notes
    assert names(opened(repo, Since("HEAD"))) == [("c.py", "f", "f")]


def test_a_detached_head_and_a_worktree_serve(repo: MadeRepository, tmp_path: Path) -> None:
    repo.commit(a=ONE)
    repo.git("checkout", "--quiet", "--detach")
    repo.stage(a=TWO)
    assert names(opened(repo)) == [("a.py", "f", "f")]
    repo.git("worktree", "add", "--quiet", str(tmp_path / "tree"), "HEAD")
    tree = MadeRepository(tmp_path / "tree")
    tree.stage(a="def f(x):\n    return 3\n")
    changes = opened(tree)
    assert names(changes) == [("a.py", "f", "f")]
    assert changes.root == tree.root


def test_a_file_that_is_only_meant_to_be_added_is_not_staged(repo: MadeRepository) -> None:
    repo.commit(a=ONE)
    repo.write(b=ONE)
    repo.git("add", "--intent-to-add", "b.py")
    repo.write(a=TWO)
    repo.git("add", "a.py")
    assert names(opened(repo)) == [("a.py", "f", "f")]
    assert names(opened(repo, Since("HEAD"))) == [("a.py", "f", "f"), ("b.py", "f", None)]


def test_what_a_sparse_checkout_leaves_out_is_neither_gone_nor_written(
    repo: MadeRepository,
) -> None:
    repo.file("in/a.py", ONE)
    repo.file("out/b.py", ONE)
    repo.commit()
    repo.git("sparse-checkout", "set", "in")
    repo.file("in/a.py", TWO)
    repo.git("add", "in/a.py")
    for what in (Staged(), Since("HEAD")):
        changes = opened(repo, what)
        assert names(changes) == [("in/a.py", "f", "f")]
        assert changes.root == repo.root
        assert changes.old_root is not None
        assert not (changes.old_root / "out").exists()


def test_an_index_of_its_own_that_git_tells_a_hook_is_used(
    repo: MadeRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(a=ONE, b=ONE)
    repo.write(a=TWO, b=TWO)
    script = repo.file(
        "hook.sh", "#!/bin/sh\nprintf '%s' \"$GIT_INDEX_FILE\" > told\ncp $GIT_INDEX_FILE kept\n"
    )
    script.chmod(0o755)
    hook = repo.root / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.symlink_to(script)
    repo.git("commit", "--quiet", "--message", "Only b", "b.py")
    assert (repo.root / "told").read_text() != ".git/index"
    repo.git("reset", "--quiet", "--soft", "HEAD^")
    repo.git("reset", "--quiet")
    monkeypatch.chdir(repo.root)
    monkeypatch.setenv("GIT_INDEX_FILE", "kept")
    assert names(opened(repo)) == [("b.py", "f", "f")]
    monkeypatch.chdir("/")
    assert opened(repo).functions == ()


# What cannot be opened.


def test_outside_of_git_says_so(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    with pytest.raises(ChangeError, match="is in no git repository"):
        opened(MadeRepository(tmp_path / "plain"))
    with pytest.raises(ChangeError, match="is no folder"):
        opened(MadeRepository(tmp_path / "none"))


def test_without_git_says_so(repo: MadeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repo.root))
    with pytest.raises(ChangeError, match="git is not on PATH"):
        opened(repo)


def test_a_bare_repository_and_gits_own_folder_say_so(repo: MadeRepository, tmp_path: Path) -> None:
    bare = make_repository(tmp_path / "bare", "--bare")
    for folder in (bare.root, repo.root / ".git"):
        with pytest.raises(ChangeError, match="no working tree"):
            opened(MadeRepository(folder))


def test_an_unknown_revision_and_a_range_say_so(repo: MadeRepository) -> None:
    repo.commit(a=ONE)
    with pytest.raises(ChangeError, match=r"no revision nowhere here .*name a branch"):
        opened(repo, Since("nowhere"))
    with pytest.raises(ChangeError, match=r"no revision origin/main .*fetch it"):
        opened(repo, Since("origin/main"))
    with pytest.raises(ChangeError, match="is a range"):
        opened(repo, Since("HEAD~1..HEAD"))
    with pytest.raises(ChangeError, match="no revision --all"):
        opened(repo, Since("--all"))


def test_unrelated_histories_say_so(repo: MadeRepository) -> None:
    repo.commit(a=ONE)
    repo.git("checkout", "--quiet", "--orphan", "other")
    repo.commit(b=ONE)
    with pytest.raises(ChangeError, match="main and HEAD have no commit in common; name"):
        opened(repo, Since("main"))


def test_a_shallow_clone_without_the_base_says_how_to_fetch_it(
    repo: MadeRepository, tmp_path: Path
) -> None:
    base = repo.commit(a=ONE)
    repo.git("branch", "topic")
    repo.commit(a=TWO)
    repo.git("checkout", "--quiet", "topic")
    repo.commit(b=ONE)
    repo.git("clone", "--quiet", "--depth=1", "--no-single-branch", f"file://{repo.root}",
             str(tmp_path / "clone"))  # fmt: skip
    clone = MadeRepository(tmp_path / "clone")
    with pytest.raises(ChangeError, match=r"shallow.*fetch-depth: 0"):
        opened(clone, Since("origin/main"))
    with pytest.raises(ChangeError, match=r"shallow.*fetch-depth: 0"):
        opened(clone, Since(base))
    assert opened(clone, Since("HEAD")).functions == ()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_a_repository_of_somebody_else_is_opened_only_when_the_user_said_so(
    repo: MadeRepository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit(a=ONE)
    repo.stage(a=TWO)
    for place in (repo.root, repo.root / ".git"):
        os.chown(place, 65530, 65530)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    with pytest.raises(ChangeError, match=r"dubious ownership .*safe\.directory"):
        opened(repo)
    (tmp_path / ".gitconfig").write_text(f'[safe]\n\tdirectory = "{repo.root}"\n')
    assert names(opened(repo)) == [("a.py", "f", "f")]
