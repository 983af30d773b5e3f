"""A finding's call as it is pasted into Python."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from nsdbg.claim import Call
from nsdbg.reproduce.pasted import expression, imports_of, statements
from nsdbg.triage.pair import load

SOURCE = """
    class Order:
        def __init__(self, prices):
            self.prices = prices

        def total(self, rate):
            return rate

        @property
        def size(self):
            return 1

    async def fetch(name):
        return name

    def parts(text):
        yield text

    async def stream(text):
        yield text

    @contextlib.contextmanager
    def opened(text):
        yield text
    """


@pytest.mark.parametrize(
    ("qualname", "given", "call", "imports"),
    [
        ("Order.total", {"self": "Order([])", "rate": "2"}, "Order([]).total(2)",
         ["from m import Order"]),
        ("Order.size", {"self": "Order([])"}, "Order([]).size", ["from m import Order"]),
        ("Order.__init__", {"prices": "[]"}, "Order([])", ["from m import Order"]),
        ("fetch", {"name": "''"}, "asyncio.run(fetch(''))",
         ["import asyncio", "from m import fetch"]),
        ("parts", {"text": "Order([])"}, "list(parts(Order([])))", ["from m import parts, Order"]),
        ("stream", {"text": "''"}, "asyncio.run(_all(stream('')))",
         ["import asyncio", "async def _all(items): return [item async for item in items]",
          "from m import stream"]),
        ("opened", {"text": "''"}, "list(opened('').gen)", ["from m import opened"]),
    ],
)  # fmt: skip
def test_a_call_is_written_to_be_pasted(
    qualname: str, given: dict[str, str], call: str, imports: list[str], tmp_path: Path
) -> None:
    (tmp_path / "m.py").write_text(textwrap.dedent(SOURCE))
    subject = load(tmp_path / "m.py", qualname, tmp_path)
    made = Call(tuple(given.items()))
    assert expression(subject, made) == call
    assert imports_of(subject, made) == imports


def test_what_is_not_imported_from_the_folder_is_found_first(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "rows.py").write_text("def first(row):\n    return row[0]\n")
    subject = load(tmp_path / "src" / "rows.py", "first", tmp_path / "src")
    made = Call((("row", "[]"),))
    assert statements(subject, made, tmp_path / "src") == ("from rows import first",)
    lines = [*statements(subject, made, tmp_path), expression(subject, made)]
    assert lines[:3] == ["import sys", "sys.path.insert(0, 'src')", "from rows import first"]
    assert statements(subject, made, tmp_path / "docs")[1] == (
        f"sys.path.insert(0, {str(tmp_path / 'src')!r})"
    )
    said = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert said.stderr.endswith("IndexError: list index out of range\n")


def test_a_module_whose_name_is_none_of_pythons_is_imported_by_a_call(tmp_path: Path) -> None:
    (tmp_path / "my-tool.py").write_text("ROWS = []\n\ndef run(rows):\n    return rows[0]\n")
    subject = load(tmp_path / "my-tool.py", "run", tmp_path)
    made = Call((("rows", "ROWS"),))
    lines = [*imports_of(subject, made), expression(subject, made)]
    assert lines == [
        "from importlib import import_module", "run = import_module('my-tool').run",
        "ROWS = import_module('my-tool').ROWS", "run(ROWS)",
    ]  # fmt: skip
    said = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert said.stderr.splitlines()[-1] == "IndexError: list index out of range"
