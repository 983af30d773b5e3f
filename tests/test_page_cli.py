"""`nsdbg localize --html`, as it is typed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import typer
from html_reader import Node, read
from typer.testing import CliRunner

from nsdbg.cli.localize import localize
from nsdbg.errors import UsageError

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "examples" / "crash.log"
SHOP = ROOT / "examples" / "shop"

app = typer.Typer()
app.command()(localize)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Node:
    path = tmp_path_factory.mktemp("html") / "crash.html"
    command = [str(LOG), "--source-root", str(SHOP), "--html", str(path), "--budget", "8"]
    result = CliRunner().invoke(app, [*command, "--proposers", "rules,search"])
    assert result.exit_code == 0, result.output
    assert f"nsdbg: the page is {path}\n" in result.stderr
    assert "Suspects, likely first" in result.stdout
    return read(path.read_text(encoding="utf-8"))


def test_the_page_shows_the_crash_with_its_source_and_states(page: Node) -> None:
    assert page.one("h1").text == "Crashes in crash.log"
    assert page.one("p", "lead").text == "1 logged crash; 1 log read."
    card = page.one("details", "finding")
    assert card.one("span", "says").text.startswith("invoice(0, '') raises TypeError at")
    files = [one.text.rpartition("/")[2] for one in card.all("figcaption")]
    assert files == ["catalog.py", "invoice.py", "worker.py", "orders.py"]
    events = [one.text for one in card.one("ol", "steps").all("p", "event")]
    assert len(events) > 10
    assert events[-1].startswith("raised TypeError: unsupported operand")
    assert all("data-line" in step.attributes for step in card.one("ol", "steps").all("li"))


def test_the_page_tells_what_was_tried(page: Node) -> None:
    table = page.one("details", "tried")
    verdicts = [row.one("span", "badge").text for row in table.one("tbody").all("tr")]
    assert verdicts[0] == "confirmed"
    assert "refuted" in verdicts


def test_all_crashes_of_a_log_are_on_the_page_and_running_is_not_needed(tmp_path: Path) -> None:
    log = tmp_path / "two.log"
    text = LOG.read_text()
    log.write_text(text + text.replace("TypeError: unsupported", "ValueError: unsupported"))
    path = tmp_path / "page.html"
    result = CliRunner().invoke(
        app, [str(log), "--source-root", str(SHOP), "--no-exec", "--html", str(path)]
    )
    assert result.exit_code == 0, result.output
    tree = read(path.read_text(encoding="utf-8"))
    cards = tree.all("details", "finding")
    assert [card.all("summary")[0].one("span", "badge").text for card in cards] == ["unknown"] * 2
    assert "TypeError" in cards[0].text
    assert "ValueError" in cards[1].text
    assert "Nothing was run" in cards[0].text


def test_a_folder_or_a_place_without_one_is_refused_before_anything_runs(tmp_path: Path) -> None:
    for target, words in ((tmp_path, "is a folder"), (tmp_path / "no" / "a.html", "make it first")):
        with pytest.raises(UsageError, match=words):
            CliRunner().invoke(
                app, [str(LOG), "--source-root", str(SHOP), "--html", str(target)],
                catch_exceptions=False,
            )  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a Unix")
def test_a_page_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 300 + ".html")
    with pytest.raises(UsageError, match="cannot write"):
        CliRunner().invoke(
            app, [str(LOG), "--source-root", str(SHOP), "--no-exec", "--html", str(target)],
            catch_exceptions=False,
        )  # fmt: skip
