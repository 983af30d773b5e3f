"""Episodes as lines of JSON: the round trip, what is stored, and lines that are none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.deltas import lengthen, shorten
from nsdbg.episode import Episode, Listing, episode_from_json, episode_json, read_episodes
from nsdbg.errors import EpisodeError
from nsdbg.state import Event, Frame, State, Trace, Value

OUTER = Listing("shop.py", "total", 3, "def total(items):\n    n = 0\n    return add(n, items)")
INNER = Listing("shop.py", "add", 8, "def add(a, b):\n    yield a")


def number(n: int) -> Value:
    return Value(str(n), "int", literal=True)


def frame(function: str, lineno: int, **found: Value) -> Frame:
    return Frame("shop.py", lineno, function, tuple(found.items()))


def shop() -> Episode:
    """An episode in which a generator is resumed and an exception is raised."""
    bottom = frame("total", 5, items=Value("[1]", "list", literal=True), n=number(0))
    trace = Trace(
        (
            State(Event.CALL, (frame("total", 3, items=Value("[1]", "list", literal=True)),)),
            State(Event.LINE, (bottom,), output="hello\n"),
            State(Event.CALL, (bottom, frame("add", 8, a=number(0)))),
            State(Event.RETURN, (bottom, frame("add", 9, a=number(0))), number(0)),
            State(Event.LINE, (frame("total", 5, n=number(7), items=number(1)),)),
            State(Event.CALL, (frame("total", 5, n=number(7), items=number(1)),
                               frame("add", 9, a=number(0)))),
            State(Event.EXCEPTION, (frame("total", 5, n=number(7)),), Value("no", "ValueError")),
        ),
        False,
        (0, 0, 1, 1, 0, 1, 0),
        frozenset({1}),
        frozenset({6}),
    )  # fmt: skip
    return Episode("shop:1", "functions", "shop", "total", "MIT", "3.11.7", (OUTER, INNER),
                   (("LIMIT", "3"),), trace)  # fmt: skip


def test_an_episode_comes_back_from_its_line_as_it_was() -> None:
    text = episode_json(shop())
    assert "\n" not in text
    assert episode_from_json(text) == shop()


def test_a_line_holds_of_each_state_only_what_changed_in_its_innermost_frame() -> None:
    row = json.loads(episode_json(shop()))
    letters = [state[0] for state in row["states"]]
    assert letters == ["c", "l", "c", "r", "l", "c", "x"]
    # a line in `total` that binds n: the stack anew, one local
    assert row["states"][1][2:4] == [[0, 0, 5], ["n", 1]]
    assert row["states"][2][2:4] == [[1, 1, 8], ["a", 1]]
    # the generator goes on with the locals it had: nothing to store
    assert row["states"][5] == ["c", 1, [1, 1, 9]]
    # another order of the names: all of them anew
    assert row["states"][4][4] == 1


def test_an_outer_frame_has_the_locals_of_the_last_state_of_its_activation() -> None:
    episode = episode_from_json(episode_json(shop()))
    inner = episode.trace.states[2]
    assert inner.stack[0].local("n") == number(0)
    assert inner.stack[0].locals == episode.trace.states[1].frame.locals


def test_a_frame_finds_the_text_in_which_it_stands() -> None:
    episode = shop()
    assert episode.listing(frame("add", 9)) is INNER
    assert episode.listing(frame("total", 5)) is OUTER
    assert episode.listing(frame("total", 6)) is None
    assert episode.listing(Frame("other.py", 4, "total")) is None


def test_the_arguments_are_the_locals_of_the_first_call() -> None:
    assert shop().arguments == (("items", Value("[1]", "list", literal=True)),)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", "{}", '{"schema": "nsdbg.episode/1"}', "[" * 5000, '"schema"',
     episode_json(shop())[:-9], episode_json(shop()).replace('"n",1', '"n",99')],
)  # fmt: skip
def test_a_line_that_is_no_episode_is_one_error(text: str) -> None:
    with pytest.raises(EpisodeError, match="no episode"):
        episode_from_json(text)


def test_an_episode_of_another_version_is_named() -> None:
    with pytest.raises(EpisodeError, match=r"nsdbg\.episode/9"):
        episode_from_json(episode_json(shop()).replace("episode/1", "episode/9"))


def test_an_episode_begins_with_a_call_and_numbers_its_activations() -> None:
    found = shop()
    for trace in (Trace(found.trace.states[1:], True, found.trace.activations[1:]),
                  Trace(found.trace.states)):  # fmt: skip
        with pytest.raises(ValueError, match="episode shop:1"):
            Episode("shop:1", "functions", "", "total", "", "", (), (), trace)


def test_blank_lines_between_episodes_are_passed_over() -> None:
    assert list(read_episodes([episode_json(shop()) + "\n", "\n"])) == [shop()]


@st.composite
def recorded_states(draw: st.DrawFn) -> list[list[object]]:
    """States as the recording has them, in whatever order."""
    names = st.lists(st.sampled_from("abcd"), unique=True)
    states: list[list[object]] = []
    for _ in range(draw(st.integers(1, 12))):
        stack = [part for _ in range(draw(st.integers(1, 3)))
                 for part in (draw(st.integers(0, 1)), draw(st.integers(1, 3)))]  # fmt: skip
        found = [part for name in draw(names) for part in (name, draw(st.integers(0, 2)))]
        states.append([draw(st.sampled_from(["call", "line", "return", "exception"])), stack, found,
                       draw(st.none() | st.integers(0, 3)), draw(st.sampled_from(["", "x"])),
                       draw(st.integers(0, 2))])  # fmt: skip
    return states


@given(recorded_states())
def test_shortened_states_come_back_at_their_length(states: list[list[object]]) -> None:
    assert lengthen(shorten(states)) == states
