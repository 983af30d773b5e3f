"""Reading never fails, whatever the bytes are, and finds every crash where it is."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nsdbg import crashlog
from nsdbg.crashlog import CrashReport, FrameKind, Link
from nsdbg.errors import CrashLogError

LOGS = Path(__file__).parent / "logs"
CRASH = """\
Traceback (most recent call last):
  File "/app/run.py", line 7, in <module>
    main()
  File "/app/shop/stock.py", line 4, in main
    return SHELF[name]
           ~~~~~^^^^^^
KeyError: 'bolt'
"""


def read(text: str | bytes) -> list[CrashReport]:
    return list(crashlog.read(text.encode() if isinstance(text, str) else text))


def only(text: str | bytes) -> CrashReport:
    (report,) = read(text)
    return report


def test_frames_are_oldest_first_with_source_and_carets() -> None:
    first, last = only(CRASH).frames
    assert (first.file, first.lineno, first.function) == ("/app/run.py", 7, "<module>")
    assert (last.source, last.carets, last.anchor) == ("return SHELF[name]", (7, 18), (12, 18))
    assert last.locals is None


def test_wide_characters_take_two_columns_of_the_caret_line() -> None:
    text = CRASH.replace("SHELF[name]", 'SHELF["四十"]').replace("~~~~~^^^^^^", "~~~~~^^^^^^^^")
    frame = only(text).frames[-1]
    assert frame.source is not None
    assert frame.anchor is not None
    assert frame.source[slice(*frame.anchor)] == '["四十"]'


def test_a_multi_line_source_of_3_13_is_kept_with_what_was_left_out() -> None:
    source = "    return dot(\n        [x for x in rows],\n    ...<2 lines>...\n    )"
    frame = only(CRASH.replace("    return SHELF[name]\n           ~~~~~^^^^^^", source)).frames[-1]
    assert frame.source == "return dot(\n    [x for x in rows],\n    ...<2 lines>...\n)"
    assert frame.carets is None


def test_a_local_shown_by_traceback_is_a_value() -> None:
    text = CRASH.replace(
        "~~~~~^^^^^^\n", "~~~~~^^^^^^\n    name = 'bolt'\n    rows = <Rows at 0x7f>\n"
    )
    frame = only(text).frames[-1]
    name, rows = frame.local("name"), frame.local("rows")
    assert name is not None
    assert (name.repr, name.type, name.literal) == ("'bolt'", "str", True)
    assert rows is not None
    assert (rows.type, rows.literal) == ("Rows", False)


def test_the_line_above_is_the_context() -> None:
    assert only("Exception in thread Thread-1 (job):\n" + CRASH).context == (
        "Exception in thread Thread-1 (job):"
    )


def test_what_a_program_prints_after_a_thread_died_is_no_note() -> None:
    report = only("Exception in thread Thread-1 (job):\n" + CRASH + "main done\n")
    assert report.notes == ()


def test_notes_at_the_end_of_a_program_are_notes() -> None:
    report = only(CRASH + "while reading line 2\nhint: three fields\n  e.g. a;b;c\n")
    assert report.notes == ("while reading line 2", "hint: three fields\n  e.g. a;b;c")
    assert report.message == "'bolt'"


def test_a_message_with_lines_that_look_like_a_traceback_is_one_message() -> None:
    text = CRASH.replace(
        "KeyError: 'bolt'", 'Odd: route\n\nTried:\n  - a\n\nKeyError: no\n  File "m", line 9, in s'
    )
    report = only(text)
    assert report.exception == "Odd"
    assert report.message == 'route\n\nTried:\n  - a\n\nKeyError: no\n  File "m", line 9, in s'
    assert report.final.message_guessed


def test_two_crashes_in_a_row_are_two() -> None:
    assert [one.lineno for one in read(CRASH + CRASH)] == [1, 8]


def test_distinct_crashes_are_counted_whatever_their_values_and_lines() -> None:
    other = CRASH.replace("'bolt'", "'nut'").replace("line 4", "line 5")
    different = CRASH.replace("in main", "in other")
    counted = crashlog.distinct(read(CRASH + other + different))
    assert [one.count for one in counted] == [2, 1]


@pytest.mark.parametrize(
    "line", ["", "Traceback", "KeyError: 'x'", 'File "x", line 3 of 40', "\x00\xff"]
)
def test_what_only_looks_like_a_traceback_is_no_crash(line: str) -> None:
    assert (
        read(f"2026-01-02 INFO how to read a 'Traceback (most recent call last)'\n{line}\n") == []
    )


def test_a_log_cut_at_the_top_says_so() -> None:
    report = only("".join(CRASH.splitlines(True)[3:]))
    assert (report.truncated, report.exception, len(report.frames)) == ("top", "KeyError", 1)


def test_a_log_cut_at_the_bottom_says_so() -> None:
    report = only("".join(CRASH.splitlines(True)[:5]))
    assert (report.truncated, report.exception, len(report.frames)) == ("bottom", None, 2)


def test_a_header_alone_is_a_crash_without_anything() -> None:
    report = only("Traceback (most recent call last):\n")
    assert (report.truncated, report.exception, report.frames) == ("bottom", None, ())


def test_lines_of_other_threads_between_are_stepped_over() -> None:
    lines = CRASH.splitlines(True)
    noise = '2026-01-02 10:00:00 [io-2] WARN slow read (File "/var/x", line 3)\n'
    report = only("".join(line + noise for line in lines))
    assert (report.exception, len(report.frames)) == ("KeyError", 2)


def test_a_syntax_error_of_the_script_has_no_header() -> None:
    text = (
        '  File "/app/run.py", line 2\n    if x = 1:\n       ^^^^^\nSyntaxError: invalid syntax\n'
    )
    report = only(text)
    assert report.frames == ()
    assert report.innermost_frame is not None
    assert (report.innermost_frame.lineno, report.innermost_frame.function) == (2, None)


def test_a_remote_traceback_is_the_root_cause() -> None:
    remote = f'mp.RemoteTraceback: \n"""\n{CRASH}"""\n\n'
    link = "The above exception was the direct cause of the following exception:\n\n"
    report = only(remote + link + CRASH.replace("/app/shop/stock.py", "/usr/lib/python3.12/x.py"))
    assert [one.exception for one in report.chain] == ["mp.RemoteTraceback", "KeyError"]
    assert report.chain[1].link is Link.CAUSE
    assert report.root_cause.innermost_user_frame is not None
    assert report.root_cause.innermost_user_frame.file == "/app/shop/stock.py"


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("/app/shop/stock.py", FrameKind.USER),
        ("C:\\shop\\stock.py", FrameKind.USER),
        ("<ipython-input-3-1f2e>", FrameKind.USER),
        ("/usr/lib/python3.12/json/decoder.py", FrameKind.STDLIB),
        ("C:\\Python312\\Lib\\json\\decoder.py", FrameKind.STDLIB),
        ("json\\decoder.py", FrameKind.STDLIB),
        ("<frozen importlib._bootstrap>", FrameKind.GENERATED),
        ("<string>", FrameKind.GENERATED),
        ("/opt/venv/lib/python3.12/site-packages/x/y.py", FrameKind.LIBRARY),
        ("pkg/loop.pyx", FrameKind.LIBRARY),
    ],
)
def test_whose_code_a_frame_runs_is_told_from_its_path(file: str, kind: FrameKind) -> None:
    frame = only(
        f'Traceback (most recent call last):\n  File "{file}", line 1, in f\nKeyError: 1\n'
    ).frames[0]
    assert frame.kind is kind


def test_a_log_in_windows_latin_shows_its_letters() -> None:
    report = only(CRASH.replace("shop", "gr\u00f6\u00dfe").encode("cp1252"))
    assert report.frames[1].file == "/app/gr\u00f6\u00dfe/stock.py"


def test_numbers_in_a_prefix_may_be_padded() -> None:
    lines = CRASH.splitlines()
    report = only("".join(f"[{at * 500:8}.1] app: {line}\n" for at, line in enumerate(lines)))
    assert (report.exception, len(report.frames)) == ("KeyError", 2)


def test_lines_of_the_logger_around_a_traceback_are_no_part_of_its_message() -> None:
    lines = "".join(f"2026-01-02 03:04:{at:02} INFO  shop.web - GET /{at}\n" for at in range(60))
    custom = CRASH.replace("KeyError: 'bolt'", "shop.Odd: first\nsecond")
    report = only(lines + custom + lines)
    assert report.message == "first\nsecond"
    assert report.carrier is None


def test_a_missing_file_is_our_error(tmp_path: Path) -> None:
    with pytest.raises(CrashLogError, match="cannot read"):
        list(crashlog.read(tmp_path / "none.log"))


def test_a_crash_across_the_borders_of_blocks_is_read_whole() -> None:
    for padding in range((1 << 20) - 400, (1 << 20) + 1, 61):
        filler = b"x" * (padding % 97) + b"\n"
        text = filler * (padding // len(filler)) + CRASH.encode()
        report = only(text)
        assert (report.exception, len(report.frames)) == ("KeyError", 2)


def test_a_log_of_crashes_only_is_read_in_linear_time_and_bounded_memory() -> None:
    def seconds(count: int) -> float:
        started = time.process_time()
        assert sum(1 for _ in crashlog.read(io.BytesIO(CRASH.encode() * count))) == count
        return time.process_time() - started

    seconds(200)
    assert seconds(4000) < 8 * seconds(1000) + 0.5


@pytest.mark.parametrize(
    "line",
    [
        'File "' * 20_000,
        "a" * 300_000,
        "Traceback (most recent call last):" * 4_000,
        "  + " * 50_000 + "Exception Group Traceback (most recent call last):",
        "E   " + "x = " * 40_000,
        '{"a":' * 30_000,
        "[" * 100_000,
        '\\n  File \\"' * 10_000,
        "&amp;" * 40_000 + "File &quot;",
        "A" + ".a" * 60_000 + ": x",
        "'" * 50_000 + 'Traceback (most recent call last):\\n  File "x", line 1, in f\\nE: x',
        "| " * 40_000,
    ],
    ids=lambda line: line[:12],
)
def test_no_line_takes_more_than_linear_time(line: str) -> None:
    text = f'{CRASH}{line}\n  File "x", line 1, in f\n{line}\nValueError: {line}\n'
    started = time.process_time()
    read(text * 2)
    assert time.process_time() - started < 5


samples = sorted(LOGS.glob("*.log"))


@st.composite
def mutated_logs(draw: st.DrawFn) -> bytes:
    lines = draw(st.sampled_from(samples)).read_bytes().splitlines(True)[:120]
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(lines)))
        action = draw(st.sampled_from(["cut", "junk", "swap", "double", "chop"]))
        if action == "cut":
            lines = lines[at:] if draw(st.booleans()) else lines[:at]
        elif action == "junk":
            lines.insert(at, draw(st.binary(max_size=40)) + b"\n")
        elif action == "swap" and at < len(lines):
            lines[0], lines[at] = lines[at], lines[0]
        elif action == "double":
            lines = lines[:at] + lines[max(0, at - 9) :]
        elif lines:
            at = min(at, len(lines) - 1)
            lines[at] = lines[at][: draw(st.integers(0, 60))]
    return b"".join(lines)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(mutated_logs() | st.binary(max_size=200))
def test_reading_never_fails_whatever_was_done_to_a_log(data: bytes) -> None:
    for report in crashlog.read(data):
        assert len(report.fingerprint) == 16
        assert report.lineno >= 1


def test_groups_without_a_traceback_that_follow_each_other_are_apart() -> None:
    text = (LOGS / "except_star_bare.log").read_text()
    found = read(text * 3)
    assert [len(one.leaves) for one in found] == [3, 3, 3]


def test_a_log_that_begins_within_a_chain_is_cut_at_the_top() -> None:
    link = "The above exception was the direct cause of the following exception:\n\n"
    assert only(f"KeyError: 1\n\n{link}{CRASH}").truncated == "top"


def test_the_summary_of_pytest_is_not_read_where_failures_stand_above() -> None:
    text = (LOGS / "pytest_long.log").read_text().partition("FAILURES")[2].partition("\n")[2]
    names = [one.context for one in read(text)]
    assert not any("::" in (name or "") for name in names)


def test_a_file_line_above_an_arrow_that_names_no_function_is_no_frame() -> None:
    assert read(f'File "a.py", line 3\n--> 3 x\n    {"." * 50}\n') == []


@pytest.mark.parametrize("indent", ["", "  "])
def test_groups_inside_groups_without_end_are_read(indent: str) -> None:
    rule = "+-+---------------- 1 ----------------\n"
    log = "".join(indent * (depth + 1) + rule for depth in range(2000))
    head = "  + Exception Group Traceback (most recent call last):\n"
    assert all(report.exception is None for report in crashlog.read((head + log).encode()))
    assert all(report.exception is None for report in crashlog.read(log.encode()))
