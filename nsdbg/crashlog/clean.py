"""Lines as a person sees them: without colours, carriage returns and control characters.

Takes off only what carries no text; prefixes and envelopes are the carriers'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from nsdbg.crashlog.lines import Line

# CSI and OSC sequences, and single-character escapes (ECMA-48).
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])")
_LOST_ESCAPES = re.compile(r"\[(?:\d{1,3}(?:;\d{1,3})*)?m")
_SURELY_LOST = re.compile(r'File \[\d{1,3}(?:;\d{1,3})*m"|\[\d{1,3}(?:;\d{1,3})*mTraceback \(most')
_SPELLED_ESCAPES = re.compile(r"(?:\\x1b|\\u001b|\\033|\^\[|#033)\[[0-9;]*m")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\u200b]")
_SPACES = re.compile(r"^[ \t\u00a0\u3000\u2000-\u200a\u202f]+")
_ODD_SPACES = re.compile(r"[\u00a0\u3000\u2000-\u200a\u202f]")


def clean(
    lines: Iterable[Line], lost_escapes: bool = False, spelled: bool = False
) -> Iterator[Line]:
    """Yield the lines; a line with carriage returns inside becomes several.

    `lost_escapes`: the log has colour codes whose escape character was lost (`[31m`).  `spelled`:
    escapes spelled out (`\\x1b[31m`) are the text's own, as in a record.
    """
    for number, text in lines:
        if text.isprintable() and not lost_escapes and "[" not in text:
            yield Line(number, text)
            continue
        if "\x1b" in text:
            text = _ESCAPES.sub("", text)
        if "[" in text:
            text = text if spelled else _SPELLED_ESCAPES.sub("", text)
            if lost_escapes:
                text = _LOST_ESCAPES.sub("", text)
        if _ODD_SPACES.search(text):
            text = _SPACES.sub(lambda found: _ODD_SPACES.sub(" ", found[0]), text)
            text = text.replace("\u00a0\u00a0", "  ")  # indentation behind a prefix
        for piece in text.rstrip("\r").split("\r"):
            yield Line(number, _CONTROLS.sub("", piece))


def has_lost_escapes(lines: Iterable[Line]) -> bool:
    """Whether colour codes without their escape character stand in several lines."""
    seen = 0
    for _, text in lines:
        if "m" in text and "\x1b" not in text and "[0m" in text and _LOST_ESCAPES.search(text):
            seen += 1
            if seen > 2 or _SURELY_LOST.search(text):
                return True
    return False
