"""The trees of a trace: equal to what walks over it answer, state by state."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nsdbg.model.trace.trees import NOWHERE, trees
from nsdbg.state import Action, ActionKind, Event, Frame, State, Trace, Value
from nsdbg.verify.walk import Walk

STEP, NEXT, RETURN = (Action(kind) for kind in
                      (ActionKind.STEP, ActionKind.NEXT, ActionKind.RETURN))  # fmt: skip


def loop_twice() -> Trace:
    """A loop over equal items: lines 2, 3, 2, 3, 2 with the same locals, and a call in each."""
    none = Value("None", "NoneType", literal=True)
    same = (("x", Value("0", "int", literal=True)),)
    outer = Frame("a.py", 3, "f", same)
    inner = Frame("a.py", 9, "g", ())
    states = [State(Event.CALL, (Frame("a.py", 1, "f", ()),))]
    numbers = [0]
    for activation in (1, 2):
        states += [State(Event.LINE, (Frame("a.py", 2, "f", same),)),
                   State(Event.LINE, (outer,)),
                   State(Event.CALL, (outer, inner)),
                   State(Event.RETURN, (outer, inner), none)]  # fmt: skip
        numbers += [0, 0, activation, activation]
    states += [State(Event.LINE, (Frame("a.py", 2, "f", same),)),
               State(Event.RETURN, (Frame("a.py", 2, "f", same),))]  # fmt: skip
    return Trace(tuple(states), True, (*numbers, 0, 0))


def test_equal_states_are_different_nodes() -> None:
    found = trees(loop_twice())
    assert found.step == (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, NOWHERE)
    assert found.next == (1, 2, 5, 4, 5, 6, 9, 8, 9, 10, NOWHERE)
    assert found.returning == (10, 10, 10, 4, 5, 10, 10, 8, 9, 10, NOWHERE)
    assert found.inverse_next[5] == (2, 4)
    assert found.inverse_step[5] == (4,)
    assert found.depth == (1, 1, 1, 2, 2, 1, 1, 2, 2, 1, 1)


def test_a_trace_without_states_has_empty_trees() -> None:
    assert trees(Trace(())).step == ()


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Traces of any shape: stacks that grow and shrink, generators, exceptions of all kinds."""
    states, numbers, internal = [], [], []
    for index in range(draw(st.integers(0, 14))):
        event = draw(st.sampled_from(Event))
        depth = draw(st.integers(1, 3))
        frames = tuple(Frame("a.py", draw(st.integers(1, 3)), "f", ()) for _ in range(depth))
        arg = None
        if event is Event.EXCEPTION:
            arg = Value("", draw(st.sampled_from(["StopIteration", "GeneratorExit", "KeyError"])))
            if draw(st.booleans()):
                internal.append(index)
        states.append(State(event, frames, arg))
        numbers.append(draw(st.integers(0, 3)))
    generators = draw(st.frozensets(st.integers(0, 3)))
    return Trace(tuple(states), True, tuple(numbers), generators, frozenset(internal))


@given(traces())
def test_the_trees_are_what_walks_answer(trace: Trace) -> None:
    walk, found = Walk(trace), trees(trace)
    for index in range(len(trace.states)):
        for action, answers in ((STEP, found.step), (NEXT, found.next), (RETURN, found.returning)):
            expected = walk.after(index, action)
            assert answers[index] == (NOWHERE if expected is None else expected), (index, action)
        assert list(found.inverse_step[index]) == walk.before(index, STEP)
        assert list(found.inverse_next[index]) == walk.before(index, NEXT)
