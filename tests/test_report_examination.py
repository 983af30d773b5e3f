"""What a person and a program get to read about a crash."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from nsdbg import crashlog
from nsdbg.claim import Call, Evidence, Proposal, Raised, Reason, Script, Site, Stats, Verdict
from nsdbg.crashlog import CrashReport, LoggedException, LoggedFrame
from nsdbg.errors import UsageError
from nsdbg.localize.account import why_not
from nsdbg.localize.code import FileCode
from nsdbg.localize.examine import Examination, crash_of, examine
from nsdbg.localize.pin import pin
from nsdbg.report.columns import width
from nsdbg.report.command import one_line
from nsdbg.report.escape import is_secret
from nsdbg.report.examination import examination_text
from nsdbg.report.examination_json import crash_state, examinations_json
from nsdbg.report.excerpt import excerpt
from nsdbg.report.regression import is_ours, name_of_test, text_of_test
from nsdbg.report.written import check_target, emit_test, goal_of_test
from nsdbg.reproduce import Crash, CrashFrame, Failure, Outcome, Reproduction, levels
from nsdbg.rulebook import Rulebook
from nsdbg.state import Value
from nsdbg.statefile import parse_state

SHOP = """\
def normalized(sku):
    return sku.strip()


def price(prices, sku):
    found = prices.get(normalized(sku))
    return found.amount


class Till:
    async def pay(self, amounts):
        return sum(amounts)
"""
LOG = """\
12:00:01 ERROR request failed
Traceback (most recent call last):
  File "/app/shop.py", line 7, in price
    return found.amount
           ^^^^^^^^^^^^
AttributeError: 'NoneType' object has no attribute 'amount'
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    return tmp_path.resolve()


def examined(project: Path, log: str = LOG) -> Examination:
    report = next(iter(crashlog.read(log.encode())))
    return examine(report, [project], Rulebook(), is_secret=is_secret)


def reproduction(
    project: Path, start: Call | Script, frames: int = 1, function: str = "price", lineno: int = 7
) -> Reproduction:
    frame = CrashFrame(str(project / "shop.py"), lineno, function, function.rpartition(".")[2])
    made = Crash("AttributeError", "'NoneType' object has no attribute 'amount'", (frame,), 2)
    site = Site(str(project / "shop.py"), lineno, function)
    raised = Raised("AttributeError", "'NoneType' object has no attribute 'amount'", (site,))
    evidence = Evidence(2, raised=raised, python="3.11.7", layers=("landlock", "seccomp"))
    verdict = Verdict(Proposal(start, "search:0"), Reason.GOAL_REACHED, evidence)
    return Reproduction(next(levels(made)), verdict, 2)


CALL = Call((("prices", "{}"), ("sku", "'tea'")))


def test_the_report_reads_as_this(project: Path) -> None:
    text = examination_text(examined(project), 2, folder=project)
    head, _, tail = text.partition("\n\nSuspects")
    assert head.splitlines()[0] == "AttributeError: 'NoneType' object has no attribute 'amount'"
    assert "\n".join(head.splitlines()[-7:]) == (
        "Where\n"
        "  shop.py:7  in price\n"
        "    5 | def price(prices, sku):\n"
        "    6 |     found = prices.get(normalized(sku))\n"
        "  > 7 |     return found.amount\n"
        "      |            ^^^^^~~~~~~~\n"
        "    8 |"
    )
    assert tail.splitlines()[1].startswith("  1. shop.py:6  0.")
    assert tail.splitlines()[2:4] == [
        "       found = prices.get(normalized(sku))",
        "     - data flow: `found` is set here: found = prices.get(normalized(sku))",
    ]
    assert "Not run\n  running was not asked for (--no-exec)" in text


def test_the_line_that_it_looks_like_is_the_first_suspect_named_from_here(project: Path) -> None:
    text = examination_text(examined(project), 2, folder=project)
    assert "It looks like your line shop.py:6." in text.splitlines()
    log = LOG.replace("AttributeError: 'NoneType' object has no attribute 'amount'",
                      "PermissionError: [Errno 13] Permission denied: '/x'")  # fmt: skip
    text = examination_text(examined(project, log), 2, folder=project)
    assert "It looks like the environment, met at your line shop.py:7." in text.splitlines()


def test_no_line_is_wider_than_80_columns_but_for_commands(project: Path) -> None:
    found = examined(project)
    outcome = Outcome((reproduction(project, CALL),))
    with_run = Examination(found.report, found.inquiry, found.suspects, outcome)
    for line in examination_text(with_run, 9, folder=project).splitlines():
        assert len(line) <= 80 or "python -c" in line


def test_a_reproduction_is_told_with_its_verdict_and_its_frames(project: Path) -> None:
    found = examined(project)
    outcome = Outcome((reproduction(project, CALL),))
    text = examination_text(
        Examination(found.report, found.inquiry, found.suspects, outcome), 1, folder=project
    )
    assert "Reproduced\n  price({}, 'tea')\n" in text
    assert "confirmed by 2 runs on Python 3.11.7: the same exception, through 1 of 2" in text
    assert "ran under: landlock, seccomp" in text


def test_foreign_text_cannot_steer_the_terminal_nor_the_ci(project: Path) -> None:
    log = LOG.replace("'NoneType' object has no attribute 'amount'",
                      "\x1b]0;owned\x07 [bold]x[/bold] ::error::y")  # fmt: skip
    log = log.replace("AttributeError: ", "ValueError: ::set-output name=a::b ")
    text = examination_text(examined(project, log), 3, folder=project)
    assert "\x1b" not in text
    assert "\x07" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


def test_the_excerpt_shows_tabs_and_long_lines_within_the_terminal(tmp_path: Path) -> None:
    code = "def f(x):\n\tif x:\n\t\treturn x.name + '" + "y" * 100 + "'\n"
    path = tmp_path / "a.py"
    path.write_text(code)
    file = FileCode.read(path)
    found = pin(file.tree, code, 3, "AttributeError", "'int' object has no attribute 'name'")
    lines = list(excerpt(file, 3, found, "  "))
    assert max(map(len, lines)) <= 80
    assert lines[-1].startswith("  > 3 |")
    assert lines[-1].endswith("...")


def test_a_long_line_is_cut_where_nothing_failed(tmp_path: Path) -> None:
    call = "datetime.strptime(row['date'], FORM)"
    code = f"def f(row):\n    return Row({'first_column_of_it, ' * 4}{call})\n"
    path = tmp_path / "a.py"
    path.write_text(code)
    file = FileCode.read(path)
    column = code.splitlines()[1].index(call)
    found = pin(file.tree, code, 2, "ValueError", "time data 'x' does not match format '%Y'",
                (column, column + len(call)))  # fmt: skip
    *_, line, marks = excerpt(file, 2, found, "  ")
    assert line.startswith("  > 2 | ...")
    assert line.endswith(f"{call})")
    assert len(line) <= 80
    assert marks.index("~") == line.index("datetime")


def test_what_failed_is_underlined_behind_wide_characters(tmp_path: Path) -> None:
    code = "def f(x):\n    return '大きさ' + x.name\n"
    path = tmp_path / "a.py"
    path.write_text(code, encoding="utf-8")
    file = FileCode.read(path)
    found = pin(file.tree, code, 2, "AttributeError", "'int' object has no attribute 'name'")
    *_, line, marks = excerpt(file, 2, found, "  ")
    start = min(marks.index(one) for one in "^~" if one in marks)
    assert start == width(line[: line.index("x.name")])
    assert len(marks) == width(line)


def test_a_start_that_was_tried_alone_is_no_reason_for_more_time(project: Path) -> None:
    level = reproduction(project, CALL).level
    one = Failure(level, Stats(1, 1, 0, 1, 0, 0.1), None)
    assert why_not(one) == "price: the one input tried did not raise this here"
    found = replace(examined(project), outcome=Outcome((), (one,)))
    assert "--budget" not in examination_text(found, 3)
    found = replace(examined(project), outcome=Outcome((), (one,), spent=True))
    assert "give it more time: --budget SECONDS" in examination_text(found, 3)


def test_a_test_is_to_be_written_where_there_is_a_folder_for_it(project: Path) -> None:
    found = replace(examined(project), outcome=Outcome((reproduction(project, CALL),)))
    assert "this is fixed: --emit-test test_crash.py" in examination_text(found, 3, folder=project)
    (project / "tests").mkdir()
    text = examination_text(found, 3, folder=project)
    assert "this is fixed: --emit-test\n    tests/test_crash.py" in text


def test_a_crash_that_no_call_lets_out_is_told_with_what_helps_next_time(project: Path) -> None:
    text = examination_text(replace(examined(project), outcome=Outcome()), 3)
    assert "  no function of the log can be called and lets this exception out\n" in text
    assert "recorded next time: nsdbg run, or nsdbg.install()" in text
    assert all(len(line) <= 80 for line in text.splitlines() if "/shop.py" not in line)


def test_what_the_guard_refused_is_to_be_permitted_and_not_to_be_given_more_time(
    project: Path,
) -> None:
    level = reproduction(project, CALL).level
    blocked = Evidence(1, blocked=("open-write:/srv/o p",))
    refused = Verdict(Proposal(CALL, "x"), Reason.SIDE_EFFECT, blocked)
    failure = Failure(level, Stats(executed=3, unknown=3), None, refused)
    found = replace(examined(project), outcome=Outcome((), (failure,), spent=True))
    text = examination_text(found, 3)
    assert "  - permit it if you trust the code: --allow 'open-write:/srv/o p'" in text
    assert "--budget" not in text
    other = Failure(level, Stats(executed=3, refuted=3), None)
    found = replace(examined(project), outcome=Outcome((), (failure, other), spent=True))
    assert "give it more time: --budget SECONDS" in examination_text(found, 3)


# JSON.


def test_the_json_has_what_the_schema_says(project: Path) -> None:
    document = json.loads(json.dumps(examinations_json([examined(project)], 5, None)))
    assert document["schema"] == "nsdbg.localize/1"
    crash = document["crashes"][0]
    assert crash["exception"] == "AttributeError"
    frame = crash["frames"][0]
    assert frame["file"] == "/app/shop.py"
    assert frame["source_path"] == str(project / "shop.py")
    assert frame["kind"] == "user"
    suspect = crash["suspects"][0]
    assert (suspect["file"], suspect["lineno"], suspect["function"]) == ("/app/shop.py", 6, "price")
    assert suspect["source_path"] == str(project / "shop.py")
    assert suspect["reasons"][0].startswith("`found` is set here")
    assert crash["reproducer"] is None
    assert crash["executed"] is False
    assert crash["pin"]["text"] == "found.amount"


def test_every_field_of_the_json_is_documented(project: Path) -> None:
    text = (Path(__file__).parent.parent / "docs" / "schemas.md").read_text()
    found = examined(project)
    outcome = Outcome((reproduction(project, CALL),))
    one = Examination(found.report, found.inquiry, found.suspects, outcome)
    document = examinations_json([one], 5, None)
    crash = document["crashes"][0]  # type: ignore[index]
    for fields in (document, crash, crash["suspects"][0], crash["frames"][0], crash["reproducer"],
                   crash["pin"]):  # fmt: skip
        assert [name for name in fields if f"`{name}" not in text and f", {name}" not in text] == []


def test_secrets_of_the_log_are_not_used_for_calls(project: Path) -> None:
    value = Value("'hunter2'", "str", literal=True)
    pin_code = Value("1234", "int", literal=True)
    values = (("password", value), ("pin_token", pin_code), ("sku", Value("'tea'", "str", True)))
    frame = LoggedFrame("/app/shop.py", 7, "price", "return found.amount", locals=values)
    raised = LoggedException("AttributeError", "x", (frame,))
    found = examine(CrashReport((raised,)), [project], Rulebook(), is_secret=is_secret)
    crash = crash_of(found.inquiry, is_secret=is_secret)
    assert not isinstance(crash, str)
    assert crash.frames[0].locals == (("password", "'redacted'"), ("sku", "'tea'"))
    state = crash_state(found)
    assert state is not None
    assert state["locals"] == {"sku": "'tea'"}
    document = json.dumps(examinations_json([found], 5, None))
    assert "hunter2" not in document
    assert "1234" not in document


def test_the_state_is_one_that_reverse_reads(project: Path) -> None:
    state = crash_state(examined(project))
    claim = parse_state(json.dumps(state))
    assert (claim.file, claim.function, claim.lineno) == (str(project / "shop.py"), "price", 7)
    assert claim.exception == "AttributeError"
    assert claim.message == "'NoneType' object has no attribute 'amount'"


def test_the_head_of_the_next_function_is_no_suspect(project: Path) -> None:
    found = examined(project)
    assert [one.lineno for one in found.suspects if one.lineno > 7] == []
    assert 6 in [one.lineno for one in found.suspects]


def test_without_carets_the_sentence_is_about_the_part_that_is_pinned(project: Path) -> None:
    (project / "steps.py").write_text("def step(n):\n    return abs(n - 1) + abs(n - '2')\n")
    log = (
        "Traceback (most recent call last):\n"
        '  File "/app/steps.py", line 2, in step\n'
        "    return abs(n - 1) + abs(n - '2')\n"
        "TypeError: unsupported operand type(s) for -: 'int' and 'str'\n"
    )
    meaning = examined(project, log).inquiry.meaning
    assert meaning is not None
    assert "`'2'` of type str" in meaning


def test_an_object_that_the_log_printed_is_no_literal_of_the_state(project: Path) -> None:
    log = LOG.replace("Attr", "    found = Order(amount=3)\n    sku = 'tea'\nAttr", 1)
    state = crash_state(examined(project, log))
    assert state is not None
    assert state["locals"] == {"sku": "'tea'"}


def test_without_source_there_is_no_state_and_frames_are_ranked_by_position(tmp_path: Path) -> None:
    found = examined(tmp_path)
    assert crash_state(found) is None
    assert [(one.file, one.lineno) for one in found.suspects] == [("/app/shop.py", 7)]
    assert "--source-root DIR" in examination_text(found, 3)


def test_a_file_that_lies_where_the_log_says_names_its_folder(project: Path) -> None:
    elsewhere = project / "elsewhere"
    elsewhere.mkdir()
    found = examined(elsewhere, LOG.replace("/app", str(project)))
    text = " ".join(examination_text(found, 3).split())
    assert f"--source-root {project}" in text


# The regression test.


def test_the_test_file_calls_the_function_and_says_where_it_comes_from(project: Path) -> None:
    found = reproduction(project, CALL)
    text = text_of_test(found, project / "tests" / "test_crash.py")
    assert text == (
        '"""Regression test written by nsdbg for a crash at shop.py:7.\n'
        "\n"
        "It raised AttributeError: 'NoneType' object has no attribute 'amount'\n"
        "The test fails with the same until the cause is fixed.\n"
        '"""\n'
        "\n"
        "import sys\n"
        "from pathlib import Path\n"
        "\n"
        "ROOT = Path(__file__).resolve().parents[1]\n"
        "sys.path.insert(0, str(ROOT))  # where the project is imported from\n"
        "\n"
        "from shop import price  # noqa: E402\n"
        "\n"
        "\n"
        "def test_price_raises_no_attribute_error() -> None:\n"
        '    """`price` crashed with this, through 1 of 2 frames of the log."""\n'
        "    price({}, 'tea')\n"
    )


def test_long_arguments_are_arranged_before_the_call(project: Path) -> None:
    rows = "[" + ", ".join(map(str, range(20))) + "]"
    found = reproduction(project, Call((("prices", rows), ("sku", "'tea'"))))
    text = text_of_test(found, project / "test_crash.py")
    assert f"    prices = {rows}\n\n    price(prices, 'tea')\n" in text
    assert "sys.path" not in text  # beside the module it is importable


def test_names_in_arguments_are_imported_from_the_module(project: Path) -> None:
    found = reproduction(project, Call((("prices", "Till()"), ("sku", "normalized('a')"))))
    assert "from shop import price, Till, normalized" in text_of_test(found, project / "test_a.py")


def test_an_async_method_is_awaited_and_its_receiver_stands_in_front(project: Path) -> None:
    found = reproduction(project, Call((("self", "Till()"), ("amounts", "[1, None]"))),
                         function="Till.pay", lineno=12)  # fmt: skip
    text = text_of_test(found, project / "test_a.py")
    assert "import asyncio\n" in text
    assert "    asyncio.run(Till().pay([1, None]))\n" in text


def test_what_an_async_generator_gives_is_collected(project: Path) -> None:
    (project / "shop.py").write_text(SHOP.replace("        return sum", "        yield sum"))
    found = reproduction(project, Call((("self", "Till()"), ("amounts", "[1, None]"))),
                         function="Till.pay", lineno=12)  # fmt: skip
    text = text_of_test(found, project / "test_a.py")
    assert "    asyncio.run(_all(Till().pay([1, None])))\n" in text
    assert "async def _all(items):" in text
    compile(text, "test_a.py", "exec")


def test_a_script_is_run_with_its_input(project: Path) -> None:
    found = reproduction(project, Script(("--fast",), "3\n"), function="<module>")
    text = text_of_test(found, project / "test_a.py")
    compile(text, "test_a.py", "exec")
    assert 'mock.patch.object(sys, "argv", ["shop.py", "--fast"])' in text
    assert 'io.StringIO("3\\n")' in text
    assert "printf '3\\n' | python" in one_line(found)


def test_the_shell_writes_exactly_the_standard_input(project: Path) -> None:
    stdin = "50% \\n 'ü'\n\t$x\n"
    command = one_line(reproduction(project, Script((), stdin), function="<module>"))
    printf = command[: command.index(" | python")]
    assert "\n" not in command
    ran = subprocess.run(["sh", "-c", printf], capture_output=True, check=True)
    assert ran.stdout.decode() == stdin


def test_the_command_runs_on_the_interpreter_that_reproduced_the_crash(project: Path) -> None:
    found = reproduction(project, CALL)
    near = project / ".venv" / "bin" / "python"
    assert one_line(found, project, near).startswith(".venv/bin/python -c ")
    assert one_line(found, None, near).startswith(f"{near} -c ")
    far = Path("/opt/old python/bin/python3.8")
    assert one_line(found, project, far).startswith("'/opt/old python/bin/python3.8' -c ")
    script = reproduction(project, Script(("--fast",), "3\n"), function="<module>")
    assert one_line(script, project, near).endswith(" | .venv/bin/python shop.py --fast")
    whole = replace(examined(project), outcome=Outcome((found,)), python=near)
    assert "\n    .venv/bin/python -c " in examination_text(whole, 3, folder=project)


def test_a_call_with_both_kinds_of_quotes_can_still_be_read(project: Path) -> None:
    command = one_line(reproduction(project, Call((("prices", "{}"), ("sku", '"q\'"')))))
    assert command.endswith("""price({}, \\"q'\\")" < /dev/null""")
    ran = subprocess.run(["sh", "-c", command.replace("python -c", "printf %s", 1)],
                         capture_output=True, text=True, check=True)  # fmt: skip
    assert ran.stdout.endswith("""price({}, "q'")""")


def test_foreign_text_cannot_leave_the_docstring_or_the_shell_quotes(project: Path) -> None:
    found = reproduction(project, Call((("prices", "{}"), ("sku", repr("\"; rm -rf $HOME `x` '")))))
    text = text_of_test(found, project / "test_a.py")
    compile(text, "test_a.py", "exec")
    command = one_line(found)
    assert (command[:10], command[-12:]) == ("python -c ", " < /dev/null")
    counted = command.replace("python -c", 'count() { printf "%d:%s" $# "$1"; }; count', 1)
    ran = subprocess.run(["sh", "-c", counted], capture_output=True, text=True, check=True)
    number, _, code = ran.stdout.partition(":")
    assert number == "1"
    compile(code, "<line>", "exec")
    assert "; rm -rf $HOME `x`" in code


def test_a_file_of_somebody_else_is_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "test_mine.py"
    path.write_text("def test_mine(): pass\n")
    with pytest.raises(UsageError, match="was not written by nsdbg"):
        check_target(path)
    path.write_text('"""Regression test written by nsdbg for a crash at a.py:1."""\n')
    check_target(path)
    assert is_ours(path)
    for bad in (tmp_path, tmp_path / "no" / "test_a.py", tmp_path / "test.txt"):
        with pytest.raises(UsageError, match="--emit-test"):
            check_target(bad)


class Judge:
    """A verifier that gives one verdict to everything."""

    def __init__(self, reason: Reason) -> None:
        self.reason = reason

    def screen(self, *_: object, **__: object) -> list[Verdict]:
        return []

    def confirm(self, goal: object, proposal: Proposal) -> Verdict:
        return Verdict(proposal, self.reason, Evidence(2))


def test_a_test_that_does_not_fail_with_the_crash_is_taken_away_again(project: Path) -> None:
    path = project / "test_crash.py"
    outcome = Outcome((reproduction(project, CALL),))
    kept = emit_test(outcome, path, Judge(Reason.GOAL_REACHED))
    assert kept.path == path
    assert path.exists()
    other = project / "test_other.py"
    gone = emit_test(outcome, other, Judge(Reason.NO_EXCEPTION))
    assert gone.path is None
    assert not other.exists()
    assert "no-exception" in gone.told
    assert emit_test(Outcome(), path, None).path is None


def test_the_goal_of_a_test_is_the_chain_behind_the_test(project: Path) -> None:
    found = reproduction(project, CALL)
    goal = goal_of_test(found, project / "test_crash.py")
    assert goal.entry.qualname == name_of_test(found) == "test_price_raises_no_attribute_error"
    assert [(site.function, site.lineno) for site in goal.chain] == [
        (name_of_test(found), None), ("price", 7),
    ]  # fmt: skip


def test_why_nothing_was_reproduced_names_what_would_permit_it(project: Path) -> None:
    level = reproduction(project, CALL).level
    blocked = Evidence(1, blocked=("open:/etc/hosts",))
    verdict = Verdict(Proposal(CALL, "x"), Reason.SIDE_EFFECT, blocked)
    text = why_not(Failure(level, Stats(executed=3, unknown=3), None, verdict))
    assert text == (
        "price: the guard refused open:/etc/hosts; permit it with --allow 'open:/etc/hosts'"
    )
    assert why_not(Failure(level, Stats(), None)) == "price: nobody had anything to propose"
    for file, at in (("a.py", "a.py:9"), (level.subject.ref.file, "line 9")):
        near = Verdict(
            Proposal(CALL, "x"), Reason.OTHER_EXCEPTION,
            Evidence(1, raised=Raised("KeyError", "'x'", (Site(file, 9, "price"),))),
        )  # fmt: skip
        text = why_not(Failure(level, Stats(executed=5), near))
        told = "price: 5 inputs tried, none raised this here; the nearest raised KeyError: 'x'"
        assert text == f"{told} at {at}"


def test_nobody_is_told_to_permit_what_only_a_made_up_argument_named(project: Path) -> None:
    level = reproduction(project, CALL).level
    for text, blocked in (("['/srv']", "os.mkdir:/srv/x"), ("b'/'", "os.mkdir:/")):
        made_up = Call((("prices", "{}"), ("sku", text)))
        verdict = Verdict(Proposal(made_up, "search:0"), Reason.SIDE_EFFECT,
                          Evidence(1, blocked=(blocked,)))  # fmt: skip
        told = why_not(Failure(level, Stats(executed=3, unknown=3), None, verdict))
        assert told == f"price: the guard refused {blocked}"
