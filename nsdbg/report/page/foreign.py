"""Foreign text as HTML: escaped, and what cannot be seen spelled out.

Control characters, bidirectional overrides, halves of characters and characters without a look of
their own are shown as Python escapes; no text changes what stands beside it.
"""

from __future__ import annotations

import re
from html import escape

from nsdbg.report.escape import PILE, UNSEEN, is_seen, spelled

_CODE = re.compile(r"`([^`\n]+)`")


class _Spelling(dict[int, str]):
    """Of each character what stands for it, found out when it is first met."""

    def __init__(self, *, marked: bool) -> None:
        super().__init__()
        self._marked = marked

    def __missing__(self, code: int) -> str:
        one = chr(code)
        if one.isprintable() and not UNSEEN.match(one):
            shown = escape(one) if self._marked else one
        else:
            shown = _marked(one) if self._marked else spelled(one)
        self[code] = shown
        return shown


def _marked(text: str) -> str:
    return f"{_OPEN}{spelled(text)}{_CLOSE}"


_OPEN, _CLOSE = '<i class="esc">', "</i>"
_PLAIN, _MARKED = _Spelling(marked=False), _Spelling(marked=True)


def _cut(text: str, limit: int | None) -> str:
    return text if limit is None or len(text) <= limit else text[: max(0, limit - 1)] + "…"


def seen(text: str, limit: int | None = None) -> str:
    """Return text with everything visible, not yet escaped: for attributes and titles.

    `limit` cuts the text to that many characters, the end marked by `…`, before any is spelled.
    """
    text = _cut(text, limit)
    if is_seen(text):
        return text
    return PILE.sub(lambda pile: spelled(pile.group()), text.translate(_PLAIN))


def attribute(text: str, limit: int | None = None) -> str:
    """Return text for an attribute's value in double quotes."""
    return escape(seen(text, limit))


def html(text: str, limit: int | None = None) -> str:
    """Return text as HTML; what is spelled out is marked as such."""
    text = _cut(text, limit)
    if is_seen(text):
        return escape(text)
    shown = PILE.sub(lambda pile: _marked(pile.group()), text.translate(_MARKED))
    return shown.replace(_CLOSE + _OPEN, "")


def sentence(text: str, limit: int | None = None) -> str:
    """Return a sentence as HTML, with what stands between backticks as code."""
    parts = _CODE.split(_cut(text, limit))
    return "".join(f"<code>{html(part)}</code>" if place % 2 else html(part)
                   for place, part in enumerate(parts))  # fmt: skip
