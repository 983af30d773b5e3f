"""Reads the tables of patterns: lines of Python in which holes stand between angle brackets.

    <s$str>    a variable that is there, of a kind; called s in the rest of the pattern
    <s+str>    a new variable, which expressions may read from the next line on
    <s.str>    a new variable that expressions do not see before the pattern ends
    <self.s+str> a new attribute; <.s> is its name with the dot alone
    <s>        one of those again, or the name of the function or class (f, g, C, D)
    <=int>     an expression of a kind; <==int> one of more operations
    <~sep>     a literal of a kind or a role, or a variable in its place
    <!int>     a literal and nothing else
    <?s>       a condition on s; <?> on anything
    <^s>       a statement that adds to s
    <a|b|c>    one of these texts

Letters stand for kinds as in the tables of operations: T for the items of a list.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from nsdbg.programs.operations.operation import Operation, calling

Choose = Callable[[list[str]], str]
HOLE = re.compile(
    r"<(?:(?P<name>(?:self\.)?\w+)(?P<sort>[$+.])(?P<kind>[a-zTKV][\w\[\], .]*)"
    r"|(?P<again>\w+)"
    r"|\.(?P<attribute>\w+)"
    r"|(?P<make>==|=|~|!)(?P<made>[a-zTKV][\w\[\], .]*)"
    r"|(?P<test>\?)(?P<about>\w*)"
    r"|\^(?P<grown>\w+)"
    r"|(?P<texts>[^<>|]*(?:\|[^<>|]*)+))>"
)
OPENERS = ("(", "[", "{", ",", "=", ":", "return", "if", "elif", "while", "yield", "in", "")


@dataclass(frozen=True, slots=True)
class Hole:
    """A place to fill: what sort, under which name, of which kind."""

    sort: str
    name: str = ""
    kind: str = ""
    texts: tuple[str, ...] = ()
    bare: bool = False  # whatever stands in it needs no parentheses


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a pattern: its depth, its text in pieces, and whether it begins a loop."""

    depth: int
    parts: tuple[str | Hole, ...]
    loops: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """A few lines that belong together, and the features that they show."""

    rows: tuple[Row, ...]
    features: frozenset[str]
    weight: int
    needs: tuple[Hole, ...]  # the variables that must be there before
    changed: frozenset[str]  # what is changed in a loop, and must not grow out of itself there


@dataclass(frozen=True, slots=True)
class Piece:
    """A pattern of whole functions or classes, and how it is called once it is there."""

    pattern: Pattern
    call: str
    params: tuple[str, ...]
    result: str

    def operation(self, names: dict[str, str], choose: Choose) -> Operation:
        """Return the call as an operation, under the names that the piece was given."""

        def filled(match: re.Match[str]) -> str:
            text = match.group(1)
            return choose(text.split("|")) if "|" in text else names[text]

        template = re.sub(r"<([^<>]+)>", filled, self.call)
        return calling(template, self.params, self.result)


def hole(match: re.Match[str], before: str, after: str) -> Hole:
    """Read one hole, with the text about it on its line."""
    found = match.groupdict()
    opened = before.rstrip()
    bare = opened.endswith(OPENERS[:6]) or opened.split(" ")[-1] in OPENERS[6:]
    bare = bare and (not after or after[0] in "),]}:")
    if found["sort"]:
        return Hole(found["sort"], found["name"], found["kind"])
    if found["attribute"]:
        return Hole("attribute", found["attribute"])
    if found["again"]:
        return Hole("again", found["again"])
    if found["make"]:
        return Hole(found["make"], kind=found["made"], bare=bare)
    if found["test"]:
        return Hole("?", found["about"], bare=bare)
    if found["grown"]:
        return Hole("^", found["grown"])
    return Hole("|", texts=tuple(found["texts"].split("|")))


def row(line: str) -> Row:
    """Read one line of a pattern."""
    text = line.lstrip(" ")
    parts: list[str | Hole] = []
    end = 0
    for match in HOLE.finditer(text):
        parts.append(text[end : match.start()])
        parts.append(hole(match, text[: match.start()], text[match.end() :]))
        end = match.end()
    parts.append(text[end:])
    return Row((len(line) - len(text)) // 4, tuple(parts), text.startswith(("for ", "while ")))


def patterns(table: str) -> list[Pattern]:
    """Read a table of patterns that stand apart by blank lines.

    The first line of each names its features, after `#`, and its weight, after `*`.
    """
    blocks = re.split(r"\n\s*\n", table.strip("\n"))
    return [pattern for block in blocks for pattern in _weighted(_pattern(block))]


def _weighted(pattern: Pattern) -> list[Pattern]:
    return [pattern] * pattern.weight


def _pattern(block: str) -> Pattern:
    first, *lines = block.splitlines()
    weight = re.search(r"\*(\d+)", first)
    rows = tuple(row(line) for line in lines)
    parts = [part for found in rows for part in found.parts if isinstance(part, Hole)]
    return Pattern(
        rows,
        frozenset(re.findall(r"#\s*([^#*]*[^#*\s])", first)),
        int(weight.group(1)) if weight else 1,
        tuple(part for part in parts if part.sort == "$"),
        changed(rows),
    )


def changed(rows: tuple[Row, ...]) -> frozenset[str]:
    """Return the names of what a pattern with a loop changes by item or by method."""
    found = set()
    for here in rows if any(row.loops for row in rows) else ():
        if here.parts[0] == "" and len(here.parts) > 2:
            subject, after = here.parts[1], here.parts[2]
            if isinstance(subject, Hole) and isinstance(after, str) and after[:1] in ("[", "."):
                found.add(subject.name)
    return frozenset(found)


def pieces(table: str) -> list[Piece]:
    """Read a table of pieces: the second line of each is `kinds -> kind : call`."""
    found = []
    for block in re.split(r"\n\s*\n(?=#)", table.strip("\n")):
        first, signature, *lines = block.splitlines()
        match = re.fullmatch(r"(.*?) -> (.*?) : (.*)", signature)
        if match is None:
            raise ValueError(f"the signature of a piece does not parse: {signature!r}")
        pattern = _pattern("\n".join([first, *lines]))
        params = tuple(match.group(1).split("; "))
        found.extend([Piece(pattern, match.group(3), params, match.group(2))] * pattern.weight)
    return found
