"""The flow: drivers' items through workers into a corpus, without what must not be in it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from nsdbg.model.trace.corpus import Manifest, Writer
from nsdbg.model.trace.exclude import Exclusion
from nsdbg.model.trace.workers import Job, run_items


@dataclass(frozen=True, slots=True)
class Driving:
    """One source's work: a job and its items; `name` is what progress calls it.

    `workers`: not more than so many at a time.
    """

    name: str
    job: Job
    items: tuple[Any, ...]
    workers: int = 64


Progress = Callable[[str, int, int, Manifest], None]


def record(
    drivings: Iterable[Driving],
    writer: Writer,
    exclusion: Exclusion,
    jobs: int,
    limit: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Record all items into a corpus, `limit` episodes at most; raises CorpusError.

    `progress` is told of the driving's name, its items done and in all, and the counts so far.
    """
    for driving in drivings:
        workers = min(jobs, driving.workers, len(driving.items))
        results = run_items(driving.job, driving.items, workers)
        for number, done in enumerate(results, 1):
            writer.manifest.left_out.update(done.left)
            for line, row in _admitted(done.rows, writer.manifest, exclusion):
                if limit is not None and writer.manifest.episodes >= limit:
                    return
                writer.write(line, row)
            if progress is not None:
                progress(driving.name, number, len(driving.items), writer.manifest)
        if limit is not None and writer.manifest.episodes >= limit:
            return


def _admitted(
    lines: list[str], manifest: Manifest, exclusion: Exclusion
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows of which no function is excluded; counts the others."""
    for line in lines:
        row = json.loads(line)
        reasons = {exclusion.reason(text) for _, _, _, text in row["listings"]} - {None}
        if reasons:
            manifest.left_out[f"{min(map(str, reasons))} to a function of the test data"] += 1
        else:
            yield line, row
