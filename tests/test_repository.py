"""What holds for the repository as a whole: layers, light imports, documents that are true."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "nsdbg"
CHILD = PACKAGE / "verify" / "child"

# A room imports from rooms above it in this list, never from its own row (but from itself).
FLOORS: tuple[tuple[str, ...], ...] = (
    ("state", "errors"),
    ("claim", "data", "deltas", "programs", "record", "settings"),
    ("source", "episode", "refusal"),
    ("statefile", "rulebook", "proposer", "finding", "changes"),
    ("crashlog", "propose", "verify"),
    ("solve",),
    ("workbench", "forward", "rulecheck"),
    ("reverse", "reproduce", "doctor"),
    ("localize", "triage"),
    ("report",),
    ("measure", "model"),
    ("gate",),
    ("cli", "pytest_plugin"),
    ("__main__",),
)
HEAVY = ("numpy", "onnxruntime", "torch", "hypothesis", "transformers", "coverage", "z3", "rich",
         "matplotlib")  # fmt: skip


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported_rooms(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif node.module == "nsdbg":
            names = [f"nsdbg.{alias.name}" for alias in node.names]
        else:
            names = [node.module or ""]
        for name in names:
            parts = name.split(".")
            if parts[0] == "nsdbg" and len(parts) > 1:
                yield node.lineno, parts[1]


def floor(name: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if name in rooms)


def test_every_module_imports_only_from_floors_below() -> None:
    wrong = []
    for path in modules():
        if path == PACKAGE / "__init__.py":
            continue
        here = room(path)
        for lineno, other in imported_rooms(path):
            if other != here and floor(other) >= floor(here):
                wrong.append(f"{path.relative_to(ROOT)}:{lineno} imports {other}")
    assert wrong == []


def test_the_child_imports_the_standard_library_only() -> None:
    foreign = set()
    for path in CHILD.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            foreign |= {
                (path.name, name) for name in names
                if name.split(".")[0] not in sys.stdlib_module_names
                and name.split(".")[0] != "_nsdbg_child"
            }  # fmt: skip
    assert foreign == set()


def test_no_module_is_longer_than_400_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in modules()
        if (lines := path.read_text().count("\n")) > 400
    }
    assert long == {}


def test_no_function_is_longer_than_60_lines() -> None:
    long = []
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                size = (node.end_lineno or node.lineno) - node.lineno + 1
                if size > 60:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {size}")
    assert long == []


def test_every_module_says_what_it_is() -> None:
    silent = [str(path) for path in modules() if not ast.get_docstring(ast.parse(path.read_text()))]
    assert silent == []


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "sys.argv = ['nsdbg', '--help']\n"
        "from nsdbg.cli import main\n"
        "try:\n    main()\nexcept SystemExit: pass\n"
        f"print('HEAVY', [name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "localize" in run.stdout
    assert "HEAVY []" in run.stdout


def cpu_seconds(code: str) -> float:
    """Return seconds of processor time."""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime


def test_help_takes_at_most_twice_the_time_of_importing_typer() -> None:
    asked = (
        "import sys; sys.argv = ['nsdbg', '--help']\n"
        "from nsdbg.cli import main\n"
        "try: main()\nexcept SystemExit: pass"
    )
    # The best of seven, and in turn: others use the machine too, and its pace changes.
    pairs = [(cpu_seconds(asked), cpu_seconds("import typer")) for _ in range(7)]
    assert min(one for one, _ in pairs) <= 2 * min(other for _, other in pairs)


def help_of(*command: str, columns: int = 200) -> str:
    code = (
        f"import sys; sys.argv = {['nsdbg', *command, '--help']!r}; import nsdbg.cli as c; c.main()"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env={"COLUMNS": str(columns), "PATH": "", "LANG": "C.UTF-8"},
    )  # fmt: skip
    return run.stdout


COMMANDS = re.compile(r"^\$? ?nsdbg ((?:rules |measure |model )?[a-z]+)([^\n]*)", re.MULTILINE)


def documented() -> set[tuple[str, str]]:
    """Every (command, option) that README and docs show in a line that begins with nsdbg."""
    found = set()
    for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
        for command, rest in COMMANDS.findall(path.read_text().replace("\\\n", " ")):
            found |= {(command, option) for option in re.findall(r"(?<![\w-])--[a-z-]+", rest)}
            found.add((command, "--help"))
    return found


def test_the_documents_show_only_options_that_are_there() -> None:
    pages: dict[str, str] = {}
    wrong = []
    for command, option in sorted(documented()):
        page = pages.setdefault(command, help_of(*command.split()))
        if not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", page):
            wrong.append(f"{command} {option}")
    assert len(pages) >= 5
    assert wrong == []


@pytest.mark.parametrize("group", [(), ("rules",), ("measure",), ("model",)])
def test_a_list_of_commands_says_of_each_in_a_whole_sentence_what_it_does(
    group: tuple[str, ...],
) -> None:
    page = help_of(*group, columns=80)
    told = page.split("Commands:\n")[1].strip().splitlines()
    assert len(told) >= 2
    assert [line for line in told if not line.endswith(".") or line.endswith("...")] == []


def test_the_readme_shows_every_command() -> None:
    text = (ROOT / "README.md").read_text()
    commands = re.findall(r"^  ([a-z]+) ", help_of().split("Commands")[1], re.MULTILINE)
    assert len(commands) >= 7
    assert [name for name in commands if f"nsdbg {name}" not in text] == []


@pytest.mark.parametrize("kind", ["exceptions", "inverse", "effects", "suspects"])
def test_every_rule_has_its_program_and_every_program_its_rule(kind: str) -> None:
    folder = ROOT / "rules" / kind
    rules = {path.stem for path in folder.glob("*.toml")}
    assert rules
    assert rules == {path.stem for path in folder.glob("*.py")}


def test_what_tests_share_is_imported_from_their_folder_not_from_the_root() -> None:
    shared = re.compile(r"^(?:from|import) tests\b", re.MULTILINE)
    files = (ROOT / "tests").glob("*.py")
    assert [path.name for path in files if shared.search(path.read_text())] == []


def test_the_onnx_folder_cannot_shadow_the_onnx_package() -> None:
    assert not (ROOT / "onnx" / "__init__.py").exists()


def tracked() -> list[Path]:
    run = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True, check=False
    )
    return [ROOT / name for name in run.stdout.splitlines()]


def test_nothing_committed_names_a_home_folder() -> None:
    home = re.compile(r"(?<![\w.])/(?:root|work)/(?!\.\.\.)")
    wrong = []
    for path in tracked():
        if path.suffix in {".py", ".md", ".toml", ".yml", ".yaml", ".json", ""} and path.is_file():
            text = path.read_text(errors="replace")
            wrong += [f"{path}:{n}" for n, line in enumerate(text.split("\n"), 1)
                      if home.search(line) and path != Path(__file__)]  # fmt: skip
    assert wrong == []
