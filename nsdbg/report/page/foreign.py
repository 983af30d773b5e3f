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


def seen(text: str, limit: int | None = None) -> str:
    """Return text with everything visible, not yet escaped: for attributes and titles.

    `limit` cuts it to that many characters, the end marked by `…`.
    """
    if limit is not None and len(text) > limit:
        text = text[: max(0, limit - 1)] + "…"
    if _is_plain(text):
        return text
    return "".join(one if _is_plain(one) else _spelled(one) for one in _parts(text))


def attribute(text: str, limit: int | None = None) -> str:
    """Return text for an attribute's value in double quotes."""
    return escape(seen(text, limit))


def html(text: str, limit: int | None = None) -> str:
    """Return text as HTML; what is spelled out is marked as such."""
    if limit is not None and len(text) > limit:
        text = text[: max(0, limit - 1)] + "…"
    if _is_plain(text):
        return escape(text)
    return "".join(
        escape(one) if _is_plain(one) else f'<i class="esc">{escape(_spelled(one))}</i>'
        for one in _parts(text)
    )


def sentence(text: str, limit: int | None = None) -> str:
    """Return a sentence as HTML, with what stands between backticks as code."""
    if limit is not None and len(text) > limit:
        text = text[: max(0, limit - 1)] + "…"
    parts = _CODE.split(text)
    return "".join(f"<code>{html(part)}</code>" if place % 2 else html(part)
                   for place, part in enumerate(parts))  # fmt: skip


def _is_plain(text: str) -> bool:
    return text.isprintable() and not _UNSEEN.search(text) and not _PILE.search(text)


def _parts(text: str) -> list[str]:
    """Split text into runs that are plain, and single characters or piles that are not."""
    parts: list[str] = []
    place = 0
    for pile in _PILE.finditer(text):
        parts += [*_characters(text[place : pile.start()]), pile.group()]
        place = pile.end()
    return [*parts, *_characters(text[place:])]


def _characters(text: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for place, one in enumerate(text):
        if not one.isprintable() or _UNSEEN.match(one):
            parts += [text[start:place], one]
            start = place + 1
    return [part for part in (*parts, text[start:]) if part]


def _spelled(text: str) -> str:
    return text.encode("unicode_escape").decode("ascii")
