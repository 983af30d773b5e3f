"""From a crash to a confirmed way into it, with real runs of small programs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from nsdbg.claim import (
    Call,
    Evidence,
    ExceptionClaim,
    Goal,
    Proposal,
    Reason,
    Script,
    Status,
    Verdict,
)
from nsdbg.proposer import Proposer
from nsdbg.reproduce import Crash, CrashFrame, Outcome, levels, reproduce
from nsdbg.reproduce.crash import best_root, exception_claim, is_caught, loosened
from nsdbg.reproduce.cut import CutProposer
from nsdbg.reproduce.fromlog import starts
from nsdbg.reproduce.recorded import classes_in, constructed, fields_in
from nsdbg.source import Subject, load_subject
from nsdbg.workbench import Options, Workbench


def crash(
    folder: Path,
    code: str,
    frames: list[tuple[int, str]],
    exception: str,
    message: str,
    name: str = "module.py",
    **more: object,
) -> Crash:
    """Make a crash in one file; frames are lines and qualified names, outermost first."""
    path = folder / name
    path.write_text(dedent(code))
    found = tuple(
        CrashFrame(str(path), lineno, function, function.rpartition(".")[2])
        for lineno, function in frames
    )
    return Crash(exception, message, found, len(found), roots=(folder,), **more)  # type: ignore[arg-type]


TOTALS = """\
    def share(total, people):
        return total / people

    def shares(bills, people):
        return [share(bill, people) for bill in bills]

    def outer(text):
        bills = [int(part) for part in text.split(",")]
        return shares(bills, len(bills) - 2)
    """
TOTAL_FRAMES = [(9, "outer"), (5, "shares"), (2, "share")]


# The ways in.


def test_the_innermost_function_is_the_first_way_in_and_each_frame_outwards_the_next(
    tmp_path: Path,
) -> None:
    found = list(levels(crash(tmp_path, TOTALS, TOTAL_FRAMES, "ZeroDivisionError", "division")))
    assert [(one.subject.ref.qualname, one.frames) for one in found] == [
        ("share", 1), ("shares", 2), ("outer", 3),
    ]  # fmt: skip
    assert not found[2].goal.exact_chain  # the comprehension is a frame of its own before 3.12
    assert [(site.function, site.lineno) for site in found[2].goal.chain] == [
        ("outer", 9), ("shares", 5), ("share", 2),
    ]  # fmt: skip
    assert found[0].goal.exact_chain


def test_a_frame_that_catches_the_exception_ends_the_way(tmp_path: Path) -> None:
    code = """\
        def inner(x):
            return 1 / x

        def worker(xs):
            for x in xs:
                try:
                    inner(x)
                except Exception:
                    print("failed")
        """
    made = crash(tmp_path, code, [(7, "worker"), (2, "inner")], "ZeroDivisionError", "x")
    assert [one.subject.ref.qualname for one in levels(made)] == ["inner"]
    for raising in ("raise", "raise RuntimeError from None", "sys.exit(1)"):
        made = crash(
            tmp_path, code.replace('print("failed")', raising),
            [(7, "worker"), (2, "inner")], "ZeroDivisionError", "x",
        )  # fmt: skip
        assert len(list(levels(made))) == 2


def test_another_exceptions_handler_does_not_catch_it() -> None:
    import ast

    tree = ast.parse("try:\n    f()\nexcept (KeyError, OSError):\n    pass\n")
    assert is_caught(tree, 2, "KeyError")
    assert not is_caught(tree, 2, "ValueError")
    assert not is_caught(tree, 4, "KeyError")


def test_nested_functions_lambdas_and_class_bodies_are_no_ways_in(tmp_path: Path) -> None:
    code = (
        "class A:\n    x = [1][2]\n\ndef f():\n    def g():\n        return 1 / 0\n    return g()\n"
    )
    made = crash(tmp_path, code, [(7, "f"), (6, "f.<locals>.g")], "ZeroDivisionError", "x")
    assert [one.subject.ref.qualname for one in levels(made)] == ["f"]
    body = CrashFrame(str(tmp_path / "module.py"), 2, "<module>", "A")
    made = Crash("IndexError", "list index out of range", (body,), 1)
    assert list(levels(made)) == []


def test_a_recursion_is_entered_once_and_may_run_out_on_any_of_its_lines(tmp_path: Path) -> None:
    code = "def down(n):\n    return down(n - 1)\n\ndef start(n):\n    return down(n)\n"
    frames = [(5, "start"), (2, "down"), (2, "down"), (2, "down")]
    made = crash(tmp_path, code, frames, "RecursionError", "maximum recursion depth exceeded",
                 folded=True)  # fmt: skip
    found = list(levels(made))
    assert [(one.subject.ref.qualname, one.frames) for one in found] == [("down", 3), ("start", 4)]
    goal = found[1].goal
    assert [(site.function, site.lineno) for site in goal.chain] == [
        ("start", 5), ("down", 2), ("down", None),
    ]  # fmt: skip
    assert not goal.exact_chain


def test_comprehensions_are_left_out_since_versions_differ_on_their_frames(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def f(xs):\n    return [1 / x for x in xs]\n")
    frames = (CrashFrame(str(path), 2, "f", "f"), CrashFrame(str(path), 2, "f", "<listcomp>"))
    found = [one.goal for one in levels(Crash("ZeroDivisionError", "division by zero", frames, 2))]
    assert [[site.function for site in goal.chain] for goal in found] == [
        ["f"], ["f", "<listcomp>"],
    ]  # fmt: skip
    assert not any(goal.exact_chain for goal in found)


@pytest.mark.parametrize(
    ("exception", "message", "claimed", "prefix"),
    [
        ("KeyError", "'x'", "'x'", False),
        ("NameError", "name 'totl' is not defined. Did you mean: 'total'?",
         "name 'totl' is not defined", False),
        ("NameError", "name 'time' is not defined. Did you forget to import 'time'?",
         "name 'time' is not defined", False),
        ("AttributeError", "'A' object has no attribute 'nam'. Did you mean: 'name'?",
         "'A' object has no attribute 'nam'", False),
        ("TypeError", "bad <object at 0x7f00deadbeef> here", "bad <object at ", True),
        ("RecursionError", "maximum recursion depth exceeded in comparison",
         "maximum recursion depth exceeded", True),
    ],
)  # fmt: skip
def test_what_the_printer_adds_or_what_differs_each_time_is_not_claimed(
    exception: str, message: str, claimed: str, prefix: bool
) -> None:
    assert exception_claim(exception, message) == ExceptionClaim(exception, claimed, prefix)


def test_a_message_is_loosened_up_to_its_first_value(tmp_path: Path) -> None:
    made = crash(tmp_path, "def f(x):\n    int(x)\n", [(2, "f")], "ValueError",
                 "invalid literal for int() with base 10: 'q'")  # fmt: skip
    goal = next(levels(made)).goal
    loose = loosened(goal)
    assert loose is not None
    assert loose.exception == ExceptionClaim("ValueError", "invalid literal for int", True)
    plain = Crash("ValueError", "no values here", made.frames, 1)
    assert loosened(next(levels(plain)).goal) is None


def test_the_root_is_the_one_from_which_the_imports_resolve(tmp_path: Path) -> None:
    inner = tmp_path / "src" / "shop"
    inner.mkdir(parents=True)
    (inner / "orders.py").write_text("import shop.prices\n")
    (inner / "prices.py").write_text("")
    assert best_root(inner / "orders.py", [tmp_path / "src"], None) == tmp_path / "src"
    assert best_root(inner / "prices.py", [tmp_path / "src"], None) == inner


# Starts that the log suggests.


def first_starts(made: Crash) -> list[object]:
    return list(starts(next(levels(made))))


def test_the_callers_literals_become_arguments(tmp_path: Path) -> None:
    code = """\
        class Till:
            def change(self, due, given=0, *, fast=False):
                return 1 / due

        amount = 5
        print(Till().change(amount - 5, given=3))
        """
    made = crash(tmp_path, code, [(6, "<module>"), (3, "Till.change")], "ZeroDivisionError", "x")
    assert Call((("self", "Till()"), ("due", "5 - 5"), ("given", "3"))) in first_starts(made)


def test_recorded_locals_become_arguments_when_they_cover_what_is_required(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def f(a, b, c=1):\n    return a / b\n")
    frame = CrashFrame(str(path), 2, "f", "f", (("a", "4"), ("b", "0")))
    made = Crash("ZeroDivisionError", "division by zero", (frame,), 1)
    assert first_starts(made)[0] == Call((("a", "4"), ("b", "0")))
    called = CrashFrame(str(path), 2, "f", "f", (("b", "3"),), (("a", "1"), ("b", "0")))
    given = Crash("ZeroDivisionError", "division by zero", (called,), 1)
    assert first_starts(given)[0] == Call((("a", "1"), ("b", "0")))
    partly = Crash("ZeroDivisionError", "division by zero",
                   (CrashFrame(str(path), 2, "f", "f", (("a", "4"),)),), 1)  # fmt: skip
    assert first_starts(partly) == [Call()]


def test_a_recorded_object_is_made_again_as_it_printed_itself(tmp_path: Path) -> None:
    code = """\
        from dataclasses import dataclass

        @dataclass
        class Account:
            owner: str

        def close(account, reason):
            raise ValueError(account.owner)
        """
    made = crash(tmp_path, code, [(8, "close")], "ValueError", "joe")
    locals_ = (("account", "Account(owner='joe')"), ("reason", "[1]"))
    frames = (replace(made.frames[0], locals=locals_),)
    first = next(iter(starts(next(levels(replace(made, frames=frames))))))
    assert first == Call((("account", "Account(owner='joe')"), ("reason", "[1]")))
    frames = (replace(made.frames[0], locals=(("account", "Other(1)"), ("reason", "[1]"))),)
    assert list(starts(next(levels(replace(made, frames=frames))))) == [Call()]


@pytest.mark.parametrize(
    "text",
    ["Line(sku='a', cents=-1)", "[Point(1, 2), Point(x=1, y=Point(1, 2))]", "{'a': Box()}"],
)  # fmt: skip
def test_what_prints_as_the_call_that_makes_it_is_an_expression(text: str) -> None:
    assert constructed(text) is not None


@pytest.mark.parametrize(
    "text",
    ["<Line object at 0x7f>", "[1, 2]", "Line(sku=other)", "Line(*rows)", "Line(**rows)",
     "os.system('ls')", "f(1)(2)", "Line(x for x in [1])", "Line(1).pop()", "Line(...",
     "(lambda: 1)()", "A(" * 3000 + ")" * 3000],
)  # fmt: skip
def test_any_other_text_is_no_recorded_object(text: str) -> None:
    assert constructed(text) is None
    assert classes_in(text) == set()


def test_the_fields_of_a_recorded_object_are_told_for_secrets_to_be_found() -> None:
    found = dict(fields_in("[Login(user='joe', password='hunter2')]"))
    assert found["password"] == "'hunter2'"


def test_what_the_target_cannot_evaluate_is_not_proposed(tmp_path: Path) -> None:
    code = "def f(a):\n    return a[0]\n\ndef g():\n    rows = load()\n    return f(rows)\n"
    made = crash(tmp_path, code, [(6, "g"), (2, "f")], "IndexError", "x")
    assert first_starts(made) == [Call()]


# Standard input.


def cuts(folder: Path, exception: str, told: Sequence[str]) -> list[str]:
    path = folder / "script.py"
    path.write_text("input()\n")
    made = Crash(exception, "x", (CrashFrame(str(path), 1, "<module>", "<module>"),), 1)
    level = next(levels(made))
    session = CutProposer().start(level.goal, level.subject, 0)
    verdicts = [
        Verdict(Proposal(Script(stdin=text), "search:0"), Reason.NO_EXCEPTION, Evidence(1))
        for text in told
    ]
    session.tell(verdicts)
    found = session.ask(10)
    session.tell([Verdict(one, Reason.NO_EXCEPTION, Evidence(1)) for one in found])
    assert list(session.ask(10)) == []  # its own ones are not cut again
    return [one.start.stdin for one in found if isinstance(one.start, Script)]


def test_inputs_of_others_are_cut_where_a_script_reads_past_the_end(tmp_path: Path) -> None:
    assert cuts(tmp_path, "EOFError", ["2\n5\n6\n", "1\n"]) == ["2\n5\n", "2\n", "", ""]


def test_for_other_crashes_no_input_is_cut(tmp_path: Path) -> None:
    assert cuts(tmp_path, "ValueError", ["2\n5\n6\n"]) == []


# With real runs.


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project").resolve()


@pytest.fixture(scope="module")
def bench(project: Path) -> Iterator[Workbench]:
    with Workbench(Options(roots=(project,))) as opened:
        yield opened


def test_a_crash_is_reproduced_through_the_whole_chain(project: Path, bench: Workbench) -> None:
    made = crash(project, TOTALS, TOTAL_FRAMES, "ZeroDivisionError", "division by zero",
                 "totals.py")  # fmt: skip
    best = reproduce(made, bench, 20.0).best
    assert best is not None
    assert (best.verdict.status, best.frames, best.of) == (Status.CONFIRMED, 3, 3)
    raised = best.verdict.evidence.raised
    assert raised is not None
    assert (raised.type, raised.message) == ("ZeroDivisionError", "division by zero")


def test_a_script_is_reproduced_with_an_input_made_up_for_it(
    project: Path, bench: Workbench
) -> None:
    code = """\
        n = int(input())
        rows = list(map(int, input().split()))
        print(rows[n])
        """
    made = crash(project, code, [(3, "<module>")], "IndexError", "list index out of range",
                 "reads.py")  # fmt: skip
    best = reproduce(made, bench, 20.0).best
    assert best is not None
    assert isinstance(best.verdict.proposal.start, Script)
    assert best.is_script


def test_a_message_that_speaks_of_another_value_is_told_so(project: Path, bench: Workbench) -> None:
    code = """\
        def price(sku: str):
            key = sku.strip().lower()
            return {"tea": 390}[key]
        """
    made = crash(project, code, [(3, "price")], "KeyError", "'CUP'", "prices.py")
    best = reproduce(made, bench, 3.0).best
    assert best is not None
    assert best.values_differ


def test_a_module_that_cannot_be_imported_is_given_up_at_once(
    project: Path, bench: Workbench
) -> None:
    code = "import no_such_module_at_all\n\ndef f(x):\n    return 1 / x\n"
    made = crash(project, code, [(4, "f")], "ZeroDivisionError", "division by zero", "broken.py")
    outcome = reproduce(made, bench, 20.0)
    assert outcome.best is None
    assert outcome.seconds < 10
    unknown = outcome.failures[0].unknown
    assert unknown is not None
    assert unknown.reason is Reason.NO_SOURCE
    assert "no_such_module_at_all" in unknown.evidence.detail


LOCKED = """\
    import hashlib

    def opened(key: str):
        if hashlib.sha256(key.encode()).hexdigest().startswith("00000000000000"):
            raise KeyError(key)

    def main():
        return opened("no")
    """


def test_time_goes_to_the_ways_in_that_have_more_to_try(project: Path, bench: Workbench) -> None:
    made = crash(project, LOCKED, [(8, "main"), (5, "opened")], "KeyError", "'x'", "locked.py")
    outcome = reproduce(made, bench, 3.0)
    assert outcome.best is None
    assert outcome.spent
    searched = {one.level.subject.ref.qualname: one.stats for one in outcome.failures}
    assert searched["main"].executed == 1
    assert searched["opened"].seconds > 1.5  # more than its half


def test_what_has_nothing_more_to_try_ends_before_its_time(project: Path, bench: Workbench) -> None:
    made = crash(project, LOCKED, [(8, "main")], "KeyError", "'x'", "locked.py")
    outcome = reproduce(made, bench, 10.0)
    assert outcome.best is None
    assert not outcome.spent


# The flow, with a verifier that is told what to say.


class Told:
    """A bench whose verifier answers from a table: the function's name to a status."""

    def __init__(self, confirms: set[str], stop: bool = False) -> None:
        self.confirms, self.stop = confirms, stop
        self.asked: list[str] = []
        self.verifier = self
        self.proposers: Sequence[Proposer] = ()

    def pure(self, subject: Subject) -> bool:
        return True

    def screen(
        self, goal: Goal, proposals: Sequence[Proposal], *, pure: bool, guided: bool
    ) -> list[Verdict]:
        if self.stop and self.asked:
            raise KeyboardInterrupt
        self.asked.append(goal.entry.qualname)
        hit = goal.entry.qualname in self.confirms
        reason = Reason.NOT_REPEATED if hit else Reason.NO_EXCEPTION
        return [Verdict(one, reason, Evidence(1)) for one in proposals]

    def confirm(self, goal: Goal, proposal: Proposal) -> Verdict:
        return Verdict(proposal, Reason.GOAL_REACHED, Evidence(2))


def told(tmp_path: Path, bench: Told) -> Outcome:
    made = crash(tmp_path, TOTALS, TOTAL_FRAMES, "ZeroDivisionError", "division by zero")
    return reproduce(made, bench, 5.0)


def test_the_best_reproduction_has_most_frames(tmp_path: Path) -> None:
    found = told(tmp_path, Told({"share", "shares"}))
    assert [one.frames for one in found.reproductions] == [1, 2]
    assert found.best is found.reproductions[1]
    assert [one.level.subject.ref.qualname for one in found.failures] == ["outer"]


def test_a_stop_keeps_what_was_confirmed(tmp_path: Path) -> None:
    found = told(tmp_path, Told({"share"}, stop=True))
    assert found.stopped
    assert found.best is not None
    assert found.best.frames == 1


def test_a_verdict_that_is_not_confirmed_is_no_reproduction(tmp_path: Path) -> None:
    from nsdbg.reproduce import Reproduction

    made = crash(tmp_path, TOTALS, TOTAL_FRAMES, "ZeroDivisionError", "x")
    verdict = Verdict(Proposal(Call(), "x"), Reason.NOT_REPEATED, Evidence(1))
    with pytest.raises(ValueError, match="only a confirmed verdict"):
        Reproduction(next(levels(made)), verdict, 3)


def test_a_crash_without_frames_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one own frame"):
        Crash("ValueError", "x", (), 0)


def test_a_file_that_is_gone_is_no_way_in(tmp_path: Path) -> None:
    frame = CrashFrame(os.path.join(tmp_path, "gone.py"), 1, "f", "f")
    assert list(levels(Crash("ValueError", "x", (frame,), 1))) == []


def test_a_subject_without_a_function_is_a_script(tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("print(1)\n")
    assert load_subject(path, "<module>").node is None
