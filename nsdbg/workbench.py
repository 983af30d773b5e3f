"""The workbench: a verifier, a rulebook and proposers, opened from a command's options.

Every command that verifies opens one; nothing here decides what is proposed or judged.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType

from nsdbg.proposer import Proposer
from nsdbg.rulebook import Rulebook
from nsdbg.source import Subject
from nsdbg.verify.runner import Runner, RunnerConfig
from nsdbg.verify.verifier import Verifier


def _rules(rulebook: Rulebook) -> Proposer:
    from nsdbg.propose.inverse import RulesProposer

    return RulesProposer(rulebook)


def _search(rulebook: Rulebook) -> Proposer:
    from nsdbg.propose.search import SearchProposer

    return SearchProposer()


def _smt(rulebook: Rulebook) -> Proposer:
    from nsdbg.propose.smt import SmtProposer

    return SmtProposer()


# In the order in which they are asked: the surest first.
PROPOSERS: dict[str, Callable[[Rulebook], Proposer]] = {
    "rules": _rules,
    "search": _search,
    "smt": _smt,
}


def make_proposers(names: Sequence[str], rulebook: Rulebook | None = None) -> list[Proposer]:
    """Return the named proposers in the order in which they are asked."""
    book = rulebook if rulebook is not None else Rulebook()
    return [make(book) for name, make in PROPOSERS.items() if name in names]


@dataclass(frozen=True, slots=True)
class Options:
    """What a command's options say of running code; `roots` are the folders it may read."""

    roots: tuple[Path, ...]
    python: Path | None = None
    allow: tuple[str, ...] = ()
    weak_ok: bool = False
    rules: Path | None = None
    proposers: tuple[str, ...] = ("rules", "search")


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
            python=options.python, roots=options.roots, allow=options.allow, weak_ok=options.weak_ok
        )
        return self._stack.enter_context(Runner(config))

    @cached_property
    def verifier(self) -> Verifier:
        """Who judges."""
        return Verifier(self.runner)

    @cached_property
    def proposers(self) -> list[Proposer]:
        """Who proposes."""
        return make_proposers(self.options.proposers, self.rulebook)

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
