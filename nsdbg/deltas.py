"""A recorded run's states, written as what changed, and read back.

A state of the recording (`verify/child/recording.py`) is the list `[event, [code, lineno, ...],
[name, value, ...], arg or None, output, activation]`, codes and values by their places in tables.
Here it becomes `[letter, activation, stack, changes, gone, arg, output]`, without what is empty at
its end: `stack` is how many frames stay as in the state before, and the others; `changes` are the
locals that are new or other than in the activation's last state; `gone` the names unbound since
then, or 1 where none of the former count.

Works on lists alone, and in Python 3.8, since it also runs in the process that is recorded.
"""

from __future__ import annotations

# ruff: noqa: B905 - `strict` came with Python 3.10

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    State = list[Any]

LETTERS = {"call": "c", "line": "l", "return": "r", "exception": "x"}
_EVENTS = {letter: event for event, letter in LETTERS.items()}
_SHORTEST = 3


def shorten(states: Sequence[State]) -> list[State]:
    """Return the states as changes."""
    last: dict[int, list[Any]] = {}
    before: list[int] = []
    found = []
    for event, stack, names, arg, output, activation in states:
        changes, gone = _difference(last.get(activation, []), names)
        last[activation] = names
        short = [LETTERS[event], activation, _rest(before, stack), changes, gone, arg, output]
        before = stack
        while len(short) > _SHORTEST and not short[-1] and short[-1] != 0:
            short.pop()
        found.append(short)
    return found


def _rest(before: list[int], stack: list[int]) -> list[int]:
    same = 0
    if before[:-2] == stack[:-2]:  # as most often
        same = max(len(stack) - 2, 0)
    while same < min(len(before), len(stack)) and before[same : same + 2] == stack[same : same + 2]:
        same += 2
    return [same // 2, *stack[same:]]


def _difference(former: list[Any], now: list[Any]) -> Any:
    """Return the changes, flat, and the names that are gone; 1 where the order does not follow."""
    if former == now:
        return [], []
    changes: list[Any] = []
    old = dict(zip(former[::2], former[1::2]))
    new = dict(zip(now[::2], now[1::2]))
    for name, value in new.items():
        if old.get(name) != value:
            changes += (name, value)
    if now[: len(former) : 2] == former[::2]:
        return changes, []
    kept = [name for name in old if name in new]
    if kept != now[: 2 * len(kept) : 2]:
        return now, 1
    return changes, [name for name in old if name not in new]


def lengthen(shorts: Sequence[State]) -> list[State]:
    """Return the states that `shorten` was given; raises what taking garbage apart raises."""
    last: dict[int, dict[str, int]] = {}
    before: list[int] = []
    found = []
    for short in shorts:
        left_out: list[Any] = [[], [], None, ""][len(short) - _SHORTEST :]
        letter, activation, rest, changes, gone, arg, output = [*short, *left_out]
        now = {} if gone == 1 else dict(last.get(activation, {}))
        for name in gone if gone != 1 else ():
            del now[name]
        now.update(zip(changes[::2], changes[1::2]))
        last[activation] = now
        before = [*before[: 2 * rest[0]], *rest[1:]]
        names = [part for pair in now.items() for part in pair]
        found.append([_EVENTS[letter], before, names, arg, output, activation])
    return found
