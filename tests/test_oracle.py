"""The oracle: what it says of calls, stops and commands is what plain Python does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from running import call, goal_for, line_of, write

from nsdbg.claim import Call, ExceptionClaim, Goal, Middle, Proposal, Script, Site
from nsdbg.measure.hallucination.judged import Borne
from nsdbg.measure.oracle.facts import Facts
from nsdbg.measure.oracle.lies import literal
from nsdbg.measure.oracle.oracle import WORKER, Oracle
from nsdbg.measure.oracle.plain.exact import exact, shown, spelt
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.verify.interpreters import Interpreter, find_interpreters

SOURCE = """\
import os
import sys
import time


class Liar(str):
    def __repr__(self):
        return "1"

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Shop:
    def __init__(self, price):
        self.price = price

    def total(self, count):
        return self.price * count

    @staticmethod
    def tax(price):
        return price // 5

    @classmethod
    def named(cls, name):
        return cls.__name__ + name


def half(n):
    half_of = n / 2
    return half_of


def straight(n):
    total = n
    while total < 9:
        total = total * 2
        if total > 5:
            print(total)
    label = half(total)
    return label


def lie():
    return Liar("a")


def word():
    return next(iter({"apple", "pear", "plum", "fig"}))


def zone():
    return time.strftime("%Z")


def count_up(items):
    seen = []
    for item in items:
        seen.append(half(item))
        print(item)
    return seen


def same(items):
    for item in items:
        found = 1
    return found


def fail(n):
    try:
        return half(n)
    finally:
        n = 0


def given(n):
    yield n
    yield n + 1


async def waited(n):
    return n


def key(n):
    raise KeyError(n)


def forever():
    while True:
        pass


def timed(n):
    before = time.monotonic()
    total = n + 1
    return time.monotonic() - before < 5, total


def priced(shop):
    price = shop.price
    return price


def both(first, /, *rest, scale=1, **more):
    return first, rest, scale, more


if __name__ == "__main__":
    shown = sys.argv[1] + sys.stdin.read()
    assert shown
"""
STEP, NEXT = Action(ActionKind.STEP), Action(ActionKind.NEXT)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("oracle").resolve(), "shop.py", SOURCE)


@pytest.fixture(scope="module")
def oracle(file: Path) -> Iterator[Oracle]:
    with Oracle(Path(sys.executable), limit_s=2.0) as oracle:
        yield oracle


def facts(oracle: Oracle, file: Path, entry: str, **arguments: str) -> Facts:
    return oracle.facts(str(file), str(file.parent), "shop", [(entry, call(**arguments))])


def borne(oracle: Oracle, goal: Goal, **arguments: str) -> Borne:
    return oracle.borne_out(goal, Proposal(call(**arguments), "test"))


def test_the_worker_imports_the_standard_library_alone() -> None:
    found = subprocess.run(
        [sys.executable, "-I", "-S", str(WORKER / "start.py")],
        input=json.dumps({"do": "spelt", "texts": ["1_0", "0x1", "eval('1')"]}) + "\n",
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(found.stdout) == {"texts": ["10", "1", None]}
    text = "".join(path.read_text() for path in WORKER.glob("*.py"))
    assert "nsdbg." not in text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"), (True, "True"), (1.0, "1.0"), (-0.0, "-0.0"), (float("nan"), "nan"),
        ((1,), "(1,)"), ({"b": 1, "a": [()]}, "{'b': 1, 'a': [()]}"), ({2, 1}, "{1, 2}"),
        (set(), "set()"), (frozenset({1}), "frozenset({1})"), (range(3), "range(0, 3)"),
        (type("Own", (int,), {})(1), None), ([object()], None),
    ],
)  # fmt: skip
def test_a_text_is_exact_only_when_it_stands_for_the_value(value: object, text: str | None) -> None:
    assert exact(value) == text


def test_a_list_that_holds_itself_has_no_exact_text() -> None:
    items: list[object] = []
    items.append(items)
    assert exact(items) is None
    assert shown(items)[:2] == ("[[...]]", "list")


def test_a_number_of_many_digits_has_the_text_that_python_reads_again() -> None:
    assert exact(10**5000) == hex(10**5000)
    assert spelt(hex(10**5000)) == hex(10**5000)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{2, 1}", "{1, 2}"), ("+1", "1"), ("-0.0", "-0.0"), ("float('nan')", "nan"),
        ("set()", "set()"), ("1+2j", "(1+2j)"), ("x", None), ("open('/etc/passwd')", None),
        ("().__class__", None), ("[1", None), ("2 + 2", "4"),
    ],
)  # fmt: skip
def test_a_literal_has_one_spelling(text: str, found: str | None) -> None:
    assert spelt(text) == found


@pytest.mark.parametrize(
    ("entry", "arguments", "true", "lies"),
    [
        ("half", {"n": "2"}, "1.0", ["1", "True", "2.0"]),
        ("half", {"n": "-0.0"}, "-0.0", ["0.0", "0"]),
        ("lie", {}, None, ["1", "'a'", "'1'"]),
        ("Shop.total", {"self": "Shop(2)", "count": "3"}, "6", ["6.0"]),
        ("Shop.tax", {"price": "10"}, "2", ["3"]),
        ("Shop.named", {"name": "'!'"}, "'Shop!'", ["'!'"]),
        ("given", {"n": "1"}, "[1, 2]", ["(1, 2)", "[1]"]),
        ("waited", {"n": "1"}, "1", ["2"]),
        ("both", {"first": "1", "*rest": "(2,)", "scale": "3", "**more": "{'a': 4}"},
         "(1, (2,), 3, {'a': 4})", ["(1, [2], 3, {'a': 4})"]),
        ("key", {"n": "1"}, None, ["None"]),
    ],
)  # fmt: skip
def test_what_a_call_gives_is_borne_out_and_nothing_else(
    oracle: Oracle,
    file: Path,
    entry: str,
    arguments: dict[str, str],
    true: str | None,
    lies: list[str],
) -> None:
    for text in lies:
        assert borne(oracle, goal_for(file, entry, value=text), **arguments) is Borne.WRONG, text
    if true is not None:
        assert borne(oracle, goal_for(file, entry, value=true), **arguments) is Borne.OUT


def test_what_another_hash_seed_or_time_zone_changes_is_wrong(oracle: Oracle, file: Path) -> None:
    words = ["'apple'", "'pear'", "'plum'", "'fig'"]
    found = [borne(oracle, goal_for(file, "word", value=word)) for word in words]
    assert found == [Borne.WRONG] * 4
    for zone in ("'NSC'", "'NSD'", "'UTC'"):
        assert borne(oracle, goal_for(file, "zone", value=zone)) is Borne.WRONG


def test_a_call_that_cannot_be_made_or_does_not_end_says_nothing(
    oracle: Oracle, file: Path
) -> None:
    goal = goal_for(file, "half", value="1.0")
    assert borne(oracle, goal, n="missing") is Borne.SILENT
    assert borne(oracle, goal, other="2") is Borne.SILENT
    assert borne(oracle, goal_for(file, "forever", value="1")) is Borne.SILENT


def test_an_exception_is_its_type_its_message_and_its_frames(oracle: Oracle, file: Path) -> None:
    inner = Site(str(file), line_of(file, "half_of = n / 2"), "half")
    outer = Site(str(file), line_of(file, "return half(n)"), "fail")
    claim = ExceptionClaim("TypeError", "unsupported operand type(s) for /: 'str' and 'int'")
    goal = goal_for(file, "fail", Event.EXCEPTION, (outer, inner), exception=claim)
    assert borne(oracle, goal, n="'a'") is Borne.OUT
    assert borne(oracle, goal, n="4") is Borne.WRONG
    for other in (
        replace(goal, chain=(outer,)),
        replace(goal, chain=(replace(outer, lineno=1), inner)),
        replace(goal, exception=ExceptionClaim("Exception", claim.message)),
        replace(goal, exception=ExceptionClaim("TypeError", "unsupported")),
    ):
        assert borne(oracle, other, n="'a'") is Borne.WRONG
    prefix = ExceptionClaim("TypeError", "unsupported", message_prefix=True)
    assert borne(oracle, replace(goal, exception=prefix), n="'a'") is Borne.OUT
    with_locals = replace(goal, locals=(("n", "'a'"),))
    assert borne(oracle, with_locals, n="'a'") is Borne.OUT
    assert borne(oracle, replace(goal, locals=(("n", "'b'"),)), n="'a'") is Borne.WRONG


def test_a_visit_is_its_line_its_frames_its_locals_and_its_constraints(
    oracle: Oracle, file: Path
) -> None:
    site = Site(str(file), line_of(file, "print(item)"), "count_up")
    goal = goal_for(file, "count_up", Event.LINE, (site,), locals=(("seen", "[1.0, 2.0]"),))
    assert borne(oracle, goal, items="[2, 4]") is Borne.OUT
    assert borne(oracle, goal, items="[2]") is Borne.WRONG
    assert borne(oracle, replace(goal, locals=(("seen", "[1, 2]"),)), items="[2, 4]") is Borne.WRONG
    assert borne(oracle, replace(goal, where=("item == 4",)), items="[2, 4]") is Borne.OUT
    assert borne(oracle, replace(goal, where=("item == 5",)), items="[2, 4]") is Borne.WRONG
    again = replace(goal, chain=(site, site))
    assert borne(oracle, again, items="[2, 4]") is Borne.WRONG


def test_a_script_is_run_with_its_arguments_and_its_input(oracle: Oracle, file: Path) -> None:
    line = line_of(file, "assert shown")
    goal = goal_for(
        file, "<module>", Event.LINE, (Site(str(file), line, "<module>"),),
        locals=(("shown", "'ab'"),),
    )  # fmt: skip
    for argument, expected in (("a", Borne.OUT), ("b", Borne.WRONG)):
        proposal = Proposal(Script((argument,), "b"), "test")
        assert oracle.borne_out(goal, proposal) is expected


def test_a_recorded_call_has_every_event_with_its_stack_and_output(
    oracle: Oracle, file: Path
) -> None:
    found = facts(oracle, file, "count_up", items="[2, 4]").runs[0]
    assert (found.why, found.complete) == ("", True)
    assert found.value == Value("[1.0, 2.0]", "list", True)
    events = [
        (stop.state.event.value, [frame.function for frame in stop.state.stack], stop.activation)
        for stop in found.stops
    ]
    assert events[0] == ("call", ["count_up"], 0)
    assert events[4:8] == [
        ("call", ["count_up", "half"], 1),
        ("line", ["count_up", "half"], 1),
        ("line", ["count_up", "half"], 1),
        ("return", ["count_up", "half"], 1),
    ]
    assert [stop.state.output for stop in found.stops if stop.state.output] == ["2\n", "4\n"]
    assert found.stops[7].state.arg == Value("1.0", "float", True)
    assert found.stops[8].state.frame.local("seen") == Value("[1.0]", "list", True)


def test_a_return_that_is_an_exception_leaving_has_no_value(oracle: Oracle, file: Path) -> None:
    found = facts(oracle, file, "fail", n="'a'").runs[0]
    assert [stop.state.arg for stop in found.stops if stop.state.event is Event.RETURN] == [
        None, None
    ]  # fmt: skip
    assert found.raised is not None
    assert (found.raised.type, len(found.raised.sites)) == ("TypeError", 2)


def test_an_object_whose_repr_lies_is_told_from_a_literal(oracle: Oracle, file: Path) -> None:
    found = facts(oracle, file, "lie").runs[0]
    last = found.stops[-1]
    assert last.state.arg == Value("1", "Liar", False)
    assert last.opaque_arg


def test_commands_lead_where_bdb_stops(oracle: Oracle, file: Path) -> None:
    known = facts(oracle, file, "count_up", items="[2, 4]")
    run = known.runs[0]
    loop, body = line_of(file, "seen.append"), line_of(file, "print(item)")

    def lines(at: int, *actions: Action) -> list[tuple[str, int]]:
        lead = oracle.lead(known, run, at, actions)
        return [(end.state.frame.function, end.state.frame.lineno) for end in lead.ends]

    assert lines(3, NEXT, STEP) == [("count_up", body), ("count_up", loop - 1)]
    assert lines(3, STEP, Action(ActionKind.RETURN))[1][0] == "half"
    assert lines(3, Action(ActionKind.CONTINUE, loop)) == [("count_up", loop)]
    until = Action(ActionKind.UNTIL, body + 1)
    assert lines(3, until) == [("count_up", body + 1)]
    assert lines(3, Action(ActionKind.CONTINUE, loop), Action(ActionKind.CONTINUE, loop)) == [
        ("count_up", loop)
    ]
    out = oracle.lead(known, run, len(run.stops) - 1, [STEP])
    assert out.ends == ()


def transition(
    file: Path, known: Facts, at: int, action: Action, predicted: State
) -> tuple[Goal, Proposal]:
    state = known.runs[0].stops[at].state
    frame = state.frame
    goal = goal_for(
        file, known.runs[0].entry, Event.LINE, (Site(frame.file, frame.lineno, frame.function),),
        previous=True,
    )  # fmt: skip
    return goal, Proposal(Middle(state), "test", action, predicted)


def test_a_transition_is_borne_out_as_a_whole_state(oracle: Oracle, file: Path) -> None:
    known = facts(oracle, file, "half", n="2")
    truth = known.runs[0].stops[2].state
    assert oracle.borne_out(*transition(file, known, 1, NEXT, truth), known) is Borne.OUT
    frame = truth.frame
    names = dict(frame.locals or ())
    lies = [
        replace(truth, event=Event.RETURN),
        replace(truth, output="x"),
        replace(truth, stack=(replace(frame, lineno=frame.lineno + 1),)),
        replace(truth, stack=(frame, frame)),
        replace(truth, stack=(_bound(frame, {**names, "half_of": Value("1", "int", True)}),)),
        replace(truth, stack=(_bound(frame, {**names, "more": Value("1", "int", True)}),)),
        replace(truth, stack=(_bound(frame, {"half_of": names["half_of"]}),)),
        replace(truth, stack=(_bound(frame, {**names, "n": Value("2", "object")}),)),
    ]
    for lie in lies:
        assert oracle.borne_out(*transition(file, known, 1, NEXT, lie), known) is Borne.WRONG
    unnamed = replace(truth, stack=(replace(frame, locals=None),))
    assert oracle.borne_out(*transition(file, known, 1, NEXT, unnamed), known) is Borne.OUT


def _bound(frame: Frame, names: dict[str, Value]) -> Frame:
    return replace(frame, locals=tuple(names.items()))


def test_equal_states_that_lead_apart_bear_nothing_out(oracle: Oracle, file: Path) -> None:
    known = facts(oracle, file, "same", items="[0, 0]")
    stops = known.runs[0].stops
    head = line_of(file, "found = 1") - 1
    bound = [
        at for at, stop in enumerate(stops)
        if stop.state.frame.lineno == head and stop.state.frame.local("found")
    ]  # fmt: skip
    ends = [stops[at + 1].state for at in bound]
    assert ends[0] != ends[1]
    for end in ends:
        assert oracle.borne_out(*transition(file, known, bound[0], STEP, end), known) is Borne.WRONG
    goal, proposal = transition(file, known, bound[0], STEP, ends[0])
    start = replace(_middle(proposal), remaining=((head, "[0]"),))
    assert oracle.borne_out(goal, replace(proposal, start=start), known) is Borne.OUT


def test_a_call_that_goes_otherwise_when_run_again_bears_nothing_out(
    oracle: Oracle, file: Path
) -> None:
    known = facts(oracle, file, "timed", n="2")
    end = known.runs[0].stops[3].state
    assert oracle.borne_out(*transition(file, known, 2, NEXT, end), known) is Borne.SILENT


def test_a_start_that_leaves_a_local_out_is_another_state(oracle: Oracle, file: Path) -> None:
    known = facts(oracle, file, "priced", shop="Shop(7)")
    goal, whole = transition(file, known, 1, NEXT, known.runs[0].stops[2].state)
    end = known.runs[0].stops[2].state
    assert oracle.borne_out(goal, whole, known) is Borne.OUT
    state = _middle(whole).state
    bare = replace(state, stack=(replace(state.frame, locals=()),))
    proposal = replace(whole, start=Middle(bare), predicted=end)
    assert oracle.borne_out(goal, proposal, known) is not Borne.OUT


def _middle(proposal: Proposal) -> Middle:
    assert isinstance(proposal.start, Middle)
    return proposal.start


@pytest.mark.parametrize(
    "interpreter", find_interpreters(), ids=lambda found: ".".join(map(str, found.version[:2]))
)
def test_a_state_that_no_recorded_run_passes_is_put_into_a_call(
    interpreter: Interpreter, file: Path
) -> None:
    """`half(3)` was not called: at its last line, and with `n` other than it was taken from."""
    line = line_of(file, "return half_of")
    names = (("n", Value("3", "int", True)), ("half_of", Value("9", "int", True)))
    frame = Frame(str(file), line, "half", names)
    start = Middle(State(Event.LINE, (frame,)))
    goal = goal_for(file, "half", Event.LINE, (Site(str(file), line, "half"),), previous=True)
    with Oracle(interpreter.path) as oracle:
        for text, expected in (("9", Borne.OUT), ("1.5", Borne.WRONG)):
            end = State(Event.RETURN, (frame,), literal(text))
            proposal = Proposal(start, "test", STEP, end)
            assert oracle.borne_out(goal, proposal) is expected


def test_a_jump_leads_where_the_recorded_run_went(oracle: Oracle, file: Path) -> None:
    known = facts(oracle, file, "straight", n="3")
    ran = known.runs[0]
    seen = set()
    for at, stop in enumerate(ran.stops[:-1]):
        if stop.state.event is not Event.LINE or len(stop.state.stack) > 1:
            continue
        goal, proposal = transition(file, known, at, STEP, ran.stops[at + 1].state)
        unseen = Facts(known.file, ())
        seen.add(oracle.borne_out(goal, proposal, unseen))
    # Since 3.12 CPython may refuse to jump to a line; then nothing is said.
    may_refuse = {Borne.SILENT} if sys.version_info >= (3, 12) else set()
    assert seen - may_refuse == {Borne.OUT}


def test_a_state_that_hides_an_iterator_is_put_nowhere(oracle: Oracle, file: Path) -> None:
    known = facts(oracle, file, "same", items="[0, 0]")
    silent = []
    for at, stop in enumerate(known.runs[0].stops[:-1]):
        if stop.state.event is Event.LINE:
            end = known.runs[0].stops[at + 1].state
            goal, proposal = transition(file, known, at, STEP, end)
            silent.append(oracle.borne_out(goal, proposal))
    assert silent == [Borne.SILENT] * 5 + [Borne.OUT]


def test_where_a_command_leads_may_be_asked_by_a_goal(oracle: Oracle, file: Path) -> None:
    known = facts(oracle, file, "half", n="2")
    _, proposal = transition(file, known, 1, NEXT, known.runs[0].stops[2].state)
    site = Site(str(file), line_of(file, "return half_of"), "half")
    for value, expected in (("1.0", Borne.OUT), ("1", Borne.WRONG)):
        goal = goal_for(file, "half", Event.LINE, (site,), locals=(("half_of", value),))
        found = oracle.borne_out(goal, replace(proposal, predicted=None), known)
        assert found is expected


def test_a_program_that_does_not_import_says_why(oracle: Oracle, tmp_path: Path) -> None:
    broken = write(tmp_path.resolve(), "broken.py", "import nowhere_at_all\ndef f():\n    pass\n")
    found = oracle.facts(str(broken), str(tmp_path.resolve()), "broken", [("f", Call())])
    assert found.why.startswith("the import fails: ModuleNotFoundError")


@pytest.mark.parametrize(
    "interpreter", find_interpreters(), ids=lambda found: ".".join(map(str, found.version[:2]))
)
def test_it_answers_on_every_interpreter(interpreter: Interpreter, file: Path) -> None:
    with Oracle(interpreter.path) as oracle:
        goal = goal_for(file, "half", value="1.0")
        assert borne(oracle, goal, n="2") is Borne.OUT
        assert borne(oracle, replace(goal, value="1"), n="2") is Borne.WRONG
        known = facts(oracle, file, "given", n="1")
        assert known.runs[0].value == Value("[1, 2]", "list", True)
        assert {stop.activation for stop in known.runs[0].stops} == {0}


def test_frames_of_libraries_are_not_watched(tmp_path: Path) -> None:
    file = tmp_path / "split.py"
    file.write_text("import re\n\ndef f(x):\n    return re.split('a', x)\n")
    goal = replace(goal_for(file, "f"), event=Event.EXCEPTION,
                   exception=ExceptionClaim("TypeError"))  # fmt: skip
    own, library = Site(str(file), 4, "f"), Site(re.__file__, None, "split")
    with Oracle(Path(sys.executable)) as oracle:
        told = [
            oracle.borne_out(replace(goal, chain=chain), Proposal(call(x="[1]"), "test"))
            for chain in ((own,), (own, library))
        ]
    assert told == [Borne.OUT, Borne.SILENT]
