"""Verdicts and counts by shape and word: colour only repeats what they say."""

from __future__ import annotations

from nsdbg.claim import Status
from nsdbg.finding import Level

# Drawn once a page and referred to; `currentColor` follows the theme.
SYMBOLS = (
    '<svg class="defs" aria-hidden="true" focusable="false">'
    '<symbol id="i-confirmed" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7.5" '
    'fill="currentColor"/><path class="cut" d="M4.4 8.3l2.5 2.5 4.8-5.2" fill="none" '
    'stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></symbol>'
    '<symbol id="i-refuted" viewBox="0 0 16 16"><rect x="1.2" y="1.2" width="13.6" height="13.6" '
    'rx="2.5" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M5 5l6 6M11 5l-6 6" '
    'fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round"/></symbol>'
    '<symbol id="i-unknown" viewBox="0 0 16 16"><path d="M8 .9L15.1 8 8 15.1.9 8z" fill="none" '
    'stroke="currentColor" stroke-width="1.5" stroke-dasharray="2.6 1.9"/><path d="M6.2 6.4a1.9 '
    '1.9 0 1 1 2.7 1.7c-.6.3-.9.6-.9 1.2" fill="none" stroke="currentColor" stroke-width="1.5" '
    'stroke-linecap="round"/><circle cx="8" cy="11.4" r=".9" fill="currentColor"/></symbol>'
    "</svg>"
)
_SAYS = {
    Status.CONFIRMED: "seen in runs of our own",
    Status.REFUTED: "runs showed something else",
    Status.UNKNOWN: "no run decided it",
}


def badge(status: Status) -> str:
    """Return a verdict: a filled disc, a crossed square or a dashed diamond, and its word."""
    word = status.value
    return (
        f'<span class="badge {word}" title="{_SAYS[status]}"><svg aria-hidden="true">'
        f'<use href="#i-{word}"/></svg>{word}</span>'
    )


def weight(level: Level) -> str:
    """Return how much a finding weighs, as a word."""
    return f'<span class="weight {level.value}">{level.value}</span>'
