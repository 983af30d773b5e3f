"""What comments in the source silence, which of them say something odd, and which nobody needs.

A comment counts on the line of a finding: the one it names, or the one that raised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from nsdbg.finding import Finding, Place, Rule, fingerprint
from nsdbg.gate.baseline import crash_place
from nsdbg.gate.comments import Ignore, Ignores, read_ignores
from nsdbg.localize.places import Places

# Whether this run would have found something of a rule in a function, had there been anything.
Checked = Callable[[Rule, Place], bool]


class Suppressions:
    """The comments of a tree's files, read when first asked for, and what they were good for."""

    def __init__(self, root: Path) -> None:
        self._places = Places(root)
        self._files: dict[str, Ignores] = {}
        self._used: set[tuple[str, int, Rule]] = set()

    def silences(self, finding: Finding) -> bool:
        """Whether a comment is about a finding; it is then known to be needed."""
        found = False
        for place in (finding.place, crash_place(finding)):
            if place is None:
                continue
            for one in self._ignores(place.file).at(place.lineno):
                if finding.rule in one.rules:
                    self._used.add((place.file, one.lineno, finding.rule))
                    found = True
        return found

    def look_into(self, files: Iterable[str]) -> None:
        """Read the comments of files, whether or not they have findings."""
        for file in files:
            self._ignores(file)

    def notes(self) -> Iterator[str]:
        """Yield a sentence for each thing wrong with a comment in the files that were read."""
        for file, one in self._all():
            for said in one.problems:
                yield f"{file}:{one.lineno}: `nsdbg: ignore` {said}"

    def unneeded(self, checked: Checked) -> Iterator[Finding]:
        """Yield a finding for each rule that a comment names and that was not met there.

        Only where `checked` says that it would have been: else nobody can know.
        """
        for file, one in self._all():
            place = self._places.at(file, one.lineno)
            for rule in one.rules if place is not None else ():
                assert place is not None
                if (file, one.lineno, rule) not in self._used and checked(rule, place):
                    yield _unneeded(place, rule)

    def _all(self) -> Iterator[tuple[str, Ignore]]:
        for file, ignores in sorted(self._files.items()):
            for one in ignores.comments:
                yield file, one

    def _ignores(self, file: str) -> Ignores:
        if file not in self._files:
            self._files[file] = read_ignores(self._places.text(file) or "")
        return self._files[file]


def _unneeded(place: Place, rule: Rule) -> Finding:
    return Finding(
        Rule.UNUSED_IGNORE,
        f"`nsdbg: ignore[{rule.slug}]` at {place.file}:{place.lineno} is not needed: "
        f"no {rule.slug} was found there",
        fingerprint(
            Rule.UNUSED_IGNORE, place.file, place.function or "", rule.slug, place.text
        ),
        place,
        origin="comments",
    )  # fmt: skip
