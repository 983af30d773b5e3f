"""Worker processes: a list of items in, for each item its rows and what was left out.

A worker runs under the sandbox's layers (`verify.sandbox`), except where it runs a user's own test
suite.  One that dies or goes silent loses the item it was at, and another goes on after it.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import selectors
import subprocess
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nsdbg.errors import CorpusError
from nsdbg.verify.sandbox import Sandbox, SandboxConfig

PACKAGE = Path(__file__).resolve().parent.parent.parent
BOOT = Path(__file__).with_name("worker") / "boot.py"
MEMORY_BYTES = 2 << 30
CPU_S = 7200
LOST = "items whose worker died"
SILENT = "items that took too long"


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker does: its module, the interpreter, and the settings that all items share.

    `readable`: what the code may read besides the interpreter.  `silence_s`: how long nothing may
    be heard.  `folder`: where it runs outside the sandbox; None is inside.
    """

    kind: str
    python: Path
    settings: dict[str, Any]
    readable: tuple[Path, ...] = ()
    silence_s: float = 600.0
    folder: Path | None = None


@dataclass(slots=True)
class Done:
    """What came of one item: rows as lines of JSON, and how much was left out for which reason."""

    item: int
    rows: list[str] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)


def run_items(job: Job, items: Sequence[Any], jobs: int) -> Iterator[Done]:
    """Yield what comes of each item, in their order, from `jobs` workers at a time."""
    found: queue.Queue[Done | Exception | None] = queue.Queue(maxsize=1000)
    over = threading.Event()
    numbered = list(enumerate(items))
    shards = [numbered[at::jobs] for at in range(jobs)]
    threads = [
        threading.Thread(target=_work, args=(job, shard, found, over), daemon=True)
        for shard in shards
    ]
    for thread in threads:
        thread.start()
    try:
        yield from _in_order(found, len(threads))
    finally:
        over.set()
        while any(thread.is_alive() for thread in threads):
            with contextlib.suppress(queue.Empty):  # somebody may wait for room
                found.get(timeout=0.05)


def _in_order(found: queue.Queue[Done | Exception | None], working: int) -> Iterator[Done]:
    waiting: dict[int, Done] = {}
    following = 0
    while working or waiting:
        if following in waiting:
            yield waiting.pop(following)
            following += 1
            continue
        done = found.get()
        if isinstance(done, Exception):
            raise done
        if done is None:
            working -= 1
        else:
            waiting[done.item] = done


def _work(
    job: Job,
    items: list[tuple[int, Any]],
    found: queue.Queue[Done | Exception | None],
    over: threading.Event,
) -> None:
    """Do a shard, with as many workers one after another as it takes."""
    try:
        while items and not over.is_set():
            worker = _Worker(job, items)
            done = 0
            with worker:
                for result in worker.results(over):
                    found.put(result)
                    done += 1
            if done == 0:
                raise CorpusError(f"the worker for {job.kind} does not start: {worker.complaint()}")
            items = items[done:]
        found.put(None)
    except Exception as error:
        found.put(error)


class _Worker:
    """One process, from its start to its end."""

    def __init__(self, job: Job, items: list[tuple[int, Any]]) -> None:
        self._job = job
        self._items = items
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the worker
        self._sandbox: Sandbox | None = None

    def __enter__(self) -> _Worker:
        job = self._job
        pipe = subprocess.PIPE
        if job.folder is None:
            config = SandboxConfig(job.python, (PACKAGE, *job.readable), (), MEMORY_BYTES, CPU_S)
            self._sandbox = Sandbox(config).__enter__()
            self._process = self._sandbox.spawn(
                [str(BOOT), job.kind], {"PYTHONHASHSEED": "0"},
                stdin=pipe, stdout=pipe, stderr=self._stderr,
            )  # fmt: skip
        else:
            self._process = subprocess.Popen(
                [str(job.python), "-B", str(BOOT), job.kind], cwd=job.folder,
                stdin=pipe, stdout=pipe, stderr=self._stderr,
            )  # fmt: skip
        return self

    def __exit__(self, *_: object) -> None:
        if self._sandbox is not None:
            self._sandbox.close()
        else:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()
        self._stderr.seek(0)
        self._complaint = self._stderr.read()[-2000:].decode("utf-8", "replace")
        self._stderr.close()

    def complaint(self) -> str:
        """Return the last line that the process wrote to standard error."""
        lines = self._complaint.strip().splitlines()
        return lines[-1][:300] if lines else "it ends without a word"

    def results(self, over: threading.Event) -> Iterator[Done]:
        """Yield what comes of each item until the process ends; the one it died at is lost."""
        sender = threading.Thread(target=self._send, daemon=True)
        sender.start()
        done: Done | None = None
        for line in self._lines(over):
            if line.startswith('{"item"'):
                done = Done(json.loads(line)["item"])
            elif done is not None and line.startswith('{"left"'):
                done.left.update(json.loads(line)["left"])
                yield done
                done = None
            elif done is not None:
                done.rows.append(line)
        if done is not None and not over.is_set():
            done.left[LOST if self._process.poll() is not None else SILENT] += 1
            yield done

    def _send(self) -> None:
        job = {**self._job.settings, "items": self._items}
        with contextlib.suppress(BrokenPipeError, OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(job).encode() + b"\n")
            self._process.stdin.close()

    def _lines(self, over: threading.Event) -> Iterator[str]:
        """Yield the lines of the process until it ends or is silent for too long."""
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        rest = b""
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            waited_s = 0.0
            while waited_s < self._job.silence_s and not over.is_set():
                if not selector.select(0.5):
                    waited_s += 0.5
                    continue
                waited_s = 0.0
                data = os.read(descriptor, 1 << 20)
                if not data:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        self._process.wait(5)
                    return
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    yield line.decode("utf-8", "replace")
