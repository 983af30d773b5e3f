"""An engine that says what it is told to say, in the place of a network that was trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from nsdbg.propose.codec import answer as answers
from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.answer import LEAVE, Answer, ChangeKind
from nsdbg.propose.codec.view import View
from nsdbg.propose.codec.vocabulary import END
from nsdbg.propose.neural.engine import Engine
from nsdbg.propose.neural.model import Model
from nsdbg.propose.neural.provider import CPU, Choice
from nsdbg.propose.neural.sampling import Sample
from nsdbg.state import Event

Say = Callable[[list[int], int], Sequence[Sequence[int]]]


class Scripted:
    """Says what `say` returns for a prompt and the number of its question, likely first."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.prompts: list[list[int]] = []
        self.folder = None
        self.end = END
        self.choice = Choice(CPU, "scripted")

    def _answers(self, prompt: Sequence[int]) -> list[Sample]:
        self.prompts.append(list(prompt))
        said = self.say(list(prompt), len(self.prompts) - 1)
        return [Sample(tuple(ids), -float(at + 1)) for at, ids in enumerate(said)]

    def sample(
        self, prompts: Sequence[Sequence[int]], count: int, seed: int, temperature: float,
        longest: int,
    ) -> list[list[Sample]]:  # fmt: skip
        """Return the first `count` things to say."""
        return [self._answers(prompt)[:count] for prompt in prompts]

    def greedy(self, prompts: Sequence[Sequence[int]], longest: int) -> list[Sample]:
        """Return the first thing to say."""
        return [self._answers(prompt)[0] for prompt in prompts]

    def score(self, prompt: Sequence[int], continuation: Sequence[int]) -> list[float]:
        """Find every token the less likely the larger its number is."""
        return [-token / 100 for token in continuation]

    def open(self, prompt: Sequence[int]) -> ScriptedThread:
        """Return a thread of the same engine."""
        return ScriptedThread(self, prompt)


class ScriptedThread:
    """Asks the engine with everything said so far."""

    def __init__(self, engine: Scripted, prompt: Sequence[int]) -> None:
        self.full = False
        self.text = list(prompt)
        self._engine = engine

    def append(self, ids: Sequence[int]) -> None:
        """Add text."""
        self.text += ids

    def answer(self, longest: int) -> Sample:
        """Say the next thing."""
        [found] = self._engine.greedy([self.text], longest)
        self.text += found.ids
        return found


def model_of(engine: Scripted) -> Model:
    """Return a model with this engine."""
    model = Model()
    model.engine = cast(Engine, engine)
    return model


def engine_of(engine: Scripted) -> Engine:
    """Return the same, as its types have it."""
    return cast(Engine, engine)


def assign(view: View, **values: str) -> tuple[tuple[ChangeKind, tuple[int, ...]], ...]:
    """Return changes that bind names to expressions."""
    return tuple(
        (ChangeKind.DO, tuple(spelling.spell(f"{name} = {text}", view.slots)))
        for name, text in values.items()
    )


def call_answer(view: View, **values: str) -> list[int]:
    """Return the answer that a call is made with these arguments."""
    text = view.texts[0]
    token = view.line(text.file, text.lineno)
    return answers.write(Answer(Event.CALL, token, changes=assign(view, **values)))


def line_answer(view: View, lineno: int, file: str | None = None, **values: str) -> list[int]:
    """Return the answer that a line comes next, with these locals changed."""
    token = view.line(file or view.texts[0].file, lineno)
    assert token is not None
    return answers.write(Answer(Event.LINE, token, changes=assign(view, **values)))


def return_answer(view: View, lineno: int, value: str | None) -> list[int]:
    """Return the answer that a value is returned from a line; None is the function's end."""
    token = view.line(view.texts[0].file, lineno) if value is not None else LEAVE
    arg = None if value is None else tuple(spelling.spell(value, view.slots))
    return answers.write(Answer(Event.RETURN, token, arg=arg))
