"""Foreign text made harmless for a terminal and a CI log, and what keeps secrets out of reports.

What comes from a log, a program or a file stays text: no control characters, no workflow
commands.  HTML and rich markup have their own escaping where they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from nsdbg.record.secrecy import REDACTED, is_secret, redacted, without_secrets

__all__ = [
    "REDACTED", "Paint", "is_secret", "never", "plain", "plain_lines", "redacted", "unpainted",
    "without_secrets",
]  # fmt: skip

# GitHub's runner obeys `::name …` at the start of a line and `##[name]` anywhere in it; Azure's
# `##vso[` and TeamCity's `##teamcity[` likewise.  GitLab's section markers need an escape
# character, which is gone by then.
_COMMAND = re.compile(r"^(\s*):(?=:)")
_OLD_COMMAND = re.compile(r"##(?=[A-Za-z]*\[)")


def plain(text: str, limit: int | None = None) -> str:
    """Return foreign text as one line that a terminal and a CI log only show.

    `limit` cuts it to that many characters, the end marked by `...`.
    """
    shown = text if text.isprintable() else "".join(map(_character, text))
    shown = _OLD_COMMAND.sub("# #", _COMMAND.sub(r"\1: ", shown))
    if limit is not None and len(shown) > limit:
        return shown[: max(0, limit - 3)] + "..."
    return shown


def plain_lines(text: str) -> list[str]:
    """Return foreign text line by line, each made harmless; tabs become spaces."""
    return [plain(line.expandtabs(4)) for line in text.splitlines()]


def _character(character: str) -> str:
    """Spell out escapes, bells, line ends, bidirectional overrides and halves of characters."""
    if character == "\t":
        return " "
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii")


def never(name: str, value: str) -> bool:
    """Return False, for who asked to see secrets too."""
    return False


Paint = Callable[[str, str], str]


def unpainted(text: str, _: str) -> str:
    """Return text without colour: for files, pipes and NO_COLOR."""
    return text
