"""Python source as HTML lines, with keywords, strings, comments and numbers marked.

Only tokens are looked for: nothing is parsed, and what does not tokenize stays as it is.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property

from nsdbg.report.page.foreign import html

# Larger files are shown without marks: tokens of all of it cost more than they tell.
LARGEST = 400_000
LONGEST_LINE = 1_000
TAB = "    "

# A marked part of a line: columns [start, end) and the class of its element.
Span = tuple[int, int, str]

_STRINGS = {"STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END", "TSTRING_START",
            "TSTRING_MIDDLE", "TSTRING_END"}  # fmt: skip


class Source:
    """One file's text, line by line."""

    def __init__(self, text: str) -> None:
        self._text = text.replace("\r\n", "\n")
        # Not `splitlines`, which also ends a line at a form feed and at U+2028.
        self.lines = self._text.split("\n")
        if self.lines[-1] == "":
            self.lines.pop()

    @cached_property
    def _spans(self) -> dict[int, list[Span]]:
        found: dict[int, list[Span]] = {}
        if len(self._text) <= LARGEST:
            # Foreign text: the tokenizer refuses zero bytes, odd indentation, unclosed brackets.
            with suppress(tokenize.TokenError, SyntaxError, ValueError, RecursionError):
                for lineno, span in _spans(self._text):
                    found.setdefault(lineno, []).append(span)
        return found

    def line(self, lineno: int) -> str:
        """Return a line as HTML; a very long one is cut."""
        text = self.lines[lineno - 1]
        parts, place = [], 0
        for start, end, kind in self._spans.get(lineno, ()):
            end = min(end, len(text), LONGEST_LINE)
            if place <= start < end:
                parts.append(_tabbed(text[place:start]))
                parts.append(f'<span class="{kind}">{_tabbed(text[start:end])}</span>')
                place = end
        rest = text[place:LONGEST_LINE] + ("…" if len(text) > LONGEST_LINE else "")
        return "".join((*parts, _tabbed(rest)))


def _tabbed(text: str) -> str:
    return html(text.replace("\t", TAB))


def _spans(text: str) -> Iterator[tuple[int, Span]]:
    """Yield the marked parts line by line, a string of several lines as several parts."""
    defined = False
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = _kind(token, defined)
        defined = token.string in ("def", "class")
        if kind is None:
            continue
        (first, start), (last, end) = token.start, token.end
        for lineno in range(first, last + 1):
            begins = start if lineno == first else 0
            yield lineno, (begins, end if lineno == last else 1 << 30, kind)


def _kind(token: tokenize.TokenInfo, defined: bool) -> str | None:
    name = tokenize.tok_name[token.type]
    if name in _STRINGS:
        return "st"
    if name == "NAME":
        return "df" if defined else "kw" if keyword.iskeyword(token.string) else None
    return {"COMMENT": "cm", "NUMBER": "nu"}.get(name)
