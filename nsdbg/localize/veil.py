"""What must not be shown of a crash: the secrets its log recorded, wherever they turn up again.

A value that goes by a telling name in one place goes by none in a call's arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nsdbg.crashlog.report import CrashReport, LoggedException, LoggedFrame
from nsdbg.localize.examine import PLACEHOLDER
from nsdbg.record.secrecy import REDACTED, is_secret, redacted, without_secrets

# Shorter texts are found in too many places where they are no secret.
SHORTEST = 4
_QUOTES = "'\""


class Veil:
    """Leaves out what looks like a secret, and what a report's frames recorded under such names."""

    def __init__(self, report: CrashReport) -> None:
        found = {text for one in report.chain for text in _secrets(one)}
        # The longest first: one may be the beginning of another.
        self._texts = sorted(found, key=lambda text: (-len(text), text))

    def text(self, text: str) -> str:
        """Return a text without secrets."""
        return self._without(without_secrets(text), REDACTED)

    def value(self, name: str, text: str) -> str:
        """Return the text of a value that goes by a name, without secrets."""
        return self._without(redacted(name, text), REDACTED)

    def call(self, text: str) -> str:
        """Return Python text in which a placeholder stands for what the log recorded as secret."""
        return self._without(text, PLACEHOLDER.strip(_QUOTES))

    def _without(self, text: str, mark: str) -> str:
        for secret in self._texts:
            text = text.replace(secret, mark)
        return text


class Unveiled(Veil):
    """Shows everything, for who asked to see secrets too."""

    def __init__(self) -> None:
        """Know of no secret."""

    def text(self, text: str) -> str:
        """Return the text."""
        return text

    def value(self, name: str, text: str) -> str:
        """Return the text."""
        return text

    def call(self, text: str) -> str:
        """Return the text."""
        return text


def _secrets(one: LoggedException) -> Iterator[str]:
    """Yield the texts that frames recorded under telling names, without their quotes."""
    for frame in _frames(one):
        for name, value in (*(frame.locals or ()), *(frame.arguments or ())):
            text = value.repr
            if value.truncated or not is_secret(name, text):
                continue
            inner = text.lstrip("b").strip(_QUOTES) if text[-1:] in _QUOTES else text
            if len(inner) >= SHORTEST and REDACTED not in inner:
                yield inner


def _frames(one: LoggedException) -> Iterator[LoggedFrame]:
    yield from one.frames
    members: Iterable[LoggedException] = (inner for chain in one.members for inner in chain)
    for inner in (*one.embedded, *members):
        yield from _frames(inner)
