"""Which lines read what no state holds is known from the text of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from nsdbg.claim import Site
from nsdbg.verify.unheld import hidden_reads


def read_at_the_end(folder: Path, source: str, function: str = "last") -> tuple[str, ...]:
    """Return what the last line of a program, which lies in a function, reads that is hidden."""
    file = folder / "program.py"
    file.write_text(source)
    return hidden_reads([Site(str(file), len(source.splitlines()), function)])


def with_use(binding: str, use: str, read: str = "A == 1") -> str:
    return f"{binding}\n\ndef use(x, k):\n    {use}\n\ndef last():\n    return {read}\n"


@pytest.mark.parametrize(
    "use",
    ["A[0] = x", "A[0] += x", "del A[0]", "A.append(x)", "A.n = x", "del A.n", "return A",
     "x = A", "x, k = A, 1", "x = [A]", "x = {k: A}", "x.y = A", "x[0] = A", "k(A)", "k(x=A)",
     "k(*[A])", "list.append(A, x)", "return A or x", "return x if k else A", "yield A",
     "x = lambda: A", "x = (k := A)", "next(A)", "push = A.append", "x = A.append", "raise A",
     "return [A for _ in x]", "setattr(A, 'n', x)", "with A: pass", "await A", "x.append(A)",
     "global A", "map(A.append, x)", "heapq.heappush(A, x)"],
)  # fmt: skip
def test_a_variable_that_may_be_changed_or_is_handed_on_is_hidden(tmp_path: Path, use: str) -> None:
    assert read_at_the_end(tmp_path, "import heapq\n" + with_use("A = [1]", use)) == ("A",)


@pytest.mark.parametrize(
    "use",
    ["return A[0]", "return A[0:x]", "return x[A[0]]", "return len(A)", "return x in A",
     "return A == x", "return A + x", "return x + A", "x += A", "return [*A]", "return sorted(A)",
     "for k in A: pass", "return [k for k in A]", "return A.index(x)", "return A.count(x)",
     "x, k = A", "if A: pass", "while A: pass", "assert A", "return not A", "return f'{A}'",
     "return ','.join(A)", "return x.extend(A)", "return json.dumps(A)", "return 1 if A else 2",
     "return isinstance(A, k)", "A = x", "return [A for A in x]", "return (lambda A: A)(x)",
     "return x.A", "return k(A[0])", "return {k: v for k, v in enumerate(A)}", "A"],
)  # fmt: skip
def test_a_variable_that_is_only_read_is_not(tmp_path: Path, use: str) -> None:
    assert read_at_the_end(tmp_path, "import json\n" + with_use("A = [1]", use)) == ()


@pytest.mark.parametrize(
    "binding",
    ["A = [0] * 3", "A, B = [], []", "(A, B), C = ([], 1), 2", "A = [] or []", "A: list = []",
     "A = {} if x else None", "A = make()", "A = B = []", "A = dict(a=1)", "A = (1, [])",
     "A = [[]]", "A = {'a': []}", "A = [x for x in y]", "A = set('a')", "A = sorted('a')",
     "try:\n    A = []\nexcept E:\n    A = None", "if x:\n    A = []",
     "for A in [[], []]:\n    pass",
     "with x as A:\n    pass", "A = iter([1])", "A = zip([1], [2])", "A = 'a b'.split()",
     "A = b.c", "A = os.environ", "A, *B = [], 1", "*A, B = x", "print(A := [])",
     "A = 1\nA = []", "A = None\nA += []", "A = tuple([[]])", "A = collections.Counter()",
     "A = max([[1]])", "A = dict(zip('a', [[]]))", "while x:\n    A = []",
     "match x:\n    case 1:\n        A = []"],
)  # fmt: skip
def test_what_can_be_changed_in_place_is_known_however_it_is_bound(
    tmp_path: Path, binding: str
) -> None:
    source = with_use("import os, collections\n" + binding, "k(A)")
    assert "A" in read_at_the_end(tmp_path, source)


@pytest.mark.parametrize(
    "binding",
    ["A = 1", "A = 'a' * 3", "A = -1", "A = (1, ('a', None))", "A = f'{x}'", "A = frozenset('ab')",
     "A = re.compile('a')", "A = re.compile('a').pattern", "A = 1 if x == 2 else 3",
     "A = 'a'.upper()",
     "A = lambda: 1", "A = os.path.join('a', 'b')", "A = tuple('ab')", "A = tuple(n for n in 'ab')",
     "A = math.pi * 2", "A = os.linesep.encode()", "A = object()", "A = int('3')", "A = len",
     "A, B = 1, 2", "for A in range(3):\n    pass", "A = max([1, 2])", "A = B.X\n", "A = f",
     "A = not x", "A = frozenset(n + 'x' for n in ['a'])", "A = {'a': 1}['a']",
     "A = {'a': 1}.get('a')", "A = Level.LOW", "A = sum(map(len, ['a']))",
     "def A(): pass", "class A: pass", "import A", "from b import A"],
)  # fmt: skip
def test_what_nothing_can_change_may_be_handed_on(tmp_path: Path, binding: str) -> None:
    above = "import math, os, re\n\nclass B:\n    X = 1\n\nclass Level:\n    LOW = (1,)\n\n"
    source = with_use(above + "def f(): pass\n" + binding, "k(A)")
    assert read_at_the_end(tmp_path, source) == ()


@pytest.mark.parametrize(
    ("binding", "use", "hidden"),
    [
        ("A = [[1], 2]", "x = A[0]", True),
        ("A = [[1], 2]", "A[0].append(x)", True),
        ("A = [[1], 2]", "A[0][0] = x", True),
        ("A = [[1], 2]", "return A[0][0] == x", False),
        ("A = [[1], 2]", "return len(A)", False),
        ("A = [[1], 2]", "for k in A: pass", True),
        ("A = [[1], 2]", "return sorted(A)", True),
        ("A = [[1], 2]", "return [*A]", True),
        ("A = [[1], 2]", "return A + x", True),
        ("A = {'a': [1]}", "return A.get(x)", True),
        ("A = {'a': [1]}", "return A.get(x) is None", False),
        ("A = {'a': [1]}", "return A.setdefault(x, 1)", True),
        ("A = {'a': [1]}", "return {**A}", True),
        ("A = {'a': 1}", "return A.get(x)", False),
        ("A = {'a': 1}", "return A.items()", False),
        ("A = {'a': 1}", "return {**A, 'b': 2}", False),
        ("A = {'a': 1}", "return {**A, 'b': A}", True),
        ("A = {'a': 1}", "return A.pop(x)", True),
        ("A = {'a': len}", "return A['a'](x)", False),
        ("A = make()", "return A.n == x", False),
        ("A = make()", "return A.n.m", True),
        ("A = make()", "return A(x)", True),
        ("A = make()", "return A.change()", True),
        ("A = make()", "A.n += 1", True),
    ],
)
def test_what_a_variable_holds_counts_too(
    tmp_path: Path, binding: str, use: str, hidden: bool
) -> None:
    assert read_at_the_end(tmp_path, with_use(binding, use)) == (("A",) if hidden else ())


@pytest.mark.parametrize(
    "use",
    ["globals()['A'] = x", "globals().update(A=x)", "exec(x)", "eval(x)", "vars()['A'] = x",
     "sys.modules[x].A = k", "setattr(sys.modules[x], k, 1)", "vars(sys.modules[x])['A'] = 1",
     "k = globals()", "globals()['A'].append(x)", "m = sys.modules\n    m[k].A = 1"],
)  # fmt: skip
def test_a_module_whose_names_are_reached_as_texts_has_none_that_is_sure(
    tmp_path: Path, use: str
) -> None:
    assert read_at_the_end(tmp_path, "import sys\n" + with_use("A = 1", use)) == ("A",)


@pytest.mark.parametrize(
    "use",
    ["return globals()[k](x)", "return k in globals()", "return k in sys.modules",
     "return vars(x)", "vars(x)['A'] = 1", "return sys.modules[k] == x", "return locals()"],
)  # fmt: skip
def test_looking_up_a_name_changes_none(tmp_path: Path, use: str) -> None:
    assert read_at_the_end(tmp_path, "import sys\n" + with_use("A = 1", use)) == ()


@pytest.mark.parametrize(
    ("use", "hidden"),
    [
        ("f.register(int, x)", ("f",)),
        ("return f.cache_info()", ("f",)),
        ("x.f.register(int)", ()),
        ("return f.name", ()),
    ],
)
def test_a_function_that_remembers_is_hidden(
    tmp_path: Path, use: str, hidden: tuple[str, ...]
) -> None:
    assert read_at_the_end(tmp_path, with_use("def f(): pass", use, "f()")) == hidden


CLASS = """
import math
class C:
    x = 0
    held = []
    names = ("a",)
    y: int = 0
    def set(self, n):
        {}

def use(k, n):
    {}

def last():
    return {}
"""


@pytest.mark.parametrize(
    ("method", "use", "read", "hidden"),
    [
        ("cls.x = n", "pass", "C.x", ("x",)),
        ("pass", "C.x = n", "C.x", ("x",)),
        ("pass", "C.x += n", "C().x", ("x",)),
        ("pass", "k.x = n", "C.x", ("x",)),
        ("pass", "del k.x", "C.x", ("x",)),
        ("pass", "type(k).x = n", "C.x", ("x",)),
        ("pass", "k.__class__.z = n", "C.z", ("z",)),
        ("pass", "setattr(k, 'x', n)", "C.x", ("x",)),
        ("pass", "setattr(C, 'z', n)", "C.z", ("z",)),
        ("pass", "setattr(C, k, n)", "C.x", ("x",)),
        ("pass", "type.__setattr__(C, 'x', n)", "C.x", ("x",)),
        ("pass", "delattr(C, 'x')", "C.x", ("x",)),
        ("self.held.append(n)", "pass", "C.held", ("held",)),
        ("self.held[0] = n", "pass", "C.held", ("held",)),
        ("return self.held", "pass", "C.held", ("held",)),
        ("pass", "math.e = n", "math.e", ("e",)),
        ("pass", "math.z = n", "getattr(math, 'z', 0)", ("z",)),
        ("pass", "last.calls = n", "last.calls", ("calls",)),
        ("self.x = n", "pass", "C.x", ()),
        ("self.x += n", "pass", "C.x", ()),
        ("return self.held[0]", "return len(C.held)", "C.held[0]", ()),
        ("return self.names", "return k.names", "C.names", ()),
        ("pass", "k.z = n", "C.x", ()),
        ("pass", "setattr(k, n, 1)", "C.x", ()),
        ("setattr(self, 'x', n)", "pass", "C.x", ()),
        ("pass", "C.x = n", "C.y", ()),
        ("pass", "return math.e", "math.e", ()),
    ],
)
def test_attributes_of_classes_and_modules_are_followed_by_their_names(
    tmp_path: Path, method: str, use: str, read: str, hidden: tuple[str, ...]
) -> None:
    if method.startswith("cls"):
        source = CLASS.replace("    def set(self", "    @classmethod\n    def set(cls")
    else:
        source = CLASS
    assert read_at_the_end(tmp_path, source.format(method, use, read)) == hidden


@pytest.mark.parametrize("decorator", ["@dataclass", "@dataclasses.dataclass(frozen=False)"])
def test_the_fields_of_a_record_are_those_of_its_objects(tmp_path: Path, decorator: str) -> None:
    source = f"{decorator}\nclass C:\n    x: int = 0\n\ndef use(k):\n    k.x = 1\n\n"
    source += "def last(k):\n    return k.x\n"
    assert read_at_the_end(tmp_path, source) == ()


@pytest.mark.parametrize(
    ("parameters", "use", "hidden"),
    [
        ("seen=[]", "seen.append(1)", True),
        ("*, seen={}", "seen[1] = 2", True),
        ("seen=[]", "return seen", True),
        ("a, /, seen=make()", "return seen.x.y", True),
        ("seen=[]", "return len(seen)", False),
        ("seen=()", "return seen", False),
        ("*, seen=None", "return seen", False),
    ],
)
def test_a_default_that_is_changed_makes_its_function_remember(
    tmp_path: Path, parameters: str, use: str, hidden: bool
) -> None:
    source = f"def keep({parameters}):\n    {use}\n\ndef last():\n    return keep()\n"
    assert read_at_the_end(tmp_path, source) == (("keep",) if hidden else ())


@pytest.mark.parametrize(
    ("imported", "read", "hidden"),
    [
        ("import random", "random.random()", ("the state of random.random",)),
        ("from random import random", "random()", ("the state of random",)),
        ("from random import choice as c", "c('ab')", ("the state of c",)),
        ("from random import *", "choice('ab')", ("the state of choice",)),
        ("import numpy", "numpy.random.rand()", ("the state of numpy.random.rand",)),
        ("import time", "time.monotonic()", ("the clock",)),
        ("import time as t", "t.perf_counter()", ("the clock",)),
        ("from time import monotonic as m", "m()", ("the clock",)),
        ("from time import time", "time()", ("the clock",)),
        ("import time\nnow = time.monotonic_ns", "now()", ("the clock",)),
        ("import time\na, now = 1, time.time", "now()", ("the clock",)),
        ("import time\nb = getattr(time, 'time')\nnow = b", "now()", ("now", "the clock")),
        ("", "x.now()", ("the clock",)),
        ("by = id", "by(x)", ("which values are one object",)),
        ("import operator as o", "o.is_(x, y)", ("which values are one object",)),
        ("", "x is y", ("which values are one object",)),
        ("", "x is None", ()),
        ("", "x.__code__.co_consts", ("co_consts",)),
        ("import sys", "sys._getframe(1)", ("_getframe",)),
        ("import inspect as i", "i.stack()", ("inspect.stack",)),
        ("import sys", "sys.getsizeof(x)", ("sys.getsizeof",)),
        ("import pickle", "pickle.dumps([x, x])", ("which values are one object",)),
        ("", "x.__context__", ("__context__",)),
        ("import os", "os.environ.get('A')", ("os.environ",)),
        ("from os import environ as e", "e['A']", ("os.environ",)),
        ("import os", "os.path.join('a')", ()),
        ("from locale import format_string", "format_string('a')", ("locale",)),
        ("import decimal", "decimal.getcontext().prec", ("decimal.getcontext",)),
        ("import decimal", "decimal.Decimal(1)", ()),
        ("time = len", "time('a')", ()),
        ("import math", "math.sqrt(2)", ()),
        ("import random", "random", ()),
    ],
)
def test_clocks_dice_and_identities_are_known_by_any_name(
    tmp_path: Path, imported: str, read: str, hidden: tuple[str, ...]
) -> None:
    source = f"{imported}\n\ndef last(x, y):\n    return {read}\n"
    assert read_at_the_end(tmp_path, source) == hidden


CLOSURE = """
def outer(given):
    kept = [0]
    def change(n):
        {}
    def last():
        return {}
"""


@pytest.mark.parametrize(
    ("change", "read", "hidden"),
    [
        ("kept.append(n)", "kept", ("kept",)),
        ("kept[0] += n", "len(kept)", ("kept",)),
        ("nonlocal given; given = n", "given", ("given",)),
        ("return given.change()", "given", ("given",)),
        ("return kept", "kept", ("kept",)),
        ("return given(n)", "given(1)", ()),
        ("return kept[0]", "kept[0]", ()),
        ("return f'{given}' + given", "given + 'a'", ()),
        ("kept = n", "1", ()),
    ],
)
def test_variables_of_the_function_around_are_followed(
    tmp_path: Path, change: str, read: str, hidden: tuple[str, ...]
) -> None:
    source = CLOSURE.format(change, read)
    # `last` does not see what `change` did; it would be among its own functions' state otherwise.
    file = tmp_path / "program.py"
    file.write_text(source.rstrip())
    line = len(source.rstrip().splitlines())
    assert hidden_reads([Site(str(file), 1, "elsewhere"), Site(str(file), line, "last")]) == hidden


def test_a_file_that_cannot_be_read_hides_nothing(tmp_path: Path) -> None:
    assert hidden_reads([Site(str(tmp_path / "none.py"), 1, "f")]) == ()


OTHER_FILE = """
TABLE = [[0], [1]]
FLAT = [1]
LEVEL = 0
SIZE = 3

def change(n):
    global LEVEL
    LEVEL = n

def add(n):
    FLAT.append(n)

class Settings:
    debug = False
    kept = False
    items = []

def set_debug(n):
    Settings.debug = n
    Settings.items.append(n)
"""


@pytest.mark.parametrize(
    ("imported", "use", "read", "hidden"),
    [
        ("from consts import TABLE", "row = TABLE[0]", "len(TABLE)", ("TABLE",)),
        ("from consts import TABLE", "return len(TABLE)", "len(TABLE)", ()),
        ("from consts import FLAT", "pass", "len(FLAT)", ("FLAT",)),
        ("from consts import SIZE", "return k(SIZE)", "SIZE", ()),
        ("from consts import change", "k(change)", "change(1)", ()),
        ("import consts", "pass", "consts.LEVEL", ("LEVEL",)),
        ("import consts as c", "pass", "c.FLAT == []", ("FLAT",)),
        ("import consts", "row = consts.TABLE[0]", "len(consts.TABLE)", ("TABLE",)),
        ("import consts", "return len(consts.TABLE)", "len(consts.TABLE)", ()),
        ("import consts", "pass", "consts.SIZE", ()),
        (
            "import consts\nfrom consts import TABLE",
            "row = TABLE[0]",
            "len(consts.TABLE)",
            ("TABLE",),
        ),
        (
            "import consts\nfrom consts import TABLE",
            "row = consts.TABLE[0]",
            "len(TABLE)",
            ("TABLE",),
        ),
        ("from consts import *", "pass", "len(FLAT)", ("FLAT",)),
        ("from consts import *", "row = TABLE[0]", "len(TABLE)", ("TABLE",)),
        ("from consts import *", "pass", "SIZE", ()),
        ("from consts import Settings", "pass", "Settings.debug", ("debug",)),
        ("from consts import Settings as s", "pass", "len(s.items)", ("items",)),
        ("import consts", "pass", "consts.Settings.debug", ("debug",)),
        ("import consts", "pass", "consts.Settings.kept", ()),
        ("from json import decoder", "k(decoder)", "decoder", ()),
        ("import missing", "k(missing.X)", "missing.X", ()),
    ],
)
def test_variables_of_other_files_are_followed(
    tmp_path: Path, imported: str, use: str, read: str, hidden: tuple[str, ...]
) -> None:
    (tmp_path / "consts.py").write_text(OTHER_FILE)
    source = with_use(imported, use, read)
    assert read_at_the_end(tmp_path, source) == hidden


@pytest.mark.parametrize(
    ("name", "imported"),
    [
        ("package/inner/program.py", "from ..consts import FLAT"),
        ("package/inner/program.py", "from package.consts import FLAT"),
        ("package/inner/program.py", "from .. import consts\nFLAT = consts.FLAT"),
        ("package/__init__.py", "from .consts import FLAT"),
        ("package/other.py", "from .consts import FLAT"),
    ],
)
def test_imports_are_followed_within_a_package(tmp_path: Path, name: str, imported: str) -> None:
    for package in ("package", "package/inner"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("")
    (tmp_path / "package" / "consts.py").write_text(OTHER_FILE)
    file = tmp_path / name
    source = with_use(imported, "pass", "len(FLAT)")
    file.write_text(source)
    assert "FLAT" in hidden_reads([Site(str(file), len(source.splitlines()), "last")])[0]


def test_files_that_import_each_other_are_read_once(tmp_path: Path) -> None:
    (tmp_path / "consts.py").write_text("from program import A\n" + OTHER_FILE)
    source = with_use("from consts import FLAT\nA = []", "A.append(1)", "len(A) + len(FLAT)")
    assert read_at_the_end(tmp_path, source) == ("A", "FLAT")


def read_at(folder: Path, source: str, line: int) -> tuple[str, ...]:
    file = folder / "program.py"
    file.write_text(source)
    return hidden_reads([Site(str(file), line, "last")])


@pytest.mark.parametrize(
    ("statement", "hidden"),
    [
        ("A.append(1)", ()),
        ("A.append(len(A))", ("A",)),
        ("A.pop()", ("A",)),
        ("x = A.append(1)", ("A",)),
        ("A.x.append(1)", ("A",)),
        ("f(A).append(1)", ("A",)),
        ("print(A)", ("A",)),
        ("A += x", ()),
        ("A += A", ("A",)),
        ("x.y += A", ("A",)),
        ("A[0] = 1", ("A",)),
        ("A", ("A",)),
        ("x = 1", ()),
    ],
)
def test_a_statement_that_changes_and_tells_nothing_of_it_may_run(
    tmp_path: Path, statement: str, hidden: tuple[str, ...]
) -> None:
    source = f"A = [1]\ndef last(x):\n    global A\n    {statement}\n"
    assert read_at(tmp_path, source, 4) == hidden


def test_each_line_of_a_statement_reads_what_it_does_and_a_block_its_own(tmp_path: Path) -> None:
    source = (
        "A = []\nA2 = []\n\ndef last(x):\n    x = [\n        A2,\n    ]\n"
        "    if (x and\n            A):\n        x = 1\n    elif A2:\n        x = 2\n"
        "    A.pop()\n    A2.pop()\n    while A: x = 3\n    return x\n"
    )
    found = {line: read_at(tmp_path, source, line) for line in range(4, 17)}
    assert found == {
        4: (), 5: ("A2",), 6: ("A2",), 7: ("A2",), 8: ("A",), 9: ("A",), 10: (), 11: ("A2",),
        12: (), 13: ("A",), 14: ("A2",), 15: ("A",), 16: (),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("body", "line", "hidden"),
    [
        ("raise", 2, ("the exception being handled",)),
        ("raise x", 2, ()),
        ("try:\n        x()\n    except E:\n        raise", 5, ()),
        ("try:\n        raise\n    except E:\n        pass", 3, ("the exception being handled",)),
        ("return sys.exc_info()", 2, ("exc_info",)),
        ("return format_exc()", 2, ("format_exc",)),
        ("return x.__traceback__", 2, ("__traceback__",)),
        ("return x.exception", 2, ("exception",)),
        ("return x.args", 2, ()),
    ],
)
def test_what_needs_the_exception_being_handled_is_hidden(
    tmp_path: Path, body: str, line: int, hidden: tuple[str, ...]
) -> None:
    assert read_at(tmp_path, f"def last(x):\n    {body}\n", line) == hidden


@pytest.mark.parametrize(
    ("line", "hidden"),
    [
        ("B = A", True), ("B: list = A", True), ("B = [A]", True), ("B = {1: A}", True),
        ("B = (1, A)", True), ("B = lambda: A", True), ("B = make(A)", True),
        ("B = make(x=A)", True), ("B = A if x else 1", True), ("B = A or x", True),
        ("def g(x=A): pass", True), ("if (B := A): pass", True), ("@make(A)\ndef g(): pass", True),
        ("B = len(A)", False), ("B = A[0]", False), ("print(A)", False), ("A.append(2)", False),
        ("A[0] = 1", False), ("fill(A)", False), ("for B in A: pass", False), ("B = A()", False),
        ("B = A == 1", False), ("class C: x = 1", False),
    ],
)  # fmt: skip
def test_what_the_import_gives_another_name_may_be_changed_by_that(
    tmp_path: Path, line: str, hidden: bool
) -> None:
    source = f"A = [1]\n{line}\n\ndef last():\n    return len(A)\n"
    assert read_at_the_end(tmp_path, source) == (("A",) if hidden else ())


@pytest.mark.parametrize(
    ("read", "hidden"),
    [
        ("e.args", True), ("x(e)", True), ("[e]", True), ("e", True), ("f'{e!r}'", True),
        ("repr(e)", True), ("str(e)", False), ("f'{e}'", False), ("f'{e!s}'", False),
        ("isinstance(e, x)", False), ("type(e)", False), ("x", False),
    ],
)  # fmt: skip
def test_of_an_exception_in_a_state_only_the_text_is_known(
    tmp_path: Path, read: str, hidden: bool
) -> None:
    source = f"def last(x):\n    try:\n        x()\n    except E as e:\n        return {read}\n"
    file = tmp_path / "program.py"
    file.write_text(source)
    site = Site(str(file), 5, "last")
    assert hidden_reads([site]) == ()
    assert hidden_reads([site], caught=True) == (("what an exception holds",) if hidden else ())
