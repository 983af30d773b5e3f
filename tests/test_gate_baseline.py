"""The baseline: what is known again, what the file says, and what is never lost."""

from __future__ import annotations

import fcntl
import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nsdbg.errors import BaselineError
from nsdbg.finding import Finding, Place, Rule, Step, fingerprint
from nsdbg.gate.baseline import Accepted, Baseline, key_of
from nsdbg.gate.baseline_file import baseline_text, read_baseline, write_baseline


def finding(
    text: str = "return cells[1]", lineno: int = 3, rule: Rule = Rule.NEW_CRASH, file: str = "a.py"
) -> Finding:
    return Finding(
        rule, f"raises at {lineno}", fingerprint(rule, file, "f", "IndexError"),
        Place(file, lineno, text, "f"), exception="IndexError",
    )  # fmt: skip


def logged(place_text: str, raised_text: str) -> Finding:
    """Return a logged crash whose likeliest line is another one than the line that raised."""
    step = Step(Place("a.py", 3, raised_text, "f"), "exception")
    one = finding(place_text, 2, Rule.LOGGED_CRASH)
    return replace(one, path=(Step(Place("a.py", 9, "f()", "g"), "line"), step))


def entry(text: str = "return x", count: int = 1, rule: str = "new-crash") -> Accepted:
    return Accepted("a.py", "f", rule, "IndexError", text, "0" * 16, count)


def accept(*findings: Finding) -> Baseline:
    return Baseline().with_all(findings)


def test_a_finding_is_known_again_when_its_line_moved_or_was_indented() -> None:
    moved = finding("  return   cells[1]", lineno=80)
    assert accept(finding()).split([moved]) == ([], [moved])


def test_a_finding_is_new_when_its_line_reads_otherwise() -> None:
    other = finding("return cells[2]")
    assert accept(finding()).split([other]) == ([other], [])


def test_a_finding_more_than_was_accepted_is_new() -> None:
    two = [finding(lineno=3), finding(lineno=9)]
    new, known = accept(*two).split([*two, finding(lineno=20)])
    assert known == two
    assert new == [finding(lineno=20)]


def test_of_a_logged_crash_the_line_that_raised_counts_not_the_likeliest() -> None:
    before = logged("cells = x.split()", "return cells[1]")
    ranked_otherwise = logged("return cells[1]", "return cells[1]")
    edited = logged("cells = x.split()", "return cells[2]")
    assert accept(before).split([ranked_otherwise, edited]) == ([edited], [ranked_otherwise])
    assert accept(before).entries[0].text == "return cells[1]"


def test_a_measured_rate_is_never_accepted() -> None:
    rate = Finding(Rule.RAW_HALLUCINATION, "60 %", "f" * 16)
    unused = Finding(Rule.UNUSED_IGNORE, "not needed", "e" * 16)
    assert accept(rate, unused) == Baseline()
    smuggled = Baseline((replace(entry(""), fingerprint="f" * 16),))
    assert smuggled.split([rate]) == ([rate], [])


def test_accepting_more_loses_nothing_and_counts_the_most_there_were() -> None:
    held = Baseline((entry(), replace(entry("x = 1"), count=3)))
    one = replace(finding("x = 1"), fingerprint="0" * 16)
    grown = held.with_all([one, finding()])
    assert [(each.text, each.count) for each in grown.entries] == [
        ("return cells[1]", 1), ("return x", 1), ("x = 1", 3),
    ]  # fmt: skip


def test_what_is_not_found_any_more_is_stale_where_it_was_asked_about() -> None:
    held = accept(finding(), finding(), finding("y = 1"))
    stale = held.stale([finding()], asked=lambda one: True)
    assert [(one.text, one.count) for one in stale] == [("return cells[1]", 1), ("y = 1", 1)]
    assert held.stale([], asked=lambda one: False) == ()
    assert held.without(stale) == accept(finding())


def test_two_entries_about_the_same_finding_are_no_baseline() -> None:
    with pytest.raises(ValueError, match="same finding"):
        Baseline((entry(), entry(count=2)))
    with pytest.raises(ValueError, match="count is 0"):
        entry(count=0)


texts = st.text(st.characters(), max_size=12)
entries = st.lists(
    st.builds(
        Accepted, texts, texts, st.sampled_from([rule.slug for rule in Rule]), texts, texts, texts,
        st.integers(1, 9),
    ),
    max_size=5, unique_by=lambda one: one.key,
)  # fmt: skip


@given(entries)
def test_a_file_gives_back_what_was_written_whatever_the_texts(found: list[Accepted]) -> None:
    baseline = Baseline(tuple(found))
    data = baseline_text(baseline).encode("utf-8", "backslashreplace")
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"nsdbg-baseline-{os.getpid()}.json"
    path.write_bytes(data)
    try:
        assert read_baseline(path) == baseline
    finally:
        path.unlink()


def test_the_text_is_sorted_and_gives_each_finding_a_block_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    write_baseline(path, lambda now: now.with_all([finding(file="b.py"), finding()]))
    assert (
        path.read_text()
        == """\
{
  "schema": "nsdbg.baseline/1",
  "findings": [
    {
      "rule": "new-crash",
      "fingerprint": "FIRST",
      "file": "a.py",
      "function": "f",
      "exception": "IndexError",
      "text": "return cells[1]",
      "count": 1
    },
    {
      "rule": "new-crash",
      "fingerprint": "SECOND",
      "file": "b.py",
      "function": "f",
      "exception": "IndexError",
      "text": "return cells[1]",
      "count": 1
    }
  ]
}
""".replace("FIRST", key_of(finding())[0]).replace("SECOND", key_of(finding(file="b.py"))[0])
    )


def test_a_file_that_is_not_there_is_none(tmp_path: Path) -> None:
    assert read_baseline(tmp_path / "none.json") is None


WHOLE = baseline_text(accept(finding()))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "broken: Expecting value"),
        ("[]", "no schema"),
        ("{}", "no schema"),
        (WHOLE[: len(WHOLE) // 2], "broken"),
        (WHOLE.replace("/1", "/2"), "another version: schema 'nsdbg.baseline/2'"),
        (WHOLE.replace('"count": 1', '"count": 1, "count": 2'), "key 'count' twice"),
        (WHOLE.replace('"count": 1', '"count": 0'), "count is 0"),
        (WHOLE.replace('"count": 1', '"count": true'), "count has to be int"),
        (WHOLE.replace('"count": 1', '"count": 1, "line": 3'), "has to have the keys"),
        (WHOLE.replace("new-crash", "new-crsh"), "no rule 'new-crsh'"),
        (WHOLE.replace('"findings": [', '"more": 1, "findings": ['), "nothing else"),
        (WHOLE.replace('"findings": [', "\n<<<<<<< HEAD\n"), "baseline.json:4 has the marks of a"),
        ("[" * 100_000, "broken"),
    ],
)  # fmt: skip
def test_what_is_no_baseline_is_told_and_never_written_over(
    tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text)
    with pytest.raises(BaselineError, match=said):
        read_baseline(path)
    with pytest.raises(BaselineError, match=said):
        write_baseline(path, lambda now: now.with_all([finding()]))
    assert path.read_text() == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_no_text_or_cannot_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BaselineError, match="no UTF-8 at byte 0"):
        read_baseline(path)
    with pytest.raises(BaselineError, match=r"cannot read .*directory"):
        read_baseline(tmp_path)
    with pytest.raises(BaselineError, match="cannot write"):
        write_baseline(tmp_path / "none" / "baseline.json", lambda now: now)


def test_a_pipe_is_no_baseline_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "b.json")
    with pytest.raises(BaselineError, match="it is no file"):
        read_baseline(tmp_path / "b.json")


def test_writing_keeps_permissions_and_links_and_leaves_nothing_behind(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text(WHOLE)
    real.chmod(0o640)
    link.symlink_to(real)
    write_baseline(link, lambda now: now.with_all([finding("z = 1")]))
    assert link.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert len(json.loads(real.read_text())["findings"]) == 2
    assert sorted(tmp_path.iterdir()) == [link, real]


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(WHOLE)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(BaselineError, match="No space left"):
        write_baseline(path, lambda now: now.with_all([finding("z = 1")]))
    assert path.read_text() == WHOLE
    assert list(tmp_path.iterdir()) == [path]


def test_a_job_that_waits_too_long_for_another_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(WHOLE)
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        with pytest.raises(BaselineError, match="is being written by another nsdbg gate"):
            write_baseline(path, lambda now: now.with_all([finding("z = 1")]), wait_s=0.0)
    finally:
        os.close(folder)
    assert path.read_text() == WHOLE


WRITER = """
import sys
from pathlib import Path
from nsdbg.finding import Finding, Place, Rule
from nsdbg.gate.baseline_file import write_baseline
for number in range(15):
    one = Finding(Rule.NEW_CRASH, "", f"{sys.argv[2]}{number}", Place("a.py", 1, "x", "f"))
    write_baseline(Path(sys.argv[1]), lambda now: now.with_all([one]))
"""


def test_two_jobs_that_write_one_baseline_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    jobs = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in "ab"]
    assert [job.wait() for job in jobs] == [0, 0]
    found = read_baseline(path)
    assert found is not None
    assert {one.fingerprint for one in found.entries} == {
        f"{name}{number}" for name in "ab" for number in range(15)
    }
