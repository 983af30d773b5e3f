"""Each command of a walk on small traces made by hand: the rules of bdb, one by one."""

from __future__ import annotations

import pytest

from nsdbg.state import Action, ActionKind, Event, Frame, State, Trace, Value
from nsdbg.verify.walk import Walk

CALL, LINE, RETURN, EXCEPTION = Event.CALL, Event.LINE, Event.RETURN, Event.EXCEPTION
STEP, NEXT, OUT = (
    Action(kind) for kind in (ActionKind.STEP, ActionKind.NEXT, ActionKind.RETURN)
)  # fmt: skip

# An event of a trace: what happened, in which activation, how deep, at which line, the exception.
Seen = tuple[Event, int, int, int] | tuple[Event, int, int, int, str]


def until(lineno: int) -> Action:
    return Action(ActionKind.UNTIL, lineno)


def to(lineno: int) -> Action:
    return Action(ActionKind.CONTINUE, lineno)


def walk(*seen: Seen, generators: set[int] | None = None, internal: set[int] | None = None) -> Walk:
    states = tuple(
        State(event, (*(Frame("f.py", 1, "outer"),) * (depth - 1), Frame("f.py", lineno, "f")),
              Value("", name[0]) if name else None)
        for event, _, depth, lineno, *name in seen
    )  # fmt: skip
    numbers = tuple(one[1] for one in seen)
    return Walk(
        Trace(states, True, numbers, frozenset(generators or ()), frozenset(internal or ()))
    )


# main calls f at line 2; f runs three lines and returns; main goes on.
CALLING = walk(
    (CALL, 0, 1, 1),
    (LINE, 0, 1, 2),
    (CALL, 1, 2, 10),
    (LINE, 1, 2, 11),
    (LINE, 1, 2, 12),
    (RETURN, 1, 2, 12),
    (LINE, 0, 1, 3),
    (RETURN, 0, 1, 3),
)


@pytest.mark.parametrize("index", range(7))
def test_step_stops_at_every_event(index: int) -> None:
    assert CALLING.after(index, STEP) == index + 1


def test_next_passes_over_a_call_and_stays_in_its_frame() -> None:
    assert CALLING.after(0, NEXT) == 1
    assert CALLING.after(1, NEXT) == 6
    assert CALLING.after(3, NEXT) == 4
    assert CALLING.after(4, NEXT) == 5


def test_next_at_a_return_is_a_step() -> None:
    assert CALLING.after(5, NEXT) == 6
    deeper = walk((RETURN, 2, 3, 1), (CALL, 3, 3, 5), (LINE, 0, 1, 2))
    assert deeper.after(0, NEXT) == 1


def test_return_stops_where_its_own_frame_returns() -> None:
    assert CALLING.after(3, OUT) == 5
    assert CALLING.after(2, OUT) == 5
    assert CALLING.after(1, OUT) == 7


def test_return_at_the_return_goes_on_in_the_caller() -> None:
    assert CALLING.after(5, OUT) == 6
    assert CALLING.after(7, OUT) is None


def test_return_stops_in_the_caller_when_an_exception_leaves_the_frame() -> None:
    caught = walk(
        (CALL, 0, 1, 1),
        (CALL, 1, 2, 10),
        (CALL, 2, 3, 20),
        (LINE, 2, 3, 21),
        (EXCEPTION, 2, 3, 21, "KeyError"),
        (EXCEPTION, 1, 2, 11, "KeyError"),
        (LINE, 1, 2, 12),
    )
    assert caught.after(3, OUT) == 5
    assert caught.after(1, OUT) is None


def test_a_call_from_below_the_oldest_frame_has_no_caller() -> None:
    second = walk((CALL, 0, 2, 1), (LINE, 0, 2, 2), (CALL, 1, 1, 5), (LINE, 1, 1, 6))
    assert second.after(1, OUT) is None


def test_the_caller_is_the_frame_that_was_last_seen_one_level_up() -> None:
    twice = walk(
        (CALL, 0, 1, 1),
        (CALL, 1, 2, 10),
        (RETURN, 1, 2, 10),
        (CALL, 2, 2, 20),
        (CALL, 3, 3, 30),
        (EXCEPTION, 3, 3, 30, "KeyError"),
        (EXCEPTION, 2, 2, 21, "KeyError"),
    )
    assert twice.after(4, OUT) == 6


def test_until_stops_at_a_line_no_smaller_than_the_one_it_is_given() -> None:
    loop = walk(
        (LINE, 0, 1, 2),
        (LINE, 0, 1, 3),
        (CALL, 1, 2, 9),
        (LINE, 1, 2, 10),
        (RETURN, 1, 2, 10),
        (LINE, 0, 1, 2),
        (LINE, 0, 1, 4),
        (LINE, 0, 1, 5),
        (RETURN, 0, 1, 5),
    )
    assert loop.after(0, until(4)) == 6
    assert loop.after(0, until(5)) == 7
    assert loop.after(1, until(3)) == 6
    assert loop.after(0, until(2)) == 1


def test_until_stops_where_the_frame_ends_before_its_line() -> None:
    assert CALLING.after(3, until(99)) == 5
    assert CALLING.after(1, until(99)) == 7


def test_until_at_a_return_is_a_step() -> None:
    assert CALLING.after(5, until(99)) == 6


def test_continue_stops_at_its_line_in_any_frame_and_nowhere_else() -> None:
    assert CALLING.after(0, to(11)) == 3
    assert CALLING.after(3, to(3)) == 6
    assert CALLING.after(3, to(11)) is None
    # Only a line event is a visit of the line.
    assert CALLING.after(0, to(10)) is None
    assert CALLING.after(4, to(12)) is None


def test_continue_stops_in_the_file_in_which_it_was_given() -> None:
    lines = tuple(State(LINE, (Frame(file, 5, "f"),)) for file in ("a.py", "b.py", "a.py"))
    assert Walk(Trace(lines, True, (0, 0, 0))).after(0, to(5)) == 2


def test_continue_passes_over_exceptions_and_ends() -> None:
    ends = walk(
        (LINE, 0, 1, 2),
        (EXCEPTION, 0, 1, 2, "StopIteration"),
        (EXCEPTION, 0, 1, 2, "KeyError"),
        (RETURN, 0, 1, 2),
        (CALL, 1, 1, 2),
    )
    assert ends.after(0, to(2)) is None
    consumer = walk((LINE, 0, 1, 2), (EXCEPTION, 0, 1, 2, "StopIteration"), generators={1})
    assert consumer.after(0, to(2)) is None


def test_an_exception_stops_next_only_in_its_own_frame() -> None:
    handled = walk(
        (LINE, 0, 1, 2),
        (CALL, 1, 2, 9),
        (EXCEPTION, 1, 2, 9, "KeyError"),
        (EXCEPTION, 0, 1, 2, "KeyError"),
    )
    assert handled.after(0, NEXT) == 3
    assert handled.after(0, STEP) == 1
    assert handled.after(1, STEP) == 2


# Generators: activation 1 is one, which keeps its number when it is resumed.

RESUMED = walk(
    (LINE, 0, 1, 2),
    (CALL, 1, 2, 10),
    (LINE, 1, 2, 11),
    (RETURN, 1, 2, 11),
    (LINE, 0, 1, 3),
    (CALL, 1, 2, 11),
    (LINE, 1, 2, 12),
    (RETURN, 1, 2, 12),
    (LINE, 0, 1, 4),
    generators={1},
)


def test_next_in_a_generator_passes_over_its_yield_and_its_resumption() -> None:
    assert RESUMED.after(2, NEXT) == 6
    assert RESUMED.after(0, NEXT) == 4


def test_step_stops_at_the_yield_and_at_the_resumption() -> None:
    assert RESUMED.after(2, STEP) == 3
    assert RESUMED.after(4, STEP) == 5


def test_return_in_a_generator_stops_at_no_yield_and_no_later_line() -> None:
    assert RESUMED.after(2, OUT) is None
    assert RESUMED.after(6, OUT) is None


def test_until_in_a_generator_passes_over_its_yield() -> None:
    assert RESUMED.after(2, until(12)) == 6
    assert RESUMED.after(2, until(99)) is None


def exhausted(kind: str, *, internal: bool, generator: bool = True) -> Walk:
    """A generator of which an exception is seen, first in itself, then in its consumer."""
    return walk(
        (LINE, 0, 1, 2),
        (LINE, 1, 2, 11),
        (EXCEPTION, 1, 2, 11, kind),
        (EXCEPTION, 0, 1, 2, kind),
        (LINE, 0, 1, 3),
        generators={1} if generator else None,
        internal={2} if internal else None,
    )


def test_the_stop_iteration_of_a_subiterator_stops_nothing_in_a_generator() -> None:
    assert exhausted("StopIteration", internal=True).after(1, STEP) == 3
    assert exhausted("StopIteration", internal=False).after(1, STEP) == 2
    assert exhausted("KeyError", internal=True).after(1, STEP) == 2
    assert exhausted("StopIteration", internal=True, generator=False).after(1, STEP) == 2


@pytest.mark.parametrize("action", [NEXT, OUT, until(99)])
@pytest.mark.parametrize("kind", ["StopIteration", "GeneratorExit"])
def test_a_generators_end_stops_a_command_of_it_in_its_consumer(action: Action, kind: str) -> None:
    ended = walk(
        (LINE, 0, 1, 2),
        (LINE, 1, 2, 11),
        (LINE, 0, 1, 2),
        (EXCEPTION, 0, 1, 2, kind),
        (LINE, 0, 1, 3),
        generators={1},
    )
    assert ended.after(1, action) == 3


def test_another_exception_in_the_consumer_or_of_no_generator_does_not() -> None:
    seen = ((LINE, 0, 1, 2), (LINE, 1, 2, 11))
    other = walk(*seen, (EXCEPTION, 0, 1, 2, "KeyError"), generators={1})
    assert other.after(1, NEXT) is None
    plain = walk(*seen, (EXCEPTION, 0, 1, 2, "StopIteration"))
    assert plain.after(1, NEXT) is None
    # A generator of its own that is not the one the command is given in is no consumer.
    ended = walk(*seen, (EXCEPTION, 0, 1, 2, "StopIteration"), generators={0})
    assert ended.after(1, NEXT) is None
    # Nor does its own end stop a `return`, which waits for the consumer.
    own = walk((LINE, 1, 2, 11), (EXCEPTION, 1, 2, 11, "StopIteration"), generators={1})
    assert own.after(0, OUT) is None
    assert own.after(0, NEXT) == 1


def test_a_frame_that_was_entered_since_the_command_is_not_stopped_in() -> None:
    late = walk(
        (LINE, 1, 2, 11),
        (CALL, 2, 2, 20),
        (EXCEPTION, 2, 2, 20, "StopIteration"),
        (LINE, 1, 2, 12),
        generators={1},
    )
    assert late.after(0, NEXT) == 3
    assert late.after(0, OUT) is None
    resumed = walk(
        (CALL, 2, 2, 20),
        (LINE, 1, 3, 11),
        (CALL, 2, 2, 20),
        (EXCEPTION, 2, 2, 20, "StopIteration"),
        generators={1},
    )
    assert resumed.after(1, OUT) == 3
    called = walk(
        (LINE, 1, 2, 11),
        (CALL, 2, 3, 20),
        (EXCEPTION, 2, 3, 20, "StopIteration"),
        generators={1},
    )
    assert called.after(1, OUT) == 2
    entered_there = walk(
        (LINE, 1, 3, 11), (EXCEPTION, 1, 3, 11, "x"), (EXCEPTION, 0, 1, 2, "GeneratorExit"),
        generators={1},
    )  # fmt: skip
    assert entered_there.after(0, OUT) is None


def test_an_exception_of_which_nothing_is_known_is_an_exception() -> None:
    bare = walk((LINE, 1, 1, 2), (EXCEPTION, 1, 1, 2), generators={1}, internal={1})
    assert bare.after(0, STEP) == 1


# Backwards, and whether the oldest frame was left.


def test_before_gives_every_state_from_which_a_command_leads_here_oldest_first() -> None:
    assert CALLING.before(6, NEXT) == [1, 5]
    assert CALLING.before(5, OUT) == [2, 3, 4]
    assert CALLING.before(3, to(11)) == [0, 1, 2]
    assert CALLING.before(0, STEP) == []
    assert CALLING.before(1, STEP) == [0]


def test_a_way_leaves_the_oldest_frame_where_it_returns_or_yields() -> None:
    assert CALLING.leaves(7, 8)
    assert not CALLING.leaves(0, 7)
    assert not CALLING.leaves(5, 6)
    called = walk((CALL, 3, 1, 1), (CALL, 4, 2, 9), (RETURN, 4, 2, 9), (RETURN, 3, 1, 2))
    assert not called.leaves(0, 3)
    assert called.leaves(0, 4)
    inside = walk((CALL, 3, 1, 1), (RETURN, 3, 1, 2), (LINE, 4, 1, 9), (CALL, 3, 1, 2))
    assert inside.leaves(0, 2)
    assert inside.leaves(1, 2)
    assert not inside.leaves(0, 1)
    assert not inside.leaves(2, 3)


# Traces whose activations were not numbered.


def unnumbered(*seen: tuple[Event, int, int]) -> Walk:
    stack = [Frame("f.py", 1, "outer")] * 3
    return Walk(
        Trace(tuple(
            State(event, (*stack[: depth - 1], Frame("f.py", lineno, "f")))
            for event, depth, lineno in seen
        ))
    )  # fmt: skip


def test_without_numbers_a_call_begins_a_new_frame_at_its_depth() -> None:
    two_calls = unnumbered(
        (CALL, 1, 1), (LINE, 1, 2),
        (CALL, 2, 10), (LINE, 2, 11), (RETURN, 2, 11),
        (CALL, 2, 10), (LINE, 2, 11), (RETURN, 2, 11),
        (LINE, 1, 3),
    )  # fmt: skip
    assert two_calls.after(1, NEXT) == 8
    assert two_calls.after(3, NEXT) == 4
    assert two_calls.after(3, until(99)) == 4
    assert two_calls.after(2, NEXT) == 3
    assert two_calls.before(7, OUT) == [5, 6]


def test_without_a_call_the_first_state_at_a_depth_begins_its_frame() -> None:
    middle = unnumbered((LINE, 1, 2), (LINE, 2, 9), (LINE, 1, 3), (LINE, 2, 10))
    assert middle.after(0, NEXT) == 2
    assert middle.after(1, NEXT) == 3
    assert middle.after(1, OUT) == 2


def test_an_index_outside_of_the_trace_is_refused() -> None:
    with pytest.raises(IndexError):
        CALLING.after(8, STEP)
