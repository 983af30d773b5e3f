"""The workbench: a verifier, a rulebook and proposers, opened from a command's options.

Every command that verifies opens one; nothing here decides what is proposed or judged.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType

from nsdbg.propose.neural.model import Model
from nsdbg.propose.neural.provider import Wanted
from nsdbg.proposer import Proposer
from nsdbg.rulebook import Rulebook
from nsdbg.solve import ROUNDS_OF_THE_FIRST
from nsdbg.source import Subject
from nsdbg.verify.runner import IMPORT_LIMIT_S, Runner, RunnerConfig
from nsdbg.verify.verifier import Verifier


def _rules(rulebook: Rulebook, model: Model) -> Proposer:
    from nsdbg.propose.inverse import RulesProposer

    return RulesProposer(rulebook)


def _search(rulebook: Rulebook, model: Model) -> Proposer:
    from nsdbg.propose.search import SearchProposer

    return SearchProposer()


def _neural(rulebook: Rulebook, model: Model) -> Proposer:
    from nsdbg.propose.neural.proposer import NeuralProposer

    return NeuralProposer(model, patience=ROUNDS_OF_THE_FIRST)


def _smt(rulebook: Rulebook, model: Model) -> Proposer:
    from nsdbg.propose.smt import SmtProposer

    return SmtProposer()


# In the order in which they are asked: the surest first; what one does not use is left to the next.
# A network's answer costs the time of some hundred verifications, so it waits for the first rounds.
PROPOSERS: dict[str, Callable[[Rulebook, Model], Proposer]] = {
    "rules": _rules,
    "neural": _neural,
    "search": _search,
    "smt": _smt,
}
DEFAULT_PROPOSERS = ("rules", "search", "neural")


def make_proposers(
    names: Sequence[str], rulebook: Rulebook | None = None, model: Model | None = None
) -> list[Proposer]:
    """Return the named proposers in the order in which they are asked."""
    book = rulebook if rulebook is not None else Rulebook()
    asked = model if model is not None else Model(tell=tell_on_stderr)
    return [make(book, asked) for name, make in PROPOSERS.items() if name in names]


def tell_on_stderr(text: str) -> None:
    """Say what a command goes on without; stdout is for its answer."""
    print(f"nsdbg: {text}", file=sys.stderr)


@dataclass(frozen=True, slots=True)
class Options:
    """What a command's options say of running code; `roots` are the folders it may read.

    `model` None stands for the model that came along; whoever has none goes on without one.
    `import_limit_s` is what a target's import may take.
    """

    roots: tuple[Path, ...]
    python: Path | None = None
    allow: tuple[str, ...] = ()
    weak_ok: bool = False
    rules: Path | None = None
    proposers: tuple[str, ...] = DEFAULT_PROPOSERS
    model: Path | None = None
    provider: Wanted = "auto"
    import_limit_s: float = IMPORT_LIMIT_S


class Workbench:
    """A context manager; interpreters start when something is first verified."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.rulebook = Rulebook(options.rules)
        self._stack = ExitStack()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    @cached_property
    def runner(self) -> Runner:
        """The two zygotes."""
        options = self.options
        config = RunnerConfig(
            python=options.python, roots=options.roots, allow=options.allow,
            weak_ok=options.weak_ok, import_limit_s=options.import_limit_s,
        )  # fmt: skip
        return self._stack.enter_context(Runner(config))

    @cached_property
    def verifier(self) -> Verifier:
        """Who judges."""
        return Verifier(self.runner)

    @cached_property
    def proposers(self) -> list[Proposer]:
        """Who proposes."""
        return make_proposers(self.options.proposers, self.rulebook, self.model)

    @cached_property
    def model(self) -> Model:
        """The network, opened when it is first needed."""
        return Model(self.options.model, self.options.provider, tell_on_stderr)

    def warm_up(self) -> None:
        """Start the interpreters and read the rules now, not within somebody's time."""
        self.runner.start()
        self.rulebook.rules()

    def expect(self, subject: Subject) -> None:
        """Let the interpreters import a function's module while its source is still being read."""
        self.runner.expect(subject.ref)

    def pure(self, subject: Subject) -> bool:
        """Whether the effects rules find nothing in a function that a second call would notice."""
        return subject.node is not None and not self.rulebook.effects(subject)
