"""A liar who makes proposals: nothing that it says is confirmed unless an oracle bears it out."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from running import call, goal_for, line_of

from nsdbg.claim import (
    Call,
    Evidence,
    ExceptionClaim,
    FunctionRef,
    Goal,
    Middle,
    Proposal,
    Reason,
    Site,
    Status,
    Verdict,
)
from nsdbg.source import load_subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.statefile import middle_from, parse_state
from nsdbg.verify.interpreters import Interpreter, find_interpreters
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.verifier import Verifier

LIES = Path(__file__).parent / "targets" / "lies.py"
INTERPRETERS = [found for found in find_interpreters() if found.version >= (3, 9)]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("lies") / "lies.py"
    shutil.copy(LIES, place)
    return place


@pytest.fixture(scope="module")
def verifier(file: Path) -> Iterator[Verifier]:
    with Runner(RunnerConfig(roots=(file.parent,))) as runner:
        yield Verifier(runner)


def confirm(verifier: Verifier, goal: Goal, **arguments: str) -> Verdict:
    return verifier.confirm(goal, Proposal(call(**arguments), "liar"))


# What `give` gives, the one text that stands for it (None: none does), and texts that do not.
VALUES: list[tuple[str, str | None, list[str]]] = [
    ("frozen text", None, ["{frozenset({'a'})}", "frozenset({frozenset({'a'})})"]),
    ("frozen liar", None, ["{frozenset({'a'})}"]),
    ("frozen number", None, ["frozenset({frozenset({3})})", "{frozenset({3})}"]),
    ("frozen real", None, ["{frozenset({1.5})}"]),
    ("nan in a tuple", None, ["{(nan,)}", "{(None,)}"]),
    ("liar", None, ["['a']", "[1]"]),
    ("text", None, ["'a'", "b'a'"]),
    ("level", None, ["1", "True", "1.0"]),
    ("pair", None, ["(1, 2)", "[1, 2]"]),
    ("ordered", None, ["{'a': 1}"]),
    ("counter", None, ["{'a': 1}"]),
    ("true", "True", ["1", "1.0", "'True'"]),
    ("one", "1", ["True", "1.0", "1j", "[1]"]),
    ("real", "1.0", ["1", "True"]),
    ("below", "-0.0", ["0.0", "0", "False", "-0"]),
    ("nan", "nan", ["inf", "0.0", "None", "-inf"]),
    ("array", "bytearray(b'a')", ["b'a'", "'a'", "[97]"]),
    ("bytes", "b'a'", ["'a'", "bytearray(b'a')"]),
    ("order", "{'b': 1, 'a': 2}", ["{'a': 2, 'b': 1}", "{'b': True, 'a': 2}", "{'b', 'a'}"]),
    ("deep", "[[[1, (True,)]]]", ["[[[1, (1,)]]]", "[[[True, (True,)]]]", "[[[1, [True]]]]"]),
    ("big", None, ["1" + "0" * 4000, "0", hex(10**5000 + 1)]),
    ("long", None, ["'" + "a" * 65000 + "'", "'a'"]),
    ("exception", None, ["'a'", "'ValueError(\\'a\\')'"]),
    ("view", None, ["['a']", "{'a'}", "{'a': 1}"]),
    ("range", "range(0, 3)", ["[0, 1, 2]", "range(0, 4)", "range(0, 3, 2)"]),
]


@pytest.mark.parametrize(("what", "true", "lies"), VALUES, ids=[name for name, *_ in VALUES])
def test_only_the_text_of_exactly_this_value_is_confirmed(
    verifier: Verifier, file: Path, what: str, true: str | None, lies: list[str]
) -> None:
    for text in lies:
        verdict = confirm(verifier, goal_for(file, "give", value=text), what=repr(what))
        assert verdict.status is not Status.CONFIRMED, text
    if true is not None:
        verdict = confirm(verifier, goal_for(file, "give", value=true), what=repr(what))
        assert verdict.reason is Reason.GOAL_REACHED


@pytest.mark.parametrize(("function", "text"), [("empty", "set()"), ("no_number", "nan")])
def test_a_class_of_the_programs_own_is_not_the_builtin_of_its_name(
    verifier: Verifier, file: Path, function: str, text: str
) -> None:
    verdict = confirm(verifier, goal_for(file, function, value=text))
    assert verdict.reason is Reason.VALUE_DIFFERS


@pytest.mark.parametrize(
    ("function", "texts"),
    [
        ("first_word", ["'apple'", "'pear'"]),
        ("by_address", ["[1, 2]", "[2, 1]"]),
        ("mostly", ["True", "False"]),
        ("is_watched", ["True", "False"]),
        ("caller", ["'<lambda>'", "'perform'", "'_call'"]),
        ("room", ["1000", *map(str, range(1008, 1024))]),
    ],
)
def test_what_another_run_may_not_show_is_not_confirmed(
    verifier: Verifier, file: Path, function: str, texts: list[str]
) -> None:
    for text in texts:
        verdict = confirm(verifier, goal_for(file, function, value=text))
        assert verdict.reason in (Reason.NONDETERMINISTIC, Reason.VALUE_DIFFERS), text


def test_a_draw_that_the_program_seeds_itself_is_the_same_each_time(
    verifier: Verifier, file: Path
) -> None:
    assert confirm(verifier, goal_for(file, "seeded", value="True")).status is Status.CONFIRMED


MODULE = "__import__('lies')"
PATCH = "__import__('unittest.mock').mock.patch.object"


@pytest.mark.parametrize(
    ("function", "argument", "value", "reason"),
    [
        ("target", f"({PATCH}({MODULE}, 'helper', lambda n: 7).start(), 1)[1]", "7",
         Reason.BAD_START),
        ("target", f"({PATCH}(helper, '__defaults__', (7,)).start(), 1)[1]", "2",
         Reason.BAD_START),
        ("below_limit", f"(vars({MODULE}).update(LIMIT=100), 50)[1]", "True", Reason.BAD_START),
        ("total", "(vars(__import__('builtins')).update(sum=lambda x: 99), [1])[1]", "99",
         Reason.BAD_START),
        ("apply", f"lambda: ({PATCH}({MODULE}, 'helper', lambda n: 7).start(), 7)[1]", "7",
         Reason.SIDE_EFFECT),
        ("apply", "lambda: helper(1)", "2", Reason.GOAL_REACHED),
        ("total", "[helper(1), 3]", "5", Reason.GOAL_REACHED),
    ],
)  # fmt: skip
def test_arguments_that_change_the_code_under_test_start_nothing(
    verifier: Verifier, file: Path, function: str, argument: str, value: str, reason: Reason
) -> None:
    goal = goal_for(file, function, value=value)
    name = {"apply": "function", "total": "numbers"}.get(function, "number")
    verdict = confirm(verifier, goal, **{name: argument})
    if reason is Reason.SIDE_EFFECT:
        assert verdict.status is Status.UNKNOWN
    else:
        assert verdict.reason is reason


@pytest.mark.parametrize(
    "argument",
    [
        "(setattr(helper, 'x', 1), 1)[1]",
        "(globals().update(LIMIT=100), 1)[1]",
        "helper.__code__ and 1",
        "getattr(helper, '__glo' + 'bals__') and 1",
        "getattr(helper, '__globals__') and 1",
        "__import__('operator').attrgetter('__globals__')(helper) and 1",
        "__import__('sys').modules and 1",
        "sys._getframe(2).f_locals and 1",
        "(sys.setrecursionlimit(60), 1)[1]",
        "lambda: sys.settrace(None)",
        "eval('1')",
        "__import__('_nsdbg_child.report') and 1",
        "__import__('_ns' + 'dbg_child.report') and 1",
    ],
)
def test_arguments_that_reach_for_frames_and_modules_are_refused_unrun(
    verifier: Verifier, file: Path, argument: str
) -> None:
    verdict = confirm(verifier, goal_for(file, "target", value="2"), number=argument)
    assert (verdict.reason, verdict.evidence.runs) == (Reason.BAD_PROPOSAL, 0)
    assert "reaches for the interpreter's machinery" in verdict.evidence.detail


def test_arguments_change_nothing_of_what_tells_of_the_run(verifier: Verifier, file: Path) -> None:
    forge = (
        "(vars(report).update(snapshot=lambda value, limit=0: ('99', 'int', True, False)), 1)[1]"
    )
    goal = goal_for(file, "target", value="99")
    plain = Call((("number", forge),), ("from _nsdbg_child import report",))
    assert verifier.confirm(goal, Proposal(plain, "liar")).reason is Reason.BAD_PROPOSAL
    unrefused = verifier.runner.single(goal, plain)
    assert unrefused.detail.startswith("an argument changes _nsdbg_child.report.snapshot")
    loud = Call((("number", "(warnings.simplefilter('error'), 1)[1]"),), ("import warnings",))
    goal = goal_for(file, "target", value="2")
    verdict = verifier.confirm(goal, Proposal(loud, "liar"))
    assert (verdict.reason, "warnings.filters" in verdict.evidence.detail) == (
        Reason.BAD_START, True
    )  # fmt: skip


@pytest.mark.parametrize(
    "argument", ["len('eval')", "[1].index(1) + 1", "getattr('a', 'count')('a')"]
)
def test_arguments_that_only_name_such_things_are_values(
    verifier: Verifier, file: Path, argument: str
) -> None:
    verdict = confirm(verifier, goal_for(file, "below_limit", value="True"), number=argument)
    assert verdict.reason in (Reason.GOAL_REACHED, Reason.VALUE_DIFFERS)


@pytest.mark.parametrize(
    ("function", "argument"),
    [
        ("apply", "lambda: 1 // 0"),
        ("total", "(1 // 0 for _ in [1])"),
        ("total", "type('X', (), {'__iter__': lambda self: iter([1 // 0])})()"),
        ("total", "type('X', (list,), {'__iter__': lambda self: iter([1 // 0])})([1])"),
        ("target", "type('X', (), {'__add__': lambda self, other: 1 // 0})()"),
    ],
)
def test_an_exception_that_an_argument_raises_itself_is_not_the_programs(
    verifier: Verifier, file: Path, function: str, argument: str
) -> None:
    ways = {"apply": ["return function()"], "total": ["return sum(numbers)"],
            "target": ["return helper(number)", "return number + 1"]}  # fmt: skip
    names = [function, "helper"]
    chain = tuple(
        Site(str(file), line_of(file, text), name)
        for text, name in zip(ways[function], names, strict=False)
    )
    name = {"apply": "function", "total": "numbers"}.get(function, "number")
    claim = ExceptionClaim("ZeroDivisionError")
    goal = goal_for(file, function, Event.EXCEPTION, chain, exception=claim)
    verdict = confirm(verifier, goal, **{name: argument})
    assert verdict.status is not Status.CONFIRMED


def test_a_call_that_an_argument_makes_is_no_call_of_the_program(
    verifier: Verifier, file: Path
) -> None:
    chain = (
        Site(str(file), line_of(file, "return function()"), "apply"),
        Site(str(file), line_of(file, "raise ValueError(number)"), "fails"),
    )
    claim = ExceptionClaim("ValueError", "3")
    goal = goal_for(file, "apply", Event.EXCEPTION, chain, exception=claim)
    through = confirm(verifier, goal, function="lambda: fails(3)")
    assert through.reason is Reason.STACK_DIFFERS
    straight = confirm(verifier, goal, function="__import__('functools').partial(fails, 3)")
    assert straight.reason is Reason.GOAL_REACHED


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("items.append(1) is None", "[1]"),
        ("items.append(1) is None", "[]"),
        ("items.append(1) is None if not items else True", "[1]"),
        ("count_up.__globals__.update(len=lambda items: items.append(1)) is None", "[1]"),
        ("1 // 0", "[]"),
        ("(found := 5) == 4", "[]"),
    ],
)
def test_a_constraint_that_makes_itself_true_is_not(
    verifier: Verifier, file: Path, where: str, value: str
) -> None:
    goal = goal_for(file, "count_up", value=value, where=(where,))
    assert confirm(verifier, goal, items="[]").status is not Status.CONFIRMED


@pytest.mark.parametrize(
    ("function", "claim", "reason"),
    [
        ("own_error", ExceptionClaim("KeyError", "a"), Reason.OTHER_EXCEPTION),
        ("own_error", ExceptionClaim("other.KeyError", "a"), Reason.OTHER_EXCEPTION),
        ("own_error", ExceptionClaim("builtins.lies.KeyError", "a"), Reason.OTHER_EXCEPTION),
        ("own_error", ExceptionClaim("lies.KeyError", "'a'"), Reason.MESSAGE_DIFFERS),
        ("own_error", ExceptionClaim("lies.KeyError", "a"), Reason.GOAL_REACHED),
        ("sub_error", ExceptionClaim("ValueError", "a"), Reason.OTHER_EXCEPTION),
        ("sub_error", ExceptionClaim("Exception"), Reason.OTHER_EXCEPTION),
        ("sub_error", ExceptionClaim("Sub", "a"), Reason.GOAL_REACHED),
    ],
)
def test_an_exception_of_a_like_name_is_another(
    verifier: Verifier, file: Path, function: str, claim: ExceptionClaim, reason: Reason
) -> None:
    line = line_of(file, "raise KeyError" if function == "own_error" else "raise Sub")
    chain = (Site(str(file), line, function),)
    goal = goal_for(file, function, Event.EXCEPTION, chain, exception=claim)
    assert confirm(verifier, goal).reason is reason


@pytest.mark.parametrize("depth", range(5))
def test_a_recursion_is_as_deep_as_it_is(verifier: Verifier, file: Path, depth: int) -> None:
    again = Site(str(file), line_of(file, "return down(number - 1)"), "down")
    last = Site(str(file), line_of(file, 'raise ValueError("down")'), "down")
    claim = ExceptionClaim("ValueError", "down")
    goal = goal_for(file, "down", Event.EXCEPTION, (*[again] * depth, last), exception=claim)
    verdict = confirm(verifier, goal, number="2")
    assert verdict.reason is (Reason.GOAL_REACHED if depth == 2 else Reason.STACK_DIFFERS)


def test_only_the_exception_that_leaves_is_the_calls(verifier: Verifier, file: Path) -> None:
    inner = (Site(str(file), None, "in_finally"),)
    for kind, expected in [("ValueError", False), ("TypeError", True)]:
        goal = goal_for(
            file, "in_finally", Event.EXCEPTION, inner, exception=ExceptionClaim(kind, "1")
        )
        verdict = confirm(verifier, goal, number="1")
        assert (verdict.status is Status.CONFIRMED) is expected


# A function, a line of it, its locals there, and the command given.
STEPS: list[tuple[str, str, dict[str, str], str]] = [
    ("counted", "seen = COUNT", {"number": "3"}, "a global that was counted up"),
    ("cached", "found = CACHE.get", {"key": "'a'"}, "a dict that was filled"),
    ("ticking", "found = next(TICK)", {"number": "1"}, "an iterator that was begun"),
    ("defaulted", "defaulted(number - 1)", {"number": "1", "seen": "[1]"}, "a default value"),
    ("one_line", "while queue.pop()", {"queue": "[1, 0]", "found": "[1]"}, "a condition"),
    ("handled", "found = told()", {"number": "2"}, "the exception being handled"),
    ("two_raised", "error.__context__", {"number": "1"}, "an exception's context"),
    ("one_object", "one is two", {"number": "3", "one": "3000", "two": "3000"}, "identity"),
    ("timed", "found = time", {"number": "1", "before": "5.0"}, "the clock"),
    ("diced", "found = random.random()", {"number": "1"}, "the state of random"),
]


@pytest.mark.parametrize(
    ("function", "text", "names", "_"), STEPS, ids=[step[-1] for step in STEPS]
)
def test_no_step_is_confirmed_that_needs_what_a_state_does_not_hold(
    verifier: Verifier, file: Path, function: str, text: str, names: dict[str, str], _: str
) -> None:
    start, entry = state_at(file, function, line_of(file, text), names)
    verdict = verifier.follow(entry, start, Action(ActionKind.NEXT)).verdict
    assert verdict.status is Status.UNKNOWN


def test_a_step_that_changes_a_global_unseen_is_confirmed(verifier: Verifier, file: Path) -> None:
    start, entry = state_at(file, "counted", line_of(file, "COUNT += 1"), {"number": "3"})
    verdict = verifier.follow(entry, start, Action(ActionKind.NEXT)).verdict
    assert verdict.reason is Reason.TRANSITION


def test_a_value_that_a_literal_stands_for_is_not_opaque(verifier: Verifier, file: Path) -> None:
    start, entry = state_at(file, "several", line_of(file, "one = number + 1"), {"number": "2"})
    frame = start.state.frame
    names = tuple((name, Value("77", "object")) for name in ("number", "one", "two"))
    predicted = State(Event.LINE, (Frame(frame.file, frame.lineno + 1, "several", names),))
    goal = Goal(entry, Event.LINE, (Site(frame.file, frame.lineno, "several"),), previous=True)
    proposal = Proposal(start, "liar", Action(ActionKind.NEXT), predicted)
    assert verifier.confirm(goal, proposal).reason is Reason.LOCALS_DIFFER


def state_at(
    file: Path, function: str, lineno: int, names: dict[str, str]
) -> tuple[Middle, FunctionRef]:
    subject = load_subject(file, function)
    claim = parse_state(json.dumps({"lineno": lineno, "locals": names}))
    return middle_from(claim, subject), subject.ref


@pytest.fixture(scope="module")
def residual() -> ModuleType:
    path = Path(__file__).parent.parent / "bench" / "residual.py"
    spec = importlib.util.spec_from_file_location("residual", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["residual"] = module  # its dataclass looks itself up there
    spec.loader.exec_module(module)
    return module


def test_nothing_false_is_confirmed_of_what_a_liar_tells(residual: ModuleType) -> None:
    """A program written to mislead and one that nobody wrote."""
    counts = residual.Counts()
    for seed in (0, 3):
        residual.measure(Path(sys.executable), counts.judged + 150, seed, 10.0, 1, counts)
    assert counts.wrong == []
    assert counts.judged >= 300
    assert {way for way, _ in counts.ways} >= {
        "value", "exception", "visit", "transition", "start", "shared", "remaining", "backward"
    }  # fmt: skip
    # It judges, and does not only refuse; and the oracle has something to say of it.
    for way in ("value", "visit", "transition"):
        assert counts.ways[way, "confirmed"] > 5, way
    assert counts.borne["call: borne out"] > 20
    assert counts.borne["middle: borne out"] > 10
    assert counts.borne["call: silent"] + counts.borne["middle: silent"] < 20


def test_the_trial_finds_a_verdict_that_is_not_so(
    residual: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A verifier that confirms whatever a call is said to give is found out."""

    def credulous(self: Verifier, goal: Goal, proposal: Proposal) -> Verdict:
        evidence = Evidence(2, observed=proposal.predicted)
        return Verdict(proposal, Reason.GOAL_REACHED, evidence)

    monkeypatch.setattr(Verifier, "confirm", credulous)
    monkeypatch.setattr(residual, "SHARE", 1.0)
    counts = residual.Counts()
    residual.measure(Path(sys.executable), 100, 3, 10.0, 1, counts)
    assert len(counts.wrong) > 20


@pytest.mark.slow
@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=lambda found: str(found.version))
def test_nothing_false_is_confirmed_on_any_interpreter(
    residual: ModuleType, interpreter: Interpreter
) -> None:
    """Print how many proposals were judged, of how many one was wrong, and for which reasons."""
    counts = residual.Counts()
    residual.measure(interpreter.path, 4000, 10, 60.0, 3, counts)
    print(f"{interpreter.version}: {counts.judged} judged, {len(counts.wrong)} wrong")
    assert counts.wrong == []
    assert counts.statuses["confirmed"] > 400
