"""Surprise: values of the log that the network finds unlikely where they were seen.

The weakest kind of evidence: it says that a value is odd, and a network finds much odd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from nsdbg.errors import SourceError
from nsdbg.localize.clue import Clue, Mark
from nsdbg.localize.code import Spot
from nsdbg.localize.definitions import How
from nsdbg.localize.inquiry import Inquiry
from nsdbg.localize.locate import LocatedFrame
from nsdbg.propose.codec.situation import Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.neural.model import Model
from nsdbg.propose.neural.situations import counted
from nsdbg.source import load_subject
from nsdbg.state import Event, Frame, State

if TYPE_CHECKING:
    from nsdbg.propose.neural.surprise import Surprise

MOST_NAMES = 8
MOST_CLUES = 2
# Below this a value is merely another one than expected: a name can have many.
LEAST_NATS = 6.0
MOST_NATS = 30.0
_SHOWN = 40


def surprise_clues(
    inquiry: Inquiry, model: Model, is_secret: Callable[[str, str], bool]
) -> Iterator[Clue]:
    """Yield the lines that gave the most surprising locals of the crash's innermost own frame.

    Asks for the model only where the log recorded locals.
    """
    site = inquiry.primary
    if site is None or not site.frame.logged.locals:
        return
    engine = model.engine
    situation = _situation(site.frame, site.spot, is_secret)
    if engine is None or situation is None:
        return
    from nsdbg.propose.neural.surprise import surprise

    view, seen = situation
    names = [name for name, value in seen.state.frame.locals or () if value.literal]
    found = [surprise(engine, view, seen, name) for name in names[:MOST_NAMES]]
    odd = [one for one in found if one is not None and one.nats >= LEAST_NATS]
    for one in sorted(odd, key=lambda one: -one.nats)[:MOST_CLUES]:
        scale = min(1.0, one.nats / MOST_NATS)
        for lineno in _lines(site.spot, site.frame.lineno, one.name):
            yield Clue(Mark.SURPRISING, site.spot.code.path, lineno, _told(one, model), scale)


def _situation(
    frame: LocatedFrame, spot: Spot, is_secret: Callable[[str, str], bool]
) -> tuple[View, Situation] | None:
    path = spot.code.path
    try:
        view = View.of_subject(load_subject(Path(path), spot.qualname))
    except SourceError:
        return None
    pairs = tuple(
        (name, value) for name, value in frame.logged.locals or ()
        if not is_secret(name, value.repr)
    )  # fmt: skip
    here = Frame(path, frame.lineno, spot.qualname.rpartition(".")[2], pairs)
    return view, Situation(State(Event.LINE, (here,)), (counted(view, here, {}),))


def _lines(spot: Spot, crashed: int, name: str) -> list[int]:
    """Return where a name got its value, as far as that is one line; else the crash line."""
    made = [one for one in spot.definitions_of(name) if one.how is not How.UNBOUND]
    return [made[0].lineno] if len(made) == 1 and made[0].lineno else [crashed]


def _told(one: Surprise, model: Model) -> str:
    seen = one.seen.repr[:_SHOWN]
    text = f"{model.name} finds {one.name} = {seen} unlikely where it crashed"
    if one.expected is None or one.expected.truncated:
        return text
    return f"{text}, and expected {one.expected.repr[:_SHOWN]}"
