"""The rules that come with nsdbg: all well formed, paired, quick, and knowing what users meet."""

from __future__ import annotations

import ast
import json
import re
import time
from collections import Counter
from pathlib import Path

import pytest

from nsdbg.rulebook import Rulebook, RuleKind
from nsdbg.rulebook.regex import MESSAGE_LIMIT
from nsdbg.rulebook.rules import AnyRule, ExceptionRule, SuspectRule
from nsdbg.rulecheck import refuse_strays
from nsdbg.rulecheck.trial import SILENT, SPEAKS, read_cases

ROOT = Path(__file__).resolve().parent.parent
CRASHES = ROOT.parent / "shared" / "data" / "crash_programs.jsonl"
BOOK = Rulebook(checked=True)
RULES = BOOK.rules()


def test_every_rule_is_well_formed_and_there_are_many_of_each_kind() -> None:
    counts = Counter(rule.path.parent.name for rule in RULES)
    least = {"exceptions": 30, "inverse": 10, "effects": 10, "suspects": 20}
    assert {kind: counts[kind] >= count for kind, count in least.items()} == dict.fromkeys(
        least, True
    )
    refuse_strays(BOOK.folder)


def test_trusted_reading_gives_the_same_rules_as_checked_reading() -> None:
    assert Rulebook().rules() == RULES


def test_reading_a_kind_takes_little_time() -> None:
    best = {kind: min(_seconds(kind) for _ in range(5)) for kind in RuleKind}
    assert {kind: seconds < 0.1 for kind, seconds in best.items()} == dict.fromkeys(RuleKind, True)


def _seconds(kind: RuleKind) -> float:
    book = Rulebook()
    started = time.perf_counter()
    book.rules(kind)
    return time.perf_counter() - started


def test_reading_only_what_an_exception_needs_answers_the_same() -> None:
    cases = [
        ("AttributeError", "'NoneType' object has no attribute 'x'"),
        ("json.decoder.JSONDecodeError", "Expecting value: line 1 column 1 (char 0)"),
        ("ValueError", "math domain error"),
        ("Nobody", "knows this"),
    ]
    statement = ast.parse("y = x.x + math.sqrt(z) + json.loads(t)").body[0]
    for type, message in cases:
        partial = Rulebook()
        found = partial.explain(type, message)
        assert found == BOOK.explain(type, message)
        assert [partial.bind(each, statement) for each in found] == [
            BOOK.bind(each, statement) for each in found
        ]


def test_every_program_shows_both_sides_and_is_python_38() -> None:
    for rule in RULES:
        names = [case.name for case in read_cases(rule)]
        assert any(name.startswith(SPEAKS) for name in names), rule.program
        assert any(name.startswith(SILENT) for name in names), rule.program
        ast.parse(rule.program.read_text(), feature_version=(3, 8))


def test_every_suspect_program_marks_the_fault() -> None:
    programs = [rule.program for rule in RULES if isinstance(rule, SuspectRule)]
    unmarked = [path.stem for path in programs if "# fault" not in path.read_text()]
    assert unmarked == []


@pytest.mark.parametrize(
    ("type", "message", "rule"),
    [
        ("AttributeError", "'NoneType' object has no attribute 'x'", "none_attribute"),
        ("TypeError", "'NoneType' object is not subscriptable", "none_subscript"),
        ("TypeError", "'NoneType' object does not support item assignment", "none_subscript"),
        ("TypeError", "'int' object is not callable", "not_callable"),
        ("TypeError", "'int' object is not iterable", "not_iterable"),
        ("TypeError", "cannot unpack non-iterable NoneType object", "not_iterable"),
        ("KeyError", "'x'", "missing_key"),
        ("KeyError", "(1, 'x')", "missing_key"),
        ("IndexError", "list index out of range", "index_out_of_range"),
        ("IndexError", "string index out of range", "index_out_of_range"),
        ("IndexError", "tuple index out of range", "index_out_of_range"),
        ("IndexError", "deque index out of range", "index_out_of_range"),
        ("IndexError", "list assignment index out of range", "index_out_of_range"),
        ("IndexError", "pop index out of range", "index_out_of_range"),
        ("IndexError", "pop from empty list", "pop_from_empty"),
        ("IndexError", "pop from an empty deque", "pop_from_empty"),
        ("KeyError", "'pop from an empty set'", "pop_from_empty"),
        ("KeyError", "'popitem(): dictionary is empty'", "pop_from_empty"),
        ("ValueError", "too many values to unpack (expected 2)", "too_many_values"),
        ("ValueError", "too many values to unpack (expected 2, got 3)", "too_many_values"),
        ("ValueError", "not enough values to unpack (expected 3, got 2)", "not_enough_values"),
        (
            "ValueError",
            "not enough values to unpack (expected at least 2, got 1)",
            "not_enough_values",
        ),
        ("TypeError", "unsupported operand type(s) for +: 'int' and 'str'", "operand_types"),
        (
            "TypeError",
            "unsupported operand type(s) for ** or pow(): 'str' and 'int'",
            "operand_types",
        ),
        ("TypeError", "unsupported operand type(s) for +=: 'int' and 'NoneType'", "operand_types"),
        ("TypeError", "bad operand type for unary -: 'str'", "operand_types"),
        ("TypeError", 'can only concatenate str (not "int") to str', "concatenation"),
        ("TypeError", "can't multiply sequence by non-int of type 'float'", "sequence_repeat"),
        ("ValueError", "invalid literal for int() with base 10: 'x'", "int_literal"),
        ("ValueError", "invalid literal for int() with base 16: ''", "int_literal"),
        ("ValueError", "could not convert string to float: 'x'", "float_literal"),
        (
            "TypeError",
            "int() argument must be a string, a bytes-like object or a number, not 'NoneType'",
            "number_argument",
        ),
        (
            "TypeError",
            "int() argument must be a string, a bytes-like object or a real number, not 'list'",
            "number_argument",
        ),
        (
            "TypeError",
            "float() argument must be a string or a real number, not 'NoneType'",
            "number_argument",
        ),
        ("TypeError", "f() missing 1 required positional argument: 'x'", "missing_argument"),
        (
            "TypeError",
            "Order.f() missing 2 required keyword-only arguments: 'x' and 'y'",
            "missing_argument",
        ),
        ("TypeError", "f() got an unexpected keyword argument 'x'", "unexpected_argument"),
        ("TypeError", "f() takes 1 positional argument but 2 were given", "argument_count"),
        (
            "TypeError",
            "f() takes from 1 to 2 positional arguments but 3 were given",
            "argument_count",
        ),
        ("TypeError", "len() takes exactly one argument (2 given)", "argument_count"),
        ("TypeError", "f() got multiple values for argument 'x'", "repeated_argument"),
        ("UnboundLocalError", "local variable 'x' referenced before assignment", "unbound_local"),
        (
            "UnboundLocalError",
            "cannot access local variable 'x' where it is not associated with a value",
            "unbound_local",
        ),
        (
            "NameError",
            "free variable 'x' referenced before assignment in enclosing scope",
            "unbound_local",
        ),
        ("NameError", "name 'x' is not defined", "undefined_name"),
        ("NameError", "global name 'x' is not defined", "undefined_name"),
        (
            "NameError",
            "name 'os' is not defined. Did you forget to import 'os'?",
            "undefined_name",
        ),
        (
            "UnicodeEncodeError",
            "'ascii' codec can't encode character '\\xe9' in position 3: ordinal not in range(128)",
            "encoding",
        ),
        (
            "UnicodeDecodeError",
            "'utf-8' codec can't decode byte 0xe9 in position 1: invalid continuation byte",
            "decoding",
        ),
        ("ZeroDivisionError", "division by zero", "zero_division"),
        ("ZeroDivisionError", "integer division or modulo by zero", "zero_division"),
        ("ZeroDivisionError", "integer modulo by zero", "zero_division"),
        ("ZeroDivisionError", "float division by zero", "zero_division"),
        ("ZeroDivisionError", "float floor division by zero", "zero_division"),
        ("ZeroDivisionError", "float modulo", "zero_division"),
        ("ZeroDivisionError", "float modulo by zero", "zero_division"),
        ("ZeroDivisionError", "float divmod()", "zero_division"),
        ("ZeroDivisionError", "complex division by zero", "zero_division"),
        (
            "ZeroDivisionError",
            "0.0 cannot be raised to a negative power",
            "zero_division",
        ),
        ("RecursionError", "maximum recursion depth exceeded", "recursion"),
        ("RecursionError", "maximum recursion depth exceeded in comparison", "recursion"),
        (
            "RecursionError",
            "maximum recursion depth exceeded while calling a Python object",
            "recursion",
        ),
        ("AttributeError", "'Order' object has no attribute 'x'", "missing_attribute"),
        (
            "AttributeError",
            "'Order' object has no attribute 'x'. Did you mean: 'y'?",
            "missing_attribute",
        ),
        ("AttributeError", "type object 'Order' has no attribute 'x'", "missing_attribute"),
        ("AttributeError", "module 'math' has no attribute 'x'", "module_attribute"),
        ("ModuleNotFoundError", "No module named 'x'", "module_not_found"),
        ("ModuleNotFoundError", "No module named 'x.y'; 'x' is not a package", "module_not_found"),
        (
            "ImportError",
            "cannot import name 'x' from 'm' (/srv/m.py)",
            "import_name",
        ),
        (
            "ImportError",
            "cannot import name 'x' from partially initialized module 'm' "
            "(most likely due to a circular import) (/srv/m.py)",
            "import_name",
        ),
        ("TypeError", "unhashable type: 'list'", "unhashable"),
        (
            "TypeError",
            "cannot use 'list' as a dict key (unhashable type: 'list')",
            "unhashable",
        ),
        ("StopIteration", "", "stop_iteration"),
        ("ValueError", "max() arg is an empty sequence", "empty_extremum"),
        ("ValueError", "min() iterable argument is empty", "empty_extremum"),
        ("ValueError", "list.remove(x): x not in list", "not_in_sequence"),
        ("ValueError", "'x' is not in list", "not_in_sequence"),
        ("ValueError", "substring not found", "not_in_sequence"),
        ("OverflowError", "(34, 'Numerical result out of range')", "overflow"),
        ("OverflowError", "int too large to convert to float", "overflow"),
        ("OverflowError", "cannot convert float infinity to integer", "overflow"),
        ("FileNotFoundError", "[Errno 2] No such file or directory: 'x'", "file_not_found"),
        ("PermissionError", "[Errno 13] Permission denied: '/x'", "file_not_found"),
        ("JSONDecodeError", "Expecting value: line 1 column 1 (char 0)", "json_decode"),
        ("JSONDecodeError", "Extra data: line 1 column 3 (char 2)", "json_decode"),
        (
            "TypeError",
            "'<' not supported between instances of 'int' and 'NoneType'",
            "not_comparable",
        ),
        ("RuntimeError", "dictionary changed size during iteration", "changed_in_loop"),
        ("RuntimeError", "Set changed size during iteration", "changed_in_loop"),
        ("AssertionError", "", "assertion"),
        ("AssertionError", "there are no rows\nat all", "assertion"),
        ("TypeError", "object of type 'int' has no len()", "no_length"),
        ("TypeError", "list indices must be integers or slices, not str", "index_type"),
        ("TypeError", "string indices must be integers", "index_type"),
        ("TypeError", "string indices must be integers, not 'str'", "index_type"),
        ("ValueError", "math domain error", "math_domain"),
        ("ValueError", "expected a nonnegative input, got -4.0", "math_domain"),
        ("EOFError", "EOF when reading a line", "end_of_input"),
        ("TypeError", "sequence item 1: expected str instance, int found", "join"),
        ("TypeError", "'float' object cannot be interpreted as an integer", "not_an_integer"),
    ],
)
def test_the_messages_that_users_meet_are_each_read_by_one_rule(
    type: str, message: str, rule: str
) -> None:
    assert [found.rule for found in BOOK.explain(type, message)] == [rule]


@pytest.mark.skipif(not CRASHES.is_file(), reason="../shared/data/crash_programs.jsonl is not here")
def test_real_crashes_are_explained() -> None:
    rows = [json.loads(line) for line in CRASHES.read_text().splitlines()]
    known = [bool(BOOK.explain(row["exception"], row["message"], (3, 11))) for row in rows]
    assert sum(known) / len(known) > 0.97


def patterns_of(rule: AnyRule) -> tuple[str, ...]:
    if isinstance(rule, ExceptionRule):
        return tuple(message.pattern for message in rule.messages)
    return rule.messages if isinstance(rule, SuspectRule) else ()


def test_no_message_takes_long_however_it_is_made() -> None:
    """A rule's own words, and what its repeats take, up to the limit: the worst it can meet."""
    for rule in RULES:
        for pattern in patterns_of(rule):
            words = re.sub(r"\\.|[][(){}|?+*^$<>:]|\?P<\w+>", " ", pattern)
            for unit in (words, "a", "a.", "' ", "x\\", "()", "1, "):
                started = time.perf_counter()
                re.fullmatch(pattern, (words + unit * MESSAGE_LIMIT)[:MESSAGE_LIMIT])
                assert time.perf_counter() - started < 0.2, (rule.id, unit)


def test_the_rules_that_the_document_shows_are_rules(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "rules.md").read_text()
    shown = re.findall(r"## `(\w+)`[^\n]*\n\n```toml\n(.*?)```", text, re.DOTALL)
    for kind, body in shown:
        (tmp_path / kind).mkdir()
        (tmp_path / kind / "shown.toml").write_text(body)
        (tmp_path / kind / "shown.py").write_text("")
    assert {rule.path.parent.name for rule in Rulebook(tmp_path).rules()} == {
        kind.value for kind in RuleKind
    }


def test_sentences_are_for_people() -> None:
    for rule in RULES:
        if isinstance(rule, ExceptionRule):
            for message in rule.messages:
                assert message.sentence.strip().endswith((".", "}", "?")), (
                    rule.id,
                    message.sentence,
                )
                assert len(message.sentence) < 240, (rule.id, message.sentence)
