"""What must not enter a corpus: functions of the test data, under whatever names."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from nsdbg.errors import CorpusError
from nsdbg.model.trace.exclude import Exclusion, data_files, programs_of

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
HELD = '''
def longest(words, start=None):
    """The longest word."""
    best = start or ""
    for word in words:
        if len(word) > len(best):
            best = word
    count = words.count(best)
    words.append(count)
    print(best, count)
    total = sum(len(word) for word in words)
    rest = [word for word in words if word != best]
    rest.sort()
    return best, rest, total
'''


@pytest.fixture
def held() -> Exclusion:
    return Exclusion([HELD])


def test_a_copy_with_other_names_docstring_and_hints_is_equal(held: Exclusion) -> None:
    copy = HELD.replace("words", "items").replace("best", "top").replace("longest", "f")
    copy = copy.replace('"""The longest word."""', "'''Another text.'''")
    copy = copy.replace("items, start=None", "items: list, start: 'str' = None")
    copy = copy.replace("count = ", "count  =  ")
    assert copy != HELD
    assert held.reason(copy) == "equal"


def test_a_copy_inside_a_class_or_another_function_is_found(held: Exclusion) -> None:
    indented = "\n".join("    " + line for line in HELD.splitlines())
    assert held.reason("class A:\n" + indented) == "equal"
    assert held.reason(f"def g():\n{indented}\n    return longest") == "equal"
    assert held.reason(indented) == "equal"


def test_a_copy_of_which_one_statement_differs_is_near(held: Exclusion) -> None:
    assert held.reason(HELD.replace("words.append(count)", "words.insert(0, count)")) == "near"
    assert held.reason(HELD.replace("    rest.sort()\n", "")) == "near"


def test_other_functions_may_stay(held: Exclusion) -> None:
    assert held.reason("def f(a, b):\n    return a + b") is None
    changed = HELD.replace("words.append(count)", "words.clear()").replace("rest.sort()", "pass")
    assert held.reason(changed.replace("sum(", "max(")) is None
    assert held.reason("not python (") is None


def test_builtins_are_not_names_unless_they_are_bound(held: Exclusion) -> None:
    exclusion = Exclusion(["def f(x):\n    return len(x)"])
    assert exclusion.reason("def g(y):\n    return len(y)") == "equal"
    assert exclusion.reason("def g(y):\n    return sum(y)") is None
    assert exclusion.reason("def g(y):\n    return helper(y)") is None


def test_which_names_stand_for_one_another_matters() -> None:
    exclusion = Exclusion(["def f(a, b):\n    return a - b"])
    assert exclusion.reason("def f(b, a):\n    return b - a") == "equal"
    assert exclusion.reason("def f(a, b):\n    return b - a") is None


def test_programs_are_read_from_every_field_that_holds_some(tmp_path: Path) -> None:
    file = tmp_path / "data.jsonl"
    rows = [{"code": "a"}, {"buggy": "b", "fixed": "c"}, {"files": {"x.py": "d", "y.py": "e"}},
            {"fixed": {"x.py": "f"}}, {"other": "g", "code": 3}, 7]  # fmt: skip
    file.write_text("\n".join(map(json.dumps, rows)))
    assert list(programs_of(file)) == ["a", "b", "c", "d", "e", "f"]


def test_data_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="no data file"):
        data_files(tmp_path / "nowhere")
    file = tmp_path / "data.jsonl"
    file.write_text("{")
    with pytest.raises(CorpusError, match=r"cannot read .*data\.jsonl as JSON lines"):
        Exclusion.of_files([file])


@pytest.fixture(scope="module")
def data() -> Exclusion:
    if not DATA.is_dir():
        pytest.skip("the test data are not here")
    return Exclusion.of_files(data_files(DATA))


@pytest.mark.parametrize(
    "name", ["cruxeval_public", "quixbugs", "puzzles", "crash_programs"]
)  # fmt: skip
def test_no_function_of_the_test_data_gets_through(data: Exclusion, name: str) -> None:
    count = 0
    for program in programs_of(DATA / f"{name}.jsonl"):
        try:
            tree = ast.parse(program)
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                assert data.reason(renamed(node)) is not None, renamed(node)
                count += 1
    assert count > 10


def renamed(node: ast.FunctionDef) -> str:
    """Return a function with other names for all that it binds, as one who hides a copy would."""
    copy = ast.parse(ast.unparse(node))
    children = list(ast.walk(copy))
    bound = {child.arg for child in children if isinstance(child, ast.arg)}
    bound |= {child.name for child in children if isinstance(child, ast.FunctionDef | ast.ClassDef)}
    bound |= {child.id for child in children
              if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)}  # fmt: skip
    for child in children:
        for field in ("id", "arg", "name"):
            name = getattr(child, field, None)
            if name in bound and not isinstance(child, ast.keyword | ast.alias):
                setattr(child, field, f"{name}_2")
        if isinstance(child, ast.Nonlocal):
            child.names = [f"{name}_2" for name in child.names]
    return ast.unparse(copy)
