"""`nsdbg measure model`: what is asked, what counts as right, and what stands beside it."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from held_runs import ACTIONS, STATES, STEP, episode, held, lines_alone, taught
from scripted_engine import Scripted, engine_of, line_answer
from typer.testing import CliRunner

from nsdbg.cli import app
from nsdbg.episode import Listing, episode_json
from nsdbg.errors import UsageError
from nsdbg.measure.neural import baselines
from nsdbg.measure.neural.cost import cost
from nsdbg.measure.neural.counting import Counts, share
from nsdbg.measure.neural.exported import exported
from nsdbg.measure.neural.forward import Told, ask, evaluators_part
from nsdbg.measure.neural.held import Held, Run
from nsdbg.measure.neural.inverse import Inverse, goal_of
from nsdbg.measure.neural.literal import spells_all
from nsdbg.measure.neural.modules import Modules
from nsdbg.measure.neural.questions import commands, draw, jumps, question, whole_calls
from nsdbg.measure.neural.survey import Survey
from nsdbg.model.teach.inverse import backward_lesson
from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.alike import alike
from nsdbg.propose.codec.answer import Answer, ChangeKind, Guard, GuardKind
from nsdbg.propose.codec.apply import apply
from nsdbg.propose.codec.following import followed
from nsdbg.propose.codec.pointing import HERE
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural.folder import ModelFolder
from nsdbg.report.measured import (
    Measured,
    Number,
    Quantities,
    Row,
    Table,
    measured_json,
    measured_text,
)
from nsdbg.state import Action, ActionKind, Event, Value
from nsdbg.workbench import Options, Workbench

Found = dict[str, tuple[int, int, dict[str, int]]]


def quiet(text: str) -> None:
    """Tell nobody how far it is."""


def rows(table: Table) -> Found:
    """Return a table's rows: right, of how many, and what the baselines had right."""
    return {
        row.name: (row.model.right, row.model.n, {who: one.right for who, one in row.beside})
        for row in table.rows
    }


@pytest.fixture(scope="module")
def surveys() -> dict[str, dict[str, Found]]:
    """The tables of an engine that knows all, and of one that knows lines alone."""
    found = {}
    for name, engine in (("taught", taught()), ("lines", lines_alone())):
        tables = Survey(engine_of(engine), held(), 8, 0, quiet).tables()
        found[name] = {table.name: rows(table) for table in tables}
    return found


def test_next_states_stand_beside_the_answers_without_a_network(
    surveys: dict[str, dict[str, Found]],
) -> None:
    without = {"copy": 0, "line": 1, "eval": 8}
    placed = {"copy": 0, "line": 5, "eval": 8}
    assert surveys["taught"]["next state"] == {
        "step, whole state": (8, 8, without),
        "next, whole state": (8, 8, without),
        "step, event and line": (8, 8, placed),
        "next, event and line": (8, 8, placed),
    }
    assert surveys["lines"]["next state"]["step, whole state"] == (2, 8, without)
    assert surveys["lines"]["next state"]["step, event and line"] == (8, 8, placed)


def test_each_field_is_counted_apart(surveys: dict[str, dict[str, Found]]) -> None:
    assert surveys["lines"]["by field"] == {
        "line": (16, 16, {"copy": 2, "line": 10, "eval": 16}),
        "event": (16, 16, {"copy": 12, "line": 16, "eval": 16}),
        "locals, all of a state": (6, 16, {"copy": 6, "line": 6, "eval": 16}),
        "locals, each": (32, 42, {"copy": 32, "line": 32, "eval": 42}),
        "locals, each that changed": (0, 10, {"copy": 0, "line": 0, "eval": 10}),
        "argument": (0, 2, {"copy": 0, "line": 0, "eval": 2}),
        "output": (0, 0, {}),
    }
    right = [(one[0], one[1]) for one in surveys["taught"]["by field"].values()]
    assert right == [(16, 16), (16, 16), (16, 16), (42, 42), (10, 10), (2, 2), (0, 0)]


def test_every_command_and_horizon_has_its_row(surveys: dict[str, dict[str, Found]]) -> None:
    by_action = surveys["taught"]["by action"]
    assert list(by_action) == ["step", "next", "return", "until", "continue"]
    assert {one[:2] for one in by_action.values()} == {(8, 8)}
    assert [one[:2] for one in surveys["taught"]["by horizon"].values()] == [
        (4, 4), (4, 4), (4, 4), (0, 0), (0, 0),
    ]  # fmt: skip
    assert surveys["lines"]["by action"]["return"][:2] == (0, 8)


def test_the_value_of_a_call_is_asked_for_where_it_is_entered(
    surveys: dict[str, dict[str, Found]],
) -> None:
    name = "return, one jump from the call"
    assert surveys["taught"][name] == {"place and value": (1, 1, {"copy": 0, "line": 0, "eval": 1})}
    assert surveys["lines"][name]["place and value"][:2] == (0, 1)


def test_a_chain_is_right_only_as_long_as_every_step_was(
    surveys: dict[str, dict[str, Found]],
) -> None:
    whole = surveys["taught"]["chained steps"]
    assert all(right == n == beside.get("eval", 0) for right, n, beside in whole.values())
    assert whole["after 8 steps"][1] == 1
    alone = [right for right, _, _ in surveys["lines"]["chained steps"].values()]
    assert alone[1:] == [0, 0, 0, 0]


def test_the_evaluators_work_counts_as_wrong_where_only_literals_do() -> None:
    run = Run(episode())
    asked = question(run, 3, STEP, Counter())
    assert asked is not None
    token = run.view.line("shop.py", 3)
    said = [
        Answer(Event.LINE, token, changes=((ChangeKind.DO, tokens),))
        for tokens in (spelled(run.view, "n = 1"), spelled(run.view, "n = n + item"), HERE)
    ]
    told = [Told(asked, answer, apply(run.view, asked.before, answer)) for answer in said]
    table = evaluators_part([*told, Told(asked, None, None)])
    assert {name: one[:2] for name, one in rows(table).items()} == {
        "answers that can be read": (3, 4), "answers that point at a line": (1, 4),
        "answers of literals only": (1, 4), "whole, as answered": (3, 4),
        "whole, nothing pointed at": (2, 4), "whole, literals only": (1, 4),
    }  # fmt: skip


def test_where_an_answer_cannot_be_read_the_next_likely_one_is_taken() -> None:
    asked = question(Run(episode()), 3, STEP, Counter())
    assert asked is not None
    right = line_answer(asked.run.view, 3, n="1")
    engine = Scripted(lambda prompt, number: [[1], right])
    [told] = ask(engine_of(engine), [asked], quiet)
    assert (told.answer, told.right) == (None, True)


def test_an_engine_that_says_nothing_is_right_about_nothing() -> None:
    engine = Scripted(lambda prompt, number: [[1]])
    for table in Survey(engine_of(engine), held(), 4, 0, quiet).tables():
        assert {row.model.right for row in table.rows} == {0}


def test_the_same_seed_asks_the_same_questions() -> None:
    def asked(seed: int) -> list[tuple[int, Action]]:
        drawn = draw(held(), 5, seed, commands(ActionKind.UNTIL), Counter())
        return [(one.at, one.action) for one in drawn]

    assert asked(1) == asked(1)
    assert asked(1) != asked(2)


def test_no_function_is_asked_more_often_than_another() -> None:
    other = replace(episode(STATES[:4]), function="other")
    both = Held.of([*[replace(episode(), id=str(at)) for at in range(9)], other])
    drawn = draw(both, 6, 0, commands(ActionKind.STEP), Counter())
    assert Counter(one.run.episode.function for one in drawn) == {"total": 3, "other": 3}
    assert both.told == (("functions", "2 (shop 2)"), ("runs", "10"))


def test_a_jump_passes_over_as_many_states_as_were_asked_for() -> None:
    drawn = draw(held(), 9, 0, jumps(2, 3), Counter())
    assert {one.skipped for one in drawn} == {2, 3}


def test_what_is_printed_on_the_way_belongs_to_the_state_that_is_reached() -> None:
    printing = [replace(one, output=f"{at}\n") for at, one in enumerate(STATES)]
    asked = question(Run(episode(printing)), 0, Action(ActionKind.UNTIL, 4), Counter())
    assert asked is not None
    assert asked.truth.output == "1\n2\n3\n"


def test_a_state_whose_new_value_was_cut_is_left_out_and_counted() -> None:
    cut = Value("[1, 2, 3", "list", truncated=True)
    last = replace(STATES[-1], arg=cut)
    left_out: Counter[str] = Counter()
    run = Run(episode([*STATES[:-1], last]))
    assert question(run, 7, STEP, left_out) is None
    assert question(run, 0, STEP, left_out) is not None
    assert list(left_out.values()) == [1]


def test_a_generator_is_not_asked_for_its_value() -> None:
    generator = replace(episode().trace, generators=frozenset({0}))
    run = Run(replace(episode(), trace=generator))
    assert list(whole_calls(run, random.Random(0))) == []
    assert [at for at, _ in whole_calls(Run(episode()), random.Random(0))] == [0]


def test_the_next_line_after_the_last_is_the_end_of_the_function() -> None:
    run = Run(episode())
    after = baselines.next_line(run.view, run.situations[7])
    assert after is not None
    assert (after.state.event, after.state.arg) == (
        Event.RETURN, Value("None", "NoneType", literal=True),
    )  # fmt: skip


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_the_evaluator_alone_follows_a_plain_function_by_any_command(action: Action) -> None:
    run = Run(episode())
    for at in range(len(STATES)):
        asked = question(run, at, action, Counter())
        if asked is None or action.kind is ActionKind.RETURN:
            continue
        after = followed(run.view, asked.before, action)
        assert alike(after, asked.truth)


def spelled(view: View, text: str) -> tuple[int, ...]:
    return tuple(spelling.spell(text, view.slots))


@pytest.mark.parametrize(
    ("text", "literal"),
    [("n = [1, 'a']", True), ("n = -1", True), ("n = items", False), ("n = n + 1", False),
     ("n.append(1)", False), ("n[0] = 1", False), ("n = sum([1])", False)],
)  # fmt: skip
def test_only_a_value_that_is_spelled_out_is_a_literal(text: str, literal: bool) -> None:
    view = Run(episode()).view
    change = (ChangeKind.DO, spelled(view, text))
    assert spells_all(view, Answer(Event.LINE, 1, changes=(change,))) is literal


def test_a_guard_and_an_exception_over_the_state_are_no_literals() -> None:
    view = Run(episode()).view
    guard = Guard(GuardKind.IF, spelled(view, "n"), 1, 2)
    assert not spells_all(view, Answer(Event.LINE, guard=guard))
    for text, literal in (("ValueError('x')", True), ("ValueError", True), ("KeyError(n)", False),
                          ("n[0]", False)):  # fmt: skip
        answer = Answer(Event.EXCEPTION, 1, arg=spelled(view, text))
        assert spells_all(view, answer) is literal


def test_shares_have_wilsons_interval_and_rows_keep_their_order() -> None:
    found = share(9, 10)
    assert (found.share, round(found.low, 3), round(found.high, 3)) == (0.9, 0.596, 0.982)
    assert (share(0, 0).share, share(0, 0).low, share(0, 0).high) == (None, 0.0, 1.0)
    counts = Counts(["b", "a"])
    counts.add("a", right=True)
    counts.add("a", right=False, who="copy")
    table = counts.table("t", "about")
    assert rows(table) == {"b": (0, 0, {}), "a": (1, 1, {"copy": 0})}


GOLDEN = """\
measure model, model 1234, seed 7
  functions: 2 (shop 2)
  stopped: what follows is not all

next state                      right/of   share         95 %  copy  eval
  a sentence about it that is rather long, so long that it has to go on in the
    line below
  step, whole state                 9/10    90.0    59.6-98.2   0.0  50.0
  a name that is longer tha...       0/0       -
  left out: 3 states with a value that was cut

cost
  of it
  file                                        4.42 MB
  steps                                       12
  load                                        not measured
"""


def document() -> Measured:
    long = "a sentence about it that is rather long, so long that it has to go on in the line below"
    beside = (("copy", share(0, 10)), ("eval", share(5, 10)))
    made = (Row("step, whole state", share(9, 10), beside),
            Row("a name that is longer than its column", share(0, 0)))  # fmt: skip
    table = Table("next state", long, made, (("states with a value that was cut", 3),))
    numbers = (Number("file", 4.417, "MB"), Number("steps", 12.0, ""), Number("load", None, "s"))
    told = (("functions", "2 (shop 2)"),)
    quantities = Quantities("cost", "of it", numbers)
    return Measured("measure model", "1234", 7, told, (table, quantities), stopped=True)


def test_the_text_has_aligned_columns_and_no_long_line() -> None:
    assert measured_text(document()) == GOLDEN
    assert max(map(len, GOLDEN.splitlines())) <= 80


def test_the_json_has_every_number_of_the_text() -> None:
    found: dict[str, Any] = measured_json(document())
    assert found["schema"] == "nsdbg.measure.model/1"
    assert found["stopped"] is True
    assert found["of"] == {"functions": "2 (shop 2)"}
    [table], [quantities] = found["tables"], found["quantities"]
    assert table["left_out"] == {"states with a value that was cut": 3}
    assert table["rows"][0] == {
        "name": "step, whole state", "right": 9, "n": 10, "share": 0.9, "low": 0.5958,
        "high": 0.9821,
        "beside": {
            "copy": {"right": 0, "n": 10, "share": 0.0, "low": 0.0, "high": 0.2775},
            "eval": {"right": 5, "n": 10, "share": 0.5, "low": 0.2366, "high": 0.7634},
        },
    }  # fmt: skip
    assert table["rows"][1]["share"] is None
    assert quantities["numbers"][2] == {"name": "load", "value": None, "unit": "s"}


def test_a_recorded_function_becomes_a_module_with_what_it_names(tmp_path: Path) -> None:
    method = Listing("shop.py", "Order.total", 30, "    def total(self, n):\n        return LIMIT")
    plain = Listing("shop.py", "area", 9, "def area(r):\n    return pi * len(list(chain(r)))")
    first = replace(episode(), listings=(method, plain), names=(("LIMIT", "3"),))
    modules = Modules(tmp_path)
    module = modules.module(first)
    assert module.file.read_text().splitlines() == [
        "from itertools import chain", "from math import pi", "LIMIT = 3",
        "def area(r):", "    return pi * len(list(chain(r)))",
        "class Order:", "    def total(self, n):", "        return LIMIT",
    ]  # fmt: skip
    assert module.lines["shop.py", 31] == 8
    assert modules.module(replace(first, id="again")) is module
    subject = module.subject("Order.total")
    assert subject is not None
    assert subject.receiver
    assert module.subject("Order.gone") is None
    assert module.frame(replace(STATES[0].frame, lineno=31)) is not None
    assert module.frame(STATES[0].frame) is None


@pytest.fixture(scope="module")
def inverse_table(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Scripted], Table]:
    """Measure an engine's earlier states of the one run, with a real verifier."""

    def measured(engine: Scripted) -> Table:
        folder = tmp_path_factory.mktemp("measured")
        with Workbench(Options((folder,), proposers=("rules",))) as bench:
            [rules] = bench.proposers
            inverse = Inverse(engine_of(engine), bench.verifier.confirm, rules, folder, 0)
            return inverse.table(held(), 7, quiet)

    return measured


def backward_answers() -> list[list[int]]:
    """Return, for each transition between lines of the run, the answer that leads back."""
    run, found = Run(episode()), []
    for at in range(1, len(STATES) - 1):
        lesson = backward_lesson(run.view, run.situations[at], run.situations[at + 1])
        assert lesson is not None
        found.append(answers.write(lesson))
    return found


def test_earlier_states_count_when_they_are_confirmed(
    inverse_table: Callable[[Scripted], Table],
) -> None:
    said = backward_answers()
    found = rows(table := inverse_table(Scripted(lambda prompt, number: [[1], *said])))
    assert found["first sample"][:2] == (0, 7)
    assert found["any of 8"][:2] == (7, 7)
    assert found["first sample, as recorded"][:2] == (0, 7)
    assert found["first sample"][2]["line"] == 4
    assert set(found["any of 8"][2]) == {"rules"}
    assert dict(table.left_out) == {}
    # The evaluator puts most of the right ones first; the first sample is right about one state.
    assert found["first by the evaluator"][:2] == (6, 7)
    found = rows(inverse_table(Scripted(lambda prompt, number: said)))
    assert found["first sample"][:2] == found["first sample, as recorded"][:2] == (1, 7)


def test_what_is_garbage_is_confirmed_nowhere(inverse_table: Callable[[Scripted], Table]) -> None:
    found = rows(inverse_table(Scripted(lambda prompt, number: [[1]])))
    assert [one[:2] for one in found.values()] == [(0, 7)] * 4


def test_a_state_without_text_is_no_problem_and_is_counted(tmp_path: Path) -> None:
    opaque = Value("<object object at 0x...>", "object")
    odd = [replace(one, stack=(replace(one.frame, locals=(*(one.frame.locals or ()),
                                                           ("o", opaque))),))
           for one in STATES]  # fmt: skip
    with Workbench(Options((tmp_path,), proposers=("rules",))) as bench:
        engine = engine_of(Scripted(lambda prompt, number: [[1]]))
        inverse = Inverse(engine, bench.verifier.confirm, bench.proposers[0], tmp_path, 0)
        table = inverse.table(Held.of([episode(odd)]), 3, quiet)
    assert rows(table)["any of 8"][:2] == (0, 0)
    assert sum(count for _, count in table.left_out) == 7
    assert all(reason.startswith("not askable") for reason, _ in table.left_out)


def test_the_goal_of_a_state_names_its_literal_locals_and_its_value(tmp_path: Path) -> None:
    subject = Modules(tmp_path).module(episode()).subject("total")
    assert subject is not None
    goal = goal_of(subject, STATES[-1])
    assert goal is not None
    assert (goal.value, dict(goal.locals)["n"], goal.previous) == ("3", "3", True)
    assert goal_of(subject, replace(STATES[-1], arg=Value("<x>", "object"))) is None


def test_what_a_model_costs_is_measured_on_the_prompts_it_gets(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from tiny_network import write_model

    from nsdbg.propose.neural.engine import load

    folder = load(write_model(tmp_path), "cpu").folder
    assert folder is not None
    found = {one.name: one.value for one in cost(folder, [[5] * 20] * 3).numbers}
    assert found["file"] == folder.size_bytes / 1e6
    assert found["tokens of a prompt, mean"] == 20
    assert found["a step, batch 16"] is None
    assert found["load"] is not None
    assert found["load"] > 0


def test_right_tokens_come_from_the_manifest_and_stand_beside_whole_answers(
    tmp_path: Path,
) -> None:
    kinds = {"forward": {"answers": 200, "exact": 0.725, "tokens": 3000, "token_accuracy": 0.951}}
    held_out = {"held": {"loss": 0.2, "kinds": kinds}}
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"metrics": {"held_out": held_out}}))
    folder = ModelFolder(tmp_path, "0" * 64, 1)
    table = exported(folder)
    assert table is not None
    assert rows(table) == {"forward tokens": (2853, 3000, {}), "forward whole": (145, 200, {})}
    for odd in ("{}", '{"metrics": {"held_out": {"held": 3}}}', '{"metrics": {"held_out": {}}}'):
        manifest.write_text(odd)
        assert exported(folder) is None


def traces(folder: Path) -> Path:
    file = folder / "held.jsonl"
    file.write_text(episode_json(episode()) + "\n")
    return file


def test_the_command_prints_all_tables_of_a_real_model_as_json(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from tiny_network import write_model

    model = write_model(tmp_path / "model", network={"context": 2048})
    words = ["measure", "model", "--model", str(model), "--traces", str(traces(tmp_path)),
             "--limit", "4", "--output-format", "json"]  # fmt: skip
    ran = CliRunner().invoke(app, words)
    assert ran.exit_code == 0, ran.output
    found = json.loads(ran.stdout)
    assert [table["name"] for table in found["tables"]] == [
        "next state", "by field", "by action", "return, one jump from the call", "by horizon",
        "chained steps", "the evaluator's part", "one step back",
    ]  # fmt: skip
    assert [one["name"] for one in found["quantities"]] == ["cost"]
    assert found["of"] == {"functions": "1 (shop 1)", "runs": "1"}
    assert (found["seed"], found["stopped"]) == (0, False)


def test_traces_without_a_run_are_refused(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    from tiny_network import write_model

    empty = tmp_path / "empty.jsonl"
    empty.write_text("")
    model = write_model(tmp_path / "model")
    words = ["measure", "model", "--model", str(model), "--traces", str(empty)]
    ran = CliRunner().invoke(app, words)
    assert isinstance(ran.exception, UsageError)
    assert "--traces" in str(ran.exception)
