"""Standard input and arguments for a script, made up from how its source reads them.

A proposer for goals whose entry is `<module>`; `writer` makes up the lines.  Runs nothing.
"""

from __future__ import annotations

import ast
import random
import string
from collections.abc import Sequence

from nsdbg.claim import Goal, Proposal, ProposerSession, Script, Status, Verdict
from nsdbg.reproduce.writer import NUMBERS, Writer
from nsdbg.source import MODULE, Subject


class ScriptProposer:
    """Proposes `Script` starts; for functions it proposes nothing."""

    name = "stdin"

    def start(self, goal: Goal, subject: Subject, seed: int) -> ProposerSession:
        """Begin on a goal: same goal, subject and seed, same scripts."""
        if subject.node is not None or goal.entry.qualname != MODULE:
            return _Silent()
        return _Session(subject, seed)


class _Silent:
    def ask(self, count: int) -> Sequence[Proposal]:
        """Return nothing."""
        return ()

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Take nothing."""


class _Session:
    def __init__(self, subject: Subject, seed: int) -> None:
        self._subject = subject
        self._random = random.Random(seed)
        self._source = f"stdin:{seed}"
        self._letters = _letters(subject.tree)
        self._argv = _argv_count(subject.tree)
        self._nearest: tuple[float, Script] | None = None

    def ask(self, count: int) -> Sequence[Proposal]:
        """Return new scripts: made up afresh, and changed from the nearest one so far."""
        return [Proposal(self._script(), self._source) for _ in range(count)]

    def tell(self, verdicts: Sequence[Verdict]) -> None:
        """Remember the script that came nearest."""
        for verdict in verdicts:
            start, distance = verdict.proposal.start, verdict.evidence.distance
            if not isinstance(start, Script) or distance is None:
                continue
            nearer = self._nearest is None or distance < self._nearest[0]
            if nearer and verdict.status is not Status.UNKNOWN:
                self._nearest = (distance, start)

    def _script(self) -> Script:
        argv = tuple(str(self._random.choice(NUMBERS)) for _ in range(self._argv))
        if self._nearest is not None and self._nearest[1].stdin and self._random.random() < 0.3:
            return Script(argv, changed(self._nearest[1].stdin, self._random))
        writer = Writer(self._random, self._letters)
        writer.run(self._subject.tree)
        stdin = "".join(f"{line}\n" for line in writer.lines)
        if stdin and self._random.random() < 0.05:
            stdin = stdin[: stdin.rstrip("\n").rfind("\n") + 1]  # an input that ends early
        return Script(argv, stdin)


def changed(stdin: str, chance: random.Random) -> str:
    """Return a standard input with one token changed."""
    lines = [line.split(" ") for line in stdin.splitlines()]
    line = chance.choice(lines) if lines else []
    if not line:
        return stdin
    place = chance.randrange(len(line))
    token = line[place]
    if token.lstrip("-").isdigit():
        number = int(token)
        line[place] = str(chance.choice((number + 1, number - 1, 0, number * 2, -number)))
    elif token:
        at = chance.randrange(len(token))
        choices = (token[:at] + token[at + 1 :], token + token[at], token[::-1], token[at])
        line[place] = chance.choice(choices)
    return "".join(" ".join(words) + "\n" for words in lines)


def _letters(tree: ast.Module) -> str:
    """Return letters for made-up words: those of the script's own text constants, else a few."""
    found = {letter for node in ast.walk(tree) if isinstance(node, ast.Constant)
             and isinstance(node.value, str) and len(node.value) <= 3 for letter in node.value
             if letter in string.ascii_letters + string.digits + ".#"}  # fmt: skip
    return "".join(sorted(found | set("ab")))


def _argv_count(tree: ast.Module) -> int:
    """Return how many arguments a script reads from `sys.argv`."""
    highest = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("sys.argv", "argv"):
            index = node.slice
            if isinstance(index, ast.Constant) and type(index.value) is int:
                highest = max(highest, index.value)
    return highest
