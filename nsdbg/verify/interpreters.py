"""Which interpreter runs the target: the one named, a virtual environment nearby, or ours.

Asks an interpreter for its version by running it, without its site packages and in the sandbox:
the one nearby may be a hostile tree's own.  Never reads the project's configuration.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nsdbg.errors import GuardError, InterpreterError
from nsdbg.verify.sandbox import Sandbox, SandboxConfig

OLDEST = (3, 8)
NEWEST_MINOR = 14
_QUESTION = "import sys; print('nsdbg', *sys.version_info[:3], sys.implementation.name)"
_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter that can run a target: where it is, its version, and why it was chosen."""

    path: Path
    version: tuple[int, int, int]
    why: str

    def __str__(self) -> str:
        return f"Python {'.'.join(map(str, self.version))} at {self.path} ({self.why})"


def find_interpreter(python: Path | str | None, near: Path | None = None) -> Interpreter:
    """Return the interpreter for a target.

    `python` is the user's `--python`: a file, a virtual environment's folder, or a command's name.
    Otherwise the active virtual environment is taken, then `.venv` or `venv` in the folder `near`
    or above it, then ours; one that does not serve is passed over.
    Raises InterpreterError when the one named is not there, is too old or does not start.
    """
    if python is not None:
        return check_interpreter(_named(python), "as named by --python")
    for path, why in _candidates(near):
        try:
            return check_interpreter(path, why)
        except InterpreterError:
            continue
    return check_interpreter(Path(sys.executable), "nsdbg's own")


def find_interpreters() -> list[Interpreter]:
    """Return one interpreter of each version from 3.8 on that is found here, oldest first.

    Looks on PATH, where pyenv keeps its versions, and at our own.
    """
    found: dict[tuple[int, int], Interpreter] = {}
    for path, why in _installed():
        try:
            interpreter = check_interpreter(path, why)
        except InterpreterError:
            continue
        found.setdefault(interpreter.version[:2], interpreter)
    return [found[version] for version in sorted(found)]


def _installed() -> Iterator[tuple[Path, str]]:
    yield Path(sys.executable), "nsdbg's own"
    for minor in range(OLDEST[1], NEWEST_MINOR + 1):
        on_path = _on_path(f"python3.{minor}")
        if on_path is not None:
            yield on_path, "on PATH"
    # pyenv's commands on PATH answer for the selected versions only; the others are there too.
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    for path in sorted(pyenv.glob("versions/3.*/bin/python")):
        yield path, "of pyenv"


def _named(python: Path | str) -> Path:
    path = Path(python).expanduser()
    if path.is_dir():
        inside = _in_environment(path)
        if inside is None:
            raise InterpreterError(f"there is no bin/python in {path}: name the interpreter itself")
        return inside
    if os.path.isfile(path):
        return path
    if len(path.parts) == 1:
        found = _on_path(path.name)
        if found is not None:
            return found
    raise InterpreterError(f"there is no interpreter {python}: give --python the path of one")


def _on_path(name: str) -> Path | None:
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        candidate = Path(folder) / name
        if folder and os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
    return None


def _candidates(near: Path | None) -> list[tuple[Path, str]]:
    found = []
    active = os.environ.get("VIRTUAL_ENV")
    if active:
        inside = _in_environment(Path(active))
        if inside is not None:
            found.append((inside, "the active virtual environment"))
    if near is not None:
        folder = near.resolve()
        for place in (folder, *folder.parents):
            for name in (".venv", "venv"):
                inside = _in_environment(place / name)
                if inside is not None and os.path.isfile(place / name / "pyvenv.cfg"):
                    found.append((inside, f"{name} beside the source"))
    return found


def _in_environment(folder: Path) -> Path | None:
    python = folder / "bin" / "python"
    return python if os.path.exists(python) else None


@lru_cache(maxsize=64)
def check_interpreter(path: Path, why: str) -> Interpreter:
    """Ask an interpreter for its version.

    Raises InterpreterError when it does not answer like one, or is older than 3.8.
    """
    # The path is kept as it is: a virtual environment's python is a link, and must stay one.
    path = path.absolute()
    if path == Path(sys.executable):
        major, minor, micro = sys.version_info[:3]
        return Interpreter(path, (major, minor, micro), why)
    try:
        said, complaint = _ask(path)
    except (OSError, GuardError, subprocess.TimeoutExpired) as error:
        advice = _SCRIPT if _is_script(path) else _ADVICE
        raise InterpreterError(f"{path} does not start: {error}; {advice}") from error
    words = said.split()
    if len(words) != 5 or words[0] != "nsdbg" or not all(map(str.isdigit, words[1:4])):
        if "Unknown option: -I" in complaint:  # what Python 2 and 3.3 say
            raise InterpreterError(f"{path} is a Python before 3.4, which is too old; {_ADVICE}")
        last = (complaint or said).strip().splitlines()[-1:] or ["nothing"]
        hint = "; it is a script: name the interpreter that it starts" if _is_script(path) else ""
        raise InterpreterError(
            f"{path} is not a Python 3 interpreter: it said {last[0]:.200}{hint}"
        )
    version = (int(words[1]), int(words[2]), int(words[3]))
    if version < OLDEST:
        spelled = ".".join(map(str, version))
        raise InterpreterError(f"{path} is Python {spelled}, which is too old; {_ADVICE}")
    return Interpreter(path, version, why)


def _ask(path: Path) -> tuple[str, str]:
    """Return what an interpreter says on standard output and standard error."""
    with Sandbox(SandboxConfig(path)) as sandbox:
        pipe = subprocess.PIPE
        child = sandbox.spawn(["-I", "-S", "-c", _QUESTION], stdout=pipe, stderr=pipe)
        try:
            said, complaint = child.communicate(timeout=_TIMEOUT_S)
        finally:
            child.kill()
        _ = sandbox.layers  # raises GuardError when it was not started
    return said.decode(errors="replace"), complaint.decode(errors="replace")


def _is_script(path: Path) -> bool:
    """Whether a file is run by another program, as pyenv's shims are; the guard lets none start."""
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


_SCRIPT = "it is a script: give --python the interpreter that it starts"
_ADVICE = "give --python one of 3.8 or newer"
