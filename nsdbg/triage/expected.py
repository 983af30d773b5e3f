"""Why a crash is no finding: it is wanted, or it tells of the arguments and not of the change.

Every answer is a sentence, for `--verbose`.  Reads source and the two runs; runs nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nsdbg.changes.changed import ChangeSet
from nsdbg.claim import Call, Raised, Site
from nsdbg.errors import SourceError
from nsdbg.source import functions, last_name, load_subject, parse_source
from nsdbg.triage.documented import covers, documented
from nsdbg.triage.pair import Pair, lines_of
from nsdbg.triage.plausible import Trust
from nsdbg.triage.seeds import Seeds
from nsdbg.triage.surroundings import hangs_on_surroundings

# Meant by whoever raises them, or told by the machine and the guard rather than by the code.
MEANT = frozenset(
    ["NotImplementedError", "SystemExit", "KeyboardInterrupt", "GeneratorExit", "MemoryError",
     "OSError", "PermissionError", "FileNotFoundError", "ConnectionError", "TimeoutError",
     "BlockingIOError", "InterruptedError", "IsADirectoryError", "NotADirectoryError",
     "FileExistsError", "BrokenPipeError", "ChildProcessError", "ProcessLookupError", "gaierror",
     "herror", "URLError", "UnsupportedOperation", "EOFError", "TclError", "CalledProcessError",
     "PackageNotFoundError", "CancelledError"]
)  # fmt: skip
NOT_THERE = ("ImportError", "ModuleNotFoundError")
# What is so wherever the program runs.
_ANYWHERE = ("NameError", "UnboundLocalError")
# What a call that nobody wrote down may only raise when it is the code's own doing.
_OF_KINDS = ("TypeError", "AttributeError")
# Too large a number; a name of a codec or of how to handle its errors that there is not.
_OF_VALUES = ("OverflowError", "LookupError")
# What the protocols of sequences, mappings and iterators ask a method to raise.
_PROTOCOL = {
    "__getitem__": ("IndexError", "KeyError"), "__delitem__": ("IndexError", "KeyError"),
    "__setitem__": ("IndexError",), "pop": ("IndexError", "KeyError"), "popitem": ("KeyError",),
    "popleft": ("IndexError",), "index": ("ValueError",), "remove": ("ValueError", "KeyError"),
    "__next__": ("StopIteration",),
}  # fmt: skip
_SIGNATURE = re.compile(
    r"(missing \d+ required|unexpected keyword argument|takes .*positional argument|"
    r"got multiple values for|takes no arguments)"
)
_DEEP = 200
_NOTHING = re.compile(r"'?NoneType'?")
_MODULE = re.compile(r"^(?:partially initialized )?module '")
_BUGS = frozenset(
    ["UnboundLocalError", "NameError", "IndexError", "KeyError", "AttributeError",
     "ZeroDivisionError", "RecursionError", "TypeError"]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Crash:
    """A call that raised in the new version: `own` are the sites in the project's code."""

    call: Call
    raised: Raised
    own: tuple[Site, ...]
    trust: Trust

    @property
    def place(self) -> Site:
        """The innermost line of the project's own."""
        return self.own[-1]


def own_sites(raised: Raised, root: Path) -> tuple[Site, ...]:
    """Return the sites of an exception that lie in the project, oldest first."""
    return tuple(site for site in raised.sites
                 if Path(site.file).is_relative_to(root)
                 and "site-packages" not in site.file)  # fmt: skip


class Expected:
    """Says of the crashes of one function why they are no findings."""

    def __init__(self, pair: Pair, seeds: Seeds, changes: ChangeSet) -> None:
        self._pair = pair
        self._changes = changes
        self._statements: dict[Site, ast.stmt | None] = {}
        self._said = documented(pair.new) | seeds.raises
        if pair.old is not None:
            self._said |= documented(pair.old)

    def why(self, crash: Crash) -> str | None:
        """Return why a crash is no finding; None when it is one."""
        name = crash.raised.type.rpartition(".")[2]
        if name in MEANT or name in NOT_THERE:
            return f"{name} is meant, or tells of the machine"
        if name not in _ANYWHERE and any(map(hangs_on_surroundings, crash.own)):
            return f"{name} tells of where the program runs: its environment, arguments or input"
        if covers(self._said, name):
            return f"{name} is documented or tested"
        if name == "RecursionError" and crash.trust is not Trust.SEEN and _is_large(crash.call):
            return "the recursion is as deep as its argument is large"
        if crash.trust is not Trust.SEEN and (name in _OF_VALUES or self._is_kinds(crash)):
            return f"{name} for a kind of argument that nobody is seen to pass"
        explicit = self._statement(crash.place)
        asked = _PROTOCOL.get(self._pair.new.ref.qualname.rpartition(".")[2], ())
        if explicit is not None and name in asked and crash.trust is not Trust.SEEN:
            return f"{name} is what such a method is to raise"
        if explicit is not None and self._is_wanted(explicit, crash):
            return f"{name} is raised on purpose by what was changed"
        if self._pair.old is None:
            return self._new_function(crash, name, explicit)
        return None

    def _statement(self, place: Site) -> ast.stmt | None:
        """Return the `raise` or `assert` at a place; a long module is searched for it once."""
        if place not in self._statements:
            self._statements[place] = statement_at(place)
        return self._statements[place]

    def _is_kinds(self, crash: Crash) -> bool:
        """Whether an exception tells of a kind of argument that is no more than a guess."""
        name, message = crash.raised.type.rpartition(".")[2], crash.raised.message
        if name not in _OF_KINDS or crash.trust >= Trust.AGREES:
            return False
        if _SIGNATURE.search(message) or _MODULE.search(message):
            return False
        given_none = any("None" in text for _, text in crash.call.arguments)
        return given_none or not _NOTHING.search(message)

    def _is_wanted(self, explicit: ast.stmt, crash: Crash) -> bool:
        """Whether a `raise` or `assert` is part of the change, or newly asked for by it."""
        place = crash.place
        governing = condition_of(explicit, place)
        lines = [*range(explicit.lineno, (explicit.end_lineno or explicit.lineno) + 1), *governing]
        if any(self.is_new(Site(place.file, line, place.function)) for line in lines):
            return True
        for outer, inner in zip(crash.own[-2::-1], crash.own[:0:-1], strict=False):
            if self.is_new(outer):
                return not self._called_before(inner.function)
        return False

    def is_new(self, site: Site) -> bool:
        """Whether a line was added or changed: touched, and no line of the old function."""
        shown = shown_path(site.file, self._changes)
        lineno = site.lineno or 0
        pair = self._pair
        within = site.file == pair.new.ref.file and lineno in lines_of(pair.new)
        touched = lineno in pair.lines if within and pair.lines else False
        if not (touched or self._changes.touches(shown, lineno)):
            return False
        text = line_at(site.file, lineno)
        return text not in self._old_lines(site, within)

    def _old_lines(self, site: Site, within: bool) -> frozenset[str]:
        pair = self._pair
        if within and pair.old is not None:
            rows = pair.old.lines
            return frozenset(rows[at - 1].strip() for at in lines_of(pair.old) if at <= len(rows))
        for one in self._changes.functions:
            name = one.qualname.rpartition(".")[2]
            if (str(one.file), name) != (site.file, site.function):
                continue
            if one.old_file is not None and one.old_qualname is not None:
                return _lines_of_function(one.old_file, one.old_qualname)
        return frozenset()

    def _called_before(self, name: str) -> bool:
        old = self._pair.old
        return old is not None and old.node is not None and any(
            isinstance(node, ast.Call) and name == last_name(node.func)
            for node in ast.walk(old.node)
        )  # fmt: skip

    def _new_function(self, crash: Crash, name: str, explicit: ast.stmt | None) -> str | None:
        if explicit is not None or name not in _BUGS:
            return f"{name} is not what tells of a bug in a new function"
        if crash.trust is Trust.GUESSED:
            return "the function is new, and nobody is seen to call it so"
        if name == "AttributeError" and not _NOTHING.search(crash.raised.message):
            return "the function is new, and its argument may be of a wrong kind"
        return None


def _is_large(call: Call) -> bool:
    numbers = (int(found) for _, text in call.arguments for found in re.findall(r"\d+", text))
    return any(number > _DEEP for number in numbers)


def shown_path(file: str, changes: ChangeSet) -> str:
    """Return a file of the new tree as reports name it."""
    path, root = Path(file), changes.root.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def statement_at(site: Site) -> ast.stmt | None:
    """Return the `raise` or `assert` statement on a line, None when it is implicit."""
    tree = _tree(site.file)
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Raise | ast.Assert):
            continue
        if node.lineno <= (site.lineno or 0) <= (node.end_lineno or node.lineno):
            return node
    return None


def condition_of(statement: ast.stmt, site: Site) -> Iterator[int]:
    """Yield the lines of the tests and handlers that lead to a statement, in its function."""
    tree = _tree(site.file)
    around = [node for _, node, _ in functions(tree)] if tree is not None else []
    holders = [node for node in around if node.lineno <= statement.lineno <= (node.end_lineno or 0)]
    for node in ast.walk(holders[-1]) if holders else ():
        if isinstance(node, ast.If) and _within(statement, [*node.body, *node.orelse]):
            yield from range(node.test.lineno, (node.test.end_lineno or node.test.lineno) + 1)
        elif isinstance(node, ast.ExceptHandler) and _within(statement, node.body):
            yield node.lineno


def _within(statement: ast.stmt, body: list[ast.stmt]) -> bool:
    return bool(body) and body[0].lineno <= statement.lineno <= (body[-1].end_lineno or 0)


def _tree(file: str) -> ast.Module | None:
    try:
        return parse_source(Path(file))[1]
    except SourceError:
        return None


def _file_lines(file: str) -> tuple[str, ...]:
    try:
        return tuple(parse_source(Path(file))[0].splitlines())
    except SourceError:
        return ()


def line_at(file: str, lineno: int) -> str:
    """Return a line of a file without its indentation, "" where there is none."""
    lines = _file_lines(file)
    return lines[lineno - 1].strip() if 0 < lineno <= len(lines) else ""


def _lines_of_function(file: Path, qualname: str) -> frozenset[str]:
    try:
        subject = load_subject(file, qualname)
    except SourceError:
        return frozenset()
    rows = subject.lines
    return frozenset(rows[at - 1].strip() for at in lines_of(subject) if at <= len(rows))
