"""Comments `# nsdbg: ignore[rule-id] reason`: found among a file's tokens, so never in a string.

Which findings they silence is for `suppress` to say.
"""

from __future__ import annotations

import difflib
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from nsdbg.finding import Rule
from nsdbg.gate.baseline import ACCEPTABLE

_IGNORE = re.compile(r"#\s*nsdbg:\s*ignore(?![\w-])\s*(?:\[(?P<rules>[^\]#]*)\])?(?P<reason>[^#]*)")
_SPLITS = (tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)
_SILENT = {rule.slug: rule for rule in ACCEPTABLE}
_ALL = {rule.slug for rule in Rule}


@dataclass(frozen=True, slots=True)
class Ignore:
    """One comment: the line it stands on, the rules it names, and what is wrong with it."""

    lineno: int
    rules: tuple[Rule, ...]
    reason: str = ""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ignores:
    """A file's comments; `moved` maps a line that cannot hold a comment to the next one that can.

    Those are lines within a string of several lines, and lines that end with a backslash.
    """

    comments: tuple[Ignore, ...] = ()
    moved: tuple[tuple[int, int], ...] = ()

    def at(self, lineno: int) -> Iterator[Ignore]:
        """Yield the comments that are about a line."""
        moved = dict(self.moved)
        end = lineno
        while end in moved:
            end = moved[end]
        yield from (one for one in self.comments if one.lineno == end)


def read_ignores(text: str) -> Ignores:
    """Return the comments of a file's text; of one that does not parse, those before the error."""
    if "nsdbg:" not in text:
        return Ignores()
    comments: list[Ignore] = []
    moved: dict[int, int] = {}
    before: tokenize.TokenInfo | None = None
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                comments += (_ignore(token.start[0], one) for one in _IGNORE.finditer(token.string))
            first, last = token.start[0], token.end[0]
            if token.type not in _SPLITS and last > first:
                moved |= dict.fromkeys(range(first, last), last)  # a string of several lines
            if before is not None and before.type not in _SPLITS and first > before.end[0]:
                moved |= dict.fromkeys(range(before.end[0], first), first)  # a backslash
            before = token
    except (tokenize.TokenError, SyntaxError):
        pass  # triage and localize say of a file that it does not parse
    return Ignores(tuple(comments), tuple(moved.items()))


def _ignore(lineno: int, found: re.Match[str]) -> Ignore:
    reason = found["reason"].strip()
    if found["rules"] is None:
        said = "names no rule, so nothing is ignored; write `# nsdbg: ignore[new-crash] why`"
        return Ignore(lineno, (), reason, (said,))
    names = [name.strip() for name in found["rules"].split(",")]
    problems = [_complaint(name) for name in names if name not in _SILENT]
    if not reason:
        problems.append("does not say why; write the reason behind the brackets")
    return Ignore(
        lineno, tuple(_SILENT[name] for name in names if name in _SILENT), reason, tuple(problems)
    )


def _complaint(name: str) -> str:
    """Say what is wrong with the id of a rule that no comment can silence."""
    if name in _ALL:
        return f"cannot ignore {name}: only {', '.join(_SILENT)} belong to a line"
    near = difflib.get_close_matches(name, _SILENT, 1, 0.5)
    return f"names {name!r}, which is no rule; " + (
        f"did you mean {near[0]}?" if near else f"there are {', '.join(_SILENT)}"
    )
