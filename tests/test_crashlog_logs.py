"""Logs that real tools printed are read as they should be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nsdbg import crashlog
from nsdbg.crashlog import CrashReport, LoggedFrame
from nsdbg.crashlog.formats import formats_markdown, formats_text

ROOT = Path(__file__).resolve().parent.parent
LOGS = Path(__file__).parent / "logs"
INDEX = [json.loads(line) for line in (LOGS / "index.jsonl").read_text().splitlines()]


def place(frame: LoggedFrame | None) -> str | None:
    return None if frame is None else f"{frame.file}:{frame.lineno}:{frame.function}"


def told(report: CrashReport) -> dict[str, object]:
    """Return what the index says of a crash."""
    own = report.innermost_user_frame
    found: dict[str, object] = {
        "exception": report.exception,
        "message": report.message,
        "chain": [one.exception for one in report.chain],
        "format": report.format,
        "frames": len(report.frames),
        "innermost": place(report.innermost_frame),
        "own": place(own),
        "root": report.root_cause.exception,
        "carrier": report.carrier,
        "truncated": report.truncated,
        "repeated": report.repeated,
        "leaves": [leaf.exception for leaf in report.leaves],
        "notes": list(report.notes),
    }
    if own is not None and own.locals is not None:
        found["locals"] = {name: value.repr for name, value in own.locals}
    return {key: value for key, value in found.items() if value or key in ("exception", "message")}


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: str(entry["file"]))
def test_a_log_is_read_as_the_index_says(entry: dict[str, object]) -> None:
    found = [told(one) for one in crashlog.read(LOGS / str(entry["file"]))]
    wanted = entry["crashes"]
    assert isinstance(wanted, list)
    assert found == [
        {key: value for key, value in one.items() if value or key in ("exception", "message")}
        for one in wanted
    ]


def test_every_log_is_in_the_index() -> None:
    assert {str(entry["file"]) for entry in INDEX} == {path.name for path in LOGS.glob("*.log")}


def test_the_page_of_formats_is_made_from_the_list() -> None:
    assert (ROOT / "docs" / "formats.md").read_text() == formats_markdown()


def test_every_layout_and_carrier_is_listed() -> None:
    text = formats_text()
    for name in ("cpython", "pytest", "rich", "ipython", "json", "html"):
        assert f"  {name} " in text
