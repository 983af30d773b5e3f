"""A set has the order of its past, which no state tells: what hangs on it is not confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from running import write

from nsdbg.claim import Call, Middle, Reason
from nsdbg.source import load_subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.verify.child.histories import with_past
from nsdbg.verify.child.literals import same
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.starts import call_of
from nsdbg.verify.verifier import Verifier

SOURCE = """\
def listed(numbers):
    found = list(numbers)
    return found


def counted(numbers):
    found = len(numbers)
    return found
"""
PASTS = range(10)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("histories"), "sets.py", SOURCE)


@pytest.fixture(scope="module")
def verifier(file: Path) -> Iterator[Verifier]:
    with Runner(RunnerConfig(roots=(file.parent,))) as runner:
        yield Verifier(runner)


@pytest.mark.parametrize(
    "value",
    [
        {11, 80, 3}, [{1, 80}, 2], ({8, 16},), {"a": {8, 16}, "b": 1}, frozenset({8, 16}),
        {frozenset({8, 16}), 1}, {1.0}, [], 5, None,
    ],
)  # fmt: skip
def test_another_past_leaves_the_value(value: object) -> None:
    assert with_past(value, 0) is value
    for number in PASTS:
        assert same(value, with_past(value, number))


@pytest.mark.parametrize("values", [{1, 80}, {8, 16}, {11, 80, 3, 7, 1}])
def test_among_the_pasts_of_a_set_are_other_orders(values: set[object]) -> None:
    orders = {tuple(with_past([values], number)[0]) for number in PASTS}
    assert len(orders) > 1


def test_small_numbers_have_one_order_whatever_was() -> None:
    assert {tuple(with_past({0, 1, 2, 3}, number)) for number in PASTS} == {(0, 1, 2, 3)}


@pytest.mark.parametrize(("event", "line"), [(Event.LINE, 0), (Event.CALL, -1)])
@pytest.mark.parametrize(
    ("function", "text", "confirmed"),
    [
        ("listed", "{1, 11, 3, 7, 80}", False),
        ("listed", "{1, 80}", False),
        ("listed", "{0, 1, 2}", True),
        ("listed", "[1, 80]", True),
        ("counted", "{1, 11, 3, 7, 80}", True),
    ],
)
def test_a_state_is_not_followed_through_the_order_of_a_set(
    verifier: Verifier, file: Path, function: str, text: str, confirmed: bool, event: Event,
    line: int,
) -> None:  # fmt: skip
    subject = load_subject(file, function)
    assert subject.node is not None
    numbers = ("numbers", Value(text, "set" if text[0] == "{" else "list", literal=True))
    frame = Frame(str(file), subject.node.lineno + 1 + line, function, (numbers,))
    start = Middle(State(event, (frame,)))
    found = verifier.follow(subject.ref, start, Action(ActionKind.RETURN)).verdict.reason
    assert found is (Reason.TRANSITION if confirmed else Reason.NONDETERMINISTIC)


def test_the_call_that_a_state_is_says_so(file: Path) -> None:
    frame = Frame(str(file), 1, "listed", (("numbers", Value("{1}", "set", literal=True)),))
    found = call_of(load_subject(file, "listed").ref, State(Event.CALL, (frame,)))
    assert found == Call((("numbers", "{1}"),), of_state=True)
