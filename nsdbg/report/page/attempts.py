"""What was tried, as a table: each proposal with its verdict, the reason and what was seen."""

from __future__ import annotations

from collections import Counter

from nsdbg.claim import Status
from nsdbg.finding import Tried
from nsdbg.report.page.badges import badge
from nsdbg.report.page.foreign import html
from nsdbg.report.reasons import reason_words

MOST_SHOWN = 60
# A longer table is folded: it is looked at last.
MOST_OPEN = 8
LONGEST_CALL = 400
LONGEST_TEXT = 400
_HEADS = ("verdict", "call", "what was seen", "proposed by", "runs")


def attempts(key: str, tried: tuple[Tried, ...]) -> str:
    """Return the table, "" where nothing is told of."""
    if not tried:
        return ""
    rows = "".join(_row(one) for one in tried[:MOST_SHOWN])
    left = len(tried) - MOST_SHOWN
    more = f'<p class="hint">{left:,} more are not shown</p>' if left > 0 else ""
    heads = "".join(f'<th scope="col" role="columnheader">{one}</th>' for one in _HEADS)
    is_open = " open" if len(tried) <= MOST_OPEN else ""
    # On narrow screens the rows are laid out as blocks, and browsers then forget that they are
    # rows: the roles say it again.
    return (
        f'<details class="tried"{is_open}><summary><h4 id="{key}-t">Tried '
        f'<span class="count">{_counts(tried)}</span></h4></summary>'
        f'<table role="table" aria-labelledby="{key}-t"><thead role="rowgroup">'
        f'<tr role="row">{heads}</tr></thead><tbody role="rowgroup">{rows}</tbody></table>'
        f"{more}</details>"
    )


def _counts(tried: tuple[Tried, ...]) -> str:
    counts = Counter(one.status for one in tried)
    return ", ".join(f"{counts[status]:,} {status.value}" for status in Status if counts[status])


def _row(one: Tried) -> str:
    logp = f'<span class="hint">logp {one.logp:.2f}</span>' if one.logp is not None else ""
    reason = html(reason_words(one.reason), LONGEST_TEXT)
    return (
        f'<tr role="row"><td role="cell">{badge(one.status)}</td>'
        f'<td role="cell"><code>{html(one.call, LONGEST_CALL)}</code></td>'
        f'<td role="cell">{html(one.evidence, LONGEST_TEXT)}<span class="hint">{reason}</span></td>'
        f'<td role="cell" data-head="proposed by"><code>{html(one.source, 80)}</code>{logp}</td>'
        f'<td role="cell" data-head="runs">{one.runs}</td></tr>'
    )
