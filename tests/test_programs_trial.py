"""Trials: how calls end, what does not fit, and that nothing is left behind."""

from __future__ import annotations

import sys

from nsdbg.programs.trial import Outcome, Trial, large, steady

TEXT = """\
def f(n):
    if n > 3:
        return [n]
    while n < 0:
        pass
    return 'a' * n * 100 + str(1 // n)
"""


def outcomes(*calls: str) -> list[Outcome]:
    return list(Trial(TEXT, "f", [(call,) for call in calls]).outcomes())


def test_an_outcome_holds_the_lines_and_the_result() -> None:
    (outcome,) = outcomes("4")
    assert outcome == Outcome(frozenset({2, 3}), "list(4)", "", True)


def test_an_exception_is_an_outcome_with_its_message() -> None:
    (outcome,) = outcomes("0")
    assert outcome.error == "ZeroDivisionError: integer division or modulo by zero"
    assert outcome.fit


def test_a_loop_without_end_is_cut_off_and_does_not_fit() -> None:
    first, second = outcomes("-1", "5")
    assert not first.fit
    assert second.result == "list(5)"


def test_a_result_that_is_too_long_does_not_fit() -> None:
    assert [outcome.fit for outcome in outcomes("1", "3")] == [True, True]
    (outcome,) = Trial(TEXT.replace("100", "900"), "f", [("1",)]).outcomes()
    assert not outcome.fit


def test_values_that_are_too_large_to_show_do_not_fit() -> None:
    assert large(["a" * 151])
    assert large([1, list(range(41))])
    assert large([-(10**13)])
    assert not large(["a" * 150, list(range(40)), 10**12, None, 1.5])
    text = "def f(n):\n    xs = list(range(n))\n    return len(xs)\n"
    assert [outcome.fit for outcome in Trial(text, "f", [("9",), ("99",)]).outcomes()] == [
        True,
        False,
    ]


def test_the_trace_function_of_the_caller_is_put_back() -> None:
    before = sys.gettrace()
    outcomes("4", "0", "-1")
    assert sys.gettrace() is before


def test_printing_writes_nothing(capsys: object) -> None:
    Trial("def f(x):\n    print(x, sep='-')\n    return x\n", "f", [("1",)])
    (outcome,) = Trial("def f(x):\n    print(x)\n", "f", [("1",)]).outcomes()
    assert outcome.result == "None"
    assert capsys.readouterr().out == ""  # type: ignore[attr-defined]


def test_the_text_of_a_set_does_not_follow_the_hash_seed() -> None:
    assert steady({"b", "a", "c"}) == "{'a', 'b', 'c'}"
    assert steady([{"x": ({2, 1},)}]) == "list({'x': tuple({1, 2})})"
    assert steady((1,)) != steady([1])
