"""What docstrings say is raised, and how a call is written to be pasted."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from nsdbg.triage.documented import covers, documented, raised_in
from nsdbg.triage.pair import load

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
