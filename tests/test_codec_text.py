"""Tokens: Python text and back, on every interpreter alike."""

from __future__ import annotations

import ast
import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nsdbg
from nsdbg.programs import Level, generate
from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.spelling import Slots
from nsdbg.propose.codec.vocabulary import END, IDS, SIZE, SLOTS, VERSION, WORD, is_slot, words
from nsdbg.verify.interpreters import Interpreter, find_interpreters

ROOT = Path(nsdbg.__file__).parent
PLAIN = [
    "x + 1", "0x1F", "0o17", "0b101", "1_000", "1e10", "1E-5", "1.5e+3", ".5", "5.", "1j", "1.5J",
    "0xdead_beef", "1_0.0_1", "1e400", "1 .real", "1..real",
    "'a' 'b'", "b'a' b'\\x00\\xff'", "b'\\xe9\\n\\t'", "'\\ud800'", "'é中\\U0001f600'",
    "'\\x00\\r\\x7f\\x85\\u2028'", "r'\\d'", "rb'\\d'", "'''a\nb'''", "''", "b''", "'it\\'s'",
    "lambda: 0", "lambda x, *a, y=1, **k: (x, a)", "lambda *, a: a", "lambda a, /, b: a",
    "[x for x in y if x if z]", "{k: v for k, v in x}", "{x for x in y}", "(x for x in y)",
    "[*a, *b]", "{**a, 'b': 1}", "f(*a, k=3, **c)", "x[1:2, ::3]", "x[...]", "...", "(y := 5)",
    "a if b else c", "not a", "a is not b", "a not in b", "await x", "(yield)", "(yield from x)",
    "a @ b", "a.b.c", "-a ** -b", "~a", "a < b <= c != d", "()", "(1,)", "[]", "{}", "x.é",
    "__class__", "_private", "match.case", "(a\n+ b)", "x  # told", "print('a', end='')",
    "a or-b", "not'a'", "'%s' % x",
]  # fmt: skip
FORMATTED = [
    "f''", "f'{x}'", "f'{x!r:>{w}}'", "f'{y:{w}.{p}f}'", "f'{{{x}}}'", "f'{{}}'", "f'{x=}'",
    "f'{x = !r:>4}'", "f'a{x}b{y!s}c'", "f'{f\"{x}\"}'", "f'{x}' 'abc' f'{y}'", "'a' f'{x}'",
    "'a' f'{x}'.upper()", "f'{x!a}{y}'", "f'{y:}'", "f'{\"}\"}'", "f'{(lambda x: x)(1)}'",
    "f'{ {1: 2}[1] }'", "f'{x:{\"é\"}>10}'", "rf'\\d{x}'", "f'\\n{x}\\t'", "f'{y:\\n<9}'",
    "f'''a{\nx\n}b'''", "f'{x,}'", "f'{y:,}'", "f'{x if y else z}'", "'a' 'b'", "f'{3.4:10}'",
    "f'{x.upper()[0]}' f'{d[\"b\"]:>3}'", "f'{1_000}'", "f'{(z:=5)}{z}'", "'x' + f'{x}' * 2",
]  # fmt: skip
NAMES = {"x": "tail", "y": 12, "w": 8, "p": 2, "z": None, "d": {"b": "é"}}


def spelled(source: str) -> tuple[list[int], Slots]:
    slots = Slots()
    return spelling.spell(source, slots), slots


def test_the_tokens_are_those_that_a_trained_network_knows() -> None:
    assert VERSION == "4-d91fc0836bb2"
    assert SIZE == 776


@pytest.mark.parametrize("source", PLAIN)
def test_an_expression_comes_back_with_the_same_tree(source: str) -> None:
    tokens, slots = spelled(source)
    text = spelling.text(tokens, slots)
    assert text is not None
    assert ast.dump(ast.parse(text, mode="eval")) == ast.dump(ast.parse(source, mode="eval"))


@pytest.mark.parametrize("source", FORMATTED)
def test_an_f_string_comes_back_as_text_of_the_same_value(source: str) -> None:
    tokens, slots = spelled(source)
    text = spelling.text(tokens, slots)
    assert text is not None
    assert eval(text, dict(NAMES)) == eval(source, dict(NAMES))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()) | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.tuples(inner)
    | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(VALUES)
def test_any_literal_comes_back_as_it_was(value: object) -> None:
    tokens, slots = spelled(repr(value))
    text = spelling.text(tokens, slots)
    assert text is not None
    assert repr(ast.literal_eval(text)) == repr(value)
    assert not any(map(is_slot, tokens))


ATOMS = st.sampled_from(["a", "b", "self", "3", "'q'", "2.5", "None", "f'{a}!'", "len", "[]"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.builds(
        lambda form, one, other: form.format(one, other),
        st.sampled_from([
            "({} + {})", "({} if {} else 0)", "{}[{}]", "[{}, {}]", "({}).get({})", "(not {} < {})",
            "[i for i in {} if {}]", "(lambda k: {})({})", "{{{}: {}}}", "({}, *{})", "({} ** -{})",
        ]),
        inner, inner,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(EXPRESSIONS)
def test_nested_expressions_come_back_with_the_same_tree(source: str) -> None:
    source = source.replace("f'{a}!'", "'a'")
    tokens, slots = spelled(source)
    text = spelling.text(tokens, slots)
    assert text is not None
    assert ast.dump(ast.parse(text, mode="eval")) == ast.dump(ast.parse(source, mode="eval"))


@pytest.mark.parametrize("source", ["$", "x ? y", "'open", "(", "f'{'", "x\x00", "'a\x00'", "x; y"])
def test_what_is_no_python_text_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match="not"):
        spelled(source)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(-3, SIZE + 3), max_size=40))
def test_any_tokens_have_a_text_or_none(tokens: list[int]) -> None:
    found = spelling.text(tokens, Slots())
    assert found is None or isinstance(found, str)


def test_f_strings_nested_without_end_have_no_text() -> None:
    deep = [IDS["<fstr>"], IDS["<{>"]] * 5000
    assert spelling.text(deep, Slots()) is None


def test_names_are_slots_and_known_words_are_tokens_of_their_own() -> None:
    tokens, slots = spelled("total = sorted(total, key=len)")
    assert tokens[0] == tokens[4]
    assert is_slot(tokens[0])
    assert slots.named(tokens[0]) == "total"
    assert WORD["sorted"] in tokens
    assert words(tokens) == "<n0> = sorted ( <n0> , key = len )"


def test_names_beyond_the_slots_are_spelled_by_character() -> None:
    slots = Slots()
    for number in range(SLOTS):
        slots.name(f"name{number}")
    tokens = slots.name("one_more")
    assert tokens[0] == IDS["<name>"]
    assert spelling.text(tokens, slots) == "one_more"


def test_words_for_people_name_tokens_and_do_not_break_at_garbage() -> None:
    assert words([END, -1, SIZE]) == "<end> <?> <?>"


CHILD = """
import ast, importlib.util, json, sys
spec = importlib.util.spec_from_file_location(
    "nsdbg", sys.argv[1] + "/__init__.py", submodule_search_locations=[sys.argv[1]])
sys.modules["nsdbg"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from nsdbg.episode import Listing
from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.view import View
job = json.load(sys.stdin)
found = []
for source in job["expressions"]:
    found.append(spelling.spell(source, spelling.Slots()))
    found.append(spelling.spell(ast.unparse(ast.parse(source, mode="eval")), spelling.Slots()))
for number, text in enumerate(job["functions"]):
    view = View([Listing("m.py", "f", 7, text)])
    found.append(view.tokens("m.py", 7))
    found.append([view.line("m.py", lineno) for lineno in range(7, 8 + text.count(chr(10)))])
print(json.dumps(found))
"""


def functions() -> list[str]:
    found = [generate(seed, Level.LINES).text for seed in range(40)]
    for file in sorted((ROOT / "propose" / "codec").glob("*.py")):
        lines = file.read_text(encoding="utf-8").splitlines()
        found += [
            "\n".join(lines[node.lineno - 1 : node.end_lineno])
            for node in ast.walk(ast.parse("\n".join(lines)))
            if isinstance(node, ast.FunctionDef)
        ]
    return found


def test_the_same_source_has_the_same_tokens_on_every_interpreter() -> None:
    others = [found for found in find_interpreters() if found.version >= (3, 11)]
    if len(others) < 2:
        pytest.skip("no other Python from 3.11 on is here")
    job = json.dumps({"expressions": [*PLAIN, *FORMATTED], "functions": functions()})
    (first, told), *rest = [(each, _told(each, job)) for each in others]
    assert len(told) > 400
    for other, tokens in rest:
        assert tokens == told, f"{first} and {other} differ"


def _told(python: Interpreter, job: str) -> list[list[int]]:
    command = [str(python.path), "-I", "-W", "ignore", "-c", CHILD, str(ROOT)]
    done = subprocess.run(command, input=job, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[list[int]] = json.loads(done.stdout)
    return found
