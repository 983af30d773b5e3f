"""What can be changed in place is known from what is assigned."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from nsdbg.rulebook.scope import Module
from nsdbg.verify.kinds import Kind, Kinds, imported_kind

MODULE = """
import math, os, re, sys, logging
import collections as c
from operator import itemgetter
FLAT = [1]
HELD = [[1]]
TEXT = "a"
class Level:
    LOW = 1
    KEPT = []
def f(): pass
"""
FROZEN, SHALLOW, DEEP = Kind.FROZEN, Kind.SHALLOW, Kind.DEEP


def kind(expression: str) -> Kind:
    kinds = Kinds(Module(ast.parse(MODULE)))
    return kinds.of(ast.parse(expression, mode="eval").body)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1", FROZEN), ("f'{x}'", FROZEN), ("lambda: x", FROZEN), ("x < y", FROZEN),
        ("not x", FROZEN), ("-TEXT", FROZEN), ("-x", DEEP), ("TEXT + 'b'", FROZEN),
        ("FLAT + FLAT", SHALLOW), ("FLAT + HELD", DEEP), ("HELD + FLAT", DEEP),
        ("TEXT or FLAT", SHALLOW), ("FLAT or HELD", DEEP), ("1 if x else FLAT", SHALLOW),
        ("FLAT if x else 1", SHALLOW), ("(n := FLAT)", SHALLOW),
        ("()", FROZEN), ("(1, FLAT)", DEEP), ("(1, TEXT)", FROZEN), ("[*FLAT]", DEEP),
        ("[]", SHALLOW), ("{}", SHALLOW), ("{1}", SHALLOW), ("{'a': FLAT}", DEEP),
        ("{'a': TEXT}", SHALLOW), ("[f, math, Level, len]", SHALLOW), ("[x]", DEEP),
        ("FLAT[0]", FROZEN), ("HELD[0]", DEEP), ("TEXT[0]", FROZEN),
        ("[n for n in FLAT]", SHALLOW), ("[n for n in HELD]", DEEP),
        ("[[n] for n in FLAT]", DEEP), ("{n: 1 for n in HELD}", SHALLOW),
        ("{1: n for n in HELD}", DEEP), ("{n for n in range(3)}", SHALLOW),
        ("[b for a in HELD for b in a]", DEEP), ("[a for a, *b in FLAT]", SHALLOW),
        ("[b for a, *b in FLAT]", DEEP), ("[n for n in TEXT]", SHALLOW),
        ("[n for n in zip(FLAT, FLAT)]", SHALLOW), ("[n for n in zip(FLAT, HELD)]", DEEP),
        ("[n for n in map(len, HELD)]", SHALLOW), ("[n for n in map(f, FLAT)]", DEEP),
        ("[n for n in enumerate(FLAT)]", SHALLOW), ("[n.x for n in FLAT]", SHALLOW),
        ("[n.x for n in HELD]", DEEP), ("[n.upper() for n in FLAT]", SHALLOW),
        ("[n.split() for n in FLAT]", DEEP), ("[n[0] for n in HELD]", DEEP),
        ("tuple(FLAT)", FROZEN), ("tuple(HELD)", DEEP), ("tuple()", FROZEN),
        ("frozenset(n for n in FLAT)", FROZEN), ("frozenset([n] for n in FLAT)", DEEP),
        ("list(FLAT)", SHALLOW), ("list(HELD)", DEEP), ("dict(a=1)", SHALLOW),
        ("dict(a=FLAT)", SHALLOW), ("dict(a=HELD)", DEEP), ("list()", SHALLOW),
        ("sorted(zip(FLAT, FLAT))", SHALLOW), ("max(FLAT)", FROZEN), ("max(HELD)", DEEP),
        ("zip(FLAT)", DEEP), ("iter(FLAT)", DEEP), ("len(HELD)", FROZEN), ("int(x)", FROZEN),
        ("x()", DEEP), ("f()", DEEP), ("Level()", DEEP), ("Level.make()", DEEP),
        ("os.path.join(x)", FROZEN), ("os.environ", DEEP), ("os.sep", FROZEN),
        ("os.environ.get(x)", FROZEN), ("os.getenv(x)", FROZEN), ("sys.path", DEEP),
        ("math.sqrt(x)", FROZEN), ("math.pi", FROZEN), ("re.compile(x)", FROZEN),
        ("c.namedtuple('A', 'b')", FROZEN), ("c.Counter()", DEEP), ("itemgetter(1)", FROZEN),
        ("logging.getLogger(x)", FROZEN), ("os.listdir(x)", DEEP), ("os.linesep.encode()", FROZEN),
        ("re.compile('a').findall(x)", SHALLOW), ("'a b'.split()", SHALLOW),
        ("TEXT.upper()", FROZEN),
        ("FLAT.copy()", SHALLOW), ("FLAT.items()", SHALLOW), ("HELD.copy()", DEEP),
        ("FLAT.get(x)", FROZEN), ("HELD.get(x)", DEEP), ("FLAT.pop()", DEEP), ("x.copy()", DEEP),
        ("Level.LOW", FROZEN), ("Level.KEPT", SHALLOW), ("Level.LOW.value", FROZEN),
        ("TEXT.attr", FROZEN), ("x.attr", DEEP), ("FLAT.attr", DEEP), ("await x", DEEP),
        ("x.field(default=[])", FROZEN), ("cached_property(f)", FROZEN),
    ],
)  # fmt: skip
def test_an_expression_has_a_kind(expression: str, expected: Kind) -> None:
    assert kind(expression) is expected


def test_names_bound_twice_are_what_is_changed_most() -> None:
    source = "A = 1\nA = [1]\nA = 2\nB = [[1]]\nB = 1\nC = 1\nC += [1]\nD: list\nE = E\n"
    names = Kinds(Module(ast.parse(source))).names
    assert names == {"A": SHALLOW, "B": DEEP, "C": SHALLOW, "E": DEEP}


def test_names_are_found_in_blocks_and_not_in_functions() -> None:
    source = (
        "if x:\n    A = [1]\nelse:\n    B = [1]\ntry:\n    C = [1]\nexcept E:\n    D = [1]\n"
        "else:\n    F = [1]\nfinally:\n    G = [1]\nwith x as (H, I):\n    J = [1]\n"
        "for K in [[1]]:\n    L = [1]\nmatch x:\n    case 1:\n        M = [1]\n"
        "while (N := [1]):\n    pass\nasync def f():\n    O = []\n"
        "class P:\n    Q = [1]\n    def R(self):\n        S = []\n"
    )
    kinds = Kinds(Module(ast.parse(source)))
    shallow = {name for name, kind in kinds.names.items() if kind is SHALLOW}
    assert shallow == set("ABCDFGJLMN")
    assert {name for name, kind in kinds.names.items() if kind is DEEP} == {"H", "I", "K"}
    assert {name for name, kind in kinds.names.items() if kind is FROZEN} == {"f", "P"}
    assert kinds.references == {"f", "P"}
    assert kinds.attributes == {"Q": SHALLOW}


@pytest.mark.parametrize("decorator", ["dataclass", "attr.s(slots=True)", "attrs.define"])
def test_annotated_names_of_a_record_are_fields(decorator: str) -> None:
    source = f"@{decorator}\nclass A:\n    x: list = []\n    y = []\nclass B:\n    z: list = []\n"
    assert Kinds(Module(ast.parse(source))).attributes == {"y": SHALLOW, "z": SHALLOW}


def test_what_is_imported_from_the_project_has_its_kind_there(tmp_path: Path) -> None:
    (tmp_path / "consts.py").write_text("A = [1]\nB = [[1]]\nC = 1\ndef f(): pass\n")
    file = str(tmp_path / "program.py")
    names = ["consts.A", "consts.B", "consts.C", "consts.f", "consts.none", "consts", "json.dumps"]
    found = [imported_kind(name, file) for name in names]
    assert found == [SHALLOW, DEEP, FROZEN, FROZEN, FROZEN, FROZEN, FROZEN]
    source = "from consts import A, C\nimport consts\nfrom json import dumps\n"
    kinds = Kinds(Module(ast.parse(source)), file)
    assert kinds.names == {"A": SHALLOW, "C": FROZEN, "consts": FROZEN, "dumps": FROZEN}
    assert kinds.references == {"C", "consts", "dumps"}
