"""Programs, situations and answers for tests of the codec, written and read as words."""

from __future__ import annotations

from textwrap import dedent

from nsdbg.episode import Listing
from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.situation import Loops, Situation
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import END, IDS
from nsdbg.state import Event, Frame, State, Value

FILE = "m.py"


def seen(*texts: str, first: int = 11, constants: dict[str, object] | None = None) -> View:
    """Return the view of functions that stand below each other in one file, two lines apart."""
    listings = []
    for text in texts:
        lines = dedent(text).strip("\n")
        name = lines.split("def ", 1)[-1].split("(")[0]
        listings.append(Listing(FILE, name, first, lines))
        first += lines.count("\n") + 3
    return View(listings, constants)


def value(text: str) -> Value:
    """Return the value that stands for a literal, or the opaque one `<text>:type`."""
    if text.startswith("<"):
        shown, _, kind = text.rpartition(":")
        return Value(shown, kind)
    return Value(text, type(eval(text)).__name__, True)


def frame(lineno: int, function: str = "f", /, **names: str) -> Frame:
    """Return a frame; its locals are given as text."""
    pairs = tuple((name, value(text)) for name, text in names.items())
    return Frame(FILE, lineno, function, pairs)


def situation(
    *stack: Frame, event: Event = Event.LINE, arg: Value | None = None, loops: Loops = (),
    output: str = "",
) -> Situation:  # fmt: skip
    """Return a situation; `loops` are those of the innermost frame."""
    around: tuple[Loops, ...] = (*((),) * (len(stack) - 1), loops)
    return Situation(State(event, stack, arg, output), around)


def tokens(view: View, text: str) -> list[int]:
    """Spell an answer: marks stand for themselves, `L11` for a line, and the rest is Python."""
    found: list[int] = []
    for part in text.split("|"):
        if part in IDS:
            found.append(IDS[part])
        elif part.startswith("L") and part[1:].isdigit():
            line = view.line(FILE, int(part[1:]))
            assert line is not None
            found.append(line)
        else:
            found += spelling.spell(part.strip(), view.slots)
    return [*found, END]


def told(found: Situation | None, before: Situation | None = None) -> str | None:
    """Return a situation in words: event and line, locals, what goes with it, depth and loops.

    With the situation before it, only the locals that are not as they were there.
    """
    if found is None:
        return None
    state = found.state
    said = [f"{state.event.value} {state.frame.lineno}"]
    if state.frame.locals is None:
        said.append("locals unknown")
    known = dict(before.state.frame.locals or ()) if before is not None else {}
    names = dict(state.frame.locals or ())
    said += [f"{name}={_shown(one)}" for name, one in names.items() if known.get(name) != one]
    said += [f"-{name}" for name in known if name not in names and state.frame.locals is not None]
    if state.arg is not None:
        said.append(f"arg {_shown(state.arg)}")
    if state.output:
        said.append(f"printed {state.output!r}")
    if len(state.stack) > 1:
        said.append("in " + " > ".join(f"{one.function}:{one.lineno}" for one in state.stack))
    if any(found.loops):
        said.append(f"loops {found.loops}")
    return ", ".join(said)


def _shown(one: Value) -> str:
    return one.repr if one.literal else f"{one.repr}:{one.type}"
