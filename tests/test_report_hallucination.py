"""What a person, a program and a pull request get to read of hallucinations."""

from __future__ import annotations

import json
from math import log
from pathlib import Path

import pytest
from judged_proposals import confirmed, refuted, several, unknown

from nsdbg.claim import Reason, Status
from nsdbg.measure.hallucination.judged import Borne, Judged
from nsdbg.measure.hallucination.rates import rates
from nsdbg.report.hallucination import hallucination_text, percent, smallest_lines
from nsdbg.report.hallucination_json import hallucination_json
from nsdbg.report.hallucination_markdown import hallucination_markdown
from nsdbg.report.rated import Measurement, Smallest
from nsdbg.report.reasons import reason_words

SMALLEST = Smallest(
    "def f(a):\n    b = a + 1\n    return b\n", "f(3)",
    "at line 2, with a = 3: where does next lead?", "line 3, a = 3, b = 5",
    "line 3, a = 3, b = 4", "neural",
)  # fmt: skip
GOLDEN = """\
How often is an answer made up?  8 answers about 2 programs, seed 4
  Wrong if believed unchecked: neural 33.3 %. Wrong of 3 answers that nsdbg
  showed as CONFIRMED: 0.
  programs: two
  Python 3.11.7

What a proposer alone would have told you wrongly (raw rate)
                              wrong              of          95 %    by program
  neural                     33.3 %          2 of 6      9.7-70.0             -
  wrong: running the program refutes it. 95 %: where the rate may lie (Wilson).
  by program: the same, allowing for answers about one program being right or
  wrong together.

What nsdbg let through: shown as CONFIRMED, yet wrong (residual rate)
                              wrong              of          95 %    by program
  neural                        0 %          0 of 3        0-56.1             -
  judged by a debugger that shares no code with nsdbg; 1 more it could not judge

What could not be decided, and is in no rate above (unknown rate)
                               open              of          95 %    by program
  neural                     14.3 %          1 of 7      2.6-51.3             -
  1  it did not end in time (timeout)

The smallest hallucination of neural
    1 | def f(a):
    2 |     b = a + 1
    3 |     return b
  called:  f(3)
  asked:   at line 2, with a = 3: where does next lead?
  claimed: line 3, a = 3, b = 5
  really:  line 3, a = 3, b = 4

neural: wrong by              wrong              of          95 %    by program
  horizon: states that the command passes over, or what was before
    0                        50.0 %          2 of 4     15.0-85.0             -
    2-3                         0 %          0 of 2        0-65.8             -
  field that is wrong, where it is asked for
    locals                  100.0 %          1 of 1    20.7-100.0             -
  apart: states met twice with different futures
    aliased states          100.0 %          1 of 1    20.7-100.0             -
  in what way
    2  a variable has another value (locals-differ)

Can neural's own probability be believed?
  it said                  was right              of          95 %    by program
   90-100 %, mean 100.0      66.7 %          4 of 6     30.0-90.3             -
  Expected calibration error 33.3 points: what it says and what was confirmed
  lie that far apart, on average over 6 confirmed or refuted answers in bins of
  10 points (0 would be honest). In all it is too sure by 33.3 points. Its
  probability is exp(logp) of the whole answer.
"""


def eight() -> list[Judged]:
    return [
        refuted("a", fields=(("locals", False),), logp=0.0), refuted("a", logp=0.0),
        confirmed("a", logp=0.0), confirmed("b", horizon=2, logp=0.0),
        confirmed("b", horizon=3, oracle=Borne.SILENT, logp=0.0),
        confirmed("b", logp=0.0), unknown("b", horizon=2), refuted("b", aliased=True),
    ]  # fmt: skip


def measured(judged: list[Judged] | None = None, **given: object) -> Measurement:
    chosen: dict[str, object] = {
        "told": (("programs", "two"),), "versions": (("Python", "3.11.7"),), "smallest": SMALLEST,
    }  # fmt: skip
    found = rates(eight() if judged is None else judged, 4)
    return Measurement(found, **{**chosen, **given})  # type: ignore[arg-type]


def test_the_text_is_the_golden_one() -> None:
    assert hallucination_text(measured()) == GOLDEN


def test_the_text_is_80_columns_wide_at_most_however_large_the_numbers() -> None:
    many = [*several(4000, programs=200), refuted(proposer="x" * 60), unknown(proposer="y" * 60)]
    long = Smallest("x = '" + "a" * 200 + "'\n" * 60, "f(" + "1, " * 99 + ")", "q " * 99, "c", "r")
    text = hallucination_text(measured(many, smallest=long, told=(("of", "word " * 60),)))
    assert max(map(len, text.splitlines())) <= 80


def test_a_wrong_answer_that_was_shown_is_not_to_be_overlooked() -> None:
    text = hallucination_text(measured([confirmed(oracle=Borne.WRONG), confirmed()]))
    assert "1 WRONG: this must be 0; please report them" in text
    assert "WRONG" not in hallucination_text(measured([confirmed()]))


def test_nothing_asked_is_said_and_no_table_follows() -> None:
    text = hallucination_text(measured([], smallest=None, told=(), versions=()))
    assert text.splitlines()[1] == "  Nothing was asked, so nothing is known."
    assert len(text.splitlines()) == 2
    assert "Nothing was asked" in hallucination_markdown(measured([], smallest=None))


def test_an_interrupted_run_says_that_it_was() -> None:
    found = measured(stopped=True)
    assert "stopped: this is of what was judged until then" in hallucination_text(found)
    assert "Stopped early." in hallucination_markdown(found)
    assert hallucination_json(found)["stopped"] is True


@pytest.mark.parametrize(
    ("share", "text"),
    [(None, "-"), (0.0, "0"), (0.000038, "0.0038"), (0.0059, "0.59"), (0.234, "23.4"),
     (1.0, "100.0")],
)  # fmt: skip
def test_small_shares_keep_the_digits_that_tell(share: float | None, text: str) -> None:
    assert percent(share) == text


def test_every_reason_that_can_be_counted_has_words() -> None:
    wordless = [
        reason.slug for reason in Reason
        if reason.status is not Status.CONFIRMED and reason_words(reason.slug) == reason.slug
    ]  # fmt: skip
    assert wordless == []
    assert reason_words("of-another-version") == "of-another-version"


def test_text_of_programs_and_proposers_cannot_steer_a_terminal_or_a_ci_log() -> None:
    evil = Smallest(
        "::error::x\n\x1b[2Jprint()\n", "\x1b]0;t\a", "q\n::set-output", "\x07", "##[x]", "m\x1b"
    )
    judged = [refuted(proposer="\x1b[31mred", reason=None), confirmed()]
    found = measured(judged, smallest=evil, told=(("\x1b", "::warning::x"),))
    for text in (hallucination_text(found), hallucination_markdown(found)):
        assert not any(character < " " and character != "\n" for character in text)
        assert not any(line.lstrip().startswith("::") for line in text.splitlines())


def test_a_long_program_is_cut_and_says_so() -> None:
    lines = list(smallest_lines(Smallest("x = 1\n" * 50, "", "", "", "")))
    assert "      | ... 10 more lines" in lines
    assert len(lines) == 1 + 40 + 1 + 4


def test_a_long_line_of_a_program_is_cut_and_says_so() -> None:
    _, line, *_ = smallest_lines(Smallest("x = " + "1" * 90, "", "", "", ""))
    assert len(line) == 80
    assert line.endswith("111...")


def test_the_json_holds_every_rate_with_its_denominator() -> None:
    found = json.loads(json.dumps(hallucination_json(measured())))
    assert found["schema"] == "nsdbg.measure.hallucination/1"
    assert (found["seed"], found["proposals"], found["programs"]) == (4, 8, 2)
    assert found["all"]["raw"] == {
        "hits": 2, "n": 6, "share": 0.3333333, "wilson": [0.0967714, 0.7000067], "programs": 2,
        "by_program": None,
    }  # fmt: skip
    [neural] = found["proposers"]
    assert neural["name"] == "neural"
    assert (neural["oracle_silent"], neural["oracle_not_asked"]) == (1, 0)
    assert (neural["unknown_reasons"], neural["refuted_reasons"]) == (
        {"timeout": 1},
        {"locals-differ": 2},
    )
    assert [one["name"] for one in neural["by_horizon"]] == ["0", "2-3"]
    assert neural["by_field"][0]["raw"]["hits"] == 1
    assert neural["aliased"]["raw"]["hits"] == 1
    assert neural["reliability"]["expected_calibration_error"] == pytest.approx(1 / 3, abs=1e-6)
    assert found["smallest"]["really"] == "line 3, a = 3, b = 4"


def test_the_rate_of_nothing_has_no_interval_in_json() -> None:
    section = hallucination_json(measured([], smallest=None))["all"]
    assert isinstance(section, dict)
    assert section["raw"] == {
        "hits": 0, "n": 0, "share": None, "wilson": None, "programs": 0, "by_program": None,
    }  # fmt: skip


def test_every_field_of_the_json_is_documented() -> None:
    document = (Path(__file__).parent.parent / "docs" / "schemas.md").read_text()
    part = document.split("## `nsdbg.measure.hallucination/1`")[1].split("\n## ")[0]
    found = hallucination_json(measured(several(), smallest=SMALLEST))
    section = found["all"]
    assert isinstance(section, dict)
    names = [
        *list(found)[1:],
        *section,
        *section["raw"],
        *section["reliability"],
        "mean_probability",
    ]
    assert [name for name in names if name not in part] == []


def test_the_markdown_is_one_table_and_folded_details() -> None:
    text = hallucination_markdown(measured())
    assert "| neural | **33.3 %**, 2 of 6 (9.7-70.0) | **0 %**, 0 of 3 (0-56.1) |" in text
    assert text.count("<details>") == text.count("</details>") == 2
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows[:3]} == {5}
    assert {line.count("|") for line in rows[3:]} == {4}


def test_markdown_in_foreign_text_stays_text() -> None:
    evil = Smallest("````\n</details>\n", "f('|')", "<img src=x>", "@everyone [a](b)", "*b* `c`")
    text = hallucination_markdown(measured([refuted(proposer="a|b", logp=log(0.5))], smallest=evil))
    assert "`````python" in text
    assert "\n| <code>a&#124;b</code> |" in text
    assert "<summary><code>a|b</code> in detail</summary>" in text
    outside = text.split("`````")[2]
    assert "- claimed: `@everyone [a](b)`" in outside
    assert "asked: `<img src=x>`" in outside
