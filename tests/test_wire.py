"""What crosses between the parent and the child: nothing that comes back is trusted."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.claim import (
    Call,
    Ending,
    ExceptionClaim,
    FunctionRef,
    Goal,
    Middle,
    Observation,
    Script,
    Site,
    Start,
)
from nsdbg.state import Event, Frame, State, Value
from nsdbg.verify.wire import Decoder, covered_files, encode_goal, encode_start
from nsdbg.verify.zygotes import LineBroken, parse

VALUE = ["[1]", "list", True, False]
STATE = {"e": "return", "f": [["/a.py", 3, "f", [["x", *VALUE]]]], "a": VALUE, "o": ""}
WHOLE: dict[str, Any] = {
    "e": "raised", "s": 0.5, "v": VALUE, "r": ["KeyError", "'x'", [["/a.py", "f", 3]]],
    "h": [[STATE, [True, None]]], "n": [STATE, []], "c": 2, "d": 1.5,
    "p": [[["/a.py", "f"]], [0, 2, 0, 3]], "g": [["/a.py", [2, 3], [-1, 2, 2, 3]]], "o": "out",
    "b": ["open:/x"], "m": "detail", "x": [["Eq", "1", "2"]],
    "t": {"codes": [["/a.py", "f"]], "values": [VALUE], "complete": True, "generators": [0],
          "internal": [],
          "states": [["call", [0, 1], ["x", 0], None, "", 0], ["return", [0, 3], [], 0, "o", 0]]},
}  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=8,
)


def test_a_result_is_read_field_by_field() -> None:
    found = Decoder({"/a.py": (1, 2, 3)}).result(WHOLE)
    value = Value("[1]", "list", literal=True)
    assert (found.ending, found.seconds, found.value) == (Ending.RAISED, 0.5, value)
    assert found.raised is not None
    assert found.raised.sites == (Site("/a.py", 3, "f"),)
    assert found.hits[0].where == (True, None)
    assert found.hits[0].state.frame == Frame("/a.py", 3, "f", (("x", value),))
    assert [site.lineno for site in found.path] == [2, 3]
    assert found.coverage[0].arcs == ((-1, 2), (2, 3))
    assert found.coverage[0].possible == (1, 2, 3)
    assert found.trace is not None
    assert found.trace.states[0].frame.locals == (("x", value),)
    assert found.trace.states[1].arg == value
    assert found.trace.generators == {0}
    assert found.misses[0].operator == "Eq"
    assert (found.output, found.blocked, found.detail) == ("out", ("open:/x",), "detail")


@given(JSON)
def test_garbage_is_a_run_that_died(garbage: Any) -> None:
    found = Decoder({}).result(garbage)
    assert found.ending is Ending.DIED
    assert found.detail.startswith("the child sent a result that cannot be read")
    assert isinstance(covered_files(garbage), list)


@given(st.sampled_from(sorted(WHOLE)), JSON)
def test_garbage_in_one_field_does_no_harm(name: str, garbage: Any) -> None:
    result = copy.deepcopy(WHOLE)
    result[name] = garbage
    assert isinstance(Decoder({}).result(result), Observation)


@pytest.mark.parametrize(
    ("name", "garbage"),
    [
        ("p", [[["/a.py", "f"]], [0, 2, 1, 3]]),
        ("p", [[["/a.py", "f"]], [0, 2, 0]]),
        ("g", [["/a.py", ["2"], []]]),
        ("g", [["/a.py", [2], [1]]]),
        ("v", ["[1]", "list", True, True]),
        ("v", [1, "int", True, False]),
        ("e", "confirmed"),
        ("h", [[{**STATE, "f": []}, []]]),
        ("h", [[{**STATE, "e": "jump"}, []]]),
        ("o", 7),
        ("b", [None]),
    ],
)
def test_what_is_not_of_the_form_is_a_run_that_died(name: str, garbage: Any) -> None:
    assert Decoder({}).result({**WHOLE, name: garbage}).ending is Ending.DIED


def test_a_value_that_is_shared_is_the_same_as_one_that_is_not() -> None:
    decoder = Decoder({})
    assert decoder.result(WHOLE) == decoder.result(WHOLE) == Decoder({}).result(WHOLE)


def test_goals_and_starts_are_plain_json() -> None:
    ref = FunctionRef("/a.py", "f", "a", "/")
    goal = Goal(
        ref, Event.EXCEPTION, (Site("/a.py", 3, "f"),), where=("x > 1",),
        exception=ExceptionClaim("KeyError", "'x'", message_prefix=True),
    )  # fmt: skip
    assert json.loads(json.dumps(encode_goal(goal))) == {
        "entry": {"file": "/a.py", "qualname": "f", "root": "/"}, "event": "exception",
        "chain": [["/a.py", 3, "f"]], "locals": [], "where": ["x > 1"], "value": None,
        "exception": {"type": "KeyError", "message": "'x'", "prefix": True}, "exact": True,
    }  # fmt: skip
    state = State(Event.LINE, (Frame("/a.py", 3, "f", (("x", Value("1", "int", True)),)),))
    starts: list[Start] = [Call((("x", "1"),), ("import a",)), Script(("-v",), "in"),
              Middle(state, ((3, "[1]"),), True)]  # fmt: skip
    assert json.loads(json.dumps([encode_start(start) for start in starts])) == [
        ["call", [["x", "1"]], ["import a"], False],
        ["script", ["-v"], "in"],
        ["middle", {"e": "line", "f": [["/a.py", 3, "f", [["x", "1", "int", True, False]]]],
                    "a": None, "o": ""}, [[3, "[1]"]], True, None],
    ]  # fmt: skip
    assert encode_start(starts[2], "own")[-1] == "own"


@pytest.mark.parametrize("line", [b"", b"{", b"\xff\xfe", b"[" * 100000])
def test_a_line_that_is_no_json_breaks_the_line(line: bytes) -> None:
    with pytest.raises(LineBroken, match="sent no JSON"):
        parse(line)
