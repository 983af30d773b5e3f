"""Read logs that were changed at random, for long: nothing may fail, and nothing may take long.

    python bench/fuzz.py mutations [COUNT] [SEED]     hypothesis; 100,000 logs by default
    python bench/fuzz.py atheris [SECONDS]            coverage-guided; 600 seconds by default
    python bench/fuzz.py growth                       each log repeated: time must grow with size

What fails is written to a file of this folder that git ignores, and named.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

SHARED = ROOT.parent / "shared" / "data" / "crashlogs"
GROWTH = (4, 32)  # times a log is repeated
STEEPER = 3.0  # times as much time for each byte counts as growing too fast
LEAST_S = 0.05  # less is noise


def texts() -> list[bytes]:
    """Return what is changed: the repository's logs, and the shared ones where they are."""
    from mutations import seeds

    return [*seeds(), *(path.read_bytes()[:20_000] for path in sorted(SHARED.glob("*.log")))]


def mutations(count: int, seed: int) -> None:
    """Check as many changed logs; a failure is shrunk, printed and raised."""
    import hypothesis
    from mutations import check, mutated

    done = [0]
    started = time.monotonic()

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count, deadline=None, database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    @hypothesis.given(mutated(texts()))
    def run(text: bytes) -> None:
        done[0] += 1
        if done[0] % 1000 == 0:
            print(f"{done[0]:7} logs, {time.monotonic() - started:6.0f} s", flush=True)
        try:
            check(text)
        except BaseException:
            keep(text)
            raise

    run()
    print(f"{done[0]} changed logs were read; none failed or took too long")


def keep(text: bytes) -> None:
    """Write a log that failed, over the one before it."""
    path = Path(tempfile.gettempdir(), "nsdbg-fuzz-failure.log")
    path.write_bytes(text)
    print(f"failing log: {path}", file=sys.stderr)


def coverage_guided(seconds: int) -> None:
    """Let atheris change the logs, guided by the lines of the reader it reaches."""
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed (it has wheels up to Python 3.13): pip install atheris")
    with atheris.instrument_imports(include=["nsdbg"]):  # before anything else imports it
        from mutations import SPLICES, check
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        for number, text in enumerate(texts()):
            (corpus / str(number)).write_bytes(text[:8_000])
        words = Path(folder, "words")
        words.write_text("".join(f'"{_escaped(one)}"\n' for one in SPLICES))
        arguments = [sys.argv[0], f"-max_total_time={seconds}", "-max_len=12000", "-timeout=10",
                     f"-dict={words}", "-print_final_stats=1", "-rss_limit_mb=2048",
                     f"-artifact_prefix={tempfile.gettempdir()}/nsdbg-fuzz-",
                     str(corpus)]  # fmt: skip
        atheris.Setup(arguments, check)
        atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(
        chr(one) if 32 < one < 127 and one not in b'"\\' else f"\\x{one:02x}" for one in word
    )


def growth() -> None:
    """Read every log many times over in one piece, and compare the time for each byte."""
    from mutations import LOGS, read_in_time

    steep = []
    for path in [*sorted(LOGS.glob("*.log")), *sorted(SHARED.glob("*.log"))]:
        text = path.read_bytes()[:20_000]
        spent = []
        for times in GROWTH:
            started = time.process_time()
            read_in_time(text * times)
            spent.append(time.process_time() - started)
        if spent[1] > LEAST_S and spent[1] > STEEPER * spent[0] * GROWTH[1] / GROWTH[0]:
            steep.append(f"{path.name}: {spent[0]:.3f} s, {spent[1]:.3f} s")
    print("\n".join(steep) or "time grows with size for every log")
    sys.exit(bool(steep))


def main() -> None:
    """Run what was asked for."""
    what, *numbers = sys.argv[1:] or ["mutations"]
    if what == "mutations":
        mutations(int(numbers[0] if numbers else 100_000), int(numbers[1] if numbers[1:] else 0))
    elif what == "atheris":
        coverage_guided(int(numbers[0] if numbers else 600))
    elif what == "growth":
        growth()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
