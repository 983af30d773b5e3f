"""Generated programs: made here from their seeds, and run as data files of functions are.

Runs under nsdbg's own interpreter, since the generator needs it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nsdbg.model.trace.worker import functions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LICENCE = "MIT"


def work(job: dict[str, Any], write: Callable[[str], None]) -> None:
    """Record the programs of a job, whose items are seeds with their levels."""
    functions.work({**job, "items": _Programs(job["items"])}, write)


class _Programs:
    """The items, generated as they are asked for."""

    def __init__(self, wanted: list[Any]) -> None:
        self._wanted = wanted

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        from nsdbg.programs import Level, generate

        for number, (seed, level) in self._wanted:
            made = generate(seed, Level(level))
            yield (
                number,
                {
                    "id": f"{level}-{seed}",
                    "code": made.text,
                    "entry": made.entry,
                    "calls": [", ".join(call) for call in made.calls],
                    "licence": LICENCE,
                    "package": level,
                    "module": "program",
                },
            )
