"""A reproducer as a pytest file.

The test calls the function as the reproducer did, so that it fails today with the crash's
exception and passes once the cause is fixed.  Nothing here runs anything; foreign text goes
through `repr`.
"""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from nsdbg.claim import Call, Script
from nsdbg.report.escape import plain
from nsdbg.reproduce import Reproduction
from nsdbg.reproduce.pasted import expression, free_names, imports_of
from nsdbg.source import MODULE, Subject

# By this line we know a file of ours, which may be written again.
MARK = "Regression test written by nsdbg"
LONGEST_LINE = 88
# Arguments longer than this get a name of their own.
LONGEST_ARGUMENT = 24


def is_ours(path: Path) -> bool:
    """Whether a file was written by us, by its first line."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return MARK in file.readline(200)
    except OSError:
        return False


def name_of_test(found: Reproduction) -> str:
    """Return the name of the test function."""
    goal, subject = found.level.goal, found.level.subject
    name = subject.ref.qualname.replace(".", "_")
    if subject.ref.qualname == MODULE:
        name = Path(subject.ref.file).stem
    raised = goal.exception.type.rsplit(".", 1)[-1] if goal.exception else "error"
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", raised).lower()
    return re.sub(r"\W+", "_", f"test_{name.strip('_').lower()}_raises_no_{words}")


def text_of_test(found: Reproduction, path: Path) -> str:
    """Return the text of a pytest file that is to lie at `path`."""
    start = found.verdict.proposal.start
    assert isinstance(start, Call | Script)
    body = _script_body(found, start) if isinstance(start, Script) else _call_body(found, start)
    imports = _script_imports(start) if isinstance(start, Script) else call_imports(found, start)
    parts = [
        *_docstring(found),
        "",
        *_path_lines(found, path, imports),
        "",
        "",
        f"def {name_of_test(found)}() -> None:",
        *(f"    {line}" if line else "" for line in [*_test_docstring(found), *body]),
        "",
    ]
    return "\n".join(parts)


def _crash_words(found: Reproduction) -> str:
    claim = found.level.goal.exception
    raised = found.verdict.evidence.raised
    kind = raised.type if raised else claim.type if claim else "the crash"
    message = raised.message if raised else ""
    return f"{kind}: {message}" if message else kind


def _safe_words(text: str, limit: int) -> str:
    """Return foreign text fit for a docstring."""
    return plain(text, limit).replace("\\", "\\\\").replace('"""', "'''").rstrip('"')


def _docstring(found: Reproduction) -> Iterator[str]:
    site = found.level.goal.chain[-1]
    where = f"{Path(site.file).name}:{site.lineno}"
    yield f'"""{MARK} for a crash at {_safe_words(where, 50)}.'
    yield ""
    raised = _safe_words(_crash_words(found), 200)
    yield from textwrap.wrap(
        f"It raised {raised}", LONGEST_LINE, break_long_words=False, break_on_hyphens=False
    )
    yield "The test fails with the same until the cause is fixed."
    yield '"""'


def _test_docstring(found: Reproduction) -> Iterator[str]:
    called = found.level.subject.ref.qualname
    what = "The script" if found.is_script else f"`{called}`"
    of = f"{found.frames} of {found.of}" if found.frames < found.of else f"all {found.of}"
    frames = "the one frame" if found.of == 1 else f"{of} frames"
    yield f'"""{what} crashed with this, through {frames} of the log."""'


def _path_lines(found: Reproduction, path: Path, imports: list[str]) -> Iterator[str]:
    """Yield the imports, after the line that makes the project importable where one is needed."""
    standard = [one for one in imports if _is_standard(one)]
    project = [one for one in imports if one not in standard]
    root = Path(found.level.subject.ref.root)
    if path.resolve().parent == root.resolve() and not found.is_script:
        yield from [*sorted(standard), *([""] if standard else []), *project]
        return
    yield from sorted({*standard, "import sys", "from pathlib import Path"},
                      key=lambda one: (one.startswith("from"), one))  # fmt: skip
    yield ""
    yield f"ROOT = {_root_expression(root, path)}"
    yield "sys.path.insert(0, str(ROOT))  # where the project is imported from"
    if project:
        yield ""
        yield from (f"{one}  # noqa: E402" for one in project)


def _is_standard(statement: str) -> bool:
    import sys

    module = statement.split()[1].split(".")[0]
    return module in sys.stdlib_module_names


def _root_expression(root: Path, path: Path) -> str:
    """Return Python text for the root, seen from the test file where the two are near."""
    here, there = path.resolve().parent, root.resolve()
    common = Path(os.path.commonpath([here, there]))
    ups = len(here.relative_to(common).parts)
    if len(common.parts) <= 2 or ups > 4:
        return f"Path({str(there)!r})"
    base = f"Path(__file__).resolve().parents[{ups}]" if ups else "Path(__file__).resolve().parent"
    below = there.relative_to(common)
    return base if not below.parts else f"{base} / {below.as_posix()!r}"


def call_imports(found: Reproduction, start: Call) -> list[str]:
    """Return the import statements that a reproducer's call needs, its own ones first."""
    return imports_of(found.level.subject, start)


def _call_body(found: Reproduction, start: Call) -> Iterator[str]:
    """Yield the arrangement of long arguments, then the call."""
    subject = found.level.subject
    receiver = subject.parameters[0].argument_name if subject.receiver else None
    taken = {name for _, text in start.arguments for name in free_names(text)}
    taken.add(subject.ref.qualname.split(".")[0])
    arguments: list[tuple[str, str]] = []
    arranged: list[str] = []
    for name, text in start.arguments:
        local = _instance_name(subject) if name == receiver else name.lstrip("*")
        if len(text) <= LONGEST_ARGUMENT or local in taken:
            arguments.append((name, text))
        else:
            arranged.append(f"{local} = {text}")
            arguments.append((name, local))
    yield from arranged
    if arranged:
        yield ""
    yield expression(subject, Call(tuple(arguments), start.imports))


def _instance_name(subject: Subject) -> str:
    owner = subject.owner.name if subject.owner else "receiver"
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", owner).lower()


def _script_imports(start: Script) -> list[str]:
    imports = ["import runpy", "from contextlib import suppress", "from unittest import mock"]
    return [*imports, "import io"] if start.stdin else imports


def _script_body(found: Reproduction, start: Script) -> Iterator[str]:
    name = Path(found.level.subject.ref.file).name
    argv = ", ".join(_text(word) for word in (name, *start.argv))
    inner = ""
    if start.stdin:
        yield f"stdin = io.StringIO({_text(start.stdin)})"
    yield f'with suppress(SystemExit), mock.patch.object(sys, "argv", [{argv}]):'
    if start.stdin:
        yield '    with mock.patch.object(sys, "stdin", stdin):'
        inner = "    "
    yield f'    {inner}runpy.run_path(str(ROOT / {_text(name)}), run_name="__main__")'


def _text(text: str) -> str:
    """Return a string literal, in double quotes where `repr` would not escape differently."""
    literal = repr(text)
    return literal if '"' in text or "'" in text else f'"{literal[1:-1]}"'
