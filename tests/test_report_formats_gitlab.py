"""Code Quality reports as GitLab takes them."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given, settings
from made_findings import anything, clean, crash, hallucination, many, ordinary

from nsdbg.finding import Findings, Level, Place
from nsdbg.report.formats.gitlab import code_quality


def test_a_finding_has_what_gitlab_asks_for() -> None:
    issue = json.loads(code_quality(ordinary()))[0]
    assert issue == {
        "description": crash().message,
        "check_name": "nsdbg/new-crash",
        "fingerprint": issue["fingerprint"],
        "severity": "critical",
        "location": {"path": "src/rows.py", "lines": {"begin": 14}},
    }


def test_only_what_is_new_is_reported() -> None:
    assert len(json.loads(code_quality(ordinary()))) == 5
    assert code_quality(clean()) == "[]\n"


def test_severities_follow_the_levels() -> None:
    found = Findings(tuple(replace(crash(), level=level) for level in Level))
    assert [one["severity"] for one in json.loads(code_quality(found))] == [
        "critical", "minor", "info",
    ]  # fmt: skip


def test_a_finding_without_a_place_stands_at_the_settings() -> None:
    issue = json.loads(code_quality(Findings((hallucination(),))))[0]
    assert issue["location"] == {"path": "pyproject.toml", "lines": {"begin": 1}}


def test_fingerprints_are_unique_and_stay_when_lines_move() -> None:
    one = crash()
    twice = json.loads(code_quality(Findings((one, one))))
    assert twice[0]["fingerprint"] != twice[1]["fingerprint"]
    moved = replace(one, place=Place("src/rows.py", 99))
    alone = json.loads(code_quality(Findings((moved,))))
    assert alone[0]["fingerprint"] == twice[0]["fingerprint"]
    all_of_them = [issue["fingerprint"] for issue in json.loads(code_quality(many(300)))]
    assert len(set(all_of_them)) == 300


@settings(max_examples=40, deadline=None)
@given(anything)
def test_every_issue_has_its_fields_whatever_was_found(found: Findings) -> None:
    issues = json.loads(code_quality(found))
    assert len(issues) == len(found.findings)
    for issue in issues:
        assert issue["severity"] in ("critical", "minor", "info")
        assert issue["location"]["lines"]["begin"] >= 1
        assert len(issue["fingerprint"]) == 32
