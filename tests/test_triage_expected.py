"""What docstrings say is raised, and how a call is written to be pasted."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from nsdbg.claim import Call
from nsdbg.triage.documented import covers, documented, raised_in
from nsdbg.triage.pair import load
from nsdbg.triage.pasted import imports_for, pasted

GOOGLE = """Do it.

Args:
    x: a TypeError is no argument.

Raises:
    ValueError: If it is odd.
    mod.OddError: If it is odder.

Returns:
    An Exception, perhaps.
"""
NUMPY = """Do it.

Raises
------
KeyError
    When there is none.
LookupError

Notes
-----
IndexError is not spoken of.
"""
SPHINX = """Do it.

:param x: what
:raises ValueError, KeyError: when odd
:raise mod.OddError: when odder
:return: An IndexError
"""


@pytest.mark.parametrize(
    ("docstring", "wanted"),
    [
        (GOOGLE, {"ValueError", "OddError"}),
        (NUMPY, {"KeyError", "LookupError"}),
        (SPHINX, {"ValueError", "KeyError", "OddError"}),
        ("Return it. Raises a `KeyError` for none of them.", {"KeyError"}),
        ("It throws IndexError, e.g. for nothing.", {"IndexError"}),
        ("Take a ValueError as an argument. Return it.", set()),
        ("", set()),
    ],
)
def test_a_docstring_tells_what_is_raised(docstring: str, wanted: set[str]) -> None:
    assert raised_in(textwrap.dedent(docstring)) == wanted


def test_the_class_and_the_module_speak_for_a_method(tmp_path: Path) -> None:
    text = '''
        """A module that raises OSError."""

        class Order:
            """Raises KeyError where it has to."""

            def total(self):
                """Raises ValueError."""

            def other(self):
                """Raises TypeError."""
        '''
    (tmp_path / "m.py").write_text(textwrap.dedent(text).lstrip())
    found = documented(load(tmp_path / "m.py", "Order.total", tmp_path))
    assert found == {"OSError", "KeyError", "ValueError"}


@pytest.mark.parametrize(
    ("name", "raised", "wanted"),
    [("LookupError", "KeyError", True), ("KeyError", "KeyError", True),
     ("KeyError", "IndexError", False), ("Exception", "KeyError", False),
     ("BadRow", "shop.errors.BadRow", True), ("ValueError", "UnicodeDecodeError", True)],
)  # fmt: skip
def test_a_documented_class_covers_those_beneath_it(name: str, raised: str, wanted: bool) -> None:
    assert covers(frozenset([name]), raised) is wanted


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
    ],
)  # fmt: skip
def test_a_call_is_written_to_be_pasted(
    qualname: str, given: dict[str, str], call: str, imports: list[str], tmp_path: Path
) -> None:
    (tmp_path / "m.py").write_text(textwrap.dedent(SOURCE))
    subject = load(tmp_path / "m.py", qualname, tmp_path)
    made = Call(tuple(given.items()))
    assert pasted(subject, made) == call
    assert list(imports_for(subject, made)) == imports
