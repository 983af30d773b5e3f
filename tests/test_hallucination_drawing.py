"""Drawing by seeded bytes, and the programs and values that are drawn."""

from __future__ import annotations

import ast
import sys
import typing
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import strategies as st
from running import write

from nsdbg.claim import Call
from nsdbg.errors import UsageError
from nsdbg.measure.hallucination.drawing import check_hypothesis, sample
from nsdbg.measure.hallucination.hints import Untyped, calls_by_hints, type_of
from nsdbg.measure.hallucination.packages import Functions, find_place, guessed
from nsdbg.measure.hallucination.programs import Corpus, Generated
from nsdbg.programs import Level
from nsdbg.source import load_subject


def test_the_same_seed_draws_the_same_and_another_seed_something_else() -> None:
    numbers = st.integers(0, 2**60)
    drawn = list(islice(sample(numbers, 4), 5))
    assert list(islice(sample(numbers, 4), 5)) == drawn
    assert not set(islice(sample(numbers, 5), 5)) & set(drawn)
    assert not set(islice(sample(numbers, 4, "other"), 5)) & set(drawn)


def test_draws_are_neither_deduplicated_nor_ended_early() -> None:
    counted = Counter(islice(sample(st.integers(0, 3), 1), 4000))
    assert sorted(counted) == [0, 1, 2, 3]
    assert all(880 < count < 1120 for count in counted.values())


def test_what_cannot_be_drawn_is_told() -> None:
    never = st.integers().filter(lambda number: False)
    with pytest.raises(UsageError, match="nothing can be drawn from never"):
        next(sample(never, 0, "never"))


def test_a_missing_hypothesis_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    with pytest.raises(UsageError, match=r'pip install "nsdbg\[measure\]"') as caught:
        check_hypothesis()
    assert "\n" not in str(caught.value)


def test_programs_are_drawn_of_every_level_and_written_with_their_calls(tmp_path: Path) -> None:
    source = Generated(tmp_path)
    drawn = list(islice(sample(source.drawn(), 0), 24))
    levels = {program.id.split()[0] for program in drawn}
    assert levels == {level.value for level in Level}
    for program in drawn:
        names = [one.argument_name for one in program.subject.parameters]
        assert Path(program.subject.ref.file).parent == tmp_path
        assert all([name for name, _ in call.arguments] == names[: len(call.arguments)]
                   for call in program.calls)  # fmt: skip


def test_drawn_seeds_are_none_of_the_trainings(tmp_path: Path) -> None:
    seeds = [int(one.id.split()[1]) for one in islice(sample(Generated(tmp_path).drawn(), 0), 8)]
    assert min(seeds) > 10**12  # a corpus of seed s has 10**9 * s and what follows


def test_every_program_of_the_corpus_runs(tmp_path: Path) -> None:
    programs = Corpus(tmp_path).programs
    assert len({program.id for program in programs}) == len(programs) == 24
    raised = []
    for program in programs:
        module: dict[str, typing.Any] = {"print": lambda *_: None}
        exec(compile(program.subject.text, "corpus", "exec"), module)
        for call in program.calls:
            arguments = {name: ast.literal_eval(text) for name, text in call.arguments}
            try:
                module[program.subject.ref.qualname](**arguments)
            except Exception as error:
                raised.append((program.id, type(error).__name__))
    assert raised == [
        ("corpus first_number", "LookupError"),
        ("corpus account", "ValueError"),
        ("corpus ratio", "ZeroDivisionError"),
    ]


@pytest.mark.parametrize(
    ("hint", "wanted"),
    [
        ("int", int),
        ("list[str]", list[str]),
        ("t.List[int]", list[int]),
        ("Sequence[tuple[int, ...]]", list[tuple[int, ...]]),
        ("'dict[str, int]'", dict[str, int]),
        ("int | None", int | None),
        ("Optional[bytes]", bytes | None),
        ("Union[int, str]", int | str),
        ("Literal['a', 3]", typing.Literal["a", 3]),
    ],
)
def test_hints_of_builtin_forms_are_types(hint: str, wanted: object) -> None:
    assert type_of(hint) == wanted


@pytest.mark.parametrize(
    "hint", ["Order", "int[str]", "list[Order]", "f()", "Callable[[int], int]", "1 +"]
)
def test_other_hints_are_no_types(hint: str) -> None:
    with pytest.raises(Untyped):
        type_of(hint)


SHOP = """
from __future__ import annotations

class Order:
    def __init__(self, lines: list[int]) -> None:
        self.lines = lines

    def total(self, rate: int) -> int:
        return sum(self.lines) * rate

def price(amount: int, names: dict[str, int], *, cut: float = 0.0, tag=None) -> float:
    return amount * len(names) * (1 - cut)

def untyped(text):
    return text.upper()

def nothing():
    return 1
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    write(tmp_path, "shop/__init__.py", "")
    write(tmp_path, "shop/tests/test_orders.py", "def test_it(x): pass")
    write(tmp_path, "shop/broken.py", "def f(:")
    return write(tmp_path, "shop/orders.py", SHOP)


def test_calls_by_hints_give_every_argument_that_is_needed(shop: Path) -> None:
    calls = calls_by_hints(load_subject(shop, "price"))
    assert calls is not None
    drawn: list[Call] = list(islice(sample(calls, 2), 30))
    for call in drawn:
        given = dict(call.arguments)
        assert {"amount", "names"} <= set(given) <= {"amount", "names", "cut"}
        assert type(ast.literal_eval(given["amount"])) is int
    assert any("cut" in dict(call.arguments) for call in drawn)


@pytest.mark.parametrize("name", ["untyped", "Order.total", "nothing"])
def test_without_hints_to_go_by_there_are_no_typed_calls(shop: Path, name: str) -> None:
    assert calls_by_hints(load_subject(shop, name)) is None


def test_the_functions_of_a_folder_are_found_without_its_tests(shop: Path) -> None:
    source = Functions(find_place(str(shop.parent)), "shop")
    names = [subject.ref.qualname for subject in source.subjects]
    assert sorted(names) == ["Order.__init__", "Order.total", "price", "untyped"]
    assert source.passed_over == 1
    assert source.subjects[0].ref.module == "shop.orders"


def test_functions_without_hints_are_called_by_guesses(shop: Path) -> None:
    calls = guessed(load_subject(shop, "untyped"), 3)
    assert {name for call in calls for name, _ in call.arguments} == {"text"}
    assert guessed(load_subject(shop, "untyped"), 3) == calls


def test_a_package_is_found_by_its_name_and_not_imported() -> None:
    sys.modules.pop("wsgiref", None)
    place = find_place("wsgiref")
    assert place.path.name == "wsgiref"
    assert "wsgiref" not in sys.modules
    assert find_place("wsgiref.util").path.name == "util.py"


@pytest.mark.parametrize("name", ["no_such_package_here", "wsgiref.nothing", "sys", "no/folder"])
def test_programs_that_are_not_there_are_told(name: str) -> None:
    with pytest.raises(UsageError, match="--programs"):
        find_place(name)


def test_a_folder_without_functions_is_told(tmp_path: Path) -> None:
    write(tmp_path, "empty.py", "x = 1")
    with pytest.raises(UsageError, match="no function"):
        _ = Functions(find_place(str(tmp_path)), "here").subjects
