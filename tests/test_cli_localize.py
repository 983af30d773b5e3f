"""`nsdbg localize`, as it is typed."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from nsdbg.cli import app as whole_app
from nsdbg.cli.localize import localize
from nsdbg.cli.options import tell_what_is_awaited
from nsdbg.errors import CrashLogError, NoCrashFound, UsageError

ROOT = Path(__file__).resolve().parent.parent
LOG = ROOT / "examples" / "crash.log"
SHOP = ROOT / "examples" / "shop"

app = typer.Typer()
app.command()(localize)


class Terminal(io.StringIO):
    """A standard input that somebody sits at."""

    def isatty(self) -> bool:
        return True


def test_a_terminal_is_told_that_its_input_is_awaited(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal())
    tell_what_is_awaited("-", "a log")
    assert capsys.readouterr().err == "nsdbg: reading a log from the terminal, up to Ctrl-D\n"
    tell_what_is_awaited("crash.log", "a log")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    tell_what_is_awaited("-", "a log")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["reverse", "step"])
def test_the_examples_of_a_state_stand_in_lines_of_their_own(command: str) -> None:
    told = CliRunner().invoke(whole_app, [command, "--help"]).stdout
    lines = [line.strip() for line in told.splitlines()]
    assert [line for line in lines if line.startswith('{"') and line.endswith("}")]
    assert not [line for line in lines if "}   {" in line or line.endswith('{"5":')]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Path]:
    """Run the demo once: what it printed, its test file and its state file."""
    folder = tmp_path_factory.mktemp("demo")
    test, state = folder / "test_regression.py", folder / "state.json"
    ran = CliRunner().invoke(
        app, [str(LOG), "--source-root", str(SHOP), "--emit-test", str(test),
              "--state-out", str(state)],
    )  # fmt: skip
    assert ran.exit_code == 0, ran.output
    return ran.stdout, test, state


def test_the_demo_puts_the_cause_before_the_line_that_crashed(
    demo: tuple[str, Path, Path],
) -> None:
    text = demo[0]
    first = text[text.index("Suspects") :].splitlines()[1]
    assert "shop/catalog.py:18" in first
    assert text.index("shop/catalog.py:18") < text.index("2. ")


def test_the_demo_ends_in_a_confirmed_reproducer(demo: tuple[str, Path, Path]) -> None:
    assert "\nReproduced\n" in demo[0]
    assert "confirmed by 2 runs on Python" in demo[0]
    assert "python -c " in demo[0]
    assert "ran under:" in demo[0]


def test_the_test_file_fails_today_with_the_exception_and_passes_once_fixed(
    demo: tuple[str, Path, Path], tmp_path: Path
) -> None:
    text = demo[1].read_text()
    fails = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(demo[1])],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert fails.returncode == 1
    assert "unsupported operand type(s) for *: 'NoneType' and 'int'" in fails.stdout
    fixed = tmp_path / "shop"
    (fixed / "shop").mkdir(parents=True)
    for name in ("__init__", "orders", "invoice", "catalog"):
        source = (SHOP / "shop" / f"{name}.py").read_text()
        source = source.replace("PRICES.get(normalized(sku))", "PRICES.get(normalized(sku), 0)")
        (fixed / "shop" / f"{name}.py").write_text(source)
    root = next(line for line in text.splitlines() if line.startswith("ROOT = "))
    test = tmp_path / "test_fixed.py"
    test.write_text(text.replace(root, f"ROOT = Path({str(fixed)!r})"))
    function = re.search(r"^def (test_\w+)\(", text, re.MULTILINE)
    assert function is not None
    call = f"import runpy; runpy.run_path({str(test)!r})[{function[1]!r}]()"
    passes = subprocess.run([sys.executable, "-c", call], capture_output=True, check=False)
    assert passes.returncode == 0, passes.stderr


def test_the_state_names_the_function_for_reverse(demo: tuple[str, Path, Path]) -> None:
    state = json.loads(demo[2].read_text())
    assert state["function"] == "item_total"
    assert state["exception"] == "TypeError"
    assert Path(state["file"]) == SHOP / "shop" / "invoice.py"
    assert demo[2].stat().st_mode & 0o077 == 0


def run(*arguments: str, stdin: str | None = None) -> str:
    ran = CliRunner().invoke(app, list(arguments), input=stdin)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_without_running_the_report_says_so() -> None:
    text = run(str(LOG), "--source-root", str(SHOP), "--no-exec", "--top", "1")
    assert "Not run\n  running was not asked for (--no-exec)" in text
    assert "\n  2. " not in text
    assert "more with --top" in text


def test_json_is_one_document_on_stdout() -> None:
    document = json.loads(
        run("-", "--source-root", str(SHOP), "--no-exec", "--output-format", "json",
            stdin=LOG.read_text())
    )  # fmt: skip
    assert document["schema"] == "nsdbg.localize/1"
    crash = document["crashes"][0]
    assert [frame["lineno"] for frame in crash["frames"]] == [16, 25, 18, 18, 13]
    assert crash["frames"][0]["source_path"] == str(SHOP / "worker.py")
    assert crash["suspects"][0]["file"].endswith("catalog.py")


def test_the_same_seed_gives_the_same_ranking() -> None:
    once = run(str(LOG), "--source-root", str(SHOP), "--no-exec", "--output-format", "json")
    assert once == run(str(LOG), "--source-root", str(SHOP), "--no-exec",
                       "--output-format", "json")  # fmt: skip


def test_every_crash_of_a_log_is_answered(tmp_path: Path) -> None:
    log = tmp_path / "two.log"
    log.write_text(LOG.read_text() + LOG.read_text().replace("TypeError:", "ValueError:"))
    document = json.loads(
        run(str(log), "--source-root", str(SHOP), "--no-exec", "--output-format", "json")
    )
    assert len(document["crashes"]) == 2


def test_a_syntax_error_points_at_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def f(:\n    pass\n")
    log = (
        'Traceback (most recent call last):\n  File "/app/main.py", line 1, in <module>\n'
        '    import bad\n  File "/app/bad.py", line 1\n    def f(:\n          ^\n'
        "SyntaxError: invalid syntax\n"
    )
    document = json.loads(
        run("-", "--source-root", str(tmp_path), "--no-exec", "--output-format", "json", stdin=log)
    )
    suspect = document["crashes"][0]["suspects"][0]
    assert (suspect["source_path"], suspect["lineno"]) == (str(tmp_path / "bad.py"), 1)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("no-such.log",), CrashLogError, "there is no file no-such.log"),
        ((str(LOG), "--source-root", "no-such-folder"), UsageError, "is not a folder"),
        ((str(LOG), "--proposers", "oracle"), UsageError, "'oracle' is none of"),
        ((str(LOG), "--emit-test", str(ROOT / "README.md")), UsageError, "is no Python file"),
        ((str(ROOT / "pyproject.toml"),), NoCrashFound, "no crash found"),
    ],
)
def test_bad_input_is_one_message_that_says_what_to_do(
    arguments: tuple[str, ...], error: type[Exception], words: str
) -> None:
    ran = CliRunner().invoke(app, list(arguments))
    assert isinstance(ran.exception, error)
    assert words in str(ran.exception)


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    aim = tmp_path / "aim.py"
    link = tmp_path / "link.py"
    link.symlink_to(aim)
    for option in ("--emit-test", "--state-out"):
        with pytest.raises(UsageError, match=r"link.py.* is a link"):
            localize_log(option, link)
    assert not aim.exists()


def localize_log(option: str, path: Path) -> None:
    ran = CliRunner().invoke(
        app, [str(LOG), "--source-root", str(SHOP), "--no-exec", option, str(path)]
    )
    if ran.exception is not None:
        raise ran.exception
