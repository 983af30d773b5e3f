"""Foreign text made harmless for a terminal and a CI log, and what keeps secrets out of reports.

What comes from a log, a program or a file stays text: no control characters, nothing that cannot
be seen, no workflow commands.  HTML and Markdown have their own escaping where they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nsdbg.record.secrecy import REDACTED, is_secret, redacted, without_secrets

__all__ = [
    "PILE", "REDACTED", "UNSEEN", "Paint", "is_secret", "is_seen", "never", "plain", "plain_lines",
    "redacted", "spelled", "unpainted", "without_secrets",
]  # fmt: skip

# GitHub's runner obeys `::name …` at the start of a line and `##[name]` anywhere in it; Azure's
# `##vso[` and TeamCity's `##teamcity[` likewise.  GitLab's section markers need an escape
# character, which is gone by then.
_COMMAND = re.compile(r"^(\s*):(?=:)")
_OLD_COMMAND = re.compile(r"##(?=[A-Za-z]*\[)")
# Printable by Unicode's word, and blank or without a width all the same: fillers, the Braille
# blank, the grapheme joiner, variation selectors.
UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u2800\u3164\ufe00-\ufe0f\uffa0"
                    "\U000e0100-\U000e01ef]")  # fmt: skip
# Marks are drawn over the character before them; a pile of them covers the lines around.
PILE = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]{3,}"
)


def plain(text: str, limit: int | None = None) -> str:
    """Return foreign text as one line that a terminal and a CI log only show.

    `limit` cuts it to that many characters, the end marked by `...`.
    """
    shown = text if is_seen(text) else PILE.sub(_spelled_pile, "".join(map(_character, text)))
    shown = _OLD_COMMAND.sub("# #", _COMMAND.sub(r"\1: ", shown))
    if limit is not None and len(shown) > limit:
        return shown[: max(0, limit - 3)] + "..."
    return shown


def plain_lines(text: str) -> list[str]:
    """Return foreign text line by line, each made harmless; tabs become spaces."""
    return [plain(line.expandtabs(4)) for line in text.splitlines()]


def is_seen(text: str) -> bool:
    """Whether all of a text shows, and nothing of it changes how what is around it shows."""
    if text.isascii():
        return text.isprintable()
    return text.isprintable() and not UNSEEN.search(text) and not PILE.search(text)


def spelled(text: str) -> str:
    """Return text as Python's escapes spell it."""
    return text.encode("unicode_escape").decode("ascii")


def _spelled_pile(pile: re.Match[str]) -> str:
    return spelled(pile.group())


def _character(character: str) -> str:
    """Spell out escapes, bells, line ends, bidirectional overrides and halves of characters."""
    if character == "\t":
        return " "
    if character.isprintable() and not UNSEEN.match(character):
        return character
    return spelled(character)


def never(name: str, value: str) -> bool:
    """Return False, for who asked to see secrets too."""
    return False


Paint = Callable[[str, str], str]


def unpainted(text: str, _: str) -> str:
    """Return text without colour: for files, pipes and NO_COLOR."""
    return text
