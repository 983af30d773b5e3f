"""Text in the columns of a terminal: measured, cut and wrapped by what characters take there.

Wide characters take two columns, marks that are drawn over others none (Unicode's annex 11, and
Markus Kuhn's wcwidth).  Nothing here knows how wide the terminal is: reports are for 80 columns.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from nsdbg.report.escape import plain

WIDTH = 80
_WORDS = re.compile(r" +|[^ ]+")


def width(text: str) -> int:
    """Return how many columns a text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, columns: int) -> str:
    """Return a text of at most so many columns, the end of a longer one marked by `...`."""
    if width(text) <= columns:
        return text
    left = columns - len("...")
    for place, character in enumerate(text):
        left -= _columns(character)
        if left < 0:
            return text[:place] + "..."
    return text


def wrapped(text: str, first: str = "", below: str | None = None) -> list[str]:
    """Return harmless text as lines behind `first`, the further ones behind `below`.

    A word that is longer than a line stays whole, since it is to be copied; wide characters are
    parted anywhere, as where they are written.  `below` is blank where it is not given.
    """
    below = " " * width(first) if below is None else below
    lines, line, gap = [], first, ""
    filled = False
    for chunk in _chunks(text):
        if chunk.isspace():
            gap = chunk if filled else ""
        elif filled and width(line) + len(gap) + width(chunk) > WIDTH:
            lines.append(line)
            line, gap = below + chunk, ""
        else:
            line, gap, filled = line + gap + chunk, "", True
    # Wrapping may put `::` at the start of a line, where it had none.
    return [plain(one) for one in (*lines, line)]


def _chunks(text: str) -> Iterator[str]:
    """Yield words and the spaces between them, and each wide character by itself."""
    for word in _WORDS.findall(text):
        if word.isascii() or width(word) == len(word):
            yield word
            continue
        part = ""
        for character in word:
            if part and 2 in (_columns(character), _columns(part[0])) and _columns(character):
                yield part
                part = ""
            part += character
        yield part
