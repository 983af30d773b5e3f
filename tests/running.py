"""What the tests of the runner share: a target, goals for it, and calls."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from nsdbg.claim import Call, Ending, Goal, Observation, Site
from nsdbg.source import load_subject
from nsdbg.state import Event
from nsdbg.verify.runner import Runner

ORDINARY = Path(__file__).parent / "targets" / "ordinary.py"


def call(**arguments: object) -> Call:
    return Call(tuple((name, str(text)) for name, text in arguments.items()))


def goal_for(
    file: Path,
    qualname: str,
    event: Event = Event.RETURN,
    chain: tuple[Site, ...] | None = None,
    **claims: Any,
) -> Goal:
    ref = load_subject(file, qualname).ref
    name = ref.qualname.rpartition(".")[2]
    return Goal(ref, event, chain or (Site(ref.file, None, name),), **claims)


def line_of(file: Path, text: str) -> int:
    lines = file.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def run(runner: Runner, file: Path, qualname: str, **arguments: object) -> Observation:
    return runner.single(goal_for(file, qualname), call(**arguments))


def value_of(observation: Observation) -> str:
    assert observation.ending is Ending.RETURNED, observation
    assert observation.value is not None
    return observation.value.repr


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(textwrap.dedent(text))
    return file
