"""`nsdbg rules check`: programs are run under the guard, and a rule that lies is found out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from nsdbg.errors import RuleError
from nsdbg.rulebook import Rulebook
from nsdbg.rulecheck import RuleReport, Standing, check_everywhere, check_rules, refuse_strays
from nsdbg.verify.interpreters import Interpreter, find_interpreter, find_interpreters

EXCEPTION = """
title = "A title"
exceptions = ["KeyError"]
blame = "your line"
[[message]]
pattern = "'(?P<key>[a-z]+)'"
sentence = "There is no {key}."
[[site]]
pattern = "$container[$index]"
culprit = "index"
facts = ["FACT"]
"""
KEY_PROGRAM = """
def propose_a_key():
    stock = {"peg": 1}
    wanted = "pin"
    return stock[wanted]

def silent_an_index():
    return [1][2]
"""
SUSPECT = """
title = "A title"
exceptions = ["IndexError"]
search = "function"
weight = 0.5
reason = "a reason"
[[place]]
pattern = "range(len($seq) + 1)"
"""
EFFECT = """
title = "A title"
effect = "impure"
reason = "a reason"
[[place]]
pattern = "global $name"
"""
INVERSE = """
title = "A title"
[[case]]
operation = "$left - $right"
unknown = "left"
given = ["type(result) is int", "type(right) is int"]
preimages = ["PREIMAGE"]
"""


def write(folder: Path, kind: str, text: str, program: str, name: str = "mine") -> None:
    (folder / kind).mkdir(exist_ok=True)
    (folder / kind / f"{name}.toml").write_text(text)
    (folder / kind / f"{name}.py").write_text(program)


def reports(folder: Path) -> list[RuleReport]:
    book = Rulebook(folder)
    return list(check_rules(book.rules(), book, find_interpreter(None)))


def details(folder: Path) -> dict[str, tuple[str, str]]:
    (report,) = reports(folder)
    return {
        outcome.function: (outcome.standing.value, outcome.detail) for outcome in report.outcomes
    }


def test_a_fact_that_is_true_in_the_living_frame_holds(tmp_path: Path) -> None:
    write(tmp_path, "exceptions", EXCEPTION.replace("FACT", "{index} not in {container}"),
          KEY_PROGRAM)  # fmt: skip
    assert details(tmp_path) == {
        "propose_a_key": ("holds", "There is no pin."),
        "silent_an_index": ("holds", ""),
    }


def test_a_fact_that_is_false_there_fails(tmp_path: Path) -> None:
    write(tmp_path, "exceptions", EXCEPTION.replace("FACT", "{index} in {container}"), KEY_PROGRAM)
    assert details(tmp_path)["propose_a_key"] == ("fails", "not true there: wanted in stock")


def test_a_fact_that_raises_there_fails(tmp_path: Path) -> None:
    write(tmp_path, "exceptions", EXCEPTION.replace("FACT", "{index} < len({container})"),
          KEY_PROGRAM)  # fmt: skip
    assert details(tmp_path)["propose_a_key"][0] == "fails"


def test_a_rule_that_speaks_where_it_must_be_silent_fails(tmp_path: Path) -> None:
    program = KEY_PROGRAM.replace("[1][2]", '{}["pin"]')
    write(tmp_path, "exceptions", EXCEPTION.replace("FACT", "{index} not in {container}"), program)
    assert details(tmp_path)["silent_an_index"] == ("fails", "it speaks of KeyError: 'pin'")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("return stock", "it raised nothing: returned"),
        ("return stock[3]", "it does not know KeyError: 3"),
        ("return stock.pop(wanted)", "no place of the rule fits line 5"),
    ],
)
def test_a_program_that_shows_something_else_fails(tmp_path: Path, line: str, words: str) -> None:
    program = KEY_PROGRAM.replace("return stock[wanted]", line)
    write(tmp_path, "exceptions", EXCEPTION.replace("FACT", "{index} not in {container}"), program)
    assert details(tmp_path)["propose_a_key"] == ("fails", words)


def test_a_function_for_other_versions_is_skipped(tmp_path: Path) -> None:
    program = KEY_PROGRAM.replace("a_key():", "a_key():  # python: 3.7")
    write(tmp_path, "exceptions", EXCEPTION.replace("FACT", "{index} not in {container}"), program)
    assert details(tmp_path)["propose_a_key"] == ("skipped", "for 3.7-3.7 only")


SUSPECT_PROGRAM = """
def propose_a_loop():
    rows = [1]
    for at in range(len(rows) + 1):  # fault
        print(rows[at])

def silent_a_loop():
    rows = [1]
    for at in range(len(rows) + 2):
        print(rows[at])
"""


def test_a_suspect_rule_has_to_name_the_marked_line(tmp_path: Path) -> None:
    write(tmp_path, "suspects", SUSPECT, SUSPECT_PROGRAM)
    assert {name: standing for name, (standing, _) in details(tmp_path).items()} == {
        "propose_a_loop": "holds", "silent_a_loop": "holds",
    }  # fmt: skip
    unmarked = SUSPECT_PROGRAM.replace("  # fault", "")
    moved = unmarked.replace("rows = [1]", "rows = [1]  # fault")
    write(tmp_path, "suspects", SUSPECT, moved)
    assert details(tmp_path)["propose_a_loop"] == (
        "fails", "it suspects [4], and the fault is on [3, 8]",
    )  # fmt: skip


EFFECT_PROGRAM = """
count = 0

def propose_a_counter():
    global count
    count += 1
    return count

def silent_a_local():
    CHANGE
    return SEEN[-1]

SEEN = [0]
"""


def test_an_effect_is_shown_by_a_second_call(tmp_path: Path) -> None:
    write(tmp_path, "effects", EFFECT, EFFECT_PROGRAM.replace("CHANGE", "pass"))
    assert details(tmp_path) == {
        "propose_a_counter": ("holds", "line 5; a second call differs: 1 and 2"),
        "silent_a_local": ("holds", ""),
    }


def test_an_effect_that_a_silent_function_shows_fails(tmp_path: Path) -> None:
    change = "SEEN.append(len(SEEN))"
    write(tmp_path, "effects", EFFECT, EFFECT_PROGRAM.replace("CHANGE", change))
    standing, detail = details(tmp_path)["silent_a_local"]
    assert (standing, detail) == ("fails", "it has such an effect: a second call differs: 1 and 2")


INVERSE_PROGRAM = """
def propose_a_difference():
    left, right = 7, 3
    return left - right

def silent_sets():
    left, right = {1, 2}, {2}
    return left - right
"""


def test_a_preimage_has_to_give_the_result_again(tmp_path: Path) -> None:
    write(tmp_path, "inverse", INVERSE.replace("PREIMAGE", "result + right"), INVERSE_PROGRAM)
    assert details(tmp_path)["propose_a_difference"] == ("holds", "1 of 1 preimages hold")
    write(tmp_path, "inverse", INVERSE.replace("PREIMAGE", "result - right"), INVERSE_PROGRAM)
    assert details(tmp_path) == {
        "propose_a_difference": ("fails", "$left - $right: 1 for $left is wrong"),
        "silent_sets": ("holds", ""),
    }


def test_a_program_is_run_by_the_child_alone_and_guarded(tmp_path: Path) -> None:
    mark = tmp_path / "written"
    program = f"open({str(mark)!r}, 'w').close()\n{KEY_PROGRAM}"
    write(tmp_path, "exceptions", EXCEPTION.replace("FACT", "{index} not in {container}"), program)
    standing, detail = details(tmp_path)["propose_a_key"]
    assert standing == "fails"
    assert "blocked" in detail
    assert not mark.exists()


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("def silent_a():\n    pass\n", "has no function propose_…: add at least one"),
        ("def propose_a():\n    pass\n", "has no function silent_…: add at least one"),
        ("def propose_a(x):\n    pass\ndef silent_a():\n    pass\n", "propose_a needs arguments"),
        ("def propose_a(:\n", "does not parse"),
    ],
)
def test_a_program_that_cannot_be_used_is_one_message(
    tmp_path: Path, program: str, words: str
) -> None:
    write(tmp_path, "exceptions", EXCEPTION.replace("FACT", "{index} not in {container}"), program)
    with pytest.raises(RuleError) as caught:
        reports(tmp_path)
    assert words in str(caught.value)
    assert str(tmp_path / "exceptions" / "mine.py") in str(caught.value)


def test_a_program_without_a_rule_and_a_folder_of_no_kind_are_refused(tmp_path: Path) -> None:
    write(tmp_path, "exceptions", EXCEPTION, KEY_PROGRAM)
    refuse_strays(tmp_path)
    (tmp_path / "exceptions" / "other.py").write_text("")
    with pytest.raises(RuleError, match=r"has no rule file: add other\.toml"):
        refuse_strays(tmp_path)
    write(tmp_path, "exceptionz", EXCEPTION, KEY_PROGRAM)
    with pytest.raises(RuleError, match="exceptionz is none of effects, exceptions"):
        refuse_strays(tmp_path)


@pytest.fixture(scope="module")
def sample() -> list[RuleReport]:
    """A few shipped rules of each kind, on the oldest and the newest interpreter here."""
    book = Rulebook()
    names = {
        "unbound_local", "too_many_values", "missing_argument", "zero_division", "int_literal",
        "missing_attribute", "mutable_default", "set_order", "one_too_many", "partial_return",
        "add_numbers", "split",
    }  # fmt: skip
    rules = [rule for rule in book.rules() if rule.id in names]
    assert len(rules) == len(names)
    found = find_interpreters()
    chosen: list[Interpreter] = [found[0], *found[1:][-1:]]
    return list(check_everywhere(rules, book, chosen))


def test_shipped_rules_hold_on_the_oldest_and_the_newest_interpreter(
    sample: list[RuleReport],
) -> None:
    failures = [(report.rule, report.python, each) for report in sample for each in report.failures]
    assert failures == []
    assert all(
        any(each.standing is Standing.HOLDS for each in report.outcomes) for report in sample
    )


@pytest.mark.slow
def test_every_shipped_rule_holds_on_every_interpreter() -> None:
    book = Rulebook(checked=True)
    found = list(check_everywhere(book.rules(), book, find_interpreters()))
    failures = [(report.rule, report.python, each) for report in found for each in report.failures]
    assert failures == []


def run_cli(*arguments: str) -> tuple[int, str]:
    from typer.testing import CliRunner

    from nsdbg.cli.rules import app

    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout


def test_the_table_says_which_rules_hold_and_the_exit_code_too(tmp_path: Path) -> None:
    write(tmp_path, "exceptions", EXCEPTION.replace("FACT", "{index} in {container}"), KEY_PROGRAM)
    write(tmp_path, "suspects", SUSPECT, SUSPECT_PROGRAM)
    options = ["--rules", str(tmp_path), "--python", sys.executable]
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    code, text = run_cli("check", *options)
    assert code == 1
    assert text.splitlines() == [
        f"rule             {version} ",
        "exceptions/mine  FAIL ",
        "suspects/mine    2    ",
        "",
        f"1 of 2 rules hold on {version}",
        f"exceptions/mine on {version}, propose_a_key: fails: not true there: wanted in stock",
    ]
    code, text = run_cli("check", "suspects", *options, "--output-format", "json")
    assert code == 0
    answer = json.loads(text)
    assert (answer["schema"], answer["holds"]) == ("nsdbg.rules-check/1", True)
    assert [each["function"] for each in answer["reports"][0]["outcomes"]] == [
        "propose_a_loop", "silent_a_loop",
    ]  # fmt: skip


def test_the_list_names_each_rule_and_what_it_is_about(tmp_path: Path) -> None:
    write(tmp_path, "exceptions", EXCEPTION, KEY_PROGRAM)
    write(tmp_path, "suspects", SUSPECT, SUSPECT_PROGRAM)
    _, text = run_cli("list", "--rules", str(tmp_path))
    assert text.splitlines() == ["exceptions/mine  A title", "suspects/mine    A title"]
    _, text = run_cli("list", "mine", "--rules", str(tmp_path), "--output-format", "json")
    assert json.loads(text)["rules"][0] == {"kind": "exceptions", "id": "mine", "title": "A title"}
