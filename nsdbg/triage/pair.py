"""A function in both versions of a tree, and how a call of the new one is a call of the old one.

Reads source; runs nothing.  A method that makes an instance is called through its class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from nsdbg.changes.changed import Changed, ChangeSet
from nsdbg.claim import Call, Goal, Site
from nsdbg.reproduce.crash import best_root
from nsdbg.source import (
    Parameter,
    ParameterKind,
    Subject,
    first_line,
    is_decorated,
    load_subject,
)
from nsdbg.state import Event

CONSTRUCTORS = ("__init__", "__post_init__", "__new__")
_NESTED = ".<locals>"


@dataclass(frozen=True, slots=True)
class Pair:
    """A function to call in both versions; `old` is None for one that was not there.

    `names` maps the arguments of the new one to those of the old one.  `lines` are the touched
    lines within it, empty for a caller of what the change touches.
    """

    new: Subject
    old: Subject | None
    names: tuple[tuple[str, str], ...] = ()
    lines: frozenset[int] = frozenset()
    shown: str = ""

    @property
    def is_private(self) -> bool:
        """Whether its name says that it is called from inside the project only."""
        parts = self.new.ref.qualname.split(".")
        return any(one.startswith("_") and not one.endswith("__") for one in parts)

    @property
    def same_signature(self) -> bool:
        """Whether every call of one version is a call of the other, as far as can be read."""
        return self.old is None or self.new.parameters == self.old.parameters

    def old_call(self, call: Call) -> Call | None:
        """Return a call of the new version as one of the old; None where that takes it not."""
        if self.old is None:
            return None
        names = dict(self.names)
        if any(name not in names for name, _ in call.arguments):
            return None
        given = tuple((names[name], text) for name, text in call.arguments)
        have = {name for name, _ in given}
        parameters = self.old.parameters
        if self.old.receiver and is_class_method(self.old):
            parameters = parameters[1:]
        if any(one.required and one.argument_name not in have for one in parameters):
            return None
        return replace(call, arguments=given)


def pair_of(changed: Changed, changes: ChangeSet) -> Pair | None:
    """Return what is to be called for a changed function; None for what cannot be called.

    A nested function is reached through the one around it.  Raises SourceError.
    """
    qualname = changed.qualname.partition(_NESTED)[0]
    new = load(changed.file, qualname, changes.root)
    old = None
    if changed.old_file is not None and changed.old_qualname is not None and changes.old_root:
        old_name = changed.old_qualname.partition(_NESTED)[0]
        old = load(changed.old_file, old_name, changes.old_root)
    return paired(new, old, changed.lines, changed.shown)


def paired(
    new: Subject, old: Subject | None, lines: frozenset[int] = frozenset(), shown: str = ""
) -> Pair | None:
    """Return two versions of a function as a pair; None when no call of one is one of the other."""
    if old is None:
        return Pair(new, None, (), lines, shown)
    names = _names(new, old)
    missing = [one for one in new.parameters
               if one.required and one.argument_name not in names]  # fmt: skip
    if missing and not is_class_method(new):
        return None
    return Pair(new, old, tuple(names.items()), lines, shown)


def load(file: Path, qualname: str, root: Path) -> Subject:
    """Read a function, as what is called for it: of `__init__` and its like, the class.

    Raises SourceError.
    """
    subject = _load(file.resolve(), qualname, root.resolve())
    name = qualname.rpartition(".")[2]
    if name in CONSTRUCTORS and subject.owner is not None:
        return _construction(subject, subject.owner)
    return subject


def _load(file: Path, qualname: str, root: Path) -> Subject:
    return load_subject(file, qualname, best_root(file, (root, root / "src"), None))


def _construction(subject: Subject, owner: ast.ClassDef) -> Subject:
    """Return a class as something to call, with the parameters of its constructor."""
    inits = [node for node in owner.body
             if isinstance(node, ast.FunctionDef) and node.name == "__init__"]  # fmt: skip
    own = subject.ref.qualname.rpartition(".")[0]
    if subject.node in inits:
        parameters = subject.parameters[1:]
    elif inits:
        constructor = load_subject(
            Path(subject.ref.file), f"{own}.__init__", Path(subject.ref.root)
        )
        parameters = constructor.parameters[1:]
    elif subject.ref.qualname.endswith("__new__"):
        parameters = subject.parameters[1:]
    else:
        parameters = tuple(_fields(owner))
    ref = replace(subject.ref, qualname=own)
    return replace(subject, ref=ref, parameters=parameters, owner=None, receiver=False)


def _fields(owner: ast.ClassDef) -> Iterator[Parameter]:
    """Yield a dataclass's own fields as the parameters of its constructor."""
    for node in owner.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        hint = ast.unparse(node.annotation)
        default = ast.unparse(node.value) if node.value is not None else None
        if "ClassVar" in hint or (default and "init=False" in default):
            continue
        if default is not None and "field(" in default and "default" not in default:
            default = None
        yield Parameter(node.target.id, ParameterKind.POSITIONAL, hint, default)


def _names(new: Subject, old: Subject) -> dict[str, str]:
    """Map arguments by name, and those that were renamed by their place."""
    theirs = {one.argument_name: one for one in old.parameters}
    ours = {one.argument_name for one in new.parameters}
    found: dict[str, str] = {}
    for place, parameter in enumerate(new.parameters):
        name = parameter.argument_name
        if name in theirs:
            found[name] = name
        elif place < len(old.parameters):
            other = old.parameters[place]
            plain = other.kind is parameter.kind is ParameterKind.POSITIONAL
            if plain and other.argument_name not in ours:
                found[name] = other.argument_name
        elif parameter.kind is not ParameterKind.POSITIONAL:
            continue
    return found


def is_class_method(subject: Subject) -> bool:
    """Whether a function's first parameter is the class, which is given by itself."""
    return subject.receiver and is_decorated(subject.node, "classmethod")


def raising_goal(subject: Subject) -> Goal:
    """Return the goal of any exception in a function."""
    return Goal(subject.ref, Event.EXCEPTION, (entry_site(subject),), exact_chain=False)


def entry_site(subject: Subject) -> Site:
    """Return any line of a function, as a traceback names it."""
    assert subject.node is not None
    return Site(subject.ref.file, None, subject.node.name)


def lines_of(subject: Subject) -> range:
    """Return the lines of a function."""
    node = subject.node
    assert node is not None
    return range(first_line(node), (node.end_lineno or node.lineno) + 1)
