"""A program as a model sees it: the lines of the functions at hand, as tokens.

Every physical line that has tokens starts with a line token, by which states and answers name it.
Docstrings and comments are left out; what does not fit is left out from the far ends.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nsdbg.episode import Listing
from nsdbg.propose.codec import spelling
from nsdbg.propose.codec.spelling import Slots
from nsdbg.propose.codec.syntax import Syntax, parsed
from nsdbg.propose.codec.vocabulary import FIRST_LINE, IDS, LINES
from nsdbg.propose.evaluate import Unknown, literal
from nsdbg.source import Subject, first_line, functions

BUDGET = 560  # tokens of source in a prompt
LONGEST = 72  # tokens of one line
_MOST_FUNCTIONS = 6


@dataclass(frozen=True, slots=True)
class _Line:
    file: str
    lineno: int
    tokens: tuple[int, ...]


class View:
    """The source of some functions as tokens, with the slots and line tokens that go with it.

    `constants` are module globals that are literals; the evaluator knows them, the model does not.
    """

    def __init__(
        self,
        texts: Sequence[Listing],
        constants: Mapping[str, Any] | None = None,
        shift: tuple[int, int] = (0, 0),
    ) -> None:
        self.texts = tuple(texts)
        self.slots = Slots(shift[0])
        self.constants = dict(constants or {})
        self.syntax = [Syntax(text.file, text.lineno, text.text) for text in texts]
        self._lines = [line for text in texts for line in _spelled(text, self.slots)]
        self._shift = shift[1]
        self._numbers = {(line.file, line.lineno): at for at, line in enumerate(self._lines)}
        self._size = sum(len(line.tokens) + 1 for line in self._lines)
        self._written: dict[int, tuple[int, ...]] = {}

    @classmethod
    def of_subject(cls, subject: Subject) -> View:
        """Return the view of a function on disk and the module's functions that it calls."""
        file = subject.ref.file
        known = {name: node for name, node, _ in functions(subject.tree)}
        chosen = [subject.ref.qualname] if subject.node is not None else []
        for name in _called(subject.node or subject.tree):
            chosen += [full for full in known if full.split(".")[-1] == name]
        texts = [
            _listing(subject, name, known[name])
            for name in list(dict.fromkeys(chosen))[:_MOST_FUNCTIONS]
            if name in known
        ]
        if subject.node is None:
            texts.append(Listing(file, "<module>", 1, subject.text))
        return cls(texts, _constants(subject.tree))

    def line(self, file: str, lineno: int) -> int | None:
        """Return the token of a line, or None when the view does not have it."""
        at = self._numbers.get((file, lineno))
        if at is None or at >= LINES:
            return None
        return FIRST_LINE + (at + self._shift) % LINES

    def place(self, token: int) -> tuple[str, int] | None:
        """Return the file and line for which a token stands."""
        at = (token - FIRST_LINE - self._shift) % LINES
        if not FIRST_LINE <= token < FIRST_LINE + LINES or at >= len(self._lines):
            return None
        return self._lines[at].file, self._lines[at].lineno

    def tokens(self, file: str, lineno: int) -> list[int]:
        """Return the source as tokens, within the budget, the lines around one line first."""
        here = self._numbers.get((file, lineno), 0) if self._size > BUDGET else 0
        if here not in self._written:
            self._written[here] = tuple(self._write(self._nearest(here)))
        return list(self._written[here])

    def _write(self, kept: list[int]) -> Iterator[int]:
        yield IDS["<program>"]
        for at in kept:
            line = self._lines[at]
            token = self.line(line.file, line.lineno)
            if token is not None:
                yield token
                yield from line.tokens

    def source(self, file: str, lineno: int) -> tuple[int, ...]:
        """Return the tokens of one line, as a state names it; empty when the view lacks it."""
        at = self._numbers.get((file, lineno))
        if at is None:
            return ()
        return tuple(token for token in self._lines[at].tokens if token not in _LAYOUT)

    def _nearest(self, here: int) -> list[int]:
        if self._size <= BUDGET:
            return list(range(len(self._lines)))
        left, kept = BUDGET, []
        # The headers first: without them nobody knows what the parameters are.
        heads = [self._numbers.get((text.file, text.lineno), 0) for text in self.texts]
        near = sorted(range(len(self._lines)), key=lambda at: abs(at - here))
        for at in dict.fromkeys([here, *heads, *near]):
            if at < len(self._lines) and (left := left - len(self._lines[at].tokens) - 1) > 0:
                kept.append(at)
        return sorted(kept)

    def syntax_at(self, file: str, lineno: int) -> Syntax | None:
        """Return the innermost function's syntax around a line."""
        around = [found for found in self.syntax if found.file == file and found.covers(lineno)]
        return max(around, key=lambda found: found.lineno, default=None)


def _spelled(text: Listing, slots: Slots) -> Iterator[_Line]:
    hidden = _docstrings(text.text)
    try:
        rows = list(spelling.lines(textwrap.dedent(text.text), slots))
    except ValueError:
        rows = list(_piecemeal(text.text, slots))
    for row, tokens in rows:
        if row not in hidden and any(token not in _LAYOUT for token in tokens):
            if len(tokens) > LONGEST:
                tokens = [*tokens[:LONGEST], IDS["<cut>"]]
            yield _Line(text.file, text.lineno + row - 1, tuple(tokens))


_LAYOUT = frozenset((IDS["<indent>"], IDS["<dedent>"]))


def _piecemeal(text: str, slots: Slots) -> Iterator[tuple[int, list[int]]]:
    """Spell line by line what cannot be read as a whole."""
    for row, line in enumerate(text.splitlines(), 1):
        try:
            yield row, spelling.spell(line.strip(), slots)
        except ValueError:
            continue


def _docstrings(text: str) -> set[int]:
    rows: set[int] = set()
    for node in (found for statement in parsed(text) for found in ast.walk(statement)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            rows.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return rows


def _called(node: ast.AST) -> Iterator[str]:
    for found in ast.walk(node):
        if isinstance(found, ast.Call):
            if isinstance(found.func, ast.Name):
                yield found.func.id
            elif isinstance(found.func, ast.Attribute):
                yield found.func.attr


def _listing(subject: Subject, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Listing:
    first = first_line(node)
    text = "\n".join(subject.lines[first - 1 : node.end_lineno])
    return Listing(subject.ref.file, name, first, text)


def _constants(tree: ast.Module) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                try:
                    found[target.id] = literal(ast.unparse(node.value))
                except (Unknown, RecursionError):
                    continue
    return found


def literals(texts: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return names with the values of their literals; what is no literal is left out."""
    found: dict[str, Any] = {}
    for name, written in texts:
        try:
            found[name] = literal(written)
        except Unknown:
            continue
    return found
