"""Foreign text made harmless for a terminal and a CI log, and secrets kept out of reports.

What comes from a log, a program or a file stays text: no control characters, no workflow
commands.  HTML and rich markup have their own escaping where they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable

REDACTED = "<redacted>"

# GitHub's runner obeys `::name …` at the start of a line and `##[name]` anywhere in it; Azure's
# `##vso[` likewise, and GitLab's section markers need an escape character, which is gone by then.
_COMMAND = re.compile(r"^(\s*):(?=:)")
_OLD_COMMAND = re.compile(r"##(?=\[|vso\[)")
_SECRET_NAME = re.compile(
    r"passw(or)?d|passphrase|passcode|(^|_)pass$|^pw$|secret|token|api_?key|private_?key|access_?key|credential"
    r"|authorization|^auth$|cookie|session_?(id|key)|bearer|dsn$|connection_?string"
    r"|^ssn$|card_?number|cvv|otp$",
    re.IGNORECASE,
)
_SECRET_VALUE = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY|\beyJ[\w-]{8,}\.[\w-]{8,}\.|\bAKIA[0-9A-Z]{16}\b"
    r"|\b(gh[pousr]|github_pat|glpat|xox[abp]|sk|pk|rk|SG)[-_][A-Za-z0-9_.-]{16,}"
    r"|\bBearer [\w.~+/-]{16,}|://[^/\s:@'\"]+:[^/\s@'\"]+@"
)


def plain(text: str, limit: int | None = None) -> str:
    """Return foreign text as one line that a terminal and a CI log only show.

    `limit` cuts it to that many characters, the end marked by `...`.
    """
    shown = "".join(map(_character, text))
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


def redacted(name: str, value: str) -> str:
    """Return a local's value as text, or a mark in its place when it is likely a secret.

    Judged by the name (`api_key`) and by the look of the value (a token, a URL with a password).
    Misses secrets that look like nothing in particular.
    """
    return REDACTED if is_secret(name, value) else value


def is_secret(name: str, value: str) -> bool:
    """Whether a name or a value looks like a secret; empty values and None are none."""
    if value in ("None", "''", '""', "b''", "[]", "{}", "()", "True", "False"):
        return False
    return bool(_SECRET_NAME.search(name) or _SECRET_VALUE.search(value))


def without_secrets(text: str) -> str:
    """Return text in which what looks like a secret by itself is replaced by a mark."""
    return _SECRET_VALUE.sub(REDACTED, text)


Paint = Callable[[str, str], str]


def unpainted(text: str, _: str) -> str:
    """Return text without colour: for files, pipes and NO_COLOR."""
    return text
