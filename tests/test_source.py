"""Reading a function's source: its name, its parameters, where it is imported from."""

from __future__ import annotations

import ast
import os
import textwrap
from pathlib import Path

import pytest

from nsdbg.claim import Call
from nsdbg.errors import SourceError
from nsdbg.source import (
    LARGEST_SOURCE,
    MODULE,
    ParameterKind,
    call_text,
    first_line,
    function_at,
    import_name,
    load_subject,
    parse_source,
    segment,
    statements_around,
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    package = tmp_path / "src" / "shop"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    file = package / "orders.py"
    file.write_text(
        textwrap.dedent(
            '''\
            """Orders."""

            def total(items, /, rate=2, *more, round_to: int = 0, **options):
                return sum(items)

            class Order:
                def __init__(self, items):
                    self.items = items

                def total(self, rate):
                    def inner(x):
                        return x * rate
                    return inner(len(self.items))

                @staticmethod
                def parse(text):
                    return text

            if total:
                def late(): pass
            '''
        )
    )
    return file


def test_packages_are_followed_upwards_to_the_import_root(shop: Path) -> None:
    root, module = import_name(shop)
    assert (root, module) == (shop.parent.parent, "shop.orders")
    assert import_name(shop.parent / "__init__.py") == (shop.parent.parent, "shop")


def test_the_home_folder_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for folder in (tmp_path / "home" / "work", tmp_path / "home", tmp_path):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()
    file = tmp_path / "home" / "work" / "mod.py"
    assert import_name(file) == (tmp_path / "home", "work.mod")


def test_every_kind_of_parameter_is_read(shop: Path) -> None:
    subject = load_subject(shop, "total")
    assert [(p.argument_name, p.kind, p.default) for p in subject.parameters] == [
        ("items", ParameterKind.POSITIONAL, None),
        ("rate", ParameterKind.POSITIONAL, "2"),
        ("*more", ParameterKind.VAR_POSITIONAL, None),
        ("round_to", ParameterKind.KEYWORD_ONLY, "0"),
        ("**options", ParameterKind.VAR_KEYWORD, None),
    ]
    assert [p.name for p in subject.parameters if p.required] == ["items"]
    assert subject.parameters[3].annotation == "int"


def test_a_name_that_several_functions_bear_must_be_qualified(shop: Path) -> None:
    assert load_subject(shop, "total").owner is None  # exact names win
    assert load_subject(shop, "parse").ref.qualname == "Order.parse"
    with pytest.raises(SourceError, match=r"no function totl .*it has total"):
        load_subject(shop, "totl")


def test_a_static_method_has_no_receiver(shop: Path) -> None:
    assert load_subject(shop, "Order.total").receiver
    assert not load_subject(shop, "Order.parse").receiver


def test_the_innermost_function_around_a_line_is_named(shop: Path) -> None:
    _, tree = parse_source(shop)
    assert function_at(tree, 4) == "total"
    assert function_at(tree, 12) == "Order.total.<locals>.inner"
    assert function_at(tree, 1) == MODULE
    assert function_at(tree, 20) == "late"


def test_a_file_that_does_not_parse_is_an_error_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("def f(:\n")
    with pytest.raises(SourceError, match="does not parse"):
        load_subject(file, "f")
    with pytest.raises(SourceError, match="cannot read"):
        load_subject(tmp_path / "none.py", "f")


def test_a_call_reads_as_a_person_would_write_it(shop: Path) -> None:
    total = load_subject(shop, "total")
    assert call_text(total, Call((("items", "[1]"),))) == "total([1])"
    assert call_text(total, Call((("items", "[1]"), ("round_to", "3")))) == "total([1], round_to=3)"
    everything = Call((("items", "[]"), ("rate", "1"), ("*more", "(2, 3)"), ("**options", "{}")))
    assert call_text(total, everything) == "total([], 1, 2, 3)"
    named = Call((("items", "[]"), ("rate", "1"), ("*more", "rows"), ("**options", "{'a': 1}")))
    assert call_text(total, named) == "total([], 1, *rows, a=1)"
    odd = Call((("items", "[]"), ("*more", "(2,)"), ("**options", "{'a-b': 1}")))
    assert call_text(total, odd) == "total([], *(2,), **{'a-b': 1})"
    method = load_subject(shop, "Order.total")
    assert call_text(method, Call((("self", "Order([])"), ("rate", "1")))) == "Order([]).total(1)"
    assert call_text(method, Call((("self", "None"), ("rate", "1")))) == "(None).total(1)"


@pytest.mark.parametrize("kind", ["fifo", "device", "circle", "huge"])
def test_what_is_no_source_file_is_refused_unread(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "odd.py"
    if kind == "fifo":
        os.mkfifo(file)
    elif kind == "device":
        file.symlink_to("/dev/zero")
    elif kind == "circle":
        file.symlink_to(file)
    else:
        with file.open("wb") as stream:
            stream.truncate(LARGEST_SOURCE + 1)
    with pytest.raises(SourceError):
        load_subject(file, "f")


def test_a_node_has_the_text_that_the_parser_saw() -> None:
    text = "x = 1\r\ny = ('\u00e9' +\x0c\n  name)\rz = [\n 3]\n"
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.expr | ast.stmt):
            assert segment(text, node) == ast.get_source_segment(text, node)


def test_the_statements_around_a_line_are_those_that_hold_it_outermost_first() -> None:
    text = "@deco\ndef f(x):\n try:\n  if x:\n   y = 1\n except E:\n  z = 2\n"
    tree = ast.parse(text)
    for lineno in range(1, 8):
        around = [
            node for node in ast.walk(tree)
            if isinstance(node, ast.stmt)
            and first_line(node) <= lineno <= (node.end_lineno or 0)
        ]  # fmt: skip
        assert list(statements_around(tree, lineno)) == around
