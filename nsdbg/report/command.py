"""A reproducer as one shell line, to be pasted; it runs the code without the guard."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

from nsdbg.claim import Call, Script
from nsdbg.report.regression import call_imports
from nsdbg.reproduce import Reproduction
from nsdbg.reproduce.pasted import expression


def one_line(found: Reproduction, folder: Path | None = None, python: Path | None = None) -> str:
    """Return a shell command that reproduces the crash, run from any folder.

    Its standard input is what it was when it was run: empty, or the text of a script.

    `folder`: where the user stands; the root is named relative to it where it lies below.
    `python`: the interpreter that it was run on, the one of that name where it is not told.
    """
    interpreter = _typed(python, folder)
    start = found.verdict.proposal.start
    root = _shown_path(Path(found.level.subject.ref.root), folder)
    if isinstance(start, Script):
        return _script_line(found, start, folder, interpreter)
    assert isinstance(start, Call)
    subject = found.level.subject
    call = expression(subject, start)
    imports = "; ".join(call_imports(found, start))
    code = f"import sys; sys.path.insert(0, {root!r}); {imports}; {call}"
    return f"{interpreter} -c {_quoted(code)} < /dev/null"


def _typed(python: Path | None, folder: Path | None) -> str:
    """Name an interpreter as a user types it; a virtual environment's is a link, not followed."""
    if python is None or shutil.which("python") == str(python):
        return "python"
    below = folder is not None and python.is_relative_to(folder)
    return shlex.quote(str(python.relative_to(folder) if folder and below else python))


def _quoted(text: str) -> str:
    """Quote for a shell: in double quotes, where single ones would all have to be spelled out."""
    if "'" not in text or set(text) & set("!\n"):  # a shell at a prompt takes ! for its history
        return shlex.quote(text)
    escaped = "".join(f"\\{one}" if one in '"$`\\' else one for one in text)
    return f'"{escaped}"'


def _script_line(found: Reproduction, start: Script, folder: Path | None, interpreter: str) -> str:
    file = _shown_path(Path(found.level.subject.ref.file), folder)
    command = " ".join([interpreter, *(shlex.quote(word) for word in [file, *start.argv])])
    if not start.stdin:
        return f"{command} < /dev/null"
    return f"printf {shlex.quote(_printf(start.stdin))} | {command}"


def _printf(text: str) -> str:
    """Return a format by which the shell's `printf` writes a text, on one line."""
    ascii_only = "".join(
        one if one.isprintable() and one.isascii() and one not in "\\%"
        else "".join(f"\\{byte:03o}" for byte in one.encode())
        for one in text
    )  # fmt: skip
    return ascii_only.replace("\\012", "\\n")


def _shown_path(path: Path, folder: Path | None) -> str:
    if folder is not None and path.resolve().is_relative_to(folder.resolve()):
        return path.resolve().relative_to(folder.resolve()).as_posix()
    return str(path)
