"""Findings as text: what a person reads at two in the morning."""

from __future__ import annotations

from dataclasses import replace

from made_findings import clean, crash, logged, many, ordinary

from nsdbg.claim import Status
from nsdbg.cli.paint import painted
from nsdbg.finding import Findings, Limit, Place
from nsdbg.report.columns import WIDTH
from nsdbg.report.formats.sentences import backing
from nsdbg.report.formats.text import findings_text

ORDINARY = """\
1. parse_row('') now raises IndexError at src/rows.py:14; before this commit it
   returned None
   src/rows.py:14  in parse_row  [new-crash]
     12 | total = len(cells)
     13 | if total >= 0:
   > 14 |     return cells[0]
     15 | return None
   see it yourself (this runs the code without the guard):
     from rows import parse_row
     parse_row('')
   before  returned None
   now     raises IndexError: list index out of range
   confirmed: each version was run twice, in fresh processes, on Python 3.11
   suspects, likely first:
     src/rows.py:13  0.83
         if total >= 0:
       - the condition lets an empty list through
     src/rows.py:9  0.21
         if part:
       - data flow

2. KeyError: 'vat' at shop/orders.py:27 in total (3 times)
   shop/orders.py:27  in Order.total  [logged-crash]
   > 27 | return rates[kind] * net
   not confirmed: read in ci.log, not run here; seen 3 times; the change does
   not touch this line
   suspects, likely first:
     shop/rates.py:3  0.50
       - the key is made here

3. tests/test_rows.py::test_empty failed: AssertionError: assert 'a' == ''
   tests/test_rows.py:8  in test_empty  [failed-test]
   > 8 | assert parse_row('a') == ''
   not confirmed: read in report.xml, not run here

4. raw hallucination is 52.3 % (523 of 1,000), above the limit of 50 %
   [raw-hallucination]

5. there is nothing to ignore on this line
   src/rows.py:12  [unused-ignore]
     10 |         cells.append(part)
     11 | # an empty row has no cells
   > 12 | total = len(cells)
     13 | if total >= 0:

limit: raw hallucination 52.3 % (523 of 1,000), above the limit of 50 %
limit: residual hallucination 0 % (0 of 640), within the limit of 0 %

note: explore.ipynb is a notebook and was left out
note: old.py does not parse: line 3

1 known (accepted by the baseline), 1 ignored (by a comment)
to accept a finding, write on its line: # nsdbg: ignore[RULE] why
1 new crash, 1 logged crash, 1 failed test, 1 limit of raw hallucination not
kept, 1 suppression not needed; 12 functions run, 2 logs read in 1.2 s
"""


def test_the_report_is_as_it_was_looked_at() -> None:
    assert findings_text(ordinary()) == ORDINARY


def test_colour_is_only_added() -> None:
    def marked(text: str, style: str) -> str:
        assert style in ("title", "name", "good", "dim", "bad")
        return f"\x01{text}\x02"

    coloured = findings_text(ordinary(), paint=marked)
    assert coloured != ORDINARY
    assert coloured.replace("\x01", "").replace("\x02", "") == ORDINARY
    assert "\x1b[" in findings_text(ordinary(), paint=painted)


def test_nothing_new_is_one_line_or_none() -> None:
    assert findings_text(clean()) == "nothing new; 12 functions run, 1 log read in 0.4 s\n"
    assert findings_text(clean(), silent=True) == ""


def test_the_silent_report_is_not_silent_about_what_is_new_or_was_skipped() -> None:
    assert findings_text(ordinary(), silent=True) == ORDINARY
    skipped = replace(clean(), notes=("a notebook was left out",), known=(logged(),))
    assert findings_text(skipped, silent=True) == "note: a notebook was left out\n"
    kept = Limit("residual", 0.0, 0.0, 0, 9)
    broken = Limit("raw", 0.6, 0.5, 6, 10)
    limits = replace(clean(), limits=(kept, broken))
    assert findings_text(limits, silent=True) == (
        "limit: raw 60 % (6 of 10), above the limit of 50 %\n"
    )
    assert findings_text(limits).splitlines()[-1].startswith("nothing new, 1 limit not kept; ")


def test_only_what_is_to_be_pasted_is_wider_than_a_terminal() -> None:
    call = f"parse_row({'x ' * 300!r})"
    one = replace(crash(), call=call, message="why " * 200, evidence="because " * 100)
    lines = findings_text(Findings((one,), notes=("word " * 100,))).splitlines()
    assert [line for line in lines if len(line) > WIDTH] == [f"     {call}"]


def test_no_wrapped_line_begins_with_a_command() -> None:
    one = replace(crash(), message="word " * 15 + "::error::owned", place=None, suspects=())
    assert "\n   : :error::owned\n" in findings_text(Findings((one,)))


def test_a_call_that_can_not_be_shown_whole_is_cut() -> None:
    text = findings_text(Findings((replace(crash(), call=f"f({'1' * 5000})"),)))
    assert "111..." in text
    assert max(map(len, text.splitlines())) < 4100


def test_a_finding_without_a_line_or_source_is_told_without_one() -> None:
    text = findings_text(Findings((replace(crash(), place=None, suspects=()),)))
    assert " | " not in text
    assert "   [new-crash]\n" in text
    bare = findings_text(Findings((replace(crash(), place=Place("a.py", 9), suspects=()),)))
    assert "   a.py:9  [new-crash]\n" in bare
    assert " | " not in bare


def test_lines_are_counted_as_python_counts_them() -> None:
    place = Place("a.py", 2, "second")
    found = Findings(
        (replace(crash(), place=place),), sources=(("a.py", "x = '\x0c\u2028'\rsecond\r\nthird\n"),)
    )
    assert "   > 2 | second\n     3 | third\n" in findings_text(found)


def test_empty_lines_around_a_line_are_left_out() -> None:
    found = Findings(
        (replace(crash(), place=Place("a.py", 3)),), sources=(("a.py", "x = 1\n\ny = 2\n"),)
    )
    assert "     1 | x = 1\n     2 |\n   > 3 | y = 2\n   see" in findings_text(found)
    only = replace(found, sources=(("a.py", "\n\n\n\n"),))
    assert "   > 3 |\n   see" in findings_text(only)


def test_a_line_beyond_the_end_of_its_file_is_shown_as_it_was_logged() -> None:
    found = Findings(
        (replace(crash(), place=Place("a.py", 99, "gone()")),), sources=(("a.py", "x\n"),)
    )
    assert "   > 99 | gone()\n" in findings_text(found)


def test_a_sentence_goes_on_without_a_full_stop_within() -> None:
    told = replace(logged(), evidence="Nothing was run.", touched=False)
    assert backing(told) == (
        "not confirmed: Nothing was run; seen 3 times; the change does not touch this line"
    )


def test_what_was_only_read_is_not_called_confirmed() -> None:
    read = replace(logged(), status=Status.UNKNOWN, origin="")
    assert "not confirmed: read, not run here; seen 3 times" in findings_text(Findings((read,)))
    told = replace(read, evidence="Nothing was run.")
    assert "Nothing was run; seen 3 times; the" in findings_text(Findings((told,)))
    run = replace(logged(), status=Status.CONFIRMED, touched=None, count=1)
    assert "\n   confirmed: by runs of this code\n" in findings_text(Findings((run,)))


def test_what_was_raised_is_told_once() -> None:
    one = replace(crash(), before=None)
    assert "list index out of range" not in one.message
    text = findings_text(Findings((one,)))
    assert "   raised  IndexError: list index out of range\n" in text
    said = replace(one, message="f() raises IndexError (list index out of range)")
    assert findings_text(Findings((said,))).count("list index out of range") == 1


def test_many_findings_are_told_in_full_then_in_short_then_counted() -> None:
    lines = findings_text(many(1200)).splitlines()
    assert sum(line.startswith("   > ") for line in lines) == 50
    assert sum(line.startswith("   src/rows_") and ": parse_row(" in line for line in lines) == 950
    assert "   200 more findings are left out: --output json=PATH writes all of them" in lines
    assert lines[-1].startswith("1,199 new crashes, 1 suppression not needed; ")


def test_the_comment_that_accepts_a_finding_names_its_rule_where_there_is_one() -> None:
    told = "to accept a finding, write on its line: # nsdbg: ignore[{}] why\n"
    assert told.format("new-crash") in findings_text(Findings((crash(),)))
    assert told.format("RULE") in findings_text(Findings((crash(), logged())))
