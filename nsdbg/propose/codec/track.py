"""A trace as situations: every state with how far the loops of its frames have come."""

from __future__ import annotations

from dataclasses import replace

from nsdbg.episode import Episode
from nsdbg.propose.codec.situation import Loops, Situation, entered
from nsdbg.propose.codec.view import View
from nsdbg.state import Event, State, Trace

# A comprehension is part of its line, as it is since Python 3.12 (PEP 709).
INLINED = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>"})


def without_comprehensions(trace: Trace) -> Trace:
    """Return a trace without the frames that comprehensions had before Python 3.12."""
    kept = [at for at, state in enumerate(trace.states) if not is_inlined(state)]
    places = {old: new for new, old in enumerate(kept)}
    return replace(
        trace,
        states=tuple(_named(trace.states[at]) for at in kept),
        activations=tuple(trace.activations[at] for at in kept),
        internal=frozenset(places[at] for at in trace.internal if at in places),
    )


def is_inlined(state: State) -> bool:
    """Tell whether a state lies in the frame of a comprehension, or of what one called."""
    return any(frame.function.rpartition(".")[2] in INLINED for frame in state.stack)


def _named(state: State) -> State:
    """Return a state without the locals that have no name in the source, as an iterator's `.0`."""
    if all(name.isidentifier() for frame in state.stack for name, _ in frame.locals or ()):
        return state
    stack = [
        replace(frame, locals=tuple(pair for pair in frame.locals or () if pair[0].isidentifier()))
        for frame in state.stack
    ]
    return replace(state, stack=tuple(stack))


def situations(view: View, episode: Episode) -> list[Situation]:
    """Return the situations of an episode's trace, which has no frames of comprehensions."""
    found: list[Situation] = []
    known: dict[int, tuple[Loops, int | None]] = {}
    stack: list[int] = []
    trace = episode.trace
    for state, activation in zip(trace.states, trace.activations, strict=True):
        del stack[len(state.stack) - 1 :]
        stack.append(activation)
        loops, line = known.get(activation, ((), None))
        if state.event is Event.CALL and activation not in trace.generators:
            loops, line = (), None
        if state.event is Event.LINE:
            loops = entered(view, state.frame, loops, line)
        known[activation] = (loops, state.frame.lineno)
        found.append(Situation(state, _beside(state, stack, known)))
    return found


def _beside(
    state: State, stack: list[int], known: dict[int, tuple[Loops, int | None]]
) -> tuple[Loops, ...]:
    """Return the loops of each frame of the stack; () where the stack is not known in full."""
    if len(stack) != len(state.stack):
        return ()
    return tuple(known.get(activation, ((), None))[0] for activation in stack)
