"""The evaluator ends soon whatever it is asked, and tells no text that another run would not."""

from __future__ import annotations

import importlib
import itertools
import re
import time

import pytest

from nsdbg.propose.codec.seen import described
from nsdbg.propose.codec.situation import WELL_KNOWN
from nsdbg.propose.evaluate import Unknown, evaluate
from nsdbg.propose.evaluation.lazy import WITHIN
from nsdbg.propose.evaluation.opaque import Opaque
from nsdbg.state import Value

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
    "'%*d' % (10 ** 9, 1)",
    "'%-*d' % (10 ** 9, 1)",
    "'%.*f' % (10 ** 9, 1.5)",
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
        "f'{3:*>6}' + '{:*^7}'.format('a')",
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


LIBRARY = [
    "list(itertools.chain.from_iterable([[1], 'ab']))",
    "list(itertools.chain([1], 'ab'))", "list(itertools.accumulate([1, 2, 3]))",
    "list(itertools.accumulate([2, 3], operator.mul, initial=5))", "functools.reduce(max, [1, 3])",
    "[(k, list(g)) for k, g in itertools.groupby('aab')]", "list(itertools.product('ab', [1, 2]))",
    "list(itertools.islice(itertools.count(3), 4))", "list(itertools.permutations([1, 2, 3], 2))",
    "list(itertools.takewhile(str.isdigit, '12a3'))", "list(itertools.zip_longest('ab', 'c'))",
    "math.factorial(6) + math.comb(5, 2)", "math.prod([2, 3, 4])", "string.capwords('a bc')",
    "bisect.bisect_left([1, 3, 5], 3)", "heapq.nlargest(2, [4, 9, 1], key=lambda x: -x)",
    "sorted([(2, 'a'), (1, 'b')], key=operator.itemgetter(1))", "string.digits[:3]",
    "functools.reduce(lambda a, b: a + b, ['x', 'y'], 'z')", "list(map(math.floor, [1.5, -1.5]))",
]  # fmt: skip


@pytest.mark.parametrize("expression", LIBRARY)
def test_the_library_gives_what_pythons_gives(expression: str) -> None:
    modules = ("itertools", "functools", "operator", "math", "string", "bisect", "heapq")
    names = {name: importlib.import_module(name) for name in modules}
    assert evaluate(expression, WELL_KNOWN) == eval(expression, names)


@pytest.mark.parametrize(
    "expression",
    [
        "list(itertools.count())", "list(itertools.cycle([1]))", "sum(itertools.repeat(1))",
        "list(itertools.product([0] * 9, repeat=10 ** 9))", "math.factorial(10 ** 6)",
        "list(itertools.accumulate(['a' * 60000] * 20000))", "math.comb(10 ** 6, 10 ** 5)",
        "list(itertools.combinations(range(60000), 59999))", "math.prod([9 ** 20000] * 10)",
        "functools.reduce(operator.mul, [9 ** 9000] * 9000)",
        "list(itertools.chain.from_iterable([range(60000)] * 60000))",
        "list(itertools.starmap(sorted, [[range(60000)]] * 60000))", "print.x()",
    ],
)  # fmt: skip
def test_the_librarys_iterators_end(expression: str) -> None:
    begun = time.process_time()
    with pytest.raises(Unknown):
        evaluate(expression, WELL_KNOWN)
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize(
    "text",
    [
        "chain('ab', [1])", "chain.from_iterable(['ab'])", "islice('abc', 2)",
        "zip_longest('a', 'bc')",
        "product('ab', repeat=2)", "accumulate([1, 2])", "repeat(None, 3)", "repeat('x')",
        "itertools.count()", "itertools.count(2)", "itertools.count(1, 2)", "itertools.cycle('ab')",
        "groupby([1, 1])", "map(str, [1])", "zip('ab')", "enumerate('ab')", "iter([1])",
        "[1].append", "{1}.add", "str.lower",
    ],
)  # fmt: skip
def test_an_iterator_or_a_method_is_shown_as_a_run_shows_it(text: str) -> None:
    found = described(evaluate(text, WELL_KNOWN))
    real = eval(text, {**vars(itertools), "itertools": itertools})
    kind = type(real)
    assert found is not None
    assert found.repr == re.sub("0x[0-9a-f]+", "0x...", repr(real))
    assert found.type.rpartition(".")[2] == kind.__name__


def test_an_iterator_gives_what_the_real_one_gives() -> None:
    for text in ("list(chain('ab', [1]))", "list(islice(repeat(7), 3))", "next(itertools.count(4))",
                 "[list(one) for one in tee([1, 2])]", "sum(accumulate([1, 2, 3]))"):  # fmt: skip
        assert evaluate(text, WELL_KNOWN) == eval(text, {**vars(itertools), "itertools": itertools})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("chain(thing, [1])", "<itertools.chain object at 0x...>"),
        ("zip_longest(*thing, fillvalue=0)", "<itertools.zip_longest object at 0x...>"),
        ("map(nobody_knows, thing)", "<map object at 0x...>"),
        ("(a for a in thing)", "<generator object f.<locals>.<genexpr> at 0x...>"),
    ],
)
def test_an_iterator_is_made_over_what_is_not_known_and_gives_nothing(
    text: str, shown: str
) -> None:
    names = {**WELL_KNOWN, "thing": Opaque(Value("<Thing>", "Thing")), WITHIN: "f"}
    found = described(evaluate(text, names))
    assert found is not None
    assert found.repr == shown
    with pytest.raises(Unknown):
        evaluate(f"list({text})", names)
