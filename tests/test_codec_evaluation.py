"""The evaluator ends soon whatever it is asked, and tells no text that another run would not."""

from __future__ import annotations

import time

import pytest

from nsdbg.propose.codec.situation import WELL_KNOWN
from nsdbg.propose.evaluate import Unknown, evaluate

ENDLESS = [
    "list(iter(int, 1))", "sum(iter(int, 1))", "'a' in iter(str, 1)", "[*iter(int, 1)]",
    "dict(enumerate(iter(int, 1)))", "'-'.join(iter(str, 1))", "Counter(iter(int, 1))",
]  # fmt: skip
LONG = [
    "list(map(sorted, [list(range(60000))] * 60000))",
    "list(map(('a' * 60000).count, ['b'] * 60000))",
    "[('a' * 60000).count('a' * 1000 + 'b') for _ in range(20000)]",
    "[[0] * 60000 for _ in range(60000)]",
    "[sorted(range(60000)) for _ in range(20000)]",
    "[9 ** 20000 % 7 ** 9000 for _ in range(20000)]",
    "[f\"{'a' * 60000}\" for _ in range(20000)]",
    "max([list(range(60000))] * 6000)",
    "sorted([1] * 60000, key=lambda x: [0] * 60000)",
    "pow(3, 9 ** 20000, 9 ** 20000 + 1)",
    "list(map(bytes, [10 ** 9]))",
]
CHANGING = [
    "f\"{ {'a', 'b'} }\"", "'%s' % ({'a', 'b'},)", "'{}'.format([{'a', 'b'}])", "str([lambda: 0])",
    "list(map(str, [{'a', 'b'}]))", "f'{print}'", "repr({1: {'a', 'b'}})", "ascii(lambda: 0)",
]  # fmt: skip


@pytest.mark.parametrize("expression", [*ENDLESS, *LONG, *CHANGING])
def test_what_does_not_end_or_changes_from_run_to_run_is_unknown(expression: str) -> None:
    begun = time.process_time()
    with pytest.raises(Unknown):
        evaluate(expression, WELL_KNOWN)
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize(
    "expression",
    [
        "list(iter([3, 4]))",
        "list(map(str, [1, (2,), [3]]))",
        "sorted(['bb', 'a'], key=len)",
        "max('ab', 'c', key=lambda x: -len(x))",
        "list(filter(str.isdigit, ['1', 'a']))",
        "f'{\"é\"!a} {3!r:>4} {4.5:.2f}'",
        "sum([[1], [2, 3]], [])",
        "sum([(1,), (2,)], ())",
        "pow(3, 200, 1000)",
        "list(map(int, '123'))",
        "str(type(3))",
        "'%s %r' % (type('a'), [1, 'b'])",
        "[x for x in range(3000)][-1]",
        "ascii('é')",
    ],
)
def test_what_ends_gives_what_python_gives(expression: str) -> None:
    assert evaluate(expression, {}) == eval(expression)


def test_adding_up_what_cannot_be_added_raises_what_python_raises() -> None:
    for expression in ("sum(['a'], '')", "sum([[1], (2,)], [])"):
        with pytest.raises(Unknown, match="TypeError"):
            evaluate(expression, {})
