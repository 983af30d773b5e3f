"""`nsdbg parse` answers with text or JSON, and says what is wrong with a log that holds nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CRASH = """\
Traceback (most recent call last):
  File "/app/run.py", line 7, in <module>
    main()
KeyError: 'bolt'
"""


def parse(*arguments: str, given: bytes = b"") -> tuple[int, str, str]:
    run = subprocess.run(
        [sys.executable, "-c", "from nsdbg.cli import main; main()", "parse", *arguments],
        input=given, capture_output=True, check=False,
    )  # fmt: skip
    return run.returncode, run.stdout.decode(), run.stderr.decode()


def test_a_crash_on_standard_input_is_answered_with_0() -> None:
    code, out, err = parse("-", given=CRASH.encode())
    assert (code, err) == (0, "")
    assert out.startswith("KeyError: 'bolt'  [line 1, cpython]")


def test_the_json_is_one_document(tmp_path: Path) -> None:
    log = tmp_path / "crash.log"
    log.write_text(CRASH * 2)
    code, out, _ = parse(str(log), "--output-format", "json")
    document = json.loads(out)
    assert (code, document["schema"]) == (0, "nsdbg.parse/1")
    assert [one["count"] for one in document["crashes"]] == [2]


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "it is empty"),
        (bytes(range(256)) * 20, "binary data"),
        (b"PK\x03\x04" + b"x" * 99, "zip archive; unpack it first"),
        (b"2026-01-02 INFO fine\n", "no Python traceback"),
        (b"INFO a Traceback is not shown\n", "shows none"),
    ],
)
def test_a_log_without_a_crash_is_one_message_and_1(
    tmp_path: Path, content: bytes, word: str
) -> None:
    log = tmp_path / "some.log"
    log.write_bytes(content)
    code, out, err = parse(str(log))
    assert (code, out) == (1, "")
    assert err.startswith(f"nsdbg: no crash found in {log}: ")
    assert word in err
    assert err.count("\n") == 1


def test_json_of_a_log_without_a_crash_is_still_a_document() -> None:
    code, out, _ = parse("--output-format", "json", given=b"nothing\n")
    assert (code, json.loads(out)["crashes"]) == (1, [])


def test_a_log_that_is_not_there_is_2(tmp_path: Path) -> None:
    code, out, err = parse(str(tmp_path / "none.log"))
    assert (code, out) == (2, "")
    assert err == f"nsdbg: there is no file {tmp_path / 'none.log'} (use - for standard input)\n"


def test_a_directory_is_2(tmp_path: Path) -> None:
    code, _, err = parse(str(tmp_path))
    assert code == 2
    assert "is a directory: name the log file in it" in err


def test_the_formats_are_listed() -> None:
    code, out, _ = parse("--formats")
    assert code == 0
    assert "  pytest " in out


# The fields that the issue names; more may be there.
CRASH_FIELDS = {
    "exception", "message", "chain", "frames", "innermost_frame", "innermost_user_frame",
    "root_cause", "leaves", "repeated", "truncated", "count", "fingerprint", "format", "reading",
}  # fmt: skip
FRAME_FIELDS = {"file", "lineno", "function", "source", "locals", "kind"}


def test_the_json_has_the_fields_that_are_promised(tmp_path: Path) -> None:
    log = tmp_path / "crash.log"
    log.write_text(CRASH)
    (crash,) = json.loads(parse(str(log), "--output-format", "json")[1])["crashes"]
    assert set(crash) >= CRASH_FIELDS
    for frame in (crash["innermost_frame"], crash["innermost_user_frame"], *crash["frames"]):
        assert set(frame) >= FRAME_FIELDS
    for one in (crash["root_cause"], *crash["chain"]):
        assert set(one) >= {"exception", "message", "frames"}
    assert crash["innermost_frame"] == {
        "file": "/app/run.py", "lineno": 7, "function": "<module>", "source": "main()",
        "carets": None, "locals": None, "arguments": None, "truncated_locals": [], "kind": "user",
    }  # fmt: skip
    assert crash["reading"]["fault"] == "your line"


def test_the_list_is_a_table_with_counts_and_times(tmp_path: Path) -> None:
    log = tmp_path / "crash.log"
    log.write_text("".join(f"2026-01-0{day} 10:00:00 ERROR x\n{CRASH}" for day in (2, 3, 4)))
    code, out, _ = parse(str(log), "--list")
    head, row = out.splitlines()
    assert (code, head.split()[0]) == (0, "COUNT")
    assert row.split()[:5] == ["3", "2026-01-02", "10:00:00", "2026-01-04", "10:00:00"]
    assert row.endswith("KeyError: 'bolt' at /app/run.py:7")
