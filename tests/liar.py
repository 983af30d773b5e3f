"""An adversarial proposer: true facts of an oracle, and what becomes of them by lying."""

from __future__ import annotations

import ast
import json
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from running import call

from nsdbg.claim import ExceptionClaim, Goal, Middle, Proposal, Site
from nsdbg.source import load_subject
from nsdbg.state import Action, ActionKind, Event, Frame, State, Value
from nsdbg.statefile.states import value_of

ORACLE = Path(__file__).with_name("liar_oracle.py")
Fact = dict[str, Any]


def ask(*words: object, seed: int = 0, python: Path | None = None) -> list[Fact]:
    """Ask the oracle, in an interpreter of its own."""
    run = subprocess.run(
        [str(python or sys.executable), str(ORACLE), *map(str, words)],
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
        env={"PYTHONHASHSEED": str(seed), "PATH": "/nowhere"},
    )
    found: list[Fact] = json.loads(run.stdout)
    return found


@dataclass(frozen=True, slots=True)
class Told:
    """One proposal for a goal, and whether it is true."""

    goal: Goal
    proposal: Proposal
    true: bool


def other_texts(text: str, draw: random.Random) -> str:
    """Return a literal that stands for another value, and looks like this one."""
    swaps = {
        "1": ["True", "1.0", "2", "'1'"], "0": ["False", "-0.0", "0.0", "None"],
        "True": ["1"], "False": ["0"], "None": ["0", "'None'"], "[]": ["()", "{}", "[None]"],
    }  # fmt: skip
    choices = list(swaps.get(text, ()))
    if text.lstrip("-").isdigit():
        choices += [str(int(text) + 1), str(int(text) - 1), f"{text}.0"]
    if text[0] == "[":
        choices += [f"({text[1:-1]},)" if text != "[]" else "()", f"[{text}]"]
    if text[0] == "(":
        choices += [f"[{text[1:-1]}]"]
    if text[0] in "'\"":
        choices += ["b" + text, text[0] + "x" + text[1:]]
    if text[0] == "{":
        choices += ["{}", "[]"] if text != "{}" else ["[]"]
    return draw.choice(choices or ["object", "0"])


def value(text: str) -> Value:
    """Return what a state holds of a value of which the oracle told this much."""
    if text[0] == "~":
        return Value(text[1:], "object")
    return value_of(text)


def state_of(fact: Fact, file: Path) -> State:
    """Return a state as the oracle saw it; only the innermost frame has its locals."""
    names = tuple((name, value(text)) for name, text in fact["locals"].items())
    stack = [Frame(str(file), line, name) for name, line in fact["stack"]]
    stack[-1] = replace(stack[-1], locals=names)
    arg = None
    if fact["event"] == "exception":
        arg = Value(fact["message"], fact["type"])
    elif fact["event"] == "return" and fact.get("value") is not None:
        arg = value(fact["value"])
    return State(Event(fact["event"]), tuple(stack), arg, fact.get("output", ""))


def key_of(fact: Fact) -> str:
    """Return what tells one start from another: all that a state says."""
    return json.dumps([fact["event"], fact["stack"], fact["locals"], fact.get("message")])


def lies_about(state: State, draw: random.Random) -> Iterator[State]:
    """Yield states that differ from a true one in one thing."""
    frame = state.frame
    top = state.stack[:-1]
    for lineno in (frame.lineno - 1, frame.lineno + 1):
        if lineno > 0:
            yield replace(state, stack=(*top, replace(frame, lineno=lineno)))
    names = list(frame.locals or ())
    told = [place for place, (_, v) in enumerate(names) if v.literal]
    if told:
        at = draw.choice(told)
        name, seen = names[at]
        changed = (*names[:at], (name, value(other_texts(seen.repr, draw))), *names[at + 1 :])
        yield replace(state, stack=(*top, replace(frame, locals=changed)))
        fewer = (*names[:at], *names[at + 1 :])
        yield replace(state, stack=(*top, replace(frame, locals=fewer)))
    more = (*names, ("nobody", value("1")))
    yield replace(state, stack=(*top, replace(frame, locals=more)))
    yield replace(state, output=state.output + "x")
    yield replace(state, stack=(frame, *state.stack))
    if len(state.stack) > 1:
        yield replace(state, stack=state.stack[1:])
    other = draw.choice([event for event in Event if event is not state.event])
    yield replace(state, event=other, arg=None)
    if state.event is Event.RETURN and state.arg is not None:
        yield replace(state, arg=value(other_texts(state.arg.repr, draw)))
    if state.event is Event.EXCEPTION and state.arg is not None:
        yield replace(state, arg=replace(state.arg, repr=state.arg.repr + " "))
        yield replace(state, arg=replace(state.arg, type="LookupError"))


def transitions(file: Path, facts: list[Fact], seed: int, lies: int) -> Iterator[Told]:
    """Yield proposals of where commands lead from states that were seen, and whether it is so.

    From equal states that lead to different ones, nothing is true.
    """
    draw = random.Random(seed)
    outer = {getattr(node, "name", "") for node in ast.parse(file.read_text()).body}
    ends: dict[tuple[str, str], set[str]] = {}
    for fact in facts:
        ends.setdefault(_asked(fact), set()).add(json.dumps(fact["end"]))
    for fact in facts:
        start, end = fact["start"], fact["end"]
        if start["event"] == "return" or start["stack"][0][0] not in outer:
            continue
        subject = load_subject(file, start["stack"][0][0])
        kind = ActionKind(fact["word"])
        needs_line = kind in (ActionKind.UNTIL, ActionKind.CONTINUE)
        action = Action(kind, fact["line"] if needs_line else None)
        middle = Middle(state_of(start, file))
        site = middle.state.frame
        goal = Goal(
            subject.ref, Event.LINE, (Site(site.file, site.lineno, site.function),), previous=True
        )  # fmt: skip
        if end is None or not end["inside"]:
            yield Told(goal, Proposal(middle, "liar", action, middle.state), False)
            continue
        truth = state_of(end, file)
        alone = len(ends[_asked(fact)]) == 1
        yield Told(goal, Proposal(middle, "liar", action, truth), alone)
        told = list(lies_about(truth, draw))
        for lie in draw.sample(told, min(lies, len(told))):
            if lie != truth:
                yield Told(goal, Proposal(middle, "liar", action, lie), False)


def _asked(fact: Fact) -> tuple[str, str]:
    line = fact["line"] if fact["word"] in ("until", "continue") else 0
    return key_of(fact["start"]), f"{fact['word']}:{line}"


def results(file: Path, facts: list[Fact], seed: int, lies: int) -> Iterator[Told]:
    """Yield proposals of how calls end, and whether they do."""
    draw = random.Random(seed)
    for fact in facts:
        subject = load_subject(file, fact["function"])
        names = [parameter.argument_name for parameter in subject.parameters]
        start = call(**dict(zip(names, fact["arguments"], strict=False)))
        site = (Site(subject.ref.file, None, fact["function"]),)

        def told(goal: Goal, true: bool, start: Any = start) -> Told:
            return Told(goal, Proposal(start, "liar"), true)

        if "raised" in fact:
            claims = [("KeyError", None), ("ValueError", None), (fact["raised"], fact["message"])]
            claims += [(fact["raised"], fact["message"] + "."), ("Exception", fact["message"])]
            for kind, message in claims:
                true = kind == fact["raised"] and message in (None, fact["message"])
                goal = Goal(
                    subject.ref, Event.EXCEPTION, site, exception=ExceptionClaim(kind, message)
                )
                if not fact["own"]:
                    yield told(goal, true)
            yield told(Goal(subject.ref, Event.RETURN, site, value="None"), False)
        elif fact["value"] is not None:
            whole = Goal(subject.ref, Event.RETURN, site, value=fact["value"])
            yield told(whole, True)
            for _ in range(lies):
                text = other_texts(fact["value"], draw)
                if text != "object":
                    yield told(replace(whole, value=text), False)


def echo(told: Told, observed: State | None) -> Told | None:
    """Return what a liar says who has listened: the state that refuted a true proposal."""
    if not told.true or observed is None or told.proposal.predicted is None:
        return None
    return Told(told.goal, replace(told.proposal, predicted=observed), False)
