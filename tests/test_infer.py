"""Kinds of arguments, guessed from hints, use, defaults and exceptions."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from nsdbg.claim import Call as Start
from nsdbg.claim import Evidence, Proposal, Raised, Reason, Verdict
from nsdbg.propose.guess.infer import Guesses, infer
from nsdbg.propose.guess.kinds import INT, STR, Kind, fits, kind_of, kinds_of_hint
from nsdbg.propose.search.feedback import Feedback, lengths_asked
from nsdbg.source import load_subject


def guesses(folder: Path, source: str, name: str = "f") -> tuple[Guesses, ...]:
    file = folder / "module.py"
    file.write_text(textwrap.dedent(source))
    return infer(load_subject(file, name))


def likeliest(folder: Path, source: str, name: str = "f") -> list[str]:
    return [str(found.options[0].kind) for found in guesses(folder, source, name)]


@pytest.mark.parametrize(
    ("hint", "kinds"),
    [
        ("int", ["int"]),
        ("Optional[str]", ["str", "None"]),
        ("typing.List[typing.Dict[str, int]]", ["list[dict[str, int]]"]),
        ("int | None", ["int", "None"]),
        ("Union[int, 'List[str]']", ["int", "list[str]"]),
        ("tuple[int, ...]", ["row[int]"]),
        ("Tuple[int, str]", ["tuple[int, str]"]),
        ("Literal['a', 3]", ["str", "int"]),
        ("Counter[str]", ["dict[str, int]"]),
        ("shop.Order", ["object:Order"]),
        ("Any", []),
        ("not a hint", []),
    ],
)
def test_hints_are_read_from_their_text(hint: str, kinds: list[str]) -> None:
    assert [str(kind) for kind in kinds_of_hint(hint)] == kinds


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return x.split(',')", "str"),
        ("return x % 7 + 1", "int"),
        ("x.append(3); return x", "list[int]"),
        ("return [w.upper() for w in x if w[0] in 'ab' and x.append(w)]", "list[str]"),
        ("return {k: v + 1 for k, v in x.items() if k.isdigit()}", "dict[str, int]"),
        ("return ''.join(sorted(x, key=lambda w: w)) and x.pop()", "list[str]"),
        ("return x['name'].strip() + x['city']", "record:name,city[str, str]"),
        ("return x.price * 2 + len(x.name)", "namespace:name,price[str, int]"),
    ],
)
def test_use_tells_the_kind(tmp_path: Path, body: str, kind: str) -> None:
    assert likeliest(tmp_path, f"def f(x):\n    {body}\n") == [kind]


def test_hints_and_defaults_come_before_use(tmp_path: Path) -> None:
    source = (
        "def f(x: bytes, y=2.5, *rest: int, **more: str):\n    return x.strip(), y, rest, more\n"
    )
    assert likeliest(tmp_path, source) == ["bytes", "float", "row[int]", "dict[str, str]"]


def test_what_a_called_function_does_counts(tmp_path: Path) -> None:
    source = "def f(a):\n    return g(1, a)\n\ndef g(n, text):\n    return text.upper() * n\n"
    assert likeliest(tmp_path, source) == ["str"]


def test_self_is_an_instance_of_its_class(tmp_path: Path) -> None:
    source = "class A:\n    def f(self, n: int):\n        return n\n"
    assert likeliest(tmp_path, source, "A.f") == ["object:A", "int"]


def test_a_class_that_has_the_attributes_is_named(tmp_path: Path) -> None:
    source = """
        class Item:
            def __init__(self, price: int, name: str):
                self.price = price
                self.name = name
        def f(item):
            return item.price + len(item.name)
        """
    assert likeliest(tmp_path, source) == ["object:Item"]


def test_the_kind_of_the_goals_value_counts_where_an_argument_is_returned(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    file.write_text("def f(x, y):\n    if y:\n        return x\n    return None\n")
    found = infer(load_subject(file, "f"), {"a": [1]}, valued=True)
    assert str(found[0].options[0].kind) == "dict[str, list[int]]"


def test_mixed_parts_have_no_kind_of_their_own() -> None:
    assert str(kind_of([1, "a"])) == "list[any]"
    assert str(kind_of({"a": (1, 2.5)})) == "dict[str, tuple[int, float]]"


def test_fitting_looks_inside() -> None:
    assert fits([1, 2], Kind("list", (INT,)))
    assert not fits([1, "a"], Kind("list", (INT,)))
    assert not fits([True], Kind("list", (INT,)))
    assert fits({"a": 1}, Kind("dict", (STR, INT)))


def test_a_missing_method_speaks_for_the_kinds_that_have_it(tmp_path: Path) -> None:
    feedback = Feedback(guesses(tmp_path, "def f(x):\n    return g(x)\n"))
    before = feedback.weights[0].get(STR, 0.0)
    raised = Raised("AttributeError", "'int' object has no attribute 'splitlines'", ())
    proposal = Proposal(Start((("x", "3"),)), "search:0")
    evidence = Evidence(1, raised=raised)
    feedback.learn((3,), Verdict(proposal, Reason.OTHER_EXCEPTION, evidence))
    assert feedback.weights[0][STR] > before


def test_an_unpacking_error_asks_for_a_length() -> None:
    (asked,) = lengths_asked(
        Raised("ValueError", "not enough values to unpack (expected 3, got 1)", ())
    )
    assert (asked.left, asked.right) == ("1", "3")
    assert lengths_asked(Raised("ValueError", "math domain error", ())) == []
