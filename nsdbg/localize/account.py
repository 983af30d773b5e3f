"""What running came to, in sentences: why a way in failed, what would have to be assumed.

For every report; the text is foreign in part, and whoever shows it escapes it.
"""

from __future__ import annotations

from pathlib import Path

from nsdbg.claim import Reason, Site
from nsdbg.localize.assume import Assumption
from nsdbg.record.secrecy import redacted
from nsdbg.refusal import permit_for
from nsdbg.reproduce import Failure
from nsdbg.source import MODULE


def why_not(failure: Failure) -> str:
    """Say in a sentence why nothing was confirmed by one way in."""
    ref = failure.level.subject.ref
    name = Path(ref.file).name if ref.qualname == MODULE else ref.qualname
    unknown = failure.unknown
    if unknown is not None and unknown.reason is Reason.NO_SOURCE:
        detail = unknown.evidence.detail or "no reason was given"
        return f"{name}: its module cannot be imported here: {detail}"
    if unknown is not None and unknown.reason is Reason.SIDE_EFFECT:
        blocked = ", ".join(unknown.evidence.blocked[:3])
        hint = permit_for(unknown)
        return f"{name}: the guard refused {blocked or 'a side effect'}" + (
            f"; permit it with --allow {hint!r}" if hint else ""
        )
    tried = failure.stats.executed
    if not tried:
        return f"{name}: nobody had anything to propose"
    text = f"{name}: {tried} inputs tried, none raised this here"
    if tried == 1:
        text = f"{name}: the one input tried did not raise this here"
    nearest = failure.nearest
    if nearest is not None and nearest.evidence.raised is not None:
        raised = nearest.evidence.raised
        at = f" at {_spot_of(raised.sites[-1], ref.file)}" if raised.sites else ""
        text += f"; the nearest raised {raised.type}: {raised.message[:60]}{at}"
    if unknown is not None:
        text += f"; some could not be judged ({unknown.reason.slug})"
    return text


def assumed(one: Assumption) -> str:
    """Say in a sentence what a blocked call would have to give, and what is known of it."""
    name = one.level.subject.ref.qualname
    who = {"log": "as the log recorded it", "plain": "a plain value"}.get(one.source, one.source)
    value = f"{one.name} = {redacted(one.name, one.value)}"
    call = f"`{one.call}` on line {one.lineno} of {name}"
    if not one.leads_there:
        return (
            f"assumption, unchecked: {who} would expect {call} to give {value}; "
            "from there the crash was not seen to follow"
        )
    runs = one.verdict.evidence.runs
    return (
        f"assumption: if {call} gave {value} ({who}), this exception would follow: "
        f"{runs} runs from there agree; the call itself was not run"
    )


def _spot_of(site: Site, file: str) -> str:
    """Name a line, and its file where that is another one."""
    return f"line {site.lineno}" if site.file == file else f"{Path(site.file).name}:{site.lineno}"
