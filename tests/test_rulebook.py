"""The rulebook: patterns, messages, pins, effects, suspects, and rule files that are broken."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import pytest

from nsdbg.errors import RuleError
from nsdbg.rulebook import Blame, EffectKind, Rulebook
from nsdbg.rulebook.fill import fill_code
from nsdbg.rulebook.pattern import Bindings, compile_pattern, text_of
from nsdbg.rulebook.regex import why_slow
from nsdbg.rulebook.suspects import statements_at
from nsdbg.source import Subject, load_subject

BOOK = Rulebook()


def bindings(pattern: str, code: str) -> dict[str, str] | None:
    statement = ast.parse(code).body[0]
    node = statement.value if isinstance(statement, ast.Expr) else statement
    found = compile_pattern(pattern).match(node)
    return None if found is None else {name: text_of(bound) for name, bound in found.items()}


@pytest.mark.parametrize(
    ("pattern", "code", "expected"),
    [
        ("$object.$attribute", "f(x).y", {"object": "f(x)", "attribute": "y"}),
        ("range(len($seq) + 1)", "range(len(a.b) + 1)", {"seq": "a.b"}),
        ("range(len($seq) + 1)", "range(len(a) + True)", None),
        ("$x + $x", "a[0] + a[0]", {"x": "a[0]"}),
        ("$x + $x", "a[0] + a[1]", None),
        ("open(...)", "open(path, mode='r')", {}),
        ("open($path)", "open(path, mode='r')", None),
        ("f(..., key=$key)", "f(1, other=2, key=3)", {"key": "3"}),
        ("f(..., $name=$_)", "f(1, size=2)", {"name": "size"}),
        ("[$first, ...]", "[1, 2, 3]", {"first": "1"}),
        ("[$first, ..., $last]", "[1, 2, 3]", {"first": "1", "last": "3"}),
        ("{...: ...}", "{1: 2}", {}),
        ("{$key: 2, ...: ...}", "{1: 1, 3: 2}", {"key": "3"}),
        ("{**$left, **$right}", "{**a, **b}", {"left": "a", "right": "b"}),
        ("{**$left, **$right}", "{**a, b: c}", None),
        ("if $test: ...", "if a:\n    b", {"test": "a"}),
        ("if $test: ...", "if a:\n    b\nelse:\n    c", None),
        ("for $a in $b: ...", "for x, y in z:\n    u\n    v", {"a": "(x, y)", "b": "z"}),
        ("$name = $value", "total: int = 3", {"name": "total", "value": "3"}),
        ("$left @ $right", "a // b", {"left": "a", "right": "b", "operator": "//"}),
        ("$left @= $right", "a += b", {"left": "a", "right": "b", "operator": "+="}),
        ("global $name", "global a, b", {"name": "a"}),
        ("def $f(..., $p=[], ...): ...", "def g(a, *, b=[]):\n    c", {"f": "g", "p": "b"}),
        ("def $f(..., $p=[], ...): ...", "def g(a, b=()):\n    c", None),
        ("def $f(): ...", "async def g():\n    c", {"f": "g"}),
        ("try: ...\nexcept Exception: ...", "try:\n    a\nexcept Exception as b:\n    c", {}),
        ("$_.f($_)", "a.f(b)", {}),
    ],
)  # fmt: skip
def test_a_pattern_fits_what_it_looks_like(
    pattern: str, code: str, expected: dict[str, str] | None
) -> None:
    assert bindings(pattern, code) == expected


def test_bindings_that_are_given_hold_and_are_not_changed() -> None:
    given: Bindings = {"attribute": "y"}
    pattern = compile_pattern("$object.$attribute")
    body = [ast.parse(text, mode="eval").body for text in ("x.y", "x.z")]
    assert [pattern.match(node, given) is not None for node in body] == [True, False]
    assert given == {"attribute": "y"}


@pytest.mark.parametrize("text", ["$", "$1", "a b", "a\nb", ""])
def test_a_pattern_that_is_no_python_is_a_syntax_error(text: str) -> None:
    with pytest.raises(SyntaxError):
        compile_pattern(text)


def test_an_attribute_of_none_is_explained_and_pinned_on_the_object() -> None:
    (found,) = BOOK.explain("AttributeError", "'NoneType' object has no attribute 'strip'")
    assert (found.rule, found.had_type, found.blame) == ("none_attribute", "NoneType", Blame.LINE)
    assert found.group("attribute") == "strip"
    statement = ast.parse("return_value = row.get('name').strip() + other.strip_all()").body[0]
    (pin,) = BOOK.bind(found, statement)
    assert (pin.lineno, pin.col, pin.end_col) == (1, 15, 36)
    assert pin.text == "row.get('name').strip"
    assert pin.culprit == "row.get('name')"
    assert pin.facts == ("row.get('name') is None",)
    assert pin.repeats_call
    assert not pin.inner
    assert pin.sentence == "`row.get('name')` was None, and None has no .strip."


def test_an_int_without_split_wants_a_text() -> None:
    (found,) = BOOK.explain("AttributeError", "'int' object has no attribute 'split'")
    assert found.had_type == "int"
    assert found.wants[0].target == "object"
    assert found.wants[0].types == ("str", "bytes")
    (pin,) = BOOK.bind(found, ast.parse("words = field.split()").body[0])
    assert (pin.wants[0].target, pin.wants[0].attribute) == ("field", "split")


def test_the_suggestion_that_traceback_prints_is_no_part_of_the_message() -> None:
    printed = "'Order' object has no attribute 'totl'. Did you mean: 'total'?"
    (found,) = BOOK.explain("AttributeError", printed)
    assert (found.group("attribute"), found.group("suggestion")) == ("totl", "total")
    (name,) = BOOK.explain("NameError", "name 'lenght' is not defined. Did you mean: 'length'?")
    assert (name.group("name"), name.group("suggestion")) == ("lenght", "length")


def test_a_wording_is_known_for_the_versions_that_print_it() -> None:
    old = "local variable 'label' referenced before assignment"
    new = "cannot access local variable 'label' where it is not associated with a value"
    rules = {
        (text, version): [each.rule for each in BOOK.explain("UnboundLocalError", text, version)]
        for text in (old, new)
        for version in ((3, 10), (3, 11), None)
    }
    assert rules[old, (3, 10)] == rules[new, (3, 11)] == ["unbound_local"]
    assert rules[old, (3, 11)] == rules[new, (3, 10)] == []
    assert rules[old, None] == rules[new, None] == ["unbound_local"]


def test_an_exception_is_known_by_the_end_of_its_dotted_name() -> None:
    message = "Expecting value: line 1 column 1 (char 0)"
    for name in ("json.decoder.JSONDecodeError", "JSONDecodeError"):
        assert [each.rule for each in BOOK.explain(name, message)] == ["json_decode"]
    assert BOOK.explain("OtherError", message) == ()


def test_text_of_a_message_becomes_code_only_as_a_literal_or_a_name() -> None:
    hostile = "__import__('os').system('true')"
    (found,) = BOOK.explain("ValueError", f"{hostile} is not a valid Colour")
    (pin,) = BOOK.bind(found, ast.parse("Colour(code)").body[0])
    assert pin.facts == (
        "code not in [member.value for member in Colour]",
        f"repr(code) == {hostile!r}",
    )
    assert fill_code("{key} in x", {}, {"key": hostile}) is None
    assert fill_code("{key} in x", {}, {"key": "'a'"}) == "('a') in x"
    assert fill_code("{key!r} in x", {}, {"key": hostile}) == f"{hostile!r} in x"


def test_facts_keep_their_meaning_when_the_place_is_no_plain_name() -> None:
    (found,) = BOOK.explain("ZeroDivisionError", "division by zero")
    (pin,) = BOOK.bind(found, ast.parse("mean = total / (a or b)").body[0])
    assert pin.facts == ("(a or b) == 0",)


def test_of_two_places_the_one_under_the_carets_is_taken() -> None:
    (found,) = BOOK.explain("ZeroDivisionError", "division by zero")
    statement = ast.parse("ratio = a / b + c / d").body[0]
    assert [pin.culprit for pin in BOOK.bind(found, statement)] == ["b", "d"]
    assert [pin.culprit for pin in BOOK.bind(found, statement, (16, 21), 1)] == ["d"]
    assert [pin.culprit for pin in BOOK.bind(found, statement, (9, 10), 1)] == ["b"]


def test_the_operator_of_the_message_chooses_among_operations() -> None:
    (found,) = BOOK.explain(
        "TypeError", "unsupported operand type(s) for *: 'NoneType' and 'decimal.Decimal'"
    )
    (pin,) = BOOK.bind(found, ast.parse("total = rate * price + fee").body[0])
    assert pin.text == "rate * price"
    assert pin.facts == ("type(rate).__name__ == 'NoneType'", "type(price).__name__ == 'Decimal'")


def test_only_the_header_of_a_compound_statement_is_looked_at() -> None:
    (found,) = BOOK.explain("KeyError", "'name'")
    statement = ast.parse("if row['name']:\n    print(other['name'])").body[0]
    assert [pin.text for pin in BOOK.bind(found, statement)] == ["row['name']"]


def test_a_place_inside_of_a_comprehension_says_so() -> None:
    (found,) = BOOK.explain("KeyError", "'name'")
    statement = ast.parse("names = [row['name'] for row in table['rows']]").body[0]
    pins = BOOK.bind(found, statement)
    assert [(pin.text, pin.inner) for pin in pins] == [
        ("row['name']", True), ("table['rows']", False),
    ]  # fmt: skip


def test_an_awaited_value_gives_no_fact_since_it_cannot_be_asked_again() -> None:
    (found,) = BOOK.explain("AttributeError", "'NoneType' object has no attribute 'name'")
    function = ast.parse("async def f():\n    return (await fetch()).name").body[0]
    assert isinstance(function, ast.AsyncFunctionDef)
    (pin,) = BOOK.bind(found, function.body[0])
    assert (pin.culprit, pin.facts) == ("await fetch()", ())


def subject(tmp_path: Path, code: str, name: str) -> Subject:
    path = tmp_path / "code_under_test.py"
    path.write_text(code)
    return load_subject(path, name)


def test_a_function_is_as_impure_as_what_it_calls(tmp_path: Path) -> None:
    code = (
        "import random\n"
        "SEEN = []\n"
        "def draw():\n    return random.random()\n"
        "class Box:\n    def put(self, x):\n        SEEN.append(x)\n"
        "def outer(box):\n    box.put(1)\n    return draw()\n"
        "def pure(rows):\n    rows.append(1)\n    return sorted(rows)\n"
    )
    found = BOOK.effects(subject(tmp_path, code, "outer"))
    assert [(each.rule, each.kind, each.lineno, each.function) for each in found] == [
        ("random_numbers", EffectKind.NONDETERMINISTIC, 4, "draw"),
        ("global_mutation", EffectKind.IMPURE, 7, "put"),
    ]
    assert BOOK.effects(subject(tmp_path, code, "pure")) == ()


def test_names_mean_what_was_imported_under_them(tmp_path: Path) -> None:
    code = (
        "from time import time as now\n"
        "from os.path import *\n"
        "import numpy as np\n"
        "def a():\n    return now()\n"
        "def b(now):\n    return now()\n"
        "def c():\n    return np.random.rand()\n"
        "def d():\n    return exists('x')\n"
    )
    rules = {
        name: [each.rule for each in BOOK.effects(subject(tmp_path, code, name))] for name in "abcd"
    }
    assert rules == {
        "a": ["clock"], "b": [], "c": ["random_numbers", "unread_code"], "d": ["files"],
    }  # fmt: skip


def test_annotations_are_not_effects(tmp_path: Path) -> None:
    code = "import requests\ndef f(r: requests.Response) -> requests.Response:\n    return r\n"
    assert BOOK.effects(subject(tmp_path, code, "f")) == ()


def test_a_range_that_is_one_too_long_is_suspected_before_the_loop_around(tmp_path: Path) -> None:
    code = (
        "def total(rows):\n"
        "    found = 0\n"
        "    for index in range(len(rows) + 1):\n"
        "        found += rows[index]\n"
        "    return found\n"
    )
    found = BOOK.suspects(
        subject(tmp_path, code, "total"), 4, "IndexError", "list index out of range"
    )
    assert (found[0].rule, found[0].lineno, found[0].function) == ("one_too_many", 3, "total")
    assert {each.lineno for each in found} == {3}
    assert [each.weight for each in found] == sorted((each.weight for each in found), reverse=True)


def test_suspects_follow_the_message(tmp_path: Path) -> None:
    code = (
        "def label(rows):\n"
        "    size = rows.get('size')\n"
        "    if rows:\n"
        "        name = 1\n"
        "    return name + size\n"
    )
    function = subject(tmp_path, code, "label")
    unbound = BOOK.suspects(function, 5, "UnboundLocalError",
                            "local variable 'name' referenced before assignment")  # fmt: skip
    assert {(each.rule, each.lineno) for each in unbound} == {("conditional_assignment", 3)}
    none = BOOK.suspects(function, 5, "TypeError",
                         "unsupported operand type(s) for +: 'int' and 'NoneType'")  # fmt: skip
    assert (none[0].rule, none[0].lineno) == ("get_without_test", 2)


def test_a_line_with_several_statements_has_all_of_them() -> None:
    tree = ast.parse("for x in y:\n    if x: a = 1; b = 2\n    c = [\n        3]\n")
    kinds = {line: [type(node).__name__ for node in statements_at(tree, line)]
             for line in range(1, 6)}  # fmt: skip
    assert kinds == {1: ["For"], 2: ["If", "Assign", "Assign"], 3: ["Assign"], 4: ["Assign"], 5: []}


@pytest.mark.parametrize(
    ("pattern", "slow"),
    [
        (r"'(?P<a>\w++)' object has no (?P<b>.+)", False),
        (r"(?:\w++\.)*+x", False),
        (r"[)+*]+ \(\)+", False),
        (r"x{1,30}y{0,64}z?", False),
        (r"(a+)+b", True),
        (r"(a|a)*b", True),
        (r"(a?){64}", True),
        (r".*a.*b.*c", True),
    ],
)
def test_a_regular_expression_that_can_take_long_is_known(pattern: str, slow: bool) -> None:
    assert (why_slow(pattern) is not None) is slow


def rule(folder: Path, kind: str, name: str, text: str, program: str = "") -> Path:
    (folder / kind).mkdir(exist_ok=True)
    path = folder / kind / f"{name}.toml"
    path.write_text(text)
    path.with_suffix(".py").write_text(program)
    return path


GOOD = """
title = "A title"
exceptions = ["KeyError"]
blame = "your line"
[[message]]
pattern = "'(?P<key>[a-z]+)'"
sentence = "There is no {key}."
[[site]]
pattern = "$container[$index]"
culprit = "index"
facts = ["{index} not in {container}"]
"""


def test_rules_of_another_folder_are_read_alone(tmp_path: Path) -> None:
    rule(tmp_path, "exceptions", "mine", GOOD)
    book = Rulebook(tmp_path)
    assert [each.id for each in book.rules()] == ["mine"]
    assert book.explain("KeyError", "'peg'")[0].sentence == "There is no peg."


@pytest.mark.parametrize(
    ("wrong", "right", "words"),
    [
        ("", "title =", 'title: is missing: add title = "…"'),
        ("blame = 3", 'blame = "your line"', "blame: is 3, and has to be a text"),
        ('blame = "mine"', 'blame = "your line"', "blame: is 'mine', and has to be one of"),
        ("exceptionz =", "exceptions =", "exceptions: is missing"),
        ('patern = "x"', 'culprit = "index"', "site[1].patern: is no field here; did you mean pat"),
        ('culprit = "other"', 'culprit = "index"', "site[1].culprit: names $other"),
        ("{nokey}", "{key}", "message[1].sentence: 'There is no {nokey}.' names {nokey}; known"),
        ("{index} not in in", "{index} not in {container}", "site[1].facts: "),
        ("{index.real}", "{index} not", "is not a template"),
        ("$container[", "$container[$index]", "is not Python with metavariables"),
        ("(?P<key>[a-z", "(?P<key>[a-z]+)", "is not a regular expression"),
        ("(?P<key>([a-z]+)+)", "(?P<key>[a-z]+)", "could take too long"),
        ("[[", "[[message]]", "is not TOML"),
    ],
)
def test_a_broken_rule_is_one_message_with_the_file_and_the_field(
    tmp_path: Path, wrong: str, right: str, words: str
) -> None:
    assert right in GOOD
    text = GOOD.replace('title = "A title"\n' if right == "title =" else right, wrong)
    path = rule(tmp_path, "exceptions", "mine", text)
    with pytest.raises(RuleError) as caught:
        Rulebook(tmp_path).rules()
    assert str(caught.value).startswith(f"{path}: ")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_rule_without_its_program_is_broken(tmp_path: Path) -> None:
    rule(tmp_path, "exceptions", "mine", GOOD).with_suffix(".py").unlink()
    with pytest.raises(RuleError, match=r"has no paired program: add mine\.py"):
        Rulebook(tmp_path).rules()


def test_a_rule_whose_program_would_hide_a_module_is_broken(tmp_path: Path) -> None:
    rule(tmp_path, "exceptions", "string", GOOD)
    with pytest.raises(RuleError, match="would hide the module string"):
        Rulebook(tmp_path).rules()


def test_reading_rules_executes_nothing_of_them(tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    rule(tmp_path, "exceptions", "mine", GOOD, f"open({str(mark)!r}, 'w')\n")
    book = Rulebook(tmp_path)
    (found,) = book.explain("KeyError", "'peg'")
    assert book.bind(found, ast.parse(f"x[open({str(mark)!r}, 'w')]").body[0])
    assert not mark.exists()


def test_a_folder_that_is_not_there_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="there is no such folder"):
        Rulebook(tmp_path / "nowhere").rules()


def test_a_long_message_is_cut_before_it_is_matched() -> None:
    started = time.perf_counter()
    found = BOOK.explain("KeyError", "'" + "x" * 10_000_000 + "'")
    assert time.perf_counter() - started < 1.0
    assert len(found[0].group("key") or "") <= 4096
