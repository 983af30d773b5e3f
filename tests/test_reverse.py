"""`nsdbg reverse`, from the shell and as a flow."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from nsdbg.cli import app
from nsdbg.errors import NsdbgError, SourceError, StateError, UsageError
from nsdbg.reverse import parse_target

SOURCE = """\
from dataclasses import dataclass
from enum import Enum


class Size(Enum):
    SMALL = 1
    LARGE = 2


@dataclass
class Item:
    name: str
    price: int
    size: Size = Size.SMALL


def total(items, tax=0):
    result = tax
    for item in items:
        result += item.price
    return result


def shout(words):
    text = " ".join(words)
    return text.upper() + "!"


def pick(table, key):
    found = table[key]
    return found


def large(item: Item) -> str:
    if item.size is Size.LARGE:
        raise ValueError(f"{item.name} is too large")
    return item.name


def lucky():
    import random
    return random.random()


class Basket:
    def __init__(self, limit: int):
        self.limit = limit
        self.items: list[Item] = []

    def room(self) -> int:
        return self.limit - len(self.items)
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.py"
    file.write_text(SOURCE)
    return file


def ask(target: Path, function: str, state: dict[str, Any], *options: str) -> Result:
    command = ["reverse", f"{target}::{function}", "--state", json.dumps(state), *options]
    ran = CliRunner().invoke(app, command)
    if isinstance(ran.exception, NsdbgError):
        raise ran.exception
    return ran


def answer(target: Path, function: str, state: dict[str, Any], *options: str) -> dict[str, Any]:
    ran = ask(target, function, state, "--output-format", "json", *options)
    found: dict[str, Any] = json.loads(ran.stdout)
    assert (ran.exit_code == 0) == bool(found["solutions"])
    return found


def run_here(target: Path, call: str, imports: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a solution's call in a plain interpreter: no part of nsdbg takes part."""
    code = "\n".join([*imports, "from shop import *", f"print(repr({call}))"])
    return subprocess.run(
        [sys.executable, "-c", code], cwd=target.parent, capture_output=True, text=True, check=False
    )


def test_arguments_for_a_return_value_give_it_when_pasted(shop: Path) -> None:
    solution = answer(shop, "shout", {"event": "return", "value": "'HELLO YOU!'"})["solutions"][0]
    assert solution["verdict"]["status"] == "confirmed"
    assert run_here(shop, solution["call"], solution["imports"]).stdout == "'HELLO YOU!'\n"


def test_objects_are_built_for_untyped_arguments(shop: Path) -> None:
    found = answer(shop, "total", {"event": "return", "value": "12"}, "--where", "len(items) == 3")
    solution = found["solutions"][0]
    assert run_here(shop, solution["call"], solution["imports"]).stdout == "12\n"


def test_dataclasses_and_enums_are_built_from_hints(shop: Path) -> None:
    state = {"event": "exception", "exception": "ValueError", "message": "axe is too large"}
    # A thousand attempts: three seconds here, and more where others use the machine.
    solution = answer(shop, "large", state, "--budget", "60")["solutions"][0]
    ran = run_here(shop, solution["call"], solution["imports"])
    assert ran.stderr.splitlines()[-1] == "ValueError: axe is too large"


def test_a_missing_key_is_found_from_the_message(shop: Path) -> None:
    state = {"event": "exception", "exception": "KeyError", "message": "'x'"}
    solution = answer(shop, "pick", state)["solutions"][0]
    assert ast.literal_eval(solution["args"]["key"]) == "x"
    assert solution["verdict"]["evidence"]["raised"]["exception"] == "KeyError"


def test_a_state_at_a_line_is_reached_with_its_locals(shop: Path) -> None:
    state = {"event": "line", "lineno": 21, "locals": {"result": "5"}}
    solution = answer(shop, "total", state)["solutions"][0]
    observed = solution["verdict"]["evidence"]["observed"]["stack"][-1]
    assert observed["lineno"] == 21
    assert observed["locals"]["result"]["repr"] == "5"


def test_a_method_gets_a_receiver(shop: Path) -> None:
    solution = answer(shop, "Basket.room", {"event": "return", "value": "7"})["solutions"][0]
    assert run_here(shop, solution["call"], solution["imports"]).stdout == "7\n"


def test_the_previous_state_leads_to_the_state(shop: Path) -> None:
    state = {"event": "line", "lineno": 26, "locals": {"text": "'a b'"}}
    solution = answer(shop, "shout", state, "--to", "previous")["solutions"][0]
    frame = solution["state"]["stack"][-1]
    assert frame["lineno"] == 25
    words = ast.literal_eval(frame["locals"]["words"]["repr"])
    assert " ".join(words) == "a b"
    assert solution["verdict"]["reason"] == "transition"


def test_several_solutions_differ(shop: Path) -> None:
    found = answer(shop, "total", {"event": "return", "value": "3"}, "--max-solutions", "3")
    calls = [solution["call"] for solution in found["solutions"]]
    assert len(calls) == len(set(calls)) == 3


def test_what_cannot_be_is_not_confirmed(shop: Path) -> None:
    ran = ask(shop, "shout", {"event": "return", "value": "'hello'"}, "--budget", "1")
    assert ran.exit_code == 1
    assert "No call was confirmed" in ran.stdout
    assert "nearest attempt" in ran.stdout


def test_a_random_value_is_never_confirmed(shop: Path) -> None:
    found = answer(shop, "lucky", {"event": "return", "value": "0.5"}, "--budget", "1")
    assert found["solutions"] == []


def test_an_answer_is_no_wider_than_80_columns_where_values_allow_it(shop: Path) -> None:
    shop.write_text("def join(first, second):\n    both = first + second\n    return both\n")
    state = {"lineno": 3, "locals": {"both": repr("a word and " * 4)}}
    text = ask(shop, "join", state, "--proposers", "rules").stdout
    assert "\n    leads to line 3 of join with first = " in text
    assert [line for line in text.splitlines()[1:] if len(line) > 80] == []
    previous = ask(shop, "join", state, "--to", "previous", "--proposers", "rules").stdout
    assert "whether a call reaches this state is not proven" in " ".join(previous.split())
    assert [line for line in previous.splitlines()[1:] if len(line) > 80] == []


def test_what_the_guard_refused_is_named_with_the_option_that_permits_it(shop: Path) -> None:
    shop.write_text("def save(n):\n    open('/var/tmp/nsdbg out', 'w')\n    return n\n")
    state = {"event": "return", "value": "3"}
    words = ("--budget", "2", "--proposers", "rules")
    text = ask(shop, "save", state, *words).stdout
    event = "open-write:/var/tmp/nsdbg out"
    assert f"    permit it if you trust the code: --allow '{event}'\n" in text
    assert answer(shop, "save", state, *words)["permits"] == [event]


def test_the_same_seed_gives_the_same_answer(shop: Path) -> None:
    first, second = (
        answer(shop, "total", {"event": "return", "value": "41"}, "--seed", "5") for _ in range(2)
    )
    assert first["solutions"][0]["args"] == second["solutions"][0]["args"]
    assert first["stats"]["executed"] == second["stats"]["executed"]


def test_text_is_for_people(shop: Path) -> None:
    text = ask(shop, "shout", {"event": "return", "value": "'A!'"}).stdout
    assert text.startswith("shout(")
    assert "returns 'A!'" in text
    assert "confirmed by 2 runs on Python" in text


def test_file_and_function_may_come_from_the_state(shop: Path) -> None:
    state = {"file": str(shop), "function": "shout", "event": "return", "value": "'A!'"}
    ran = CliRunner().invoke(app, ["reverse", "--state", json.dumps(state)])
    assert ran.exit_code == 0, ran.output


def test_a_state_may_come_from_stdin(shop: Path) -> None:
    state = json.dumps({"event": "return", "value": "'A!'"})
    ran = CliRunner().invoke(app, ["reverse", f"{shop}::shout"], input=state)
    assert ran.exit_code == 0, ran.output


@pytest.mark.parametrize(
    ("state", "word"),
    [
        ({"event": "retrun"}, "retrun"),
        ({"event": "return", "valeu": "1"}, "value"),
        ({"event": "return", "value": "open('x')"}, "literal"),
        ({"event": "line", "lineno": 3}, "line 3"),
        ({"event": "line", "lineno": "3"}, "lineno"),
    ],
)
def test_a_wrong_state_is_refused_with_the_field_that_is_wrong(
    shop: Path, state: dict[str, Any], word: str
) -> None:
    with pytest.raises(StateError, match=word):
        ask(shop, "total", state)


def test_a_wrong_target_is_refused(shop: Path) -> None:
    with pytest.raises(SourceError, match="it has total"):
        ask(shop, "totl", {"event": "return", "value": "1"})
    with pytest.raises(UsageError, match="FILE::FUNCTION"):
        parse_target("shop.py")
    with pytest.raises(UsageError, match="--proposers: 'magic'"):
        ask(shop, "total", {"event": "return", "value": "1"}, "--proposers", "magic")
