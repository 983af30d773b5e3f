"""Foreign text as HTML: escaped, and what cannot be seen spelled out.

Control characters, bidirectional overrides, halves of characters and characters without a look of
their own are shown as Python escapes; no text changes what stands beside it.
"""

from __future__ import annotations

import re
from html import escape

# Printable by Unicode's word, and blank or without a width all the same: fillers, the Braille
# blank, the grapheme joiner, variation selectors.
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u2800\u3164\ufe00-\ufe0f\uffa0"
                     "\U000e0100-\U000e01ef]")  # fmt: skip
# Marks are drawn over the character before them; a pile of them covers the lines around.
_PILE = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]{3,}"
)
_CODE = re.compile(r"`([^`\n]+)`")


class _Spelling(dict[int, str]):
    """Of each character what stands for it, found out when it is first met."""

    def __init__(self, *, marked: bool) -> None:
        super().__init__()
        self._marked = marked

    def __missing__(self, code: int) -> str:
        one = chr(code)
        if one.isprintable() and not _UNSEEN.match(one):
            shown = escape(one) if self._marked else one
        else:
            shown = _marked(_spelled(one)) if self._marked else _spelled(one)
        self[code] = shown
        return shown


def _spelled(text: str) -> str:
    return text.encode("unicode_escape").decode("ascii")


def _marked(spelled: str) -> str:
    return f"{_OPEN}{spelled}{_CLOSE}"


_OPEN, _CLOSE = '<i class="esc">', "</i>"
_PLAIN, _MARKED = _Spelling(marked=False), _Spelling(marked=True)


def _cut(text: str, limit: int | None) -> str:
    return text if limit is None or len(text) <= limit else text[: max(0, limit - 1)] + "…"


def _is_plain(text: str) -> bool:
    return text.isprintable() and not _UNSEEN.search(text) and not _PILE.search(text)


def seen(text: str, limit: int | None = None) -> str:
    """Return text with everything visible, not yet escaped: for attributes and titles.

    `limit` cuts the text to that many characters, the end marked by `…`, before any is spelled.
    """
    text = _cut(text, limit)
    if _is_plain(text):
        return text
    return _PILE.sub(lambda pile: _spelled(pile.group()), text.translate(_PLAIN))


def attribute(text: str, limit: int | None = None) -> str:
    """Return text for an attribute's value in double quotes."""
    return escape(seen(text, limit))


def html(text: str, limit: int | None = None) -> str:
    """Return text as HTML; what is spelled out is marked as such."""
    text = _cut(text, limit)
    if _is_plain(text):
        return escape(text)
    shown = _PILE.sub(lambda pile: _marked(_spelled(pile.group())), text.translate(_MARKED))
    return shown.replace(_CLOSE + _OPEN, "")


def sentence(text: str, limit: int | None = None) -> str:
    """Return a sentence as HTML, with what stands between backticks as code."""
    parts = _CODE.split(_cut(text, limit))
    return "".join(f"<code>{html(part)}</code>" if place % 2 else html(part)
                   for place, part in enumerate(parts))  # fmt: skip
