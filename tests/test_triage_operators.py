"""Which method an operator calls, and that what tests write with it is known as its calls."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from nsdbg.triage.operators import as_calls, is_special
from nsdbg.triage.pair import load
from nsdbg.triage.project import Project
from nsdbg.triage.seeds import Seeds, seeds_of


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a <= b", "a.__le__(b)"),
        ("a != b", "a.__ne__(b)"),
        ("a in b", "b.__contains__(a)"),
        ("a not in b", "b.__contains__(a)"),
        ("a // b", "a.__floordiv__(b)"),
        ("a[1]", "a.__getitem__(1)"),
        ("a[1:]", "a.__getitem__(slice(1, None, None))"),
        ("a[::b]", "a.__getitem__(slice(None, None, b))"),
        ("-a", "a.__neg__()"),
        ("not a", "a.__bool__()"),
        ("len(a)", "a.__len__()"),
        ("a |= b", "a.__ior__(b)"),
        ("a[1] = b", "a.__setitem__(1, b)"),
        ("del a[:2]", "a.__delitem__(slice(None, 2, None))"),
    ],
)
def test_an_operator_is_a_call_of_its_method(text: str, wanted: str) -> None:
    node: ast.AST = ast.parse(text).body[0]
    node = node.value if isinstance(node, ast.Expr) else node
    assert [ast.unparse(one) for one in as_calls(node)] == [wanted]


@pytest.mark.parametrize("text", ["a < b < c", "a is b", "max(a)", "len(a, b)", "a.len(b)", "a"])
def test_what_calls_no_method_of_its_own_is_left_out(text: str) -> None:
    node = ast.parse(text, mode="eval").body
    assert list(as_calls(node)) == []


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("__le__", True), ("__init__", True), ("_le_", False), ("____", False), ("le", False)],
)
def test_a_special_method_has_two_underscores_on_both_sides(name: str, wanted: bool) -> None:
    assert is_special(name) is wanted


def seeds(folder: Path, qualname: str, tests: str) -> Seeds:
    rows = """
        class Span:
            def __init__(self, start, stop):
                self.start, self.stop = start, stop

            def __contains__(self, other):
                return self.start <= other < self.stop

            def __getitem__(self, place):
                return range(self.start, self.stop)[place]
        """
    (folder / "rows.py").write_text(textwrap.dedent(rows))
    (folder / "test_rows.py").write_text(textwrap.dedent(tests))
    return seeds_of(load(folder / "rows.py", qualname, folder), Project(folder))


def test_what_a_test_asks_with_an_operator_is_a_call_of_the_method(tmp_path: Path) -> None:
    found = seeds(tmp_path, "Span.__contains__", """
        from rows import Span

        def test_it():
            span = Span(1, 2)
            assert 1 in span
            assert 2 not in Span(0, 2)
            assert 3 in [3]
        """)  # fmt: skip
    assert [dict(one.call.arguments) for one in found.calls] == [
        {"self": "Span(1, 2)", "other": "1"},
        {"self": "Span(0, 2)", "other": "2"},
    ]


def test_what_a_test_expects_an_operator_to_raise_is_no_call_but_a_name(tmp_path: Path) -> None:
    found = seeds(tmp_path, "Span.__getitem__", """
        import pytest
        from rows import Span

        def test_it():
            assert Span(1, 3)[:1]
            with pytest.raises(IndexError):
                Span(1, 3)[7]
        """)  # fmt: skip
    assert [dict(one.call.arguments) for one in found.calls] == [
        {"self": "Span(1, 3)", "place": "slice(None, 1, None)"},
    ]
    assert found.raises == {"IndexError"}
