"""Starting in the middle: what follows a state is what followed it, or why not is said."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from program_maker import make_program

from nsdbg.verify.child.lazy import draw
from nsdbg.verify.child.resume import CannotResume, Resumed, prepare
from nsdbg.verify.child.values import snapshot
from nsdbg.verify.interpreters import Interpreter, find_interpreters

HERE = Path(__file__).parent
CHILD = HERE.parent / "nsdbg" / "verify" / "child"
PROGRAMS = sorted((HERE / "programs").glob("*.py"))
INTERPRETERS = find_interpreters()
VERSIONS = [".".join(map(str, found.version)) for found in INTERPRETERS]


def oracle(interpreter: Interpreter, programs: Sequence[Path]) -> dict[str, Any]:
    command = [str(interpreter.path), "-W", "ignore", str(HERE / "resume_oracle.py"), str(CHILD)]
    run = subprocess.run(
        [*command, *map(str, programs)], capture_output=True, text=True, check=True, timeout=300
    )
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=VERSIONS)
def test_what_follows_every_state_of_the_programs_is_what_followed_it(
    interpreter: Interpreter,
) -> None:
    found = oracle(interpreter, PROGRAMS)
    assert found["wrong"] == []
    counts = found["counts"]
    assert counts["whole"] > 200  # to the end of the function
    assert counts["partly"] > 40  # up to what the state does not hold
    assert set(counts) - {"whole", "partly"} == {
        "hidden-iterator", "not-a-literal", "start-not-reached"
    }  # fmt: skip


def test_what_follows_every_state_of_programs_nobody_wrote(tmp_path: Path) -> None:
    for seed in range(2):
        (tmp_path / f"made{seed}.py").write_text(make_program(seed))
    found = oracle(INTERPRETERS[-1], sorted(tmp_path.glob("*.py")))
    assert found["wrong"] == []
    assert found["counts"]["whole"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=VERSIONS)
def test_many_programs_nobody_wrote(interpreter: Interpreter, tmp_path: Path) -> None:
    for seed in range(1000, 1012):
        (tmp_path / f"made{seed}.py").write_text(make_program(seed))
    found = oracle(interpreter, sorted(tmp_path.glob("*.py")))
    assert found["wrong"] == []


def load(folder: Path, source: str) -> ModuleType:
    file = folder / "target.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location("resume_target", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Starts:
    """Starts the functions of one module in the middle; lines are named by a comment's letter."""

    def __init__(self, folder: Path, source: str) -> None:
        self.module = load(folder, source)
        self.lines = {
            line.rpartition("# ")[2]: number
            for number, line in enumerate(source.splitlines(), 1)
            if "# " in line
        }

    def prepare(
        self, function: str | FunctionType, mark: str, /, remaining: Sequence[tuple[int, str]] = (),
        shared: bool = False, event: str = "line", arg: tuple[str, str] | None = None,
        **names: Any,
    ) -> Resumed:  # fmt: skip
        found = vars(self.module)[function] if isinstance(function, str) else function
        wire = [
            [name, *(snapshot(v) if not isinstance(v, Text) else (v.text, v.kind, False, False))]
            for name, v in names.items()
        ]
        state = {
            "e": event, "f": [["", self.lines[mark], "", wire]], "a": arg and [*arg, False, False],
            "o": "",
        }  # fmt: skip
        return prepare(found, state, remaining, shared)

    def run(self, function: str | FunctionType, mark: str, /, **given: Any) -> Any:
        """Return what the rest of the function gives back, or how it says that it cannot go on."""
        try:
            resumed = self.prepare(function, mark, **given)
        except CannotResume as refusal:
            return str(refusal)
        try:
            value = draw(resumed.call())
        except BaseException as error:
            return resumed.hidden or error
        return resumed.hidden or value


class Text:
    """A local of which only the text and the type's name are known."""

    def __init__(self, text: str, kind: str = "Thing") -> None:
        self.text, self.kind = text, kind


@pytest.fixture
def starts(tmp_path: Path) -> Starts:
    return Starts(tmp_path, SOURCE)


SOURCE = '''\
import contextlib

LOG = []


def loop(items, total=0):
    for item in items:  # head
        LOG.append(item)
        total += item  # body
    else:
        total += 100
    return total  # after


def unbound(flag):
    try:
        if flag:
            x = 1
        y = 2  # here
        return x + y
    except UnboundLocalError:
        return "unbound"


def alias(a, b):
    c = []
    d = []
    a.append(1)  # a
    c.append(1)
    return b, d


class Base:
    def size(self):
        return 3


class Thing(Base):
    __secret = 5

    def size(self, *more, scale=1, **rest):
        __n = 2
        return super().size() * scale + __n + len(more) + len(rest)  # size


def outer(start):
    count = start

    def inner(by):
        nonlocal count
        count += by  # inner
        return count

    return inner


INNER = outer(10)


def managed(name):
    with contextlib.suppress(KeyError) as got:  # with
        size = len(name)  # in with
        if size:
            return size
    return -1


def caught(n):
    try:
        n.missing
    except AttributeError as error:
        n = 3  # named
        if n:
            raise
        return str(error)
    except KeyError:
        n = 4  # unnamed
        return n
    finally:
        LOG.append(n)  # finally
    return 0


def reraise():
    try:
        pass
    except KeyError:
        n = 1  # bare
        raise


def generator(n):
    got = yield n
    while n:
        n -= 1  # yielding
        yield n


async def coroutine(n):
    n += 1  # async
    return n


def spans(n):
    return max(  # span
        n + 1,  # inside
        n,
    )


def opaque(thing, n):
    n += 1  # opaque
    n += 2
    if n > 100:
        return thing
    return n


def ignores(thing, n):
    n += 1  # ignores
    return n


def raising(n):
    try:
        int(n)  # raising
    except ValueError as error:
        return str(error)
    except KeyError as error:
        return error.args
    return n


def document():
    """Only text."""  # docstring
    return 1


def nested_loops(rows):
    out = []
    for row in rows:
        for cell in row:
            if cell:
                out.append(cell)  # cell
        out.append("row")
    return out


def targets(pairs):
    for a, (b, *c) in pairs:
        a += b  # pair
    return a, b, c
'''


def test_a_function_goes_on_from_a_line_with_the_given_locals(starts: Starts) -> None:
    assert starts.run("loop", "after", total=7) == 7
    assert starts.run("managed", "in with", name="abc").startswith("start-not-reached: leaving")


def test_unbound_locals_stay_unbound_and_bound_ones_are_bound(starts: Starts) -> None:
    assert starts.run("unbound", "here", flag=True) == "unbound"
    assert starts.run("unbound", "here", flag=True, x=5) == 7
    error = starts.run("loop", "after", items=[])
    assert isinstance(error, UnboundLocalError)


def test_the_next_item_of_a_loop_is_hidden_until_it_is_told(starts: Starts) -> None:
    said = starts.run("loop", "body", items=[0, 0, 0], item=0, total=0)
    assert said.startswith("hidden-iterator: the loop at line 7 asks for its next item")
    for rest, total in [("[]", 101), ("[2]", 103), ("[2, 3]", 106)]:
        remaining = [(starts.lines["head"], rest)]
        found = starts.run("loop", "body", items=[], item=1, total=0, remaining=remaining)
        assert found == total


def test_the_head_of_a_loop_is_before_it_only_when_nothing_was_taken(starts: Starts) -> None:
    assert starts.run("loop", "head", items=[1, 2], total=0) == 103
    said = starts.run("loop", "head", items=[1, 2], item=1, total=0)
    assert said.startswith("hidden-iterator: line 7 may stand before the loop or between two items")
    again = {"items": [1, 2], "item": 1, "total": 1, "remaining": [(starts.lines["head"], "[2]")]}
    assert starts.run("loop", "head", **again) == 103


def test_loops_around_loops_go_on_with_what_remains_of_each(starts: Starts) -> None:
    rows = starts.lines["cell"] - 3
    given = {"rows": [], "row": [1, 2], "cell": 1, "out": []}
    told = [(rows, "[[3], []]"), (rows + 1, "[2, 0]")]
    found = starts.run("nested_loops", "cell", remaining=told, **given)
    assert found == [1, 2, "row", 3, "row", "row"]
    half = starts.run("nested_loops", "cell", remaining=told[1:], **given)
    assert half.startswith(f"hidden-iterator: the loop at line {rows} ")


def test_a_loop_may_bind_nested_targets(starts: Starts) -> None:
    told = [(starts.lines["pair"] - 1, "[(5, [6, 7, 8])]")]
    assert starts.run("targets", "pair", a=1, b=2, c=[], remaining=told) == (11, 6, [7, 8])


def test_equal_values_are_apart_or_one_object_as_it_is_asked(starts: Starts) -> None:
    given: dict[str, Any] = {"a": [], "b": [], "c": [], "d": []}
    assert starts.run("alias", "a", **given) == ([], [])
    # c and d are only ever bound to new lists: they are never one, whatever is asked.
    # They are not what was given either, which was there before the call.
    assert starts.run("alias", "a", **given, shared=True) == ([1], [])


def test_methods_keep_their_class_cell_and_private_names(starts: Starts) -> None:
    size = starts.module.Thing.size
    given = {"self": Text("<Thing>"), "more": (1, 2), "scale": 2, "rest": {"k": 1}}
    assert starts.run(size, "size", **given, _Thing__n=4).startswith("not-a-literal: line")
    free = {**given, "self": 1, "_Thing__n": 4}
    assert isinstance(starts.run(size, "size", **free), TypeError)  # super() of another type


def test_cells_of_an_outer_function_are_set_too(starts: Starts) -> None:
    assert starts.run(starts.module.INNER, "inner", by=5, count=100) == 105
    assert starts.module.INNER(1) == 106


def test_leaving_a_with_needs_its_manager_and_its_line_may_be_its_end(starts: Starts) -> None:
    assert starts.run("managed", "with", name="abc") == 3
    said = starts.run("managed", "with", name="abc", got=None)
    twice = sys.version_info >= (3, 10)
    assert (said == 3) != twice
    assert not twice or said.startswith("start-not-reached: line")


def test_the_exception_being_handled_is_made_again_or_not_needed(starts: Starts) -> None:
    named = starts.run("caught", "named", n=1, error=Text("AttributeError('gone')"))
    assert isinstance(named, AttributeError)
    assert str(named) == "gone"
    assert starts.run("caught", "unnamed", n=1) == 4
    said = starts.run("reraise", "bare")
    assert said.startswith("start-not-reached: line")
    assert "exception being handled" in said
    unknown = starts.run("caught", "named", n=1, error=Text("<lost>"))
    assert unknown.startswith("start-not-reached: line")


def test_what_follows_finally_is_not_in_the_state(starts: Starts) -> None:
    said = starts.run("caught", "finally", n=1)
    assert said == "start-not-reached: what follows `finally` is not in the state"


def test_generators_and_coroutines_go_on(starts: Starts) -> None:
    assert starts.run("generator", "yielding", n=3, got=None) == [2, 1, 0]
    assert starts.run("coroutine", "async", n=3) == 4


def test_a_line_inside_a_statement_is_no_place_to_begin(starts: Starts) -> None:
    assert starts.run("spans", "span", n=1).endswith("is passed more than once in its statement")
    assert "lies inside a statement that begins at line" in starts.run("spans", "inside", n=1)
    assert starts.run("document", "docstring").startswith("start-not-reached: ")


def test_a_value_without_a_literal_may_be_there_but_not_be_used(starts: Starts) -> None:
    thing = Text("<Thing at 0x...>")
    said = starts.run("opaque", "opaque", thing=thing, n=1)
    assert said.startswith("not-a-literal: line")
    assert "uses thing, which no literal stands for" in said
    assert starts.run("ignores", "ignores", thing=thing, n=1) == 2


def test_a_stand_in_prints_as_the_value_did(starts: Starts) -> None:
    seen: list[tuple[str, str]] = []

    def trace(frame: Any, event: str, arg: Any) -> Any:
        if event == "line" and "thing" in frame.f_locals:
            taken = snapshot(frame.f_locals["thing"])
            seen.append((taken.repr, taken.type))
        return trace

    resumed = starts.prepare("ignores", "ignores", thing=Text("<Thing at 0x...>"), n=1)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        resumed.call()
    finally:
        sys.settrace(before)
    assert seen[0] == ("<Thing at 0x...>", "Thing")


@pytest.mark.parametrize(
    ("kind", "message", "expected"),
    [
        ("ValueError", "bad literal", "bad literal"),
        ("KeyError", "'x'", ("x",)),
        ("KeyError", "3", (3,)),
        ("OSError", "[Errno 2] gone", "not-a-literal: OSError('[Errno 2] gone') cannot be made"),
        ("Unheard", "of", "not-a-literal: Unheard('of') cannot be made again"),
    ],
)
def test_a_state_at_an_exception_raises_it_again(
    starts: Starts, kind: str, message: str, expected: object
) -> None:
    found = starts.run("raising", "raising", event="exception", arg=(message, kind), n="x")
    if isinstance(expected, str):
        assert found.startswith(expected)
    else:
        assert found == expected


def test_states_that_are_no_place_of_the_function_are_refused(starts: Starts) -> None:
    assert "has no local nope" in starts.run("loop", "after", nope=1)
    assert "what follows a return lies in the caller" in starts.run("loop", "after", event="return")
    starts.lines["far"] = 9999
    assert "line 9999 has no statement of its own" in starts.run("loop", "far")


def test_a_file_that_has_changed_has_no_source(starts: Starts, tmp_path: Path) -> None:
    function = starts.module.loop
    (tmp_path / "target.py").write_text("# nothing left\n")
    assert starts.run(function, "after", total=1).startswith("no-source: ")
    (tmp_path / "target.py").unlink()
    assert starts.run(function, "after", total=1).startswith("no-source: ")


def test_remaining_items_are_a_literal_list(starts: Starts) -> None:
    told = [(starts.lines["head"], "range(3)")]
    said = starts.run("loop", "body", items=[], item=1, total=0, remaining=told)
    assert said.startswith("not-a-literal: remaining items of line 7")


def test_the_original_function_is_left_as_it_is(starts: Starts) -> None:
    function = starts.module.loop
    code = function.__code__
    starts.run("loop", "after", total=7)
    assert function.__code__ is code
    assert function([1, 2]) == 103
