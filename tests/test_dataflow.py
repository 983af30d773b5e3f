"""Which definitions reach a statement, path by path."""

from __future__ import annotations

import ast
from textwrap import dedent

from nsdbg.localize.code import FileCode, Spot
from nsdbg.localize.definitions import How


def spot(code: str, lineno: int) -> Spot:
    text = dedent(code)
    file = FileCode("/nowhere/module.py", text, ast.parse(text))
    statement = file.statement(lineno)
    assert statement is not None
    return Spot(file, file.qualname_at(lineno), statement)


def reaching(code: str, lineno: int, name: str) -> list[tuple[int, How]]:
    return [(one.lineno, one.how) for one in spot(code, lineno).definitions_of(name)]


def test_a_later_assignment_replaces_an_earlier_one() -> None:
    assert reaching("x = 1\nx = 2\nprint(x)\n", 3, "x") == [(2, How.ASSIGNED)]


def test_both_branches_reach_what_follows_an_if() -> None:
    code = "if c:\n    x = 1\nelse:\n    x = 2\nprint(x)\n"
    assert reaching(code, 5, "x") == [(2, How.ASSIGNED), (4, How.ASSIGNED)]


def test_a_branch_that_returns_does_not_reach_what_follows() -> None:
    code = """\
        def f(c):
            x = 1
            if c:
                x = 2
                return x
            print(x)
        """
    assert reaching(code, 6, "x") == [(2, How.ASSIGNED)]


def test_the_end_of_a_loop_reaches_its_beginning() -> None:
    code = """\
        def f(n):
            x = 0
            while n:
                print(x)
                x = x + 1
        """
    assert reaching(code, 4, "x") == [(2, How.ASSIGNED), (5, How.ASSIGNED)]


def test_a_break_carries_its_definitions_out_of_an_endless_loop() -> None:
    code = """\
        def f(n):
            while True:
                x = 1
                if n:
                    break
                x = 2
            print(x)
        """
    assert reaching(code, 7, "x") == [(3, How.ASSIGNED)]


def test_a_local_that_one_path_leaves_out_may_be_unbound() -> None:
    code = """\
        def f(c):
            if c:
                x = 1
            return x
        """
    assert reaching(code, 4, "x") == [(1, How.UNBOUND), (3, How.ASSIGNED)]


def test_a_handler_is_reached_from_before_and_after_the_body() -> None:
    code = """\
        def f():
            x = 1
            try:
                x = g()
                h()
            except ValueError:
                print(x)
        """
    assert reaching(code, 7, "x") == [(2, How.ASSIGNED), (4, How.ASSIGNED)]


def test_parts_of_a_tuple_are_matched_one_by_one() -> None:
    code = "left, right = 0, len(rows)\nprint(right)\n"
    found = spot(code, 2).definitions_of("right")
    assert [(one.lineno, ast.unparse(one.value)) for one in found if one.value] == [
        (1, "len(rows)")
    ]


def test_what_is_put_into_a_container_adds_to_its_definition() -> None:
    code = "queue = []\nqueue.append(a)\nqueue[0] = b\nprint(queue)\n"
    assert reaching(code, 4, "queue") == [
        (1, How.ASSIGNED), (2, How.MUTATED), (3, How.MUTATED),
    ]  # fmt: skip


def test_a_new_object_ends_what_was_known_of_its_attributes() -> None:
    code = "a.b = 1\na = make()\nprint(a.b)\n"
    assert reaching(code, 3, "a.b") == []


def test_an_attribute_of_self_is_looked_for_in_the_whole_class() -> None:
    code = """\
        class Tree:
            def __init__(self):
                self.root = None
            def size(self):
                return self.root.size
        """
    assert reaching(code, 5, "self.root") == [(3, How.ASSIGNED)]


def test_a_free_name_is_looked_for_in_the_enclosing_function_and_the_module() -> None:
    code = """\
        limit = 3
        def outer(rows):
            first = rows[0]
            def inner():
                return first + limit
            return inner
        """
    assert reaching(code, 5, "first") == [(3, How.ASSIGNED)]
    assert reaching(code, 5, "limit") == [(1, How.ASSIGNED)]


def test_match_with_walrus_and_import_bind_names() -> None:
    code = """\
        import os.path as p
        with open(f) as file:
            if (n := file.read()):
                print(n, file, p)
        """
    assert reaching(code, 4, "p") == [(1, How.IMPORTED)]
    assert reaching(code, 4, "file") == [(2, How.ENTERED)]
    assert reaching(code, 4, "n") == [(3, How.ASSIGNED)]
