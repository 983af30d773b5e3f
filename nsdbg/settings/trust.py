"""What a project's own pyproject.toml may set: it can come with the code under test.

A key that is not named here is refused there, so a new option is closed until somebody opens it;
a test holds the two lists against the commands' options.
"""

from __future__ import annotations

from pathlib import Path

# Numbers, choices, and folders of the project itself: what is asked, and for how long.
LET = frozenset({
    "answers", "baseline", "budget", "compare", "corpus", "direction", "examples", "fail-on",
    "fail-over", "limit", "log-budget", "max-raw-hallucination", "max-residual", "max-solutions",
    "measure", "measure-examples", "no-exec", "oracle", "output-format", "proposers", "ratchet",
    "require-all",
    "seed", "shrink", "source-root", "to", "top", "total-budget", "verbose",
})  # fmt: skip

RUNS = "it decides what is run, and with which rights"
WRITES = "it decides which file is written"
SHOWS = "it decides which secrets are shown or kept"
ASKS = "it belongs to one call, and not to a project"

REFUSED: dict[str, str] = {
    **dict.fromkeys(("allow", "allow-weak-guard", "model", "provider", "python", "rules"), RUNS),
    **dict.fromkeys(
        ("emit-test", "html", "output", "plot", "record", "state-out", "write-baseline"), WRITES
    ),
    **dict.fromkeys(("secrets", "show-secrets"), SHOWS),
    **dict.fromkeys(
        ("action", "against", "diff", "formats", "jobs", "junit", "list", "log", "predict",
         "programs", "staged", "state", "traces", "where"),
        ASKS,
    ),
}  # fmt: skip


def refusal(key: str) -> str | None:
    """Return why a project's file may not set a key; None when it may."""
    if key in LET:
        return None
    return REFUSED.get(key, ASKS)


def stays_within(path: Path, folder: Path) -> bool:
    """Whether a path lies in a folder, links followed."""
    return path.resolve().is_relative_to(folder.resolve())
