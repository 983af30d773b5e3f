"""Findings as JSON: `nsdbg.findings/1` holds everything, and reads back as it was."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_findings import clean, crash, hallucination, many, ordinary

from nsdbg.finding import Findings
from nsdbg.report.formats.document import LONGEST, json_document, json_lines, json_text

DOCS = Path(__file__).parent.parent / "docs" / "schemas.md"


def test_the_document_holds_the_finding_whole() -> None:
    document = json.loads(json_document(ordinary()))
    assert document["schema"] == "nsdbg.findings/1"
    assert document["failed"] is True
    assert document["new"] == 5
    assert document["accepted"] == {"known": 1, "ignored": 1}
    assert (document["examined"], document["logs"], document["seconds"]) == (12, 2, 1.25)
    assert document["notes"][1] == "old.py does not parse: line 3"
    assert document["limits"][0] == {
        "name": "raw-hallucination", "measured": 0.523, "limit": 0.5, "count": 523, "of": 1000,
        "kept": False,
    }  # fmt: skip
    assert [one["rule"] for one in document["known"] + document["ignored"]] == [
        "logged-crash", "new-crash",
    ]  # fmt: skip
    found = document["findings"][1]
    assert found["place"] == {
        "file": "src/rows.py", "lineno": 14, "function": "parse_row", "source": "return cells[0]",
    }  # fmt: skip
    assert (found["level"], found["status"], found["touched"]) == ("error", "confirmed", True)
    assert (found["call"], found["imports"]) == ("parse_row('')", ["from rows import parse_row"])
    assert found["fingerprint"] == crash().fingerprint
    assert found["suspects"][0]["score"] == 0.83
    assert found["path"][2]["locals"] == {"text": "''", "cells": "[]", "part": "''"}
    assert found["path"][2]["changed"] == ["cells", "part"]
    assert found["path"][3]["arg"] == "IndexError: list index out of range"
    assert found["tried"][0]["logp"] == -0.25
    assert found["tried"][2]["reason"] == "side-effect"


def test_a_finding_without_a_place_has_null_for_it() -> None:
    found = json.loads(json_document(Findings((hallucination(),))))["findings"][0]
    assert found["place"] is None
    assert found["call"] is None


def test_lines_hold_what_the_document_holds() -> None:
    lines = [json.loads(line) for line in json_lines(ordinary()).splitlines()]
    document = json.loads(json_document(ordinary()))
    assert [line["type"] for line in lines] == ["finding"] * 7 + ["summary"]
    assert [line["standing"] for line in lines[:7]] == ["new"] * 5 + ["known", "ignored"]
    told = [{name: one for name, one in line.items() if name not in ("type", "standing")}
            for line in lines[:7]]  # fmt: skip
    assert told == document["findings"] + document["known"] + document["ignored"]
    assert set(document) - {"findings", "known", "ignored"} == {
        name for name in lines[-1] if name != "type"
    }


def test_nothing_new_is_a_summary_alone() -> None:
    lines = json_lines(clean()).splitlines()
    assert len(lines) == 1
    assert json.loads(lines[0])["failed"] is False


def test_nothing_is_left_out_of_many() -> None:
    assert len(json.loads(json_document(many(1000)))["findings"]) == 1000


def test_numbers_that_json_does_not_have_are_null() -> None:
    tried = tuple(
        replace(crash().tried[0], logp=value) for value in (float("nan"), float("-inf"), -1.5)
    )
    found = json.loads(json_document(Findings((replace(crash(), tried=tried),))))
    assert [one["logp"] for one in found["findings"][0]["tried"]] == [None, None, -1.5]


@given(st.recursive(st.text() | st.none() | st.booleans() | st.integers(), st.lists))
def test_text_reads_back_as_it_was(value: object) -> None:
    assert json.loads(json_text(value)) == value


@given(st.text(st.sampled_from('\ud800\udfff\\u"d8😀a')))
def test_only_halves_of_characters_are_spelled_out(text: str) -> None:
    spelled = "".join(f"\\u{ord(one):04x}" if "\ud800" <= one <= "\udfff" else one for one in text)
    assert json.loads(json_text(text)) == spelled


def test_very_long_texts_are_cut() -> None:
    assert json.loads(json_text("x" * LONGEST)) == "x" * LONGEST
    assert json.loads(json_text(["x" * (LONGEST + 1)])) == ["x" * (LONGEST - 3) + "..."]


@given(st.text(st.sampled_from("#[vso]:\n\x7f\x1b\u202e")))
def test_a_ci_log_obeys_nothing_in_it(text: str) -> None:
    shown = json_text({"message": text})
    assert "##" not in shown
    assert shown.isascii()
    assert shown.isprintable()


@pytest.mark.parametrize("field", [
    *json.loads(json_document(ordinary())), *json.loads(json_document(ordinary()))["findings"][0],
])  # fmt: skip
def test_every_field_is_documented(field: str) -> None:
    section = DOCS.read_text().partition("## `nsdbg.findings/1`")[2].partition("\n## ")[0]
    assert f"`{field}`" in section
