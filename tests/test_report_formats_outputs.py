"""`--output FORMAT=PATH`: what it means, and that a file is whole or not there."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from made_findings import clean, many, ordinary

from nsdbg.errors import UsageError
from nsdbg.report.formats import FORMATS, outputs
from nsdbg.report.formats.outputs import (
    SUMMARY_BYTES,
    SUMMARY_VARIABLE,
    Output,
    parse_outputs,
    put_file,
    write_outputs,
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(SUMMARY_VARIABLE, raising=False)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_format_and_a_path_are_parted_at_the_first_equals_sign() -> None:
    asked = parse_outputs(["sarif=a=b.sarif", "json=c:x.json", "gitlab"])
    assert asked == (
        Output("sarif", Path("a=b.sarif")),
        Output("json", Path("c:x.json")),
        Output("gitlab", Path("gl-code-quality-report.json")),
    )
    assert parse_outputs([]) == ()


def test_a_drive_stays_part_of_the_path() -> None:
    # Here it is a folder that is not there; the message tells that it was not split at its colon.
    with pytest.raises(UsageError, match=r"there is no folder C:/out;"):
        parse_outputs(["sarif=C:/out/x.sarif"])


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert parse_outputs(["json=~/x.json"]) == (Output("json", tmp_path / "x.json"),)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (["sarfi=x"], "'sarfi' is no format; did you mean sarif?"),
        (["Markdown=x"], "'Markdown' is no format; did you mean markdown?"),
        (["x.sarif"], "'x.sarif' is no format; "),
        (["=x"], "'' is no format; choose from text, json, "),
        (["xml"], "'xml' is no format; choose from text, json, json-lines, github, "),
        (["json="], "'json=' names no file; write json=json.out"),
        (["json=x", "text=-"], "text=-: stdout has what --output-format says, "),
        (["json=x", "text=./x"], "x is named twice"),
        (["json=no/x"], "there is no folder no; make it first"),
        (["json=."], ". is a folder; name a file in it"),
        (["json=a\0b"], "can not be a file's name"),
    ],
)
def test_what_can_not_be_done_is_told_before_the_work(asked: list[str], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_outputs(asked)
    assert told in str(caught.value)
    assert str(caught.value).startswith(("--output: ", "--output text=-: "))


def test_links_and_devices_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("elsewhere")
    os.mkfifo(tmp_path / "pipe")
    for name, told in (
        ("link", "is a link"), ("pipe", "is no regular file"), (os.devnull, "is no regular file"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=told):
            parse_outputs([f"json={name}"])


def test_each_format_is_written_to_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_outputs(parse_outputs([f"{name}={name}.out" for name in FORMATS]), ordinary())
    for name in FORMATS:
        assert (tmp_path / f"{name}.out").read_text() == FORMATS[name](ordinary())
    assert capsys.readouterr().out == ""
    assert len(names_in(tmp_path)) == len(FORMATS)


def test_a_new_file_has_the_permissions_of_any_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    asked = parse_outputs(["json=x"])
    write_outputs(asked, clean())
    (tmp_path / "other").touch()
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "other").stat().st_mode
    (tmp_path / "x").chmod(0o600)
    write_outputs(asked, ordinary())
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o600
    assert (tmp_path / "x").read_text() == FORMATS["json"](ordinary())


def test_a_link_laid_meanwhile_is_replaced_and_not_followed(tmp_path: Path) -> None:
    asked = parse_outputs(["json=x"])
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / "x").symlink_to(victim)
    write_outputs(asked, clean())
    assert victim.read_text() == "precious"
    assert not (tmp_path / "x").is_symlink()


def test_what_breaks_off_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x").write_text("old")

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UsageError, match=r"cannot write x: No space left on device"):
        write_outputs(parse_outputs(["json=x"]), ordinary())
    assert (tmp_path / "x").read_text() == "old"
    assert names_in(tmp_path) == ["x"]


def test_a_folder_that_went_away_is_an_error_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    asked = parse_outputs(["json=out/x"])
    (tmp_path / "out").rmdir()
    with pytest.raises(UsageError, match=r"cannot write out/x: No such file or directory"):
        write_outputs(asked, clean())


def test_the_others_are_written_where_one_can_not_be(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    asked = parse_outputs(["json=a", "json=out/x", "json=b"])
    (tmp_path / "out").rmdir()
    with pytest.raises(UsageError, match="cannot write out/x"):
        write_outputs(asked, clean())
    assert names_in(tmp_path) == ["a", "b"]


def test_another_option_is_named_in_its_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^--html: cannot write no/x: "):
        put_file(Path("no/x"), "text", "--html")


def test_the_step_summary_is_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    summary = tmp_path / "step_summary"
    summary.write_text("### another tool\n")
    monkeypatch.setenv(SUMMARY_VARIABLE, str(summary))
    write_outputs(parse_outputs(["markdown=step_summary"]), clean())
    assert summary.read_text() == f"### another tool\n\n{FORMATS['markdown'](clean())}"


def test_the_step_summary_takes_more_than_a_comment_and_never_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "step_summary"
    monkeypatch.setenv(SUMMARY_VARIABLE, str(summary))
    asked = parse_outputs([f"markdown={summary}"])
    write_outputs(asked, many(600))
    assert 500_000 < summary.stat().st_size <= SUMMARY_BYTES
    write_outputs(asked, many(600))
    assert 900_000 < summary.stat().st_size < 1 << 20
    summary.write_bytes(b"x" * (SUMMARY_BYTES + 1))
    with pytest.raises(UsageError, match="is full"):
        write_outputs(asked, clean())


def test_a_link_in_the_place_of_the_step_summary_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SUMMARY_VARIABLE, str(tmp_path / "step_summary"))
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "step_summary").symlink_to(tmp_path / "victim")
    with pytest.raises(UsageError, match="cannot write"):
        write_outputs((Output("markdown", tmp_path / "step_summary"),), clean())
    assert (tmp_path / "victim").read_text() == "precious"


def test_the_same_findings_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_outputs(parse_outputs([f"sarif={name}"]), replace(ordinary(), seconds=1.0))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert outputs.OPTION == "--output"
