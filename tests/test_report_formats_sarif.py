"""SARIF that GitHub takes, held against the official schema."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from made_findings import (
    ODD_TEXTS,
    all_odd,
    anything,
    clean,
    crash,
    hallucination,
    logged,
    many,
    ordinary,
)

import nsdbg
from nsdbg.finding import Findings, Level, Place, Rule, Step, Suspicion
from nsdbg.report.formats import sarif
from nsdbg.report.formats.sarif import MOST_RESULTS, sarif_text, sarif_with_accepted

SCHEMA = Path(__file__).parents[2] / "shared" / "data" / "schemas" / "sarif-schema-2.1.0.json"


@cache
def validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    if not SCHEMA.is_file():
        pytest.skip(f"the official schema is not here: {SCHEMA.name} beside the repository")
    schema = json.loads(SCHEMA.read_text())
    kind = jsonschema.validators.validator_for(schema)
    return kind(schema, format_checker=jsonschema.FormatChecker())


def run_of(text: str) -> Any:
    log = json.loads(text)
    assert log["version"] == "2.1.0"
    assert len(log["runs"]) == 1
    return log["runs"][0]


def results_of(*findings: Any) -> Any:
    return run_of(sarif_text(Findings(findings)))["results"]


def test_the_official_schema_takes_it() -> None:
    for found in (ordinary(), clean(), *map(all_odd, ODD_TEXTS)):
        for write in (sarif_text, sarif_with_accepted):
            assert [
                error.message for error in validator().iter_errors(json.loads(write(found)))
            ] == []


@settings(max_examples=25, deadline=None)
@given(anything)
def test_the_official_schema_takes_anything(found: Findings) -> None:
    errors = validator().iter_errors(json.loads(sarif_with_accepted(found)))
    assert [error.message for error in errors] == []


@settings(max_examples=40, deadline=None)
@given(anything)
def test_github_gets_a_place_a_line_and_a_message_for_every_result(found: Findings) -> None:
    run = run_of(sarif_text(found))
    assert len(run["results"]) == len(found.findings)
    for one in run["results"]:
        assert one["message"]["text"].strip()
        assert len(one["locations"]) == 1
        physical = one["locations"][0]["physicalLocation"]
        assert physical["artifactLocation"]["uri"]
        assert physical["region"]["startLine"] >= 1
        assert run["tool"]["driver"]["rules"][one["ruleIndex"]]["id"] == one["ruleId"]


def test_a_result_says_what_is_known() -> None:
    one = results_of(crash())[0]
    assert (one["ruleId"], one["level"], one["occurrenceCount"]) == ("new-crash", "error", 1)
    assert one["message"]["text"] == (
        "parse_row('') now raises IndexError at src/rows.py:14; before this commit it returned "
        "None\nbefore: returned None\nnow: raises IndexError: list index out of range\n"
        "see it yourself: from rows import parse_row; parse_row('')\n"
        "confirmed: each version was run twice, in fresh processes, on Python 3.11\n"
        "suspected: [src/rows.py:13](1), [src/rows.py:9](2)"
    )
    assert one["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "src/rows.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 14, "snippet": {"text": "return cells[0]"}},
    }
    assert one["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "parse_row"
    assert one["partialFingerprints"] == {"nsdbgFinding/v1": crash().fingerprint}
    assert one["properties"]["call"] == "parse_row('')"
    assert [each["id"] for each in one["relatedLocations"]] == [1, 2]
    assert one["relatedLocations"][0]["message"]["text"] == (
        "suspected (0.83): the condition lets an empty list through"
    )


def test_the_path_is_a_code_flow_with_the_states() -> None:
    flow = results_of(crash())[0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [one["executionOrder"] for one in flow] == [1, 2, 3, 4]
    assert [one["importance"] for one in flow] == [
        "important", "unimportant", "important", "important",
    ]  # fmt: skip
    assert flow[2]["state"] == {
        "text": {"text": "''"}, "cells": {"text": "[]"}, "part": {"text": "''"},
    }  # fmt: skip
    assert flow[2]["location"]["message"]["text"] == "line: cells = [], part = ''"
    assert flow[3]["location"]["message"]["text"] == (
        "exception: total = 0, IndexError: list index out of range"
    )
    assert "codeFlows" not in results_of(logged())[0]


def test_a_finding_without_a_place_stands_at_the_settings() -> None:
    physical = results_of(hallucination())[0]["locations"][0]["physicalLocation"]
    assert physical["artifactLocation"]["uri"] == "pyproject.toml"
    assert physical["region"] == {"startLine": 1}


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("a b/ü#1?.py", "a%20b/%C3%BC%231%3F.py"),
        ("100%.py", "100%25.py"),
        ("c:x.py", "c%3Ax.py"),
        ("bytes\udcff.py", "bytes%FF.py"),
        ("half\ud800.py", "half%5Cud800.py"),
    ],
)
def test_addresses_are_relative_and_encoded(file: str, uri: str) -> None:
    physical = results_of(replace(crash(), place=Place(file, 1)))[0]["locations"][0]
    assert physical["physicalLocation"]["artifactLocation"] == {
        "uri": uri, "uriBaseId": "%SRCROOT%",
    }  # fmt: skip


def test_a_file_outside_of_the_repository_has_an_absolute_address() -> None:
    physical = results_of(replace(crash(), place=Place("/usr/lib/a b.py", 1)))[0]["locations"][0]
    assert physical["physicalLocation"]["artifactLocation"] == {"uri": "file:///usr/lib/a%20b.py"}


def test_what_looks_like_a_link_is_none_and_braces_stay() -> None:
    one = replace(crash(), message="rows[0](1) and f({'a': [1]}) {0}", suspects=())
    text = results_of(one)[0]["message"]["text"].splitlines()[0]
    assert text == "rows\\[0](1) and f({'a': [1]}) {0}"


def test_the_name_of_a_suspect_can_not_break_its_link() -> None:
    one = replace(crash(), suspects=(Suspicion(Place("a](http://x)[.py", 1), 0.5),))
    text = results_of(one)[0]["message"]["text"].splitlines()[-1]
    assert text == "suspected: [a\\](http://x)\\[.py:1](1)"


def test_the_line_itself_is_no_suspect_beside_it() -> None:
    own = crash().place
    assert own is not None
    here = Suspicion(replace(own, text="", function=None), 0.9, ("raised here",))
    one = results_of(replace(crash(), suspects=(here,)))[0]
    assert "relatedLocations" not in one
    assert "suspected" not in one["message"]["text"]


def test_rules_are_described_in_an_order_that_stays() -> None:
    driver = run_of(sarif_text(clean()))["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("nsdbg", nsdbg.__version__)
    assert [one["id"] for one in driver["rules"]] == [rule.slug for rule in Rule]
    first = driver["rules"][0]
    assert first["name"] == "NewCrash"
    assert first["defaultConfiguration"] == {"level": "error"}
    assert first["properties"]["precision"] == "very-high"
    assert "`# nsdbg: ignore[new-crash] reason`" in first["help"]["markdown"]
    for one in driver["rules"]:
        assert len(one["name"]) <= 255
        assert len(one["fullDescription"]["text"]) <= 1024
        assert len(one["properties"]["tags"]) <= 10


def test_the_invocation_has_the_exit_code_and_the_notes() -> None:
    invocation = run_of(sarif_text(ordinary()))["invocations"][0]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (True, 1)
    told = [
        (one["level"], one["message"]["text"]) for one in invocation["toolExecutionNotifications"]
    ]
    assert told == [
        ("error", "raw hallucination 52.3 % (523 of 1,000), above the limit of 50 %"),
        ("note", "residual hallucination 0 % (0 of 640), within the limit of 0 %"),
        ("note", "explore.ipynb is a notebook and was left out"),
        ("note", "old.py does not parse: line 3"),
        ("note", "1 known (accepted by the baseline), 1 ignored (by a comment)"),
    ]
    assert run_of(sarif_text(clean()))["invocations"][0]["exitCode"] == 0


def test_what_is_accepted_opens_no_alert() -> None:
    assert len(run_of(sarif_text(ordinary()))["results"]) == 5
    assert "suppressions" not in sarif_text(ordinary())


def test_what_is_accepted_is_suppressed_in_the_full_report() -> None:
    results = run_of(sarif_with_accepted(ordinary()))["results"]
    assert [one["baselineState"] for one in results] == ["new"] * 5 + ["unchanged"] * 2
    assert all("suppressions" not in one for one in results[:5])
    assert results[5]["suppressions"] == [
        {"kind": "external", "justification": "accepted by the baseline"}
    ]
    assert results[6]["suppressions"] == [{"kind": "inSource"}]
    ignored = run_of(sarif_with_accepted(Findings(ignored=(crash(),))))["results"]
    assert "baselineState" not in ignored[0]


def test_there_are_no_more_results_than_github_shows_and_the_weightiest_are_kept() -> None:
    warning = replace(hallucination(), level=Level.WARNING)
    run = run_of(sarif_text(Findings((*[warning] * MOST_RESULTS, crash()))))
    assert len(run["results"]) == MOST_RESULTS
    assert run["results"][0]["ruleId"] == "new-crash"
    told = run["invocations"][0]["toolExecutionNotifications"][0]
    assert told["level"] == "warning"
    assert told["message"]["text"].startswith("1 more finding is left out: GitHub shows 5,000")


def test_a_long_path_keeps_its_end() -> None:
    steps = tuple(Step(Place("a.py", n), "line") for n in range(1, 1502))
    flow = results_of(replace(crash(), path=steps))[0]["codeFlows"][0]
    lines = [one["location"]["physicalLocation"]["region"]["startLine"]
             for one in flow["threadFlows"][0]["locations"]]  # fmt: skip
    assert lines == list(range(502, 1502))
    assert flow["message"]["text"] == "the last 1,000 of 1,501 states on the way"


def test_a_thousand_findings_stay_small() -> None:
    text = sarif_text(many(1000))
    run = run_of(text)
    assert len(run["results"]) == 1000
    assert len(gzip.compress(text.encode())) < 1_000_000


def test_paths_and_then_results_are_left_out_where_the_upload_would_grow_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sarif, "PATHS_BYTES", 100_000)
    monkeypatch.setattr(sarif, "UPLOAD_BYTES", 200_000)
    chance = random.Random(0)

    def noise() -> str:  # which does not compress
        return "".join(chr(chance.randrange(0x4E00, 0x9FFF)) for _ in range(200))

    findings = tuple(
        replace(crash(), message=noise(), path=(Step(Place("a.py", 1), "line", (("x", noise()),)),))
        for _ in range(1000)
    )
    text = sarif_text(Findings(findings))
    run = run_of(text)
    assert 100_000 < len(gzip.compress(text.encode())) < 210_000
    with_path = [index for index, one in enumerate(run["results"]) if "codeFlows" in one]
    assert 0 < len(with_path) < len(run["results"]) < 1000
    assert with_path == list(range(len(with_path)))
    told = [one["message"]["text"] for one in run["invocations"][0]["toolExecutionNotifications"]]
    assert told[0].startswith(f"{1000 - len(run['results'])} more findings are left out: ")
    assert told[1] == (
        f"{len(run['results']) - len(with_path)} results without a path: GitHub takes 10 MB"
    )
