"""Whether a predicted state is the one that was recorded: whole, and field by field."""

from __future__ import annotations

from nsdbg.propose.codec.situation import Situation
from nsdbg.state import Event, State, Value


def alike(predicted: Situation | None, truth: State) -> bool:
    """Whether every field of a prediction is as recorded."""
    return predicted is not None and all(
        (same_place(predicted.state, truth), same_locals(predicted.state, truth),
         same_arg(predicted.state, truth), predicted.state.output == truth.output)
    )  # fmt: skip


def same_return(predicted: Situation | None, truth: State) -> bool:
    """Whether a jump to the frame's return is as recorded; its locals are not asked for."""
    return predicted is not None and (
        same_place(predicted.state, truth) and same_arg(predicted.state, truth)
    )


def same_place(predicted: State, truth: State) -> bool:
    """Whether the event, the depth and the line are the same."""
    return (
        predicted.event is truth.event
        and len(predicted.stack) == len(truth.stack)
        and (predicted.frame.file, predicted.frame.lineno) == (truth.frame.file, truth.frame.lineno)
    )


def same_locals(predicted: State, truth: State) -> bool:
    """Whether the innermost frame has the same names with the same values."""
    told, seen = dict(predicted.frame.locals or ()), dict(truth.frame.locals or ())
    return told.keys() == seen.keys() and all(same_value(told[name], seen[name]) for name in seen)


def same_arg(predicted: State, truth: State) -> bool:
    """Whether the return value, or the exception's type and message, is the same."""
    told, seen = predicted.arg, truth.arg
    if told is None or seen is None:
        return told is seen
    if truth.event is Event.EXCEPTION:
        return told.type.rpartition(".")[2] == seen.type.rpartition(".")[2] and (
            told.repr == seen.repr
        )
    return same_value(told, seen)


def same_value(told: Value, seen: Value) -> bool:
    """Whether a value is the one seen; of an object without text only the type can be told."""
    same_type = told.type.rpartition(".")[2] == seen.type.rpartition(".")[2]
    if told.repr == "<?>":
        return same_type and not seen.literal
    return same_type and told.repr == seen.repr
