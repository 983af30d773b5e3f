"""Cheap refusals: what is wrong with a proposal can often be read off, without running it.

Reads source and syntax only; the reasons are for people and become a verdict's detail.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from pathlib import Path

from nsdbg.claim import Call, FunctionRef, Goal, Middle, Proposal, Script
from nsdbg.errors import SourceError
from nsdbg.source import MODULE, Subject, first_line, load_subject
from nsdbg.state import Event
from nsdbg.verify.child.literals import NotALiteral, parse

LARGEST_EXPRESSION = 64 * 1024
# How the names of the packages begin that run beside the target.
_OURS = "_nsdbg"
# Through these an argument gets hold of frames and modules: ours, which say what a run showed,
# as well as the target's.  Arguments are a proposer's code, not the program's.
_MACHINERY = frozenset(
    ["_getframe", "_current_frames", "currentframe", "get_objects", "get_referrers", "settrace",
     "setprofile", "setrecursionlimit", "exec", "eval", "globals", "setattr", "delattr",
     "__setattr__", "__globals__", "__builtins__", "__code__", "__closure__", "__subclasses__",
     "f_back", "f_globals", "f_locals", "tb_frame", "gi_frame", "cr_frame", "sys.modules",
     "a computed name", _OURS]
)  # fmt: skip

# What looks attributes up by names that are values.
_LOOKING_UP = frozenset(
    ["getattr", "attrgetter", "methodcaller", "__getattribute__", "__import__", "import_module"]
)


@lru_cache(maxsize=32)
def subject_of(ref: FunctionRef) -> Subject | None:
    """Return the source of a function; None when this Python cannot read it."""
    try:
        return load_subject(Path(ref.file), ref.qualname, Path(ref.root))
    except SourceError:
        return None  # this Python cannot read it; the target's may


def refusal(goal: Goal, proposal: Proposal) -> str | None:
    """Return why a proposal is refused unrun; None when it has to be run."""
    start = proposal.start
    if goal.previous and proposal.action is None:
        return "what is asked is the state one step earlier: a state and an action"
    if isinstance(start, Call):
        return _call_problem(goal.entry, start)
    if isinstance(start, Script):
        return None if goal.entry.qualname == MODULE else "a script runs a whole module"
    return _middle_problem(goal.entry, start) or _prediction_problem(proposal)


def goal_problem(goal: Goal) -> str | None:
    """Return why no run can meet a goal: a literal or a constraint in it does not parse."""
    values = [*goal.locals, *([("value", goal.value)] if goal.value is not None else [])]
    for name, text in values:
        if not _is_literal(text):
            return f"the goal's {name} is no literal: {text[:60]!r}"
    for text in goal.where:
        if not _is_expression(text):
            return f"the constraint is no expression: {text[:60]!r}"
    return None


def _call_problem(entry: FunctionRef, call: Call) -> str | None:
    for name, text in call.arguments:
        if not _is_expression(text):
            return f"argument {name} is no expression: {text[:60]!r}"
        if (word := _machinery_in(text)) is not None:
            return f"argument {name} reaches for the interpreter's machinery: {word}"
    for text in call.imports:
        if not _is_import(text):
            return f"not an import: {text[:60]!r}"
        if _OURS in text:
            return f"an import reaches for the interpreter's machinery: {text[:60]!r}"
    if entry.qualname == MODULE:
        return "a module's own code is run, not called"
    subject = subject_of(entry)
    return None if subject is None else _parameter_problem(subject, call)


def _parameter_problem(subject: Subject, call: Call) -> str | None:
    given = [name for name, _ in call.arguments]
    known = {parameter.argument_name for parameter in subject.parameters}
    for name in given:
        if name not in known:
            return f"{subject.ref.qualname} has no parameter {name}"
    if len(set(given)) != len(given):
        return "an argument is given twice"
    return None


def _middle_problem(entry: FunctionRef, start: Middle) -> str | None:
    frame = start.state.frame
    subject = subject_of(entry)
    if subject is None or subject.node is None:
        return None
    name = entry.qualname.rpartition(".")[2]
    if (frame.function, frame.file) != (name, entry.file):
        return f"the start lies in {frame.function}, not in {entry.qualname}"
    node = subject.node
    if not first_line(node) <= frame.lineno <= (node.end_lineno or frame.lineno):
        return f"line {frame.lineno} lies outside {entry.qualname}"
    return None


def _prediction_problem(proposal: Proposal) -> str | None:
    predicted = proposal.predicted
    if predicted is None:
        return None
    if any(frame.lineno < 1 for frame in predicted.stack):
        return "a line number counts from 1"
    values = [*(predicted.frame.locals or ())]
    if predicted.event is Event.RETURN and predicted.arg is not None:
        values.append(("value", predicted.arg))
    for name, value in values:
        if value.literal and (kind := _type_of(value.repr)) != value.type:
            return f"{name} is said to be of type {value.type}, and its text is {kind}"
    return None


@lru_cache(maxsize=8192)
def _type_of(text: str) -> str:
    try:
        return type(parse(text)).__name__
    except NotALiteral:
        return "no literal"


@lru_cache(maxsize=8192)
def _is_expression(text: str) -> bool:
    if len(text) > LARGEST_EXPRESSION:
        return False
    try:
        ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


@lru_cache(maxsize=8192)
def _machinery_in(text: str) -> str | None:
    """Return a word through which an expression reaches further than a value does."""
    for node in ast.walk(ast.parse(text.strip(), mode="eval")):
        words = [getattr(node, "id", ""), getattr(node, "attr", "")]
        if isinstance(node, ast.Attribute) and node.attr == "modules":
            words.append("sys.modules" if "sys" in ast.unparse(node.value) else "")
        if isinstance(node, ast.Call) and _name_of(node.func) in _LOOKING_UP:
            words += [
                item.value if isinstance(item, ast.Constant) else "a computed name"
                for item in _names_given(node)
            ]
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words += [_OURS] if _OURS in node.value else []
        for word in words:
            if word in _MACHINERY:
                return str(word)
    return None


def _names_given(call: ast.Call) -> list[ast.expr]:
    """Return the arguments of a call that are names to look up."""
    word = _name_of(call.func)
    if word == "getattr":
        return call.args[1:2]
    return call.args[:1] if word in ("__import__", "import_module") else call.args


def _name_of(function: ast.expr) -> str:
    return str(getattr(function, "id", getattr(function, "attr", "")))


@lru_cache(maxsize=256)
def _is_import(text: str) -> bool:
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return all(isinstance(node, ast.Import | ast.ImportFrom) for node in body)


def _is_literal(text: str) -> bool:
    try:
        parse(text)
    except NotALiteral:
        return False
    return True
