"""How far calls are those that a function is meant to take."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from nsdbg.claim import Call
from nsdbg.triage.closed import Closed
from nsdbg.triage.pair import Pair, load, paired
from nsdbg.triage.plausible import Plausible, Trust
from nsdbg.triage.seeds import Seed, Seeds


def pair(folder: Path, text: str, qualname: str = "f", old: str | None = None) -> Pair:
    for name, version in (("new", text), ("old", old if old is not None else text)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "m.py").write_text(textwrap.dedent(version))
    made = paired(
        load(folder / "new" / "m.py", qualname, folder / "new"),
        load(folder / "old" / "m.py", qualname, folder / "old"),
    )
    assert made is not None
    return made


def trust(made: Pair, seeds: Seeds | None = None, **given: str) -> Trust | None:
    return Plausible(made, seeds or Seeds()).trust(Call(tuple(given.items())))


def seen(**given: str) -> Seeds:
    return Seeds((Seed(Call(tuple(given.items())), "tests/test_m.py:1"),))


HINTED = "def f(x: {}): return x"


@pytest.mark.parametrize(
    ("hint", "text", "wanted"),
    [
        ("int", "3", Trust.AGREES), ("int", "'a'", None), ("int", "True", None),
        ("str | None", "None", Trust.AGREES), ("str", "None", None),
        ("list[int]", "[1]", Trust.AGREES), ("list[int]", "['a']", None),
        ("list[int]", "[]", Trust.AGREES), ("list", "[1]", Trust.GUESSED),
        ("dict[str, int]", "{'a': 1}", Trust.AGREES), ("int", "10 ** 9", None),
        ("int", "1000000", None), ("float", "float('nan')", None),
        ("str", "'\\x00'", None), ("Callable", "lambda x: x", Trust.GUESSED),
        ("Callable", "len", Trust.GUESSED), ("Callable", "3", None),
    ],
)  # fmt: skip
def test_a_hint_decides(hint: str, text: str, wanted: Trust | None, tmp_path: Path) -> None:
    assert trust(pair(tmp_path, HINTED.format(hint)), x=text) is wanted


def test_both_versions_hints_have_to_agree(tmp_path: Path) -> None:
    made = pair(tmp_path, "def f(x: int | None): return x", old="def f(x: int): return x")
    assert trust(made, x="None") is None
    assert trust(made, x="1") is Trust.AGREES


def test_a_call_that_is_written_down_is_seen_whatever_it_is(tmp_path: Path) -> None:
    made = pair(tmp_path, "def f(x: int): return x")
    assert trust(made, seen(x="'odd'"), x="'odd'") is Trust.SEEN


def test_a_kind_that_is_passed_agrees_and_another_is_a_guess_at_most(tmp_path: Path) -> None:
    made = pair(tmp_path, "def f(x): return x.strip()")
    assert trust(made, seen(x="'a'"), x="'b'") is Trust.AGREES
    assert trust(made, x="'b'") is Trust.GUESSED
    assert trust(made, seen(x="'a'"), x="[1]") is None
    assert trust(made, seen(x="'a'"), x="None") is None


def test_a_default_s_kind_agrees(tmp_path: Path) -> None:
    made = pair(tmp_path, "def f(x=','): return x")
    assert trust(made, x="''") is Trust.AGREES


def test_what_the_old_version_asks_for_is_meant_to_be_passed(tmp_path: Path) -> None:
    old = "def f(x):\n    if x is None or isinstance(x, bytes):\n        return 1\n    return x"
    made = pair(tmp_path, "def f(x): return x", old=old)
    assert trust(made, x="None") is Trust.AGREES
    assert trust(made, x="b'a'") is Trust.AGREES


@pytest.mark.parametrize(
    ("name", "wanted"), [("count", None), ("n", None), ("x", Trust.AGREES), ("delta", Trust.AGREES)]
)
def test_what_counts_something_is_not_negative(
    name: str, wanted: Trust | None, tmp_path: Path
) -> None:
    made = pair(tmp_path, f"def f({name}: int): return {name}")
    assert trust(made, None, **{name: "-1"}) is wanted


def test_a_text_that_says_nothing_of_an_argument_makes_no_kind_plausible(tmp_path: Path) -> None:
    made = pair(tmp_path, "def f(given): return g(given)")
    assert [trust(made, given=text) for text in ("'a'", "1", "[1]")] == [None, None, None]


SHAPES = """
    from dataclasses import dataclass

    @dataclass
    class Order:
        prices: list[int]
        note: object = ""

        def f(self):
            return self.prices
    """


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Order(prices=[1])", Trust.AGREES), ("Order([1])", Trust.AGREES),
        ("Order(prices=['a'])", None), ("Order(prices=[1], note=3)", Trust.GUESSED),
        ("Order.__new__(Order)", None), ("types.SimpleNamespace(prices=[1])", None),
    ],
)  # fmt: skip
def test_an_instance_is_judged_by_how_it_is_made(
    text: str, wanted: Trust | None, tmp_path: Path
) -> None:
    assert trust(pair(tmp_path, SHAPES, "Order.f"), self=text) is wanted


def test_an_instance_that_a_test_makes_is_seen(tmp_path: Path) -> None:
    seeds = Seeds(receivers=(Closed("Order(['odd'])"),))
    made = pair(tmp_path, SHAPES, "Order.f")
    assert trust(made, seeds, self="Order(['odd'])") is Trust.AGREES


def test_a_type_variable_is_no_class(tmp_path: Path) -> None:
    made = pair(tmp_path, "def f(x: Iterable[T]): return list(x)")
    assert trust(made, x="[]") is Trust.AGREES
    assert trust(made, x="[1]") is Trust.GUESSED


# How a call of the new version is one of the old.


def test_a_renamed_parameter_is_the_old_one_at_its_place(tmp_path: Path) -> None:
    made = pair(tmp_path, "def f(cents, rate): pass", old="def f(amount, rate): pass")
    call = made.old_call(Call((("cents", "1"), ("rate", "2"))))
    assert call == Call((("amount", "1"), ("rate", "2")))


@pytest.mark.parametrize(
    ("new", "old"),
    [("def f(a, b=1): pass", "def f(a): pass"), ("def f(a, *, b=1): pass", "def f(a): pass")],
)
def test_a_parameter_that_is_new_is_not_given(new: str, old: str, tmp_path: Path) -> None:
    made = pair(tmp_path, new, old=old)
    assert made.old_call(Call((("a", "1"), ("b", "2")))) is None
    assert made.old_call(Call((("a", "1"),))) == Call((("a", "1"),))


def test_a_parameter_that_was_required_has_to_be_given(tmp_path: Path) -> None:
    made = pair(tmp_path, "def f(a): pass", old="def f(a, b): pass")
    assert made.old_call(Call((("a", "1"),))) is None


def test_a_new_required_parameter_leaves_nothing_to_compare(tmp_path: Path) -> None:
    for name, text in (("new", "def f(a, b): pass"), ("old", "def f(a): pass")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "m.py").write_text(text)
    new, old = (load(tmp_path / one / "m.py", "f", tmp_path / one) for one in ("new", "old"))
    assert paired(new, old) is None


def test_a_dataclass_is_made_through_its_fields(tmp_path: Path) -> None:
    text = """
        from dataclasses import dataclass, field

        @dataclass
        class Range:
            low: int
            parts: list[int] = field(default_factory=list)
            width: int = field(init=False)

            def __post_init__(self):
                self.width = 1
        """
    (tmp_path / "m.py").write_text(textwrap.dedent(text))
    made = load(tmp_path / "m.py", "Range.__post_init__", tmp_path)
    assert made.ref.qualname == "Range"
    assert [(one.name, one.required) for one in made.parameters] == [
        ("low", True), ("parts", False),
    ]  # fmt: skip
