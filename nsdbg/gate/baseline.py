"""The baseline: findings that were accepted once, so that only new ones fail.

Data and matching; `baseline_file` reads and writes it.  A finding is known again by its fingerprint
and the text of its line, never by a line number, and as often as it was accepted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from nsdbg.finding import Finding, Place, Rule
from nsdbg.state import Event

# A measured rate has a limit instead, and an unneeded comment is taken away.
ACCEPTABLE = (Rule.NEW_CRASH, Rule.LOGGED_CRASH, Rule.FAILED_TEST)

Key = tuple[str, str]


@dataclass(frozen=True, slots=True, order=True)
class Accepted:
    """One accepted finding; `count` is how many equal ones were there.

    Only `fingerprint` and `text` are matched; the other fields are for who reads a diff of the
    file, and for its order.
    """

    file: str
    function: str
    rule: str
    exception: str
    text: str
    fingerprint: str
    count: int = 1

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ValueError(f"count is {self.count}: what was accepted was there once at least")

    @property
    def key(self) -> Key:
        """What a finding is known again by."""
        return self.fingerprint, self.text

    @property
    def shown(self) -> str:
        """The entry in a few words."""
        where = self.file + (f" in {self.function}" if self.function else "")
        return f"{self.rule} {self.exception or '?'} at {where}: {self.text}".rstrip(": ")


def crash_place(finding: Finding) -> Place | None:
    """Return the line that raised, None where it is not on disk.

    Of a logged crash that is where its path ends: the place is the likeliest line at fault, which
    further evidence may move.
    """
    if finding.rule is Rule.NEW_CRASH:
        return finding.place
    last = finding.path[-1] if finding.path else None
    return last.place if last is not None and last.event == Event.EXCEPTION.value else None


def key_of(finding: Finding) -> Key:
    """Return what a finding is known again by; indentation and line do not matter."""
    return finding.fingerprint, _text(crash_place(finding))


def _text(place: Place | None) -> str:
    return " ".join(place.text.split()) if place is not None else ""


@dataclass(frozen=True, slots=True)
class Baseline:
    """All accepted findings, sorted, each key once."""

    entries: tuple[Accepted, ...] = ()

    def __post_init__(self) -> None:
        keys = [one.key for one in self.entries]
        if len(set(keys)) < len(keys):
            raise ValueError("two entries are about the same finding")
        object.__setattr__(self, "entries", tuple(sorted(self.entries)))

    def split(self, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
        """Return the findings that are new, and those that are accepted."""
        left = Counter({one.key: one.count for one in self.entries})
        new: list[Finding] = []
        known: list[Finding] = []
        for finding in findings:
            key = key_of(finding)
            if finding.rule in ACCEPTABLE and left[key] > 0:
                left[key] -= 1
                known.append(finding)
            else:
                new.append(finding)
        return new, known

    def stale(
        self, findings: Iterable[Finding], asked: Callable[[Accepted], bool]
    ) -> tuple[Accepted, ...]:
        """Return what is accepted and not there any more, with how often.

        `asked` says of an entry whether this run would have met it.
        """
        seen = Counter(key_of(one) for one in findings)
        return tuple(
            replace(one, count=one.count - seen[one.key])
            for one in self.entries
            if seen[one.key] < one.count and asked(one)
        )

    def with_all(self, findings: Iterable[Finding]) -> Baseline:
        """Return a baseline that accepts these findings, too, and loses nothing."""
        entries = {one.key: one for one in self.entries}
        for key, entry in _counted(findings).items():
            count = max(entry.count, entries[key].count if key in entries else 0)
            entries[key] = replace(entry, count=count)
        return Baseline(tuple(entries.values()))

    def without(self, stale: Sequence[Accepted]) -> Baseline:
        """Return a baseline without these entries, each as often as it says."""
        gone = {one.key: one.count for one in stale}
        kept = [(one, one.count - gone.get(one.key, 0)) for one in self.entries]
        return Baseline(tuple(replace(one, count=count) for one, count in kept if count > 0))


def _counted(findings: Iterable[Finding]) -> dict[Key, Accepted]:
    found: dict[Key, Accepted] = {}
    for finding in findings:
        if finding.rule not in ACCEPTABLE:
            continue
        key = key_of(finding)
        place = crash_place(finding) or finding.place
        found[key] = Accepted(
            place.file if place else "", (place.function if place else None) or "",
            finding.rule.slug, finding.exception or "", key[1], finding.fingerprint,
            found[key].count + 1 if key in found else 1,
        )  # fmt: skip
    return found
