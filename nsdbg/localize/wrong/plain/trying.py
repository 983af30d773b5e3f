# ruff: noqa: UP006, UP035, UP045, B905
"""A failing test, run as it is and on variants of a file: a script for the target's interpreter.

    trying.py ORDERS

ORDERS is a file of JSON: `start` (`file`, `root`, `module`, `qualname`, `arguments`, `imports`;
qualname `<module>` runs the file), `roots`, the `place` of the assertion (file and line), the
`files` whose lines are wanted, `variants` as `[file, line, last line, first byte, end, what stands
there]`, `seconds` and `seed`.  Prints a mark, then lines of JSON: for what the test did `[ending,
[[file, lines]]]`; a list with the same for each other test of its module; and for each variant its
ending and how many of the tests that passed fail with it, or None when no line of it ran.

The standard library alone, Python 3.8; it is run in the sandbox, and finds nothing out by itself
of what a program does to it.
"""

import importlib
import importlib.util
import io
import itertools
import json
import random
import sys
import time
import tokenize
from importlib.machinery import PathFinder, SourceFileLoader
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Dict, List, Optional, Set, Tuple

MARK = "=== nsdbg: what the test did follows ==="
# A variant that runs so many times the lines of the test itself does not end, by all appearance.
LONGER = 30
LEAST_LINES = 3000
PASSED, FAILED, RAISED, ENDLESS = "passed", "failed", "raised", "endless"


# Of the module's other tests so many are run.
MOST_OTHERS = 24


class Endless(BaseException):
    """The variant ran too many lines; not an Exception, lest the program handle it."""


class Variant:
    """The text that stands for a file's in one run; other files are compiled once."""

    def __init__(self, roots: List[str]) -> None:
        self.roots = tuple(root.rstrip("/") + "/" for root in roots)
        self.file: Optional[str] = None
        self.text = b""
        self._compiled: Dict[str, CodeType] = {}

    def owns(self, file: str) -> bool:
        """Whether a file is the project's own."""
        return file.startswith(self.roots) and "/site-packages/" not in file

    def put(self, file: str, begin: int, end: int, inside: str) -> None:
        """Let a file's text with one place changed stand for it; it is UTF-8 then."""
        with tokenize.open(file) as opened:
            text = opened.read().encode("utf-8")
        self.file = file
        self.text = text[:begin] + inside.encode("utf-8") + text[end:]

    def code(self, file: str) -> CodeType:
        """Return a file's code, or that of what stands for it."""
        if file == self.file:
            return compile(self.text.decode("utf-8"), file, "exec", dont_inherit=True)
        if file not in self._compiled:
            with open(file, "rb") as opened:
                self._compiled[file] = compile(opened.read(), file, "exec", dont_inherit=True)
        return self._compiled[file]

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Find a module of the project as Python does, and load it from here."""
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or not spec.origin or not isinstance(spec.loader, SourceFileLoader):
            return None
        if not self.owns(spec.origin):
            return None
        spec.loader = Loader(name, spec.origin, self)
        return spec

    def forget(self) -> None:
        """Let the project's modules be imported anew."""
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and self.owns(file):
                del sys.modules[name]


class Loader(SourceFileLoader):
    """Loads a module of the project with the code of the variant at hand."""

    def __init__(self, name: str, path: str, variant: Variant) -> None:
        super().__init__(name, path)
        self._variant = variant

    def get_code(self, fullname: str) -> CodeType:
        """Return the module's code."""
        return self._variant.code(self.path)


class Counter:
    """Counts the lines of the project that run, keeps them when asked to, and ends what is endless.

    Lines that C code runs for long are not seen: the runner's clock ends those.
    """

    def __init__(self, variant: Variant, keeps: bool, most: int) -> None:
        self._variant = variant
        self._keeps = keeps
        self._most = most
        self._own: Dict[str, bool] = {}
        self.count = 0
        self.lines: Dict[str, Set[int]] = {}

    def told(self, files: List[str]) -> List[List[Any]]:
        """Return the lines of some files that ran."""
        return [[file, sorted(self.lines[file])] for file in files if file in self.lines]

    def trace(self, frame: FrameType, event: str, arg: Any) -> Any:
        """Follow the project's own frames alone."""
        file = frame.f_code.co_filename
        own = self._own.get(file)
        if own is None:
            own = self._own[file] = self._variant.owns(file)
        return self._line if own else None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self.count += 1
            if self._keeps:
                self.lines.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
            if self.count > self._most:
                raise Endless
        return self._line


def run(start: Dict[str, Any], variant: Variant) -> None:
    """Run the test once; raises what it raises."""
    file, qualname = start["file"], start["qualname"]
    if qualname == "<module>":
        module = ModuleType("__main__")
        module.__dict__.update(__file__=file, __spec__=None)
        sys.modules["__main__"] = module
        exec(variant.code(file), module.__dict__)
        return
    names = importlib.import_module(start["module"]).__dict__
    for line in start["imports"]:
        exec(line, names)
    owner, _, name = qualname.rpartition(".")
    if not owner:
        _called(names[name], start["arguments"], names)
        return
    made = _made(names[owner], name)
    _prepare(made, "setUp", "setup_method")
    try:
        given = start["arguments"]
        given = given[1:] if given and given[0][0] == "self" else given
        _called(getattr(made, name), given, names)
    finally:
        _prepare(made, "tearDown", "teardown_method")


def _prepare(made: Any, unittests: str, pytests: str) -> None:
    """Call what unittest, or pytest, calls before or after a method that is a test."""
    if hasattr(made, unittests):
        getattr(made, unittests)()
    elif hasattr(made, pytests):
        method = getattr(made, pytests)
        method(*[None] * (method.__code__.co_argcount - 1))


def others(start: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Return how the other tests of the test's module are run, by their names' beginnings."""
    module = sys.modules.get(start["module"])
    if module is None or start["qualname"] == "<module>":
        return []
    found = []
    for name, value in module.__dict__.items():
        if name.startswith("test") and isinstance(value, FunctionType):
            found.append(name)
        elif isinstance(value, type) and value.__module__ == module.__name__:
            found += [name + "." + one for one in vars(value) if one.startswith("test")]
    return [
        dict(start, qualname=one, arguments=[], imports=[])
        for one in found
        if one != start["qualname"]
    ][:MOST_OTHERS]


def _made(kind: Any, name: str) -> Any:
    """Make the object whose method a test is: a unittest case takes the method's name."""
    return kind(name) if hasattr(kind, "assertEqual") else kind()


def _called(function: Any, given: List[Any], names: Dict[str, Any]) -> None:
    """Call a test with its arguments, else with those of each of pytest's parameter sets."""
    marks = [] if given else getattr(function, "pytestmark", [])
    sets = [_parameters(*mark.args[:2]) for mark in marks if mark.name == "parametrize"]
    if sets:
        for chosen in itertools.product(*sets):
            function(**{name: value for some in chosen for name, value in some})
        return
    values = {name: eval(text, names) for name, text in given}
    stars = values.pop(next((name for name in values if name[:2] == "**"), ""), {})
    rest = values.pop(next((name for name in values if name[:1] == "*"), ""), ())
    if rest:
        function(*values.values(), *rest, **stars)
    else:
        function(**values, **stars)


def _parameters(names: Any, rows: Any) -> List[List[Tuple[str, Any]]]:
    split = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
    found = []
    for row in rows:
        values = getattr(row, "values", row)  # `pytest.param(...)`
        found.append(list(zip(split, [row] if len(split) == 1 and values is row else values)))
    return found


def attempt(
    start: Dict[str, Any], variant: Variant, place: Tuple[str, int], counter: Counter, seed: int
) -> str:
    """Run the test once, quietly, and say how it ended."""
    variant.forget()
    random.seed(seed)
    kept = sys.stdout, sys.stderr, sys.path[:]
    sys.stdout = sys.stderr = io.StringIO()
    try:
        sys.settrace(counter.trace)
        try:
            run(start, variant)
        finally:
            sys.settrace(None)
    except Endless:
        return ENDLESS
    except AssertionError as error:
        return FAILED if place in _places(error) else RAISED
    except (Exception, SystemExit, RecursionError):
        return RAISED
    finally:
        sys.stdout, sys.stderr = kept[:2]
        sys.path[:] = kept[2]
    # Whatever was caught on the way, too many lines are no ending.
    return ENDLESS if counter.count > counter._most else PASSED


def _places(error: BaseException) -> List[Tuple[str, int]]:
    found, at = [], error.__traceback__
    while at is not None:
        found.append((at.tb_frame.f_code.co_filename, at.tb_lineno))
        at = at.tb_next
    return found


def main(orders: Dict[str, Any]) -> None:
    """Try the test, then its variants, as long as there is time."""
    ends = time.perf_counter() + orders["seconds"]
    start, place = orders["start"], (orders["place"][0], orders["place"][1])
    variant = Variant(orders["roots"])
    sys.meta_path.insert(0, variant)
    sys.path[:0] = [start["root"]]
    told = sys.stdout
    told.write("\n" + MARK + "\n")

    def tried(how: Dict[str, Any], counter: Counter) -> str:
        return attempt(how, variant, place, counter, orders["seed"])

    def tell(answer: Any) -> None:
        told.write(json.dumps(answer) + "\n")
        told.flush()

    first = Counter(variant, True, 10**7)
    ending = tried(start, first)
    tell([ending, first.told(orders["files"])])
    if ending != FAILED:
        return
    passing, rest = [], []
    for other in others(start):
        counter = Counter(variant, True, LONGER * LEAST_LINES)
        ended = tried(other, counter)
        rest.append([ended, counter.told(orders["files"])])
        passing += [(other, counter.count)] if ended == PASSED else []
    tell(rest)
    for file, line, last, begin, end, inside in orders["variants"]:
        if time.perf_counter() >= ends:
            return
        if not first.lines.get(file, set()).intersection(range(line, last + 1)):
            tell(None)
            continue
        variant.put(file, begin, end, inside)
        ended = tried(start, Counter(variant, False, _most(first.count)))
        broken = 0
        for other, count in passing if ended == PASSED else []:
            broken += tried(other, Counter(variant, False, _most(count))) != PASSED
        tell([ended, broken])


def _most(count: int) -> int:
    return max(LEAST_LINES, LONGER * count)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as _opened:
        _orders = json.load(_opened)
    # The file of a script under test becomes `__main__`: keep our own names out of its way.
    sys.modules["__main__"] = ModuleType("__main__")
    main(_orders)
