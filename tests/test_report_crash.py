"""A crash is shown as harmless text, and as JSON with the fields that are documented."""

from __future__ import annotations

import json

from nsdbg import crashlog
from nsdbg.report.columns import width
from nsdbg.report.crash import crashes_json, crashes_text
from nsdbg.rulebook import Rulebook

CRASH = """\
Traceback (most recent call last):
  File "/app/run.py", line 7, in <module>
    main()
  File "/usr/lib/python3.12/json/decoder.py", line 4, in decode
    return SHELF[name]
           ~~~~~^^^^^^
    api_key = 'abcdefgh'
    name = 'bolt'
KeyError: 'bolt'
"""


def text(log: str, show_secrets: bool = False, table: bool = False) -> str:
    reports = crashlog.distinct(crashlog.read(log.encode()))
    return crashes_text(reports, Rulebook(), show_secrets, table)


def test_the_own_frame_stands_before_the_one_that_raised() -> None:
    assert text(CRASH) == (
        "KeyError: 'bolt'  [line 1, cpython]\n"
        "  The key 'bolt' is not in the dict (or other mapping) that was asked for it.\n"
        "  looks like: your line /app/run.py:7\n"
        "  at /app/run.py:7 in <module>\n"
        "      main()\n"
        "  in stdlib code /usr/lib/python3.12/json/decoder.py:4 in decode\n"
        "      return SHELF[name]\n"
        "        api_key = <redacted>\n"
        "        name = 'bolt'\n"
        "  2 frames"
    )


def test_the_cause_stands_below_its_wrapper() -> None:
    link = "\nThe above exception was the direct cause of the following exception:\n\n"
    frame = 'Traceback (most recent call last):\n  File "/app/a.py", line 3, in f\n    go()\n'
    assert text(f"{frame}KeyError: 1\n{link}{frame}shop.Odd: no\n") == (
        "shop.Odd: no  [line 1, cpython]\n"
        "  The key 1 is not in the dict (or other mapping) that was asked for it.\n"
        "  looks like: your line /app/a.py:3\n"
        "  at /app/a.py:3 in f\n"
        "      go()\n"
        "  1 frame\n"
        "  caused by KeyError: 1\n"
        "    at /app/a.py:3 in f\n"
        "        go()\n"
        "    1 frame"
    )


def test_secrets_are_shown_on_request_only() -> None:
    assert "api_key = 'abcdefgh'" in text(CRASH, show_secrets=True)
    document = crashes_json(list(crashlog.read(CRASH.encode())), Rulebook())
    (crash,) = json.loads(json.dumps(document))["crashes"]
    assert crash["frames"][1]["locals"] == {"api_key": "<redacted>", "name": "'bolt'"}


def test_repeats_are_counted_and_the_table_has_a_line_for_each() -> None:
    timed = f"2026-01-02 10:00:00 ERROR a\n{CRASH}2026-01-03 11:30:00 ERROR b\n{CRASH}"
    log = timed + CRASH.replace("KeyError", "IndexError")
    head, first, second = text(log, table=True).splitlines()
    assert head.split("  ")[0] == "COUNT"
    assert first.split()[:5] == ["2", "2026-01-02", "10:00:00", "2026-01-03", "11:30:00"]
    assert first.endswith("KeyError: 'bolt' at /app/run.py:7")
    assert second.split()[:3] == ["1", "-", "-"]
    assert head.index("FINGERPRINT") == first.index(fingerprint(log, 0))


def fingerprint(log: str, at: int) -> str:
    return crashlog.distinct(crashlog.read(log.encode()))[at].fingerprint


def test_secrets_in_messages_notes_and_source_are_left_out_of_every_report() -> None:
    log = CRASH.replace("'bolt'", "'postgres://app:hunter2@db'").replace(
        "main()", "main(api_key='hunter2')"
    )
    reports = list(crashlog.read(log.encode()))
    for shown in (text(log), text(log, table=True), json.dumps(crashes_json(reports, Rulebook()))):
        assert "hunter2" not in shown
    assert "hunter2" in text(log, show_secrets=True)
    assert "hunter2" in json.dumps(crashes_json(reports, Rulebook(), show_secrets=True))


def test_what_to_collect_is_said_of_a_log_that_was_cut() -> None:
    cut = "".join(CRASH.splitlines(True)[:-1])
    assert "keep the lines down to the one that names the exception" in text(cut)


def test_foreign_text_can_neither_colour_nor_command() -> None:
    evil = CRASH.replace("'bolt'", "\u202e[bold]x[/bold] \x07\u009b31m").replace(
        "main()", "::error::owned"
    )
    shown = text(evil)
    assert "[bold]x[/bold]" in shown
    assert not any((ord(one) < 32 and one != "\n") or ord(one) in (0x9B, 0x202E) for one in shown)
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())


def test_only_paths_are_wider_than_a_terminal() -> None:
    log = (
        "Traceback (most recent call last):\n"
        f'  File "/app/{"deep/" * 20}shop.py", line 7, in price\n'
        f"    return total({'価格, ' * 40}'x')\n"
        f"ValueError: {'what was said is long, ' * 9}\n"
    )
    lines = crashes_text(list(crashlog.read(log.encode())), Rulebook()).splitlines()
    wide = [line for line in lines if width(line) > 80]
    assert all("/app/deep/" in line for line in wide)
    assert any(line.strip().startswith("return total(価格") for line in lines)


def test_the_json_has_the_documented_fields() -> None:
    document = crashes_json(list(crashlog.read(CRASH.encode())), Rulebook())
    assert document["schema"] == "nsdbg.parse/1"
    (crash,) = json.loads(json.dumps(document))["crashes"]
    assert crash["exception"] == "KeyError"
    assert crash["message"] == "'bolt'"
    assert crash["innermost_frame"]["kind"] == "stdlib"
    assert crash["innermost_user_frame"]["lineno"] == 7
    assert crash["chain"][0]["frames"] == crash["frames"]
    assert crash["root_cause"]["exception"] == "KeyError"
    assert crash["frames"][0]["locals"] is None
    assert {"leaves", "repeated", "truncated", "count", "fingerprint", "format"} <= crash.keys()
    assert {"file", "lineno", "function", "source", "locals", "kind"} <= crash["frames"][0].keys()
