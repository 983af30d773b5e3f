"""Which calls of a function a project's text shows, and which it does not show plainly."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from nsdbg.triage.pair import load
from nsdbg.triage.project import Project, is_test
from nsdbg.triage.seeds import Seeds, examples, seeds_of

ROWS = """
    def parse(text, sep=","):
        return text.split(sep)

    class Order:
        def __init__(self, prices):
            self.prices = prices

        def total(self, rate=1):
            return sum(self.prices) * rate

        @classmethod
        def read(cls, text):
            return cls([int(text)])
    """


def seeds(folder: Path, qualname: str, tests: str, rows: str = ROWS) -> Seeds:
    for name, text in (
        ("shop/__init__.py", ""),
        ("shop/rows.py", rows),
        ("tests/test_it.py", tests),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(textwrap.dedent(text))
    return seeds_of(load(folder / "shop/rows.py", qualname, folder), Project(folder))


def arguments(found: Seeds) -> list[dict[str, str]]:
    return [dict(seed.call.arguments) for seed in found.calls]


def test_a_literal_call_of_a_test_is_taken_with_its_place(tmp_path: Path) -> None:
    found = seeds(tmp_path, "parse", """
        from shop.rows import parse

        def test_it():
            assert parse("a;b", sep=";") == ["a", "b"]
        """)  # fmt: skip
    assert arguments(found) == [{"text": "'a;b'", "sep": "';'"}]
    assert found.calls[0].origin == "tests/test_it.py:5"


def test_a_local_name_is_replaced_by_what_it_was_assigned(tmp_path: Path) -> None:
    found = seeds(tmp_path, "parse", """
        from shop import rows

        SEP = ";"

        def test_it():
            text = "a" + "b"
            assert rows.parse(text, SEP)
        """)  # fmt: skip
    assert arguments(found) == [{"text": "'a' + 'b'", "sep": "';'"}]


@pytest.mark.parametrize(
    "body",
    ["parse(tmp_path)", "for text in 'ab':\n                parse(text)", "parse(*words)",
     "parse(open('x').read())", "parse(nobody)", "parse(f'{tmp_path}')", "parse()"],
)  # fmt: skip
def test_a_call_that_is_not_plain_is_left_out(body: str, tmp_path: Path) -> None:
    tests = f"""
        from shop.rows import parse

        def test_it(tmp_path, words):
            {body}
        """
    assert seeds(tmp_path, "parse", tests).calls == ()


@pytest.mark.parametrize(
    ("change", "wanted"),
    [("words.append('b')", []), ("words[0] = 'b'", []), ("words += ['b']", []),
     ("for words in 'ab': pass", []), ("del words[0]", []),
     ("words.index('a')", ["['a']"]), ("other = words", ["['a']"])],
)  # fmt: skip
def test_a_list_that_was_changed_is_no_longer_what_it_was_assigned(
    change: str, wanted: list[str], tmp_path: Path
) -> None:
    found = seeds(tmp_path, "parse", f"""
        from shop.rows import parse

        def test_it():
            words = ["a"]
            {change}
            parse(words)
        """)  # fmt: skip
    assert [one["text"] for one in arguments(found)] == wanted


def test_a_change_after_the_call_does_not_count(tmp_path: Path) -> None:
    found = seeds(tmp_path, "parse", """
        from shop.rows import parse

        def test_it():
            words = ["a"]
            parse(words)
            words.append("b")
        """)  # fmt: skip
    assert arguments(found) == [{"text": "['a']"}]


def test_a_changed_list_among_many_arguments_is_no_seed(tmp_path: Path) -> None:
    found = seeds(tmp_path, "gather", """
        from shop.rows import gather

        def test_it():
            words, other = ["a"], 1
            more = [1]
            gather(more, 2)
            more.append(2)
            gather(more, 3)
            gather()
        """, "def gather(*parts): return parts\n")  # fmt: skip
    assert arguments(found) == [{"*parts": "([1], 2)"}, {}]


def test_an_example_of_another_docstring_counts_that_names_the_function(tmp_path: Path) -> None:
    rows = '''
        def parse(text):
            return text.split()

        def other():
            """Nothing.

            >>> parse("a b")
            ['a', 'b']
            """
        '''
    assert arguments(seeds(tmp_path, "parse", "", rows)) == [{"text": "'a b'"}]


def test_the_rows_of_a_parametrized_test_are_calls(tmp_path: Path) -> None:
    found = seeds(tmp_path, "parse", """
        import pytest
        from shop.rows import parse

        @pytest.mark.parametrize("sep", [",", "-"])
        @pytest.mark.parametrize(("text", "wanted"), [("a", 1), pytest.param("b", 2, id="x")])
        def test_it(text, wanted, sep):
            assert len(parse(text, sep)) == wanted
        """)  # fmt: skip
    texts = [(one["text"], one["sep"]) for one in arguments(found)]
    assert texts == [("'a'", "','"), ("'b'", "','"), ("'a'", "'-'"), ("'b'", "'-'")]


def test_what_a_test_expects_to_raise_is_no_seed_but_a_name(tmp_path: Path) -> None:
    found = seeds(tmp_path, "parse", """
        import unittest
        import pytest
        from shop.rows import parse

        class Tests(unittest.TestCase):
            def test_it(self):
                with pytest.raises((ValueError, KeyError)):
                    parse("")
                self.assertRaises(TypeError, parse, 1)
                parse("fine")
        """)  # fmt: skip
    assert arguments(found) == [{"text": "'fine'"}]
    assert found.raises == {"ValueError", "KeyError", "TypeError"}


def test_a_docstring_s_examples_are_calls(tmp_path: Path) -> None:
    rows = '''
        def parse(text):
            """Split.

            >>> given = "a,b"
            >>> parse(given)
            ['a', 'b']
            >>> for one in "ab":
            ...     print(one)
            >>> this is no Python
            """
            return text.split(",")
        '''
    assert arguments(seeds(tmp_path, "parse", "", rows)) == [{"text": "'a,b'"}]


def test_examples_that_do_not_parse_are_left_out() -> None:
    assert examples(">>> x = 1\n>>> a b\n>>> if x:\n...     x\n1") == "x = 1\nif x:\n    x"


def test_a_method_s_receiver_is_taken_where_it_is_made(tmp_path: Path) -> None:
    found = seeds(tmp_path, "Order.total", """
        from shop.rows import Order

        def test_it(given):
            order = Order([1, 2])
            assert order.total(rate=2) == 6
            assert given.total(3)
        """)  # fmt: skip
    assert arguments(found) == [{"self": "Order([1, 2])", "rate": "2"}, {"rate": "3"}]
    assert [seed.receiver for seed in found.calls] == [True, False]
    assert [made.text for made in found.receivers] == ["Order([1, 2])"]
    assert found.calls[0].call.imports == ("from shop.rows import Order",)


def test_another_class_s_method_of_the_same_name_is_no_seed(tmp_path: Path) -> None:
    found = seeds(tmp_path, "Order.total", """
        from shop.rows import Order, Basket, basket

        def test_it(order):
            assert Basket([1]).total(2)
            assert {}.total(3)
            assert basket().total(4)
            assert order.total(5)
        """)  # fmt: skip
    assert arguments(found) == [{"rate": "4"}, {"rate": "5"}]


def test_a_class_method_is_called_on_its_class(tmp_path: Path) -> None:
    found = seeds(tmp_path, "Order.read", """
        from shop.rows import Order

        def test_it():
            Order.read("3")
        """)  # fmt: skip
    assert arguments(found) == [{"text": "'3'"}]


def test_a_constructor_s_calls_are_those_of_the_class(tmp_path: Path) -> None:
    found = seeds(tmp_path, "Order.__init__", """
        from shop.rows import Order

        def test_it():
            Order(prices=[3])
        """)  # fmt: skip
    assert arguments(found) == [{"prices": "[3]"}]


def test_an_imported_name_keeps_its_import(tmp_path: Path) -> None:
    found = seeds(tmp_path, "parse", """
        import datetime as dt
        from shop.rows import parse

        def test_it():
            parse(dt.date(2020, 1, 2))
        """)  # fmt: skip
    assert arguments(found) == [{"text": "dt.date(2020, 1, 2)"}]
    assert found.calls[0].call.imports == ("import datetime as dt",)


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("tests/anything.py", True), ("shop/test_rows.py", True), ("shop/rows_test.py", True),
     ("conftest.py", True), ("shop/rows.py", False), ("shop/testament.py", False)],
)  # fmt: skip
def test_test_files_are_known_by_their_names(name: str, is_one: bool) -> None:
    assert is_test(Path(name)) is is_one


def test_hidden_folders_and_environments_are_not_searched(tmp_path: Path) -> None:
    for name in (".hidden/a.py", "env/a.py", "build/a.py", "shop/a.py", "tests/test_a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("parse()")
    (tmp_path / "env/pyvenv.cfg").touch()
    found = [one.relative_to(tmp_path).as_posix() for one in Project(tmp_path).files]
    assert found == ["tests/test_a.py", "shop/a.py"]


def test_a_name_within_another_word_is_no_call(tmp_path: Path) -> None:
    found = seeds(tmp_path, "parse", """
        from shop.rows import parse

        def test_it():
            reparse("a")
            assert parsed
        """)  # fmt: skip
    assert found.calls == ()
