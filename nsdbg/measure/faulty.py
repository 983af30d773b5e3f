"""Faulty programs with their tests, read from JSON lines or from a checkout of QuixBugs.

Reads text only; whether a test fails is for who runs it to find out.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path
from typing import Any

from nsdbg.errors import UsageError

# The folders of a checkout.
_FAULTY, _RIGHT = "python_programs", "correct_python_programs"
_CALLS, _TESTS, _NODE = "json_testcases", "python_testcases", "node.py"

Test = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Faulty:
    """A faulty program: its source, the lines its fix changes, and its tests.

    A test is the text of a file, in one or several variants, of which the first that the `right`
    program passes is meant; without `right` there is one.  `beside` are further files that the
    tests import.
    """

    name: str
    source: str
    lines: frozenset[int]
    tests: tuple[Test, ...]
    beside: tuple[tuple[str, str], ...] = ()
    right: str | None = None

    @property
    def file(self) -> str:
        """The file's name, as the tests import it."""
        return f"{self.name}.py"


def read_programs(path: Path, limit: int | None = None) -> Iterator[Faulty]:
    """Yield the programs of a file of JSON lines, or of a checkout's folder.

    Raises UsageError for what is neither.
    """
    if path.is_dir():
        yield from islice(_checkout(path), limit)
        return
    for number, line in enumerate(_read(path).splitlines()[:limit], 1):
        if line.strip():
            yield _program(line, f"{path}:{number}")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot read {path}: {reason}; docs/measuring.md says where the data come from"
        ) from error


def _program(line: str, place: str) -> Faulty:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(f"{place} is not JSON: {error}") from error
    try:
        name, source = str(row["name"]), str(row["buggy"])
        ast.parse(source)
        tests = [_row_test(name, row, test) for test in row["tests"]]
        lines = frozenset(int(number) for number in row["faulty_lines"])
    except (KeyError, TypeError, ValueError, SyntaxError) as error:
        raise UsageError(
            f"{place} is no QuixBugs program ({type(error).__name__}: {error}): it needs name, "
            "buggy (source that parses), faulty_lines and tests"
        ) from error
    if not name.isidentifier():
        raise UsageError(f"{place}: {name!r} cannot be the name of a module")
    node = row.get("node_class")
    beside = ((_NODE, str(node)),) if node else ()
    return Faulty(name, source, lines, tuple(test for test in tests if test), beside)


def _row_test(name: str, row: dict[str, Any], test: dict[str, Any]) -> Test:
    """Return a test of a row; empty when the right program does not pass it."""
    if test.get("fixed_status", "pass") != "pass" or test.get("slow"):
        return ()
    if test["kind"] == "script":
        body = str(test["script"])
    elif test.get("compare", "==") == "==":
        call = f"{test['wrap']}({test['call']})" if test.get("wrap") else str(test["call"])
        body = _assertion(call, str(test["expected"]))
    else:
        return ()
    ast.parse(body)
    return (_test_file(name, body, node=bool(row.get("node_class"))),)


def _assertion(call: str, expected: str) -> str:
    return f"result = {call}\nassert result == {expected}"


def _test_file(name: str, body: str, *, node: bool) -> str:
    head = f"from {name} import *\n" + ("from node import Node\n" if node else "")
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{head}\n\ndef test_{name}():\n{indented}\n\ntest_{name}()\n"


def _checkout(root: Path) -> Iterator[Faulty]:
    """Yield the programs of a checkout that have a right version and tests, by name."""
    if not (root / _FAULTY).is_dir() or not (root / _RIGHT).is_dir():
        raise UsageError(f"{root} is no checkout of QuixBugs: it lacks {_FAULTY} or {_RIGHT}")
    node = root / _NODE
    beside = ((_NODE, _read(node)),) if node.is_file() else ()
    for file in sorted((root / _FAULTY).glob("*.py")):
        right = root / _RIGHT / file.name
        if not right.is_file() or not file.stem.isidentifier():
            continue
        source, fixed = _read(file), _read(right)
        tests = [*_called(root / _CALLS / f"{file.stem}.json", file.stem)]
        tests += _written(root / _TESTS / f"test_{file.stem}.py", file.stem) if not tests else []
        lines = changed_lines(source, fixed)
        if tests and lines:
            yield Faulty(file.stem, source, lines, tuple(tests), beside, fixed)


def _called(file: Path, name: str) -> Iterator[Test]:
    """Yield a test for each line of JSON: the arguments of a call, and what it has to give.

    JSON knows lists alone: generators and tuples of the right program are to be met as well.
    """
    for line in _read(file).splitlines() if file.is_file() else ():
        if not line.strip():
            continue
        try:
            given, expected = json.loads(line)
        except (ValueError, TypeError) as error:
            raise UsageError(f"{file}: {line[:60]!r} is no test: {error}") from error
        arguments = given if isinstance(given, list) else [given]
        call = f"{name}({', '.join(map(repr, arguments))})"
        variants = [(call, repr(expected)), (f"list({call})", repr(expected))]
        if isinstance(expected, list) and all(isinstance(one, list) for one in expected):
            variants.append((call, repr([tuple(one) for one in expected])))
        yield tuple(_test_file(name, _assertion(*one), node=False) for one in variants)


def _written(file: Path, name: str) -> Iterator[Test]:
    """Yield a test for each function of a pytest file, with what stands before it in the file.

    Its imports of pytest and of either version of the program are replaced.
    """
    text = _read(file) if file.is_file() else ""
    try:
        body = ast.parse(text).body
    except SyntaxError as error:
        raise UsageError(f"{file} does not parse: {error}") from error
    kept = [one for one in body if not _imports_the_program(one)]
    setting = [one for one in kept if not _is_test(one)]
    head = f"from {name} import *\n" + "".join(ast.unparse(one) + "\n" for one in setting)
    for one in kept:
        if _is_test(one):
            assert isinstance(one, ast.FunctionDef)
            yield (f"{head}\n\n{ast.unparse(one)}\n\n\n{one.name}()\n",)


def _is_test(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test")


def _imports_the_program(node: ast.stmt) -> bool:
    """Whether a statement is `import pytest`, or chooses between the two versions."""
    if isinstance(node, ast.If):
        return "use_correct" in ast.unparse(node.test)
    names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
    return "pytest" in names


def changed_lines(source: str, fixed: str) -> frozenset[int]:
    """Return the lines of a source that its fix replaces or takes away.

    Where the fix adds lines alone, it is the lines above and below them.
    """
    before, after = _plain_lines(source), _plain_lines(fixed)
    found: set[int] = set()
    for tag, low, high, left, right in SequenceMatcher(None, before, after, False).get_opcodes():
        if tag == "insert" and any(after[left:right]):
            found |= {line for line in (low, low + 1) if 1 <= line <= len(before)}
        elif tag in ("replace", "delete"):
            found |= set(range(low + 1, high + 1))
    return frozenset(line for line in found if before[line - 1])


def _plain_lines(text: str) -> Sequence[str]:
    """Return the lines up to the texts behind the code, with which QuixBugs' files end.

    They tell what the program does, and other ways to write it.
    """
    body = ast.parse(text).body
    code = [node.lineno for node in body if not _is_text(node)]
    behind = [node.lineno for node in body if _is_text(node) and code and node.lineno > code[-1]]
    lines = [line.rstrip() for line in text.splitlines()]
    return lines[: behind[0] - 1] if behind else lines


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
