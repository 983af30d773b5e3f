"""How fast a log is read: ordinary lines with few crashes, and crashes only, beside grep.

Prints MB per second of one core's time; not a timed test, since the machine has other work.

    python bench/crashlog.py [MEGABYTES]
"""

from __future__ import annotations

import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nsdbg import crashlog

CRASH = b"""\
2026-01-02 10:00:00,000 ERROR shop: request failed
Traceback (most recent call last):
  File "/app/run.py", line 7, in <module>
    main()
  File "/app/shop/stock.py", line 4, in main
    return SHELF[name]
           ~~~~~^^^^^^
KeyError: 'bolt'
"""
LINES = 100_000  # ordinary lines between two crashes


def ordinary(seed: int) -> bytes:
    """Return ordinary lines of a web service's log."""
    rng = random.Random(seed)
    return b"".join(
        b"2026-01-02 10:%02d:%02d,%03d INFO  shop.web [worker-%d] GET /price/%d 200 %dms\n"
        % (rng.randrange(60), rng.randrange(60), rng.randrange(1000), rng.randrange(9),
           rng.randrange(10**6), rng.randrange(900))
        for _ in range(LINES)
    )  # fmt: skip


def write(path: Path, piece: bytes, size_bytes: int) -> None:
    """Fill a file with a piece over and over."""
    with path.open("wb") as file:
        while file.tell() < size_bytes:
            file.write(piece)


def measure(name: str, path: Path) -> None:
    """Read one file and print how fast that was."""
    size_mb = path.stat().st_size / 1e6
    started = time.process_time()
    count = sum(1 for _ in crashlog.read(path))
    seconds = time.process_time() - started
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"{name:<28}{size_mb:7.0f} MB {size_mb / seconds:8.1f} MB/s {count:7} crashes"
          f" {count / seconds:8.0f} crashes/s {peak_mb:6.0f} MB peak")  # fmt: skip


def main() -> None:
    """Measure a sparse and a dense log, and grep on the sparse one."""
    size_bytes = int(sys.argv[1] if len(sys.argv) > 1 else 200) * 10**6
    with tempfile.TemporaryDirectory() as folder:
        sparse, dense = Path(folder, "sparse.log"), Path(folder, "dense.log")
        write(sparse, ordinary(1) + CRASH, size_bytes)
        write(dense, CRASH, size_bytes // 50)
        measure("ordinary lines, few crashes", sparse)
        measure("crashes only", dense)
        if shutil.which("grep"):
            started = time.perf_counter()
            subprocess.run(["grep", "-c", "Traceback", sparse], check=False, capture_output=True)
            seconds = time.perf_counter() - started
            print(f"{'grep -c Traceback':<28}{'':10} {size_bytes / 1e6 / seconds:8.1f} MB/s")


if __name__ == "__main__":
    main()
