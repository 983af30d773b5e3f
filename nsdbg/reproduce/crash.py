"""A crash as something to reproduce: its own frames on disk, and a goal for each way in.

Made from a located log by `localize`; knows nothing of logs itself.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from nsdbg.claim import ExceptionClaim, Goal, Site
from nsdbg.errors import SourceError
from nsdbg.source import MODULE, Subject, import_name, load_subject, parse_source
from nsdbg.state import Event

# 3.12 put these into the function around them: whether they are frames depends on the version.
COMPREHENSIONS: dict[type[ast.expr], str] = {
    ast.ListComp: "<listcomp>", ast.SetComp: "<setcomp>", ast.DictComp: "<dictcomp>",
}  # fmt: skip
INLINED = tuple(COMPREHENSIONS.values())
# Printed by the traceback, not part of the exception's message.
SUGGESTION = re.compile(
    r"(?:\. |, )?(?:Did you (?:mean|forget to import)[^?]*\?|Or did you [^?]*\?)+$"
)
# Memory addresses differ from run to run.
UNSTABLE = re.compile(r"\b0x[0-9a-fA-F]{4,}")
# What it was doing when it ran out follows: `in comparison`, `while calling a Python object`.
RECURSION = "maximum recursion depth exceeded"


@dataclass(frozen=True, slots=True)
class CrashFrame:
    """One own frame: `function` is the qualified name on disk, `printed` the one in the log.

    `locals` are those the log recorded as Python literals or as calls that make them, and
    `arguments` what it says that the function was called with.
    """

    file: str
    lineno: int
    function: str
    printed: str
    locals: tuple[tuple[str, str], ...] = ()
    arguments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Crash:
    """What is to be reproduced; frames are the project's own, the outermost first.

    `logged` counts the own frames of the log, found on disk or not.  `folded` tells that the log
    left out repeated frames.  `roots` are the folders the project is imported from, likely first.
    """

    exception: str
    message: str
    frames: tuple[CrashFrame, ...]
    logged: int
    folded: bool = False
    roots: tuple[Path, ...] = ()

    def __post_init__(self) -> None:
        if not self.frames:
            raise ValueError("a crash to reproduce has at least one own frame")


@dataclass(frozen=True, slots=True)
class Level:
    """One way into a crash: the function of one of its frames, and the goal from there.

    `frames` counts the frames of the log that the goal's chain stands for; `caller` is the frame
    outside the entry, None for the outermost.
    """

    goal: Goal
    subject: Subject
    frames: int
    entry: CrashFrame
    caller: CrashFrame | None = None


def levels(crash: Crash) -> Iterator[Level]:
    """Yield the ways into a crash, the innermost first.

    A recursive function is entered once, at its outermost activation.  Nested functions,
    lambdas and class bodies cannot be called from outside and are left out, as is what cannot be
    read.  A frame
    that catches the exception, to log it, ends the way: it does not come out of it.
    """
    frames = crash.frames
    script = Path(frames[0].file).parent if frames[0].function == MODULE else None
    for place in range(len(frames) - 1, -1, -1):
        frame = frames[place]
        above = frames[place - 1] if place else None
        if above is not None and (above.file, above.function) == (frame.file, frame.function):
            continue
        if "<locals>" in frame.function or frame.printed != frame.function.rpartition(".")[2]:
            continue
        try:
            root = best_root(Path(frame.file), crash.roots, script)
            subject = load_subject(Path(frame.file), frame.function, root)
        except SourceError:
            continue
        if is_caught(subject.tree, frame.lineno, crash.exception):
            return
        for goal in _goals(crash, subject, frames[place:]):
            yield Level(goal, subject, len(frames) - place, frame, above)


def is_caught(tree: ast.Module, lineno: int, exception: str) -> bool:
    """Whether a handler around a line takes an exception and does not raise anything itself."""
    name = exception.rsplit(".", 1)[-1]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Try) or not node.body:
            continue
        if not node.body[0].lineno <= lineno <= (node.body[-1].end_lineno or 0):
            continue
        for handler in node.handlers:
            types = ast.unparse(handler.type) if handler.type else "BaseException"
            named = set(re.findall(r"\w+", types))
            leaves = any(isinstance(one, ast.Raise) or _exits(one) for one in ast.walk(handler))
            if named & {name, "Exception", "BaseException"} and not leaves:
                return True
    return False


def _exits(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("exit", "sys.exit", "quit")


def _goals(crash: Crash, subject: Subject, frames: Sequence[CrashFrame]) -> Iterator[Goal]:
    kept = [one for one in frames if one.printed not in INLINED]
    claim = exception_claim(crash.exception, crash.message)
    chain = [Site(one.file, one.lineno, one.printed) for one in kept]
    if not is_recursion(crash):
        inlined = [_comprehensions(one) for one in kept]
        exact = not crash.folded and not any(inlined)
        yield Goal(subject.ref, Event.EXCEPTION, tuple(chain), exception=claim, exact_chain=exact)
        for name in inlined[-1] if inlined else ():
            inside = Site(chain[-1].file, chain[-1].lineno, name)
            sites = (*chain, inside)
            yield Goal(subject.ref, Event.EXCEPTION, sites, exception=claim, exact_chain=False)
        return
    # Where exactly a recursion runs out depends on how deep the interpreter stood before: any line
    # of any function of the circle will do.
    circle = {(site.file, site.function) for site in chain if chain.count(site) > 1}
    before = [site for site in chain if (site.file, site.function) not in circle]
    entered = next((site for site in chain if site not in before), None)
    last = (chain[-1].file, chain[-1].function)
    for file, function in sorted(circle or {last}, key=lambda one: one != last):
        within = [entered] if entered is not None and len(before) < len(chain) else []
        sites = (*before, *within, Site(file, None, function))
        yield Goal(subject.ref, Event.EXCEPTION, sites, exception=claim, exact_chain=False)


def _comprehensions(frame: CrashFrame) -> tuple[str, ...]:
    """Return the names of the frames that comprehensions on a line have before 3.12."""
    try:
        _, tree = parse_source(Path(frame.file))
    except SourceError:
        return ()
    found = {
        COMPREHENSIONS[type(node)]
        for node in ast.walk(tree)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp)
        and node.lineno <= frame.lineno <= (node.end_lineno or node.lineno)
    }
    return tuple(sorted(found))


def is_recursion(crash: Crash) -> bool:
    """Whether the crash is a recursion that ran out, which has no fixed place."""
    return crash.exception.rsplit(".", 1)[-1] == "RecursionError"


def exception_claim(exception: str, message: str) -> ExceptionClaim:
    """Return the claim for a printed exception; what differs from run to run ends its message."""
    message = SUGGESTION.sub("", message)
    if message.startswith(RECURSION):
        return ExceptionClaim(exception, RECURSION, message_prefix=True)
    unstable = UNSTABLE.search(message)
    if unstable is None:
        return ExceptionClaim(exception, message)
    return ExceptionClaim(exception, message[: unstable.start()], message_prefix=True)


def loosened(goal: Goal) -> Goal | None:
    """Return the goal for a message that differs in its values only, None when it names none.

    What stands before the first quoted value or number has to agree.
    """
    claim = goal.exception
    if claim is None or not claim.message or claim.message_prefix:
        return None
    value = re.search(r"['\"\d(\[{]", claim.message)
    if value is None:
        return None
    prefix = ExceptionClaim(claim.type, claim.message[: value.start()], message_prefix=True)
    return Goal(goal.entry, goal.event, goal.chain, exception=prefix, exact_chain=goal.exact_chain)


def best_root(file: Path, roots: Sequence[Path], script: Path | None) -> Path:
    """Return the folder from which most of a file's imports of the project resolve.

    Asked in this order: the folder its packages lie in, that of the script that was run, and the
    source roots; the first of equals wins.
    """
    own, _ = import_name(file)
    candidates = [own, *([script] if script else []), *roots]
    around = [one.resolve() for one in candidates if file.resolve().is_relative_to(one.resolve())]
    _, tree = parse_source(file)
    return max(dict.fromkeys(around), key=lambda one: _resolved(tree, one, file), default=own)


def _resolved(tree: ast.Module, root: Path, file: Path) -> int:
    """Count the imports of a module that would be found below a root."""
    depth = len(file.resolve().relative_to(root).parts) - 1
    names, levels = _imported(tree)
    # A relative import needs as many packages around the file.
    count = sum(level <= depth for level in levels)
    for name in names:
        base = root.joinpath(*name.split("."))
        count += base.with_suffix(".py").is_file() or base.is_dir()
    return count


# The key is the tree of a file as it was read; a long module is asked for each of its functions.
@lru_cache(maxsize=64)
def _imported(tree: ast.Module) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the names that a module imports, and the levels of its relative imports."""
    names: list[str] = []
    levels: list[int] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level:
            levels.append(node.level)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return tuple(names), tuple(levels)
