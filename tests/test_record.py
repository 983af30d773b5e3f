"""A record holds what its exception was, and writing it changes nothing of the program."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import stat
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from test_crashlog_roundtrip import exceptions, raised, type_name

import nsdbg
from nsdbg import crashlog
from nsdbg.crashlog import CrashReport, LoggedException
from nsdbg.record import CrashHandler, Recorder
from nsdbg.record.secrecy import is_secret, without_secrets
from nsdbg.record.sink import MOST_FILES, Sink
from nsdbg.record.snapshot import MOST_FRAMES
from nsdbg.record.values import LONGEST, text_of
from nsdbg.report.crash import crashes_json
from nsdbg.rulebook import Rulebook
from nsdbg.verify.interpreters import Interpreter, find_interpreters

RECORD = Path(nsdbg.__file__).parent / "record"


def recorded(error: BaseException, secrets: bool = False) -> str:
    stream = io.StringIO()
    recorder = Recorder(stream, secrets)
    assert recorder.record(error), recorder.problem
    return stream.getvalue()


def read(text: str) -> CrashReport:
    (report,) = crashlog.read(text.encode())
    return report


def caught(function: Any, *arguments: Any) -> BaseException:
    try:
        function(*arguments)
    except BaseException as error:
        return error
    raise AssertionError


# What comes back -------------------------------------------------------------------------------


def assert_same(one: LoggedException, te: traceback.TracebackException) -> None:
    assert one.exception == type_name(te)
    assert one.message == str(te)
    assert list(one.notes) == (te.__notes__ or [])
    assert [(f.file, f.lineno, f.function) for f in one.frames] == [
        (f.filename, f.lineno, f.name) for f in te.stack
    ]
    assert [f.source for f in one.frames] == [f.line or None for f in te.stack]
    assert len(one.members) == len(te.exceptions or [])
    for chain, member in zip(one.members, te.exceptions or [], strict=True):
        assert_same(chain[-1], member)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(exceptions)
def test_reading_a_record_gives_back_the_exception(error: BaseException) -> None:
    report = read(recorded(error, secrets=True))
    te = traceback.TracebackException.from_exception(error)
    assert (report.format, report.truncated) == ("nsdbg", None)
    for one in reversed(report.chain):
        assert_same(one, te)
        inner = te.__cause__ or (None if te.__suppress_context__ else te.__context__)
        assert (one.link is None) == (inner is None)
        if inner is not None:
            assert one.link is not None
            assert one.link.value == ("cause" if te.__cause__ else "context")
            te = inner


def place(rows: list[int], at: int, name: str) -> int:
    return rows[at]


def test_the_values_of_every_frame_come_back() -> None:
    final = read(recorded(caught(place, [1, 2], 2, "tea"))).final
    values = {
        name: (one.repr, one.type, one.literal) for name, one in final.frames[-1].locals or ()
    }
    assert values == {
        "rows": ("[1, 2]", "list", True), "at": ("2", "int", True), "name": ("'tea'", "str", True),
    }  # fmt: skip


def test_what_was_run_of_a_line_is_marked() -> None:
    frame = read(recorded(caught(place, [], 2, ""))).frames[-1]
    assert frame.source == "return rows[at]"
    assert frame.carets == (7, 15)


def test_recursion_is_folded_as_it_is_printed() -> None:
    def down(number: int) -> int:
        return down(number + 1)

    error = caught(down, 0)
    report, printed = read(recorded(error)), "".join(traceback.format_exception(error))
    (plain,) = crashlog.read(printed.encode())
    assert (report.repeated, len(report.frames)) == (plain.repeated, len(plain.frames))


def test_frames_beyond_the_limit_are_counted_and_said_to_be_missing() -> None:
    def even(number: int) -> int:
        return odd(number - 1) if number else 1 // number

    def odd(number: int) -> int:
        return even(number - 1)

    report = read(recorded(caught(even, 600)))
    assert (len(report.frames), report.truncated) == (MOST_FRAMES, "middle")
    assert report.innermost_frame is not None
    assert dict(report.innermost_frame.locals or ())["number"].repr == "0"


def test_a_syntax_error_names_its_place() -> None:
    error = caught(compile, "x = (1,\n", "broken.py", "exec")
    found = read(recorded(error)).final
    assert found.place is not None
    assert (found.place.file, found.place.lineno, found.place.source) == ("broken.py", 1, "x = (1,")


def test_a_remote_traceback_in_a_message_is_found() -> None:
    inner = f'\n"""\n{"".join(traceback.format_exception(caught(place, [], 2, "")))}"""'
    error = RuntimeError("failed")
    error.__cause__ = type("_RemoteTraceback", (Exception,), {})(inner)
    assert read(recorded(error)).root_cause.exception == "IndexError"


def test_a_record_is_found_in_what_wraps_it() -> None:
    line = recorded(caught(place, [], 2, '</b>\x1b[31m\\n  File "x", line 1, in f\n&lt;'))
    wrapped = {
        "docker": json.dumps({"log": line, "stream": "stderr", "time": "2026-01-02T03:04:05Z"}),
        "nested": json.dumps({"level": "error", "crash": json.loads(line)}),
        "syslog": f"Jan  2 03:04:05 host app[7]: {line}Jan  2 03:04:06 host app[7]: more",
        "indented": json.dumps(json.loads(line), indent=2),
        "plain": f"INFO before\n{line}INFO after\n",
    }
    expected = crashes_json([read(line)], Rulebook())
    for name, text in wrapped.items():
        found: Any = crashes_json([read(text)], Rulebook())
        for crash in found["crashes"]:
            crash["log_lineno"], crash["carrier"] = 1, None
            crash["first_seen"] = crash["last_seen"] = read(line).first_seen
        assert found == expected, name


def test_a_record_that_lies_is_read_without_failing() -> None:
    for chain in ("[]", "3", '[{"type": 3, "frames": [{"lineno": -1, "carets": [5, 2]}, 7]}]'):
        text = f'{{"schema": "nsdbg.crash/1", "chain": {chain}}}\n'
        for report in crashlog.read(text.encode()):
            assert report.exception is None


def test_a_line_that_looks_sealed_and_is_not_is_passed_over() -> None:
    text = "stderr='Traceback (most recent call last):\\n\\x1fabc\\n  File \"a\", line 1, in f\\n'"
    assert len(list(crashlog.read(text.encode()))) <= 1


def test_what_a_frame_record_claims_of_a_value_is_judged_from_its_text() -> None:
    line = recorded(caught(place, [], 2, "")).replace('"repr": "2"', '"repr": "os.remove(1)"')
    value = dict(read(line).frames[-1].locals or ())["at"]
    assert (value.repr, value.literal) == ("os.remove(1)", False)


# Secrets ---------------------------------------------------------------------------------------


def log_in(user: str, password: str) -> None:
    headers = {"Authorization": "Basic aGVsbG86d29ybGQ", "Accept": "*/*"}
    value = password
    raise ValueError(f"{user}: {value} was refused, {len(headers)}")


def test_likely_secrets_are_left_out_wherever_they_stand() -> None:
    error = caught(log_in, "ann", "correct horse battery")
    text = recorded(error)
    assert "correct horse" not in text
    assert "aGVsbG86" not in text
    values = dict(read(text).frames[-1].locals or ())
    assert values["user"].repr == "'ann'"
    assert values["headers"].repr == "{'Authorization': '<redacted>', 'Accept': '*/*'}"
    assert values["headers"].truncated
    assert not values["password"].literal


def test_secrets_are_kept_when_asked_for() -> None:
    report = read(recorded(caught(log_in, "ann", "correct horse battery"), secrets=True))
    assert report.message == "ann: correct horse battery was refused, 2"
    assert dict(report.frames[-1].locals or ())["password"].literal


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("User(name='a', password='x y')", "User(name='a', password='<redacted>')"),
        ("{'api-key': b'123456'}", "{'api-key': b'<redacted>'}"),
        ("token count = 7, token='t'", "token count = 7, token='<redacted>'"),
        ("tokens=['a']", "tokens=['a']"),
        ("key = sk-aaaaaaaaaaaaaaaaaaaa", "key = <redacted>"),
        ("no database, password=hunter2xyz", "no database, password=<redacted>"),
        ("AWS_SECRET_ACCESS_KEY=wJalr/9b", "AWS_SECRET_ACCESS_KEY=<redacted>"),
        ("GET /x?token=ab12cd&page=1", "GET /x?token=<redacted>&page=1"),
        ("password: hunter2", "password: <redacted>"),
        ("max_tokens=4096", "max_tokens=4096"),
        ("connect(token=token, password=self.password)",) * 2,
    ],
)
def test_a_text_behind_a_telling_key_is_marked(text: str, left: str) -> None:
    assert without_secrets(text) == left


def test_a_long_text_of_telling_keys_is_read_in_no_time() -> None:
    """Looking from each key to the end of the text would take minutes."""
    text = "password=" * 200_000
    assert without_secrets(text) == text


def test_empty_values_are_no_secrets() -> None:
    assert not is_secret("password", "None")
    assert text_of("token", "").repr == "''"
    assert text_of("password", None).repr == "None"


# Values ----------------------------------------------------------------------------------------


class Endless:
    def __repr__(self) -> str:
        while True:
            pass


class Broken:
    def __repr__(self) -> str:
        raise SystemExit(9)


class Many(list[int]):
    def __repr__(self) -> str:
        raise AssertionError("its repr may take long")


@pytest.mark.parametrize(
    ("value", "text", "cut"),
    [
        ([1, "a", None, (2,)], "[1, 'a', None, (2,)]", False),
        ({1: {2}, "x": frozenset()}, "{1: {2}, 'x': frozenset()}", False),
        (Endless(), "<Endless object>", True),
        (Broken(), "<Broken object>", True),
        (Many(range(20_000)), "<Many object>", True),
    ],
)
def test_a_value_is_written_as_python_does_or_said_to_be_cut(
    value: object, text: str, cut: bool
) -> None:
    found = text_of("x", value)
    assert (found.repr, found.truncated) == (text, cut)


def test_an_integer_that_python_refuses_to_print_is_described() -> None:
    found = text_of("x", 1 << 20_000)
    assert (found.repr, found.truncated) == ("<int of 20001 bits>", True)


def test_no_value_is_long_or_deep() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    for value in (list(range(10**6)), "x" * 10**6, {n: str(n) for n in range(10**5)}, deep):
        found = text_of("x", value)
        assert len(found.repr) < 3 * LONGEST
        assert found.truncated


# Files -----------------------------------------------------------------------------------------


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("open_umask")
def test_records_are_their_owner_s_alone(tmp_path: Path) -> None:
    folder, lines = tmp_path / "a" / "crashes", tmp_path / "b" / "crashes.jsonl"
    for target in (folder, lines):
        recorder = Recorder(target)
        assert recorder.record(ValueError("x")), recorder.problem
    (file,) = folder.iterdir()
    assert [mode(one) for one in (folder, folder.parent, file)] == [0o700, 0o700, 0o600]
    assert [mode(one) for one in (lines.parent, lines)] == [0o700, 0o600]


def test_a_file_that_others_may_read_is_closed_to_them(tmp_path: Path) -> None:
    lines = tmp_path / "crashes.jsonl"
    lines.touch(0o644)
    Sink(lines).write("{}", "x")
    assert mode(lines) == 0o600


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("kept")
    (tmp_path / "crashes.jsonl").symlink_to(target)
    recorder = Recorder(tmp_path / "crashes.jsonl")
    assert not recorder.record(ValueError("x"))
    assert recorder.problem is not None
    assert target.read_text() == "kept"


def test_a_folder_keeps_the_newest_and_touches_nothing_else(tmp_path: Path) -> None:
    for number in range(MOST_FILES + 5):
        (tmp_path / f"20200101T000000.{number:06}-1-X.json").touch()
    (tmp_path / "mine.json").touch()
    Recorder(tmp_path).record(ValueError("x"))
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == MOST_FILES + 1
    assert "mine.json" in names
    assert "20200101T000000.000006-1-X.json" in names
    assert "20200101T000000.000005-1-X.json" not in names


def test_the_same_exception_is_recorded_once_and_its_like_ten_times(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "crashes.jsonl")
    error = caught(place, [], 2, "")
    assert [recorder.record(error), recorder.record(error)] == [True, False]
    # All alive at once: one that is made where another was freed counts as the same.
    alike = [caught(place, [], number, "") for number in range(20)]
    written = [recorder.record(each) for each in alike]
    assert written.count(True) == 9


# Logging ---------------------------------------------------------------------------------------


def test_a_handler_records_what_is_logged_with_its_exception(tmp_path: Path) -> None:
    logger = logging.Logger("shop")
    handler = CrashHandler(tmp_path / "crashes.jsonl")
    logger.addHandler(handler)
    try:
        place([], 2, "tea")
    except IndexError:
        logger.exception("no %s", "tea")
        logger.warning("below the level", exc_info=True)
    logger.error("nothing to record")
    (report,) = crashlog.read(tmp_path / "crashes.jsonl")
    assert (report.exception, report.context) == ("IndexError", "ERROR shop: no tea")


def test_a_handler_that_cannot_write_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    logger = logging.Logger("shop")
    handler = CrashHandler("/dev/null/crashes.jsonl")
    logger.addHandler(handler)
    try:
        place([], 2, "tea")
    except IndexError:
        logger.exception("no tea")
    assert capsys.readouterr() == ("", "")
    assert handler.recorder.problem is not None


# Programs --------------------------------------------------------------------------------------

PROGRAM = """\
import asyncio, atexit, os, sys, threading

def fail(rows):
    return rows[len(rows)]

class Closing:
    def __del__(self):
        fail("closing")

async def forgotten():
    asyncio.create_task(asyncio.sleep(0, fail)).add_done_callback(lambda task: fail("task"))
    await asyncio.sleep(0.01)

atexit.register(print, "at exit")
print(sys.argv[1:], sys.path[0], __name__, __file__, len(sys.meta_path))
print(os.environ.get("PYTHONPATH"), [name for name in os.environ if "NSDBG" in name])
thread = threading.Thread(target=fail, args=([1],), name="worker")
thread.start(); thread.join()
Closing()
asyncio.run(forgotten())
what = sys.argv[1]
if what == "exit": sys.exit(7)
if what == "say": sys.exit("bye")
if what == "interrupt": raise KeyboardInterrupt
if what == "abort": os.abort()
if what == "hook": sys.excepthook = lambda kind, error, tb: print("own hook", error)
try:
    fail("first")
except IndexError as error:
    raise ValueError("last") from error
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("program")
    (folder / "app.py").write_text(PROGRAM)
    (folder / "json.py").write_text("raise SystemError('json.py of the current folder')\n")
    return folder


def outcome(command: list[str], folder: Path, record: Path | None = None) -> tuple[object, ...]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    run = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=folder, env=environment
    )
    return run.returncode, run.stdout, re.sub(r"[0-9a-f]{10,}", "*", run.stderr)  # addresses


NSDBG = [sys.executable, "-P", "-c", "import nsdbg.cli; nsdbg.cli.main()", "run"]


@pytest.mark.parametrize("what", ["crash", "exit", "say", "interrupt", "abort", "hook"])
def test_a_program_runs_as_it_does_alone(program: Path, tmp_path: Path, what: str) -> None:
    alone = outcome([sys.executable, "-W", "ignore", "app.py", what, "--record", "x"], program)
    ours = [*NSDBG, "--record", str(tmp_path / "r.jsonl"), "app.py", what, "--record", "x"]
    assert outcome(ours, program) == alone
    names = [(one.exception, one.context) for one in crashlog.read(tmp_path / "r.jsonl")]
    assert [name for name, _ in names[:3]] == ["IndexError"] * 3
    assert names[0][1] == "Exception in thread worker:"
    assert names[1][1] == "Exception ignored in: Closing.__del__"
    assert (names[2][1] or "").startswith("Exception in callback forgotten")
    assert [name for name, _ in names[3:]] == (["ValueError"] if what == "crash" else [])


def test_a_module_is_run_as_python_runs_it(program: Path, tmp_path: Path) -> None:
    alone = outcome([sys.executable, "-m", "app", "crash", "-m", "x"], program)
    ours = [*NSDBG, "--record", str(tmp_path / "r.jsonl"), "-m", "app", "crash", "-m", "x"]
    assert outcome(ours, program) == alone
    *_, last = crashlog.read(tmp_path / "r.jsonl")
    assert [one.exception for one in last.chain] == ["IndexError", "ValueError"]


def test_run_without_a_program_is_an_error(program: Path) -> None:
    code, out, err = outcome(NSDBG, program)
    assert (code, out) == (2, "")
    assert "Name a script, or a module with -m MODULE" in str(err)


def test_a_place_where_no_record_can_be_written_is_refused_before_the_program_starts(
    program: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes").write_text("a file\n")
    target = tmp_path / "notes" / "crashes.jsonl"
    code, out, err = outcome([*NSDBG, "--record", str(target), "-m", "app", "crash"], program)
    assert (code, out) == (2, "")
    assert f"--record: {tmp_path / 'notes'} is a file, no folder for crashes.jsonl" in str(err)


INTERPRETERS = find_interpreters()


@pytest.mark.parametrize(
    "interpreter", INTERPRETERS, ids=lambda one: ".".join(map(str, one.version[:2]))
)
def test_every_interpreter_records_with_a_copy_of_the_folder(
    interpreter: Interpreter, tmp_path: Path
) -> None:
    (tmp_path / "crashrecord").symlink_to(RECORD)
    script = tmp_path / "app.py"
    script.write_text(
        "import crashrecord\n"
        "crashrecord.install('out.jsonl')\n"
        "def fail(rows, name):\n    return rows[len(rows)]\n"
        "fail([1, 2], 'tea')\n"
    )
    run = subprocess.run([str(interpreter.path), "-B", str(script)], cwd=tmp_path, check=False,
                         capture_output=True, text=True)  # fmt: skip
    assert run.returncode == 1
    (report,) = crashlog.read(tmp_path / "out.jsonl")
    (printed,) = crashlog.read(run.stderr.encode())
    assert report.fingerprint == printed.fingerprint
    assert dict(report.frames[-1].locals or ())["rows"].repr == "[1, 2]"


def test_installing_is_undone(tmp_path: Path) -> None:
    before = sys.excepthook, threading.excepthook, sys.unraisablehook
    nsdbg.install(tmp_path)
    nsdbg.install(tmp_path)
    assert sys.excepthook is not before[0]
    nsdbg.uninstall()
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before
    assert logging.getLogger("asyncio").filters == []


def test_importing_nsdbg_loads_no_recorder() -> None:
    code = "import nsdbg, sys; print([n for n in sys.modules if n.startswith('nsdbg.')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


def test_the_exception_is_the_same_after_it_was_recorded() -> None:
    error = raised(ValueError("x"), 2)
    before = dict(vars(error)), traceback.format_exception(error), error.args
    recorded(error)
    assert (dict(vars(error)), traceback.format_exception(error), error.args) == before
