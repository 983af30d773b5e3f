"""Git, asked without running anything of the repository: its tree may be hostile.

Only reading commands.  No hooks, pagers, filters, external diffs, file monitors or configured
helpers run, and nothing is fetched.  Filters and text conversions cannot be switched off by name,
so nobody here may ask for what compares or writes files on disk (`git diff`, `git status`,
`git diff-files`, `git checkout`), nor for what looks into submodules.
"""

from __future__ import annotations

import contextlib
import copy
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from nsdbg.errors import ChangeError

TIMEOUT_S = 30.0
# Each of these names a program that the repository's own configuration could set.
SAFE = (
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.pager=cat",
    "-c", "core.sshCommand=false", "-c", "core.askPass=", "-c", "credential.helper=",
    "-c", "diff.external=", "-c", "core.attributesFile=/dev/null", "-c", "protocol.allow=never",
    "-c", "log.showSignature=false", "-c", "gpg.program=false", "-c", "core.editor=false",
    "-c", "core.untrackedCache=false", "-c", "blame.ignoreRevsFile=",
)  # fmt: skip
# Where a repository is looked for, and for whom `sudo` runs: the user's to say, in any case.
_KEPT = ("GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "SUDO_UID", "SYSTEMROOT")
# What git tells its hooks of the repository they run for; paths, relative to the working folder.
_TOLD = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY")
_NOT_OURS = "dubious ownership"
# Names are written in portions that a pipe holds, so that neither side waits for the other.
_PORTION = 400
# How often git may give up at a content that a partial clone lacks; it may lack thousands.
MOST_RESTARTS = 20


class Git:
    """Git for one folder.

    Where the folder is the working folder, what git tells its hooks by GIT_DIR, GIT_INDEX_FILE
    and the like is passed on: `git commit -a` has its own index.
    """

    def __init__(self, folder: Path, timeout_s: float = TIMEOUT_S) -> None:
        self.folder = folder
        self._timeout_s = timeout_s
        self._environment = _environment(folder)
        self._settings: IO[bytes] | None = None  # kept open: it is removed when closed

    @property
    def index_file(self) -> Path | None:
        """The index that git told its hook to use, None for the usual one."""
        given = self._environment.get("GIT_INDEX_FILE")
        return None if given is None else Path(given)

    def at(self, folder: Path) -> Git:
        """Return git for another folder of the same repository."""
        other = copy.copy(self)
        other.folder = folder
        return other

    def run(self, *arguments: str) -> bytes:
        """Return what a reading command prints.

        Raises ChangeError, with git's own words, when it fails or does not end in time.
        """
        run = self._run(arguments)
        if run.returncode:
            said = _words(run.stderr)
            if _NOT_OURS in said:
                raise ChangeError(_not_ours(said))
            raise ChangeError(f"git {_command(arguments)} failed: {said or 'it gave no reason'}")
        return run.stdout

    def ask(self, *arguments: str) -> tuple[int, bytes, str]:
        """Return a command's exit code, its output, and what it complains of."""
        run = self._run(arguments)
        return run.returncode, run.stdout, _words(run.stderr)

    def ignores(self, path: str) -> bool:
        """Whether git is told to ignore a file of the folder, which need not be there."""
        # This command refuses to run where pathspecs are to be literal; ours begins with no magic.
        other = copy.copy(self)
        other._environment = {**self._environment, "GIT_LITERAL_PATHSPECS": "0"}
        return not other._run(("check-ignore", "--quiet", "--", f"./{path}")).returncode

    def blobs(self, names: Sequence[str], largest_bytes: int) -> Iterator[bytes | None]:
        """Yield the contents of blobs in order; None for what is missing, no blob or too large.

        Raises ChangeError when git does not end in time.
        """
        done = 0
        for _ in range(MOST_RESTARTS):
            if done == len(names):
                return
            for content in self._batch(names[done:], largest_bytes):
                yield content
                done += 1
        yield from [None] * (len(names) - done)

    def _batch(self, names: Sequence[str], largest_bytes: int) -> Iterator[bytes | None]:
        """Yield contents until git gives up: of a partial clone, it does at what is missing."""
        process = subprocess.Popen(
            self._line(("cat-file", "--batch")), env=self._environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        started = time.monotonic()
        timer = threading.Timer(self._timeout_s, process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield from _answers(process, names, largest_bytes)
        except (OSError, ValueError):
            if time.monotonic() - started >= self._timeout_s:
                late = f"git cat-file did not end within {self._timeout_s:g} s"
                raise ChangeError(late) from None
            yield None
        finally:
            timer.cancel()
            process.kill()
            with contextlib.suppress(OSError):
                process.communicate()

    def _run(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        run = self._once(arguments)
        if run.returncode and _NOT_OURS in _words(run.stderr) and self._settings is None:
            self._settings = _permitted_by_the_user()
            self._environment["GIT_CONFIG_GLOBAL"] = self._settings.name
            run = self._once(arguments)
        return run

    def _once(self, arguments: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                self._line(arguments), capture_output=True, timeout=self._timeout_s, check=False,
                env=self._environment, stdin=subprocess.DEVNULL,
            )  # fmt: skip
        except FileNotFoundError as error:
            raise ChangeError("git is not on PATH; changes are read with it") from error
        except subprocess.TimeoutExpired as error:
            given = f"git {_command(arguments)} did not end within {self._timeout_s:g} s"
            raise ChangeError(given) from error
        except (OSError, ValueError) as error:
            raise ChangeError(f"git {_command(arguments)} cannot be run: {error}") from error

    def _line(self, arguments: Sequence[str]) -> list[str]:
        return ["git", "--no-pager", *SAFE, "-C", str(self.folder), *arguments]


def _environment(folder: Path) -> dict[str, str]:
    given = os.environ
    environment = {
        "PATH": given.get("PATH", os.defpath), "LC_ALL": "C", "HOME": "/nonexistent",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0", "GIT_PAGER": "cat", "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1", "GIT_LITERAL_PATHSPECS": "1",
        # Before 2.39.4 git fetches what is missing from wherever the repository says; a
        # `protocol.ext.allow` there counts for more than our `protocol.allow`, this does not.
        "GIT_ALLOW_PROTOCOL": "none",
    }  # fmt: skip
    environment |= {name: given[name] for name in _KEPT if name in given}
    if os.path.realpath(folder) == os.path.realpath(os.curdir):
        environment |= {name: os.path.abspath(given[name]) for name in _TOLD if given.get(name)}
        if "GIT_ALTERNATE_OBJECT_DIRECTORIES" in given:
            name = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
            environment[name] = given[name]
    return environment


def _answers(
    process: subprocess.Popen[bytes], names: Sequence[str], largest_bytes: int
) -> Iterator[bytes | None]:
    to, answers = process.stdin, process.stdout
    assert to is not None
    assert answers is not None  # both are pipes
    for start in range(0, len(names), _PORTION):
        portion = names[start : start + _PORTION]
        to.write("".join(f"{name}\n" for name in portion).encode("ascii"))
        to.flush()
        for _ in portion:
            yield _answer(answers, largest_bytes)


def _answer(answers: IO[bytes], largest_bytes: int) -> bytes | None:
    head = answers.readline().split()
    if not head:
        raise ValueError("it ended")
    if len(head) != 3:
        return None  # `<name> missing`
    kind, size = head[1], int(head[2])
    if kind == b"blob" and size <= largest_bytes:
        content = answers.read(size)
        answers.read(1)
        return content
    left = size + 1
    while left:
        left -= len(answers.read(min(left, 1 << 20))) or left
    return None


def _permitted_by_the_user() -> IO[bytes]:
    """Return a configuration with nothing but the folders that the user's own calls safe.

    Git heeds `safe.directory` only there, and we read no more of it: it names filters and such.
    """
    asked = subprocess.run(
        ["git", "config", "--null", "--get-all", "safe.directory"], capture_output=True,
        timeout=TIMEOUT_S, stdin=subprocess.DEVNULL, check=False,
        env={**os.environ, "GIT_DIR": os.devnull},  # no repository's own configuration
    )  # fmt: skip
    file = tempfile.NamedTemporaryFile(prefix="nsdbg-", suffix=".gitconfig")  # noqa: SIM115
    file.write(b"[safe]\n")
    for folder in asked.stdout.split(b"\0")[:-1]:
        quoted = folder.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
        file.write(b'\tdirectory = "%s"\n' % quoted)
    file.flush()
    return file


def _not_ours(said: str) -> str:
    return (
        f"git refuses the repository: {said.splitlines()[0]}. It belongs to another user; where "
        "you trust it, run `git config --global --add safe.directory FOLDER` with that folder"
    )


def _command(arguments: Sequence[str]) -> str:
    return next((word for word in arguments if not word.startswith("-")), "")


def _words(stderr: bytes) -> str:
    """Return git's message as one printable text; what it quotes may be a hostile name."""
    text = stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
    lines = ["".join(c if c.isprintable() else "?" for c in line) for line in text.splitlines()]
    return "\n".join(lines)[:2000]
