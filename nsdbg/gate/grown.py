"""What a change adds to the baseline, which with --ratchet may only shrink.

Reads the version before by git; which findings a baseline knows is not asked here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from nsdbg.changes.changed import Since, What
from nsdbg.changes.repository import find_repository
from nsdbg.changes.revision import base_of
from nsdbg.errors import BaselineError
from nsdbg.finding import Finding, Place, Rule, fingerprint
from nsdbg.gate.baseline import Accepted, Baseline
from nsdbg.gate.baseline_file import SIZE_LIMIT, parse_baseline


def grown(
    root: Path, what: What, path: Path, now: Baseline
) -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Return a finding for each entry that the version before did not have as often, and notes.

    Raises ChangeError for a revision that is not here.
    """
    repository = find_repository(root)
    real = path.resolve()
    if not real.is_relative_to(repository.root) or "\n" in str(real):
        return (), (f"{path.name} is not in the repository: whether it grew is not known",)
    shown = real.relative_to(repository.root).as_posix()
    commit = base_of(repository, what) if isinstance(what, Since) else repository.commit
    name = what.revision if isinstance(what, Since) else "HEAD"
    content = next(repository.git.blobs([f"{commit}:{shown}"], SIZE_LIMIT)) if commit else None
    if content is None:
        return (), (f"there is no {shown} at {name}: whether it grew is not known",)
    try:
        before = parse_baseline(content.decode("utf-8-sig", "replace"), Path(shown))
    except BaselineError:
        return (), (f"{shown} at {name} cannot be read: whether it grew is not known",)
    lines = real.read_text("utf-8", "replace").split("\n")
    return tuple(_findings(shown, name, before, now, lines)), ()


def _findings(
    shown: str, name: str, before: Baseline, now: Baseline, lines: list[str]
) -> Iterator[Finding]:
    counts = Counter({one.key: one.count for one in before.entries})
    for one in now.entries:
        if one.count > counts[one.key]:
            often = f" {one.count} times" if counts[one.key] else ""
            yield Finding(
                Rule.GROWN_BASELINE,
                f"{shown} accepts {one.shown}{often}, and at {name} it did not: with --ratchet "
                "it may only shrink",
                fingerprint(Rule.GROWN_BASELINE, shown, one.fingerprint, one.text),
                _place(shown, one, lines),
                origin="baseline",
            )  # fmt: skip


def _place(shown: str, one: Accepted, lines: list[str]) -> Place:
    """Return the line of an entry's fingerprint, the file's first where it is not found."""
    wanted = f'"fingerprint": "{one.fingerprint}"'
    at = next((at for at, line in enumerate(lines) if wanted in line), 0)
    return Place(shown, at + 1, lines[at].strip())
