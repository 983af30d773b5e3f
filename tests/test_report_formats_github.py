"""Annotations, read as GitHub's runner reads them (actions/runner, `ActionCommand.TryParseV2`)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from hypothesis import given, settings
from made_findings import all_odd, anything, clean, crash, hallucination, many, ordinary, texts

from nsdbg.finding import Findings, Level, Place
from nsdbg.report.formats.github import github_annotations


@dataclass(frozen=True)
class Command:
    """What the runner makes of a line."""

    name: str
    properties: tuple[tuple[str, str], ...]
    data: str


def obeyed(text: str) -> list[Command]:
    """Return the commands in a step's output."""
    commands = []
    for line in text.splitlines():
        line = line.lstrip()
        if not line.startswith("::") or "::" not in line[2:]:
            continue
        head, _, data = line[2:].partition("::")
        name, _, rest = head.partition(" ")
        pairs = [one.partition("=") for one in rest.split(",") if one]
        properties = tuple((key, unescaped(value, True)) for key, _, value in pairs)
        commands.append(Command(name, properties, unescaped(data, False)))
    return commands


def unescaped(text: str, in_property: bool) -> str:
    for code, character in (
        ("%0D", "\r"), ("%0A", "\n"),
        *((("%3A", ":"), ("%2C", ",")) if in_property else ()), ("%25", "%"),
    ):  # fmt: skip
        text = text.replace(code, character)
    return text


def test_a_finding_is_an_annotation_on_its_line() -> None:
    first = obeyed(github_annotations(ordinary()))[0]
    assert first == Command(
        "error",
        (
            ("file", "src/rows.py"), ("line", "14"),
            ("title", "nsdbg: The change adds a crash"),
        ),
        "parse_row('') now raises IndexError at src/rows.py:14; before this commit it returned "
        "None\nbefore: returned None\nnow: raises IndexError: list index out of range\n"
        "see it yourself: from rows import parse_row; parse_row('')\n"
        "confirmed: each version was run twice, in fresh processes, on Python 3.11",
    )  # fmt: skip


def test_a_finding_without_a_place_is_an_annotation_of_the_job() -> None:
    only = obeyed(github_annotations(Findings((hallucination(),))))
    assert only[0].properties == (("title", "nsdbg: The model makes up too many states"),)
    assert only[0].data == hallucination().message


def test_lines_count_from_one() -> None:
    text = github_annotations(Findings((replace(crash(), place=Place("a.py", 0)),)))
    assert text.startswith("::error file=a.py,line=1,title=")


def test_levels_have_their_commands() -> None:
    levels = tuple(replace(crash(), level=level) for level in reversed(Level))
    assert [one.name for one in obeyed(github_annotations(Findings(levels)))] == [
        "error", "warning", "notice",
    ]  # fmt: skip


def test_nothing_new_annotates_nothing() -> None:
    text = github_annotations(clean())
    assert obeyed(text) == []
    assert text == "nsdbg: nothing new; 12 functions run, 1 log read in 0.4 s\n"


def test_properties_and_messages_come_through_as_they_were() -> None:
    one = replace(
        crash(), place=Place("a,b=c:d%3A%2C.py", 3), message="50% of %0A and ::error::x, y: z"
    )
    found = obeyed(github_annotations(Findings((one,))))
    assert len(found) == 1
    assert dict(found[0].properties)["file"] == "a,b=c:d%3A%2C.py"
    assert found[0].data.splitlines()[0] == "50% of %0A and ::error::x, y: z"


def test_no_more_is_annotated_than_github_shows_and_the_rest_is_listed() -> None:
    kinds = [replace(crash(), level=level, message=f"{level.value} {n}")
             for n in range(15) for level in Level]  # fmt: skip
    text = github_annotations(Findings(tuple(kinds)))
    commands = obeyed(text)
    assert Counter(one.name for one in commands) == {"error": 10, "warning": 10, "notice": 10}
    told = [one.data for one in commands if "listed in this step's log only" in one.data]
    assert told[0].startswith("16 more findings are listed")
    assert sum(line.startswith("nsdbg: error: ") for line in text.splitlines()) == 5
    for one in kinds:
        assert one.message in text


def test_the_log_is_not_flooded() -> None:
    lines = github_annotations(many(5000)).splitlines()
    assert len(lines) < 1100
    assert any(line.startswith("nsdbg: 3,989 more findings are left out") for line in lines)


@settings(max_examples=60, deadline=None)
@given(anything)
def test_the_runner_obeys_one_command_a_finding_and_no_other(found: Findings) -> None:
    commands = obeyed(github_annotations(found))
    assert len(commands) == len(found.findings)
    for one in commands:
        assert one.name in ("error", "warning", "notice")
        assert {name for name, _ in one.properties} <= {"file", "line", "title"}
        assert all(int(value) > 0 for name, value in one.properties if name == "line")


@given(texts)
def test_foreign_text_starts_no_command(text: str) -> None:
    assert len(obeyed(github_annotations(all_odd(text)))) == 2
