"""What a user is promised of a log whatever its layout: one crash once, values whole or cut."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nsdbg import crashlog
from nsdbg.crashlog import CrashReport

PLAIN = """\
Traceback (most recent call last):
  File "/srv/shop/run.py", line 9, in main
    take("bolt")
  File "/srv/shop/stock.py", line 4, in take
    return SHELF[name]
KeyError: 'bolt'
"""
RICH = """\
╭──────────────────── Traceback (most recent call last) ─────────────────────╮
│ /srv/shop/run.py:9 in main                                                 │
│                                                                            │
│ ❱ 9 │   take("bolt")                                                       │
│                                                                            │
│ /srv/shop/stock.py:4 in take                                               │
│                                                                            │
│ ❱ 4 │   return SHELF[name]                                                 │
│ ╭──────────── locals ────────────╮                                         │
│ │  name = 'bolt'                 │                                         │
│ │ shelf = [1, 2, ... +998]       │                                         │
│ ╰────────────────────────────────╯                                         │
╰────────────────────────────────────────────────────────────────────────────╯
KeyError: 'bolt'
"""
LOGURU = """\
2026-01-02 10:00:00.123 | ERROR    | run:main:9 - failed
Traceback (most recent call last):

> File "/srv/shop/run.py", line 9, in main
    take("bolt")
    └ <function take at 0x7f01>

  File "/srv/shop/stock.py", line 4, in take
    return SHELF[name]
           │     └ 'bolt'
           └ {}

KeyError: 'bolt'
"""
PYTEST = """\
=================================== FAILURES ===================================
_____________________________________ main _____________________________________

    def main():
>       take("bolt")

run.py:9:
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _

name = 'bolt'

    def take(name):
>       return SHELF[name]
E       KeyError: 'bolt'

name       = 'bolt'

stock.py:4: KeyError
"""
IPYTHON = """\
---------------------------------------------------------------------------
KeyError                                  Traceback (most recent call last)
File /srv/shop/run.py:9, in main()
      8 def main():
----> 9     take("bolt")

File /srv/shop/stock.py:4, in take(name)
      3 def take(name):
----> 4     return SHELF[name]

KeyError: 'bolt'
"""
FRAMES = [("/srv/shop/run.py", 9, "main", 'take("bolt")'),
          ("/srv/shop/stock.py", 4, "take", "return SHELF[name]")]  # fmt: skip
SENTRY = json.dumps({"exception": {"values": [{
    "type": "KeyError", "value": "'bolt'",
    "stacktrace": {"frames": [
        {"filename": file, "lineno": line, "function": name, "context_line": source,
         "vars": {"name": "'bolt'"}} for file, line, name, source in FRAMES
    ]},
}]}}) + "\n"  # fmt: skip
STRUCTLOG = json.dumps({"event": "failed", "error_detail": [{
    "exc_type": "KeyError", "exc_value": "'bolt'", "is_cause": False,
    "frames": [{"filename": file, "lineno": line, "name": name} for file, line, name, _ in FRAMES],
}]}) + "\n"  # fmt: skip
AIRFLOW = 'KeyError: \'bolt\'\nFile "/srv/shop/run.py", line 9 in main\n\n' \
          'File "/srv/shop/stock.py", line 4 in take\n'  # fmt: skip
ONE_LINE = " ".join(PLAIN.split()) + "\n"
COMPOSE = "".join(f"web-1  | {line}\n" for line in PLAIN.splitlines())
LAYOUTS = {
    "rich": RICH, "loguru": LOGURU, "pytest": PYTEST, "ipython": IPYTHON, "sentry": SENTRY,
    "structlog": STRUCTLOG, "airflow": AIRFLOW, "one line": ONE_LINE, "compose": COMPOSE,
}  # fmt: skip


def read(log: str) -> list[CrashReport]:
    return list(crashlog.read(log.encode()))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_same_crash_in_two_layouts_is_one(layout: str) -> None:
    reports = [*read(PLAIN), *read(LAYOUTS[layout])]
    assert [one.exception for one in reports] == ["KeyError", "KeyError"]
    (found,) = crashlog.distinct(reports)
    assert found.count == 2


def test_crashes_in_one_log_are_told_apart_and_counted_whatever_their_layout() -> None:
    other = PLAIN.replace("stock.py", "till.py")
    found = crashlog.distinct(read(PLAIN + RICH + "\n" + other))
    assert [(one.count, one.frames[-1].file) for one in found] == [
        (2, "/srv/shop/stock.py"),
        (1, "/srv/shop/till.py"),
    ]


@pytest.mark.parametrize("layout", ["rich", "loguru", "pytest", "sentry"])
def test_the_values_a_layout_carries_are_the_frames_locals(layout: str) -> None:
    (report,) = read(LAYOUTS[layout])
    value = report.frames[-1].local("name")
    assert value is not None
    assert (value.repr, value.literal, value.truncated) == ("'bolt'", True, False)


def test_a_value_that_was_cut_is_kept_apart_from_whole_ones() -> None:
    (report,) = read(RICH)
    cut, whole = report.frames[-1].local("shelf"), report.frames[-1].local("name")
    assert cut is not None
    assert whole is not None
    assert (cut.repr, cut.literal, cut.truncated) == ("[1, 2, ... +998]", False, True)
    assert not whole.truncated


def test_the_console_script_imports_nothing_from_the_current_folder(tmp_path: Path) -> None:
    script = Path(sys.executable).with_name("nsdbg")
    if not script.exists():
        pytest.skip("the console script is not beside this interpreter")
    for name in ("json", "typer", "re", "nsdbg", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemError('of the current folder')\n")
    run = subprocess.run(
        [script, "parse", "-", "--output-format", "json"], cwd=tmp_path, input=PLAIN.encode(),
        capture_output=True, check=False, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, b"")
    assert json.loads(run.stdout)["crashes"][0]["exception"] == "KeyError"
